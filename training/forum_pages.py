"""Pages of forums, mailing lists, blogs, shops and lists with known main content, made from templates.

The markup (training/*_templates.py) is written after that of well-known platforms; running text comes
from data at hand when the pages are made, and none of it is in the repository. A template marks the
pieces that are main content, so that labels are exact by construction. Same sentences, count and
seed: same pages.

What counts as main content, by kind of page:
  forum    the title of the thread and the text of every post, with what it quotes; of questions and
           answers also the comments on them; of messages the subject and the text
  article  the text of the post with its headings; not its headline and lead, not captions of figures,
           not the comments of readers
  product  name, price, description and specification; not reviews, not other products
  listing  the heading and title and summary of each entry; of threads the line that says who began it
Names, dates, signatures, user cards, votes, controls, links between posts and all around are frame,
where they stand apart; on talk pages of wikis they are part of the text.
"""
import collections
import hashlib
import html
import lzma
import random
import re

import forum_templates
from page_words import ADVERTS, COOKIES, LEGAL, MENU, SYLLABLES, WIDGETS, Gold, flatten

Made = collections.namedtuple('Made', 'platform site name kind data gold')
SITES = 5  # of a platform: pages of a site share their frame and the names of their classes


class Text:
    """What is drawn for one page. All draws are from the generator of the page."""

    def __init__(self, sentences, rng):
        self.sentences, self.rng = sentences, rng

    def pick(self, choices):
        return self.rng.choice(choices)

    def chance(self, share):
        return self.rng.random() < share

    def sentence(self):
        return html.escape(self.pick(self.sentences), quote=False)

    def paragraph(self, least=1, most=5):
        return ' '.join(self.sentence() for _ in range(self.rng.randint(least, most)))

    def title(self, least=3, most=9):
        words = self.pick(self.sentences).split()
        at = self.rng.randrange(max(1, len(words) - least))
        title = ' '.join(words[at:at + self.rng.randint(least, most)]).strip(' ,;:.()"`\'')
        return html.escape(title[:1].upper() + title[1:], quote=False) or 'Untitled'

    def rich(self, text):
        """The text, sometimes with a link or emphasis inside."""
        words = text.split(' ')
        if len(words) < 8 or not self.chance(0.3):
            return text
        at = self.rng.randrange(len(words) - 4)
        tag = self.pick(('<a href="/x/%d">%%s</a>' % self.rng.randrange(999), '<b>%s</b>', '<em>%s</em>',
                         '<a rel="nofollow" href="http://example.org/">%s</a>'))
        end = at + self.rng.randint(1, 3)
        return ' '.join(words[:at] + [tag % ' '.join(words[at:end])] + words[end:])

    def user(self):
        name = ''.join(self.pick(SYLLABLES) for _ in range(self.rng.randint(2, 4)))
        return name + self.pick(('', '', str(self.rng.randrange(100)), '_x')) if self.chance(0.7) else name.title()

    def date(self):
        day, month, year = self.rng.randint(1, 28), self.rng.randint(1, 12), self.rng.randint(2003, 2024)
        name = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()[month - 1]
        return self.pick(('%d-%02d-%02d %02d:%02d' % (year, month, day, day % 24, month * 4),
                          '%s %d, %d' % (name, day, year), '%d %s %d' % (day, name, year),
                          '%s %02d, %d %d:%02d pm' % (name, day, year, month, day), '%d days ago' % day))

    def code(self):
        names = [self.user().lower() for _ in range(4)]
        rows = ['%s = %s(%d)' % (names[0], names[1], self.rng.randrange(100)), 'for %s in %s:' % (names[2], names[0]),
                '    %s.%s(%s)' % (names[3], names[1], names[2]), 'print(%s)' % names[3],
                'Error: %s.%s is not a %s' % (names[0], names[2], names[1])]
        return '\n'.join(rows[:self.rng.randint(2, 5)])


class Site:
    """What the pages of one site share."""

    def __init__(self, platform, number, sentences, seed):
        self.rng = random.Random('%s %s %s' % (seed, platform, number))
        text = Text(sentences, self.rng)
        self.name = text.title(1, 3)
        self.menu = self.rng.sample(MENU, self.rng.randint(4, 10))
        self.legal = self.rng.sample(LEGAL, self.rng.randint(1, 3))
        self.cookies = self.rng.choice(COOKIES) if self.rng.random() < 0.4 else ''
        self.widgets = self.rng.sample(WIDGETS, self.rng.randint(0, 5))
        self.widget_items = self.rng.randint(3, 10)
        self.tagline = text.title(3, 6)
        self.left = self.rng.random() < 0.4
        self.semantic = self.rng.random() < 0.4
        self.depth = self.rng.randint(0, 3)
        self.style = self.rng.choice(('own', 'own', 'own', 'prefix', 'bem', 'hash'))
        self.option = [self.rng.random() < 0.5 for _ in range(8)]  # switches of the template
        self.theme = ''.join(self.rng.choice(SYLLABLES) for _ in range(2))

    def name_of(self, name):
        """The class under which this site has what the platform calls NAME."""
        if self.style == 'prefix':
            return ' '.join(self.theme + '-' + part for part in name.split())
        if self.style == 'bem':
            return self.theme + '__' + name.split()[0].replace('-', '_') + ' ' + name
        if self.style == 'hash':
            return 'css-' + hashlib.sha256((self.theme + name).encode()).hexdigest()[:7]
        return name


