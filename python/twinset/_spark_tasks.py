"""What executors of Spark do with batches of rows: the stages of twinset/stages.h."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any

from twinset import _native

# Names of the columns that documents have on their way.
KEY, ID, TEXT = "_twinset_key", "_twinset_id", "_twinset_text"
# What the stages give, as schemas of Spark.
_TAKEN = "reason string, detail string, size bigint, digest binary, keys array<bigint>, features binary"
# The key of a record of a file has its number in so many bits.
RECORD_BITS = 40
# What records of files have beside.
OF_RECORDS = {
    "url": "string", "date": "string", "offset": "bigint", "stage": "string", "read_id": "string",
    "original_id": "string",
}
# So many records of a file are in memory at once.
_RECORDS = 512
_LOOKED = (
    "reason string, detail string, size bigint, "
    "held array<struct<item bigint, kind string, similarity double, text string>>"
)
COPIES = "leader bigint, copy bigint"
JOINED = "kind bigint, a bigint, b bigint, c bigint, d bigint"
VERIFIED = "a bigint, b bigint, similarity double, a_contained double, b_contained double"
MEMBERS = "representative bigint, document bigint, similarity double, contained double"


class _Capsule:
    """What the extension module returns, for pyarrow."""

    def __init__(self, stream: object) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream


def _batch(stream: object) -> Any:
    """Returns the only batch of a native stream."""
    import pyarrow

    return pyarrow.RecordBatchReader.from_stream(_Capsule(stream)).read_next_batch()


def plain(batch: Any) -> Any:
    """Returns a batch as the extension module reads it: bytes as text, doubles as bits."""
    import pyarrow

    views = {
        pyarrow.binary(): pyarrow.string(),
        pyarrow.large_binary(): pyarrow.large_string(),
        pyarrow.float64(): pyarrow.int64(),
    }
    columns = [one.view(views.get(one.type, one.type)) for one in batch.columns]
    return pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _bytes(column: Any) -> Any:
    import pyarrow

    return column.view(pyarrow.large_binary())


def _offsets(ends: Any) -> Any:
    import pyarrow

    ends = ends.cast(pyarrow.int32())
    return pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()), ends])


def _looked(rows: Any, held: Any) -> dict[str, Any]:
    """Returns the columns of LeakTasks.taken, from what a native stage returns."""
    import pyarrow

    names = ["item", "kind", "similarity", "text"]
    values = pyarrow.StructArray.from_arrays([held.column(name) for name in names], names=names)
    return {
        **{name: rows.column(name) for name in ("reason", "detail", "size")},
        "held": pyarrow.ListArray.from_arrays(_offsets(rows.column("held_end")), values),
    }


def _staged(rows: Any, keys: Any) -> dict[str, Any]:
    """Returns the columns of Tasks.taken, from what a native stage returns."""
    import pyarrow

    offsets = _offsets(rows.column("keys_end"))
    return {
        "reason": rows.column("reason"),
        "detail": rows.column("detail"),
        "size": rows.column("size"),
        "digest": _bytes(rows.column("digest")),
        "keys": pyarrow.ListArray.from_arrays(offsets, keys.column("key")),
        "features": _bytes(rows.column("features")),
    }


class Tasks:
    """What executors do with the batches of a partition. The secret goes with it.

    Of two sides, the documents of the first have the ranks below ``first_side``.
    """

    #: The columns that documents have beside KEY and ID.
    taken = _TAKEN

    def __init__(
        self, words: list[str], key: bytes, of_files: bool = False, first_side: int = 0
    ) -> None:
        self._words = words
        self._key = key
        self._of_files = of_files
        self._first_side = first_side

    def of_sides(self, first_side: int) -> Tasks:
        return Tasks(self._words, self._key, self._of_files, first_side)

    def _stages(self) -> Any:
        return _native.stages(self._words, self._key, self._of_files)

    def take(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _take(self._stages(), _staged, batches)

    def read(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _read(self._stages(), _native.open_staged, self._words, _staged, batches)

    def classes(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(_native.stage_classes(), batches)

    def join(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().join(self._first_side), batches)

    def join_hot(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().join_hot(self._first_side), batches)

    def verify(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().verification(), batches)


class LeakTasks:
    """What executors do with training data. The items and the secret go with it."""

    taken = _LOOKED

    def __init__(self, words: list[str], key: bytes, of_files: bool, texts: Any) -> None:
        self._words = words
        self._key = key
        self._of_files = of_files
        self._texts = texts  # a broadcast: what a run looks for is its own

    def _look(self) -> Any:
        # A worker of Python does one task after the other.
        if self._key not in _looks:
            _looks.clear()
            _looks[self._key] = _native.leak_look(
                self._words, self._key, self._texts.value, self._of_files
            )
        return _looks[self._key]

    def look(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _take(self._look(), _looked, batches)

    take = look

    def read(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _read(self._look(), _native.open_leak, self._words, _looked, batches)


# The items that this worker has made ready, by the secret of their run.
_looks: dict[bytes, Any] = {}


def _take(stage: Any, columns: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Yields what a native stage makes of documents that are rows."""
    import pyarrow

    for batch in batches:
        texts = pyarrow.RecordBatch.from_arrays([batch.column(TEXT)], names=["text"])
        made = {KEY: batch.column(KEY), ID: batch.column(ID)}
        made |= columns(*map(_batch, stage.take(texts)))
        yield pyarrow.RecordBatch.from_arrays(list(made.values()), names=list(made))


