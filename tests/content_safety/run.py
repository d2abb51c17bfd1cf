#!/usr/bin/env python3
"""bench/bench_content_safety.py on a site of our own: tests/content_safety/run.py BUILD_DIR

The site has pages whose pairs and lost pages are known, so its counts are checked exactly for the run
on content elements, and by what must hold for the others.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / 'tests' / 'support'), str(ROOT / 'training')]
from measured import Skipped  # noqa: E402
from packages import run_again_with  # noqa: E402
from reference_manuals import VERSIONS  # noqa: E402

COPIES, SINGLE = 8, 30
PAGE = '''<!DOCTYPE html><html><head><title>%(title)s</title><script id="documentation_options"></script></head><body>
<div class="related" role="navigation"><a href="index.html">index</a></div><div class="document"><div class="body"
role="main"><h1>%(title)s</h1><p>%(text)s</p></div></div><div class="sphinxsidebar">%(side)s</div>
<div class="footer">Created using Sphinx 5.3.0.</div></body></html>'''


def words(rng, count):
    return ' '.join(''.join(rng.choice('abcdefghijklmnopqrstuvwxyz') for _ in range(6)) for _ in range(count))


def write_site(folder):
    """COPIES pages with one text, whose pairs are near-duplicates; SINGLE pages of four words in the same
    frame, which are not."""
    rng = random.Random(1)
    place = folder / 'python3.11-doc' / 'html'
    place.mkdir(parents=True)
    side = ' '.join('<a href="%d.html">%s</a>' % (i, words(rng, 2)) for i in range(120))
    common = words(rng, 200)
    for i in range(COPIES):
        page = {'title': 'Copy %d' % i, 'text': common, 'side': side}
        (place / ('copy%d.html' % i)).write_text(PAGE % page)
    for i in range(SINGLE):
        page = {'title': 'Page', 'text': words(rng, 4), 'side': side}
        (place / ('single%d.html' % i)).write_text(PAGE % page)


def bench(build, folder, *options):
    command = [sys.executable, str(ROOT / 'bench' / 'bench_content_safety.py'), str(build), '--manuals', str(folder),
               '--packages', 'python3.11-doc', '--program', 'again=%s' % (build / 'twinset'), *options]
    return subprocess.run(command, capture_output=True, text=True)


def check(found, wanted, what):
    if found != wanted:
        sys.exit('%s: %r, expected %r' % (what, found, wanted))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    try:
        run_again_with('lxml', ['lxml==' + VERSIONS['lxml']], 'lxml')
    except Skipped as reason:
        print('SKIPPED: %s' % reason)
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_site(folder)
        out = folder / 'out.json'
        run = bench(build, folder, '--json', str(out))
        check(run.returncode, 0, run.stderr)
        rows = {row['run']: row for row in json.loads(out.read_text())['rows']}
        check(sorted(rows), ['again', 'all', 'element', 'main'], 'runs')
        pairs = COPIES * (COPIES - 1) // 2
        for name, row in rows.items():
            check((row['pages'], row['truth'], row['site']), (COPIES + SINGLE, pairs, 'python3.11-doc'), name)
        element = rows['element']
        check((element['dropped'], element['wrong'], element['found']), (COPIES - 1, 0, pairs), 'element')
        check(dict(rows['again'], run='main'), rows['main'], 'the same program twice')
        # With all text the frame outweighs the few words of a page, so that pages must be lost.
        lost = rows['all']
        check(lost['wrong'] >= SINGLE - 1, True, 'lost with all text')
        likeness, dropped, kept = lost['examples'][0]
        check((likeness, 'single' in dropped, dropped != kept), (0, True, True), 'example')
        # Limits that hold, and limits that nothing can hold.
        check(bench(build, folder, '--max-wrong', '1', '--min-recall', '0').returncode, 0, 'loose limits')
        for limit in (('--max-wrong', '-1'), ('--min-recall', '1.01')):
            run = bench(build, folder, *limit)
            check(run.returncode, 1, limit)
            check('sphinx: ' in run.stderr and 'the limit is' in run.stderr, True, run.stderr)


main()
