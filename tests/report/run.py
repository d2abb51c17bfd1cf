#!/usr/bin/env python3
"""report.html, end to end: tests/report/run.py BUILD_DIR

The page is taken apart by Python's html.parser, strictly: every element is closed where it must be.
Its numbers are compared with those of the result files, its bytes between runs.
"""
import collections
import html.parser
import json
import random
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'support'))
from measured import require, suite_from_arguments

VOID = {'meta'}
# All that the page may be made of: nothing that loads or runs anything.
ELEMENTS = set('html head meta title style body main section article header h1 h2 h3 h4 p b strong small span ins del '
               'mark div dl dt dd table caption thead tbody tr th td figure figcaption details summary ul li svg desc '
               'line text path polyline polygon rect'.split())
ATTRIBUTES = set('lang dir charset http-equiv content name class scope tabindex id viewbox preserveaspectratio role '
                 'aria-labelledby aria-hidden d points x y x1 y1 x2 y2 width height transform'.split())
HOSTILE = ['"><script>alert(1)</script>', '<!-- run -->', "x' onload='y", '&amp;&lt;', '\u202egnp.exe', '\0\x01',
           'javascript:alert(1)', '</table></main>', 'http://elsewhere/x.js', 'ä' * 500]


class Page(html.parser.HTMLParser):
    """Tables as {caption: rows of cells}, texts and headings of a page; fails on what is not well-formed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tables, self.texts, self.ids = [], collections.OrderedDict(), [], []
        self.marked = []  # (element, text) of what differs
        self.caption, self.rows = None, None
        self.pairs = []  # titles of texts that stand side by side
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
        elif self.open[-1] in ('td', 'th') or self.open[-2:] == ['td', 'span']:
            self.rows[-1][-1] += data
        elif self.open[-1] == 'h3' and 'article' in self.open:
            self.pairs.append(data)
        elif self.open[-1] in ('ins', 'del', 'mark'):
            self.marked.append((self.open[-1], data))
        elif self.open[-1] in ('p', 'b', 'h1', 'h2', 'h3', 'li', 'figcaption', 'strong'):
            self.texts.append(data)


def number(text):
    return float(text.replace(',', ''))


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
    note = '%d listed pairs are not equal. %d pairs are equal and not drawn.' % (sum(s < 1 for s in pairs),
                                                                                sum(s == 1 for s in pairs))
    require(any(text.startswith(note) for text in page.texts), 'no note', note)
    sizes = collections.Counter(collections.Counter(row['cluster'] for row in place.rows('clusters.jsonl')).values())
    bars = page.tables['documents of a cluster, from / to / clusters'][1:]
    require(len(bars) > 2, 'too few sizes to test with')
    for low, high, count in bars:
        least, bound = number(low), number(high)
        require(number(count) == sum(n for size, n in sizes.items() if least <= size < bound), 'clusters of', low, high)
    require(sum(number(row[2]) for row in bars) == sum(sizes.values()), 'a cluster is missing')
    largest = page.tables['The largest clusters'][1:]
    require([number(row[1]) for row in largest] == [c['size'] for c in summary['largest_clusters']], 'largest')
    require(any('1 record could not be used: %s 1.' % reason.replace('_', ' ') in text for text in page.texts
                for reason in summary['records']['quarantine_reasons']), 'no reason')
    why = page.tables['Records that could not be used'][1]
    row = place.rows('quarantine.jsonl')[0]
    require(row['detail'] in why[0] and why[1] == name and number(why[2]) == row['ordinal']
            and number(why[3]) == row['offset'], why)
    values = {row[0]: row[1] for rows in page.tables.values() for row in rows if len(row) == 2}
    require(values['shingle'] == 'word:5' and values['threshold'] == '0.8', 'parameters')
    require(any('and none was missed' in text for text in page.texts), 'no promise')


def pairs_are_side_by_side(place):
    words = ['word%d' % n for n in range(120)]
    other = words[:30] + ['<script>alert(1)</script>', 'other'] + words[31:]
    place.write('rows.jsonl', ''.join(json.dumps({'id': name, 'text': ' '.join(text)}) + '\n'
                                      for name, text in (('old', words), ('new', other))).encode())
    place.dedup('rows.jsonl', '--report', '--threshold', '.5').ended(0)
    _, page = page_of(place)
    require(sorted(page.marked) == [('del', 'word30'), ('ins', '<script>alert(1)</script> other')], page.marked)
    folded = re.search(r'([\d,]+) characters alike', (place.folder / 'out/report.html').read_text(encoding='utf-8'))
    require(folded, 'nothing is folded')


def passages_stand_in_their_context(place):
    drawn = random.Random(3)
    mine, theirs = (' '.join('%s%d' % (name, drawn.randrange(9999)) for _ in range(60)) for name in 'ab')
    copied = ' '.join('copied%d' % n for n in range(30))
    place.write('a.jsonl', json.dumps({'id': 'a', 'text': 'First %s. %s And last.' % (mine, copied)}).encode())
    place.write('b.jsonl', json.dumps({'id': 'b', 'text': theirs + ' ' + copied + ' ' + theirs}).encode())
    place.run('match', 'a.jsonl', '--against', 'b.jsonl', '--measure', 'containment', '--threshold', '.1', '--report',
              '--out', 'out', '--quiet').ended(0)
    _, page = page_of(place)
    require([kind for kind, _ in page.marked] == ['mark', 'mark']
            and all(text.strip() == copied for _, text in page.marked), page.marked)


def made_up(seed, count, name='w'):
    """Words of which hardly two are the same."""
    drawn = random.Random(seed)
    return ['%s%d' % (name, drawn.randrange(10 ** 9)) for _ in range(count)]


def jsonl(rows):
    return ''.join(json.dumps(row) + '\n' for row in rows).encode()


def leaked_passages_are_marked(place):
    """Each item beside its document: only what both have is marked, and no more than 20 items are shown."""
    items, train = [], []
    for n in range(30):
        words = made_up(n, 20)
        items.append({'id': 'item%d' % n, 'text': 'Question ' + ' '.join(words) + '?', 'split': 'ab'[n % 15 == 0]})
        train.append({'id': 'train%d' % n, 'text': ' '.join(made_up(n + 1000, 80) + ['question'] + words
                                                           + made_up(n + 2000, 80))})
    train[1]['text'] = train[1]['text'].replace(items[1]['text'].split()[10], 'other')
    # A passage of fewer than ten words, and one that is far longer than a page quotes.
    few, many = made_up(7000, 12), made_up(8000, 20000)
    items.insert(2, {'id': 'few', 'text': ' '.join(few), 'split': 'c'})
    train.append({'id': 'of few', 'text': ' '.join(['first'] + few[:9] + ['x', 'y'] + few[10:])})
    items.insert(3, {'id': 'many', 'text': ' '.join(many), 'split': 'd'})
    train.append({'id': 'of many', 'text': ' '.join(made_up(9000, 500) + many + made_up(9001, 500))})
    place.write('test.jsonl', jsonl(items))
    place.write('train.jsonl', jsonl(train))
    place.run('leak', 'train.jsonl', '--test', 'test.jsonl', '--split-field', 'split', '--threshold', '.6', '--report',
              '--out', 'out', '--quiet').ended(0)
    leaks = {row['item']: row for row in place.rows('leaks.jsonl')}
    require(len(leaks) == 32, 'too few leaks to test with', len(leaks))
    text, page = page_of_study(place)
    require(len(page.pairs) == 20, 'items shown', len(page.pairs))
    require(any('20 items are shown' in said and '12 more items leak' in said for said in page.texts), page.texts)
    # The first of each split come before the second of any: item 15 is the second of its split.
    require(all('>%s</p>' % item in text for item in ('item0', 'item15', 'few', 'many', 'item1')), 'a split is left out')
    articles = re.findall('<article>.*?</article>', text, re.S)
    require(all(article.count('<mark>') >= 2 for article in articles), 'a passage is not marked')
    article = {re.search('class="id">(.*?)<', one).group(1): one for one in articles}
    marked = re.findall('<(mark|ins|del)>(.*?)</', article['item2'])
    require([of for of in marked if of[0] == 'mark'] == [('mark', ' ' + items[4]['text'][9:-1])] * 2
            and [of for of in marked if of[0] != 'mark'] == [('ins', 'Question'), ('del', 'question')], marked)
    changed = items[1]['text'].split()[10]
    require('<ins>%s</ins>' % changed in article['item1'] and '<del>other</del>' in article['item1'], article['item1'])
    require(''.join(few[0]) in article['few'].split('<mark>', 1)[1], article['few'])
    require('more characters' in article['many'] and len(text) < 100000, len(text))
    require('Test items of' not in text or 'train.jsonl' in text, 'no name')
    # What is written for programs is what it was.
    require(leaks['few']['document_text'].startswith('first '), leaks['few'])


def page_of_study(place, out='out'):
    text = place.path(out + '/report.html').read_text(encoding='utf-8')
    return text, Page(text)


def what_is_contained_is_not_equal(place):
    """All similarities are 1: some first texts are the second ones, the others stand within longer ones."""
    texts = [made_up(n, 40) for n in range(84)]
    place.write('essays.jsonl', jsonl({'id': 'a%d' % n, 'text': ' '.join(text)} for n, text in enumerate(texts)))
    place.write('sources.jsonl', jsonl(
        {'id': 'b%d' % n, 'text': ' '.join(text if n % 3 == 0 else made_up(n + 500, 60) + text + made_up(n + 900, 60))}
        for n, text in enumerate(texts)))
    match = ['match', 'essays.jsonl', '--against', 'sources.jsonl', '--report', '--quiet', '--measure']
    place.run(*match, 'containment', '--out', 'out').ended(0)
    text, page = page_of(place)
    require(sum(row['similarity'] == 1 for row in place.rows('best.jsonl')) == 84, 'not what was to be tested')
    require(not re.search(r'\bequal\b', re.sub('<style>.*?</style>', '', text, flags=re.S), re.I), 'contained is called equal')
    require(page.texts[0] == 'Text of essays.jsonl in sources.jsonl'
            and page.texts[1] == 'All of the documents of essays.jsonl have at least 80 % of their text in a document of '
            'sources.jsonl.', page.texts[:2])
    require(page.pairs == ['Both have the same words', 'All of the first stands in the second, which is longer'], page.pairs)
    require(any('9 of them, at regular steps of the list, were looked at: 3 have the same words' in said
                for said in page.texts), page.texts)
    require('The first has 40 words, the second 160.' in text, 'no lengths')
    # By resemblance the longer ones are no pairs, and the others are equal: three stand for them.
    place.run(*match, 'jaccard', '--out', 'alike').ended(0)
    _, page = page_of(place, 'alike')
    require(page.pairs == ['Equal'] * 3 and page.texts[1] == 'About a third of the documents of essays.jsonl are at least '
            '80 % alike to a document of sources.jsonl.', page.pairs, page.texts[:2])
    # Similarity 1 without the same text.
    place.write('essays.jsonl', jsonl([{'id': 'a', 'text': ' '.join(texts[0]).upper()}]))
    place.run(*match, 'jaccard', '--out', 'upper').ended(0)
    require(page_of(place, 'upper')[1].pairs == ['1.000 alike'], 'equal, though written in another way')


def typical_pairs_are_those_in_the_middle(place):
    """One kind of pair, by similarity: places 1/6, 1/2 and 5/6 of the list."""
    rows, others = [], []
    for n in range(18):
        words = made_up(n, 100)
        rows.append({'id': 'a%d' % n, 'text': ' '.join(words)})
        others.append({'id': 'b%d' % n, 'text': ' '.join(words + made_up(n + 99, n + 1))})
    random.Random(1).shuffle(rows)
    place.write('a.jsonl', jsonl(rows))
    place.write('b.jsonl', jsonl(others))
    place.run('match', 'a.jsonl', '--against', 'b.jsonl', '--report', '--out', 'out', '--quiet').ended(0)
    similar = sorted(row['similarity'] for row in place.rows('best.jsonl'))
    require(len(similar) == 18 and similar[-1] < 1, 'not what was to be tested')
    _, page = page_of(place)
    require(page.pairs == ['%.3f alike' % similar[n] for n in (3, 9, 15)], page.pairs)


def units_that_begin_alike_are_told_apart(place):
    """No two rows are the same, though the units have their first thousand characters in common; also without texts."""
    begin, middle = ' '.join(made_up(1, 100)), ' '.join(made_up(2, 100))
    units = [begin + ' %s ' % x + middle + ' %s.' % y for x in ('one', 'two') for y in ('red', 'blue', 'green')]
    units += [' '.join(made_up(3, 2500)) + end for end in (' far.', ' further.')]
    place.write('rows.jsonl', jsonl({'id': 'd%d' % n, 'text': '\n\n'.join(units[n % 8:] + units[:n % 8])}
                                    for n in range(9)))
    place.dedup('rows.jsonl', '--unit', 'paragraph', '--report').ended(0)
    require(len({row['text'] for row in place.rows('units.jsonl')}) == 2, 'not what was to be tested')
    _, page = page_of(place)
    rows = page.tables['The most frequent stretches of text'][1:]
    require(len(rows) == 8, rows)
    shown = [re.sub(r'\d+ words, first in .*', '', row[0]) for row in rows[:6]]
    require(len({text for text in shown}) == 6 and all(re.search(r'characters \S', text) for text in shown), shown)
    require(all(any(x in text and y in text for text in shown) for x in (' one ', ' two ')
                for y in (' red.', ' blue.', ' green.')), shown)
    require(len({row[0] for row in rows}) == 8 and all(len(row[0]) < 700 for row in rows), rows)
    place.path('rows.jsonl').unlink()
    place.run('report', 'out').ended(0)
    _, page = page_of(place)
    rows = page.tables['The most frequent stretches of text'][1:]
    require(len({row[0] for row in rows}) == 8 and all('\u2026' in row[0] for row in rows), rows)


def made_again_from_the_folder(place):
    name = corpus(place, 80)
    for n, flags in enumerate(([], ['--format', 'csv'], ['--unit', 'sentence'], ['--action', 'drop-all'])):
        out = 'o%d' % n
        place.dedup(name, '--report', *flags, out=out).ended(0)
        page = place.folder / out / 'report.html'
        wanted = page.read_bytes()
        page.unlink()
        place.run('report', out).ended(0)
        require(page.read_bytes() == wanted, 'another page of', flags)
    place.run('report', 'o0', '--figures', 'figures').ended(0)
    names = sorted(path.name for path in (place.folder / 'figures').iterdir() if path.name != '.twinset')
    require({path.rsplit('.', 1)[1] for path in names} == {'svg', 'csv', 'tex'}, names)
    require(place.run('report', 'o0', '--figures', 'figures').code == 2, 'an old folder was overwritten')
    place.run('report', 'o0', '--figures', 'figures', '--overwrite').ended(0)
    require(place.run('report', 'o0', '--figures', 'o1', '--overwrite').code in (0, 2), 'figures in a run')
    # The inputs have moved: the page says so, or is told where they are.
    wanted = (place.folder / 'o0/report.html').read_bytes()
    (place.folder / name).rename(place.folder / 'moved.jsonl')
    place.run('report', 'o0').ended(0)
    _, page = page_of(place, 'o0')
    require('The inputs could not be read again, so no text is shown.' in page.texts and not page.marked,
            'where are the texts from?')
    require(place.run('report', 'o0', 'elsewhere.jsonl').code == 1, 'inputs that are named, and not there')
    (place.folder / 'there').mkdir()
    (place.folder / 'moved.jsonl').rename(place.folder / 'there' / name)
    place.run('report', 'o0', 'there/' + name).ended(0)
    require((place.folder / 'o0/report.html').read_bytes() == wanted, 'another page from the moved inputs')


def only_estimates_have_intervals(place):
    """What is counted has none; without a truth, recall is estimated and precision is counted."""
    name = corpus(place, 120)
    interval = re.compile(r'%(\d+\.\d to \d+\.\d|no interval)$')
    for truth, estimated in (('complete', ()), ('none', ('recall', 'F1'))):
        place.run('evaluate', name, '--methods', 'minhash,simhash', '--truth', truth, '--out', truth, '--quiet').ended(0)
        page = Page(place.path(truth + '/evaluation.html').read_text(encoding='utf-8'))
        head, *rows = page.tables['Methods, by the pairs that they name']
        require(len(rows) == 2 and head[1:4] == ['precision', 'recall', 'F1'], head)
        for row in rows:
            for what, cell in zip(head[1:4], row[1:4]):
                require('%' in cell and bool(interval.search(cell)) == (what in estimated), truth, what, cell)
        require(any('The shares are exact' in text for text in page.texts) == (truth == 'complete'), truth, page.texts)
        shares = json.loads(place.path(truth + '/evaluation.json').read_text())['methods'][0]['rows'][0]
        require(set(shares['precision']) >= {'low', 'high'}, 'the file has no interval any more:', shares)
    said = place.run('evaluate', name, '--methods', 'minhash', '--out', 'said').ended(0)
    require('interval' not in said.stdout, said.stdout)


def lead_of(text):
    return re.sub('<[^>]*>', '', re.search('<p class="lead">(.*?)</p>', text, re.S).group(1))


def judged_pairs_are_one_truth_for_all_thresholds(place):
    """Two methods that find the same are both best; rows name their threshold, and one drawing has all points."""
    words = [made_up(n, 60) for n in range(24)]
    rows = [{'id': 'a%d' % n, 'text': ' '.join(text)} for n, text in enumerate(words)]
    # Copies whose similarity falls from one to the next; the last six are nowhere near.
    rows += [{'id': 'b%d' % n, 'text': ' '.join(text[:60 - n] + made_up(900 + n, n) if n < 18 else made_up(n + 500, 60))}
             for n, text in enumerate(words)]
    place.write('rows.jsonl', jsonl(rows))
    place.write('truth.jsonl', jsonl({'a': 'a%d' % n, 'b': 'b%d' % n, 'label': int(n % 4 != 3)} for n in range(24)))
    place.run('evaluate', 'rows.jsonl', '--methods', 'complete,minhash@bands=60@rows=2,simhash', '--thresholds', '.5,.9', '--truth',
              'truth.jsonl', '--out', 'out', '--quiet').ended(0)
    text = place.path('out/evaluation.html').read_text(encoding='utf-8')
    page, lead = Page(text), lead_of(text)
    measured = {(method['label'], row['threshold']): row for method in json.loads(
        place.path('out/evaluation.json').read_text())['methods'] for row in method['rows']}
    best = max(measured, key=lambda key: measured[key]['f1']['value'])
    equal = [name for (name, threshold), row in measured.items() if threshold == best[1]
             and all(row[of]['value'] == measured[best][of]['value'] for of in ('precision', 'recall'))]
    require(len(equal) == 2, 'no two methods are best', measured)
    said = re.fullmatch(
        re.escape(' and '.join(equal)) + r' are best: each finds ([\d.]+) % of the true pairs at threshold 0\.5\. Of the judged '
        r'pairs that a run of it lists, ([\d.]+) % are true\. 24 pairs of 48 documents are judged, and 18 of them are true\.', lead)
    require(said, lead)
    recall, precision = (float(number) for number in said.groups())
    require(best[1] == .5 and abs(recall - 100 * measured[best]['recall']['value']) < .051
            and abs(precision - 100 * measured[best]['precision']['value']) < .051, recall, precision, measured[best])
    head, *shown = page.tables['Methods, by the judged pairs among those that they name']
    require(head[:2] == ['method', 'from similarity'], head)
    require([(row[0], float(row[1])) for row in shown] == list(measured), shown)
    require(text.count('<svg class="shares"') == 0 and len(re.findall('Precision and recall of each method', text)) >= 1
            and len(re.findall('<figcaption>Precision and recall', text)) == 1, 'a drawing for each threshold')


def an_address_list_is_counted_not_estimated(place):
    """What urls prints: the first sentence is the bar's, and nothing counted has an interval."""
    mine = ['http://a.example/%d' % n for n in range(40)]
    place.write('mine.txt', '\n'.join(mine).encode())
    place.write('theirs.txt', '\n'.join(mine[:10] + [url + '/' for url in mine[10:25]]).encode())
    said = place.run('urls', 'mine.txt', 'theirs.txt', '--out', 'urls', '--report').ended(0).stdout
    require(said.startswith('About three fifths of the addresses of mine.txt stand in theirs.txt, 62.5 % under the rules and '
                            '25.0 % as written.\nOf 40 addresses, 10 stand there as they are written, and 25 once '), said)
    parts = dict(re.findall(r'^  ((?:not )?in theirs\.txt.*?)  +(\d+)  ', said, re.M))
    require(parts == {'in theirs.txt as written': '10', 'in theirs.txt under the rules alone': '15', 'not in theirs.txt': '15'},
            parts)
    require(re.search(r'^  example +40 +25 +25 +62\.5 %', said, re.M), 'no domains', said)
    require(not re.search(r'\d to \d|95 %|interval', said), 'an interval of what was counted:', said)
    text, _ = page_of(place, 'urls')
    require(lead_of(text) == ' '.join(said.split('\n')[:2]), 'the page says something else')


