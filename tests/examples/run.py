#!/usr/bin/env python3
"""The worked examples, generated again: tests/examples/run.py BUILD_DIR [--write]

In docs/examples/*.md, what stands between `<!-- steps: ARGUMENTS -->` and `<!-- end -->` is what
`twinset explain --steps --markdown ARGUMENTS` prints in the root of the repository, below the command itself.
Every such part must be the same bytes; --write puts in what is printed now. Then each page must hold
the numbers that its source prints or that follow from it, named here one by one.
"""
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / 'docs/examples'
PART = re.compile(r'(?<=^<!-- steps: )(?P<arguments>[^\n]*)(?P<mark> -->\n)(?P<body>.*?)(?=^<!-- end -->$)', re.M | re.S)

# Lines of the generated parts, one after the other (others may stand between), by page.
GOLDEN = {
    'shingles.md': [
        '**spam**: 9 tokens, 8 windows, 5 different.',
        '**rose**: 8 tokens, 5 windows, 3 different.',
        '**rose**: 8 tokens, 6 windows, 3 different.',
        '**rose**: 8 tokens, 7 windows, 3 different.',
        '**rose**: 8 tokens, 8 windows, 3 different.',
        '**rose5**: 5 tokens, 3 windows, 3 different.',
        '| d1, d2 | 3 | 8 | 3/8 = 0.375 | 3/4 = 0.75 | 3/7 = 0.4286 | 6/11 = 0.5455 |',
        '| d1, d3 | 0 | 9 | 0/9 = 0 | 0/4 = 0 | 0/5 = 0 | 0/9 = 0 |',
        '| d2, d3 | 0 | 12 | 0/12 = 0 | 0/7 = 0 | 0/5 = 0 | 0/12 = 0 |',
        '| d1, d2 | 3 | 12 | 0.7906 |',
        '| d1, d3 | 4 | 20 | 0.9129 |',
        '| d2, d3 | 6 | 26 | 0.7217 |',
    ],
    'minhash-permutations.md': [
        'π: 1 ↦ 3, 2 ↦ 4, 3 ↦ 1, 4 ↦ 2',
        '| S | {2, 3, 4} | {4, 1, 2} | 1 |',
        '| 1 | 0 | 1 | C |', '| 2 | 1 | 0 | B |', '| 3 | 1 | 1 | A |', '| 4 | 0 | 0 | D |', '| 5 | 1 | 1 | A |',
        '| 6 | 0 | 1 | C |',
        'A: in both, B and C: in one, D: in neither. Jaccard = A / (A + B + C) = 2/5 = 0.4.',
        '| 1 2 3 4 5 | 1 | 2 | 1 |', '| 5 4 3 2 1 | 4 | 5 | 4 |', '| 3 4 5 1 2 | 3 | 5 | 4 |',
        '| C1, C2 | 0/5 = 0 | 0/3 = 0 | 0 |',
        '| C1, C3 | 2/4 = 0.5 | 2/3 = 0.6667 | 0.2887 |',
        '| C2, C3 | 1/4 = 0.25 | 0/3 = 0 | 0.25 |',
    ],
    'minhash-slots.md': [
        '| 1 | 1 | 3 | **1**, **3** | ∞, ∞ |', '| 2 | 2 | 0 | 1, 3 | **2**, **0** |',
        '| 3 | 3 | 2 | 1, **2** | 2, 0 |', '| 4 | 4 | 4 | 1, 2 | 2, 0 |', '| 5 | 0 | 1 | 1, 2 | **0**, 0 |',
        '| C1, C2 | 1/5 = 0.2 | 0/2 = 0 | 0.2828 |',
        'The slots at the end are the same.',
        '| 1 | 2 | 0 | ∞, ∞ | **2**, **0** | **2**, **0** |', '| 2 | 3 | 3 | **3**, **3** | 2, 0 | 2, 0 |',
        '| 3 | 0 | 2 | 3, 3 | **0**, 0 | 2, 0 |', '| 4 | 1 | 1 | **1**, **1** | 0, 0 | 2, 0 |',
        '| d1, d2 | 0/4 = 0 | 0/2 = 0 | 0 |', '| d1, d3 | 1/3 = 0.3333 | 0/2 = 0 | 0.3333 |',
        '| d2, d3 | 1/3 = 0.3333 | 1/2 = 0.5 | 0.3333 |',
        'The slots at the end are the same.',
    ],
    'super-shingles.md': [
        '| 0.7 | 0.0068 | 0.0007 |', '| 0.8 | 0.044 | 0.0258 |', '| 0.9 | 0.2288 | 0.4151 |',
        '| 0.95 | 0.4877 | 0.8786 |', '| 0.98 | 0.7536 | 0.9957 |', '| 0.99 | 0.8687 | 0.9998 |',
    ],
    'simhash-votes.md': [
        '| a | 3 | `0000` | -3 | -3 | -3 | -3 |', '| rose | 3 | `1111` | +3 | +3 | +3 | +3 |',
        '| is | 2 | `1010` | +2 | -2 | +2 | -2 |', '| **V** |  | **`1010`** | +2 | -2 | +2 | -2 |',
        '| rose | `1010` |',
        '| rose | `acc571a245e28ea2` |', '| rose | `47d7dfa9eb1df662` |', '| rose | `021f06040dadd40d` |',
        '| rose | `301110e204b10414` |', '| rose | `43df460dcb3dd66f` |', '| rose | `0217040404a51405` |',
        '| d1 | `5d74ac2a5c148891` |', '| d2 | `0fd48c6a4d100891` |', '| d3 | `59100c2848148000` |',
        '| d1, d2 | 11 | 53/64 = 0.8281 | 0.7906 |', '| d1, d3 | 13 | 51/64 = 0.7969 | 0.9129 |',
        '| d2, d3 | 18 | 46/64 = 0.7188 | 0.7217 |',
    ],
    'hamming-tables.md': [
        '| t1 | 1-4 | `0001`: d6, d8; `1001`: d5; `1010`: d1, d3, d4; `1111`: d2, d7 |',
        '| t2 | 1-2, 5-6 | `0001`: d6; `0011`: d8; `1000`: d4; `1010`: d1, d3; `1011`: d5; `1100`: d7; `1101`: d2 |',
        '| t3 | 1-2, 7-8 | `0000`: d8; `0010`: d6; `1000`: d4, d5; `1010`: d1; `1011`: d3; `1100`: d7; `1110`: d2 |',
        '| t4 | 3-6 | `0101`: d6; `0111`: d5, d8; `1000`: d4; `1010`: d1, d3; `1100`: d7; `1101`: d2 |',
        '| t5 | 3-4, 7-8 | `0100`: d5, d8; `0110`: d6; `1000`: d4; `1010`: d1; `1011`: d3; `1100`: d7; `1110`: d2 |',
        '| t6 | 5-8 | `0000`: d4, d7; `0110`: d2, d6; `1010`: d1; `1011`: d3; `1100`: d5, d8 |',
        '| d1, d3 | t1, t2, t4 | 1 | yes |', '| d1, d4 | t1 | 2 | yes |', '| d2, d7 | t1 | 2 | yes |',
        '| d4, d7 | t6 | 2 | yes |', '| d5, d8 | t4, t5, t6 | 1 | yes |', '| d6, d8 | t1 | 2 | yes |',
        '6 of 9 candidate pairs are near; comparing all pairs finds 6.',
        '| t2 | 1-2, 5-6 | `0001`: d6; `0011`: d8; `1000`: d4; `1010`: d1, d3; `1011`: d5; `1100`: d7; `1110`: d2 |',
        '| t4 | 3-6 | `0101`: d6; `0111`: d5, d8; `1000`: d4; `1010`: d1, d3; `1100`: d7; `1110`: d2 |',
        '| t6 | 5-8 | `0000`: d4, d7; `0110`: d6; `1010`: d1, d2; `1011`: d3; `1100`: d5, d8 |',
        '| d1, d2 | t6 | 2 | yes |',
        '7 of 9 candidate pairs are near; comparing all pairs finds 7.',
        'Candidates: d4, d5, d7. Near-duplicates: d4. Comparing with every document finds the same.',
        '| d4 | `10100000` | 1 | yes |', '| d5 | `10011100` | 3 | no |', '| d7 | `11110000` | 3 | no |',
        'Candidates: d4, d5, d7. Near-duplicates: d4. Comparing with every document finds the same.',
        'Candidates: d1, d2, d5, d6. Near-duplicates: d2, d5, d6. Comparing with every document finds the same.',
        'Candidates: d1, d2, d6. Near-duplicates: d2. Comparing with every document finds the same.',
        '| d1 | `10101010` | 3 | no |', '| d2 | `11110110` | 1 | yes |', '| d6 | `00010110` | 4 | no |',
    ],
    'learnt.md': [
        '| of | 4 | 1 | yes | 1 | 1 |', '| the | 7 | 0.1927 |  | 1 | 1 |',  # log2(8/4), log2(8/7)
        '**h1**: 4 of 23 different chunks are kept.',  # 42 letters, 20 a chunk
        '**h1**: 14 of 15 chunks are kept.', '**h2**: 12 of 15 chunks are kept.',
        '| h1, h2 | 12/18 = 0.6667 | 12/14 = 0.8571 | 0.8571 |',
        '| h1, h2 | `s3` | 0.8 |  | of the mean of both |',
        # Of 12 common chunks 8 are in two sentences and 4 in three: (8/2 + 4/3) / 15.
        '| h1, h2 | `s4` | 0.3556 |  | the same, each chunk divided by the documents that have it |',
    ],
    'rabin-mod-prime.md': [
        '| x1 | `0101011011` | 347 | 2 * 173 + 1 | `00000001` |',
        '| x2 | `1101011011` | 859 | 4 * 173 + 167 | `10100111` |',
        '| x3 | `0001011011` | 91 | 0 * 173 + 91 | `01011011` |',
    ],
}


