"""dedup and match: over files, texts, rows and tables."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from typing import Any

from twinset import _command, _data, _native, _options
from twinset._folder import FolderResult, read_match
from twinset._progress import Sink, shown
from twinset._results import Deduplicated, Matched
from twinset._spool import rows_by_id, spooled
from twinset.errors import UnsupportedError, UsageError

# Arguments that name columns, by the role that the column has.
_ROLES = ("id", "url", "date")

# Options of the command that are arguments here, or make another kind of result.
_ARGUMENTS = ("id_field", "text_field", "html_field", "url_field", "date_field")
_OF_DEDUP = (
    *_ARGUMENTS, "format", "unit", "unit_action", "min_tokens", "min_copies", "unit_window",
    "empty_rows",
)  # fmt: skip
_OF_MATCH = (
    *_ARGUMENTS, "format", "against", "against_id_field", "against_text_field",
    "against_html_field", "against_url_field", "against_date_field",
)  # fmt: skip
_INSTEAD = {
    "format": "results are tables here; the command twinset writes CSV",
    "unit": "use twinset.cut",
}

# A run that adds to a saved one, or writes the corpus again, needs files.
_NEEDS_PATHS = ("add", "reconsider", "shard", "write", "attributes", "resume")


def _refuse(command: str, options: dict[str, Any], left_out: tuple[str, ...]) -> None:
    for name in left_out:
        if options.get(name) is not None:
            hint = _INSTEAD.get(name, "name columns by text, id, html, url and date")
            raise TypeError(f"{command}() takes no {name}: {hint}")


def _side(data: Any, text: str, columns: dict[str, str | None], fields: list[str]) -> _data.Side:
    named = {role: name for role, name in columns.items() if name is not None}
    is_html = "html" in named
    text = named.pop("html", text)
    fields_by_role = {f"field:{name}": name for name in fields}
    return _data.Side(data, text, is_html, {**named, **fields_by_role})


def _of_files(command: str, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options that only a run over files reads."""
    flags = _options.flags_of(command)
    return {
        name: value
        for name, value in options.items()
        if value is not None and value is not False and name in flags
        and not _native.reads_in_memory(flags[name]["name"])
    }


