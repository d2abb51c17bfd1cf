#!/usr/bin/env python3
"""Time and memory of the complete join beside MinHash as the corpus grows: bench/bench_complete.py BUILD

Corpora of 10^4, 10^5, ... documents up to --largest, made of mutations of real text (complete_join/mutations.py), each
with several thresholds and memory budgets: `twinset dedup` by the complete join and by MinHash, in turn. Runs of less than
20 s are repeated, and medians count. No corpus is written (--action report).

Checked at every size: each method writes the same pairs.jsonl in any memory, and MinHash accepts no more pairs than
there are. Up to --check documents both also list all pairs, outside the measured time: each pair of MinHash must be one
of the complete join with the same similarity. What is wrong is an error, and so is the exit code.

--texts names other real text, all that twinset reads; without it the licensed sample is taken. Everything is made in
BUILD/bench-complete and a corpus is removed when it is measured. 10^5 documents are 0.16 GB, and a run writes up to 0.4 GB
of work files beside them; 10^7 and more are measured at .8 alone, with a budget. --page writes docs/benchmarks-complete.md with its plots and numbers, --page-only does so from
numbers that are there.
"""
import argparse
import collections
import hashlib
import itertools
import json
import math
import os
import pathlib
import shutil
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / 'complete_join'))
import complete_page  # noqa: E402
import mutations  # noqa: E402
from measurement import machine  # noqa: E402
from measurement.command import measured  # noqa: E402

METHODS = ('complete', 'minhash')
THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
MEMORIES = ('unlimited', '4G', '256M')
SMALLEST, FROM_HERE_ON = 10**4, 10**5  # corpora; those that exponents are of
MANY, OF_MANY = 10**7, (0.8,)  # corpora from here on are measured at these thresholds alone, with a budget
THREADS = 2
LONG_SECONDS = 20  # a run that takes longer is not repeated
SAMPLE = ROOT / 'examples/data/boost-docs.warc.gz'


def sizes(largest):
    """Powers of ten from 10^4 to the largest, or that one alone."""
    return [10**power for power in range(4, 10) if 10**power <= largest] or [largest]


# ---- runs ------------------------------------------------------------------------

