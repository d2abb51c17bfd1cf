"""The code of the READMEs runs."""

from __future__ import annotations

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


class Readme(unittest.TestCase):
    def test_its_code_runs(self):
        import pandas

        frame = pandas.DataFrame(
            {"key": ["p", "q", "r"], "body": ["a b c d e f g", "a b c d e f g", "t u v w x y z"]}
        )
        for page in ("README.md", "python/README.md"):
            blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
            self.assertTrue(blocks, page)
            for block in blocks:
                names = {"frame": frame}
                exec(compile(block, page, "exec"), names)
                self.assertEqual(names["kept"]["key"].tolist(), ["p", "r"])
                self.assertEqual(names["gone"]["kept_id"].tolist(), ["p"])


if __name__ == "__main__":
    unittest.main()
