"""See ../run.py, which runs it."""
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import unittest.mock

import pyspark
import twinset.spark
from pyspark.sql import SparkSession
from pyspark.sql.classic.dataframe import DataFrame
from twinset.errors import UnsupportedError, UsageError

PROGRAM = os.environ['TWINSET_PROGRAM']
LONG = bool(os.environ.get('TWINSET_LONG'))
KEY = '00112233445566778899aabbccddeeff'
LIMIT = 40  # members of a bucket that is not hot
# What executors do, each of which is interrupted once.
STAGES = set('take classes join join_hot verify Cover numbers_of_repeated pair_lines cluster_lines'.split())
REGISTERED = re.compile(r'Registering worker')


class Cluster:
    """A master and two workers of one core, in groups of processes that end with it."""

    def __init__(self, folder):
        self.folder, self.started = folder, []
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
        self.url = 'spark://127.0.0.1:%d' % port
        try:
            self.start('master', 'master.Master', '--host', '127.0.0.1', '--port', port, '--webui-port', 0)
            for i in (1, 2):
                self.start('worker%d' % i, 'worker.Worker', '--host', '127.0.0.1', '--webui-port', 0, '-c', 1,
                           '-m', '1g', '-d', folder / ('work%d' % i), self.url)
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
        while len(REGISTERED.findall(log.read_text(errors='replace'))) < 2:
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
    """A centre; one like it, which joins it; another centre, more like that one; and a copy of that one, for which the
    second centre comes before it and is the nearer one."""
    member = ['w%d' % word for word in chance.sample(range(9000), 60)]
    return [' '.join(text) for text in (member[:-5] + ['a'] * 5, member, ['b'] * 2 + member[2:], member)]


def documents(number=1500):
    """Families of near-copies, copies, empty and absent texts, a hot bucket, a copy that has two centres, and ids that
    repeat, end in #2 or hold a line end."""
    chance = random.Random(4)
    families = [words(chance, 60) for _ in range(number // 12)]
    hub = words(chance, 90)
    between = two_centres(chance)
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
        name += '#2' if chance.random() < .05 else '\n' if chance.random() < .01 else ''
        yield {'key': name, 'body': text, 'at': 3 * i - 1000, 'more': i % 7}


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
        first = {row['ordinal']: row['cluster'] for row in rows if row['ordinal'] < 4}
        if len(set(first.values())) != 2 or first[1] == first[3]:
            raise AssertionError('the copy has not two centres to choose from: %s' % first)
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
        for name in ('pairs.jsonl', 'clusters.jsonl'):
            self.assertEqual((out / name).read_bytes(), (self.folder / 'local' / name).read_bytes(), name)

    def test_same_bytes(self):
        out = self.folder / 'seven'
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
        found.unpersist()

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
                (UsageError, 'is there already', {'out': self.folder})):
            with self.subTest(word=word):
                with self.assertRaises(error) as raised:
                    self.dedup(data, **more)
                self.assertIn(word, str(raised.exception))
        with self.assertRaises(TypeError):
            self.dedup(data, thresold=.9)

    @unittest.skipUnless(LONG, 'long')
    def test_without_order(self):
        rows = self.rows[:200]
        data = self.spark.createDataFrame(rows, 'key string, body string, at int, more int').coalesce(1)
        found = self.dedup(data, order=None, id=None)
        self.assertFalse(found.summary['reproducible'])
        self.assertTrue(all(row['a'] < row['b'] for row in found.pairs.collect()))
        found.unpersist()

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
