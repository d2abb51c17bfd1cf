"""``twinset-tables``: tables and objects in buckets, for the command over a pipe.

The command starts this program when an input is a table (Parquet, Arrow, Feather, ORC) or stands in a bucket
(``s3://``, ``gs://``) or on a web server (``https://``). It needs pyarrow, and nothing else of twinset, so that it
can stand beside a command that was installed without the wheel. The conversation is written down in
``docs/formats/tables.md``: one JSON object a line, with the bytes of columns and objects behind a line.
"""

from __future__ import annotations

import os


def name_tables(folder: str = "") -> None:
    """Tells commands where this package has the program that reads tables and buckets; what is named already stays.

    Args:
        folder: Where its script is; empty: where this Python has scripts, which takes milliseconds to find.
    """
    if not folder:
        import sysconfig

        folder = sysconfig.get_path("scripts")
    program = os.path.join(folder, "twinset-tables")
    if os.access(program, os.X_OK):
        os.environ.setdefault("TWINSET_TABLES", program)
