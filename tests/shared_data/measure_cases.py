"""Measures of token sequences on real pages: exactly the pairs of the definition."""
import collections
import json

from corpora import say
from measured import require

THRESHOLD = .8


def edit_distance(a, b):
    """Levenshtein in columns of bits, one big number a column (Myers 1999; Hyyro 2003)."""
    places = collections.defaultdict(int)
    for k, token in enumerate(a):
        places[token] |= 1 << k
    full, top = (1 << len(a)) - 1, 1 << (len(a) - 1)
    up, down, distance = full, 0, len(a)
    for token in b:
        match = places.get(token, 0)
        zero = (((match & up) + up) ^ up) | match | down
        right_up = down | (full & ~(zero | up))
        right_down = up & zero
        distance += bool(right_up & top) - bool(right_down & top)
        right_up = (right_up << 1 | 1) & full
        right_down = right_down << 1 & full
        up = right_down | (full & ~(zero | right_up))
        down = right_up & zero
    return distance


def numbered(tokens):
    """A bag as a set: each occurrence of a token is an element of its own."""
    seen = collections.Counter()
    elements = set()
    for token in tokens:
        elements.add((token, seen[token]))
        seen[token] += 1
    return frozenset(elements)


def pairs_of(groups, measure):
    """Pairs of ids whose score reaches the threshold; pages with equal tokens are scored once."""
    pairs = {}
    order = sorted(groups, key=len)
    bags = [numbered(tokens) for tokens in order]
    for k, longer in enumerate(order):
        ids = groups[longer]
        pairs.update({tuple(sorted((a, b))): 1.0 for a in ids for b in ids if a < b})
        for other in range(k - 1, -1, -1):
            if len(order[other]) < THRESHOLD * len(longer):
                break
            # What changes no token into another place cannot keep more of them than are in both.
            if len(bags[other] & bags[k]) < THRESHOLD * len(longer):
                continue
            score = measure(order[other], longer)
            if score >= THRESHOLD:
                pairs.update({tuple(sorted((a, b))): score for a in ids for b in groups[order[other]]})
    return pairs


def edit(a, b):
    return (len(b) - edit_distance(a, b)) / len(b)


def hamming(a, b):
    return sum(x == y for x, y in zip(a, b)) / len(b) if len(a) == len(b) else 0


def sequences(words, count, place):
    """Edit and Hamming similarity of `count` pages, every pair at the threshold."""
    with open(words(), encoding='utf-8') as rows:
        pages = [json.loads(row) for row in rows][:count]
    require(len(pages) == count)
    groups = collections.defaultdict(list)
    for page in pages:
        if page['text']:
            groups[tuple(page['text'].split())].append(page['id'])
    with open(place.folder / 'pages.jsonl', 'w', encoding='utf-8') as file:
        file.writelines(json.dumps(page) + '\n' for page in pages)
    for name, measure in (('edit', edit), ('hamming', hamming)):
        wanted = pairs_of(groups, measure)
        place.run('dedup', 'pages.jsonl', '--measure', name, '--threshold', THRESHOLD,
                  '--tokens', 'whitespace', '--pairs', 'all', '--quiet', '--out', name).ended(0)
        found = {tuple(sorted((row['a'], row['b']))): row['similarity']
                 for row in place.rows('pairs.jsonl', name)}
        require(found.keys() == wanted.keys(), name, 'missed', sorted(wanted.keys() - found.keys())[:3],
                'invented', sorted(found.keys() - wanted.keys())[:3])
        require(all(abs(found[pair] - wanted[pair]) < 1e-12 for pair in wanted), name, 'scores differ')
        say(f'{name} >= {THRESHOLD}: {len(found)} pairs of {count} pages, none missed, none false')
