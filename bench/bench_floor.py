#!/usr/bin/env python3
"""Text to MinHash beside the measured floor: bench/bench_floor.py BUILD_DIR

Compiles the throw-away program that found the limit (../shared/spikes/s12.cpp: AVX-512 only,
-march=native, ASCII only, 32-bit hash functions) and runs it and bench_kernels on the same text in
turn, three times; prints the median of the ratios. bench_kernels checks its answers against the
scalar reference. Without the folder it says so and ends.
"""
import os
import pathlib
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def make_text(folder):
    """About 20 MB of ASCII words: text.txt for ours, text.dat and text.off for the other."""
    rng = random.Random(1)
    words = [''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=rng.randint(1, 11))) for _ in range(20000)]
    texts = [' '.join(rng.choices(words, k=rng.randint(400, 3000))).encode() for _ in range(2000)]
    offsets = [0]
    for text in texts:
        offsets.append(offsets[-1] + len(text))
    (folder / 'text.txt').write_bytes(b'\n'.join(texts))
    (folder / 'text.dat').write_bytes(b''.join(texts))
    (folder / 'text.off').write_bytes(struct.pack('<%dQ' % len(offsets), *offsets))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    ours = pathlib.Path(sys.argv[1]).resolve() / 'bench' / 'bench_kernels'
    shared = pathlib.Path(os.environ.get('TWINSET_SHARED', ROOT.parent / 'shared'))
    source = shared / 'spikes' / 's12.cpp'
    if not source.exists():
        print('SKIPPED: no %s to measure against' % source.name)
        return
    folder = pathlib.Path(tempfile.mkdtemp(prefix='twinset-floor-'))
    try:
        make_text(folder)
        subprocess.run(['g++', '-O3', '-march=native', '-std=c++20', '-w', source, '-o', folder / 'floor',
                        '-lxxhash', '-lsimdjson'], check=True)
        ratios = []
        for _ in range(3):
            floor = subprocess.run([folder / 'floor'], cwd=folder, check=True, stdout=subprocess.PIPE,
                                   text=True).stdout
            best = float(re.search(r'classic minhash128: ([\d.]+) MB/s', floor).group(1))
            result = subprocess.run([ours, '--benchmark_filter=BM_Chain', '--benchmark_format=csv'],
                                    env={**os.environ, 'TWINSET_BENCH_TEXT': str(folder / 'text.txt')},
                                    check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                    text=True).stdout
            row = [line for line in result.splitlines() if line.startswith('"BM_Chain')][0].split(',')
            mine = float(row[5]) / 1e6
            ratios.append(mine / best)
            print('tokens, shingles, MinHash 128: twinset %.0f MB/s, floor %.0f MB/s, ratio %.2f'
                  % (mine, best, mine / best))
        print('median ratio to the floor: %.2f' % statistics.median(ratios))
    finally:
        shutil.rmtree(folder)


main()
