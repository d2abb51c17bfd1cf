"""The rows of a table."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterable
from typing import Any

from .columns import Wanted, as_text, buffers_of, escaped, field_paths, folder_columns, member_of
from .failure import first_line
from .formats import Damage, is_table, open_table, table_of
from .objects import Objects, check_of, is_remote, is_web, open_file, state_of


def folders_of(schema: Any, address: str) -> dict[str, str | None]:
    """The columns of a table that are names of folders."""
    return {name: value for name, value in folder_columns(address).items() if name not in schema.names}


def places_of(schema: Any, folders: Iterable[str], asked: list[dict[str, Any]]) -> dict[str, list[int]]:
    """Names and places of the columns that are there of those that are asked for; that of a folder has no number."""
    places: dict[str, list[int]] = {}
    for wanted in map(Wanted, asked):
        found = wanted.resolve(schema) or [(wanted.name, []) for _ in range(wanted.name in folders)]
        for name, place in found:
            places.setdefault(name, place)
    return places


def schemas_of(objects: Objects, addresses: list[str], asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the tables among these say of their columns, each time that it differs: the first table, all its fields, and
    the columns that are there of those asked for. What cannot be read is left out: its reader will say so."""

    def schema_of(address: str) -> Any:
        try:
            with open_file(objects, address) as file:
                head = file.read(8)
                return table_of(file, head, None).schema if is_table(head) else None
        except Exception:  # noqa: BLE001
            return None

    if any(map(is_remote, addresses)):  # a store answers several at once
        import pyarrow.parquet  # noqa: F401  before there are threads

        for address in addresses:
            if is_remote(address) and not is_web(address):
                objects.system(address)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            schemas = list(pool.map(schema_of, addresses))
    else:
        schemas = [schema_of(address) for address in addresses]
    found: list[tuple[Any, list[str], str]] = []
    for address, schema in zip(addresses, schemas):
        if schema is None:
            continue
        folders = list(folders_of(schema, address))
        if not any(schema.equals(other) and folders == names for other, names, _ in found):
            found.append((schema, folders, address))
    return [
        {
            "path": address,
            "fields": field_paths(schema) + list(map(escaped, folders)),
            "columns": list(places_of(schema, folders, asked)),
        }
        for schema, folders, address in found
    ]


class Reading:
    """The rows of one table, from the first to the last."""

    def __init__(self, objects: Objects, address: str, asked: list[dict[str, Any]], most_bytes: int) -> None:
        self.objects = objects
        self.file = open_file(objects, address)
        self.state: dict[str, Any] = {}
        if is_remote(address):
            self.state = objects.stat(address) if is_web(address) else state_of(self.file)
        self.address, self.most_bytes = address, most_bytes
        self.table = open_table(self.file, address, check_of(objects, address))
        self.folders = folders_of(self.table.schema, address)
        places = places_of(self.table.schema, self.folders, asked)
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
