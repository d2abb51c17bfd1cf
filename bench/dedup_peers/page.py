"""docs/benchmarks-peers.md, its plots and its numbers from the results of run.py. The same results, the same bytes."""
import json

from measurement.bars import bar_chart
from measurement.page_text import megabytes, number, share, stage_words, table, thread_words, write_files

PAGE, NUMBERS, PLOTS = 'benchmarks-peers.md', 'benchmarks-peers.json', 'benchmarks-peers'
OURS = 'twinset, '
COMPLETE, MINHASH = 'twinset, complete', 'twinset, MinHash'
# Stages that are over before a library of Python strings is asked for anything.
BEFORE = ('start', 'read', 'shingle')
ANSWERS = {'pairs': 'pairs', 'groups': 'groups', 'similar': 'flags: has a partner', 'removed': 'flags: is not kept'}


def of_label(corpus, label, threads):
    return next((r for r in corpus['results'] if r['label'] == label and r['threads'] == threads and 'error' not in r),
                None)


def lanes(corpus):
    return sorted({r['threads'] for r in corpus['results']})


# ---- where a peer wins -----------------------------------------------------------

def after_shingles(result):
    """Seconds that are not start, reading and shingles; None where a tool does not tell them apart."""
    if not {'read', 'shingle'} <= set(result['stages']):
        return None
    return sum(seconds for name, seconds in result['stages'].items() if name not in BEFORE)


def quality_words(result):
    documents = result['documents']
    return 'precision %s, recall %s' % (share(documents['precision']), share(documents['recall']))


def quoted(peers, figure):
    """The peers in the order of a figure, each with it and with its quality."""
    return '; '.join('%s %s (%s)' % (r['label'], words, quality_words(r))
                     for _, words, r in sorted((figure(r) + (r,) for r in peers), key=lambda x: x[:2]))


def wins_of_lane(corpus, threads):
    """Sentences about peers that beat what twinset does with so many threads."""
    ours = [of_label(corpus, label, threads) for label in (COMPLETE, MINHASH)]
    if None in ours:
        return []
    lane, said = thread_words(threads), []
    peers = [r for r in corpus['results'] if r['threads'] == threads and 'error' not in r
             and not r['label'].startswith(OURS)]

    def both(form):
        return '%s (complete) and %s (MinHash)' % tuple(map(form, ours))

    none = []
    for name, key, form in (('From file to answer', 'seconds', lambda v: number(v) + ' s'),
                            ('Processor time', 'cpu_seconds', lambda v: number(v) + ' s'),
                            ('Memory', 'peak_bytes', lambda v: megabytes(v) + ' MB')):
        found = [r for r in peers if r[key] < max(r[key] for r in ours)]
        if found:
            said.append('**%s**, %s: twinset takes %s; less take %s.' % (
                name, lane, both(lambda r: form(r[key])), quoted(found, lambda r: (r[key], form(r[key])))))
        else:
            none.append(name if not none else name.lower())
    if none:
        said.append('%s, %s: no peer takes less.' % (', '.join(none), lane))
    for measure in ('precision', 'recall'):
        least = min(r['documents'][measure] for r in ours)
        found = [r for r in peers if r['documents'][measure] > least]
        if found:
            said.append('**%s of documents**, %s: twinset has %s; more have %s.' % (
                measure.capitalize(), lane, both(lambda r: share(r['documents'][measure])),
                quoted(found, lambda r: (-r['documents'][measure], share(r['documents'][measure])))))
    inner = {r['label']: after_shingles(r) for r in peers}
    found = [r for r in peers if inner[r['label']] is not None and inner[r['label']] < max(r['seconds'] for r in ours)]
    if found:
        said.append('**Once the shingles are strings in memory**, %s, what is left to do takes %s. twinset takes %s for '
                    'everything and %s after its stage `read`, which reads, splits, shingles and, for MinHash, sketches; '
                    'verification and result files are in both.' % (
                        lane, quoted(found, lambda r: (inner[r['label']], number(inner[r['label']]) + ' s')),
                        both(lambda r: number(r['seconds']) + ' s'),
                        both(lambda r: number(r['seconds'] - r['stages']['read']) + ' s')))
    return said


