#!/usr/bin/env python3
"""Samplers and estimators of the program against engines whose content is known: tests/sampling/run.py BUILD_DIR

The small form of studies/sampling_engines, on made-up pages and few seeds: the biased samplers must be found
biased, the corrected ones right, and what an engine does to a study must be told. Every number is repeatable.
"""
import argparse
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def load_study():
    loader = importlib.machinery.SourceFileLoader('study', str(ROOT / 'studies' / 'sampling_engines'))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('study', loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def percent(text):
    return float(text.rstrip('%')) / 100


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    module = load_study()
    tables = {}
    module.table = lambda title, columns, rows: tables.update({title: rows})
    failures, checks = [], []

    def check(said, true):
        print(('ok      ' if true else 'FAILED  ') + said)
        checks.append(said)
        if not true:
            failures.append(said)

    with tempfile.TemporaryDirectory() as folder:
        study = module.Study(argparse.Namespace(program=pathlib.Path(sys.argv[1]) / 'twinset', out=folder + '/out',
                                                data='', seeds=3, pages=100, types='sqlite'))
        module.SAMPLERS = {name: module.SAMPLERS[name] for name in
                           ('bharat-broder, AND of 2', 'pool-importance', 'pool-rejection', 'pool-walk-mh')}
        module.BIASES = {name: module.BIASES[name] for name in
                         ('none', 'indexes the first 50 words', 'withholds results from 6 terms or more',
                          'every result twice')}
        for name in ('lengths', 'size', 'biases', 'spam'):
            module.TABLES[name](study)
    rows = {row[0]: row for row in next(rows for title, rows in tables.items() if title.startswith('Mean length'))}
    check('random queries draw long pages too often', percent(rows['bharat-broder, AND of 2'][2]) > 0.5)
    check('and their interval does not hold', rows['bharat-broder, AND of 2'][4] == '0/3')
    check('rejection does not', abs(percent(rows['pool-rejection'][2])) < 0.1 and rows['pool-rejection'][4] == '3/3')
    check('importance draws do', percent(rows['pool-importance'][2]) > 0.3)
    check('and their weights repair it', abs(percent(rows['pool-importance'][5])) < 0.25)
    check('a walk does not', abs(percent(rows['pool-walk-mh'][2])) < 0.25)
    size = next(rows for title, rows in tables.items() if title.startswith('Size of the corpus'))
    check('the size of the corpus is found', abs(percent(size[0][2])) < 0.2)
    bias = {row[0]: row for row in next(rows for title, rows in tables.items() if title.startswith('What engine b'))}
    check('an honest engine has its size', abs(float(bias['none'][3]) - 1) < 0.4)
    check('of the first words only, too little is found', float(bias['indexes the first 50 words'][3]) < 0.8)
    check('withheld results are told', 'no page was found in both' in bias['withholds results from 6 terms or more'][5])
    check('repeated results change nothing', bias['every result twice'][1:5] == bias['none'][1:5])
    check('and are told', 'came twice' in bias['every result twice'][5])
    planted = next(rows for title, rows in tables.items() if title.startswith('Planted'))
    spam = {(row[0], row[1]): row for row in planted}
    for (truth, sampler), row in spam.items():
        if sampler == 'bharat-broder, AND of 2':
            check(f'{truth} spam, random queries: more', percent(row[2]) > 1.5 * percent(truth) and row[3] == '0/3')
        elif sampler == 'pool-importance':
            check(f'{truth} spam, importance: raw draws have more', percent(row[2]) > 1.3 * percent(truth))
            check(f'{truth} spam, importance: weights hold', int(row[5][0]) >= 2)
        else:
            check(f'{truth} spam, rejection: intervals hold', int(row[5][0]) >= 2)
    print(f'{len(checks) - len(failures)} passed, {len(failures)} failed')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
