"""rensa in the forms that its readme shows. MODE:

  pairs    R-MinHash in a batch, LSH of 16 bands, candidates whose estimate reaches the threshold
  keep     R-MinHash, RMinHashDeduplicator: keeps a document unless a kept one is alike
  c-keep   the same with C-MinHash, which compares with all that is kept
  rho      the rho pipeline with 8 bands that its published comparison times: flags, no pairs
"""
import common
import rensa

run = common.Run()
run.stage('start')
job = run.packed_rows() if run.mode.startswith('job') else None
rows = ([row['text'].split() for row in job] if run.mode == 'job-words' else
        [common.shingles_of(row['text']) for row in job] if job else run.shingles())
perms, threshold = common.PERMUTATIONS, common.THRESHOLD


def kept_unless_alike(deduplicator):
    kept = deduplicator.add_pairs(((str(number), shingles) for number, shingles in enumerate(rows)))
    run.stage('sketch, index and query')
    return [number for number, keep in enumerate(kept) if not keep]


if run.mode == 'pairs':
    sketches = rensa.RMinHash.from_token_sets(rows, num_perm=perms, seed=42)
    run.stage('sketch')
    lsh = rensa.RMinHashLSH(threshold=threshold, num_perm=perms, num_bands=16)
    lsh.insert_pairs(enumerate(sketches))
    run.stage('index')
    pairs = {(other, number) for number, found in enumerate(lsh.query_all(sketches)) for other in found
             if other < number and sketches[number].jaccard(sketches[other]) >= threshold}
    run.stage('query')
    run.cluster(pairs)
    run.finish('pairs', pairs, '128 slots, 16 bands of 8 rows; a candidate counts if its estimate reaches the threshold')
elif job:
    removed = kept_unless_alike(rensa.RMinHashDeduplicator(threshold=threshold, num_perm=perms, use_lsh=True))
    gone = set(removed)
    run.write_packed(row for number, row in enumerate(job) if number not in gone)
    run.finish('removed', removed, '128 slots, its own plan of 8 bands of 16 rows; estimates decide')
elif run.mode == 'keep':
    removed = kept_unless_alike(rensa.RMinHashDeduplicator(threshold=threshold, num_perm=perms, use_lsh=True))
    run.finish('removed', removed, '128 slots, its own plan of 8 bands of 16 rows; estimates decide')
elif run.mode == 'c-keep':
    removed = kept_unless_alike(rensa.CMinHashDeduplicator(threshold=threshold, num_perm=perms))
    run.finish('removed', removed, '128 slots of 64 bits; estimates decide')
else:
    matrix = rensa.RMinHash.digest_matrix_from_token_sets_rho(rows, num_perm=perms, seed=42)
    run.stage('sketch')
    lsh = rensa.RMinHashLSH(threshold=threshold, num_perm=perms, num_bands=8)
    flags = lsh.query_duplicate_flags_matrix_one_shot(matrix)
    run.stage('index and query')
    run.finish('similar', [number for number, flag in enumerate(flags) if flag],
               '128 slots, 8 bands; samples positions of the text; flags alone, no pairs')
