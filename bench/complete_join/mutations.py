"""A corpus of any size with clusters of near-duplicates, as a stream. The same words, count and seed, the same bytes.

    words = words_of(program, 'pages.warc.gz')
    for line in lines(words, 1000000, seed=1): file.write(line)

A new document has 100 to 400 words: runs of 1 to 7 words, each from a random place of a real text. So its words and
short phrases are as frequent as there, a fifth of its runs of five words stand in that text and thus in other documents
too, and still there are as many different documents as are asked for. The rest of a cluster are mutations of its first
document. Clusters are spread: a line leaves a window of 20,000 lines at random. A document takes about 50 microseconds.
Only Random.random and exact arithmetic decide, so that no version of Python changes a byte.
"""
import bisect
import itertools
import json
import random
import subprocess

# Clusters by size: the documents judged in the TREC Web Tracks 2009 to 2011 (ClueWeb09), grouped by the near-duplicate
# groups of Fröbe et al., "Sampling bias due to near-duplicates in learning to rank" (SIGIR 2020).
CLUSTERS_OF_SIZE = {
    1: 42640, 2: 2845, 3: 634, 4: 272, 5: 167, 6: 113, 7: 65, 8: 55, 9: 45, 10: 31, 11: 26, 12: 28, 13: 12, 14: 8, 15: 13,
    16: 5, 17: 9, 18: 6, 19: 5, 20: 1, 21: 1, 22: 2, 23: 2, 24: 2, 26: 4, 28: 1, 29: 1, 30: 1, 31: 1, 36: 1, 38: 1, 43: 1,
    221: 1}
LEAST_WORDS, MOST_WORDS, RUN = 100, 400, 7
# Shares of words that change so that the Jaccard of five-word shingles falls to 1, .9, .8, ... .2: with p = (1 - rate)^5
# of the shingles left in both, it is p / (2 - p).
RATES = (0, .0108, .0233, .0381, .0559, .0779, .1059, .1433, .1973)
COPIES = 0.2  # of the mutations
WINDOW = 20000
TEXT_WORDS = 4000000  # the words of a source that are used; memory for more would be wasted


def words_of(program, source):
    """The words that twinset sees in a source, in order, as JSON writes them."""
    with subprocess.Popen([str(program), 'text', '--json', '--show-tokens', '--threads', '1', str(source)],
                          stdout=subprocess.PIPE) as run:
        words, known = [], {}
        for line in run.stdout:
            for word in json.loads(line)['tokens']:
                words.append(known.setdefault(word, json.dumps(word)[1:-1]))
            if len(words) >= TEXT_WORDS:
                run.kill()
                break
    if len(words) < 1000 or (len(words) < TEXT_WORDS and run.returncode != 0):
        raise ValueError('%d words in %s; a thousand are needed' % (len(words), source))
    return words[:TEXT_WORDS]


class Writer:
    def __init__(self, words, seed):
        self.words, self.random = words, random.Random(seed).random
        self.sizes, self.sums = list(CLUSTERS_OF_SIZE), list(itertools.accumulate(CLUSTERS_OF_SIZE.values()))

    def below(self, limit):
        return int(self.random() * limit)

    def base(self):
        """A new document as a list of words."""
        text, words, draw, places = [], self.words, self.random, len(self.words) - RUN + 1
        length = LEAST_WORDS + self.below(MOST_WORDS - LEAST_WORDS + 1)
        while len(text) < length:
            start = int(draw() * places)
            text += words[start:start + 1 + int(draw() * RUN)]
        return text[:length]

    def rate(self):
        """Similarities are spread evenly from .2 to 1."""
        step = self.below(len(RATES) - 1)
        return RATES[step] + (RATES[step + 1] - RATES[step]) * self.random()

    def mutated(self, text, rate):
        """So many words changed: half of them replaced, a quarter deleted, before a quarter a word inserted."""
        places = sorted({self.below(len(text)) for _ in range(int(rate * len(text) + 0.5))})
        made, last = [], 0
        for place in places:
            made += text[last:place]
            how = self.below(4)
            if how < 3:
                made.append(self.words[self.below(len(self.words))])
            last = place if how == 2 else place + 1
        return made + text[last:]

    def cluster(self):
        """The documents of a cluster as text; the first is new."""
        size = self.sizes[bisect.bisect(self.sums, self.random() * self.sums[-1])]
        first = self.base()
        yield ' '.join(first)
        for _ in range(size - 1):
            copy = self.random() < COPIES
            yield ' '.join(first if copy else self.mutated(first, self.rate()))

    def clusters(self):
        while True:
            yield from self.cluster()


def lines(words, count, seed=1):
    """JSON lines of `count` documents."""
    writer = Writer(words, seed)
    window, number = [], 0
    for text in itertools.islice(writer.clusters(), count):
        if len(window) < WINDOW:
            window.append(text)
            continue
        place = writer.below(WINDOW)
        window[place], text = text, window[place]
        yield '{"id":"d%08d","text":"%s"}\n' % (number, text)
        number += 1
    while window:
        place = writer.below(len(window))
        window[place], window[-1] = window[-1], window[place]
        yield '{"id":"d%08d","text":"%s"}\n' % (number, window.pop())
        number += 1


def write(path, words, count, seed=1):
    with open(path, 'w', encoding='ascii', buffering=1 << 20) as file:
        file.writelines(lines(words, count, seed))
