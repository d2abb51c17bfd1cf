"""The benchmark of the complete join as the corpus grows: its corpora, its checks, its page."""
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from bench_pages import BUILD, MACHINE, ROOT, PageTests, jaccard, needs_build

sys.path.insert(0, str(ROOT / 'bench/complete_join'))
import bench_complete  # noqa: E402
import bench_growth  # noqa: E402
import complete_page as page  # noqa: E402
import mutations  # noqa: E402


def real_words(count=20000):
    """Words as frequent as in text."""
    chance = random.Random(7)
    return ['w%d' % (5000 * chance.random() ** 3) for _ in range(count)]


class Corpora(unittest.TestCase):
    def test_the_same_seed_gives_the_same_bytes(self):
        words = real_words()
        first = ''.join(mutations.lines(words, 300, seed=1))
        self.assertEqual(first, ''.join(mutations.lines(words, 300, seed=1)))
        self.assertNotEqual(first, ''.join(mutations.lines(words, 300, seed=2)))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'c.jsonl')
            mutations.write(path, words, 300, seed=1)
            self.assertEqual(path.read_text(), first)

    def test_every_document_is_there_once_also_beyond_the_window(self):
        numbers = itertools.count()
        with mock.patch.object(mutations.Writer, 'cluster', lambda _: iter(['t%d' % next(numbers)])):
            for window, count in ((50, 400), (400, 50), (50, 50)):
                numbers = itertools.count()
                with mock.patch.object(mutations, 'WINDOW', window):
                    rows = [json.loads(line) for line in mutations.lines(real_words(), count)]
                self.assertEqual([row['id'] for row in rows], ['d%08d' % i for i in range(count)])
                texts = [row['text'] for row in rows]
                self.assertEqual(sorted(texts), sorted('t%d' % i for i in range(count)))
                self.assertNotEqual(texts, ['t%d' % i for i in range(count)])

    def test_documents_are_as_long_as_promised(self):
        writer = mutations.Writer(real_words(), 1)
        lengths = [len(writer.base()) for _ in range(3000)]
        self.assertEqual((min(lengths), max(lengths)), (mutations.LEAST_WORDS, mutations.MOST_WORDS))

    def test_words_that_json_escapes(self):
        words = [json.dumps(word)[1:-1] for word in ('a"b', 'c\\d', 'é', '日') * 300]
        for line in mutations.lines(words, 20):
            self.assertLessEqual(set(json.loads(line)['text'].split()), {'a"b', 'c\\d', 'é', '日'})

    def test_rates_give_the_similarities_that_they_stand_for(self):
        writer = mutations.Writer(real_words(), 3)
        for step, rate in enumerate(mutations.RATES):
            found = []
            for _ in range(60):
                base = writer.base()
                found.append(jaccard(base, writer.mutated(base, rate)))
            self.assertAlmostEqual(sum(found) / len(found), 1 - step / 10, delta=0.04, msg=rate)

    def test_clusters_have_the_sizes_of_the_table(self):
        writer, sizes = mutations.Writer(real_words(1000), 5), []
        writer.base = lambda: ['a', 'b']
        for _ in range(20000):
            sizes.append(sum(1 for _ in writer.cluster()))
        every = sum(mutations.CLUSTERS_OF_SIZE.values())
        for size in (1, 2, 3):
            self.assertAlmostEqual(sizes.count(size) / len(sizes), mutations.CLUSTERS_OF_SIZE[size] / every, delta=0.01)
        self.assertLessEqual(set(sizes), set(mutations.CLUSTERS_OF_SIZE))

    def test_new_documents_have_little_in_common(self):
        writer = mutations.Writer(real_words(), 9)
        texts = [writer.base() for _ in range(40)]
        self.assertLess(max(jaccard(a, b) for i, a in enumerate(texts) for b in texts[:i]), 0.1)


def cell(threshold, memory, method, seconds, accepted=10, digest='d', **more):
    return {'threshold': threshold, 'memory': memory, 'method': method, 'seconds': seconds, 'cpu_seconds': 2 * seconds,
            'peak_bytes': 10**7 * seconds, 'written_bytes': 5 * 10**6, 'candidates': 12, 'accepted': accepted, 'rows': 8,
            'stages': {'read': 0.5, 'write': 0.0001}, 'digest': digest, **more}


