"""FastSketchLSH by its readme. MODE: pairs (insert, then query all) or flags (both in one call)."""
import common
from FastSketchLSH import LSH, FastSimilaritySketch

run = common.Run()
run.stage('start')
shingles = run.shingles()
sketches = FastSimilaritySketch(size=common.PERMUTATIONS, seed=42).batch(shingles, num_threads=run.threads)
run.stage('sketch')
lsh = LSH(num_perm=common.PERMUTATIONS, num_bands=16, num_threads=run.threads)
settings = '128 slots, 16 bands of 8 rows, which the reader chooses; no threshold, nothing is verified'
if run.mode == 'flags':
    flags = lsh.insert_and_query_duplicates(sketches)
    run.stage('index and query')
    run.finish('similar', [number for number, flag in enumerate(flags.tolist()) if flag], settings)
else:
    lsh.insert(sketches)
    run.stage('index')
    flat, starts = lsh.query(sketches, format='csr')
    flat, starts = flat.tolist(), starts.tolist()
    pairs = {(other, number) for number in range(len(shingles)) for other in flat[starts[number]:starts[number + 1]]
             if other < number}
    run.stage('query')
    run.cluster(pairs)
    run.finish('pairs', pairs, settings)
