"""Buckets of stores that others wrote: the long form of tests/tables/run.py."""
import concurrent.futures
import contextlib
import json
import pathlib
import resource
import subprocess
import tempfile
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

from base import LOOPBACK, ROOT, rows_of, run
from store_programs import FakeGcs, S3sFs, Versitygw

CRAWL = ROOT / 'examples/data/boost-docs.warc.gz'
OBJECTS = 3000


def lines_of(rows):
    return ''.join(json.dumps(row) + '\n' for row in rows).encode()


class InBucket:
    """The cases of any store, which PROGRAM makes."""

    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as stack:
            cls.store = cls.PROGRAM()
            stack.callback(cls.store.close)
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            cls.place = pathlib.Path(folder)
            cls.rows = rows_of(600)
            cls.there = dict(env=cls.store.environment())
            cls.addClassCleanup(stack.pop_all().close)

    def new(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.place))

    def address(self, name):
        return self.store.SCHEME + 'lake/' + name

    def results(self, data, *flags, **options):
        """The bytes of what a run over `data` finds."""
        out = self.new() / 'out'
        run('dedup', data, '--out', out, '--quiet', *flags, **options)
        return {name: (out / name).read_bytes() for name in ('pairs.jsonl', 'clusters.jsonl', 'keep.txt', 'drop.txt')}

    def test_one_corpus_in_every_form_gives_the_bytes_of_files(self):
        folder = self.new()
        (folder / 'rows.data').write_bytes(lines_of(self.rows))
        pq.write_table(pa.Table.from_pylist(self.rows), folder / 'table', row_group_size=100)
        packed = subprocess.run(['zstd', '--quiet', '--stdout', folder / 'rows.data'], check=True, stdout=subprocess.PIPE).stdout
        truth = self.results(folder / 'rows.data')
        self.assertGreater(len(truth['pairs.jsonl'].splitlines()), 100)
        for key, content, found in (('lines/rows.data', lines_of(self.rows), truth),
                                    ('table/rows.data', (folder / 'table').read_bytes(), truth),
                                    ('packed/rows.data.zst', packed, truth),
                                    (CRAWL.name, CRAWL.read_bytes(), self.results(CRAWL))):
            with self.subTest(key):
                self.store.put('lake/' + key, content)
                self.assertEqual(self.results(self.address(key), *LOOPBACK, **self.there), found)

    def test_an_object_that_is_replaced_is_refused_by_resume(self):
        content = lines_of(self.rows)
        self.store.put('lake/replaced/rows.jsonl', content)
        flags = ('dedup', self.address('replaced' + self.store.FOLDER_END), '--out', self.new() / 'o', *LOOPBACK)
        run(*flags, code=1, **self.there,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))  # it breaks off
        self.store.put('lake/replaced/rows.jsonl', content.replace(b'word1 ', b'word2 '))
        told = run(*flags, '--resume', code=2, **self.there).stderr
        self.assertIn('rows.jsonl', told)
        self.assertEqual(len(told.splitlines()), 1, told)

    def test_many_small_objects_are_listed(self):
        rows, folder = rows_of(OBJECTS), self.new() / 'many'
        folder.mkdir()
        for i, row in enumerate(rows):
            (folder / ('%d.jsonl' % i)).write_bytes(lines_of([row]))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda path: self.store.put('lake/many/' + path.name, path.read_bytes()), folder.iterdir()))
        found = self.results(self.address('many' + self.store.FOLDER_END), *LOOPBACK, **self.there)
        self.assertEqual(found, self.results(folder))
        self.assertEqual(len(found['keep.txt'].split()) + len(found['drop.txt'].split()), OBJECTS)


class InS3(InBucket):
    def test_a_wrong_key_is_refused_by_one_line(self):
        self.store.put('lake/secret.jsonl', lines_of(self.rows))
        for address in self.address('secret.jsonl'), self.address('*.jsonl'):
            told = run('text', address, *LOOPBACK, code=1, env=self.store.environment('another')).stderr
            self.assertEqual(len(told.splitlines()), 1, told)
            self.assertIn(self.address(''), told)
            self.assertNotIn('another', told)


class OfVersitygw(InS3, unittest.TestCase):
    PROGRAM = Versitygw


class OfS3sFs(InS3, unittest.TestCase):
    PROGRAM = S3sFs


class OfFakeGcs(InBucket, unittest.TestCase):
    PROGRAM = FakeGcs
