#!/usr/bin/env python3
"""The live index as it grows: bench/bench_index_growth.py BUILD [--sizes N,N] [--tight N] [--page] [--page-only] [--merges N]

Runs BUILD/bench/bench_index, which checks every answer, for each size, and once more for --tight documents with so little
memory that their postings are ten times as large. Prints what it says. --page writes docs/benchmarks-index.md with its plots
and numbers; --page-only does so from the numbers that are there. --merges only tells how many
runs an index has after N of them were written, and how often each posting was. 10^7 documents take ten minutes and 10 GB below --folder.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from measurement import machine  # noqa: E402
from measurement.bars import bar_chart  # noqa: E402
from measurement.page_text import number, table, write_files  # noqa: E402

DOCS = HERE.parent / 'docs'
PAGE, NUMBERS, PLOTS = 'benchmarks-index.md', 'benchmarks-index.json', 'benchmarks-index'
LEAST_MEMORY_MB = 64  # what an index takes at least
ROW = re.compile(r'(?P<what>.+?)\s{2,}(?P<value>[\d.]+) (?P<unit>a second|bytes a document|ms|MB)'
                 r'(?:, p50 (?P<p50>\d+) us, p99 (?P<p99>\d+) us, (?P<reads>[\d.]+) reads)?$')
SHORT = {'check-and-add, durable, in batches of 1,000': 'batches', 'check-and-add, durable, one by one': 'single',
         'look-ups that find two': 'hits', 'look-ups that find nothing': 'misses', 'log': 'log', 'postings': 'postings',
         'opening': 'opening', 'peak memory': 'peak'}


def measure(program, documents, memory_mb, folder):
    """{short name: value, NAME_p50, NAME_p99 in microseconds} of one run."""
    command = [str(program), str(documents), str(folder)] + ([str(memory_mb)] if memory_mb else [])
    print('$', ' '.join(command), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    print(done.stdout, end='', flush=True)
    if done.returncode != 0:
        sys.exit('bench-index-growth: the run above failed')
    cell = {'documents': documents, 'memory_mb': memory_mb}
    for line in done.stdout.splitlines():
        row = ROW.match(line)
        name = SHORT[row['what']]
        cell[name] = float(row['value'])
        for which in ('p50', 'p99', 'reads'):
            if row[which]:
                cell['%s_%s' % (name, which)] = float(row[which])
    missing = set(SHORT.values()) - set(cell)
    if missing:
        sys.exit('bench-index-growth: no row of %s' % ', '.join(sorted(missing)))
    return cell


def label(cell):
    power = math.log10(cell['documents'])
    size = '10^%d' % power if power == int(power) else '{:,}'.format(cell['documents'])
    return size + (', %d MB' % cell['memory_mb'] if cell['memory_mb'] else '')


def plots(cells):
    def chart(title, names, keys):
        return bar_chart(title + ' (logarithmic)', names, [(label(c), True, tuple(c[k] for k in keys)) for c in cells])
    return {'adds.svg': chart('Documents added a second, durable, by documents', ('batches of 1,000', 'one by one'),
                              ('batches', 'single')),
            'p99.svg': chart('Microseconds of a look-up, p99, by documents', ('finds two', 'finds nothing'),
                             ('hits_p99', 'misses_p99')),
            'bytes.svg': chart('Bytes a document, by documents', ('log', 'postings'), ('log', 'postings'))}


def exponent(cells, key):
    """With which power of the documents the time of one grows, from the first cell to the last."""
    first, last = cells[0], cells[-1]
    return math.log(first[key] / last[key]) / math.log(last['documents'] / first['documents'])


def render(results):
    cells, facts = results['cells'], results['machine']
    free = [cell for cell in cells if not cell['memory_mb']]
    rows = [[label(c), number(c['batches']), '%s (%d)' % (number(c['single']), c['single_p99']),
             *('%s (%d, %d; %s)' % (number(c[k]), c[k + '_p50'], c[k + '_p99'], number(c[k + '_reads']))
               for k in ('hits', 'misses')),
             '%s, %s' % (number(c['postings']), number(c['log'])), number(c['opening']), number(c['peak'])]
            for c in cells]
    last = free[-1]
    lines = ['# The live index as it grows', '',
             'With {:,} documents an index adds {:,.0f} a second, durable and decided, and answers {:,.0f} look-ups a second that '
             'find two and {:,.0f} that find nothing.'.format(last['documents'], last['batches'], last['hits'], last['misses']),
             '',
             'Made by `bench/bench_index_growth.py build --page` from its measurements; not edited by hand. {date}, '
             '{processor}, {threads} threads, {memory:.0f} GB, {system}; {twinset}, commit {commit}.'.format(
                 memory=facts['memory_bytes'] / 2**30, **facts), '',
             'Documents of 200 words, a quarter of them near-copies of earlier ones; every answer is checked. Adds decide '
             'and store in one step, are on the disk when they are acknowledged, and take all threads; look-ups are verified '
             'by the texts and take one thread. A number with a size is the memory that the index was given; without it '
             'it has 1 GB.', '',
             *table(['documents', 'added a second, batches of 1,000', 'one by one (p99 µs)',
                     'look-ups a second that find two (p50, p99 µs; reads of files)', 'that find nothing',
                     'bytes of postings, of log, a document', 'opening, ms', 'peak memory of the process, MB'], rows)]
    if len(free) > 1:
        lines += ['From the smallest to the largest, the time of an added document grows with the power %.2f of the number '
                  'of documents, that of a look-up that finds two with %.2f.' % (
                      exponent(free, 'batches'), exponent(free, 'hits')), '']
    for name, about in (('adds', 'documents added a second'), ('p99', 'p99 of look-ups'), ('bytes', 'bytes a document')):
        lines += ['![%s](%s/%s.svg)' % (about, PLOTS, name), '']
    return '\n'.join(lines).rstrip('\n') + '\n'


def merges(written):
    """(runs on average, at most, how often each posting is written): the rule of IndexStore::BeginMerge, for equal runs."""
    runs, most, total, copied = [], 0, 0, 0
    for _ in range(written):
        runs.append(1)
        copied += 1
        while True:
            begin, behind = len(runs), 0
            while begin > 0 and (begin == len(runs) or runs[begin - 1] <= behind):
                begin -= 1
                behind += runs[begin]
            if len(runs) - begin < 4:
                break
            runs[begin:] = [behind]
            copied += behind
        most = max(most, len(runs))
        total += len(runs)
    return total / written, most, copied / written


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path, nargs='?', default=pathlib.Path('build'))
    parser.add_argument('--sizes', default='100000,1000000,10000000', help='ascending')
    parser.add_argument('--tight', type=int, default=5_000_000, help='documents with the least memory')
    parser.add_argument('--folder', type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()))
    parser.add_argument('--page', action='store_true')
    parser.add_argument('--page-only', action='store_true')
    parser.add_argument('--merges', type=int)
    arguments = parser.parse_args()
    if arguments.merges:
        print('%.1f runs on average, %d at most; each posting is written %.1f times' % merges(arguments.merges))
        return
    if arguments.page_only:
        results = json.loads((DOCS / NUMBERS).read_text(encoding='utf-8'))
    else:
        sizes = [int(size) for size in arguments.sizes.split(',')]
        facts = machine.facts(arguments.build / 'twinset')
        program = arguments.build / 'bench' / 'bench_index'
        cells = [measure(program, size, None, arguments.folder) for size in sizes]
        cells.append(measure(program, arguments.tight, LEAST_MEMORY_MB, arguments.folder))
        results = {'machine': {**facts, 'load_after': os.getloadavg()[0]}, 'cells': cells}
    if arguments.page or arguments.page_only:
        made = {PAGE: render(results), NUMBERS: json.dumps(results, indent=1) + '\n'}
        made.update({'%s/%s' % (PLOTS, name): svg for name, svg in plots(results['cells']).items()})
        write_files(made, PLOTS, DOCS)


if __name__ == '__main__':
    main()