class Checks(unittest.TestCase):
    def test_cells_that_agree(self):
        cells = [cell(0.8, memory, method, 1, accepted=accepted, digest=method) for memory in ('unlimited', '256M')
                 for method, accepted in (('complete', 10), ('minhash', 9))]
        self.assertEqual(bench_complete.wrong_cells(cells), [])

    def test_cells_that_do_not(self):
        good = cell(0.8, 'unlimited', 'complete', 1)
        for bad in (cell(0.8, '4G', 'complete', 1, digest='e'), cell(0.8, '4G', 'complete', 1, accepted=11),
                    cell(0.8, '4G', 'minhash', 1, accepted=11),
                    {'threshold': 0.8, 'memory': '4G', 'method': 'complete', 'error': 'no disk'}):
            self.assertEqual(len(bench_complete.wrong_cells([good, bad])), 1, bad)
        slow = {'threshold': 0.8, 'memory': '4G', 'method': 'complete', 'error': 'stopped after 9 s', 'stopped': True}
        self.assertEqual(bench_complete.wrong_cells([good, slow, cell(0.9, '4G', 'complete', 1, digest='e')]), [])

    def test_medians_of_runs(self):
        runs = [cell(0.8, '4G', 'complete', seconds) for seconds in (5, 1, 3)]
        made = bench_complete.median_cell(runs)
        self.assertEqual((made['seconds'], made['cpu_seconds'], made['runs']), (3, 6, 3))
        self.assertEqual(bench_complete.wrong_cells([made]), [])
        runs[1]['digest'] = 'e'
        self.assertEqual(len(bench_complete.wrong_cells([bench_complete.median_cell(runs)])), 1)
        runs[2] = {'threshold': 0.8, 'memory': '4G', 'method': 'complete', 'error': 'stopped after 9 s', 'stopped': True}
        self.assertEqual(bench_complete.median_cell(runs), runs[2])

    def test_pairs_that_are_not_among_all(self):
        every = {('a', 'b'): 0.9, ('b', 'c'): 0.8}
        self.assertEqual(bench_complete.not_among({('a', 'b'): 0.9}, every), 0)
        self.assertEqual(bench_complete.not_among({('a', 'b'): 0.91}, every), 1)
        self.assertEqual(bench_complete.not_among({('a', 'b'): 0.9, ('a', 'c'): 0.9}, every), 1)

    def test_sizes(self):
        self.assertEqual(bench_complete.sizes(10**6), [10**4, 10**5, 10**6])
        self.assertEqual(bench_complete.sizes(300), [300])

    def test_growth_beside_runs_in_a_row(self):
        small, large = cell(0.8, '4G', 'complete', 2), cell(0.8, '4G', 'complete', 200)
        found = bench_growth.growth(10**5, 10**7, [small] * 3, large, [small, cell(0.8, '4G', 'complete', 9), small])
        for when in ('before', 'after'):
            self.assertEqual(found[when]['seconds'], 2)
            self.assertAlmostEqual(found[when]['exponent_of_seconds'], 1)
            self.assertAlmostEqual(found[when]['exponent_of_cpu_seconds'], 1)
        self.assertEqual(len(bench_growth.in_a_row(lambda: 0, 0)), 3)

    def test_exponents(self):
        self.assertAlmostEqual(bench_complete.exponent([(10**5, 3), (10**6, 30), (10**7, 300)]), 1)
        self.assertAlmostEqual(bench_complete.exponent([(2, 4), (4, 16), (8, 64)]), 2)
        self.assertIsNone(bench_complete.exponent([(10, 4)]))
        measured = [{'documents': n, 'cells': [cell(0.8, '4G', 'complete', n / 1000), cell(0.8, '4G', 'minhash', 5)]}
                    for n in (10**4, 10**5, 10**6)]
        measured[2]['cells'][1] = {'threshold': 0.8, 'memory': '4G', 'method': 'minhash', 'error': 'x', 'stopped': True}
        found = bench_complete.exponents(measured)
        self.assertEqual([(e['method'], e['largest']) for e in found], [('complete', 10**6)])
        self.assertAlmostEqual(found[0]['seconds'], 1)

    def test_what_was_stopped_is_not_tried_with_more_documents(self):
        class Asked:
            thresholds, memory, limit, runs = [0.8], ['4G'], 9, 3
        smaller = [{'threshold': 0.8, 'memory': '4G', 'method': method, 'stopped': True} for method in bench_complete.METHODS]
        cells = bench_complete.measure_cells('no-program', 'no-corpus', 10**6, Asked, smaller, None)
        self.assertEqual([c['error'] for c in cells], ['not tried: stopped with fewer documents'] * 2)


