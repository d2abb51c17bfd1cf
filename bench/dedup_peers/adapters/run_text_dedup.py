"""text-dedup: its program text_dedup.minhash as a user calls it; the groups are those that it dumps."""
import collections
import os
import pickle
import re
import subprocess
import sys

import common

run = common.Run()
out = os.path.join(run.work, 'out')
command = [sys.executable, '-m', 'text_dedup.minhash', '--path', 'json', '--data_files',
           os.path.join(run.corpus, '*') if run.mode == 'job' else run.corpus, '--split', 'train',
           '--cache_dir', os.path.join(run.work, 'cache'), '--output', out, '--column', 'text', '--batch_size', '10000',
           '--ngram', str(common.SHINGLE_WORDS), '--threshold', str(common.THRESHOLD),
           '--num_perm', str(common.PERMUTATIONS), '--hash_func', 'xxh3', '--num_proc', str(run.threads), '--debug']
done = subprocess.run(command, cwd=run.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                      env=dict(os.environ, HF_HUB_OFFLINE='1', HF_HOME=os.path.join(run.work, 'home'), COLUMNS='200'))
if done.returncode != 0:
    sys.exit(done.stdout[-2000:])
run.stage('program')
for name, seconds in re.findall(r'(Loading|MinHashing|Clustering|Filtering|Saving|Cleaning)\s*:\s*([0-9.]+)s', done.stdout):
    stage = {'Loading': 'read', 'MinHashing': 'shingle and sketch', 'Clustering': 'index, query and cluster',
             'Filtering': 'write', 'Saving': 'write', 'Cleaning': 'write'}[name]
    run.stages[stage] = run.stages.get(stage, 0.0) + float(seconds)
    run.stages['program'] -= float(seconds)
run.stages['start'] = run.stages.pop('program')
with open(os.path.join(out, 'uf.pkl'), 'rb') as file:
    forest = pickle.load(file)
groups = {row: forest.find(row) for row in list(forest.parent)}
sizes = collections.Counter(groups.values())
run.finish('groups', [(row, group) for row, group in groups.items() if sizes[group] > 1],
           '%d permutations, its own plan of bands; components, nothing is verified' % common.PERMUTATIONS)
