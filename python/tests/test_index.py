"""The live index."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import tempfile
import threading
import unittest

import support
import twinset
from twinset import errors

TEXTS = support.texts(11, 600)
PAGE = " ".join(f"word{i}" for i in range(60))
NEAR = PAGE + " more"


class IndexTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def create(self, name: str = "index", **options):
        index = twinset.Index.create(self.place / name, **options)
        self.addCleanup(index.close)
        return index

    def test_it_keeps_what_dedup_keeps_and_finds_what_match_finds(self):
        rows = [{"body": text, "key": i} for i, text in enumerate(TEXTS)]
        batch = {"method": "minhash", "template": "keep"}
        kept = twinset.dedup(rows, text="body", id="key", keep="first", **batch)
        index = self.create()
        with support.quiet_warnings():
            answers = index.check_and_add(rows[:200], text="body", id="key")
            answers += index.check_and_add(iter(rows[200:]), text="body", id="key")
        self.assertEqual([i for i, one in enumerate(answers) if one.new], kept.kept_rows.tolist())
        self.assertGreater(len(kept.dropped), 50)
        for row in kept.dropped:
            told = dict(zip(kept.dropped.column_names, row))
            answer = answers[told["id"]]
            self.assertEqual(
                (answer.kept.id, answer.kept.similarity, answer.kept.contained),
                (str(told["kept_id"]), told["similarity"], told["contained"]),
            )
        asked = support.texts(11, 700)[600:] + TEXTS[:40]
        pairs = twinset.match(asked, TEXTS, **batch).pairs
        found = index.query(asked)
        self.assertEqual(
            sorted((a, int(one.id), one.similarity) for a, all in enumerate(found) for one in all.matches),
            sorted(zip(*(pairs[name].tolist() for name in ("a", "b", "similarity")))),
        )

    def test_a_new_version_replaces_the_old_one(self):
        index = self.create()
        index.check_and_add(PAGE, id="a")
        other = " ".join(TEXTS[:3])
        self.assertEqual(index.check_and_add(other, id="a").replaced, [])
        answer = index.check_and_add(NEAR, id="a", replace=True)
        self.assertEqual((answer.id, answer.new, sorted(answer.replaced)), ("a", True, ["a", "a#2"]))
        self.assertEqual(index.add({"text": other, "i": "a"}, id="i", replace=True)["replaced"], 1)
        self.assertEqual(index.stats()["documents"], 1)

    def test_every_form_of_data(self):
        index = self.create()
        one = index.check_and_add(PAGE, id="a", url="http://x/", date="2026-01-02", tag="first")
        self.assertTrue(one.new)
        self.assertEqual((one.id, one.kept.url, one.kept.tags), ("a", "http://x/", ["first"]))
        self.assertEqual(one.kept.first_seen, "2026-01-02T00:00:00Z")
        again = index.check_and_add({"t": PAGE, "i": "a"}, text="t", id="i")
        self.assertTrue(again.repeated)
        rows = [{"t": NEAR, "i": 7, "crawl": "second"}, {"t": PAGE, "i": 8, "crawl": None}]
        near, copy = index.check_and_add(rows, text="t", id="i", tag="third", tag_column="crawl")
        self.assertEqual((near.id, near.kept.id, copy.kept.copies), ("7", "a", 2))
        self.assertEqual(sorted(copy.kept.tags), ["first", "third"])
        self.assertEqual(index.stats()["tags"], ["first", "second", "third"])
        page = f"<html><body><p>{PAGE}</p></body></html>"
        self.assertFalse(index.check(page, html="page").new)
        self.assertFalse(index.check([{"page": page}], html="page")[0].new)

    def test_a_table_of_arrow(self):
        try:
            import pyarrow
        except ImportError:
            self.skipTest("pyarrow is not installed")
        index = self.create()
        table = pyarrow.table({"text": [PAGE, None, NEAR], "id": [4, 5, 6]})
        first, none, near = index.check_and_add(table, id="id")
        self.assertEqual((first.id, first.new), ("4", True))
        self.assertEqual((none.rejected, none.kept), ("no-text-field", None))
        self.assertEqual((near.id, near.kept.id), ("6", "4"))

    def test_questions_and_removals(self):
        index = self.create()
        counts = index.add([{"text": PAGE, "id": "a"}, {"text": NEAR, "id": "b"}], id="id", tag="t")
        self.assertEqual((counts["documents"], counts["new"], counts["dropped"]), (2, 1, 1))
        self.assertEqual([one.id for one in index.query(NEAR).matches], ["b", "a"])
        self.assertEqual([one.id for one in index.query(NEAR, kept_only=True).matches], ["a"])
        self.assertEqual([one.id for one in index.query(NEAR, limit=1).matches], ["b"])
        self.assertEqual([one.id for one in index.check([NEAR])[0].matches], ["a"])
        self.assertTrue(index.check("").empty)
        self.assertEqual(index.remove("a", "none"), (["a"], [("b", "a")]))
        self.assertEqual(index.remove_tag("t"), (["b"], []))
        with self.assertRaises(errors.NotFoundError):
            index.remove_tag("other")
        index.compact()
        self.assertEqual(index.verify(), [])
        self.assertEqual(index.stats()["documents"], 0)

    def test_tags_several_indexes_and_differences(self):
        index, other = self.create(), self.create("other")
        index.add([PAGE], tag="first")
        near = index.check_and_add(NEAR, tag="second", why=True)
        self.assertEqual(near.kept.differences, [("a", "more")])
        other.add(PAGE, id="x")
        found = index.query(PAGE, within_tags="second", why=True)
        self.assertEqual([(one.id, one.differences) for one in found.matches], [("1", [("b", "more")])])
        self.assertEqual([one.id for one in index.query(PAGE, without_tags=["second"]).matches], ["0"])
        checked = index.check(PAGE, within_tags=["second"])
        self.assertEqual([(one.id, one.kept) for one in checked.matches], [("1", False)])
        self.assertTrue(index.check(PAGE, within_tags="first", without_tags="first").new)
        with self.assertRaises(errors.NotFoundError):
            index.check(PAGE, within_tags="third")
        both = index.query(PAGE, against=[other]).matches
        self.assertEqual([(one.id, one.index) for one in both], [("0", 0), ("x", 1), ("1", 0)])

    def test_a_match_asks_an_index(self):
        with self.create(threshold=0.7) as index:
            index.add([PAGE, NEAR])
        asked = self.place / "asked.jsonl"
        asked.write_text(json.dumps({"id": "q", "text": PAGE}) + "\n")
        found = twinset.match(asked, self.place / "index")
        self.assertEqual([pair[:2] for pair in found.pairs], [("q", "0"), ("q", "1")])
        with self.assertRaisesRegex(errors.UsageError, "shingle"):
            twinset.match(asked, self.place / "index", shingle="word:3")

    def test_parameters_are_frozen(self):
        with self.create(threshold=0.7, shingle="word:3", durability="relaxed") as index:
            parameters = index.stats()["parameters"]
            self.assertEqual((parameters["threshold"], parameters["shingle"]), (0.7, "word:3"))
        with self.assertRaisesRegex(errors.UsageError, "0.7.*0.9|0.9.*0.7"):
            twinset.Index.open(self.place / "index", threshold=0.9)
        with self.assertRaises(errors.UnsupportedError):
            self.create("other", method="complete")
        for wrong in ({"nonsense": 1}, {"tag": "x"}, {"repair": True}, {"text_field": "x"}):
            with self.assertRaises(TypeError):
                self.create("other", **wrong)
        with self.assertRaises(errors.UsageError):
            self.create()  # it is there

    def test_one_writer_and_readers_which_see_what_was_there(self):
        index = self.create()
        index.add(PAGE)
        with twinset.Index(self.place / "index", read_only=True) as reader:
            index.add(PAGE)
            self.assertEqual(reader.stats()["documents"], 1)
            with self.assertRaises(errors.UsageError):
                reader.add(PAGE)
        with self.assertRaises(errors.InputOutputError):
            twinset.Index(self.place / "index")
        index.snapshot(self.place / "copy")
        index.close()
        index.close()
        with self.assertRaisesRegex(errors.UsageError, "closed"):
            index.stats()
        with twinset.Index(self.place / "index"), twinset.Index(self.place / "copy") as copy:
            self.assertEqual(copy.stats()["documents"], 2)
        with self.assertRaises(errors.UsageError):
            index.check(self.place)  # a path is no document

    def test_other_indexes_of_the_same_documents(self):
        index = self.create()
        index.add([{"text": PAGE, "id": "a"}, {"text": NEAR, "id": "b"}], id="id")
        index.rebuild(self.place / "strict", threshold=0.99)
        with twinset.Index(self.place / "strict") as strict:
            self.assertEqual((index.stats()["kept"], strict.stats()["kept"]), (1, 2))
            self.assertEqual(strict.stats()["parameters"]["threshold"], 0.99)
        index.snapshot(self.place / "copy")
        with twinset.Index.restore(self.place / "copy", self.place / "back") as back:
            self.assertFalse(back.check(PAGE).new)
        log = next((self.place / "copy").glob("*.log"))
        damaged = bytearray(log.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        log.unlink()
        log.write_bytes(damaged)
        with self.assertRaises((errors.CorruptError, errors.UsageError)):
            twinset.Index.restore(self.place / "copy", self.place / "bad")

    def test_threads_agree_on_what_is_new(self):
        index = self.create()
        new: list[str] = []

        def add(worker: int) -> None:
            for place, text in enumerate(distinct):
                if index.check_and_add(text, id=f"{worker}-{place}").new:
                    new.append(text)
                index.check(text)

        distinct = [" ".join(f"w{place}x{i}" for i in range(30)) for place in range(25)]
        threads = [threading.Thread(target=add, args=(worker,)) for worker in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(new), sorted(distinct))
        self.assertEqual(index.stats()["documents"], 6 * len(distinct))

    def test_a_fork_is_refused_and_harms_nothing(self):
        index = self.create()
        index.add(PAGE)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                index.add(NEAR)
            except errors.UsageError as error:
                code = 0 if "fork" in str(error) else 2
            index.close()
            del index
            os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        index.add(NEAR)
        self.assertEqual(index.stats()["documents"], 2)
        self.assertEqual(index.verify(), [])

    def test_what_the_caller_throws_ends_the_call_alone(self):
        index = self.create()

        def rows():
            yield from TEXTS[:10]
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            index.add(rows())
        self.assertTrue(index.check_and_add(PAGE).new)

    def test_ctrl_c_takes_nothing_that_was_acknowledged(self):
        index = self.create()
        # Where a shell started this in the background, the signal is ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def text_of(place: int) -> str:
            return " ".join(f"w{place}x{i}" for i in range(8))

        def endless():
            place = 0
            while True:
                place += 1
                if place == 3000:
                    os.kill(os.getpid(), signal.SIGINT)
                yield {"text": text_of(place), "id": place}

        with self.assertRaises(KeyboardInterrupt):
            index.add(endless(), id="id")
        there = index.stats()["documents"]
        self.assertGreaterEqual(there, 1000)
        rows = [{"text": text_of(place), "id": place} for place in range(1, there + 1)]
        self.assertTrue(all(one.repeated for one in index.check_and_add(rows, id="id")))


if __name__ == "__main__":
    unittest.main()