def a_study_shows_what_becomes_of_the_judgements(place):
    """The first sentence, the numbers and the bar are those of study.json; the pairs are those that it lists."""
    example = ROOT / 'examples/study'
    place.run('study', str(example / 'STUDY.toml'), '--out', 'study', '--quiet').ended(0)
    text, page = page_of_study(place, 'study')
    study = json.loads(place.path('study/study.json').read_text())
    moved, whole = (study['transfer'][0]['judgements_with_target'][of] for of in ('part', 'whole'))
    relevant, carried = (sum(count for grade, count in study['transfer'][0][of]['by_grade'].items() if int(grade) > 0)
                         for of in ('source', 'transferred'))
    mapped, anew = (study['carry_over'][of] for of in ('mapped', 'anew'))
    require(0 < carried < moved < whole and 0 < mapped['swapped'] < anew['swapped'], 'nothing to tell apart')
    require(page.texts[0] == 'Do the judgements of a.jsonl serve b.jsonl?', page.texts[0])
    require(lead_of(text) == 'Nearly half of the judgements of A can be carried over to B. A is a.jsonl, B is b.jsonl. Of %d '
            'judgements, %d are of documents that have a near-duplicate in B. A has %d relevant judgements, B gets %d. Of %d '
            'pairs of systems, %d swap their order under what is carried over, and %d of %d when the systems are run anew over '
            'B.' % (whole, moved, relevant, carried, mapped['pairs'], mapped['swapped'], anew['swapped'], anew['pairs']),
            lead_of(text))
    bar = [(row[0], int(row[1])) for rows in page.tables.values() for row in rows if 'relevant, ' in row[0]]
    require(bar == [('relevant, carried over to B', carried), ('not relevant, carried over to B', moved - carried),
                    ('relevant, without a near-duplicate in B', relevant - carried),
                    ('not relevant, without a near-duplicate in B', whole - moved - relevant + carried)], bar)
    require(re.search(r'</dl>\s*<figure', text), 'the drawing of the lead does not stand behind its numbers')
    rows = {side: {row['url']: row for row in map(json.loads, (example / (side + '.jsonl')).read_text().splitlines())}
            for side in 'ab'}
    listed = {(row['a'], row['b']): row['similarity'] for row in map(json.loads, place.path(
        'study/search.all.complete.pairs.jsonl').read_text().splitlines())}
    articles = re.findall('<article>(.*?)</article>', text, re.S)
    require(2 < len(articles) < 10, 'pairs shown', len(articles))
    for article in articles:
        a, b = (rows[side][url] for side, url in zip('ab', re.findall('class="id">(.*?)<', article)))
        title = re.search('<h3>(.*?)</h3>', article).group(1)
        require(title == ('Equal' if a['text'] == b['text'] else '%.3f alike' % listed[a['id'], b['id']]), title)
        for kind, side in (('del', a), ('ins', b)):
            require(all(words in side['text'] for words in re.findall('<%s>(.*?)</%s>' % (kind, kind), article)), article)


