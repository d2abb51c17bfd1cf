#!/usr/bin/env python3
"""Real corpora, end to end: tests/shared_data/run.py BUILD_DIR [--long]

The corpora lie outside the repository, in TWINSET_SHARED_DATA or ../shared/data beside the checkout;
where one is missing its cases are named as skipped. Pairs, clusters, keep and drop of the Boost corpus
against an independent oracle are .ci/truth; here are what only real pages can show, each number
checked by code of this file: chains, the same page in two releases, other languages, archives.
"""
import collections
import functools
import gzip
import json
import lzma
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from corpora import (ARCHIVES, ARTICLES, BOOST, DATA, GUIDES, HANDBOOK, LABELLED, POSTGRESQL, ROOT, SAME_URL,
                     percent, same_url_pairs, say)
sys.path.insert(0, str(ROOT / 'tests/support'))
from measured import AT_BUDGET, require, suite_from_arguments
import containment_cases
import measure_cases
import pair_cases
import retrieval_cases
import study_cases

ORACLE = '../checks/oracle.py'


def shingles(tokens):
    return frozenset(tuple(tokens[k:k + 5]) for k in range(len(tokens) - 4)) or frozenset([tuple(tokens)])


def jaccard(a, b):
    return len(a & b) / len(a | b)


def shingles_of_rows(path):
    with open(path, encoding='utf-8') as rows:
        return {row['id']: shingles(row['text'].split()) for row in map(json.loads, rows)}


def shingles_of_pages(place, folder):
    """From the tokens that the program says it sees; the sets and the Jaccard are made here."""
    run = place.run('text', '--json', '--show-tokens', folder).ended(0)
    return {row['id']: shingles(row['tokens']) for row in map(json.loads, run.stdout.splitlines())}


def verify_pairs(place, sets, threshold, out='out'):
    """Each reported similarity again; the pairs as {(a, b): similarity}."""
    pairs = {(r['a'], r['b']): r['similarity'] for r in place.rows('pairs.jsonl', out)}
    require(len(pairs) == len(place.lines('pairs.jsonl', out)), 'a pair twice')
    for (a, b), similarity in pairs.items():
        true = jaccard(sets[a], sets[b])
        require(abs(true - similarity) < 1e-9 and true >= threshold, a, b, 'have', true, 'not', similarity)
    return pairs


def chain(words, place):
    """A component whose ends are not alike, and what the star cover does with it."""
    corpus = words()
    sets = shingles_of_rows(corpus)
    common = ['--threshold', '0.8', '--pairs', 'all', '--quiet']
    for mode in ('components', 'star'):
        place.run('dedup', corpus, *common, '--cluster', mode, '--out', mode).ended(0)
    verify_pairs(place, sets, .8, 'components')
    members = collections.defaultdict(list)
    for row in place.rows('clusters.jsonl', 'components'):
        members[row['cluster']].append(row)
    kept = set(place.lines('keep.txt', 'components'))
    for name, rows in members.items():
        own = [jaccard(sets[row['id']], sets[name]) for row in rows]
        require(all(abs(row['similarity'] - s) < 1e-9 for row, s in zip(rows, own)), 'similarity', name)
        require(all(abs(row['min_similarity'] - min(own)) < 1e-9 for row in rows), 'min_similarity', name)
        require([row['id'] for row in rows if row['id'] in kept] == [name], 'not one kept of', name)

    def ends(rows):
        distinct = list({sets[row['id']] for row in rows})
        return min((jaccard(a, b) for k, a in enumerate(distinct) for b in distinct[:k]), default=1)
    name, rows = min(members.items(), key=lambda item: ends(item[1]))
    lowest = min(rows, key=lambda row: row['similarity'])
    say('components: %d documents hang together at .8; the ends are %.4f alike, and %.4f to the one '
        'document kept, %s' % (len(rows), ends(rows), lowest['similarity'], name))
    require(.55 < ends(rows) < .65 and lowest['similarity'] < .65, 'the chain is not there')

    star = {row['id']: row for row in place.rows('clusters.jsonl', 'star')}
    kept = set(place.lines('keep.txt', 'star'))
    dropped = place.lines('drop.txt', 'star')
    for one in dropped:
        centre = star[one]['cluster']
        true = jaccard(sets[one], sets[centre])
        require(centre in kept and true >= .8, one, 'was dropped for', centre, 'at', true)
        require(abs(true - star[one]['similarity']) < 1e-9, one, star[one]['similarity'], true)
    stay = [row['id'] for row in rows if row['id'] in kept]
    gone = [star[row['id']]['similarity'] for row in rows if row['id'] not in kept]
    say('star: of the same %d documents %d stay; each of the others is at least %.4f like one that does'
        % (len(rows), len(stay), min(gone)))
    require(len(stay) > 1, 'the star cover did not cut the chain')


