"""A block of a datatrove pipeline."""

from __future__ import annotations

import gzip
import json
import pathlib
import tempfile
import unittest

import support
import twinset
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from loguru import logger
from twinset.integrations.datatrove import DropNearDuplicates

logger.remove()
TEXTS = [text for text in support.texts(1, 300) if text]  # datatrove leaves out empty texts
ROWS = [{"id": f"n{i}", "text": text, "score": (i * 7) % 31} for i, text in enumerate(TEXTS)]


def rows_below(folder: pathlib.Path) -> list[dict]:
    rows = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        rows += map(json.loads, gzip.open(path, "rt", encoding="utf-8"))
    return rows


class Datatrove(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "in").mkdir()
        # One task reads all files: pairs across them are found as well.
        for name, part in (("a", ROWS[:100]), ("b", ROWS[100:])):
            (self.folder / f"in/{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part))

    def run_pipeline(self, **options):
        LocalPipelineExecutor(
            [
                JsonlReader(str(self.folder / "in")),
                DropNearDuplicates(exclusion_writer=JsonlWriter(str(self.folder / "gone")), **options),
                JsonlWriter(str(self.folder / "kept")),
            ],
            tasks=options.pop("tasks", 1),
            logging_dir=str(self.folder / "logs"),
        ).run()

    def test_in_a_pipeline(self):
        self.run_pipeline(threshold=0.7, keep=["max:score", "first"])
        expected = twinset.dedup(ROWS, id="id", threshold=0.7, keep=["max:score", "first"])
        place = {row["id"]: i for i, row in enumerate(ROWS)}
        self.assertTrue(any((place[row[0]] < 100) != (place[row[1]] < 100) for row in expected.dropped))
        kept, gone = rows_below(self.folder / "kept"), rows_below(self.folder / "gone")
        self.assertEqual(
            [(row["id"], row["metadata"]["copies"], row["metadata"]["score"]) for row in kept],
            [(row["id"], row["copies"], row["score"]) for row in expected.kept],
        )
        self.assertEqual(
            [(row["id"], row["metadata"]["kept_id"], row["metadata"]["similarity"]) for row in gone],
            [row[:3] for row in expected.dropped],
        )

    def test_several_tasks_are_refused(self):
        block = DropNearDuplicates()
        with self.assertRaisesRegex(twinset.errors.UsageError, "tasks=1"):
            list(block.run(iter(()), 0, 2))


if __name__ == "__main__":
    unittest.main()
