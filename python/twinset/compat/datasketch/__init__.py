"""MinHash, LeanMinHash and MinHashLSH with the names and the values of datasketch.

One line moves a program over::

    import twinset.compat.datasketch as datasketch

Hash values, estimates, serialised bytes and what an index finds are those of
datasketch 2.0.0, and with ``scheme="legacy"`` those of 1.10. ``load_pickle`` reads
what datasketch has pickled. Needs numpy.
"""

from __future__ import annotations

from typing import Any

from twinset.compat.datasketch._lean import LeanMinHash
from twinset.compat.datasketch._lsh import (
    MinHashLSH,
    MinHashLSHDeletionSession,
    MinHashLSHInsertionSession,
)
from twinset.compat.datasketch._minhash import MinHash, sha1_hash32, sha1_hash64
from twinset.compat.datasketch._pickles import load_pickle

WeightedMinHashLSH = MinHashLSH

__all__ = [
    "LeanMinHash",
    "MinHash",
    "MinHashLSH",
    "MinHashLSHDeletionSession",
    "MinHashLSHInsertionSession",
    "WeightedMinHashLSH",
    "load_pickle",
    "sha1_hash32",
    "sha1_hash64",
]


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"twinset.compat.datasketch has no {name!r}: it has MinHash, LeanMinHash and "
        "MinHashLSH; what else you use of datasketch, import from datasketch"
    )
