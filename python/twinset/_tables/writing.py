"""Tables that are written again, without what goes."""

from __future__ import annotations

import json
from typing import Any

from .failure import Failure, first_line
from .formats import ARROW, ORC, BatchTable, Damage, ParquetTable, open_table, size_of
from .objects import Objects, check_of, open_file

Columns = tuple[tuple[str, str, str], ...]  # that are added: name, key in "twinset" of a row, type
OF_CLUSTERS: Columns = (
    ("twinset_id", "id", "string"),
    ("twinset_cluster", "cluster", "string"),
    ("twinset_kept_id", "kept_id", "string"),
    ("twinset_copies", "size", "int64"),
    ("twinset_is_representative", "is_representative", "bool_"),
    ("twinset_similarity", "similarity", "float64"),
    ("twinset_contained", "contained", "float64"),
)
OF_LEAKS: Columns = (
    ("twinset_items", "items", "int64"),
    ("twinset_share", "share", "float64"),
    ("twinset_leaks", "leaks", "string"),
)
ANNOTATIONS = {"": (), "clusters": OF_CLUSTERS, "leaks": OF_LEAKS}
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

    def is_before(self, row: int) -> bool:
        return self.ahead is not None and self.ahead["row"] < row

    def take(self, end: int) -> list[dict[str, Any]]:
        """The rows in front of ``end``."""
        taken = []
        while self.ahead is not None and self.ahead["row"] < end:
            taken.append(self.ahead)
            self._next()
        return taken


class Written:
    """What the command is told of a table that was written."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.rows = self.left_out = 0  # of the rows that stay
        self.warnings: list[str] = []

    def leave_out(self, damage: Damage, stays: int) -> None:
        """Counts rows that stay and cannot be copied, since their table is damaged."""
        if damage.is_memory:
            raise Failure("io", str(damage), self.address, "run it where more memory is free")
        if stays == 0:
            return
        self.left_out += stays
        count = "1 row that stays is" if stays == 1 else f"{stays} rows that stay are"
        self.warnings.append(f"{self.address}: {count} not written, since the table is damaged: {damage}")


def value_of(said: dict[str, Any] | None, key: str) -> Any:
    """What a row gets in a column; ``kept_id`` is null for a row that is itself the one that is kept, and all are for a
    row that is no document."""
    if said is None:
        return None
    if key == "kept_id":
        return None if said["is_representative"] else said["cluster"]
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
        values = pa.array([value_of(one["twinset"], key) for one in rows], getattr(pa, kind)())
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
        use_compliant_nested_type=not any(".list.item." in f"{path}." for path in paths),
        store_schema=b"ARROW:schema" in (metadata.metadata or {}),
    )


def write_parquet(table: ParquetTable, script: Script, annotations: Columns, target: str, written: Written) -> None:
    first = 0
    schema = annotated_schema(table.schema, annotations, written.address)
    with parquet_writer(table.file, target, schema) as writer:
        for group in range(table.file.metadata.num_row_groups):
            behind = first + table.file.metadata.row_group(group).num_rows
            parts: list[Any] = []
            size = 0
            for batch in table.group_batches(group, table.schema.names) if script.is_before(behind) else ():
                if isinstance(batch, Damage):
                    written.leave_out(batch, len(script.take(behind)))
                    break
                stays = script.take(first + batch.num_rows)
                if stays:
                    parts.append(edited(batch, first, stays, annotations))
                    size += size_of(batch) * len(stays) // batch.num_rows
                first += batch.num_rows
                if size >= GROUP_BYTES:
                    written.rows += write_group(writer, parts, schema)
                    size = 0
            first = behind
            if parts:
                written.rows += write_group(writer, parts, schema)
    written.warnings += changed_types(table.file.schema, target, written.address)


def in_schema(table: Any, schema: Any) -> Any:
    """A table with the types and metadata of ``schema``. Only other types are cast: in slices pyarrow cannot cast a
    struct with a member of type null, even to its own type."""
    import pyarrow as pa

    columns = [
        column if column.type == field.type else column.cast(field.type) for column, field in zip(table.columns, schema)
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def with_used_values(column: Any) -> Any:
    """A column whose dictionary holds the values of its rows alone, in the order that they had: what is in no row would
    be written too."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = column.unify_dictionaries().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    used = pc.unique(whole.indices).drop_null()
    used = used.take(pc.sort_indices(used))
    indices = pc.index_in(whole.indices, used).cast(column.type.index_type)
    return pa.DictionaryArray.from_arrays(indices, whole.dictionary.take(used), ordered=column.type.ordered)


