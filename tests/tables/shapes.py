"""Cases of tests/tables/run.py: tables of unusual shapes, read and written again."""
import hashlib
import json
import os
import pathlib
import stat
import sys

import pyarrow as pa
import pyarrow.feather
import pyarrow.orc
import pyarrow.parquet as pq

from base import PROGRAM, ROWS, WithRows, run

sys.path.insert(0, str(pathlib.Path(PROGRAM).parent))
from twinset_tables.formats import open_table  # noqa: E402


class Shapes(WithRows):
    def test_a_table_without_rows_is_written_with_the_columns_of_the_others(self):
        folder = self.new()
        (folder / 'in').mkdir()
        table, none = self.table.select(['id', 'text'])[:20], self.table.select(['id', 'text'])[:0]
        for name, rows in ('a', table), ('b', none):
            pq.write_table(rows, folder / 'in' / (name + '.parquet'))
            pa.feather.write_feather(rows, folder / 'in' / (name + '.arrow'))
            pa.orc.write_table(rows, folder / 'in' / (name + '.orc'))
        (folder / 'test.jsonl').write_text(json.dumps({'id': 'q', 'text': self.rows[2]['text']}))
        kinds = {'.parquet': pq.read_table, '.arrow': pa.feather.read_table, '.orc': pa.orc.read_table}
        annotate = ('--action', 'annotate')
        for words, added in (('dedup', ), 0), (('dedup', *annotate), 7), (('leak', *annotate), 3):
            out = self.new()
            test = ('--test', folder / 'test.jsonl') if words[0] == 'leak' else ()
            run(*words, folder / 'in', *test, '--out', out / 'o', '--write', out / 'w', '--quiet')
            for suffix, read in kinds.items():
                with self.subTest((words, suffix)):
                    filled, empty = (read(out / 'w/in' / (name + suffix)) for name in 'ab')
                    self.assertEqual(empty.num_rows, 0)
                    self.assertEqual(len(empty.schema), 2 + added)
                    self.assertEqual(empty.schema, filled.schema)

    def test_columns_of_one_name_and_of_the_name_of_a_path_are_told_apart(self):
        folder = self.new()
        texts, ids, numbers = ([row[key] for row in self.rows if row['n'] != 7] for key in ('text', 'id', 'n'))
        wanted = list(zip(ids, texts))
        pq.write_table(pa.table([texts, texts[::-1], ids], names=['text', 'text', 'id']), folder / 'twice')
        self.assertEqual(self.said_of(folder / 'twice'), wanted)
        pq.write_table(pa.table([[{'b': n} for n in numbers], texts, ids], names=['a', 'a.b', 'id']), folder / 'path')
        self.assertEqual(self.said_of(folder / 'path', '--text-field', 'a.b'), wanted)

    @staticmethod
    def said_of(file, *flags):
        rows = map(json.loads, run('text', file, '--json', *flags).stdout.splitlines())
        return [(row['id'], row['text']) for row in rows]

    def test_members_without_a_type_are_written(self):
        folder = self.new()
        nested = pa.array([{'x': i, 'y': None, 'z': [{'none': None}]} for i in range(ROWS)])
        table = self.table.select(['id', 'text']).append_column('nested', nested)
        pq.write_table(table, folder / 'x.parquet', store_schema=False, use_compliant_nested_type=False)
        run('dedup', folder / 'x.parquet', '--out', folder / 'o', '--write', folder / 'w', '--keep', 'first', '--quiet')
        before, after = (pq.ParquetFile(folder / name / 'x.parquet') for name in ('.', 'w'))
        self.assertEqual(after.schema, before.schema)  # with the names that its writer has for items of lists
        rows = before.read().to_pylist()
        self.assertEqual(after.read().to_pylist(), [row for i, row in enumerate(rows) if i % 5 < 4])

    def test_a_dictionary_is_read_and_written_with_its_group(self):
        folder = self.new()
        words = ['%064d' % i for i in range(40000)]  # longer than a batch
        rows = ROWS * 40
        hosts = pa.DictionaryArray.from_arrays(pa.array([i * 7 % 40000 for i in range(rows)], pa.int32()), words)
        table = pa.table({'id': ['i%d' % i for i in range(rows)], 'host': hosts,
                          'text': [self.rows[i % ROWS]['text'] if i % ROWS == i else 'a text' for i in range(rows)]})
        pq.write_table(table, folder / 'x.parquet', dictionary_pagesize_limit=1 << 30, compression='none')
        run('dedup', folder / 'x.parquet', '--out', folder / 'o', '--write', folder / 'w', '--keep', 'first', '--quiet',
            '--method', 'exact')
        written = pq.ParquetFile(folder / 'w/x.parquet')
        self.assertEqual(written.num_row_groups, 1)
        read = written.read()
        self.assertEqual(read.schema, table.schema)
        self.assertEqual(read.to_pylist(), table[:ROWS + 1].to_pylist())
        self.assertLess((folder / 'w/x.parquet').stat().st_size, 500_000)  # no value of a row that went
        with pa.OSFile(str(folder / 'x.parquet')) as file:
            sizes = [batch.num_rows for batch in open_table(file, 'x').batches([0, 1])]
        self.assertLess(len(sizes), 5)
        self.assertEqual(sum(sizes), rows)

    def test_short_rows_behind_long_ones_are_read_in_large_batches(self):
        texts = ['long ' * 60000 if i < 70 else 'text %d' % i for i in range(20000)]
        pq.write_table(pa.table({'text': texts}), self.place / 'long', compression='zstd')
        with pa.OSFile(str(self.place / 'long')) as file:
            batches = list(open_table(file, 'long').batches([0]))
        self.assertEqual([text for batch in batches for text in batch.column(0).to_pylist()], texts)
        self.assertLess(len(batches), 50)

    def test_a_helper_that_dies_when_a_table_is_read_again_says_how_to_go_on(self):
        folder = self.new()
        pq.write_table(self.table, folder / 'x.parquet')
        (folder / 'test.jsonl').write_text(json.dumps({'id': 'q', 'text': self.rows[2]['text']}))
        dying = self.new() / 'dying.py'
        for words, operation, which in (('dedup', ), 'open', 2), (('leak', '--test', folder / 'test.jsonl'), 'rows', 5):
            with self.subTest(words[0]):
                dying.write_text('import os, signal, sys\n'
                                 'sys.path.insert(0, %r)\n'
                                 'from twinset_tables.conversation import Server, main\n'
                                 'done, left = Server.do_%s, [%d]\n'
                                 'def do(server, request):\n'
                                 '    left[0] -= 1\n'
                                 '    if left[0] == 0: os.kill(os.getpid(), signal.SIGKILL)\n'
                                 '    return done(server, request)\n'
                                 'Server.do_%s = do\n'
                                 'sys.exit(main())\n'
                                 % (str(pathlib.Path(PROGRAM).parent), operation, which, operation))
                helper = folder / 'helper'
                helper.write_text('#!/bin/sh\nexec %s %s\n' % (sys.executable, dying))
                helper.chmod(helper.stat().st_mode | stat.S_IXUSR)
                there = dict(os.environ, TWINSET_TABLES=str(helper))
                out = self.new()
                flags = (*words, folder / 'x.parquet', '--out', out / 'o', '--write', out / 'w', '--threads', '1')
                told = run(*flags, code=1, env=there).stderr
                self.assertRegex(told, 'x.parquet: twinset-tables: .*signal 9.*--resume goes on')
                run(*flags, '--resume', '--quiet')
                self.assertGreater(pq.read_table(out / 'w/x.parquet').num_rows, 0)

    def test_rows_whose_other_columns_are_damaged_are_left_out_of_what_is_written(self):
        folder = self.new()
        junk = pa.array([hashlib.sha256(b'%d' % i).digest() for i in range(ROWS)])
        table = self.table.append_column('junk', junk)
        for name, write in (('x.parquet', lambda file: pq.write_table(table, file, row_group_size=100, compression='zstd',
                                                                      use_dictionary=False)),
                            ('x.arrow', lambda file: pa.feather.write_feather(table, file, compression='zstd', chunksize=100))):
            with self.subTest(name):
                folder = self.new()
                write(folder / name)
                whole = bytearray((folder / name).read_bytes())
                if name == 'x.parquet':
                    place = pq.ParquetFile(folder / name).metadata.row_group(2).column(table.num_columns).data_page_offset + 100
                else:
                    place = whole.index(junk[200].as_py()) - 20  # where the compressed column begins
                whole[place:place + 20] = bytes(20)
                (folder / name).write_bytes(whole)
                told = run('dedup', folder / name, '--out', folder / 'o', '--write', folder / 'w', '--keep', 'first').stderr
                kept = {row['id'] for i, row in enumerate(self.rows) if i % 5 < 4 and not 200 <= i < 300}
                written = pq.read_table(folder / 'w' / name) if name == 'x.parquet' else pa.feather.read_table(folder / 'w' / name)
                self.assertEqual(written.column('id').to_pylist(), [row['id'] for row in self.rows if row['id'] in kept])
                summary = json.loads((folder / 'o/summary.json').read_text())
                self.assertEqual(summary['written']['records'], len(kept))
                if name == 'x.parquet':
                    self.assertEqual(summary['written']['left_out'], 80 + ROWS // 5)  # with those that are dropped
                    self.assertIn('x.parquet: 80 rows that stay are not written, since the table is damaged: row group 2, '
                                  'column junk: ', told)

    def test_a_type_that_cannot_be_written_is_told(self):
        import duckdb
        folder = self.new()
        duckdb.sql("copy (select 'one two three' as text, interval 3 day as pause) to '%s' (format parquet)" % (folder / 'x.parquet'))
        told = run('dedup', folder / 'x.parquet', '--out', folder / 'o', '--write', folder / 'w').stderr
        self.assertIn('x.parquet: column pause is written as FIXED_LEN_BYTE_ARRAY, no longer as Interval, which pyarrow cannot '
                      'write', told)

    def test_types_that_older_files_store_are_written(self):
        from pyarrow import feather
        folder = self.new()
        texts = [row['text'] for row in self.rows[:10]]
        old = pa.table({'text': texts, 'n': pa.array(range(10), pa.uint32()), 'moment': pa.array(range(1, 11), pa.timestamp('ns'))})
        import duckdb
        duckdb.sql("copy (select text, n, moment::timestamp_ns as moment from old) to '%s' (format parquet)" % (folder / 'a.parquet'))
        feather.write_feather(pa.table({'text': pa.array(texts, pa.string_view())}), folder / 'b.arrow', compression='lz4')
        run('dedup', folder / 'a.parquet', folder / 'b.arrow', '--out', folder / 'o', '--write', folder / 'w', '--keep', 'first', '--quiet')
        self.assertEqual(pq.read_schema(folder / 'w/a.parquet').types, pq.read_schema(folder / 'a.parquet').types)
        self.assertEqual(pq.read_table(folder / 'w/a.parquet').num_rows, 8)  # every fifth is nearly the one before
        self.assertEqual(feather.read_table(folder / 'w/b.arrow').schema.types, [pa.string_view()])

    def test_names_of_folders_are_columns(self):
        lake = self.new() / 'lake'
        pq.write_to_dataset(self.table.append_column('day', pa.array(['a/b', 'c', None] * (ROWS // 3))), lake, partition_cols=['day'])
        rows = [json.loads(line) for line in run('text', lake, '--json', '--text-field', 'text', '--date-field', 'day').stdout.splitlines()]
        told = {row['id']: row.get('date', '') for row in rows}
        self.assertEqual([told['doc-%d' % i] for i in range(6)], ['a/b', 'c', '', 'a/b', 'c', ''])
        self.assertIn('columns are: id, text, n, meta.url, meta.deep.x, day',
                      run('dedup', lake, '--text-field', 'body', '--out', self.new() / 'o', code=2).stderr)
