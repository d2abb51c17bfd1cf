"""What the built programs link is permissive: `ldd` against tests/tools/licences.tsv. The core stores nothing in a
database. The programs of apps/engines/ link one library more each, and the GPL is in one alone."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = pathlib.Path(os.environ.get('TWINSET_BUILD_DIR', ROOT / 'build')) / 'twinset'
WINGS = ('twinset', 'twinset-measure', 'twinset-corpora', 'twinset-server')  # beside PROGRAM

# Licences under which a library may be linked, whole or dynamically, into an Apache-2.0 program.
ALLOWED = {'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'LGPL-2.1+', 'LGPL-3+', 'MIT', 'MIT and Unicode', 'MPL-1.1',
           'ISC', 'Zlib', 'bzip2', 'public domain', 'part of the kernel',
           'GPL-3+ with GCC runtime exception'}

# What a program of apps/engines/ links itself besides the language's libraries: package and licence.
ENGINE_LIBRARIES = {
    'twinset-http': {'libcurl': ('libcurl4', 'curl'), 'libxml2': ('libxml2', 'MIT')},
    'twinset-engine-postgres': {'libpq': ('libpq5', 'PostgreSQL')},
    # Whole it is under the GPL, version 3 or later; nothing of it is in another program.
    'twinset-engine-xapian': {'libxapian': ('libxapian30', 'GPL-2+')},
}


def table():
    rows = {}
    for line in (HERE / 'licences.tsv').read_text(encoding='utf-8').splitlines():
        if line and not line.startswith('#'):
            library, package, licence = line.split('\t')
            rows[library] = (package, licence.split(' or ')[0])
    return rows


def library_of(soname):
    """libfmt.so.9 -> libfmt, ld-linux-x86-64.so.2 -> ld-linux-x86-64."""
    return re.sub(r'\.so(\..*)?$', '', os.path.basename(soname))


def loaded(program):
    """What a program loads: (soname, path or '')."""
    output = subprocess.run(['ldd', str(program)], capture_output=True, text=True, check=True).stdout
    if 'not found' in output:
        raise AssertionError(output)
    return re.findall(r'^\s*(\S+)(?: => (/\S+))?', output, re.M)


def complaints(sonames, rows):
    """What is wrong with linking these libraries; empty when nothing is."""
    found = []
    for name in sorted(set(map(library_of, sonames))):
        if name not in rows:
            found.append('%s: not in tests/tools/licences.tsv' % name)
        elif rows[name][1] not in ALLOWED:
            found.append('%s: licence %s is not on the allow list' % (name, rows[name][1]))
    return found


class Licences(unittest.TestCase):
    def test_check_can_fail(self):
        rows = {'liba': ('liba1', 'MIT'), 'libx': ('libx1', 'GPL-2+')}
        self.assertEqual(complaints(['liba.so.1'], rows), [])
        self.assertEqual(len(complaints(['/usr/lib/libx.so.30', 'liba.so'], rows)), 1)
        self.assertEqual(len(complaints(['libunknown.so.2'], rows)), 1)

    def test_table_is_permissive(self):
        rows = table()
        self.assertEqual(complaints(rows, rows), [])

    def test_program(self):
        if not PROGRAM.is_file():
            self.skipTest('SKIPPED (no %s): make build' % PROGRAM)
        for name in WINGS:
            sonames = [soname for soname, _ in loaded(PROGRAM.parent / name)]
            self.assertGreater(len(sonames), 5, name)
            self.assertEqual(complaints(sonames, table()), [], name)
            self.assertEqual('libsqlite3' in map(library_of, sonames), name != 'twinset')
            self.assertEqual('libpcre2-8' in map(library_of, sonames), name in ('twinset-corpora', 'twinset-server'))
            self.assertEqual('libmicrohttpd' in map(library_of, sonames), name == 'twinset-server')

    def test_packages_are_the_named_ones(self):
        """Each library on this machine comes from the package whose licence the table states."""
        if not PROGRAM.is_file() or not shutil.which('dpkg-query'):
            self.skipTest('SKIPPED (needs build/twinset and dpkg-query)')
        rows = table()
        for soname, path in sorted({pair for name in WINGS for pair in loaded(PROGRAM.parent / name) if pair[1]}):
            real = os.path.realpath(path)
            owner = ''
            for candidate in (path, real, real.removeprefix('/usr')):
                result = subprocess.run(['dpkg-query', '-S', candidate], capture_output=True, text=True)
                owner = owner or result.stdout.split(':', 1)[0]
            self.assertEqual(owner, rows[library_of(soname)][0], soname)
            self.assertTrue(pathlib.Path('/usr/share/doc', owner, 'copyright').exists(), owner)

    def test_engine_programs(self):
        """Their own libraries are the named ones, and nothing of twinset's is linked with Xapian."""
        if not PROGRAM.is_file() or not shutil.which('readelf'):
            self.skipTest('SKIPPED (needs build/twinset and readelf)')
        common = {'libstdc++', 'libgcc_s', 'libc', 'libm'}
        for name, libraries in ENGINE_LIBRARIES.items():
            program = PROGRAM.parent / name
            if not program.is_file():
                print('SKIPPED %s: it was not built' % name)
                continue
            output = subprocess.run(['readelf', '-d', str(program)], capture_output=True, text=True,
                                    check=True).stdout
            needed = set(map(library_of, re.findall(r'NEEDED.*\[(.*)\]', output)))
            self.assertEqual(needed - common - {'ld-linux-x86-64'}, set(libraries), name)
            self.assertFalse(set(libraries) & set(table()), 'twinset itself would load them')
            for package, licence in libraries.values():
                self.assertEqual(licence.startswith('GPL'), name == 'twinset-engine-xapian')
                if shutil.which('dpkg-query'):
                    self.assertTrue(pathlib.Path('/usr/share/doc', package, 'copyright').exists(), package)


if __name__ == '__main__':
    unittest.main()