def report_means_the_same_everywhere(place):
    """The flag writes the page of the result into the folder; the same words in every command that has it."""
    names = re.findall(r'^  ([a-z-]+)  ', place.run('--help').ended(0).stdout, re.M)
    told = {}
    for name in names:
        found = re.search(r'^  --report(.*\n(?:      .*\n)+)', place.run(name, '--help').ended(0).stdout, re.M)
        if found:
            told[name] = found.group(1)
    require(len(told) >= 14, 'commands with --report:', list(told))
    require(len(set(told.values())) == 1 and told['dedup'].startswith('\n'), told)


def rules_for_addresses_are_weighed(place):
    """What each rule finds in the other list beside what it merges within one."""
    mine = ['http://a.example/%d' % n for n in range(20)] + ['https://a.example/%d' % n for n in range(3)]
    theirs = ['https://a.example/%d' % n for n in range(10)] + ['http://a.example/10', 'http://b.example/']
    place.write('mine.txt', '\n'.join(mine).encode())
    place.write('theirs.txt', '\n'.join(theirs).encode())
    place.run('urls', 'mine.txt', 'theirs.txt', '--report', '--quiet', '--out', 'urls').ended(0)
    text, page = page_of(place, 'urls')
    lead = re.sub('<[^>]*>', '', re.search('<p class="lead">(.*?)</p>', text, re.S).group(1))
    require('the 23 different addresses of mine.txt become 20, and the 12 of theirs.txt become 12' in lead, lead)
    require('14 once the rules' in lead and ', 4 stand there as they are written' in lead, lead)
    head, *rows = page.tables['What each rule changes']
    require(rows == [['scheme', '10', '3', '0', '60.9 %']], head, rows)
    points = [row[1:] for rows in page.tables.values() if 'addresses of A found in B' in rows[0] for row in rows[1:]]
    require(points == [['as written', '0', '4'], ['scheme', '3', '14']], points)
    require(' to ' not in ' '.join(cell for name in page.tables if name.startswith('The largest')
                                   for row in page.tables[name] for cell in row), 'an interval of what was counted')
    require('ClueWeb' not in text, 'the price of another collection')
    place.run('urls', 'mine.txt', 'mine.txt', '--rules', 'final-dot', '--report', '--quiet', '--out', 'same').ended(0)
    text, page = page_of(place, 'same')
    require('<svg' not in text and any('No rule changes anything' in said for said in page.texts), 'a drawing of nothing')


