"""What an index shows of its keys and tables, and how datasketch pickles its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twinset import _native


class _Shown:
    """Keys with values, to be read as the storages of datasketch are."""

    def __getitem__(self, key: Any) -> Any:
        return self.get(key)

    def __iter__(self) -> Iterator:
        return iter(self.keys())

    def __len__(self) -> int:
        return self.size()

    def __contains__(self, key: Any) -> bool:
        return self.has_key(key)

    def getmany(self, *keys: Any) -> list:
        """Returns the values of each key."""
        return [self.get(key) for key in keys]

    def itemcounts(self) -> dict:
        """Returns the number of values of each key."""
        return {key: len(self.get(key)) for key in self.keys()}

    def status(self) -> dict:
        """Returns the number of keys by name."""
        return {"keyspace_size": len(self)}


class Keys(_Shown):
    """The keys of an index, each with its bytes in each table."""

    def __init__(self, index: _native.BandIndex) -> None:
        self._index = index

    def keys(self) -> list:
        """Returns the keys, in the order of their insertion."""
        return self._index.keys()

    def get(self, key: Any) -> list[bytes]:
        """Returns the bytes of a key, one a table; none where it is not there."""
        return self._index.bands_of(key)

    def has_key(self, key: Any) -> bool:
        """Returns whether the key is there."""
        return key in self._index

    def size(self) -> int:
        """Returns the number of keys."""
        return len(self._index)


class Table(_Shown):
    """A table of an index: bytes of bands, each with the keys that have them."""

    def __init__(self, index: _native.BandIndex, band: int) -> None:
        self._index = index
        self._band = band

    def keys(self) -> list[bytes]:
        """Returns the bytes that keys have."""
        return self._index.buckets(self._band)

    def get(self, key: bytes) -> set:
        """Returns the keys that have these bytes."""
        return set(self._index.bucket_keys(self._band, key))

    def has_key(self, key: bytes) -> bool:
        """Returns whether any key has these bytes."""
        return bool(self._index.bucket_keys(self._band, key))

    def size(self) -> int:
        """Returns how many different bytes there are."""
        return self._index.bucket_count(self._band)

    def itemcounts(self) -> dict[bytes, int]:
        """Returns how many keys have each."""
        return self._index.bucket_sizes(self._band)


class DictListStorage:
    """What datasketch pickles of the keys of an index."""

    _dict: dict


class DictSetStorage(DictListStorage):
    """What datasketch pickles of a table of an index."""
