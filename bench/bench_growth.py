#!/usr/bin/env python3
"""With which power of the documents time grows, in one state of the machine: bench/bench_growth.py BUILD

A run of a second finds a machine rested: a processor at its highest clock, memory that the host of a virtual machine has
at hand, a disk that owes nothing. A run of minutes does not, so that the two beside each other measure the machine too.
Here the small corpus is run again and again, without a pause, for --seconds, about as long as the large one takes, before
it and after it. The exponents are of the large run and of the median of the small ones, before and after.

Corpora are those of bench_complete.py (mutations of real text; --texts names other text), in BUILD/bench-growth, or
--folder; one that is there is taken, and they stay. 10^7 documents are 16 GB, and a run of them writes 25 GB of work
files. Checked: the small runs write the same pairs.jsonl.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE / 'complete_join'))
import bench_complete  # noqa: E402
import mutations  # noqa: E402
from measurement import machine  # noqa: E402


def in_a_row(run, seconds):
    """Runs until so many seconds are over, three at least."""
    until, runs = time.monotonic() + seconds, []
    while len(runs) < 3 or time.monotonic() < until:
        runs.append(run())
    return runs


def growth(small, large, before, run, after):
    """What is printed and kept: the large run beside the small ones before and after it."""
    result = {'documents': [small, large], 'large': {key: run[key] for key in ('seconds', 'cpu_seconds')}}
    for name, runs in (('before', before), ('after', after)):
        result[name] = {'runs': len(runs)}
        for key in ('seconds', 'cpu_seconds'):
            middle = statistics.median(cell[key] for cell in runs)
            result[name][key] = middle
            result[name]['exponent_of_' + key] = bench_complete.exponent([(small, middle), (large, run[key])])
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--small', type=int, default=10**5)
    parser.add_argument('--large', type=int, default=10**7)
    parser.add_argument('--texts', type=pathlib.Path, default=bench_complete.SAMPLE)
    parser.add_argument('--threshold', type=float, default=0.8)
    parser.add_argument('--memory', default='4G')
    parser.add_argument('--method', default='complete')
    parser.add_argument('--seconds', type=float, default=240, help='of small runs before, and of those after')
    parser.add_argument('--folder', type=pathlib.Path)
    arguments = parser.parse_args()
    if not 0 < arguments.small < arguments.large:
        parser.error('--small must be above 0 and below --large')
    program = bench_complete.program_of(arguments.build.resolve())
    folder = (arguments.folder or arguments.build / 'bench-growth').resolve()
    folder.mkdir(parents=True, exist_ok=True)
    words = None
    for documents in (arguments.small, arguments.large):
        corpus = folder / ('corpus-%d.jsonl' % documents)
        if not corpus.exists():
            words = words or mutations.words_of(program, arguments.texts)
            mutations.write(corpus, words, documents, 1)

    def run(documents):
        cell = bench_complete.dedup_cell(program, folder / ('corpus-%d.jsonl' % documents), arguments.method,
                                         arguments.threshold, arguments.memory, 'auto', 7200, folder / 'run')
        if 'error' in cell:
            sys.exit('bench-growth: %d documents: %s' % (documents, cell['error']))
        return cell

    def small():
        return run(arguments.small)

    before = in_a_row(small, arguments.seconds)
    large = run(arguments.large)
    after = in_a_row(small, arguments.seconds)
    shutil.rmtree(folder / 'run')
    if len({cell['digest'] for cell in before + after}) > 1:
        sys.exit('bench-growth: other pairs when run again')
    result = {'machine': machine.facts(program), 'memory': arguments.memory, 'threshold': arguments.threshold,
              **growth(arguments.small, arguments.large, before, large, after)}
    (folder / 'results.json').write_text(json.dumps(result, indent=1) + '\n', encoding='utf-8')
    print('%d documents: %.1f s, %.1f s of processor time' % (arguments.large, large['seconds'], large['cpu_seconds']))
    for name in ('before', 'after'):
        print('%d documents, %d runs %s: %.2f s, %.2f s of processor time; exponents %.3f and %.3f' % (
            arguments.small, result[name]['runs'], name, result[name]['seconds'], result[name]['cpu_seconds'],
            result[name]['exponent_of_seconds'], result[name]['exponent_of_cpu_seconds']))


if __name__ == '__main__':
    main()
