"""Collections of ir_datasets, and PyTerrier."""

from __future__ import annotations

import os
import pathlib
import tempfile
import unittest

SCRATCH = tempfile.TemporaryDirectory()
os.environ.setdefault("IR_DATASETS_HOME", SCRATCH.name)

import ir_datasets  # noqa: E402
import pandas  # noqa: E402
import pyterrier  # noqa: E402
import twinset  # noqa: E402
from ir_datasets.datasets.base import Dataset  # noqa: E402
from ir_datasets.formats import TrecQrels, TsvDocs  # noqa: E402
from twinset.integrations import ir  # noqa: E402

LONG = " ".join(f"word{i}" for i in range(40))


class File:
    """A file on this machine as ir_datasets takes it, which else would fetch one."""

    def __init__(self, path):
        self._path = path

    def path(self, force=True):
        return str(self._path)

    def stream(self):
        return open(self._path, "rb")


class Collections(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(SCRATCH.name)
        (folder / "docs.tsv").write_text(f"d1\t{LONG}\nd2\t{LONG} end\nd3\tsomething else\n")
        (folder / "qrels").write_text("1 0 d1 2\n")
        self.dataset = Dataset(
            TsvDocs(File(folder / "docs.tsv")), TrecQrels(File(folder / "qrels"), {2: "good"})
        )

    def test_from_a_collection_to_a_collapsed_run(self):
        found = twinset.dedup(ir.documents(self.dataset), id="id")
        self.assertEqual([row[:2] for row in found.dropped], [("d1", "d2")])
        run = pandas.DataFrame(
            {"qid": "1", "query": "q", "docno": ["d2", "d1", "d3"], "score": [3.0, 2.0, 1.0], "rank": [0, 1, 2]}
        )
        retriever = pyterrier.Transformer.from_df(run)
        pipeline = retriever >> ir.collapse(found)
        made = pipeline(pandas.DataFrame({"qid": ["1"], "query": ["q"]}))
        self.assertEqual(made["docno"].tolist(), ["d2", "d3"])
        judgements = twinset.qrels("transfer", ir.judgements(self.dataset), duplicates=found)
        self.assertEqual(judgements.values.tolist(), [["1", "d1", 2], ["1", "d2", 2]])
        self.assertEqual(twinset.runs("eval", made, qrels=judgements)["recip_rank"].tolist(), [1.0])

    def test_documents(self):
        rows = list(ir.documents(self.dataset, text="doc_id"))
        self.assertEqual(rows[2], {"id": "d3", "text": "d3"})
        with self.assertRaisesRegex(twinset.errors.UsageError, "integrations.ir.documents"):
            twinset.dedup(self.dataset)
        with self.assertRaisesRegex(twinset.errors.UsageError, "docs_iter"):
            next(ir.documents(ir_datasets))


if __name__ == "__main__":
    unittest.main()
