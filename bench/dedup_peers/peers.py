"""The tools that `make bench-peers` runs, pinned, and the virtual environments that they live in."""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from measurement.command import reason_of

HERE = pathlib.Path(__file__).resolve().parent
ADAPTERS = HERE / 'adapters'
INSTALL_SECONDS = 900

# name, what pip installs, the program it needs beside Python, words for the page.
Peer = collections.namedtuple('Peer', 'name packages needs about')
# A row of the tables: what it is called, the peer, the adapter with its mode, whether more threads are of use.
Row = collections.namedtuple('Row', 'label peer adapter mode parallel')

PEERS = (
    Peer('datasketch', ('datasketch==2.0.0',), None,
         'Reads the shingles that the adapter makes. One thread: it has no other.'),
    Peer('rensa', ('rensa==0.5.0',), None,
         'Reads the shingles that the adapter makes. Its deduplicators keep or drop and use one thread; rho samples positions of the text.'),
    Peer('gaoya', ('gaoya==0.2.2',), None,
         'Splits at spaces and makes word 5-shingles itself, once to insert and once to query.'),
    Peer('FastSketchLSH', ('fastsketchlsh==1.0.1',), None,
         'Reads the shingles that the adapter makes. It has no threshold, only bands.'),
    Peer('text-dedup', ('text-dedup==0.4.0',), None,
         'Its own program on the JSON lines. It splits at each character that is no letter, digit or underscore, '
         'so `it\'s` and `3.5` are two words for it; the API offers nothing else. It gives groups.'),
    Peer('datatrove', ('datatrove==0.10.1', 'orjson==3.13.0', 'regex==2026.11.15', 'tokenizers==0.23.3', 'xxhash==3.8.2'),
         None, 'Its four MinHash steps, with a tokeniser that splits at spaces and its normalisation switched off. It '
               'gives groups and writes the corpus without what it removes.'),
    Peer('Spark MLlib', ('pyspark==4.3.0', 'numpy==2.4.6'), 'java',
         'NGram, HashingTF and MinHashLSH in local mode. Its join computes Jaccard exactly, of hashed shingles.'),
)

ROWS = (
    Row('datasketch', 'datasketch', 'run_datasketch.py', None, False),
    Row('rensa, R-MinHash and LSH', 'rensa', 'run_rensa.py', 'pairs', True),
    Row('rensa, R-MinHash deduplicator', 'rensa', 'run_rensa.py', 'keep', False),
    Row('rensa, C-MinHash deduplicator', 'rensa', 'run_rensa.py', 'c-keep', False),
    Row('rensa, rho', 'rensa', 'run_rensa.py', 'rho', True),
    Row('gaoya', 'gaoya', 'run_gaoya.py', None, True),
    Row('FastSketchLSH, pairs', 'FastSketchLSH', 'run_fastsketchlsh.py', 'pairs', True),
    Row('FastSketchLSH, flags', 'FastSketchLSH', 'run_fastsketchlsh.py', 'flags', True),
    Row('text-dedup', 'text-dedup', 'run_text_dedup.py', None, True),
    Row('datatrove', 'datatrove', 'run_datatrove.py', None, True),
    Row('Spark MLlib', 'Spark MLlib', 'run_spark.py', None, True),
)


class Unavailable(Exception):
    """Why a peer cannot be run, in one line without addresses."""


def run_installer(command):
    try:
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors='replace', timeout=INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        raise Unavailable('took over %d s to install' % INSTALL_SECONDS) from None
    if done.returncode != 0:
        raise Unavailable(reason_of(done.stdout))
    return done.stdout


def python_of(peer, folder):
    """The interpreter of the peer's environment, made if it is not there or was made for other versions."""
    if peer.needs and not shutil.which(peer.needs):
        raise Unavailable('no %s' % peer.needs)
    environment = pathlib.Path(folder) / re.sub(r'\W+', '-', peer.name.lower())
    python, done = environment / 'bin/python', environment / 'installed.json'
    if not (done.exists() and json.loads(done.read_text())['asked'] == list(peer.packages)):
        shutil.rmtree(environment, ignore_errors=True)
        run_installer([sys.executable, '-m', 'venv', environment])
        run_installer(['nice', python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', *peer.packages])
        installed = run_installer([python, '-m', 'pip', 'freeze', '--disable-pip-version-check'])
        done.write_text(json.dumps({'asked': list(peer.packages), 'installed': installed.split()}))
    return python, json.loads(done.read_text())['installed']


def command_of(row, python, corpus, answer, threads, work):
    return [str(python), str(ADAPTERS / row.adapter), str(corpus), str(answer), str(threads), str(work),
            *([row.mode] if row.mode else [])]


def threads_of(row):
    """The lanes of a row: one thread, and all where it can use them."""
    every = len(os.sched_getaffinity(0))
    return [1, every] if row.parallel and every > 1 else [1]
