"""docs/benchmarks-complete.md, its plots and its numbers from the results of bench_complete.py. The same results, the
same bytes."""
import json

import mutations
from measurement.bars import bar_chart
from measurement.page_text import megabytes, number, share, stage_words, table, thread_words, write_files

PAGE, NUMBERS, PLOTS = 'benchmarks-complete.md', 'benchmarks-complete.json', 'benchmarks-complete'
NAMES = {'complete': 'complete', 'minhash': 'MinHash'}
USUAL = 0.8  # the threshold that twinset takes by itself; plots of memory show it
MEASURES = (('seconds', 'time'), ('cpu_seconds', 'processor time'), ('peak_bytes', 'memory'))


def cell_of(size, threshold, memory, method):
    """None where it has no answer."""
    return next((c for c in size['cells'] if (c['threshold'], c['memory'], c['method']) == (threshold, memory, method)
                 and 'error' not in c), None)


def both(size, threshold, memory):
    """The cells of the complete join and of MinHash, or None where one of them is missing."""
    cells = [cell_of(size, threshold, memory, method) for method in NAMES]
    return None if None in cells else cells


def ratio(size, threshold, memory, key):
    cells = both(size, threshold, memory)
    return cells[0][key] / cells[1][key] if cells else None


def count(documents):
    return '{:,}'.format(documents)


# ---- ratios ----------------------------------------------------------------------

def ratio_words(size, settings, threshold):
    """Ratios of time with each memory."""
    found = [ratio(size, threshold, memory, 'seconds') for memory in settings['memory']]
    return ['' if value is None else number(value) for value in found]


def ratio_lines(results):
    """The ratios of time, for people who watch the run."""
    settings = results['settings']
    yield 'complete / MinHash, seconds, with memory %s' % ', '.join(settings['memory'])
    for size in results['sizes']:
        for threshold in settings['thresholds']:
            yield '%9d documents, threshold %-4g  %s' % (
                size['documents'], threshold, '  '.join(ratio_words(size, settings, threshold)))


def extremes(results, size):
    """Sentences on where MinHash takes less and where more, with the first budget."""
    memory, lines = results['settings']['memory'][0], []
    for key, name in MEASURES:
        found = [(ratio(size, t, memory, key), t) for t in results['settings']['thresholds']]
        found = sorted(pair for pair in found if pair[0] is not None)
        if not found:
            continue
        less = [pair for pair in found if pair[0] > 1]
        said = 'MinHash takes less %s at %s' % (name, ', '.join('%g' % t for _, t in sorted(
            less, key=lambda pair: pair[1]))) if less else 'MinHash takes less %s nowhere' % name
        lines.append('%s; the complete join takes %s times as much at %g and %s times at %g' % (
            said, number(found[0][0]), found[0][1], number(found[-1][0]), found[-1][1]))
    return lines + list(budget_losses(results, size))


def budget_losses(results, size):
    """Where MinHash takes less time with a budget, and how much less at most."""
    for memory in results['settings']['memory'][1:]:
        found = [(ratio(size, t, memory, 'seconds'), t) for t in results['settings']['thresholds']]
        worst = max((pair for pair in found if pair[0] is not None), default=(0, 0))
        if worst[0] > 1:
            yield 'With %s the complete join takes up to %s times as long, at %g' % (memory, number(worst[0]), worst[1])


def where_minhash_wins(results):
    lines = ['## Where MinHash takes less', '',
             'Without a budget, by threshold, the least and the largest ratio of the complete join to MinHash; with one, the largest '
             'ratio of time:', '']
    for size in results['sizes']:
        found = extremes(results, size)
        lines += ['- **%s documents**: %s.' % (count(size['documents']), '. '.join(found))] if found else []
    return lines + ['']


def ratio_section(results):
    settings = results['settings']
    lines = ['## Complete beside MinHash', '', 'Seconds of the complete join as a multiple of those of MinHash:', '']
    head = ['documents', 'memory', *('%g' % t for t in settings['thresholds'])]
    for key, name in MEASURES:
        if key != 'seconds':
            lines += ['The same of %s:' % name, '']
        rows = []
        for size in results['sizes']:
            for memory in settings['memory']:
                found = [ratio(size, t, memory, key) for t in settings['thresholds']]
                if not any(found):
                    continue
                rows.append([count(size['documents']), memory, *('' if v is None else number(v) for v in found)])
        lines += table(head, rows)
    return lines