def a_walk_says_what_it_walked(place):
    place.write('far/away/edges', ''.join('%d %d\n' % (n, (n * k + 1) % 90) for n in range(90) for k in (1, 2, 7)).encode())
    place.run('walk', 'far/away/edges', '--steps', '2000', '--report', '--quiet', '--out', 'walk').ended(0)
    text, figures = place.path('walk/report.html').read_text(encoding='utf-8'), json.loads(
        place.path('walk/summary.json').read_text(encoding='utf-8'))
    title, lead = (re.sub('<[^>]*>', '', re.search(form, text, re.S).group(1))
                   for form in ('<h1>(.*?)</h1>', '<p class="lead">(.*?)</p>'))
    require(title == 'What a walk saw of edges', title)
    require('far/away' not in lead and 'the links of edges, a graph of 90 pages and %d links.' % figures['graph']['arcs']
            in lead and 'The sampler webwalker made' in lead, lead)


def studies(place):
    """{folder: file of the page} of every command that keeps its page, written with its report."""
    corpus(place, 60)
    place.write('trap.jsonl', ''.join(json.dumps(
        {'id': str(n), 'url': 'http://a.example/p?sid=%032x' % (n * 7919), 'text': 'the same <page> again and again'})
        + '\n' for n in range(40)).encode())
    place.write('edges', ''.join('%d %d\n' % (n, (n * k + 1) % 90) for n in range(90) for k in (1, 2, 7)).encode())
    rows, quiet = '<b>rows.jsonl', ['--quiet', '--out']
    place.run('engine', 'build', rows, *quiet, 'engine').ended(0)
    place.run('lexicon', 'build', rows, '--min-df', '1', '--drop-common', '0', '--drop-rare', '0', *quiet, 'words').ended(0)
    place.run('evaluate', rows, '--methods', 'minhash,simhash', *quiet, 'evaluate').ended(0)
    place.run('walk', 'edges', '--steps', '500', '--report', *quiet, 'walk').ended(0)
    place.run('traps', 'trap.jsonl', '--report', *quiet, 'traps').ended(0)
    place.run('sample', 'engine', '--lexicon', 'words', '--size', '5', '--report', *quiet, 'sample').ended(0)
    place.run('estimate', 'capture-recapture', '--n1', '100', '--n2', '100', '--m', '20', '--html', 'page.html',
              '--report', *quiet, 'estimate').ended(0)
    require(place.path('page.html').read_bytes() == place.path('estimate/report.html').read_bytes(), 'two estimates')
    place.run('urls', 'trap.jsonl', 'trap.jsonl', '--report', *quiet, 'urls').ended(0)
    place.run('leak', 'trap.jsonl', '--test', 'trap.jsonl', '--report', *quiet, 'leak').ended(0)
    place.write('twins.jsonl', ''.join(json.dumps(
        {'id': '%d-%d' % (n, h), 'url': 'http://%d.example/%d' % (h, n), 'text': 'page <%d> of %d twins of its own' % (n, n)})
        + '\n' for n in range(9) for h in range(2)).encode())
    place.dedup('twins.jsonl', out='twins').ended(0)
    place.run('mirrors', 'twins', '--report', *quiet, 'mirrors').ended(0)
    pages = {name: 'report.html' for name in ('walk', 'traps', 'sample', 'estimate', 'urls', 'mirrors', 'leak')}
    return {**pages, 'evaluate': 'evaluation.html'}


