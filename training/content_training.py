"""Pages of the three sets as labelled blocks: the part of training/train_content that reads.

A page whose whole main text is known gives a label to every block: main content if at least half of
its words are there. A page of which pieces are known labels the blocks that hold the pieces.
"""
import collections
import html
import json
import pathlib
import subprocess
import tempfile

import content_sets

Blocks = collections.namedtuple('Blocks', 'texts rows labels weights')


def read_blocks(program, pages):
    """(feature names, [(texts, rows, row of the page, chosen)]): what content_features says of each
    page; the names under `blocks` and `page`. chosen: number of the forest, scores (1/1000) and kept, by
    the models that are compiled in."""
    names = json.loads(subprocess.run([program, '--names'], check=True, capture_output=True).stdout)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, page in enumerate(pages):
            path = pathlib.Path(folder) / ('%d.html' % i)
            path.write_bytes(page.data)
            paths.append(str(path))
        run = subprocess.run([program], check=True, capture_output=True, input='\n'.join(paths).encode())
    blocks = []
    for line in run.stdout.splitlines():
        found = json.loads(line)
        rows = found['blocks']
        blocks.append(([' '.join(html.unescape(t).split()) for t, _ in rows], [r for _, r in rows], found['page'],
                       (found['forest'], found['scores'], found['kept'])))
    return names, blocks


def label_by_gold(texts, gold):
    """0 or 1 for each block: at least half of its shingles are in the gold text; a block of fewer
    words than a shingle: it is a line of the gold text, or continues it there."""
    left = content_sets.shingles(gold)
    known = set(left)
    tokens = [content_sets.TOKEN.findall(t) for t in texts]
    lines = collections.Counter(tuple(content_sets.TOKEN.findall(line)) for line in gold.split('\n'))
    labels = []
    for words in tokens:
        if len(words) >= 4:
            own = [tuple(words[i:i + 4]) for i in range(len(words) - 3)]
            labels.append(int(2 * sum(s in known for s in own) >= len(own)))
        else:
            labels.append(int(bool(words) and tuple(words) in lines))
    for i, words in enumerate(tokens):
        if not 0 < len(words) < 4 or labels[i]:
            continue
        before = tokens[i - 1][-2:] if i and labels[i - 1] else []
        behind = tokens[i + 1][:2] if i + 1 < len(tokens) and labels[i + 1] else []
        run = before + words + behind
        if (before or behind) and len(run) >= 4:
            labels[i] = int(all(tuple(run[k:k + 4]) in known for k in range(len(run) - 3)))
    # Of blocks with the same text as many count as the gold text has, those with the most main
    # content around them first.
    same = collections.defaultdict(list)
    for i, words in enumerate(tokens):
        if labels[i]:
            same[tuple(words)].append(i)
    for words, places in same.items():
        room = max(1, left[words[:4]] if len(words) >= 4 else lines[words])
        if len(places) > room:
            def around(i):
                return -sum(len(tokens[k]) * labels[k] for k in range(max(0, i - 4), min(len(tokens), i + 5)))
            for i in sorted(places, key=lambda i: (around(i), i))[room:]:
                labels[i] = 0
    return labels


def label_by_segments(texts, must, must_not):
    """1, 0 or None (nothing known) for each block."""
    joined, spans = '', []
    for text in texts:
        spans.append((len(joined), len(joined) + len(text)))
        joined += text + ' '
    labels = [None] * len(texts)
    for pieces, label in ((must_not, 0), (must, 1)):
        for piece in pieces:
            piece = content_sets.spaces(piece)
            at = joined.find(piece)
            while at >= 0:
                for i, (begin, end) in enumerate(spans):
                    # The piece must cover a good part of the block or lie in it.
                    common = min(end, at + len(piece)) - max(begin, at)
                    if common > 0 and (2 * common >= end - begin or 2 * common >= len(piece)):
                        labels[i] = label
                at = joined.find(piece, at + 1)
    return labels


def label(page, texts):
    if page.set == 'segments':
        return label_by_segments(texts, page.must, page.must_not)
    return label_by_gold(texts, page.gold)


def weigh(page, texts, labels):
    """Weight of each block in training; those of a page sum to one. A long block counts more than a
    short one, but less than by its words. Where pieces are known the blocks that hold what must be
    there weigh as much as those that hold what must not."""
    if page.set == 'segments':
        counts = collections.Counter(labels)
        return [0.0 if v is None else 0.5 / counts[v] for v in labels]
    sizes = [max(1, len(content_sets.TOKEN.findall(t))) ** 0.5 for t in texts]
    total = sum(sizes)
    return [s / total for s in sizes]


