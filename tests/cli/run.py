#!/usr/bin/env python3
"""The tests of the command line: tests/cli/run.py BUILD_DIR

First the self-test of the runner, then every case on BUILD_DIR/twinset.
"""
import pathlib
import sys
import unittest

import run_cases
import test_run_cases


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    suite = unittest.defaultTestLoader.loadTestsFromModule(test_run_cases)
    if not unittest.TextTestRunner(sys.stdout).run(suite).wasSuccessful():
        print('the runner of the cases is broken: its verdicts count for nothing')
        return 1
    sys.argv[1:] = ['--twinset', str(pathlib.Path(sys.argv[1]) / 'twinset')]
    return run_cases.main()


if __name__ == '__main__':
    sys.exit(main())
