#!/usr/bin/env python3
"""Two releases of one site: do pages keep their place? bench/bench_versions.py BUILD_DIR [NAME=A,B...]

Research that is done on one crawl may be carried over to a later one by address or by content. For each
site (NAME=A,B: folders of two releases; by default the Boost manuals of the shared data) and each text
that can be compared:

  same      pages with the same path on both sides, and the share of them that is alike (J >= --threshold)
  found     pages of A with any page of B that is alike, and the share of them whose own path is among these

The texts: all visible text and main content, each with the template of the site kept and dropped. Pairs
are those of `twinset match`: every pair at the threshold. Without the shared data the default
site is left out and that is said.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'training'))
import content_sets  # noqa: E402

BOOST = 'multiversion/boost_1.74_1.81.tar.xz'
TEXTS = (('all', 'keep'), ('all', 'drop'), ('main', 'keep'), ('main', 'drop'))


def pages_of(folder):
    return {str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob('*.html') if not path.is_symlink()}


def compare(program, a, b, threshold, content, template):
    """[(id of A, id of B)] of the pairs that are alike."""
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work) / 'out'
        subprocess.run([str(program), 'match', str(a), '--against', str(b), '--threshold', str(threshold),
                        '--content', content, '--template', template, '--input-format', 'html', '--out', str(out),
                        '--quiet'], check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out / 'pairs.jsonl', encoding='utf-8') as rows:
            return [(row['a'], row['b']) for row in map(json.loads, rows)]


def study(program, name, a, b, threshold):
    common = pages_of(a) & pages_of(b)
    for content, template in TEXTS:
        pairs = compare(program, a, b, threshold, content, template)
        alike = {x for x, y in pairs if x == y} & common
        found = {x for x, _ in pairs}
        in_place = {x for x, y in pairs if x == y}
        print('%-24s %-5s template %-5s same path %5d, alike %.3f; pairs %7d, pages found %5d, in place %.3f'
              % (name, content, template, len(common), len(alike) / max(1, len(common)), len(pairs), len(found),
                 len(in_place) / max(1, len(found))), flush=True)
        if not in_place <= found:
            sys.exit('a page in place was not found')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('sites', nargs='*', metavar='NAME=A,B')
    parser.add_argument('--threshold', type=float, default=0.9)
    args = parser.parse_args()
    program = args.build.resolve() / 'twinset'
    for site in args.sites:
        name, folders = site.split('=', 1)
        study(program, name, *folders.split(','), args.threshold)
    if args.sites:
        return
    shared = content_sets.find_shared(ROOT)
    if shared is None:
        print('SKIPPED (no shared data): two releases')
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(shared / BOOST) as archive:
            archive.extractall(folder)
        a, b = sorted(pathlib.Path(folder).rglob('libboost1.*-doc/doc'))[:2]
        study(program, 'Boost 1.74, 1.81', a, b, args.threshold)


main()