def same_bytes_always(words, place):
    corpus = words()
    common = ['--pairs', 'all', '--cluster', 'components']
    place.dedup(corpus, *common, '--threads', '1', '--memory', '8G', out='reference').ended(0)
    packed = place.path('packed/boost.jsonl.gz')
    packed.parent.mkdir()
    with open(corpus, 'rb') as plain, gzip.open(packed, 'wb', 1) as file:
        file.write(plain.read())
    for name, options in (('two threads', ['--threads', '2']), ('eight threads', ['--threads', '8']),
                          ('64 MB', ['--memory', '64M', '--threads', '1']),
                          ('64 MB, eight threads', ['--memory', '64M', '--threads', '8'])):
        place.dedup(corpus, *common, *options, out=name).ended(0)
        place.same_bytes('reference', name)
    place.dedup(packed, *common, '--threads', '2', out='gzip').ended(0)
    place.same_bytes('reference', 'gzip')


def two_releases(pages, place):
    """How many of the pages with one URL stayed the same from Boost 1.74 to 1.81."""
    folder = pages(BOOST)
    urls = list(same_url_pairs('libboost'))
    require(len(urls) > 3000, 'only', len(urls), 'URLs')
    found = {}
    for name, options in (('bytes', ['--method', 'exact', '--level', 'bytes']),
                          ('text', ['--method', 'exact', '--level', 'text']),
                          ('J >= .8', ['--threshold', '0.8'])):
        place.dedup(folder, *options, '--pairs', 'all', '--template', 'keep', out=name).ended(0)
        require(place.counts_add_up(name)['quarantined'] == 0, 'quarantined pages')
        pairs = {(row['a'], row['b']) for row in place.rows('pairs.jsonl', name)}
        found[name] = percent(sum(pair in pairs for pair in urls), len(urls))
    say('of %d pages with one URL in both releases: %s'
        % (len(urls), ', '.join('%s %.1f %%' % item for item in found.items())))
    require(abs(found['bytes'] - 37) <= 2, 'byte-equal: 37 % expected')
    require(abs(found['text'] - 88) <= 5, 'text-equal: 88 % expected')
    require(abs(found['J >= .8'] - 98) <= 2, 'J >= .8: 98 % expected')


def quiet_on_folders(pages, place):
    """A folder of pages has one file per document; that each has a twin is no news, page by page."""
    run = place.dedup(pages(BOOST)).ended(0)
    require(len(run.stderr.splitlines()) <= 20, '%d lines of warnings, as: %s'
            % (len(run.stderr.splitlines()), run.stderr.splitlines()[:2]))


