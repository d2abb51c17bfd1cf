"""leak over Spark: every executor holds the items, and training data stream past them."""

from __future__ import annotations

import json
import os
from typing import Any

from twinset import _native, _spark_tasks
from twinset._spark_run import FEW, Run, Written
from twinset._spark_sides import Side
from twinset._spark_tasks import KEY
from twinset.errors import TwinsetError, UnsupportedError

#: Bytes of the texts of all items, of which every core of an executor makes about five times
#: as much.
MOST_ITEM_BYTES = 1 << 28
#: Rows of documents.jsonl for a short item that leaks nowhere, as kMostLeakDocuments.
_MOST_ROWS = 1000
_SHORT = "short-embedded"
_ROW = "item", "split", "kind", "document", "similarity"


def check_size(size: int) -> None:
    if size > MOST_ITEM_BYTES:
        raise UnsupportedError(
            f"the texts of the items have {size:,} bytes, and every executor holds them all: "
            f"the limit is {MOST_ITEM_BYTES:,}",
            remedy="give the items in parts, or run the command twinset leak",
        )


class Leak(Run):
    """The items that stand in training data. Its documents are the training data."""

    def __init__(self, side: Side, tasks: Any, items: Any) -> None:
        super().__init__([side], tasks, None)
        self._items = items

    def decide(self) -> None:
        self._take()
        self._rank()
        if not self._documents.filter("size > 0").take(1):
            raise TwinsetError("the training data have no document with a word")
        self._hold()

    def _hold(self) -> None:
        """Finds what holds what: rank, place, item, kind, similarity, text."""
        f = self._f
        held = self._staged.filter("size(held) > 0").select(
            KEY, f.posexplode("held").alias("place", "one")
        )
        held = held.join(self._documents.select("rank", KEY), KEY)
        held = self._store(held.select("rank", "place", "one.*"))
        long, short = held.filter(f"kind != '{_SHORT}'"), held.filter(f"kind = '{_SHORT}'")
        # A short item that is whole in some document does not count elsewhere.
        short = short.join(long.select("item").distinct(), "item", "left_anti")
        self._held = self._store(long.unionByName(short))
        best = self._held.groupBy("item").agg(
            f.expr("max(struct(similarity, -rank as behind, kind, text)) as best"),
            f.count("*").alias("documents"),
        )
        self._best = self._store(
            best.selectExpr(
                "item", "documents", "-best.behind as rank", "best.kind", "best.similarity",
                "best.text",
            )
        )
        placed = self._held.filter(f"kind != '{_SHORT}'").select("rank").distinct()
        self._placed = self._store(placed.withColumnRenamed("rank", "document"))
        rows, most = self._best.agg(f.sum("documents"), f.max("documents")).collect()[0]
        self._listed, self._count = self._held, rows or 0
        if (most or 0) > _MOST_ROWS:
            self._listed = self._store(self._most_rows())
            self._count = self._listed.count()
        self._left_out = (rows or 0) - self._count

    def _most_rows(self) -> Any:
        """Returns the rows of documents.jsonl: of each item the first ones, and its best."""
        from pyspark.sql import Window

        order = Window.partitionBy("item").orderBy("rank")
        first = self._held.withColumn("number", self._f.row_number().over(order))
        first = first.filter(f"number <= {_MOST_ROWS} or kind != '{_SHORT}'").drop("number")
        best = self._held.join(self._best.select("item", "rank"), ["item", "rank"])
        return first.union(best.select(*first.columns)).distinct()

    def _called(self, rows: Any, names: Any = None) -> Any:
        """Returns rows with the document, and split and id of the item.

        Rows of ``names`` are rank, name, plain: of a short item that stands in a longer
        document, the id of that has no number.
        """
        if names is None:
            names = self._names().withColumn("plain", self._f.col("name"))
        session = self._staged.sparkSession
        items = [one[:3] for one in self._items.all()]
        items = session.createDataFrame(items, "item bigint, item_id string, split string")
        rows = rows.join(items, "item").join(names, "rank").withColumnRenamed("item", "number")
        document = f"if(kind = '{_SHORT}', plain, name) as document"
        return rows.selectExpr("*", document).withColumnRenamed("item_id", "item")

    def leaks(self) -> Any:
        return self._called(self._best)

    def documents(self) -> Any:
        return self._called(self._listed).select(*_ROW)

    def kept(self) -> Any:
        return self._stay(self._data()).drop(KEY)

    def dropped(self, called: str = "items") -> Any:
        """Returns the rows that go, and in the column ``called`` how many items they hold."""
        counts = self._held.filter(f"kind != '{_SHORT}'").groupBy("rank").count()
        keys = self._documents.selectExpr("rank", KEY)
        counts = counts.withColumnRenamed("count", called).join(keys, "rank").drop("rank")
        return self._data().drop(called).join(counts, KEY).drop(KEY)

    # ---- results ----

    def summary(self) -> dict[str, Any]:
        """Counts what came of the run."""
        *_, told = self._finish(self._best.withColumn("document", self._f.lit("")))
        summary = json.loads(told)
        summary.pop("written", None)
        summary["rejected_items"] = summary.pop("quarantined")
        counts = self._rejected.groupBy("reason").count().collect()
        return {
            **summary,
            "spec": _native.spec_version,
            "reproducible": self._sides[0].is_ordered,
            "training_documents": self._documents.count(),
            "leaking_documents": self._placed.count(),
            "rows_left_out": self._left_out,
            "rejected": {row["reason"]: row["count"] for row in counts},
        }

    def _finish(self, best: Any) -> Any:
        """Returns leaks.jsonl, clean.txt, splits.csv, and the summary of the items."""
        rows = best.select("item", "documents", "document", "kind", "similarity", "text")
        for batch in rows.toArrow().to_batches():
            self._items.found(_spark_tasks.plain(batch))
        return self._items.finish()

    def _file_names(self) -> Any:
        """Returns what files call the documents that have an item: rank, name, plain."""
        plain = self._named_in_files()
        names = self._numbered(plain).join(self._held.select("rank").distinct(), "rank")
        plain = plain.selectExpr("rank", "name as plain")
        return self._store(names.join(plain, "rank"))

    def _in_order(self, rows: Any, *by: str) -> Any:
        # Where they are few, one task sorts them sooner than many do.
        return rows.repartition(1).sortWithinPartitions(*by) if self._count <= FEW else rows.sort(*by)

    def write(self, out: str, summary: dict[str, Any]) -> None:
        """Writes the result files, summary.json last."""
        names = self._file_names()
        best = self._called(self._best, names).drop("item").withColumnRenamed("number", "item")
        made = self._finish(best)
        os.makedirs(out)
        rows = self._in_order(self._called(self._listed, names), "rank", "place").select(*_ROW)
        self._write_lines(rows, _spark_tasks.leak_document_lines, out, lines="documents.jsonl")
        rows = self._placed.withColumnRenamed("document", "rank").join(names, "rank")
        rows = self._in_order(rows, "rank").select("name")
        self._write_lines(rows, _spark_tasks.name_lines, out, lines="contaminated.txt")
        for name, content in zip(("leaks.jsonl", "clean.txt", "splits.csv"), made):
            with Written(out, name) as file:
                file.write(content)
        with Written(out, "summary.json") as file:
            file.write(json.dumps(summary, indent=1).encode() + b"\n")
