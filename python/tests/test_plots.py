"""Plots of results."""

from __future__ import annotations

import json
import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import support
import twinset
import twinset._command

ROWS = [{"id": f"n{i}", "text": text} for i, text in enumerate(support.texts(4, 200))]


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import matplotlib

        matplotlib.use("agg")

    def tearDown(self):
        from matplotlib import pyplot

        pyplot.close("all")

    def test_similarities_of_pairs(self):
        found = twinset.dedup(ROWS, id="id", threshold=0.6)
        axes = found.plot()
        self.assertEqual(sum(bar.get_height() for bar in axes.patches), len(found.pairs))
        self.assertTrue(repr(found).startswith(axes.get_title()))
        self.assertIs(twinset.match(ROWS[:90], ROWS[90:]).plot(axes=axes), axes)
        twinset.dedup(["a b c"]).plot()  # no pair at all

    def test_drawings_of_a_page(self):
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "rows.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
            judged = twinset.evaluate(path, methods=["minhash", "simhash"], thresholds=0.8)
            tuned = twinset.tune(path, method="minhash")
            plain = twinset.evaluate(path, methods="minhash", thresholds=0.8, out=pathlib.Path(place) / "out")
            self.assertTrue(os.path.exists(pathlib.Path(place) / "out/page.json"))
        self.assertIn("<iframe", judged._repr_html_())
        self.assertIsNone(plain._repr_html_())  # its folder is gone
        axes = judged.plot()
        self.assertEqual(axes.get_xlabel(), "recall")
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["minhash", "simhash"])
        self.assertEqual(judged.plot(-1).get_xlabel(), "similarity")  # a histogram
        self.assertEqual(tuned.plot().get_title(), tuned["flags"])
        with self.assertRaisesRegex(twinset.errors.UsageError, "Precision and recall"):
            judged.plot(9)
        with self.assertRaisesRegex(twinset.errors.UsageError, "out="):
            twinset._command.Result().plot()

    def test_a_folder_that_was_not_asked_for_goes(self):
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "rows.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
            judged = twinset.evaluate(path, methods="minhash", thresholds=0.8)
        folder = judged.folder
        self.assertTrue(os.path.isdir(folder))
        del judged
        self.assertFalse(os.path.exists(folder))

    def test_without_matplotlib(self):
        found = twinset.dedup(ROWS)
        with mock.patch.dict(sys.modules, {"matplotlib": None}):
            with self.assertRaises(ImportError) as raised:
                found.plot()
        self.assertIsInstance(raised.exception, twinset.errors.MissingPackageError)
        self.assertIn("pip install matplotlib", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
