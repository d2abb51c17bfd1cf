"""What is true of a corpus, and how right an answer is. Documents are row numbers, a pair is (smaller, larger).

Tools answer in four ways, and each is held against what follows from the true pairs for it:

  pairs     by pair, and by document: has it a partner?
  groups    the pairs inside its groups, and by document as above
  similar   flags of documents that have a partner: by document
  removed   flags of documents that are not kept, walking through the rows and keeping each that is like none kept:
            by document, against the same walk over the true pairs
"""
import collections
import random

SHINGLE_WORDS = 5


def ratio(hits, found, wanted):
    """Precision and recall; of nothing found or wanted they are 1, as nothing is wrong or missed."""
    return {'found': found, 'wanted': wanted, 'precision': hits / found if found else 1.0,
            'recall': hits / wanted if wanted else 1.0}


def of_sets(found, wanted):
    return ratio(len(found & wanted), len(found), len(wanted))


def members(pairs):
    return {document for pair in pairs for document in pair}


def not_kept(pairs):
    """The documents that a walk in the order of rows leaves out."""
    earlier = collections.defaultdict(list)
    for a, b in pairs:
        earlier[max(a, b)].append(min(a, b))
    removed = set()
    for document in sorted(earlier):
        if any(other not in removed for other in earlier[document]):
            removed.add(document)
    return removed


def of_groups(group_of, truth):
    """Of the pairs inside groups, which are counted, not listed: a false group may be large."""
    sizes = collections.Counter(group_of.values())
    hits = sum(a in group_of and group_of[a] == group_of.get(b) for a, b in truth)
    return ratio(hits, sum(n * (n - 1) // 2 for n in sizes.values()), len(truth))


def judge(kind, answer, truth):
    """{"pairs": ..., "documents": ...} of an answer of a kind; pairs is None where a tool gives none."""
    if kind == 'pairs':
        return {'pairs': of_sets(answer, truth), 'documents': of_sets(members(answer), members(truth))}
    if kind == 'groups':
        return {'pairs': of_groups(answer, truth), 'documents': of_sets(set(answer), members(truth))}
    if kind == 'similar':
        return {'pairs': None, 'documents': of_sets(answer, members(truth))}
    if kind == 'removed':
        return {'pairs': None, 'documents': of_sets(answer, not_kept(truth))}
    raise ValueError('no kind of answer: ' + kind)


def read_answer(kind, path):
    with open(path, encoding='ascii') as file:
        rows = [tuple(map(int, line.split())) for line in file]
    if kind == 'pairs':
        return {(min(row), max(row)) for row in rows}
    return dict(rows) if kind == 'groups' else {row[0] for row in rows}


def shingle_set(text):
    words = text.split()
    return {tuple(words[i:i + SHINGLE_WORDS]) for i in range(max(1, len(words) - SHINGLE_WORDS + 1))}


def counted_pairs(texts, threshold, sample, seed=1):
    """All pairs of `sample` documents with any other: ({pair: Jaccard}, the sampled rows).

    `texts` is called for a new pass. Every shared shingle is counted; nothing is hashed by us, filtered or bounded.
    """
    count = sum(1 for _ in texts())
    rows = set(random.Random(seed).sample(range(count), min(sample, count)))
    holders, sizes = collections.defaultdict(list), {}
    for row, text in enumerate(texts()):
        if row in rows:
            shingles = shingle_set(text)
            sizes[row] = len(shingles)
            for shingle in shingles:
                holders[shingle].append(row)
    pairs = {}
    for row, text in enumerate(texts()):
        shingles = shingle_set(text)
        common = collections.Counter(holder for shingle in shingles for holder in holders.get(shingle, ()))
        for holder, shared in common.items():
            jaccard = shared / (sizes[holder] + len(shingles) - shared)
            if holder != row and jaccard >= threshold:
                pairs[min(row, holder), max(row, holder)] = jaccard
    return pairs, rows


def differences(truth, counted, rows):
    """What is wrong about {pair: Jaccard} of the program where the counted pairs know: a list of sentences."""
    own = {pair: value for pair, value in truth.items() if pair[0] in rows or pair[1] in rows}
    wrong = ['%d and %d are a pair, but not for the program' % pair for pair in sorted(counted.keys() - own.keys())]
    wrong += ['%d and %d are none, but are for the program' % pair for pair in sorted(own.keys() - counted.keys())]
    wrong += ['%d and %d: %.12f, the program says %.12f' % (*pair, counted[pair], own[pair])
              for pair in sorted(counted.keys() & own.keys()) if abs(counted[pair] - own[pair]) > 1e-9]
    return wrong