PARAMETERS = {
    'objective': 'binary', 'learning_rate': 0.06, 'max_depth': 4, 'num_leaves': 12, 'min_data_in_leaf': 40,
    'min_sum_hessian_in_leaf': 1, 'lambda_l2': 5, 'feature_fraction': 0.4, 'bagging_fraction': 0.7,
    'bagging_freq': 1, 'seed': 1, 'deterministic': True, 'force_row_wise': True, 'num_threads': 1,
    'verbose': -1,
}
ROUNDS = 150
KIND_PARAMETERS = {
    'objective': 'multiclass', 'num_class': 7, 'learning_rate': 0.15, 'max_depth': 4, 'num_leaves': 10,
    'min_data_in_leaf': 12, 'lambda_l2': 3, 'feature_fraction': 0.4, 'bagging_fraction': 0.7, 'bagging_freq': 1,
    'seed': 1, 'deterministic': True, 'force_row_wise': True, 'num_threads': 1, 'verbose': -1,
}
KIND_ROUNDS = 40

KEEP, LEAST, DOUBT, THIN_WORDS, INDEX_WORDS = 600, 150, 250, 50, 200  # src/stages/text/content/content.cc
SURE, GAP, SMALL_PAGE, FEW_WORDS = 900, 500, 240, 6


def choose(names, rows, likely, confident, decisive, comments):
    """What src/stages/text/content/content.cc keeps, for models that are not compiled in. Pages of less confidence
    than `confident` (1/1000) are unsure; a choice of `decisive` is believed although it is thin;
    `comments` beside a text are no frame."""
    if not len(rows):
        return []
    framed = rows[:, names.index('Framed')] > 0
    if not comments:
        framed |= rows[:, names.index('Commented')] > 0
    kept = decide(names, rows, likely, framed, decisive)
    words = rows[:, names.index('Words')].astype(int)
    if sum(words) < SMALL_PAGE:
        return kept
    sure = confidence(words, framed, likely, kept)
    total = sum(w for w, k in zip(words, kept) if k)
    if sure >= confident or (sure >= decisive and is_thin(words, total) and total >= FEW_WORDS):
        return kept
    return [not f for f in framed] if not framed.all() else [True] * len(rows)


def is_thin(words, total):
    """Whether so many of the words (halves) are too few to be believed."""
    thin = total < THIN_WORDS or (total < INDEX_WORDS and 10 * total < sum(words))
    return thin and not (total and 2 * total >= sum(words))


def confidence(words, framed, likely, kept):
    """F1 that the probabilities promise, in 1/1000."""
    expected = [0 if f else w * int(round(1000 * p)) for w, p, f in zip(words, likely, framed)]
    total = sum(1000 * w for w, k in zip(words, kept) if k) + sum(expected)
    return 2000 * sum(e for e, k in zip(expected, kept) if k) // total if total else 0


def decide(names, rows, likely, framed, decisive):
    """The choice before it is known how sure it is."""
    words = [int(w) for w in rows[:, names.index('Words')]]
    permille = [0 if f else int(round(1000 * p)) for p, f in zip(likely, framed)]

    frame = [names.index(n) for n in FRAME]
    unframed = [p >= KEEP or not (f or row[frame].any()) for p, f, row in zip(permille, framed, rows)]
    if sum(words) < SMALL_PAGE:
        return unframed if sum(w for w, k in zip(words, unframed) if k) else [True] * len(rows)

    def enough(kept):
        return not is_thin(words, sum(w for w, k in zip(words, kept) if k))

    dropped = [(w, p) for w, p in zip(words, permille) if p < KEEP]
    doubt = sum(w * p for w, p in dropped) > DOUBT * sum(w for w, _ in dropped)
    least = LEAST if doubt else KEEP
    between = [GAP <= p and min(before, after) >= SURE
               for before, p, after in zip([0] + permille, permille, permille[1:] + [0])]
    for threshold in (least, LEAST):
        kept = [p >= threshold or gap for p, gap in zip(permille, between)]
        if enough(kept):
            return kept
        if threshold == least and sum(w for w, k in zip(words, kept) if k) >= FEW_WORDS and \
                confidence(words, framed, likely, kept) >= decisive:
            return kept
    return unframed if enough(unframed) else [True] * len(rows)


FRAME = ('tag:nav', 'tag:footer', 'tag:a control', 'mark:an overlay element', 'mark:a navigation element')
