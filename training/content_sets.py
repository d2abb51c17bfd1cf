"""The pages with known main content and the measure of each benchmark.

Three sets (shared/data/extraction), read from their archives:
  articles     news pages with the text of the article
  readability  pages with the cleaned page a reader mode should show
  segments     pages with pieces of text that must and must not be in the main content
and one from the packages that training/get_manuals fetches, absent where they or lxml are absent:
  manuals      pages of reference manuals with the text of their content element
and one that is made when it is read (training/forum_pages.py):
  forums       pages of forums, mailing lists, blogs, shops and lists by templates

Used by training/train_content and bench/bench_content.py.
"""
import collections
import gzip
import html
import html.parser
import io
import json
import os
import pathlib
import re
import sys
import tarfile

BOM = b'\xef\xbb\xbf'
# group: pages of one template, kept together when models are cross-validated; of manuals it is
# GENERATOR/PACKAGE, of forums PLATFORM/SITE. kind: article, reference, documentation, forum, listing, product or other.
Page = collections.namedtuple('Page', 'set name group data gold must must_not kind', defaults=('article',))


def find_shared(root):
    """Folder of the shared data, or None."""
    folder = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA', root.parent / 'shared' / 'data'))
    return folder if (folder / 'extraction').is_dir() else None


# ---- reading ----------------------------------------------------------------

def members(path):
    """(name, bytes) of each file of an archive, by name."""
    with tarfile.open(path) as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            if member.isfile():
                yield member.name, archive.extractfile(member).read()


def site_of(url):
    """Registered name of a URL or file name: what pages of one template share."""
    host = re.sub(r'^[a-z]+://', '', url.lower()).split('/')[0].split(':')[0]
    parts = [p for p in host.split('.') if p not in ('www', 'html', '')]
    if len(parts) >= 3 and len(parts[-1]) == 2 and len(parts[-2]) <= 3:
        return '.'.join(parts[-3:])
    return '.'.join(parts[-2:])


def _articles(folder):
    truth = json.loads((folder / 'aeb_ground_truth.json').read_text('utf-8'))
    pages = {pathlib.PurePath(n).name.split('.')[0]: d
             for n, d in members(folder / 'article_extraction_benchmark.tar.xz') if '.html' in n}
    for key in sorted(truth):
        yield Page('articles', key, site_of(truth[key]['url']), gzip.decompress(pages[key]),
                   truth[key].get('articleBody', ''), (), ())


def _readability(folder):
    files = dict(members(folder / 'readability_test_pages.tar.xz'))
    for name in sorted(files):
        if name.endswith('/source.html'):
            stem = name[:-len('source.html')]
            gold = html_text(files[stem + 'expected.html'].decode('utf-8', 'replace'))
            page = pathlib.PurePath(stem).name
            # The benchmark reads its pages as UTF-8, whatever they declare: a byte order mark says so.
            data = files[name] if files[name].startswith(BOM) else BOM + files[name]
            yield Page('readability', page, re.sub(r'-\d+$', '', page), data, gold, (), ())


def _segments(folder):
    truth = json.loads((folder / 'trafilatura_evaldata.json').read_text('utf-8'))
    files = {pathlib.PurePath(n).name: d for n, d in members(folder / 'trafilatura_pages.tar.xz')}
    for url in sorted(truth):
        row = truth[url]
        yield Page('segments', row['file'], site_of(url), files[row['file']], None,
                   tuple(row['with']), tuple(row['without']))


def find_manuals(root):
    """Folder of the unpacked manuals, or None."""
    folder = pathlib.Path(os.environ.get('TWINSET_MANUALS', root / 'build' / 'manuals'))
    return folder if folder.is_dir() else None


def _manuals(folder):
    import reference_manuals
    for package in reference_manuals.packages():
        for path, data, label in reference_manuals.sample(folder, package):
            yield Page('manuals', package.name + '/' + path, label.generator + '/' + package.name, data, label.text,
                       (), (), label.kind)


def _forums(shared):
    import forum_pages
    for page in forum_pages.make(forum_pages.sentences_of(pathlib.Path(shared))):
        yield Page('forums', page.name, '%s/%d' % (page.platform, page.site), page.data, page.gold, (), (), page.kind)


def read_manuals(folder):
    """Pages of the manuals in a folder, in a fixed order; none, and that is said, without folder or lxml."""
    try:
        import lxml  # noqa: F401
    except ImportError:
        print('SKIPPED manuals: lxml is not installed', file=sys.stderr)
        return []
    if folder is None:
        print('SKIPPED manuals: not fetched (training/get_manuals)', file=sys.stderr)
        return []
    return list(_manuals(folder))


def read_pages(shared, manuals=None):
    """All pages, in a fixed order. MANUALS: their folder; by default TWINSET_MANUALS or build/manuals."""
    folder = pathlib.Path(shared) / 'extraction'
    manuals = manuals or find_manuals(pathlib.Path(__file__).resolve().parent.parent)
    return [*_articles(folder), *_readability(folder), *_segments(folder), *read_manuals(manuals), *_forums(shared)]


