"""Tables that are written again, without what goes."""

from __future__ import annotations

import json
from typing import Any

from .failure import Failure, first_line
from .formats import ARROW, ORC, BatchTable, ParquetTable, open_table, rows_at_once
from .objects import Objects, open_file

Columns = tuple[tuple[str, str, str], ...]
OF_CLUSTERS: Columns = (
    ("twinset_cluster", "cluster", "string"),
    ("twinset_size", "size", "int64"),
    ("twinset_is_representative", "is_representative", "bool_"),
    ("twinset_similarity", "similarity", "float64"),
    ("twinset_contained", "contained", "float64"),
)
OF_LEAKS: Columns = (
    ("twinset_items", "items", "int64"),
    ("twinset_share", "share", "float64"),
    ("twinset_leaks", "leaks", "string"),
)
GROUP_BYTES = 64 << 20  # a longer row group is written as several


class Script:
    """What stays of a table: a line for each row in order, ``{"row": N}``, with ``"twinset"``, what is said of it, and
    ``"set"``, the columns of text that have another value."""

    def __init__(self, path: str) -> None:
        self.lines = open(path, encoding="utf-8")
        self.ahead: dict[str, Any] | None = None
        self._next()

    def _next(self) -> None:
        line = self.lines.readline()
        self.ahead = json.loads(line) if line else None

    @property
    def annotations(self) -> Columns:
        """The columns that are added: name, key in ``"twinset"``, type."""
        if self.ahead is None or "twinset" not in self.ahead:
            return ()
        return OF_LEAKS if "leaks" in self.ahead["twinset"] else OF_CLUSTERS

    def is_before(self, row: int) -> bool:
        return self.ahead is not None and self.ahead["row"] < row

    def take(self, end: int) -> list[dict[str, Any]]:
        """The rows in front of ``end``."""
        taken = []
        while self.ahead is not None and self.ahead["row"] < end:
            taken.append(self.ahead)
            self._next()
        return taken


def annotation(said: dict[str, Any], key: str) -> Any:
    value = said.get(key)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if isinstance(value, list) else value


def edited(batch: Any, first: int, rows: list[dict[str, Any]], annotations: Columns) -> Any:
    """The rows of a batch that stay, as a table."""
    import pyarrow as pa

    # Slices, since not every type can be taken by numbers.
    table, runs = pa.Table.from_batches([batch]), []
    for at in (one["row"] - first for one in rows):
        if runs and runs[-1][0] + runs[-1][1] == at:
            runs[-1][1] += 1
        else:
            runs.append([at, 1])
    table = pa.concat_tables([table.slice(at, count) for at, count in runs])
    changed = {name for one in rows for name in one.get("set", {})}
    for name in changed:
        at = table.schema.get_field_index(name)
        if at < 0:
            raise Failure("usage", f"no column is called {name}, so its texts cannot be cut", "")
        field = table.schema.field(at)
        old = table.column(at).to_pylist()
        new = [one.get("set", {}).get(name, old[i]) for i, one in enumerate(rows)]
        table = table.set_column(at, field, pa.array(new, field.type))
    for name, key, kind in annotations:
        values = pa.array([annotation(one["twinset"], key) for one in rows], getattr(pa, kind)())
        table = table.append_column(name, values)
    return table


def annotated_schema(schema: Any, annotations: Columns, address: str) -> Any:
    import pyarrow as pa

    for name, _, kind in annotations:
        if name in schema.names:
            raise Failure("usage", f"the table has a column {name} already", address, "rename it, or run --action drop")
        schema = schema.append(pa.field(name, getattr(pa, kind)()))
    return schema


