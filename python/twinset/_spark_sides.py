"""Where the documents of a run over Spark come from: rows of a DataFrame, or files."""

from __future__ import annotations

import os
from typing import Any

from twinset import _native
from twinset._spark_tasks import ID, KEY, OF_RECORDS, RECORD_BITS, TEXT, Tasks
from twinset.errors import UsageError

# So many files at most are read by one task after the other, for each core.
_TASKS_A_CORE = 16


class Side:
    """Documents, each with a KEY that says its place among those of its side."""

    #: The column that gives documents an order, where the caller has named one.
    order: str | None = None
    #: The column of ids; None: documents are called by their numbers.
    id: str | None = None
    #: The order is the same the next time.
    is_ordered = True
    #: The rows of the caller with KEY; None: he has none.
    data: Any = None

    def staged(self, tasks: Tasks) -> Any:
        """Returns KEY, ID and what tasks.taken says, a row for each record."""
        raise NotImplementedError

    def places(self, documents: Any, first: int) -> Any:
        """Returns rank, source, ordinal, url, date of documents with KEY and rank.

        The rank of the first document of the side is ``first``.
        """
        raise NotImplementedError


class Rows(Side):
    """The rows of a DataFrame."""

    def __init__(
        self, data: Any, text: str, id: str | None, order: str | None, source: str
    ) -> None:
        from pyspark.sql import functions

        check_columns(data, text, id, order)
        self._f = functions
        self._text, self._source = text, source
        self.id, self.order = id, order
        self.is_ordered = order is not None
        key = functions.col(order) if order else functions.monotonically_increasing_id()
        if order and _is_whole(data, order):
            key = key.cast("bigint")
        # It is evaluated again for kept and dropped: an order is the same then.
        self.data = data.withColumn(KEY, key)

    def staged(self, tasks: Tasks) -> Any:
        f = self._f
        name = f.col(self.id) if self.id else f.lit(None).cast("string")
        rows = self.data.select(KEY, name.alias(ID), f.col(self._text).alias(TEXT))
        made = f"{KEY} {rows.schema[KEY].dataType.simpleString()}, "
        made += f"{ID} {rows.schema[ID].dataType.simpleString()}, {tasks.taken}"
        return rows.mapInArrow(tasks.take, made)

    def places(self, documents: Any, first: int) -> Any:
        return documents.selectExpr(
            "rank", f"'{self._source}' as source", f"rank - {first} as ordinal", "'' as url",
            "'' as date",
        )


class Files(Side):
    """Files, which all executors can open, in the order of a run of the command."""

    id = "id"

    def __init__(self, spark: Any, paths: list[Any]) -> None:
        files = _native.staged_files([os.fsencode(path) for path in paths])
        rows = [(number, *file) for number, file in enumerate(files)]
        schema = "file bigint, path binary, source binary, relative binary, bytes bigint, time bigint"
        tasks = min(len(rows), _TASKS_A_CORE * spark.sparkContext.defaultParallelism)
        # Slices of the list, so that records come in their order from the beginning.
        rows = spark.sparkContext.parallelize(rows, max(1, tasks))
        self._files = spark.createDataFrame(rows, schema)

    def staged(self, tasks: Tasks) -> Any:
        of_records = ", ".join(f"{name} {kind}" for name, kind in OF_RECORDS.items())
        made = f"{KEY} bigint, {ID} string, {tasks.taken}, {of_records}"
        return self._files.mapInArrow(tasks.read, made)

    def places(self, documents: Any, first: int) -> Any:
        names = self._files.selectExpr("file", "decode(source, 'UTF-8') as source")
        rows = documents.selectExpr(
            "rank", f"shiftright({KEY}, {RECORD_BITS}) as file",
            f"{KEY} & {(1 << RECORD_BITS) - 1} as ordinal", "url", "date",
        )
        return rows.join(names, "file").select("rank", "source", "ordinal", "url", "date")


def _is_whole(data: Any, column: str) -> bool:
    kind = data.schema[column].dataType.typeName()
    return kind in ("byte", "short", "integer", "long")


def check_columns(data: Any, text: str, *others: str | None) -> None:
    for name in filter(None, (text, *others)):
        if name not in data.columns:
            raise UsageError(
                f'there is no column "{name}"', remedy="the columns are " + ", ".join(data.columns)
            )
    if data.schema[text].dataType.typeName() != "string":
        raise UsageError(
            "the column of the text has no strings",
            remedy="name a column of strings, or make it one",
        )
