#!/usr/bin/env python3
"""One door for lists of lines: tests/lists/run.py BUILD_DIR

Every flag and operand that takes a file, from the program's own completions, is in recipes.py; a new
one that is not fails the test. Every list is given as it is; with byte order marks, also in the middle,
and CRLF; as a pipe; in UTF-16, as a device, a folder and a name that is not there.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import recipes

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve() / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
FILE_FLAG = re.compile(r"^complete -c twinset -n '__fish_seen_subcommand_from (\S+)' -l (\S+)(?: -s .)? -r -F", re.M)
COMMAND = re.compile(r'^complete -c twinset -n __fish_use_subcommand -f -a (\S+)', re.M)
MARK = b'\xef\xbb\xbf'
ADDRESS_SANITIZER = b'AddressSanitizer' in pathlib.Path(PROGRAM).read_bytes()


def recipes_by_name():
    named = {flag: entry for flag, entry in recipes.FLAGS.items() if isinstance(entry, recipes.Recipe)}
    for command, entries in recipes.OPERANDS.items():
        if isinstance(entries, list):
            named.update({'%s operand %d' % (command, i): entry for i, entry in enumerate(entries)})
    return named


def unnamed(output, recipe):
    """Output without the name of the list, which a pipe has another of."""
    return re.sub(rb'/dev/fd/[0-9]+', b'LIST', output).replace(recipe.name.encode(), b'LIST')


class Lists(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix='twinset-lists-')
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.material = cls.folder / 'in'
        recipes.make_material(PROGRAM, cls.material)
        (cls.folder / 'bin').mkdir()
        (cls.folder / 'bin/twinset').symlink_to(PROGRAM)
        cls.environment = dict(os.environ, PATH='%s:%s' % (cls.folder / 'bin', os.environ['PATH']))
        cls.fish = subprocess.run([PROGRAM, 'completions', 'fish'], capture_output=True, text=True, check=True).stdout

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def give(self, recipe, content, give_as='%s'):
        """(exit code, output, errors) of the recipe over a file of this content, or over what `content` names."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (place / 'in').symlink_to(self.material)
        path = recipe.name
        if isinstance(content, bytes):
            (place / path).write_bytes(content)
        elif content == 'folder':
            (place / path).mkdir()
        elif content != 'missing':
            path = content
        command = recipe.run.replace('LIST', give_as % path)
        run = subprocess.run(['bash', '-c', command], cwd=place, env=self.environment, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=60)
        shutil.rmtree(place)
        return run.returncode, run.stdout, run.stderr.decode(errors='replace')

    def lines_of(self, recipe):
        if recipe.lines is None:
            return (self.material / recipe.name).read_bytes().splitlines()
        return [line.encode() for line in recipe.lines]

    def check(self, name, recipe):
        """What is wrong with one list."""
        wrong = []
        lines = self.lines_of(recipe)
        plain = b''.join(line + b'\n' for line in lines)
        # A mark stands where a file was joined: in front of a line.
        marked = MARK + b'\r\n'.join(lines[:-1] + [MARK + lines[-1]]) + b'\r\n'
        code, output, errors = self.give(recipe, plain)
        if code != 0 or not output:
            wrong.append('%s: as it is: %d %r' % (name, code, errors))
        marks = self.give(recipe, marked)
        if marks[:2] != (code, output):
            wrong.append('%s: with marks and CRLF: %d %r %r, without: %r' % (name, marks[0], marks[2], marks[1], output))
        if recipe.pipe:
            piped = self.give(recipe, plain, '<(cat %s)')
            if (piped[0], unnamed(piped[1], recipe)) != (code, unnamed(output, recipe)):
                wrong.append('%s: as a pipe: %d %r %r' % (name, piped[0], piped[2], piped[1]))
        for content, said in ((plain.decode().encode('utf-16'), 'is UTF-16'),
                              (b'\xfe\xff' + plain.decode().encode('utf-16-be'), 'is UTF-16'),
                              ('/dev/zero', 'device|no regular file'), ('folder', 'directory|folder|no regular file'),
                              ('missing', recipe.name)):
            code, _, errors = self.give(recipe, content)
            what = content if isinstance(content, str) else content[:2]
            if code not in (1, 2) or not re.search(said, errors):
                wrong.append('%s: %r: %d %r' % (name, what, code, errors))
            elif 'UTF-16' in said and 'iconv' not in errors:
                wrong.append('%s: %r: no remedy: %r' % (name, what, errors))
        return wrong

    def test_every_list_comes_through_one_door(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = pool.map(lambda item: self.check(*item), recipes_by_name().items())
            wrong = [line for lines in found for line in lines]
        self.assertEqual(wrong, [], '\n'.join(wrong))

    def test_no_flag_and_no_operand_is_left_out(self):
        flags = FILE_FLAG.findall(self.fish)
        self.assertGreater(len(flags), 80)
        known = [(command, '--' + flag) for command, flag in flags
                 if '--' + flag in recipes.FLAGS or '%s --%s' % (command, flag) in recipes.FLAGS]
        self.assertEqual([(command, '--' + flag) for command, flag in flags if (command, '--' + flag) not in known], [],
                         'write a recipe, or say why it is no list')
        self.assertEqual(sorted(COMMAND.findall(self.fish)), sorted(recipes.OPERANDS))

    @unittest.skipIf(ADDRESS_SANITIZER, 'sanitizers take memory of their own')
    def test_lists_that_never_end_are_refused_within_the_budget(self):
        for command in ('twinset dedup --files-from LIST --memory 64M --out o',
                        'twinset text in/a.jsonl --config LIST', 'twinset dedup in/a.jsonl --key LIST --out o',
                        'twinset auction LIST --memory 64M', 'twinset sample --sampler random-ip --hosts LIST --out o '
                        '--networks 127.0.0.8/31'):
            limited = 'ulimit -v 1500000; ' + command.replace('LIST', '<(yes 127.0.0.1 a)')
            code, _, errors = self.give(recipes.Recipe([], limited), b'')
            self.assertIn(code, (1, 2), command)
            self.assertRegex(errors, r'^twinset [a-z]+: [^\n]+\n$', command)


if __name__ == '__main__':
    result = unittest.main(argv=sys.argv, exit=False, verbosity=0).result
    failed = len(result.failures) + len(result.errors)
    print('%d passed, %d failed' % (result.testsRun - failed, failed))
    sys.exit(failed > 0)
