"""The cases of tests/tables/run.py, which says what they need."""
import contextlib
import datetime
import decimal
import gzip
import hashlib
import json
import os
import pathlib
import random
import runpy
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import pyarrow as pa
import pyarrow.feather
import pyarrow.orc
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from base import LONG, LOOPBACK, PROGRAM, ROOT, ROWS, WithRows, run  # noqa: E402
from shapes import Shapes  # noqa: E402, F401
from store import Store  # noqa: E402

if LONG:
    from large_groups import LargeGroups  # noqa: E402, F401
    from real_stores import OfFakeGcs, OfS3sFs, OfVersitygw  # noqa: E402, F401


class Tables(WithRows):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plain = cls.place / 'plain/rows.data'
        cls.plain.parent.mkdir()
        cls.plain.write_text(''.join(json.dumps(row) + '\n' for row in cls.rows))
        cls.truth = cls.results(cls.plain)

    @classmethod
    def results(cls, data, *flags, **options):
        """Bytes of what a run over `data` finds."""
        out = pathlib.Path(tempfile.mkdtemp(dir=cls.place)) / 'out'
        run('dedup', data, '--out', out, '--url-field', 'meta.url', '--date-field', 'n', '--quiet', *flags, **options)
        return {name: (out / name).read_bytes() for name in ('pairs.jsonl', 'clusters.jsonl', 'keep.txt', 'drop.txt')}

    def written(self):
        """(name, file) of the rows in other formats, all of one name, so that results cite one source."""
        import duckdb
        import pandas
        import polars

        def file(name):
            (self.place / name).mkdir(exist_ok=True)
            return str(self.place / name / 'rows.data')
        pq.write_table(self.table, file('pyarrow'), row_group_size=250, compression='zstd')
        pandas.DataFrame(self.rows).to_parquet(file('pandas'))
        polars.DataFrame(self.rows).write_parquet(file('polars'))
        duckdb.sql("copy (select * from read_json('%s', format='newline_delimited')) to '%s' (format parquet)"
                   % (self.plain, file('duckdb')))
        pa.feather.write_feather(self.table, file('feather'), compression='lz4')
        pa.orc.write_table(self.table, file('orc'))
        with pa.ipc.new_stream(file('stream'), self.table.schema) as writer:
            writer.write_table(self.table, 100)
        for name in ('pyarrow', 'pandas', 'polars', 'duckdb', 'feather', 'orc', 'stream'):
            yield name, file(name)

    def test_one_corpus_in_every_format_gives_the_same_bytes(self):
        self.assertGreater(len(self.truth['pairs.jsonl'].splitlines()), 100)
        for name, file in self.written():
            with self.subTest(name):
                self.assertEqual(self.results(file), self.truth)
                if LONG or name == 'pyarrow':
                    self.assertEqual(self.results(file, '--threads', '1', '--memory', '64M'), self.truth)

    def test_each_side_has_columns_of_its_own(self):
        folder = self.new()
        pq.write_table(self.table, folder / 'x.parquet')
        pq.write_table(pa.table({'qid': ['q'], 'question': [self.rows[2]['text']]}), folder / 'test.parquet')
        for data in [folder / 'x.parquet'], [folder / 'x.parquet', self.plain]:
            told = run('leak', *data, '--test', folder / 'test.parquet', '--test-id-field', 'qid', '--test-text-field', 'question')
            self.assertIn('Of 1 item, ', told.stdout)
            run('match', *data, '--against', folder / 'test.parquet', '--against-id-field', 'qid', '--against-text-field',
                'question', '--out', self.new() / 'o')

    def test_a_rule_of_what_stays_that_finds_no_value_is_told(self):
        folder = self.new()
        pq.write_table(self.table.append_column('crawl', pa.array(['2026-04'] * ROWS)), folder / 'x.parquet')
        for keep in 'max:crawl', 'newest':
            told = run('dedup', folder / 'x.parquet', '--keep', keep, '--date-field', 'crawl', '--out', self.new() / 'o').stderr
            self.assertIn('--keep %s decides nothing: no document has a ' % keep, told)

    def test_every_command_reads_rows(self):
        file = self.place / 'commands.parquet'
        pq.write_table(self.table, file)
        texts = run('text', file, '--json').stdout.splitlines()
        self.assertEqual(json.loads(texts[7])['id'], 'doc-7')
        self.assertIn('meta.deep.x', run('dedup', file, '--text-field', 'txt', '--out', self.new() / 'o', code=2).stderr)
        run('match', file, '--against', self.plain, '--out', self.new() / 'o', '--quiet')
        self.assertIn('doc-3', run('explain', '--in', file, 'doc-3', 'doc-4').stdout)
        self.assertEqual(json.loads(run('text', file, '--json', '--text-field', 'meta.url').stdout.splitlines()[0])['text'],
                         'http://example.org/0')

    def test_a_written_table_is_what_it_was_without_what_went(self):
        table = self.table.replace_schema_metadata({'made-by': 'us', **(self.table.schema.metadata or {})})
        for name, write, read in (
                ('x.parquet', lambda f: pq.write_table(table, f, row_group_size=250, compression='zstd'), pq.read_table),
                ('x.feather', lambda f: pa.feather.write_feather(table, f, compression='uncompressed'),
                 pa.feather.read_table)):
            with self.subTest(name):
                folder = self.new()
                write(folder / name)
                before = hashlib.sha256((folder / name).read_bytes()).digest()
                run('dedup', folder / name, '--out', folder / 'o', '--write', folder / 'w', '--quiet')
                self.assertEqual(hashlib.sha256((folder / name).read_bytes()).digest(), before)
                kept = (folder / 'o/keep.txt').read_text().split()
                self.assertLess(len(kept), ROWS)
                written = read(folder / 'w' / name)
                self.assertEqual(written.to_pylist(), [row for row in self.rows if row['id'] in set(kept)])
                self.assertTrue(written.schema.equals(table.schema, check_metadata=True))
                self.assertEqual([path.name for path in (folder / 'w').iterdir() if path.name[0] != '.'], [name])

    def test_what_cannot_be_read_at_all_is_not_written_and_the_rest_is(self):
        folder = self.new()
        (folder / 'in').mkdir()
        pq.write_table(self.table, folder / 'in/good.parquet')
        whole = (folder / 'in/good.parquet').read_bytes()
        (folder / 'in/cut.parquet').write_bytes(whole[:len(whole) // 2])
        flags = ('dedup', folder / 'in', '--out', folder / 'o', '--write', folder / 'w')
        run(*flags, '--quiet')
        self.assertEqual([path.name for path in (folder / 'w/in').iterdir()], ['good.parquet'])
        self.assertEqual(json.loads((folder / 'o/quarantine.jsonl').read_text())['reason'], 'bad-table')

    def test_a_table_whose_writing_was_stopped_is_written_later(self):
        folder = self.new()
        pq.write_table(self.table, folder / 'x.parquet')
        dying = self.new() / 'dying.py'
        dying.write_text('import os, signal, sys\n'
                         'sys.path.insert(0, %r)\n'
                         'from twinset_tables import conversation, writing\n'
                         'writing.write_parquet = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n'
                         'sys.exit(conversation.main())\n' % str(pathlib.Path(PROGRAM).parent))
        flags = ('dedup', folder / 'x.parquet', '--out', folder / 'o', '--write', folder / 'w')
        there = dict(os.environ, TWINSET_TABLES=self.script('exec %s %s' % (sys.executable, dying)))
        told = run(*flags, code=1, env=there).stderr
        self.assertRegex(told, 'x.parquet: twinset-tables: .*signal 9.*--resume goes on')
        self.assertTrue((folder / 'w/x.parquet.rows.part').exists())
        run(*flags, '--resume', '--quiet')
        kept = (folder / 'o/keep.txt').read_text().split()
        self.assertEqual([row['id'] for row in pq.read_table(folder / 'w/x.parquet').to_pylist()], kept)
        self.assertFalse((folder / 'w/x.parquet.rows.part').exists())

    def test_groups_and_codecs_of_parquet_stay(self):
        folder = self.new()
        pq.write_table(self.table, folder / 'x.parquet', row_group_size=250, compression={'id': 'gzip', 'text': 'zstd'})
        run('dedup', folder / 'x.parquet', '--out', folder / 'o', '--write', folder / 'w', '--quiet')
        before, after = (pq.ParquetFile(folder / name / 'x.parquet').metadata for name in ('.', 'w'))
        self.assertEqual(after.num_row_groups, 3)
        for i in range(before.num_columns):
            self.assertEqual(after.row_group(0).column(i).compression, before.row_group(0).column(i).compression)
        import duckdb
        import pandas
        import polars
        count = after.num_rows
        self.assertEqual(len(pandas.read_parquet(folder / 'w/x.parquet')), count)
        self.assertEqual(len(polars.read_parquet(folder / 'w/x.parquet')), count)
        self.assertEqual(duckdb.sql("select count(*) from '%s'" % (folder / 'w/x.parquet')).fetchall()[0][0], count)

    def test_annotations_are_columns(self):
        folder = self.new()
        more = [{**self.rows[1], 'text': None}, {**self.rows[2], 'text': self.rows[2]['text'] + ' more'}]
        pq.write_table(pa.Table.from_pylist(self.rows + more), folder / 'x.parquet')
        run('dedup', folder / 'x.parquet', '--out', folder / 'o', '--write', folder / 'w', '--action', 'annotate', '--quiet')
        rows = pq.read_table(folder / 'w/x.parquet').to_pylist()
        self.assertEqual([{k: v for k, v in row.items() if not k.startswith('twinset_')} for row in rows], self.rows + more)
        clusters = {row['id']: row for row in map(json.loads, (folder / 'o/clusters.jsonl').read_text().splitlines())}
        names = [row['id'] for row in self.rows] + [None, 'doc-2#2']  # that of the second row of its id, and of no document
        self.assertEqual([row['twinset_id'] for row in rows], names)
        self.assertEqual({value for key, value in rows[ROWS].items() if key.startswith('twinset_')}, {None})
        for row in rows[:ROWS] + rows[ROWS + 1:]:
            said = clusters.get(row['twinset_id'], {'cluster': row['twinset_id'], 'size': 1, 'similarity': 1})
            self.assertEqual((row['twinset_cluster'], row['twinset_copies'], row['twinset_similarity']),
                             (said['cluster'], said['size'], said['similarity']))
            self.assertEqual(row['twinset_kept_id'], None if said['cluster'] == row['twinset_id'] else said['cluster'])
        self.assertEqual(rows[2]['twinset_kept_id'], 'doc-2#2')
        self.assertIn('1 document has the id of another, and #2, ', run('dedup', folder / 'x.parquet', '--out', folder / 'o1').stdout)
        run('patch', 'make', folder / 'o', '--out', folder / 'patch')
        run('patch', 'apply', folder / 'patch', folder / 'x.parquet', '--out', folder / 'p', '--write', folder / 'pw')
        self.assertEqual(pq.read_table(folder / 'pw/x.parquet'), pq.read_table(folder / 'w/x.parquet'))
        (folder / 'test.jsonl').write_text(json.dumps({'id': 'q', 'text': self.rows[3]['text']}))
        run('leak', folder / 'x.parquet', '--test', folder / 'test.jsonl', '--write', folder / 'lw', '--action', 'annotate')
        items = pq.read_table(folder / 'lw/x.parquet')['twinset_items'].to_pylist()
        self.assertEqual((len(items), items[3], items[ROWS]), (ROWS + 2, 1, None))
        told = run('dedup', folder / 'w/x.parquet', '--out', folder / 'o2', '--write', folder / 'w2', '--action', 'annotate',
                   code=2).stderr
        self.assertIn('twinset_id already', told)

    def test_leak_writes_tables(self):
        folder = self.new()
        pq.write_table(self.table, folder / 'x.parquet')
        (folder / 'test.jsonl').write_text(json.dumps({'id': 'q', 'text': self.rows[2]['text']}))
        run('leak', folder / 'x.parquet', '--test', folder / 'test.jsonl', '--out', folder / 'o', '--write', folder / 'w',
            '--quiet')
        self.assertEqual(len(pq.read_table(folder / 'w/x.parquet')), ROWS - 1)
        for action in 'cut', 'annotate':
            run('leak', folder / 'x.parquet', '--test', folder / 'test.jsonl', '--write', folder / action, '--action', action,
                '--quiet')
        changed = pq.read_table(folder / 'cut/x.parquet')
        self.assertEqual(changed.schema, self.table.schema)
        self.assertEqual(changed.to_pylist(), self.rows[:2] + [{**self.rows[2], 'text': ''}] + self.rows[3:])
        said = pq.read_table(folder / 'annotate/x.parquet').to_pylist()
        self.assertEqual([row['twinset_items'] for row in said], [int(i == 2) for i in range(ROWS)])
        self.assertEqual(json.loads(said[2]['twinset_leaks'])[0]['item'], 'q')

    def test_leak_goes_on_where_its_helper_was_killed(self):
        folder = self.new()
        pq.write_table(self.table, folder / 'x.parquet', row_group_size=100)
        (folder / 'test.jsonl').write_text(json.dumps({'id': 'q', 'text': self.rows[2]['text']}))
        def leak(place, action, *flags, **options):
            return run('leak', folder / 'x.parquet', '--test', folder / 'test.jsonl', '--out', folder / place, '--write',
                       folder / (place + '.w'), '--action', action, '--quiet', *flags, **options)

        def found(place):
            files = [folder / place / name for name in ('leaks.jsonl', 'clean.txt', 'splits.csv')]
            return [path.read_bytes() for path in (*files, folder / (place + '.w') / 'x.parquet')]
        told = leak('first', 'drop', code=1, env=self.with_dying(0)).stderr  # nothing is there to go on with
        self.assertRegex(told, 'x.parquet: .*signal 9')
        for action in 'drop', 'cut', 'annotate':
            leak(action, action)
        # In the search, in the match, and when the rows are read again to be written.
        for action, batches in ('drop', 4), ('cut', 8), ('annotate', 11), ('drop', 16), ('annotate', 20):
            with self.subTest(action, batches=batches):
                place = 'killed-%s-%d' % (action, batches)
                told = leak(place, action, code=1, env=self.with_dying(batches)).stderr
                self.assertRegex(told, 'x.parquet: .*signal 9.*--resume')
                self.assertFalse((folder / place / 'summary.json').exists())
                leak(place, action, '--resume')
                self.assertEqual(found(place), found(action))
        told = leak('stopped', 'cut', code=130, env=self.with_dying(4, 'os.kill(os.getppid(), signal.SIGINT)')).stderr
        self.assertRegex(told, r'^twinset leak: stopped by SIGINT: [^\n]*the same command with --resume goes on[^\n]*\n$')
        leak('stopped', 'cut', '--resume')
        self.assertEqual(found('stopped'), found('cut'))

    def test_units_are_cut_out_of_tables(self):
        folder = self.new()
        notice = 'all rights of this notice are reserved by us'
        rows = [{'id': 'a', 'text': 'one and only first line here\n' + notice, 'n': 1}, {'id': 'b', 'text': notice, 'n': 2}]
        pq.write_table(pa.Table.from_pylist(rows), folder / 'x.parquet')
        run('dedup', folder / 'x.parquet', '--unit', 'line', '--out', folder / 'o', '--write', folder / 'w', '--quiet')
        self.assertEqual(pq.read_table(folder / 'w/x.parquet').to_pylist(), [rows[0], {**rows[1], 'text': ''}])

    def test_values_of_any_type(self):
        stamp = datetime.datetime(2024, 5, 6, 7, 8, 9)
        table = pa.table({
            'id': pa.array(['a', None, 'a', 'c']).dictionary_encode(),
            'text': pa.array([b'bytes \xff one', b'', None, b'two'], pa.binary()),
            'price': pa.array([decimal.Decimal('12.50')] * 4), 'when': pa.array([stamp] * 4),
            'tags': pa.array([['x', 'y'], [], None, ['z']]), 'ratio': pa.array([1.5, float('nan'), None, float('inf')]),
            'flag': pa.array([True, False, None, True])})
        file = self.place / 'types.parquet'
        pq.write_table(table, file)
        out = self.new() / 'o'
        run('dedup', file, '--out', out, '--quiet')
        bad = json.loads((out / 'quarantine.jsonl').read_text())
        self.assertEqual((bad['reason'], bad['ordinal']), ('no-text-field', 2))

        def texts(field):
            return [json.loads(row)['text'] for row in
                    run('text', file, '--json', '--text-field', field).stdout.splitlines()]
        self.assertEqual(texts('text'), ['bytes � one', '', 'two'])
        self.assertEqual(texts('tags.*'), ['x\n\ny', 'z'])
        self.assertEqual(texts('when'), ['2024-05-06T07:08:09'] * 4)
        for field, values in (('price', ['12.50'] * 4), ('flag', ['true', 'false', 'true']), ('ratio', ['1.5'])):
            run('dedup', file, '--id-field', field, '--out', out, '--overwrite', '--quiet')
            ids = (out / 'keep.txt').read_text().split() + (out / 'drop.txt').read_text().split()
            self.assertIn(values[0], ids, field)

    def test_damage_is_counted_and_the_rest_is_read(self):
        file = self.place / 'sound.parquet'
        pq.write_table(self.table, file, row_group_size=200, compression='zstd')
        whole = file.read_bytes()
        middle = pq.ParquetFile(file).metadata.row_group(1).column(1).dictionary_page_offset + 200

        def documents(content, code=0):
            bad = self.new() / 'bad.parquet'
            bad.write_bytes(content)
            out = bad.parent / 'o'
            run('dedup', bad, '--out', out, '--quiet', code=code)
            quarantined = [json.loads(line) for line in (out / 'quarantine.jsonl').read_text().splitlines()] \
                if (out / 'quarantine.jsonl').exists() else []
            return json.loads((out / 'summary.json').read_text())['records']['documents'], quarantined
        flipped = bytearray(whole)
        flipped[middle:middle + 40] = bytes(40)
        count, bad = documents(flipped)
        self.assertEqual((count, len(bad)), (400, 1))
        self.assertEqual((bad[0]['reason'], bad[0]['offset']), ('bad-table', 200))
        self.assertIn('200 rows are not read', bad[0]['detail'])
        for content in (whole[:len(whole) // 2], b'PAR1\0' + whole[:100], whole[:-8] + b'\xff\xff\xff\x7fPAR1',
                        b'ARROW1\0\0' + bytes(100), b'ORC\0' + bytes(50)):
            count, bad = documents(content, code=1)  # nothing is left
            self.assertEqual((count, [row['reason'] for row in bad]), (0, ['bad-table']))
        if LONG:
            for at in range(0, len(whole), 997):
                flipped = bytearray(whole)
                flipped[at] ^= 0x41
                bad = self.new() / 'bad.parquet'
                bad.write_bytes(flipped)
                done = subprocess.run([PROGRAM, 'dedup', bad, '--out', bad.parent / 'o', '--quiet'], capture_output=True)
                self.assertIn(done.returncode, (0, 1, 2), done.stderr)

    def test_a_row_is_told_by_its_number(self):
        file = self.new() / 'x.parquet'
        pq.write_table(pa.table({'id': ['a', 'b', 'c'], 'text': ['some words', None, 'other words']}), file)
        why = 'at row 1: quarantined: no-text-field: field "text" is null'
        self.assertIn(why, run('text', file).stderr)
        run('index', 'create', file.parent / 'i', '--quiet')
        self.assertIn(why, run('index', 'add', file.parent / 'i', file).stderr)
        told = run('dedup', file, '--out', file.parent / 'o', '--strict', '--quiet', code=1).stderr
        self.assertIn('record 1 at row 1 is quarantined', told)

    def test_a_column_that_a_later_table_lacks_is_told_before_any_work(self):
        folder = self.new()
        pq.write_table(self.table, folder / 'a.parquet')
        pq.write_table(pa.table({'id': ['x'], 'txt': ['some words']}), folder / 'b.parquet')
        (folder / 'c.jsonl').write_text('{"body": "rows of JSON have no columns"}\n')

        def check(place, *flags, **options):
            for words in (('text', place), ('dedup', place, '--out', folder / 'o'),
                          ('match', self.plain, '--against', place, '--out', folder / 'o')):
                done = run(*words, *flags, code=2, **options)
                self.assertEqual(done.stdout, '')
                self.assertRegex(done.stderr, r'^twinset \w+: \S+b\.parquet: no column "text" '
                                              r'\(did you mean \'txt\'\? its columns are: id, txt\)$')
                self.assertFalse((folder / 'o').exists())
        (folder / 'in').mkdir()
        for name in ('a.parquet', 'b.parquet', 'c.jsonl'):
            (folder / name).rename(folder / 'in' / name)
        check(folder / 'in')
        with self.bucket() as store:
            store.put('columns')
            for file in (folder / 'in').iterdir():
                store.put('columns/in/' + file.name, file.read_bytes())
            check('s3://columns/in', *LOOPBACK, env=store.environment())

    def test_the_beginning_of_a_table_is_no_text(self):
        for content in (b'PAR1', b'PAR1\x15\x04', b'ARROW1'):
            file = self.new() / 'x'
            file.write_bytes(content)
            run('dedup', file, '--out', file.parent / 'o', '--quiet', code=1)
            self.assertEqual(json.loads((file.parent / 'o/quarantine.jsonl').read_text())['reason'], 'bad-table')
        file.write_text('PAR1 of four')
        self.assertEqual(run('text', file, '--json').returncode, 0)

    def test_long_values_are_quarantined(self):
        file = self.place / 'long.parquet'
        pq.write_table(pa.table({'id': ['a', 'b', 'c'], 'text': ['some words', 'x y ' * 6_000_000, 'other words']}), file)
        out = self.new() / 'o'
        run('dedup', file, '--out', out, '--quiet')
        bad = json.loads((out / 'quarantine.jsonl').read_text())
        self.assertEqual((bad['reason'], bad['ordinal'], bad['detail']), ('too-large', 1, 'a value of 24000000 bytes'))

    def test_a_table_that_cannot_be_sought_is_quarantined(self):
        file = self.place / 'packed.parquet'
        pq.write_table(self.table, file)
        packed = self.place / 'packed.parquet.gz'
        packed.write_bytes(gzip.compress(file.read_bytes()))
        out = self.new() / 'o'
        run('dedup', packed, '--out', out, '--quiet', code=1)
        bad = json.loads((out / 'quarantine.jsonl').read_text())
        self.assertEqual(bad['reason'], 'unsupported-format')
        self.assertIn('save it as a file', bad['detail'])

    def test_without_a_helper_the_message_says_what_to_type(self):
        file = self.place / 'alone.parquet'
        pq.write_table(self.table, file)
        told = run('text', file, code=1, env=dict(os.environ, TWINSET_TABLES='/nowhere')).stderr
        self.assertIn('/nowhere', told)
        # A Python without pyarrow, in the environment that is meant for the helper.
        python = self.new() / '.local/share/twinset/tables/bin/python'
        python.parent.mkdir(parents=True)
        pathlib.Path(self.script('exec %s -I -S "$@"' % sys.executable)).rename(python)
        home = dict(os.environ, HOME=str(python.parents[5]))
        told = run('text', file, code=1, env=home).stderr
        self.assertIn('/.local/share/twinset/tables/bin/pip install pyarrow', told)
        self.assertEqual(len(told.splitlines()), 1)
        told = run('dedup', file, '--out', self.new() / 'o', '--quiet', code=1, env=home).stderr
        self.assertRegex(told, r'alone.parquet: [^:].*/pip install pyarrow; then the same command with --resume')

    def script(self, text):
        path = self.new() / 'helper'
        path.write_text('#!/bin/sh\n%s\n' % text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def with_dying(self, batches, what='os.kill(os.getpid(), signal.SIGKILL)'):
        """The environment of a helper that does `what` when it is asked for another batch."""
        dying = self.new() / 'dying.py'
        dying.write_text(
            'import os, signal, sys\n'
            'sys.path.insert(0, %r)\n'
            'from twinset_tables import conversation, reading\n'
            'next_of, left = reading.Reading.next, [%d]\n'
            'def next(self):\n'
            '    left[0] -= 1\n'
            '    if left[0] == -1: %s\n'
            '    return next_of(self)\n'
            'reading.Reading.next = next\n'
            'sys.exit(conversation.main())\n' % (str(pathlib.Path(PROGRAM).parent), batches, what))
        return dict(os.environ, TWINSET_TABLES=self.script('exec %s %s' % (sys.executable, dying)))

    def test_a_killed_helper_fails_the_run_which_goes_on_later(self):
        file = self.new() / 'rows.data'
        pq.write_table(self.table, file, row_group_size=100)
        for batches in (0, 1, 4) if LONG else (4,):
            with self.subTest(batches):
                out = self.new() / 'out'
                flags = ('dedup', file, '--out', out, '--url-field', 'meta.url', '--date-field', 'n')
                told = run(*flags, code=1, env=self.with_dying(batches)).stderr
                self.assertRegex(told, 'rows.data: .*signal 9.*--resume')
                self.assertFalse((out / 'summary.json').exists())
                run(*flags, '--resume', code=1, env=dict(os.environ, TWINSET_TABLES='/nowhere'))
                self.check_resumed(out, flags)

    def check_resumed(self, out, flags, **options):
        """A run that a machine has failed ends as one that nothing has happened to."""
        run(*flags, '--resume', '--quiet', **options)
        for name, content in self.truth.items():
            self.assertEqual((out / name).read_bytes(), content, name)

    def test_values_as_json_are_those_of_python(self):
        sys.path.insert(0, str(pathlib.Path(PROGRAM).parent))
        from twinset_tables.columns import as_json, plain
        drawn = random.Random(3)

        def text():
            return drawn.choice([None, ''.join(drawn.choices('ab"\\\n\t\x01é☃\x7f ', k=drawn.randrange(8)))])

        def struct():
            return drawn.choice([None] + 4 * [{'a "q"': text(), 'n': drawn.choice([None, 1, -5]), 'f': drawn.choice(
                [1.5, float('nan'), 1e20]), 'b': drawn.choice([True, None]), 'in': drawn.choice([None, [], [text(), text()]])}])
        of = {'a "q"': pa.string(), 'n': pa.int32(), 'f': pa.float64(), 'b': pa.bool_(), 'in': pa.large_list(pa.string())}
        of = pa.struct(list(of.items()))
        lists = [[struct() for _ in range(drawn.randrange(4))] or drawn.choice([None, []]) for _ in range(90)]
        for values, kind in ((lists, pa.list_(of)), ([struct() for _ in range(90)], of), ([[['x', None]], [None], None], None),
                             ([text() for _ in range(20)], pa.dictionary(pa.int8(), pa.string())), ([None, {}], pa.struct([])),
                             ([[('k', 'v')], None], pa.map_(pa.string(), pa.string())), ([], pa.list_(pa.string()))):
            for column in (pa.array(values, kind), pa.array(values, kind)[1:], pa.array(values, kind)[3:9]):
                self.assertEqual(as_json(column).to_pylist(), [
                    None if value is None else json.dumps(plain(value), ensure_ascii=False) for value in column.to_pylist()])

    def test_texts_that_stand_in_a_table_once_are_read_in_small_batches(self):
        sys.path.insert(0, str(pathlib.Path(PROGRAM).parent))
        from twinset_tables.networks import Networks
        from twinset_tables.objects import Objects
        from twinset_tables.reading import Reading
        texts = pa.array([letter * 20_000 for letter in 'abcdefgh'] * 250 + ['i' * 90_000] * 100 + ['j'] * 4000)
        plain, coded = (pa.table({'text': column}) for column in (texts, texts.dictionary_encode()))
        for name, table, write in (('plain', plain, pq.write_table), ('coded', coded, pq.write_table),
                                   ('feather', coded, pa.feather.write_feather)):
            with self.subTest(name):
                write(table, self.place / ('once.' + name))
                reading = Reading(Objects(Networks([])), str(self.place / ('once.' + name)), [{'name': 'text', 'paths': [['text']]}], 1 << 24)
                told = []
                while not told or told[-1][0]:
                    said, buffers = reading.next()
                    told.append((said['rows'], said['body_bytes'], bytes(buffers[2]) if buffers else b''))
                self.assertEqual(sum(rows for rows, *_ in told), len(texts))
                self.assertEqual(b''.join(data for *_, data in told), ''.join(texts.to_pylist()).encode())
                self.assertLess(max(size for _, size, _ in told), 24 << 20)

    def test_paths_into_lists_are_those_of_json(self):
        rows = [{'id': str(i), 'messages': [{'role': 'user', 'content': row['text']}, {'role': 'other', 'content': None}]}
                for i, row in enumerate(self.rows[:40])] + [{'id': 'none', 'messages': None}, {'id': 'empty', 'messages': []}]
        folder = self.new()
        pq.write_table(pa.Table.from_pylist(rows), folder / 'x.parquet', row_group_size=17)
        (folder / 'x.jsonl').write_text(''.join(json.dumps(row) + '\n' for row in rows))
        texts = [run('text', folder / name, '--json', '--text-field', 'messages.*.content').stdout.splitlines()
                 for name in ('x.parquet', 'x.jsonl')]
        told = [[(row['id'], row['text']) for row in map(json.loads, lines)] for lines in texts]
        self.assertEqual(told[0], told[1])
        self.assertEqual(len(told[0]), 40)

    # ---- buckets ----

    @contextlib.contextmanager
    def bucket(self):
        store = Store()
        store.put('lake')
        with contextlib.closing(store):
            yield store

    def test_a_bucket_gives_the_bytes_of_files(self):
        parquet = self.new() / 'rows.data'
        pq.write_table(self.table, parquet, row_group_size=250)
        with self.bucket() as store:
            store.put('lake/plain/rows.data', self.plain.read_bytes())
            store.put('lake/table/rows.data', parquet.read_bytes())
            store.put('lake/packed/rows.data.gz', gzip.compress(self.plain.read_bytes()))
            there = dict(env=store.environment())
            for name in ('plain/rows.data', 'table/rows.data', 'packed/rows.data.gz', 't*/rows.data'):
                with self.subTest(name):
                    self.assertEqual(self.results('s3://lake/' + name, *LOOPBACK, **there), self.truth)
            store.busy, store.cut = 2, 1
            self.assertEqual(self.results('s3://lake/plain/rows.data', *LOOPBACK, **there), self.truth)
            self.assertEqual((store.busy, store.cut, store.told_password), (0, 0, False))
            out = self.new()
            run('dedup', 's3://lake', '--out', out / 'o', '--write', out / 'w', '--quiet', *LOOPBACK, **there)
            sources = {json.loads(row)['source'] for row in (out / 'o/clusters.jsonl').read_text().splitlines()}
            self.assertEqual(sources, {'lake/plain/rows.data', 'lake/table/rows.data', 'lake/packed/rows.data'})
            self.assertEqual(sum(len(path.read_bytes()) > 0 for path in (out / 'w').rglob('rows.data*')), 2)
            for path in out.rglob('*'):  # no file tells of who may read the bucket
                if path.is_file():
                    self.assertNotIn(b'secret-of-the-test', path.read_bytes())
                    self.assertNotIn(b'public-name', path.read_bytes())

    def test_a_store_that_fails_is_no_damage(self):
        table = self.new() / 'rows.data'
        pq.write_table(self.table, table, row_group_size=60, compression='none')
        with self.bucket() as store:
            there = dict(env=store.environment())
            for name, content, served in (('table', table.read_bytes(), 12), ('plain', self.plain.read_bytes(), 4)):
                with self.subTest(name):
                    store.put('lake/%s/rows.data' % name, content)
                    out = self.new() / 'out'
                    flags = ('dedup', 's3://lake/%s/rows.data' % name, '--out', out, '--url-field', 'meta.url',
                             '--date-field', 'n', *LOOPBACK)
                    store.left = served
                    told = run(*flags, code=1, **there).stderr
                    self.assertRegex(told, 's3://lake/%s/rows.data: .*--resume' % name)
                    store.left = None
                    self.check_resumed(out, flags, **there)
            store.left, store.refuses = 12, ('GET', )  # it tells of objects, and does not give them
            told = run('dedup', 's3://lake/table/rows.data', '--out', self.new() / 'o', *LOOPBACK, code=1, **there).stderr
            self.assertIn('--resume', told)
            store.left, store.refuses = None, ('GET', 'HEAD')
            store.left, store.refusals = 12, 1  # rows that it does not give once
            self.assertEqual(self.results('s3://lake/table/rows.data', *LOOPBACK, **there), self.truth)
            self.assertEqual(store.refusals, 0)

    def test_what_is_not_there_is_named(self):
        with self.bucket() as store:
            there = dict(env=store.environment())
            for address, said in ('s3://lake/none', 'there is no such object'), ('s3://lakee/x', 'there is no bucket lakee'):
                self.assertIn(said, run('text', address, *LOOPBACK, code=1, **there).stderr)
            self.assertIn('it names no bucket', run('text', 's3://', *LOOPBACK, code=2, **there).stderr)

    def test_a_bucket_is_asked_only_where_it_may_be(self):
        with self.bucket() as store:
            store.put('lake/rows.jsonl', self.plain.read_bytes())
            there = dict(env=store.environment())
            told = run('text', 's3://lake/rows.jsonl', code=2, **there).stderr
            self.assertIn('no address of the public internet', told)
            self.assertEqual(store.gets, [])
            self.assertIn('no such object',
                          run('text', 's3://lake/none', *LOOPBACK, code=1, **there).stderr)
            self.assertIn('matches nothing', run('text', 's3://lake/*.csv', *LOOPBACK, code=2, **there).stderr)
            for flag in ('--out', '--write', '--save'):
                told = run('dedup', self.plain, '--out', self.new() / 'o', flag, 's3://lake/out', code=2, **there).stderr
                self.assertIn('s3://lake/out', told)

    def test_commands_that_read_addresses_read_tables_in_buckets(self):
        rows = [{'id': str(i), 'url': 'http://example.org/%d?s=%d' % (i // 2, i % 2), 'text': self.rows[i // 10]['text']}
                for i in range(40)]
        folder = self.new()
        (folder / 'rows').write_text(''.join(json.dumps(row) + '\n' for row in rows))
        pq.write_table(pa.Table.from_pylist(rows), folder / 'table')
        run('dedup', folder / 'rows', '--out', folder / 'run', '--quiet')

        def answers(place, rows, **options):
            (folder / place).mkdir()
            flags = [*LOOPBACK, '--quiet', '--out']
            run('urls', rows, rows, *flags, folder / place / 'urls', **options)
            run('predict', folder / 'run', rows, *flags, folder / place / 'rules', **options)
            run('engine', 'build', rows, *flags, folder / place / 'engine', **options)
            found = run('engine', 'query', folder / place / 'engine', self.rows[0]['text'].split()[0], '--json').stdout
            return [(folder / place / name).read_bytes() for name in ('urls/hosts.csv', 'rules/predictions.jsonl')] + [found]
        with self.bucket() as store:
            store.put('lake/rows', (folder / 'table').read_bytes())
            there = answers('there', 's3://lake/rows', env=store.environment())
            self.assertEqual(there, answers('here', folder / 'rows'))
            self.assertEqual(len(there[1].splitlines()), 40)

    def test_a_bucket_is_listed_once(self):
        with self.bucket() as store:
            for i in range(2):
                store.put('lake/part/rows-%d.jsonl' % i, self.plain.read_bytes())
            for words in (('text', 's3://lake/part'), ('sketch', 's3://lake/part', '--method', 'minhash'),
                          ('dedup', 's3://lake/part', '--out', self.new() / 'o'),
                          ('match', 's3://lake/part', '--against', self.plain, '--out', self.new() / 'o')):
                with self.subTest(words[0]):
                    store.gets.clear()
                    run(*words, *LOOPBACK, env=store.environment())
                    listed = sum(path.rstrip('/') == '/lake' for path in store.gets)
                    self.assertEqual(listed, 2)  # what it is, and what is below it

    def test_what_reads_the_inputs_of_a_run_again_finds_them_in_their_bucket(self):
        with self.bucket() as store:
            store.put('lake/rows.jsonl', self.plain.read_bytes())
            there, out = dict(env=store.environment()), self.new()
            run('dedup', 's3://lake/rows.jsonl', '--out', out / 'o', '--report', *LOOPBACK, '--quiet', **there)
            page = (out / 'o/report.html').read_text()
            text = self.rows[3]['text']
            self.assertTrue(text[:20] in page, 'the report shows no texts')
            (out / 'o/report.html').unlink()
            run('report', out / 'o', *LOOPBACK, **there)
            self.assertEqual((out / 'o/report.html').read_text(), page)
            self.assertIn('shingles', run('explain', 'doc-4', out / 'o', *LOOPBACK, **there).stdout)
            self.assertIn('(--networks 127.0.0.1 allows it)', run('explain', 'doc-4', out / 'o', **there).stdout)
            self.assertIn('twinset report', hint := run('dedup', 's3://lake/rows.jsonl', '--out', out / 'h', *LOOPBACK, **there).stdout)
            self.assertIn(' --networks 127.0.0.0/8\n', hint)
            store.put('lake/fields.jsonl', b''.join(b'{"id":"doc-%d","group":%d}\n' % (i, i // 2) for i in range(ROWS)))
            told = run('dedup', self.plain, '--fields', 's3://lake/fields.jsonl', '--within', 'group', '--out', out / 'f', *LOOPBACK,
                       **there).stdout
            self.assertIn('pairs        %d' % (ROWS // 10), told)  # every fifth is nearly the one before: of one group each other time
            told = run('dedup', self.plain, '--ignore', 's3://lake/rows.jsonl', '--out', out / 'i', *LOOPBACK, **there).stdout
            self.assertIn('pairs        0', told)

    def test_a_patch_is_made_of_a_bucket_and_applied_to_one(self):
        parquet, out = self.new() / 'rows.parquet', self.new()
        pq.write_table(self.table, parquet)
        with self.bucket() as store:
            store.put('lake/mine/rows.parquet', parquet.read_bytes())
            store.put('lake/theirs/mine/rows.parquet', parquet.read_bytes())
            there = dict(env=store.environment())
            run('dedup', 's3://lake/mine', '--out', out / 'run', '--write', out / 'truth', '--quiet', *LOOPBACK, **there)
            run('patch', 'make', out / 'run', '--out', out / 'patch', *LOOPBACK, **there)
            run('patch', 'apply', out / 'patch', 's3://lake/theirs/mine', '--out', out / 'o', '--write', out / 'w', *LOOPBACK, **there)
            self.assertEqual(json.loads((out / 'o/inputs.jsonl').read_text())['identical'], True)
            self.assertEqual(pq.read_table(out / 'w/mine/rows.parquet'), pq.read_table(out / 'truth/mine/rows.parquet'))
            for served in 3, 6, 9, 12, 15:  # the store fails in the listing, the digests and the records
                for words in (('make', out / 'run', '--out', out / ('p%d' % served)), (
                        'apply', out / 'patch', 's3://lake/theirs/mine', '--match-by', 'id', '--out', out / ('a%d' % served))):
                    store.left = served
                    told = run('patch', *words, *LOOPBACK, code=1, **there).stderr
                    store.left = None
                    self.assertRegex(told, r'^twinset patch: s3://[^\n]*\n$')
                    self.assertIn('the store ', told)
            store.put('lake/mine/rows.parquet', parquet.read_bytes()[:-1] + b'x')
            run('patch', 'make', out / 'run', '--out', out / 'second', *LOOPBACK, code=1, **there)

    def test_the_recipe_runs(self):
        readme = runpy.run_path(str(ROOT / 'tests/readme/run.py'))
        pages = self.new() / 'pages.jsonl'
        pages.write_text(run('text', ROOT / 'examples/data/boost-docs.warc.gz', '--json').stdout)
        rows = [{'url': row['id'], 'body': row['text'], 'crawl': 1} for row in map(json.loads, pages.open())]
        with self.bucket() as store, mock.patch.dict(os.environ, store.environment()):
            for part in range(2):
                file = pages.parent / 'part.parquet'
                pq.write_table(pa.Table.from_pylist(rows[part::2]), file)
                store.put('lake/pages/part-%d.parquet' % part, file.read_bytes())
            passed, failed = readme['run_page'](readme['NEEDS_A_BUCKET'], pathlib.Path(PROGRAM).parent)
        self.assertEqual((passed, failed), (4, 0))

    def test_a_run_whose_objects_are_others_says_which(self):
        with self.bucket() as store:
            store.put('others')
            there = dict(env=store.environment())
            out = self.new() / 'o'
            flags = ('dedup', 's3://others/in', '--out', out, *LOOPBACK)
            full = dict(there, preexec_fn=lambda: __import__('resource').setrlimit(
                __import__('resource').RLIMIT_FSIZE, (20000, 20000)))
            content = self.plain.read_bytes()
            for name in 'bcd':
                store.put('others/in/%s.jsonl' % name, content)
            run(*flags, code=1, **full)  # it breaks off

            def told():
                error = run(*flags, '--resume', code=2, **there).stderr
                self.assertRegex(error, r'^twinset dedup: .*: cannot resume: .* \(.*--overwrite\)\n$')
                return error
            store.put('others/in/c.jsonl', content.replace(b'word1 ', b'word2 '))
            self.assertIn('input s3://others/in/c.jsonl was replaced: its entity tag is another', told())
            store.put('others/in/c.jsonl', content + b' ')
            self.assertRegex(told(), 'input s3://others/in/c.jsonl was changed: it had [0-9,]+ bytes and has [0-9,]+ bytes')
            store.delete('others/in/c.jsonl')
            self.assertIn('input s3://others/in/c.jsonl is gone; there were 3 inputs, and there are 2', told())
            store.put('others/in/c.jsonl', content)
            store.put('others/in/a.jsonl', content)
            self.assertIn('input s3://others/in/a.jsonl is new; there were 3 inputs, and there are 4', told())
            store.delete('others/in/a.jsonl')
            run(*flags, '--resume', '--quiet', **there)

    def test_a_run_that_is_stopped_while_it_lists_says_that_nothing_was_done(self):
        with self.bucket() as store:
            store.held = threading.Event()
            out = self.new() / 'o'
            done = subprocess.Popen([PROGRAM, 'dedup', 's3://lake/in', '--out', out, *LOOPBACK], env=store.environment(),
                                    stderr=subprocess.PIPE, text=True)
            asked = store.asked
            while store.asked == asked and done.poll() is None:
                time.sleep(.01)
            done.send_signal(signal.SIGINT)
            told = done.communicate(timeout=30)[1]
            store.held.set()
            self.assertEqual((done.returncode, told), (
                130, 'twinset dedup: stopped by SIGINT: nothing was done, so give the same command again\n'))
            self.assertFalse(out.exists())

    def test_messages_about_a_store_name_the_reason_and_the_variable(self):
        with self.bucket() as store:
            store.left = 0  # it refuses whoever asks
            there = store.environment()
            keyless = {name: value for name, value in there.items() if not name.startswith('AWS_')} | {
                'AWS_ENDPOINT_URL': store.url, 'HOME': str(self.place)}
            refused = ('the store refuses the key: it is wrong, or may not read this .*'
                       'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
            malformed = 'which is no address of a store .*AWS_ENDPOINT_URL is to be as http://'
            for changes, code, reason in (
                    ({}, 1, refused),
                    (None, 1, 'AWS_ACCESS_KEY_ID names no key .*AWS_NO_SIGN_REQUEST=true'),
                    ({'AWS_NO_SIGN_REQUEST': 'true'}, 1, 'wants a key, and AWS_NO_SIGN_REQUEST asks it without'),
                    ({'AWS_ENDPOINT_URL': 'http://127.0.0.1:1'}, 1,
                     'no connection to 127.0.0.1:1: Connection refused .*AWS_ENDPOINT_URL'),
                    ({'AWS_ENDPOINT_URL': '127.0.0.1:9000'}, 2, malformed), ({'AWS_ENDPOINT_URL': '%%%'}, 2, malformed),
                    ({'AWS_ENDPOINT_URL': 'http://127.0.0.1:99999'}, 2, malformed),
                    ({'AWS_ENDPOINT_URL': 'http://me:secret-of-the-test@127.0.0.1:1'}, 2,
                     'AWS_ENDPOINT_URL holds a name or a password')):
                with self.subTest(reason):
                    told = run('text', 's3://lake/rows', *LOOPBACK, code=code,
                               env=keyless if changes is None else dict(there, **changes)).stderr
                    self.assertRegex(told, r'^twinset text: s3://lake/rows: .*%s[^\n]*\n$' % reason)
                    self.assertNotIn('secret-of-the-test', told)
                    self.assertNotIn('public-name', told)
            for address in ('s3://public-name:secret-of-the-test@lake/rows', 's3://public-name:secret/-of-the-test@lake/rows'):
                told = run('text', address, code=2, env=there).stderr
                self.assertRegex(told, '^twinset text: s3://lake/rows: .*AWS_ACCESS_KEY_ID')
                self.assertNotIn('of-the-test', told)


if __name__ == '__main__':
    done = unittest.main(exit=False, verbosity=2).result
    bad = len(done.failures) + len(done.errors)
    print('%d passed, %d failed' % (done.testsRun - bad, bad))
    sys.exit(1 if bad else 0)
