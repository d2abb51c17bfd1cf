#!/usr/bin/env python3
"""What a saved run saves: bench/bench_saved_run.py BUILD_DIR [--documents N] [--new N] [--method NAME] [--folder DIR]

A synthetic corpus of N documents (1,000,000) is deduplicated and saved; then

  recut        it is decided again: a higher threshold and another keep-rule, and other clusters
  match        new documents (10,000) are compared with it: its inputs read again, and the saved run asked
  dedup        the new documents join it: all inputs read again, and --add

Each line: seconds, peak resident memory, bytes read and written by system calls. What has two ways must give
the same bytes; else the last line is FAILED and the exit code 1. --folder keeps the files; else they stand in
a temporary folder and go.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ('clusters.jsonl', 'pairs.jsonl', 'best.jsonl', 'keep.txt', 'drop.txt', 'empty.txt', 'quarantine.jsonl')


def measure(name, argv):
    begin = time.perf_counter()
    process = subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL)
    # The counters of a process go when it is waited for.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.perf_counter() - begin
    counters = dict(line.split(': ') for line in pathlib.Path('/proc/%d/io' % process.pid).read_text().splitlines())
    usage = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    print('%-34s %7.2f s %7.0f MB resident %8.0f MB read %8.0f MB written'
          % (name, seconds, usage.ru_maxrss / 1024, int(counters['rchar']) / 1e6, int(counters['wchar']) / 1e6),
          flush=True)
    return seconds


def same(x, y):
    return all((x / name).read_bytes() == (y / name).read_bytes() for name in RESULTS if (x / name).exists())


def study(program, folder, arguments):
    old, new, saved = folder / 'old.jsonl', folder / 'new.jsonl', folder / 'saved'
    with subprocess.Popen([sys.executable, ROOT / 'tools' / 'make_synthetic', '-n',
                           str(arguments.documents + arguments.new)], stdout=subprocess.PIPE) as made, \
            open(old, 'wb') as first, open(new, 'wb') as second:
        for number, line in enumerate(made.stdout):
            (first if number < arguments.documents else second).write(line)
    print('%d documents, %.0f MB; %d new ones, %.0f MB' % (arguments.documents, old.stat().st_size / 1e6, arguments.new,
                                                          new.stat().st_size / 1e6), flush=True)
    method = ['--method', arguments.method]
    quiet = ['--quiet', '--overwrite']
    out = {name: folder / name for name in ('full', 'recut', 'read', 'asked', 'whole', 'added')}
    full = measure('dedup', [program, 'dedup', old, '--out', out['full'], *method, *quiet])
    measure('dedup --save', [program, 'dedup', old, '--save', saved, '--out', out['full'], *method, *quiet])
    for name, flags in (('recut --threshold .9 --keep', ['--threshold', '.9', '--keep', 'shortest']),
                        ('recut --cluster components', ['--cluster', 'components'])):
        seconds = measure(name, [program, 'recut', saved, '--out', out['recut'], *flags, *quiet])
        print('  %.1f %% of dedup' % (100 * seconds / full))
    read = measure('match, inputs read', [program, 'match', new, '--against', old, '--out', out['read'], *method, *quiet])
    asked = measure('match, saved run asked', [program, 'match', new, '--against', saved, '--out', out['asked'], *quiet])
    print('  %.1f %% of reading; the same bytes: %s' % (100 * asked / read, same(out['read'], out['asked'])))
    whole = measure('dedup, all inputs read', [program, 'dedup', old, new, '--out', out['whole'], *method, *quiet])
    added = measure('dedup --add', [program, 'dedup', new, '--add', saved, '--out', out['added'], *quiet])
    print('  %.1f %% of reading; the same bytes: %s' % (100 * added / whole, same(out['whole'], out['added'])))
    return same(out['read'], out['asked']) and same(out['whole'], out['added'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--documents', type=int, default=1000000)
    parser.add_argument('--new', type=int, default=10000)
    parser.add_argument('--method', default='minhash')
    parser.add_argument('--folder', type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder or pathlib.Path(tempfile.mkdtemp(prefix='twinset-saved-'))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        good = study(arguments.build.resolve() / 'twinset', folder, arguments)
    finally:
        if arguments.folder is None:
            shutil.rmtree(folder)
    print('same bytes' if good else 'FAILED')
    sys.exit(0 if good else 1)


main()
