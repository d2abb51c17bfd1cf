"""Containment search on real pages: what was copied is found, and where."""
import collections
import json
import lzma
import random

from corpora import ARTICLES, DATA, percent, say
from measured import require

SHARES = (.05, .1, .25, .5)  # of the host
EDITS = (0, .05, .1, .2)  # of the copied words


def shingles(words):
    return {tuple(words[k:k + 5]) for k in range(len(words) - 4)} or {tuple(words)}


def rows_of(path):
    with open(path, encoding='utf-8') as rows:
        return [json.loads(row) for row in rows]


def write_rows(path, rows):
    with open(path, 'w', encoding='utf-8') as file:
        for name, text in rows:
            file.write(json.dumps({'id': name, 'text': text}) + '\n')


def matched(place, a, b, threshold, out):
    place.run('match', a, '--against', b, '--measure', 'containment', '--threshold', threshold,
              '--action', 'annotate', '--quiet', '--out', out).ended(0)
    return {(row['a'], row['b']): row['similarity'] for row in place.rows('pairs.jsonl', out)}


def truth(hosts, sources, threshold):
    """Every pair and its containment, by the definition."""
    index = collections.defaultdict(list)
    for name, text in sources:
        for shingle in shingles(text.split()):
            index[shingle].append(name)
    pairs = {}
    for name, text in hosts:
        own = shingles(text.split())
        counts = collections.Counter(source for shingle in own for source in index.get(shingle, ()))
        for source, common in counts.items():
            if common / len(own) >= threshold:
                pairs[name, source] = common / len(own)
    return pairs


def require_equal(found, wanted):
    require(found.keys() == wanted.keys(), 'missed', sorted(wanted.keys() - found.keys())[:3], 'invented',
            sorted(found.keys() - wanted.keys())[:3])
    worst = max((abs(found[pair] - wanted[pair]) for pair in wanted), default=0)
    require(worst < 1e-12, 'similarity off by', worst)


def articles(place):
    """The ten planted articles, each original in one corpus and its copy in the other."""
    with lzma.open(DATA / (ARTICLES + '.train.xz'), 'rt', encoding='utf-8') as lines:
        texts = dict(line.rstrip('\n').partition(' ')[::2] for line in lines)
    planted = [line.split() for line in (DATA / (ARTICLES + '.truth')).read_text().splitlines()]
    suspects = {first for first, _ in planted}
    # Letters and digits only, so that every tokeniser sees the same words.
    plain = {name: ' '.join(''.join(c if c.isascii() and c.isalnum() else ' ' for c in text.lower()).split())
             for name, text in texts.items()}
    hosts = [(name, plain[name]) for name in plain if name in suspects]
    sources = [(name, plain[name]) for name in plain if name not in suspects]
    write_rows(place.path('a.jsonl'), hosts)
    write_rows(place.path('b.jsonl'), sources)
    found = matched(place, 'a.jsonl', 'b.jsonl', .5, 'out')
    require(set(found) == {tuple(pair) for pair in planted}, 'found', sorted(found))
    require_equal(found, truth(hosts, sources, .5))
    covered = collections.Counter()
    for row in place.rows('passages.jsonl', 'out'):
        covered[row['a']] += row['a_end'] - row['a_begin']
    least = min(covered[name] / len(plain[name]) for name, _ in planted)
    say('10 of 10 planted articles at containment .5, no other; passages cover at least %.1f %% of each'
        % (100 * least))
    require(least > .9, 'coverage', least)


def edited(words, rate, seen, rng):
    return [rng.choice(seen) if rng.random() < rate else word for word in words]


def plant(pages, sources, rng):
    """Hosts with a stretch of a source in them: (id, text), and of each where what was put."""
    vocabulary = sorted({word for _, text in sources[:50] for word in text.split()})
    hosts, planted = [], {}
    for number, (name, text) in enumerate(pages):
        share, rate = SHARES[number % 4], EDITS[number // 4 % 4]
        own = text.split()
        length = max(12, round(share * len(own) / (1 - share)))
        source, source_text = rng.choice([s for s in sources if len(s[1].split()) > length] or sources)
        words = source_text.split()
        begin = rng.randrange(max(1, len(words) - length))
        copy = edited(words[begin:begin + length], rate, vocabulary, rng)
        at = rng.randrange(len(own))
        before = ' '.join(own[:at])
        span = (len(before) + bool(before), len(before) + bool(before) + len(' '.join(copy)))
        hosts.append((name, ' '.join(own[:at] + copy + own[at:])))
        planted[name] = (source, share, rate, span)
    return hosts, planted


def pasted(words_of, count, place):
    """Paragraphs of one site pasted into `count` pages of another: all that is there is found."""
    rng = random.Random(7)
    sources = [(row['id'], row['text']) for row in rows_of(words_of('postgresql'))
               if len(row['text'].split()) >= 100]
    pages = [(row['id'], row['text']) for row in rows_of(words_of('boost'))
             if 100 <= len(row['text'].split()) <= 5000]
    hosts, planted = plant(rng.sample(pages, count), sources, rng)
    write_rows(place.path('hosts.jsonl'), hosts)
    write_rows(place.path('sources.jsonl'), sources)
    threshold = .01
    found = matched(place, 'hosts.jsonl', 'sources.jsonl', threshold, 'out')
    wanted = truth(hosts, sources, threshold)
    require_equal(found, wanted)
    passages = collections.defaultdict(list)
    for row in place.rows('passages.jsonl', 'out'):
        passages[row['a'], row['b']].append((row['a_begin'], row['a_end']))
    hits, overlap, total = collections.Counter(), collections.Counter(), collections.Counter()
    for name, (source, share, rate, (begin, end)) in planted.items():
        cell = share, rate
        total[cell] += 1
        hits[cell] += (name, source) in found
        covered = sum(max(0, min(e, end) - max(b, begin)) for b, e in passages[name, source])
        overlap[cell] += covered / (end - begin)
    real = sum(pair in found for pair in ((name, plan[0]) for name, plan in planted.items()))
    say('%d pairs at containment %s: every one that is there and no other; %d of them planted, the others '
        'share text by nature' % (len(found), threshold, real))
    for rate in EDITS:
        say('%2d %% of words changed: ' % (100 * rate) + ', '.join(
            '%d %% of the host: recall %.1f %%, passages cover %.0f %%'
            % (100 * share, percent(hits[share, rate], total[share, rate]),
               percent(overlap[share, rate], total[share, rate])) for share in SHARES))
    # What is missed shares less than the threshold with its source: too few runs of five words survived.
    require(all(hits[share, 0] == total[share, 0] for share in SHARES), 'a clean copy is missed')
    require(all(hits[share, .05] >= .98 * total[share, .05] for share in SHARES), 'a copy with few edits is missed')
    require(all(overlap[share, 0] > .95 * total[share, 0] for share in SHARES), 'passages of clean copies')
    require(all(overlap[share, .1] > .7 * total[share, .1] for share in SHARES if share >= .25),
            'passages of edited copies')
