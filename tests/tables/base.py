"""What the cases of tests/tables/run.py share: the program, and rows to give it."""
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import pyarrow as pa

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ['TWINSET_PROGRAM']
LONG = bool(os.environ.get('TWINSET_LONG'))
LOOPBACK = ['--networks', '127.0.0.0/8']
ROWS = 600


def rows_of(count):
    """Rows of which every fifth is nearly the one before, with values that writers of tables like."""
    drawn = random.Random(7)
    words = ['word%d' % i for i in range(400)]
    rows = []
    for i in range(count):
        text = rows[-1]['text'] + ' more' if i % 5 == 4 else ' '.join(drawn.choices(words, k=40))
        rows.append({'id': 'doc-%d' % i, 'text': text, 'n': i, 'meta': {'url': 'http://example.org/%d' % i, 'deep': {'x': i}}})
    rows[7]['text'] = 'é ☃ "quoted"\n \\ \t \u0001 ' + rows[7]['text']
    return rows


def run(*words, code=0, **options):
    done = subprocess.run([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != code:
        raise AssertionError('%s: exit %d\n%s%s' % (' '.join(map(str, words)), done.returncode, done.stdout[-2000:],
                                                    done.stderr[-2000:]))
    return done


class WithRows(unittest.TestCase):
    """Cases that share rows, and have folders of their own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.folder.name)
        cls.rows = rows_of(ROWS)
        cls.table = pa.Table.from_pylist(cls.rows)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def new(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.place))
