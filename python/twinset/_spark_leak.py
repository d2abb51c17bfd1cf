"""leak over Spark: every executor holds the items, and training data stream past them."""

from __future__ import annotations

import json
import os
from typing import Any

from twinset import _native, _spark_tasks
from twinset._spark_run import Run, Written
from twinset._spark_sides import Side
from twinset._spark_tasks import ID, KEY
from twinset.errors import TwinsetError, UnsupportedError

#: Bytes of the texts of all items, of which every core of an executor makes about five times
#: as much.
MOST_ITEM_BYTES = 1 << 28
#: Rows of documents.jsonl for one item, as kMostLeakDocuments.
_MOST_ROWS = 1000
_SHORT = "short-embedded"


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
        self._placed = self._store(
            self._held.filter(f"kind != '{_SHORT}'").select("rank").distinct()
        ).withColumnRenamed("rank", "document")
        self._listed = self._store(self._most_rows())
        rows = [one[:3] for one in self._items.all()]
        self._item_names = self.spark.createDataFrame(rows, "item bigint, item_id string, split string")
        self._left_out = self._held.count() - self._listed.count()

    @property
    def spark(self) -> Any:
        return self._staged.sparkSession

    def _most_rows(self) -> Any:
        """Returns the rows of documents.jsonl: of each item the first ones, and its best."""
        from pyspark.sql import Window

        order = Window.partitionBy("item").orderBy("rank")
        first = self._held.withColumn("number", self._f.row_number().over(order))
        first = first.filter(f"number <= {_MOST_ROWS}").drop("number")
        best = self._held.join(self._best.select("item", "rank"), ["item", "rank"])
        return first.union(best.select(*first.columns)).distinct()

    def _called(self, rows: Any, names: Any, plain: Any) -> Any:
        """Returns rows with the document, and split and id of the item."""
        rows = rows.join(self._f.broadcast(self._item_names), "item")
        long = rows.filter(f"kind != '{_SHORT}'").join(names, "rank")
        short = rows.filter(f"kind = '{_SHORT}'").join(plain, "rank")
        return long.union(short).withColumnsRenamed({"name": "document", "item": "number"})

    def leaks(self, names: Any = None, plain: Any = None) -> Any:
        names = self._names() if names is None else names
        return self._called(self._best, names, names if plain is None else plain)

    def documents(self) -> Any:
        rows = self._called(self._listed, self._names(), self._names())
        return rows.selectExpr("item_id as item", "split", "kind", "document", "similarity")

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
        """Makes the files of the items; returns the summary."""
        names = self._named_in_files()
        self._file_names = self._numbered(names), names.select("rank", "name")
        found = self.leaks(*self._file_names).selectExpr(
            "number as item", "documents", "document", "kind", "similarity", "text"
        )
        for batch in found.toArrow().to_batches():
            self._items.found(_spark_tasks.plain(batch))
        *self._made, told = self._items.finish()
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

    def write(self, out: str, summary: dict[str, Any]) -> None:
        """Writes the result files, summary.json last."""
        names, plain = self._file_names
        os.makedirs(out)
        rows = self._called(self._listed, names, plain).sort("rank", "place").selectExpr(
            "item_id as item", "split", "kind", "document", "similarity"
        )
        self._write_lines(rows, _spark_tasks.leak_document_lines, out, "documents.jsonl")
        rows = self._placed.withColumnRenamed("document", "rank").join(names, "rank")
        rows = rows.sort("rank").select("name")
        self._write_lines(rows, _spark_tasks.name_lines, out, "contaminated.txt")
        for name, made in zip(("leaks.jsonl", "clean.txt", "splits.csv"), self._made):
            with Written(out, name) as file:
                file.write(made)
        with Written(out, "summary.json") as file:
            file.write(json.dumps(summary, indent=1).encode() + b"\n")
