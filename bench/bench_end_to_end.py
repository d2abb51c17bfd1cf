#!/usr/bin/env python3
"""Text to clusters, beside datasketch: bench/bench_end_to_end.py BUILD_DIR

Both read the same JSON lines of lower-case ASCII words, at the same threshold, one after the other in
one run: datasketch by its documented fast path (MinHash.bulk, MinHashLSH in an insertion session, a
query a document), twinset with one thread and with all. Every answer is checked against exact
all-pairs truth computed here: precision and recall of both are printed, and twinset's must be 1 and
at least .99. Times are medians of three runs (datasketch: one). Work files of twinset lie on the disk
and, in a second row, in memory (--tmp on tmpfs), since datasketch writes nothing.

TWINSET_BENCH_JSONL names another corpus of rows {"id","text"}.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
THRESHOLD, WORDS = 0.8, 5


def exact_pairs(rows):
    """{(a, b): jaccard} of all pairs at the threshold, by prefix filtering (Chaudhuri et al. 2006)."""
    code, sets = {}, []
    for row in rows:
        words = row['text'].split()
        grams = {tuple(words[i:i + WORDS]) for i in range(len(words) - WORDS + 1)} or {tuple(words)}
        sets.append({code.setdefault(g, len(code)) for g in grams if g})
    frequency = collections.Counter(x for s in sets for x in s)
    postings, pairs = collections.defaultdict(list), {}
    for i, s in enumerate(sets):
        order = sorted(s, key=lambda x: (frequency[x], x))
        prefix = order[:len(s) - math.ceil(THRESHOLD * len(s) - 1e-12) + 1]
        for j in {j for x in prefix for j in postings[x]}:
            if min(len(s), len(sets[j])) >= THRESHOLD * max(len(s), len(sets[j])) - 1e-12:
                common = len(s & sets[j])
                jaccard = common / (len(s) + len(sets[j]) - common)
                if jaccard >= THRESHOLD:
                    pairs[rows[j]['id'], rows[i]['id']] = jaccard
        for x in prefix:
            postings[x].append(i)
    return pairs


def quality(found, truth):
    hit = len(found & truth)
    return hit / max(1, len(found)), hit / max(1, len(truth))


def run_twinset(program, corpus, threads, tmp):
    times, pairs, stages = [], None, None
    for _ in range(3):
        out = pathlib.Path(tempfile.mkdtemp(prefix='twinset-bench-'))
        command = [program, 'dedup', corpus, '--out', out / 'out', '--pairs', 'all', '--quiet', '--method', 'minhash',
                   '--threads', threads, '--threshold', THRESHOLD] + (['--tmp', tmp] if tmp else [])
        begin = time.perf_counter()
        subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - begin)
        with open(out / 'out' / 'pairs.jsonl', encoding='utf-8') as f:
            pairs = {(r['a'], r['b']): r['similarity'] for r in map(json.loads, f)}
        stages = json.loads((out / 'out' / 'summary.json').read_text())['run']['stage_seconds']
        shutil.rmtree(out)
    return statistics.median(times), pairs, stages


PEER = r'''
import json, sys, time
from datasketch import MinHash, MinHashLSH
rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
threshold, n = float(sys.argv[2]), int(sys.argv[3])
begin = time.perf_counter()
def shingles(text):
    w = text.split()
    return [' '.join(w[i:i + n]).encode() for i in range(max(1, len(w) - n + 1))]
sketches = MinHash.bulk((shingles(r['text']) for r in rows), num_perm=128)
sketched = time.perf_counter()
lsh = MinHashLSH(threshold=threshold, num_perm=128)
with lsh.insertion_session() as session:
    for i, m in enumerate(sketches):
        session.insert(i, m)
pairs = set()
for i, m in enumerate(sketches):
    pairs.update((j, i) for j in lsh.query(m) if j < i)
end = time.perf_counter()
print(json.dumps({'seconds': end - begin, 'sketch': sketched - begin, 'bands': lsh.b, 'rows': lsh.r,
                  'pairs': [[rows[a]['id'], rows[b]['id']] for a, b in pairs]}))
'''


def run_datasketch(corpus):
    environment = pathlib.Path(tempfile.gettempdir()) / 'twinset-bench-peers'
    python = environment / 'bin' / 'python'
    if not python.exists():
        subprocess.run([sys.executable, '-m', 'venv', environment], check=True)
    installed = subprocess.run([python, '-c', 'import datasketch'], stderr=subprocess.DEVNULL)
    if installed.returncode != 0:
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', 'datasketch==1.10.0'], check=True)
    result = subprocess.run([python, '-c', PEER, corpus, str(THRESHOLD), str(WORDS)], check=True,
                            stdout=subprocess.PIPE, text=True)
    answer = json.loads(result.stdout)
    answer['pairs'] = {tuple(p) for p in answer['pairs']}
    return answer


def corpora(folder):
    given = os.environ.get('TWINSET_BENCH_JSONL')
    if given:
        yield pathlib.Path(given).name, given
        return
    synthetic = folder / 'synthetic.jsonl'
    with open(synthetic, 'wb') as f:
        subprocess.run([sys.executable, ROOT / 'tools' / 'make_synthetic', '-n', '20000'], check=True,
                       stdout=f)
    yield 'synthetic, 20,000 documents', synthetic


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    program = build / 'twinset'
    if not program.exists():
        program = program.parent.parent / 'twinset'
    memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    folder = pathlib.Path(tempfile.mkdtemp(prefix='twinset-bench-'))
    wrong = []
    try:
        for name, corpus in corpora(folder):
            with open(corpus, encoding='utf-8') as f:
                rows = [json.loads(line) for line in f]
            megabytes = sum(len(r['text']) for r in rows) / 1e6
            truth = exact_pairs(rows)
            print('%s: %.1f MB of text, %d true pairs at %.1f' % (name, megabytes, len(truth), THRESHOLD))
            print('%-34s %9s %9s %9s %9s' % ('', 'seconds', 'MB/s', 'precision', 'recall'))
            peer = run_datasketch(corpus)
            precision, recall = quality(peer['pairs'], set(truth))
            print('%-34s %9.2f %9.2f %9.4f %9.4f   %d bands of %d, sketching %.2f s'
                  % ('datasketch, one thread', peer['seconds'], megabytes / peer['seconds'], precision,
                     recall, peer['bands'], peer['rows'], peer['sketch']))
            for label, threads, tmp in (('twinset, one thread', 1, None),
                                        ('twinset, one thread, work in memory', 1, memory),
                                        ('twinset, %d threads' % os.cpu_count(), os.cpu_count(), None),
                                        ('twinset, %d threads, in memory' % os.cpu_count(),
                                         os.cpu_count(), memory)):
                seconds, pairs, stages = run_twinset(program, corpus, threads, tmp)
                precision, recall = quality(set(pairs), set(truth))
                worst = max((abs(s - truth.get(p, 0)) for p, s in pairs.items()), default=0)
                print('%-34s %9.2f %9.2f %9.4f %9.4f   %.0f x datasketch'
                      % (label, seconds, megabytes / seconds, precision, recall,
                         peer['seconds'] / seconds))
                print('    ' + ' '.join('%s %.3f' % kv for kv in stages.items() if kv[1] >= 0.0005))
                if precision != 1 or recall < 0.99 or worst > 1e-9:
                    wrong.append(label)
    finally:
        shutil.rmtree(folder)
    if wrong:
        sys.exit('wrong answers: ' + ', '.join(wrong))


main()
