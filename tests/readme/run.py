#!/usr/bin/env python3
"""Runs the commands that README.md, the recipes and other pages promise: tests/readme/run.py BUILD_DIR [FILE]

A fenced `sh` block right after a line `<!-- run -->` is run by bash, stopping at the first failure.
A fenced `text` block right after `<!-- output -->` is what the block before it must print. All
blocks of a page share one temporary folder, in which `examples` and `build/twinset` are found as in a
checkout; BUILD_DIR is on the PATH.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INDEX = ROOT / 'docs/recipes/README.md'
NEEDS_A_BUCKET = INDEX.parent / 'parquet-lake.md'  # tests/tables has one, and runs it
PAGES = [ROOT / 'README.md', ROOT / 'docs/coming-from/README.md',
         *sorted(set(INDEX.parent.glob('*.md')) - {INDEX, NEEDS_A_BUCKET})]
BLOCK = re.compile(r'^<!-- (run|output) -->\n```(\w*)\n(.*?)^```$', re.M | re.S)


def blocks(text):
    """[(commands, expected output or None)], in order. ValueError when the marks make no sense."""
    found = []
    for kind, language, body in BLOCK.findall(text):
        if kind == 'run':
            if language != 'sh':
                raise ValueError('a block to run must be marked sh, not %r' % language)
            found.append((body, None))
        elif not found or found[-1][1] is not None:
            raise ValueError('an output block must follow the block it belongs to')
        else:
            found[-1] = (found[-1][0], body)
    if len(re.findall(r'^<!-- (?:run|output) -->', text, re.M)) != len(BLOCK.findall(text)):
        raise ValueError('a mark <!-- run --> or <!-- output --> has no fenced block right below')
    if not found:
        raise ValueError('nothing is marked <!-- run -->')
    return found


def run_block(commands, expected, folder, environment):
    """None, or what went wrong."""
    result = subprocess.run(['bash', '-euo', 'pipefail', '-c', commands], cwd=folder,
                            env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                            text=True, timeout=300)
    if result.returncode != 0:
        return 'exit %d\n%s%s' % (result.returncode, result.stdout, result.stderr)
    if expected is not None and result.stdout != expected:
        return 'printed\n%s\ninstead of\n%s' % (result.stdout, expected)
    return None


def run_page(page, build):
    """(blocks passed, blocks failed) of one document."""
    try:
        todo = blocks(page.read_text(encoding='utf-8'))
    except ValueError as error:
        print('%s: %s' % (page.name, error))
        return 0, 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, 'examples').symlink_to(ROOT / 'examples')
        pathlib.Path(folder, 'build').mkdir()
        pathlib.Path(folder, 'build/twinset').symlink_to(build / 'twinset')
        environment = {**os.environ, 'PATH': '%s:%s' % (build, os.environ['PATH'])}
        for number, (commands, expected) in enumerate(todo, 1):
            wrong = run_block(commands, expected, folder, environment)
            if wrong:
                failed += 1
                print('%s, block %d FAILED:\n%s%s' % (page.name, number, commands, wrong))
    return len(todo) - failed, failed


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    pages = [pathlib.Path(sys.argv[2])] if len(sys.argv) == 3 else PAGES
    results = [run_page(page, build) for page in pages]
    failed = sum(failed for _, failed in results)
    print('%d passed, %d failed' % (sum(passed for passed, _ in results), failed))
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