class Frame:
    """Everything around the main content."""

    def __init__(self, site, text):
        self.site, self.text = site, text

    def div(self, name, *inner, tag='div', extra=''):
        return ['<%s class="%s"%s>' % (tag, self.site.name_of(name), extra), inner, '</%s>\n' % tag]

    def header(self):
        items = ['<li><a href="/%d">%s</a></li>' % (i, m) for i, m in enumerate(self.site.menu)]
        return self.div('site-header', '<a class="logo" href="/">%s</a>' % self.site.name,
                        '<p class="tagline">%s</p>' % self.site.tagline if self.site.option[7] else '',
                        '<ul>', items, '</ul>', '<form action="/search"><input name="q"><button>Search</button></form>',
                        tag='header' if self.site.semantic else 'div')

    def breadcrumbs(self):
        steps = self.site.menu[:self.text.rng.randint(2, 3)] + [self.text.title(1, 3)]
        return self.div('breadcrumbs', self.text.pick((' » ', ' &gt; ', ' / ')).join(
            '<a href="#">%s</a>' % s for s in steps))

    def pager(self):
        last = self.text.rng.randint(2, 9)
        return self.div('pagination', '<a>Previous</a> ', [' <a>%d</a>' % (i + 1) for i in range(last)],
                        ' <a>Next</a>') if self.text.chance(0.6) else ''

    def advert(self):
        return self.div('ad-slot', '<span>%s</span>' % self.text.pick(ADVERTS)) if self.text.chance(0.3) else ''

    def links(self, count):
        return ['<ul>', ['<li><a href="/t/%d">%s</a></li>' % (self.text.rng.randrange(9999), self.text.title())
                         for _ in range(count)], '</ul>']

    def related(self):
        return self.div('related', '<h3>%s</h3>' % self.text.pick(('Related', 'Similar topics', 'More like this')),
                        self.links(self.text.rng.randint(3, 8))) if self.text.chance(0.5) else ''

    def share(self):
        return self.div('share-buttons', '<a>Share</a> <a>Tweet</a> <a>Email</a> <a>Print</a>') \
            if self.text.chance(0.4) else ''

    def sidebar(self):
        boxes = []
        for widget in self.site.widgets:
            if widget == 'Newsletter':
                inner = '<p>Get the best of the week by mail.</p><form><input><button>Subscribe</button></form>'
            elif self.text.chance(0.2):
                inner = '<p>%s</p>' % self.text.sentence()
            else:
                inner = self.links(self.site.widget_items)
            boxes.append(self.div('widget', '<h4>%s</h4>' % widget, inner))
        return self.div('sidebar', boxes, self.advert(), tag='aside' if self.site.semantic else 'div') if boxes else ''

    def footer(self):
        return self.div('site-footer', ['<a href="#">%s</a> ' % m for m in self.site.menu[:5]],
                        ['<p>%s</p>' % line for line in self.site.legal],
                        '<p>© %s</p>' % self.site.name, tag='footer' if self.site.semantic else 'div')

    def page(self, title, *main, head=''):
        """The whole page around its middle; HEAD stands behind its title."""
        middle = [self.div('content-area', self.breadcrumbs(), main, self.related(),
                           tag='main' if self.site.semantic else 'div')]
        middle.insert(0 if self.site.left else 1, self.sidebar())
        for i in range(self.site.depth):
            middle = self.div(('wrapper', 'container', 'inner')[i], middle)
        cookies = self.div('cookie-notice', '<p>%s</p><button>Accept</button>' % self.site.cookies) \
            if self.site.cookies else ''
        return ['<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>', title, ' - ', self.site.name,
                '</title>', head, '</head>\n<body>\n', cookies if self.site.option[6] else '', self.header(), middle,
                self.footer(), '' if self.site.option[6] else cookies, '</body></html>\n']


# ---- making -----------------------------------------------------------------

BREAK = re.compile(r'(?:<br>\s*){2,}')
TAG = re.compile(r'<[^>]*>')


def gold_text(pieces):
    """Text of the pieces that are main content, a line a paragraph."""
    lines = [' '.join(html.unescape(TAG.sub('', line.replace('<br>', ' '))).split())
             for piece in pieces if isinstance(piece, Gold) for line in BREAK.split(piece)]
    return '\n'.join(filter(None, lines))


def make(sentences, per_platform=40, seed=1):
    """Pages of all platforms, in a fixed order."""
    for platform, (kind, template) in forum_templates.PLATFORMS.items():
        sites = [Site(platform, i, sentences, seed) for i in range(SITES)]
        for i in range(per_platform):
            site = sites[i % SITES]
            text = Text(sentences, random.Random('%s %s page %d' % (seed, platform, i)))
            pieces = flatten(template(Frame(site, text), text), [])
            yield Made(platform, i % SITES, '%s-%d' % (platform, i), kind, ''.join(pieces).encode(), gold_text(pieces))


def sentences_of(shared):
    """Running text for the pages, of the shared data."""
    path = shared / 'pairs' / 'minhash_articles' / 'articles_1000.train.xz'
    text = html.unescape(lzma.decompress(path.read_bytes()).decode('utf-8', 'replace'))
    rows = (row.split(' ', 1)[-1] for row in text.split('\n'))
    found = (' '.join(s.split()) for row in rows for s in re.split(r'(?<=[.!?]) +(?=[A-Z])', row))
    return sorted({s for s in found if 40 <= len(s) <= 400})
