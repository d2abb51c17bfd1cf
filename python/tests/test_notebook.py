"""The notebook of examples/python runs; in a kernel of Jupyter it is run by tests/python/run.py where that is long."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
import unittest

import support

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOTEBOOK = ROOT / "examples/python/ten-minutes.ipynb"


@contextlib.contextmanager
def beside_the_data():
    """A folder beside that of the data, as the notebook's own."""
    before = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "python"
        folder.mkdir()
        (folder.parent / "data").symlink_to(ROOT / "examples/data")
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


class Notebook(unittest.TestCase):
    def test_its_code_runs(self):
        import matplotlib

        matplotlib.use("agg")
        cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]]
        names: dict = {"print": lambda *_: None}
        with beside_the_data() as folder, support.quiet_warnings():
            for cell in cells:
                if cell["cell_type"] == "code":
                    self.assertEqual(cell["outputs"], [])
                    exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
            self.assertGreater((folder / "boost-report.html").stat().st_size, 10_000)
        matplotlib.pyplot.close("all")
        self.assertEqual(len(names["found"].kept) + len(names["found"].dropped), 1416)
        self.assertGreater(len(names["stricter"].kept), len(names["found"].kept))
        self.assertEqual(names["found"].kept["copies"].sum(), 1416)
        self.assertLess(names["similarity"], 0.85)


if __name__ == "__main__":
    unittest.main()
