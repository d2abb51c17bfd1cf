"""twinset.compat.datasketch has the values of datasketch 2.0.0, and of 1.10."""

from __future__ import annotations

import base64
import copy
import hashlib
import io
import pickle
import random
import subprocess
import sys
import unittest
import warnings
import zlib

import datasketch as theirs
import datasketch_110 as recorded
import numpy as np
import twinset.compat.datasketch as ours
from datasketch.lsh import _optimal_param as their_bands
from twinset.compat.datasketch._parameters import best_bands

SCHEMES = ("affine32", "affine64", "legacy")
# Around the ends of the blocks of SHA-1.
LENGTHS = (0, 1, 5, 30, 54, 55, 56, 63, 64, 65, 119, 120, 183, 184, 247, 248, 1000)


def token_sets(seed: int, count: int) -> list[list[bytes]]:
    draw = random.Random(seed)
    return [
        [draw.randbytes(draw.choice(LENGTHS)) for _ in range(draw.choice((0, 1, 3, 17, 60)))]
        for _ in range(count)
    ]


def both(tokens=(), **options) -> tuple:
    """Returns a MinHash of each package."""
    made = []
    for package in (theirs, ours):
        made.append(package.MinHash(**options))
        made[-1].update_batch(tokens)
    return tuple(made)


class Compared(unittest.TestCase):
    def assertSame(self, one, other):
        self.assertEqual(one.hashvalues.dtype, other.hashvalues.dtype)
        np.testing.assert_array_equal(one.hashvalues, other.hashvalues)
        self.assertEqual((one.scheme, one.seed), (other.scheme, other.seed))

    def assertBothRaise(self, error, action):
        for package in (theirs, ours):
            with self.assertRaises(error, msg=package.__name__):
                action(package)


