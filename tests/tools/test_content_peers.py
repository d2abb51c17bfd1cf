"""The extractors that bench/bench_content.py stands beside: packages and programs behind one interface."""
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / 'training'), str(ROOT / 'bench')]
import content_peers  # noqa: E402
from content_peers import Package, Program, Skipped, parse  # noqa: E402

# An adapter that fails at the first page and gives the others back.
ADAPTER = r'''
import json, sys
for i, path in enumerate(sys.stdin.read().split('\n')):
    print(json.dumps({'text': open(path).read(), **({'error': 'first'} if i == 0 else {})}))
print(json.dumps({'seconds': 2}))
'''


def lines(*rows):
    return ''.join(json.dumps(row, ensure_ascii=False) + '\n' for row in rows)


class Protocol(unittest.TestCase):
    def test_text_markup_and_errors(self):
        found = parse(lines({'text': 'one\u2028two'}, {'html': '<p>a<p>b &amp; c'}, {'text': '', 'error': 'panic'},
                            {'seconds': 1.5}), 3)
        self.assertEqual(found.texts, ['one\u2028two', 'a\nb & c', ''])
        self.assertEqual(found.errors, 1)
        self.assertGreaterEqual(found.seconds, 1.5)
        self.assertLess(found.seconds, 60)

    def test_an_adapter_that_ends_early_is_no_result(self):
        for output in ('', lines({'text': 'a'}), lines({'text': 'a'}, {'seconds': 1}), lines(*[{'text': 'a'}] * 3)):
            with self.assertRaisesRegex(Skipped, 'rows for 2 pages'):
                parse(output, 2)


class Peers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.paths = [self.folder / name for name in 'ab']
        for path in self.paths:
            path.write_text('page ' + path.name)
        self.addCleanup(setattr, content_peers, 'ADAPTERS', content_peers.ADAPTERS)
        content_peers.ADAPTERS = self.folder / 'adapters'
        (content_peers.ADAPTERS / 'NAME').mkdir(parents=True)
        (content_peers.ADAPTERS / 'NAME/main.py').write_text(ADAPTER)

    def program(self, make, command):
        return Program('NAME', '1', make, command).start(self.folder / 'build')

    def test_program(self):
        version, extract = self.program((sys.executable, '--version'), (sys.executable, 'main.py'))
        found = extract(self.paths)
        self.assertEqual((version, found.texts, found.errors), ('1', ['page a', 'page b'], 1))
        self.assertEqual(sorted(p.name for p in (content_peers.ADAPTERS / 'NAME').iterdir()), ['main.py'])

    def test_missing_tool_is_skipped_with_a_reason(self):
        for make, command in ((('no-such-tool', 'build'), ('./adapter',)), ((sys.executable,), ('no-such-tool',))):
            with self.assertRaisesRegex(Skipped, '^no no-such-tool$'):
                self.program(make, command)

    def test_what_cannot_be_built_or_run_is_skipped_with_its_words(self):
        fails = (sys.executable, '-c', 'raise SystemExit("out of luck")')
        with self.assertRaisesRegex(Skipped, 'exit 1: out of luck'):
            self.program(fails, ('./adapter',))
        _, extract = self.program((sys.executable, '--version'), fails)
        with self.assertRaisesRegex(Skipped, 'exit 1: out of luck'):
            extract(self.paths)

    def test_package(self):
        def load():
            return lambda page: {b'page a': None, b'page b': 'B'}[page]
        self.paths[:0] = [self.folder / 'adapters/NAME/main.py']
        found = content_peers.extract_here(load(), self.paths)
        self.assertEqual((found.texts, found.errors), (['', '', 'B'], 1))
        with self.assertRaisesRegex(Skipped, 'not installed'):
            Package('no-such-package', '1', load).start(self.folder)


class Table(unittest.TestCase):
    def test_manifests_pin_the_versions_of_the_table(self):
        programs = [peer for peer in content_peers.PEERS if isinstance(peer, Program)]
        self.assertEqual({peer.name for peer in programs}, {p.name for p in content_peers.ADAPTERS.iterdir()})
        for peer in programs:
            manifests = [p for p in (content_peers.ADAPTERS / peer.name).iterdir()
                         if p.name in ('Cargo.toml', 'go.mod', 'package.json')]
            self.assertEqual(len(manifests), 1, peer.name)
            self.assertIn(peer.version, manifests[0].read_text())


if __name__ == '__main__':
    unittest.main()
