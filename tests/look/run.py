#!/usr/bin/env python3
"""How every report looks in a browser: tests/look/run.py BUILD_DIR [KEEP]

Each report is laid out by Chromium at 390 and 1280 pixels, light and dark. No page is wider than the window, no
table cut off at 1280 pixels, none with one or two columns of names without a number in sight, no column narrower than six characters, no word of a table broken, no text fainter than 4.5 : 1 against its ground, no letter of a drawing smaller
than 9.5 pixels; and each number in the sentence at the top stands in the JSON of the command. KEEP: a folder for the
pages and their screenshots.
"""
import html
import json
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'support'))
import browser
from measured import Skipped, require, suite_from_arguments

CRAWL = str(ROOT / 'examples/data/boost-docs.warc.gz')
STUDY = str(ROOT / 'examples/study/STUDY.toml')
STEPS = ('exact', 'minhash', 'super-shingle', 'simhash', 'mod-m', 'fuzzy', 'i-match', 'rare-chunks', 'complete')
LONG = 'http://example.org/' + '-'.join(['a-very-long-name-without-end'] * 6) + '?x=' + 'f' * 300


def text_of(drawn, count=90):
    return ' '.join(''.join(drawn.choices('abcdefghijklmnopqrstuvwxyz', k=drawn.randrange(2, 11))) for _ in range(count))


def rows(place, name, seed, count=60, texts=None):
    """Rows of made-up words, half of them changed copies, with addresses that do not fit any column."""
    drawn = random.Random(seed)
    texts, lines = [] if texts is None else texts, []
    for n in range(count):
        words = text_of(drawn).split()
        if texts and drawn.random() < .6:
            words = drawn.choice(texts).split()
            for _ in range(drawn.randrange(4)):
                words[drawn.randrange(len(words))] = 'X' * drawn.randrange(1, 90)
        texts.append(' '.join(words))
        lines.append({'id': '%s%d%s' % (name, n, 'Q' * (180 if n == 3 else 0)), 'text': texts[-1],
                      'url': LONG + str(n) if n % 3 else 'http://h%d.example/p/%d' % (n % 4, n)})
    place.write(name + '.jsonl', (''.join(json.dumps(line) + '\n' for line in lines) + '{"id": \n').encode())
    return texts


def run(place, page, figures, *arguments):
    """Runs a command; its page and the JSON that its numbers stand in."""
    place.run(*arguments).ended(0)
    return (place.path(page).read_text(encoding='utf-8'), json.loads(place.path(figures).read_text(encoding='utf-8')))


