"""Commands of twinset as functions: the same words, the same results."""

from __future__ import annotations

import functools
import json
import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

from twinset import _native, _options
from twinset._progress import Sink, shown
from twinset._tables import name_tables
from twinset.errors import TwinsetError, TwinsetWarning


# What these found is their summary and their page; a folder that goes will do.
_NEEDS_A_FOLDER = ("evaluate", "estimate")


def warn(lines: list[str]) -> None:
    """Warns with each line, where the caller of the package called it."""
    for line in lines:
        warnings.warn(line.removeprefix("warning: "), TwinsetWarning, stacklevel=_depth())


def _depth() -> int:
    import sys

    frame, depth = sys._getframe(1), 1
    inside = os.path.dirname(__file__)
    while frame is not None and frame.f_code.co_filename.startswith(inside):
        frame, depth = frame.f_back, depth + 1
    return depth


def run(
    command: str,
    operands: list[str],
    options: dict[str, Any],
    progress: Sink | bool | None = None,
    extra: list[str] | None = None,
    warns: bool = True,
) -> str:
    """Runs a command inside this process and returns what it prints.

    Raises:
        TwinsetError: as the command fails, with its words.
    """
    name_tables()
    line = [command, *_options.words(command, options), *(extra or []), "--", *operands]
    with shown(progress) as sink:
        code, printed, told = _native.run(line, sink)
    if code != 0 and not printed:
        raise TwinsetError(told.pop() if told else f"{command} failed")
    # With a result, what failed is a part of its inputs, and the lines say which.
    if warns:
        warn(told)
    return printed


class Result(dict):
    """What a command found: its summary as a dict; in a notebook, its page.

    Attributes:
        folder: Where the result files are, or an empty string. Without ``out`` it
            goes with this object.
    """

    folder = ""

    def plot(self, which: int = 0, axes: Any = None) -> Any:
        """Draws one of the drawings of the result's page; needs matplotlib.

        Args:
            which: The number of the drawing.
            axes: Where to draw, of matplotlib; None: a new figure.

        Returns:
            The axes.
        """
        from twinset import _plots

        return _plots.of_summary(self, self.folder, which, axes)

    def _repr_html_(self) -> str | None:
        pages = [name for name in _files_of(self.folder) if name.endswith(".html")]
        if not pages:
            return None
        with open(os.path.join(self.folder, pages[0]), encoding="utf-8") as file:
            return framed(file.read())


def _files_of(folder: str) -> list[str]:
    return sorted(os.listdir(folder)) if folder and os.path.isdir(folder) else []


def framed(page: str) -> str:
    """Returns a page as HTML that a notebook shows inside its own."""
    import html

    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" '
        'style="width:100%;height:40em;border:0"></iframe>'
    )


def call(
    command: str, operands: tuple, options: dict[str, Any], progress: Sink | bool | None
) -> Any:
    """Runs a command and returns its JSON: a Result, or a list of rows; else its text."""
    words = [os.fspath(one) for one in operands]
    passing = ""
    if command in _NEEDS_A_FOLDER and options.get("out") is None:
        passing = tempfile.mkdtemp(prefix="twinset-")
        options = {**options, "out": os.path.join(passing, "result")}
    try:
        return _called(command, words, options, progress, passing)
    except BaseException:
        if passing:
            shutil.rmtree(passing, ignore_errors=True)
        raise


def _called(
    command: str, words: list[str], options: dict[str, Any], progress: Sink | bool | None,
    passing: str,
) -> Any:  # fmt: skip
    prints = _options.table()[command]["prints"]
    if prints == "text":
        return run(command, words, options, progress)
    printed = run(command, words, options, progress, ["--json"])
    if prints == "rows":
        return [json.loads(line) for line in printed.splitlines()]
    found = json.loads(printed)
    if not isinstance(found, dict):
        return found
    result = Result(found)
    result.folder = os.fspath(options.get("out") or "")
    if passing:
        weakref.finalize(result, shutil.rmtree, passing, ignore_errors=True)
    return result


def rows(command: str, operands: list[str], options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the rows of JSON that a command prints, while it runs.

    Closing the generator ends the command.
    """
    name_tables()
    line = [command, *_options.words(command, options), "--json", "--", *operands]
    lines = _native.Lines(line)
    try:
        for text in lines:
            yield json.loads(text)
        warn(lines.told)
    finally:
        lines.close()


@functools.cache
def function_of(command: str) -> Any:
    """Returns the function of a command, made from the table of commands."""

    def of_command(*operands: Any, progress: Sink | bool | None = None, **options: Any) -> Any:
        return call(command, operands, options, progress)

    entry = _options.table()[command]
    of_command.__name__ = of_command.__qualname__ = command
    of_command.__module__ = "twinset"
    of_command.__doc__ = (
        f"Runs ``twinset {command}``: {entry['help']}.\n\n{entry['long_help']}\n\n"
        f"Operands: ``{entry['operands']}``. Returns the summary as a dict; of a "
        "command that prints rows, a list of them."
    )
    return _options.takes_options(command)(of_command)
