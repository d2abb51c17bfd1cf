"""The tree of the sdist has all folders that its build goes through: CMake configures it. That pip compiles it is
shown by tests/python/wheels.py, which takes ten minutes."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def make_sdist():
    loader = importlib.machinery.SourceFileLoader('make_sdist', str(ROOT / 'tools/make_sdist'))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('make_sdist', loader))
    loader.exec_module(module)
    return module


def configure(tree):
    return subprocess.run(['cmake', '-S', tree, '-B', tree / 'build', '-DTWINSET_TESTS=OFF', '-DTWINSET_ENGINES=OFF'],
                          capture_output=True, text=True)


class Sdist(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix='twinset-sdist-')
        self.addCleanup(temporary.cleanup)
        self.tree = pathlib.Path(temporary.name) / 'twinset'
        make_sdist().assemble(self.tree)

    def test_its_build_can_be_configured(self):
        configured = configure(self.tree)
        self.assertEqual(configured.returncode, 0, configured.stderr)

    def test_a_folder_that_is_left_out_is_noticed(self):
        shutil.rmtree(self.tree / 'apps/server')
        configured = configure(self.tree)
        self.assertNotEqual(configured.returncode, 0)
        self.assertIn('apps/server', configured.stderr)


if __name__ == '__main__':
    unittest.main()
