"""Documents that come one after the other: each is new, or like one before it.

What was seen is kept in the memory of one process. For a collection that is
there as a whole, use ``twinset.dedup``, which is many times faster.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from twinset import Sketcher


class Seen:
    """The documents that were new, asked whether the next one is.

    A text goes when it is at least ``threshold`` similar to one that was new; what
    went is not remembered, so that no chain of small changes loses a document. Every
    pair is verified exactly. Candidates are those of ``method``: "minhash" finds a
    pair of just the threshold with the probability that ``dedup`` would tell as its
    recall, and more similar ones more surely; "complete" misses none, and slows down
    with text that all documents share. Not for several threads at once.

    Args:
        threshold: The least similarity of two documents that are alike.
        options: Those of ``twinset sketch``: method, shingle, tokens ...
    """

    def __init__(self, threshold: float = 0.8, **options: Any) -> None:
        self._threshold = threshold
        self._sketcher = Sketcher(threshold=threshold, **options)
        self._texts: list[str] = []
        self._ids: list[Hashable] = []
        self._by_key: dict[int, int | list[int]] = {}

    def __len__(self) -> int:
        return len(self._texts)

    def find(self, text: str) -> tuple[Any, float] | None:
        """Returns (id, similarity) of the document that is most like the text, or None."""
        return self._find(text, self._sketcher.keys_of(text))

    def add(self, text: str, id: Hashable = None) -> tuple[Any, float] | None:
        """Adds the text if it is new.

        Args:
            text: Of the document.
            id: What the document is called; None: its number among those that
                were new.

        Returns:
            None if it was new and is remembered now, or what ``find`` returns.
        """
        keys = self._sketcher.keys_of(text)
        found = self._find(text, keys)
        if found is None:
            self._remember(text, len(self._ids) if id is None else id, keys)
        return found

    def _find(self, text: str, keys: list[int]) -> tuple[Any, float] | None:
        candidates: set[int] = set()
        for key in keys:
            row = self._by_key.get(key)
            if isinstance(row, int):
                candidates.add(row)
            elif row is not None:
                candidates.update(row)
        best: tuple[float, int] | None = None
        for row in sorted(candidates):
            similarity = self._sketcher.similarity(text, self._texts[row])
            if similarity >= self._threshold and (best is None or similarity > best[0]):
                best = (similarity, row)
        return None if best is None else (self._ids[best[1]], best[0])

    def _remember(self, text: str, id: Hashable, keys: list[int]) -> None:
        row = len(self._texts)
        self._texts.append(text)
        self._ids.append(id)
        for key in keys:
            known = self._by_key.setdefault(key, row)
            if isinstance(known, list):
                known.append(row)
            elif known != row:
                self._by_key[key] = [known, row]


class IsNew:
    """Tells of each row of a stream whether it is new; for ``filter``.

    It works on rows and on batches::

        stream.filter(IsNew(text="text"))

    A row without a text is new. All rows must come through one object in one process:
    it does not work with ``num_proc``.

    Args:
        text: The member of a row that is its text.
        threshold, options: As for ``Seen``.
    """

    def __init__(self, text: str = "text", threshold: float = 0.8, **options: Any) -> None:
        self._text = text
        #: What came through so far.
        self.seen = Seen(threshold, **options)

    def __call__(self, row: Mapping[str, Any]) -> bool | list[bool]:
        """Returns whether the row is new, or of a batch a list of that."""
        text = row[self._text]
        if isinstance(text, list):
            return [self._is_new(one) for one in text]
        return self._is_new(text)

    def _is_new(self, text: str | None) -> bool:
        return text is None or self.seen.add(text) is None
