#!/usr/bin/env python3
"""Menus of sections are not content: tests/section_menus/run.py BUILD_DIR

bench/bench_section_menus.py on small sites: of the dropped pages at most .5 % have other text than the page
that is kept for them, and most pairs of pages whose own texts are near-duplicates are found; also where
whole families of pages share lists and tables that are their content.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
import bench_section_menus as bench  # noqa: E402

PAGES, MOST_SECTION = 920, 44  # no section is a twentieth of its site
MOST_WRONG, LEAST_FOUND = 0.005, 0.8


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
    print('%d passed, %d failed' % (len(bench.SITES) - failed, failed))
    sys.exit(failed > 0)


main()
