#!/usr/bin/env python3
"""tests/rescue/run.py BUILD_DIR: the small form of studies/sampling_rescue, on 400 pages of one
crawl of a site and their successors in a later one. The pages lie outside the repository, in
TWINSET_SHARED_DATA or ../shared/data beside the checkout; skipped where they are missing."""
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA', ROOT.parent / 'shared/data'))
PAGES, GONE = 400, 60


def load_study():
    sys.dont_write_bytecode = True
    path = str(ROOT / 'studies/sampling_rescue')
    loader = importlib.machinery.SourceFileLoader('study_sampling_rescue', path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not (DATA / 'multiversion/boost_1.74_1.81.tar.xz').exists():
        print('SKIPPED (no shared data): multiversion\n0 passed, 0 failed, 1 skipped')
        return 0
    study = load_study()
    program = os.path.join(os.path.abspath(sys.argv[1]), 'twinset')
    pages = study.read_pages(DATA)
    chosen = set(sorted((p for p in pages[study.OLD] if p in pages[study.NEW]),
                        key=study.order)[:PAGES])
    pages = {site: {p: text for p, text in of.items() if p in chosen} for site, of in pages.items()}
    with tempfile.TemporaryDirectory() as folder:
        results = study.study(program, pages, study.read_similarity(DATA), GONE, folder)

    failed = []
    for terms in study.TERMS:
        result = results['gone %d 2' % terms]
        right, other = study.total(result, 'right'), study.total(result, 'other')
        print('%d terms: %d of %d at the same path, %d at another' % (terms, right, GONE, other))
        # Of these pages 94 in 100 are at least .8 alike in the two versions.
        if result['pages'] != GONE or right < 0.85 * GONE or other > 0.05 * GONE:
            failed.append('%d terms' % terms)
    absent = results['absent 0.8']
    print('without the successors: %s' % dict(absent))
    if absent['found'] > 0.3 * GONE or absent['not-found'] < 0.5 * GONE:
        failed.append('without the successors')
    ties = results['ties']
    if ties['found'] < 0.85 * GONE or ties['same host'] != ties['found']:
        failed.append('ties: %s' % ties)
    for what in failed:
        print('failed: ' + what)
    print('%d passed, %d failed' % (not failed, bool(failed)))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
