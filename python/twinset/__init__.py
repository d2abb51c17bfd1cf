"""Finds, explains and removes duplicates and near-duplicates in text.

Four lines keep one of each document of a table::

    import twinset
    found = twinset.dedup(frame, text="body", id="key")
    kept = found.kept          # your own kind of table, all columns
    found.dropped              # which row stands for each that goes

Every reported pair is verified by an exact measure, and by default none is
missed. Each command of ``twinset`` is a function here, with its flags as keyword
arguments: ``twinset.leak("train/", test="eval.jsonl", out="leaks")``.
"""

from __future__ import annotations

from twinset._native import spec_version
from twinset._native import version as __version__

# Which module has what; they are imported when they are asked for.
_PLACES = {
    "dedup": "_runs",
    "match": "_runs",
    "Deduplicated": "_results",
    "Matched": "_results",
    "Explanation": "_results",
    "Table": "_table",
    "Collection": "_sketches",
    "Index": "_index",
    "IndexAnswer": "_index",
    "IndexFound": "_index",
    "IndexMatch": "_index",
    "IndexRemoval": "_index",
    "Sketcher": "_sketches",
    "sketch": "_sketches",
    "similarity": "_sketches",
    "hamming_pairs": "_sketches",
    "text": "_documents",
    "texts": "_documents",
    "open_warc": "_documents",
    "explain": "_documents",
    "cut": "_documents",
    "runs": "_retrieval",
    "qrels": "_retrieval",
    "TwinsetError": "errors",
    "TwinsetWarning": "errors",
}

# What the package has in place of the command, or has no use for.
_NOT_HERE = frozenset({"completions", "man", "help", "version"})


def __getattr__(name: str) -> object:
    import importlib

    if name in _PLACES:
        return getattr(importlib.import_module(f"twinset.{_PLACES[name]}"), name)
    if not name.startswith("_") and name not in _NOT_HERE:
        from twinset import _command, _options

        if name in _options.table():
            return _command.function_of(name)
    raise AttributeError(f"module 'twinset' has no attribute {name!r}")


def __dir__() -> list[str]:
    from twinset import _options

    commands = set(_options.table()) - _NOT_HERE
    return sorted({"errors", "__version__", "spec_version", *_PLACES, *commands})