def best_peer_words(corpus, threads):
    complete = of_label(corpus, COMPLETE, threads)
    peers = [r for r in corpus['results'] if r['threads'] == threads and 'error' not in r
             and not r['label'].startswith(OURS)]
    if not complete or not peers:
        return []
    fast = min(peers, key=lambda r: r['seconds'])
    lean = min(peers, key=lambda r: r['peak_bytes'])
    good = max(peers, key=lambda r: (min(r['documents']['precision'], r['documents']['recall'])))
    return ['With %s, the complete join takes %s s (%s s of processors) and %s MB. The fastest peer, %s, takes %s times as '
            'long and %s times the processor time, with %s of documents; the leanest, %s, takes %s MB; the most exact, %s, '
            'has %s.' % (
                thread_words(threads), number(complete['seconds']), number(complete['cpu_seconds']),
                megabytes(complete['peak_bytes']), fast['label'], number(fast['seconds'] / complete['seconds']),
                number(fast['cpu_seconds'] / complete['cpu_seconds']), quality_words(fast), lean['label'],
                megabytes(lean['peak_bytes']), good['label'], quality_words(good)), '']


# ---- one corpus ------------------------------------------------------------------

def result_rows(corpus):
    for r in corpus['results']:
        label = '**%s**' % r['label'] if r['label'].startswith(OURS) else r['label']
        if 'error' in r:
            yield [label, r['threads'], 'no answer: ' + r['error'].replace('|', '/'), *[''] * 10]
            continue
        own = of_label(corpus, COMPLETE, r['threads'])
        pairs, documents = r['pairs'], r['documents']
        times = [number(r[key] / own[key]) if own else '' for key in ('seconds', 'cpu_seconds')]
        yield [label, r['threads'], number(r['seconds']), times[0], number(r['cpu_seconds']), times[1],
               number(corpus['bytes'] / 1e6 / r['seconds']), megabytes(r['peak_bytes']),
               *([share(pairs['precision']), share(pairs['recall'])] if pairs else ['', '']),
               share(documents['precision']), share(documents['recall']), ANSWERS[r['kind']]]


def stage_rows(corpus):
    for r in corpus['results']:
        if 'error' not in r and r['threads'] == 1:
            yield [r['label'], number(r['seconds']), stage_words(r['stages']), r['settings']]


def corpus_section(corpus):
    name, check = corpus['name'], corpus['check']
    lines = ['## %s' % name, '',
             '{:,} documents, {:.1f} MB of words, {:,} true pairs; {:,} documents have a partner. Of {:,} documents, all '
             'pairs were counted one by one: {:,} pairs, {} other than those of the complete join.'.format(
                 corpus['documents'], corpus['bytes'] / 1e6, corpus['true_pairs'], corpus['true_documents'],
                 check['documents'], check['pairs'], check['differences'] or 'none'), '']
    for threads in lanes(corpus):
        lines += best_peer_words(corpus, threads)
    for kind, about in (('time', 'seconds from file to answer'), ('memory', 'peak memory'),
                        ('quality', 'documents named wrongly and missed')):
        lines += ['![%s: %s](%s/%s-%s.svg)' % (name, about, PLOTS, name, kind), '']
    lines += table(['tool', 'threads', 'seconds', '× complete', 'processor s', '× complete', 'MB/s', 'MB', 'pairs: precision', 'recall',
                    'documents: precision', 'recall', 'answer'], result_rows(corpus))
    lines += ['Seconds of each stage (of the run in the middle), one thread, and how the tool was set:', '']
    return lines + table(['tool', 'seconds', 'stages', 'settings'], stage_rows(corpus))


