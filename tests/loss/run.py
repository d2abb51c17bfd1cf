#!/usr/bin/env python3
"""What is lost with a duplicate, from the definitions: tests/loss/run.py BUILD_DIR

Random corpora are run through dedup, recut and match with --max-loss. Which documents stay, which one each of the
others joins or has as its best match, its similarity and how much of it is contained there are computed again in the
plainest way, from sets of shingles in exact fractions. The bytes are the same with any number of threads and in little
memory; in a match also when the second side is a saved run.
"""
import fractions
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve() / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
THRESHOLD = fractions.Fraction(1, 2)


def corpus(seed: int, documents: int, sources_wanted: int) -> list[tuple[str, str]]:
    """Texts cut from a few long ones, some with other words in the middle, some copied."""
    draw = random.Random(seed)
    sources = [['w%d' % draw.randrange(10 ** 6) for _ in range(60)] for _ in range(sources_wanted)]
    texts = []
    for _ in range(documents):
        if texts and draw.random() < .1:
            texts.append(draw.choice(texts))
            continue
        words = list(draw.choice(sources))
        begin = draw.randrange(25)
        words = words[begin:len(words) - draw.randrange(25 - begin + 1)]
        for _ in range(draw.choice([0, 0, 0, 1, 1, 2])):
            words[draw.randrange(len(words))] = 'x%d' % draw.randrange(10 ** 6)
        texts.append(' '.join(words))
    return [('d%d' % n, text) for n, text in enumerate(texts)]


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[i:i + 5]) for i in range(len(words) - 4)} or {tuple(words)}


def naive(documents: list[tuple[str, str]], most: fractions.Fraction) -> dict[str, tuple[str, float, float]]:
    """member -> the document that stays for it, their similarity, and how much of the member that one has."""
    order = sorted(range(len(documents)), key=lambda n: (-len(documents[n][1]), n))
    sets = [shingles(text) for _, text in documents]
    centres, joined = [], {}
    for n in order:
        best = None
        for c in centres:
            common = len(sets[n] & sets[c])
            alike = fractions.Fraction(common, len(sets[n] | sets[c]))
            lost = fractions.Fraction(len(sets[n]) - common, len(sets[n]))
            if alike >= THRESHOLD and lost <= most and (best is None or alike > best[1]):
                best = (c, alike, common / len(sets[n]))
        if best is None:
            centres.append(n)
        else:
            joined[documents[n][0]] = (documents[best[0]][0], float(best[1]), best[2])
    return joined


def naive_match(first: list[tuple[str, str]], second: list[tuple[str, str]],
                most: fractions.Fraction) -> dict[str, tuple[str, float, float]]:
    """document of the first -> its most similar match in the second, and the same of the two."""
    sets = [shingles(text) for _, text in second]
    best = {}
    for name, text in first:
        own = shingles(text)
        for (other, _), theirs in zip(second, sets):
            alike = fractions.Fraction(len(own & theirs), len(own | theirs))
            if alike < THRESHOLD or fractions.Fraction(len(own - theirs), len(own)) > most:
                continue
            if name not in best or float(alike) > best[name][1]:
                best[name] = (other, float(alike), len(own & theirs) / len(own))
    return best


