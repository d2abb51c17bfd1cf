"""The benchmark beside other deduplicators: its measures, its own truth, its page. Nothing is installed here."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from bench_pages import BUILD, MACHINE, ROOT, PageTests, jaccard, needs_build

HERE = ROOT / 'bench/dedup_peers'
sys.path[:0] = [str(HERE), str(HERE / 'adapters')]
import common  # noqa: E402
import page  # noqa: E402
import peers  # noqa: E402
import quality  # noqa: E402
import run  # noqa: E402

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
            wanted = {(a, b): jaccard(rows[a].split(), rows[b].split()) for b in range(len(rows)) for a in range(b)}
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
def recorded():
    """Results as run.py writes them: one corpus, a slow peer, one that wins, one that is stopped, one not to be had."""
    def row(label, seconds, stages, kind='pairs', documents=(1, 1), megabytes=20, threads=1):
        shares = {'found': 1, 'wanted': 1}
        return {'label': label, 'threads': threads, 'command': 'x', 'seconds': seconds, 'cpu_seconds': seconds,
                'peak_bytes': megabytes * 10**6, 'runs': [seconds], 'stages': stages, 'kind': kind, 'settings': 'so',
                'pairs': {'precision': 1, 'recall': 0.99999, **shares} if kind == 'pairs' else None,
                'documents': {'precision': documents[0], 'recall': documents[1], **shares}}
    return {
        'machine': MACHINE,
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


class Page(PageTests, unittest.TestCase):
    page, recorded, plotted = page, staticmethod(recorded), page.COMPLETE

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


@needs_build
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
