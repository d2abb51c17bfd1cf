"""Pages that differ in what was planted, and chains of revisions, for studies/methods.

Two pages of a planted pair have the same words but for M tokens. Where these stand is what is studied:
timestamp: all in one place; links: one at the end of each of M links, each link with a token of its own;
session: the same, but one token in all links of a page; both: links and a timestamp, M tokens each.
"""
import functools
import json
import math
import random

KINDS = ('timestamp', 'links', 'session', 'both')
TOKENS = (1, 2, 4, 8, 16, 32)
LINK = 'http www example org show'.split()
EDITS = (('replace', 40), ('insert', 25), ('delete', 20), ('move', 10), ('undo', 5))
# Of a wiki: also a word corrected, a change of nothing but markup, and half of a page overwritten, which the next
# revision takes back.
WIKI_EDITS = (('word', 30), ('replace', 10), ('insert', 25), ('delete', 10), ('move', 5), ('undo', 10), ('markup', 6),
              ('vandal', 4))


@functools.lru_cache(maxsize=4)
def texts(corpus, length, count, seed=1):
    """The first `length` words of `count` documents that have so many, drawn at random."""
    with open(corpus, encoding='utf-8') as rows:
        long = [words[:length] for words in (json.loads(row)['text'].split() for row in rows) if len(words) >= length]
    return random.Random(seed).sample(long, min(count, len(long)))


@functools.lru_cache(maxsize=4)
def lists(corpus, length, count, seed=1):
    """Pages of `length` different words of the corpus: directories, tables of names."""
    with open(corpus, encoding='utf-8') as rows:
        words = sorted({word for row in rows for word in json.loads(row)['text'].split()})
    rng = random.Random(seed)
    return [rng.sample(words, length) for _ in range(count)]


PAGES = {'prose': texts, 'list': lists}


def fresh(rng, count):
    return ['%s%d' % (rng.choice('bcdfghjklm'), rng.randrange(10 ** 8)) for _ in range(count)]


def planted(words, kind, tokens, rng):
    """The two pages of a pair."""
    parts = {'timestamp': ('timestamp',), 'both': ('timestamp', 'links')}.get(kind, (kind,))
    pair = []
    for _ in range(2):
        page = list(words)
        for part in parts:
            if part == 'timestamp':
                middle = len(page) // 2
                page[middle:middle] = ['updated', *fresh(rng, tokens)]
                continue
            ids = fresh(rng, 1) * tokens if part == 'session' else fresh(rng, tokens)
            for i in reversed(range(tokens)):
                place = (2 * i + 1) * len(page) // (2 * tokens)
                page[place:place] = [*LINK, ids[i]]
        pair.append(page)
    return pair


def windows(page, n):
    return {tuple(page[i:i + n]) for i in range(max(1, len(page) - n + 1))}


def at_least(p, trials, least):
    return sum(math.comb(trials, i) * p ** i * (1 - p) ** (trials - i) for i in range(least, trials + 1))


def law_of_shingles(pair):
    """Of B: two of six super-shingles of 14 values agree."""
    x, y = (windows(page, 8) for page in pair)
    return at_least((len(x & y) / len(x | y)) ** 14, 6, 2)


def law_of_projection(pair, bits=384, distance=12):
    """Of C: at most `distance` bits differ, each with the share of the angle of the two vectors of words."""
    counts = [{}, {}]
    for count, page in zip(counts, pair):
        for word in page:
            count[word] = count.get(word, 0) + 1
    dot = sum(n * counts[1].get(word, 0) for word, n in counts[0].items())
    norms = [math.sqrt(sum(n * n for n in count.values())) for count in counts]
    differs = math.acos(min(1.0, dot / (norms[0] * norms[1]))) / math.pi
    return at_least(1 - differs, bits, bits - distance)


def revise(revisions, others, rng, edits=EDITS):
    """One more revision of a page, by one edit of a list above."""
    words, edit = list(revisions[-1]), rng.choices([e for e, _ in edits], [w for _, w in edits])[0]
    run = rng.randint(8, 20)
    place = rng.randrange(max(1, len(words) - run))
    if edit == 'replace':
        for _ in range(rng.randint(1, 3)):
            words[rng.randrange(len(words))] = fresh(rng, 1)[0]
    elif edit == 'insert':
        other = rng.choice(others)
        begin = rng.randrange(max(1, len(other) - run))
        words[place:place] = other[begin:begin + run]
    elif edit == 'delete' and len(words) > 4 * run:
        del words[place:place + run]
    elif edit == 'move':
        moved = words[place:place + run]
        del words[place:place + run]
        place = rng.randrange(len(words))
        words[place:place] = moved
    elif edit == 'undo' and len(revisions) > 1:
        words = list(revisions[-2])
    elif edit == 'word':
        words[rng.randrange(len(words))] = fresh(rng, 1)[0]
    elif edit == 'vandal':
        begin = rng.randrange(len(words) // 2)
        words[begin:begin + len(words) // 2] = fresh(rng, len(words) // 2)
    return words


def chain(words, others, length, seed):
    rng, revisions = random.Random(seed), [words]
    while len(revisions) < length:
        revisions.append(revise(revisions, others, rng))
    return revisions


def wiki_chain(words, others, length, seed):
    """Revisions of a page of a wiki, from the first to the newest, which is no vandal's."""
    rng, revisions = random.Random(seed), [words]
    while len(revisions) < length:
        revisions.append(revise(revisions, others, rng, WIKI_EDITS))
        is_vandal = len(set(revisions[-1]) & set(revisions[-2])) < .75 * len(set(revisions[-2]))
        if is_vandal and len(revisions) < length:
            revisions.append(list(revisions[-2]))
        elif is_vandal:
            revisions.pop()
    return revisions