class Loss(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.place = pathlib.Path(self.folder.name)

    def run_program(self, *arguments: str) -> None:
        done = subprocess.run([PROGRAM, *arguments, '--quiet'], cwd=self.place, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def rows(self, out: str) -> dict[str, tuple[str, float, float]]:
        with open(self.place / out / 'clusters.jsonl', encoding='utf-8') as lines:
            rows = [json.loads(line) for line in lines]
        for row in rows:
            if row['is_representative']:
                self.assertEqual(row['contained'], 1)
        return {row['id']: (row['cluster'], row['similarity'], row['contained'])
                for row in rows if not row['is_representative']}

    def write(self, name: str, texts: list[tuple[str, str]]) -> None:
        with open(self.place / name, 'w', encoding='utf-8') as lines:
            for document, text in texts:
                lines.write(json.dumps({'id': document, 'text': text}) + '\n')

    def check(self, seed: int, documents: int, sources: int, limits: tuple[str, ...], method: str) -> None:
        texts = corpus(seed, documents, sources)
        self.write('in.jsonl', texts)
        common = ['dedup', 'in.jsonl', '--threshold', str(float(THRESHOLD)), '--method', method, '--overwrite']
        self.run_program(*common, '--out', 'all', '--save', 'saved')
        for limit in limits:
            with self.subTest(seed=seed, limit=limit, method=method):
                expected = naive(texts, fractions.Fraction(limit))
                self.run_program(*common, '--out', 'out', '--max-loss', limit, '--threads', '1')
                self.assertEqual(self.rows('out'), expected)
                self.check_summary('out', expected)
                self.run_program('recut', 'saved', '--out', 'recut', '--max-loss', limit, '--overwrite')
                self.run_program(*common, '--out', 'small', '--max-loss', limit, '--threads', '2', '--memory', '64M')
                for name in ('clusters.jsonl', 'drop.txt', 'keep.txt'):
                    for other in ('recut', 'small'):
                        self.assertEqual((self.place / 'out' / name).read_bytes(),
                                         (self.place / other / name).read_bytes(), name)

    def check_summary(self, out: str, expected: dict[str, tuple[str, float, float]]) -> None:
        summary = json.loads((self.place / out / 'summary.json').read_text())
        shares = [contained for _, _, contained in expected.values()]
        self.assertEqual(summary['contained']['least'], min(shares, default=1))
        upper = 2.0
        for step in summary['contained']['steps']:
            self.assertEqual(step['documents'], sum(step['from'] <= share < upper for share in shares), step)
            upper = step['from']
        texts = dict((json.loads(line)['id'], json.loads(line)['text'])
                     for line in (self.place / 'in.jsonl').read_text().splitlines())
        self.assertEqual(summary['dropped'], {'payload_bytes': sum(len(texts[name]) for name in expected),
                                              'tokens': sum(len(texts[name].split()) for name in expected)})

    def check_match(self, seed: int, documents: int, sources: int, limits: tuple[str, ...], method: str) -> None:
        texts = corpus(seed, 2 * documents, sources)
        first, second = texts[::2], texts[1::2]
        self.write('a.jsonl', first)
        self.write('b.jsonl', second)
        common = ['--threshold', str(float(THRESHOLD)), '--method', method, '--overwrite']
        # What the saved run has done with its own documents does not count.
        self.run_program('dedup', 'b.jsonl', '--out', 'of-b', '--save', 'saved-b', '--max-loss', '0', *common)
        for limit in limits:
            with self.subTest(seed=seed, limit=limit, method=method):
                expected = naive_match(first, second, fractions.Fraction(limit))
                more = ['--max-loss', limit, *common]
                self.run_program('match', 'a.jsonl', '--against', 'b.jsonl', '--out', 'out', '--threads', '1', *more)
                with open(self.place / 'out/best.jsonl', encoding='utf-8') as lines:
                    rows = [json.loads(line) for line in lines]
                self.assertEqual({row['a']: (row['b'], row['similarity'], row['contained']) for row in rows}, expected)
                dropped = [name for name, _ in first if name in expected]
                kept = [name for name, _ in first if name not in expected]
                self.assertEqual((self.place / 'out/drop.txt').read_text().split(), dropped)
                self.assertEqual((self.place / 'out/keep.txt').read_text().split(), kept)
                summary = json.loads((self.place / 'out/summary.json').read_text())
                self.assertEqual(summary['documents']['matched'], len(expected))
                self.assertEqual(summary['pairs'], self.pairs(first, second))
                self.run_program('match', 'a.jsonl', '--against', 'b.jsonl', '--out', 'small', '--threads', '2',
                                 '--memory', '64M', *more)
                self.run_program('match', 'a.jsonl', '--against', 'saved-b', '--out', 'asked', *more)
                for name in ('best.jsonl', 'pairs.jsonl', 'drop.txt', 'keep.txt'):
                    for other in ('small', 'asked'):
                        self.assertEqual((self.place / 'out' / name).read_bytes(),
                                         (self.place / other / name).read_bytes(), name)

    def pairs(self, first: list[tuple[str, str]], second: list[tuple[str, str]]) -> int:
        """How many there are, whatever --max-loss says."""
        theirs = [shingles(text) for _, text in second]
        return sum(len(own & other) >= THRESHOLD * len(own | other)
                   for own in (shingles(text) for _, text in first) for other in theirs)

    def test_matches(self) -> None:
        for seed in range(4):
            self.check_match(seed, 2 + 6 * seed, 1 + seed // 2, ('0', '0.05', '0.1'), 'complete')
        self.check_match(100, 200, 20, ('0.08', '1'), 'complete')

    def test_matches_of_copies(self) -> None:
        """Equal documents lack nothing, however they were found."""
        texts = corpus(7, 40, 4)
        self.write('a.jsonl', texts)
        for method in ('complete', 'exact'):
            self.run_program('match', 'a.jsonl', '--against', 'a.jsonl', '--method', method, '--max-loss', '0', '--out',
                             'out', '--overwrite')
            self.assertEqual((self.place / 'out/keep.txt').read_text(), '', method)

    def test_small_corpora(self) -> None:
        for seed in range(12):
            self.check(seed, 2 + 3 * seed, 1 + seed // 4, ('0', '0.05', '0.1', '1'), 'complete')

    def test_larger_corpora(self) -> None:
        self.check(100, 600, 50, ('0', '0.08', '0.25', '1'), 'complete')

    def test_elements_of_hundreds_of_documents(self) -> None:
        """Their pairs are found while clusters are made."""
        self.check(101, 700, 1, ('0', '0.1', '1'), 'complete')


if __name__ == '__main__':
    unittest.main()