def reports(place):
    """{name: (page, JSON)} of every command that writes a report."""
    texts = rows(place, 'a', 1)
    rows(place, 'b', 2, texts=texts)
    place.write('empty.jsonl', b'')
    place.write('trap.jsonl', ''.join(
        json.dumps({'id': str(n), 'url': 'http://%s.example/%s?sid=%032x' % ('host' * 9, 'path/' * 8, n * 7919),
                    'text': texts[0] if n % 9 else text_of(random.Random(n))}) + '\n' for n in range(90)).encode())
    place.write('twins.jsonl', ''.join(
        json.dumps({'id': '%d-%d' % (n, h), 'url': 'http://%s%d.example/%s%d' % ('mirror' * 5, h, 'folder/' * 6, n),
                    'text': texts[n]}) + '\n' for n in range(20) for h in range(3)).encode())
    place.write('dead', ''.join('http://%s0.example/%s%d\n' % ('mirror' * 5, 'folder/' * 6, n)
                                for n in range(15, 25)).encode())
    place.run('dedup', 'twins.jsonl', '--out', 'twins', '--quiet').ended(0)
    place.write('edges', ''.join('%d %d\n' % (n, (n * k + 1) % 300) for n in range(300) for k in (1, 2, 7)).encode())
    place.write('s.jsonl', (json.dumps({'magic': 'twinset-sample', 'version': 1, 'sampler': 'x', 'engine': 'e', 'seed': 1,
                                        'weights': 'exact', 'chain': False}) + '\n' + ''.join(
        json.dumps({'url': 'http://a.org/%d' % n, 'weight': 1 + n % 3, 'draw': n, 'spam': n % 4 == 0}) + '\n'
        for n in range(200))).encode())
    place.write('truth.jsonl', ''.join(json.dumps({'a': 'a%d' % n, 'b': 'a%d' % (n + 1 + n % 5), 'label': n % 2}) + '\n'
                                       for n in range(4, 40)).encode())
    place.write('a.qrels', b'1 0 a0 1\n1 0 a1 -2\n')
    place.write('unrelated.toml', ('[a]\ninputs = "a.jsonl"\nqrels = "a.qrels"\n[b]\ninputs = "%s"\n[extrapolation]\n'
                                   'to = 20\n' % STUDY.replace('STUDY.toml', 'b.jsonl')).encode())
    quiet = ['--report', '--quiet', '--out']
    found = {
        'dedup': run(place, 'crawl/report.html', 'crawl/summary.json', 'dedup', CRAWL, *quiet, 'crawl'),
        'dedup rows': run(place, 'rows/report.html', 'rows/summary.json', 'dedup', 'a.jsonl', 'b.jsonl', '--threshold',
                          '.5', '--stats-by', 'source,text', *quiet, 'rows'),
        'dedup nothing': run(place, 'none/report.html', 'none/summary.json', 'dedup', 'empty.jsonl', *quiet, 'none'),
        'dedup units': run(place, 'units/report.html', 'units/summary.json', 'dedup', CRAWL, '--unit', 'paragraph',
                           *quiet, 'units'),
        'match': run(place, 'match/report.html', 'match/summary.json', 'match', 'b.jsonl', '--against', 'a.jsonl', *quiet,
                     'match'),
        'containment': run(place, 'inside/report.html', 'inside/summary.json', 'match', 'b.jsonl', '--against', 'a.jsonl',
                           '--measure', 'containment', '--threshold', '.1', *quiet, 'inside'),
        'evaluate': run(place, 'study/evaluation.html', 'study/evaluation.json', 'evaluate', 'a.jsonl', '--methods',
                        'minhash,simhash,super-shingle', '--thresholds', '.6,.9', '--out', 'study', '--quiet'),
        'evaluate judged': run(place, 'judged/evaluation.html', 'judged/evaluation.json', 'evaluate', 'a.jsonl', '--methods',
                               'complete,minhash,simhash', '--thresholds', '.5,.7,.9', '--truth', 'truth.jsonl', '--out',
                               'judged', '--quiet'),
        'walk': run(place, 'walk/report.html', 'walk/summary.json', 'walk', 'edges', '--steps', '3000', *quiet, 'walk'),
        'traps': run(place, 'traps/report.html', 'traps/summary.json', 'traps', 'trap.jsonl', *quiet, 'traps'),
        'urls': run(place, 'urls/report.html', 'urls/summary.json', 'urls', 'a.jsonl', 'b.jsonl', *quiet, 'urls'),
        'mirrors': run(place, 'mirrors/report.html', 'mirrors/summary.json', 'mirrors', 'twins', '--dead', 'dead', *quiet,
                       'mirrors'),
        'predict': run(place, 'rules/report.html', 'rules/summary.json', 'predict', 'twins', 'dead', *quiet, 'rules'),
        'seeds': run(place, 'seeds/report.html', 'seeds/summary.json', 'seeds', 'pick', CRAWL, '--rank', 'opic', '--per-host',
                     '3', '--size', '20', *quiet, 'seeds'),
        'assess': run(place, 'judge/assess.html', 'judge/summary.json', 'assess', 'twins', '--out', 'judge', '--quiet'),
        'leak': run(place, 'leak/report.html', 'leak/summary.json', 'leak', 'a.jsonl', '--test', 'b.jsonl', *quiet,
                    'leak'),
        'study': run(place, 'pilot/report.html', 'pilot/study.json', 'study', STUDY, '--quiet', '--out', 'pilot'),
        'study nothing': run(place, 'no pilot/report.html', 'no pilot/study.json', 'study', 'unrelated.toml', '--quiet',
                             '--out', 'no pilot'),
        'change': run(place, 'change/report.html', 'change/summary.json', 'change', 'a.jsonl', 'b.jsonl', '--dates',
                      '2024-01-01,2024-02-01', *quiet, 'change'),
    }
    methods = json.loads(place.run('methods', '--json').ended(0).stdout)
    for method in STEPS:  # a page of steps for each kind of drawing
        name = 'steps ' + method
        place.run('explain', '--steps', '--method', method, '--in', 'a.jsonl', 'a0', 'a2', '--html', name,
                  '--step-rows', '8').ended(0)
        found[name] = (place.path(name).read_text(encoding='utf-8'), methods)
    judged = json.loads(place.path('judge/sample.json').read_text())
    for who, of in (('Ann', 7), ('Bo', 5)):
        labels = [{'pair': pair['pair'], 'a': pair['a'], 'b': pair['b'], 'content': 'no' if pair['pair'] % of == 0 else 'yes',
                   'appearance': 'yes'} for pair in judged['pairs']]
        place.write(who, json.dumps({'magic': 'twinset-labels', 'version': 1, 'sample': judged['digest'], 'assessor': who,
                                     'labels': labels}).encode())
    found['assess score'] = run(place, 'scores/report.html', 'scores/summary.json', 'assess', 'score', 'judge', 'Ann', 'Bo',
                                *quiet, 'scores')
    place.run('engine', 'build', CRAWL, '--out', 'engine', '--share', '.5', '--quiet').ended(0)
    place.run('lexicon', 'build', CRAWL, '--out', 'words', '--min-df', '1', '--drop-common', '0', '--drop-rare', '0',
              '--quiet').ended(0)
    found['sample'] = run(place, 'sample/report.html', 'sample/summary.json', 'sample', 'engine', '--lexicon', 'words',
                          '--size', '30', *quiet, 'sample')
    found['estimate'] = run(place, 'share/report.html', 'share/summary.json', 'estimate', 'share', 's.jsonl', '--of',
                            'spam', '--out', 'share', '--quiet', '--report')
    return found