class Values(Compared):
    def test_schemes_seeds_and_numbers(self):
        for scheme in SCHEMES:
            for num_perm in (1, 2, 15, 16, 17, 100, 128, 300):
                for seed in (1, 42, 2**32 - 1):
                    for tokens in token_sets(num_perm + seed, 3):
                        a, b = both(tokens, num_perm=num_perm, seed=seed, scheme=scheme)
                        self.assertSame(a, b)
                        np.testing.assert_array_equal(a.permutations, b.permutations)
                        self.assertEqual(a.permutations.dtype, b.permutations.dtype)
                        self.assertEqual((a.count(), a.is_empty()), (b.count(), b.is_empty()))

    def test_one_by_one_and_at_once(self):
        for scheme in SCHEMES:
            a, b = both(scheme=scheme)
            whole = ours.MinHash(scheme=scheme)
            tokens = [text.encode() for text in ("naïve", "日本語", "🙂", "", "a" * 99)]
            for token in tokens:
                a.update(token)
                b.update(token)
                self.assertSame(a, b)
            whole.update_batch(iter(tokens))
            self.assertSame(a, whole)

    def test_tokens_of_every_kind(self):
        number = np.arange(9)
        for tokens in ([bytearray(b"ab"), memoryview(b"ab")], (b"x", b"y"), {b"x"}, number):
            self.assertSame(*both(tokens))
        for wrong in (["text"], [1], [None], "text", 5, [b"a", "text"]):
            self.assertBothRaise(TypeError, lambda p: p.MinHash().update_batch(wrong))
        held = ours.MinHash()
        with self.assertRaises(TypeError):
            held.update_batch([b"a", "text"])
        self.assertTrue(held.is_empty())

    def test_hash_functions(self):
        draw = random.Random(3)
        for scheme, bits in (("affine32", 32), ("legacy", 32), ("legacy", 64), ("affine64", 64)):
            numbers = [draw.getrandbits(bits) for _ in range(50)] + [0, 2**bits - 1]
            a, b = both(numbers, scheme=scheme, hashfunc=lambda number: number)
            self.assertSame(a, b)
            for package in (a, b):
                package.update(17)
            self.assertSame(a, b)
        for scheme, error in (("affine32", ValueError), ("affine64", ValueError),
                              ("legacy", OverflowError)):
            for number in (-1, 2**64):
                self.assertBothRaise(error, lambda p: p.MinHash(
                    scheme=scheme, hashfunc=lambda token: number).update_batch([b"a"]))
        self.assertSame(*both([b"a"], hashfunc=theirs.sha1_hash32))
        for name in ("sha1_hash32", "sha1_hash64"):
            self.assertEqual(getattr(ours, name)(b"abc"), getattr(theirs, name)(b"abc"))

    def test_bulk(self):
        sets = token_sets(5, 600)
        for scheme in SCHEMES:
            expected = theirs.MinHash.bulk(sets, num_perm=32, scheme=scheme)
            for made in (
                ours.MinHash.bulk(sets, num_perm=32, scheme=scheme),
                list(ours.MinHash.generator(map(iter, sets), num_perm=32, scheme=scheme)),
            ):
                self.assertEqual(len(made), len(sets))
                for one, other in zip(expected, made):
                    self.assertSame(one, other)
        # From values that are there already, and with a hash function.
        begun = dict(hashvalues=expected[1].hashvalues, scheme="legacy")
        for options in (begun, dict(hashfunc=len), dict(num_perm=9, seed=4)):
            for one, other in zip(theirs.MinHash.bulk(sets[:300], **options),
                                  ours.MinHash.bulk(sets[:300], **options), strict=True):
                self.assertSame(one, other)

    def test_bulk_takes_sets_as_they_come(self):
        def reusing():
            tokens = []
            for number in range(700):
                tokens[:] = [b"%d" % number, b"%d" % (number + 1)]
                yield tokens

        for one, other in zip(theirs.MinHash.bulk(reusing()), ours.MinHash.bulk(reusing()),
                              strict=True):
            self.assertSame(one, other)
        asked = []
        lazy = ours.MinHash.generator(asked.append(1) or [b"a"] for _ in range(5))
        next(lazy)
        self.assertEqual(asked, [1])
        with self.assertRaises(ZeroDivisionError):
            ours.MinHash.bulk([b"a"] if number else 1 / 0 for number in (1, 1, 0))

    def test_arguments(self):
        values = [1, 2, 3]
        self.assertBothRaise(ValueError, lambda p: p.MinHash(hashvalues=values))
        self.assertBothRaise(ValueError, lambda p: p.MinHash(num_perm=0))
        self.assertBothRaise(ValueError, lambda p: p.MinHash(scheme="other"))
        self.assertBothRaise(ValueError, lambda p: p.MinHash(hashfunc=5))
        self.assertBothRaise(ValueError, lambda p: p.MinHash(hashvalues=[2**32], scheme="affine32"))
        self.assertBothRaise(ValueError, lambda p: p.MinHash(
            hashvalues=np.array([-1]), scheme="affine64"))
        self.assertBothRaise(ValueError, lambda p: p.MinHash(
            2, permutations=([2, 3], [0, 0]), scheme="affine32"))
        self.assertBothRaise(ValueError, lambda p: p.MinHash(
            hashvalues=values, permutations=([1, 3], [0, 0]), scheme="legacy"))
        given = np.array([[3, 5, 7], [1, 2, 2**32 - 1]], dtype=np.uint64)
        for scheme in SCHEMES:
            self.assertSame(*both([b"a"], num_perm=3, permutations=tuple(given), scheme=scheme))
            self.assertSame(*both([b"a", b"b"], num_perm=3, permutations=given, scheme=scheme))
        with self.assertWarns(DeprecationWarning):
            ours.MinHash(hashobj=1)
        with self.assertRaises(RuntimeError):
            ours.MinHash(gpu_mode="always").update_batch([b"a"])


