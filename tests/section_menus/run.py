#!/usr/bin/env python3
"""Menus of sections are not content: tests/section_menus/run.py BUILD_DIR

bench/bench_section_menus.py on small sites: of the dropped pages at most .5 % have other text than the page
that is kept for them, and most pairs of pages whose own texts are near-duplicates are found; also where
whole families of pages share lists and tables that are their content. A saved run that gets the second half of a
site, any order of the pages and a small memory change nothing.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
import bench_section_menus as bench  # noqa: E402

PAGES, MOST_SECTION = 920, 44  # no section is a twentieth of its site
MOST_WRONG, LEAST_FOUND = 0.005, 0.8


class Corpus:
    """The pages of a site, in halves and shuffled."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        pages = bench.section_templates.pages_of('doxygen', PAGES, 3, MOST_SECTION)
        half = len(pages) // 2
        parts = {'old': pages[:half], 'new': pages[half:], 'mixed': random.Random(1).sample(pages, len(pages))}
        for name, part in parts.items():
            bench.write_pages(part, folder / (name + '.jsonl'))

    def run(self, command, inputs, *options):
        """The bytes of pairs.jsonl."""
        out = self.folder / 'out'
        inputs = [str(self.folder / (name + '.jsonl')) for name in inputs]
        pairs = ('--pairs', 'all') if command == 'dedup' else ()
        subprocess.run([str(self.program), command, *inputs, '--html-field', 'html', *pairs, '--out', str(out),
                        '--overwrite', *options], check=True, capture_output=True)
        return (out / 'pairs.jsonl').read_bytes()


def pair_set(rows):
    return {(frozenset((row['a'], row['b'])), row['similarity']) for row in map(json.loads, rows.splitlines())}


def is_a_function_of_the_pages(program):
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(program, pathlib.Path(folder))
        whole, saved = corpus.run('dedup', ['old', 'new']), str(corpus.folder / 'saved')
        corpus.run('dedup', ['old'], '--save', saved)
        against = ['--against', str(corpus.folder / 'old.jsonl'), '--against-html-field', 'html']
        return (corpus.run('dedup', ['new'], '--add', saved, '--reconsider') == whole
                and corpus.run('match', ['new'], '--against', saved) == corpus.run('match', ['new'], *against)
                and corpus.run('dedup', ['old', 'new'], '--memory', '64M', '--threads', '1') == whole
                and pair_set(corpus.run('dedup', ['mixed'])) == pair_set(whole) and len(pair_set(whole)) > 20)


SYLLABLES = ('ka', 'lo', 'mi', 'tre', 'sun', 'wat', 'fol', 'ber', 'den', 'gar', 'hil', 'pon', 'stu', 'vel', 'zor')
WORDS = [first + second for first in SYLLABLES for second in SYLLABLES]
SECTIONS, SECTION_PAGES, ENTRIES = 15, 25, 60
# How a menu lists its entries: what stands around it, around an entry, around the page's own one, and between them.
# The own entry is a link only where the last column says so.
FORMS = {
    'list': ('<ul>%s</ul>', '<li>%s</li>', '<li>%s</li>', '', False),
    'active class': ('<ul>%s</ul>', '<li>%s</li>', '<li class="active">%s</li>', '', True),
    'aria-current': ('<div>%s</div>', '<div>%s</div>', '<div aria-current="page">%s</div>', '', True),
    'line breaks': ('<div>%s</div>', '%s', '%s', '<br>', False),
    'bold between breaks': ('<div>%s</div>', '%s', '<b>%s</b>', '<br>', False),
    'bars': ('<div>%s</div>', '%s', '%s', ' | ', False),
    'bars in a paragraph': ('<p>%s</p>', '%s', '%s', ' | ', False),
    'dots': ('<p>%s</p>', '%s', '%s', ' \u00b7 ', False),
    'marks of a breadcrumb': ('<div>%s</div>', '%s', '%s', ' \u00bb ', False),
    'paragraphs': ('<div>%s</div>', '<p>%s</p>', '<p>%s</p>', '', False),
    'paragraphs beside those of the text': ('%s', '<p>%s</p>', '<p>%s</p>', '', False),
    'definitions': ('<dl>%s</dl>', '<dd>%s</dd>', '<dd>%s</dd>', '', False),
    'one column': ('<table>%s</table>', '<tr><td>%s</td></tr>', '<tr><td>%s</td></tr>', '', False),
    'spans': ('<div>%s</div>', '<span>%s</span>', '<span>%s</span>', ' ', False),
    'options': ('<select>%s</select>', '<option>%s</option>', '<option selected>%s</option>', '', None),
}


