"""The program of twinset.spark: a run over Spark from a command line."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from twinset import _options
from twinset.errors import TwinsetError, UsageError

_EPILOG = """Every further flag is one of twinset dedup (match, with --against; leak, with --test): --threshold .9, ...
Exit status: 0 done, 1 failed, 2 the request is wrong."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(message, remedy=f"{self.prog} --help")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="twinset.spark", description="Deduplicates files or a table by Spark.", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    parser.add_argument("data", nargs="+", metavar="DATA", help="a file, or a table")
    parser.add_argument("--against", action="append", metavar="DATA",
                        help="match DATA with these, which stay")  # fmt: skip
    parser.add_argument("--test", action="append", metavar="DATA",
                        help="look for these items in DATA, which is training data")  # fmt: skip
    parser.add_argument("--table", metavar="FORMAT",
                        help="DATA is what Spark reads in this format: parquet, json, ... "
                        "(parquet for a name that ends so; else files as twinset reads them)")  # fmt: skip
    parser.add_argument("--text", default="text", metavar="NAME", help="column or field of the text")
    parser.add_argument("--id", metavar="NAME", help="column or field of the id")
    for name in ("text", "id"):
        parser.add_argument(f"--test-{name}", metavar="NAME", help=f"the same as --{name}, of the items")
    parser.add_argument("--split", metavar="NAME", help="column or field of the split of an item")
    parser.add_argument("--order", metavar="NAME",
                        help="column of a table, whose values differ, that says what comes first")  # fmt: skip
    parser.add_argument("--out", metavar="DIR", help="new folder of the driver for result files")
    for which in ("kept", "dropped"):
        parser.add_argument(f"--{which}", metavar="URI",
                            help=f"where Spark writes what is {which}, as parquet")  # fmt: skip
    return parser


def _options_of(command: str, words: list[str]) -> dict[str, Any]:
    """Returns flags of a command as keywords of its function."""
    flags = {flag["name"]: keyword for keyword, flag in _options.flags_of(command).items()}
    options: dict[str, Any] = {}
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if name not in flags:
            raise UsageError(f"there is no flag {word}", remedy="twinset.spark --help")
        flag = _options.flags_of(command)[flags[name]]
        if flag["value"] and not equals:
            value = next(left, None)
            if value is None:
                raise UsageError(f"{name} needs a value")
        given: Any = value if flag["value"] else True
        if flag["list"]:
            given = [*options.get(flags[name], []), given]
        options[flags[name]] = given
    return options


def _read(spark: Any, data: list[str], table: str | None) -> Any:
    """Returns the frame of a table, or paths."""
    if table is None and all(one.rstrip("/").endswith(".parquet") for one in data):
        table = "parquet"
    return data if table is None else spark.read.format(table).load(data)


def _run(words: list[str]) -> None:
    asked, more = _parser().parse_known_args(words)
    if asked.test and asked.against:
        raise UsageError("--test does not go with --against", remedy="leave one of them out")
    of_items = {"test_text": asked.test_text, "test_id": asked.test_id, "split": asked.split}
    if not asked.test and any(of_items.values()):
        raise UsageError("there are no items", remedy="add --test DATA")
    command = "leak" if asked.test else "match" if asked.against else "dedup"
    options = _options_of(command, more)
    if not (asked.out or asked.kept or asked.dropped):
        raise UsageError("there is nowhere to write", remedy="add --out DIR, --kept or --dropped URI")
    import twinset.spark
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("twinset").getOrCreate()
    try:
        columns = {"text": asked.text, "id": asked.id, "order": asked.order, "out": asked.out}
        data = _read(spark, asked.data, asked.table)
        if asked.test:
            test = _read(spark, asked.test, asked.table)
            found: Any = twinset.spark.leak(spark, data, test, **columns, **of_items, **options)
        elif asked.against:
            against = _read(spark, asked.against, asked.table)
            found = twinset.spark.match(spark, data, against, **columns, **options)
        else:
            found = twinset.spark.dedup(spark, data, **columns, **options)
        for which in ("kept", "dropped"):
            if getattr(asked, which):
                getattr(found, which).write.parquet(getattr(asked, which))
        print(json.dumps(found.summary) if not asked.out else found)
    except PySparkException as error:
        raise TwinsetError(str(error).strip().partition("\n")[0]) from error
    finally:
        spark.stop()


def main() -> int:
    """Runs the program; returns its exit status: 0 done, 1 failed, 2 the request is wrong."""
    try:
        _run(sys.argv[1:])
    except TwinsetError as error:
        print(f"twinset.spark: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    return 0
