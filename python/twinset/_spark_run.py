"""A run over a DataFrame of Spark: the stages, put together by its joins and sorts."""

from __future__ import annotations

import json
import os
from typing import Any

from twinset import _native, _spark_tasks
from twinset._spark_tasks import COPIES, ID, JOINED, KEY, MEMBERS, SOURCE, TEXT, VERIFIED
from twinset.errors import UsageError

# monotonically_increasing_id() has the row of a partition in so many bits.
_ROW_BITS = 33
# So many rows of few numbers go to every executor.
_FEW = 1 << 20


class Run:
    """The stages, put together by joins and sorts of Spark.

    A document is known by its rank, the place of its row in the order.
    """

    def __init__(
        self,
        data: Any,
        columns: tuple[str, str | None, str | None],
        tasks: _spark_tasks.Tasks,
        stages: Any,
    ) -> None:
        from pyspark.sql import functions

        self._f = functions
        self._text, self._id, self._order = columns
        key = functions.col(self._order) if self._order else functions.monotonically_increasing_id()
        # Evaluated again for kept and dropped: an order is the same then.
        self._data = data.withColumn(KEY, key)
        self._tasks, self._stages = tasks, stages
        self.stored: list[Any] = []
        self._hot = {"count": 0, "members": 0, "pairs_possible": 0, "pairs_compared": 0}

    def _store(self, frame: Any, level: str = "MEMORY_AND_DISK") -> Any:
        """Makes the rows of a frame, which Spark keeps and can make again."""
        from pyspark import StorageLevel
        from pyspark.sql import DataFrame

        self.stored.append(frame.persist(getattr(StorageLevel, level)))
        # Without the plan behind them: Spark writes plans out, and one that holds all
        # stages several times over has no end.
        java = frame.select("*")._jdf
        rows = java.queryExecution().toRdd()
        session = frame.sparkSession
        made = session._jsparkSession.internalCreateDataFrame(rows, java.schema(), False)
        return DataFrame(made, session)

    def decide(self) -> None:
        """Finds the pairs and who stays."""
        self._take()
        self._rank()
        self._find_copies()
        self._join()
        self._verify()
        self._cover()
        self._list_pairs()

    # ---- documents ----

    def _take(self) -> None:
        f = self._f
        name = f.col(self._id) if self._id else f.lit(None).cast("string")
        rows = self._data.select(KEY, name.alias(ID), f.col(self._text).alias(TEXT))
        made = f"{KEY} {rows.schema[KEY].dataType.simpleString()}, "
        made += f"{ID} {rows.schema[ID].dataType.simpleString()}, "
        made += "reason string, detail string, size bigint, digest binary, keys array<bigint>, "
        made += "features binary"
        self._staged = self._store(rows.mapInArrow(self._tasks.take, made), "DISK_ONLY")

    def _rank(self) -> None:
        f = self._f
        rows = self._staged.select(KEY, ID, "reason", "size", "digest", "keys")
        at = f.monotonically_increasing_id()
        rows = self._store(rows.sort(KEY).withColumn("at", at))
        if self._order is not None:
            again = rows.groupBy(KEY).count().filter(f"count > 1 or {KEY} is null").take(1)
            if again:
                raise UsageError(
                    f"the values of {self._order} do not tell rows apart: "
                    f"{again[0][KEY]} stands in {again[0]['count']} of them",
                    remedy="name a column whose values differ",
                )
        part = f.shiftright("at", _ROW_BITS).cast("int")
        sizes = {row[0]: row[1] for row in rows.groupBy(part).count().collect()}
        before, first = 0, []
        for number in range(max(sizes, default=0) + 1):
            first.append(before)
            before += sizes.get(number, 0)
        self._rows = before
        begin = f.array(*map(f.lit, first)).cast("array<bigint>")[part]
        row = f.col("at").bitwiseAND((1 << _ROW_BITS) - 1)
        rows = rows.withColumn("rank", begin + row).drop("at")
        self._rejected = rows.filter("reason != ''")
        self._documents = rows.filter("reason = ''").drop("reason")

    def _with_features(self, ranks: Any) -> Any:
        """Returns rows that have ranks with the features of these documents."""
        wanted = self._store(ranks.join(self._documents.select("rank", KEY), "rank"))
        # Features stay where they are if every executor can know which are wanted.
        if wanted.count() <= _FEW:
            wanted = self._f.broadcast(wanted)
        return self._staged.select(KEY, "features").join(wanted, KEY)

    def _sorted(self, rows: Any, by: str, *columns: str) -> Any:
        """Returns the columns, rows of one value of `by` together, in order of rank."""
        return rows.select(*columns).repartition(by).sortWithinPartitions(by, "rank")

    def _find_copies(self) -> None:
        full = self._documents.filter("size > 0").select("rank", "digest")
        several = full.groupBy("digest").count().filter("count > 1").select("digest")
        rows = self._with_features(full.join(several, "digest"))
        rows = self._sorted(rows, "digest", "digest", "rank", "features")
        self._copies = self._store(rows.mapInArrow(self._tasks.classes, COPIES))

    # ---- pairs ----

    def _join(self) -> None:
        f = self._f
        copies = self._copies.select(f.col("copy").alias("rank"))
        leaders = self._documents.filter("size > 0").join(copies, "rank", "left_anti")
        postings = leaders.select(f.explode("keys").alias("key"), "rank", "size")
        postings = self._sorted(postings, "key", "key", "rank", "size")
        joined = self._store(postings.mapInArrow(self._tasks.join, JOINED))
        pairs = joined.filter("kind = 0")
        hot = joined.filter("kind = 1")
        if hot.take(1):
            hot = self._with_features(hot.selectExpr("b as key", "a as rank", "c as size"))
            hot = self._sorted(hot, "key", "key", "rank", "size", "features")
            joined = self._store(hot.mapInArrow(self._tasks.join_hot, JOINED))
            counts = joined.filter("kind = 2").agg(*map(f.sum, "abcd")).collect()[0]
            self._hot = dict(zip(self._hot, counts))
            pairs = pairs.union(joined.filter("kind = 0"))
        self._candidates = pairs.select("a", "b").distinct()

    def _verify(self) -> None:
        pairs = self._candidates
        need = pairs.selectExpr("a as group", "a as rank").distinct()
        need = self._with_features(need.union(pairs.selectExpr("a as group", "b as rank")))
        need = self._sorted(need, "group", "group", "rank", "features")
        self._verified = self._store(need.mapInArrow(self._tasks.verify, VERIFIED))

    # ---- clusters ----

    def _cover(self) -> None:
        edges = self._verified.select("a", "b", "similarity", "b_contained").repartition(1)
        edges = edges.sortWithinPartitions("b", "a")
        self._joining = self._store(edges.mapInArrow(_spark_tasks.Cover(self._rows), MEMBERS))
        self._placed = self._store(self._joining.union(self._copies_that_join()))
        counts = self._placed.groupBy("representative").count()
        self._sizes = self._store(counts.selectExpr("representative", "count + 1 as size"))

    def _copies_that_join(self) -> Any:
        """Copies of a centre join it; others the most similar centre before them."""
        f = self._f
        joining = self._joining.select(f.col("document").alias("leader"))
        of_centres = self._copies.join(joining, "leader", "left_anti")
        of_members = self._copies.join(joining, "leader")
        edges = self._verified.selectExpr(
            "b as leader", "a as centre", "similarity", "b_contained as contained"
        ).union(
            self._verified.selectExpr(
                "a as leader", "b as centre", "similarity", "a_contained as contained"
            )
        )
        edges = edges.join(joining.withColumnRenamed("leader", "centre"), "centre", "left_anti")
        near = of_members.join(edges, "leader").filter("centre < copy")
        best = near.groupBy("copy").agg(
            f.expr("max(struct(similarity, -centre as behind, contained)) as best")
        )
        return of_centres.selectExpr(
            "leader as representative", "copy as document", "1D as similarity", "1D as contained"
        ).union(
            best.selectExpr(
                "-best.behind as representative", "copy as document", "best.similarity",
                "best.contained",
            )
        )

    def members(self) -> Any:
        """Returns all documents of clusters, those that stay too."""
        leads = self._sizes.selectExpr(
            "representative", "representative as document", "1D as similarity", "1D as contained"
        )
        return self._placed.union(leads)

    # ---- what is listed ----

    def _list_pairs(self) -> None:
        """The pairs of all documents: classes stand for their copies (docs/methods/clusters.md)."""
        f = self._f
        listed = self._leave_out_large(self._verified.select("a", "b", "similarity"))
        sizes = self._copies.groupBy("leader").count().selectExpr("leader", "count + 1 as size")
        classes = self._copies.union(sizes.selectExpr("leader", "leader as copy"))
        for end in "ab":
            size = sizes.withColumnsRenamed({"leader": end, "size": f"size_{end}"})
            listed = listed.join(size, end, "left").fillna(1, [f"size_{end}"])
        most = _native.most_class_rows
        alone = listed.filter("size_a = 1 and size_b = 1").select("a", "b", "similarity")
        several = listed.filter("size_a > 1 or size_b > 1")
        ends = {
            end: classes.withColumnsRenamed({"leader": end, "copy": f"of_{end}"}) for end in "ab"
        }
        full = several.join(ends["a"], "a", "left").join(ends["b"], "b", "left")
        full = full.selectExpr(
            "coalesce(of_a, a) as of_a", "coalesce(of_b, b) as of_b", "a", "b", "similarity",
            f"size_a * size_b <= {most} as is_whole",
        ).filter("is_whole or of_a = a or of_b = b")
        inside = ends["a"].join(sizes.withColumnRenamed("leader", "a"), "a").join(
            classes.selectExpr("leader as a", "copy as of_b"), "a"
        )
        inside = inside.filter("of_a < of_b").filter(
            f"size * (size - 1) / 2 <= {most} or of_a = a"
        )
        expanded = full.selectExpr(
            "least(of_a, of_b) as a", "greatest(of_a, of_b) as b", "similarity"
        ).union(inside.selectExpr("of_a as a", "of_b as b", "1D as similarity"))
        self.pairs = self._store(alone.union(expanded))

    def _leave_out_large(self, pairs: Any) -> Any:
        """Of a cluster of very many documents, copies left out, the pairs with who stays."""
        f = self._f
        counts = self._joining.groupBy("representative").count()
        large = counts.filter(f"count + 1 > {_native.large_cluster}").select("representative")
        if not large.take(1):
            return pairs
        joining = self._joining.join(large, "representative")
        inside = joining.select(f.col("document").alias("of")).union(large)
        for end in "ab":
            pairs = pairs.join(inside.withColumnRenamed("of", end), end, "left_anti")
        star = joining.selectExpr(
            "least(representative, document) as a", "greatest(representative, document) as b",
            "similarity",
        )
        return pairs.select("a", "b", "similarity").union(star)

    # ---- results ----

    def _names(self) -> Any:
        """Returns what documents are called: rank, name."""
        name = f"coalesce({ID}, rank)" if self._is_number() else f"coalesce({ID}, string(rank))"
        return self._documents.selectExpr("rank", f"{name if self._id else 'rank'} as name")

    def _is_number(self) -> bool:
        return self._id is not None and self._data.schema[self._id].dataType.typeName() in (
            "byte", "short", "integer", "long",
        )

    def named(self, rows: Any, names: Any = None, **ends: str) -> Any:
        """Returns rows with what the documents of some columns are called."""
        names = self._names() if names is None else names
        for name, end in ends.items():
            of_end = names.withColumnsRenamed({"rank": "of", "name": "called"})
            rows = rows.withColumnRenamed(end, "of").join(of_end, "of")
            rows = rows.withColumnsRenamed({"of": f"rank_of_{end}", "called": name})
        return rows

    def dropped(self) -> Any:
        rows = self.named(self._placed, kept_id="representative")
        rows = rows.withColumnRenamed("document", "rank")
        rows = rows.join(self._documents.select("rank", KEY), "rank")
        rows = rows.select(KEY, "kept_id", "similarity", "contained")
        data = self._data.drop("kept_id", "similarity", "contained")
        return data.join(rows, KEY).drop(KEY)

    def kept(self) -> Any:
        keys = self._documents.select("rank", KEY)
        gone = self._placed.selectExpr("document as rank").join(keys, "rank").select(KEY)
        gone = gone.union(self._rejected.select(KEY))
        sizes = self._sizes.selectExpr("representative as rank", "size as copies")
        sizes = sizes.join(keys, "rank").select(KEY, "copies")
        rows = self._data.drop("copies").join(gone, KEY, "left_anti")
        return rows.join(sizes, KEY, "left").fillna(1, ["copies"]).drop(KEY)

    def summary(self) -> dict[str, Any]:
        """Counts what came of the run."""
        counts = self._rejected.groupBy("reason").count().collect()
        rejected = {row["reason"]: row["count"] for row in counts}
        documents = self._rows - sum(rejected.values())
        dropped = self._placed.count()
        return {
            "version": _native.version,
            "spec": _native.spec_version,
            "parameters": json.loads(self._stages.parameters()),
            "reproducible": self._order is not None,
            "documents": {
                "read": documents,
                "kept": documents - dropped,
                "dropped": dropped,
                "empty": self._documents.filter("size = 0").count(),
            },
            "rejected": rejected,
            "candidates": self._candidates.count(),
            "pairs": self.pairs.count(),
            "clusters": self._sizes.count(),
            "hot_buckets": self._hot,
            "expected_recall": self._stages.expected_recall(),
        }

    # ---- files ----

    def write(self, out: str, summary: dict[str, Any]) -> None:
        """Writes the result files, summary.json last."""
        names = self._names_in_files()
        pairs = self.named(self.pairs, names, a="a", b="b").sort("rank_of_a", "rank_of_b")
        members = self.named(self.members(), names, cluster="representative", id="document")
        members = members.withColumnsRenamed(
            {"rank_of_representative": "representative", "rank_of_document": "rank"}
        )
        members = members.join(self._sizes, "representative").sort("rank")
        os.makedirs(out)
        pairs = pairs.select("a", "b", "similarity")
        self._write_lines(pairs, _spark_tasks.pair_lines, out, "pairs.jsonl")
        self._write_lines(members, _spark_tasks.cluster_lines, out, "clusters.jsonl")
        with _Written(out, "summary.json") as file:
            file.write(json.dumps(summary, indent=1).encode() + b"\n")

    def _write_lines(self, rows: Any, lines: Any, out: str, name: str) -> None:
        with _Written(out, name) as file:
            for row in rows.mapInArrow(lines, "lines binary").toLocalIterator():
                file.write(row["lines"])

    def _names_in_files(self) -> Any:
        """Returns what files call documents: repeated ids have numbers there."""
        f = self._f
        names = self._names().withColumn("name", f.col("name").cast("string"))
        names = names.selectExpr(
            "rank", f"if(name rlike '[\\\\n\\\\r]', concat('{SOURCE}:', rank), name) as name"
        )
        repeated = names.groupBy("name").count().filter("count > 1").selectExpr("name as base")
        if not repeated.take(1):
            return names
        number = "try_cast(regexp_extract(name, '#([1-9][0-9]*)\\\\z', 1) as decimal(38, 0))"
        taken = names.selectExpr(
            "regexp_replace(name, '#[1-9][0-9]*\\\\z', '') as base", f"{number} as number", "rank"
        ).filter("number between 2 and 18446744073709551615")
        rows = names.selectExpr("name as base", "cast(0 as decimal(38, 0)) as number", "rank")
        rows = rows.union(taken).join(repeated, "base").withColumn("is_plain", f.expr("number = 0"))
        rows = rows.repartition("base").sortWithinPartitions("base", "is_plain", "number", "rank")
        made = rows.mapInArrow(_spark_tasks.numbers_of_repeated, "rank bigint, number bigint")
        return names.join(made, "rank", "left").selectExpr(
            "rank", "if(number is null, name, concat(name, '#', number)) as name"
        )


class _Written:
    """A file of a folder that is there when it is whole."""

    def __init__(self, folder: str, name: str) -> None:
        self._path = os.path.join(folder, name)
        self._file = open(self._path + ".part", "wb")

    def __enter__(self) -> Any:
        return self._file

    def __exit__(self, kind: Any, *_: object) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if kind is None:
            os.replace(self._path + ".part", self._path)