@_options.takes_options("dedup", leave_out=_OF_DEDUP)
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
            ``__arrow_c_stream__``), one column of a package, or files: a str or
            Path, or a list of Paths.
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
        What was found: ``kept``, ``dropped``, ``pairs``, ``clusters``, ``summary``;
        with ``dry_run`` the forecast as a dict.

    Raises:
        TwinsetError: with the words of the command; KeyboardInterrupt within a
            second of Ctrl-C.
    """
    _refuse("dedup", options, _OF_DEDUP)
    run = _Run(text, {"id": id, "url": url, "date": date, "html": html},
               {"threshold": threshold, **options})  # fmt: skip
    return run(data, progress)


class _Run:
    """How data is read and compared, so that the same can be done again."""

    def __init__(self, text: str, columns: dict[str, str | None], options: dict[str, Any]) -> None:
        self.text, self.columns, self.options = text, columns, options
        self.warns = True

    def __call__(
        self, data: Any, progress: Sink | bool | None = None, warns: bool = True, **changed: Any
    ) -> Deduplicated:
        """Reads and compares the data, with some options changed.

        Args:
            data: As for ``dedup``.
            progress: As for ``dedup``.
            warns: False where the same was told before.
            changed: Options in place of those of the run.
        """
        run = _Run(self.text, self.columns, {**self.options, **changed})
        run.warns = warns
        words = _options.words("dedup", run.options)
        if _data.is_paths(data):
            return run.over_files(_data.paths(data), self.fields(), progress, data)
        if _of_files("dedup", run.options):
            return run.over_spool(data, progress)
        side = _side(data, self.text, self.columns, _native.fields_read("dedup", words))
        with shown(progress) as sink:
            found = _native.dedup_data(words, side.native(), sink)
        return Deduplicated(side, found, run.options, again=run)

    def fields(self) -> dict[str, str | None]:
        """Returns the options by which the command reads the columns."""
        names = {f"{role}_field": self.columns[role] for role in (*_ROLES, "html")}
        return {**names, "text_field": self.text if self.text != "text" else None}

    def over_files(
        self,
        paths: list[str],
        names: dict[str, str | None],
        progress: Sink | bool | None,
        data: Any,
        side: _data.Side | None = None,
        spooled_ids: list[Any] | None = None,
        rows: dict[str, int] | None = None,
    ) -> Any:
        """Runs the command; its result folder goes with the result if none was asked for."""
        out, passing = self.options.get("out"), None
        if out is None:
            passing = tempfile.mkdtemp(prefix="twinset-")
            out = os.path.join(passing, "result")
        try:
            options = {**names, **self.options, "out": out}
            if options.get("dry_run"):
                return _command.call("dedup", tuple(paths), {**options, "out": None}, progress)
            printed = _command.run("dedup", paths, options, progress, ["--json"], self.warns)
            found = json.loads(printed)
            result = FolderResult(os.fspath(out), found, data, self, side, spooled_ids, rows)
        except BaseException:
            if passing is not None:
                shutil.rmtree(passing, ignore_errors=True)
            raise
        if passing is not None:
            weakref.finalize(result, shutil.rmtree, passing, ignore_errors=True)
        return result

    def over_spool(self, data: Any, progress: Sink | bool | None) -> Any:
        """Runs the command over a temporary file of the data."""
        of_files = _of_files("dedup", self.options)
        for name in _NEEDS_PATHS:
            if name in of_files:
                raise UnsupportedError(
                    f"{name} works only with files, and the data is in memory",
                    remedy="write the data to files, and give their paths",
                )
        in_memory = {n: v for n, v in self.options.items() if n not in of_files}
        fields = _native.fields_read("dedup", _options.words("dedup", in_memory))
        fields += [n for n in _named_fields(of_files.get("stats_by")) if n not in fields]
        side = _side(data, self.text, self.columns, fields)
        with spooled(side) as (path, ids):
            names = {f"{role}_field": role if self.columns[role] else None for role in _ROLES}
            names["html_field"] = "text" if self.columns["html"] else None
            # A saved run has the ids of the caller, where they tell rows apart.
            rows = rows_by_id(ids) if ids else None
            names["id_field"] = "row" if rows is None else "id"
            return self.over_files([path], names, progress, data, side, ids, rows)


def _named_fields(stats_by: Any) -> list[str]:
    """Returns the columns that ``stats_by`` names."""
    names = [stats_by] if isinstance(stats_by, str) else list(stats_by or ())
    fixed = ("source", "host", "url")
    return [name.removeprefix("field:") for name in names if name not in fixed]


@_options.takes_options("match", leave_out=_OF_MATCH)
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
            files, so is the other. Folders of saved runs and of indexes may stand here.
        text, id, threshold, html, url, date, progress: As for ``dedup``.
        against_text, against_id: Columns of ``against``; None: as in ``data``.

    Returns:
        What was found: ``pairs`` (a of data, b of against), ``kept``, and
        ``kept_rows`` and ``dropped_rows`` of data.
    """
    _refuse("match", options, _OF_MATCH)
    options = {"threshold": threshold, **options}
    columns = {"id": id, "url": url, "date": date, "html": html}
    if _data.is_paths(data) != _data.is_paths(against):
        raise UsageError(
            "one side is files and the other is in memory",
            remedy="give both as files, or both in memory",
        )
    if _data.is_paths(data):
        names = {f"{role}_field": columns[role] for role in (*_ROLES, "html")}
        names["text_field"] = text if text != "text" else None
        names |= {"against_text_field": against_text, "against_id_field": against_id}
        names["against"] = _data.paths(against)
        return _match_files(_data.paths(data), {**names, **options}, progress)
    words = _options.words("match", options)
    fields = _native.fields_read("match", words)
    first = _side(data, text, columns, fields)
    other = {**columns, "id": against_id or id}
    second = _side(against, against_text or text, other, fields)
    with shown(progress) as sink:
        found = _native.match_data(words, first.native(), second.native(), sink)
    return Matched(first, second, found)


def _match_files(
    paths: list[str], options: dict[str, Any], progress: Sink | bool | None
) -> Any:
    if options.get("dry_run"):
        return _command.call("match", tuple(paths), options, progress)
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        out = options.get("out") or os.path.join(folder, "result")
        printed = _command.run("match", paths, {**options, "out": out}, progress, ["--json"])
        return read_match(os.fspath(out), json.loads(printed))
