"""Documents in memory as a file, for what only a run over files does."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from typing import Any

from twinset import _data

_BATCH_ROWS = 1024


@contextlib.contextmanager
def spooled(side: _data.Side) -> Iterator[tuple[str, list[Any]]]:
    """Writes the documents of a side into a file of JSON lines.

    Yields:
        The path of the file, whose rows have ``row`` (the number), ``id``, ``text``,
        ``url``, ``date`` and fields; and the ids of the rows, or an empty list.
    """
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        path = os.path.join(folder, "data.jsonl")
        ids: list[Any] = []
        roles = list(side.others)
        with open(path, "w", encoding="ascii") as file:
            number = 0
            for columns in _batches(side):
                for values in zip(*columns):
                    row: dict[str, Any] = {"row": number, "text": values[0]}
                    for role, value in zip(roles, values[1:]):
                        if role == "id":
                            ids.append(str(number) if value is None else value)
                            row["id"] = str(ids[-1])
                        elif value is not None:
                            row[role.removeprefix("field:")] = value
                    file.write(json.dumps(row, default=str) + "\n")
                    number += 1
        yield path, ids


def rows_by_id(ids: list[Any]) -> dict[str, int] | None:
    """Returns the rows by their ids, or None where ids do not tell rows apart."""
    rows = {str(one): row for row, one in enumerate(ids)}
    if len(rows) != len(ids) or not all(one.strip() and _is_utf8(one) for one in rows):
        return None
    return rows


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _batches(side: _data.Side) -> Iterator[list[list[Any]]]:
    native = side.native()
    if not native["is_arrow"]:
        return iter(native["data"], None)
    if side.form == "polars":
        return _polars_batches(native["data"], native["names"])
    return _arrow_batches(native["data"], native["names"])


def _polars_batches(frame: Any, names: list[str]) -> Iterator[list[list[Any]]]:
    for part in frame.iter_slices(_BATCH_ROWS):
        yield [part[name].to_list() for name in names]


def _arrow_batches(data: Any, names: list[str]) -> Iterator[list[list[Any]]]:
    pyarrow = _data.pyarrow_for("this option writes the table to a file first")
    for batch in pyarrow.RecordBatchReader.from_stream(data):
        yield [batch.column(name).to_pylist() for name in names]
