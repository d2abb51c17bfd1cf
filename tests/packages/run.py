#!/usr/bin/env python3
"""What is installed without a compiler: tests/packages/run.py BUILD_DIR

Makes the packages of a finished build (tools/make_packages) and uses what is in them: a Debian package is taken apart
and its programs are run; the tarball is run from a folder of another name, through a link, and loads no library of the
machine. TWINSET_LONG=1: lintian finds nothing; in bare roots of Debian 12 the packages are installed, used (the library
from a program that links it, tables after what the messages say was typed) and purged, which leaves nothing; in roots
of Debian 11 and 13 the tarball runs, and reads tables.
"""
import contextlib
import filecmp
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else sys.exit(__doc__)
LONG = bool(os.environ.get('TWINSET_LONG'))
SAMPLE = ROOT / 'examples/data/boost-docs.warc.gz'
ENVIRONMENT = '~/.local/share/twinset/tables'
FILL = 'python3 -m venv --clear %s && %s/bin/pip install pyarrow' % (ENVIRONMENT, ENVIRONMENT)
WRITE_TABLE = ("import pyarrow, pyarrow.parquet; pyarrow.parquet.write_table(pyarrow.table({'id': ['a', 'b', 'c'], "
               "'text': ['One and the same text.', 'One and the same text.', 'Another one']}), 'x.parquet')")


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode != 0:
        raise AssertionError('%s\n%s' % (' '.join(map(str, command)), done.stdout[-4000:]))
    return done.stdout


def root_of(suite, folder):
    """A bare root of a release of Debian, or why there is none."""
    if shutil.which('debootstrap') is None or os.geteuid() != 0:
        raise unittest.SkipTest('debootstrap, and who may use it, are not here')
    run('debootstrap', '--variant=minbase', suite, folder)
    # No questions, and the network as this machine has it: its resolver and the authorities that it trusts.
    (folder / 'etc/apt/apt.conf.d/90yes').write_text('APT::Get::Assume-Yes "true";\n')
    shutil.copyfile('/etc/resolv.conf', folder / 'etc/resolv.conf')
    shutil.copytree('/usr/local/share/ca-certificates', folder / 'usr/local/share/ca-certificates', dirs_exist_ok=True)
    return folder


