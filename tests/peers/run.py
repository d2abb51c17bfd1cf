#!/usr/bin/env python3
"""The presets of packages that can be reproduced, beside the packages: tests/peers/run.py BUILD_DIR

Installs datasketch and simhash into an environment of their own below the folder for temporary files;
where that is impossible the cases are named as skipped. The known answers that need no package are
tests/golden/peers_golden_test.cc.
"""
import json
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests/support'))
from measured import require, suite_from_arguments
from packages import interpreter_with

PACKAGES = ('datasketch==2.0.0', 'simhash==2.1.2')

SIMHASH = r'''
import json, sys
from simhash import Simhash, SimhashIndex
rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
values = [(row['id'], Simhash(row['text'])) for row in rows]
index = SimhashIndex(values, k=2)
near = {tuple(sorted((a, b))) for a, value in values for b in index.get_near_dups(value) if a != b}
print(json.dumps({'sketches': {name: '%016x' % value.value for name, value in values},
                  'pairs': sorted(near)}))
'''

DATASKETCH = r'''
import json, sys
from datasketch import MinHash, MinHashLSH
rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
lsh = MinHashLSH(threshold=0.9, num_perm=128)
sketches, pairs = {}, set()
for row in rows:
    sketch = MinHash(num_perm=128, seed=1, scheme=sys.argv[2])
    for word in row['text'].split():
        sketch.update(word.encode())
    pairs.update(tuple(sorted((row['id'], other))) for other in lsh.query(sketch))
    lsh.insert(row['id'], sketch)
    sketches[row['id']] = ''.join('%08x' % value for value in sketch.hashvalues)
print(json.dumps({'sketches': sketches, 'pairs': sorted(pairs)}))
'''

STRANGE = ('\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u03a3\u0391\u03a3. \u03a3 \u03a3\' a\u03a3: a\u03a3b',
           '\u0130stanbul I \u0131 \ufb01 \u1e9e \u01c4', '\u4f60\u597d\uff0c\u4e16\u754c\uff01\u4f60\u597d',
           'a--b  c d_e F1', 'tab\tnew\nline  two', '\u0e44\u0e17\u0e22 e\u0301 \u00bd \u2167 \u2461',
           'x', 'na\u00efve caf\u00e9\u2019s 3.14 1,000')


def python():
    """The interpreter that has the packages."""
    return interpreter_with('peers', PACKAGES, 'datasketch, simhash')


def corpus():
    """Rows of random words, many of them changed copies of earlier ones, and strange ones."""
    chance = random.Random(4)
    words = ['%s%d' % (chance.choice('abc\u00e4\u03c3Z'), n) for n in range(400)]
    texts = [list(STRANGE[n % len(STRANGE)].split(' ')) for n in range(len(STRANGE))]
    for _ in range(150):
        if chance.random() < 0.4:
            texts.append([chance.choice(words) for _ in range(chance.randrange(20, 120))])
        else:
            copy = list(chance.choice(texts))
            for _ in range(chance.randrange(3)):
                copy[chance.randrange(len(copy))] = chance.choice(words)
            texts.append(copy)
    return ''.join(json.dumps({'id': 'd%03d' % n, 'text': ' '.join(text)}) + '\n'
                   for n, text in enumerate(texts))


def compare(place, preset, program, *arguments):
    """Sketches and pairs of the preset are those of the package."""
    rows = place.write('rows.jsonl', corpus().encode())
    answer = json.loads(subprocess.run([python(), '-W', 'ignore', '-c', program, rows, *arguments],
                                       cwd=place.folder, check=True, stdout=subprocess.PIPE).stdout)
    told = place.run('sketch', rows, '--preset', preset).ended(0).stdout
    sketches = {row['id']: row['sketch'] for row in map(json.loads, told.splitlines())}
    different = [name for name, value in answer['sketches'].items() if sketches.get(name) != value]
    require(not different, preset, 'differs from the package in', different[:5])
    place.dedup(rows, '--preset', preset).ended(0)
    pairs = {tuple(sorted((row['a'], row['b']))) for row in place.rows('pairs.jsonl')}
    expected = {tuple(pair) for pair in answer['pairs']}
    require(len(expected) > 20, 'the corpus has too few pairs')
    require(pairs == expected, len(pairs - expected), 'pairs too many and', len(expected - pairs),
            'too few of', len(expected))


def main():
    suite, _ = suite_from_arguments(__doc__)
    suite.run('1e0ng-simhash', lambda place: compare(place, '1e0ng-simhash', SIMHASH))
    suite.run('datasketch', lambda place: compare(place, 'datasketch', DATASKETCH, 'legacy'))
    suite.run('datasketch-2', lambda place: compare(place, 'datasketch-2', DATASKETCH, 'affine32'))
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
