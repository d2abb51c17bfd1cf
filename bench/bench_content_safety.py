#!/usr/bin/env python3
"""Is it safe to delete pages by their main content? bench/bench_content_safety.py BUILD_DIR [options]

Sites whose pages look alike but say different things: packages of reference manuals (training/get_manuals)
and the manuals of the shared data. The truth is the text of each page's content element, by the rule
of its generator (training/reference_manuals.py). Each site is deduplicated alone, by

  main      dedup with its defaults          all       with --content all
  element   the same engine on the text of the content element: what is possible
  NAME      another program with its defaults (--program NAME=PATH)
  PEER      the same engine on the text that another extractor finds (--peers)

and each run is held against the truth:

  wrong     dropped pages whose content shares less than half (Jaccard of word 5-shingles) with that of
            the page kept for them: pages lost
  recall    of the pairs whose contents share at least --threshold, found by the complete join, the share
            that the run lists

Pages are those that have a label; of a larger package --most of them, by the hash of their path. What
is missing (manuals, shared data, lxml, a peer) is said and left out. With limits the exit code is 1
where the total of a generator breaks them in the run `main`.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import logging
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'training'))
import content_sets  # noqa: E402
import reference_manuals  # noqa: E402

VERSIONS = {'trafilatura': '2.3.1', 'resiliparse': '2.0.1'}
LANDED = (('boost-1.74-1.81', 'multiversion/boost_1.74_1.81.tar.xz', ('boostbook', 'docbook')),
          ('debian-handbook', 'i18n/debian_handbook_de_ja_zhCN.tar.xz', ('docbook',)),
          ('installation-guide', 'multiversion/installation_guide_amd64_i386_arm64_6lang.tar.xz', ('docbook',)),
          ('postgresql-doc-15', 'sites/postgresql_doc_15.tar.xz', ('docbook',)))
LOST = 0.5  # a page is lost if its content shares less than this with what is kept for it
LEAST_PAIRS = 20  # recall of fewer pairs is not held to a limit

Run = collections.namedtuple('Run', 'pages dropped wrong truth found examples')


# ---- sites ------------------------------------------------------------------

def site_pages(site, most):
    """[(path, bytes, text)] of the pages of a site that have a label with words, at most as many."""
    name, place, generators = site
    if place.is_dir():
        rows = ((path, lambda path=path: (place / path).read_bytes())
                for path in reference_manuals.paths(place.parent, name))
    else:
        rows = ((path, lambda data=data: data) for path, data in content_sets.members(place)
                if path.endswith(reference_manuals.SUFFIXES))
    chosen = []
    for path, read in sorted(rows, key=lambda row: hashlib.sha256(row[0].encode('utf-8', 'replace')).digest()):
        data = read()
        label = reference_manuals.label(data, generators)
        if label and content_sets.TOKEN.search(label.text):
            chosen.append((path, data, label.text))
            if len(chosen) == most:
                break
    return sorted(chosen)


def sites(manuals, shared, names):
    found = []
    if manuals is None:
        print('SKIPPED manuals: not fetched (training/get_manuals)', file=sys.stderr)
    else:
        found += [(p.name, manuals / p.name, p.generators) for p in reference_manuals.packages()
                  if (manuals / p.name).is_dir()]
    if shared is None:
        print('SKIPPED (no shared data): landed sites', file=sys.stderr)
    else:
        found += [(name, shared / path, generators) for name, path, generators in LANDED if (shared / path).exists()]
    return [site for site in found if not names or site[0] in names]


# ---- texts of other extractors ----------------------------------------------

def peer_function(name):
    if name == 'trafilatura':
        from trafilatura import extract
        return lambda data: extract(data, include_comments=False, include_tables=True) or ''
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree
    return lambda data: extract_plain_text(HTMLTree.parse(bytes_to_str(data, detect_encoding(data))), main_content=True)


def peer_texts(name, pages):
    extract = peer_function(name)
    texts = []
    for _, data, _ in pages:
        try:
            texts.append(extract(data))
        except Exception:  # a page that an extractor fails at counts as empty
            texts.append('')
    return texts


# ---- runs -------------------------------------------------------------------

def dedup(program, source, out, *options):
    """({dropped: kept for it}, {pairs}) of a run; ids are numbers of pages."""
    command = [str(program), 'dedup', str(source), '--out', str(out), '--pairs', 'all', *options]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 3):  # 3: records were quarantined
        raise RuntimeError('%s: exit %d: %s' % (' '.join(command), run.returncode, run.stderr.strip()))

    def number(name):
        return int(pathlib.PurePath(name).name.split('.')[0])
    dropped, pairs = {}, set()
    for line in (out / 'clusters.jsonl').open():
        row = json.loads(line)
        if not row['is_representative']:
            dropped[number(row['id'])] = number(row['cluster'])
    for line in (out / 'pairs.jsonl').open():
        row = json.loads(line)
        pairs.add(tuple(sorted((number(row['a']), number(row['b'])))))
    return dropped, pairs


def shingle_set(text):
    return frozenset(content_sets.shingles(text.casefold(), 5))


def jaccard(a, b):
    return len(a & b) / len(a | b) if a or b else 1.0


def write_rows(path, texts):
    with path.open('w') as out:
        for i, text in enumerate(texts):
            out.write(json.dumps({'id': '%06d' % i, 'text': text}) + '\n')
    return path


def study(site, arguments):
    """(site, {run: Run}) of one site; everything it writes is gone afterwards."""
    logging.disable(logging.CRITICAL)
    pages = site_pages(site, arguments.most)
    threshold = ('--threshold', str(arguments.threshold))
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        html = work / 'html'
        html.mkdir()
        for i, (_, data, _) in enumerate(pages):
            (html / ('%06d.html' % i)).write_bytes(data)
        gold = write_rows(work / 'element.jsonl', [text for _, _, text in pages])
        if not pages:
            return site, {}
        _, truth = dedup(arguments.twinset, gold, work / 'truth', '--shingle', 'word:5', *threshold)
        commands = {'main': (arguments.twinset, html, '--input-format', 'html'),
                    'all': (arguments.twinset, html, '--input-format', 'html', '--content', 'all'),
                    'element': (arguments.twinset, gold)}
        for name, path in arguments.program:
            commands[name] = (path, html, '--input-format', 'html')
        for name in arguments.peers:
            rows = write_rows(work / (name + '.jsonl'), peer_texts(name, pages))
            commands[name] = (arguments.twinset, rows)
        runs = {}
        for name, (program, source, *options) in commands.items():
            dropped, pairs = dedup(program, source, work / name, *options, *threshold)
            wrong = []
            for page, kept in sorted(dropped.items()):
                likeness = jaccard(shingle_set(pages[page][2]), shingle_set(pages[kept][2]))
                if likeness < LOST:
                    wrong.append((round(likeness, 3), pages[page][0], pages[kept][0]))
            runs[name] = Run(len(pages), len(dropped), len(wrong), len(truth), len(truth & pairs),
                             sorted(wrong)[:arguments.examples])
    return site, runs


# ---- report -----------------------------------------------------------------

def total(runs):
    runs = list(runs)
    return Run(*(sum(run[i] for run in runs) for i in range(5)), [])


def cells(run):
    recall = '%.3f' % (run.found / run.truth) if run.truth else '-'
    return '%6d %5d %6.1f %6s' % (run.dropped, run.wrong, 1e4 * run.wrong / max(1, run.pages), recall)


def print_table(title, rows, names):
    print('%-34s %6s %7s' % (title, 'pages', 'pairs'), *('| %-26s' % name for name in names))
    print('%-49s' % '', *('| %6s %5s %6s %6s' % ('drop', 'wrong', '/10^4', 'recall') for _ in names))
    for label, runs in rows:
        print('%-34s %6d %7d' % (label, runs['main'].pages, runs['main'].truth), *('| ' + cells(runs[n]) for n in names))
    print(flush=True)


def generator_of(site):
    return site[2][0]


def broken_limits(generators, arguments):
    for name, runs in generators:
        run = runs['main']
        wrong = run.wrong / max(1, run.pages)
        if arguments.max_wrong is not None and wrong > arguments.max_wrong:
            yield '%s: %d of %d pages lost, %.4f; the limit is %g' % (name, run.wrong, run.pages, wrong, arguments.max_wrong)
        if arguments.min_recall is not None and run.truth >= LEAST_PAIRS and run.found < arguments.min_recall * run.truth:
            yield '%s: recall %.4f of %d pairs; the limit is %g' % (name, run.found / run.truth, run.truth,
                                                                 arguments.min_recall)


def named_program(text):
    name, sign, path = text.partition('=')
    if not sign or not name or name in ('main', 'all', 'element', *VERSIONS):
        raise argparse.ArgumentTypeError('NAME=PATH, NAME not that of a run')
    return name, pathlib.Path(path).resolve()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--manuals', type=pathlib.Path, help='folder of training/get_manuals (build/manuals)')
    parser.add_argument('--packages', default='', help='only these sites, separated by commas')
    parser.add_argument('--program', type=named_program, action='append', default=[], metavar='NAME=PATH')
    parser.add_argument('--peers', default='', help='trafilatura,resiliparse')
    parser.add_argument('--threshold', type=float, default=0.8)
    parser.add_argument('--most', type=int, default=1000, help='pages of a site')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--examples', type=int, default=3, help='lost pages that are named, of each run and site')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE', help='write all counts there')
    parser.add_argument('--max-wrong', type=float, help='most pages lost, as a share of the pages of a generator')
    parser.add_argument('--min-recall', type=float, help='least recall of a generator')
    arguments = parser.parse_args()
    arguments.twinset = arguments.build.resolve() / 'twinset'
    arguments.peers = [name for name in arguments.peers.split(',') if name]
    for name in arguments.peers:
        if name not in VERSIONS:
            parser.error('no peer %s: %s' % (name, ' '.join(VERSIONS)))
    arguments.manuals = arguments.manuals or content_sets.find_manuals(ROOT)
    return arguments


def main():
    arguments = parse_arguments()
    try:
        import lxml  # noqa: F401
    except ImportError:
        print('SKIPPED safety of main content: lxml is not installed')
        return
    for name in list(arguments.peers):
        try:
            peer_function(name)
        except ImportError:
            print('SKIPPED %s: not installed' % name)
            arguments.peers.remove(name)
    chosen = sites(arguments.manuals, content_sets.find_shared(ROOT), set(filter(None, arguments.packages.split(','))))
    if not chosen:
        print('SKIPPED safety of main content: no site')
        return
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        results = []
        for site, runs in pool.map(study, chosen, [arguments] * len(chosen)):
            print('%d of %d: %s' % (len(results) + 1, len(chosen), site[0]), file=sys.stderr, flush=True)
            results.append((site, runs))
    results = [(site, runs) for site, runs in results if runs]
    names = ['main', *(name for name, _ in arguments.program), 'all', *arguments.peers, 'element']
    results.sort(key=lambda row: (generator_of(row[0]), row[0][0]))
    print_table('site', [(site[0], runs) for site, runs in results], names)
    groups = collections.defaultdict(list)
    for site, runs in results:
        groups[generator_of(site)].append(runs)
    generators = [(g, {n: total(r[n] for r in groups[g]) for n in names}) for g in sorted(groups)]
    everything = {n: total(runs[n] for _, runs in results) for n in names}
    print_table('generator', [*generators, ('all', everything)], names)
    for site, runs in sorted(results, key=lambda row: (-row[1]['main'].wrong, row[0][0])):
        for likeness, lost, kept in runs['main'].examples:
            print('%s: %.3f\n  lost %s\n  kept %s' % (site[0], likeness, lost, kept))
    if arguments.json:
        rows = [{'site': site[0], 'generator': generator_of(site), 'run': name, **run._asdict()}
                for site, runs in results for name, run in runs.items()]
        arguments.json.write_text(json.dumps({'threshold': arguments.threshold, 'most': arguments.most, 'rows': rows},
                                             indent=1) + '\n')
    broken = list(broken_limits(generators, arguments))
    if broken:
        sys.exit('\n'.join(broken))


main()
