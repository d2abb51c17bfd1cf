"""Pages of reference sites whose sections have menus inside the content, with the text that is a page's own.

The markup is written after that of programs that print such sites: navigation boxes of a wiki, members
that classes of a C++ manual inherit, lists of a manual's chapter inside its body, summaries of members
in a Java manual, and a wiki whose menus are lists without links. A menu is that of its section, of 20 to
200 pages; each page has text of its own, some of it an edited copy of another page's. `family` is the
other side: pages that are near-duplicates of each other by dozens, lists and tables of their own
included, so that nothing of them is a menu. Text is drawn from invented words between common English
ones. Same site, count and seed: same pages.
"""
import collections
import random

Made = collections.namedtuple('Made', 'name data own')

COMMON = ('the of and to in a is that for it as with on by are this be from or an at which not can when has if its '
          'will may each all one used than into only other more').split()
SYLLABLES = [c + v for c in 'bcdfghklmnprstvw' for v in ('a', 'e', 'i', 'o', 'u', 'an', 'er', 'is')]
LEAST_SECTION, MOST_SECTION = 20, 200  # pages
MENU_WORDS = (300, 400)
COPIED = 0.08  # of the pages have the text of another one, edited


class Draw:
    """What is drawn at random for a site."""

    def __init__(self, site, seed):
        self.rng = random.Random('%s %s' % (site, seed))
        self.words = [''.join(self.rng.choices(SYLLABLES, k=self.rng.randint(1, 3))) for _ in range(6000)]

    def word(self):
        return self.words[int(len(self.words) * self.rng.random() ** 2)]

    def sentence(self, least=6, most=18):
        words = [self.rng.choice(COMMON) if self.rng.random() < 0.45 else self.word()
                 for _ in range(self.rng.randint(least, most))]
        return ' '.join(words).capitalize() + '.'

    def title(self, least=1, most=3):
        return ' '.join(self.word() for _ in range(self.rng.randint(least, most))).title()

    def name(self):
        first, second = self.word(), self.word()
        return first + second.title()

    def body(self):
        """Blocks of a page's own text: half of the pages are short, a tenth are stubs."""
        lengths = [(10, 25)] + 4 * [(30, 60)] + 5 * [(60, 400)]
        wanted = self.rng.randint(*self.rng.choice(lengths))
        blocks, words = [], 0
        while words < wanted:
            blocks.append(' '.join(self.sentence() for _ in range(self.rng.randint(1, 4))))
            words += len(blocks[-1].split())
        return blocks

    def edited(self, blocks):
        """The same with a few words changed."""
        share = self.rng.choice((0, 0.005, 0.01, 0.02))
        return [' '.join(self.word() if self.rng.random() < share else word for word in block.split())
                for block in blocks]


def tag(name, inner, attributes=''):
    return '<%s%s>%s</%s>' % (name, ' ' + attributes if attributes else '', inner, name)


def link(text):
    return '<a href="%s.html">%s</a>' % (text.replace(' ', '_'), text)


def whole_page(title, frame, content):
    head, foot = frame
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>%s</title></head><body>%s\n%s\n%s'
            '</body></html>\n' % (title, head, content, foot))


def frame_of(draw):
    """What all pages of the site have above and below."""
    items = ''.join(tag('li', link(draw.title())) for _ in range(12))
    return (tag('div', '<ul>%s</ul>' % items, 'class="top-menu"'),
            tag('div', '<p>Copyright 2019 %s</p><p>%s | %s | %s</p>' % (
                draw.title(2, 2), link('Privacy policy'), link('About this site'), link('Contact')), 'class="footer"'))


def entries_of(draw, make):
    """Entries, made one by one, of as many words as a menu has."""
    wanted, words, entries = draw.rng.randint(*MENU_WORDS), 0, []
    while words < wanted:
        entry = make()
        entries.append(entry)
        words += sum(len(part.split()) for part in entry)
    return entries


# ---- sites: what a section has, and a page of it ------------------------------

