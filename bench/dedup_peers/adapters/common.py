"""What the adapters of peers share: the clock of the stages, the rows, the answer.

An adapter is called `ADAPTER CORPUS ANSWER THREADS WORK [MODE]`. CORPUS has rows {"id": row number as a string,
"text": words in lower case with single spaces}; for the modes `job...` it is a folder of such rows in gzip files, and the
adapter also writes the corpus without what it drops below WORK. ANSWER is the path without suffix of what it writes:

  ANSWER.json   {"kind": ..., "stages": {name: seconds}, "finished": reading of the monotonic clock when the
                answer was known, "excluded": seconds before it that do not count, "settings": in words}
  ANSWER.txt    by kind. pairs: two row numbers a line. groups: row number and group a line, rows in a group of
                at least two only. similar: row numbers that have a partner. removed: row numbers that are not kept

The clock counts from the start of the process (BENCH_STARTED, as measurement/command.py sets it), so imports count; writing
ANSWER does not.
"""
import glob
import gzip
import json
import os
import sys
import time

SHINGLE_WORDS, THRESHOLD, PERMUTATIONS = 5, 0.8, 128


class Run:
    def __init__(self):
        self.corpus, self.answer, threads, self.work, *mode = sys.argv[1:]
        self.threads, self.mode = int(threads), ''.join(mode)
        self.stages, self.excluded, self._mark = {}, 0.0, float(os.environ['BENCH_STARTED'])

    def stage(self, name):
        """Ends a stage: what has passed since the last one was spent on it."""
        now = time.monotonic()
        self.stages[name] = self.stages.get(name, 0.0) + now - self._mark
        self._mark = now

    def shards(self):
        """The files of a corpus that is a folder, in the order of their rows."""
        return sorted(glob.glob(os.path.join(self.corpus, '*')))

    def packed_rows(self):
        """The rows of a corpus that is a folder of gzip files, as a script of a user reads them."""
        rows = []
        for shard in self.shards():
            with gzip.open(shard, 'rt', encoding='utf-8') as file:
                rows += map(json.loads, file)
        self.stage('read')
        return rows

    def write_packed(self, rows):
        """Writes rows as one gzip file."""
        with gzip.open(os.path.join(self.work, 'out.jsonl.gz'), 'wt', encoding='utf-8', compresslevel=6) as file:
            file.writelines(json.dumps(row) + '\n' for row in rows)
        self.stage('write')

    def texts(self):
        with open(self.corpus, encoding='utf-8') as file:
            texts = [json.loads(line)['text'] for line in file]
        self.stage('read')
        return texts

    def shingles(self, as_bytes=False):
        """The word shingles of each document as lists of strings, repeated ones included."""
        texts = self.texts()
        lists = [shingles_of(text.encode() if as_bytes else text) for text in texts]
        self.stage('shingle')
        return lists

    def cluster(self, pairs):
        """Groups by union-find, as every user of a library that gives pairs has to write."""
        parent = {}

        def find(x):
            while parent.setdefault(x, x) != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x
        for a, b in pairs:
            a, b = find(a), find(b)
            if a != b:
                parent[max(a, b)] = min(a, b)
        groups = {x: find(x) for x in list(parent)}
        self.stage('cluster')
        return groups

    def finish(self, kind, rows, settings):
        finished = time.monotonic()
        with open(self.answer + '.txt', 'w', encoding='ascii') as file:
            for row in rows:
                file.write('%d\n' % row if isinstance(row, int) else '%d %d\n' % row)
        with open(self.answer + '.json', 'w', encoding='utf-8') as file:
            json.dump({'kind': kind, 'stages': self.stages, 'finished': finished, 'excluded': self.excluded,
                       'settings': settings}, file)


def shingles_of(text):
    """As strings, or as bytes of bytes; a text with fewer words is one shingle."""
    words, space = text.split(), b' ' if isinstance(text, bytes) else ' '
    if len(words) <= SHINGLE_WORDS:
        return [space.join(words)]
    return list(map(space.join, zip(*(words[i:] for i in range(SHINGLE_WORDS)))))