def numbers_in(value):
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield value
    elif isinstance(value, str):
        yield from (float(number) for number in re.findall(r'\d+(?:\.\d+)?', value))
    elif isinstance(value, dict):
        for item in value.values():
            yield from numbers_in(item)
    elif isinstance(value, list):
        yield len(value)
        for item in value:
            yield from numbers_in(item)


def stands_in(text, numbers):
    """A number of a sentence, as rounded there; a share may be written in per cent."""
    decimals = len(text.partition('.')[2])
    wanted = float(text.replace(',', ''))
    return any(abs(wanted - number * scale) <= .5000001 * 10 ** -decimals for number in numbers for scale in (1, 100))


def check_leads(found):
    for name, (page, figures) in found.items():
        lead = re.search(r'<p class="lead">(.*?)</p>', page, re.S)
        require(lead, name, 'has no sentence at the top')
        sentence = re.sub(r'<[^>]*>', '', lead.group(1))
        require(len(sentence) > 20 and '_' not in sentence, name, sentence)
        numbers = set(numbers_in(figures)) | {95.0, 100.0}  # of intervals, everywhere
        # Letters beside a digit make it a name: i-match, R2, 64M.
        for text in re.findall(r'(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w-])', sentence):
            require(stands_in(text.rstrip(','), numbers), name, text, 'stands nowhere in the JSON:', sentence)