def wiki_section(draw):
    return {'title': draw.title(2, 4), 'place': draw.rng.random(),
            'groups': [(draw.title(1, 2), draw.rng.randint(3, 12)) for _ in range(40)],
            'entries': [text for text, in entries_of(draw, lambda: (draw.title(1, 4),))]}


def wiki_page(draw, section, frame, title, body):
    rows, rest = [], list(section['entries'])
    for group, count in section['groups']:
        if not rest:
            break
        items = ''.join(tag('li', tag('strong', entry, 'class="selflink"') if entry == title else link(entry))
                        for entry in rest[:count])
        rest = rest[count:]
        rows.append('<tr><th scope="row" class="group">%s</th><td class="list"><div><ul>%s</ul></div></td></tr>'
                    % (group, items))
    box = tag('table', '<tr><th colspan="2">%s</th></tr>%s' % (link(section['title']), ''.join(rows)), 'class="series"')
    text = ''.join(tag('p', block) for block in body)
    inner = box + text if section['place'] < 0.3 else text + box
    content = tag('div', '<h1 class="heading">%s</h1><div class="parser-output">%s</div>' % (title, inner),
                  'id="content" class="body"')
    return whole_page(title, frame, content)


def outline_section(draw):
    return {'title': draw.title(2, 3), 'entries': [text for text, in entries_of(draw, lambda: (draw.title(1, 5),))]}


def outline_page(draw, section, frame, title, body):
    """A wiki with a plain list of what its section has; the page itself is left out of the list."""
    items = ''.join(tag('li', entry) for entry in section['entries'] if entry != title)
    text = ''.join(tag('p', block) for block in body)
    content = tag('div', '<h1>%s</h1>%s<h4>%s</h4><ul>%s</ul>' % (title, text, section['title'], items), 'class="page"')
    return whole_page(title, frame, content)


def doxygen_section(draw):
    types = [draw.title(1, 1) for _ in range(4)] + ['void', 'bool', 'int', 'const char *']

    def member():
        arguments = ', '.join('%s %s' % (draw.rng.choice(types), draw.word()) for _ in range(draw.rng.randint(0, 2)))
        return draw.rng.choice(types), draw.name(), '(%s)' % arguments, draw.sentence(3, 9)
    return {'title': draw.name().title(), 'entries': entries_of(draw, member)}


def doxygen_page(draw, section, frame, title, body):
    rows = ''.join('<tr class="memitem inherit"><td class="memItemLeft">%s&#160;</td><td class="memItemRight">%s %s</td></tr>'
                   '<tr class="memdesc inherit"><td>&#160;</td><td class="mdescRight">%s</td></tr>'
                   % (kind, link(name), arguments, words) for kind, name, arguments, words in section['entries'])
    members = tag('table', '<tr class="heading"><td colspan="2"><h2>Public Member Functions inherited from %s</h2></td></tr>%s'
                  % (link(section['title']), rows), 'class="memberdecls"')
    text = ''.join(tag('p', block) for block in body[1:])
    content = ('<div class="header"><div class="headertitle"><div class="title">%s Class Reference</div></div></div>'
               '<div class="contents"><p>%s</p>%s<h2 class="groupheader">Detailed Description</h2><div class="textblock">%s'
               '</div></div>' % (title, body[0], members, text))
    return whole_page(title, frame, content)


def sphinx_section(draw):
    return {'title': draw.title(2, 3), 'entries': entries_of(draw, lambda: (draw.title(1, 5), draw.title(1, 4)))}


def sphinx_page(draw, section, frame, title, body):
    items = ''.join('<li class="toctree-l1"><p><a class="reference internal" href="#">%s</a></p><ul><li class="toctree-l2"><a '
                    'class="reference internal" href="#">%s</a></li></ul></li>' % entry for entry in section['entries'])
    box = '<div class="topic"><p class="topic-title">%s</p><ul class="simple">%s</ul></div>' % (section['title'], items)
    text = ''.join(tag('p', block) for block in body)
    content = ('<div class="document"><div class="body" role="main"><div class="section"><h1>%s<a class="headerlink" href="#">¶'
               '</a></h1>%s%s</div></div></div>' % (title, box, text))
    return whole_page(title, frame, content)


