"""Results of runs over files, read from their folders."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from twinset import _command, _native
from twinset._data import paths
from twinset._results import Deduplicated, Matched, _explained
from twinset._table import Table
from twinset.errors import UsageError


def _rows(folder: str, name: str) -> list[dict[str, Any]]:
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _lines(folder: str, name: str) -> list[str]:
    with open(os.path.join(folder, name), encoding="utf-8", newline="\n") as file:
        return file.read().splitlines()


def _table(rows: list[dict[str, Any]], names: dict[str, str]) -> Table:
    return Table({name: _column(rows, member) for name, member in names.items()})


def _column(rows: list[dict[str, Any]], member: str) -> Any:
    # JSON writes the share 1 as a whole number.
    is_share = member in ("similarity", "contained")
    return _native.column_of([float(row[member]) if is_share else row[member] for row in rows])


class FolderResult(Deduplicated):
    """The duplicates of files: ids are those of the result files.

    ``kept`` lists the ids that stay, or, of data in memory, its rows.
    """

    def __init__(
        self,
        folder: str,
        summary: dict[str, Any],
        data: Any,
        again: Any,
        side: Any = None,
        spooled_ids: list[Any] | None = None,
        rows: dict[str, int] | None = None,
    ) -> None:
        self.folder = folder
        self.summary = summary
        self._data, self._again = data, again
        self._options = again.options
        # Of data in memory: ids in the files are numbers of its rows, or the keys of
        # `rows`.
        self._side, self._spooled_ids, self._rows = side, spooled_ids, rows
        self._ids = _native.column_of(spooled_ids or [])

    def _name(self, written: str) -> Any:
        if self._spooled_ids is None:
            return written
        row = self._row(written)
        return self._spooled_ids[row] if self._spooled_ids else row

    def _row(self, written: str) -> int:
        return int(written) if self._rows is None else self._rows[written]

    def _numbers(self, name: str) -> Any:
        written = _lines(self.folder, name)
        is_data = self._spooled_ids is not None
        return _native.column_of(list(map(self._row, written)) if is_data else written)

    def _named(self, rows: list[dict[str, Any]], *members: str) -> list[dict[str, Any]]:
        return [{**row, **{m: self._name(row[m]) for m in members}} for row in rows]

    @property
    def pairs(self) -> Table:
        """The pairs: a, b, similarity."""
        rows = self._named(_rows(self.folder, "pairs.jsonl"), "a", "b")
        return _table(rows, {"a": "a", "b": "b", "similarity": "similarity"})

    @property
    def clusters(self) -> Table:
        """Members of clusters: cluster, id, similarity, contained."""
        return _table(
            self._members(),
            {name: name for name in ("cluster", "id", "similarity", "contained")},
        )

    def _members(self) -> list[dict[str, Any]]:
        return self._named(_rows(self.folder, "clusters.jsonl"), "cluster", "id")

    @property
    def dropped(self) -> Table:
        """The documents that go: id, kept_id, similarity, contained."""
        gone = set(_lines(self.folder, "drop.txt"))
        rows = _rows(self.folder, "clusters.jsonl")
        rows = self._named([row for row in rows if row["id"] in gone], "cluster", "id")
        names = {"id": "id", "kept_id": "cluster", "similarity": "similarity",
                 "contained": "contained"}
        return _table(rows, names)

    @property
    def rejected(self) -> Table:
        """Records that are not documents: source, row, reason, detail."""
        rows = _rows(self.folder, "quarantine.jsonl")
        names = {"source": "source", "row": "ordinal", "reason": "reason", "detail": "detail"}
        return _table(rows, names)

    @property
    def kept_rows(self) -> Any:
        """Row numbers of the documents that stay; of files their ids."""
        return self._numbers("keep.txt")

    @property
    def dropped_rows(self) -> Any:
        """Row numbers of the documents that go; of files their ids."""
        return self._numbers("drop.txt")

    @property
    def copies(self) -> Any:
        """How many documents each of ``kept_rows`` stands for, itself included."""
        counts: dict[str, int] = {}
        for row in _rows(self.folder, "clusters.jsonl"):
            counts[row["cluster"]] = counts.get(row["cluster"], 0) + 1
        return _native.column_of(
            [counts.get(written, 1) for written in _lines(self.folder, "keep.txt")]
        )

    @property
    def kept(self) -> Any:
        """The rows that stay, or, of files, their ids."""
        if self._spooled_ids is None:
            return self.kept_rows.tolist()
        return super().kept

    @property
    def annotated(self) -> Any:
        """All rows of data in memory, with columns of what was found."""
        if self._spooled_ids is None:
            raise UsageError(
                "rows of files are not held in memory",
                remedy='twinset.dedup(..., write=FOLDER, action="annotate") writes them with these columns',
            )
        return super().annotated

    def _members_of_clusters(self) -> list[tuple[int, int, float, float]]:
        rows = _rows(self.folder, "clusters.jsonl")
        return [
            (self._row(row["cluster"]), self._row(row["id"]), float(row["similarity"]), float(row.get("contained", 1)))
            for row in rows
        ]

    def explain(self, a: Any, b: Any = None) -> Any:
        """Explains two documents as the run read them, or what became of one (``twinset explain ID RUN``)."""
        if self._spooled_ids is not None:
            return super().explain(a, b)
        if b is None:
            return _command.call("explain", (a, self.folder), self._networks(), False)
        options = {**self._again.fields(), **_explained(self._options), "in_": paths(self._data)}
        return _command.call("explain", (a, b), options, False)

    def _networks(self) -> dict[str, Any]:
        """What a command that reads the inputs again may ask beside the public internet."""
        return {"networks": self._options.get("networks")}

    def rethreshold(self, threshold: float) -> Deduplicated:
        """Decides again at another threshold, which reads the inputs again."""
        return self._again(self._data, threshold=threshold, out=None, save=None)

    def save(self, path: str | os.PathLike) -> None:
        """Saves the run; it reads the inputs again."""
        self._again(self._data, warns=False, save=path, out=None)

    def report(self) -> str:
        """Returns the report as a page of HTML."""
        path = os.path.join(self.folder, "report.html")
        if not os.path.exists(path):
            _command.run("report", [self.folder], self._networks(), False)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def keep_files(self, folder: str | os.PathLike) -> None:
        """Copies the result files, which go with this object if no ``out`` was given."""
        shutil.copytree(self.folder, folder)


def read_match(folder: str, summary: dict[str, Any]) -> Matched:
    """Returns the result of a match of files; its folder may go."""
    rows = _rows(folder, "pairs.jsonl")
    made = Matched.__new__(Matched)
    made.summary = summary
    made._ids = made._ids_b = ()
    rejected = _rows(folder, "quarantine.jsonl")
    made._found = {
        "a": _column(rows, "a"),
        "b": _column(rows, "b"),
        "similarity": _column(rows, "similarity"),
        "rejected_side": _column(rejected, "source"),
        "rejected": _column(rejected, "ordinal"),
        "reason": _column(rejected, "reason"),
        "detail": _column(rejected, "detail"),
    }
    made.kept_rows = _native.column_of(_lines(folder, "keep.txt"))
    made.dropped_rows = _native.column_of(_lines(folder, "drop.txt"))
    made._side = None
    return made
