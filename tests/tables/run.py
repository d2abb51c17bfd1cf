#!/usr/bin/env python3
"""Tables and buckets as inputs: tests/tables/run.py BUILD_DIR

The same rows as JSON lines, Parquet of four libraries, Arrow, Feather and ORC, on the disk and in a store of S3 that runs
in the test, give the same result bytes; a table that is written has the schema, groups and metadata that it had.
Then what can go wrong: damage, values of any type, a store that is busy, cuts connections or has another object now, a
helper that is not there, lacks its library or is killed. TWINSET_LONG=1: every flip of a byte in a small table, one row
group of 2 GB (large_groups.py), and the stores of others (real_stores.py), which are built by Go 1.25 or later and by Rust.
"""
import fcntl
import os
import pathlib
import runpy
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPARK = runpy.run_path(str(ROOT / 'tests/spark/run.py'))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    with open(build / 'python-package.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python = SPARK['PYTHON_SUITE']['environment_of'](build / 'python-environment', ROOT / 'python/requirements.txt')
    packages = SPARK['packages_of'](build / 'tables-packages', python, ROOT / 'tests/tables/requirements.txt')
    environment = dict(os.environ, PYTHONPATH=str(packages), TWINSET_PROGRAM=str(build / 'twinset'),
                       PATH='%s:%s' % (python.parent, os.environ['PATH']))
    environment.pop('TWINSET_TABLES', None)
    done = subprocess.run([python, ROOT / 'tests/tables/cases.py'], env=environment)
    sys.exit(done.returncode)


if __name__ == '__main__':
    main()
