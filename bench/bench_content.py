#!/usr/bin/env python3
"""Main content beside other extractors: bench/bench_content.py BUILD_DIR [options]

The sets of pages with known main content (training/content_sets.py), each by its own measure, beside the
extractors of bench/content_peers.py that can be had, one after the other, one thread each. Pages per
second are of processor time, from the bytes of a page in memory to its text: decoding, parsing,
choosing, writing. A page that an extractor fails at is an error and counts as empty.

`twinset, trained on these pages` is the shipped model as `twinset text --content main` runs it, on the
pages it has learnt from: not a statement about other pages. With --cross-validate there is a second
row, by training/train_content: models that knew no page of the site, generator or platform they judge.
It takes minutes, numpy and lightgbm. Then how much is kept of pages that are nearly all content, which
nobody labelled: losing text there is worse than keeping frame. Without the shared data the benchmark
says so and ends; without the manuals of training/get_manuals it has no set of manuals.
"""
import argparse
import json
import logging
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'training'))
import content_peers  # noqa: E402
import content_sets  # noqa: E402

DOCUMENTATION = ('multiversion/boost_1.74_1.81.tar.xz', 'i18n/debian_handbook_de_ja_zhCN.tar.xz',
                 'multiversion/installation_guide_amd64_i386_arm64_6lang.tar.xz',
                 'sites/postgresql_doc_15.tar.xz')
# What the shipped model must reach on the pages it was trained on; far below, something is broken.
LEAST = {'articles': 0.95, 'readability': 0.95, 'segments': 0.95, 'manuals': 0.95, 'forums': 0.9,
         'blogs, shops, lists': 0.85}


def report(title, scores, rate=''):
    for name in scores:
        row = '  '.join('%s %.4f' % (k, v) for k, v in scores[name].items())
        print('%-34s %-19s %-66s %s' % (title, name, row, rate), flush=True)


def beside(peer, build, pages, paths):
    try:
        version, extract = peer.start(build)
        texts, seconds, errors = extract(paths)
    except content_peers.Skipped as reason:
        print('SKIPPED %s: %s' % (peer.name, reason), flush=True)
        return
    note = '' if version == peer.version else ' (table: %s)' % peer.version
    report('%s %s%s' % (peer.name, version, note), content_sets.score_sets(pages, texts),
           '%.1f pages/s, %d errors' % (len(pages) / seconds, errors))


def ours(build, pages, folder):
    """Scores of the shipped model on the pages, which are the files of the folder in order."""
    command = [str(build / 'twinset'), 'text', '--content', 'main', '--json', '--input-format', 'html', str(folder)]
    run = subprocess.run(command, capture_output=True)
    if run.returncode != 0:
        sys.exit('%s: %s' % (' '.join(command), run.stderr.decode()))
    texts = [''] * len(pages)
    for line in run.stdout.splitlines():
        row = json.loads(line)
        texts[int(pathlib.PurePath(row['id']).name.split('.')[0])] = row['text']
    return content_sets.score_sets(pages, texts)


def features_program(build):
    """content_features of this build or of the preset bench below it; None where neither is built."""
    programs = (build / 'bench' / 'content_features', build / 'bench' / 'bench' / 'content_features')
    return next((program for program in programs if program.is_file()), None)


def our_rate(program, pages, paths):
    """Pages and bytes per second from bytes to main text, as a caller of the library sees it."""
    if program is None:
        return ''
    run = subprocess.run([str(program), '--time'], input='\n'.join(paths), capture_output=True, text=True, check=True)
    seconds = json.loads(run.stdout)['seconds']
    return '%.0f pages/s, %.0f MB/s' % (len(pages) / seconds, sum(len(p.data) for p in pages) / seconds / 1e6)


def words_of(build, folder, content):
    """{page: words of its text} by the command line program."""
    run = subprocess.run([str(build / 'twinset'), 'text', '--content', content, '--json', '--input-format', 'html',
                          str(folder)], capture_output=True, check=True)
    rows = map(json.loads, run.stdout.splitlines())
    return {row['id']: len(content_sets.TOKEN.findall(row['text'])) for row in rows}


def documentation(build, shared):
    """Pages that are nearly all content: how much of their visible text is kept. Every tenth page."""
    for name in DOCUMENTATION:
        archive = pathlib.Path(shared) / name
        if not archive.exists():
            print('SKIPPED (no shared data): %s' % name)
            continue
        with tempfile.TemporaryDirectory() as folder:
            pages = [data for path, data in content_sets.members(archive) if path.endswith(('.html', '.htm'))]
            for i, data in enumerate(pages[::10]):
                (pathlib.Path(folder) / ('%05d.html' % i)).write_bytes(data)
            everything = words_of(build, folder, 'all')
            main_text = words_of(build, folder, 'main')
        shares = sorted(main_text[page] / everything[page] for page in everything if everything[page])
        total = sum(main_text.values()) / sum(everything.values())
        print('%-52s %4d pages, words kept %.3f, median page %.3f, tenth page %.3f'
              % (name, len(shares), total, statistics.median(shares), shares[len(shares) // 10]), flush=True)
        if shares[0] <= 0 or total < 0.8:
            sys.exit('%s: text is lost' % name)


def cross_validated(program):
    if program is None:
        print('SKIPPED cross-validation: no content_features (preset bench)')
        return
    trainer = str(ROOT / 'training' / 'train_content')
    run = subprocess.run([sys.executable, trainer, str(program), '--json', '--seeds', '2'],
                         capture_output=True, text=True)
    if run.returncode != 0:
        print('SKIPPED cross-validation: %s' % run.stderr.strip().split('\n')[-1])
        return
    report('twinset, cross-validated', json.loads(run.stdout))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--cross-validate', action='store_true', help='judge us by models without the page\'s site too')
    parser.add_argument('--peers', metavar='NAME,...', help='only these; nothing but us with an empty name')
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    names = [peer.name for peer in content_peers.PEERS]
    arguments.peers = names if arguments.peers is None else list(filter(None, arguments.peers.split(',')))
    for name in arguments.peers:
        if name not in names:
            parser.error('no peer %s: %s' % (name, ' '.join(names)))
    return arguments


def main():
    arguments = parse_arguments()
    build, shared = arguments.build, content_sets.find_shared(ROOT)
    if shared is None:
        print('SKIPPED (no shared data): main content')
        return
    logging.disable(logging.CRITICAL)
    pages = content_sets.read_pages(shared)
    print('%d pages, %.1f MB' % (len(pages), sum(len(p.data) for p in pages) / 1e6))
    program = features_program(build)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder) / ('%05d.html' % i)) for i in range(len(pages))]
        for path, page in zip(paths, pages):
            pathlib.Path(path).write_bytes(page.data)
        scores = ours(build, pages, folder)
        report('twinset, trained on these pages', scores, our_rate(program, pages, paths))
        if arguments.cross_validate:
            cross_validated(program)
        documentation(build, shared)
        for peer in content_peers.PEERS:
            if peer.name in arguments.peers:
                beside(peer, build, pages, paths)
    for name in scores:
        if scores[name]['f1'] < LEAST[name]:
            sys.exit('%s: F1 %.4f is below %.2f' % (name, scores[name]['f1'], LEAST[name]))


main()
