#!/usr/bin/env python3
"""One page against a stored collection, beside other tools: bench/bench_index_rivals.py [-n DOCUMENTS] [--queries N]

Run it with an interpreter for which tools/build_python has built the package, on PYTHONPATH. pylance (its MINHASHLSH
index, with the shingles that it has by default), and datasketch over a redis-server that this program starts, are
measured where they are installed. Documents are 200 words, every fourth one the one before it with another last word;
asked are copies of stored ones with one to six words changed, and as many pages that nothing is like. What each should
find is known by arithmetic: the Jaccard similarity of sets of five words, at 0.8. Told are seconds on the clock, bytes
beside the text, precision and recall.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

WORDS, VOCABULARY, BATCH = 200, 20000, 1000
THRESHOLD = 0.8


def words_of(number):
    """A document: of four in a row the last is a near-copy of the third."""
    draw = random.Random(number - 1 if number % 4 == 3 else number)
    words = ['w%d' % draw.randrange(VOCABULARY) for _ in range(WORDS)]
    if number % 4 == 3:
        words[-1] = 'other'
    return words


def shingles(words):
    return {tuple(words[i:i + 5]) for i in range(len(words) - 4)}


def jaccard(a, b):
    return len(a & b) / len(a | b)


class Corpus:
    def __init__(self, documents, queries):
        self.stored = [words_of(n) for n in range(documents)]
        self.asked, self.truth = [], []
        draw = random.Random(7)
        for number in range(queries):
            like = draw.randrange(documents // 4) * 4 + 2  # it and its near-copy are stored
            words = list(self.stored[like])
            for change in range(1 + number // 2 % 6):  # similarity .95, .90, .86, .81, .77, .73
                words[20 + 30 * change] = 'changed'
            if number % 2 == 1:
                words = words_of(4 * (documents + number))
            own = shingles(words)
            self.asked.append(' '.join(words))
            # All others share no five words with it: they are drawn anew.
            self.truth.append({n for n in (like, like + 1)
                               if n < documents and jaccard(own, shingles(self.stored[n])) >= THRESHOLD})

    def texts(self):
        return [' '.join(words) for words in self.stored]


def bytes_in(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob('*') if path.is_file())


class Measured:
    """What one tool did."""

    def __init__(self, name, corpus):
        self.name, self.corpus = name, corpus
        self.seconds = []
        self.found = []
        self.build = self.beside = 0

    def ask(self, question):
        for text in self.corpus.asked:
            begin = time.perf_counter()
            answer = question(text)
            self.seconds.append(time.perf_counter() - begin)
            self.found.append(set(answer))

    def tell(self):
        right = sum(len(found & true) for found, true in zip(self.found, self.corpus.truth))
        told = sum(map(len, self.found))
        there = sum(map(len, self.corpus.truth))
        taken = sorted(self.seconds)
        print('| %s | %.0f | %.2f | %.2f | %.0f | %s | %.4f |' % (
            self.name, len(self.corpus.stored) / self.build, 1000 * taken[len(taken) // 2],
            1000 * taken[len(taken) - 1 - len(taken) // 100], self.beside / len(self.corpus.stored),
            '%.4f' % (right / told) if told else '-', right / there), flush=True)
        return right, told, there


def by_twinset(corpus, folder):
    import twinset
    one = Measured('twinset.Index, durable, verified', corpus)
    texts = corpus.texts()
    begin = time.perf_counter()
    index = twinset.Index.create(folder / 'index', threshold=THRESHOLD)
    for first in range(0, len(texts), BATCH):
        index.add([{'id': str(n), 'text': texts[n]} for n in range(first, min(first + BATCH, len(texts)))],
                  text='text', id='id')
    one.build = time.perf_counter() - begin
    one.ask(lambda text: [int(match.id) for match in index.query(text).matches])
    index.close()
    one.beside = bytes_in(folder / 'index') - packed_text_bytes(texts)
    right, told, there = one.tell()
    if told != right or right < 0.99 * there:
        sys.exit('twinset found %d of %d, and %d that are not there' % (right, there, told - right))


def packed_text_bytes(texts):
    """What the texts alone take where they are compressed one by one."""
    import zlib
    return sum(len(zlib.compress(text.encode(), 1)) for text in texts)


def by_lance(corpus, folder):
    import lance
    import pyarrow
    one = Measured('pylance %s, MINHASHLSH, estimates' % lance.__version__, corpus)
    texts = corpus.texts()
    begin = time.perf_counter()
    for first in range(0, len(texts), BATCH):
        numbers = range(first, min(first + BATCH, len(texts)))
        lance.write_dataset(pyarrow.table({'n': list(numbers), 'text': [texts[n] for n in numbers]}),
                            folder / 'lance', mode='append' if first else 'create')
    data = lance.dataset(folder / 'lance')
    data.create_scalar_index('text', 'MINHASHLSH')
    one.build = time.perf_counter() - begin
    data = lance.dataset(folder / 'lance')

    def ask(text):
        rows = data.to_table(columns=['n', '_distance'], nearest=lance.query.MinHashQuery(text, 'text'), limit=10).to_pylist()
        return [row['n'] for row in rows if row['_distance'] <= 1 - THRESHOLD + 1e-9]
    one.ask(ask)
    one.beside = bytes_in(folder / 'lance/_indices')
    one.tell()


def by_datasketch(corpus, folder):
    import datasketch
    import redis
    program = shutil.which('redis-server')
    if program is None:
        print('SKIPPED datasketch over Redis: redis-server is not installed')
        return
    one = Measured('datasketch %s over Redis, candidates' % datasketch.__version__, corpus)
    socket = folder / 'redis.sock'
    server = subprocess.Popen([program, '--port', '0', '--unixsocket', str(socket), '--save', '', '--dir', str(folder)],
                              stdout=subprocess.DEVNULL)
    try:
        client = redis.Redis(unix_socket_path=str(socket))
        for _ in range(100):
            if socket.exists():
                break
            time.sleep(.05)
        empty = client.info('memory')['used_memory']

        def sketch(text):
            made = datasketch.MinHash(num_perm=128)
            made.update_batch([' '.join(shingle).encode() for shingle in shingles(text.split())])
            return made
        begin = time.perf_counter()
        index = datasketch.MinHashLSH(threshold=THRESHOLD, num_perm=128, storage_config={
            'type': 'redis', 'basename': b'bench', 'redis': {'unix_socket_path': str(socket)}})
        with index.insertion_session(buffer_size=BATCH) as session:
            for number, text in enumerate(corpus.texts()):
                session.insert(str(number), sketch(text), check_duplication=False)
        one.build = time.perf_counter() - begin
        one.ask(lambda text: [int(name) for name in index.query(sketch(text))])
        one.beside = client.info('memory')['used_memory'] - empty
        one.tell()
    finally:
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('-n', type=int, default=20000, help='documents')
    parser.add_argument('--queries', type=int, default=1000)
    arguments = parser.parse_args()
    corpus = Corpus(arguments.n // 4 * 4, arguments.queries)
    print('| index of %d documents | added a second | question, p50 ms | p99 ms | bytes beside the text | precision | '
          'recall |\n|---|---|---|---|---|---|---|' % len(corpus.stored))
    for tool, needs in ((by_twinset, 'twinset'), (by_lance, 'pylance'), (by_datasketch, 'datasketch and redis')):
        with tempfile.TemporaryDirectory() as place:
            try:
                tool(corpus, pathlib.Path(place))
            except ImportError as error:
                print('SKIPPED %s: %s' % (needs, error))


if __name__ == '__main__':
    main()
