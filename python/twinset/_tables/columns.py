"""Columns of tables as texts and values of JSON."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import urllib.parse
from collections.abc import Iterator
from typing import Any


class Wanted:
    """A column of a row as the command asks for it: a path of names (docs/formats/inputs.md, Paths)."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.name: str = asked["name"]
        self.paths: list[list[str]] = asked["paths"]

    def resolve(self, schema: Any) -> list[tuple[str, list[int]]]:
        """Names and places of what is read for it: the column itself, a member of structs, or a whole column."""
        import pyarrow as pa

        names = schema.names
        if self.name in names:
            return [(self.name, [names.index(self.name)])]
        found = []
        for path in self.paths:
            if path[0] not in names:
                continue
            places = [names.index(path[0])]
            kind = schema.field(places[0]).type
            for key in path[1:]:
                if not pa.types.is_struct(kind) or kind.get_field_index(key) < 0:
                    break
                places.append(kind.get_field_index(key))
                kind = kind.field(places[-1]).type
            is_whole = len(places) == len(path) and len(self.paths) == 1
            found.append((self.name, places) if is_whole else (path[0], places[:1]))
        return found


NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # what writers of partitions call null


def folder_columns(address: str) -> dict[str, str | None]:
    """Columns that stand in the names of folders, as in ``lake/crawl=2026-01/part-0.parquet``."""
    pairs = (folder.split("=", 1) for folder in address.split("/")[:-1] if "=" in folder)
    values = {urllib.parse.unquote(name): urllib.parse.unquote(value) for name, value in pairs}
    return {name: None if value == NO_VALUE else value for name, value in values.items()}


def field_paths(schema: Any) -> list[str]:
    """The names of a table's values, as paths."""
    import pyarrow as pa

    def below(path: str, kind: Any, depth: int) -> Iterator[str]:
        if pa.types.is_struct(kind) and kind.num_fields and depth < 8:
            for member in kind:
                yield from below(f"{path}.{escaped(member.name)}", member.type, depth + 1)
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
            yield from below(f"{path}.*", kind.value_type, depth + 1)
        else:
            yield path

    return [path for field in schema for path in below(escaped(field.name), field.type, 0)][:10000]


def escaped(name: str) -> str:
    return "".join("\\" + c if c in ".,\\" else c for c in name)


def plain(value: Any) -> Any:
    """A value of JSON for a value of a table."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


PRINTABLE = bytes(range(32, 256))


def quoted(texts: Any) -> Any:
    """Texts as strings of JSON; bytes that are not UTF-8 stay."""
    import pyarrow as pa
    import pyarrow.compute as pc

    data = texts.buffers()[2]
    controls = set(bytes(data or b"").translate(None, PRINTABLE))
    for one in ("\\", '"'):
        texts = pc.replace_substring(texts, one, "\\" + one)
    for code in controls:
        texts = pc.replace_substring(texts, chr(code), json.dumps(chr(code))[1:-1])
    quote = pa.scalar('"', pa.large_string())
    return pc.binary_join_element_wise(quote, texts, quote, pa.scalar("", pa.large_string()))


def as_json(column: Any) -> Any:
    """Values as JSON, in large strings; null where there is none. Column by column, but for leaves of rare types."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def text(value: str | None) -> Any:
        return pa.scalar(value, pa.large_string())

    def or_null(values: Any) -> Any:
        return pc.fill_null(as_json(values), text("null"))

    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return as_json(column.storage)
    if pa.types.is_dictionary(kind):
        return as_json(column.cast(kind.value_type))
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return quoted(column.cast(pa.large_string()))
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return column.cast(pa.large_string())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        items = pa.LargeListArray.from_arrays(column.offsets.cast(pa.int64()), or_null(column.values))
        parts = [text("["), pc.binary_join(items, text(", ")), text("]")]
    elif pa.types.is_struct(kind) and kind.num_fields:
        parts = []
        for i, member in enumerate(kind):
            name = json.dumps(member.name, ensure_ascii=False)
            parts += [text((", " if i else "{") + name + ": "), or_null(pc.struct_field(column, [i]))]
        parts.append(text("}"))
    else:
        values = (None if v is None else json.dumps(plain(v), ensure_ascii=False) for v in column.to_pylist())
        return pa.array(values, pa.large_string())
    return pc.if_else(column.is_valid(), pc.binary_join_element_wise(*parts, text("")), text(None))


def as_text(column: Any) -> tuple[str, Any]:
    """``text`` or ``json``, and the column as strings: texts as they are, or values as JSON."""
    import pyarrow as pa

    kind = column.type
    while isinstance(kind, pa.BaseExtensionType):
        column, kind = column.storage, kind.storage_type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        return "text", column
    if pa.types.is_string(kind) or pa.types.is_string_view(kind):
        return "text", column.cast(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind) or pa.types.is_binary_view(kind):
        return "text", column.cast(pa.large_binary())
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return "json", column.cast(pa.large_string())
    if pa.types.is_decimal(kind):
        return "json", pa.array([None if v is None else f"{v:f}" for v in column.to_pylist()], pa.large_string())
    if pa.types.is_temporal(kind):
        return "text", pa.array([None if v is None else plain(v) for v in column.to_pylist()], pa.large_string())
    return "json", as_json(column)


def member_of(column: Any, places: list[int]) -> Any:
    import pyarrow.compute as pc

    return pc.struct_field(column, places) if places else column


def buffers_of(texts: Any) -> list[Any]:
    """Of a column of large strings: a byte a row that says whether it is there, the places where texts begin and the
    last one ends (64 bits, little endian, from the first), and the texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    count = len(texts)
    _, offsets, data = texts.buffers()
    places = pa.Array.from_buffers(pa.int64(), count + 1, [None, offsets], offset=texts.offset)
    first, last = places[0].as_py(), places[count].as_py()
    valid = pc.is_valid(texts).cast(pa.uint8()).buffers()[1]
    relative = pc.subtract(places, first).buffers()[1]
    body = memoryview(data)[first:last] if data is not None else memoryview(b"")
    return [memoryview(valid)[:count], memoryview(relative)[: 8 * (count + 1)], body]