def recorded():
    """Two sizes: MinHash is faster at .5 and slower at .8; one run is stopped."""
    def size(documents, times):
        cells = [cell(t, m, method, times[t][method] * documents / 10**5, accepted=100 - (method == 'minhash'))
                 for t in (0.5, 0.8) for m in ('unlimited', '256M') for method in page.NAMES]
        return {'documents': documents, 'bytes': 1500 * documents, 'cells': cells, 'checks': [
            {'threshold': t, 'complete': 120, 'minhash': 119, 'strange': 0} for t in (0.5, 0.8)]}
    times = {0.5: {'complete': 6, 'minhash': 4}, 0.8: {'complete': 2, 'minhash': 4}}
    results = {
        'machine': MACHINE,
        'settings': {'thresholds': [0.5, 0.8], 'memory': ['unlimited', '256M'], 'threads': 2, 'seed': 1, 'texts': 'x.gz',
                     'words': 1000, 'check': 10**5, 'runs': 3, 'long_seconds': 20, 'limit_seconds': 9, 'from': 10**5},
        'sizes': [size(10**5, times), size(10**6, times)]}
    results['sizes'][1]['cells'][7] = {'threshold': 0.8, 'memory': '256M', 'method': 'minhash', 'stopped': True,
                                       'error': 'stopped after 9 s'}
    results['sizes'][1]['checks'] = []
    results['exponents'] = bench_complete.exponents(results['sizes'])
    return results


class Page(PageTests, unittest.TestCase):
    page, recorded, plotted = page, staticmethod(recorded), 'MinHash'

    def test_where_minhash_wins_stands_first(self):
        text = page.render(recorded())
        self.assertLess(text.index('## Where MinHash takes less'), text.index('| documents |'))
        self.assertIn('- **100,000 documents**: MinHash takes less time at 0.5; the complete join takes 0.50 times as much '
                      'at 0.8 and 1.50 times at 0.5.', text)

    def test_cells(self):
        text = page.render(recorded())
        self.assertIn('| 100,000 | unlimited | 1.50 | 0.50 |', text)
        self.assertIn('| 1,000,000 | 256M | 1.50 |  |', text)
        self.assertIn('| 0.8 | 256M | MinHash | no answer: stopped after 9 s |', text)
        self.assertIn('| 0.5 | unlimited | MinHash | 4.00 | 8.00 | 40 | 5 | 12 | 99 | 0.9900 |', text)
        self.assertIn('| 0.5 | 256M | complete | 1,000,000 | 1.00 | 1.00 | 1.00 |', text)
        self.assertIn('at 0.5 120 pairs, of which MinHash finds 119', text)
        self.assertIn('All pairs were not listed here', text)

    def test_many_documents_with_a_budget_alone(self):
        asked = types.SimpleNamespace(thresholds=(0.5, 0.8), memory=('unlimited', '256M'))
        self.assertEqual(len(bench_complete.kinds_of_cells(10**6, asked)), 4)
        self.assertEqual(bench_complete.kinds_of_cells(10**7, asked), [(0.8, '256M')])
        results = recorded()
        largest = json.loads(json.dumps(results['sizes'][0]))
        largest.update(documents=10**7, commit='a later one', checks=[])
        largest['cells'] = [c for c in largest['cells'] if (c['threshold'], c['memory']) == (0.8, '256M')]
        results['sizes'].append(largest)
        results['exponents'] = bench_complete.exponents(results['sizes'])
        text = page.render(results)
        self.assertIn('Measured with commit a later one.', text)
        self.assertIn('| 10,000,000 | 256M |', text)
        self.assertNotIn('| 10,000,000 | unlimited |', text)
        self.assertNotIn('**10,000,000 documents**: MinHash', text)
        self.assertNotIn('10,000,000, 0.5', page.plots(results)['time.svg'])

    def test_one_size_says_nothing_of_growth(self):
        results = recorded()
        results['sizes'].pop()
        results['exponents'] = bench_complete.exponents(results['sizes'])
        self.assertIn('Nothing is said of growth', page.render(results))

    def test_bars_are_labelled_with_documents_and_threshold(self):
        self.assertIn('1,000,000, 0.5', page.plots(recorded())['time.svg'])


@needs_build
class WholeRun(unittest.TestCase):
    def test_a_small_corpus(self):
        with tempfile.TemporaryDirectory() as folder:
            numbers = pathlib.Path(folder, 'numbers.json')
            done = subprocess.run([sys.executable, str(ROOT / 'bench/bench_complete.py'), BUILD, '--largest', '2000',
                                   '--thresholds', '.5', '.8', '--memory', 'unlimited', '64M', '--folder', folder,
                                   '--json', str(numbers)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            results = json.loads(numbers.read_text())
            left = {path.name for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(left, {'numbers.json'})
        self.assertNotIn(folder, json.dumps(results))
        size = results['sizes'][0]
        self.assertEqual(len(size['cells']), 8)
        self.assertTrue(all(c['accepted'] > 30 and c['seconds'] > 0 and c['peak_bytes'] > 10**6 for c in size['cells']))
        self.assertEqual([c['strange'] for c in size['checks']], [0, 0])
        self.assertTrue(all(c['complete'] >= c['minhash'] > 0.9 * c['complete'] for c in size['checks']))
        self.assertIn('## 2,000 documents', page.render(results))


if __name__ == '__main__':
    unittest.main()
