"""Deduplicates DataFrames of Spark and files, with the bytes of a run on one machine.

::

    import twinset.spark
    found = twinset.spark.dedup(spark, frame, text="body", id="key", order="number")
    found.kept.write.parquet("kept")

It is the method minhash with every pair verified exactly (docs/methods/spark.md).
Executors need the wheel of the same version. It is also a program:
``spark-submit .../twinset/spark.py --help``, or ``python -m twinset.spark --help``.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from twinset import _native, _options, errors
from twinset._spark_leak import Leak, check_size
from twinset._spark_run import Match, Run
from twinset._spark_sides import Files, Rows, Side, check_columns
from twinset._spark_tasks import LeakTasks, Tasks
from twinset.errors import MissingPackageError, TwinsetError, UsageError


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


class _Found:
    """What a run has found. What it is made of stays with Spark until ``unpersist()``."""

    def __init__(self, run: Any) -> None:
        self._run = run
        #: What the run was and what came of it.
        self.summary: dict[str, Any] = run.summary()

    @property
    def quarantined(self) -> Any:
        """The rows that ought to be documents and are none: source, ordinal, id, stage, reason, detail."""
        rows = self._run.quarantined()
        return rows.select("source", "ordinal", "id", "stage", "reason", "detail")

    def unpersist(self) -> None:
        """Gives back what Spark stores of the run; the DataFrames are then made anew."""
        for frame in self._run.stored:
            frame.unpersist()


class _Pairs(_Found):
    @property
    def pairs(self) -> Any:
        """The pairs: a, b (ids, or row numbers), similarity; a before b."""
        return self._run.named(self._run.pairs, a="a", b="b").select("a", "b", "similarity")


class Deduplicated(_Pairs):
    """The duplicates of a DataFrame, or of files.

    ``kept``, ``dropped``, ``pairs`` and ``clusters`` are DataFrames, whose rows have no
    order. Of files, a row is a document: id, source, ordinal, url, date.
    """

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

    def __repr__(self) -> str:
        documents = self.summary["documents"]
        return (
            f"{documents['dropped']:,} of {documents['read']:,} documents can go: "
            f"{self.summary['pairs']:,} pairs, each compared exactly."
        )


class Matched(_Pairs):
    """The documents of one side that have a match in another.

    ``pairs``, ``best``, ``kept`` and ``dropped`` are DataFrames, whose rows have no
    order.
    """

    @property
    def best(self) -> Any:
        """The most similar match of each: a, b (ids, or row numbers), similarity, contained."""
        return self._run.best().select("a", "b", "similarity", "contained")

    @property
    def kept(self) -> Any:
        """The rows of the first side that have no match."""
        return self._run.kept()

    @property
    def dropped(self) -> Any:
        """The rows of the first side that have, with match_id, similarity and contained."""
        return self._run.dropped("match_id")

    def __repr__(self) -> str:
        documents = self.summary["documents"]
        return (
            f"{documents['matched']:,} of {documents['a']:,} documents have a match: "
            f"{self.summary['pairs']:,} pairs, each compared exactly."
        )


class Leaked(_Found):
    """The items of a test set that stand in training data.

    ``leaks``, ``documents``, ``kept`` and ``dropped`` are DataFrames, whose rows have no
    order.
    """

    @property
    def leaks(self) -> Any:
        """The items that do: item, split, kind, document, similarity, documents, document_text.

        ``document`` has most of the item; ``documents`` counts all that have it.
        """
        return self._run.leaks().selectExpr(
            "item", "split", "kind", "document", "similarity", "documents",
            "text as document_text",
        )

    @property
    def documents(self) -> Any:
        """What stands where: item, split, kind, document, similarity."""
        return self._run.documents()

    @property
    def kept(self) -> Any:
        """The training data without the documents that have an item that leaks."""
        return self._run.kept()

    @property
    def dropped(self) -> Any:
        """These documents, with a column ``items``: how many they have."""
        return self._run.dropped()

    def __repr__(self) -> str:
        told = self.summary
        return (
            f"{told['leaked']:,} of {told['items']:,} items leak: they stand in "
            f"{told['leaking_documents']:,} of {told['training_documents']:,} training documents."
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
    """Finds duplicates and near-duplicates, each pair verified exactly.

    The first document of a cluster stays. The pairs and clusters are those of
    ``twinset dedup --method minhash --keep first`` over the rows in their order, or
    over the files, whatever the partitions and executors.

    Args:
        spark: The SparkSession.
        data: A DataFrame; or a path or a list of paths of files in any format that
            ``twinset dedup`` reads, which all executors can open.
        text: The column of strings that is the text; of rows in files, that field.
        id: The column that tells documents apart in the results; without it results
            have row numbers. Of rows in files it is a field, which is called id.
        order: A column whose values differ and say which document comes first.
            Without it the partitions of the DataFrame do, and the result may differ
            the next time. Files come in the order of the command.
        out: A folder of the driver that does not exist; it gets pairs.jsonl,
            clusters.jsonl, keep.txt, drop.txt, empty.txt, quarantine.jsonl and summary.json.
        options: Parameters of the method, as of ``twinset dedup``: threshold, shingle,
            permutations, seed, ...; method (minhash, unless another one that goes by
            keys of each document is named), key and max_document; of files also how
            they are read: input_format, html_field, status, mime, ...

    Returns:
        What was found: ``kept``, ``dropped``, ``pairs``, ``clusters``, ``summary``.

    Raises:
        TwinsetError: with the words of the command.
    """
    _check(out)
    words, of_files = _words("dedup", [data], text, id, options)
    tasks, stages = _stages(words, of_files)
    side = _side(spark, data, text, id, order, "data.jsonl")
    return _run(spark, Run([side], tasks, stages), Deduplicated, out)


def match(
    spark: Any,
    queries: Any,
    data: Any,
    text: str = "text",
    id: str | None = None,
    order: str | None = None,
    out: str | os.PathLike | None = None,
    **options: Any,
) -> Matched:
    """Finds which documents of one side stand in another, each pair verified exactly.

    Pairs and best matches are those of ``twinset match --method minhash --keep first``
    of the queries against the data.

    Args:
        spark: The SparkSession.
        queries: What may go: a DataFrame, or paths as of ``dedup``.
        data: What is compared with: a DataFrame, or paths. It stays.
        text: The column, or field, of the text on both sides.
        id: The column, or field, of ids on both sides.
        order: The column that orders the rows on both sides; of DataFrames.
        out: A folder of the driver that does not exist; it gets pairs.jsonl,
            best.jsonl, keep.txt, drop.txt, empty.txt, quarantine.jsonl and summary.json.
        options: As of ``dedup``.

    Returns:
        What was found: ``pairs``, ``best``, ``kept``, ``dropped``, ``summary``.

    Raises:
        TwinsetError: with the words of the command.
    """
    _check(out)
    words, of_files = _words("match", [queries, data], text, id, options)
    tasks, stages = _stages(words, of_files)
    sides = [
        _side(spark, queries, text, id, order, "queries.jsonl"),
        _side(spark, data, text, id, order, "data.jsonl"),
    ]
    return _run(spark, Match(sides, tasks, stages), Matched, out)


def leak(
    spark: Any,
    train: Any,
    test: Any,
    text: str = "text",
    id: str | None = None,
    order: str | None = None,
    test_text: str | None = None,
    test_id: str | None = None,
    split: str | None = None,
    out: str | os.PathLike | None = None,
    **options: Any,
) -> Leaked:
    """Finds which items of a test set stand in training data, whole or inside documents.

    What it finds is what ``twinset leak TRAIN --test TEST`` finds: every item of which one
    document has the share ``threshold``. Every executor holds the texts of all items.

    Args:
        spark: The SparkSession.
        train: The training data: a DataFrame, or paths as of ``dedup``.
        test: The items: a DataFrame, whose rows come in the order in which it gives them,
            or paths that the driver can open.
        text: The column, or field, of the text.
        id: The column, or field, of ids.
        order: The column that orders the rows of a DataFrame of training data.
        test_text: The same as text, of the items. As that, unless it is given.
        test_id: The same as id, of the items. As that, unless it is given.
        split: The column, or field, that names the split of an item.
        out: A folder of the driver that does not exist; it gets leaks.jsonl,
            documents.jsonl, contaminated.txt, splits.csv, clean.txt and summary.json.
        options: Flags of ``twinset leak``: threshold, shingle, tokens, content and
            max_document; of files also how they are read.

    Returns:
        What was found: ``leaks``, ``documents``, ``kept``, ``dropped``, ``summary``.

    Raises:
        TwinsetError: with the words of the command.
    """
    _check(out)
    of_files = _is_paths(train) or _is_paths(test)
    words = _options.words("leak", options)
    if of_files:
        fields = {"--text-field": None if text == "text" else text, "--id-field": id,
                  "--test-text-field": test_text, "--test-id-field": test_id}  # fmt: skip
        words += [f"{flag}={name}" for flag, name in fields.items() if name is not None]
    if _is_paths(test):
        words += [f"--test={os.fspath(path)}" for path in _paths(test)]
    words += [] if split is None else [f"--split-field={split}"]
    items = _native.leak_items(words, of_files)
    side = _side(spark, train, text, id, order, "train.jsonl")
    if _is_paths(test):
        items.read()
    else:
        _add_items(items, test, test_text or text, test_id or id, split)
    texts = [one[3] for one in items.all()]
    check_size(sum(map(len, texts)))
    if not any(texts):
        raise TwinsetError("the test set has no item with a word")
    shared = spark.sparkContext.broadcast(texts)
    run = Leak(side, LeakTasks(words, _native.leak_key(), of_files, shared), items)
    run.stored.append(shared)
    return _run(spark, run, Leaked, out)


def _add_items(items: Any, data: Any, text: str, id: str | None, split: str | None) -> None:
    from pyspark.sql import functions as f

    check_columns(data, text, id, split)
    check_size(data.agg(f.sum(f.octet_length(text))).collect()[0][0] or 0)
    empty = f.lit(None).cast("string")
    names = {"id": id, "text": text, "split": split}
    rows = data.select(
        *((f.col(name) if name else empty).cast("string").alias(of) for of, name in names.items())
    )
    items.add(rows.toArrow(), "test.jsonl")


def _check(out: Any) -> None:
    try:
        import pyspark  # noqa: F401
    except ImportError:
        raise MissingPackageError(
            "dedup over DataFrames needs pyspark", remedy="pip install pyspark"
        ) from None
    if out is not None and os.path.lexists(out):
        raise UsageError(f"{os.fspath(out)} is there already", remedy="name a new folder")


def _is_paths(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike, list, tuple))


def _paths(data: Any) -> list[Any]:
    return [data] if isinstance(data, (str, os.PathLike)) else list(data)


def _words(
    command: str, inputs: list[Any], text: str, id: str | None, options: dict[str, Any]
) -> tuple[list[str], bool]:
    """Returns the options as words of the command, and whether files are read."""
    options["method"] = options.get("method") or "minhash"
    words = _options.words(command, options)
    of_files = any(map(_is_paths, inputs))
    if of_files and text != "text":
        words.append(f"--text-field={text}")
    if of_files and id is not None:
        words.append(f"--id-field={id}")
    return words, of_files


def _stages(words: list[str], of_files: bool) -> tuple[Tasks, Any]:
    key = _native.stage_key(words, of_files)
    words = [word for word in words if not word.startswith("--key=")]
    return Tasks(words, key, of_files), _native.stages(words, key, of_files)


def _side(
    spark: Any, data: Any, text: str, id: str | None, order: str | None, source: str
) -> Side:
    if not _is_paths(data):
        return Rows(data, text, id, order, source)
    if order is not None:
        raise UsageError("files come in their own order", remedy="leave out order")
    return Files(spark, _paths(data))


def _run(spark: Any, run: Run, found: Any, out: Any) -> Any:
    from pyspark.errors import PythonException

    try:
        _check_executors(spark)
        run.decide()
        made = found(run)
        if out is not None:
            run.write(os.fspath(out), made.summary)
        return made
    except BaseException as error:
        for frame in run.stored:
            frame.unpersist()
        if isinstance(error, PythonException):
            _raise_as_here(error)
        raise


def _raise_as_here(error: Exception) -> None:
    """Raises what twinset has raised on an executor, without the way that it took."""
    said = re.search(r"^(?:twinset\.errors\.)(\w+): (.*)$", str(error), re.MULTILINE)
    kind = getattr(errors, said[1], None) if said else None
    if isinstance(kind, type) and issubclass(kind, TwinsetError):
        raise kind(said[2]) from error


if __name__ == "__main__":
    from twinset._spark_program import main

    sys.exit(main())
