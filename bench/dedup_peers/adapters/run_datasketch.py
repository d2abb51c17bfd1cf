"""datasketch by its documented fast path: MinHash.bulk, an insertion session, a query a document."""
import common
from datasketch import MinHash, MinHashLSH

run = common.Run()
run.stage('start')
sketches = MinHash.bulk(run.shingles(as_bytes=True), num_perm=common.PERMUTATIONS)
run.stage('sketch')
lsh = MinHashLSH(threshold=common.THRESHOLD, num_perm=common.PERMUTATIONS)
with lsh.insertion_session() as session:
    for number, sketch in enumerate(sketches):
        session.insert(number, sketch)
run.stage('index')
pairs = {(other, number) for number, sketch in enumerate(sketches) for other in lsh.query(sketch) if other < number}
run.stage('query')
run.cluster(pairs)
run.finish('pairs', pairs, '%d permutations, its own plan of %d bands of %d rows; candidates, nothing is verified'
           % (common.PERMUTATIONS, lsh.b, lsh.r))