class Sketches(Compared):
    def test_operations(self):
        sets = token_sets(8, 40)
        for scheme in SCHEMES:
            for tokens, more in zip(sets, reversed(sets)):
                a, b = both(tokens + [b"same"], scheme=scheme, num_perm=64)
                c, d = both(more + [b"same"], scheme=scheme, num_perm=64)
                self.assertEqual(a.jaccard(c), b.jaccard(d))
                self.assertEqual(a == c, b == d)
                self.assertSame(theirs.MinHash.union(a, c), ours.MinHash.union(b, d))
                kept = b.copy()
                a.merge(c)
                b.merge(d)
                self.assertSame(a, b)
                self.assertEqual(kept == b, np.array_equal(kept.hashvalues, b.hashvalues))
                digest = b.digest()
                b.clear()
                self.assertTrue(b.is_empty())
                np.testing.assert_array_equal(digest, a.hashvalues)
                self.assertEqual(len(b), 64)

    def test_what_cannot_be_compared(self):
        for options in (dict(seed=2), dict(num_perm=64), dict(scheme="legacy")):
            for name in ("jaccard", "merge"):
                self.assertBothRaise(ValueError, lambda p: getattr(
                    p.MinHash(), name)(p.MinHash(**options)))
            self.assertBothRaise(ValueError, lambda p: p.MinHash.union(
                p.MinHash(), p.MinHash(**options)))
        for kind in ("MinHash", "LeanMinHash"):
            self.assertBothRaise(ValueError, lambda p: getattr(p, kind).union(p.MinHash()))

    def test_lean(self):
        for scheme in SCHEMES:
            a, b = both([b"a", b"b"], scheme=scheme, num_perm=7, seed=3)
            lean, other = theirs.LeanMinHash(a), ours.LeanMinHash(b)
            self.assertSame(lean, other)
            self.assertEqual(hash(lean), hash(other))
            self.assertEqual(lean.jaccard(a), other.jaccard(b))
            self.assertEqual(other.copy(), other)
            for order in "@=<>!":
                self.assertEqual(lean.bytesize(order), other.bytesize(order))
                written = [bytearray(lean.bytesize(order) + 3) for _ in range(2)]
                lean.serialize(written[0], order)
                other.serialize(written[1], order)
                self.assertEqual(*written)
                self.assertSame(lean, ours.LeanMinHash.deserialize(bytes(written[0]), order))
            united = [p.LeanMinHash.union(*(p.LeanMinHash(seed=1, hashvalues=v, scheme=scheme)
                                            for v in ([1, 9], [2, 3]))) for p in (theirs, ours)]
            self.assertSame(*united)
            self.assertBothRaise(ValueError, lambda p: p.LeanMinHash(a).serialize(bytearray(9)))
        self.assertBothRaise(TypeError, lambda p: p.LeanMinHash(p.MinHash()).update(b"a"))
        self.assertBothRaise(ValueError, lambda p: p.LeanMinHash(seed=1))
        self.assertBothRaise(ValueError, lambda p: p.LeanMinHash(seed=1, hashvalues=[1]))
        self.assertBothRaise(ValueError, lambda p: p.LeanMinHash(
            seed=1, hashvalues=[], scheme="affine32"))
        self.assertBothRaise(ValueError, lambda p: p.LeanMinHash.deserialize(
            b"\0" * 8 + b"\xff\xff\xff\xff\x09" + b"\0" * 9))

    def test_pickles(self):
        for scheme in SCHEMES:
            a, b = both([b"a"], scheme=scheme)
            for protocol in (2, pickle.HIGHEST_PROTOCOL):
                for one, other in ((a, b), (theirs.LeanMinHash(a), ours.LeanMinHash(b))):
                    self.assertEqual(pickle.loads(pickle.dumps(other, protocol)), other)
                    loaded = ours.load_pickle(pickle.dumps(one, protocol))
                    self.assertEqual(loaded, other)
                    self.assertIs(type(loaded), type(other))
            loaded = ours.load_pickle(io.BytesIO(pickle.dumps([a])))[0]
            a.update(b"b")
            loaded.update(b"b")
            self.assertSame(a, loaded)
        with self.assertRaisesRegex(pickle.UnpicklingError, "HyperLogLog"):
            ours.load_pickle(pickle.dumps(theirs.HyperLogLog()))


