#!/usr/bin/env python3
"""Nothing is destroyed: tests/result_folders/run.py BUILD_DIR

Every flag of every command that names a folder or file to write, from the program's own help, is
pointed at every kind of place that must not be written: foreign folders, inputs by any name, the
current folder, locked ones. Exit code, one line of error, and not one byte or inode changed.
"""
import fcntl
import functools
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import recipes

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve() / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
WRITERS = re.compile(r'^ +(?:-., )?(--[a-z-]+) (?:FILE|DIR)\b', re.M)
DONE, FAILED, USAGE = 0, 1, 2


def snapshot(folder):
    """Everything below by path: kind, inode, links and bytes."""
    seen = {}
    for path in sorted(folder.rglob('*')):
        info = path.lstat()
        what = [info.st_ino, info.st_nlink if not path.is_dir() else 0, info.st_mode]
        if path.is_symlink():
            what.append(os.readlink(path))
        elif path.is_file():
            what += [info.st_mtime_ns, path.read_bytes()]
        seen[str(path.relative_to(folder))] = what
    return seen


class Place:
    """A folder with the material in `in`; the program runs in it."""

    def __init__(self, material):
        self.temporary = tempfile.TemporaryDirectory(prefix='twinset-folders-')
        self.folder = pathlib.Path(self.temporary.name).resolve() / 'up' / 'here'
        self.folder.parent.mkdir()
        (self.folder.parent / 'home').mkdir()
        self.folder.mkdir()
        shutil.copytree(material, self.folder / 'in')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def __truediv__(self, name):
        return self.folder / name

    def run(self, argv, cwd=None, **more):
        environment = {**os.environ, 'HOME': str(self.folder.parent / 'home')}
        return subprocess.run([PROGRAM, *map(str, argv)], cwd=cwd or self.folder, text=True,
                              capture_output=True, env=environment, timeout=120, **more)

    def marked(self, target):
        """Files that the marker lists and that are there."""
        lines = (self / target / '.twinset').read_text().splitlines()
        names = [line[5:] for line in lines if line.startswith('file ')]
        return [name for name in names if (self / target / name).is_file()]


