#!/usr/bin/env python3
"""The Python package beside the command and beside rensa: bench/bench_python.py BUILD_DIR [-n DOCUMENTS]

Run it with an interpreter for which tools/build_python has built the package, on PYTHONPATH; rensa is measured
where it is installed. Documents are synthetic (tools/make_synthetic, 1.4 KB). One thread; processor seconds,
the least of three; every answer is checked: dedup in memory must find the pairs of the command, and rensa's
sketches with the same shingles must estimate what is exact.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPEATS = 3


def least(work):
    """(processor seconds, what it returned)."""
    taken = []
    for _ in range(REPEATS):
        begin = time.process_time()
        result = work()
        taken.append(time.process_time() - begin)
    return min(taken), result


def by_command(program, path, folder):
    """(processor seconds, pairs) of the command."""
    taken = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, 'dedup', path, '--out', folder / 'out', '--overwrite', '--quiet', '--threads', '1'],
                       check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    rows = (folder / 'out/pairs.jsonl').read_text().splitlines()
    return min(taken), [(row['a'], row['b']) for row in map(json.loads, rows)]


def shingles(text):
    words = text.split()
    return [' '.join(words[i:i + 5]) for i in range(max(1, len(words) - 4))]


def by_rensa(texts, features):
    """(processor seconds, sketches) of rensa over features made in Python, as its users make them."""
    import rensa

    def sketch():
        made = []
        for text in texts:
            one = rensa.RMinHash(num_perm=128, seed=42)
            one.update(features(text))
            made.append(one)
        return made
    return least(sketch)


def tell(what, seconds, documents):
    print('%-44s %6.3f s %9.0f documents a second' % (what, seconds, documents / seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('-n', type=int, default=20000)
    arguments = parser.parse_args()
    import twinset
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        path = folder / 'documents.jsonl'
        with path.open('w') as file:
            subprocess.run([ROOT / 'tools/make_synthetic', '-n', str(arguments.n)], check=True, stdout=file)
        rows = list(map(json.loads, path.read_text().splitlines()))
        texts = [row['text'] for row in rows]
        command, expected = by_command(arguments.build / 'twinset', path, folder)
    memory, found = least(lambda: twinset.dedup(texts, threads=1))
    if [(rows[a]['id'], rows[b]['id']) for a, b, _ in found.pairs] != expected:
        sys.exit('dedup in memory has other pairs than the command')
    tell('twinset dedup FILE', command, len(texts))
    tell('twinset.dedup(list)', memory, len(texts))
    sketching, sketches = least(lambda: twinset.sketch(texts, method='minhash'))
    tell('twinset.sketch, words in fives', sketching, len(texts))
    try:
        import rensa  # noqa: F401
    except ImportError:
        print('SKIPPED rensa: it is not installed')
        return
    for name, features in (('words in fives', shingles), ('words', str.split)):
        seconds, made = by_rensa(texts, features)
        tell('rensa, sketches alone, ' + name, seconds, len(texts))
        if name == 'words in fives':
            for a, b, similarity in list(found.pairs)[:200]:
                if abs(made[a].jaccard(made[b]) - similarity) > 0.2:  # more than four standard errors of 128 values
                    sys.exit('rensa estimates %d and %d far from what is exact' % (a, b))


if __name__ == '__main__':
    main()