class Recorded(Compared):
    """What datasketch 1.10 computes, of which no copy is needed."""

    def test_values(self):
        for name, tokens in recorded.SETS.items():
            made = ours.MinHash(num_perm=6, seed=7, scheme="legacy")
            made.update_batch(tokens)
            self.assertEqual(made.hashvalues.tolist(), recorded.VALUES[name])
            made = ours.MinHash.bulk([tokens], scheme="legacy")[0]
            digest = hashlib.sha256(made.hashvalues.astype("<u8").tobytes()).hexdigest()
            self.assertEqual(digest, recorded.DIGESTS[name])

    def test_bytes_and_pickles(self):
        made = ours.MinHash(num_perm=6, seed=7, scheme="legacy")
        made.update_batch(recorded.SETS["words"])
        lean = ours.LeanMinHash(made)
        written = bytearray(lean.bytesize())
        lean.serialize(written)
        self.assertEqual(written.hex(), recorded.LEAN)
        load = lambda text: ours.load_pickle(zlib.decompress(base64.b64decode(text)))
        loaded = load(recorded.MINHASH_PICKLE)
        self.assertEqual(loaded, made)
        for one in (loaded, made):
            one.update(b"more")
        self.assertEqual(loaded.copy(), made)
        self.assertEqual(load(recorded.LEAN_PICKLE), lean)
        index = load(recorded.LSH_PICKLE)
        self.assertEqual((index.query(lean), list(index.keys)), (["w"], ["w", "e"]))
        index.remove("e")
        self.assertEqual(list(index.keys), ["w"])

    def test_bands(self):
        for threshold, bands in recorded.BANDS.items():
            index = ours.MinHashLSH(threshold=threshold, num_perm=128)
            self.assertEqual((index.b, index.r), bands)


class Index:
    """An index of each package, to which the same is done."""

    def __init__(self, test, draw):
        self.test, self.draw = test, draw
        self.num_perm = draw.choice((8, 16, 32))
        self.bits = draw.choice((1, 2, 3))
        self.options = dict(
            num_perm=self.num_perm,
            params=draw.choice(((4, 2), (2, 4), (8, 1), (3, 2))),
            hashfunc=draw.choice((None, None, lambda band: band[:1])),
            prepickle=draw.choice((False, False, True)),
        )
        self.scheme = draw.choice(SCHEMES)
        self.made = self.new()

    def new(self):
        return [package.MinHashLSH(**self.options) for package in (theirs, ours)]

    def sketches(self):
        values = np.array([self.draw.getrandbits(self.bits) for _ in range(self.num_perm)])
        return [package.MinHash(hashvalues=values, scheme=self.scheme)
                for package in (theirs, ours)]

    def do(self, action, *pairs):
        """Does one thing to both, and returns what became of it."""
        results = []
        for index, *arguments in zip(self.made, *pairs):
            try:
                results.append(action(index, *arguments))
            except ValueError:
                results.append(ValueError)
        self.test.assertEqual(*results)

    def check(self):
        one, other = self.made
        self.test.assertEqual(one.get_counts(), other.get_counts())
        self.test.assertEqual(list(one.keys), list(other.keys))
        self.test.assertEqual(one.is_empty(), other.is_empty())
        for key in one.keys:
            self.test.assertEqual(one.keys[key], other.keys[key])
        for table, shown in zip(one.hashtables, other.hashtables):
            self.test.assertEqual({H: table[H] for H in table}, {H: shown[H] for H in shown})
            self.test.assertEqual((len(table), table[b"?"]), (len(shown), shown[b"?"]))
        keys = self.draw.sample(range(40), 5)
        self.test.assertEqual(one.get_subset_counts(*keys), other.get_subset_counts(*keys))

    def step(self):
        draw, key, sketches = self.draw, self.draw.randrange(40), self.sketches()
        kind = draw.random()
        if kind < 0.5:
            checked = draw.random() < 0.7
            self.do(lambda index, m: index.insert(key, m, check_duplication=checked), sketches)
        elif kind < 0.7:
            self.do(lambda index: index.remove(key))
        elif kind < 0.85:
            self.do(lambda index, m: (sorted(index.query(m)), key in index), sketches)
            self.do(lambda index, m: index._query_b(m, 2), sketches)
        elif kind < 0.9:
            for _ in range(draw.randrange(3)):
                self.do(lambda index, m: index.add_to_query_buffer(m), self.sketches())
            self.do(lambda index: sorted(index.collect_query_buffer()))
        elif kind < 0.95:
            others, overlap = self.new(), draw.random() < 0.3
            for added in draw.sample(range(60), 5):
                for _ in range(draw.choice((1, 1, 2))):
                    for index, sketch in zip(others, self.sketches()):
                        index.insert(added, sketch, check_duplication=False)
            self.do(lambda index, other: index.merge(other, overlap), others)
        elif self.options["hashfunc"] is None:
            self.made[1] = copy.deepcopy(pickle.loads(pickle.dumps(self.made[1])))