def pages_with_menus(form, folder):
    """Pages of 74 words of their own behind a menu of 240 words that is that of their section."""
    around, entry, own, between, own_is_link = FORMS[form]
    chance = random.Random(5)
    for section in range(SECTIONS):
        names = [' '.join(chance.choices(WORDS, k=4)) for _ in range(ENTRIES)]
        (folder / ('s%d' % section)).mkdir(parents=True)
        for page in range(SECTION_PAGES):
            entries = []
            for i, name in enumerate(names):
                if own_is_link is not None and (i != page or own_is_link):
                    name = '<a href="/s%d/%d.html">%s</a>' % (section, i, name)
                entries.append((own if i == page else entry) % name)
            texts = ['<p>%s.</p>' % ' '.join(chance.choices(WORDS, k=size)) for size in (40, 30)]
            (folder / ('s%d' % section) / ('%d.html' % page)).write_text(
                '<meta charset="utf-8"><title>%s</title><body><div id="content"><h1>%s</h1>%s%s</div>'
                % (names[page], names[page], around % between.join(entries), ''.join(texts)), encoding='utf-8')


def what_is_left(program, folder, *options):
    """Words of all pages, and pairs at half of their shingles."""
    subprocess.run([program, 'dedup', folder / 'in', '--threshold', '.5', '--out', folder / 'out', '--overwrite', '-q',
                    *options], check=True, capture_output=True)
    summary = json.loads((folder / 'out' / 'summary.json').read_text())
    return summary['text']['tokens'], len((folder / 'out' / 'pairs.jsonl').read_text().splitlines())


def any_form_of_menu_is_left_out(program):
    """Returns what went wrong, by form."""
    failed = []
    pages = SECTIONS * SECTION_PAGES
    for form in FORMS:
        with tempfile.TemporaryDirectory() as parent:
            folder = pathlib.Path(parent)
            pages_with_menus(form, folder / 'in')
            words, pairs = what_is_left(program, folder)
            if (words, pairs) != (74 * pages, 0):
                failed.append('%s: %d words a page of 74, %d pairs of 0' % (form, words / pages, pairs))
            # Without the rule all pages of a section are pairs, where its menu is text.
            kept = what_is_left(program, folder, '--template', 'keep')
            if form != 'options' and kept[1] != SECTIONS * SECTION_PAGES * (SECTION_PAGES - 1) / 2:
                failed.append('%s: the menu is not seen even with --template keep: %d pairs' % (form, kept[1]))
    return failed


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / 'twinset'
    failed = 0
    for site in bench.SITES:
        counts, = bench.study(site, [program], PAGES, 2, MOST_SECTION)
        is_good = (counts.dropped > 20 and bench.wrong_share(counts) <= MOST_WRONG
                   and bench.found_share(counts) >= LEAST_FOUND)
        failed += not is_good
        print('%-6s %s: %d of %d drops are wrong, %d of %d pairs are found'
              % ('ok' if is_good else 'FAILED', site, counts.wrong, counts.dropped, counts.found, counts.pairs))
    is_good = is_a_function_of_the_pages(program)
    failed += not is_good
    print('%-6s saved runs, memory and order' % ('ok' if is_good else 'FAILED'))
    wrong = any_form_of_menu_is_left_out(program)
    failed += bool(wrong)
    print('%-6s %d forms of menus' % ('FAILED' if wrong else 'ok', len(FORMS)), *wrong, sep='\n')
    print('%d passed, %d failed' % (len(bench.SITES) + 2 - failed, failed))
    sys.exit(failed > 0)


main()