def write_group(writer: Any, parts: list[Any], schema: Any) -> int:
    import pyarrow as pa

    table = in_schema(pa.concat_tables(parts), schema)
    parts.clear()
    for i, column in enumerate(table.columns):
        if pa.types.is_dictionary(column.type):
            table = table.set_column(i, schema.field(i), with_used_values(column))
    writer.write_table(table, row_group_size=max(1, table.num_rows))
    return int(table.num_rows)


def changed_types(before: Any, target: str, address: str) -> list[str]:
    """Warnings of columns whose type in Parquet the library does not write, such as INTERVAL."""
    import pyarrow.parquet as pq

    def type_of(column: Any) -> str:
        said = str(column.logical_type).split(", is_from_converted_type")[0]
        plain = said in ("None", "Int(bitWidth=32, isSigned=true)", "Int(bitWidth=64, isSigned=true)")
        return column.physical_type if plain else said

    with pq.ParquetFile(target) as file:
        pairs = [(before.column(i), file.schema.column(i)) for i in range(len(before))]
    return [
        f"{address}: column {old.path} is written as {type_of(new)}, no longer as {type_of(old)}, which pyarrow cannot write"
        for old, new in pairs
        if type_of(old) != type_of(new)
    ]


def write_batches(table: BatchTable, script: Script, annotations: Columns, target: str, written: Written) -> None:
    import pyarrow as pa
    from pyarrow import orc

    first = 0
    schema = annotated_schema(table.schema, annotations, written.address)
    if table.format == ORC:
        writer: Any = orc.ORCWriter(target, compression=table.file.compression.lower())
    elif table.format == ARROW:
        writer = pa.ipc.new_file(target, schema)
    else:
        writer = pa.ipc.new_stream(target, schema)
    with writer:
        for batch in table.whole_batches():
            if isinstance(batch, Damage):  # of which no row is known, so none stays
                written.leave_out(batch, 0)
                continue
            stays = script.take(first + batch.num_rows)
            if stays:
                part = in_schema(edited(batch, first, stays, annotations), schema).combine_chunks()
                writer.write(part) if table.format == ORC else writer.write_table(part)
                written.rows += part.num_rows
            first += batch.num_rows
        if table.format == ORC and written.rows == 0:  # it has no schema before the first rows
            writer.write(schema.empty_table())


def write_like(objects: Objects, address: str, script_path: str, annotation: str, target: str) -> Written:
    """Writes the rows of a table that stay, with the columns of an annotation, if it names one."""
    script, written = Script(script_path), Written(address)
    with open_file(objects, address) as file, script.lines:
        table = open_table(file, address, check_of(objects, address))
        try:
            if isinstance(table, ParquetTable):
                write_parquet(table, script, ANNOTATIONS[annotation], target, written)
            else:
                write_batches(table, script, ANNOTATIONS[annotation], target, written)
        except Failure:
            raise
        except MemoryError:
            raise Failure("io", "a row takes more memory than there is for it", address) from None
        except Exception as error:  # noqa: BLE001  whatever the library says of types and disks
            raise Failure(
                "io", f"the table cannot be written again: {first_line(error)}", address, "leave it out, or repair it"
            ) from None
        if script.ahead is not None:
            raise Failure("io", "the table has fewer rows than it had", address)
    return written
