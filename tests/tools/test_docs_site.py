"""The site of the documents (tools/make_docs) keeps links between pages, and loads nothing from elsewhere."""
import functools
import http.server
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / 'tools/docs'), str(ROOT / 'tests/support')]
import browser as stills  # noqa: E402
import driven  # noqa: E402
import hooks  # noqa: E402

LOADED = re.compile(r'<(?:script|img|iframe|link)\b[^>]*(?:src|href)="?(?:https?:)?//[^>]*>|@import|url\((?:https?:)?//')


class Links(unittest.TestCase):
    def links(self, markdown, *pages):
        return hooks.without_links_to_sources(markdown, 'docs/scale.md', pages)

    def test_pages_keep_theirs(self):
        text = '[a](../README.md#get-it), [b](https://example.org/x.py), [c](#scale), ![d](scale/time.svg)'
        self.assertEqual(self.links(text, 'README.md'), text)

    def test_sources_are_words(self):
        self.assertEqual(self.links('see [`run.py`](../tests/readme/run.py#L1) and [tests](../tests)'), 'see `run.py` and tests')

    def test_what_is_missing_stays_for_mkdocs_to_find(self):
        self.assertEqual(self.links('[a](../missing.py)'), '[a](../missing.py)')

    def test_code_stays(self):
        text = '```md\n[a](../tests/readme/run.py)\n```\n'
        self.assertEqual(self.links(text), text)


@unittest.skipUnless('TWINSET_LONG' in os.environ, 'makes an environment, and the site: TWINSET_LONG=1')
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.build = pathlib.Path(cls.folder.name)
        made = subprocess.run([ROOT / 'tools/make_docs', cls.build], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode != 0:
            raise AssertionError(made.stdout)
        cls.pages = {path.relative_to(cls.build / 'docs').as_posix(): path.read_text(encoding='utf-8')
                     for path in (cls.build / 'docs').rglob('*.html')}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_document_is_a_page_that_can_be_searched(self):
        index = (self.build / 'docs/search/search_index.json').read_text(encoding='utf-8')
        for document in (ROOT / 'docs').rglob('*.md'):
            place = document.relative_to(ROOT).with_suffix('').as_posix()
            place = re.sub(r'/index$', '/the-index', re.sub(r'/README$', '', place)) + '/'
            self.assertIn(place + 'index.html', self.pages)
            self.assertIn('"location":"%s"' % place, index)

    def test_nothing_is_loaded_from_elsewhere(self):
        for name, text in self.pages.items():
            self.assertIsNone(LOADED.search(text), name)
        for sheet in (self.build / 'docs').rglob('*.css'):
            self.assertIsNone(LOADED.search(sheet.read_text(encoding='utf-8')), sheet)

    @unittest.skipUnless(stills.chromium(), 'no Chromium: tools/install_dependencies test')
    def test_search_finds_a_recipe_with_what_the_server_has(self):
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(
                ('127.0.0.1', 0), functools.partial(Quiet, directory=str(self.build / 'docs'))) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            here = 'http://127.0.0.1:%d/' % server.server_port
            with driven.Browser() as browser:
                page = browser.open(here + '?q=revisit')
                deadline, found = time.monotonic() + 60, []
                while not any('recipes/two-crawls/' in link for link in found) and time.monotonic() < deadline:
                    found = page.value('[...document.querySelectorAll(".md-search-result a")].map(a => a.href)')
                    time.sleep(0.2)
                self.assertTrue(any('recipes/two-crawls/' in link for link in found), found)
                loaded = page.value('performance.getEntriesByType("resource").map(entry => entry.name)')
            server.shutdown()
        self.assertIn(here + 'search/search_index.json', loaded)
        self.assertEqual([name for name in loaded if not name.startswith(here)], [])


if __name__ == '__main__':
    unittest.main()
