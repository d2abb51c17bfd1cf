"""Judgements and rankings of retrieval systems, as files or as frames of pandas."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

from twinset import _command, _options
from twinset._progress import Sink
from twinset._results import Deduplicated, Matched
from twinset._table import Table
from twinset.errors import UsageError

# What packages call the columns: PyTerrier, ir_datasets, ir_measures, TREC.
_TOPIC = ("qid", "query_id", "topic")
_DOCUMENT = ("docno", "doc_id", "document", "docid")
_SCORE = ("score",)
_GRADE = ("label", "relevance", "grade", "rel")

# Flags whose files may be frames, and what these hold.
_FILES = {
    "qrels": "qrels", "against_qrels": "qrels", "judged": "qrels", "against": "run",
    "duplicates": "pairs", "pairs": "pairs",
}  # fmt: skip


@_options.takes_options("runs")
def runs(
    action: str, *runs: Any, progress: Sink | bool | None = None, **options: Any
) -> Any:
    """Evaluates, compares or collapses rankings of retrieval systems.

    Files give what ``twinset runs`` gives. Frames of pandas give frames: ``collapse``
    and ``transfer`` the run, with its other columns, and ``eval`` a row a system.
    Their columns are named as PyTerrier (qid, docno, score) or ir_datasets (query_id,
    doc_id, score) name them. ``qrels``, ``against``, ``against_qrels``, ``duplicates``
    and ``pairs`` may be frames, and the last two what ``dedup`` and ``match`` found.

    Args:
        action: make, transfer, collapse, eval or compare.
        runs: Files, frames, or dicts of frames by the names of their systems.
        progress: As for ``dedup``.
    """
    return _Call("runs", "run", action, runs, options, progress)()


@_options.takes_options("qrels")
def qrels(
    action: str, *qrels: Any, progress: Sink | bool | None = None, **options: Any
) -> Any:
    """Carries judgements of relevance along, merges, checks or counts them.

    Files give what ``twinset qrels`` gives. Of frames of pandas ``transfer`` and
    ``merge`` return a frame, with the names of the first one's columns: qid, docno,
    label as in PyTerrier, or query_id, doc_id, relevance as in ir_datasets.

    Args:
        action: transfer, merge, check or stats.
        qrels: Files or frames.
        progress: As for ``dedup``.
    """
    return _Call("qrels", "qrels", action, qrels, options, progress)()


class _Call:
    """One call, whose frames become files for as long as it takes."""

    def __init__(
        self, command: str, holds: str, action: str, inputs: tuple[Any, ...],
        options: dict[str, Any], progress: Sink | bool | None,
    ) -> None:  # fmt: skip
        self.command, self.holds, self.action = command, holds, action
        self.inputs = [pair for one in inputs for pair in _named(one)]
        self.options, self.progress = options, progress

    def __call__(self) -> Any:
        frames = [one for _, one in self.inputs if _is_frame(one)]
        with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
            self._folder, self._files = folder, 0
            paths = [self._path(name, one, self.holds) for name, one in self.inputs]
            options = {
                name: self._option(value, _FILES[name]) if name in _FILES else value
                for name, value in self.options.items()
            }
            writes = self.action in ("transfer", "collapse", "merge")
            if not frames or (writes and options.get("out") is not None):
                return self._told(paths, options)
            if not writes:
                told = self._told(paths, options)
                return _frame(told) if self.action == "eval" else told
            if self.command == "runs" and len(frames) > 1:
                raise UsageError(f"{self.action} takes one frame", remedy="call it once for each")
            out = os.path.join(folder, "out")
            told = self._told(paths, {**options, "out": out})
            made = _read_run(out, frames[0], self.action) if self.holds == "run" else _read_qrels(out, frames[0])
        made.attrs["summary"] = told
        return made

    def _told(self, paths: list[str], options: dict[str, Any]) -> Any:
        return _command.call(self.command, (self.action, *paths), options, self.progress)

    def _option(self, value: Any, holds: str) -> Any:
        if value is None:
            return None
        many = value if isinstance(value, (list, tuple)) else [value]
        return [self._path(name, one, holds) for each in many for name, one in _named(each)]

    def _path(self, name: str | None, data: Any, holds: str) -> str:
        if isinstance(data, (str, os.PathLike)):
            return os.fspath(data)
        # In a folder of its own: systems are named by their files.
        self._files += 1
        place = os.path.join(self._folder, str(self._files))
        os.mkdir(place)
        path = os.path.join(place, f"{name or holds}.{'jsonl' if holds == 'pairs' else holds}")
        lines = {"run": _run_lines, "qrels": _qrels_lines, "pairs": _pair_lines}[holds](data)
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.writelines(lines)
        return path


def _named(data: Any) -> list[tuple[str | None, Any]]:
    if isinstance(data, Mapping):
        return [(str(name), one) for name, one in data.items()]
    return [(None, data)]


def _is_frame(data: Any) -> bool:
    return not isinstance(data, (str, os.PathLike))


def _pandas(data: Any) -> Any:
    """Returns the data as a frame of pandas."""
    if hasattr(data, "to_pandas"):
        data = data.to_pandas()
    if not hasattr(data, "columns"):
        raise UsageError(f"a {type(data).__name__} is neither a file nor a frame of pandas")
    return data


def _column(frame: Any, names: tuple[str, ...]) -> str:
    for name in names:
        if name in frame.columns:
            return name
    raise UsageError(
        f"a frame has no column {' or '.join(names)}",
        remedy="its columns are " + ", ".join(map(str, frame.columns)),
    )


def _words(frame: Any, names: tuple[str, ...]) -> list[str]:
    """Returns ids as columns of TREC hold them."""
    words = [str(value) for value in frame[_column(frame, names)].tolist()]
    for word in words:
        if not word or any(character.isspace() for character in word):
            raise UsageError(f"the id {word!r} is empty or has blanks, which files of TREC cannot hold")
    return words


def _run_lines(data: Any) -> Iterator[str]:
    frame = _pandas(data)
    scores = frame[_column(frame, _SCORE)].tolist()
    for topic, document, score in zip(_words(frame, _TOPIC), _words(frame, _DOCUMENT), scores):
        yield f"{topic} Q0 {document} 0 {float(score)!r} twinset\n"


def _qrels_lines(data: Any) -> Iterator[str]:
    frame = _pandas(data)
    grades = frame[_column(frame, _GRADE)].tolist()
    for topic, document, grade in zip(_words(frame, _TOPIC), _words(frame, _DOCUMENT), grades):
        yield f"{topic} 0 {document} {int(grade)}\n"


def _pair_lines(data: Any) -> Iterator[str]:
    if isinstance(data, (Deduplicated, Matched)):
        if data._names_rows():
            raise UsageError("the duplicates are named by the numbers of their rows",
                             remedy='call dedup with id="..."')  # fmt: skip
        data = data.pairs
    names = data.column_names if isinstance(data, Table) else list(_pandas(data).columns)
    rows = data if isinstance(data, Table) else _pandas(data).itertuples(index=False)
    for row in rows:
        told = dict(zip(names, row))
        # Ids are text in files of TREC.
        told.update({side: str(told[side]) for side in ("a", "b") if side in told})
        yield json.dumps(told, default=str) + "\n"


def _frame(rows: list[dict[str, Any]]) -> Any:
    import pandas

    return pandas.DataFrame(rows)


def _lines_of(path: str) -> list[list[str]]:
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file]


def _read_run(path: str, given: Any, action: str) -> Any:
    """Returns a written run with the names, types and other columns of the frame given."""
    import pandas

    frame = _pandas(given)
    topic, document = _column(frame, _TOPIC), _column(frame, _DOCUMENT)
    rows = _lines_of(path)
    first = 1
    if "rank" in frame.columns and len(frame) and frame["rank"].min() == 0:
        first = 0  # as PyTerrier counts
    made = pandas.DataFrame(
        {
            topic: [row[0] for row in rows],
            document: [row[2] for row in rows],
            "score": [float(row[4]) for row in rows],
            "rank": [int(row[3]) - 1 + first for row in rows],
        }
    )
    if action == "transfer":  # other columns told of other documents
        return made
    marks = [row[5].partition("duplicate-of:")[2] or None for row in rows]
    if any(marks):
        made["duplicate_of"] = marks
    place = {
        pair: row for row, pair in reversed(list(enumerate(zip(_words(frame, _TOPIC), _words(frame, _DOCUMENT)))))
    }
    chosen = frame.iloc[[place[pair] for pair in zip(made[topic], made[document])]].reset_index(drop=True)
    # A run has scores of 32 bits; those that stand are the caller's own.
    stands = chosen["score"].astype("float32").eq(made["score"].astype("float32"))
    chosen = chosen.assign(score=chosen["score"].where(stands, made["score"]), rank=made["rank"])
    return chosen.assign(duplicate_of=marks) if any(marks) else chosen


def _read_qrels(path: str, given: Any) -> Any:
    import pandas

    frame = _pandas(given)
    rows = _lines_of(path)
    return pandas.DataFrame(
        {
            _column(frame, _TOPIC): [row[0] for row in rows],
            _column(frame, _DOCUMENT): [row[2] for row in rows],
            _column(frame, _GRADE): [int(row[3]) for row in rows],
        }
    )
