""".ci/run adds up its steps, goes on after a failed one, keeps its budgets, and ends with its line."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUDGET = 'compile\t4\ninstall\t5\nbuilds\t12\ntests\t8\nfuzz\t3\nall\t60\n'
# Stand-ins for what the steps call: nothing is installed, built or tested here.
GOOD = {
    'tools/install_dependencies': 'exit 0',
    'tools/run_tests': 'echo "10 passed, 0 failed"',
    '.ci/every_test': 'exit 0',
    '.ci/truth': 'echo "5 passed, 0 failed"',
    '.ci/fuzz': 'echo "3 passed, 0 failed"',
    'bin/cmake': 'exit 0',
    'bin/g++': 'exit 0',
    'bin/make': 'echo "100 passed, 0 failed"',
}


def run(changed=None, budget=BUDGET):
    """(exit code, output) of .ci/run in a tree of stand-ins."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, body in {**GOOD, **(changed or {})}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('#!/bin/bash\n%s\n' % body)
            path.chmod(0o755)
        shutil.copy(ROOT / '.ci/run', root / '.ci/run')
        (root / '.ci/budget.tsv').write_text(budget)
        for room in ('dedup/options', 'measure/web'):  # without tests
            (root / 'src' / room).mkdir(parents=True)
        for room in ('ground/base', 'stages/read', 'corpora/leak'):
            (root / 'src' / room).mkdir(parents=True)
            (root / 'src' / room / 'x_test.cc').touch()
        (root / 'fuzz').mkdir()
        (root / 'fuzz/fuzz_x.cc').touch()
        result = subprocess.run([str(root / '.ci/run')], stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, 'PATH': '%s:%s' % (root / 'bin', os.environ['PATH'])})
        return result.returncode, result.stdout


class Ci(unittest.TestCase):
    def test_all_good(self):
        code, output = run()
        # install + 3 builds + 100 + 2 x 10 + every test + 5 + 3
        self.assertEqual(output.splitlines()[-1], '133 passed, 0 failed', output)
        self.assertRegex(output, r'(?m)^-- make-test took \d+\.\d s$')
        self.assertEqual(code, 0)

    def test_failed_tests_do_not_stop_the_rest(self):
        code, output = run({'bin/make': 'echo "98 passed, 2 failed"; exit 1'})
        self.assertEqual(output.splitlines()[-1], '131 passed, 2 failed', output)
        self.assertEqual(code, 1)
        self.assertIn('== fuzz', output)

    def test_crash_without_a_count(self):
        code, output = run({'.ci/fuzz': 'echo broken; exit 3'})
        self.assertEqual(output.splitlines()[-1], '130 passed, 1 failed', output)
        self.assertIn('broken', output)
        self.assertEqual(code, 1)

    def test_bad_exit_code_is_believed_over_the_count(self):
        code, output = run({'.ci/truth': 'echo "5 passed, 0 failed"; exit 1'})
        self.assertEqual(output.splitlines()[-1], '133 passed, 1 failed', output)
        self.assertEqual(code, 1)

    def test_what_ran_nothing_counts_as_skipped(self):
        code, output = run({'.ci/truth': 'echo "SKIPPED (no shared data): x"; echo "0 passed, 0 failed"',
                            '.ci/fuzz': 'echo "0 passed, 0 failed"',
                            'bin/make': 'echo "4 skipped, named above"; echo "100 passed, 0 failed"'})
        self.assertIn('-- truth SKIPPED: it ran nothing', output)
        self.assertIn('-- fuzz SKIPPED: it ran nothing', output)
        self.assertEqual(output.splitlines()[-2:], ['6 skipped, named above', '125 passed, 0 failed'], output)
        self.assertEqual(code, 0)

    def test_nothing_runs_on_what_was_not_built(self):
        code, output = run({'bin/cmake': 'echo no compiler; exit 1'})
        self.assertEqual(output.splitlines()[-1], '1 passed, 1 failed', output)
        self.assertNotIn('== make-test', output)
        self.assertEqual(code, 1)

    def test_what_is_built_beside_the_tests(self):
        code, output = run({'bin/cmake': 'case "$*" in *tsan*) echo no memory; exit 1;; esac'})
        self.assertIn('no memory', output)
        self.assertNotIn('== tsan', output)
        self.assertEqual(output.splitlines()[-1], '122 passed, 1 failed', output)
        self.assertEqual(code, 1)

    def test_each_unit_test_is_in_a_build(self):
        code, output = run({'bin/cmake': 'echo "1 passed, 0 failed"; echo "ok $*"'})
        self.assertEqual(code, 0)
        self.assertRegex(output, r'--preset release .*-DTWINSET_UNIT_TESTS=kernels;read;text;verify')
        self.assertRegex(output, r'--preset asan-ubsan .*twinset_base_test twinset_read_test twinset_corpora_test twinset_fuzz')

    def test_a_group_over_its_budget_is_a_warning(self):
        code, output = run({'.ci/fuzz': 'sleep 1; echo "3 passed, 0 failed"'},
                           budget=BUDGET.replace('fuzz\t3', 'fuzz\t0.01'))
        self.assertIn('warning: over budget fuzz', output)
        self.assertEqual(output.splitlines()[-1], '133 passed, 0 failed', output)
        self.assertEqual(code, 0)

    def test_a_slow_machine_has_more_minutes(self):
        burn = {'bin/g++': 'python3 -c "while __import__(\'time\').process_time() < 0.6: pass"'}
        slow = {**burn, '.ci/fuzz': 'sleep 1; echo "3 passed, 0 failed"'}
        bound = BUDGET.replace('all\t60', 'all\t0.02')
        code, output = run(slow, budget=bound.replace('compile\t4', 'compile\t0.01'))
        self.assertRegex(output, r'fixed compile 0\.\d\d s here, 0\.01 s where the budget was set: times [1-9]\d\.')
        self.assertEqual(code, 0, output)
        code, output = run(slow, budget=bound)
        self.assertIn('times 1.00', output)
        self.assertIn('OVER BUDGET all', output)

    def test_a_fixed_compile_that_fails_is_a_failure(self):
        code, output = run({'bin/g++': 'exit 1'})
        self.assertIn('the fixed compile failed', output)
        self.assertEqual(output.splitlines()[-1], '133 passed, 1 failed', output)
        self.assertEqual(code, 1)

    def test_all_together_over_their_bound_fail(self):
        code, output = run({'.ci/fuzz': 'sleep 1; echo "3 passed, 0 failed"'},
                           budget=BUDGET.replace('all\t60', 'all\t0.01'))
        self.assertIn('OVER BUDGET all', output)
        self.assertEqual(output.splitlines()[-1], '133 passed, 1 failed', output)
        self.assertEqual(code, 1)


if __name__ == '__main__':
    unittest.main()
