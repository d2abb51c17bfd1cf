"""Spark MLlib: NGram, HashingTF, MinHashLSH and its similarity join, which computes Jaccard exactly."""
import os

import common
from pyspark.ml.feature import HashingTF, MinHashLSH, NGram
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

# MinHashLSH has no bands: a pair is a candidate when one of so many values is equal. Three find 99 % of the pairs
# at .8; features are hashed into 2^24 numbers, so that hardly two shingles become one.
TABLES, FEATURES = 3, 1 << 24

run = common.Run()
spark = (SparkSession.builder.master('local[%d]' % run.threads).appName('bench')
         .config('spark.ui.enabled', 'false').config('spark.driver.memory', '8g')
         .config('spark.driver.bindAddress', '127.0.0.1').config('spark.driver.host', '127.0.0.1')
         .config('spark.local.dir', run.work).config('spark.sql.warehouse.dir', os.path.join(run.work, 'warehouse'))
         .config('spark.sql.shuffle.partitions', str(4 * run.threads)).getOrCreate())
spark.sparkContext.setLogLevel('ERROR')
run.stage('start')
rows = spark.read.schema('id STRING, text STRING').json(run.corpus).select(
    sql.col('id').cast('int').alias('id'), sql.split('text', ' ').alias('words'))
shingled = NGram(n=common.SHINGLE_WORDS, inputCol='words', outputCol='shingles').transform(rows)
features = HashingTF(numFeatures=FEATURES, binary=True, inputCol='shingles', outputCol='features').transform(shingled)
features = features.select('id', 'features').cache()
features.count()
run.stage('read and shingle')
model = MinHashLSH(inputCol='features', outputCol='hashes', numHashTables=TABLES, seed=1).fit(features)
hashed = model.transform(features).cache()
hashed.count()
run.stage('sketch')
joined = model.approxSimilarityJoin(hashed, hashed, 1 - common.THRESHOLD + 1e-9, distCol='distance')
pairs = [(a, b) for a, b in joined.select(sql.col('datasetA.id'), sql.col('datasetB.id')).where(
    sql.col('datasetA.id') < sql.col('datasetB.id')).collect()]
run.stage('index, query and verify')
run.cluster(pairs)
run.finish('pairs', pairs, '%d hash tables, shingles hashed into %d numbers; Jaccard computed exactly'
           % (TABLES, FEATURES))
spark.stop()
