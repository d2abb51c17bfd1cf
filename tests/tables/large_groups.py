"""A row group much larger than the memory: the long form of tests/tables/run.py."""
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

from base import PROGRAM

MEGABYTE = 1 << 20
MEMORY = 256 * MEGABYTE
COMMAND_PEAK = MEMORY + 64 * MEGABYTE  # docs/methods/external-memory.md
HELPER_PEAK = 250 * MEGABYTE  # docs/formats/tables.md, Memory
GROUP = 2 << 30

# A helper that notes after each answer what it has held at most.
MEASURED = '''#!%s
import resource, sys
sys.path.insert(0, %r)
from twinset_tables import conversation
send = conversation.send
def measured(*words):
    send(*words)
    with open(%r, 'w') as note:
        note.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10))
conversation.send = measured
sys.exit(conversation.main())
'''


def texts_of(count, words):
    """Repeated texts, so that a large file is made quickly and is small."""
    chance = random.Random(5)
    known = [''.join(chance.choices('abcdefghijklmnopqrstuvwxyz', k=7)) for _ in range(20_000)]
    return [' '.join(chance.choices(known, k=words)) for _ in range(count)]


class LargeGroups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=pathlib.Path(PROGRAM).parent)
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)

    def helper(self):
        path = self.place / 'helper'
        path.write_text(MEASURED % (sys.executable, str(pathlib.Path(PROGRAM).parent), str(self.place / 'peak')))
        path.chmod(0o755)
        return str(path)

    def peaks(self, *words):
        """(of the command, of its helper) in bytes."""
        child = subprocess.Popen([PROGRAM, *map(str, words)], env=dict(os.environ, TWINSET_TABLES=self.helper()))
        most = 0
        while child.poll() is None:
            found = re.search(r'VmHWM:\s*(\d+)', pathlib.Path('/proc/%d/status' % child.pid).read_text())
            most = max(most, int(found.group(1)) << 10 if found else 0)
            time.sleep(.02)
        self.assertEqual(child.returncode, 0)
        return most, int((self.place / 'peak').read_text())

    def check(self, texts, **written):
        """One row group of 2 GB of texts, as a table and as JSON lines."""
        rounds = GROUP // sum(map(len, texts))
        count = rounds * len(texts)
        chunk = pa.array(texts, pa.large_string())
        table = pa.table({'id': pa.array(['d%d' % i for i in range(count)]), 'text': pa.chunked_array([chunk] * rounds)})
        for name in 'lines', 'table':
            (self.place / name).mkdir()
        pq.write_table(table, self.place / 'table/rows.data', row_group_size=count, compression='zstd', **written)
        with open(self.place / 'lines/rows.data', 'w') as lines:
            for i in range(count):
                lines.write('{"id":"d%d","text":"%s"}\n' % (i, texts[i % len(texts)]))
        metadata = pq.ParquetFile(self.place / 'table/rows.data').metadata
        self.assertEqual((metadata.num_row_groups, metadata.num_rows), (1, count))
        found = {}
        for name in 'table', 'lines':
            flags = ('dedup', self.place / name / 'rows.data', '--out', self.place / (name + '.out'), '--memory', '256M',
                     '--threads', '2', '--pairs', 'star', '--quiet')
            if name == 'table':
                command, helper = self.peaks(*flags)
                print('peak of %s: command %d MB, helper %d MB' % (self.id(), command // MEGABYTE, helper // MEGABYTE))
            else:
                subprocess.run([PROGRAM, *map(str, flags)], check=True)
            found[name] = {file: hashlib.sha256((self.place / (name + '.out') / file).read_bytes()).digest()
                           for file in ('pairs.jsonl', 'clusters.jsonl', 'keep.txt', 'drop.txt')}
        self.assertEqual(found['table'], found['lines'])
        summary = json.loads((self.place / 'table.out/summary.json').read_text())
        self.assertEqual(summary['documents']['read'], count)
        self.assertLessEqual(command, COMMAND_PEAK)
        self.assertLessEqual(helper, HELPER_PEAK)

    def test_a_group_of_pages(self):
        self.check(texts_of(1000, 500), use_dictionary=['id'])

    def test_a_group_of_a_dictionary(self):
        """Few texts, so that the file holds each once and says that the group is small."""
        self.check(texts_of(100, 1000))
