"""dedup gives what the command gives, in every form of data."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
import unittest
import warnings

import support
import twinset

TEXTS = support.texts(1, 400)
ROWS = [{"id": str(i), "text": text, "score": (i * 7) % 31} for i, text in enumerate(TEXTS)]


def found_by(result) -> tuple:
    return (
        support.rounded((str(a), str(b), s) for a, b, s in result.pairs),
        [str(row) for row in result.kept_rows.tolist()],
        [str(row) for row in result.dropped_rows.tolist()],
    )


class Forms(unittest.TestCase):
    """Every form of the same documents has the same pairs and decisions."""

    @classmethod
    def setUpClass(cls):
        pairs, kept, dropped = support.by_command(ROWS)
        cls.expected = (support.rounded(pairs), kept, dropped)

    def check(self, data, **options):
        self.assertEqual(found_by(twinset.dedup(data, **options)), self.expected)

    def test_list_of_texts(self):
        self.check(TEXTS)
        self.check(tuple(TEXTS))

    def test_list_of_rows(self):
        self.check(ROWS)

    def test_iterators(self):
        self.check(iter(TEXTS))
        self.check(row for row in ROWS)

    def test_pandas(self):
        import pandas

        frame = pandas.DataFrame(ROWS)
        self.check(frame)
        self.check(frame.astype({"text": object}))
        self.check(frame.set_index("id"))

    def test_polars(self):
        import polars

        frame = polars.DataFrame(ROWS)
        self.check(frame)
        self.check(frame.with_columns(polars.col("text").cast(polars.Categorical)))

    def test_pyarrow(self):
        import pyarrow

        for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
            column = pyarrow.array(TEXTS, kind)
            self.check(pyarrow.table({"text": column}))
        table = pyarrow.table({"text": pyarrow.chunked_array([TEXTS[:7], [], TEXTS[7:]])})
        self.check(table)
        self.check(pyarrow.table({"text": pyarrow.array(TEXTS).dictionary_encode()}))
        self.check(table.to_reader(max_chunksize=13))
        both = pyarrow.table({"text": pyarrow.array(["x"] + TEXTS + ["y"])})
        self.check(both.slice(1, len(TEXTS)))
        self.check(pyarrow.chunked_array([TEXTS]))

    def test_duckdb(self):
        import duckdb
        import pyarrow

        documents = pyarrow.table({"text": TEXTS})  # noqa: F841
        self.check(duckdb.sql("SELECT * FROM documents"))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
            for data in (path, str(path), [path]):
                result = twinset.dedup(data, id="id")
                pairs = support.rounded(result.pairs)
                self.assertEqual(pairs, self.expected[0])
                self.assertEqual(result.kept, self.expected[1])
                self.assertEqual(result.dropped_rows.tolist(), self.expected[2])


class Options(unittest.TestCase):
    """Options are those of the command."""

    def test_same_as_flags(self):
        for options, flags in (
            ({"method": "minhash", "permutations": 64}, ["--method", "minhash", "--permutations", "64"]),
            ({"threshold": 0.5}, ["--threshold", "0.5"]),
            ({"keep": ["max:score", "first"]}, ["--keep", "max:score", "--keep", "first"]),
            ({"cluster": "components"}, ["--cluster", "components"]),
            ({"within": "score"}, ["--within", "score"]),
            ({"preset": "datatrove"}, ["--preset", "datatrove"]),
            ({"kinds": True}, ["--kinds"]),
            ({"ignore": []}, []),
        ):
            with self.subTest(options=options), support.quiet_warnings():
                pairs, kept, dropped = support.by_command(ROWS, *flags)
                result = twinset.dedup(ROWS, **options)
                self.assertEqual(found_by(result), (support.rounded(pairs), kept, dropped))

    def test_nothing_is_left_out_in_silence(self):
        for options, words in (
            ({"verify": False}, "verify"),  # no switch: its values are words
            ({"kinds": "yes"}, "True or False"),
            ({"threshold": [0.5, 0.6]}, "one value"),
            ({"format": "csv"}, "tables"),
            ({"unit": "paragraph"}, "twinset.cut"),
            ({"text_field": "body"}, "text, id"),
            ({"add": "saved"}, "only with files"),
            ({"write": "out"}, "only with files"),
        ):
            with self.subTest(options=options):
                with self.assertRaisesRegex((TypeError, twinset.TwinsetError), words):
                    twinset.dedup(TEXTS, **options)

    def test_dry_run_is_a_forecast(self):
        self.assertEqual(twinset.dedup(TEXTS, dry_run=True)["expected"]["documents"], len(TEXTS))

    def test_unknown_option_names_the_nearest(self):
        with self.assertRaisesRegex(TypeError, "did you mean threshold"):
            twinset.dedup(TEXTS, treshold=0.9)

    def test_errors_have_the_words_of_the_command(self):
        with self.assertRaises(twinset.errors.UsageError) as caught:
            twinset.dedup(TEXTS, threshold=1.5)
        self.assertIn("--threshold", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)

    def test_unknown_column(self):
        import pandas

        for data in (pandas.DataFrame({"body": TEXTS[:3]}),):
            with self.assertRaisesRegex(twinset.errors.UsageError, 'no column "text".*body'):
                twinset.dedup(data)

    def test_a_column_that_no_row_has(self):
        rows = [{"body": "a b c d e f g", "key": "x"}] * 3000
        for options, words in (({}, 'text="body".*columns are body, key'), ({"text": "body", "id": "name"}, '"name"')):
            for data in (rows, iter(rows)):
                with self.assertRaisesRegex(twinset.errors.UsageError, words):
                    twinset.dedup(data, **options)
        with support.quiet_warnings():  # that the last row has it is enough
            self.assertEqual(len(twinset.dedup([*rows, {"text": "a b c"}]).kept), 1)

    def test_names_of_files_are_told(self):
        with self.assertWarnsRegex(twinset.TwinsetWarning, "list of Paths"):
            twinset.dedup([__file__, str(pathlib.Path(__file__).parent)])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            twinset.dedup([__file__, "a text", "another"])
            twinset.dedup(["\0", ""])

    def test_polars_needs_no_pyarrow(self):
        import sys
        from unittest import mock

        import polars

        with mock.patch.dict(sys.modules, {"pyarrow": None}), tempfile.TemporaryDirectory() as folder:
            found = twinset.dedup(polars.DataFrame(ROWS), id="id")
            found.save(pathlib.Path(folder) / "run")
            self.assertEqual(len(twinset.Collection(pathlib.Path(folder) / "run")), len(ROWS))
            with self.assertRaisesRegex(ImportError, "pip install pyarrow"):
                twinset.dedup(found.pairs, text="a").kept

    def test_signature_and_help_come_from_the_table(self):
        import inspect

        parameters = inspect.signature(twinset.dedup).parameters
        self.assertIn("max_df", parameters)
        self.assertNotIn("help", parameters)
        self.assertIn("permutations", twinset.dedup.__doc__)


class Shapes(unittest.TestCase):
    """Odd data is data."""

    def test_columns_alone(self):
        import numpy
        import pandas
        import polars
        import pyarrow

        some = ["a b c d e f", "a b c d e f", "u v w x y z"]
        for data in (
            pandas.Series(some, index=["x", "y", "z"]), pandas.Series(some, dtype=object),
            polars.Series(some), numpy.array(some), numpy.array(some, dtype=object),
            pyarrow.array(some).dictionary_encode(), pyarrow.chunked_array([some]), pyarrow.array(some),
        ):
            with self.subTest(type=type(data)):
                result = twinset.dedup(data)
                kept = result.kept
                self.assertIs(type(kept), type(data))
                texts = kept.to_pylist() if hasattr(kept, "to_pylist") else list(kept)
                self.assertEqual(texts, [some[0], some[2]])
                self.assertEqual(result.explain(0, 1)["jaccard"], 1)

    def test_lazy_frames(self):
        import polars

        frame = polars.LazyFrame({"text": ["a b c d e f", "a b c d e f"], "n": [1, 2]})
        self.assertEqual(twinset.dedup(frame).kept.to_dicts(), [{"text": "a b c d e f", "n": 1, "copies": 2}])

    def test_a_text_that_is_no_string(self):
        import pandas
        import polars

        with self.assertRaisesRegex(twinset.errors.UsageError, "no strings"):
            twinset.dedup(polars.DataFrame({"text": [1, 2]}))
        for data in ([{"text": 5}, {"text": "a b"}], pandas.DataFrame({"text": pandas.Series([5, "a b"], dtype=object)}),
                     pandas.DataFrame({"text": pandas.Series([pandas.NA, "a b"], dtype=object)})):
            with support.quiet_warnings():
                self.assertEqual(twinset.dedup(data).rejected["row"].tolist(), [0])

    def test_empty(self):
        import pandas
        import pyarrow

        for data in ([], iter([]), pandas.DataFrame({"text": pandas.Series([], dtype=str)}),
                     pyarrow.table({"text": pyarrow.array([], pyarrow.string())})):
            result = twinset.dedup(data)
            self.assertEqual(len(result.pairs), 0)
            self.assertEqual(result.kept_rows.tolist(), [])

    def test_nulls_are_told(self):
        import pandas
        import pyarrow

        some = ["a b c d e f", None, "a b c d e f", None]
        for data in (some, [{"text": t} for t in some], pandas.DataFrame({"text": some}),
                     pyarrow.table({"text": some})):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                result = twinset.dedup(data)
            self.assertEqual(result.rejected["row"].tolist(), [1, 3])
            self.assertEqual(result.rejected["reason"].tolist(), ["no-text-field"] * 2)
            self.assertEqual(result.kept_rows.tolist(), [0])
            self.assertEqual(len(told), 1)
            self.assertEqual(told[0].filename, __file__)

    def test_ids(self):
        for ids in ([10, 20, 30], ["x", "y", "z"], [1, "b", 2.5], [7, 7, 7]):
            rows = [{"id": i, "text": "a b c d e f g"} for i in ids]
            result = twinset.dedup(rows, id="id")
            same = ids if all(isinstance(i, int) for i in ids) else list(map(str, ids))
            self.assertEqual([(a, b) for a, b, _ in result.pairs],
                             [(same[0], same[1]), (same[0], same[2]), (same[1], same[2])])
            self.assertEqual(result.dropped["id"].tolist(), same[1:])
            self.assertEqual(result.dropped["kept_id"].tolist(), [same[0]] * 2)

    def test_lone_surrogates(self):
        odd = "one two \ud800 three four five six"
        pairs, kept, _ = support.by_command(
            [{"id": "0", "text": odd}, {"id": "1", "text": odd.replace("\ud800", "\ufffd")}])
        result = twinset.dedup([odd, odd.replace("\ud800", "\ufffd")])
        self.assertEqual(found_by(result)[:2], (support.rounded(pairs), kept))

    def test_what_is_no_data(self):
        for data in (5, None, b"bytes", {"text": ["a"]}, [1, 2]):
            with self.assertRaises((twinset.errors.UsageError, TypeError)):
                twinset.dedup(data)

    def test_a_list_that_changes(self):
        class Growing(list):
            def __getitem__(self, key):
                self.append("more")
                return super().__getitem__(key)

        with self.assertRaisesRegex(twinset.errors.UsageError, "changed its length"):
            twinset.dedup(Growing(TEXTS))

    def test_an_iterator_that_raises(self):
        def broken():
            yield "a b c"
            raise LookupError("gone")

        with self.assertRaisesRegex(LookupError, "gone"):
            twinset.dedup(broken())


class Results(unittest.TestCase):
    """Results are tables of the caller's kind."""

    def test_kept_has_all_columns_and_copies(self):
        import pandas
        import polars
        import pyarrow

        rows = [{"k": 1, "text": "a b c d e f"}, {"k": 2, "text": "a b c d e f"}, {"k": 3, "text": "z y x w v u"}]
        expected = [{**rows[0], "copies": 2}, {**rows[2], "copies": 1}]
        self.assertEqual(twinset.dedup(rows).kept, expected)
        frame = twinset.dedup(pandas.DataFrame(rows, index=["p", "q", "r"])).kept
        self.assertEqual(frame.to_dict("records"), expected)
        self.assertEqual(list(frame.index), ["p", "r"])
        self.assertEqual(twinset.dedup(polars.DataFrame(rows)).kept.to_dicts(), expected)
        self.assertEqual(twinset.dedup(pyarrow.Table.from_pylist(rows)).kept.to_pylist(), expected)
        self.assertEqual(twinset.dedup([r["text"] for r in rows]).kept, [rows[0]["text"], rows[2]["text"]])

    def test_annotated_has_all_rows_with_what_was_found_of_them(self):
        import pandas
        import polars
        import pyarrow

        texts = [f"{i} {i + 1} {i + 2}" for i in range(0, 60, 3)]
        rows = [{"id": name, "text": text, "k": i} for i, (name, text) in enumerate(
            [("a", " ".join(texts)), ("b", "z y x w v u t"), ("c", None), ("d", " ".join(texts) + " more"),
             ("e", " ".join(texts))])]
        found = twinset.dedup(rows, id="id", keep="first", action="annotate")
        near = next(value for one, other, value in found.pairs if {one, other} == {"a", "d"})
        said = {"a": ("a", None, 1.0, 1.0, 3), "b": ("b", None, 1.0, 1.0, 1), "c": (None,) * 5, "e": ("a", "a", 1.0, 1.0, 3)}
        names = ("cluster", "kept_id", "similarity", "contained", "copies")
        got = found.annotated
        contained = got[3]["contained"]
        said["d"] = ("a", "a", near, contained, 3)
        self.assertTrue(near <= contained < 1)
        expected = [{**row, **dict(zip(names, said[row["id"]]))} for row in rows]
        self.assertEqual(got, expected)
        self.assertEqual(twinset.dedup(rows, id="id", keep="first").annotated, expected)
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            self.assertEqual(twinset.dedup(rows, id="id", keep="first", out=out).annotated, expected)
            file = os.path.join(folder, "rows.jsonl")
            with open(file, "w") as lines:
                lines.writelines(json.dumps(row) + "\n" for row in rows)
            with self.assertRaisesRegex(twinset.errors.UsageError, "not held in memory .*annotate"):
                twinset.dedup(file, id="id").annotated
        for table in polars.DataFrame(rows), pyarrow.Table.from_pylist(rows):
            made = twinset.dedup(table, id="id", keep="first").annotated
            self.assertEqual(made.to_dicts() if hasattr(made, "to_dicts") else made.to_pylist(), expected)
        frame = twinset.dedup(pandas.DataFrame(rows, index=list("vwxyz")), id="id", keep="first").annotated
        self.assertEqual([list(frame.index), frame["kept_id"].dropna().tolist()], [list("vwxyz"), ["a", "a"]])
        self.assertEqual(twinset.dedup(["one two three"] * 2).annotated, ["one two three"] * 2)
        self.assertEqual(twinset.dedup([{"text": "one two three"}] * 2).annotated[1]["kept_id"], 0)

    def test_tables_go_to_other_packages(self):
        import numpy
        import pandas
        import polars
        import pyarrow

        result = twinset.dedup(TEXTS)
        expected = list(result.pairs)
        for made in (
            list(polars.DataFrame(result.pairs).iter_rows()),
            [tuple(r.values()) for r in pyarrow.table(result.pairs).to_pylist()],
            list(result.pairs.to_pandas().itertuples(index=False, name=None)),
            list(pandas.DataFrame.from_arrow(result.pairs).itertuples(index=False, name=None)),
        ):
            self.assertEqual(made, expected)
        self.assertEqual(numpy.asarray(result.pairs["similarity"]).tolist(), [s for _, _, s in expected])
        self.assertEqual(pyarrow.table(result.dropped).num_rows, len(result.dropped_rows))

    def test_explain_report_save_and_rethreshold(self):
        result = twinset.dedup(TEXTS)
        a, b, similarity = next(iter(result.pairs))
        explained = result.explain(a, b)
        self.assertAlmostEqual(explained["jaccard"], similarity, places=5)
        self.assertIn("jaccard", repr(explained).lower())
        self.assertEqual((explained["a"], explained["b"]), (str(a), str(b)))
        for shown in (repr(explained), explained._repr_html_()):
            self.assertIn(str(a), shown)
            self.assertNotIn(tempfile.gettempdir(), shown)
        self.assertIn("<html", result.report())
        again = result.rethreshold(0.5)
        self.assertEqual(list(again.pairs), list(twinset.dedup(TEXTS, threshold=0.5).pairs))
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "saved"
            result.save(place)
            stored = twinset.Collection(place)
            self.assertEqual(len(stored), len(TEXTS))
            names = {int(name) for name, _, _ in stored.find(TEXTS[a])}
            self.assertIn(b, names)
            asked = [*TEXTS, "nothing like it is there", "\ud800"]
            expected = [stored.find(text) for text in asked]
            self.assertEqual(stored.find_all(iter(asked)), expected)
            self.assertEqual(stored.find_all(asked, threads=1), expected)
            self.assertEqual(stored.find_all([]), [])
            with self.assertRaises(TypeError):
                stored.find_all(["a b c", None])

    def test_the_first_sentence_is_true(self):
        self.assertEqual(repr(twinset.dedup([])), "No document was read.")
        self.assertEqual(repr(twinset.dedup(["a b c d e f"] * 2)),
                         "1 of 2 documents (50.0 %) can go: 1 pair, each compared exactly.")
        self.assertIn("none was compared", repr(twinset.dedup(TEXTS, method="minhash", verify="none")))
        self.assertIn("none was compared", repr(twinset.dedup(TEXTS, method="minhash", verify="none", kinds=False, report=True)))

    def test_results_of_options_that_need_files(self):
        import pandas

        texts = ["a b c d e f g", "a b c d e f g", "a b c d e f g h", "u v w x y z t"]
        frame = pandas.DataFrame({"body": texts, "key": [7, 7, 8, 9], "site": list("ppqq")})
        plain = twinset.dedup(frame, text="body", id="key", threshold=0.5)
        with support.quiet_warnings():
            spooled = twinset.dedup(frame, text="body", id="key", threshold=0.5, kinds=True, stats_by="site")
        for name in ("pairs", "dropped", "clusters"):
            with self.subTest(name=name):
                ours = [support.rounded([row])[0] for row in getattr(plain, name)]
                self.assertEqual(sorted(support.rounded(getattr(spooled, name))), sorted(ours))
        self.assertEqual(spooled.kept.to_dict("list"), plain.kept.to_dict("list"))
        again = spooled.rethreshold(0.99)
        self.assertEqual(list(again.pairs), list(twinset.dedup(frame, text="body", id="key", threshold=0.99).pairs))
        self.assertEqual(spooled.explain(7, 8)["jaccard"], plain.explain(7, 8)["jaccard"])

    def test_a_saved_run_has_the_ids_of_the_caller(self):
        texts = ["a b c d e f g", "a b c d e f g", "u v w x y z t"]
        for ids, named in (
            (["x", "y", "z"], ["x", "y"]), ([7, 8, 9], ["7", "8"]),
            # Ids that do not tell rows apart, or that files cannot hold: numbers of rows.
            (["x", "x", "z"], ["0", "1"]), (["x", " ", "\ud800"], ["0", "1"]),
        ):  # fmt: skip
            rows = [{"text": text, "key": key} for text, key in zip(texts, ids)]
            with self.subTest(ids=ids), tempfile.TemporaryDirectory() as folder:
                place = pathlib.Path(folder)
                plain = twinset.dedup(rows, id="key")
                plain.save(place / "one")
                found = twinset.dedup(rows, id="key", save=place / "two")
                for name in ("one", "two"):
                    saved = twinset.Collection(place / name).find(texts[0])
                    self.assertEqual([one[0] for one in saved], named)
                self.assertEqual(found.kept, plain.kept)
                self.assertEqual(list(found.dropped), list(plain.dropped))

    def test_pages_are_explained_as_pages(self):
        page = "<html><body><p>{}</p></body></html>"
        words = "one two three four five six seven eight nine ten"
        rows = [{"page": page.format(words)}, {"page": page.format(words).replace("<p>", "<p class=x><b></b>")}]
        result = twinset.dedup(rows, html="page", content="all")
        self.assertEqual(len(result.pairs), 1)
        self.assertEqual(result.explain(0, 1)["jaccard"], 1)

    def test_an_input_that_is_cut_off_is_told_and_the_rest_is_there(self):
        import gzip

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.jsonl.gz"
            packed = gzip.compress("".join(json.dumps(row) + "\n" for row in ROWS).encode())
            path.write_bytes(packed[: len(packed) // 2])
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                result = twinset.dedup(path, id="id")
            self.assertGreater(len(result.kept), 10)
            self.assertTrue(any("ends too early" in str(one.message) for one in told), list(map(str, told)))

    def test_an_incomplete_result_is_told_and_there(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rows.jsonl"
            path.write_text("no row\nnone either\n")
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                result = twinset.dedup(path)
            self.assertFalse(result.summary["complete"])
            self.assertEqual(result.rejected["row"].tolist(), [0, 1])
            self.assertEqual(repr(result), "No document was read.")
            self.assertTrue(told)

    def test_nothing_is_told_twice(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with support.quiet_warnings():
                result = twinset.dedup(["a b c d e f g"] * 5)
            result.report()
            result.explain(0, 1)

    def test_summary(self):
        summary = twinset.dedup(TEXTS).summary
        self.assertEqual(summary["documents"]["read"], len(TEXTS))
        self.assertEqual(summary["expected_recall"]["complete"], True)
        self.assertEqual(summary["parameters"]["threshold"], 0.8)


class Match(unittest.TestCase):
    def test_same_as_the_command(self):
        others = support.texts(1, 300)[100:] + support.texts(5, 50)
        rows = [{"id": str(i), "text": text} for i, text in enumerate(others)]
        counts = set()
        for max_loss in (1, 0):
            pairs, kept, dropped = support.by_command(
                ROWS, "--max-loss", str(max_loss), command="match", other=rows)
            result = twinset.match(TEXTS, others, max_loss=max_loss)
            self.assertEqual(found_by(result), (support.rounded(pairs), kept, dropped))
            self.assertEqual(result.kept, [TEXTS[int(row)] for row in kept])
            counts.add(len(dropped))
        self.assertEqual(len(counts), 2)

    def test_files_and_their_columns(self):
        with tempfile.TemporaryDirectory() as folder:
            a, b = (pathlib.Path(folder) / name for name in ("a.jsonl", "b.jsonl"))
            a.write_text("".join(json.dumps({"id": r["id"], "text": r["text"]}) + "\n" for r in ROWS[:50]))
            b.write_text("".join(json.dumps({"key": f"k{r['id']}", "body": r["text"]}) + "\n" for r in ROWS[:50]))
            result = twinset.match(a, b, id="id", against_id="key", against_text="body")
            memory = twinset.match(TEXTS[:50], TEXTS[:50])
            self.assertEqual([(p, q) for p, q, _ in result.pairs], [(str(p), f"k{q}") for p, q, _ in memory.pairs])
            with self.assertRaisesRegex(twinset.errors.UsageError, "both"):
                twinset.match(TEXTS, b)


if __name__ == "__main__":
    unittest.main()
