#!/usr/bin/env python3
"""Main content beside other extractors: bench/bench_content.py BUILD_DIR

The sets of pages with known main content (tools/content_sets.py), each by its own measure, beside
trafilatura, resiliparse, readability-lxml and justext where they are installed (VERSIONS), one after
the other, one thread each. Pages per second are of processor time, from the bytes of a page in memory
to its text: decoding, parsing, choosing, writing.

Ours stands there twice. `trained on these pages` is the shipped model as `twinset text --content main`
runs it, on the pages it has learnt from: not a statement about other pages. `cross-validated` is, by
tools/train_content: models that knew no page of the site they judge. It needs BUILD_DIR/bench/
content_features, numpy and lightgbm. Then how much is kept of pages that are nearly all content,
which nobody labelled: losing text there is worse than keeping frame. Without the shared data the
benchmark says so and ends.
"""
import importlib.metadata
import json
import logging
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'tools'))
import content_sets  # noqa: E402

VERSIONS = {'trafilatura': '2.3.1', 'Resiliparse': '2.0.1', 'readability-lxml': '0.9', 'jusText': '3.0.2'}
DOCUMENTATION = ('multiversion/boost_1.74_1.81.tar.xz', 'i18n/debian_handbook_de_ja_zhCN.tar.xz',
                 'multiversion/installation_guide_amd64_i386_arm64_6lang.tar.xz',
                 'sites/postgresql_doc_15.tar.xz')
# What the shipped model must reach on the pages it was trained on; far below, something is broken.
LEAST = {'articles': 0.95, 'readability': 0.95, 'segments': 0.95}


def trafilatura():
    from trafilatura import extract
    return lambda data: extract(data, include_comments=False, include_tables=True, include_formatting=False)


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree
    return lambda data: extract_plain_text(HTMLTree.parse(bytes_to_str(data, detect_encoding(data))),
                                           main_content=True)


def readability():
    from readability import Document
    from trafilatura.utils import decode_file
    return lambda data: content_sets.html_text(Document(decode_file(data)).summary())


def justext():
    import justext as library
    stop_words = frozenset().union(*(library.get_stoplist(name) for name in library.get_stoplists()))

    def run(data):
        found = library.justext(data, stop_words, 50, 200, 0.1, 0.2, 0.2, 200, True)
        return '\n'.join(p.text for p in found if not p.is_boilerplate)
    return run


PEERS = {'trafilatura': trafilatura, 'Resiliparse': resiliparse, 'readability-lxml': readability,
         'jusText': justext}


def report(title, scores, rate=''):
    for name in scores:
        row = '  '.join('%s %.4f' % (k, v) for k, v in scores[name].items())
        print('%-34s %-12s %-66s %s' % (title, name, row, rate), flush=True)


def peer(name, pages):
    try:
        version = importlib.metadata.version(name)
        extract = PEERS[name]()
        extract(pages[0].data)  # what is loaded at first use
    except ImportError:
        print('SKIPPED %s: not installed' % name)
        return
    texts, errors = [], 0
    start = time.process_time()
    for page in pages:
        try:
            texts.append(extract(page.data) or '')
        except Exception:  # a page that an extractor fails at counts as empty
            texts.append('')
            errors += 1
    seconds = time.process_time() - start
    note = '' if version == VERSIONS[name] else ' (table: %s)' % VERSIONS[name]
    report('%s %s%s' % (name, version, note), content_sets.score_sets(pages, texts),
           '%.0f pages/s%s' % (len(pages) / seconds, ', %d errors' % errors if errors else ''))


def ours(build, pages):
    """Scores of the shipped model, and its rate."""
    program = build / 'twinset'
    with tempfile.TemporaryDirectory() as folder:
        for i, page in enumerate(pages):
            (pathlib.Path(folder) / ('%05d.html' % i)).write_bytes(page.data)
        command = [str(program), 'text', '--content', 'main', '--json', '--input-format', 'html', folder]
        run = subprocess.run(command, capture_output=True)
        rate = in_process(build, folder, len(pages))
    if run.returncode != 0:
        sys.exit('%s: %s' % (' '.join(command), run.stderr.decode()))
    texts = [''] * len(pages)
    for line in run.stdout.splitlines():
        row = json.loads(line)
        texts[int(pathlib.PurePath(row['id']).name.split('.')[0])] = row['text']
    return content_sets.score_sets(pages, texts), rate


def in_process(build, folder, count):
    """Pages per second from bytes to main text, as a caller of the library sees it; None without the
    program that measures it."""
    program = build / 'bench' / 'content_features'
    if not program.exists():
        return None
    paths = '\n'.join(str(p) for p in sorted(pathlib.Path(folder).iterdir()))
    run = subprocess.run([str(program), '--time'], input=paths, capture_output=True, text=True, check=True)
    return count / json.loads(run.stdout)['seconds']


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


def cross_validated(build):
    program = build / 'bench' / 'content_features'
    if not program.exists():
        print('SKIPPED cross-validation: no %s' % program)
        return
    run = subprocess.run([sys.executable, str(ROOT / 'tools' / 'train_content'), str(program), '--json'],
                         capture_output=True, text=True)
    if run.returncode != 0:
        print('SKIPPED cross-validation: %s' % run.stderr.strip().split('\n')[-1])
        return
    report('twinset, cross-validated', json.loads(run.stdout))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    shared = content_sets.find_shared(ROOT)
    if shared is None:
        print('SKIPPED (no shared data): main content')
        return
    logging.disable(logging.CRITICAL)
    pages = content_sets.read_pages(shared)
    megabytes = sum(len(p.data) for p in pages) / 1e6
    print('%d pages, %.1f MB' % (len(pages), megabytes))
    scores, rate = ours(build, pages)
    report('twinset, trained on these pages', scores,
           '%.0f pages/s, %.0f MB/s' % (rate, rate * megabytes / len(pages)) if rate else '')
    cross_validated(build)
    documentation(build, shared)
    for name in PEERS:
        peer(name, pages)
    for name, least in LEAST.items():
        if scores[name]['f1'] < least:
            sys.exit('%s: F1 %.4f is below %.2f' % (name, scores[name]['f1'], least))


main()
