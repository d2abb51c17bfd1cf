"""MinHash."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from twinset import _native

_MOST_PERMUTATIONS = 1 << 32
_MERSENNE_PRIME = (1 << 61) - 1
_ROWS_AT_ONCE = 256


class _Scheme(NamedTuple):
    number: int  # as the native functions call it
    dtype: type
    largest: int  # the value where nothing was hashed


_SCHEMES = {
    "affine32": _Scheme(32, np.uint32, (1 << 32) - 1),
    "affine64": _Scheme(64, np.uint64, (1 << 64) - 1),
    "legacy": _Scheme(61, np.uint64, (1 << 32) - 1),
}


def sha1_hash32(data: Any) -> int:
    """Returns the first 4 bytes of the SHA-1 of bytes, little-endian."""
    return int.from_bytes(hashlib.sha1(data).digest()[:4], "little")


def sha1_hash64(data: Any) -> int:
    """Returns the first 8 bytes of the SHA-1 of bytes, little-endian."""
    return int.from_bytes(hashlib.sha1(data).digest()[:8], "little")


def scheme_of(name: str) -> _Scheme:
    """Returns the facts of a scheme; ValueError: there is none of this name."""
    if name not in _SCHEMES:
        raise ValueError(f"scheme is {name!r}; it must be one of {', '.join(_SCHEMES)}")
    return _SCHEMES[name]


def values_of(numbers: Any, scheme: str, what: str) -> np.ndarray:
    """Returns numbers as an array of the type of the scheme; ValueError: they do not fit."""
    facts = scheme_of(scheme)
    if scheme == "legacy":
        return np.array(numbers, dtype=np.uint64)
    if isinstance(numbers, np.ndarray):
        if numbers.dtype.kind in "iu" and numbers.size:
            if int(numbers.min()) < 0 or int(numbers.max()) > facts.largest:
                raise ValueError(f"{what} do not fit scheme {scheme!r}")
        return numbers.astype(facts.dtype)
    try:
        # With the type said, so that no large number becomes a float on the way.
        return np.array(numbers, dtype=facts.dtype)
    except OverflowError as error:
        raise ValueError(f"{what} do not fit scheme {scheme!r}: {error}") from error


def _drawn_permutations(scheme: str, count: int, seed: Any) -> np.ndarray:
    facts, draw = _SCHEMES[scheme], np.random.RandomState(seed)
    if scheme == "legacy":
        pairs = [
            [
                draw.randint(low, _MERSENNE_PRIME, dtype=np.uint64)
                for low in (1, 0)  # of the multiplier, of the addend
            ]
            for _ in range(count)
        ]
        return np.ascontiguousarray(np.array(pairs, dtype=np.uint64).T)
    halves = draw.randint(0, 1 << (facts.number - 1), count, dtype=facts.dtype)
    addends = draw.randint(0, 1 << facts.number, count, dtype=facts.dtype)
    return np.array([halves * facts.dtype(2) + facts.dtype(1), addends])


@lru_cache(maxsize=64)
def _kept_permutations(scheme: str, count: int, seed: int) -> np.ndarray:
    permutations = _drawn_permutations(scheme, count, seed)
    permutations.flags.writeable = False  # all sketches share them
    return permutations


class MinHash:
    """A sketch of a set, by which Jaccard similarities are estimated.

    Args:
        num_perm: Number of permutations; ignored with hashvalues.
        seed: Of the permutations.
        gpu_mode: "disable" or "detect": there is no GPU path here. "always" fails
            in update_batch.
        hashfunc: From a token to a number of 32 bits (affine64: 64); None: SHA-1,
            which runs in C++.
        hashobj: Ignored.
        hashvalues: Values to begin with; scheme must be given.
        permutations: Multipliers and addends; scheme must be given.
        scheme: "affine32" (the default), "affine64", or "legacy", that of
            datasketch before 2.0.
    """

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: str = "disable",
        hashfunc: Callable[[Any], int] | None = None,
        hashobj: Any = None,
        hashvalues: Any = None,
        permutations: Any = None,
        scheme: str | None = None,
    ) -> None:
        if scheme is None:
            if hashvalues is not None or permutations is not None:
                raise ValueError(
                    "hashvalues and permutations do not tell their scheme: give scheme, "
                    "'legacy' for those of datasketch before 2.0"
                )
            scheme = "affine32"
        facts = scheme_of(scheme)
        if hashvalues is not None:
            num_perm = len(hashvalues)
        if not 1 <= num_perm <= _MOST_PERMUTATIONS:
            raise ValueError(f"num_perm is {num_perm}; it must be 1 to {_MOST_PERMUTATIONS}")
        if hashfunc is None:
            hashfunc = sha1_hash64 if scheme == "affine64" else sha1_hash32
        if not callable(hashfunc):
            raise ValueError("hashfunc cannot be called")
        if hashobj is not None:
            warnings.warn("hashobj is ignored: use hashfunc", DeprecationWarning, stacklevel=2)
        self.scheme = scheme
        self.seed = seed
        self.num_perm = num_perm
        self.hashfunc = hashfunc
        if hashvalues is None:
            self.hashvalues = np.full(num_perm, facts.largest, dtype=facts.dtype)
        else:
            self.hashvalues = values_of(hashvalues, scheme, "hash values")
        if permutations is not None:
            self.permutations = self._checked_permutations(permutations)
        elif type(seed) is int:
            self.permutations = _kept_permutations(scheme, num_perm, seed)
        else:
            self.permutations = _drawn_permutations(scheme, num_perm, seed)
        if len(self) != len(self.permutations[0]):
            raise ValueError("hashvalues and permutations differ in number")
        self._gpu_mode = gpu_mode
        self._a_gpu = self._b_gpu = None  # datasketch reads them from pickles

    def _checked_permutations(self, permutations: Any) -> Any:
        if self.scheme == "legacy":
            return permutations
        dtype = _SCHEMES[self.scheme].dtype
        is_ready = (
            isinstance(permutations, np.ndarray)
            and permutations.dtype == dtype
            and permutations.shape[:1] == (2,)
            and permutations.ndim == 2
        )
        if not is_ready:
            a, b = permutations[0], permutations[1]
            permutations = np.array(
                [values_of(row, self.scheme, "permutations") for row in (a, b)]
            )
        if not np.all(permutations[0] & dtype(1)):
            raise ValueError(f"the multipliers of scheme {self.scheme!r} must be odd")
        return permutations

    def _is_sha1(self) -> bool:
        return self.hashfunc is (sha1_hash64 if self.scheme == "affine64" else sha1_hash32)

    def _native_permutations(self) -> tuple[np.ndarray, int]:
        facts = _SCHEMES[self.scheme]
        return np.ascontiguousarray(self.permutations, dtype=facts.dtype), facts.number

    def _hash_array(self, tokens: Iterable) -> np.ndarray:
        hashes, dtype = [self.hashfunc(token) for token in tokens], _SCHEMES[self.scheme].dtype
        try:
            return np.array(hashes, dtype=dtype)
        except OverflowError as error:
            if self.scheme == "legacy":
                raise
            raise ValueError(
                f"hashfunc returned what does not fit scheme {self.scheme!r}: {error}; "
                "scheme='affine64' takes 64 bits"
            ) from error

    def update(self, b: Any) -> None:
        """Adds a token: what hashfunc takes, by default bytes."""
        self._add((b,))

    def update_batch(self, b: Iterable) -> None:
        """Adds tokens, in one call much faster than one by one."""
        if self._gpu_mode == "always":
            raise RuntimeError("gpu_mode is 'always', and there is no GPU path here")
        self._add(b)

    def _add(self, tokens: Iterable) -> None:
        permutations, number = self._native_permutations()
        values = np.array(self.hashvalues, dtype=permutations.dtype)
        if self._is_sha1():
            _native.sketch_tokens(tokens, permutations, number, values)
        else:
            _native.sketch_hashes(self._hash_array(tokens), permutations, number, values)
        self.hashvalues = values

    def _check_alike(self, other: Any, doing: str) -> None:
        for name in ("scheme", "seed"):
            if getattr(other, name, None) != getattr(self, name):
                raise ValueError(f"cannot {doing} MinHash with different {name}s")
        if len(self) != len(other):
            raise ValueError(f"cannot {doing} MinHash with different numbers of permutations")

    def jaccard(self, other: MinHash) -> float:
        """Returns the share of the values that agree: the estimated similarity."""
        self._check_alike(other, "compare")
        return float(np.count_nonzero(self.hashvalues == other.hashvalues)) / float(len(self))

    def count(self) -> float:
        """Returns the estimated number of distinct tokens."""
        largest = float(_SCHEMES[self.scheme].largest)
        return float(len(self)) / np.sum(self.hashvalues / largest) - 1.0

    def merge(self, other: MinHash) -> None:
        """Makes this the sketch of the union of both sets."""
        self._check_alike(other, "merge")
        self.hashvalues = np.minimum(other.hashvalues, self.hashvalues)

    def digest(self) -> np.ndarray:
        """Returns a copy of the values."""
        return self.hashvalues.copy()

    def is_empty(self) -> bool:
        """Returns whether nothing was added."""
        return not np.any(self.hashvalues != _SCHEMES[self.scheme].largest)

    def clear(self) -> None:
        """Makes this the sketch of the empty set."""
        facts = _SCHEMES[self.scheme]
        self.hashvalues = np.full(len(self), facts.largest, dtype=facts.dtype)

    def copy(self) -> MinHash:
        """Returns a MinHash that is updated on its own."""
        return self._with_values(self.digest())

    def _with_values(self, hashvalues: np.ndarray) -> MinHash:
        made = object.__new__(MinHash)
        made.scheme = self.scheme
        made.seed = self.seed
        made.num_perm = len(hashvalues)
        made.hashfunc = self.hashfunc
        made.hashvalues = hashvalues
        made.permutations = self.permutations
        made._gpu_mode = self._gpu_mode
        made._a_gpu = made._b_gpu = None
        return made

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and self.scheme == other.scheme
            and self.seed == other.seed
            and np.array_equal(self.hashvalues, other.hashvalues)
        )

    @classmethod
    def union(cls, *mhs: MinHash) -> MinHash:
        """Returns the MinHash of the union of two or more sets."""
        values = united_values(mhs)
        first = mhs[0]
        return cls(
            num_perm=len(values),
            seed=first.seed,
            gpu_mode=first._gpu_mode,
            hashfunc=first.hashfunc,
            hashvalues=values,
            permutations=first.permutations,
            scheme=first.scheme,
        )

    @classmethod
    def bulk(cls, b: Iterable[Iterable], **minhash_kwargs: Any) -> list[MinHash]:
        """Returns the MinHash of each set of tokens; the arguments are those of MinHash."""
        if cls is not MinHash:
            return list(cls.generator(b, **minhash_kwargs))
        first = cls(**minhash_kwargs)
        made, sets = [], iter(b)
        while rows := first._next_rows(sets, _ROWS_AT_ONCE):
            made += map(first._with_values, rows)
        return made

    @classmethod
    def generator(cls, b: Iterable[Iterable], **minhash_kwargs: Any) -> Iterator[MinHash]:
        """Yields what ``bulk`` returns, one at a time."""
        first, sets = cls(**minhash_kwargs), iter(b)
        if cls is MinHash:
            while rows := first._next_rows(sets, 1):
                yield first._with_values(rows[0])
            return
        for tokens in sets:
            made = first.copy()
            made.update_batch(tokens)
            yield made

    def _next_rows(self, sets: Iterator[Iterable], count: int) -> list[np.ndarray]:
        """Returns the values of the next sets, at most `count`, each an array of its own."""
        if not self._is_sha1() or self._gpu_mode == "always":
            made = [self.copy() for _ in range(count)]
            done = 0
            for copy, tokens in zip(made, sets):
                copy.update_batch(tokens)
                done += 1
            return [copy.hashvalues for copy in made[:done]]
        permutations, number = self._native_permutations()
        rows = np.empty((count, len(self)), permutations.dtype)
        rows[:] = self.hashvalues
        done = _native.sketch_sets(sets, permutations, number, rows)
        return [row.copy() for row in rows[:done]]

    def __setstate__(self, state: dict) -> None:
        # Before 2.0 there was one scheme, and before 1.9 no mode of a GPU.
        self.__dict__.update({"scheme": "legacy", "_gpu_mode": "disable", **state})
        self._a_gpu = self._b_gpu = None


def united_values(sketches: tuple[MinHash, ...]) -> np.ndarray:
    """Returns the values of the union; ValueError: fewer than two, or not comparable."""
    if len(sketches) < 2:
        raise ValueError("a union needs two MinHash or more")
    first = sketches[0]
    for other in sketches[1:]:
        first._check_alike(other, "unite")
    return np.minimum.reduce([sketch.hashvalues for sketch in sketches])