def studies_are_made_again(place):
    for folder, name in studies(place).items():
        page = place.path(folder) / name
        wanted = page.read_bytes()
        page.unlink()
        said = place.run('report', folder, '--figures', 'figures-' + folder).ended(0)
        require(said.stdout.strip() == folder + '/' + name, said.stdout)
        require(page.read_bytes() == wanted, 'another page of', folder)
        Page(wanted.decode())
        files = {path.name.rsplit('.', 1)[1] for path in place.path('figures-' + folder).iterdir()} - {'twinset'}
        require(files >= {'csv', 'tex'}, folder, files)
        require((folder in ('evaluate', 'walk', 'sample', 'urls')) == ('svg' in files), folder, files)
        require(place.run('report', folder, 'edges').code == 2, 'an input for a page without texts')
    # Without --report nothing is drawn, and all can be.
    place.run('walk', 'edges', '--steps', '500', '--quiet', '--out', 'plain').ended(0)
    require(not place.path('plain/report.html').exists(), 'a report that nobody wanted')
    place.run('report', 'plain').ended(0)
    require(place.path('plain/report.html').read_bytes() == place.path('walk/report.html').read_bytes(), 'another walk')
    said = place.run('report', 'engine')
    require(said.code == 2 and 'dedup, match, recut, evaluate, walk, sample, estimate, traps, urls, mirrors, leak, study, change, assess, predict or seeds' in said.stderr,
            said.stderr)
    kept = place.path('plain/page.json')
    kept.write_bytes(kept.read_bytes().replace(b'"walk"', b'"none"', 1))
    require(place.run('report', 'plain').code == 2, 'an unknown command')
    kept.write_bytes(kept.read_bytes()[:-9])
    require(place.run('report', 'plain').code == 1, 'a damaged page')