def dedup_cell(program, corpus, method, threshold, memory, pairs, limit, work):
    """What a run took and found; `error` says in one line why it has no answer. Its folder stays for the caller."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    command = [program, 'dedup', corpus, '--out', work / 'out', '--method', method, '--threshold', threshold,
               '--pairs', pairs, '--action', 'report', '--threads', THREADS, '--quiet',
               *(['--memory', memory] if memory != 'unlimited' else [])]
    taken = measured(command, THREADS, limit, work)
    cell = {'threshold': threshold, 'memory': memory, 'method': method}
    if 'error' in taken:
        return {**cell, 'error': taken['error'], **({'stopped': True} if taken['code'] is None else {})}
    summary = json.loads((work / 'out/summary.json').read_text())
    return {**cell, 'seconds': taken['ended'] - taken['started'],
            **{key: taken[key] for key in ('cpu_seconds', 'peak_bytes', 'written_bytes')},
            'candidates': summary['run'].get('candidates', summary['candidates']),
            'accepted': summary['pairs']['accepted'], 'rows': summary['pairs']['written'],
            'stages': summary['run']['stage_seconds'], 'digest': file_digest(work / 'out/pairs.jsonl')}


def file_digest(path):
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def median_cell(runs):
    """One cell of repeated runs; stages are those of the run in the middle, so that they add up."""
    failed = next((run for run in runs if 'error' in run), None)
    if failed:
        return failed
    cell = dict(sorted(runs, key=lambda run: run['seconds'])[(len(runs) - 1) // 2])
    cell.update({key: statistics.median(run[key] for run in runs)
                 for key in ('seconds', 'cpu_seconds', 'peak_bytes', 'written_bytes')}, runs=len(runs))
    if len({run['digest'] for run in runs}) > 1:
        cell['error'] = 'other pairs when run again'
    return cell


def kinds_of_cells(documents, arguments):
    """(threshold, memory) of the cells of such a corpus."""
    every = itertools.product(arguments.thresholds, arguments.memory)
    return [(t, m) for t, m in every if documents < MANY or (t in OF_MANY and m != 'unlimited')]


def measure_cells(program, corpus, documents, arguments, smaller, work):
    """All cells of a corpus. What was stopped with a smaller one is not tried."""
    stopped = {(c['threshold'], c['memory'], c['method']) for c in smaller if 'stopped' in c}
    cells = []
    for threshold, memory in kinds_of_cells(documents, arguments):
        runs = {method: [] for method in METHODS}
        for turn, method in itertools.product(range(arguments.runs), METHODS):
            if (threshold, memory, method) in stopped:
                runs[method] = [{'threshold': threshold, 'memory': memory, 'method': method, 'stopped': True,
                                 'error': 'not tried: stopped with fewer documents'}]
            elif turn == 0 or runs[method][0].get('seconds', LONG_SECONDS) < LONG_SECONDS:
                runs[method].append(dedup_cell(program, corpus, method, threshold, memory, 'auto', arguments.limit, work))
        for cell in map(median_cell, runs.values()):
            cells.append(cell)
            print('  %-4g %-9s %-8s %s' % (threshold, memory, cell['method'], cell.get('error') or
                  '%8.2f s %8.2f cpu %7.0f MB %7.0f MB written %9d accepted' % (
                      cell['seconds'], cell['cpu_seconds'], cell['peak_bytes'] / 1e6, cell['written_bytes'] / 1e6,
                      cell['accepted'])), flush=True)
    return cells


# ---- answers ---------------------------------------------------------------------

def wrong_cells(cells):
    """Sentences about cells that contradict each other."""
    wrong, by_method = [], collections.defaultdict(list)
    for cell in cells:
        if 'error' not in cell:
            by_method[cell['threshold'], cell['method']].append(cell)
        elif 'stopped' not in cell:
            wrong.append('%g, %s, %s: %s' % (cell['threshold'], cell['memory'], cell['method'], cell['error']))
    for (threshold, method), same in by_method.items():
        wrong += ['%g, %s: other pairs with %s than with %s' % (threshold, method, other['memory'], same[0]['memory'])
                  for other in same[1:] if (other['digest'], other['accepted']) != (same[0]['digest'], same[0]['accepted'])]
        complete = by_method.get((threshold, 'complete'))
        if complete and same[0]['accepted'] > complete[0]['accepted']:
            wrong.append('%g: %s accepts more pairs than there are' % (threshold, method))
    return wrong


def similarity_of_pairs(path):
    with open(path, encoding='utf-8') as file:
        return {(row['a'], row['b']): row['similarity'] for row in map(json.loads, file)}


def not_among(found, every):
    """How many pairs are not among all pairs, or there with another similarity."""
    return sum(every.get(pair) != value for pair, value in found.items())


def check_rows(program, corpus, arguments, cells, work):
    """Every pair of both methods, held against each other: (what the page says of it, what is wrong)."""
    checks, wrong = [], []
    for threshold in arguments.thresholds:
        pairs = {}
        for method in METHODS:
            run = dedup_cell(program, corpus, method, threshold, 'unlimited', 'all', arguments.limit, work)
            if 'error' in run:
                wrong += [] if 'stopped' in run else ['%g, %s, all pairs: %s' % (threshold, method, run['error'])]
                break
            pairs[method] = similarity_of_pairs(work / 'out/pairs.jsonl')
            star = next((c for c in cells if (c['threshold'], c['method']) == (threshold, method) and 'error' not in c), run)
            if star['accepted'] != run['accepted'] or len(pairs[method]) != run['rows']:
                wrong.append('%g, %s: other pairs when all are listed' % (threshold, method))
        else:
            strange = not_among(pairs['minhash'], pairs['complete'])
            checks.append({'threshold': threshold, 'complete': len(pairs['complete']), 'minhash': len(pairs['minhash']),
                           'strange': strange})
            if strange:
                wrong.append('%g: %d pairs of MinHash are not among all' % (threshold, strange))
    return checks, wrong


# ---- growth ----------------------------------------------------------------------

def exponent(points):
    """The slope of log y over log x by least squares; None of less than two points."""
    if len(points) < 2:
        return None
    logs = [(math.log(x), math.log(y)) for x, y in points]
    middle_x, middle_y = (sum(column) / len(logs) for column in zip(*logs))
    return sum((x - middle_x) * (y - middle_y) for x, y in logs) / sum((x - middle_x)**2 for x, _ in logs)


def exponents(measured_sizes):
    """Of each threshold, memory and method: with which power of the documents its time and memory grow."""
    cells = collections.defaultdict(list)
    for size in measured_sizes:
        for cell in size['cells']:
            if 'error' not in cell and size['documents'] >= FROM_HERE_ON:
                cells[cell['threshold'], cell['memory'], cell['method']].append((size['documents'], cell))
    return [{'threshold': threshold, 'memory': memory, 'method': method, 'largest': max(n for n, _ in same),
             **{key: exponent([(n, cell[key]) for n, cell in same]) for key in ('seconds', 'cpu_seconds', 'peak_bytes')}}
            for (threshold, memory, method), same in cells.items() if len(same) > 1]


# ---- the whole run ---------------------------------------------------------------

def measure_size(program, words, documents, arguments, smaller, folder):
    corpus, work = folder / 'corpus.jsonl', folder / 'run'
    mutations.write(corpus, words, documents, arguments.seed)
    print('%d documents, %.1f MB' % (documents, corpus.stat().st_size / 1e6), flush=True)
    size = {'documents': documents, 'bytes': corpus.stat().st_size, 'checks': []}
    size['cells'] = measure_cells(program, corpus, documents, arguments, smaller, work)
    wrong = wrong_cells(size['cells'])
    if documents <= arguments.check:
        size['checks'], strange = check_rows(program, corpus, arguments, size['cells'], work)
        wrong += strange
    shutil.rmtree(work, ignore_errors=True)
    corpus.unlink()
    return size, ['%d documents: %s' % (documents, sentence) for sentence in wrong]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--largest', type=int, default=10**5, help='documents of the largest corpus')
    parser.add_argument('--texts', type=pathlib.Path, default=SAMPLE, help='real text that corpora are made of')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--thresholds', type=float, nargs='+', default=THRESHOLDS)
    parser.add_argument('--memory', nargs='+', default=MEMORIES, help='budgets; unlimited: what twinset takes without one')
    parser.add_argument('--runs', type=int, default=3, help='of what takes less than %d s' % LONG_SECONDS)
    parser.add_argument('--check', type=int, default=10**6, help='largest corpus all of whose pairs are compared')
    parser.add_argument('--limit', type=int, default=7200, help='seconds after which a run is stopped')
    parser.add_argument('--folder', type=pathlib.Path, help='instead of BUILD/bench-complete')
    parser.add_argument('--json', type=pathlib.Path, help='numbers, instead of results.json in that folder')
    parser.add_argument('--add-to', type=pathlib.Path, metavar='JSON',
                        help='numbers that an earlier run left: only the largest corpus is measured and put beside them')
    parser.add_argument('--page', action='store_true', help='write the page from the numbers')
    parser.add_argument('--page-only', type=pathlib.Path, metavar='JSON', help='write the page from these numbers')
    arguments = parser.parse_args()
    if arguments.largest < 2 or arguments.runs < 1:
        parser.error('--largest must be at least 2 and --runs at least 1')
    return arguments


def program_of(build):
    """The program of a build, or of the one around it where a build has only benchmarks."""
    found = next((p for p in (build / 'twinset', build.parent / 'twinset') if p.exists()), None)
    return found or sys.exit('bench-complete: no twinset in %s' % build)


def main():
    arguments = parse_arguments()
    if arguments.page_only:
        complete_page.write(json.loads(arguments.page_only.read_text(encoding='utf-8')), ROOT / 'docs')
        return
    build = arguments.build.resolve()
    program, folder = program_of(build), (arguments.folder or build / 'bench-complete').resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        words, wrong = mutations.words_of(program, arguments.texts), []
    except ValueError as reason:
        sys.exit('bench-complete: %s' % reason)
    facts = machine.facts(program)
    results = {'machine': facts, 'settings': {
        'thresholds': list(arguments.thresholds), 'memory': list(arguments.memory), 'threads': THREADS,
        'seed': arguments.seed, 'runs': arguments.runs, 'long_seconds': LONG_SECONDS, 'texts': arguments.texts.name,
        'words': len(words), 'check': arguments.check, 'limit_seconds': arguments.limit, 'from': FROM_HERE_ON}, 'sizes': []}
    if arguments.add_to:
        results = json.loads(arguments.add_to.read_text(encoding='utf-8'))
    for documents in [arguments.largest] if arguments.add_to else sizes(arguments.largest):
        smaller = results['sizes'][-1]['cells'] if results['sizes'] else []
        size, sentences = measure_size(program, words, documents, arguments, smaller, folder)
        size['commit'] = facts['commit']
        results['sizes'].append(size)
        wrong += sentences
        results['exponents'] = exponents(results['sizes'])
        results['machine']['load_after'] = os.getloadavg()[0]
        (arguments.json or folder / 'results.json').write_text(json.dumps(results, indent=1) + '\n', encoding='utf-8')
    print('\n'.join(complete_page.ratio_lines(results)))
    if wrong:
        sys.exit('wrong answers:\n' + '\n'.join(wrong[:20]))
    if arguments.page:
        complete_page.write(results, ROOT / 'docs')


if __name__ == '__main__':
    main()
