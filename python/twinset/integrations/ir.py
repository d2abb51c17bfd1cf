"""Collections of ir_datasets, and runs of PyTerrier without near-duplicates.

::

    documents = ir.documents(ir_datasets.load("vaswani"))
    found = twinset.dedup(documents, id="id")
    run = twinset.runs("collapse", run, duplicates=found)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twinset.errors import UsageError


def documents(dataset: Any, text: str | None = None) -> Iterator[dict[str, Any]]:
    """Yields the documents of a dataset of ir_datasets as rows with id and text.

    Args:
        dataset: What ``ir_datasets.load`` returns.
        text: The field that is the text; None: what the dataset itself says,
            which often is the title and the body.

    Yields:
        ``id``, ``text``, and the other fields that are strings or numbers.
    """
    if not hasattr(dataset, "docs_iter"):
        raise UsageError(f"a {type(dataset).__name__} has no docs_iter()",
                         remedy="give what ir_datasets.load returns, of a dataset with documents")  # fmt: skip
    for document in dataset.docs_iter():
        row = {
            name: value
            for name, value in document._asdict().items()
            if isinstance(value, (str, int, float)) and name not in ("doc_id", "id", "text")
        }
        chosen = document.default_text() if text is None else getattr(document, text)
        yield {"id": document.doc_id, "text": chosen, **row}


def judgements(dataset: Any) -> Any:
    """Returns the judgements of a dataset as a pandas.DataFrame: qid, docno, label."""
    import pandas

    rows = [(one.query_id, one.doc_id, one.relevance) for one in dataset.qrels_iter()]
    return pandas.DataFrame(rows, columns=["qid", "docno", "label"])


def collapse(duplicates: Any, **options: Any) -> Any:
    """Returns a transformer of PyTerrier that takes near-duplicates out of a run.

    As a stage behind a retriever: ``retriever >> ir.collapse(found)``.

    Args:
        duplicates: As for ``twinset.runs``: what ``twinset.dedup`` found, with ids
            that are those of the run.
        options: Those of ``twinset runs collapse``.
    """
    import pyterrier

    from twinset import runs

    def transform(run: Any) -> Any:
        return run if len(run) == 0 else runs("collapse", run, duplicates=duplicates, **options)

    return pyterrier.apply.generic(transform)
