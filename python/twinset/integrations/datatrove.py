"""A block of a datatrove pipeline that drops near-duplicates.

::

    pipeline = [
        JsonlReader("data/"),
        DropNearDuplicates(threshold=0.8, exclusion_writer=JsonlWriter("dropped/")),
        JsonlWriter("kept/"),
    ]
    LocalPipelineExecutor(pipeline, tasks=1).run()
"""

from __future__ import annotations

import contextlib
import pickle
import tempfile
from collections.abc import Iterator
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep
from datatrove.utils.typeshelper import StatHints

from twinset import dedup
from twinset.errors import UsageError


class DropNearDuplicates(PipelineStep):
    """Reads all documents of its task, and hands on those that stay.

    It needs one task (``tasks=1``): duplicates in the shards of different tasks would
    stay. One task of twinset uses all processors, holds to ``memory``, and keeps the
    documents in a temporary file meanwhile. A document that stays has ``copies`` in
    its metadata; one that goes has ``kept_id`` and ``similarity``, and goes to
    ``exclusion_writer``. One that twinset cannot use stays.

    Args:
        threshold: The least similarity of a pair.
        exclusion_writer: Writes what goes.
        options: Those of ``twinset.dedup`` for data in memory.
    """

    name = "twinset"
    type = "🫂 - DEDUPS"

    def __init__(
        self, threshold: float = 0.8, exclusion_writer: Any = None, **options: Any
    ) -> None:
        super().__init__()
        self.threshold = threshold
        self.exclusion_writer = exclusion_writer
        self.options = options

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> DocumentsPipeline:
        """Yields the documents that stay, in their order."""
        if world_size != 1:
            raise UsageError(
                f"duplicates in the shards of {world_size} tasks would stay",
                remedy="run this block with tasks=1; it uses all processors",
            )
        writer = self.exclusion_writer or contextlib.nullcontext()
        with tempfile.TemporaryFile(prefix="twinset-") as file, writer:
            with self.track_time():
                found = dedup(
                    _kept_aside(data, file), id="id", threshold=self.threshold,
                    progress=False, **self.options,
                )  # fmt: skip
            file.seek(0)
            copies = dict(zip(found.kept_rows.tolist(), found.copies.tolist(), strict=True))
            gone = dict(zip(found.dropped_rows.tolist(), found.dropped, strict=True))
            for row, document in enumerate(_documents(file)):
                self.stat_update(StatHints.total)
                if row not in gone:
                    document.metadata["copies"] = copies.get(row, 1)
                    self.stat_update(StatHints.forwarded)
                    self.update_doc_stats(document)
                    yield document
                    continue
                _, document.metadata["kept_id"], document.metadata["similarity"], _ = gone[row]
                self.stat_update(StatHints.dropped)
                if self.exclusion_writer:
                    self.exclusion_writer.write(document, rank)


def _kept_aside(documents: Any, file: Any) -> Iterator[dict[str, Any]]:
    """Yields rows of the documents, which go to the file."""
    for document in documents:
        pickle.dump(document, file, pickle.HIGHEST_PROTOCOL)
        yield {**document.metadata, "text": document.text, "id": document.id}


def _documents(file: Any) -> Iterator[Document]:
    with contextlib.suppress(EOFError):
        while True:
            yield pickle.load(file)