def plots_of(corpus):
    """{file name: SVG} of a corpus."""
    labels = list(dict.fromkeys(r['label'] for r in corpus['results']))
    threads = lanes(corpus)

    def rows(value):
        return [(label, label.startswith(OURS), tuple(value(of_label(corpus, label, t)) for t in threads))
                for label in labels]
    lane_names = tuple(map(thread_words, threads))
    good = [(label, of_label(corpus, label, threads[0])) for label in labels]
    return {
        '%s-time.svg' % corpus['name']: bar_chart(
            '%s: seconds from file to answer (logarithmic)' % corpus['name'], lane_names,
            rows(lambda r: r and r['seconds'])),
        '%s-memory.svg' % corpus['name']: bar_chart(
            '%s: peak memory in MB (logarithmic)' % corpus['name'], lane_names,
            rows(lambda r: r and r['peak_bytes'] / 1e6)),
        '%s-quality.svg' % corpus['name']: bar_chart(
            '%s: documents named wrongly and missed, %% (logarithmic; lower is better)' % corpus['name'],
            ('of those named, wrong', 'of the true, missed'),
            [(label, label.startswith(OURS), tuple(100 * (1 - r['documents'][m]) for m in ('precision', 'recall')))
             for label, r in good if r]),
    }


# ---- the page --------------------------------------------------------------------

HOW = '''## How it is measured

Every tool reads the same JSON lines, whose texts are the words that twinset sees, in lower case and with single spaces;
documents with fewer than five words are left out, as tools differ about them. All aim at Jaccard .8 of word 5-shingles,
with 128 values a sketch where they let one choose. The tools take turns; medians of {runs} runs, of one where a run takes
over two minutes. Nothing runs longer than {limit} s.

*Seconds* count from the start of the process to the moment when the groups, or the flags of a tool without groups, are
known. For twinset, text-dedup and datatrove this includes writing the result; for libraries it does not. *Processor s*
are of all processes of a tool from start to end, for a library with the few lines that write its answer for the judge.
*One thread* means one processor: whatever a tool starts shares it. *MB* is the largest sum of resident memory over all
processes of the tool; pages that they share count in each. Work files lie on the disk.

The truth is twinset's complete join, checked by counting. *Pairs* of a tool that gives groups are all pairs inside its
groups: groups by components join documents that are not alike, so their precision is lower by design. *Documents* are
those that have a partner; for a tool that keeps the first of those alike, those that it does not keep, beside the same
walk over the true pairs. An answer of ours that is wrong is a failure of the benchmark.

`make bench-peers` repeats everything, for pages of your own with `PAGES=...`, and writes `build/bench-peers/results.json`;
`make bench-peers PAGE=1` writes this page, its plots and `docs/benchmarks-peers.json`.
'''


def peer_rows(results):
    for peer in results['peers']:
        if 'unavailable' in peer:
            yield [peer['name'], peer['packages'][0].split('==')[1], '**Not measured: %s.** %s' % (
                peer['unavailable'], peer['about'])]
        else:
            yield [peer['name'], peer['packages'][0].split('==')[1], peer['about']]


def wins(results):
    lines = []
    for corpus in results['corpora']:
        said = [sentence for threads in lanes(corpus) for sentence in wins_of_lane(corpus, threads)]
        lines += ['On %s:' % corpus['name'], '', *('- ' + s for s in said), '']
    return lines


def render(results):
    machine, settings = results['machine'], results['settings']
    lines = ['# Beside other deduplicators', '',
             'Made by `make bench-peers` from its measurements; not edited by hand. {date}, {processor}, {threads} threads, '
             '{memory:.0f} GB, {system}, Python {python}; {twinset}, commit {commit}. The load of the machine was '
             '{load_before:.1f} before and {load_after:.1f} after; far above 0 it had other work to do, and processor seconds say more than '
             'seconds.'.format(
                 memory=machine['memory_bytes'] / 2**30, **machine), '',
             '## Where a peer wins', '', *wins(results)]
    for corpus in results['corpora']:
        lines += corpus_section(corpus)
    lines += ['## The peers', '', *table(['peer', 'version', 'what it does here'], peer_rows(results))]
    return '\n'.join(lines) + '\n' + HOW.format(runs=settings['runs'], limit=settings['limit_seconds'])


def files(results):
    """{path below docs/: text} of everything that is written."""
    made = {PAGE: render(results), NUMBERS: json.dumps(results, indent=1, ensure_ascii=False) + '\n'}
    for corpus in results['corpora']:
        made.update({'%s/%s' % (PLOTS, name): svg for name, svg in plots_of(corpus).items()})
    return made


def write(results, docs):
    write_files(files(results), PLOTS, docs)
