#!/usr/bin/env python3
"""How fast twinset.compat.datasketch is beside datasketch: bench/bench_python_datasketch.py BUILD_DIR [--sets N] [--keys N]

N sets (500) of about 200 word 5-shingles, of texts of 1.4 KB, become MinHash of 128 values, all at once (bulk) and one
by one (update_batch); then N MinHash (20,000), half of them near-duplicates, are inserted into an index and 5,000 of
them asked for. Seconds are processor seconds of one processor, the least of three runs, and memory is by how much
the resident set of a fresh process grows while the index is built. At the end: similarities of edited texts by
whitespace words and by the word 5-shingles of twinset.

Every answer is checked: both packages have the same values and find the same keys.

The packages are those of the environment of tests/python/run.py, which it makes below BUILD_DIR when the interpreter
has none of its own.
"""
import argparse
import gc
import importlib
import json
import os
import pathlib
import random
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = {'datasketch': 'datasketch', 'twinset': 'twinset.compat.datasketch'}
SCHEMES = ('affine32', 'affine64', 'legacy')
THRESHOLDS = (.5, .7, .8, .9)
ASKED = 5000


def go_to_environment(build):
    """Returns if both packages can be imported; else this program begins again where they can."""
    try:
        for name in PACKAGES.values():
            importlib.import_module(name)
        return
    except ImportError:
        pass
    sys.path.insert(0, str(ROOT / 'tools'))
    environment = importlib.import_module('python_environment').environment_of(build / 'python-environment',
                                                                               ROOT / 'python/requirements.txt')
    made = subprocess.run([ROOT / 'tools/build_python', build, environment], check=True, stdout=subprocess.PIPE, text=True)
    os.execve(environment, [str(environment), *sys.argv], dict(os.environ, PYTHONPATH=made.stdout.split()[-1]))


def words_of_texts(rng, count, length):
    words = [''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=rng.randint(3, 9))) for _ in range(20000)]
    return [rng.choices(words, k=length) for _ in range(count)]


def shingle_sets(rng, count):
    return [[' '.join(words[i:i + 5]).encode() for i in range(len(words) - 4)]
            for words in words_of_texts(rng, count, 204)]


def seconds_of(run):
    least, result = float('inf'), None
    for _ in range(3):
        begun = time.process_time()
        result = run()
        least = min(least, time.process_time() - begun)
    return least, result


def measure_sketches(package, sets):
    """Microseconds per set of bulk and update_batch by scheme, and the values."""
    module, found, values = importlib.import_module(PACKAGES[package]), {}, []

    def one_by_one():
        for sketch, tokens in zip(sketches, sets):
            sketch.update_batch(tokens)

    for scheme in SCHEMES:
        bulk, made = seconds_of(lambda: module.MinHash.bulk(sets, scheme=scheme))
        sketches = [module.MinHash(scheme=scheme) for _ in sets]
        found[scheme] = [seconds * 1e6 / len(sets) for seconds in (bulk, seconds_of(one_by_one)[0])]
        values.append([sketch.hashvalues.tolist() for sketch in made])
        if values[-1] != [sketch.hashvalues.tolist() for sketch in sketches]:
            sys.exit('%s: bulk and update_batch differ' % package)
    return found, values


