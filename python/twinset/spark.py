"""Deduplicates DataFrames of Spark, with the bytes of a run on one machine.

::

    import twinset.spark
    found = twinset.spark.dedup(spark, frame, text="body", id="key", order="number")
    found.kept.write.parquet("kept")

It is the method minhash with every pair verified exactly (docs/methods/spark.md).
Executors need the wheel of the same version.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from twinset import _native, _options
from twinset.errors import MissingPackageError, UsageError

# Names of the columns that documents have on their way.
_KEY, _ID, _TEXT = "_twinset_key", "_twinset_id", "_twinset_text"
# The source that clusters.jsonl names, as of a table that dedup() writes out.
_SOURCE = "data.jsonl"
_JOINED = "kind bigint, a bigint, b bigint, c bigint, d bigint"
_VERIFIED = "a bigint, b bigint, similarity double, a_contained double, b_contained double"
_MEMBERS = "representative bigint, document bigint, similarity double, contained double"
# monotonically_increasing_id() has the row of a partition in so many bits.
_ROW_BITS = 33
# So many rows of few numbers go to every executor.
_FEW = 1 << 20


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


class _Tasks:
    """What executors do with the batches of a partition. The secret goes with it."""

    def __init__(self, words: list[str], key: bytes) -> None:
        self._words = words
        self._key = key

    def _stages(self) -> Any:
        return _native.stages(self._words, self._key)

    def take(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        stages = self._stages()
        for batch in batches:
            texts = pyarrow.RecordBatch.from_arrays([batch.column(_TEXT)], names=["text"])
            rows, keys = map(_batch, stages.take(texts))
            ends = rows.column("keys_end").cast(pyarrow.int32())
            offsets = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()), ends])
            made = {
                _KEY: batch.column(_KEY),
                _ID: batch.column(_ID),
                "reason": rows.column("reason"),
                "detail": rows.column("detail"),
                "size": rows.column("size"),
                "digest": _bytes(rows.column("digest")),
                "keys": pyarrow.ListArray.from_arrays(offsets, keys.column("key")),
                "features": _bytes(rows.column("features")),
            }
            yield pyarrow.RecordBatch.from_arrays(list(made.values()), names=list(made))

    def classes(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(_native.stage_classes(), batches)

    def join(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().join(), batches)

    def join_hot(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().join_hot(), batches)

    def verify(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(self._stages().verification(), batches)


class _Cover:
    def __init__(self, documents: int) -> None:
        self._documents = documents

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        return _through(_native.stage_cover(self._documents), batches)


def _through(stream: Any, batches: Iterable[Any]) -> Iterator[Any]:
    """Yields what a native stream makes of batches."""
    for batch in batches:
        yield _batch(stream.add(_plain(batch)))
    yield _batch(stream.finish())


def _pair_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"lines": [_native.pair_lines(_plain(batch))]})


def _cluster_lines(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        lines = _native.cluster_lines(_plain(batch), _SOURCE)
        yield pyarrow.RecordBatch.from_pydict({"lines": [lines]})


def _numbers_of_repeated(batches: Iterable[Any]) -> Iterator[Any]:
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


def _check_executors(spark: Any) -> None:
    expected = f"{_native.version}, spec {_native.spec_version}"

    # It stands alone, so that it runs where there is no twinset.
    def look(batches: Any) -> Any:
        import socket

        import pyarrow

        for _ in batches:
            pass
        try:
            from twinset import _native as native

            found = f"{native.version}, spec {native.spec_version}"
        except Exception as error:
            found = f"none: {error}"
        row = {"host": [socket.gethostname()], "found": [found]}
        yield pyarrow.RecordBatch.from_pydict(row)

    rows = spark.range(1 << 10).mapInArrow(look, "host string, found string").distinct().collect()
    for row in rows:
        if row["found"] != expected:
            raise UsageError(
                f"the executor on {row['host']} has another twinset ({row['found']}) than the "
                f"driver ({expected})",
                remedy=f"install twinset=={_native.version} there",
            )


class Deduplicated:
    """The duplicates of a DataFrame.

    ``kept``, ``dropped``, ``pairs`` and ``clusters`` are DataFrames, whose rows have no
    order. What they are made of stays with Spark until ``unpersist()``.
    """

    def __init__(self, run: _Run) -> None:
        self._run = run
        #: What the run was and what came of it.
        self.summary: dict[str, Any] = run.summary()

    @property
    def pairs(self) -> Any:
        """The pairs: a, b (ids, or row numbers), similarity; a before b."""
        return self._run.named(self._run.pairs, a="a", b="b").select("a", "b", "similarity")

    @property
    def clusters(self) -> Any:
        """Members of clusters: cluster (the id that stays), id, similarity, contained."""
        rows = self._run.named(self._run.members(), cluster="representative", id="document")
        return rows.select("cluster", "id", "similarity", "contained")

    @property
    def kept(self) -> Any:
        """The rows that stay, with a column ``copies``: for how many each stands."""
        return self._run.kept()

    @property
    def dropped(self) -> Any:
        """The rows that go, with kept_id, similarity and contained."""
        return self._run.dropped()

    def unpersist(self) -> None:
        """Gives back what Spark stores of the run; the DataFrames are then made anew."""
        for frame in self._run.stored:
            frame.unpersist()

    def __repr__(self) -> str:
        documents = self.summary["documents"]
        return (
            f"{documents['dropped']:,} of {documents['read']:,} documents can go: "
            f"{self.summary['pairs']:,} pairs, each compared exactly."
        )


def dedup(
    spark: Any,
    data: Any,
    text: str = "text",
    id: str | None = None,
    order: str | None = None,
    out: str | os.PathLike | None = None,
    **options: Any,
) -> Deduplicated:
    """Finds duplicates and near-duplicates in a DataFrame, each pair verified exactly.

    The first document of a cluster stays. With the same ``key`` the pairs and clusters
    are those of ``twinset dedup --method minhash --keep first`` over the rows in their
    order, whatever the partitions and executors.

    Args:
        spark: The SparkSession.
        data: A DataFrame.
        text: The column of strings that is the text.
        id: The column that tells documents apart in the results; without it results
            have row numbers.
        order: A column whose values differ and say which document comes first.
            Without it the partitions of the DataFrame do, and the result may differ
            the next time.
        out: A folder of the driver that does not exist; it gets pairs.jsonl,
            clusters.jsonl and summary.json.
        options: Parameters of the method, as of ``twinset dedup``: threshold, shingle,
            permutations, seed, ...; method (minhash, unless another one that goes by
            keys of each document is named), key and max_document.

    Returns:
        What was found: ``kept``, ``dropped``, ``pairs``, ``clusters``, ``summary``.

    Raises:
        TwinsetError: with the words of the command.
    """
    try:
        import pyspark  # noqa: F401
    except ImportError:
        raise MissingPackageError(
            "dedup over DataFrames needs pyspark", remedy="pip install pyspark"
        ) from None
    if out is not None and os.path.lexists(out):
        raise UsageError(f"{os.fspath(out)} is there already", remedy="name a new folder")
    options["method"] = options.get("method") or "minhash"
    words = _options.words("dedup", options)
    key = _native.stage_key(words)
    words = [word for word in words if not word.startswith("--key=")]
    stages = _native.stages(words, key)
    _check_columns(data, text, id, order)
    _check_executors(spark)
    run = _Run(data, (text, id, order), _Tasks(words, key), stages)
    try:
        run.decide()
        found = Deduplicated(run)
        if out is not None:
            run.write(os.fspath(out), found.summary)
    except BaseException:
        for frame in run.stored:
            frame.unpersist()
        raise
    return found


def _check_columns(data: Any, text: str, id: str | None, order: str | None) -> None:
    for name in filter(None, (text, id, order)):
        if name not in data.columns:
            raise UsageError(
                f'there is no column "{name}"', remedy="the columns are " + ", ".join(data.columns)
            )
    if data.schema[text].dataType.typeName() != "string":
        raise UsageError(
            "the column of the text has no strings", remedy="name a column of strings, or make it one"
        )


class _Run:
    """The stages, put together by joins and sorts of Spark.

    A document is known by its rank, the place of its row in the order.
    """

    def __init__(
        self, data: Any, columns: tuple[str, str | None, str | None], tasks: _Tasks, stages: Any
    ) -> None:
        from pyspark.sql import functions

        self._f = functions
        self._text, self._id, self._order = columns
        key = functions.col(self._order) if self._order else functions.monotonically_increasing_id()
        # Evaluated again for kept and dropped: an order is the same then.
        self._data = data.withColumn(_KEY, key)
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
        rows = self._data.select(_KEY, name.alias(_ID), f.col(self._text).alias(_TEXT))
        made = f"{_KEY} {rows.schema[_KEY].dataType.simpleString()}, "
        made += f"{_ID} {rows.schema[_ID].dataType.simpleString()}, "
        made += "reason string, detail string, size bigint, digest binary, keys array<bigint>, "
        made += "features binary"
        self._staged = self._store(rows.mapInArrow(self._tasks.take, made), "DISK_ONLY")

    def _rank(self) -> None:
        f = self._f
        rows = self._staged.select(_KEY, _ID, "reason", "size", "digest", "keys")
        at = f.monotonically_increasing_id()
        rows = self._store(rows.sort(_KEY).withColumn("at", at))
        if self._order is not None:
            again = rows.groupBy(_KEY).count().filter(f"count > 1 or {_KEY} is null").take(1)
            if again:
                raise UsageError(
                    f"the values of {self._order} do not tell rows apart: "
                    f"{again[0][_KEY]} stands in {again[0]['count']} of them",
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
        wanted = self._store(ranks.join(self._documents.select("rank", _KEY), "rank"))
        # Features stay where they are if every executor can know which are wanted.
        if wanted.count() <= _FEW:
            wanted = self._f.broadcast(wanted)
        return self._staged.select(_KEY, "features").join(wanted, _KEY)

    def _sorted(self, rows: Any, by: str, *columns: str) -> Any:
        """Returns the columns, rows of one value of `by` together, in order of rank."""
        return rows.select(*columns).repartition(by).sortWithinPartitions(by, "rank")

    def _find_copies(self) -> None:
        full = self._documents.filter("size > 0").select("rank", "digest")
        several = full.groupBy("digest").count().filter("count > 1").select("digest")
        rows = self._with_features(full.join(several, "digest"))
        rows = self._sorted(rows, "digest", "digest", "rank", "features")
        self._copies = self._store(rows.mapInArrow(self._tasks.classes, "leader bigint, copy bigint"))

    # ---- pairs ----

    def _join(self) -> None:
        f = self._f
        copies = self._copies.select(f.col("copy").alias("rank"))
        leaders = self._documents.filter("size > 0").join(copies, "rank", "left_anti")
        postings = leaders.select(f.explode("keys").alias("key"), "rank", "size")
        postings = self._sorted(postings, "key", "key", "rank", "size")
        joined = self._store(postings.mapInArrow(self._tasks.join, _JOINED))
        pairs = joined.filter("kind = 0")
        hot = joined.filter("kind = 1")
        if hot.take(1):
            hot = self._with_features(hot.selectExpr("b as key", "a as rank", "c as size"))
            hot = self._sorted(hot, "key", "key", "rank", "size", "features")
            joined = self._store(hot.mapInArrow(self._tasks.join_hot, _JOINED))
            counts = joined.filter("kind = 2").agg(*map(f.sum, "abcd")).collect()[0]
            self._hot = dict(zip(self._hot, counts))
            pairs = pairs.union(joined.filter("kind = 0"))
        self._candidates = pairs.select("a", "b").distinct()

    def _verify(self) -> None:
        pairs = self._candidates
        need = pairs.selectExpr("a as group", "a as rank").distinct()
        need = self._with_features(need.union(pairs.selectExpr("a as group", "b as rank")))
        need = self._sorted(need, "group", "group", "rank", "features")
        self._verified = self._store(need.mapInArrow(self._tasks.verify, _VERIFIED))

    # ---- clusters ----

    def _cover(self) -> None:
        edges = self._verified.select("a", "b", "similarity", "b_contained").repartition(1)
        edges = edges.sortWithinPartitions("b", "a")
        self._joining = self._store(edges.mapInArrow(_Cover(self._rows), _MEMBERS))
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
        leads = "representative", "representative as document", "1D as similarity", "1D as contained"
        return self._placed.unionByName(self._sizes.selectExpr(*leads))

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
        ends = {end: classes.withColumnsRenamed({"leader": end, "copy": f"of_{end}"}) for end in "ab"}
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
        name = f"coalesce({_ID}, rank)" if self._is_number() else f"coalesce({_ID}, string(rank))"
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
        rows = self.named(self._placed, kept_id="representative").withColumnRenamed("document", "rank")
        rows = rows.join(self._documents.select("rank", _KEY), "rank")
        rows = rows.select(_KEY, "kept_id", "similarity", "contained")
        data = self._data.drop("kept_id", "similarity", "contained")
        return data.join(rows, _KEY).drop(_KEY)

    def kept(self) -> Any:
        keys = self._documents.select("rank", _KEY)
        gone = self._placed.selectExpr("document as rank").join(keys, "rank").select(_KEY)
        gone = gone.union(self._rejected.select(_KEY))
        sizes = self._sizes.selectExpr("representative as rank", "size as copies")
        sizes = sizes.join(keys, "rank").select(_KEY, "copies")
        rows = self._data.drop("copies").join(gone, _KEY, "left_anti")
        return rows.join(sizes, _KEY, "left").fillna(1, ["copies"]).drop(_KEY)

    def summary(self) -> dict[str, Any]:
        """Counts what came of the run."""
        rejected = {row["reason"]: row["count"] for row in self._rejected.groupBy("reason").count().collect()}
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
        self._write_lines(pairs.select("a", "b", "similarity"), _pair_lines, out, "pairs.jsonl")
        self._write_lines(members, _cluster_lines, out, "clusters.jsonl")
        with _written(out, "summary.json") as file:
            file.write(json.dumps(summary, indent=1).encode() + b"\n")

    def _write_lines(self, rows: Any, lines: Any, out: str, name: str) -> None:
        with _written(out, name) as file:
            for row in rows.mapInArrow(lines, "lines binary").toLocalIterator():
                file.write(row["lines"])

    def _names_in_files(self) -> Any:
        """Returns what files call documents: repeated ids have numbers (docs/formats/results.md)."""
        f = self._f
        names = self._names().withColumn("name", f.col("name").cast("string"))
        names = names.selectExpr(
            "rank", f"if(name rlike '[\\\\n\\\\r]', concat('{_SOURCE}:', rank), name) as name"
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
        made = rows.mapInArrow(_numbers_of_repeated, "rank bigint, number bigint")
        return names.join(made, "rank", "left").selectExpr(
            "rank", "if(number is null, name, concat(name, '#', number)) as name"
        )


class _written:
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
