"""A live index: documents that are stored one after the other, on a disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from twinset import _command, _data, _native, _options
from twinset._progress import Sink, shown
from twinset.errors import UsageError

# Of a document, beside its text. The index has all ids and tags as text.
_ROLES = {"id": "field:id", "url": "url", "date": "date", "tag": "field:tag"}

# Options of the command that are no parameters of an index.
_NOT_FROZEN = tuple(
    name
    for name, flag in _options.flags_of("index").items()
    if not _native.reads_in_memory(flag["name"])
)
_OF_OPENING = ("threads", "memory", "durability")


class IndexMatch(NamedTuple):
    """A stored document that is similar to the one asked for.

    Attributes:
        id, url: Of the document.
        similarity: Exact.
        contained: The share of the features of the asked document that this one has;
            ``contains`` the other way.
        kept: It was dropped for none.
        copies: Documents that are equal to it in what is compared, with itself.
        first_seen, last_seen: Of these copies: their dates, or when they came.
        tags: The sets that hold them.
        index: 0; with ``against`` its number among the indexes that were asked.
        differences: With ``why``, of the most similar one: what stands in the asked
            document ("a") or in this one ("b") alone, in their order, at most 20.
    """

    id: str
    url: str
    similarity: float
    contained: float
    contains: float
    kept: bool
    copies: int
    first_seen: str
    last_seen: str
    tags: list[str]
    index: int
    differences: list[tuple[str, str]]


class IndexAnswer(NamedTuple):
    """What became of a document that was added.

    Attributes:
        id: By which the index knows it.
        new: It is kept: nothing kept is similar to it.
        repeated: The same id with the same content was there: it was not stored.
        kept: The most similar kept document; a new one itself.
        bounded: It was compared with a few of very many alone.
        empty: It has no features, and is like none.
        rejected, detail: Set: it was not stored, and why.
        replaced: Ids of the documents that it replaced.
    """

    id: str
    new: bool
    repeated: bool
    kept: IndexMatch | None
    bounded: bool
    empty: bool
    rejected: str
    detail: str
    replaced: list[str]


class IndexFound(NamedTuple):
    """The stored documents that are similar to one.

    Attributes:
        matches: The most similar first.
        bounded: Compared with a few of very many alone: some may be missing.
        empty: It has no features, and is like none.
        rejected, detail: Set: it cannot be compared, and why.
    """

    matches: list[IndexMatch]
    bounded: bool
    empty: bool
    rejected: str
    detail: str

    @property
    def new(self) -> bool:
        """True: nothing similar is stored."""
        return not self.matches and not self.rejected


class IndexRemoval(NamedTuple):
    """What a removal did.

    Attributes:
        removed: Ids.
        dropped: (id, the removed one for which it had been dropped) of each.
    """

    removed: list[str]
    dropped: list[tuple[str, str]]


class Index:
    """A live index in a folder: have I seen this page?

    Documents are stored in the order in which they come, each is decided when it
    comes, and what a call has returned is on the disk
    (docs/methods/index.md). Any number of threads may use one together; one process
    at a time may have it open for writing. It belongs to the process that opened it:
    in a fork every call is refused. It is a context manager, which closes it.

    Args:
        folder: Of an index that ``create`` or ``twinset index create`` made.
        read_only: It is seen as it is now, whatever is written to it later.
        options: ``durability`` ("synced" or "relaxed"), ``threads``, ``memory``, and
            parameters that the index must have, as ``threshold=0.8``.
    """

    def __init__(self, folder: str | os.PathLike, read_only: bool = False, **options: Any) -> None:
        #: Of the index.
        self.folder = os.fspath(folder)
        words = _words(options, _OF_OPENING)
        self._native = _native.LiveIndex(self.folder, words, read_only)
        _command.warn(self._native.repairs())

    @classmethod
    def open(cls, folder: str | os.PathLike, read_only: bool = False, **options: Any) -> Index:
        """Opens an index, as ``Index(folder)`` does."""
        return cls(folder, read_only, **options)

    @classmethod
    def create(cls, folder: str | os.PathLike, **options: Any) -> Index:
        """Makes an empty index in a folder of its own, and opens it.

        Args:
            folder: That is not there yet.
            options: Its parameters, which are frozen: ``threshold``, ``method``,
                ``shingle`` and the others of ``twinset index``; and those of opening.
        """
        opening = {name: options.pop(name) for name in _OF_OPENING if name in options}
        _native.create_index(os.fspath(folder), _words(options, ("key",)))
        return cls(folder, **opening)

    @classmethod
    def restore(cls, snapshot: str | os.PathLike, folder: str | os.PathLike, **options: Any) -> Index:
        """Makes an index of a snapshot, which is verified first, and opens it.

        Raises:
            CorruptError: if the snapshot is not sound.
        """
        _native.restore_index(os.fspath(snapshot), os.fspath(folder))
        return cls(folder, **options)

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check_and_add(
        self,
        data: Any,
        text: str = "text",
        id: str | None = None,
        *,
        html: str | None = None,
        url: str | None = None,
        date: str | None = None,
        tag: str = "",
        tag_column: str | None = None,
        replace: bool = False,
        why: bool = False,
        progress: Sink | bool | None = None,
    ) -> Any:
        """Stores documents in their order, and says of each whether it is new.

        Of two equal documents that arrive together exactly one is. The same id with
        the same content is not stored again, so a retry is harmless; with other
        content it becomes id#2, or with ``replace`` the new version. Ctrl-C takes nothing of what was acknowledged, which is a
        thousand documents at a time.

        Args:
            data: One text or one dict; or as for ``dedup`` a list of str, a list or
                iterator of dicts, a table.
            text, html: The column of the text, or of the markup.
            id, url, date: Columns; of one text they are its id, address and date.
                A document without an id has its arrival number.
            tag: The set that all belong to, as a crawl.
            tag_column: The column of the tag, where a row has one.
            replace: Other content with the id of a stored document replaces it, in
                one step; answers tell what was ``replaced``.
            why: What is dropped is told with its ``differences``.
            progress: As for ``dedup``.

        Returns:
            An IndexAnswer, or a list of them in the order of the documents.
        """
        given = {"id": id, "url": url, "date": date, "tag": tag_column}
        side, is_one = _side(data, text, html, given)
        with shown(progress) as sink:
            answers = [_answer(one) for one in self._native.add(side.native(), tag, why, replace, sink)]
        return answers[0] if is_one else answers

    def add(
        self,
        data: Any,
        text: str = "text",
        id: str | None = None,
        *,
        html: str | None = None,
        url: str | None = None,
        date: str | None = None,
        tag: str = "",
        tag_column: str | None = None,
        replace: bool = False,
        progress: Sink | bool | None = None,
    ) -> dict[str, int]:
        """Stores documents as ``check_and_add`` does, and counts them.

        Args:
            data, text, id, html, url, date, tag, tag_column, replace, progress: As there.

        Returns:
            documents, new, dropped, repeated, replaced, bounded and rejected.
        """
        given = {"id": id, "url": url, "date": date, "tag": tag_column}
        side, _ = _side(data, text, html, given)
        with shown(progress) as sink:
            return json.loads(self._native.add_counted(side.native(), tag, replace, sink))

    def check(
        self,
        data: Any,
        text: str = "text",
        *,
        html: str | None = None,
        limit: int = 1,
        within_tags: str | Sequence[str] = (),
        without_tags: str | Sequence[str] = (),
        against: Sequence[Index] = (),
        why: bool = False,
        progress: Sink | bool | None = None,
    ) -> Any:
        """Says of documents what ``check_and_add`` would say, and stores nothing.

        Args:
            data, text, html, progress: As there.
            limit: Documents that are told of each; 0: all.
            within_tags, without_tags: Only documents of these sets, and of none of
                those. They then count whether they were kept or dropped.
            against: Further indexes that are asked too.
            why: The most similar one has its ``differences``.

        Returns:
            An IndexFound, or a list of them.
        """
        query = _query(limit, within_tags, without_tags, why)
        query.one_of_equal = True
        return self._ask(data, text, html, query, against, progress)

    def query(
        self,
        data: Any,
        text: str = "text",
        *,
        html: str | None = None,
        limit: int = 0,
        kept_only: bool = False,
        within_tags: str | Sequence[str] = (),
        without_tags: str | Sequence[str] = (),
        against: Sequence[Index] = (),
        why: bool = False,
        progress: Sink | bool | None = None,
    ) -> Any:
        """Finds every stored document at the threshold: those that ``match`` would pair.

        Args:
            data, text, html, progress: As for ``check_and_add``.
            limit: Matches of each; 0: all.
            kept_only: None of those that were dropped.
            within_tags, without_tags, against, why: As for ``check``.

        Returns:
            An IndexFound, or a list of them.
        """
        query = _query(limit, within_tags, without_tags, why)
        query.kept_only = kept_only
        return self._ask(data, text, html, query, against, progress)

    def _ask(
        self, data: Any, text: str, html: str | None, query: Any, against: Sequence[Index],
        progress: Sink | bool | None,
    ) -> Any:  # fmt: skip
        side, is_one = _side(data, text, html, {})
        others = [other._native for other in against]
        with shown(progress) as sink:
            rows = self._native.ask(side.native(), query, others, sink)
        found = [IndexFound([IndexMatch(*match) for match in row[0]], *row[1:]) for row in rows]
        return found[0] if is_one else found

    def remove(self, *ids: str) -> IndexRemoval:
        """Removes documents. Nothing is decided again; ids that are not there are none.

        What had been dropped because of a removed one stays so, and is told.
        """
        return _removal(row for id in ids for row in self._native.remove(id, False))

    def remove_tag(self, tag: str) -> IndexRemoval:
        """Removes all documents of a set.

        Raises:
            NotFoundError: if no document has the tag.
        """
        return _removal(self._native.remove(tag, True))

    def stats(self) -> dict[str, Any]:
        """Returns documents, kept, dropped, empty, arrivals, bytes, tags, parameters ..."""
        return json.loads(self._native.stats())

    def verify(self, repair: bool = False) -> list[str]:
        """Reads everything, and returns what is wrong, in sentences.

        Args:
            repair: Damaged runs of postings are made again from the log.
        """
        return self._native.verify(repair)

    def compact(self) -> None:
        """Takes the texts, ids and addresses of removed documents out of all files."""
        self._native.compact()

    def snapshot(self, folder: str | os.PathLike) -> None:
        """Makes an index of its own with the same content in another folder."""
        self._native.snapshot(os.fspath(folder))

    def rebuild(self, folder: str | os.PathLike, **changed: Any) -> None:
        """Makes an index of the same documents with other parameters in another folder.

        Args:
            folder: That is not there yet.
            changed: ``threshold``, ``method`` ...; those that are not named stay.
        """
        self._native.rebuild(os.fspath(folder), _words(changed, ()))

    def sync(self) -> None:
        """Returns when everything is on the disk, whatever the durability."""
        self._native.sync()

    def close(self) -> None:
        """Ends the writing and lets the folder go, once the calls that go on have returned."""
        self._native.close()

    def __repr__(self) -> str:
        return f"Index({self.folder!r})"


def _words(options: dict[str, Any], more: Iterable[str]) -> list[str]:
    for name in options:
        if name in _NOT_FROZEN and name not in more:
            raise TypeError(f"an index has no parameter {name}")
    return _options.words("index", options)


def _query(
    limit: int, within: str | Sequence[str], without: str | Sequence[str], why: bool
) -> Any:
    query = _native.IndexQuery()
    query.limit, query.why = limit, why
    query.within_tags = [within] if isinstance(within, str) else list(within)
    query.without_tags = [without] if isinstance(without, str) else list(without)
    return query


def _side(
    data: Any, text: str, html: str | None, given: dict[str, str | None]
) -> tuple[_data.Side, bool]:
    """Returns the side, and whether it is one document."""
    is_one = isinstance(data, (str, Mapping))
    if isinstance(data, os.PathLike):
        raise UsageError(
            "an index takes documents here, not files",
            remedy="twinset index check-and-add INDEX FILE; or open(path).read()",
        )
    if isinstance(data, str):
        # What is given is of this one text.
        row = {name: value for name, value in given.items() if value is not None}
        given = {name: name for name in row}
        html = "text" if html is not None else None
        text, data = "text", {**row, "text": data}
    roles = {_ROLES[name]: column for name, column in given.items() if column is not None}
    data = [data] if is_one else data
    return _data.Side(data, html or text, html is not None, roles), is_one


def _answer(row: tuple) -> IndexAnswer:
    answer = IndexAnswer(*row)
    return answer._replace(kept=IndexMatch(*answer.kept)) if answer.kept else answer


def _removal(rows: Iterable[tuple[str, str]]) -> IndexRemoval:
    removal = IndexRemoval([], [])
    for removed, dropped in rows:
        if dropped:
            removal.dropped.append((dropped, removed))
        else:
            removal.removed.append(removed)
    return removal
