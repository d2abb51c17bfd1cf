"""Documents in every form in which people have them.

``Side`` says how one side of a run is read: the names of its columns, and
either an object with ``__arrow_c_stream__`` or a function that gives batches of
columns as lists. It also chooses rows of the caller's own data.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from twinset import _native
from twinset.errors import MissingPackageError, UsageError

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
        text: The name of the column of the text, or of the markup.
        is_html: It is markup.
        others: The names of other columns by their roles: id, url, date, and
            field:NAME.
    """

    def __init__(self, data: Any, text: str, is_html: bool, others: dict[str, str]) -> None:
        data = data.collect() if type(data).__name__ == "LazyFrame" else data
        self.data = data
        self.text = text
        self.is_html = is_html
        self.others = others
        self.form = form_of(data)
        if self.form in ("texts", "series") and others:
            raise UsageError(
                f"texts alone have no column {next(iter(others.values()))!r}",
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
        if self.form == "pandas":
            return made | _pandas(self.data, made["names"])
        if self.form == "series":
            return made | _series(self.data, self.text)
        if self.form == "datasets":
            return made | {"data": _dataset(self.data, made["names"]), "is_arrow": True}
        if self.form in _TABLES:
            return made | {"data": _chosen(self.data, made["names"]), "is_arrow": True}
        if self.form == "texts":
            _warn_of_paths(self.data)
            batches = _texts_of(self.data)
        else:
            batches = _rows_of(self.data, made["names"])
        return made | {"data": _batches_of(batches)}


_TABLES = ("polars", "pyarrow", "arrow")


def form_of(data: Any) -> str:
    """Returns what the data is.

    One of texts (a list), series (one column of a package: pandas, polars, pyarrow,
    numpy), rows, iterator, pandas, polars, pyarrow (tables), datasets (a Dataset of
    Hugging Face), and arrow (anything else with the interface of Arrow).
    """
    kind = type(data)
    module = kind.__module__.partition(".")[0]
    if kind.__name__ in ("Series", "ndarray", "ChunkedArray") or (
        module == "pyarrow" and hasattr(data, "type") and hasattr(data, "__getitem__")
    ):
        return "series"
    if module in ("pandas", "polars", "pyarrow") and kind.__name__ in ("DataFrame", "Table"):
        return module
    if module == "datasets" and kind.__name__ == "Dataset":
        return "datasets"
    if hasattr(data, "__arrow_c_stream__"):
        return "arrow"
    if isinstance(data, (list, tuple)):
        return "rows" if data and isinstance(data[0], Mapping) else "texts"
    if isinstance(data, Iterable) and not isinstance(data, (Mapping, bytes, bytearray)):
        return "iterator"
    raise UsageError(f"a {kind.__name__} holds no documents", remedy=_in_its_place(data))


def _in_its_place(data: Any) -> str:
    if isinstance(data, Mapping) and data:  # as a DatasetDict
        return f"give one of its members: data[{next(iter(data))!r}]"
    if hasattr(data, "docs_iter"):
        return "give twinset.integrations.ir.documents(data)"
    return "give a list of texts, a list of dicts, a table, or paths of files"


def _missing(name: str, columns: Iterable[Any]) -> UsageError:
    # The name that nobody gave.
    hint = 'name yours, as in text="body"; ' if name == "text" else ""
    return UsageError(
        f'there is no column "{name}"',
        remedy=f"{hint}the columns are " + ", ".join(map(str, columns)),
    )


def pyarrow_for(what: str) -> Any:
    """Returns pyarrow, which this needs.

    Raises:
        MissingPackageError: if it is not installed.
    """
    try:
        import pyarrow
    except ImportError:
        raise MissingPackageError(
            f"{what}, which needs pyarrow", remedy="pip install pyarrow"
        ) from None
    return pyarrow


def _chosen(table: Any, names: list[str]) -> Any:
    """Returns the columns of a frame; the others need not be exported."""
    if type(table).__name__ != "DataFrame":
        return table
    for name in names:
        if name not in table.columns:
            raise _missing(name, table.columns)
    return table[names]


def _pandas(frame: Any, names: list[str]) -> dict[str, Any]:
    """Returns a frame of pandas as Arrow, where it needs no guess at types."""
    chosen = _chosen(frame, names)
    try:
        import pyarrow  # noqa: F401

        is_typed = all(chosen[name].dtype != object for name in names)
    except ImportError:
        is_typed = False
    if is_typed:
        return {"data": chosen, "is_arrow": True}
    return {"data": _batches_of(_slices([chosen[name] for name in names]))}


def _dataset(dataset: Any, names: list[str]) -> Any:
    """Returns columns of a Dataset as Arrow: chosen and shuffled rows as they are now."""
    import pyarrow

    for name in names:
        if name not in dataset.column_names:
            raise _missing(name, dataset.column_names)
    chosen = dataset.select_columns(list(dict.fromkeys(names))).with_format("arrow")
    batches = (
        batch for table in chosen.iter(_BATCH_ROWS) for batch in table.to_batches()
    )
    return pyarrow.RecordBatchReader.from_batches(chosen.features.arrow_schema, batches)


def _series(column: Any, name: str) -> dict[str, Any]:
    """Returns one column of a package: pandas, polars, pyarrow or numpy."""
    if hasattr(column, "to_frame") and hasattr(column, "iloc"):
        return _pandas(column.to_frame(name), [name])
    if hasattr(column, "__arrow_c_stream__"):
        return {"data": column, "is_arrow": True}
    return {"data": _batches_of(_texts_of(column.tolist()))}


def _slices(columns: list[Any]) -> Iterator[list[list[Any]]]:
    for begin in range(0, len(columns[0]), _BATCH_ROWS):
        batch = []
        for column in columns:
            part = column.iloc[begin : begin + _BATCH_ROWS]
            batch.append([None if null else one for one, null in zip(part.tolist(), part.isna())])
        batch[0] = [_text_or_none(one) for one in batch[0]]
        yield batch


def _text_or_none(value: Any) -> str | None:
    # A row of JSON whose field is no string has no text either.
    return value if isinstance(value, str) else None


def _batches_of(batches: Iterator[list[list[Any]]]) -> Callable[[], Any]:
    return lambda: next(batches, None)


def _warn_of_paths(texts: Sequence[Any]) -> None:
    """Warns of a list of names of files, which are texts here."""
    some = texts[:3]
    if all(isinstance(one, str) and len(one) < 4096 and "\0" not in one for one in some):
        if len(some) > 0 and all(map(os.path.exists, some)):
            from twinset import _command

            _command.warn(["the texts are names of files; give a list of Paths to read these"])


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


def _rows_of(rows: Iterable[Any], names: list[str]) -> Iterator[list[list[Any]]]:
    columns: list[list[Any]] = [[] for _ in names]
    absent: set[str] | None = None  # names that no row has had, of rows that are mappings
    for number, row in enumerate(rows):
        if isinstance(row, Mapping) and absent != set():
            absent = {name for name in absent or names if name not in row}
        if row is None or isinstance(row, str):
            if len(names) > 1:
                raise UsageError(f"row {number} is a text and has no column {names[1]!r}")
            columns[0].append(row)
        elif isinstance(row, Mapping):
            columns[0].append(_text_or_none(row.get(names[0])))
            for column, name in zip(columns[1:], names[1:]):
                column.append(row.get(name))
        else:
            raise UsageError(f"row {number} is of type {type(row).__name__}, not str or dict")
        if len(columns[0]) == _BATCH_ROWS:
            yield columns
            columns = [[] for _ in names]
    if absent and isinstance(row, Mapping):
        raise _missing(next(name for name in names if name in absent), row)
    if columns[0]:
        yield columns


def _listed(column: Any) -> list[Any]:
    return column if isinstance(column, list) else column.tolist()


def count_rows(data: Any) -> int:
    """Returns how many rows the caller's data has; an iterator is gone, and has none."""
    form = form_of(data)
    if form == "iterator":
        return 0
    if form == "arrow":
        return int(pyarrow_for("rows of this kind of table are counted").table(data).num_rows)
    return len(data)


def choose(data: Any, rows: Any, added: dict[str, Any]) -> Any:
    """Returns these rows of the caller's data, in its own kind, with columns added.

    Args:
        data: What the run read; an iterator is gone, and has no rows.
        rows: The numbers of the rows, a native column or a list.
        added: Native columns or lists by name; texts alone get none.
    """
    form = form_of(data)
    numbers = _listed(rows)
    added = {name: _listed(column) for name, column in added.items()}
    if form == "texts":
        return [data[row] for row in numbers]
    if form == "rows":
        return [
            {**data[row], **dict(zip(added, more))}
            for row, *more in zip(numbers, *added.values())
        ]
    if form == "series":
        return data.take(numbers) if hasattr(data, "take") else data[numbers]
    if form == "pandas":
        chosen = data.iloc[numbers]
        return chosen.assign(**added)
    if form == "polars":
        import polars

        return data[numbers].with_columns(
            *(polars.Series(name, values) for name, values in added.items())
        )
    if form in ("pyarrow", "arrow"):
        pyarrow = pyarrow_for("rows of this kind of table are chosen")
        table = data if isinstance(data, pyarrow.Table) else pyarrow.table(data)
        chosen = table.take(pyarrow.array(numbers, pyarrow.int64()))
        chosen = chosen.drop_columns([name for name in added if name in chosen.column_names])
        for name, values in added.items():
            chosen = chosen.append_column(name, pyarrow.array(values))
        return chosen
    if form == "datasets":
        chosen = data.select(numbers)
        chosen = chosen.remove_columns([name for name in added if name in chosen.column_names])
        for name, values in added.items():
            chosen = chosen.add_column(name, values)
        return chosen
    raise UsageError(
        "the rows of an iterator are gone when it has been read",
        remedy="give a list, or choose rows by kept_rows",
    )


def text_at(side: Side, row: int) -> str:
    """Returns the text of one row."""
    chosen = choose(side.data, _native.column_of([row]), {})
    if side.form == "rows":
        return chosen[0][side.text]
    column = chosen if side.form in ("texts", "series") else chosen[side.text]
    return (column.to_pylist() if hasattr(column, "to_pylist") else list(column))[0]