def every_report_is_fit_to_be_seen(place):
    if browser.chromium() is None:
        raise Skipped('no Chromium: tools/install_dependencies test')
    found = reports(place)
    check_leads(found)
    pages = {name: page for name, (page, _) in found.items()}
    if KEEP:
        KEEP.mkdir(parents=True, exist_ok=True)
        for name, page in pages.items():
            (KEEP / (name.replace(' ', '-') + '.html')).write_text(page, encoding='utf-8')
    wrong = []
    for seen in browser.measure(pages):
        wrong += ['%s at %s%s: %s' % (seen['name'], seen.get('width'), ' dark' if seen.get('dark') else '', what)
                  for what in seen['bad']]
        require(seen.get('texts', 0) > 300, seen['name'], 'has hardly any text')
    require(not wrong, '\n'.join(['']+ wrong))


# Opens a page, answers by keys, opens it anew and exports; texts must not have run anything.
LABELLING = r'''<!DOCTYPE html><meta charset="utf-8"><body><pre id="found"></pre><script>
const PAGE = %s, FOREIGN = %s;
localStorage.clear();
window.hacked = 0;
const opened = () => new Promise(done => {
  const frame = document.createElement('iframe');
  frame.onload = () => done(frame);
  frame.srcdoc = PAGE;
  document.body.append(frame);
});
const press = (frame, key) => frame.contentDocument.dispatchEvent(
  new frame.contentWindow.KeyboardEvent('keydown', {key, bubbles: true}));
const state = frame => frame.contentDocument.getElementById('state').textContent;
const later = () => new Promise(done => setTimeout(done, 50));
// Reading and writing of files is the browser's part: it takes time that the virtual clock does not know.
async function exported(frame) {
  let written;
  frame.contentWindow.Blob = class { constructor(parts) { written = parts.join(''); } };
  frame.contentWindow.URL.createObjectURL = () => '#';
  press(frame, 'e');
  return written;
}
async function take(frame, text) {
  for (const realm of [window, frame.contentWindow]) realm.File.prototype.text = async () => text;
  const files = new DataTransfer();
  files.items.add(new File([text], 'labels.json'));
  const input = frame.contentDocument.getElementById('import');
  input.files = files.files;
  input.dispatchEvent(new Event('change'));
  await later();
}
(async () => {
  const found = {};
  let frame = await opened();
  const name = frame.contentDocument.getElementById('assessor');
  name.value = 'Ann';
  name.dispatchEvent(new Event('change'));
  for (const key of '1425') press(frame, key);
  press(frame, 'd');
  found.shown = frame.contentDocument.body.classList.contains('shown');
  found.before = state(frame);
  frame.remove();
  frame = await opened();
  found.after = state(frame);
  found.name = frame.contentDocument.getElementById('assessor').value;
  found.visible = [...frame.contentDocument.querySelectorAll('article')].filter(one => one.offsetHeight > 0).length;
  await take(frame, FOREIGN);
  found.foreign = state(frame);
  found.labels = await exported(frame);
  localStorage.clear();
  frame.remove();
  frame = await opened();
  found.cleared = state(frame);
  await take(frame, found.labels);
  found.imported = state(frame);
  found.again = await exported(frame);
  found.hacked = window.hacked;
  document.getElementById('found').textContent = JSON.stringify(found);
})().catch(error => { document.getElementById('found').textContent = JSON.stringify({error: '' + error}); });
</script>'''


