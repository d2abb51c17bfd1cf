#!/usr/bin/env python3
"""The wheels and the sdist in empty environments: tests/python/wheels.py BUILD_DIR [VERSION|sdist...]

Makes the wheels of the package against BUILD_DIR, and for every CPython from 3.10 on that
is on the machine (PATH, pyenv) an empty environment, in which pip chooses and installs one of them without the
network. There it is imported, finds duplicates, tells an error, and is the command, of which two cases are run.
Then the sdist is installed once, which compiles the library. Part of `make check-long`.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSIONS = ('3.10', '3.11', '3.12', '3.13', '3.14')
MOST_IMPORT_MS = 60  # 30 on a machine that does nothing else
USE = '''
import importlib.metadata, sys, twinset
assert not set(sys.modules) & {'numpy', 'pandas', 'pyarrow'}
text = 'one two three four five six seven eight nine ten'
found = twinset.dedup([{'id': 'a', 'text': text}, {'id': 'b', 'text': text + ' more'}, {'id': 'c', 'text': 'else'}],
                      id='id', threshold=0.5)
assert [row['id'] for row in found.kept] == ['b', 'c'], found.kept
assert list(found.dropped)[0][:2] == ('a', 'b')
assert twinset.text('<title>T</title><p>Some words.</p>')['title'] == 'T'
try:
    twinset.dedup('no/such/file')
    raise SystemExit('no error')
except twinset.TwinsetError as error:
    assert 'no/such/file' in str(error), error
assert importlib.metadata.version('twinset') == twinset.__version__
'''


def pythons():
    """The interpreters by version."""
    found = {}
    for version in VERSIONS:
        places = [shutil.which('python' + version)]
        places += sorted(map(str, (pathlib.Path.home() / '.pyenv/versions').glob(version + '.*/bin/python')))
        for place in filter(None, places):
            probe = subprocess.run([place, '-c', 'import venv, sys; print("%d.%d" % sys.version_info[:2])'],
                                   capture_output=True, text=True)
            if probe.stdout.strip() == version:
                found.setdefault(version, place)
    return found


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError('%s\n%s' % (' '.join(map(str, command)), done.stdout[-4000:]))
    return done.stdout


def least_ms(command, environment):
    taken = []
    for _ in range(5):
        begin = time.monotonic()
        run(*command, env=environment)
        taken.append(time.monotonic() - begin)
    return 1000 * min(taken)


def used(python, folder, environment):
    """Uses the package of an environment; returns what is to be told."""
    run(python, '-c', USE, cwd=folder, env=environment)
    command = pathlib.Path(python).parent / 'twinset'
    told = run(command, 'version', env=environment)
    if not re.match(r'twinset \d', told):
        raise RuntimeError('twinset version printed %r' % told)
    # What python/native/wheel leaves out is not missed: signatures (libsodium) and patterns (PCRE2).
    run(sys.executable, ROOT / 'tests/cli/run_cases.py', '--twinset', command, 'patch-tampered', 'study-sides',
        env=environment)
    bare = least_ms([python, '-c', 'pass'], environment)
    took = least_ms([python, '-c', 'import twinset'], environment) - bare
    if took > MOST_IMPORT_MS:
        raise RuntimeError('import took %.0f ms' % took)
    return 'import %.0f ms, command %.0f ms' % (took, least_ms([command, 'version'], environment))


def in_an_environment(python, package, folder):
    place = pathlib.Path(folder) / 'environment'
    run(python, '-m', 'venv', '--clear', place)
    # Nothing of this process: no path of modules, no configuration of pip but the interpreter's own.
    environment = {name: value for name, value in os.environ.items() if not name.startswith('PYTHON')}
    run(place / 'bin/pip', 'install', '--disable-pip-version-check', *package, env=environment)
    return used(place / 'bin/python', folder, environment)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    passed = failed = skipped = 0
    there = pythons()
    wheels = build / 'python-wheels'
    if sys.argv[2:] != ['sdist']:
        shutil.rmtree(wheels, ignore_errors=True)
        print('\n'.join(run(ROOT / 'tools/make_wheels', build, wheels).splitlines()[-3:]), flush=True)
    newest = max(there, key=VERSIONS.index, default=None)
    cases = [(version, ['--no-index', '--find-links', wheels, 'twinset']) for version in VERSIONS] + [('sdist', None)]
    for name, package in [case for case in cases if case[0] in (sys.argv[2:] or dict(cases))]:
        python = there.get(newest if name == 'sdist' else name)
        if python is None:
            skipped += 1
            print('SKIPPED %s: no CPython %s on this machine' % (name, name))
            continue
        begin = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as folder:
                if package is None:
                    run(ROOT / 'tools/make_sdist', folder, next(build.glob('wheel-environment-*/bin/python')))
                    package = [next(pathlib.Path(folder).glob('*.tar.gz'))]
                told = in_an_environment(python, package, folder)
            passed += 1
            print('took %.1f s %s: %s' % (time.monotonic() - begin, name, told), flush=True)
        except (RuntimeError, StopIteration) as error:
            failed += 1
            print('FAILED %s: %s' % (name, error), flush=True)
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
