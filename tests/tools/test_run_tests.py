"""tools/run_tests counts what passed, failed, crashed and was skipped, and says so in its exit code."""
import contextlib
import io
import json
import os
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / 'tools' / 'run_tests'
TOOLS = runpy.run_path(str(TOOL), run_name='run_tests')

# A stand-in for a GoogleTest program: writes the report that GTEST_OUTPUT asks for.
PROGRAM = '''#!{python}
import json, os, pathlib, sys
name, cases, code = pathlib.Path(sys.argv[0]).name, {cases!r}, {code}
if cases is not None:
    out = os.environ['GTEST_OUTPUT'].removeprefix('json:') + name + '.json'
    rows = [dict(name='c%d' % n, time='%ds' % n, status='RUN', result='SKIPPED' if c == 's' else 'COMPLETED',
                 **(dict(failures=[dict(failure='x')]) if c == 'f' else dict()))
            for n, c in enumerate(cases)]
    json.dump(dict(time='0.5s', testsuites=[dict(name='S', testsuite=rows)]), open(out, 'w'))
sys.exit(code)
'''


def run(programs, *options):
    """(exit code, output) on a build folder of programs {name: (cases or None, exit code)}."""
    with tempfile.TemporaryDirectory() as folder:
        build, listing = pathlib.Path(folder), ''
        for name, (cases, code) in programs.items():
            program = build / ('twinset_%s_test' % name)
            program.write_text(PROGRAM.format(python=sys.executable, cases=cases, code=code))
            program.chmod(0o755)
            listing += 'add_test(%s "%s")\n' % (name, program)
        (build / 'CTestTestfile.cmake').write_text(listing)
        result = subprocess.run([sys.executable, str(TOOL), '--programs', *options, folder],
                                capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return result.returncode, result.stdout


class RunTests(unittest.TestCase):
    def closing(self, programs, *options):
        code, output = run(programs, *options)
        match = re.search(r'^(\d+) passed, (\d+) failed$', output.splitlines()[-1])
        self.assertIsNotNone(match, output)
        return code, int(match.group(1)), int(match.group(2)), output

    def test_all_pass(self):
        self.assertEqual(self.closing({'a': ('pp', 0), 'b': ('p', 0)})[:3], (0, 3, 0))

    def test_failure(self):
        self.assertEqual(self.closing({'a': ('pfp', 1), 'b': ('p', 0)})[:3], (1, 3, 1))

    def test_crash_without_report(self):
        self.assertEqual(self.closing({'a': (None, 134), 'b': ('p', 0)})[:3], (1, 1, 1))

    def test_report_is_fine_but_the_program_is_not(self):
        self.assertEqual(self.closing({'a': ('pp', 1)})[:3], (1, 2, 1))

    def test_skipped_is_named(self):
        code, passed, failed, output = self.closing({'a': ('ps', 0)})
        self.assertEqual((code, passed, failed), (0, 1, 0))
        self.assertIn('SKIPPED S.c1', output)

    def test_the_slowest_cases_are_named(self):
        output = self.closing({'a': ('p' * 30, 0)})[3]
        slow = re.findall(r'^slow +([0-9.]+) s twinset_a_test S\.(c\d+)$', output, re.M)
        self.assertEqual(slow, [('%.1f' % n, 'c%d' % n) for n in range(29, 9, -1)])

    def test_selection(self):
        self.assertEqual(self.closing({'a': ('f', 1), 'b': ('p', 0)}, '--select', '^b$')[:3], (0, 1, 0))

    def test_nothing_selected_fails(self):
        self.assertEqual(self.closing({'a': ('p', 0)}, '--select', '^z$')[0], 1)


class TemporaryFiles(unittest.TestCase):
    """Where tests write."""

    def place(self, environment, **globals_of_it):
        """The environment that tests get; a TMPDIR that was made is gone behind them."""
        make = TOOLS['temporary_files']
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(
                TOOLS['run'].__globals__, {'MEMORY_FOLDER': pathlib.Path(folder), 'LEAST_ROOM': 0, **globals_of_it}):
            with make(environment) as found:
                made = pathlib.Path(found.get('TMPDIR', '/')).parent == pathlib.Path(folder)
                self.assertEqual(made, any(pathlib.Path(folder).iterdir()))
                if not made:
                    return found
                (pathlib.Path(found['TMPDIR']) / 'left').touch()
                self.assertEqual(os.stat(found['TMPDIR']).st_mode & 0o7777, 0o1777)
            self.assertFalse(any(pathlib.Path(folder).iterdir()))
            return None

    def test_stand_in_memory(self):
        self.assertIsNone(self.place({}))

    def test_stand_where_they_were_told_to(self):
        self.assertEqual(self.place({'TMPDIR': '/told'}), {'TMPDIR': '/told'})

    def test_of_long_forms_and_without_room_stand_on_disk(self):
        self.assertEqual(self.place({'TWINSET_LONG': '1'}), {'TWINSET_LONG': '1'})
        self.assertEqual(self.place({}, LEAST_ROOM=1 << 62), {})
        self.assertEqual(self.place({}, MEMORY_FOLDER=pathlib.Path('/nowhere')), {})


class Scripts(unittest.TestCase):
    """What a script says of itself at its end."""

    def counts(self, code, output):
        return TOOLS['closing_counts'](code, output)

    def test_closing_line(self):
        self.assertEqual(self.counts(0, 'x\n3 passed, 0 failed\n'), (3, 0, 0))
        self.assertEqual(self.counts(0, '0 passed, 0 failed, 2 skipped\n'), (0, 0, 2))
        self.assertEqual(self.counts(1, '3 passed, 0 failed\n'), (3, 1, 0))

    def test_without_one_the_exit_code_counts(self):
        self.assertEqual(self.counts(0, ''), (1, 0, 0))
        self.assertEqual(self.counts(9, ''), (0, 1, 0))
        self.assertEqual(self.counts(0, 'SKIPPED: no lxml\n'), (0, 0, 1))
        self.assertEqual(self.counts(1, 'SKIPPED: no lxml\n'), (0, 1, 1))

    def test_one_that_does_not_end_fails(self):
        run = TOOLS['run']
        script = 'import subprocess; print("begun", flush=True); subprocess.run(["sleep", "60"])'
        with unittest.mock.patch.dict(run.__globals__, LONGEST_SECONDS=1):
            code, output = run([sys.executable, '-c', script], {})
        self.assertEqual(code, 1)
        self.assertEqual(output.splitlines(), ['begun', 'not finished after 1 s'])

    def test_slow_cases_and_slow_scripts(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            tally = TOOLS['Tally']()
            tally.add_script('a', 2, 0, 0, 'took 1.5 s one\ntook 0.2 s two\n2 passed, 0 failed\n', 9)
            tally.add_script('b', 1, 0, 0, '', 1)
            tally.print_slowest()
        self.assertEqual(said.getvalue().splitlines()[2:],
                         ['slow    1.5 s a one', 'slow    1.0 s b', 'slow    0.2 s a two'])

    def test_what_ran_nothing_is_not_ok(self):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            tally = TOOLS['Tally']()
            tally.add('a', 0, 0, 2)
            tally.add('b', 1, 0, 2)
            tally.add('c', 0, 0)
        self.assertEqual([line.split()[0] for line in said.getvalue().splitlines()], ['SKIPPED', 'ok', 'SKIPPED'])
        self.assertIn('c (ran nothing)', said.getvalue())
        self.assertEqual((tally.passed, tally.failed, tally.skipped), (1, 0, 5))


if __name__ == '__main__':
    unittest.main()
