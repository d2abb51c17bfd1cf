"""Pickles that datasketch has written."""

from __future__ import annotations

import io
import pickle
from typing import Any

from twinset.compat.datasketch import _lean, _lsh, _minhash, _storage

_PLACES = {
    "MinHash": _minhash,
    "sha1_hash32": _minhash,
    "sha1_hash64": _minhash,
    "LeanMinHash": _lean,
    "MinHashLSH": _lsh,
    "DictListStorage": _storage,
    "DictSetStorage": _storage,
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] != "datasketch":
            return super().find_class(module, name)
        if name not in _PLACES:
            raise pickle.UnpicklingError(
                f"the pickle holds {module}.{name} of datasketch, which has no counterpart here"
            )
        return getattr(_PLACES[name], name)


def load_pickle(source: Any) -> Any:
    """Returns what a pickle holds, with MinHash and others of datasketch as those here.

    As any pickle it can run code: load none that you do not trust.

    Args:
        source: A file that is open for reading bytes, or the bytes.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        source = io.BytesIO(source)
    return _Unpickler(source).load()
