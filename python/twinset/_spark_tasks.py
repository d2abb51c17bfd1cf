"""What executors of Spark do with batches of rows: the stages of twinset/stages.h."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from twinset import _native

# Names of the columns that documents have on their way.
KEY, ID, TEXT = "_twinset_key", "_twinset_id", "_twinset_text"
# What the stages give, as schemas of Spark.
TAKEN = "reason string, detail string, size bigint, digest binary, keys array<bigint>, features binary"
# The key of a record of a file has its number in so many bits.
RECORD_BITS = 40
# So many records of a file are in memory at once.
_RECORDS = 512
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


def _plain(batch: Any) -> Any:
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


def _staged(rows: Any, keys: Any) -> dict[str, Any]:
    """Returns the columns of TAKEN, from what a native stage returns."""
    import pyarrow

    ends = rows.column("keys_end").cast(pyarrow.int32())
    offsets = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()), ends])
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
        import pyarrow

        stages = self._stages()
        for batch in batches:
            texts = pyarrow.RecordBatch.from_arrays([batch.column(TEXT)], names=["text"])
            made = {KEY: batch.column(KEY), ID: batch.column(ID)}
            made |= _staged(*map(_batch, stages.take(texts)))
            yield pyarrow.RecordBatch.from_arrays(list(made.values()), names=list(made))

    def read(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        stages = self._stages()
        for batch in batches:
            for number, *file in zip(*(column.to_pylist() for column in batch.columns)):
                reader = stages.open(self._words, tuple(file))
                while (taken := reader.take(_RECORDS)) is not None:
                    rows, keys = map(_batch, taken)
                    first = number << RECORD_BITS
                    ordinals = rows.column("ordinal").to_pylist()
                    made = {
                        KEY: pyarrow.array([first + one for one in ordinals], pyarrow.int64()),
                        ID: rows.column("id"),
                        **_staged(rows, keys),
                        "url": rows.column("url"),
                        "date": rows.column("date"),
                    }
                    yield pyarrow.RecordBatch.from_arrays(list(made.values()), names=list(made))

    def classes(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(_native.stage_classes(), batches)

    def join(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().join(self._first_side), batches)

    def join_hot(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().join_hot(self._first_side), batches)

    def verify(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().verification(), batches)


class Cover:
    """The star cover, in one task."""

    def __init__(self, documents: int) -> None:
        self._documents = documents

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(_native.stage_cover(self._documents), batches)


def _through(stream: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Yields what a native stream makes of batches."""
    for batch in batches:
        yield _batch(stream.add(_plain(batch)))
    yield _batch(stream.finish())


def pair_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.pair_lines(_plain(batch))]})


def cluster_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.cluster_lines(_plain(batch))]})


def best_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.best_lines(_plain(batch))]})


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
