"""MinHashLSH."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from twinset import _native
from twinset.compat.datasketch._parameters import best_bands
from twinset.compat.datasketch._storage import Keys, Table

_BUFFER = 50000  # the number that datasketch begins with; nothing is buffered here


class MinHashLSH:
    """An index of MinHash, which finds those that likely have a similarity.

    Args:
        threshold: The similarity for which bands are chosen.
        num_perm: Number of values of each MinHash.
        weights: Of false positives and of false negatives in that choice; their sum is 1.
        params: Number and size of the bands, in place of a choice.
        storage_config: None or {"type": "dict"}.
        prepickle: Whether keys are pickled, so that any object can be one.
        hashfunc: From the bytes of a band to the fewer bytes that are kept, all of one
            length; None: all are kept.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
        storage_config: dict | None = None,
        prepickle: bool | None = None,
        hashfunc: Callable[[bytes], bytes] | None = None,
    ) -> None:
        storage = (storage_config or {"type": "dict"})["type"]
        if storage != "dict":
            raise ValueError(
                f"storage {storage!r} is not here, only 'dict', which is memory. An index that "
                "outlives the process is a saved run: twinset.dedup(..., save=FOLDER) makes one "
                "of the texts, twinset.Collection(FOLDER).find(text) asks it"
            )
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold is {threshold}; it must be in [0.0, 1.0]")
        if num_perm < 2:
            raise ValueError(f"num_perm is {num_perm}; it must be 2 or more")
        if any(not 0.0 <= weight <= 1.0 for weight in weights):
            raise ValueError("a weight is outside [0.0, 1.0]")
        if sum(weights) != 1.0:
            raise ValueError("the weights do not sum to 1.0")
        self.h = num_perm
        self.b, self.r = params or best_bands(threshold, num_perm, *weights)
        if self.b * self.r > num_perm:
            raise ValueError(
                f"params need {self.b} * {self.r} = {self.b * self.r} values, and num_perm is {num_perm}"
            )
        if self.b < 2:
            raise ValueError(f"there are {self.b} bands; there must be 2 or more")
        self.prepickle = bool(prepickle)
        self.hashfunc = hashfunc
        self.hashranges = [(i * self.r, (i + 1) * self.r) for i in range(self.b)]
        self.buffer_size = _BUFFER
        self._minhash_scheme: str | None = None
        self._asked: list[set] = []
        self._index = _native.BandIndex(self.b)

    @property
    def keys(self) -> Keys:
        """The keys, each with its bytes in each table."""
        return Keys(self._index)

    @property
    def hashtables(self) -> list[Table]:
        """The tables, one a band: bytes with the keys that have them."""
        return [Table(self._index, band) for band in range(self.b)]

    def insert(self, key: Hashable, minhash: Any, check_duplication: bool = True) -> None:
        """Adds a key; ValueError: it is there, if this is checked."""
        self._minhash_scheme = self._checked_scheme(minhash)
        values, width = self._values(minhash)
        self._index.insert(self._stored(key), values, width, check_duplication)

    def query(self, minhash: Any) -> list[Hashable]:
        """Returns the keys that share the values of a band, each once."""
        return self._query(minhash, self.b)

    def _query(self, minhash: Any, bands: int) -> list[Hashable]:
        self._checked_scheme(minhash)
        values, width = self._values(minhash)
        found = self._index.query(values, width, bands)
        return [pickle.loads(key) for key in found] if self.prepickle else found

    def _query_b(self, minhash: Any, b: int) -> set:
        if b > self.b:
            raise ValueError(f"there are {self.b} tables, fewer than {b}")
        return set(self._query(minhash, b))

    def add_to_query_buffer(self, minhash: Any) -> None:
        """Keeps what query returns for collect_query_buffer."""
        self._checked_scheme(minhash)
        values, width = self._values(minhash)
        self._asked.append(set(self._index.query(values, width, self.b)))

    def collect_query_buffer(self) -> list[Hashable]:
        """Returns the keys that every query found since the last call."""
        asked, self._asked = self._asked, []
        found = list(set.intersection(*asked)) if asked else []
        return [pickle.loads(key) for key in found] if self.prepickle else found

    def __contains__(self, key: Hashable) -> bool:
        return self._stored(key) in self._index

    def remove(self, key: Hashable) -> None:
        """Removes a key; ValueError: it is not there."""
        self._index.remove(self._stored(key))

    def is_empty(self) -> bool:
        """Returns whether there is nothing to find."""
        return any(self._index.bucket_count(band) == 0 for band in range(self.b))

    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds all keys of another index with the same num_perm and bands.

        ValueError: it is of another kind, or has a key that is here, if this is checked.
        """
        if type(self) is not type(other):
            raise ValueError(f"a MinHashLSH cannot be merged with a {type(other).__name__}")
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("MinHashLSH with different num_perm or bands cannot be merged")
        schemes = {self._minhash_scheme, other._minhash_scheme} - {None}
        if len(schemes) > 1:
            raise ValueError("MinHashLSH with different schemes of MinHash cannot be merged")
        if check_overlap and any(key in self._index for key in other._index.keys()):
            raise ValueError("the other index has a key that is here")
        self._minhash_scheme = self._minhash_scheme or other._minhash_scheme
        self._index.merge(other._index)

    def get_counts(self) -> list[dict[bytes, int]]:
        """Returns of each table how many keys have which bytes."""
        return [self._index.bucket_sizes(band) for band in range(self.b)]

    def get_subset_counts(self, *keys: Hashable) -> list[dict[bytes, int]]:
        """Returns what get_counts does, of these keys alone."""
        bands = [self._index.bands_of(self._stored(key)) for key in set(keys)]
        return [dict(Counter(of_key[i] for of_key in bands if of_key)) for i in range(self.b)]

    def insertion_session(self, buffer_size: int = _BUFFER) -> MinHashLSHInsertionSession:
        """Returns a context in which ``insert`` adds keys."""
        return MinHashLSHInsertionSession(self, buffer_size)

    def deletion_session(self, buffer_size: int = _BUFFER) -> MinHashLSHDeletionSession:
        """Returns a context in which ``remove`` removes keys."""
        return MinHashLSHDeletionSession(self, buffer_size)

    def _stored(self, key: Hashable) -> Hashable:
        return pickle.dumps(key) if self.prepickle else key

    def _checked_scheme(self, minhash: Any) -> str | None:
        if len(minhash) != self.h:
            raise ValueError(f"the MinHash has {len(minhash)} values, the index takes {self.h}")
        scheme = getattr(minhash, "scheme", None)  # a WeightedMinHash has none
        known = self._minhash_scheme
        if scheme is None or known is None or scheme == known:
            return scheme or known
        raise ValueError(f"the MinHash has scheme {scheme!r}, those in the index {known!r}")

    def _values(self, minhash: Any) -> tuple[Any, int]:
        """Returns the bands in one piece, and how many elements of it a band is."""
        values = minhash.hashvalues
        if self.hashfunc is None:
            return np.ascontiguousarray(values), self.r
        bands = [self._H(values[start:end]) for start, end in self.hashranges]
        if len(set(map(len, bands))) != 1:
            raise ValueError("hashfunc returned bytes of different lengths")
        return b"".join(bands), len(bands[0])

    def _H(self, hs: np.ndarray) -> bytes:
        return self._byteswap(hs) if self.hashfunc is None else self._hashed_byteswap(hs)

    def _byteswap(self, hs: np.ndarray) -> bytes:
        return hs.byteswap().tobytes()

    def _hashed_byteswap(self, hs: np.ndarray) -> bytes:
        return self.hashfunc(self._byteswap(hs))

    def __getstate__(self) -> dict:
        state = {name: value for name, value in self.__dict__.items() if name != "_index"}
        return {**state, "_rows": self._index.state()}

    def __setstate__(self, state: dict) -> None:
        state = dict(state)
        rows = state.pop("_rows", None)
        if rows is None:
            rows = _rows_of_datasketch(state["keys"]._dict, [t._dict for t in state["hashtables"]])
            for name in ("keys", "hashtables", "_H", "_buffer_size", "_require_bytes_keys"):
                state.pop(name, None)
            state = {"_minhash_scheme": None, "_asked": [], "buffer_size": _BUFFER, **state}
        self.__dict__.update(state)
        self._index = _native.BandIndex(self.b)
        self._index.restore(*rows)


def _rows_of_datasketch(keys: dict, tables: list[dict]) -> tuple[list, bytes, bytes]:
    """Returns the state of an index with the keys and tables that datasketch has pickled."""
    row_keys, rows, marks = [], bytearray(), bytearray()
    for key, bands in keys.items():
        for at in range(0, len(bands), len(tables)):
            row = bands[at : at + len(tables)]
            row_keys.append(key)
            rows += b"".join(row)
            marks.append(1)
            marks += bytes(key in table.get(band, ()) for band, table in zip(row, tables))
    return row_keys, bytes(rows), bytes(marks)


class _Session:
    """A context with the changes of an index; each is made at once."""

    def __init__(self, lsh: MinHashLSH, buffer_size: int) -> None:
        self.lsh = lsh
        self.lsh.buffer_size = buffer_size

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Does nothing."""


class MinHashLSHInsertionSession(_Session):
    """What ``MinHashLSH.insertion_session`` returns."""

    def insert(self, key: Hashable, minhash: Any, check_duplication: bool = True) -> None:
        """Adds a key, as the index does."""
        self.lsh.insert(key, minhash, check_duplication)


class MinHashLSHDeletionSession(_Session):
    """What ``MinHashLSH.deletion_session`` returns."""

    def remove(self, key: Hashable) -> None:
        """Removes a key, as the index does."""
        self.lsh.remove(key)
