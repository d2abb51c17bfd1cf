"""The rows of a table."""

from __future__ import annotations

from typing import Any

from .columns import Wanted, as_text, buffers_of, escaped, field_paths, folder_columns, member_of
from .failure import first_line
from .formats import Damage, open_table
from .objects import Objects, check_of, is_remote, open_file


class Reading:
    """The rows of one table, from the first to the last."""

    def __init__(self, objects: Objects, address: str, asked: list[dict[str, Any]], most_bytes: int) -> None:
        self.objects = objects
        self.state = objects.stat(address) if is_remote(address) else {}
        self.file = open_file(objects, address)
        self.address, self.most_bytes = address, most_bytes
        self.table = open_table(self.file, address, check_of(objects, address))
        schema = self.table.schema
        self.folders = {k: v for k, v in folder_columns(address).items() if k not in schema.names}
        places: dict[str, list[int]] = {}  # without a number for a column that is the name of a folder
        for wanted in map(Wanted, asked):
            found = wanted.resolve(schema) or [(wanted.name, []) for _ in range(wanted.name in self.folders)]
            for name, place in found:
                places.setdefault(name, place)
        self.columns = list(places.items())
        self.read = sorted({place[0] for place in places.values() if place})
        self.batches = self.table.batches(self.read)
        self.row = 0

    def told(self) -> dict[str, Any]:
        return {
            **self.state,
            "rows": self.table.rows,
            "format": self.table.format,
            "fields": field_paths(self.table.schema) + list(map(escaped, self.folders)),
            "columns": [name for name, _ in self.columns],
        }

    def next(self) -> tuple[dict[str, Any], list[Any]]:
        """What is said of the next rows, and their bytes."""
        batch = next(self.batches, None)
        if batch is None:
            state = self.objects.stat(self.address) if is_remote(self.address) else {}
            return {**state, "rows": 0, "body_bytes": 0}, []
        first = self.row
        if isinstance(batch, Damage):
            self.row += batch.rows
            return {"rows": 0, "first": first, "damaged_rows": batch.rows, "damage": str(batch), "body_bytes": 0}, []
        self.row += batch.num_rows
        try:
            return self._told_of(batch, first)
        except Exception as error:  # noqa: BLE001  a value that the library cannot convert
            said = {"rows": 0, "first": first, "damaged_rows": batch.num_rows, "damage": first_line(error), "body_bytes": 0}
            return said, []

    def _told_of(self, batch: Any, first: int) -> tuple[dict[str, Any], list[Any]]:
        import pyarrow as pa

        columns, buffers, size = [], [], 0
        too_large: dict[int, int] = {}
        for name, place in self.columns:
            if place:
                kind, texts = as_text(member_of(batch.column(self.read.index(place[0])), place[1:]))
            else:
                kind, texts = "text", pa.array([self.folders[name]] * batch.num_rows, pa.large_string())
            texts = self._without_long(texts, too_large)
            parts = buffers_of(texts)
            columns.append({"name": name, "kind": kind, "data_bytes": parts[2].nbytes})
            buffers += parts
        size = sum(buffer.nbytes for buffer in buffers)
        said = {"rows": batch.num_rows, "first": first, "columns": columns, "body_bytes": size}
        if too_large:
            said["too_large"] = sorted(too_large.items())
        return said, buffers

    def _without_long(self, texts: Any, too_large: dict[int, int]) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        lengths = pc.binary_length(texts)
        if (pc.max(lengths).as_py() or 0) <= self.most_bytes:
            return texts
        is_long = pc.fill_null(pc.greater(lengths, self.most_bytes), False)
        for row in pc.indices_nonzero(is_long).to_pylist():
            too_large[row] = max(too_large.get(row, 0), lengths[row].as_py())
        return pc.if_else(is_long, pa.scalar(None, texts.type), texts)
