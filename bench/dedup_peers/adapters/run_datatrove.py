"""datatrove: the four steps of its MinHash example, with words split at spaces and no further normalisation.

It works in parallel by files: with more threads the corpus is cut into as many files first, which does not count.
"""
import gzip
import os
import struct
import time

import common
from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.dedup import (MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter,
                                      MinhashDedupSignature)
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers.jsonl import JsonlWriter
from datatrove.utils.text import TextNormConfig
from datatrove.utils.word_tokenizers import WordTokenizer


class SplitAtSpaces(WordTokenizer):
    def word_tokenize(self, text):
        return text.split()

    def sent_tokenize(self, text):
        raise NotImplementedError

    def span_tokenize(self, text):
        raise NotImplementedError


def cut(corpus, folder, parts):
    """The corpus as `parts` files of consecutive rows; the number of the first row of each."""
    os.makedirs(folder)
    with open(corpus, 'rb') as file:
        lines = file.readlines()
    starts = [len(lines) * part // parts for part in range(parts + 1)]
    for part in range(parts):
        with open(os.path.join(folder, '%05d.jsonl' % part), 'wb') as file:
            file.writelines(lines[starts[part]:starts[part + 1]])
    return starts


def starts_of(shards):
    """The number of the first row of each gzip file."""
    starts = [0]
    for shard in shards:
        with gzip.open(shard, 'rb') as file:
            starts.append(starts[-1] + sum(1 for _ in file))
    return starts


def main():
    run = common.Run()
    run.stage('start')
    place = {name: os.path.join(run.work, name) for name in ('input', 'signatures', 'buckets', 'remove', 'out', 'logs')}
    begin = time.monotonic()
    if run.mode == 'job':
        place['input'], starts = run.corpus, starts_of(run.shards())
    else:
        starts = cut(run.corpus, place['input'], run.threads)
    run.excluded = time.monotonic() - begin
    run.stage('excluded')
    del run.stages['excluded']
    config = MinhashConfig(n_grams=common.SHINGLE_WORDS, norm_config=TextNormConfig(
        lowercase=False, norm_whitespace=False, remove_punctuation=False, norm_unicode_diacritics=False,
        norm_numbers=False))
    files, buckets = len(starts) - 1, config.num_buckets
    steps = (('read, shingle and sketch', files, [
                 JsonlReader(place['input']),
                 MinhashDedupSignature(place['signatures'], config=config, language=SplitAtSpaces())]),
             ('index and query', buckets, [
                 MinhashDedupBuckets(place['signatures'], place['buckets'], config=config)]),
             ('cluster', 1, [
                 MinhashDedupCluster(place['buckets'], place['remove'], config=config, save_cluster_id=True)]),
             ('write', files, [
                 JsonlReader(place['input']), MinhashDedupFilter(place['remove']),
                 JsonlWriter(place['out'], compression='gzip' if run.mode == 'job' else None)]))
    for name, tasks, pipeline in steps:
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=min(tasks, run.threads),
                              logging_dir=os.path.join(place['logs'], name)).run()
        run.stage(name)
    rows = []
    for part in range(files):
        path = os.path.join(place['remove'], '%06d.clusters' % part)
        if os.path.exists(path):
            with open(path, 'rb') as file:
                rows += [(starts[part] + row, group) for row, group in struct.iter_unpack('<2I', file.read())]
    run.finish('groups', rows, '%d values of 64 bits, its default of %d buckets of %d; components, nothing is verified'
               % (buckets * config.hashes_per_bucket, buckets, config.hashes_per_bucket))


if __name__ == '__main__':
    main()
