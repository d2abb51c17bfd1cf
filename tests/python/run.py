#!/usr/bin/env python3
"""The Python package, in an environment of its own: tests/python/run.py BUILD_DIR

Makes a virtual environment below BUILD_DIR with what python/requirements.txt lists, builds the module against
BUILD_DIR and runs python/tests.
"""
import os
import pathlib
import re
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RAN = re.compile(r'^Ran (\d+) tests', re.M)
FAILED = re.compile(r'(?:failures|errors)=(\d+)')


def environment_of(build):
    """The interpreter of the environment, which is made anew when what it holds is to change."""
    place, wanted = build / 'python-environment', (ROOT / 'python/requirements.txt').read_bytes()
    python, mark = place / 'bin/python', place / 'requirements.txt'
    if not mark.exists() or mark.read_bytes() != wanted:
        venv.create(place, with_pip=True, clear=True)
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check',
                        '-r', ROOT / 'python/requirements.txt'], check=True)
        mark.write_bytes(wanted)
    return python


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    python = environment_of(build)
    made = subprocess.run([ROOT / 'tools/build_python', build, python], check=True, stdout=subprocess.PIPE, text=True)
    environment = dict(os.environ, PYTHONPATH=made.stdout.splitlines()[-1], TWINSET_PROGRAM=str(build / 'twinset'))
    tests = subprocess.run([python, '-X', 'faulthandler', '-m', 'unittest', 'discover', '-s', ROOT / 'python/tests'],
                           env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sys.stdout.write(tests.stdout)
    # What is made from the package is as the package is.
    pages = subprocess.run([python, ROOT / 'tools/make_python_pages', environment['PYTHONPATH'], '--check'])
    ran = RAN.search(tests.stdout)
    failed = sum(map(int, FAILED.findall(tests.stdout.rpartition('\n\n')[2])))
    failed += pages.returncode != 0
    print('%d passed, %d failed' % (int(ran.group(1)) + 1 - failed if ran else 0, failed))
    sys.exit(1 if failed else tests.returncode)


if __name__ == '__main__':
    main()
