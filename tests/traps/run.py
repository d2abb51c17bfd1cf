#!/usr/bin/env python3
"""Traps whose hosts are asked: tests/traps/run.py BUILD_DIR

Pages as a crawl stored them, of hosts on the loopback that answer anything, know what they have,
forbid robots, redirect or are silent. `twinset traps --probe` must ask each for one address of the
pattern, no one else for anything, and judge by the answer.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests/engines'))
import servers

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve() / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
ASK = ['--probe', '--networks', '127.0.0.0/8', '--delay', '0', '--timeout', '10']
PAGES = 15


def words(seed, count):
    drawn = random.Random(seed)
    return ' '.join(''.join(drawn.choices('abcdefghijklmnopqrstuvwxyz', k=6)) for _ in range(count))


LONG, SHORT = words(1, 150), words(2, 30)


def names(seed):
    return words(seed, PAGES).split()


def found(path, _):
    """Whatever is asked for is there."""
    return 200, {}, '<p>%s</p>' % LONG


def known(path, _):
    """What was not crawled is not there, whatever the page says."""
    return 404, {}, '<p>%s</p>' % SHORT


def forbidden(path, _):
    return 200, {}, 'User-agent: *\nDisallow: /s/\n' if path == '/robots.txt' else LONG


class Probes(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.rows = []

    def tearDown(self):
        self.temporary.cleanup()

    def crawl(self, urls, text):
        self.rows += [{'url': url, 'text': text} for url in urls]

    def traps(self, *flags, code=0):
        pages = self.folder / 'pages.jsonl'
        pages.write_text(''.join(json.dumps(row) + '\n' for row in self.rows))
        done = subprocess.run([PROGRAM, 'traps', str(pages), *map(str, flags)], capture_output=True, text=True,
                              timeout=60, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        self.told = done.stderr
        return done.stdout

    def only_row(self, *flags):
        line, = self.traps('--json', *flags).splitlines()
        return json.loads(line)

    def test_a_host_that_answers_anything_has_a_soft_404(self):
        with servers.answering(found) as site:
            self.crawl(['%s/%s/%s' % (site.url, a, b) for a, b in zip(names(3), names(4))], LONG)
            row = self.only_row()
            self.assertEqual((row['kind'], 'probe' in row, site.requests), ('other', False, []))
            row = self.only_row(*ASK)
            self.assertEqual(row['kind'], 'soft-404')
            url = row['probe'].pop('url')
            self.assertEqual(row['probe'], {'status': 200, 'alike': True})
            self.assertRegex(url, '^%s/[a-z]{16}/[a-z]{16}$' % re.escape(site.url))
            self.assertEqual(site.requests, ['/robots.txt', url.removeprefix(site.url)])
            # The same address each time.
            self.assertEqual(self.only_row(*ASK)['probe']['url'], url)
            self.assertRegex(self.traps(*ASK), r'/\{any\}/\{any\} +127\.0\.0\.1  soft-404 .* 200 alike\n')

    def test_a_host_that_knows_its_pages_has_stubs(self):
        with servers.answering(known) as site:
            self.crawl(['%s/stub/%s' % (site.url, name) for name in names(3)], SHORT)
            self.assertEqual(self.only_row()['kind'], 'soft-404')
            row = self.only_row(*ASK)
            self.assertEqual((row['kind'], row['probe']['status'], row['probe']['alike']), ('other', 404, False))
            # Pages that say that they are none are judged by that.
            self.rows = [{**row, 'text': 'Page not found. ' + row['text']} for row in self.rows]
            row = self.only_row(*ASK)
            self.assertEqual((row['kind'], row['probe']['status']), ('soft-404', 404))

    def test_calendars_stay_what_they_are(self):
        with servers.answering(found) as site:
            self.crawl(['%s/day/2024-01-%02d' % (site.url, day) for day in range(1, 16)], LONG)
            row = self.only_row(*ASK)
            self.assertEqual((row['kind'], row['probe']['alike']), ('calendar', True))
            self.assertRegex(row['probe']['url'], r'/day/20\d\d-[01]\d-[0-3]\d$')

    def test_redirects_are_followed_to_hosts_of_the_input(self):
        with servers.answering(found, '127.0.0.2') as home:
            def moved(path, _):
                if path == '/robots.txt':
                    return 404, {}, ''
                return 302, {'Location': home.url + '/home'}, ''
            with servers.answering(moved) as site:
                self.crawl(['%s/%s' % (site.url, name) for name in names(3)], LONG)
                row = self.only_row(*ASK)
                self.assertEqual((row['kind'], row['probe']['status'], row['probe']['alike']), ('other', 302, False))
                self.assertEqual(home.requests, [])
                self.crawl([home.url + '/about'], words(5, 40))
                row = self.only_row(*ASK)
                self.assertEqual((row['kind'], row['probe']['status'], row['probe']['alike']), ('soft-404', 200, True))
                self.assertEqual(home.requests, ['/robots.txt', '/home'])

    def test_no_answer_is_told_and_ends_nothing(self):
        with servers.answering(forbidden) as site, servers.answering(found, '127.0.0.2') as far:
            down = servers.free_port()
            for url in (site.url, far.url, 'http://127.0.0.3:%d' % down):
                self.crawl(['%s/s/%s' % (url, name) for name in names(3)], LONG)
            flags = ['--probe', '--delay', '0', '--timeout', '5', '--networks', '127.0.0.1,127.0.0.3']
            rows = [json.loads(line) for line in self.traps(*flags, '--json', '--out', 'out').splitlines()]
            self.assertEqual([row['kind'] for row in rows], ['other'] * 3)
            self.assertEqual([row['probe']['status'] for row in rows], [0] * 3)
            for row, reason in zip(rows, ('robots.txt', 'outside the networks', '')):
                self.assertIn(reason, row['probe']['reason'])
            self.assertTrue(rows[2]['probe']['reason'])
            self.assertEqual((site.requests, far.requests), (['/robots.txt'], []))
            self.assertIn('3 probes without an answer', self.told)
            kept = [json.loads(line) for line in (self.folder / 'out/traps.jsonl').read_text().splitlines()]
            self.assertEqual(kept, rows)

    def test_answers_are_repeated_without_a_server(self):
        with servers.answering(found) as site:
            self.crawl(['%s/%s' % (site.url, name) for name in names(3)], LONG)
            first = self.only_row(*ASK, '--record', 'answers')
        self.assertEqual(self.only_row(*ASK, '--record', 'answers'), first)
        self.assertEqual(first['kind'], 'soft-404')
        self.traps('--record', 'answers', code=2)
        self.assertIn('--probe', self.told)
        # Neither the input nor what is no file of answers is written to.
        before = (self.folder / 'pages.jsonl').read_bytes()
        self.traps(*ASK, '--record', 'pages.jsonl', code=2)
        self.assertEqual((self.folder / 'pages.jsonl').read_bytes(), before)

    def test_the_report_shows_the_probes(self):
        with servers.answering(found) as site:
            self.crawl(['%s/%s' % (site.url, name) for name in names(3)], LONG)
            self.traps(*ASK, '--out', 'out', '--report', '-q')
        self.assertIn('200 alike', (self.folder / 'out/report.html').read_text())
        self.assertIs(json.loads((self.folder / 'out/summary.json').read_text())['parameters']['probe'], True)


if __name__ == '__main__':
    unittest.main(verbosity=1)
