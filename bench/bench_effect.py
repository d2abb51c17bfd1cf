#!/usr/bin/env python3
"""What main content does to deduplication: bench/bench_effect.py BUILD_DIR

Two questions on the shared data (TWINSET_SHARED_DATA or ../shared/data beside the checkout; without
it nothing is measured), each with --content all and --content main, as Markdown tables:

  - pages with one URL in two releases or two editions of a site: how many are at least .9 alike, and
    how many other pairs between the two are
  - news pages and pages of a reader mode, each beside its article alone: how many are found at .9,
    and how many articles are joined with a page that is not theirs

The labelled pairs are texts without markup: that the mode cannot change them is checked.
Tokens are those that the program prints; shingles and Jaccard are made here.
"""
import argparse
import collections
import gzip
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA') or ROOT.parent / 'shared/data').resolve()
MODES = ('all', 'main')
NEAR = 0.9
SITES = (('Boost 1.74, 1.81', 'multiversion/boost_1.74_1.81.tar.xz', 'libboost'),
         ('installation guides', 'multiversion/installation_guide_amd64_i386_arm64_6lang.tar.xz',
          'installation-guide'))
SAME_URL = 'multiversion/same_url_pairs.tsv.gz'
NEWS, ARTICLES = 'extraction/article_extraction_benchmark.tar.xz', 'extraction/aeb_ground_truth.json'
READER = 'extraction/readability_test_pages.tar.xz'
NEEDED = [site[1] for site in SITES] + [SAME_URL, NEWS, ARTICLES, READER, 'pairs']


def shingles(tokens):
    if not tokens:
        return frozenset()
    return frozenset(hash(tuple(tokens[k:k + 5])) for k in range(max(1, len(tokens) - 4)))


def jaccard(a, b):
    return len(a & b) / len(a | b) if a and b else 0.0


def shingles_of_folder(program, folder, mode):
    run = subprocess.run([program, 'text', '--json', '--show-tokens', '--content', mode, folder],
                         stdout=subprocess.PIPE, check=True)
    return {row['id']: shingles(row['tokens']) for row in map(json.loads, run.stdout.splitlines())}


def unpack(name, target):
    with tarfile.open(DATA / name) as archive:
        archive.extractall(target)
    return target


def table(head, rows):
    print('\n| ' + ' | '.join(head) + ' |\n|' + '---|' * len(head))
    for row in rows:
        print('| ' + ' | '.join(str(cell) for cell in row) + ' |')


def percent(part, whole):
    return '%.1f %%' % (100 * part / whole)


def found_by_dedup(program, folder, mode, work):
    out = work / ('pairs-' + mode)
    subprocess.run([program, 'dedup', folder, '--content', mode, '--threshold', str(NEAR), '--pairs', 'all',
                    '--quiet', '--overwrite', '--out', out], check=True)
    with open(out / 'pairs.jsonl', encoding='utf-8') as lines:
        return {frozenset((row['a'], row['b'])) for row in map(json.loads, lines)}


def same_url(program, work):
    pairs = collections.defaultdict(list)
    with gzip.open(DATA / SAME_URL, 'rt', encoding='utf-8') as lines:
        for line in list(lines)[1:]:
            package_a, package_b, path_a, path_b = line.split('\t')[:4]
            for name, _, start in SITES:
                if package_a.startswith(start):
                    pairs[name].append((package_a + '/' + path_a, package_b + '/' + path_b))
    rows = []
    for name, archive, _ in SITES:
        folder = unpack(archive, work / archive.rsplit('/', 1)[1])
        # Files with a dot in front are not read.
        read = [pair for pair in pairs[name] if not any('/.' in path for path in pair)]
        known = {frozenset(pair) for pair in read}
        for mode in MODES:
            sets = shingles_of_folder(program, folder, mode)
            alike = [jaccard(sets[a], sets[b]) for a, b in read]
            crossing = {pair for pair in found_by_dedup(program, folder, mode, work)
                        if len({name.split('/')[0] for name in pair}) == 2}
            right = len(crossing & known)
            rows.append([name, mode, len(alike), percent(sum(j >= NEAR for j in alike), len(alike)),
                         percent(sum(j >= 0.8 for j in alike), len(alike)),
                         '%.3f' % statistics.mean(alike), len(crossing), percent(right, len(crossing)),
                         percent(right, len(known)), sum(not s for s in sets.values())])
    table(['site', 'content', 'pairs with one URL', 'J ≥ .9', 'J ≥ .8', 'mean J', 'pairs found at .9',
           'of one URL (precision)', 'recall', 'pages without text'], rows)


