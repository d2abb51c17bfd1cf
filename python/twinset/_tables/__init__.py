"""``twinset-tables``: tables and objects in buckets, for the command over a pipe.

The command starts this program when an input is a table (Parquet, Arrow, Feather, ORC) or stands in a bucket
(``s3://``, ``gs://``) or on a web server (``https://``). It needs pyarrow, and nothing else of twinset, so that it
can stand beside a command that was installed without the wheel. The conversation is written down in
``docs/formats/tables.md``: one JSON object a line, with the bytes of columns and objects behind a line.
"""
