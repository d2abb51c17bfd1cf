"""Runs and judgements as frames of pandas."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

import support
import twinset

LONG = " ".join(f"word{i}" for i in range(40))
DOCUMENTS = [
    {"docno": "d1", "text": LONG},
    {"docno": "d2", "text": LONG + " end"},
    {"docno": "d3", "text": " ".join(f"else{i}" for i in range(40))},
]


class Retrieval(unittest.TestCase):
    def setUp(self):
        import pandas

        self.found = twinset.dedup(DOCUMENTS, id="docno")
        self.run_frame = pandas.DataFrame(
            {
                "qid": ["1", "1", "1", "2"], "query": ["q one"] * 3 + ["q two"],
                "docno": ["d2", "d1", "d3", "d3"], "score": [3.123456789012, 2.0, 1.0, 5.0], "rank": [0, 1, 2, 0],
            }
        )  # fmt: skip
        self.judgements = pandas.DataFrame({"qid": ["1", "2"], "docno": ["d1", "d3"], "label": [2, 1]})

    def test_collapse_is_that_of_the_command(self):
        made = twinset.runs("collapse", self.run_frame, duplicates=self.found)
        self.assertEqual(made["docno"].tolist(), ["d2", "d3", "d3"])
        self.assertEqual(made["rank"].tolist(), [0, 1, 0])
        self.assertEqual(made["score"].tolist(), [3.123456789012, 1.0, 5.0])  # the caller's own
        self.assertEqual(made["query"].tolist(), ["q one", "q one", "q two"])
        self.assertEqual(made.attrs["summary"][0]["collapsed"], 1)
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            (folder / "x.run").write_text("1 Q0 d2 1 3.1 t\n1 Q0 d1 2 2 t\n1 Q0 d3 3 1 t\n2 Q0 d3 1 5 t\n")
            (folder / "x.jsonl").write_text('{"a":"d1","b":"d2"}\n')
            twinset.runs("collapse", folder / "x.run", duplicates=folder / "x.jsonl", out=folder / "out")
            rows = [line.split() for line in (folder / "out").read_text().splitlines()]
        self.assertEqual([(row[0], row[2]) for row in rows], list(zip(made["qid"], made["docno"])))

    def test_demoted_and_marked(self):
        demoted = twinset.runs("collapse", self.run_frame, duplicates=self.found, collapse="demote")
        self.assertEqual(demoted["docno"].tolist(), ["d2", "d3", "d1", "d3"])
        self.assertEqual(demoted["score"].tolist()[:3], [3.0, 2.0, 1.0])
        marked = twinset.runs("collapse", self.run_frame, duplicates=self.found, collapse="mark")
        self.assertEqual(marked["duplicate_of"].fillna("").tolist(), ["", "d2", "", ""])

    def test_evaluation_is_a_frame(self):
        with support.quiet_warnings():
            made = twinset.runs("eval", {"first": self.run_frame, "second": self.run_frame[:3]},
                                qrels=self.judgements, measures=["map", "P_1"])  # fmt: skip
        self.assertEqual(made["run"].tolist(), ["first", "second"])
        self.assertEqual(made["map"].tolist(), [0.75, 0.5])

    def test_judgements_go_to_duplicates(self):
        made = twinset.qrels("transfer", self.judgements, duplicates=self.found)
        self.assertEqual(made.values.tolist(), [["1", "d1", 2], ["2", "d3", 1], ["1", "d2", 2]])
        renamed = self.judgements.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})
        made = twinset.qrels("transfer", renamed, pairs=twinset.match(DOCUMENTS, DOCUMENTS, id="docno"))
        self.assertEqual(list(made.columns), ["query_id", "doc_id", "relevance"])
        self.assertEqual(twinset.qrels("stats", self.judgements)["all"]["judgements"], 2)

    def test_names_of_documents_are_transferred(self):
        pairs = twinset.match(DOCUMENTS[:1], [{"docno": "other", "text": LONG}], id="docno")
        made = twinset.runs("transfer", self.run_frame, pairs=pairs)
        self.assertEqual(made[["qid", "docno"]].values.tolist(), [["1", "other"]])

    def test_errors(self):
        import pandas

        for call, words in (
            (lambda: twinset.runs("collapse", self.run_frame, duplicates=twinset.dedup(DOCUMENTS)), 'id="'),
            (lambda: twinset.runs("eval", pandas.DataFrame({"x": []}), qrels=self.judgements), "no column score"),
            (lambda: twinset.qrels("stats", pandas.DataFrame({"qid": [1], "docno": ["a b"], "label": [1]})), "blanks"),
            (lambda: twinset.runs("eval", 5, qrels=self.judgements), "neither a file nor a frame"),
        ):
            with self.assertRaisesRegex(twinset.errors.UsageError, words):
                call()


if __name__ == "__main__":
    unittest.main()
