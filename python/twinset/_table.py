"""A table of results, for every package that reads tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twinset import _native

_SHOWN_ROWS = 10


class Table:
    """Columns of equal length, without nulls.

    It goes to every package that reads the Arrow PyCapsule interface:
    ``pandas.DataFrame.from_arrow(table)``, ``polars.DataFrame(table)``,
    ``pyarrow.table(table)``, and duckdb by name. ``table["a"]`` is a column;
    iterating gives rows as tuples.
    """

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in their order."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[tuple]:
        return zip(*(column.tolist() for column in self._columns.values()))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a capsule of the Arrow C stream interface."""
        return _native.arrow_stream(self.column_names, list(self._columns.values()))

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame({name: c.tolist() for name, c in self._columns.items()})

    def to_polars(self) -> Any:
        """Returns a polars.DataFrame."""
        import polars

        return polars.DataFrame(self)

    def to_pyarrow(self) -> Any:
        """Returns a pyarrow.Table."""
        import pyarrow

        return pyarrow.table(self)

    def _head(self) -> list[list[str]]:
        rows = min(len(self), _SHOWN_ROWS)
        return [
            [_cell(column[row]) for column in self._columns.values()] for row in range(rows)
        ]

    def __repr__(self) -> str:
        rows = [self.column_names, *self._head()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self._columns))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows]
        if len(self) > _SHOWN_ROWS:
            lines.append(f"... {len(self):,} rows")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        import html

        def row(cells: list[str], tag: str) -> str:
            inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
            return f"<tr>{inner}</tr>"

        body = "".join(row(cells, "td") for cells in self._head())
        more = f"<p>{len(self):,} rows</p>" if len(self) > _SHOWN_ROWS else ""
        return f"<table>{row(self.column_names, 'th')}{body}</table>{more}"


def _cell(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
