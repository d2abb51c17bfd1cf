#!/usr/bin/env python3
"""twinset.spark on a cluster of this machine:
  bench/bench_spark.py BUILD_DIR [-n DOCUMENTS] [--scale SCALE] [--files FILES] [--without-mllib]

Rows of tools/make_synthetic, in a table of Parquet, are deduplicated by one worker of one core and by two. Counted
are seconds, the bytes that Spark's shuffles write, for each byte of text, and the share of documents that are compared
with another one: those in candidate pairs, and copies. Then MinHashLSH of Spark MLlib (NGram, HashingTF, three tables,
as in bench/dedup_peers) looks for pairs in the same table with two workers.

Checked: the files are those of the command, byte for byte. Precision and recall are against the pairs of the method
complete. Each cluster begins with a run over a few rows, which is not counted.
"""
import argparse
import functools
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
THRESHOLD, TABLES, FEATURES = .8, 3, 1 << 24
FLAGS = '--threshold', str(THRESHOLD), '--quiet'


def go_to_environment(build):
    """Begins this program again where pyspark and the package of the build are."""
    suite = runpy.run_path(str(ROOT / 'tests/spark/run.py'))
    with suite['PYTHON_SUITE']['package_of'](build) as (python, package):
        pyspark = suite['packages_of'](build / 'spark-packages', python, ROOT / 'tests/spark/requirements.txt')
    os.execve(python, [str(python), *sys.argv], dict(
        os.environ, PYTHONPATH=os.pathsep.join(map(str, (package, pyspark))), TWINSET_PROGRAM=str(build / 'twinset'),
        PYSPARK_PYTHON=str(python), SPARK_LOCAL_IP='127.0.0.1', TWINSET_BENCH_SPARK='1'))


def command(folder, *words):
    subprocess.run([os.environ['TWINSET_PROGRAM'], *map(str, words), *FLAGS], cwd=folder, check=True)


def shuffle_bytes(spark):
    """Bytes that the shuffles of a session have written so far."""
    context = spark.sparkContext
    address = '%s/api/v1/applications/%s/stages' % (context.uiWebUrl, context.applicationId)
    with urllib.request.urlopen(address) as stages:
        return sum(stage['shuffleWriteBytes'] for stage in json.load(stages))


def run_twinset(spark, table, out):
    """Seconds, bytes of shuffles, and the share of documents that are compared."""
    import twinset.spark
    warm = spark.read.parquet(str(table)).limit(200)
    twinset.spark.dedup(spark, warm, id='id', order='number').unpersist()
    before, begin = shuffle_bytes(spark), time.monotonic()
    found = twinset.spark.dedup(spark, spark.read.parquet(str(table)), id='id', order='number', out=out,
                                threshold=THRESHOLD)
    seconds = time.monotonic() - begin
    moved = shuffle_bytes(spark) - before
    ends = [frame.select(end) for frame in (found._run._candidates, found._run._copies) for end in frame.columns]
    compared = functools.reduce(lambda one, other: one.union(other), ends).distinct().count()
    found.unpersist()
    return seconds, moved, compared / found.summary['documents']['read']


def run_mllib(spark, table):
    """Seconds, and the pairs of ids."""
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram
    from pyspark.sql import functions as sql
    begin = time.monotonic()
    rows = spark.read.parquet(str(table)).select('id', sql.split('text', ' ').alias('words'))
    rows = NGram(n=5, inputCol='words', outputCol='shingles').transform(rows)
    rows = HashingTF(numFeatures=FEATURES, binary=True, inputCol='shingles', outputCol='features').transform(rows)
    rows = rows.filter('size(shingles) > 0').select('id', 'features').cache()
    model = MinHashLSH(inputCol='features', outputCol='hashes', numHashTables=TABLES, seed=1).fit(rows)
    hashed = model.transform(rows).cache()
    joined = model.approxSimilarityJoin(hashed, hashed, 1 - THRESHOLD + 1e-9, distCol='distance')
    pairs = joined.select(sql.col('datasetA.id'), sql.col('datasetB.id')).where(
        sql.col('datasetA.id') < sql.col('datasetB.id')).collect()
    return time.monotonic() - begin, {tuple(sorted(pair)) for pair in pairs}


