"""Pairs of real documents: the score given with them, their grade, their kinds."""
import collections
import concurrent.futures
import gzip
import importlib.machinery
import importlib.util
import json

from corpora import BOOST, DATA, GUIDES, LABELLED, POSTGRESQL, ROOT, same_url_pairs, say
from measured import require


def labelled_pairs():
    for name in LABELLED:
        with gzip.open(DATA / name, 'rt', encoding='utf-8') as rows:
            yield from map(json.loads, rows)


def prepared(row, side):
    """The text of which the score was computed: words separated by white space."""
    return row.get('prep_' + side, row['text_' + side])


def given_s3(place):
    """The score that came with each labelled pair, to its last bit, all in one run."""
    given, sizes = {}, 0
    with open(place.path('pairs.jsonl'), 'w', encoding='utf-8') as rows:
        for row in labelled_pairs():
            given[row['pair']] = row['s3_word8']
            if 'common' in row:
                mean = (row['chunks_a'] + row['chunks_b']) / 2
                require(row['common'] / mean == row['s3_word8'], row['pair'])
                sizes += 1
            for side in 'ab':
                rows.write(json.dumps({'id': '%s %s' % (row['pair'], side), 'pair': row['pair'],
                                       'text': prepared(row, side)}) + '\n')
    require(len(given) == 360 and sizes == 118, len(given), 'pairs', sizes, 'with their sizes')
    place.dedup('pairs.jsonl', '--within', 'pair', '--tokens', 'whitespace', '--shingle', 'word:8',
                '--measure', 's3', '--threshold', '0.01', '--pairs', 'all').ended(0)
    found = {}
    for row in place.rows('pairs.jsonl'):
        pair = row['a'][:-2]
        require(row['b'][:-2] == pair and pair not in found, row)
        found[pair] = row['similarity']
    wrong = [(pair, found.get(pair), s3) for pair, s3 in given.items() if found.get(pair) != s3]
    require(not wrong, len(wrong), 'of 360 differ:', wrong[:3])
    say('360 of 360 scores, each the same number; from %.3f to %.3f' % (min(given.values()), max(given.values())))
    for row in [row for row in labelled_pairs() if 'common' in row][::12]:
        for side in 'ab':
            place.write(side + '.txt', prepared(row, side).encode())
        run = place.run('explain', '--json', '--tokens', 'whitespace', '--shingle', 'word:8', 'a.txt', 'b.txt')
        seen = json.loads(run.ended(0).stdout)
        require((seen['shingles_a'], seen['shingles_b'], seen['common'], seen['s3'])
                == (row['chunks_a'], row['chunks_b'], row['common'], row['s3_word8']), row['pair'])


def grade_of_labelled_pairs(place):
    """The committed curve is what the fit gives, the page shows what the tool prints, and the curve carries over."""
    loader = importlib.machinery.SourceFileLoader('fit_grade', str(ROOT / 'training/fit_grade'))
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader('fit_grade', loader))
    loader.exec_module(tool)
    pairs = tool.pairs_seen(place.program, tool.labelled_rows(DATA))
    held = tool.held_out(pairs, tool.chosen_curve)
    require({corpus: len(own) for corpus, own in held.items()} == {'terabyte': 118, 'cw09': 103, 'cc1511': 110},
            {corpus: len(own) for corpus, own in held.items()})
    require(tool.fitted_model(pairs) == tool.MODEL.read_text(encoding='utf-8'),
            'the curve is not that of training/fit_grade --write')
    # The program's grade, made here once more.
    curve = tool.chosen_curve(pairs)
    wrong = [(p.id, p.probability) for p in pairs if tool.per_mille(curve, p) != round(1000 * p.probability)]
    require(not wrong, len(wrong), 'grades differ:', wrong[:3])
    require(max(p.probability for p in pairs if not p.equal) <= min(p.probability for p in pairs if p.equal) == .999)
    printed = tool.report(pairs)
    say(printed)
    page = (ROOT / 'docs/methods/grade.md').read_text(encoding='utf-8')
    missing = [line for line in printed.splitlines()
               if line and line not in page]
    kinds = (ROOT / 'docs/methods/kinds.md').read_text(encoding='utf-8')
    missing = [line for line in missing if line not in kinds]
    require(not missing, 'printed by training/fit_grade --report, but on no page:', missing)
    for corpus, own in held.items():
        share = sum(row[1] for row in own) / len(own)
        knows_share = [(share, near, j) for _, near, j in own]
        require(abs(tool.gain(own)) < .001, corpus, 'is not ordered as by Jaccard:', tool.gain(own))
        require(tool.log_loss(own) < tool.log_loss(knows_share) - .1, corpus, tool.log_loss(own))
        require(tool.calibration_error(own) < .25, corpus, 'calibration error', tool.calibration_error(own))
    everything = [row for own in held.values() for row in own]
    require(tool.calibration_error(everything) < .1, 'calibration error', tool.calibration_error(everything))


KINDS = ('exact duplicate', 'content duplicate', 'layout duplicate', 'partial duplicate', 'visual only',
         'different')


def every(step, pairs):
    return list(pairs)[::step]


def kinds_of_pages(pages, step, place):
    """What kinds of duplicates real pages are of each other, of one pair in `step` of those of docs/methods/kinds.md."""
    boost, guide, manual = pages(BOOST), pages(GUIDES), pages(POSTGRESQL)
    english = sorted((guide / 'installation-guide-amd64').rglob('en/*.html'))
    translated = [(page, page.parent.parent / language / page.name) for page in english
                  for language in ('de', 'fr', 'ja', 'ru', 'zh_CN')]
    one_site = sorted(manual.rglob('*.html'))
    other_site = sorted((boost / 'libboost1.74-doc').rglob('*.html'))
    groups = [
        ('one URL, two releases (Boost)',
         [(boost / a, boost / b) for a, b in every(30, same_url_pairs('libboost'))]),
        ('one URL, two architectures (guides)',
         [(guide / a, guide / b) for a, b in every(15, same_url_pairs('installation-guide'))]),
        ('one page, two languages (guides)', every(4, translated)),
        ('two pages of one manual (PostgreSQL)', list(zip(one_site[::11], one_site[5::11]))),
        ('two manuals (Boost, PostgreSQL)', list(zip(other_site[::50], one_site[::15]))),
    ]
    counts = {}
    for name, pairs in groups:
        pairs = [pair for pair in pairs if all(page.exists() for page in pair)][::step]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(lambda pair: place.run('explain', '--json', *pair), pairs))
        counts[name] = collections.Counter(json.loads(run.ended(0).stdout)['duplicate_kind'] for run in runs)
    say('| pairs | ' + ' | '.join(KINDS) + ' |')
    for name, count in counts.items():
        say('| %s | %s |' % (name, ' | '.join(str(count[kind]) for kind in KINDS)))

    def share(name, *kinds):
        return sum(counts[name][kind] for kind in kinds) / sum(counts[name].values())
    releases, architectures, languages, manual, manuals = counts
    require(share(releases, *KINDS[:4]) > .95 and share(releases, 'exact duplicate') > .85, counts[releases])
    require(share(architectures, *KINDS[:4]) > .8, counts[architectures])
    # The rest is left in English, whole or in part.
    require(share(languages, 'visual only') > .9 and share(languages, *KINDS[:4]) < .1, counts[languages])
    require(share(manual, *KINDS[:4]) == 0, counts[manual])
    require(share(manuals, 'different') == 1, counts[manuals])
