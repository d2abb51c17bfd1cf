"""An item pipeline of a crawl with Scrapy, of pages on this machine."""

from __future__ import annotations

import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import twinset

SPIDER = '''
import scrapy
import twinset

class Pages(scrapy.Spider):
    name = "pages"
    custom_settings = {
        "ITEM_PIPELINES": {"twinset.integrations.scrapy.DropNearDuplicates": 300},
        "TWINSET_THRESHOLD": 0.7, INDEX "CONCURRENT_REQUESTS": 1, "TELNETCONSOLE_ENABLED": False,
    }

    async def start(self):
        for name in ("a", "b", "c", "d"):
            yield scrapy.Request(f"http://127.0.0.1:PORT/{name}.html")

    def parse(self, response):
        page = twinset.text(response.body)
        yield {"url": response.url, "title": page["title"], "text": page["text"] or None}

    def closed(self, reason):
        import json
        stats = self.crawler.stats.get_stats()
        with open("stats.json", "w") as file:
            json.dump({k: v for k, v in stats.items() if k.startswith("twinset/")}, file)
'''


def page(title: str, words: list[str]) -> str:
    body = "".join(f"<p>{' '.join(words[i:i + 20])}.</p>" for i in range(0, len(words), 20))
    return f"<html><head><title>{title}</title></head><body><article>{body}</article></body></html>"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Scrapy(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = folder = pathlib.Path(place.name)
        words = [f"word{i}" for i in range(120)]
        (folder / "a.html").write_text(page("First", words))
        (folder / "b.html").write_text(page("Nearly", [*words[:118], "other", "end"]))
        (folder / "c.html").write_text(page("Else", [f"else{i}" for i in range(120)]))
        (folder / "d.html").write_text("<html><title>Empty</title><body></body></html>")
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=place.name)
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.spider = SPIDER.replace("PORT", str(server.server_port))

    def crawl(self, index: str = "") -> tuple[list[str], dict[str, int], str]:
        """Returns the titles of the items, the stats and the log."""
        (self.folder / "spider.py").write_text(self.spider.replace("INDEX", index))
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.jsonl"],
            cwd=self.folder, capture_output=True, text=True, timeout=120,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        items = map(json.loads, (self.folder / "items.jsonl").read_text().splitlines())
        stats = json.loads((self.folder / "stats.json").read_text())
        return sorted(item["title"] for item in items), stats, done.stderr

    def test_a_crawl(self):
        titles, stats, log = self.crawl()
        self.assertEqual(titles, ["Else", "Empty", "First"])
        self.assertEqual(stats, {"twinset/kept": 2, "twinset/dropped": 1, "twinset/no_text": 1})
        self.assertRegex(log, r"\d\d % like http://127.0.0.1:\d+/a.html")

    def test_an_index_remembers_crawls_before(self):
        index = '"TWINSET_INDEX": "pages.index", "TWINSET_TAG": "NUMBER",'
        titles, _, _ = self.crawl(index.replace("NUMBER", "first"))
        self.assertEqual(titles, ["Else", "Empty", "First"])
        # The same pages again, of which one is a copy of another by now.
        (self.folder / "c.html").write_text((self.folder / "a.html").read_text())
        titles, stats, log = self.crawl(index.replace("NUMBER", "second"))
        self.assertEqual(titles, ["Empty", "First"])
        self.assertEqual(stats, {"twinset/kept": 1, "twinset/dropped": 2, "twinset/no_text": 1})
        self.assertRegex(log, r"100 % like http://127.0.0.1:\d+/a.html")
        with twinset.Index(self.folder / "pages.index") as index:
            self.assertEqual(index.stats()["documents"], 4)
            self.assertEqual(index.stats()["tags"], ["first", "second"])
            self.assertEqual(index.verify(), [])


if __name__ == "__main__":
    unittest.main()
