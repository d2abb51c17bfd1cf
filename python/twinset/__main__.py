"""The command: ``twinset`` and ``python -m twinset``."""

from __future__ import annotations

import os
import sys


def main() -> int:
    from twinset import _native
    from twinset._tables import name_tables

    folder, name = os.path.split(sys.argv[0])
    name_tables(folder if name == "twinset" else "")
    words = [os.fsencode(word).decode("utf-8", "surrogateescape") for word in sys.argv[1:]]
    return _native.main(words)


if __name__ == "__main__":
    sys.exit(main())
