"""Documents in every form in which people have them.

``Side`` says how one side of a run is read: the names of its columns, and
either an object with ``__arrow_c_stream__`` or a function that gives batches of
columns as lists. It also chooses rows of the caller's own data.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from twinset.errors import UsageError

# Rows that are turned into documents at once.
_BATCH_ROWS = 1024


def is_paths(data: Any) -> bool:
    """Returns whether the data names files: a str, a Path, or a list of Paths."""
    if isinstance(data, (str, os.PathLike)):
        return True
    return (
        isinstance(data, (list, tuple))
        and len(data) > 0
        and all(isinstance(one, os.PathLike) for one in data)
    )


def paths(data: Any) -> list[str]:
    """Returns the paths that such data names."""
    named = [data] if isinstance(data, (str, os.PathLike)) else data
    return [os.fspath(one) for one in named]


class Side:
    """How one side is read. Made anew for each run.

    Args:
        data: A list of str, a list or iterator of str or of mappings, or a table.
        columns: Roles and the names of their columns: text (or html), then id,
            url, date and field:NAME where there are any.
        wanted: Columns of fields that must be read, by role.
    """

    def __init__(self, data: Any, text: str, is_html: bool, others: dict[str, str]) -> None:
        self.data = data
        self.text = text
        self.is_html = is_html
        self.others = others
        self.form = form_of(data)
        if self.form == "texts" and others:
            raise UsageError(
                f"a list of texts has no column {next(iter(others.values()))!r}",
                remedy="give a table, or a list of dicts",
            )

    def native(self) -> dict[str, Any]:
        """Returns the side as the extension module takes it."""
        made: dict[str, Any] = {
            "roles": list(self.others),
            "names": [self.text, *self.others.values()],
            "is_html": self.is_html,
            "is_arrow": False,
        }
        stream = _arrow_of(self.data, made["names"]) if self.form in _TABLES else None
        if stream is not None:
            return made | {"data": stream, "is_arrow": True}
        if self.form in _TABLES:
            return made | {"data": _column_batches(self.data, made["names"])}
        if self.form == "texts":
            return made | {"data": _text_batches(self.data)}
        return made | {"data": _row_batches(self.data, made["names"])}


_TABLES = ("pandas", "polars", "pyarrow", "arrow")


def form_of(data: Any) -> str:
    """Returns what the data is: texts, rows, iterator, or a kind of table."""
    module = type(data).__module__.partition(".")[0]
    if module in ("pandas", "polars", "pyarrow") and not isinstance(data, Sequence):
        return module
    if hasattr(data, "__arrow_c_stream__"):
        return "arrow"
    if isinstance(data, Mapping) or isinstance(data, (bytes, bytearray)):
        raise UsageError(
            f"a {type(data).__name__} holds no documents",
            remedy="give a list of texts, a list of dicts, a table, or paths of files",
        )
    if isinstance(data, (list, tuple)):
        return "rows" if data and isinstance(data[0], Mapping) else "texts"
    if isinstance(data, Iterable):
        return "iterator"
    raise UsageError(
        f"a {type(data).__name__} holds no documents",
        remedy="give a list of texts, a list of dicts, a table, or paths of files",
    )


def _arrow_of(data: Any, names: list[str]) -> Any:
    """Returns an object with __arrow_c_stream__, or None where there is none."""
    if not hasattr(data, "__arrow_c_stream__"):
        return None
    try:
        chosen = data[names] if type(data).__name__ == "DataFrame" else data
    except (KeyError, TypeError):
        return data
    except Exception:  # the stream itself names the columns that are there
        return data
    if type(data).__module__.startswith("pandas"):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            return None
        if any(chosen[name].dtype == object for name in names):
            return None  # of mixed types, perhaps
    return chosen


def _column_batches(table: Any, names: list[str]) -> Callable[[], Any]:
    for name in names:
        if name not in table.columns:
            raise UsageError(
                f'there is no column "{name}"',
                remedy="the columns are " + ", ".join(map(str, table.columns)),
            )
    columns = [table[name] for name in names]
    return _batches_of(_slices(columns, len(table)))


def _slices(columns: list[Any], count: int) -> Iterator[list[list[Any]]]:
    for begin in range(0, count, _BATCH_ROWS):
        yield [
            [None if one != one else one for one in column.iloc[begin : begin + _BATCH_ROWS].tolist()]
            for column in columns
        ]


def _batches_of(batches: Iterator[list[list[Any]]]) -> Callable[[], Any]:
    return lambda: next(batches, None)


def _text_batches(texts: Sequence[Any]) -> Callable[[], Any]:
    return _batches_of(_texts_of(texts))


def _texts_of(texts: Sequence[Any]) -> Iterator[list[list[Any]]]:
    count = len(texts)
    for begin in range(0, count, _BATCH_ROWS):
        batch = list(texts[begin : begin + _BATCH_ROWS])
        if len(texts) != count:
            raise UsageError("the list of texts changed its length while it was read")
        for one in batch:
            if one is not None and not isinstance(one, str):
                raise UsageError(f"a text is of type {type(one).__name__}, not str")
        yield [batch]


def _row_batches(rows: Iterable[Any], names: list[str]) -> Callable[[], Any]:
    return _batches_of(_rows_of(rows, names))


def _rows_of(rows: Iterable[Any], names: list[str]) -> Iterator[list[list[Any]]]:
    columns: list[list[Any]] = [[] for _ in names]
    for number, row in enumerate(rows):
        if row is None or isinstance(row, str):
            if len(names) > 1:
                raise UsageError(f"row {number} is a text and has no column {names[1]!r}")
            columns[0].append(row)
        elif isinstance(row, Mapping):
            for column, name in zip(columns, names):
                column.append(row.get(name))
            text = columns[0][-1]
            if text is not None and not isinstance(text, str):
                columns[0][-1] = None  # as a row of JSON whose field is no string
        else:
            raise UsageError(f"row {number} is of type {type(row).__name__}, not str or dict")
        if len(columns[0]) == _BATCH_ROWS:
            yield columns
            columns = [[] for _ in names]
    if columns[0]:
        yield columns


def choose(data: Any, rows: Any, added: dict[str, Any]) -> Any:
    """Returns these rows of the caller's data, in its own kind, with columns added.

    Args:
        data: What the run read; an iterator is gone, and has no rows.
        rows: The numbers of the rows, a native column.
        added: Native columns by name; texts in a list get none.
    """
    form = form_of(data)
    numbers = rows.tolist()
    if form == "texts":
        return [data[row] for row in numbers]
    if form == "rows":
        values = [column.tolist() for column in added.values()]
        return [
            {**data[row], **dict(zip(added, more))} for row, *more in zip(numbers, *values)
        ]
    if form == "pandas":
        chosen = data.iloc[numbers]
        return chosen.assign(**{name: column.tolist() for name, column in added.items()})
    if form == "polars":
        import polars

        frame = data.collect() if hasattr(data, "collect") else data
        return frame[numbers].with_columns(
            *(polars.Series(name, column.tolist()) for name, column in added.items())
        )
    if form in ("pyarrow", "arrow"):
        import pyarrow

        table = data if isinstance(data, pyarrow.Table) else pyarrow.table(data)
        chosen = table.take(pyarrow.array(numbers, pyarrow.int64()))
        for name, column in added.items():
            chosen = chosen.append_column(name, pyarrow.array(column.tolist()))
        return chosen
    raise UsageError(
        "the rows of an iterator are gone when it has been read",
        remedy="give a list, or choose rows by kept_rows",
    )
