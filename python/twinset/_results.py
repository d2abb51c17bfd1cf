"""What dedup and match found."""

from __future__ import annotations

import collections
import html
import json
import os
import re
import tempfile
from typing import Any

from twinset import _command, _data, _native, _options
from twinset._table import Table
from twinset.errors import UsageError


def _ids(rows: Any, ids: Any) -> Any:
    return ids.take(rows) if len(ids) else rows


def utf8_file(text: str) -> bytes:
    """Returns the bytes of a file that says that it is UTF-8; surrogates are U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text).encode("utf-8-sig")


def _finding(gone: int, whole: int, verb: str, pairs: int, summary: dict[str, Any]) -> str:
    """Returns the first sentence of a result."""
    if whole == 0:
        return "No document was read."
    share = f"{100 * gone / whole:.1f} %"
    exact = summary["parameters"].get("verify") != "none"
    how = "each compared exactly" if exact else "by estimate: none was compared"
    noun = "pair" if pairs == 1 else "pairs"
    return f"{gone:,} of {whole:,} documents ({share}) {verb}: {pairs:,} {noun}, {how}."


class _Found:
    """What both results have: rows of the caller's data, and what is told."""

    def __init__(self, side: _data.Side, found: dict[str, Any]) -> None:
        self._side = side
        self._found = found
        self._ids = found["ids"]
        #: What the run was and what came of it, as in summary.json.
        self.summary: dict[str, Any] = json.loads(found["summary"])
        #: Row numbers of the documents that stay, ascending.
        self.kept_rows = found["kept"]
        #: Row numbers of the documents that go, ascending.
        self.dropped_rows = found["dropped"]
        self._warn()

    def _warn(self) -> None:
        lines = list(self.summary.get("warnings", ()))
        count = len(self._found["rejected"])
        if count:
            noun = "document was" if count == 1 else "documents were"
            lines.append(f"{count} {noun} not used; .rejected says why")
        _command.warn(lines)

    def _names_rows(self) -> bool:
        # No id was given, and results have the numbers of rows.
        return self._side is not None and not len(self._ids)

    @property
    def pairs(self) -> Table:
        """The pairs: a, b, similarity."""
        raise NotImplementedError

    def plot(self, axes: Any = None) -> Any:
        """Draws how many pairs have which similarity; needs matplotlib.

        Args:
            axes: Where to draw, of matplotlib; None: a new figure.

        Returns:
            The axes.
        """
        from twinset import _plots

        threshold = float(self.summary["parameters"]["threshold"])
        values = self.pairs["similarity"].tolist()
        return _plots.similarities(values, threshold, repr(self).partition(":")[0], axes)

    @property
    def rejected(self) -> Table:
        """Documents that could not be used: side, row, reason, detail."""
        found = self._found
        return Table(
            {
                "side": found["rejected_side"],
                "row": found["rejected"],
                "reason": found["reason"],
                "detail": found["detail"],
            }
        )