class Indexes(Compared):
    def test_random_histories(self):
        for seed in range(60):
            index = Index(self, random.Random(seed))
            for _ in range(index.draw.choice((30, 120))):
                index.step()
                index.check()

    def test_many_keys(self):
        draw, live = random.Random(1), []
        index = [package.MinHashLSH(num_perm=16, params=(4, 4)) for package in (theirs, ours)]
        values = np.random.RandomState(1).randint(0, 6, (9000, 16))
        for key, row in enumerate(values):
            sketch = ours.LeanMinHash(seed=1, hashvalues=row, scheme="affine32")
            live.append(key)
            # Each tenth stays: the index moves its rows together more than once.
            gone = [live.pop(draw.randrange(len(live)))] if key % 10 and key > 3000 else []
            for one in index:
                one.insert(f"key {key}", sketch)
                for dropped in gone:
                    one.remove(f"key {dropped}")
            if key % 1500 == 0:
                self.assertEqual(set(index[0].query(sketch)), set(index[1].query(sketch)))
        for dropped in live[40:]:
            for one in index:
                one.remove(f"key {dropped}")
        self.assertEqual(list(index[0].keys), list(index[1].keys))
        self.assertEqual(index[0].get_counts(), index[1].get_counts())
        for dropped in live[:40]:
            index[1].remove(f"key {dropped}")
        self.assertTrue(index[1].is_empty())

    def test_real_sets(self):
        for scheme in SCHEMES:
            draw = random.Random(4)
            sets = [[b"%d" % draw.randrange(60) for _ in range(40)] for _ in range(300)]
            found = []
            for package in (theirs, ours):
                sketches = package.MinHash.bulk(sets, num_perm=64, scheme=scheme)
                index = package.MinHashLSH(threshold=0.4, num_perm=64)
                with index.insertion_session(buffer_size=5) as session:
                    for key, sketch in enumerate(sketches):
                        session.insert(("set", key), sketch)
                with index.deletion_session() as session:
                    session.remove(("set", 0))
                found.append([sorted(index.query(sketch)) for sketch in sketches])
                found[-1].append((index.b, index.r, index.h, index.buffer_size, index.hashranges))
            self.assertEqual(*found)
            self.assertGreater(sum(map(len, found[0])), 600)

    def test_pickles_of_theirs(self):
        a, b = both([b"a"])
        for hashfunc in (None, theirs.sha1_hash32):
            index = theirs.MinHashLSH(threshold=0.5, hashfunc=hashfunc and bytes.upper)
            index.insert("a", a)
            index.insert(5, theirs.MinHash())
            loaded = ours.load_pickle(pickle.dumps(index))
            self.assertEqual(loaded.query(b), ["a"])
            self.assertEqual(loaded.get_counts(), index.get_counts())
            with self.assertRaises(ValueError):
                loaded.insert("a", b)
            with self.assertRaises(ValueError):
                loaded.query(ours.MinHash(scheme="legacy"))

    def test_bands(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for num_perm in (2, 3, 16, 50, 128):
                for step in range(0, 21):
                    for weights in ((0.5, 0.5), (0.1, 0.9), (1.0, 0.0), (0.0, 1.0)):
                        asked = (step / 20, num_perm, *weights)
                        self.assertEqual(best_bands(*asked), their_bands(*asked), asked)

    def test_weighted(self):
        generator = theirs.WeightedMinHashGenerator(5, sample_size=16)
        rows = np.random.RandomState(2).uniform(1, 9, (30, 5))
        found = []
        for package in (theirs, ours):
            index = package.WeightedMinHashLSH(threshold=0.7, num_perm=16)
            for key, row in enumerate(rows):
                index.insert(key, generator.minhash(row))
            found.append([sorted(index.query(generator.minhash(row))) for row in rows])
        self.assertEqual(*found)

    def test_arguments(self):
        for options in (dict(threshold=1.5), dict(num_perm=1), dict(weights=(0.5, 0.6)),
                        dict(weights=(1.5, -0.5)), dict(params=(64, 3)), dict(params=(1, 5))):
            self.assertBothRaise(ValueError, lambda p: p.MinHashLSH(**options))
        self.assertBothRaise(ValueError, lambda p: p.MinHashLSH().insert("a", p.MinHash(64)))
        self.assertBothRaise(ValueError, lambda p: p.MinHashLSH().query(p.MinHash(64)))
        self.assertBothRaise(ValueError, lambda p: p.MinHashLSH().merge(p.MinHashLSH(0.5)))
        self.assertBothRaise(TypeError, lambda p: p.MinHashLSH().insert([], p.MinHash()))

        def filled(package, scheme):
            index = package.MinHashLSH()
            index.insert("a", package.MinHash(scheme=scheme))
            return index

        self.assertBothRaise(ValueError, lambda p: filled(p, "legacy").merge(filled(p, "affine64")))
        self.assertBothRaise(ValueError, lambda p: filled(p, "legacy").insert(1, p.MinHash()))
        for storage in ("redis", "cassandra"):
            with self.assertRaisesRegex(ValueError, f"{storage}.*saved run"):
                ours.MinHashLSH(storage_config={"type": storage})
        with self.assertRaisesRegex(AttributeError, "import from datasketch"):
            ours.HyperLogLog

    def test_keys_that_change_the_index(self):
        index, sketch = ours.MinHashLSH(), ours.MinHash()

        class Key:
            def __hash__(self):
                return 1

            def __eq__(self, other):
                index.insert("other", sketch)
                return False

        index.insert(Key(), sketch)
        with self.assertRaises(RuntimeError):
            index.insert(Key(), sketch)
        self.assertEqual(len(index.keys), 1)


class Package(unittest.TestCase):
    def test_needs_neither_datasketch_nor_scipy(self):
        program = (
            "import sys, twinset\n"
            "assert 'numpy' not in sys.modules\n"
            "import twinset.compat.datasketch as d\n"
            "d.MinHashLSH().insert(1, d.MinHash())\n"
            "assert not {'datasketch', 'scipy'} & set(sys.modules)\n"
        )
        subprocess.run([sys.executable, "-c", program], check=True)


if __name__ == "__main__":
    unittest.main()
