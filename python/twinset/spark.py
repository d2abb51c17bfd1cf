"""Deduplicates DataFrames of Spark, with the bytes of a run on one machine.

::

    import twinset.spark
    found = twinset.spark.dedup(spark, frame, text="body", id="key", order="number")
    found.kept.write.parquet("kept")

It is the method minhash with every pair verified exactly (docs/methods/spark.md).
Executors need the wheel of the same version.
"""

from __future__ import annotations

import os
from typing import Any

from twinset import _native, _options
from twinset._spark_run import Run
from twinset._spark_tasks import Tasks
from twinset.errors import MissingPackageError, UsageError


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

    def __init__(self, run: Run) -> None:
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

    The first document of a cluster stays. The pairs and clusters are those of
    ``twinset dedup --method minhash --keep first`` over the rows in their order,
    whatever the partitions and executors.

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
    run = Run(data, (text, id, order), Tasks(words, key), stages)
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
            "the column of the text has no strings",
            remedy="name a column of strings, or make it one",
        )
