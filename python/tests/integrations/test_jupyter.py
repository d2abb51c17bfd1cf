"""The notebook of examples/python in a kernel of Jupyter."""

from __future__ import annotations

import unittest

import nbformat
import test_notebook
from nbclient import NotebookClient


class Jupyter(unittest.TestCase):
    def test_in_a_kernel(self):
        notebook = nbformat.read(test_notebook.NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        with test_notebook.beside_the_data() as folder:
            NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
        shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
        kinds = {kind for output in shown for kind in output.get("data", ())}
        self.assertLessEqual({"text/html", "image/png", "text/plain"}, kinds)
        pages = [output["data"]["text/html"] for output in shown if "text/html" in output.get("data", ())]
        self.assertTrue(any("<iframe srcdoc=" in page for page in pages))  # the explanation


if __name__ == "__main__":
    unittest.main()