def labels_are_made_by_keys(place):
    """In the browser: answered, opened again, exported, scored. What the texts say is nobody's script."""
    if browser.chromium() is None:
        raise Skipped('no Chromium: tools/install_dependencies test')
    evil = '</p></script><script>parent.hacked = 1</script><img src=x onerror="parent.hacked = 1">\u2028\u202e\0 '
    place.write('evil.jsonl', ''.join(json.dumps({'id': '%s%d"' % (evil, n), 'url': 'http://h.example/' + evil + str(n),
                                                  'text': evil + text_of(random.Random(n // 2))}) + '\n'
                                      for n in range(6)).encode())
    place.run('dedup', 'evil.jsonl', '--out', 'evil', '--quiet').ended(0)
    place.run('assess', 'evil', '--out', 'judge', '--quiet').ended(0)
    page = place.path('judge/assess.html').read_text(encoding='utf-8')
    require('imilar' not in re.sub(r'<style>.*?</style>', '', page, flags=re.S), 'the page tells similarities')
    foreign = json.dumps({'magic': 'twinset-labels', 'version': 1, 'sample': '0', 'labels': []})
    harness = place.path('harness.html')
    harness.write_text(LABELLING % tuple(json.dumps(text).replace('<', '\\u003c') for text in (page, foreign)),
                       encoding='utf-8')
    dumped = browser.start(['--virtual-time-budget=20000', '--dump-dom', harness.as_uri()])
    found = json.loads(html.unescape(re.search(r'<pre id="found">(.*?)</pre>', dumped, re.S).group(1)))
    require('error' not in found, found)
    require(found['hacked'] == 0, 'a text has run a script')
    require(found['before'].startswith('Pair 3 of 3; 2 answered.'), found['before'])
    require(found['after'] == found['before'] and found['name'] == 'Ann' and found['visible'] == 1 and found['shown'], found)
    require('another sample' in found['foreign'] and '2 answered' in found['foreign'], found['foreign'])
    require('; 0 answered.' in found['cleared'] and '; 2 answered.' in found['imported'], found)
    labels = json.loads(found['labels'])
    require(json.loads(found['again']) == labels, 'what was imported is exported in another way')
    require([(row['content'], row['appearance']) for row in labels['labels']] == [('yes', 'yes'), ('no', 'no')], labels)
    place.write('Ann', found['labels'].encode())
    scored = place.run('assess', 'score', 'judge', 'Ann', '--json').ended(0)
    score = json.loads(scored.stdout)
    require(score['assessors'] == ['Ann'] and score['labelled'] == 2, score)
    require(score['content']['methods'][0]['share'] == .5, score)


def a_bad_page_is_seen(place):
    """The judge must be able to say no."""
    if browser.chromium() is None:
        raise Skipped('no Chromium: tools/install_dependencies test')
    style = '<style>@media (prefers-color-scheme: dark) { body { background: #000; } }%s</style><body>%s'
    faults = {
        'wide': ('', '<pre style="width:2000px">x</pre>'),
        'narrow': ('', '<table style="table-layout:fixed;width:40px"><tr><td>abcdefgh<td>b<td>c</table>'),
        'broken': ('td { overflow-wrap: anywhere }', '<table style="width:80px"><tr><td>candidates<td>of one document</table>'),
        'faint': ('p { color: #888; background: #777; }', '<p>text</p>'),
        'small': ('', '<figure><svg viewBox="0 0 9000 9" width="300"><text y="9" font-size="13">x</text></svg></figure>'),
    }
    for seen in browser.measure({name: style % fault for name, fault in faults.items()}):
        require(seen['bad'], 'nothing is wrong with', seen['name'], seen['width'], seen['dark'])
    table = '<div class="wide" style="overflow-x:auto;color:#fff;background:#000"><table><tr><td style="min-width:380px">text<td class="n">100,000</table></div>'
    for seen in browser.measure({'hidden': style % ('', table)}):
        require(bool(seen['bad']) == (seen['width'] < 1280), 'a number out of sight at', seen['width'], seen['bad'])
    table = '<div class="wide"><table><tr><td style="min-width:1300px">text</table></div>'
    for seen in browser.measure({'cut': style % ('.wide { overflow-x: auto; color: #fff; background: #000; }', table)}):
        require(bool(seen['bad']) == (seen['width'] >= 1280), 'a table that scrolls at', seen['width'], seen['bad'])


def main():
    global KEEP
    KEEP = pathlib.Path(sys.argv.pop(2)).resolve() if len(sys.argv) > 2 else None
    suite, _ = suite_from_arguments(__doc__)
    for case in (every_report_is_fit_to_be_seen, labels_are_made_by_keys, a_bad_page_is_seen):
        suite.run(case.__name__.replace('_', ' '), case)
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