def generated(program, arguments):
    run = subprocess.run([program, 'explain', '--steps', '--markdown', *shlex.split(arguments)], cwd=ROOT, capture_output=True,
                         text=True, timeout=120)
    if run.returncode != 0:
        raise RuntimeError('%s: exit %d: %s' % (arguments, run.returncode, run.stderr))
    return '\n```sh\ntwinset explain --steps --markdown %s\n```\n\n%s\n' % (arguments, run.stdout)


def first_difference(old, new):
    for n, (a, b) in enumerate(zip(old.splitlines(), new.splitlines()), 1):
        if a != b:
            return 'line %d is\n  %s\nand not\n  %s' % (n, b, a)
    return 'one is longer'


def missing_line(text, lines):
    """The first of `lines` that does not stand in the text after the ones before it."""
    rest = iter(text.splitlines())
    for line in lines:
        if line not in rest:  # consumes up to the line found
            return line
    return None


def queries_with(documents, candidates, near):
    """The 8-bit queries with exactly these candidates (two of four blocks equal) and near-duplicates (2 bits)."""
    def blocks(x):
        return [x[n:n + 2] for n in range(0, 8, 2)]

    def differ(x, y):
        return sum(a != b for a, b in zip(x, y))
    found = []
    for query in (format(n, '08b') for n in range(256)):
        own = [d for d, x in documents.items() if differ(blocks(x), blocks(query)) <= 2]
        if own == candidates and (near is None or [d for d in own if differ(documents[d], query) <= 2] == near):
            found.append(query)
    return found


