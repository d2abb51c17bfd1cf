#!/usr/bin/env python3
"""Two builds of twinset in turn, command by command: bench/compare_builds.py BEFORE AFTER [-n RUNS] [CORPUS...]

BEFORE and AFTER are programs. Every command runs RUNS times (default 7) with each, always one directly
after the other, on one thread with work files in memory. A row gives the median over the pairs of runs
of AFTER / BEFORE, in processor time and in time on the clock, the seconds of AFTER, and the peak memory
of both in MB. Both must find the same; otherwise the exit code is 1. The corpora are 20,000 and
70,000 rows of tools/make_synthetic and each CORPUS (files or folders) that is named.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = [
    ('MinHash', ['dedup', '--pairs', 'all', '--method', 'minhash']),
    ('complete', ['dedup', '--pairs', 'all']),
    ('Fast Similarity Sketching', ['dedup', '--pairs', 'all', '--method', 'fss']),
    ('SimHash', ['dedup', '--pairs', 'all', '--method', 'simhash']),
    ('equal copies', ['dedup', '--pairs', 'all', '--method', 'exact']),
    ('containment', ['match', '--measure', 'containment']),
    ('evaluate', ['evaluate', '--methods', 'minhash,simhash']),
]


def what_was_found(out):
    """The pairs, as a digest; of `evaluate` what it counted of every method."""
    if (out / 'pairs.jsonl').exists():
        return hashlib.sha256((out / 'pairs.jsonl').read_bytes()).hexdigest()
    methods = json.loads((out / 'evaluation.json').read_text())['methods']
    return str([[[row[count] for count in ('true', 'found', 'correct')] for row in method['rows']]
                for method in methods])


def run(program, command, corpus, tmp):
    """Processor seconds, seconds, peak MB and what was found, of one run."""
    out = pathlib.Path(tempfile.mkdtemp(prefix='compare-', dir=tmp))
    line = [program, *command, corpus, '--threads', '1', '--quiet', '--out', out / 'out', '--tmp', out]
    if command[0] == 'match':
        line += ['--against', corpus]
    begin = time.perf_counter()
    child = subprocess.Popen([str(word) for word in line], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    error = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begin
    if status != 0:
        sys.exit('%s\nfailed: %s' % (' '.join(map(str, line)), error.decode(errors='replace')))
    found = what_was_found(out / 'out')
    shutil.rmtree(out)
    return usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / 1024, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('before')
    parser.add_argument('after')
    parser.add_argument('corpus', nargs='*')
    parser.add_argument('-n', type=int, default=7)
    parser.add_argument('--synthetic', type=int, nargs='*', default=[70000, 20000], help='documents')
    parser.add_argument('--only', help='one command of the table')
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory(prefix='compare-builds-', dir='/dev/shm') as tmp:
        sys.exit(0 if compare(options, tmp) else 1)


def compare(options, tmp):
    """Prints the table; whether the same was found everywhere."""
    corpora = [(pathlib.Path(name).name, name) for name in options.corpus]
    for size in options.synthetic:
        path = os.path.join(tmp, '%d.jsonl' % size)
        with open(path, 'wb') as file:
            subprocess.run([ROOT / 'tools/make_synthetic', '-n', str(size)], stdout=file, check=True)
        corpora.insert(0, ('%d synthetic' % size, path))
    median = statistics.median
    all_same = True
    print('| corpus | command | processor | clock | seconds | MB before | MB after | same |')
    print('|---|---|---|---|---|---|---|---|')
    for name, corpus in corpora:
        for title, command in COMMANDS:
            if options.only not in (None, title):
                continue
            rows = [[run(program, command, corpus, tmp) for program in (options.before, options.after)]
                    for _ in range(options.n)]
            same = len({found for pair in rows for _, _, _, found in pair}) == 1
            all_same &= same
            print('| %s | %s | %.2f | %.2f | %.2f | %.0f | %.0f | %s |' % (
                name, title, median(b[0] / a[0] for a, b in rows), median(b[1] / a[1] for a, b in rows),
                median(b[1] for _, b in rows), median(a[2] for a, _ in rows),
                median(b[2] for _, b in rows), 'yes' if same else 'NO'), flush=True)
    return all_same


if __name__ == '__main__':
    main()