def _read(
    stage: Any, open_file: Any, words: list[str], columns: Any, batches: Iterable[Any]
) -> Iterator[Any]:
    """Yields what a native stage makes of the records of files."""
    import pyarrow

    for batch in batches:
        for number, *file in zip(*(column.to_pylist() for column in batch.columns)):
            reader = open_file(words, tuple(file))
            while (taken := stage.read(reader, _RECORDS)) is not None:
                rows, more = map(_batch, taken)
                first = number << RECORD_BITS
                ordinals = rows.column("ordinal").to_pylist()
                made = {
                    KEY: pyarrow.array([first + one for one in ordinals], pyarrow.int64()),
                    ID: rows.column("id"),
                    **columns(rows, more),
                    **{name: rows.column(name) for name in OF_RECORDS},
                }
                yield pyarrow.RecordBatch.from_arrays(list(made.values()), names=list(made))


class PartFacts:
    """What the KEY of a partition is: its number, its rows, the first, the last, whether it rises.

    Rows are the number of the row, above ``row_bits`` bits that of the partition, and KEY.
    """

    def __init__(self, row_bits: int) -> None:
        self._row_bits = row_bits

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        rows, number, rises, first, last = 0, 0, True, None, None
        for batch in batches:
            if batch.num_rows:
                at, keys = batch.columns
                number = at[0].as_py() >> self._row_bits
                rises = rises and _rises(keys if last is None else pyarrow.concat_arrays([last, keys]))
                first = keys.slice(0, 1) if first is None else first
                last = keys.slice(batch.num_rows - 1)
                rows += batch.num_rows
        if rows:
            counts = [pyarrow.array([number], pyarrow.int32()), pyarrow.array([rows])]
            yield pyarrow.RecordBatch.from_arrays(
                [*counts, first, last, pyarrow.array([rises])],
                names=["number", "rows", "first", "last", "rises"],
            )


def _rises(keys: Any) -> bool:
    """Says whether each of the values is less than the next, as far as Python can tell."""
    values = keys.to_pylist()
    if isinstance(values[0], dict):
        values = [tuple(one.values()) for one in values]
    try:
        return all(map(operator.lt, values, values[1:]))
    except TypeError:  # null, or of a kind without an order
        return False


class Cover:
    """The star cover, in one task."""

    def __init__(self, documents: int) -> None:
        self._documents = documents

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(_native.stage_cover(self._documents), batches)


def _through(stream: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Yields what a native stream makes of batches."""
    for batch in batches:
        yield _batch(stream.add(plain(batch)))
    yield _batch(stream.finish())


def pair_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.pair_lines(plain(batch))]})


def quarantine_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.quarantine_lines(plain(batch))]})


def cluster_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.cluster_lines(plain(batch))]})


def leak_document_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        lines = _native.leak_document_lines(plain(batch))
        yield pyarrow.RecordBatch.from_pydict({"lines": [lines]})


def _names(column: Any) -> bytes:
    return "".join(name + "\n" for name in column.to_pylist()).encode()


def name_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_names(batch.column(0))]})


def list_lines(batches: Iterable[Any]) -> Iterator[Any]:
    """Gives the lines of keep.txt, drop.txt and empty.txt for name, is_gone, is_empty."""
    import pyarrow
    import pyarrow.compute

    for batch in batches:
        names, is_gone, is_empty = batch.columns
        lists = {"keep": pyarrow.compute.invert(is_gone), "drop": is_gone, "empty": is_empty}
        lines = {name: [_names(names.filter(which))] for name, which in lists.items()}
        yield pyarrow.RecordBatch.from_pydict(lines)


def best_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.best_lines(plain(batch))]})


def numbers_of_repeated(batches: Iterable[Any]) -> Iterator[Any]:
    """Gives documents of one id the next numbers that no other document has.

    Rows are base, number (0: the document is called so), rank, in order of base, the
    taken numbers first, then rank.
    """
    import pyarrow

    base, taken, number, is_first = None, [], 2, True
    for batch in batches:
        ranks, numbers = [], []
        for row in batch.to_pylist():
            if row["base"] != base:
                base, taken, number, is_first = row["base"], [], 2, True
            if row["number"]:
                taken.append(int(row["number"]))
            elif is_first:
                is_first = False
            else:
                while taken and taken[0] <= number:
                    number += taken.pop(0) == number
                ranks.append(row["rank"])
                numbers.append(number)
                number += 1
        yield pyarrow.RecordBatch.from_arrays(
            [pyarrow.array(ranks, pyarrow.int64()), pyarrow.array(numbers, pyarrow.int64())],
            names=["rank", "number"],
        )