def planted_articles(place):
    with lzma.open(DATA / (ARTICLES + '.train.xz'), 'rt', encoding='utf-8') as lines, \
            open(place.path('articles.jsonl'), 'w', encoding='utf-8') as rows:
        for line in lines:
            name, _, text = line.rstrip('\n').partition(' ')
            rows.write(json.dumps({'id': name, 'text': text}) + '\n')
    planted = {frozenset(line.split())
               for line in (DATA / (ARTICLES + '.truth')).read_text(encoding='utf-8').splitlines()}
    require(len(planted) == 10, 'the list of planted pairs has', len(planted))
    place.dedup('articles.jsonl', '--threshold', '0.8').ended(0)
    pairs = {frozenset((r['a'], r['b'])): r['similarity'] for r in place.rows('pairs.jsonl')}
    require(set(pairs) == planted, 'missed', planted - set(pairs), 'invented', set(pairs) - planted)
    say('10 of 10 planted pairs, no other; similarity %.3f to %.3f'
        % (min(pairs.values()), max(pairs.values())))
    require(all(.955 <= s < .975 for s in pairs.values()), sorted(pairs.values()))
    require(place.summary()['documents']['dropped'] == 10, 'dropped', place.summary()['documents'])


def one_site(pages, place):
    folder = pages(POSTGRESQL)
    sets = shingles_of_pages(place, folder)
    for threshold in (.8, .5, .3):
        out = 'at %s' % threshold
        place.dedup(folder, '--threshold', threshold, '--pairs', 'all', '--template', 'keep', out=out).ended(0)
        records = place.counts_add_up(out)
        require(records['quarantined'] == 0 and records['documents'] == len(sets), records)
        say('%d pages, %d pairs at %s, each verified' % (
            len(sets), len(verify_pairs(place, sets, threshold, out)), threshold))
    require(place.lines('pairs.jsonl', 'at 0.3'), 'no pair to verify')


def guides(pages, place):
    """Three architectures and six languages: one book, told 18 times."""
    folder = pages(GUIDES)
    sets = shingles_of_pages(place, folder)
    place.dedup(folder, '--threshold', '0.8', '--pairs', 'all', '--template', 'keep').ended(0)
    require(place.counts_add_up()['quarantined'] == 0, 'quarantined pages')
    pairs = verify_pairs(place, sets, .8)

    urls = list(same_url_pairs('installation-guide'))
    alike = [pair for pair in urls if jaccard(sets[pair[0]], sets[pair[1]]) >= .8]
    hits = sum(pair in pairs or pair[::-1] in pairs for pair in alike)
    say('%d pages of one language on two architectures: %.1f %% are .8 alike, %.2f %% of those found'
        % (len(urls), percent(len(alike), len(urls)), percent(hits, len(alike))))
    require(hits >= .99 * len(alike), 'recall', hits, 'of', len(alike))

    def language_and_page(name):
        return name.split('/')[-2:]
    joined = [(a, b) for a, b in pairs if not a.endswith('/copyright')
              and language_and_page(a)[0] != language_and_page(b)[0]]
    # Some translations leave the licence (apf.html) and parts of chapter 4 in English.
    run = place.run('text', '--json', folder).ended(0)
    spoken = {row['id']: row['language'] for row in map(json.loads, run.stdout.splitlines())}
    wrong = [pair for pair in joined if {spoken[name] for name in pair} != {'en'}]
    untranslated = {language_and_page(name)[1] for pair in joined for name in pair}
    say('pairs across languages: %d, all of untranslated pages (%s)' % (len(joined), ', '.join(sorted(untranslated))))
    require(not wrong, 'two languages in one pair:', wrong[:3])
    require(all(name == 'apf.html' or name.startswith('ch04s') for name in untranslated), 'others')


# Frequent words that only one of two languages has.
FREQUENT = {'en': {'the', 'of', 'and', 'to', 'is', 'that', 'this', 'for', 'with'},
            'de': {'der', 'die', 'das', 'und', 'ist', 'zu', 'von', 'den', 'mit', 'auf'},
            'fr': {'le', 'la', 'les', 'des', 'et', 'est', 'une', 'pour', 'vous', 'du'}}
SCRIPTS = {'ja': '[\u3040-\u30ff\u4e00-\u9fff]', 'zh': '[\u4e00-\u9fff]', 'ru': '[\u0400-\u04ff]'}


