#!/usr/bin/env python3
"""report.html, end to end: tests/report/run.py BUILD_DIR

The page is taken apart by Python's html.parser, strictly: every element is closed where it must be.
Its numbers are compared with those of the result files, its bytes between runs.
"""
import collections
import html.parser
import json
import random
import re
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
from measured import require, suite_from_arguments

VOID = {'meta'}
# All that the page may be made of: nothing that loads or runs anything.
ELEMENTS = set('html head meta title style body main section h1 h2 h3 h4 p strong div table caption thead tbody '
               'tr th td figure figcaption details summary ul li svg desc line text path polyline polygon '
               'rect'.split())
ATTRIBUTES = set('lang charset http-equiv content name class scope id viewbox role aria-labelledby aria-hidden d '
                 'points x y x1 y1 x2 y2 width height transform'.split())
HOSTILE = ['"><script>alert(1)</script>', '<!-- run -->', "x' onload='y", '&amp;&lt;', '\u202egnp.exe', '\0\x01',
           'javascript:alert(1)', '</table></main>', 'http://elsewhere/x.js', 'ä' * 500]


class Page(html.parser.HTMLParser):
    """Tables as {caption: rows of cells}, texts and headings of a page; fails on what is not well-formed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tables, self.texts, self.ids = [], collections.OrderedDict(), [], []
        self.caption, self.rows = None, None
        self.feed(text)
        self.close()
        require(not self.open, 'left open:', self.open)

    def handle_starttag(self, tag, attributes):
        require(tag in ELEMENTS, 'an element of its own:', tag)
        for name, value in attributes:
            require(name in ATTRIBUTES, 'an attribute of its own:', name)
            if name == 'id':
                self.ids.append(value)
        if tag in VOID:
            return
        self.open.append(tag)
        if tag == 'table':
            self.caption, self.rows = '', []
        elif tag == 'tr':
            self.rows.append([])
        elif tag in ('td', 'th'):
            self.rows[-1].append('')

    def handle_startendtag(self, tag, attributes):
        require(tag in ELEMENTS, 'an element of its own:', tag)
        require(all(name in ATTRIBUTES for name, _ in attributes), 'an attribute of its own')

    def handle_endtag(self, tag):
        require(self.open and self.open[-1] == tag, 'closes', tag, 'within', self.open)
        self.open.pop()
        if tag == 'table':
            self.tables.setdefault(self.caption or ' / '.join(self.rows[0]), self.rows)

    def handle_data(self, data):
        if not self.open:
            return
        if self.open[-1] == 'caption':
            self.caption += data
        elif self.open[-1] in ('td', 'th'):
            self.rows[-1][-1] += data
        elif self.open[-1] in ('p', 'h1', 'h2', 'h3', 'li', 'figcaption', 'strong'):
            self.texts.append(data)


def number(text):
    return float(text.replace('\u202f', ''))


def corpus(place, documents=300):
    """Rows of random words, most of them changed copies; some ids are hostile."""
    rng = random.Random(7)
    texts, rows = [], []
    for n in range(documents):
        words = ['w%d' % rng.randrange(3000) for _ in range(90)]
        if texts and rng.random() < .7:
            words = list(rng.choice(texts[:40]))
            for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
                words[rng.randrange(len(words))] = 'x%d' % rng.randrange(3000)
        texts.append(words)
        rows.append({'id': HOSTILE[n] if n < len(HOSTILE) else 'd%d' % n, 'text': ' '.join(words)})
    rows.append({'id': 'empty', 'text': '...'})
    text = ''.join(json.dumps(row) + '\n' for row in rows) + '{"id": "bad", "text": \n'
    place.write('<b>rows.jsonl', text.encode())
    return '<b>rows.jsonl'


def page_of(place, out='out'):
    text = (place.folder / out / 'report.html').read_text(encoding='utf-8')
    require(text.startswith('<!DOCTYPE html>\n') and text.count('\n<!-- run -->\n') == 1
            and text.count('\n<!-- /run -->\n') == 1, 'not the frame of a report')
    require('<script' not in text and 'url(' not in text and '@import' not in text, 'not self-contained')
    return text, Page(text)


def without_run(text):
    return re.sub(r'^<!-- run -->$.*?^<!-- /run -->$', '', text, flags=re.M | re.S)


def numbers_are_those_of_the_files(place):
    name = corpus(place)
    place.dedup(name, '--report').ended(0)
    _, page = page_of(place)
    summary = place.summary()
    require(len(page.ids) == len(set(page.ids)), 'an id twice')
    pairs = [row['similarity'] for row in place.rows('pairs.jsonl')]
    require(len(pairs) > 100, 'too few pairs to test with')
    bins = page.tables['similarity, from / to / pairs'][1:]
    for low, high, count in bins:
        low, high = float(low), float(high)
        require(number(count) == sum(low <= s < high for s in pairs), 'pairs of', low, high)
    require(sum(number(row[2]) for row in bins) == sum(s < 1 for s in pairs), 'a pair is missing')
    require('Listed pairs of similarity 1: %d; below: %d.' % (sum(s == 1 for s in pairs), sum(s < 1 for s in pairs))
            in page.texts, 'equal pairs')
    sizes = collections.Counter(row['cluster'] for row in place.rows('clusters.jsonl'))
    table = page.tables['Clusters by size'][1:]
    for low, high, count in table:
        require(number(count) == sum(number(low) <= n <= number(high) for n in sizes.values()), 'clusters of', low)
    require(sum(number(row[2]) for row in table) == len(sizes), 'a cluster is missing')
    largest = page.tables['Largest clusters'][1:]
    require([number(row[1]) for row in largest] == [c['size'] for c in summary['largest_clusters']], 'largest')
    source = page.tables['What stays of each source'][1]
    require(source[0] == name and number(source[2]) == summary['documents']['dropped'], source)
    reasons = page.tables['Records that could not be used, by reason']
    require(dict((r[0].replace(' ', '-'), int(r[1])) for r in reasons)
            == {k.replace('_', '-'): v for k, v in summary['records']['quarantine_reasons'].items()}, reasons)
    values = {row[0]: row[1] for rows in page.tables.values() for row in rows if len(row) == 2}
    require(values['shingle'] == 'word:5' and values['threshold'] == '0.8', 'parameters')
    require(float(values['expected recall at the threshold'])
            == summary['expected_recall']['at_threshold'], 'expected recall')


def bytes_do_not_depend_on_the_machine(place):
    name = corpus(place)
    runs = {'one': ['--threads', '1', '--memory', '64M'], 'two': ['--threads', '2', '--memory', '256M'],
            'scalar': ['--threads', '1', '--simd', 'scalar', '--tmp', 'elsewhere']}
    targets = place.run('version', '--json').ended(0).stdout
    if '"scalar"' not in targets:
        runs['scalar'] = ['--threads', '1', '--tmp', 'elsewhere']
    pages = {}
    for out, flags in runs.items():
        place.dedup(name, '--report', *flags, out=out).ended(0)
        text, _ = page_of(place, out)
        require(str(place.folder) not in without_run(text), 'a path of the machine')
        pages[out] = without_run(text)
    require(len(set(pages.values())) == 1, 'the pages differ')
    place.same_bytes('one', 'two')


def only_when_asked_for(place):
    name = corpus(place, 20)
    place.dedup(name).ended(0)
    require(not (place.folder / 'out/report.html').exists(), 'a report that nobody wanted')


def nothing_to_show(place):
    place.write('none.jsonl', b'')
    place.dedup('none.jsonl', '--report').ended(0)
    page_of(place)


def every_method_and_units(place):
    name = corpus(place, 60)
    for n, flags in enumerate((['--method', 'exact', '--level', 'text'], ['--method', 'minhash', '--verify', 'none'],
                               ['--cluster', 'components', '--max-df', '3'], ['--unit', 'sentence'],
                               ['--method', 'minhash', '--bucket-limit', '2', '--action', 'drop-all'])):
        place.dedup(name, '--report', *flags, out='o%d' % n).ended(0)
        page_of(place, 'o%d' % n)
    _, page = page_of(place, 'o4')
    require('Buckets beyond the limit' in page.texts, 'hot buckets are not named')


def two_collections(place):
    corpus(place, 60)
    place.run('match', '<b>rows.jsonl', '--against', '<b>rows.jsonl', '--report', '--out', 'out', '--quiet').ended(0)
    _, page = page_of(place)
    require('Method and parameters' in page.texts, 'no parameters')


def many_sources_are_summed(place):
    for n in range(130):
        rows = [{'id': '%d-%d' % (n, k), 'text': ' '.join('t%d' % (i * (1 + (n if n > 100 else 0)))
                                                            for i in range(40))} for k in range(2)]
        place.write('many/%03d.jsonl' % n, ''.join(json.dumps(row) + '\n' for row in rows).encode())
    place.dedup('many', '--report').ended(0)
    _, page = page_of(place)
    rows = page.tables['What stays of each source'][1:]
    require(len(rows) == 102 and rows[-2][0] == '30 other sources' and rows[-1][0] == 'all', rows[-2:])
    for column in (1, 2):
        require(sum(number(row[column]) for row in rows[:-1]) == number(rows[-1][column]), 'sums')


def main():
    suite, _ = suite_from_arguments(__doc__)
    for case in (numbers_are_those_of_the_files, bytes_do_not_depend_on_the_machine, only_when_asked_for,
                 nothing_to_show, every_method_and_units, two_collections, many_sources_are_summed):
        suite.run(case.__name__.replace('_', ' '), case)
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