# ---- growth ----------------------------------------------------------------------

def growth_section(results):
    rows = [['%g' % e['threshold'], e['memory'], NAMES[e['method']], count(e['largest']),
             *('%.2f' % e[key] for key, _ in MEASURES)] for e in results['exponents']]
    first = count(results['settings']['from'])
    if not rows:
        return ['## Growth', '', 'Nothing is said of growth: fewer than two corpora from %s documents on were measured. '
                'A power of the number of documents needs `bench/bench_complete.py build --largest 1000000` or more.' % first, '']
    return ['## Growth', '', 'Time and memory grow with this power of the number of documents, by least squares over '
            'the logarithms from %s documents on; 1 is linear:' % first, '',
            *table(['threshold', 'memory', 'method', 'up to', *(name for _, name in MEASURES)], rows)]


# ---- one size --------------------------------------------------------------------

def result_rows(size):
    for cell in size['cells']:
        start = ['%g' % cell['threshold'], cell['memory'], NAMES[cell['method']]]
        if 'error' in cell:
            yield [*start, 'no answer: ' + cell['error'].replace('|', '/'), *[''] * 6]
            continue
        own = cell_of(size, cell['threshold'], cell['memory'], 'complete')
        recall = share(cell['accepted'] / own['accepted']) if own and own['accepted'] else ''
        yield [*start, number(cell['seconds']), number(cell['cpu_seconds']), megabytes(cell['peak_bytes']),
               megabytes(cell['written_bytes']), count(cell['candidates']), count(cell['accepted']), recall]


def stage_rows(results, size):
    for cell in size['cells']:
        if cell['memory'] == results['settings']['memory'][0] and 'error' not in cell:
            yield ['%g' % cell['threshold'], NAMES[cell['method']], stage_words(cell['stages'])]


def check_words(size):
    if not size['checks']:
        return 'All pairs were not listed here, only counted.'
    return 'All pairs, also those of copies, were listed and compared: %s. %s.' % (
        '; '.join('at %g %s pairs, of which MinHash finds %s' % (
            c['threshold'], count(c['complete']), count(c['minhash'])) for c in size['checks']),
        'Each pair of MinHash is among them with the same similarity' if not any(c['strange'] for c in size['checks']) else
        '**Pairs of MinHash are not among them**')


def size_section(results, size):
    own = size.get('commit', results['machine']['commit'])
    commit = '' if own == results['machine']['commit'] else ' Measured with commit %s.' % own
    lines = ['## %s documents' % count(size['documents']), '',
             '%s MB.%s %s' % (megabytes(size['bytes']), commit, check_words(size)), '']
    lines += table(['threshold', 'memory', 'method', 'seconds', 'processor s', 'MB', 'MB written', 'verified', 'pairs',
                    'recall'], result_rows(size))
    stages = list(stage_rows(results, size))
    if stages:
        lines += ['Seconds of each stage, memory %s:' % results['settings']['memory'][0], '',
                  *table(['threshold', 'method', 'stages'], stages)]
    return lines


# ---- plots -----------------------------------------------------------------------

def plots(results):
    """{file name: SVG}."""
    settings = results['settings']
    memory = settings['memory'][0]
    usual = USUAL if USUAL in settings['thresholds'] else settings['thresholds'][0]

    def values(size, threshold, budget, key, scale):
        cells = [cell_of(size, threshold, budget, method) for method in NAMES]
        return tuple(cell and cell[key] / scale for cell in cells)
    by_threshold = [(size, t, memory, '%s, %g' % (count(size['documents']), t))
                    for size in results['sizes'] for t in settings['thresholds']]
    by_memory = [(size, usual, m, '%s, %s' % (count(size['documents']), m))
                 for size in results['sizes'] for m in settings['memory']]
    series = tuple(NAMES.values())

    def chart(title, cells, key, scale):
        bars = [(label, False, values(size, t, m, key, scale)) for size, t, m, label in cells]
        return bar_chart(title + ' (logarithmic)', series, [bar for bar in bars if any(bar[2])])
    return {'time.svg': chart('Seconds by documents and threshold', by_threshold, 'seconds', 1),
            'memory.svg': chart('Peak memory in MB by documents and budget, threshold %g' % usual, by_memory, 'peak_bytes', 1e6),
            'budget.svg': chart('Seconds by documents and budget, threshold %g' % usual, by_memory, 'seconds', 1)}


