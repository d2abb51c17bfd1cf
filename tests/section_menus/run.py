#!/usr/bin/env python3
"""Menus of sections are not content: tests/section_menus/run.py BUILD_DIR

bench/bench_section_menus.py on small sites: of the dropped pages at most .5 % have other text than the page
that is kept for them, and most pairs of pages whose own texts are near-duplicates are found; also where
whole families of pages share lists and tables that are their content. A saved run that gets the second half of a
site, any order of the pages and a small memory change nothing.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
import bench_section_menus as bench  # noqa: E402

PAGES, MOST_SECTION = 920, 44  # no section is a twentieth of its site
MOST_WRONG, LEAST_FOUND = 0.005, 0.8


class Corpus:
    """The pages of a site, in halves and shuffled."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        pages = bench.section_templates.pages_of('doxygen', PAGES, 3, MOST_SECTION)
        half = len(pages) // 2
        parts = {'old': pages[:half], 'new': pages[half:], 'mixed': random.Random(1).sample(pages, len(pages))}
        for name, part in parts.items():
            bench.write_pages(part, folder / (name + '.jsonl'))

    def run(self, command, inputs, *options):
        """The bytes of pairs.jsonl."""
        out = self.folder / 'out'
        inputs = [str(self.folder / (name + '.jsonl')) for name in inputs]
        pairs = ('--pairs', 'all') if command == 'dedup' else ()
        subprocess.run([str(self.program), command, *inputs, '--html-field', 'html', *pairs, '--out', str(out),
                        '--overwrite', *options], check=True, capture_output=True)
        return (out / 'pairs.jsonl').read_bytes()


def pair_set(rows):
    return {(frozenset((row['a'], row['b'])), row['similarity']) for row in map(json.loads, rows.splitlines())}


def is_a_function_of_the_pages(program):
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(program, pathlib.Path(folder))
        whole, saved = corpus.run('dedup', ['old', 'new']), str(corpus.folder / 'saved')
        corpus.run('dedup', ['old'], '--save', saved)
        against = ['--against', str(corpus.folder / 'old.jsonl'), '--against-html-field', 'html']
        return (corpus.run('dedup', ['new'], '--add', saved, '--reconsider') == whole
                and corpus.run('match', ['new'], '--against', saved) == corpus.run('match', ['new'], *against)
                and corpus.run('dedup', ['old', 'new'], '--memory', '64M', '--threads', '1') == whole
                and pair_set(corpus.run('dedup', ['mixed'])) == pair_set(whole) and len(pair_set(whole)) > 20)


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / 'twinset'
    failed = 0
    for site in bench.SITES:
        counts, = bench.study(site, [program], PAGES, 2, MOST_SECTION)
        is_good = (counts.dropped > 20 and bench.wrong_share(counts) <= MOST_WRONG
                   and bench.found_share(counts) >= LEAST_FOUND)
        failed += not is_good
        print('%-6s %s: %d of %d drops are wrong, %d of %d pairs are found'
              % ('ok' if is_good else 'FAILED', site, counts.wrong, counts.dropped, counts.found, counts.pairs))
    is_good = is_a_function_of_the_pages(program)
    failed += not is_good
    print('%-6s saved runs, memory and order' % ('ok' if is_good else 'FAILED'))
    print('%d passed, %d failed' % (len(bench.SITES) + 1 - failed, failed))
    sys.exit(failed > 0)


main()