def page_and_article(work):
    """Folders (name, pages, articles alone) with equal names in both."""
    news, reader = unpack(NEWS, work / 'news'), unpack(READER, work / 'reader')
    truth = json.loads((DATA / ARTICLES).read_text(encoding='utf-8'))
    for kind in ('news', 'reader'):
        for part in ('pages', 'alone'):
            (work / kind / part).mkdir()
    for key, row in truth.items():
        page = next(news.rglob(key + '.html.gz'), None)
        if page is not None:
            (work / 'news/pages' / (key + '.html')).write_bytes(gzip.decompress(page.read_bytes()))
            (work / 'news/alone' / (key + '.html')).write_text(row['articleBody'], encoding='utf-8')
    for expected in sorted(reader.rglob('expected.html')):
        key = expected.parent.name
        (work / 'reader/alone' / (key + '.html')).write_bytes(expected.read_bytes())
        (work / 'reader/pages' / (key + '.html')).write_bytes((expected.parent / 'source.html').read_bytes())
    return [('news pages', work / 'news', 'text'), ('reader mode pages', work / 'reader', 'html')]


def articles_alone(program, work):
    rows = []
    for name, folder, form in page_and_article(work):
        # What is alone is all there is: the mode is for the page around it.
        run = subprocess.run([program, 'text', '--json', '--show-tokens', '--content', 'all', '--input-format',
                              form, folder / 'alone'], stdout=subprocess.PIPE, check=True)
        alone = {row['id'].split('/')[-1]: shingles(row['tokens'])
                 for row in map(json.loads, run.stdout.splitlines())}
        for mode in MODES:
            pages = {key.split('/')[-1]: value
                     for key, value in shingles_of_folder(program, folder / 'pages', mode).items()}
            own = [jaccard(pages.get(key, frozenset()), article) for key, article in alone.items()]
            wrong = sum(jaccard(page, article) >= NEAR for key, article in alone.items()
                        for other, page in pages.items() if jaccard(alone[other], article) < NEAR)
            found = sum(j >= NEAR for j in own)
            rows.append([name, mode, len(own), percent(found, len(own)),
                         percent(sum(j >= 0.5 for j in own), len(own)), '%.3f' % statistics.mean(own), wrong])
    table(['pages', 'content', 'articles', 'found: J ≥ .9', 'J ≥ .5', 'mean J', 'joined with another page'],
          rows)


def texts_without_markup(program):
    loader = importlib.machinery.SourceFileLoader('fit_grade', str(ROOT / 'training/fit_grade'))
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader('fit_grade', loader))
    loader.exec_module(tool)
    seen = [[pair.jaccard for pair in tool.pairs_seen(program, tool.labelled_rows(DATA), ['--content', mode])]
            for mode in MODES]
    if seen[0] != seen[1]:
        sys.exit('bench_effect: the content mode changed a text without markup')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    missing = [name for name in NEEDED if not (DATA / name).exists()]
    if missing:
        print('SKIPPED (no shared data): ' + ', '.join(missing))
        return
    program = build / 'twinset'
    with tempfile.TemporaryDirectory(prefix='twinset-effect-') as folder:
        work = pathlib.Path(folder)
        same_url(program, work)
        articles_alone(program, work)
    texts_without_markup(program)


if __name__ == '__main__':
    main()
