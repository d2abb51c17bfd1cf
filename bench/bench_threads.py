#!/usr/bin/env python3
"""Seconds of each stage of dedup at one thread and at two, beside what two processes reach: bench/bench_threads.py BUILD

The rows are those of tools/make_synthetic. Two processes of one thread, each over half of the rows and with half of the
work, share nothing but the machine: what they take together is what no run of two threads can beat. Each is run --rounds
times in turn, and the least seconds count. Checked: one thread and two write the same result files.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = ('clusters.jsonl', 'pairs.jsonl', 'keep.txt', 'drop.txt')


def digest_of(folder):
    whole = hashlib.sha256()
    for name in RESULTS:
        whole.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return whole.hexdigest()


def start(program, rows, out, threads, more):
    return subprocess.Popen([str(program), 'dedup', str(rows), '--out', str(out), '--threads', str(threads), '-q',
                             '--overwrite', *more])


def seconds_of(runs):
    """All of them at once."""
    begin = time.monotonic()
    for process in [run() for run in runs]:
        if process.wait() != 0:
            sys.exit('bench-threads: a run failed')
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('-n', type=int, default=600000, help='documents')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--method', default='complete')
    arguments = parser.parse_args()
    program = arguments.build.resolve() / 'twinset'
    more = ('--method', arguments.method)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = folder / 'rows.jsonl'
        with rows.open('wb') as file:
            subprocess.run([sys.executable, str(HERE.parent / 'tools' / 'make_synthetic'), '-n', str(arguments.n)],
                           stdout=file, check=True)
        lines = rows.read_bytes().splitlines(keepends=True)
        for half, part in enumerate((lines[:len(lines) // 2], lines[len(lines) // 2:])):
            (folder / ('half-%d.jsonl' % half)).write_bytes(b''.join(part))
        del lines
        jobs = {
            'one thread': [lambda: start(program, rows, folder / 'one', 1, more)],
            'two threads': [lambda: start(program, rows, folder / 'two', 2, more)],
            'two processes': [lambda half=half: start(program, folder / ('half-%d.jsonl' % half),
                                                      folder / ('out-%d' % half), 1, more) for half in (0, 1)]}
        least, stages = {}, {}
        for _ in range(arguments.rounds):
            for job, runs in jobs.items():
                seconds = seconds_of(runs)
                if seconds >= least.get(job, seconds + 1):
                    continue
                least[job] = seconds
                if job != 'two processes':
                    summary = json.loads((folder / job.split()[0] / 'summary.json').read_text(encoding='utf-8'))
                    stages[job] = summary['run']['stage_seconds']
        if digest_of(folder / 'one') != digest_of(folder / 'two'):
            sys.exit('bench-threads: other results with two threads')
    print('| stage | one thread, s | two threads, s | ratio |\n|---|---|---|---|')
    for stage, one in stages['one thread'].items():
        two = stages['two threads'].get(stage, 0)
        if one > 0.02 * least['one thread']:
            print('| %s | %.2f | %.2f | %.2f |' % (stage, one, two, two / one))
    for job in ('two threads', 'two processes'):
        print('| all, %s | %.2f | %.2f | %.2f |' % (job, least['one thread'], least[job],
                                                    least[job] / least['one thread']))


if __name__ == '__main__':
    main()
