"""Other extractors of main content behind one interface, for bench/bench_content.py.

    for peer in PEERS:
        version, extract = peer.start(build)   # Skipped: with the reason
        texts, seconds, errors = extract(paths)

`texts` has one text for each page. A page at which an extractor fails has none and is an error.
`seconds` is processor time from the bytes of the pages in memory to their texts; before it counts,
the first page is extracted once for what is loaded at first use. Each extractor has its documented
defaults: it favours neither precision nor recall, keeps tables and leaves out comments.

Packages of Python run in this process. Programs are the adapters of bench/peers, which are built in
BUILD/peers from the versions that their manifests name. An adapter reads the paths of pages, one on
a line, and writes lines of JSON: for each page {"text": ...} or cleaned markup {"html": ...}, with
"error" where it failed, then {"seconds": ...}.
"""
import collections
import functools
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import time

import content_sets

ADAPTERS = pathlib.Path(__file__).resolve().parent / 'peers'
Extracted = collections.namedtuple('Extracted', 'texts seconds errors')
LONGEST_RUN_SECONDS = 3600


class Skipped(Exception):
    """Why an extractor does not run."""


# ---- packages of Python -------------------------------------------------------

class Package(collections.namedtuple('Package', 'name version load')):
    """load() imports it and gives the function from the bytes of a page to its text."""

    def start(self, build):
        try:
            return importlib.metadata.version(self.name), functools.partial(extract_here, self.load())
        except ImportError:
            raise Skipped('not installed') from None


def attempt(function, page):
    """(text, errors) of a page; whatever an extractor throws is its answer to this page."""
    try:
        return function(page) or '', 0
    except Exception:
        return '', 1


def extract_here(function, paths):
    pages = [pathlib.Path(path).read_bytes() for path in paths]
    attempt(function, pages[0])
    start = time.process_time()
    answers = [attempt(function, page) for page in pages]
    seconds = time.process_time() - start
    return Extracted([text for text, _ in answers], seconds, sum(errors for _, errors in answers))


def trafilatura():
    from trafilatura import extract
    return lambda page: extract(page, include_comments=False, include_tables=True, include_formatting=False)


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree
    return lambda page: extract_plain_text(HTMLTree.parse(bytes_to_str(page, detect_encoding(page))),
                                           main_content=True)


def readability_lxml():
    from readability import Document
    from trafilatura.utils import decode_file
    return lambda page: content_sets.html_text(Document(decode_file(page)).summary())


def justext():
    import justext as library
    stop_words = frozenset().union(*(library.get_stoplist(name) for name in library.get_stoplists()))

    def extract(page):
        found = library.justext(page, stop_words, 50, 200, 0.1, 0.2, 0.2, 200, True)
        return '\n'.join(p.text for p in found if not p.is_boilerplate)
    return extract


# ---- programs -----------------------------------------------------------------

class Program(collections.namedtuple('Program', 'name version make command')):
    """make: what builds the adapter in its folder; command: what runs it there."""

    def start(self, build):
        for tool in (self.make[0], self.command[0]):
            if not tool.startswith('./') and not shutil.which(tool):
                raise Skipped('no %s' % tool)
        folder = pathlib.Path(build) / 'peers' / self.name
        shutil.copytree(ADAPTERS / self.name, folder, dirs_exist_ok=True)
        finish(self.make, folder)
        return self.version, lambda paths: parse(finish(self.command, folder, '\n'.join(map(str, paths))), len(paths))


def finish(command, folder, lines=''):
    """What a program prints, on one thread; Skipped with its last words if it fails."""
    try:
        run = subprocess.run(command, cwd=folder, input=lines, capture_output=True, encoding='utf-8',
                             timeout=LONGEST_RUN_SECONDS, env=dict(os.environ, GOMAXPROCS='1'))
    except subprocess.TimeoutExpired:
        raise Skipped('%s took over %d s' % (' '.join(command), LONGEST_RUN_SECONDS)) from None
    if run.returncode != 0:
        raise Skipped('%s: exit %d: %s' % (' '.join(command), run.returncode, run.stderr.strip()[-200:]))
    return run.stdout


def parse(output, count):
    """Extracted of what an adapter prints about `count` pages."""
    rows = [json.loads(line) for line in output.split('\n') if line]
    if len(rows) != count + 1 or 'seconds' not in rows[-1]:
        raise Skipped('%d rows for %d pages' % (len(rows), count))
    *rows, end = rows
    start = time.process_time()  # markup is turned into text by what readability-lxml's is
    texts = [content_sets.html_text(row['html']) if 'html' in row else row['text'] for row in rows]
    seconds = end['seconds'] + time.process_time() - start
    return Extracted(texts, seconds, sum('error' in row for row in rows))


PEERS = (
    Package('trafilatura', '2.3.1', trafilatura),
    Program('rs-trafilatura', '0.2.2', ('cargo', 'build', '--release', '--quiet'), ('./target/release/adapter',)),
    Program('go-trafilatura', '1.12.2', ('go', 'build', '-o', 'adapter', '.'), ('./adapter',)),
    Package('Resiliparse', '2.0.1', resiliparse),
    Program('readability.js', '0.6.0', ('npm', 'ci', '--ignore-scripts', '--loglevel=error'), ('node', 'main.js')),
    Package('readability-lxml', '0.9', readability_lxml),
    Package('jusText', '3.0.2', justext),
)