def for_each(*kinds):
    """A test of one recipe in a place of its own becomes one of all recipes of these kinds."""
    def decorate(test):
        @functools.wraps(test)
        def every(self):
            for recipe in recipes.RECIPES:
                if recipe.kind in kinds:
                    with self.subTest(recipe.name), Place(self.material) as place:
                        test(self, recipe, place)
        return every
    return decorate


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix='twinset-folders-')
        cls.material = pathlib.Path(cls.temporary.name) / 'material'
        recipes.make_material(PROGRAM, cls.material)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def refuses(self, place, recipe, source, target, code=USAGE, flags=None, says='', **more):
        """With no flag and with each that it has."""
        before = snapshot(place.folder.parent)
        for flag in [[]] + [[flag] for flag in recipe.flags] if flags is None else flags:
            argv = recipe.argv(source, target) + flag
            done = place.run(argv, **more)
            told = '%s\nexit %d\n%s' % (argv, done.returncode, done.stderr)
            self.assertEqual(done.returncode, code, told)
            self.assertEqual(done.stderr.count('\n'), 1, told)
            self.assertRegex(done.stderr, r'^twinset %s: .*%s' % (recipe.command, says), told)
            self.assertEqual(snapshot(place.folder.parent), before, told)

    def runs(self, place, recipe, source, target, *flags):
        done = place.run(recipe.argv(source, target) + list(flags))
        self.assertEqual(done.returncode, DONE, '%s\n%s' % (recipe.name, done.stderr))
        if recipe.flag != '--out':
            shutil.rmtree(place / 'results', ignore_errors=True)  # not what is looked at

    def test_every_flag_that_writes_has_a_recipe(self):
        have = {(recipe.command, recipe.flag) for recipe in recipes.RECIPES}
        listed = subprocess.run([PROGRAM, 'completions', 'bash'], capture_output=True, text=True,
                                check=True).stdout
        commands = re.search(r"compgen -W '(dedup [^']*)'", listed).group(1).split()
        want = set()
        for command in commands:
            text = subprocess.run([PROGRAM, command, '--help'], capture_output=True, text=True,
                                  check=True).stdout
            want |= {(command, flag) for flag in WRITERS.findall(text)
                     if flag not in recipes.READS | recipes.SERVED}
        self.assertLess(recipes.BY_OTHER_DOORS, want)
        want -= recipes.BY_OTHER_DOORS
        self.assertGreater(len(want), 15)
        self.assertEqual(want, have, 'a flag that names a folder or file needs a recipe, or a '
                         'place among READS')

    @for_each('folder')
    def test_results_are_replaced_only_when_asked_and_all_of_them(self, recipe, place):
        source = 'in/' + recipe.source
        before = snapshot(place / 'in')
        self.runs(place, recipe, source, 'out/deep')
        self.refuses(place, recipe, source, 'out/deep', flags=[[]], says='exists already')
        # A file that the marker lacks would be in the way now.
        self.runs(place, recipe, source, 'out/deep', '--overwrite')
        self.assertTrue(place.marked('out/deep'))
        self.assertEqual(snapshot(place / 'in'), before)

    @for_each('folder')
    def test_folders_that_twinset_did_not_make(self, recipe, place):
        source = 'in/' + recipe.source
        for name in ('thesis/c1', 'summary.json', recipes.PROOFS[recipe.command], '.twinset'):
            target = place / ('of-' + name.replace('/', '-'))
            (target / name).parent.mkdir(parents=True)
            (target / name).write_text('precious')
            self.refuses(place, recipe, source, target.name, says='twinset did not make',
                         flags=[[flag] for flag in recipe.flags])
            shutil.rmtree(target)
        self.runs(place, recipe, source, 'out')
        (place / 'out/thesis').mkdir()
        (place / 'out/thesis/c1').write_text('precious')
        self.refuses(place, recipe, source, 'out', says="'thesis/c1'")
        shutil.rmtree(place / 'out/thesis')
        os.symlink(place / source, place / 'out/link')
        self.refuses(place, recipe, source, 'out', says="'link'")

    @for_each('folder')
    def test_places_that_are_never_result_folders(self, recipe, place):
        source = 'in/' + recipe.source
        for target in ('.', '..', '/', '../here', '../home', str(place.folder.parent), source):
            self.refuses(place, recipe, source, target, flags=[['--overwrite']])
        os.symlink('nowhere', place / 'dangling')
        os.symlink('.', place / 'round')
        os.symlink(place / source, place / 'link')
        for target in ('dangling', 'round', 'link', 'in'):
            self.refuses(place, recipe, source, target, flags=[['--overwrite']])
        for target in ('/proc/twinset', source + '/below'):
            self.refuses(place, recipe, source, target, code=FAILED, flags=[[]])

    @for_each('folder')
    def test_inputs_in_result_folders(self, recipe, place):
        source = place / 'in' / recipe.source
        self.runs(place, recipe, source, 'out')
        held = place / 'out' / place.marked('out')[0]
        held.write_bytes(source.read_bytes())
        os.symlink('out', place / 'way')
        os.symlink(held, place / 'link')
        for path, target in ((held, 'out'), ('way/' + held.name, 'out'), (held, 'way'),
                             ('link', 'out')):
            self.refuses(place, recipe, path, target, flags=[['--overwrite']])
        held.unlink()
        os.link(source, held)
        flags = [[flag] for flag in recipe.flags]
        self.refuses(place, recipe, source, 'out', flags=flags, says='input')

    @for_each('folder', 'file')
    def test_standard_input_is_an_input(self, recipe, place):
        if recipe.name not in recipes.READ_STANDARD_INPUT:
            return
        source = place / 'in' / recipe.source
        target = 'out'
        if recipe.kind == 'folder':
            self.runs(place, recipe, source, 'out')
            held = place / 'out' / place.marked('out')[0]
            held.write_bytes(source.read_bytes())
        else:
            held, target = source, source
        for flag in recipe.flags:
            with open(held) as stream:
                self.refuses(place, recipe, '-', target, flags=[[flag]], says='input',
                             stdin=stream)

    def test_mounts(self):
        """An input by a mount, and a foreign folder mounted where a result was."""
        if subprocess.run(['unshare', '-m', 'mount', '--bind', '/', '/mnt'],
                          capture_output=True).returncode != 0:
            self.skipTest('this needs the right to mount')
        with Place(self.material) as place:
            place.run(['dedup', 'in/docs', '--out', 'out', '--write', 'out/clean', '-q'])
            (place / 'out/clean/.twinset').unlink()
            (place / 'other').mkdir()
            (place / 'other/thesis').write_text('precious')
            with open(place / 'out/.twinset', 'a') as marker:
                marker.write('tree clean\ntree theirs\n')
            (place / 'out/theirs').mkdir()
            before = snapshot(place.folder)
            for mount, argv in ((('out/clean', 'other'), ['other', '--out', 'out']),
                                (('out/clean/docs/page.txt', 'other/thesis'),
                                 ['other/thesis', '--out', 'out']),
                                (('other', 'out/theirs'), ['in/a.jsonl', '--out', 'out'])):
                done = subprocess.run(
                    ['unshare', '-m', 'sh', '-c', 'mount --bind "$1" "$2" && shift 2 && exec "$@"',
                     'sh', *mount, PROGRAM, 'dedup', *argv, '--overwrite'],
                    cwd=place.folder, capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, USAGE, done.stderr)
                self.assertEqual(snapshot(place.folder), before, mount)

    @for_each('folder')
    def test_a_folder_in_which_another_run_is_at_work(self, recipe, place):
        source = 'in/' + recipe.source
        self.runs(place, recipe, source, 'out')
        with open(place / 'out/.twinset', 'rb') as marker:
            fcntl.flock(marker, fcntl.LOCK_EX)
            self.refuses(place, recipe, source, 'out', code=FAILED, says='another run')
        self.runs(place, recipe, source, 'out', '--overwrite')

    @for_each('file', 'record')
    def test_files_that_are_inputs(self, recipe, place):
        source = place / 'in' / recipe.source
        os.symlink(source, place / 'link')
        os.link(source, place / 'hard')
        (place / 'new.part').write_text('precious')
        own = [[flag] for flag in recipe.flags]
        os.symlink(place / 'other', place / 'dangling')
        for target in (source, 'link', 'hard', 'in', '.', '/', '/dev/null', 'dangling',
                       '/dev/stdout', '/proc/self/fd/1'):
            self.refuses(place, recipe, source, target)
        if recipe.kind == 'file':
            self.refuses(place, recipe, source, 'new')
        self.refuses(place, recipe, source, place / 'in/edges/below', code=FAILED)
        (place / 'there').write_text('precious')  # not even a line
        if recipe.kind == 'file':
            self.refuses(place, recipe, source, 'there', flags=[[]])
        elif recipe.runs:
            self.refuses(place, recipe, source, 'there', code=FAILED)
        before = snapshot(place / 'in')
        if recipe.runs:
            self.runs(place, recipe, source, 'made/new')
            for flag in own or ([[]] if recipe.kind == 'record' else []):
                self.runs(place, recipe, source, 'made/new', *flag)
        self.assertEqual(snapshot(place / 'in'), before)

    @for_each('work')
    def test_work_files_among_the_inputs(self, recipe, place):
        source = place / 'in' / recipe.source
        (source / 'twinset-tune-1-0').mkdir()
        (source / 'twinset-tune-1-0/page.txt').write_text('precious')
        before = snapshot(place / 'in')
        self.runs(place, recipe, source, source)
        self.assertEqual(snapshot(place / 'in'), before)
        self.runs(place, recipe, source, 'new/tmp')
        self.assertEqual(list((place / 'new/tmp').iterdir()), [])

    def test_an_index_that_is_asked_is_never_written(self):
        with Place(self.material) as place:
            for argv in (['index', 'create', 'ix'], ['index', 'add', 'ix', 'in/b.jsonl', '-q']):
                place.run(argv)
            os.symlink('ix', place / 'way')
            before = snapshot(place.folder)
            argv = ['match', 'in/a.jsonl', '--against', 'ix', '-q', '--overwrite', '--out']
            for target in ('ix', 'ix/below', 'way/below', 'in/../ix'):
                for flags in ([target], ['out', '--write', target], ['out', '--attributes', target],
                              ['out', '--tmp', target]):
                    done = place.run([*argv, *flags])
                    self.assertEqual(done.returncode, USAGE, done.stderr)
                    self.assertRegex(done.stderr, 'this stands in the index|holds the input ix')
            self.assertEqual(snapshot(place.folder), before)

    @for_each('recut')
    def test_a_saved_run_is_never_written(self, recipe, place):
        source = 'in/' + recipe.source
        before = snapshot(place / source)
        os.symlink(source, place / 'way')
        for target in (source, source + '/below', source + '/below/deeper', 'way', 'way/below',
                       'in/../' + source):
            self.refuses(place, recipe, source, target)
        if recipe.flag == '--out':
            for target in ('in', '.', '/', '../home'):
                self.refuses(place, recipe, source, target)
            (place / 'theirs').mkdir()
            (place / 'theirs/thesis').write_text('precious')
            self.refuses(place, recipe, source, 'theirs')
            self.refuses(place, recipe, 'in/dups', 'out', says='this is no ')
        with open(place / source / '.twinset', 'rb') as marker:
            fcntl.flock(marker, fcntl.LOCK_EX)
            self.refuses(place, recipe, source, 'out', code=FAILED, says='another run')
        self.runs(place, recipe, source, 'out')
        self.runs(place, recipe, source, 'out', '--overwrite')
        self.assertEqual(snapshot(place / source), before)

    def test_the_folder_of_write_and_that_of_out(self):
        for command in ('dedup', 'match'):
            recipe = next(r for r in recipes.RECIPES
                          if (r.command, r.flag) == (command, '--write'))
            source = 'in/' + recipe.source
            with self.subTest(command), Place(self.material) as place:
                for target in ('results', './results', 'results/.work', 'results/.work/x'):
                    self.refuses(place, recipe, source, target, says='--write')
                for flags in ([], ['--overwrite']):
                    argv = recipe.argv(source, 'results/clean') + flags
                    self.assertEqual(place.run(argv).returncode, DONE)
                # The written corpus is an input now.
                argv = ['dedup', 'results/clean', '--out', 'results', '--overwrite']
                before = snapshot(place.folder)
                self.assertEqual(place.run(argv).returncode, USAGE)
                self.assertEqual(snapshot(place.folder), before)
                # So is a folder that is written into itself.
                argv = ['dedup', 'in/docs', '--out', 'o', '--write', 'in/docs/clean', '-q']
                self.assertEqual(place.run(argv).returncode, DONE)
                before = snapshot(place.folder)
                self.assertEqual(place.run(argv + ['--overwrite']).returncode, USAGE)
                self.assertEqual(snapshot(place.folder), before)