def run_in(root, command):
    """Runs a command of the shell in a root, with nothing of this environment but what leads to the network."""
    environment = {name: value for name, value in os.environ.items()
                   if name.startswith('PIP_') or name.lower().endswith('_proxy')}
    environment.update(HOME='/root', PATH='/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND='noninteractive')
    return run('/usr/sbin/chroot', root, 'sh', '-euc', command, env=environment)


def typed(told):
    """The command that an error message tells to type."""
    return re.fullmatch(r'[^\n]*\(((?:sudo )?(?:apt |python3 -m venv )[^\n]*?)(?:; then .*)?\)\n', told)[1]


@contextlib.contextmanager
def proc_in(root):
    """Where programs learn what file they are."""
    run('mount', '-t', 'proc', 'proc', root / 'proc')
    try:
        yield
    finally:
        run('umount', root / 'proc')


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.folder.name)
        run(ROOT / 'tools/make_packages', BUILD, cls.place / 'out', *([] if LONG else ['--quick']))
        cls.tarball, = (cls.place / 'out').glob('*.tar.gz')
        cls.programs, = (cls.place / 'out').glob('twinset_*.deb')
        cls.library, = (cls.place / 'out').glob('libtwinset-dev_*.deb')

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def expect_results(self, *program):
        """What the program finds in the sample is what that of the build does."""
        here, there = self.place / 'here', self.place / 'there'
        shutil.rmtree(here, ignore_errors=True)
        shutil.rmtree(there, ignore_errors=True)
        run(BUILD / 'twinset', 'dedup', SAMPLE, '--out', here, '--quiet')
        run(*program, 'dedup', SAMPLE, '--out', there, '--quiet')
        for name in ('pairs.jsonl', 'clusters.jsonl', 'keep.txt'):
            self.assertTrue(filecmp.cmp(here / name, there / name, shallow=False), name)

    def test_programs_of_debian(self):
        tree = self.place / 'deb'
        run('dpkg-deb', '-x', self.programs, tree)
        twinset = tree / 'usr/bin/twinset'
        self.expect_results(twinset)
        self.assertIn('random walks', run(twinset, 'walk', '--help'))  # another program beside it
        self.assertTrue((tree / 'usr/share/man/man1/twinset.1.gz').is_file())
        for name in ('twinset-http', 'twinset-engine-xapian'):
            self.assertEqual((BUILD / name).exists(), (tree / 'usr/libexec/twinset' / name).exists(), name)
        self.assertTrue(os.access(tree / 'usr/libexec/twinset/twinset-tables', os.X_OK))
        self.expect_words_for_tables(twinset)
        needs = run('dpkg-deb', '-f', self.programs, 'Depends')
        for package in ('libc6', 'libstdc++6', 'libsimdjson'):
            self.assertIn(package, needs)

    def expect_words_for_tables(self, twinset):
        """A machine without Python, or with one that lacks pyarrow, is told what to type."""
        folder, home = self.place / 'bin', self.place / 'home'
        table = self.place / 'x.parquet'
        table.write_bytes(b'PAR1\x15\x04\x15\0')
        for place in (folder, home / ENVIRONMENT.removeprefix('~/') / 'bin'):
            place.mkdir(parents=True)
        for program in ('dirname', 'id', 'readlink', 'true'):
            (folder / program).symlink_to(shutil.which(program))
        (folder / 'apt-get').symlink_to('true')

        def told():
            shutil.rmtree(self.place / 'tables', ignore_errors=True)
            done = subprocess.run([twinset, 'dedup', table, '--out', self.place / 'tables', '--quiet'], text=True,
                                  capture_output=True, env={'PATH': str(folder), 'HOME': str(home)})
            self.assertEqual(done.returncode, 1)
            return done.stderr

        get = ('' if os.geteuid() == 0 else 'sudo ') + 'apt install python3-venv && '
        self.assertIn('there is no python3 here', told())
        self.assertEqual(typed(told()), get + FILL)
        bare = '#!/bin/sh\nexec %s -I -S "$@"\n' % sys.executable
        for place in (folder / 'python3', home / ENVIRONMENT.removeprefix('~/') / 'bin/python'):
            with self.subTest(place):
                place.write_text(bare)
                place.chmod(0o755)
                self.assertIn('pyarrow is not installed', told())
                self.assertEqual(typed(told()).removeprefix(get), FILL)  # where this Python can make environments
                place.unlink()
        modules = twinset.parent.parent / 'libexec/twinset/twinset_tables'
        self.assertFalse((modules / '__pycache__').exists())  # which a purge would leave

    def test_library_of_debian(self):
        tree = self.place / 'dev'
        run('dpkg-deb', '-x', self.library, tree)
        self.assertTrue((tree / 'usr/include/twinset/dedup.h').is_file())
        self.assertTrue(list((tree / 'usr/lib').glob('cmake/twinset/twinsetConfig.cmake')))
        self.assertFalse((tree / 'usr/bin').exists())
        self.assertIn('libsimdjson-dev', run('dpkg-deb', '-f', self.library, 'Depends'))

    def test_tarball(self):
        folder = self.place / 'a folder'
        folder.mkdir()
        run('tar', '-xf', self.tarball, '-C', folder)
        tree, = folder.iterdir()
        self.expect_results(tree / 'bin/twinset')
        link = self.place / 'twinset-link'
        link.symlink_to(tree / 'bin/twinset')
        self.assertIn('random walks', run(link, 'walk', '--help'))
        for program in (tree / 'lib/programs').iterdir():
            for line in run(tree / 'bin/.loader', '--library-path', tree / 'lib', '--list', program).splitlines():
                if '=>' in line:
                    self.assertIn('=> %s/' % tree, line, program.name)
        page = self.place / 'page.html'
        page.write_text('<title>T</title><p>' + 'Some words of a page. ' * 20)
        environment = dict(os.environ, LD_LIBRARY_PATH='')
        self.assertIn('"id"', run(tree / 'bin/twinset', 'text', '--json', page, env=environment))
        if (BUILD / 'twinset-http').exists():
            (tree / 'libexec/twinset/twinset-http').stat()
            run(tree / 'libexec/twinset/twinset-http', input='', env=environment)

    @unittest.skipUnless(LONG, 'lintian takes a minute: TWINSET_LONG=1')
    def test_lintian(self):
        if shutil.which('lintian') is None:
            self.skipTest('there is no lintian')
        self.assertEqual(run('lintian', '--allow-root', '--fail-on', 'warning', self.programs, self.library), '')

    @unittest.skipUnless(LONG, 'a root of Debian takes minutes: TWINSET_LONG=1')
    def test_installed_in_a_bare_debian(self):
        root = root_of('bookworm', self.place / 'bookworm')
        for package in (self.programs, self.library):
            shutil.copy(package, root / 'tmp')
        shutil.copy(SAMPLE, root / 'tmp/sample.warc.gz')
        shutil.copytree(ROOT / 'examples/cpp', root / 'tmp/cpp')
        before = self.files_of(root)
        run_in(root, 'apt-get install -q --no-install-recommends /tmp/twinset_*.deb')
        told = json.loads(run_in(root, 'cd /tmp && twinset dedup sample.warc.gz --out dups --json 2>/dev/null'))
        self.assertGreater(told['documents']['dropped'], 0)
        with proc_in(root):
            run_in(root, 'printf "PAR1\\025\\004\\025\\000" > /tmp/x.parquet')
            self.assertIn('there is no python3 here', self.told_of_tables(root))
            first = typed(self.told_of_tables(root))
            run_in(root, 'apt-get install -q python3')
            self.assertEqual(typed(self.told_of_tables(root)), first)
            run_in(root, first)
            self.expect_tables(root)
            run_in(root, 'mkdir /tmp/recipe && cd /tmp/recipe && ln -s /usr/share/doc/twinset/examples && '
                   "sed -n '/^```sh/,/^```/{/^```/d;p}' /usr/share/doc/twinset/docs/recipes/two-crawls.md > steps && "
                   'sh -eux steps && test "$(wc -l < repeated/drop.txt)" = 161')
        run_in(root, 'apt-get install -q /tmp/libtwinset-dev_*.deb g++ cmake ninja-build')
        run_in(root, 'cd /tmp && cmake -S cpp -B built -G Ninja && cmake --build built && built/dedup_strings')
        run_in(root, 'rm -r /tmp/built /tmp/dups /tmp/tables /tmp/recipe ~/.local && apt-get purge -q twinset libtwinset-dev')
        left = [name for name in self.files_of(root) - before if 'twinset' in name and not name.startswith('var/')]
        self.assertEqual(left, [])

    def told_of_tables(self, root, twinset='twinset'):
        """What a command says that cannot read a table."""
        return run_in(root, 'cd /tmp && rm -rf tables && ! %s dedup x.parquet --out tables --quiet 2>&1' % twinset)

    def expect_tables(self, root, twinset='twinset'):
        run_in(root, 'cd /tmp && rm -rf tables && %s/bin/python -c "%s"' % (ENVIRONMENT, WRITE_TABLE))
        told = json.loads(run_in(root, 'cd /tmp && %s dedup x.parquet --out tables --json 2>/dev/null' % twinset))
        self.assertEqual(told['documents']['dropped'], 1)

    @staticmethod
    def files_of(root):
        return {path.relative_to(root).as_posix() for path in root.rglob('*') if 'proc/' not in path.as_posix()}

    @unittest.skipUnless(LONG, 'roots of Debian take minutes: TWINSET_LONG=1')
    def test_tarball_on_other_releases(self):
        for suite in ('bullseye', 'trixie'):
            with self.subTest(suite):
                root = root_of(suite, self.place / suite)
                run('tar', '-xf', self.tarball, '-C', root / 'opt')
                shutil.copy(SAMPLE, root / 'tmp/sample.warc.gz')
                twinset = '/opt/twinset-*/bin/twinset'
                told = json.loads(run_in(root, 'cd /tmp && %s dedup sample.warc.gz --out dups --json 2>/dev/null' % twinset))
                self.assertGreater(told['documents']['dropped'], 0)
                with proc_in(root):
                    self.assertIn('random walks', run_in(root, twinset + ' walk --help'))
                    run_in(root, 'printf "PAR1\\025\\004\\025\\000" > /tmp/x.parquet')
                    run_in(root, typed(self.told_of_tables(root, twinset)))
                    self.expect_tables(root, twinset)


if __name__ == '__main__':
    done = unittest.main(exit=False, verbosity=2).result
    skipped = len(done.skipped)
    bad = len(done.failures) + len(done.errors)
    print('%d passed, %d failed, %d skipped' % (done.testsRun - bad - skipped, bad, skipped))
    sys.exit(1 if bad else 0)
