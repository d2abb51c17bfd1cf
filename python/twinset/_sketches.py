"""Sketches, exact similarities, and saved runs asked for single texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from twinset import _native, _options

# Texts that one thread asks for before Ctrl-C is looked for.
_BATCH_TEXTS = 256


class Sketcher:
    """Makes sketches as a run with the same options makes them.

    It is immutable: any number of threads may use one together. Exact
    similarities are computed under a secret that it draws, so that nobody can make
    two texts that only seem alike.

    Args:
        corpus: Files that a method learns from, for methods that do.
        options: Those of ``twinset sketch``: method, permutations, shingle, seed ...

    A pickle of it holds the options, and the names of the files, which are read again.
    """

    def __init__(self, corpus: Sequence[str | os.PathLike] = (), **options: Any) -> None:
        self._words = [*_options.words("sketch", options), "--", *map(os.fspath, corpus)]
        self._native = _native.Sketcher(self._words)

    def __getstate__(self) -> list[str]:
        return self._words

    def __setstate__(self, words: list[str]) -> None:
        self._words = words
        self._native = _native.Sketcher(words)

    def sketch(self, texts: Sequence[str], which: int = 0) -> Any:
        """Returns the sketches as a numpy array of uint32, one row a text.

        Where sketches differ in length (an empty text has an empty one), it
        returns (values, offsets): those of text i are
        ``values[offsets[i]:offsets[i + 1]]``. Needs numpy.
        """
        values, offsets = self._native.sketch(list(texts), which)
        return values if offsets is None else (values, offsets)

    def keys(self, texts: Sequence[str]) -> Any:
        """Returns the keys by which texts become candidates, as ``sketch`` does (uint64)."""
        values, offsets = self._native.keys(list(texts))
        return values if offsets is None else (values, offsets)

    def keys_of(self, text: str) -> list[int]:
        """Returns the keys of one text; numpy is not needed."""
        return self._native.keys_of(text)

    def shingles(self, text: str) -> Any:
        """Returns the shingles under the published hash: ascending, distinct uint64."""
        return self._native.shingles(text)

    def estimate(self, a: Sequence[int], b: Sequence[int], which: int = 0) -> float:
        """Returns the similarity that two sketches estimate, in [0, 1]."""
        return self._native.estimate(list(map(int, a)), list(map(int, b)), which)

    def similarity(self, a: str, b: str) -> float:
        """Returns the exact similarity of two texts, in [0, 1]."""
        return self._native.similarity(a, b)


def sketch(texts: Sequence[str] | str, **options: Any) -> Any:
    """Returns the sketches of texts; see ``Sketcher.sketch``.

    Args:
        texts: A list of str.
        options: Those of ``twinset sketch``; method defaults to minhash.
    """
    return Sketcher(**options).sketch([texts] if isinstance(texts, str) else texts)


def similarity(a: str, b: str, **options: Any) -> float:
    """Returns the exact similarity of two texts, in [0, 1].

    Args:
        a, b: The texts.
        options: ``measure`` (jaccard, containment, ...), ``shingle``, ``tokens`` ...
    """
    return Sketcher(**options).similarity(a, b)


class Collection:
    """A saved run (``dedup(..., save=path)``), asked for single texts.

    It is immutable: any number of threads may ask one together. Opening it goes
    once through the stored sketches.

    Args:
        folder: Of the saved run.
        threshold: Of the pairs; None: that of the saved run.
        threads: For opening; 0: all.
    """

    def __init__(
        self, folder: str | os.PathLike, threshold: float | None = None, threads: int = 0
    ) -> None:
        self._native = _native.Saved(os.fspath(folder), threshold, threads)

    def __len__(self) -> int:
        return len(self._native)

    def find(self, text: str) -> list[tuple[str, float, int]]:
        """Returns (id, similarity, document) of each near-duplicate, most similar first.

        ``document`` is its number in the saved run.
        """
        return self._native.find(text)

    def find_all(
        self, texts: Iterable[str], threads: int = 0
    ) -> list[list[tuple[str, float, int]]]:
        """Returns for each text what ``find`` returns.

        Args:
            texts: A list, a column, or an iterator of str.
            threads: That ask side by side; 0: all.
        """
        from concurrent.futures import ThreadPoolExecutor

        asked = list(texts)
        batches = [asked[i : i + _BATCH_TEXTS] for i in range(0, len(asked), _BATCH_TEXTS)]
        pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
        try:
            return [one for found in pool.map(self._native.find_all, batches) for one in found]
        finally:
            pool.shutdown(cancel_futures=True)


def hamming_pairs(
    fingerprints: Any, distance: int = 3, against: Any = None, bits: int = 64
) -> Any:
    """Returns all pairs of fingerprints that differ in at most ``distance`` bits.

    Args:
        fingerprints: A sequence, or an array, of unsigned 64-bit numbers.
        distance: The most bits that may differ.
        against: A second set; None: pairs within the first, a < b.
        bits: Of a fingerprint: 32 or 64.

    Returns:
        A Table of a, b (positions) and distance, sorted by a, then b.
    """
    import tempfile

    from twinset import _command
    from twinset._table import Table

    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        paths = [
            _write_fingerprints(os.path.join(folder, name), values, bits)
            for name, values in (("a", fingerprints), ("b", against))
            if values is not None
        ]
        options = {"distance": distance, "bits": bits, "against": paths[1:] or None}
        printed = _command.run("hamming", paths[:1], options, False)
    rows = [tuple(map(int, line.split())) for line in printed.splitlines()]
    columns = list(zip(*rows)) or [(), (), ()]
    return Table(
        {
            name: _native.column_of(list(values))
            for name, values in zip(("a", "b", "distance"), columns)
        }
    )


def _write_fingerprints(path: str, values: Any, bits: int) -> str:
    digits = bits // 4
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{int(value):0{digits}x}\n" for value in values)
    return path