class Deduplicated(_Found):
    """The duplicates of a collection.

    ``kept`` has the rows that stay, in the caller's own kind of table; ``dropped``
    which row stands for each that goes; ``pairs`` and ``clusters`` the rest.
    """

    def __init__(
        self, side: _data.Side, found: dict[str, Any], options: dict[str, Any], again: Any
    ) -> None:
        super().__init__(side, found)
        self._options = options
        self._again = again
        #: The folder of the result files, or an empty string.
        self.folder = ""

    @property
    def pairs(self) -> Table:
        """The pairs: a, b (ids, or row numbers), similarity; a before b."""
        found = self._found
        return Table(
            {
                "a": _ids(found["a"], self._ids),
                "b": _ids(found["b"], self._ids),
                "similarity": found["similarity"],
            }
        )

    @property
    def clusters(self) -> Table:
        """Members of clusters: cluster (the id that stays), id, similarity, contained."""
        found = self._found
        return Table(
            {
                "cluster": _ids(found["representative"], self._ids),
                "id": _ids(found["member"], self._ids),
                "similarity": found["member_similarity"],
                "contained": found["contained"],
            }
        )

    @property
    def dropped(self) -> Table:
        """The documents that go: id, kept_id, similarity, contained."""
        found = self._found
        gone = _native.members_of(found["member"], found["dropped"])
        return Table(
            {
                "id": _ids(found["member"].take(gone), self._ids),
                "kept_id": _ids(found["representative"].take(gone), self._ids),
                "similarity": found["member_similarity"].take(gone),
                "contained": found["contained"].take(gone),
            }
        )

    @property
    def copies(self) -> Any:
        """How many documents each of ``kept_rows`` stands for, itself included."""
        return _native.copies_of(self.kept_rows, self._found["representative"])

    @property
    def kept(self) -> Any:
        """The rows that stay, as the caller gave them, with a column ``copies``."""
        return _data.choose(self._side.data, self.kept_rows, {"copies": self.copies})

    @property
    def annotated(self) -> Any:
        """All rows, as the caller gave them, with columns of what was found.

        The columns are cluster (id of the document that stays in its cluster), kept_id
        (the same; null in that document's own row), similarity and contained (to it),
        and copies (how many documents the cluster has, 1 where a row has no duplicate).
        All are null in a row that could not be used. Texts alone get no columns. Rows of
        files are written with ``write=FOLDER, action="annotate"``.
        """
        count = _data.count_rows(self._side.data)
        names = self._ids.tolist() if len(self._ids) else range(count)
        members = self._members_of_clusters()
        sizes = collections.Counter(cluster for cluster, *_ in members)
        said: list[tuple[Any, ...]] = [(None,) * 5] * count
        for row in [*self.kept_rows.tolist(), *self.dropped_rows.tolist()]:
            said[row] = (names[row], None, 1.0, 1.0, 1)
        for cluster, row, similarity, contained in members:
            kept_id = None if row == cluster else names[cluster]
            said[row] = (names[cluster], kept_id, similarity, contained, sizes[cluster])
        columns = ("cluster", "kept_id", "similarity", "contained", "copies")
        added = {name: [row[at] for row in said] for at, name in enumerate(columns)}
        return _data.choose(self._side.data, list(range(count)), added)

    def _members_of_clusters(self) -> list[tuple[int, int, float, float]]:
        """Rows of the document that stays and of a member, and how alike they are."""
        names = ("representative", "member", "member_similarity", "contained")
        return list(zip(*(self._found[name].tolist() for name in names)))

    def explain(self, a: Any, b: Any = None) -> Explanation:
        """Explains two documents, named as in ``pairs``; of a run over files also what became of one."""
        if b is None:
            raise UsageError(
                "what became of one document is explained of a run over files",
                remedy="give two documents; dropped tells which one stays for each that goes",
            )
        texts = [self._text_of(one) for one in (a, b)]
        names = (str(a), str(b))
        return explain_texts(*texts, self._side.is_html, names, **_explained(self._options))

    def _row_of(self, name: Any) -> int:
        if not len(self._ids):
            return int(name)
        ids = self._ids.tolist()
        try:
            return ids.index(name)
        except ValueError:
            raise UsageError(f"there is no document {name!r}") from None

    def _text_of(self, name: Any) -> str:
        return _data.text_at(self._side, self._row_of(name))

    def rethreshold(self, threshold: float) -> Deduplicated:
        """Decides again at another threshold, which reads the data again."""
        return self._again(self._side.data, threshold=threshold)

    def save(self, path: str | os.PathLike) -> None:
        """Saves the run, so that it can be asked, extended and decided again.

        It reads the data again (docs/formats/saved-run.md).
        """
        self._again(self._side.data, warns=False, save=path)

    def report(self) -> str:
        """Returns the report as a page of HTML; it reads the data again."""
        with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
            out = os.path.join(folder, "result")
            self._again(self._side.data, warns=False, out=out, report=True)
            with open(os.path.join(out, "report.html"), encoding="utf-8") as file:
                return file.read()

    def __repr__(self) -> str:
        gone, stay = len(self.dropped_rows), len(self.kept_rows)
        return _finding(gone, gone + stay, "can go", len(self.pairs), self.summary)


class Matched(_Found):
    """Which documents of one collection are also in another."""

    def __init__(self, first: _data.Side, second: _data.Side, found: dict[str, Any]) -> None:
        super().__init__(first, found)
        self._second = second
        self._ids_b = found["ids_b"]

    def _names_rows(self) -> bool:
        return super()._names_rows() or (self._side is not None and not len(self._ids_b))

    @property
    def pairs(self) -> Table:
        """The pairs: a (of data), b (of against), similarity."""
        found = self._found
        return Table(
            {
                "a": _ids(found["a"], self._ids),
                "b": _ids(found["b"], self._ids_b),
                "similarity": found["similarity"],
            }
        )

    @property
    def kept(self) -> Any:
        """The rows of data that are not in against; of files, their ids."""
        if self._side is None:
            return self.kept_rows.tolist()
        return _data.choose(self._side.data, self.kept_rows, {})

    def __repr__(self) -> str:
        gone, stay = len(self.dropped_rows), len(self.kept_rows)
        verb = "are in the other collection too"
        return _finding(gone, gone + stay, verb, len(self.pairs), self.summary)


class Explanation(dict):
    """Everything about a pair: measures, estimates, differences.

    A dict of the members that ``twinset explain --json`` has; printed, the
    explanation in words; in a notebook, the page.
    """

    _text = ""
    _page = ""

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return _command.framed(self._page)


def _explained(options: dict[str, Any]) -> dict[str, Any]:
    known = _options.flags_of("explain")
    return {name: value for name, value in options.items() if name in known}


def explain_texts(
    a: str, b: str, is_html: bool = False, names: tuple[str, str] = ("a", "b"), **options: Any
) -> Explanation:
    """Explains two texts, or two pages (``twinset explain``), which have these names."""
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        suffix = ".html" if is_html else ".txt"
        paths = [os.path.join(folder, name + suffix) for name in ("a", "b")]
        for path, text in zip(paths, (a, b)):
            with open(path, "wb") as file:
                file.write(utf8_file(text))
        page = os.path.join(folder, "page.html")
        made = Explanation(
            json.loads(_command.run("explain", paths, {**options, "html": page}, False, ["--json"]))
        )
        made._text = _command.run("explain", paths, options, False)
        with open(page, encoding="utf-8") as file:
            made._page = file.read()
        for path, name in zip(paths, names):
            made._text = made._text.replace(path, name)
            made._page = made._page.replace(path, html.escape(name))
        made.update(zip(("a", "b"), names))
    return made
