"""Datasets of Hugging Face."""

from __future__ import annotations

import unittest

import datasets
import support
import twinset
from twinset.integrations.streams import IsNew

datasets.disable_progress_bars()
TEXTS = support.texts(1, 400)
ROWS = [{"text": text, "score": (i * 7) % 31, "name": f"n{i}"} for i, text in enumerate(TEXTS)]


class Datasets(unittest.TestCase):
    def test_keeps_its_kind_and_columns(self):
        data = datasets.Dataset.from_list(ROWS)
        expected = twinset.dedup(ROWS, keep=["max:score", "first"])
        found = twinset.dedup(data, keep=["max:score", "first"])
        self.assertEqual(found.kept.to_list(), expected.kept)
        self.assertIsInstance(found.kept, datasets.Dataset)
        self.assertEqual(list(found.pairs), list(expected.pairs))
        again = twinset.dedup(found.kept)  # has a column of copies already
        self.assertEqual(again.kept.column_names, found.kept.column_names)

    def test_rows_that_were_chosen_and_shuffled(self):
        data = datasets.Dataset.from_list(ROWS).shuffle(seed=3).select(range(50, 300))
        found = twinset.dedup(data, id="name")
        self.assertEqual(found.kept.to_list(), twinset.dedup(data.to_list(), id="name").kept)
        row = list(found.pairs)[0]
        self.assertAlmostEqual(found.explain(row[0], row[1])["jaccard"], row[2], places=6)

    def test_batches_of_several_sizes(self):
        data = datasets.concatenate_datasets([datasets.Dataset.from_list(ROWS)] * 6)
        self.assertEqual(list(twinset.dedup(data).pairs), list(twinset.dedup(ROWS * 6).pairs))

    def test_errors_say_what_to_give(self):
        data = datasets.Dataset.from_list(ROWS)
        with self.assertRaisesRegex(twinset.errors.UsageError, "the columns are text, score, name"):
            twinset.dedup(data, text="body")
        with self.assertRaisesRegex(twinset.errors.UsageError, r"data\['train'\]"):
            twinset.dedup(datasets.DatasetDict({"train": data}))

    def test_filter_of_a_stream(self):
        stream = datasets.Dataset.from_list(ROWS).to_iterable_dataset()
        data = [row for row in ROWS if row["text"]]
        expected = list(filter(IsNew(), ROWS))
        self.assertLess(len(expected), len(data))
        self.assertEqual(list(stream.filter(IsNew())), expected)
        self.assertEqual(list(stream.filter(IsNew(), batched=True, batch_size=7)), expected)

    def test_iterating_a_stream(self):
        stream = datasets.Dataset.from_list(ROWS).to_iterable_dataset()
        found = twinset.dedup(stream)
        self.assertEqual(list(found.pairs), list(twinset.dedup(ROWS).pairs))

    def test_map_with_sketches(self):
        sketcher = twinset.Sketcher(method="minhash", permutations=16)
        data = datasets.Dataset.from_list(ROWS[:40]).filter(lambda row: len(row["text"].split()) > 5)
        made = data.map(lambda rows: {"sketch": sketcher.sketch(rows["text"]).tolist()}, batched=True, num_proc=2)
        self.assertEqual(made[:]["sketch"], sketcher.sketch(data[:]["text"]).tolist())


if __name__ == "__main__":
    unittest.main()
