#!/usr/bin/env python3
"""What else could grade a pair: bench/bench_grade.py BUILD_DIR

The labelled pairs of the shared data (TWINSET_SHARED_DATA or ../shared/data beside the checkout; without
it nothing is measured). Every one, two and three of the features below make a logistic regression with
weights >= 0, fitted to all labelled corpora but one, and order the pairs of that one. Printed is by how
much that order is better than Jaccard's: the difference of the areas under the ROC curve with its 95 %
interval (paired bootstrap over pairs), as a Markdown table, and how many of all these models are better
on every corpus. docs/methods/grade.md shows it, which is checked. The same output every time.
"""
import argparse
import collections
import importlib.machinery
import importlib.util
import itertools
import math
import os
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / 'docs/methods/grade.md'
DATA = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA') or ROOT.parent / 'shared/data').resolve()
LOADER = importlib.machinery.SourceFileLoader('fit_grade', str(ROOT / 'training/fit_grade'))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader('fit_grade', LOADER))
LOADER.exec_module(tool)

RIDGE = 1           # on features of unit variance
MOST_FEATURES = 3   # of one model
RARE = 3            # texts of the labelled pairs that a rare word is in, at most
SHINGLES = ('word:1', 'word:2', 'word:3', 'word:5', 'word:8', 'char:9')
SMALL_CHANGES = ('none', 'punctuation or case only', 'digits only', 'scattered words')
# Sets of more features: overlaps and lengths, and what is best by itself in some corpus.
SETS = (('jaccard word:5', 'smaller containment word:5', 'larger containment word:5', 'jaccard word:8',
         'length ratio', 'close length'),
        ('jaccard word:8', 'smaller containment word:2', 'edit similarity', 'few common runs'))


def words(text):
    return frozenset(re.findall(r'\w+', text.lower()))


def rarities(rows):
    """{pair: Jaccard of the rare words}; 1 where neither text has any."""
    texts = {text for row in rows for text in (row['text_a'], row['text_b'])}
    count = collections.Counter(word for text in texts for word in words(text))
    found = {}
    for row in rows:
        a, b = ({word for word in words(row['text_' + side]) if count[word] <= RARE} for side in 'ab')
        found[row['pair']] = len(a & b) / len(a | b) if a | b else 1.0
    return found


def features_of(seen, rare):
    """{name: value} of one pair, each larger for more alike documents. `seen` is by kind of shingle."""
    found = {'rare words': rare}
    for shingle in SHINGLES:
        found['jaccard ' + shingle] = seen[shingle]['jaccard']
    for shingle in ('word:1', 'word:2', 'word:5'):
        both = seen[shingle]['containment_ab'], seen[shingle]['containment_ba']
        found['smaller containment ' + shingle] = min(both)
    found['larger containment word:5'] = max(both)
    pair = seen['word:5']
    runs = [(run['in'], run['tokens']) for run in pair['diff']]
    common = [tokens for where, tokens in runs if where == 'both']
    apart = [tokens for where, tokens in runs if where != 'both']
    lengths = [sum(tokens for where, tokens in runs if where in ('both', side)) for side in 'ab']
    longer, ratio = max(lengths), min(lengths) / max(lengths)
    found.update({
        'edit similarity': pair['edit'],
        'length ratio': ratio,
        'close length': max(0.0, 5 * ratio - 4),
        'long texts': math.log(longer),
        'longest common run': max(common, default=0) / longer,
        'few common runs': -math.log(1 + len(common)),
        'no large change': -max(apart, default=0) / longer,
        'few words changed': -math.log(1 + sum(apart)),
        'difference has a kind': float(pair['difference'] not in ('mixed', 'reordering')),
        'small changes': float(pair['kind_of_difference'] in SMALL_CHANGES),
    })
    return found


def measured_pairs(program):
    """The labelled pairs, each with its features."""
    rows = list(tool.labelled_rows(DATA))
    rare = rarities(rows)
    runs = {shingle: tool.pairs_seen(program, rows, ['--shingle', shingle]) for shingle in SHINGLES}
    pairs = runs['word:5']
    for k, pair in enumerate(pairs):
        pair.values = features_of({shingle: runs[shingle][k].seen for shingle in SHINGLES}, rare[pair.id])
    return pairs


def held_out(pairs, names):
    """{corpus: its graded pairs (probability, near, J) by a model of the others}"""
    found = {}
    for corpus, (own, others) in tool.by_corpus(pairs).items():
        scales = [(statistics.mean(column), statistics.pstdev(column) or 1.0)
                  for column in ([p.values[name] for p in others] for name in names)]

        def inputs(pair):
            return [1.0] + [(pair.values[name] - mean) / width for name, (mean, width) in zip(names, scales)]
        weights = tool.fit([inputs(p) for p in others], [float(p.near) for p in others], RIDGE)
        found[corpus] = [(tool.logistic(sum(w * x for w, x in zip(weights, inputs(p)))), p.near, p.jaccard)
                         for p in own]
    return found


def judged(held):
    """(the least lower bound of the intervals, a cell for each corpus)"""
    bounds = [(tool.gain(own), *tool.interval(own, tool.gain)) for own in held.values()]
    return min(low for _, low, _ in bounds), ['%s [%s, %s]' % tuple(map(tool.signed, row)) for row in bounds]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    if not (DATA / 'pairs').exists():
        print('SKIPPED (no shared data): pairs')
        return
    pairs = measured_pairs(build / 'twinset')
    names = list(pairs[0].values)
    models = {chosen: held_out(pairs, chosen) for count in range(1, MOST_FEATURES + 1)
              for chosen in itertools.combinations(names, count)}
    ahead = {chosen: min(tool.gain(own) for own in held.values()) for chosen, held in models.items()}
    better = sorted((chosen for chosen in models if ahead[chosen] > 0), key=lambda chosen: (-ahead[chosen], chosen))
    shown = [(name,) for name in names] + list(better[:3]) + list(SETS)
    rows = []
    for chosen in shown:
        held = models.get(chosen) or held_out(pairs, chosen)
        loss = tool.log_loss([row for own in held.values() for row in own])
        rows.append([', '.join(chosen), *judged(held)[1], '%.3f' % loss])
    certain = [chosen for chosen in better if judged(models[chosen])[0] > 0]
    lines = tool.table(['better than Jaccard by', *tool.by_corpus(pairs), 'log loss'], rows) + [
        '%d models of up to %d of %d features: %d ahead on every corpus held out, %d of them with every interval above 0'
        % (len(models), MOST_FEATURES, len(names), len(better), len(certain))]
    lines += ['every interval above 0: ' + ', '.join(chosen) for chosen in certain]
    print('\n'.join(lines))
    page = PAGE.read_text(encoding='utf-8')
    if not all(line in page for line in lines):
        sys.exit('bench_grade: %s says something else' % PAGE.relative_to(ROOT))


if __name__ == '__main__':
    main()
