"""How far a run is, on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

Sink = Callable[[tuple], Any]

# A run that is done sooner shows nothing.
_QUIET_SECONDS = 1.0
_WIDTH = 30


class Bar:
    """A line that is drawn again and again, in a terminal and in a notebook."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = stream or sys.stderr
        self._begin = time.monotonic()
        self._length = 0

    def __call__(self, now: tuple) -> None:
        if time.monotonic() - self._begin < _QUIET_SECONDS:
            return
        stage, step, unit, done, total, share, _ = now
        part = share or (done / total if total else 0.0)
        filled = int(part * _WIDTH)
        count = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
        name = f"{stage}: {step}" if step else stage
        line = f"{name}  [{'#' * filled}{'.' * (_WIDTH - filled)}]  {count}"
        self._stream.write("\r" + line.ljust(self._length))
        self._stream.flush()
        self._length = len(line)

    def close(self) -> None:
        """Takes the line away."""
        if self._length:
            self._stream.write("\r" + " " * self._length + "\r")
            self._stream.flush()


def _is_watched() -> bool:
    if hasattr(sys.stderr, "isatty") and sys.stderr.isatty():
        return True
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class shown:
    """A sink for the progress of one run.

    Args:
        progress: A function that gets (stage, step, unit, done, total, share,
            bytes); True or False; None: a bar where somebody can see it.
    """

    def __init__(self, progress: Sink | bool | None) -> None:
        self._bar = None
        self._sink: Sink | None = None
        if callable(progress):
            self._sink = progress
        elif progress or (progress is None and _is_watched()):
            self._bar = self._sink = Bar()

    def __enter__(self) -> Sink | None:
        return self._sink

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
