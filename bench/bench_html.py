#!/usr/bin/env python3
"""HTML to text, beside gumbo, libxml2 and resiliparse: bench/bench_html.py BUILD_DIR

For each corpus of pages under TWINSET_SHARED_DATA (or ../shared/data): `bench_html` measures twinset
(all visible text, main content), libxml2 and gumbo, then resiliparse's extract_plain_text (detect the
encoding, parse, extract; with and without main_content) takes the same pages in the same run. One
thread each, pages in memory, medians of five rounds. `bench_html` checks that twinset's text is the
gumbo's; resiliparse is only timed,
since its rules for what is visible differ. Without the pages it says so and ends.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA', ROOT.parent / 'shared/data'))
CORPORA = ['multiversion/boost_1.74_1.81', 'sites/postgresql_doc_15', 'i18n/debian_handbook_de_ja_zhCN',
           'extraction/trafilatura_pages', 'extraction/readability_test_pages']
PEER = r'''
import pathlib, statistics, sys, time
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree
pages = [p.read_bytes() for p in sorted(pathlib.Path(sys.argv[1]).rglob('*'))
         if p.is_file() and p.suffix in ('.html', '.htm')]
size = sum(map(len, pages))
for name, main in (('resiliparse, all text', False), ('resiliparse, main content', True)):
    rates = []
    for _ in range(int(sys.argv[2])):
        begin, text = time.perf_counter(), 0
        for page in pages:
            tree = HTMLTree.parse_from_bytes(page, detect_encoding(page))
            text += len(extract_plain_text(tree, main_content=main))
        rates.append(size / 1e6 / (time.perf_counter() - begin))
    rate = statistics.median(rates)
    print('%-28s %8.1f MB/s %9.0f pages/s %12d characters of text' % (name, rate, rate * 1e6 * len(pages) / size, text))
'''


def peer_python(build):
    environment = build / 'peers-html'
    python = environment / 'bin' / 'python'
    if not python.exists():
        subprocess.run([sys.executable, '-m', 'venv', environment], check=True)
    subprocess.run([python, '-m', 'pip', 'install', '--quiet', 'Resiliparse==2.0.1'], check=True)
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    program = build / 'bench' / 'bench_html'
    present = [SHARED / (name + '.tar.xz') for name in CORPORA]
    present = [archive for archive in present if archive.exists()]
    if not present:
        print('SKIPPED: no pages under %s' % SHARED.name)
        return
    python = peer_python(build)
    failed = False
    for archive in present:
        folder = pathlib.Path(tempfile.mkdtemp(prefix='twinset-html-'))
        try:
            with tarfile.open(archive) as pages:
                pages.extractall(folder)
            print('-- %s' % archive.name, flush=True)
            failed |= subprocess.run([program, folder]).returncode != 0
            subprocess.run([python, '-c', PEER, folder, '5' if archive.stat().st_size < 3e6 else '2'], check=True)
        finally:
            shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


main()
