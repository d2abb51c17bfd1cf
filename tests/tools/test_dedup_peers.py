"""The benchmark beside other deduplicators: its measures, its own truth, its page. Nothing is installed here."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / 'bench/dedup_peers'
sys.path[:0] = [str(HERE), str(HERE / 'adapters')]
import bars  # noqa: E402
import common  # noqa: E402
import page  # noqa: E402
import peers  # noqa: E402
import quality  # noqa: E402
import run  # noqa: E402

BUILD = os.environ.get('TWINSET_BUILD_DIR')
TRUTH = {(0, 1), (1, 2), (4, 5)}  # a chain and a pair; 3 is alone


class Measures(unittest.TestCase):
    def assert_judged(self, kind, answer, pairs, documents):
        judged = quality.judge(kind, answer, TRUTH)
        for name, wanted in (('pairs', pairs), ('documents', documents)):
            if wanted is None:
                self.assertIsNone(judged[name])
            else:
                self.assertEqual((judged[name]['precision'], judged[name]['recall']), wanted, name)

    def test_pairs(self):
        self.assert_judged('pairs', set(TRUTH), (1, 1), (1, 1))
        self.assert_judged('pairs', {(0, 1), (3, 5)}, (1 / 2, 1 / 3), (3 / 4, 3 / 5))
        self.assert_judged('pairs', set(), (1, 0), (1, 0))

    def test_groups_are_judged_by_all_their_pairs(self):
        # The component of the chain has the pair (0, 2), which is not alike.
        self.assert_judged('groups', {0: 7, 1: 7, 2: 7, 4: 8, 5: 8}, (3 / 4, 1), (1, 1))
        self.assert_judged('groups', {0: 1, 1: 1, 3: 1}, (1 / 3, 1 / 3), (2 / 3, 2 / 5))
        self.assert_judged('groups', {}, (1, 0), (1, 0))

    def test_flags(self):
        self.assert_judged('similar', {0, 1, 3}, None, (2 / 3, 2 / 5))
        # Row by row: 1 is like 0; 2 is like 1 alone, which is not kept; 5 is like 4.
        self.assertEqual(quality.not_kept(TRUTH), {1, 5})
        self.assert_judged('removed', {1, 2}, None, (1 / 2, 1 / 2))
        self.assertRaises(ValueError, quality.judge, 'ranks', set(), TRUTH)

    def test_answers_of_adapters(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'a.txt')
            path.write_text('3 1\n2 5\n')
            self.assertEqual(quality.read_answer('pairs', path), {(1, 3), (2, 5)})
            self.assertEqual(quality.read_answer('groups', path), {3: 1, 2: 5})
            path.write_text('3\n8\n')
            self.assertEqual(quality.read_answer('removed', path), {3, 8})


def texts(seed, count=60):
    """Texts of a few words, many of them nearly alike."""
    chance, made = random.Random(seed), []
    for _ in range(count):
        words = list(chance.choice(made)) if made and chance.random() < 0.6 else []
        words = words or [chance.choice('abcdefgh') for _ in range(chance.randint(5, 40))]
        if chance.random() < 0.5:
            words[chance.randrange(len(words))] = 'x'
        made.append(words)
    return [' '.join(words) for words in made]


class OwnTruth(unittest.TestCase):
    def test_counting_finds_what_comparing_each_with_each_does(self):
        for seed in range(5):
            rows = texts(seed)
            sets = [quality.shingle_set(text) for text in rows]
            wanted = {(a, b): len(sets[a] & sets[b]) / len(sets[a] | sets[b])
                      for b in range(len(rows)) for a in range(b)}
            wanted = {pair: value for pair, value in wanted.items() if value >= 0.8}
            self.assertGreater(len(wanted), 5)
            for sample in (len(rows), 20):
                counted, sampled = quality.counted_pairs(lambda r=rows: iter(r), 0.8, sample)
                self.assertEqual(counted, {p: v for p, v in wanted.items() if set(p) & sampled})
                self.assertEqual(quality.differences(wanted, counted, sampled), [])

    def test_differences_are_found(self):
        counted = {(0, 1): 0.9, (2, 3): 0.8}
        self.assertEqual(len(quality.differences({(0, 1): 0.9}, counted, {0, 2})), 1)
        self.assertEqual(len(quality.differences({**counted, (0, 9): 0.8}, counted, {0, 2})), 1)
        self.assertEqual(len(quality.differences({**counted, (0, 1): 0.91}, counted, {0, 2})), 1)
        self.assertEqual(quality.differences({**counted, (7, 9): 0.8}, counted, {0, 2}), [])

    def test_adapters_make_the_same_shingles(self):
        for text in texts(1) + ['a', 'a b c d', 'a b c d e', 'a b c d e f']:
            joined = {' '.join(words) for words in quality.shingle_set(text)}
            self.assertEqual(set(common.shingles_of(text)), joined)
            self.assertEqual(set(common.shingles_of(text.encode())), {s.encode() for s in joined})

    def test_a_wrong_answer_of_ours_is_an_error(self):
        one = run.Contestant(run.OURS[0][0], 1, None)
        for answer, wrong in ((TRUTH, 0), (TRUTH - {(0, 1)}, 1), (TRUTH | {(0, 2)}, 1)):
            one.judged = quality.judge('pairs', set(answer), TRUTH)
            self.assertEqual(len(run.judge_ours([one])), wrong)


class Peers(unittest.TestCase):
    def test_every_version_is_pinned_and_every_adapter_there(self):
        for peer in peers.PEERS:
            self.assertTrue(all(package.count('==') == 1 for package in peer.packages), peer)
        for row in peers.ROWS:
            self.assertTrue((peers.ADAPTERS / row.adapter).is_file(), row)
            self.assertIn(row.peer, [peer.name for peer in peers.PEERS])

    def test_a_peer_that_cannot_be_had_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            lost = peers.PEERS[0]._replace(needs='no-such-program')
            with self.assertRaisesRegex(peers.Unavailable, 'no no-such-program'):
                peers.python_of(lost, folder)
        said = peers.reason_of('x\nERROR: none at https://index.example/simple in /somewhere/else for a==1\n[notice] y\n')
        self.assertEqual(said, 'ERROR: none at (address) in (path) for a==1')

    def test_measure(self):
        with tempfile.TemporaryDirectory() as folder:
            result = str(pathlib.Path(folder, 'r'))

            def measured(limit, *command):
                subprocess.run([sys.executable, str(HERE / 'measure.py'), result, '1', str(limit), *command], check=True)
                return json.loads(pathlib.Path(result).read_text())
            taken = measured(60, sys.executable, '-c', 'import os, time; x = b"x" * (64 << 20); time.sleep(.2); '
                             'print(len(os.sched_getaffinity(0))); exit(3)')
            self.assertEqual(taken['code'], 3)
            self.assertGreater(taken['peak_bytes'], 64 << 20)
            self.assertGreater(taken['ended'] - taken['started'], 0.2)
            self.assertEqual(pathlib.Path(result + '.log').read_text(), '1\n')
            # On a file system in memory both are nothing.
            write = ('import os, resource; f = open(%r, "wb"); f.write(b"x" * (4 << 20)); f.flush(); os.fsync(f.fileno()); '
                     'print(resource.getrusage(resource.RUSAGE_SELF).ru_oublock)' % str(pathlib.Path(folder, 'written')))
            taken = measured(60, sys.executable, '-c', write)
            own = 512 * int(pathlib.Path(result + '.log').read_text())
            self.assertTrue(own <= taken['written_bytes'] <= own + (1 << 20), (own, taken))
            spin = 'import time\nwhile time.process_time() < .4: pass\ntime.sleep(.2)'
            taken = measured(60, sys.executable, '-c', 'import os, subprocess, sys; '
                             'p = subprocess.Popen([sys.executable, "-c", %r], stdout=-1); '
                             'p.stdout.read(); os._exit(0)' % spin)
            self.assertGreater(taken['cpu_seconds'], 0.3)  # of a process that nobody waited for
            self.assertIsNone(measured(0.3, sys.executable, '-c', 'import time; time.sleep(60)')['code'])


def recorded():
    """Results as run.py writes them: one corpus, a slow peer, one that wins, one that is stopped, one not to be had."""
    def row(label, seconds, stages, kind='pairs', documents=(1, 1), megabytes=20, threads=1):
        shares = {'found': 1, 'wanted': 1}
        return {'label': label, 'threads': threads, 'command': 'x', 'seconds': seconds, 'cpu_seconds': seconds,
                'peak_bytes': megabytes * 10**6, 'runs': [seconds], 'stages': stages, 'kind': kind, 'settings': 'so',
                'pairs': {'precision': 1, 'recall': 0.99999, **shares} if kind == 'pairs' else None,
                'documents': {'precision': documents[0], 'recall': documents[1], **shares}}
    return {
        'machine': {'date': '2026-01-01', 'processor': 'P', 'threads': 1, 'memory_bytes': 2**34, 'system': 'S',
                    'kernel': 'K', 'python': '3', 'commit': 'c', 'load_before': 0.1, 'load_after': 0.2, 'twinset': 't'},
        'settings': {'threshold': 0.8, 'words': 5, 'runs': 3, 'limit_seconds': 9},
        'peers': [{'name': 'Slow', 'packages': ['slow==1'], 'about': 'Is slow.', 'installed': []},
                  {'name': 'Gone', 'packages': ['gone==2'], 'about': 'Is gone.', 'unavailable': 'no wheel'}],
        'corpora': [{'name': 'tiny', 'documents': 10, 'bytes': 2000000, 'true_pairs': 3, 'true_documents': 5,
                     'check': {'documents': 10, 'pairs': 3, 'differences': 0}, 'results': [
                         row(page.COMPLETE, 0.5, {'read': 0.2, 'verify': 0.01}),
                         row(page.MINHASH, 0.4, {'read': 0.2}, documents=(1, 0.99)),
                         row('Slow', 9, {'start': 1, 'read': 1, 'shingle': 6.9, 'sketch': 0.1}, documents=(0.5, 0.6)),
                         row('Quick', 0.3, {'read, shingle and sketch': 0.3}, 'removed', (0.7, 0.8), 10),
                         {'label': 'Stuck', 'threads': 1, 'command': 'x', 'error': 'stopped after 9 s'}]}]}


class Page(unittest.TestCase):
    def test_what_peers_win_stands_first(self):
        text = page.render(recorded())
        wins = text[text.index('## Where a peer wins'):text.index('## tiny')]
        self.assertLess(text.index('## Where a peer wins'), text.index('| tool |'))
        self.assertRegex(wins, r'From file to answer.*less take Quick 0.30 s \(precision 0.7000, recall 0.8000\)')
        self.assertRegex(wins, r'Memory.*less take Quick 10 MB')
        self.assertRegex(wins, r'Once the shingles.*takes Slow 0.10 s')
        self.assertNotIn('Recall', wins)

    def test_no_win_is_said_too(self):
        results = recorded()
        results['corpora'][0]['results'][3]['seconds'] = 1
        self.assertIn('From file to answer, one thread: no peer takes less.', page.render(results))

    def test_what_has_no_answer_stands_there(self):
        text = page.render(recorded())
        self.assertIn('| Gone | 2 | **Not measured: no wheel.** Is gone. |', text)
        self.assertIn('| Stuck | 1 | no answer: stopped after 9 s |', text)
        self.assertIn('| **twinset, complete** | 1 | 0.50 | 1.00 | 0.50 | 1.00 | 4.00 | 20 | 1 | 0.9999 | 1 | 1 | pairs |', text)

    def test_every_table_row_has_the_cells_of_its_head(self):
        width = 0
        for line in page.render(recorded()).splitlines():
            if not line.startswith('|'):
                width = 0
            else:
                width = width or line.count('|')
                self.assertEqual(line.count('|'), width, line)

    def test_files(self):
        files = page.files(recorded())
        self.assertEqual(files, page.files(json.loads(files[page.NUMBERS])))
        text = files[page.PAGE]
        plots = [name for name in files if name.endswith('.svg')]
        self.assertEqual(len(plots), 3)
        for name in plots:
            self.assertIn('](%s)' % name, text)
            tree = xml.etree.ElementTree.fromstring(files[name])
            words = [node.text for node in tree.iter('{http://www.w3.org/2000/svg}text')]
            self.assertIn(page.COMPLETE, words)
        with tempfile.TemporaryDirectory() as folder:
            stale = pathlib.Path(folder, page.PLOTS, 'stale.svg')
            stale.parent.mkdir()
            stale.touch()
            page.write(recorded(), pathlib.Path(folder))
            self.assertEqual({p.relative_to(folder).as_posix() for p in pathlib.Path(folder).rglob('*') if p.is_file()},
                             set(files))

    def test_bars_stand_where_their_values_are(self):
        axis = bars.Axis([0.2, 40])
        self.assertEqual(axis.ticks, [0.1, 1, 10, 100])
        self.assertAlmostEqual(axis.place(1) - axis.place(0.1), axis.place(100) - axis.place(10))
        self.assertEqual((axis.place(0.1), axis.place(0)), (bars.LABELS, bars.LABELS))
        chart = bars.bar_chart('a < b', ('one',), [('x', True, (10,)), ('y', False, (None,)), ('z', False, (0.2,)),
                                                   ('w', False, (100,))])
        self.assertIn('a &lt; b', chart)
        self.assertIn('width="%.1f"' % ((bars.WIDTH - bars.LABELS - bars.VALUES) * 2 / 3), chart)

    def test_the_page_of_the_repository_follows_from_its_numbers(self):
        numbers = ROOT / 'docs' / page.NUMBERS
        for name, content in page.files(json.loads(numbers.read_text(encoding='utf-8'))).items():
            self.assertEqual((ROOT / 'docs' / name).read_text(encoding='utf-8'), content, name)


@unittest.skipUnless(BUILD and pathlib.Path(BUILD, 'twinset').exists(), 'needs TWINSET_BUILD_DIR')
class WholeRun(unittest.TestCase):
    def test_ours_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            pages = pathlib.Path(folder, 'pages.jsonl')
            pages.write_text(''.join(json.dumps({'id': 'p%d' % i, 'text': text.upper() + '!'}) + '\n'
                                     for i, text in enumerate(texts(3) + ['a b'])))
            done = subprocess.run([sys.executable, str(HERE / 'run.py'), BUILD, '-n', '80', '--pages', str(pages), '--peers', '',
                                   '--runs', '1', '--folder', folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            results = json.loads(pathlib.Path(folder, 'results.json').read_text())
        self.assertEqual([c['name'] for c in results['corpora']], ['synthetic', 'pages'])
        own = results['corpora'][1]
        self.assertEqual((own['documents'], own['check']['documents'], own['check']['differences']), (60, 60, 0))
        wanted = quality.counted_pairs(lambda: iter(texts(3)), 0.8, 60)[0]
        self.assertEqual(own['true_pairs'], len(wanted))
        self.assertTrue(all('error' not in row for row in own['results']))
        self.assertNotIn(folder, json.dumps(results))
        self.assertIn('## pages', page.render(results))


if __name__ == '__main__':
    unittest.main()
