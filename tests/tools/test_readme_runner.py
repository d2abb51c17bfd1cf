"""The README runner runs what is marked, compares output, and fails when it should."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).resolve().parent.parent / 'readme' / 'run.py'


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        readme = pathlib.Path(folder, 'README.md')
        readme.write_text(text, encoding='utf-8')
        result = subprocess.run([sys.executable, str(RUNNER), folder, str(readme)],
                                capture_output=True, text=True)
        return result.returncode, result.stdout


class ReadmeRunner(unittest.TestCase):
    def test_runs_marked_blocks_in_one_folder(self):
        code, output = run('<!-- run -->\n```sh\necho a > x\n```\n\n```sh\nfalse\n```\n\n'
                           '<!-- run -->\n```sh\ncat x\n```\n<!-- output -->\n```text\na\n```\n')
        self.assertEqual((code, output), (0, '2 passed, 0 failed\n'))

    def test_failing_command(self):
        code, output = run('<!-- run -->\n```sh\nfalse\ntrue\n```\n')
        self.assertEqual(code, 1)
        self.assertTrue(output.endswith('\n0 passed, 1 failed\n'), output)

    def test_other_output(self):
        code, output = run('<!-- run -->\n```sh\necho b\n```\n<!-- output -->\n```text\na\n```\n')
        self.assertEqual(code, 1)
        self.assertIn('instead of', output)

    def test_nothing_marked(self):
        self.assertEqual(run('```sh\ntrue\n```\n')[0], 1)

    def test_mark_without_block(self):
        self.assertEqual(run('<!-- run -->\n\n```sh\ntrue\n```\n')[0], 1)


if __name__ == '__main__':
    unittest.main()
