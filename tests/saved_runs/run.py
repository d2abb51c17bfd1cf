#!/usr/bin/env python3
"""Saved runs of an earlier build, asked by this one: tests/saved_runs/run.py BUILD_DIR

tests/golden/saved-run has them and the input that they are of. Each is decided again, added to and asked; the
results must have the bytes of a run over the input.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve() / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
STORED = pathlib.Path(__file__).resolve().parent.parent / 'golden/saved-run'
METHODS = ('complete', 'minhash', 'simhash')
FILES = ('pairs.jsonl', 'clusters.jsonl', 'keep.txt', 'drop.txt', 'stats.jsonl')
NEW = 7  # rows of the input that come as new ones once more, under other ids


class SavedRuns(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix='twinset-saved-')
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        shutil.copy(STORED / 'inputs.jsonl', self.folder)
        for method in METHODS:
            with tarfile.open(STORED / (method + '.tar.gz')) as archive:
                archive.extractall(self.folder, filter='data') if hasattr(tarfile, 'data_filter') else \
                    archive.extractall(self.folder)
            (self.folder / method / 'verify.key').chmod(0o600)
        rows = (STORED / 'inputs.jsonl').read_text().splitlines()[:NEW]
        with open(self.folder / 'new.jsonl', 'w') as file:
            for row in map(json.loads, rows):
                file.write(json.dumps(dict(row, id='new-' + row['id'])) + '\n')

    def run_twinset(self, *words):
        done = subprocess.run([PROGRAM, *words, '--quiet'], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def results(self, out, files=FILES):
        return {name: (self.folder / out / name).read_text() for name in files}

    def flags(self, method):
        """Those with which the run was saved; its bands are given, as docs/formats/saved-run.md says."""
        run = json.loads((self.folder / method / 'saved-run.json').read_text())['run']
        bands = ['--bands', str(run['bands']), '--rows', str(run['rows'])] if run['bands'] else []
        return ['--method', method, '--stats-by', 'site', *(bands if method == 'minhash' else [])]

    def test_recut(self):
        for method in METHODS:
            for more in ([], ['--threshold', '0.9'], ['--keep', 'first']):
                with self.subTest(method=method, more=more):
                    self.run_twinset('recut', method, '--out', 'old', '--overwrite', *more)
                    self.run_twinset('dedup', 'inputs.jsonl', '--out', 'fresh', '--overwrite', *self.flags(method), *more)
                    self.assertEqual(self.results('old'), self.results('fresh'))
                    self.assertGreater(len(self.results('old')['pairs.jsonl']), 500)

    def test_add(self):
        for method in METHODS:
            with self.subTest(method=method):
                self.run_twinset('dedup', 'new.jsonl', '--add', method, '--reconsider', '--out', 'old', '--overwrite')
                self.run_twinset('dedup', 'inputs.jsonl', 'new.jsonl', '--out', 'fresh', '--overwrite',
                                 *self.flags(method))
                self.assertEqual(self.results('old'), self.results('fresh'))

    def test_match(self):
        files = ('pairs.jsonl', 'best.jsonl', 'keep.txt', 'drop.txt')
        for method in METHODS:
            with self.subTest(method=method):
                self.run_twinset('match', 'new.jsonl', '--against', method, '--out', 'old', '--overwrite')
                flags = [flag for flag in self.flags(method) if flag not in ('--stats-by', 'site')]
                self.run_twinset('match', 'new.jsonl', '--against', 'inputs.jsonl', '--out', 'fresh', '--overwrite',
                                 *flags)
                self.assertEqual(self.results('old', files), self.results('fresh', files))
                self.assertEqual(len(self.results('old', files)['drop.txt'].splitlines()), NEW)


if __name__ == '__main__':
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    print('%d passed, %d failed' % (max(0, result.testsRun - failed), failed))
    sys.exit(1 if failed else 0)
