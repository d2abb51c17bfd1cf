#!/usr/bin/env python3
"""Plans beside the runs that they are of: bench/bench_plan.py BUILD [--largest 1000000] [--check 30000 300000] [--page]

`twinset plan --calibrate` fits to runs of 10^4, 10^5, ... documents up to --largest, by both methods. Then runs of sizes
that the fit has not seen: of the same made-up texts, and of those of tools/make_synthetic, of which the plan gets the file
as its sample. Seconds are the least of three, of more than 100,000 documents of two. Printed is how far each plan is off; one
of made-up texts that is off by more than a quarter ends it with 1. --page writes docs/scale.json and the plots of
docs/scale.md. Everything is made in BUILD/bench-plan; 10^6 documents are 1.4 GB, and their work files 3 GB.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

from measurement import machine
from measurement.bars import bar_chart
from measurement.command import measured
from measurement.page_text import write_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = ('minhash', 'complete')
MOST_OFF = .25


def plan(program, documents, method, calibration, *words):
    done = subprocess.run([str(program), 'plan', *map(str, words), '--documents', str(documents), '--method', method,
                           '--calibration', str(calibration), '--disk', '10T', '--json'], check=True, capture_output=True)
    return json.loads(done.stdout)


def calibrate(program, folder, name, documents):
    """{method: [{documents, seconds, ratio}]}"""
    subprocess.run([str(program), 'plan', '--calibrate', str(folder / name), '--documents', str(documents), '--tmp',
                    str(folder), '--quiet', '--progress', 'none'], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / name).read_text())['methods']


def row_of(texts, method, documents, planned, seconds, peak=None):
    middle = (planned['seconds']['least'] + planned['seconds']['most']) / 2
    row = {'texts': texts, 'method': method, 'documents': documents, 'planned_seconds': middle, 'seconds': seconds,
           'off': middle / seconds - 1, 'planned_memory_bytes': planned['memory_bytes'], 'peak_bytes': peak}
    print('%-9s %-8s %9d documents: planned %7.2f s, took %7.2f s, off by %+3.0f %%%s' % (
        texts, method, documents, middle, seconds, 100 * row['off'],
        '; memory %.0f MB planned, %.0f MB taken' % (planned['memory_bytes'] / 1e6, peak / 1e6) if peak else ''), flush=True)
    return row


def of_synthetic(program, folder, method, documents, calibration):
    corpus = folder / ('synthetic-%d.jsonl' % documents)
    if not corpus.exists():
        with open(corpus, 'wb') as file:
            subprocess.run([sys.executable, str(ROOT / 'tools/make_synthetic'), '-n', str(documents)], stdout=file, check=True)
    planned = plan(program, documents, method, calibration, corpus, '--bytes', corpus.stat().st_size)
    runs = []
    for _ in range(2):
        shutil.rmtree(folder / 'out', ignore_errors=True)
        runs.append(measured([program, 'dedup', corpus, '--method', method, '--out', folder / 'out', '--quiet'], 2, 3600, folder))
        if 'error' in runs[-1]:
            sys.exit('bench-plan: ' + runs[-1]['error'])
    shutil.rmtree(folder / 'out')
    return row_of('synthetic', method, documents, planned, min(run['ended'] - run['started'] for run in runs),
                  max(run['peak_bytes'] for run in runs))


def write_page(results):
    rows = [('%s, %s, %s' % (row['method'], row['texts'], '{:,}'.format(row['documents'])), True,
             (row['planned_seconds'], row['seconds'])) for row in results['checks']]
    memory = [('%s, %s' % (row['method'], '{:,}'.format(row['documents'])), True,
               (row['planned_memory_bytes'] / 1e6, row['peak_bytes'] / 1e6)) for row in results['checks'] if row['peak_bytes']]
    write_files({'scale/time.svg': bar_chart('Seconds of runs that the fit has not seen', ('planned', 'taken'), rows),
                 'scale/memory.svg': bar_chart('Memory, MB', ('planned', 'taken'), memory),
                 'scale.json': json.dumps(results, indent=1) + '\n'}, 'scale', ROOT / 'docs')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--largest', type=int, default=10**6)
    parser.add_argument('--check', type=int, nargs='+', default=[30_000, 300_000])
    parser.add_argument('--page', action='store_true')
    arguments = parser.parse_args()
    program, folder = arguments.build.resolve() / 'twinset', arguments.build.resolve() / 'bench-plan'
    folder.mkdir(exist_ok=True)
    results = {'machine': machine.facts(program), 'fit': calibrate(program, folder, 'fit.json', arguments.largest), 'checks': []}
    for method, points in results['fit'].items():
        for point in points:
            print('fit       %-8s %9d documents: %.2f s, %.2f of the forecast' % (method, *(
                point[key] for key in ('documents', 'seconds', 'ratio'))), flush=True)
    for documents in arguments.check:
        runs = calibrate(program, folder, 'check.json', documents)
        for method in METHODS:
            planned = plan(program, documents, method, folder / 'fit.json')
            results['checks'].append(row_of('made up', method, documents, planned, runs[method][-1]['seconds']))
    for documents in arguments.check:
        for method in METHODS:
            results['checks'].append(of_synthetic(program, folder, method, documents, folder / 'fit.json'))
    if arguments.page:
        write_page(results)
    wrong = [row for row in results['checks'] if row['texts'] == 'made up' and abs(row['off']) > MOST_OFF]
    if wrong:
        sys.exit('bench-plan: %d plans of made-up texts are off by more than a quarter' % len(wrong))


if __name__ == '__main__':
    main()