def parquet_writer(like: Any, target: str, schema: Any) -> Any:
    """A writer whose files have the codecs and metadata of ``like``."""
    import pyarrow.parquet as pq

    metadata = like.metadata
    codecs, dictionaries, paths, kinds = {}, [], [], set()
    if metadata.num_row_groups and metadata.num_columns:
        group = metadata.row_group(0)
        for i in range(metadata.num_columns):
            column = group.column(i)
            paths.append(column.path_in_schema)
            kinds.add(column.physical_type)
            codec = {"UNCOMPRESSED": "none", "LZ4_RAW": "lz4"}.get(column.compression, column.compression.lower())
            codecs[column.path_in_schema] = codec
            if any("DICTIONARY" in encoding for encoding in column.encodings):
                dictionaries.append(column.path_in_schema)
    first = next(iter(codecs.values()), "snappy")
    for name in schema.names[len(like.schema_arrow.names) :]:
        codecs[name] = first
    return pq.ParquetWriter(
        target,
        schema,
        compression=codecs or "snappy",
        use_dictionary=dictionaries or False,
        version="2.6",  # earlier ones lack types that their writers store all the same
        use_deprecated_int96_timestamps="INT96" in kinds,
        use_compliant_nested_type=not any(path.endswith(".list.item") for path in paths),
        store_schema=b"ARROW:schema" in (metadata.metadata or {}),
    )


def write_parquet(table: ParquetTable, script: Script, target: str, address: str) -> int:
    import pyarrow as pa

    annotations, written, first = script.annotations, 0, 0
    schema = annotated_schema(table.schema, annotations, address)
    with parquet_writer(table.file, target, schema) as writer:
        for group in range(table.file.metadata.num_row_groups):
            rows = table.file.metadata.row_group(group).num_rows
            size = table.file.metadata.row_group(group).total_byte_size
            parts: list[Any] = []
            if script.is_before(first + rows):
                for batch in table.group(group, table.schema.names, rows_at_once(size, rows), 0):
                    stays = script.take(first + batch.num_rows)
                    if stays:
                        parts.append(edited(batch, first, stays, annotations))
                    first += batch.num_rows
                    rows -= batch.num_rows
                    if sum(part.nbytes for part in parts) >= GROUP_BYTES:
                        written += write_group(writer, pa.concat_tables(parts).cast(schema))
                        parts = []
            first += rows
            if parts:
                written += write_group(writer, pa.concat_tables(parts).cast(schema))
    return written


def write_group(writer: Any, table: Any) -> int:
    writer.write_table(table, row_group_size=max(1, table.num_rows))
    return int(table.num_rows)


def write_batches(table: BatchTable, script: Script, target: str, address: str) -> int:
    import pyarrow as pa
    from pyarrow import orc

    annotations, written, first = script.annotations, 0, 0
    schema = annotated_schema(table.schema, annotations, address)
    if table.format == ORC:
        writer: Any = orc.ORCWriter(target, compression=table.file.compression.lower())
    elif table.format == ARROW:
        writer = pa.ipc.new_file(target, schema)
    else:
        writer = pa.ipc.new_stream(target, schema)
    with writer:
        at = 0
        while table.count is None or at < table.count:
            try:
                batch = table.batch(at)
            except StopIteration:
                break
            at += 1
            stays = script.take(first + batch.num_rows)
            if stays:
                part = edited(batch, first, stays, annotations).cast(schema).combine_chunks()
                writer.write(part) if table.format == ORC else writer.write_table(part)
                written += part.num_rows
            first += batch.num_rows
    return written


def write_like(objects: Objects, address: str, script_path: str, target: str) -> int:
    """Writes the rows of a table that stay; returns how many there are."""
    script = Script(script_path)
    with open_file(objects, address) as file, script.lines:
        table = open_table(file, address)
        try:
            if isinstance(table, ParquetTable):
                written = write_parquet(table, script, target, address)
            else:
                written = write_batches(table, script, target, address)
        except Failure:
            raise
        except MemoryError:
            raise Failure("io", "a row takes more memory than there is for it", address) from None
        except Exception as error:  # noqa: BLE001  whatever the library says of damage and disks
            raise Failure(
                "io", f"the table cannot be written again: {first_line(error)}", address, "leave it out, or repair it"
            ) from None
        if script.ahead is not None:
            raise Failure("io", "the table has fewer rows than it had", address)
    return written
