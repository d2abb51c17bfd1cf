"""Transfer studies of real collections."""
import gzip
import html
import json
import re
import tarfile

from corpora import BOOST, DATA, GUIDES, SAME_URL, say
from measured import require

TAGS = re.compile(r'(?is)<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]+>')
PAGES = 'multiversion/pages.tsv.gz'
NEEDS = [BOOST, GUIDES, SAME_URL, PAGES]


def table(name):
    with gzip.open(DATA / name, 'rt', encoding='utf-8') as rows:
        return [line.rstrip('\n').split('\t') for line in rows][1:]


def text_of(page, charset):
    return ' '.join(html.unescape(TAGS.sub(' ', page.decode(charset, 'replace'))).split()).lower()


def same_url_resemblance(place):
    """Every J of a list that something else made, from texts that are made as it made them."""
    pairs = table(SAME_URL)
    charsets = {row[1]: row[8] for row in table(PAGES)}
    wanted = {path for row in pairs for path in row[2:4]}
    texts = {}
    for archive in (BOOST, GUIDES):
        with tarfile.open(DATA / archive) as members:
            for member in members:
                path = member.name.partition('/')[2]
                if path in wanted:
                    texts[path] = text_of(members.extractfile(member).read(), charsets[path])
    require(len(texts) == len(wanted), len(texts), 'pages of', len(wanted))
    for number, packages in enumerate(sorted({tuple(row[:2]) for row in pairs})):
        own = [row for row in pairs if tuple(row[:2]) == packages]
        place.write('a.qrels', b'1 0 %s 1\n' % own[0][2].encode())
        for name, column in (('a', 2), ('b', 3)):
            with open(place.path(name + '.jsonl'), 'w', encoding='utf-8') as rows:
                for row in own:
                    # The address is one in both: the path without the name of the package.
                    rows.write(json.dumps({'id': row[column], 'text': texts[row[column]], 'url': 'http://docs.example/'
                                           + row[column].replace(row[column - 2], 'package')}) + '\n')
        for measure, column in (('word:5', 5), ('char:5', 6)):
            place.write('STUDY.toml', ('content = ["all"]\ntokens = "whitespace"\nmeasure = "%s"\n'
                                       '[a]\ninputs = "a.jsonl"\nqrels = "a.qrels"\n[b]\ninputs = "b.jsonl"\n'
                                       '[candidates]\nmixes = ["word:5"]\ncomplete = false\n' % measure).encode())
            out = 'out %d %s' % (number, measure[:4])
            place.run('study', 'STUDY.toml', '--out', out, '--quiet').ended(0)
            found = {(row['a'], row['b']): row['all'] for row in place.rows('same_url.jsonl', out)}
            wrong = [(row[2], row[column], found.get((row[2], row[3]))) for row in own
                     if abs(found.get((row[2], row[3]), -1) - float(row[column])) > 1e-6]
            require(not wrong and len(found) == len(own), len(wrong), 'of', len(own), 'differ:', wrong[:3])
        say('%s and %s: %d addresses, each J of 5 words and of 5 characters' % (*packages, len(own)))
