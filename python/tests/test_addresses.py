"""Runs over files of a web server in the own network, which only --networks opens."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import pathlib
import re
import sys
import tempfile
import threading
import unittest
from unittest import mock

import support
import twinset

WORDS = "one two three four five six seven eight nine ten"
ROWS = [{"key": "a", "body": WORDS}, {"key": "b", "body": f"{WORDS} eleven"}, {"key": "c", "body": "something else"}]
CONTENT = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    """Gives ranges of one file, by any name."""

    def do_GET(self) -> None:
        begin, end = map(int, re.findall(r"\d+", self.headers["Range"]))
        body = CONTENT[begin : end + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {begin}-{begin + len(body) - 1}/{len(CONTENT)}")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Addresses(unittest.TestCase):
    def setUp(self) -> None:
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        server = stack.enter_context(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stack.callback(server.shutdown)
        self.address = f"http://127.0.0.1:{server.server_port}/rows.jsonl"
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        helper = pathlib.Path(folder) / "helper"  # with the libraries of this interpreter
        modules = str(pathlib.Path(support.PROGRAM).parent)
        helper.write_text(
            f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {modules!r})\n"
            "from twinset_tables.conversation import main\nsys.exit(main())\n"
        )
        helper.chmod(0o755)
        stack.enter_context(mock.patch.dict(os.environ, {"TWINSET_TABLES": str(helper)}))

    def test_what_reads_the_inputs_again_asks_where_the_run_asked(self):
        found = twinset.dedup(self.address, text="body", id="key", threshold=0.6, networks="127.0.0.0/8")
        self.assertEqual([row[:2] for row in found.pairs], [("a", "b")])
        pair, one = found.explain("a", "b"), found.explain("a")
        self.assertEqual(pair["jaccard"], one["explanation"]["jaccard"])
        self.assertIn("was dropped", one["sentence"])
        page = found.report()
        self.assertIn("eleven", page)
        self.assertEqual(found.rethreshold(0.99).dropped_rows.tolist(), [])

    def test_a_network_that_is_not_named_is_not_asked(self):
        with self.assertRaisesRegex(twinset.TwinsetError, "no address of the public internet"):
            twinset.dedup(self.address, text="body", id="key")

    def test_one_row_of_data_in_memory_is_not_explained(self):
        with self.assertRaisesRegex(twinset.TwinsetError, "give two documents"):
            twinset.dedup(ROWS, text="body").explain(0)