# ---- the page --------------------------------------------------------------------

HOW = '''## How it is measured

`twinset dedup` by the complete join and then by `--method minhash`, the same flags otherwise: `--action
report`, which writes no corpus, and `--threads {threads}`. The two take turns: medians of {runs}
runs, of one where a run takes {long} s or more. *Memory* is `--memory`; unlimited means without it, when twinset takes up
to 60 % of what is free. *MB* is the peak of resident memory; maps of work files count in it. *MB written* are pages made
for the disk, work files included. *Verified* are the pairs whose similarity was computed; *pairs* those at the threshold, of documents that are
not copies; *recall* is their share. A run of more than {limit} s is stopped, and not tried with more documents.

The pairs of a method must be the same, byte for byte, in any memory. Up to {check} documents all pairs of both
methods, also those of copies, are listed once more and compared. A wrong answer is a failure of the benchmark.

## The corpora

Made by `bench/complete_join/mutations.py` from {words} words of {texts}, seed {seed}. A document that is not a mutation has
{least} to {most} words: runs of 1 to {run} words, each from a random place of the text. A fifth of its shingles therefore stand
in the text, and the more documents there are, the more of them share such a shingle; the others are nearly always its
own. What real pages have beyond that, as texts of one site in one frame, is not in these corpora.

Clusters have the sizes of those among the {judged} documents that were judged in the TREC Web Tracks 2009 to 2011
(near-duplicate groups of Fröbe et al., SIGIR 2020): of {clusters} clusters {alone} have one document, {two} two, {three}
three, {more} more, the largest {largest}. The largest does not grow with the corpus: what grows is the number of clusters. The
others of a cluster are made from its first document: one in five is a copy, the rest have words replaced, deleted and
inserted so that the similarities to the first are spread evenly from .2 to 1. Clusters are spread over windows of {window}
documents.

`make bench-complete` repeats this, up to `LARGEST=...` documents; with `PAGE=1` it writes this page, its plots and
`docs/benchmarks-complete.json`.
'''


def how(settings):
    table_of_sizes = mutations.CLUSTERS_OF_SIZE
    return HOW.format(
        threads=settings['threads'], runs=settings['runs'], long=settings['long_seconds'],
        limit=settings['limit_seconds'], check=count(settings['check']), words=count(settings['words']), texts=settings['texts'], seed=settings['seed'],
        least=mutations.LEAST_WORDS, most=mutations.MOST_WORDS, run=mutations.RUN,
        judged=count(sum(size * number_of for size, number_of in table_of_sizes.items())),
        clusters=count(sum(table_of_sizes.values())), alone=count(table_of_sizes[1]), two=count(table_of_sizes[2]),
        three=table_of_sizes[3], more=sum(v for k, v in table_of_sizes.items() if k > 3), largest=max(table_of_sizes),
        window=count(mutations.WINDOW))


def render(results):
    machine = results['machine']
    lines = ['# The complete join as the corpus grows', '',
             'Made by `make bench-complete` from its measurements; not edited by hand. {date}, {processor}, {threads} '
             'threads, {memory:.0f} GB, {system}; {twinset}, commit {commit}; runs use {used}. The load of the machine was '
             '{load_before:.1f} before and {load_after:.1f} after; far above {used_number} it had other work to do, and '
             'ratios of processor time say more than seconds.'.format(
                 memory=machine['memory_bytes'] / 2**30, used=thread_words(results['settings']['threads']),
                 used_number=results['settings']['threads'], **machine), '',
             *where_minhash_wins(results)]
    for name, about in (('time', 'seconds by documents and threshold'), ('memory', 'peak memory by documents and budget'),
                        ('budget', 'seconds by documents and budget')):
        lines += ['![%s](%s/%s.svg)' % (about, PLOTS, name), '']
    lines += ratio_section(results) + growth_section(results)
    for size in results['sizes']:
        lines += size_section(results, size)
    return '\n'.join(lines) + '\n' + how(results['settings'])


def files(results):
    """{path below docs/: text} of everything that is written."""
    return {PAGE: render(results), NUMBERS: json.dumps(results, indent=1) + '\n',
            **{'%s/%s' % (PLOTS, name): svg for name, svg in plots(results).items()}}


def write(results, docs):
    write_files(files(results), PLOTS, docs)
