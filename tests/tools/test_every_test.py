""".ci/every_test finds what ran in no build."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = '''TEST(Plain, One) {}
TEST_F(
    WithFixture, Two) {}
TEST_P(Each, Three) {}
class Long : public ::testing::TestWithParam<int> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Long);
TEST_P(Long, Four) {}
'''
CASES = {'release': [('Plain', 'One')], 'asan': [('WithFixture', 'Two'), ('All/Each', 'Three/0'), ('All/Each', 'Three/1')]}


def run(cases):
    """(exit code, output) of the check in a tree of one test file and the builds' reports."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / '.ci').mkdir()
        shutil.copy(ROOT / '.ci/every_test', root / '.ci')
        (root / 'src/ground/base/names').mkdir(parents=True)
        (root / 'src/ground/base/names/x_test.cc').write_text(SOURCE)
        for build, ran in cases.items():
            (root / build / 'test-reports').mkdir(parents=True)
            suites = [{'name': suite, 'testsuite': [{'name': case, 'status': 'RUN'}]} for suite, case in ran]
            (root / build / 'test-reports/twinset_base_test.json').write_text(json.dumps({'testsuites': suites}))
        ran = subprocess.run([sys.executable, str(root / '.ci/every_test'), *(str(root / build) for build in cases)],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return ran.returncode, ran.stdout


class EveryTest(unittest.TestCase):
    def test_builds_together_run_all(self):
        self.assertEqual(run(CASES), (0, '3 of 3 tests ran\n'))

    def test_what_falls_between_them_is_named(self):
        code, output = run({**CASES, 'asan': CASES['asan'][1:]})
        self.assertEqual(code, 1)
        self.assertIn('FAILED src/ground/base/names/x_test.cc: WithFixture.Two ran in no build', output)

    def test_a_build_that_left_no_report(self):
        self.assertEqual(run({'release': []})[0], 1)


if __name__ == '__main__':
    unittest.main()