def what_is_no_run_is_refused(place):
    place.write('empty/file', b'')
    require(place.run('report', 'empty').code == 2 and place.run('report', 'nothing').code == 2, 'no run')
    require(not (place.folder / 'nothing').exists(), 'a folder was made')
    name = corpus(place, 40)
    place.dedup(name).ended(0)
    rows = place.folder / 'out/clusters.jsonl'
    rows.write_bytes(rows.read_bytes()[:-9])
    require(place.run('report', 'out').code == 1, 'a damaged row')
    (place.folder / 'out/summary.json').write_text('{"parameters": 3}')
    require(place.run('report', 'out').code == 2, 'a damaged summary')


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


def the_time_told_is_the_time_taken(place):
    name = corpus(place)
    alone = ' '.join('alone%d' % n for n in range(50_000))
    place.write('<z>.jsonl', json.dumps({'id': 'alone', 'text': alone}).encode())
    begin = time.monotonic()
    place.dedup(name, '<z>.jsonl', '--report', '--write', 'w', '--save', 's').ended(0)
    clock = time.monotonic() - begin
    run = place.summary()['run']
    stages = run['stage_seconds']
    require({'report', 'save', 'write'} <= set(stages), 'not told:', stages)
    require(sum(stages.values()) <= run['seconds'] <= clock, 'all', run['seconds'], 'of', clock, stages)
    size = {file: (place.folder / file).stat().st_size for file in (name, '<z>.jsonl')}
    passes = {one['stage']: one['bytes'] for one in run['passes']}
    require(passes['read'] == passes['write'] == sum(size.values()), passes)
    # No text of the other input is shown, so it is not opened again.
    require(0 < passes['report'] <= size[name], passes)
    require(all(one['seconds'] == stages[one['stage']] for one in run['passes']), 'seconds of a pass')


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
    require(any('--bucket-limit' in text for text in page.texts), 'hot buckets are not named')