def possible_languages(text, language):
    """By frequent words: the books leave pages untranslated, and some are half one, half the other."""
    words = collections.Counter(re.findall('[^\\W\\d_]+', text.lower()))
    english = sum(words[word] for word in FREQUENT['en'])
    if language in SCRIPTS:
        own = len(re.findall(SCRIPTS[language], text)) / 15  # characters to frequent words
    else:
        own = sum(words[word] for word in FREQUENT[language])
    return {name for name, mine, other in ((language, own, english), ('en', english, own)) if 4 * mine >= other}


def languages(pages, place):
    """Two books in seven languages: each page has its tokens, its signature and its language."""
    folders = [pages(HANDBOOK), pages(GUIDES)]
    found, verdicts, tokens = {}, collections.Counter(), {}
    for folder in folders:
        run = place.run('text', '--json', '--show-tokens', '--content', 'all', folder).ended(0)
        for row in map(json.loads, run.stdout.splitlines()):
            declared = row['id'].split('/')[-2][:2]
            if not row['id'].endswith('.html'):
                continue
            require(row['tokens'], 'no tokens in', row['id'])
            tokens[row['id']] = tuple(row['tokens'])
            found[row['id']] = row['language']
            possible = possible_languages(row['text'], declared)
            verdicts['half' if len(possible) > 1 and declared != 'en' else
                     'unsure' if row['language'] == 'und' else 'clear'] += 1
            require(row['language'] in possible | {'und'}, row['id'], 'is', possible, 'not', row['language'])
    say('language of %d pages: %s' % (len(found), ', '.join('%s %d' % v for v in verdicts.items())))
    require(verdicts['unsure'] <= .005 * len(found), 'unsure of', verdicts['unsure'])

    sketches = {}
    for folder in folders:
        run = place.run('sketch', '--content', 'all', folder).ended(0)
        sketches.update((row['id'], row['sketch']) for row in map(json.loads, run.stdout.splitlines()))
    sets = {name: shingles(words) for name, words in tokens.items()}
    require(all(sketches[name] for name in sets), 'a page without a sketch')
    first = {}
    for name in sets:
        other = first.setdefault(sketches[name], name)
        require(jaccard(sets[name], sets[other]) >= .9, 'one signature for', name, other)
    say('%d signatures for %d texts' % (len(first), len(set(sets.values()))))

    place.dedup(*folders, '--content', 'all', '--threshold', '0.8', '--pairs', 'all',
                '--within', 'language').ended(0)
    counts = collections.Counter()
    for row in place.rows('pairs.jsonl'):
        if row['a'] in found and row['b'] in found:
            counts[found[row['a']], found[row['b']]] += 1
    require(all(a == b for a, b in counts), 'pairs of two languages:', counts)
    pairs = {a: counts[a, a] for a, _ in counts}
    say('pairs by language: ' + ', '.join('%s %d' % item for item in sorted(pairs.items())))
    require(all(pairs.get(code, 0) >= 50 for code in ('de', 'en', 'fr', 'ja', 'ru', 'zh')), pairs)

    place.dedup(*folders, '--content', 'all', '--language', 'ja,ru', out='two').ended(0)
    records = place.counts_add_up('two')
    wanted = sum(language in ('ja', 'ru') for language in found.values())
    require(records['documents'] == wanted, records['documents'], 'documents, not', wanted)
    require(records['skipped'] == {'language': records['read'] - wanted}, records['skipped'])


def archives(place):
    """Every archive runs through, and what it holds is accounted for; so does the whole folder."""
    with open(DATA / ARCHIVES / 'EXPECTED.jsonl', encoding='utf-8') as rows:
        expected = {row['file']: row for row in map(json.loads, rows)}
    totals = collections.Counter()
    for number, (name, row) in enumerate(sorted(expected.items())):
        out = 'out%d' % number
        run = place.dedup(DATA / ARCHIVES / name, *AT_BUDGET, out=out)
        require(run.code == 0, name, 'exit', run.code, run.stderr[-500:])
        run.within_memory()
        records = place.counts_add_up(out)
        known = len(row['warcio_records'])
        require(records['read'] >= known, name, 'has', known, 'records, read:', records['read'])
        totals.update(read=records['read'], documents=records['documents'],
                      skipped=sum(records['skipped'].values()), quarantined=records['quarantined'])
    say('%d archives: %s' % (len(expected), ', '.join('%s %d' % (k, n) for k, n in totals.items())))
    place.path('all').mkdir()
    for name in expected:
        link = place.path('all') / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(DATA / ARCHIVES / name)
    place.dedup('all', *AT_BUDGET, out='whole').ended(0).within_memory()
    whole = place.counts_add_up('whole')
    require(whole['read'] == totals['read'] and whole['documents'] == totals['documents'],
            'all at once reads', whole['read'], 'records, one by one', totals['read'])


