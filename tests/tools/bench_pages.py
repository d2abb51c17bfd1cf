"""What the tests of benchmarks that make a page share."""
import json
import os
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
BUILD = os.environ.get('TWINSET_BUILD_DIR')
needs_build = unittest.skipUnless(BUILD and pathlib.Path(BUILD, 'twinset').exists(), 'needs TWINSET_BUILD_DIR')

MACHINE = {'date': '2026-01-01', 'processor': 'P', 'threads': 2, 'memory_bytes': 2**34, 'system': 'S', 'kernel': 'K',
           'python': '3', 'commit': 'c', 'load_before': 0.1, 'load_after': 0.2, 'twinset': 't'}


def jaccard(first, second):
    """Of the runs of five words, by definition."""
    sets = [{tuple(words[i:i + 5]) for i in range(max(1, len(words) - 4))} for words in (first, second)]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


class PageTests:
    """For a TestCase that says `page`, the module that makes the page, `recorded()`, results that it can be made of, and
    `plotted`, words that stand in each of the three plots."""

    def test_every_table_row_has_the_cells_of_its_head(self):
        width = 0
        for line in self.page.render(self.recorded()).splitlines():
            if not line.startswith('|'):
                width = 0
            else:
                width = width or line.count('|')
                self.assertEqual(line.count('|'), width, line)

    def test_files(self):
        files = self.page.files(self.recorded())
        self.assertEqual(files, self.page.files(json.loads(files[self.page.NUMBERS])))
        plots = [name for name in files if name.endswith('.svg')]
        self.assertEqual(len(plots), 3)
        for name in plots:
            self.assertIn('](%s)' % name, files[self.page.PAGE])
            tree = xml.etree.ElementTree.fromstring(files[name])
            words = [node.text for node in tree.iter('{http://www.w3.org/2000/svg}text')]
            self.assertIn(self.plotted, words)
        with tempfile.TemporaryDirectory() as folder:
            stale = pathlib.Path(folder, self.page.PLOTS, 'stale.svg')
            stale.parent.mkdir()
            stale.touch()
            self.page.write(self.recorded(), pathlib.Path(folder))
            self.assertEqual({p.relative_to(folder).as_posix() for p in pathlib.Path(folder).rglob('*') if p.is_file()},
                             set(files))

    def test_the_page_of_the_repository_follows_from_its_numbers(self):
        numbers = ROOT / 'docs' / self.page.NUMBERS
        for name, content in self.page.files(json.loads(numbers.read_text(encoding='utf-8'))).items():
            self.assertEqual((ROOT / 'docs' / name).read_text(encoding='utf-8'), content, name)
