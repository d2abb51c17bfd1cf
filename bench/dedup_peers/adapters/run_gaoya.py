"""gaoya: its own words and shingles, parallel insertion, a parallel query of every document."""
import re

import common
from gaoya.minhash import MinHashStringIndex

run = common.Run()
run.stage('start')
texts = run.texts()
index = MinHashStringIndex(hash_size=32, jaccard_threshold=common.THRESHOLD, num_bands=None, band_size=None,
                           num_hashes=common.PERMUTATIONS, analyzer='word', lowercase=False,
                           ngram_range=(common.SHINGLE_WORDS, common.SHINGLE_WORDS), id_container='vec')
index.par_bulk_insert_docs(list(range(len(texts))), texts)
run.stage('shingle, sketch and index')
found = index.par_bulk_query(texts)
pairs = {(other, number) for number, others in enumerate(found) for other in others if other < number}
run.stage('shingle, sketch and query')
run.cluster(pairs)
plan = dict(re.findall(r'(\w+) = (\d+)', str(index)))
run.finish('pairs', pairs, '%s values, its own plan of %s bands of %s rows; a candidate counts if its estimate reaches the '
           'threshold' % (plan['num_hashes'], plan['bands'], plan['rows_per_band']))