class Living(unittest.TestCase):
    """Runs that meet: each reads a pipe, so it is at work until it is fed."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix='twinset-folders-')
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def begin(self, name, *more):
        """dedup --out found in a folder of its own; what feeds it."""
        cwd = self.folder / name
        cwd.mkdir()
        os.mkfifo(cwd / 'pipe.jsonl')
        begun = set(self.folder.glob('**/journal.jsonl'))
        run = subprocess.Popen([PROGRAM, 'dedup', 'pipe.jsonl', '--out', 'found', '-q', *more],
                               cwd=cwd, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        while not set(self.folder.glob('**/journal.jsonl')) - begun and time.monotonic() < until:
            self.assertIsNone(run.poll(), run.stderr.read() if run.poll() is not None else '')
            time.sleep(0.01)
        return run, cwd

    def finish(self, run, cwd, mark):
        rows = ''.join('{"id": "%s-%d", "text": "%s"}\n' % (mark, i, recipes.TEXT % mark)
                       for i in range(3))
        # A daemon: when nobody reads the pipe, the test fails and does not wait.
        feeder = threading.Thread(target=lambda: (cwd / 'pipe.jsonl').write_text(rows), daemon=True)
        feeder.start()
        self.assertEqual(run.wait(60), DONE, run.stderr.read())
        run.stderr.close()
        feeder.join()
        self.assertEqual((cwd / 'found/keep.txt').read_text(), mark + '-0\n')

    def test_two_projects_share_tmp(self):
        tmp = str(self.folder / 'tmp')
        first, second = self.begin('one', '--tmp', tmp), self.begin('two', '--tmp', tmp)
        self.assertEqual(len(list((self.folder / 'tmp').iterdir())), 2)
        self.finish(*second, 'two')
        self.finish(*first, 'one')
        self.assertEqual(list((self.folder / 'tmp').iterdir()), [])

    def test_a_run_at_work_is_let_alone(self):
        run, cwd = self.begin('one')
        (cwd / 'other.jsonl').write_text('{"id": "x", "text": "other"}\n')
        for flags in ([], ['--overwrite'], ['--resume']):
            done = subprocess.run([PROGRAM, 'dedup', 'other.jsonl', '--out', 'found', *flags],
                                  cwd=cwd, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, FAILED, done.stderr)
            self.assertIn('another run is at work', done.stderr)
        self.finish(run, cwd, 'one')

    def test_a_killed_run_holds_no_lock(self):
        for flags in (['--resume'], ['--overwrite']):
            name = flags[0].strip('-')
            run, cwd = self.begin(name, '--tmp', 'tmp')
            run.kill()
            run.wait()
            run.stderr.close()
            again = subprocess.Popen([PROGRAM, 'dedup', 'pipe.jsonl', '--out', 'found', '-q',
                                      '--tmp', 'tmp', *flags], cwd=cwd, stderr=subprocess.PIPE,
                                     text=True)
            self.finish(again, cwd, name)
            self.assertEqual(list((cwd / 'tmp').iterdir()), [])

    def test_a_limit_on_the_size_of_files(self):
        rows = ''.join('{"id": "%d", "text": "%s"}\n' % (i, recipes.TEXT % i) for i in range(400))
        (self.folder / 'in.jsonl').write_text(rows)
        limit = 20 << 10
        done = subprocess.run([PROGRAM, 'dedup', 'in.jsonl', '--out', 'found', '-q'],
                              cwd=self.folder, capture_output=True, text=True, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                    (limit, limit)))
        self.assertEqual(done.returncode, FAILED, done.stderr)
        self.assertRegex(done.stderr, r'^twinset dedup: found/.*File too large .*ulimit -f')
        self.assertEqual(done.stderr.count('\n'), 1)
        done = subprocess.run([PROGRAM, 'dedup', 'in.jsonl', '--out', 'found', '-q', '--resume'],
                              cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, DONE, done.stderr)


if __name__ == '__main__':
    unittest.main()