def resident_bytes():
    return int(pathlib.Path('/proc/self/statm').read_text().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def index_answer(package, threshold, count):
    """What one process measures of an index; it prints it."""
    import numpy
    module = importlib.import_module(PACKAGES[package])
    values = numpy.random.RandomState(1).randint(0, 2 ** 25, (count, 128)).astype(numpy.uint32)
    half = count // 2  # of these each has a near-duplicate, which agrees in nine values of ten
    changed = numpy.random.RandomState(2).uniform(size=(half, 128)) < .1
    values[half:2 * half][~changed] = values[:half][~changed]
    sketches = [module.LeanMinHash(seed=1, hashvalues=row, scheme='affine32') for row in values]
    keys = list(map(str, range(count)))
    index = module.MinHashLSH(threshold=threshold)
    gc.collect()
    before = resident_bytes()
    begun = time.process_time()
    for key, sketch in zip(keys, sketches):
        index.insert(key, sketch)
    inserted = time.process_time() - begun
    grown = resident_bytes() - before
    asked = sketches[::max(1, count // ASKED)]
    query, found = seconds_of(lambda: [index.query(sketch) for sketch in asked])
    print(json.dumps([index.b, index.r, inserted * 1e6 / count, query * 1e6 / len(asked), grown / count,
                      list(map(sorted, found))]))


def compare_indexes(build, count):
    print('\n%-10s %6s %8s %13s %13s %14s' % ('MinHashLSH', 'bands', 'package', 'us an insert', 'us a query', 'bytes a key'))
    for threshold in THRESHOLDS:
        answers = {}
        for package in PACKAGES:
            asked = [sys.executable, __file__, str(build), '--keys', str(count), '--index', package, str(threshold)]
            answers[package] = json.loads(subprocess.run(asked, check=True, stdout=subprocess.PIPE, text=True).stdout)
        theirs, ours = answers['datasketch'], answers['twinset']
        if theirs[:2] != ours[:2] or theirs[5] != ours[5] or sum(map(len, ours[5])) < 1.2 * len(ours[5]):
            sys.exit('the indexes for %g differ' % threshold)
        for package, (b, r, *numbers, _) in answers.items():
            print('%-10g %6s %10s %11.2f %13.2f %14.0f' % (threshold, '%dx%d' % (b, r), package, *numbers))
        print('%27s %11.1f %13.1f %14.1f' % ('ratio', *(a / b for a, b in zip(theirs[2:5], ours[2:5]))))


def compare_sketches(count):
    sets = shingle_sets(random.Random(1), count)
    theirs, ours = (measure_sketches(package, sets) for package in PACKAGES)
    if theirs[1] != ours[1]:
        sys.exit('the values differ')
    print('%-10s %14s %12s %8s   (us a set)' % ('scheme', 'datasketch', 'twinset', 'ratio'))
    for scheme in SCHEMES:
        for name, a, b in zip(('bulk', 'update_batch'), theirs[0][scheme], ours[0][scheme]):
            print('%-10s %14.1f %12.2f %8.1f   %s' % (scheme, a, b, a / b, name))


def compare_similarities():
    """What the same edits do to both kinds of sets: means of 40 texts of 200 words."""
    import twinset
    from twinset.compat import datasketch
    rng = random.Random(5)
    sketcher = twinset.Sketcher()
    texts = words_of_texts(rng, 40, 200)
    print('\n%-16s %10s %10s %10s %10s   (mean similarities)' % ('changed words', 'words', 'estimated', 'shingles', 'estimated'))
    for edits in (0, 1, 2, 5, 10, 20):
        rows = []
        for words in texts:
            edited = list(words)
            for at in rng.sample(range(len(words)), edits):
                edited[at] = 'edit%d' % at
            pair = [' '.join(words), ' '.join(edited)]
            sets = [[token.encode() for token in set(text.split())] for text in pair]
            shingles = [[int(s).to_bytes(8, 'little') for s in sketcher.shingles(text)] for text in pair]
            a, b = map(set, sets)
            estimates = [x.jaccard(y) for x, y in map(datasketch.MinHash.bulk, (sets, shingles))]
            rows.append((len(a & b) / len(a | b), estimates[0], sketcher.similarity(*pair), estimates[1]))
        print('%-16s %10.3f %10.3f %10.3f %10.3f' % ('%d of 200' % edits, *(sum(c) / len(c) for c in zip(*rows))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--sets', type=int, default=500)
    parser.add_argument('--keys', type=int, default=20000)
    parser.add_argument('--index', nargs=2, help=argparse.SUPPRESS)  # one index, in a process of its own
    asked = parser.parse_args()
    go_to_environment(asked.build.resolve())
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if asked.index:
        return index_answer(asked.index[0], float(asked.index[1]), asked.keys)
    compare_sketches(asked.sets)
    compare_indexes(asked.build, asked.keys)
    compare_similarities()


if __name__ == '__main__':
    main()
