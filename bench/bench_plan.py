#!/usr/bin/env python3
"""Plans beside the runs that they are of: bench/bench_plan.py BUILD [--largest 1000000] [--check 30000 300000] [--page]

`twinset plan --calibrate` fits to runs of 10^4, 10^5, ... documents up to --largest, by both methods. Then runs of sizes
that the fit has not seen: of the same made-up texts, and of those of tools/make_synthetic, of which the plan gets the file
as its sample. Each of three runs is compared with a plan made just before it, as a machine is not as fast each minute, and
the one in the middle counts. Printed is how far each plan is off; one of made-up texts that is off by more than a quarter
ends it with 1. --page writes docs/scale.json and the plots of
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


def calibrate(program, folder, name, documents, *words):
    """{method: [{documents, seconds, ratio}]}"""
    (folder / name).unlink(missing_ok=True)  # the command does not write over a file
    subprocess.run([str(program), 'plan', '--calibrate', str(folder / name), '--documents', str(documents), '--tmp',
                    str(folder), '--quiet', '--progress', 'none', *words], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / name).read_text())['methods']


def middle(planned):
    return (planned['seconds']['least'] + planned['seconds']['most']) / 2


def row_of(texts, method, documents, ratio, seconds, planned_memory, peak=None):
    """`ratio`: of what was planned to what was taken."""
    row = {'texts': texts, 'method': method, 'documents': documents, 'planned_seconds': ratio * seconds, 'seconds': seconds,
           'off': ratio - 1, 'planned_memory_bytes': planned_memory, 'peak_bytes': peak}
    print('%-9s %-8s %9d documents: planned %7.2f s, took %7.2f s, off by %+3.0f %%%s' % (
        texts, method, documents, ratio * seconds, seconds, 100 * row['off'],
        '; memory %.0f MB planned, %.0f MB taken' % (planned_memory / 1e6, peak / 1e6) if peak else ''), flush=True)
    return row


def of_made_up(program, folder, method, documents):
    """A calibration of that size measures runs beside their own forecasts."""
    run = calibrate(program, folder, 'check.json', documents, '--method', method)[method][-1]
    planned = plan(program, documents, method, folder / 'fit.json')
    ratio = middle(planned) / planned['basis']['forecast_seconds'] / run['ratio']
    return row_of('made up', method, documents, ratio, run['seconds'], planned['memory_bytes'])


def of_synthetic(program, folder, method, documents):
    corpus = folder / ('synthetic-%d.jsonl' % documents)
    if not corpus.exists():
        with open(corpus, 'wb') as file:
            subprocess.run([sys.executable, str(ROOT / 'tools/make_synthetic'), '-n', str(documents)], stdout=file, check=True)
    ratios, peak = [], 0
    for _ in range(3):
        shutil.rmtree(folder / 'out', ignore_errors=True)
        planned = plan(program, documents, method, folder / 'fit.json', corpus, '--bytes', corpus.stat().st_size)
        run = measured([program, 'dedup', corpus, '--method', method, '--out', folder / 'out', '--quiet'], 2, 3600, folder)
        if 'error' in run:
            sys.exit('bench-plan: ' + run['error'])
        seconds = run['ended'] - run['started']
        ratios.append((middle(planned) / seconds, seconds))
        peak = max(peak, run['peak_bytes'])
    shutil.rmtree(folder / 'out')
    return row_of('synthetic', method, documents, *sorted(ratios)[1], planned['memory_bytes'], peak)


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
        for method in METHODS:
            results['checks'].append(of_made_up(program, folder, method, documents))
    for documents in arguments.check:
        for method in METHODS:
            results['checks'].append(of_synthetic(program, folder, method, documents))
    if arguments.page:
        write_page(results)
    wrong = [row for row in results['checks'] if row['texts'] == 'made up' and abs(row['off']) > MOST_OFF]
    if wrong:
        sys.exit('bench-plan: %d plans of made-up texts are off by more than a quarter' % len(wrong))


if __name__ == '__main__':
    main()