def main():
    suite, long = suite_from_arguments(__doc__)
    with tempfile.TemporaryDirectory(prefix='twinset-corpora-') as folder:
        work = pathlib.Path(folder)

        def pages(corpus):
            """The folder of an archive of pages, unpacked once for all cases."""
            target = work / pathlib.Path(corpus).name.removesuffix('.tar.xz')
            if not target.exists():
                with tarfile.open(DATA / corpus) as archive:
                    archive.extractall(work / 'unpacked')
                (work / 'unpacked').rename(target)
            return target

        def words_of(name):
            """An archive of pages as plain words, one JSON line per page."""
            target = work / (name + '.jsonl')
            if not target.exists():
                archive = {'boost': BOOST, 'postgresql': POSTGRESQL}[name]
                with open(work / 'words', 'wb') as file:
                    subprocess.run([sys.executable, DATA / ORACLE, 'words', DATA / archive], stdout=file,
                                   check=True)
                (work / 'words').rename(target)
            return target

        def words():
            return words_of('boost')

        cases = [
            ('a chain, in both cluster modes', functools.partial(chain, words), [BOOST, ORACLE]),
            ('the same bytes always', functools.partial(same_bytes_always, words), [BOOST, ORACLE]),
            ('one site in two releases', functools.partial(two_releases, pages), [BOOST, SAME_URL]),
            ('few warnings on a folder', functools.partial(quiet_on_folders, pages), [BOOST]),
            ('planted copies of articles', planted_articles, [ARTICLES + '.train.xz', ARTICLES + '.truth']),
            ('containment of planted articles', containment_cases.articles,
             [ARTICLES + '.train.xz', ARTICLES + '.truth']),
            ('paragraphs pasted into pages',
             functools.partial(containment_cases.pasted, words_of, 2000 if long else 600),
             [BOOST, POSTGRESQL, ORACLE]),
            ('edit and hamming of pages', functools.partial(measure_cases.sequences, words, 2000 if long else 800),
             [BOOST, ORACLE]),
            ('one site, every pair verified', functools.partial(one_site, pages), [POSTGRESQL]),
            ('one book in six languages', functools.partial(guides, pages), [GUIDES, SAME_URL]),
            ('two books in seven languages', functools.partial(languages, pages), [HANDBOOK, GUIDES]),
            ('kinds of real pages', functools.partial(pair_cases.kinds_of_pages, pages, 1 if long else 3),
             [BOOST, GUIDES, POSTGRESQL, SAME_URL]),
            ('the given s3 of labelled pairs', pair_cases.given_s3, LABELLED),
            ('judgements of the Web Tracks and groups of ClueWeb09', retrieval_cases.judgement_groups,
             retrieval_cases.ARCHIVES),
            ('systems of 42 columns, before and after collapsing', retrieval_cases.collapsed_systems,
             retrieval_cases.ARCHIVES),
            ('the resemblance of every same address', study_cases.same_url_resemblance, study_cases.NEEDS),
            ('archives of every kind', archives, [ARCHIVES + '/EXPECTED.jsonl']),
        ]
        if long:  # the fit anew
            cases.append(('the grade of labelled pairs', pair_cases.grade_of_labelled_pairs, LABELLED))
        for name, case, needs in cases:
            missing = [need for need in needs if not (DATA / need).exists()]
            if missing:
                suite.skip(name, '(no shared data): ' + ', '.join(missing))
            else:
                suite.run(name, case)
        return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
