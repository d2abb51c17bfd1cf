"""Documents as twinset sees them, and pairs explained."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import Any

from twinset import _command, _options
from twinset._progress import Sink
from twinset._results import Explanation, explain_texts, utf8_file


@_options.takes_options("text")
def text(markup: str | bytes, **options: Any) -> dict[str, Any]:
    """Returns the main content of a page, with what the page says of itself.

    Args:
        markup: HTML, as str or as the bytes that a server sent.

    Returns:
        A row of ``twinset text``: text, title, language, charset, date, links ...
    """
    markup_bytes = utf8_file(markup) if isinstance(markup, str) else markup
    with _as_file(markup_bytes) as path:
        alone = {"input_format": "html", "threads": 1, **options}
        rows = _command.call("text", (path,), alone, False)
    row = rows[0] if rows else {}
    for name in ("id", "source", "ordinal"):  # of a file that there is not
        row.pop(name, None)
    return row


@contextlib.contextmanager
def _as_file(content: bytes) -> Iterator[str]:
    """Gives the content a path: in memory where the system can."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("twinset")
        try:
            with open(file, "wb", closefd=False) as whole:
                whole.write(content)
            yield f"/proc/self/fd/{file}"
        finally:
            os.close(file)
        return
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        path = os.path.join(folder, "page.html")
        with open(path, "wb") as whole:
            whole.write(content)
        yield path


@_options.takes_options("text")
def texts(*inputs: str | os.PathLike, **options: Any) -> Iterator[dict[str, Any]]:
    """Yields the documents of files as rows with their text.

    Args:
        inputs: Files, folders or globs of any format that twinset reads: WARC,
            HTML, JSON lines, CSV, plain or compressed.
    """
    return _command.rows("text", [os.fspath(one) for one in inputs], options)


@_options.takes_options("text")
def open_warc(*inputs: str | os.PathLike, **options: Any) -> Iterator[dict[str, Any]]:
    """Yields the documents of WARC files; another name of ``texts``."""
    return texts(*inputs, **options)


@_options.takes_options("explain")
def explain(a: str, b: str, **options: Any) -> Explanation:
    """Explains two texts: their similarities, and what differs.

    To explain two documents of files, use ``found.explain`` of a run over them.

    Args:
        a, b: The texts.
    """
    return explain_texts(a, b, **options)


@_options.takes_options("dedup")
def cut(
    *inputs: str | os.PathLike,
    unit: str = "paragraph",
    progress: Sink | bool | None = None,
    **options: Any,
) -> Any:
    """Finds paragraphs, lines, sentences or passages that stand more than once in files.

    Args:
        inputs: Files, folders or globs.
        unit: paragraph, line, sentence or substring.
        progress: As for ``dedup``.

    Returns:
        The summary as a dict; with ``out`` the results are in that folder, and with
        ``write`` the texts without the repeated units.
    """
    options = {"unit": unit, **options}
    if options.get("out") is not None:
        return _command.call("dedup", inputs, options, progress)
    with tempfile.TemporaryDirectory(prefix="twinset-") as folder:
        options["out"] = os.path.join(folder, "result")
        return _command.call("dedup", inputs, options, progress)
