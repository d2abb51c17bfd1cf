#!/usr/bin/env python3
"""Text to shingles and to MinHash beside the measured floor: bench/bench_floor.py BUILD_DIR

Compiles the throw-away programs that found the limits (../shared/spikes: AVX-512 only, -march=native,
ASCII only; s12.cpp with 32-bit hash functions) and runs them and bench_kernels on the same text in
turn, five times; prints the median of the ratios. The first row is tokens and every five-word shingle
by two hashes, a public and a keyed one, neither sorted nor kept; the second tokens, shingles and
MinHash 128. bench_kernels checks its answers against the scalar reference. Without the folder it says
so and ends.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import statistics
import struct
import subprocess
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


# The floor of both hashes: the tokeniser and the public hash of tok.h, and one AES block a token.
BOTH_HASHES = r"""
#include "tok.h"
alignas(16) static uint8_t mask[32];
static inline u64 keyed(const char* p, u32 n, __m128i k0, __m128i k1) {
  __m128i s = _mm_xor_si128(k0, _mm_set_epi64x(0, n));
  for (; n > 16; p += 16, n -= 16) {
    s = _mm_aesenc_si128(_mm_xor_si128(s, _mm_loadu_si128((const __m128i*)p)), k1);
    s = _mm_aesenc_si128(s, k0);
  }
  const __m128i last = _mm_and_si128(_mm_loadu_si128((const __m128i*)p),
                                     _mm_loadu_si128((const __m128i*)(mask + 16 - n)));
  s = _mm_aesenc_si128(_mm_xor_si128(s, last), k1);
  s = _mm_aesenc_si128(s, k0);
  s = _mm_aesenc_si128(s, k1);
  return _mm_cvtsi128_si64(_mm_aesenc_si128(s, k0));
}
int main() {
  memset(mask, 255, 16);
  Corpus c;
  c.load("text", 200000000);
  const __m128i k0 = _mm_set_epi64x(1, 2), k1 = _mm_set_epi64x(3, 4);
  std::vector<char> low(1 << 20);
  std::vector<u32> at(1 << 20);
  // Of different places within a page, or stores would be taken for those of other arrays.
  std::vector<u64> room(4 << 19);
  u64 *const open = room.data(), *const secret = open + (1 << 18) + 72, *const a = secret + (1 << 18) + 72,
      *const b = a + (1 << 18) + 72;
  const double t = med([&] {
    for (size_t d = 0; d < c.n; d++) {
      const size_t n = tok_simd(c.p(d), c.len(d), low.data(), at.data());
      for (size_t i = 0; i < n; i++) {
        const char* token = low.data() + at[2 * i];
        const u32 size = at[2 * i + 1] - at[2 * i];
        open[i] = tokhash(token, size);
        secret[i] = keyed(token, size, k0, k1);
      }
      shingle_ml(open, n, a);
      shingle_ml(secret, n, b);
      keep(a[0]);
      keep(b[0]);
    }
  });
  printf("both hashes: %.0f MB/s\n", c.bytes() / 1e6 / t);
}
"""

# What is measured, the floor's line and ours.
ROWS = [('tokens, shingles, both hashes', 'both', r'both hashes: ([\d.]+) MB/s', 'BM_BothHashes'),
        ('tokens, shingles, MinHash 128', 'minhash', r'classic minhash128: ([\d.]+) MB/s', 'BM_Chain')]


def compile_floors(spikes, folder):
    (folder / 'both.cpp').write_text(BOTH_HASHES)
    for source, program in ((folder / 'both.cpp', 'both'), (spikes / 's12.cpp', 'minhash')):
        subprocess.run(['g++', '-O3', '-march=native', '-std=c++20', '-w', '-I', spikes, source,
                        '-o', folder / program, '-lxxhash', '-lsimdjson'], check=True)


def measure(ours, folder, program, pattern, benchmark):
    """MB/s of the floor and of ours."""
    floor = subprocess.run([folder / program], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
    best = float(re.search(pattern, floor).group(1))
    result = subprocess.run([ours, '--benchmark_filter=' + benchmark, '--benchmark_format=csv'],
                            env={**os.environ, 'TWINSET_BENCH_TEXT': str(folder / 'text.txt')},
                            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    row = [line for line in result.splitlines() if line.startswith('"' + benchmark)][0].split(',')
    return best, float(row[5]) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    ours = build / 'bench' / 'bench_kernels'
    spikes = pathlib.Path(os.environ.get('TWINSET_SHARED', ROOT.parent / 'shared')) / 'spikes'
    if not (spikes / 's12.cpp').exists():
        print('SKIPPED: no s12.cpp to measure against')
        return
    folder = pathlib.Path(tempfile.mkdtemp(prefix='twinset-floor-'))
    try:
        make_text(folder)
        compile_floors(spikes, folder)
        for name, program, pattern, benchmark in ROWS:
            ratios = []
            for _ in range(5):
                best, mine = measure(ours, folder, program, pattern, benchmark)
                ratios.append(mine / best)
                print('%s: twinset %.0f MB/s, floor %.0f MB/s, ratio %.2f' % (name, mine, best, mine / best))
            print('%s: median ratio to the floor: %.2f' % (name, statistics.median(ratios)))
    finally:
        shutil.rmtree(folder)


main()