def javadoc_section(draw):
    names = entries_of(draw, lambda: (draw.name(),))
    return {'title': draw.name().title(), 'inherited': [name for name, in names[:len(names) // 2]],
            'rows': [(draw.rng.choice(('void', 'boolean', 'int', 'String')), name, draw.sentence(3, 8))
                     for name, in names[:len(names) // 10]]}


def javadoc_page(draw, section, frame, title, body):
    rows = ''.join('<tr class="rowColor"><td class="colFirst"><code>%s</code></td><td class="colLast"><code>%s()</code><div '
                   'class="block">%s</div></td></tr>' % (kind, link(name), words) for kind, name, words in section['rows'])
    summary = ('<div class="summary"><h3>Method Summary</h3><table class="memberSummary"><tr><th>Modifier and Type</th><th>'
               'Method and Description</th></tr>%s</table><h3>Methods inherited from class %s</h3><code>%s</code></div>'
               % (rows, link(section['title']), ', '.join(link(name) for name in section['inherited'])))
    text = ''.join(tag('div', block, 'class="block"') for block in body)
    content = ('<div class="header"><h2 class="title">Class %s</h2></div><div class="contentContainer"><div class='
               '"description">%s</div>%s</div>' % (title, text, summary))
    return whole_page(title, frame, content)


SITES = {'wiki': (wiki_section, wiki_page), 'outline': (outline_section, outline_page),
         'doxygen': (doxygen_section, doxygen_page), 'sphinx': (sphinx_section, sphinx_page),
         'javadoc': (javadoc_section, javadoc_page)}


def site_pages(site, count, seed, most_section=MOST_SECTION):
    """`count` pages of a site of SITES, or fewer by less than a section."""
    draw, (make_section, make_page) = Draw(site, seed), SITES[site]
    frame, bodies, made = frame_of(draw), [], []
    while count - len(made) >= LEAST_SECTION:
        section = make_section(draw)
        size = min(draw.rng.randint(LEAST_SECTION, most_section), count - len(made))
        titles = [draw.title(1, 3) for _ in range(size)]
        if 'entries' in section and isinstance(section['entries'][0], str):
            listed = draw.rng.sample(range(len(section['entries'])), min(size, len(section['entries'])))
            for title, place in zip(titles, listed):
                section['entries'][place] = title
        for title in titles:
            is_copy = bodies and draw.rng.random() < COPIED
            body = draw.edited(draw.rng.choice(bodies)) if is_copy else draw.body()
            bodies.append(body)
            made.append(Made('%05d' % len(made), make_page(draw, section, frame, title, body),
                             title + ' ' + ' '.join(body)))
    return made


def family_pages(count, seed):
    """Pages of products: each family has one text, one table and one list, in which a few words differ."""
    draw, made = Draw('family', seed), []
    frame = frame_of(draw)
    while len(made) < count:
        body = draw.body() + draw.body()
        facts = [(draw.title(1, 2), draw.title(1, 3)) for _ in range(draw.rng.randint(6, 20))]
        parts = [draw.title(2, 5) for _ in range(draw.rng.randint(4, 15))]
        for _ in range(min(draw.rng.randint(2, 60), count - len(made))):
            text, title = draw.edited(body), draw.title(1, 2)
            changed = [(name, draw.title(1, 2) if draw.rng.random() < 0.05 else value) for name, value in facts]
            content = '<div class="product"><h1>%s</h1>%s<table>%s</table><h3>In the box</h3><ul>%s</ul></div>' % (
                title, ''.join(tag('p', block) for block in text),
                ''.join('<tr><th>%s</th><td>%s</td></tr>' % fact for fact in changed),
                ''.join(tag('li', link(part)) for part in parts))
            own = ' '.join([title, *text, *(' '.join(fact) for fact in changed), 'In the box', *parts])
            made.append((whole_page(title, frame, content), own))
    draw.rng.shuffle(made)
    return [Made('%05d' % i, *page) for i, page in enumerate(made)]


def pages_of(site, count, seed, most_section=MOST_SECTION):
    return family_pages(count, seed) if site == 'family' else site_pages(site, count, seed, most_section)
