"""LeanMinHash."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any

from twinset.compat.datasketch._minhash import MinHash, scheme_of, united_values, values_of

# The byte behind the number of values, which is then negative; legacy has neither.
_CODES = {"affine32": 1, "affine64": 2}
_SCHEMES = {code: scheme for scheme, code in _CODES.items()}


def _head(scheme: str) -> str:
    return "qi" if scheme == "legacy" else "qiB"


def _values(scheme: str, count: int) -> str:
    return f"{count}{'Q' if scheme == 'affine64' else 'I'}"


class LeanMinHash(MinHash):
    """A MinHash of which values, seed and scheme alone are kept; it takes no tokens.

    Args:
        minhash: Whose values, seed and scheme it has; or, in its place:
        seed, hashvalues, scheme: These.
    """

    __slots__ = ("hashvalues", "scheme", "seed")

    def __init__(
        self,
        minhash: MinHash | None = None,
        seed: int | None = None,
        hashvalues: Iterable | None = None,
        scheme: str | None = None,
    ) -> None:
        if minhash is not None:
            if scheme not in (None, minhash.scheme):
                raise ValueError(f"scheme is {scheme!r}, that of minhash is {minhash.scheme!r}")
            self._fill(minhash.seed, minhash.hashvalues, minhash.scheme)
        elif seed is None or hashvalues is None:
            raise ValueError("give minhash, or hashvalues and seed")
        elif scheme is None:
            raise ValueError(
                "hashvalues do not tell their scheme: give scheme, 'legacy' for those of "
                "datasketch before 2.0"
            )
        else:
            self._fill(seed, hashvalues, scheme)

    def _fill(self, seed: int, hashvalues: Any, scheme: str) -> None:
        scheme_of(scheme)
        self.seed = seed
        self.scheme = scheme
        self.hashvalues = values_of(hashvalues, scheme, "hash values")
        if scheme != "legacy" and len(self.hashvalues) == 0:
            raise ValueError("hashvalues are empty")

    @classmethod
    def _made(cls, seed: int, hashvalues: Any, scheme: str) -> LeanMinHash:
        made = object.__new__(LeanMinHash)
        made._fill(seed, hashvalues, scheme)
        return made

    def update(self, b: Any) -> None:
        """Raises TypeError: a LeanMinHash takes no tokens."""
        raise TypeError("a LeanMinHash takes no tokens")

    def copy(self) -> LeanMinHash:
        """Returns another one with the same values."""
        return self._made(self.seed, self.hashvalues, self.scheme)

    def bytesize(self, byteorder: str = "@") -> int:
        """Returns the number of bytes that serialize writes; byteorder as in struct."""
        return struct.calcsize(byteorder + _head(self.scheme) + _values(self.scheme, len(self)))

    def serialize(self, buf: Any, byteorder: str = "@") -> None:
        """Writes seed, number of values, scheme and values into a buffer."""
        size = self.bytesize(byteorder)
        if len(buf) < size:
            raise ValueError(f"the buffer has {len(buf)} bytes, fewer than {size}")
        head = (self.seed, len(self))
        if self.scheme != "legacy":
            head = (self.seed, -len(self), _CODES[self.scheme])
        layout = byteorder + _head(self.scheme) + _values(self.scheme, len(self))
        struct.pack_into(layout, buf, 0, *head, *self.hashvalues.tolist())

    @classmethod
    def deserialize(cls, buf: Any, byteorder: str = "@") -> LeanMinHash:
        """Returns what serialize has written, here or in any version of datasketch."""
        return cls._made(*_read(buf, byteorder))

    def __getstate__(self) -> bytearray:
        state = bytearray(self.bytesize())
        self.serialize(state)
        return state

    def __setstate__(self, state: Any) -> None:
        self._fill(*_read(state, "@"))

    def __hash__(self) -> int:
        return hash((self.scheme, self.seed, tuple(self.hashvalues.tolist())))

    @classmethod
    def union(cls, *lmhs: LeanMinHash) -> LeanMinHash:
        """Returns the LeanMinHash of the union of two or more sets."""
        values = united_values(lmhs)
        return cls._made(lmhs[0].seed, values, lmhs[0].scheme)


def _read(buf: Any, byteorder: str) -> tuple[int, tuple, str]:
    buf = memoryview(buf)
    seed, count = struct.unpack_from(byteorder + "qi", buf)
    scheme = "legacy"
    if count < 0:
        code = buf[struct.calcsize(byteorder + "qi")]
        if code not in _SCHEMES:
            raise ValueError(f"the scheme of the values has the unknown code {code}")
        scheme = _SCHEMES[code]
    # No values: how many bytes stand in front of the first one.
    offset = struct.calcsize(byteorder + _head(scheme) + _values(scheme, 0))
    values = struct.unpack_from(byteorder + _values(scheme, abs(count)), buf, offset)
    return seed, values, scheme
