#!/usr/bin/env python3
"""Walks over loopback: tests/walk/run.py BUILD_DIR

A manual of 60 pages, a host of soft 404s and a calendar without end, served by this program. Walks
must come round the manual evenly, leave the traps, say what these did to the sample, and repeat
from recorded answers without a server.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import sites

PROGRAM = str(pathlib.Path(sys.argv.pop(1)) / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
EACH = ['--delay', '0', '--quiet', '--overwrite', '--networks', '127.0.0.0/8']


def walk(url, out, *flags):
    command = [PROGRAM, 'walk', url, '--out', str(out), *EACH, *map(str, flags)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError('%s\n%s' % (' '.join(command), done.stderr))
    rows = [json.loads(line) for line in (out / 'sample.jsonl').read_text().splitlines()]
    return json.loads((out / 'summary.json').read_text()), rows[1:], done.stderr


def shares(rows):
    weights = collections.Counter()
    for row in rows:
        weights[row['url']] += row['weight']
    total = sum(weights.values())
    return {url: weight / total for url, weight in weights.items()}


def share_of_host(summary, host):
    return sum(row['weighted'] for row in summary['hosts'] if '//%s:' % host in row['host'])


class Walks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sites = sites.Sites()
        cls.sites.__enter__()
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.sites.__exit__()
        cls.folder.cleanup()

    def test_the_manual_is_walked_evenly(self):
        for sampler in ('webwalker', 'pagerank-walk', 'undirected', 'directed'):
            with self.subTest(sampler):
                self.sites.asked.clear()
                summary, rows, _ = walk(self.sites.url(), self.out / 'manual', '--sampler', sampler,
                                        '--steps', 20000, '--size', 0, '--loops', 'expected')
                asked = collections.Counter(self.sites.asked)
                self.assertEqual(summary['walk']['distinct'], sites.PAGES)
                self.assertEqual(max(asked.values()), 1, 'a page was asked for twice')
                self.assertEqual(asked['127.0.0.1/robots.txt'], 1)
                self.assertEqual(summary['live']['requests'], sites.PAGES)
                self.assertEqual(summary['live']['out_of_scope'], 2)
                off = sum(abs(share - 1 / sites.PAGES) for share in shares(rows).values()) / 2
                self.assertLess(off, 0.06)

    def test_the_walk_leaves_the_traps_and_says_what_they_did(self):
        scope = [flag for host in sites.SITES for flag in ('--scope', self.sites.url(host, '/'))]
        summary, rows, told = walk(self.sites.url(), self.out / 'traps', '--sampler',
                                   'pagerank-walk', '--steps', 50000, '--size', 0, '--max-pages',
                                   400, '--report', *scope)
        self.assertIn('the budget of 400 pages is used up', told)
        hosts = [row['url'].split('/')[2].split(':')[0] for row in rows]
        returns = sum(a != '127.0.0.1' and b == '127.0.0.1' for a, b in zip(hosts, hosts[1:]))
        self.assertGreater(returns, 20)
        # What the traps did: they are endless and fill the sample, which the report shows.
        trapped = share_of_host(summary, '127.0.0.2') + share_of_host(summary, '127.0.0.3')
        self.assertGreater(trapped, 0.3)
        self.assertAlmostEqual(trapped + share_of_host(summary, '127.0.0.1'), 1, places=6)
        report = (self.out / 'traps' / 'report.html').read_text()
        for host in sites.SITES:
            self.assertIn(host, report)
        # The title names the host, not the address; the drawing of the lead stands behind the numbers.
        self.assertIn('<h1>What a walk saw of 127.0.0.1</h1>', report)
        lead = re.sub('<[^>]*>', '', re.search('<p class="lead">(.*?)</p>', report, re.S).group(1))
        self.assertIn('The walk saw %d different pages. It followed links from %s and fetched %d pages. ' % (
            summary['walk']['distinct'], self.sites.url(), summary['graph']['documents']), lead)
        self.assertRegex(report, r'</dl>\s*<figure')
        # So many visits for each independent draw as there are visits and draws.
        row = re.search(r'log degree(?:<[^>]*>)+\s*(?:<[^>]*>)*([\d,]+)(?:<[^>]*>|\s)+([\d.]+)<', report)
        draws = summary['sample']['checks'][0]['effective_size']
        self.assertEqual(row.groups(), ('{:,.0f}'.format(draws), '%.1f' % (summary['sample']['visits'] / draws)))
        # Without them the same seed gives the manual alone.
        clean, _, _ = walk(self.sites.url(), self.out / 'clean', '--sampler', 'pagerank-walk',
                           '--steps', 5000)
        self.assertEqual(clean['all_hosts'], 1)

    def test_webwalker_takes_a_calendar_for_what_it_is(self):
        scope = [flag for host in ('127.0.0.1', '127.0.0.3')
                 for flag in ('--scope', self.sites.url(host, '/'))]
        summary, rows, _ = walk(self.sites.url(), self.out / 'calendar', '--steps', 20000, '--size',
                                0, '--max-pages', 2000, '--loops', 'expected', *scope)
        pages = {row['url'] for row in rows}
        months = sum('/cal/' in url for url in pages)
        self.assertEqual(len(pages) - months, sites.PAGES)
        self.assertGreater(months, 10)
        # A line of months: the walk goes up and down on it and comes back.
        hosts = ['/cal/' in row['url'] for row in rows]
        self.assertGreater(sum(a and not b for a, b in zip(hosts, hosts[1:])), 10)

    def test_answers_are_repeated_without_a_server(self):
        record = self.out / 'answers'
        with sites.Sites() as other:
            url = other.url()
            first, rows, _ = walk(url, self.out / 'first', '--record', record, '--steps', 3000)
        again, same, _ = walk(url, self.out / 'again', '--record', record, '--steps', 3000)
        self.assertEqual(rows, same)
        self.assertEqual(first, again)

    def test_nothing_outside_the_scope_is_asked(self):
        """Page 7 of the manual redirects to the shop: its host gets no request, for robots.txt neither."""
        self.sites.asked.clear()
        summary, rows, _ = walk(self.sites.url(path='/moved/index.html'), self.out / 'scope', '--steps', 3000,
                                '--record', self.out / 'scope.answers')
        hosts = {asked.split('/')[0] for asked in self.sites.asked}
        self.assertEqual(hosts, {'127.0.0.1'})
        self.assertIn('127.0.0.1/moved/out', self.sites.asked)
        self.assertEqual(summary['live']['redirects'], 2)
        self.assertEqual(summary['live']['out_of_scope'], 1)
        self.assertIn(self.sites.url(path='/moved/in'), {row['url'] for row in rows})
        asked = len(self.sites.asked)
        again, same, _ = walk(self.sites.url(path='/moved/index.html'), self.out / 'again', '--steps', 3000,
                              '--record', self.out / 'scope.answers')
        self.assertEqual((again, same), (summary, rows))
        self.assertEqual(len(self.sites.asked), asked, 'recorded answers were asked for')

    def test_networks_that_are_not_named_are_not_asked(self):
        for networks in ([], ['--networks', '10.0.0.0/8,127.0.0.2']):
            self.sites.asked.clear()
            command = [PROGRAM, 'walk', self.sites.url(), '--out', str(self.out / 'refused'), '--delay', '0', *networks]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn('127.0.0.1 is outside the networks', done.stderr)
            self.assertIn('--networks', done.stderr)
            self.assertEqual(self.sites.asked, [])

    def test_no_server_is_an_error(self):
        with sites.Sites() as gone:
            url = gone.url()
        done = subprocess.run([PROGRAM, 'walk', url, '--out', str(self.out / 'none'), *EACH],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn('the start', done.stderr)
        self.assertFalse((self.out / 'none').exists())


if __name__ == '__main__':
    unittest.main(verbosity=1)
