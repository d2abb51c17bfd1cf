"""A run over a DataFrame of Spark: the stages, put together by its joins and sorts."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any

from twinset import _native, _spark_tasks
from twinset._spark_sides import Side
from twinset._spark_tasks import COPIES, ID, JOINED, KEY, MEMBERS, VERIFIED
from twinset.errors import TwinsetError, UsageError

# monotonically_increasing_id() has the row of a partition in so many bits.
_ROW_BITS = 33
# So many rows of few numbers go to every executor.
FEW = 1 << 20
_OF_QUARANTINE = ("offset", "stage", "read_id", "original_id")
# Values of these kinds Python puts in the order in which Spark sorts them.
_PLAIN = ("tinyint", "smallint", "int", "bigint", "string", "date", "timestamp")
# A family of more features (32 MB) or pairs is not in the memory of one task at once.
_FAMILY_FEATURES, _FAMILY_PAIRS = 1 << 22, 1 << 12


class Run:
    """The stages, put together by joins and sorts of Spark.

    A document is known by its rank, the place of its row in the order. The documents
    of the first of two sides come before all others.
    """

    def __init__(self, sides: list[Side], tasks: _spark_tasks.Tasks, stages: Any) -> None:
        from pyspark.sql import functions

        self._f = functions
        self._sides = sides
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
        staged = self._sides[0].staged(self._tasks)
        if len(self._sides) > 1:
            frames = [self._of_side(number, side) for number, side in enumerate(self._sides)]
            staged = frames[0].unionByName(frames[1], allowMissingColumns=True)
        self._staged = self._store(staged, "DISK_ONLY")

    def _of_side(self, number: int, side: Side) -> Any:
        """Returns the rows of one of two sides, which come in the order of the sides."""
        f = self._f
        key = f.struct(f.lit(number).alias("side"), f.col(KEY).alias("value"))
        return side.staged(self._tasks).withColumns({KEY: key, ID: f.col(ID).cast("string")})

    def _rank(self) -> None:
        f = self._f
        columns = self._staged.drop("detail", "features", "held", *_OF_QUARANTINE)
        # Where partitions follow each other, no sort has to move the keys of all rows.
        rows = self._store(self._at(columns.sortWithinPartitions(KEY)))
        parts = self._following(self._parts(rows))
        if parts is None:
            rows = self._store(self._at(rows.drop("at").sort(KEY)))
            self._check_order(rows)
            parts = self._parts(rows)
        before, first = 0, [0] * (max((part["number"] for part in parts), default=0) + 1)
        for part in parts:
            first[part["number"]] = before
            before += part["rows"]
        self._rows = before
        self._first_side = 0
        if len(self._sides) > 1:
            self._first_side = rows.filter(f"{KEY}.side = 0").count()
        part = f.shiftright("at", _ROW_BITS).cast("int")
        begin = f.array(*map(f.lit, first)).cast("array<bigint>")[part]
        row = f.col("at").bitwiseAND((1 << _ROW_BITS) - 1)
        rows = rows.withColumn("rank", begin + row).drop("at")
        self._rejected = rows.filter("reason != ''")
        self._documents = rows.filter("reason = ''").drop("reason")

    def _at(self, rows: Any) -> Any:
        return rows.withColumn("at", self._f.monotonically_increasing_id())

    def _parts(self, rows: Any) -> list[Any]:
        """Returns number, rows, first, last, rises: what KEY is in each partition that has rows."""
        kind = rows.schema[KEY].dataType.simpleString()
        made = f"number int, rows bigint, first {kind}, last {kind}, rises boolean"
        facts = rows.select("at", KEY).mapInArrow(_spark_tasks.PartFacts(_ROW_BITS), made)
        return sorted(facts.collect(), key=lambda part: part["number"])

    def _following(self, parts: list[Any]) -> list[Any] | None:
        """Returns the partitions in the order of their rows; None: some overlap, or may do so."""
        kind = self._staged.schema[KEY].dataType
        if len(self._sides) > 1:
            kind = kind["value"].dataType
        if kind.simpleString() not in _PLAIN or not all(part["rises"] for part in parts):
            return None
        parts = sorted(parts, key=lambda part: part["first"])
        is_apart = all(one["last"] < other["first"] for one, other in zip(parts, parts[1:]))
        return parts if is_apart else None

    def _check_order(self, rows: Any) -> None:
        """Refuses an order that does not tell rows apart."""
        value = self._value()
        if all(side.order is None for side in self._sides):
            return
        again = rows.groupBy(KEY).count().filter(f"count > 1 or {value} is null")
        again = again.selectExpr(f"{value} as value", "count").take(1)
        if again:
            raise UsageError(
                f"the values of {self._sides[0].order or self._sides[-1].order} do not tell "
                f"rows apart: {again[0]['value']} stands in {again[0]['count']} of them",
                remedy="name a column whose values differ",
            )

    def _with_features(self, ranks: Any) -> Any:
        """Returns rows that have ranks with the features of these documents."""
        return self._fetch(self._wanted(ranks))

    def _wanted(self, ranks: Any) -> Any:
        return self._store(ranks.join(self._documents.selectExpr("rank", KEY, "size as of_size"), "rank"))

    def _fetch(self, wanted: Any) -> Any:
        # Features stay where they are if every executor can know which are wanted.
        return self._staged.select(KEY, "features").join(self._few(wanted), KEY)

    def _sorted(self, rows: Any, by: str, *columns: str) -> Any:
        """Returns the columns, rows of one value of `by` together, in order of rank."""
        return rows.select(*columns).repartition(by).sortWithinPartitions(by, "rank")

    def _find_copies(self) -> None:
        full = self._documents.filter("size > 0").select("rank", "digest")
        several = full.groupBy("digest").count().filter("count > 1").select("digest")
        rows = self._with_features(full.join(several, "digest"))
        rows = self._sorted(rows, "digest", "digest", "rank", "features")
        self._copies = self._store(rows.mapInArrow(self._tasks.classes, COPIES))

    def _few(self, rows: Any) -> Any:
        """Returns stored rows, which go to every executor if they are few."""
        return self._f.broadcast(rows) if rows.count() <= FEW else rows

    # ---- pairs ----

    def _leaders(self) -> Any:
        """Returns the documents that are compared."""
        copies = self._few(self._copies).select(self._f.col("copy").alias("rank"))
        return self._documents.filter("size > 0").join(copies, "rank", "left_anti")

    def _join(self) -> None:
        f = self._f
        postings = self._leaders().select(f.explode("keys").alias("key"), "rank", "size")
        postings = self._sorted(postings, "key", "key", "rank", "size")
        tasks = self._tasks.of_sides(self._first_side)
        joined = self._store(postings.mapInArrow(tasks.join, JOINED))
        pairs = joined.filter("kind = 0")
        hot = joined.filter("kind = 1")
        if hot.take(1):
            hot = self._with_features(hot.selectExpr("b as key", "a as rank", "c as size"))
            hot = self._sorted(hot, "key", "key", "rank", "size", "features")
            joined = self._store(hot.mapInArrow(tasks.join_hot, JOINED))
            counts = joined.filter("kind = 2").agg(*map(f.sum, "abcd")).collect()[0]
            self._hot = dict(zip(self._hot, counts))
            pairs = pairs.union(joined.filter("kind = 0"))
        self._candidates = self._store(pairs.select("a", "b").distinct())

    def _verify(self) -> None:
        """Compares the pairs; a document of a small family of candidates travels once."""
        pairs = self._store(self._by_family(self._candidates))
        wanted = self._wanted(_ends(pairs))
        heavy = self._store(self._heavy(pairs, wanted))
        if heavy.take(1):
            of_hubs = pairs.join(heavy, "group").selectExpr("-1 - a as group", "a", "b")
            of_hubs = self._store(of_hubs)
            pairs = pairs.join(heavy, "group", "left_anti").union(of_hubs)
            wanted = wanted.join(heavy, "group", "left_anti").unionByName(
                self._wanted(_ends(of_hubs))
            )
            wanted = self._store(wanted)
        need = self._fetch(wanted).selectExpr("group", "rank", "-1L as other", "features")
        compared = pairs.selectExpr("group", "b as rank", "a as other", "cast(null as binary)")
        rows = need.union(compared).repartition("group")
        rows = rows.sortWithinPartitions("group", "rank", "other")
        self._verified = self._store(rows.mapInArrow(self._tasks.verify, VERIFIED))

    def _by_family(self, pairs: Any) -> Any:
        """Returns group, a, b: pairs that are compared together.

        A document goes by the first that it or a candidate of it is; of a clique that is
        one document.
        """
        f = self._f
        ends = pairs.union(pairs.selectExpr("b as a", "a as b"))
        roots = ends.groupBy("a").agg(f.min(f.least("a", "b")).alias("root"))
        for end in "ab":
            of_end = roots.withColumnsRenamed({"a": end, "root": f"root_{end}"})
            pairs = pairs.join(of_end, end)
        return pairs.selectExpr("least(root_a, root_b) as group", "a", "b")

    def _heavy(self, pairs: Any, wanted: Any) -> Any:
        """Returns the groups whose pairs go by their better document instead, -1 - a.

        All features of a group are in memory at once; of such a document, its own and one more.
        """
        features = wanted.groupBy("group").agg(self._f.sum("of_size").alias("features"))
        features = features.filter(f"features > {_FAMILY_FEATURES}").select("group")
        counts = pairs.groupBy("group").count().filter(f"count > {_FAMILY_PAIRS}").select("group")
        return features.union(counts).distinct()

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
        number = f"if(rank < {self._first_side}, rank, rank - {self._first_side})"
        if self._is_number():
            return self._documents.selectExpr("rank", f"coalesce({ID}, {number}) as name")
        if all(side.id is None for side in self._sides):
            return self._documents.selectExpr("rank", f"{number} as name")
        return self._documents.selectExpr("rank", f"coalesce({ID}, string({number})) as name")

    def _is_number(self) -> bool:
        kind = self._staged.schema[ID].dataType.typeName()
        return kind in ("byte", "short", "integer", "long")

    def _places(self, rows: Any = None) -> Any:
        """Returns where rows stand, documents unless others: rank, source, ordinal, url, date."""
        rows = self._documents if rows is None else rows
        if len(self._sides) == 1:
            return self._sides[0].places(rows, 0)
        key = self._f.col(f"{KEY}.value")
        first, second = (
            rows.filter(f"{KEY}.side = {number}").withColumn(KEY, key) for number in (0, 1)
        )
        first = self._sides[0].places(first, 0)
        return first.union(self._sides[1].places(second, self._first_side))

    def named(self, rows: Any, names: Any = None, **ends: str) -> Any:
        """Returns rows with what the documents of some columns are called."""
        names = self._names() if names is None else names
        for name, end in ends.items():
            of_end = names.withColumnsRenamed({"rank": "of", "name": "called"})
            rows = rows.withColumnRenamed(end, "of").join(of_end, "of")
            rows = rows.withColumnsRenamed({"of": f"rank_of_{end}", "called": name})
        return rows

    def _data(self) -> Any:
        """Returns what the caller gets back of the first side, with KEY."""
        side = self._sides[0]
        if side.data is not None:
            return side.data
        documents = self._documents.filter(f"rank < {self._first_side or self._rows}")
        rows = documents.selectExpr("rank", f"{self._value()} as {KEY}", f"{ID} as id")
        return rows.join(self._places(), "rank").drop("rank")

    def _value(self) -> str:
        return f"{KEY}.value" if len(self._sides) > 1 else KEY

    def dropped(self, called: str = "kept_id") -> Any:
        """Returns the rows that go, and in the column ``called`` for whom."""
        rows = self.named(self._placed, **{called: "representative"})
        rows = rows.withColumnRenamed("document", "rank")
        keys = self._documents.selectExpr("rank", f"{self._value()} as {KEY}")
        rows = rows.join(keys, "rank").select(KEY, called, "similarity", "contained")
        data = self._data().drop(called, "similarity", "contained")
        return data.join(rows, KEY).drop(KEY)

    def _stay(self, data: Any) -> Any:
        """Leaves the rows that are documents and that do not go."""
        value = f"{self._value()} as {KEY}"
        rejected = self._rejected
        if len(self._sides) > 1:
            rejected = rejected.filter(f"{KEY}.side = 0")
        gone = self._placed.selectExpr("document as rank").join(self._documents, "rank")
        gone = gone.selectExpr(value).union(rejected.selectExpr(value))
        return data.join(gone, KEY, "left_anti")

    def kept(self) -> Any:
        sizes = self._sizes.selectExpr("representative as rank", "size as copies")
        sizes = sizes.join(self._documents, "rank").select(KEY, "copies")
        rows = self._stay(self._data().drop("copies"))
        return rows.join(sizes, KEY, "left").fillna(1, ["copies"]).drop(KEY)

    def quarantined(self) -> Any:
        """Returns the rows that ought to be documents: rank, and the fields of quarantine.jsonl."""
        keys = self._rejected.select("rank", KEY)
        places = self._places(self._rejected).select("rank", "source", "ordinal")
        rows = self._staged.filter("reason != ''").join(keys, KEY).join(places, "rank")
        for name in _OF_QUARANTINE:  # rows of a DataFrame do not have them
            if name not in rows.columns:
                rows = rows.withColumn(name, self._f.lit(None))
        breaks = f"{ID} rlike '[\\n\\r]'"
        rows = rows.selectExpr(
            "rank", "source", "coalesce(offset, -1L) as offset", "ordinal",
            f"coalesce(read_id, if({breaks}, concat(source, ':', ordinal), {ID}), '') as id",
            f"coalesce(original_id, if({breaks}, {ID}, ''), '') as original_id",
            "coalesce(stage, 'text') as stage", "reason", "detail",
        )
        return rows.filter("stage != ''")

    def _documents_summary(self) -> dict[str, Any]:
        documents = self._documents.count()
        dropped = self._placed.count()
        return {
            "read": documents,
            "kept": documents - dropped,
            "dropped": dropped,
            "empty": self._documents.filter("size = 0").count(),
        }

    def _found_summary(self) -> dict[str, Any]:
        return {"pairs": self.pairs.count(), "clusters": self._sizes.count()}

    def summary(self) -> dict[str, Any]:
        """Counts what came of the run."""
        counts = self._rejected.groupBy("reason").count().collect()
        return {
            "version": _native.version,
            "spec": _native.spec_version,
            "parameters": json.loads(self._stages.parameters()),
            "reproducible": all(side.is_ordered for side in self._sides),
            "documents": self._documents_summary(),
            "rejected": {row["reason"]: row["count"] for row in counts},
            "candidates": self._candidates.count(),
            **self._found_summary(),
            "hot_buckets": self._hot,
            "expected_recall": self._stages.expected_recall(),
        }

    # ---- files ----

    def write(self, out: str, summary: dict[str, Any]) -> None:
        """Writes the result files, summary.json last."""
        names = self._names_in_files()
        os.makedirs(out)
        self._write_pairs(names, out)
        self._write_found(names, out)
        self._write_lists(names, out)
        rows = self.quarantined().sort("rank").drop("rank")
        self._write_lines(rows, _spark_tasks.quarantine_lines, out, lines="quarantine.jsonl")
        with Written(out, "summary.json") as file:
            file.write(json.dumps(summary, indent=1).encode() + b"\n")

    def _write_pairs(self, names: Any, out: str) -> None:
        pairs = self.named(self.pairs, names, a="a", b="b").sort("rank_of_a", "rank_of_b")
        pairs = pairs.select("a", "b", "similarity")
        self._write_lines(pairs, _spark_tasks.pair_lines, out, lines="pairs.jsonl")

    def _write_found(self, names: Any, out: str) -> None:
        members = self.named(self.members(), names, cluster="representative", id="document")
        members = members.withColumnsRenamed(
            {"rank_of_representative": "representative", "rank_of_document": "rank"}
        )
        members = members.join(self._sizes, "representative").join(self._places(), "rank")
        members = members.sort("rank")
        self._write_lines(members, _spark_tasks.cluster_lines, out, lines="clusters.jsonl")

    def _write_lists(self, names: Any, out: str) -> None:
        """Says of each document of the first side whether it stays."""
        f = self._f
        rows = self._documents.filter(f"rank < {self._first_side or self._rows}").select("rank", "size")
        gone = self._placed.select(f.col("document").alias("rank"), f.lit(True).alias("is_gone"))
        rows = rows.join(gone, "rank", "left").join(names, "rank").sort("rank")
        rows = rows.selectExpr("name", "is_gone is not null as is_gone", "size = 0 as is_empty")
        self._write_lines(
            rows, _spark_tasks.list_lines, out, keep="keep.txt", drop="drop.txt", empty="empty.txt"
        )

    def _write_lines(self, rows: Any, task: Any, out: str, /, **names: str) -> None:
        """Writes what ``task`` makes of rows: of each column a file."""
        made = rows.mapInArrow(task, ", ".join(f"{column} binary" for column in names))
        with contextlib.ExitStack() as stack:
            files = {
                column: stack.enter_context(Written(out, name)) for column, name in names.items()
            }
            for row in made.toLocalIterator():
                for column, file in files.items():
                    file.write(row[column])

    def _names_in_files(self) -> Any:
        """Returns what files call documents: repeated ids have numbers there."""
        return self._numbered(self._named_in_files())

    def _named_in_files(self) -> Any:
        """Returns rank, name, side: what files call documents but for these numbers."""
        names = self._names()
        names = names.withColumn("name", self._f.col("name").cast("string"))
        breaks = names.filter("name rlike '[\\\\n\\\\r]'").select("rank").join(self._places(), "rank")
        breaks = breaks.selectExpr("rank", "concat(source, ':', ordinal) as other")
        # A name means a document of its side.
        return names.join(breaks, "rank", "left").selectExpr(
            "rank", "coalesce(other, name) as name", f"if(rank < {self._first_side}, 'a', 'b') as side"
        )

    def _numbered(self, names: Any) -> Any:
        f = self._f
        named = names.selectExpr("rank", "name", "concat(side, name) as base")
        repeated = named.groupBy("base").count().filter("count > 1").select("base")
        if not repeated.take(1):
            return names.select("rank", "name")
        number = "try_cast(regexp_extract(name, '#([1-9][0-9]*)\\\\z', 1) as decimal(38, 0))"
        taken = named.selectExpr(
            "regexp_replace(base, '#[1-9][0-9]*\\\\z', '') as base", f"{number} as number", "rank"
        ).filter("number between 2 and 18446744073709551615")
        rows = named.selectExpr("base", "cast(0 as decimal(38, 0)) as number", "rank")
        rows = rows.union(taken).join(repeated, "base").withColumn("is_plain", f.expr("number = 0"))
        rows = rows.repartition("base").sortWithinPartitions("base", "is_plain", "number", "rank")
        made = rows.mapInArrow(_spark_tasks.numbers_of_repeated, "rank bigint, number bigint")
        return names.join(made, "rank", "left").selectExpr(
            "rank", "if(number is null, name, concat(name, '#', number)) as name"
        )


def _ends(pairs: Any) -> Any:
    """Returns group, rank: the documents of pairs."""
    ends = pairs.selectExpr("group", "a as rank").union(pairs.selectExpr("group", "b as rank"))
    return ends.distinct()


class Match(Run):
    """The documents of the first side that have a match in the second."""

    def decide(self) -> None:
        self._take()
        self._rank()
        self._check_sides()
        self._join()
        self._verify()
        self._choose_best()

    def _check_sides(self) -> None:
        for which, side in (("first", "<"), ("second", ">=")):
            if not self._documents.filter(f"rank {side} {self._first_side}").take(1):
                raise TwinsetError(f"nothing is compared: the {which} side has no document")

    def _leaders(self) -> Any:
        return self._documents.filter("size > 0")

    def _join(self) -> None:
        super()._join()
        self._candidates = self._store(self._candidates.union(self._identical()).distinct())

    def _identical(self) -> Any:
        """Pairs of equal documents, which no bucket has to show (docs/methods/clusters.md)."""
        f = self._f
        limit = json.loads(self._stages.parameters())["bucket_limit"] or 1 << 62
        is_first = f.col("rank") < self._first_side
        full = self._leaders().select("digest", "rank")
        groups = full.groupBy("digest").agg(
            f.max(f.when(is_first, f.col("rank"))).alias("last"),
            f.min(f.when(~is_first, f.col("rank"))).alias("next"),
            (f.count("*") > limit).alias("is_large"),
        )
        groups = groups.filter("last is not null and next is not null")
        first, second = (
            full.filter(of_side).join(groups, "digest") for of_side in (is_first, ~is_first)
        )
        all_of_small = first.filter("not is_large").selectExpr("digest", "rank as a").join(
            second.filter("not is_large").selectExpr("digest", "rank as b"), "digest"
        )
        # Of a large group, each document has the nearest one of the other side.
        return (
            all_of_small.select("a", "b")
            .union(first.filter("is_large").selectExpr("rank as a", "next as b"))
            .union(second.filter("is_large").selectExpr("last as a", "rank as b"))
        )

    def _choose_best(self) -> None:
        f = self._f
        self.pairs = self._verified.select("a", "b", "similarity")
        best = self._verified.groupBy("a").agg(
            f.expr("max(struct(similarity, -b as behind, a_contained)) as best")
        )
        best = best.selectExpr(
            "-best.behind as representative", "a as document", "best.similarity",
            "best.a_contained as contained",
        )
        self._placed = self._store(best)

    def best(self, names: Any = None) -> Any:
        """Returns a, b, similarity, contained, rank_of_a."""
        rows = self.named(self._placed, names, a="document", b="representative")
        return rows.withColumnRenamed("rank_of_document", "rank_of_a")

    def kept(self) -> Any:
        return self._stay(self._data()).drop(KEY)

    def _documents_summary(self) -> dict[str, Any]:
        of_first = self._documents.filter(f"rank < {self._first_side}").count()
        matched = self._placed.count()
        return {
            "a": of_first,
            "b": self._documents.count() - of_first,
            "matched": matched,
            "dropped": matched,
            "empty": self._documents.filter("size = 0").count(),
        }

    def _found_summary(self) -> dict[str, Any]:
        return {"pairs": self.pairs.count()}

    def _write_found(self, names: Any, out: str) -> None:
        best = self.best(names).sort("rank_of_a").select("a", "b", "similarity", "contained")
        self._write_lines(best, _spark_tasks.best_lines, out, lines="best.jsonl")


class Written:
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
