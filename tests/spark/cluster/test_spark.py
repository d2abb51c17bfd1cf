"""See ../run.py, which runs it."""
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import unittest.mock

import pyarrow
import pyspark
import twinset.spark
from pyspark.sql import SparkSession
from pyspark.sql.classic.dataframe import DataFrame
from twinset.errors import InputOutputError, TwinsetError, UnsupportedError, UsageError

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
PROGRAM = os.environ['TWINSET_PROGRAM']
LONG = bool(os.environ.get('TWINSET_LONG'))
KEY = '00112233445566778899aabbccddeeff'
LISTS = 'keep.txt', 'drop.txt', 'empty.txt'
LIMIT = 40  # members of a bucket that is not hot
# What executors do, each of which is interrupted once.
STAGES = set('take classes join join_hot verify Cover numbers_of_repeated pair_lines cluster_lines list_lines'.split())
REGISTERED = re.compile(r'Registering worker')


class Cluster:
    """A master and workers of one core, in groups of processes that end with it."""

    def __init__(self, folder, workers=2, memory='1g'):
        self.folder, self.started, self.workers = folder, [], workers
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
        self.url = 'spark://127.0.0.1:%d' % port
        try:
            self.start('master', 'master.Master', '--host', '127.0.0.1', '--port', port, '--webui-port', 0)
            for i in range(1, workers + 1):
                self.start('worker%d' % i, 'worker.Worker', '--host', '127.0.0.1', '--webui-port', 0, '-c', 1,
                           '-m', memory, '-d', folder / ('work%d' % i), self.url)
            self.wait_for_workers()
        except BaseException:
            self.stop()
            raise

    def start(self, name, kind, *words):
        with open(self.folder / (name + '.log'), 'wb') as log:
            self.started.append(subprocess.Popen(
                [pathlib.Path(pyspark.__file__).parent / 'bin/spark-class', 'org.apache.spark.deploy.' + kind,
                 *map(str, words)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env=dict(os.environ, SPARK_DAEMON_MEMORY='256m')))

    def wait_for_workers(self):
        end = time.monotonic() + 60
        log = self.folder / 'master.log'
        while len(REGISTERED.findall(log.read_text(errors='replace'))) < self.workers:
            if time.monotonic() > end or any(one.poll() is not None for one in self.started):
                raise RuntimeError('the cluster does not start:\n' + log.read_text(errors='replace'))
            time.sleep(.2)

    def stop(self):
        for one in self.started:
            try:
                os.killpg(one.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            one.wait()

    def session(self, **more):
        made = SparkSession.builder.master(self.url).appName('twinset')
        settings = {
            'spark.driver.memory': '512m', 'spark.executor.memory': '512m', 'spark.ui.enabled': 'false',
            'spark.sql.shuffle.partitions': '2', 'spark.executorEnv.PYTHONPATH': os.environ['PYTHONPATH'],
            'spark.driver.host': '127.0.0.1',
            'spark.ui.showConsoleProgress': 'false', 'spark.local.dir': str(self.folder / 'local'), **more,
        }
        for name, value in settings.items():
            made = made.config(name, value)
        session = made.getOrCreate()
        session.sparkContext.setLogLevel('ERROR')
        return session


def words(chance, number):
    return ' '.join('w%d' % chance.randrange(9000) for _ in range(number))


def two_centres(chance):
    """A centre A; m, which joins it; another centre B, which is like m too; and a copy of m, for which B is the nearer
    one, or comes too late, or is as near. Last, m and n come behind both, and are nearer to B."""
    for changed, order in ((2, 'AmBm'), (2, 'AmmB'), (5, 'AmBm'), (2, 'ABmn')):
        member = ['w%d' % word for word in chance.sample(range(9000), 60)]
        text = {'A': member[:-5] + ['a'] * 5, 'm': member, 'B': ['b'] * changed + member[changed:],
                'n': ['n'] + member[1:]}
        yield from (' '.join(text[one]) for one in order)


def documents(number=1500):
    """Families of near-copies, copies, empty and absent texts, a hot bucket, a copy that has two centres, and ids that
    repeat, end in #2 or hold a line end."""
    chance = random.Random(4)
    families = [words(chance, 60) for _ in range(number // 12)]
    hub = words(chance, 90)
    between = list(two_centres(chance))
    for i in range(number):
        kind = chance.random()
        if i < len(between):
            text = between[i]
        elif kind < .1:
            text = hub + ' ' + words(chance, chance.randrange(6))
        elif kind < .5:
            text = chance.choice(families) + ' ' + words(chance, chance.randrange(4))
        elif kind < .6:
            text = families[0]
        elif kind < .65:
            text = chance.choice(('', '?! ...', None))
        else:
            text = words(chance, chance.randrange(1, 50))
        name = 'd%d' % (chance.randrange(number // 2) if chance.random() < .2 else i)
        name += '#2' if chance.random() < .05 else '\n' if chance.random() < .01 or text is None and i % 5 == 0 else ''
        yield {'key': name, 'body': text, 'at': 3 * i - 1000, 'more': i % 7}


def items_of(rows):
    """Items of the training data: parts of them, whole ones, short ones, equal ones, what stands nowhere, and words that
    are whole documents and stand in others."""
    chance = random.Random(8)
    texts = [row['body'] for row in rows if row['body'] and len(row['body'].split()) > 3]
    for i in range(60):
        found = chance.choice(texts).split()
        begin = chance.randrange(len(found))
        text = (' '.join(found[begin:begin + 30]) + ' ' + words(chance, chance.randrange(4)) if i % 3 else
                chance.choice((' '.join(found), words(chance, 12), found[0], ' '.join(found[:2]), '?')))
        yield {'name': 'i%d' % (i % 50) + ('\n' if i == 7 else ''), 'question': text,
               'part': ('dev', 'test', None)[i % 3]}
    for i, word in enumerate(sorted({row['body'] for row in rows if row['body'] and row['body'].isalnum()})[:5]):
        yield {'name': 'word%d' % i, 'question': word, 'part': 'words'}


def killing(task, mark):
    """A task that SIGKILLs its executor at its first batch, which happens once: `mark` is then a file."""
    # It goes to executors, which have no test: whatever it needs stands inside.
    def work(batches):
        import os
        import signal

        for batch in task(batches):
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield batch
                continue
            process = os.getpid()
            while b'CoarseGrainedExecutorBackend' not in open('/proc/%d/cmdline' % process, 'rb').read():
                process = int(open('/proc/%d/stat' % process).read().rpartition(')')[2].split()[1])
            os.kill(process, signal.SIGKILL)
            signal.pause()

    return work


def name_of(task):
    """What a stage is called: the function that does it."""
    return getattr(task, '__name__', type(task).__name__)


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix='twinset-spark-')
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.rows = list(documents())
        (cls.folder / 'key').write_text(KEY)
        (cls.folder / 'key').chmod(0o600)
        (cls.folder / 'data.jsonl').write_text(''.join(
            json.dumps({'id': row['key'], 'text': row['body']}) + '\n' for row in cls.rows))
        subprocess.run([PROGRAM, 'dedup', 'data.jsonl', '--method', 'minhash', '--keep', 'first', '--key', 'key',
                        '--bucket-limit', str(LIMIT), '--out', 'local', '--quiet'], cwd=cls.folder, check=True)
        cls.local = json.loads((cls.folder / 'local/summary.json').read_text())
        rows = map(json.loads, (cls.folder / 'local/clusters.jsonl').read_text().splitlines())
        rows = {row['ordinal']: row['cluster'] for row in rows}
        joins = [(3, 2, 0), (6, 4, 7), (11, 8, 10), (14, 13, 12), (15, 13, 12)]  # a document, its centre and another one
        if not all(rows[copy] == rows[centre] != rows.get(other) for copy, centre, other in joins):
            raise AssertionError('documents have not two centres to choose from: %s' % rows)
        cls.cluster = Cluster(cls.folder)
        cls.addClassCleanup(cls.cluster.stop)
        cls.spark = cls.cluster.session()
        cls.addClassCleanup(cls.stop_session)

    def setUp(self):
        begin = time.monotonic()
        self.addCleanup(lambda: print('took %.1f s %s' % (time.monotonic() - begin, self.id().rpartition('.')[2])))

    @classmethod
    def stop_session(cls):
        SparkSession.getActiveSession().stop()

    @classmethod
    def tearDownClass(cls):
        cls.addClassCleanup(cls.temporary.cleanup)

    def frame(self, partitions, rows=None):
        shuffled = list(self.rows if rows is None else rows)
        random.Random(partitions).shuffle(shuffled)
        data = self.spark.createDataFrame(shuffled, 'key string, body string, at int, more int')
        return data.repartition(partitions)

    def dedup(self, data, **more):
        options = {'text': 'body', 'id': 'key', 'order': 'at', 'key': self.folder / 'key', 'bucket_limit': LIMIT}
        return twinset.spark.dedup(self.spark, data, **{**options, **more})

    def check_files(self, out):
        for name in ('pairs.jsonl', 'clusters.jsonl', *LISTS):
            self.assertEqual((out / name).read_bytes(), (self.folder / 'local' / name).read_bytes(), name)

    def test_same_bytes(self):
        out = self.folder / 'seven'
        with unittest.mock.patch.object(twinset._spark_run, '_FAMILY_PAIRS', 100):  # some families are too large
            found = self.dedup(self.frame(7), out=out)
        self.check_files(out)
        self.assertGreater(self.local['hot_buckets']['count'], 0)
        self.assertEqual(found.summary['hot_buckets'], self.local['hot_buckets'])
        for name in ('kept', 'dropped', 'empty'):
            self.assertEqual(found.summary['documents'][name], self.local['documents'][name], name)
        self.assertEqual(sum(found.summary['rejected'].values()), sum(row['body'] is None for row in self.rows))
        self.assertTrue(found.summary['reproducible'])
        self.assertEqual(json.loads((out / 'summary.json').read_text()), found.summary)
        self.assertNotIn(KEY, str(self.spark.sparkContext.getConf().getAll()) + (out / 'summary.json').read_text())
        self.check_frames(found)
        self.check_quarantine(found, out)
        found.unpersist()

    def check_quarantine(self, found, out):
        """Rows have the places and ids of the records that the command cannot use, and no offsets."""
        rows, local = ([json.loads(row) for row in (folder / 'quarantine.jsonl').read_text().splitlines()]
                       for folder in (out, self.folder / 'local'))
        self.assertGreater(len(rows), 10)
        self.assertTrue(any('original_id' in row for row in local))
        for row in local:
            del row['offset']
            row.update(stage='text', reason='no-text-field', detail='the document has no text')
        self.assertEqual(rows, local)
        self.assertEqual(sorted(row['ordinal'] for row in found.quarantined.collect()), [row['ordinal'] for row in rows])

    def check_frames(self, found):
        """DataFrames have the rows of the caller, who names them as before."""
        by_place = {row['at']: row for row in self.rows}
        kept, dropped = found.kept.collect(), found.dropped.collect()
        self.assertEqual(len(kept), self.local['documents']['kept'])
        self.assertEqual(len(dropped), self.local['documents']['dropped'])
        self.assertEqual(sum(row['copies'] for row in kept), len(kept) + len(dropped))
        names = {row['key'] for row in kept}
        for row in kept + dropped:
            self.assertEqual({name: row[name] for name in by_place[row['at']]}, by_place[row['at']])
        for row in dropped:
            self.assertIn(row['kept_id'], names)
            self.assertTrue(.8 <= row['similarity'] <= 1 and .8 <= row['contained'] <= 1)
        self.assertEqual(len({row['at'] for row in kept + dropped}), len(kept) + len(dropped))
        lines = (self.folder / 'local/clusters.jsonl').read_text().splitlines()
        self.assertEqual(found.clusters.count(), len(lines))
        self.assertEqual(found.clusters.columns, ['cluster', 'id', 'similarity', 'contained'])
        self.assertEqual(found.pairs.columns, ['a', 'b', 'similarity'])

    def test_refusals(self):
        data = self.frame(1)
        for error, word, more in (
                (UnsupportedError, 'method complete chooses', {'method': 'complete', 'bucket_limit': None}),
                (UnsupportedError, '--within more', {'within': 'more'}),
                (UnsupportedError, '--keep longest', {'keep': 'longest'}),
                (UsageError, 'the columns are key, body, at, more', {'text': 'txt'}),
                (UsageError, 'has no strings', {'text': 'at'}),
                (UsageError, 'do not tell rows apart', {'order': 'more'}),
                (UsageError, 'is there already', {'out': self.folder}),
                (UnsupportedError, '--status 404 does not go with Spark where', {'status': 404})):
            with self.subTest(word=word):
                with self.assertRaises(error) as raised:
                    self.dedup(data, **more)
                self.assertIn(word, str(raised.exception))
        with self.assertRaises(TypeError):
            self.dedup(data, thresold=.9)
        for error, word, work in (
                (UnsupportedError, '--write DIR does not go', lambda: self.leak(data, self.items(), write='DIR')),
                (UnsupportedError, '--test-format tsv does not go', lambda: self.leak(data, self.items(),
                                                                                      test_format='tsv')),
                (UsageError, 'words only, not char:5', lambda: self.leak(data, self.items(), shingle='char:5')),
                (UsageError, 'the columns are name, question, part', lambda: self.leak(data, self.items(), split='no')),
                (TwinsetError, 'has no item with a word', lambda: self.leak(data, self.items().filter('false'))),
                (UnsupportedError, 'the limit is 9', self.leak_beyond_its_limit),
                (UnsupportedError, '--max-loss .1', lambda: twinset.spark.match(self.spark, data, data, 'body',
                                                                                max_loss='.1')),
                (UnsupportedError, 'gives its bytes only once', lambda: twinset.spark.dedup(self.spark, '-')),
                (UsageError, 'in their own order', lambda: twinset.spark.dedup(self.spark, 'x', order='at'))):
            with self.subTest(word=word):
                with self.assertRaises(error) as raised:
                    work()
                self.assertIn(word, str(raised.exception))

    def items(self):
        return self.spark.createDataFrame(list(items_of(self.rows)), 'name string, question string, part string').coalesce(1)

    def leak(self, train, test, **more):
        options = {'text': 'body', 'id': 'key', 'order': 'at', 'test_text': 'question', 'test_id': 'name', 'split': 'part'}
        return twinset.spark.leak(self.spark, train, test, **{**options, **more})

    def leak_beyond_its_limit(self):
        with unittest.mock.patch.object(twinset._spark_leak, 'MOST_ITEM_BYTES', 9):
            self.leak(self.frame(1), self.items())

    LEAK_FILES = 'leaks.jsonl', 'documents.jsonl', 'contaminated.txt', 'splits.csv', 'clean.txt'

    def local_leak(self):
        """What the command says of the same rows, of which there are some that twinset calls train.jsonl."""
        out = self.folder / 'local-leak'
        if not out.exists():
            (self.folder / 'train.jsonl').write_bytes((self.folder / 'data.jsonl').read_bytes())
            (self.folder / 'test.jsonl').write_text(''.join(
                json.dumps({name: value for name, value in row.items() if value is not None}) + '\n'
                for row in items_of(self.rows)))
            subprocess.run([PROGRAM, 'leak', 'train.jsonl', '--test', 'test.jsonl', '--test-text-field', 'question',
                            '--test-id-field', 'name', '--split-field', 'part', '--out', out, '--quiet'],
                           cwd=self.folder, check=True)
        return json.loads((out / 'summary.json').read_text())

    @unittest.skipUnless(LONG, 'long')
    def test_leak(self):
        local, out = self.local_leak(), self.folder / 'out-leak'
        found = self.leak(self.frame(3), self.items(), out=out)
        self.check_same(out, 'local-leak', *self.LEAK_FILES)
        for name in ('items', 'leaked', 'share', 'splits', 'training_documents', 'leaking_documents', 'rows_left_out',
                     'parameters'):
            self.assertEqual(found.summary[name], local[name], name)
        for kind in ('whole', 'embedded', 'short_embedded'):
            self.assertGreater(sum(split[kind] for split in local['splits']), 4, kind)
        self.assertEqual(local['splits'][3]['whole'], 5)
        self.assertTrue(found.summary['reproducible'])
        self.assertEqual(json.loads((out / 'summary.json').read_text()), found.summary)
        lines = (out / 'documents.jsonl').read_text().splitlines()
        gone = found.dropped.collect()
        self.assertEqual(len(gone), local['leaking_documents'])
        self.assertEqual(sum(row['items'] for row in gone), sum('short-embedded' not in line for line in lines))
        found.unpersist()

    @unittest.skipUnless(LONG, 'long')
    def test_leak_of_many(self):
        """Partitions, files, and an executor that is killed."""
        local = self.local_leak()
        for partitions in (1, 7, 64):
            out = self.folder / ('out-leak%d' % partitions)
            found = self.leak(self.frame(partitions), self.items(), out=out)
            self.check_same(out, 'local-leak', *self.LEAK_FILES)
        leaks = map(json.loads, (out / 'leaks.jsonl').read_text().splitlines())
        self.assertEqual({row['item']: (row['similarity'], row['documents'], row['document_text'])
                          for row in found.leaks.collect()},
                         {row['item']: (row['similarity'], row['documents'], row['document_text']) for row in leaks})
        self.assertEqual(found.kept.columns, ['key', 'body', 'at', 'more'])
        self.assertEqual(found.kept.count(), local['training_documents'] - local['leaking_documents'])
        self.assertEqual(found.documents.count(), len((out / 'documents.jsonl').read_text().splitlines()))
        out = self.folder / 'out-leak-files'
        twinset.spark.leak(self.spark, str(self.folder / 'train.jsonl'), self.folder / 'test.jsonl', out=out,
                           test_text='question', test_id='name', split='part').unpersist()
        self.check_same(out, 'local-leak', *self.LEAK_FILES)
        plain, mark, out = DataFrame.mapInArrow, self.folder / 'killed-leak', self.folder / 'out-leak-killed'

        def kill(frame, task, *more, **named):
            return plain(frame, killing(task, str(mark)) if name_of(task) == 'look' else task, *more, **named)

        with unittest.mock.patch.object(DataFrame, 'mapInArrow', kill):
            self.leak(self.frame(7), self.items(), out=out).unpersist()
        self.assertTrue(mark.exists())
        self.check_same(out, 'local-leak', *self.LEAK_FILES)

    @unittest.skipUnless(LONG, 'long')
    def test_leak_of_files(self):
        (self.folder / 'many').mkdir()
        common = [('yes no', 'w1'), ('one two three four five six', 'seven')]
        (self.folder / 'many/a.jsonl').write_text(''.join(
            json.dumps({'id': 'd%d' % (i % 1500), 'text': text + ' ' + more * (i % 3)}) + '\n'
            for i in range(1600) for text, more in common))
        shutil.copy(ROOT / 'examples/data/boost-docs.warc.gz', self.folder / 'many/boost.warc.gz')
        (self.folder / 'eval.jsonl').write_text(''.join(
            json.dumps({'id': text, 'text': text}) + '\n' for text in ('yes no', 'one two three four five six', 'no')))
        subprocess.run([PROGRAM, 'leak', 'many', '--test', 'eval.jsonl', '--out', 'local-many', '--quiet'],
                       cwd=self.folder, check=True)
        local = json.loads((self.folder / 'local-many/summary.json').read_text())
        self.assertGreater(local['rows_left_out'], 0)
        out = self.folder / 'out-many'
        found = twinset.spark.leak(self.spark, self.folder / 'many', str(self.folder / 'eval.jsonl'), out=out)
        self.check_same(out, 'local-many', *self.LEAK_FILES)
        self.assertEqual(found.summary['rows_left_out'], local['rows_left_out'])
        self.assertEqual(found.kept.columns, ['id', 'source', 'ordinal', 'url', 'date'])
        found.unpersist()

    def test_order_of_partitions(self):
        """Rows are sorted only where partitions overlap, or where Python may have another order than Spark."""
        facts = twinset._spark_tasks.PartFacts(33)
        run = twinset._spark_run.Run([None], None, None)
        for values, kind, order in (
                ([4, 5, 6, 1, 2, 3], 'bigint', [1, 0]), ([1, 2, 3, 4, 5, 6], 'bigint', [0, 1]),
                ([1, 2, 4, 3, 5, 6], 'bigint', None), ([1, 2, 2, 3, 4, 5], 'bigint', None), ([1, 2, 3, 3, 4, 5], 'bigint', None),
                ([1, 3, 2, 4, 5, 6], 'bigint', None), ([None, 2, 3, 4, 5, 6], 'bigint', None),
                (['é', 'z', 'zz', 'a', 'b', 'c'], 'string', None), (['z', 'é', 'ê', 'a', 'b', 'c'], 'string', [1, 0]),
                ([1., 2., 3., 4., 5., 6.], 'double', None)):
            run._staged = unittest.mock.MagicMock()
            run._staged.schema.__getitem__.return_value.dataType.simpleString.return_value = kind
            parts = []
            for part in range(2):
                at = [(part << 33) + row for row in range(3)]
                rows = pyarrow.RecordBatch.from_pydict({'at': at, 'key': values[3 * part:3 * part + 3]})
                # The last row comes in another batch.
                parts += [one for batch in facts([rows[:2], rows[:0], rows[2:]]) for one in batch.to_pylist()]
            self.assertEqual([part['rows'] for part in parts], [3, 3])
            parts = run._following(parts)
            self.assertEqual(parts and [part['number'] for part in parts], order, values)
        self.assertEqual(list(facts([])), [])

    @unittest.skipUnless(LONG, 'long')
    def test_groups(self):
        """A family of candidates is one group; one whose features may not fit is a group for each better document."""
        groups = {0: [(a, b) for a in range(23) for b in range(a + 1, 23)],
                  100: [(a, b) for a in range(100, 192) for b in range(a + 1, 192)],
                  200: [(200, 201), (201, 202)], 300: [(300, 301)]}
        sizes = {200: 1 << 21, 201: 1 << 20, 202: (1 << 20) + 1, 300: 1 << 21, 301: 1 << 21}
        run = twinset._spark_run.Run([], None, None)
        documents = [(rank, 5 * rank, sizes.get(rank, 1)) for rank in range(302)]
        run._documents = self.spark.createDataFrame(documents, 'rank bigint, _twinset_key bigint, size bigint')
        pairs = self.spark.createDataFrame(sum(groups.values(), []), 'a bigint, b bigint')
        pairs = run._by_family(pairs)
        found = {(row['a'], row['b']): row['group'] for row in pairs.collect()}
        self.assertEqual(found, {pair: group for group, family in groups.items() for pair in family})
        wanted = run._wanted(twinset._spark_run._ends(pairs))
        self.assertEqual({row['group'] for row in run._heavy(pairs, wanted).collect()}, {100, 200})

    @unittest.skipUnless(LONG, 'long')
    def test_without_order(self):
        rows = self.rows[:200]
        data = self.spark.createDataFrame(rows, 'key string, body string, at int, more int').coalesce(1)
        found = self.dedup(data, order=None, id=None)
        self.assertFalse(found.summary['reproducible'])
        self.assertTrue(all(row['a'] < row['b'] for row in found.pairs.collect()))
        found.unpersist()

    @unittest.skipUnless(LONG, 'long')
    def test_rows_that_are_in_order(self):
        """Partitions that follow each other, and lists that are too long to go to every executor."""
        out = self.folder / 'in-order'
        rows = [tuple(row.values()) for row in self.rows]
        data = self.spark.sparkContext.parallelize(rows[800:] + rows[:800], 9)
        data = self.spark.createDataFrame(data, 'key string, body string, at int, more int')
        with unittest.mock.patch.object(twinset._spark_run, 'FEW', 0):
            self.dedup(data, out=out).unpersist()
        self.check_files(out)

    @unittest.skipUnless(LONG, 'long')
    def test_partitions(self):
        for partitions in (1, 7, 64):
            for adaptive in ('true', 'false'):
                with self.subTest(partitions=partitions, adaptive=adaptive):
                    self.spark.conf.set('spark.sql.adaptive.enabled', adaptive)
                    self.spark.conf.set('spark.sql.shuffle.partitions', partitions)
                    out = self.folder / ('out-%d-%s' % (partitions, adaptive))
                    self.dedup(self.frame(partitions), out=out).unpersist()
                    self.check_files(out)

    @unittest.skipUnless(LONG, 'long')
    def test_killed_executors(self):
        """In each stage of one run an executor is killed in the midst of its work."""
        plain, marks, out = DataFrame.mapInArrow, self.folder / 'killed', self.folder / 'out-killed'
        marks.mkdir()

        def kill(frame, task, *more, **named):
            name = name_of(task)
            return plain(frame, killing(task, str(marks / name)) if name in STAGES else task, *more, **named)

        with unittest.mock.patch.object(DataFrame, 'mapInArrow', kill):
            self.dedup(self.frame(7), out=out).unpersist()
        self.assertEqual({mark.name for mark in marks.iterdir()}, STAGES)
        self.check_files(out)

    def command(self, *words):
        """Runs the command as the stages do, over bytes or rows of this test."""
        subprocess.run([PROGRAM, *words, '--method', 'minhash', '--keep', 'first', '--template', 'keep', '--key', 'key',
                        '--bucket-limit', str(LIMIT), '--quiet'], cwd=self.folder, check=True)

    def check_same(self, out, local, *names):
        for name in names:
            self.assertEqual((out / name).read_bytes(), (self.folder / local / name).read_bytes(), name)

    def files(self):
        """Files of several formats, some of them damaged: their paths, in no order of names."""
        place = self.folder / 'files'
        if not place.exists():
            (place / 'site/sub').mkdir(parents=True)
            lines = (self.folder / 'data.jsonl').read_text().splitlines(keepends=True)
            (place / 'z.jsonl').write_text(''.join(lines[:700]))
            (place / 'a.jsonl.gz').write_bytes(gzip.compress(''.join(lines[700:]).encode()))
            (place / 'cut.jsonl.gz').write_bytes(gzip.compress(''.join(lines[:300]).encode())[:-900])
            (place / 'bad.jsonl').write_bytes(b'{"text": "no id"}\n{"id": "bad", \xff\n\n[1]\n' + lines[5].encode())
            (place / 'empty.warc').write_bytes(b'')
            shutil.copy(ROOT / 'examples/data/boost-docs.warc.gz', place / 'boost.warc.gz')
            for i, row in enumerate(self.rows[:60]):
                page = '<html><title>%d</title><p>%s</p></html>' % (i, row['body'])
                (place / 'site' / ('sub' if i % 3 else '') / ('page%d.html' % i)).write_text(page)
        return [place / name for name in ('z.jsonl', 'site', 'cut.jsonl.gz', 'boost.warc.gz', 'bad.jsonl', 'empty.warc',
                                          'a.jsonl.gz')]

    @unittest.skipUnless(LONG, 'long')
    def test_files(self):
        self.command('dedup', *self.files(), '--out', 'local-files')
        out = self.folder / 'out-files'
        found = twinset.spark.dedup(self.spark, self.files(), out=out, key=self.folder / 'key', bucket_limit=LIMIT)
        self.check_same(out, 'local-files', 'pairs.jsonl', 'clusters.jsonl', 'quarantine.jsonl', *LISTS)
        local = json.loads((self.folder / 'local-files/summary.json').read_text())
        self.assertTrue(found.summary['reproducible'])
        for name in ('kept', 'dropped', 'empty'):
            self.assertEqual(found.summary['documents'][name], local['documents'][name], name)
        kept = found.kept
        self.assertEqual(kept.columns, ['id', 'source', 'ordinal', 'url', 'date', 'copies'])
        self.assertEqual(kept.count(), local['documents']['kept'])
        self.assertEqual(found.dropped.count(), local['documents']['dropped'])
        found.unpersist()

    @unittest.skipUnless(LONG, 'long')
    def test_file_that_changes(self):
        (self.folder / 'changes.jsonl').write_text('{"id": "a", "text": "one two three four five six"}\n')
        staged = twinset._native.staged_files
        with unittest.mock.patch.object(twinset._native, 'staged_files',
                                        lambda paths: [(*one[:3], one[3] + 1, one[4]) for one in staged(paths)]):
            with self.assertRaises(InputOutputError) as raised:
                twinset.spark.dedup(self.spark, self.folder / 'changes.jsonl')
        self.assertRegex(str(raised.exception), '^[^\n]*changes.jsonl: it is not the file that the driver has listed')

    def match_sides(self):
        """Rows of two sides, with equal documents, ids on both sides, and a hot bucket across them."""
        return self.rows[:500], self.rows[500:]

    @unittest.skipUnless(LONG, 'long')
    def test_match(self):
        names = 'queries', 'data'
        place = self.folder / 'sides'
        place.mkdir()
        for name, rows in zip(names, self.match_sides()):
            (place / (name + '.jsonl')).write_text(''.join(
                json.dumps({'id': row['key'], 'text': row['body']}) + '\n' for row in rows))
        self.command('match', 'sides/queries.jsonl', '--against', 'sides/data.jsonl', '--out', 'local-match')
        local = json.loads((self.folder / 'local-match/summary.json').read_text())
        self.assertGreater(local['hot_buckets']['count'], 0)
        options = {'key': self.folder / 'key', 'bucket_limit': LIMIT}
        for partitions in (1, 7):
            frames = [self.frame(partitions, rows) for rows in self.match_sides()]
            out = self.folder / ('out-match%d' % partitions)
            found = twinset.spark.match(self.spark, *frames, text='body', id='key', order='at', out=out, **options)
            self.check_same(out, 'local-match', 'pairs.jsonl', 'best.jsonl', *LISTS)
            self.assertEqual(found.summary['documents']['matched'], local['documents']['matched'])
            self.assertEqual(found.dropped.columns, ['key', 'body', 'at', 'more', 'match_id', 'similarity', 'contained'])
            self.assertEqual(found.dropped.count(), local['documents']['dropped'])
            self.assertEqual(found.kept.count(), local['documents']['a'] - local['documents']['dropped'])
            found.unpersist()
        out = self.folder / 'out-match-files'
        twinset.spark.match(self.spark, str(place / 'queries.jsonl'), [place / 'data.jsonl'], out=out,
                            **options).unpersist()
        self.check_same(out, 'local-match', 'pairs.jsonl', 'best.jsonl', 'quarantine.jsonl', *LISTS)

    def submit(self, *words):
        """The exit status of the program by spark-submit, which mixes its output, and the lines of errors."""
        settings = ['--conf', 'spark.executorEnv.PYTHONPATH=' + os.environ['PYTHONPATH'],
                    '--conf', 'spark.driver.host=127.0.0.1', '--conf', 'spark.ui.enabled=false',
                    '--conf', 'spark.sql.shuffle.partitions=2', '--conf', 'spark.executor.memory=512m']
        ran = subprocess.run([pathlib.Path(pyspark.__file__).parent / 'bin/spark-submit', '--master', self.cluster.url,
                              *settings, twinset.spark.__file__, *map(str, words)], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        told = [line for line in ran.stdout.splitlines() if line.startswith('twinset.spark: ')]
        return ran.returncode, told

    @unittest.skipUnless(LONG, 'long')
    def test_program(self):
        self.frame(3).write.parquet(str(self.folder / 'table.parquet'))
        self.spark.stop()  # it holds the cores
        try:
            out, kept = self.folder / 'out-program', self.folder / 'kept.parquet'
            columns = '--text', 'body', '--id', 'key', '--order', 'at'
            self.assertEqual(self.submit(self.folder / 'table.parquet', *columns, '--out', out, '--kept', kept, '--key',
                                         self.folder / 'key', '--bucket-limit=%d' % LIMIT), (0, []))
            self.check_files(out)
            self.local_leak()
            leaks = self.folder / 'out-program-leak'
            self.assertEqual(self.submit(self.folder / 'train.jsonl', '--test', self.folder / 'test.jsonl', '--test-text',
                                         'question', '--test-id', 'name', '--split', 'part', '--out', leaks), (0, []))
            self.check_same(leaks, 'local-leak', *self.LEAK_FILES)
            for status, word, words in (
                    (2, 'there are no items', ('x', '--out', 'y', '--split', 'z')),
                    (2, 'is there already', (self.folder / 'table.parquet', '--out', out)),
                    (2, 'there is no flag --thresold', ('x', '--out', 'y', '--thresold', '.9')),
                    (1, 'cannot open', (self.folder / 'nowhere', '--out', self.folder / 'y')),
                    (1, 'method complete chooses', (kept, '--out', self.folder / 'y', '--method', 'complete'))):
                with self.subTest(word=word):
                    code, told = self.submit(*words)
                    self.assertEqual((code, len(told)), (status, 1), told)
                    self.assertIn(word, told[0])
        finally:
            type(self).spark = self.cluster.session()
        self.assertEqual(self.spark.read.parquet(str(kept)).count(), self.local['documents']['kept'])

    @unittest.skipUnless(LONG, 'long')
    def test_executors_without_the_wheel(self):
        self.spark.stop()
        try:
            bare = os.environ['PYTHONPATH'].split(os.pathsep)[1]
            type(self).spark = self.cluster.session(**{'spark.executorEnv.PYTHONPATH': bare})
            with self.assertRaises(UsageError) as raised:
                self.dedup(self.frame(2))
            self.assertRegex(str(raised.exception), r'^the executor on \S+ has another twinset \(none: No module')
            self.assertEqual(len(str(raised.exception).splitlines()), 1)
        finally:
            self.spark.stop()
            type(self).spark = self.cluster.session()


if __name__ == '__main__':
    unittest.main()