def two_collections(place):
    corpus(place, 60)
    place.run('match', '<b>rows.jsonl', '--against', '<b>rows.jsonl', '--report', '--out', 'out', '--quiet').ended(0)
    wanted, page = page_of(place)
    require('Look at some pairs' in page.texts and 'The first text is of the first collection' in wanted, 'no pairs')
    place.run('report', 'out').ended(0)
    require(page_of(place)[0] == wanted, 'another page')
    place.run('report', 'out', '<b>rows.jsonl', '--against', '<b>rows.jsonl').ended(0)
    require(page_of(place)[0] == wanted, 'another page from inputs that are named')


def many_sources_are_summed(place):
    for n in range(130):
        rows = [{'id': '%d-%d' % (n, k), 'text': ' '.join('t%d' % (i * (1 + (n if n > 100 else 0)))
                                                            for i in range(40))} for k in range(2)]
        place.write('many/%03d.jsonl' % n, ''.join(json.dumps(row) + '\n' for row in rows).encode())
    place.dedup('many', '--report').ended(0)
    _, page = page_of(place)
    rows = page.tables['The inputs that lose most'][1:]
    require(len(rows) == 20 and '110 more inputs lose less.' in page.texts, len(rows))
    require(page.texts[0] == 'Duplicates in many', 'the folder is not named:', page.texts[0])
    lost = [number(row[2]) for row in rows]
    require(lost == sorted(lost, reverse=True) and lost[0] > 0, lost)