def example_35():
    """What hamming-tables.md says of the lost queries, by trying all 256; the first claim that is wrong."""
    printed = dict(d1='10101010', d2='11110110', d3='10101011', d4='10100000', d5='10011100', d6='00010110',
                   d7='11110000', d8='00011100')
    keyed = dict(printed, d2='11111010')
    of_d9 = ['d1', 'd2', 'd5', 'd6']
    claims = [
        ('d10 is 10000000', [queries_with(d, ['d4', 'd5', 'd7'], ['d4']) for d in (printed, keyed)]
         == [['10000000']] * 2),
        ('only 10010110 has the candidates of d9', queries_with(printed, of_d9, None) == ['10010110']),
        ('and d2 is not its only near-duplicate', queries_with(printed, of_d9, ['d2']) == []),
        ('with the other d2 there is none', queries_with(keyed, of_d9, None) == []),
    ]
    return next((what for what, holds in claims if not holds), None)


def main():
    arguments = [a for a in sys.argv[1:] if a != '--write']
    if len(arguments) != 1:
        sys.exit(__doc__)
    program = pathlib.Path(arguments[0]).resolve() / 'twinset'
    failures, passed = [], 0
    pages = sorted(path for path in PAGES.glob('*.md') if path.name != 'README.md')
    for page in pages:
        text = page.read_text(encoding='utf-8')
        try:
            new = PART.sub(lambda m: m['arguments'] + m['mark'] + generated(program, m['arguments']), text)
        except RuntimeError as error:
            failures.append('%s: %s' % (page.name, error))
            continue
        if '--write' in sys.argv[1:]:
            page.write_text(new, encoding='utf-8')
            text = new
        passed += new == text
        if new != text:
            failures.append('%s: %s' % (page.name, first_difference(text, new)))
        if not PART.search(text):
            failures.append('%s has no generated part' % page.name)
        line = missing_line(text, GOLDEN.get(page.name, ['(no golden lines)']))
        passed += line is None
        if line is not None:
            failures.append('%s lacks, in its place, the line\n  %s' % (page.name, line))
    wrong = example_35()
    passed += wrong is None
    if wrong is not None:
        failures.append('example 3.5: ' + wrong)
    for name in GOLDEN:
        if name not in [page.name for page in pages]:
            failures.append('no page ' + name)
    for failure in failures:
        print('FAILED  ' + failure)
    print('%d passed, %d failed' % (passed, len(failures)))
    return 1 if failures or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
