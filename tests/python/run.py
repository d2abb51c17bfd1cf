#!/usr/bin/env python3
"""The Python package, in environments of its own: tests/python/run.py BUILD_DIR

Makes a virtual environment below BUILD_DIR with what python/requirements.txt lists, builds the module against
BUILD_DIR and runs python/tests. With TWINSET_LONG it also runs python/tests/integrations, in an environment with
what python/requirements-integrations.txt lists: hundreds of megabytes.
"""
import contextlib
import fcntl
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tools'))
from python_environment import environment_of  # noqa: E402

RAN = re.compile(r'^Ran (\d+) tests?', re.M)
FAILED = re.compile(r'(?:failures|errors)=(\d+)')


def run_tests(python, folder, environment):
    """(tests that ran, tests that failed) of a folder."""
    tests = subprocess.run([python, '-X', 'faulthandler', '-m', 'unittest', 'discover', '-s', folder],
                           env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sys.stdout.write(tests.stdout)
    ran = RAN.search(tests.stdout)
    failed = sum(map(int, FAILED.findall(tests.stdout.rpartition('\n\n')[2])))
    return int(ran.group(1)) if ran else 0, failed or int(tests.returncode != 0)


@contextlib.contextmanager
def package_of(build):
    """(interpreter, folder of the package), for one suite at a time: both are made anew."""
    with open(build / 'python-package.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python = environment_of(build / 'python-environment', ROOT / 'python/requirements.txt')
        made = subprocess.run([ROOT / 'tools/build_python', build, python], check=True, stdout=subprocess.PIPE,
                              text=True)
        yield python, made.stdout.splitlines()[-1]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    with package_of(build) as (python, package):
        ran, failed = run_suite(build, python, package)
    print('%d passed, %d failed' % (ran + 1 - failed, failed))
    sys.exit(1 if failed else 0)


def run_suite(build, python, package):
    environment = dict(os.environ, PYTHONPATH=package, TWINSET_PROGRAM=str(build / 'twinset'))
    ran, failed = run_tests(python, ROOT / 'python/tests', environment)
    if 'TWINSET_LONG' in os.environ:
        environment['PYTHONPATH'] += os.pathsep + str(ROOT / 'python/tests')
        more = run_tests(environment_of(build / 'python-integrations', ROOT / 'python/requirements-integrations.txt'),
                         ROOT / 'python/tests/integrations', environment)
        ran, failed = ran + more[0], failed + more[1]
    # What is made from the package is as the package is.
    pages = subprocess.run([python, ROOT / 'tools/make_python_pages', package, '--check'])
    return ran, failed + (pages.returncode != 0)


if __name__ == '__main__':
    main()