def held_out_group(page):
    """What a fold of cross-validation holds out whole: the site, of manuals the generator, of forums the
    platform."""
    return page.group.split('/')[0] if page.set in ('manuals', 'forums') else page.group


class _Text(html.parser.HTMLParser):
    BLOCKS = frozenset(('address article aside blockquote body br caption center dd details div dl dt fieldset '
                        'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol '
                        'optgroup option p pre section summary table tbody td tfoot th thead tr ul').split())
    DROPPED = frozenset('script style template noscript svg title'.split())

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.out, self.dropped = [], 0

    def handle_starttag(self, tag, attributes):
        if tag in self.BLOCKS:
            self.out.append('\n')
        if tag in self.DROPPED:
            self.dropped += 1

    def handle_startendtag(self, tag, attributes):
        if tag in self.BLOCKS:
            self.out.append('\n')

    def handle_endtag(self, tag):
        if tag in self.BLOCKS:
            self.out.append('\n')
        if tag in self.DROPPED and self.dropped:
            self.dropped -= 1

    def handle_data(self, data):
        if not self.dropped:
            self.out.append(data)


def html_text(markup):
    """Text of well-formed cleaned markup, blocks separated by line feeds."""
    parser = _Text()
    parser.feed(markup)
    parser.close()
    return '\n'.join(filter(None, (' '.join(line.split()) for line in ''.join(parser.out).split('\n'))))


# ---- measures ---------------------------------------------------------------

TOKEN = re.compile(r'\w+')


def shingles(text, n=4):
    tokens = TOKEN.findall(text or '')
    if not tokens:
        return collections.Counter()
    return collections.Counter(tuple(tokens[i:i + n]) for i in range(max(1, len(tokens) - n + 1)))


def shingle_counts(gold, found):
    """(tp, fp, fn) of two texts over multisets of word 4-grams, normalised to sum 1, as the article
    extraction benchmark defines them."""
    a, b = shingles(gold), shingles(found)
    common = sum((a & b).values())
    counts = (common, sum(b.values()) - common, sum(a.values()) - common)
    total = sum(counts)
    return tuple(c / total for c in counts) if total else (0.0, 0.0, 0.0)


def shingle_scores(rows):
    """Means over the pages where each is defined, F1 of the means."""
    precision = [tp / (tp + fp) if fp or fn else 1.0 for tp, fp, fn in rows if tp + fp > 0]
    recall = [tp / (tp + fn) if fp or fn else 1.0 for tp, fp, fn in rows if tp + fn > 0]
    p = sum(precision) / len(precision) if precision else 0.0
    r = sum(recall) / len(recall) if recall else 0.0
    return {'precision': p, 'recall': r, 'f1': 2 * p * r / (p + r) if p + r else 0.0}


def spaces(text):
    return re.sub(r'\s+', ' ', text or '').strip()


def segment_counts(must, must_not, found):
    """(tp, fp, fn, tn): each piece is looked for in the text, white space normalised, as
    trafilatura's evaluation does."""
    text = spaces(found)
    tp = sum(spaces(s) in text for s in must)
    fp = sum(spaces(s) in text for s in must_not)
    return tp, fp, len(must) - tp, len(must_not) - fp


def segment_scores(rows):
    tp, fp, fn, tn = (sum(r[i] for r in rows) for i in range(4))
    return {'precision': tp / max(1, tp + fp), 'recall': tp / max(1, tp + fn),
            'accuracy': (tp + tn) / max(1, tp + fp + fn + tn), 'f1': 2 * tp / max(1, 2 * tp + fp + fn)}


def element_counts(gold, found):
    """(precision, recall, F1) of two texts over multisets of word 5-grams: what is found of the text of
    a content element."""
    a, b = shingles(gold, 5), shingles(found, 5)
    common = sum((a & b).values())
    precision, recall = common / max(1, sum(b.values())), common / max(1, sum(a.values()))
    return precision, recall, 2 * precision * recall / (precision + recall) if common else float(not a and not b)


def element_scores(rows):
    """Means over the pages."""
    return {name: sum(row[i] for row in rows) / len(rows) for i, name in enumerate(('precision', 'recall', 'f1'))}


def page_counts(page, found):
    if page.set == 'segments':
        return segment_counts(page.must, page.must_not, found)
    if page.set in ('manuals', 'forums'):
        return element_counts(page.gold, found)
    return shingle_counts(page.gold, found)


SCORES = {'articles': shingle_scores, 'readability': shingle_scores, 'segments': segment_scores,
          'manuals': element_scores, 'forums': element_scores, 'blogs, shops, lists': element_scores}


def score_sets(pages, texts):
    """{set: scores} of texts[i], the extracted text of pages[i]. The made pages that are no forums are apart."""
    rows = collections.defaultdict(list)
    for page, text in zip(pages, texts):
        other = page.set == 'forums' and page.kind != 'forum'
        rows['blogs, shops, lists' if other else page.set].append(page_counts(page, text))
    return {s: scores(rows[s]) for s, scores in SCORES.items() if s in rows}
