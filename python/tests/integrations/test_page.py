"""The code of docs/python/integrations.md runs."""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
import unittest

import datasets
import pandas
import support
import test_ir
import twinset

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/python/integrations.md"
BLOCK = re.compile(r"^<!-- (data|folder): .*? -->\n```python\n(.*?)^```$", re.M | re.S)
ROWS = [{"id": f"n{i}", "text": text} for i, text in enumerate(support.texts(1, 200))]


class Page(unittest.TestCase):
    def test_its_code_runs(self):
        page = PAGE.read_text(encoding="utf-8")
        blocks = BLOCK.findall(page)
        self.assertEqual(len(blocks), page.count("```python\n"))
        dataset = datasets.Dataset.from_list(ROWS)
        collections = test_ir.Collections("test_documents")
        collections.setUp()
        names = {
            "twinset": twinset,
            "dataset": dataset,
            "stream": dataset.to_iterable_dataset(),
            "sketcher": twinset.Sketcher(),
            "collection": collections.dataset,
            "run": pandas.DataFrame({"qid": "1", "docno": ["d1", "d2"], "score": [2.0, 1.0], "rank": [0, 1]}),
        }
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "data").mkdir()
            text = "".join(json.dumps(row) + "\n" for row in ROWS if row["text"])
            (pathlib.Path(folder) / "data/rows.jsonl").write_text(text)
            os.chdir(folder)
            try:
                lengths = []
                for _, block in blocks:
                    exec(compile(block, "integrations.md", "exec"), names)
                    lengths.append(len(names["kept"]))
                self.assertEqual(len(os.listdir("kept")), 1)
            finally:
                os.chdir(before)
        self.assertEqual(lengths[2], len(ROWS))
        self.assertLess(max(lengths[:2]), len(ROWS))
        self.assertEqual(names["measures"]["recip_rank"].tolist(), [1.0, 1.0])
        self.assertEqual(len(names["judgements"]), 2)


if __name__ == "__main__":
    unittest.main()