def pairs_of(folder):
    rows = map(json.loads, (folder / 'pairs.jsonl').read_text().splitlines())
    return {tuple(sorted((row['a'], row['b']))) for row in rows}


def quality(found, true):
    return 'precision %.4f, recall %.4f' % (len(found & true) / max(1, len(found)), len(found & true) / max(1, len(true)))


def prepare(folder, documents, scale, files):
    """Writes rows, a table of them and the results of the command; returns bytes of text."""
    import pyarrow
    import pyarrow.parquet
    lines = subprocess.run([sys.executable, ROOT / 'tools/make_synthetic', '-n', str(documents), '--scale', str(scale)],
                           stdout=subprocess.PIPE, check=True).stdout
    (folder / 'data.jsonl').write_bytes(lines)
    rows = [json.loads(line) for line in lines.splitlines()]
    table = pyarrow.table({'id': [row['id'] for row in rows], 'text': [row['text'] for row in rows],
                           'number': list(range(len(rows)))})
    (folder / 'table').mkdir()
    for i in range(files):
        first = i * len(rows) // files
        part = table.slice(first, (i + 1) * len(rows) // files - first)
        pyarrow.parquet.write_table(part, folder / 'table' / ('%d.parquet' % i))
    command(folder, 'dedup', 'data.jsonl', '--method', 'minhash', '--keep', 'first', '--pairs', 'all', '--out', 'local')
    command(folder, 'dedup', 'data.jsonl', '--method', 'complete', '--pairs', 'all', '--out', 'complete')
    return sum(len(row['text'].encode()) for row in rows)


def check_files(out, local):
    for name in ('pairs.jsonl', 'clusters.jsonl'):
        if (out / name).read_bytes() != (local / name).read_bytes():
            sys.exit('bench-spark: %s has other bytes than that of the command' % name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('-n', '--documents', type=int, default=20000)
    parser.add_argument('--scale', type=int, default=1, help='of the length of a document (1: 1.4 KB)')
    parser.add_argument('--files', type=int, default=8, help='of the table; rows of several come in no order')
    parser.add_argument('--without-mllib', action='store_true')
    asked = parser.parse_args()
    if 'TWINSET_BENCH_SPARK' not in os.environ:
        go_to_environment(asked.build.resolve())
    sys.path.insert(0, str(ROOT / 'tests/spark/cluster'))
    from test_spark import Cluster
    with tempfile.TemporaryDirectory(prefix='twinset-bench-spark-') as name:
        folder = pathlib.Path(name)
        text = prepare(folder, asked.documents, asked.scale, asked.files)
        print('%d documents, %d bytes of text' % (asked.documents, text))
        true = pairs_of(folder / 'complete')
        for workers in (1, 2):
            place = folder / ('cluster%d' % workers)
            place.mkdir()
            cluster = Cluster(place, workers, '3g')
            try:
                spark = cluster.session(**{
                    'spark.ui.enabled': 'true', 'spark.ui.port': '0', 'spark.ui.retainedStages': '100000',
                    'spark.executor.memory': '2g', 'spark.driver.memory': '2g', 'spark.sql.shuffle.partitions': '8'})
                out = folder / ('out%d' % workers)
                seconds, moved, share = run_twinset(spark, folder / 'table', out)
                check_files(out, folder / 'local')
                print('twinset.spark, %d workers: %.1f s, %.3f bytes of shuffles a byte of text, %.3f of documents '
                      'compared (bound %.3f), %s' % (workers, seconds, moved / text, share, .2 + 1.2 * share,
                                                            quality(pairs_of(out), true)), flush=True)
                if workers == 2 and not asked.without_mllib:
                    seconds, pairs = run_mllib(spark, folder / 'table')
                    print('Spark MLlib, 2 workers: %.1f s, %s' % (seconds, quality(pairs, true)), flush=True)
                spark.stop()
            finally:
                cluster.stop()


if __name__ == '__main__':
    main()