def the_picture_of_the_readme_is_real(place):
    picture = ROOT / 'docs/images/demo.svg'
    require('docs/images/demo.svg' in (ROOT / 'README.md').read_text(encoding='utf-8'), 'README shows no picture')
    said = subprocess.run([ROOT / 'tools/demo', place.path('demo'), '--program', place.program, '--colour'],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    require(said.returncode == 0, said.stderr.decode())
    require(place.path('demo/report.html').exists(), 'no report')
    require(all(phase in said.stderr.decode() for phase in ('finding near-duplicates', 'finding equal texts')),
            'phases are not told')
    drawn = subprocess.run([ROOT / 'tools/terminal_picture', '--until', 'The report'], input=said.stdout,
                           stdout=subprocess.PIPE, check=True).stdout
    require(drawn == picture.read_bytes(), 'docs/images/demo.svg is another: see tools/terminal_picture --help')
    plain = subprocess.run([ROOT / 'tools/demo', place.path('demo'), '--program', place.program],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    require(b'\x1b' in said.stdout and b'\x1b' not in plain, 'colours where they do not belong')


def main():
    suite, _ = suite_from_arguments(__doc__)
    for case in (the_picture_of_the_readme_is_real, numbers_are_those_of_the_files, pairs_are_side_by_side, passages_stand_in_their_context,
                 leaked_passages_are_marked, what_is_contained_is_not_equal, typical_pairs_are_those_in_the_middle,
                 units_that_begin_alike_are_told_apart, made_again_from_the_folder, only_estimates_have_intervals, judged_pairs_are_one_truth_for_all_thresholds,
                 an_address_list_is_counted_not_estimated, a_study_shows_what_becomes_of_the_judgements, report_means_the_same_everywhere,
                 a_walk_says_what_it_walked, rules_for_addresses_are_weighed, studies_are_made_again, what_is_no_run_is_refused, bytes_do_not_depend_on_the_machine, the_time_told_is_the_time_taken,
                 only_when_asked_for,
                 nothing_to_show, every_method_and_units, two_collections, many_sources_are_summed):
        suite.run(case.__name__.replace('_', ' '), case)
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
