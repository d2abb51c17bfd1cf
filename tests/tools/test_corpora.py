"""The bundled crawl, and the tools that make corpora."""
import base64
import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / 'examples/data/boost-docs.warc.gz'
sys.path.insert(0, str(ROOT / 'tools'))
import warc_corpus  # noqa: E402


def members(data):
    """The gzip members of a file, unpacked, and the bytes of each."""
    while data:
        unpacker = zlib.decompressobj(31)
        content = unpacker.decompress(data) + unpacker.flush()
        yield data[:len(data) - len(unpacker.unused_data)], content
        data = unpacker.unused_data


def parse(record):
    """(headers, block) of one WARC record."""
    head, _, rest = record.partition(b'\r\n\r\n')
    lines = head.decode().split('\r\n')
    assert lines[0] == 'WARC/1.0'
    headers = dict(line.split(': ', 1) for line in lines[1:])
    length = int(headers['Content-Length'])
    assert rest[length:] == b'\r\n\r\n'
    return headers, rest[:length]


def sha1(data):
    return 'sha1:' + base64.b32encode(hashlib.sha1(data).digest()).decode()


class Sample(unittest.TestCase):
    def test_every_record(self):
        ids, pages = set(), 0
        for number, (packed, record) in enumerate(members(SAMPLE.read_bytes())):
            self.assertEqual(packed[4:8], b'\0\0\0\0', 'a time in the gzip header')
            headers, block = parse(record)
            self.assertNotIn(headers['WARC-Record-ID'], ids)
            ids.add(headers['WARC-Record-ID'])
            if number == 0:
                self.assertEqual(headers['WARC-Type'], 'warcinfo')
                continue
            pages += 1
            self.assertEqual(headers['WARC-Type'], 'response')
            self.assertRegex(headers['WARC-Target-URI'],
                             r'^http://www\.boost\.org/doc/libs/1_(74|81)_0/doc/html/')
            http, _, payload = block.partition(b'\r\n\r\n')
            self.assertIn(b'Content-Length: %d' % len(payload), http)
            self.assertEqual(headers['WARC-Payload-Digest'], sha1(payload))
            self.assertEqual(headers['WARC-Block-Digest'], sha1(block))
            self.assertRegex(payload, rb'Boost\s+Software\s+License')
        readme = (SAMPLE.parent / 'README.md').read_text(encoding='utf-8')
        self.assertIn('{:,} pages'.format(pages), readme)

    def test_is_the_file_its_readme_describes(self):
        readme = (SAMPLE.parent / 'README.md').read_text(encoding='utf-8')
        self.assertIn(hashlib.sha256(SAMPLE.read_bytes()).hexdigest(), readme)
        self.assertTrue(2e6 < SAMPLE.stat().st_size < 4e6)


class WarcCorpus(unittest.TestCase):
    PAGES = [warc_corpus.Page('http://h.example/a', '2020-01-02T00:00:00Z', 'text/html', b'<p>a'),
             warc_corpus.Page('http://h.example/b/c', '2020-01-02T00:00:00Z', 'text/html', b'')]

    def test_same_bytes_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = pathlib.Path(folder, 'x/a.warc.gz'), pathlib.Path(folder, 'y/a.warc.gz')
            self.assertEqual(warc_corpus.write_warc(one, self.PAGES, 'test'), 2)
            warc_corpus.write_warc(two, self.PAGES, 'test')
            self.assertEqual(one.read_bytes(), two.read_bytes())
            self.assertEqual(len(list(members(one.read_bytes()))), 3)
            self.assertEqual(gzip.decompress(one.read_bytes()).count(b'WARC/1.0\r\n'), 3)

    def test_nothing_selected_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(warc_corpus.Failure):
                warc_corpus.write_warc(pathlib.Path(folder, 'a.warc.gz'), [], 'test')
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            warc_corpus.write_folder(folder, self.PAGES)
            self.assertEqual(pathlib.Path(folder, 'h.example/b/c').read_bytes(), b'')

    def test_files_below_unpacks_and_sorts(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, 'b.html.gz').write_bytes(gzip.compress(b'B'))
            pathlib.Path(folder, 'a.html').write_bytes(b'A')
            pathlib.Path(folder, 'c.png').write_bytes(b'C')
            self.assertEqual(warc_corpus.files_below(folder, ('.html',)),
                             [('a.html', b'A'), ('b.html', b'B')])


def synthetic(*arguments):
    return subprocess.run([sys.executable, str(ROOT / 'tools/make_synthetic'), *arguments],
                          capture_output=True, check=True).stdout


class Synthetic(unittest.TestCase):
    def test_form_and_truth(self):
        with tempfile.NamedTemporaryFile('r') as truth:
            rows = [json.loads(line) for line in
                    synthetic('-n', '400', '--truth', truth.name).splitlines()]
            mutations = [line.rstrip('\n').split('\t') for line in truth]
        self.assertEqual(len(rows), 400)
        texts = {row['id']: row['text'] for row in rows}
        self.assertEqual(len(texts), 400)
        for text in texts.values():
            self.assertTrue(re.fullmatch(r'[a-z]+( [a-z]+)*', text), text[:80])
        self.assertEqual([m[0] for m in mutations], list(texts))
        kinds = {m[2] for m in mutations}
        self.assertEqual(kinds, {'base', 'copy', 'replace', 'insert', 'delete', 'shuffle', 'cut',
                                 'header', 'append'})
        for name, base, how, _ in mutations:
            if how == 'copy':
                self.assertEqual(texts[name], texts[base])

    def test_seed_decides(self):
        self.assertEqual(synthetic('-n', '50'), synthetic('-n', '50', '--seed', '1'))
        self.assertNotEqual(synthetic('-n', '50'), synthetic('-n', '50', '--seed', '2'))


class GetCorpus(unittest.TestCase):
    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, str(ROOT / 'tools/get_corpus'), *arguments],
                              capture_output=True, text=True)

    def test_list(self):
        result = self.run_tool('list')
        self.assertEqual(result.returncode, 0)
        for name in ('boost', 'installation-guide', 'debian-handbook', 'postgresql-doc', 'kernel-doc'):
            self.assertIn('\n' + name + ' ', '\n' + result.stdout)

    def test_unknown_name_is_a_usage_error(self):
        self.assertEqual(self.run_tool('nothing-of-that-name').returncode, 2)


if __name__ == '__main__':
    unittest.main()
