"""dedup and match: over files, texts, rows and tables."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from typing import Any

from twinset import _command, _data, _native, _options
from twinset._progress import Sink, shown
from twinset._folder import FolderResult, read_match
from twinset._results import Deduplicated, Matched
from twinset._spool import spooled

# Arguments that name columns, by the role that the column has.
_ROLES = ("id", "url", "date")


def _side(data: Any, text: str, columns: dict[str, str | None], fields: list[str]) -> _data.Side:
    named = {role: name for role, name in columns.items() if name is not None}
    is_html = "html" in named
    text = named.pop("html", text)
    fields_by_role = {f"field:{name}": name for name in fields}
    return _data.Side(data, text, is_html, {**named, **fields_by_role})


def _needs_files(command: str, options: dict[str, Any]) -> bool:
    flags = _options.flags_of(command)
    return any(
        value is not None and value is not False and name in flags
        and not _native.reads_in_memory(flags[name]["name"])
        for name, value in options.items()
    )


@_options.takes_options("dedup")
def dedup(
    data: Any,
    text: str = "text",
    id: str | None = None,
    threshold: float | None = None,
    *,
    html: str | None = None,
    url: str | None = None,
    date: str | None = None,
    progress: Sink | bool | None = None,
    **options: Any,
) -> Deduplicated:
    """Finds duplicates and near-duplicates, each pair verified exactly.

    Args:
        data: A list of str (texts), a list or iterator of dicts (rows), a table
            (pandas, polars, pyarrow, duckdb, or anything with
            ``__arrow_c_stream__``), or files: a str or Path, or a list of Paths.
        text: The column, or the field of a row, that is the text.
        id: The column that tells documents apart in the results; without it
            results have row numbers. Repeated ids stay as they are.
        threshold: Pairs of at least this similarity are found, in (0, 1]; None:
            0.8, or what ``preset`` says.
        html: The column that is markup; ``text`` is then not read.
        url, date: Columns that rules such as ``keep="newest"`` read.
        progress: A function that gets (stage, step, unit, done, total, share,
            bytes), or True or False; None: a bar in a terminal or notebook.

    Returns:
        What was found: ``kept``, ``dropped``, ``pairs``, ``clusters``, ``summary``.

    Raises:
        TwinsetError: with the words of the command; KeyboardInterrupt within a
            second of Ctrl-C.
    """
    columns = {"id": id, "url": url, "date": date, "html": html}
    options = {"threshold": threshold, **options}
    if _data.is_paths(data):
        return _over_files(data, text, columns, options, progress)
    words = _options.words("dedup", options)
    if _needs_files("dedup", options):
        return _over_spool(data, text, columns, options, progress)
    side = _side(data, text, columns, _native.fields_read("dedup", words))
    with shown(progress) as sink:
        found = _native.dedup_data(words, side.native(), sink)
    return Deduplicated(side, found, options, again=_Again(text, columns, options))


class _Again:
    """How the same data is read again, with other options."""

    def __init__(self, text: str, columns: dict[str, str | None], options: dict[str, Any]) -> None:
        self.text, self.columns, self.options = text, columns, options

    def __call__(self, data: Any, **changed: Any) -> Deduplicated:
        return dedup(data, self.text, **{**self.columns, **self.options, **changed})


def _field_flags(text: str, columns: dict[str, str | None]) -> dict[str, Any]:
    names = {f"{role}_field": columns[role] for role in (*_ROLES, "html")}
    return {**names, "text_field": text if text != "text" else None}


def _over_files(
    data: Any,
    text: str,
    columns: dict[str, str | None],
    options: dict[str, Any],
    progress: Sink | bool | None,
    side: _data.Side | None = None,
) -> Deduplicated:
    out, passing = options.get("out"), None
    if out is None:
        passing = tempfile.mkdtemp(prefix="twinset-")
        out = os.path.join(passing, "result")
    run_options = {**_field_flags(text, columns), **options, "out": out}
    printed = _command.run("dedup", _data.paths(data), run_options, progress, ["--json"])
    again = _Again(text, columns, options)
    result = FolderResult(os.fspath(out), json.loads(printed), side, again, data)
    if passing is not None:
        weakref.finalize(result, shutil.rmtree, passing, ignore_errors=True)
    return result


def _over_spool(
    data: Any,
    text: str,
    columns: dict[str, str | None],
    options: dict[str, Any],
    progress: Sink | bool | None,
) -> Deduplicated:
    words = _options.words("dedup", {
        name: value for name, value in options.items() if not _needs_files("dedup", {name: value})
    })
    side = _side(data, text, columns, _native.fields_read("dedup", words))
    with spooled(side) as (path, native_columns):
        names = {role: role if columns[role] else None for role in _ROLES}
        names["html"] = "text" if columns["html"] else None
        names["id"] = "row"
        result = _over_files(path, "text", names, options, progress, side)
    result.take_spooled(native_columns)
    return result


@_options.takes_options("match")
def match(
    data: Any,
    against: Any,
    text: str = "text",
    id: str | None = None,
    threshold: float | None = None,
    *,
    html: str | None = None,
    url: str | None = None,
    date: str | None = None,
    against_text: str | None = None,
    against_id: str | None = None,
    progress: Sink | bool | None = None,
    **options: Any,
) -> Matched:
    """Finds which documents of one collection are also in another.

    Args:
        data: The documents that are asked about, as for ``dedup``.
        against: Those that they are compared with, likewise; if one side is
            files, so is the other. The folder of a saved run may stand here.
        text, id, threshold, html, url, date, progress: As for ``dedup``.
        against_text, against_id: Columns of ``against``; None: as in ``data``.

    Returns:
        What was found: ``pairs`` (a of data, b of against), ``kept``, ``dropped``.
    """
    options = {"threshold": threshold, **options}
    columns = {"id": id, "url": url, "date": date, "html": html}
    other = {**columns, "id": against_id if against_id is not None else id}
    if _data.is_paths(data) or _data.is_paths(against):
        return _match_files(data, against, text, columns, options, progress)
    words = _options.words("match", options)
    fields = _native.fields_read("match", words)
    first = _side(data, text, columns, fields)
    second = _side(against, against_text or text, other, fields)
    with shown(progress) as sink:
        found = _native.match_data(words, first.native(), second.native(), sink)
    return Matched(first, second, found)


def _match_files(
    data: Any,
    against: Any,
    text: str,
    columns: dict[str, str | None],
    options: dict[str, Any],
    progress: Sink | bool | None,
) -> Matched:
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        sides = []
        for name, one in (("a", data), ("b", against)):
            if _data.is_paths(one):
                sides.append(_data.paths(one))
                continue
            raise _data.UsageError(
                "one side is files and the other is in memory",
                remedy="give both as files, or both in memory",
            )
        out = options.get("out") or os.path.join(folder, "result")
        run_options = {
            **_field_flags(text, columns), **options, "out": out, "against": sides[1]
        }
        printed = _command.run("match", sides[0], run_options, progress, ["--json"])
        return read_match(os.fspath(out), json.loads(printed))
