"""Results of runs over files, read from their folders."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from twinset import _command, _native
from twinset._results import Deduplicated, Matched
from twinset._table import Table


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
    return Table(
        {
            name: _native.column_of([row[member] for row in rows])
            for name, member in names.items()
        }
    )


class FolderResult(Deduplicated):
    """The duplicates of files: ids are those of the result files.

    ``kept`` lists the ids that stay, or, of data in memory, its rows.
    """

    def __init__(
        self, folder: str, summary: dict[str, Any], side: Any, again: Any, data: Any
    ) -> None:
        self.folder = folder
        self.summary = summary
        self._again, self._data = again, data
        self._side = side
        self._options = again.options
        self._spooled_ids: list[Any] | None = None
        _command.warn(list(summary.get("warnings", ())))

    def take_spooled(self, ids: list[Any]) -> None:
        """Says that ids in the files are rows of data in memory."""
        self._spooled_ids = ids

    def _name(self, written: str) -> Any:
        if self._spooled_ids is None:
            return written
        row = int(written)
        return self._spooled_ids[row] if self._spooled_ids else row

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
        gone = set(map(self._name, _lines(self.folder, "drop.txt")))
        rows = [row for row in self._members() if row["id"] in gone]
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
        kept = _lines(self.folder, "keep.txt")
        return _native.column_of(list(map(int, kept)) if self._spooled_ids is not None else kept)

    @property
    def dropped_rows(self) -> Any:
        """Row numbers of the documents that go; of files their ids."""
        gone = _lines(self.folder, "drop.txt")
        return _native.column_of(list(map(int, gone)) if self._spooled_ids is not None else gone)

    @property
    def copies(self) -> Any:
        """How many documents each of ``kept_rows`` stands for, itself included."""
        counts: dict[str, int] = {}
        for row in _rows(self.folder, "clusters.jsonl"):
            counts[row["cluster"]] = counts.get(row["cluster"], 0) + 1
        return _native.column_of(
            [counts.get(str(name), 1) for name in self.kept_rows.tolist()]
        )

    @property
    def kept(self) -> Any:
        """The rows that stay, or, of files, their ids."""
        if self._spooled_ids is None:
            return self.kept_rows.tolist()
        return super().kept

    def explain(self, a: Any, b: Any) -> Any:
        """Explains two documents of the run."""
        if self._spooled_ids is not None:
            self._ids = _native.column_of(self._spooled_ids)
            return super().explain(a, b)
        from twinset._data import paths

        return _command.call("explain", (a, b), {"in_": paths(self._data)}, False)

    def rethreshold(self, threshold: float) -> Deduplicated:
        """Decides again at another threshold, which reads the inputs again."""
        data = self._data if self._spooled_ids is None else self._side.data
        return self._again(data, threshold=threshold, out=None, save=None)

    def save(self, path: str | os.PathLike) -> None:
        """Saves the run; it reads the inputs again."""
        data = self._data if self._spooled_ids is None else self._side.data
        self._again(data, save=path, out=None)

    def report(self) -> str:
        """Returns the report as a page of HTML."""
        path = os.path.join(self.folder, "report.html")
        if not os.path.exists(path):
            _command.run("report", [self.folder], {}, False)
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
        "a": _native.column_of([row["a"] for row in rows]),
        "b": _native.column_of([row["b"] for row in rows]),
        "similarity": _native.column_of([row["similarity"] for row in rows]),
        "rejected_side": _native.column_of([row["source"] for row in rejected]),
        "rejected": _native.column_of([row["ordinal"] for row in rejected]),
        "reason": _native.column_of([row["reason"] for row in rejected]),
        "detail": _native.column_of([row["detail"] for row in rejected]),
    }
    made.kept_rows = _native.column_of(_lines(folder, "keep.txt"))
    made.dropped_rows = _native.column_of(_lines(folder, "drop.txt"))
    made._side = None
    _command.warn(list(summary.get("warnings", ())))
    return made
