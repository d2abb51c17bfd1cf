"""What the jobs of bench/bench_jobs.py read: rows in two shards, plain and packed, paragraphs, items, and pages in a WARC file."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / 'tools'))
import warc_corpus  # noqa: E402

ITEMS, ITEM_WORDS, PARAGRAPH_WORDS = 1000, 50, 40
SHARED_PAGES = 'multiversion/boost_1.74_1.81.tar.xz'
PACKERS = {'plain': None, 'gzip': ('gzip', '-6'), 'zstd': ('zstd', '-q', '-3', '--rm')}


class Rows:
    """The rows in all their forms, below one folder. A row's id is its number."""

    def __init__(self, folder, documents):
        self.folder, self.counted, self.paired = folder, None, 0
        made = subprocess.run([sys.executable, ROOT / 'tools/make_synthetic', '-n', str(documents)], check=True,
                              stdout=subprocess.PIPE).stdout
        texts = [json.loads(line)['text'] for line in made.splitlines()]
        self.rows = [json.dumps({'id': str(n), 'text': text}).encode() + b'\n' for n, text in enumerate(texts)]
        half = len(self.rows) // 2
        for form in PACKERS:
            self.write(form, [self.rows[:half], self.rows[half:]])
        tenth = len(self.rows) // 10
        self.write('old', [self.rows[:-tenth]])
        self.write('new', [self.rows[-tenth:]])
        self.texts = texts
        self.write('paragraphs', [[json.dumps({'id': str(n), 'text': '\n\n'.join(paragraphs(text))}).encode() + b'\n'
                                   for n, text in enumerate(texts)]])
        self.leaking, items = leak_items(texts)
        self.write('items', [items])

    def write(self, form, shards):
        place = self.folder / form
        place.mkdir()
        for number_, rows in enumerate(shards):
            path = place / ('part-%d.jsonl' % number_)
            path.write_bytes(b''.join(rows))
            if PACKERS.get(form):
                subprocess.run([*PACKERS[form], path], check=True)

    def megabytes(self):
        return sum(map(len, self.rows)) / 1e6


def paragraphs(text):
    words = text.split()
    return [' '.join(words[i:i + PARAGRAPH_WORDS]) for i in range(0, len(words), PARAGRAPH_WORDS)]


def leak_items(texts):
    """(ids that leak, rows): half are windows of a text of the corpus, half are words that no text has in this order."""
    rng, rows, leaking = random.Random(7), [], set()
    words = sorted({word for text in texts[:200] for word in text.split()})
    long = [text.split() for text in texts if len(text.split()) > ITEM_WORDS]
    for n in range(ITEMS):
        if n % 2 == 0:
            source = rng.choice(long)
            begin = rng.randrange(len(source) - ITEM_WORDS + 1)
            item = source[begin:begin + ITEM_WORDS]
            leaking.add('t%d' % n)
        else:
            item = [rng.choice(words) for _ in range(ITEM_WORDS)]
        rows.append(json.dumps({'id': 't%d' % n, 'text': ' '.join(item)}).encode() + b'\n')
    return leaking, rows


def pages_of(asked, folder):
    """Writes the pages as one WARC.gz; its path, or None where there are none."""
    shared = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA') or ROOT.parent / 'shared/data') / SHARED_PAGES
    source = asked or (shared if shared.exists() else None)
    if source is None:
        return None
    target, unpacked = folder / 'pages' / 'pages.warc.gz', folder / 'unpacked'
    target.parent.mkdir()
    if source.is_file():
        with tarfile.open(source) as archive:
            archive.extractall(unpacked)
        source = unpacked
    pages = (warc_corpus.Page('http://example.org/' + path, '2026-01-01T00:00:00Z', warc_corpus.html_mime(body), body)
             for path, body in warc_corpus.files_below(source, ('.html', '.htm')))
    warc_corpus.write_warc(target, pages, 'pages of a benchmark')
    shutil.rmtree(unpacked, ignore_errors=True)
    return target
