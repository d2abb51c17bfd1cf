"""Parts that the templates of forum_pages.py share: bodies of posts, who wrote them, comments, prices."""
import html
import json

from page_words import ANSWERING, RANKS, SIGNATURES, Gold, flatten


def paragraphs(t, least=1, most=4, tag='p', code=0.0):
    """Paragraphs of main content, sometimes a list or code among them."""
    out = []
    for _ in range(t.rng.randint(least, most)):
        out += ['<%s>' % tag, Gold(t.rich(t.paragraph())), '</%s>\n' % tag]
        if t.chance(code):
            out += ['<pre><code>', Gold(t.code()), '</code></pre>\n']
        elif t.chance(0.1):
            out += ['<ul>', [['<li>', Gold(t.title(2, 8)), '</li>'] for _ in range(t.rng.randint(2, 5))], '</ul>\n']
    return out


def lines(t, short=0.35):
    """A post of running lines with breaks, as forums of the old kind print it."""
    if t.chance(short):
        return [Gold(t.pick(ANSWERING) + (' ' + t.sentence() if t.chance(0.4) else ''))]
    return [Gold('<br>\n<br>\n'.join(t.rich(t.paragraph(1, 4)) for _ in range(t.rng.randint(1, 4))))]


def count_of(t, most=20):
    """How many replies: mostly few, sometimes many, sometimes none."""
    return t.pick((0, 1, 2, 3, 5, 8, t.rng.randint(5, most), t.rng.randint(1, most)))


def plain_post(t, short=0.35):
    """A post as paragraphs."""
    return ['<p>', Gold(t.pick(ANSWERING)), '</p>'] if t.chance(short) else paragraphs(t, 1, 3)


def message_lines(t, width=72):
    """Text of a message: lines cut at a width, some of them quoted."""
    out = []
    for _ in range(t.rng.randint(1, 6)):
        mark = '&gt; ' if t.chance(0.3) else ''
        row = ''
        for word in t.paragraph(1, 4).split(' '):
            if len(row) + len(word) > width:
                out.append(mark + row.strip())
                row = ''
            row += word + ' '
        out += [mark + row.strip(), '']
    return '\n'.join(out)


def card(f, t, name):
    """Who wrote a post."""
    facts = ['<dd>Posts: %d</dd>' % t.rng.randrange(5000), '<dd>Joined: %s</dd>' % t.date(),
             '<dd>Location: %s</dd>' % t.title(1, 2)]
    return f.div(name, '<a href="/u">%s</a>' % t.user(), '<span>%s</span>' % t.pick(RANKS),
                 '<dl>', t.rng.sample(facts, t.rng.randint(0, 3)), '</dl>')


def signature(f, t, name='signature'):
    return f.div(name, t.pick(SIGNATURES)) if t.chance(0.3) else ''


def reader_comments(f, t, most=30):
    """Comments of readers under a post: frame."""
    count = t.pick((0, 1, 3, 8, most))
    rows = ['<li class="comment">', '<cite>%s</cite> says: <a>%s</a>']
    made = [[rows[0], rows[1] % (t.user(), t.date()), f.div(
        'comment-content', '<p>%s</p>' % (t.pick(ANSWERING) if t.chance(0.4) else t.paragraph(1, 4))),
        '<a class="comment-reply-link">Reply</a></li>\n'] for _ in range(count)]
    return f.div('comments-area', '<h3>%d Responses</h3>' % count, '<ol class="commentlist">', made, '</ol>', f.div(
        'comment-respond', '<h3>Leave a Reply</h3><p>Your email address will not be published.</p>'))


def price(t):
    return '%s%d.%02d' % (t.pick(('$', '€', '£')), t.rng.randint(1, 999), t.rng.randrange(100))


def specification(t):
    return [['<tr><th>', Gold(t.title(1, 2)), '</th><td>', Gold(t.title(1, 4)), '</td></tr>']
            for _ in range(t.rng.randint(2, 9))]


def reviews(f, t):
    return f.div('reviews', '<h2>Customer reviews</h2>', [
        f.div('review', '<span>%d of 5 stars</span> <b>%s</b> <span>%s</span><p>%s</p><a>Helpful</a>'
              % (t.rng.randint(1, 5), t.title(2, 4), t.date(), t.paragraph(1, 4))) for _ in range(t.pick((0, 1, 4, 10)))])


def others(f, t):
    return f.div('related products', '<h2>Customers also bought</h2><ul>', [
        '<li><a>%s</a> <span>%s</span> <button>Add to cart</button></li>' % (t.title(2, 5), price(t))
        for _ in range(t.rng.randint(2, 8))], '</ul>')


def entries(f, t, count, name, tag='div', more='Read more', heading='h2'):
    return [f.div(name, '<%s><a>' % heading, Gold(t.title()), '</a></%s>' % heading, '<span class="meta">%s</span>' % t.date(),
                  '<p>', Gold(t.paragraph(1, 2)), '</p>', '<a>%s</a>' % more if more else '', tag=tag)
            for _ in range(count)]


def quoted(t, before, after, share=0.25):
    """A passage of another post between the markup that says whose it is, or nothing."""
    return [before % t.user(), Gold(t.sentence()), after] if t.chance(share) else ''


def tags(t, markup, most=4):
    return [markup % t.title(1, 1) for _ in range(t.rng.randint(1, most))]


def table_page(f, t, title, *main):
    """The whole page in tables, as software of before 2005 prints it."""
    menu = ' | '.join('<a href="/%d.php">%s</a>' % (i, name) for i, name in enumerate(f.site.menu))
    columns = [['<td valign="top" width="100%">', f.breadcrumbs(), main, '</td>']]
    if f.site.widgets:
        columns.insert(0 if f.site.left else 1, ['<td valign="top" width="160">', f.sidebar(), '</td>'])
    return ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html><head><title>', f.site.name, ' :: ',
            title, '</title></head>\n<body bgcolor="#ffffff">\n<table width="100%" cellspacing="0" cellpadding="10"><tr>'
            '<td><a href="/"><img src="logo.gif" alt="', f.site.name, '"></a></td><td align="right"><span class="mainmenu">',
            menu, '</span></td></tr></table>\n<table width="100%"><tr>', columns, '</tr></table>\n', f.advert(),
            '<div align="center"><span class="copyright">', '<br>'.join(f.site.legal), '</span></div></body></html>\n']


def varied_post(t, code=0.05):
    """A post as paragraphs: of a word or of a page, some with a passage of another before them."""
    share = t.rng.random()
    if share < 0.35:
        return ['<p>', Gold(t.pick(ANSWERING) if share < 0.2 else t.rich(t.sentence())), '</p>']
    quote = ['<blockquote>\n<p>', Gold(t.sentence()), '</p>\n</blockquote>\n'] if t.chance(0.15) else ''
    return [quote, paragraphs(t, 1, 3 if share < 0.85 else 10, code=code)]


def unmarked(*parts):
    """The same pieces, none of which is main content."""
    return [str(piece) for piece in flatten(parts, [])]


def metadata(f, t, title, kind):
    """What the head says of the page by Open Graph and schema.org: on some sites both, on others nothing."""
    quote, description = title.replace('"', '&quot;'), t.sentence().replace('"', '&quot;')
    name = f.site.name.replace('"', '&quot;')
    said = {'@context': 'https://schema.org', '@type': kind, 'headline': html.unescape(title), 'datePublished': t.date(),
            'author': {'@type': 'Person', 'name': t.user()}, 'publisher': {'name': html.unescape(f.site.name)}}
    return ['<meta property="og:type" content="%s"><meta property="og:title" content="%s"><meta property="og:site_name" '
            'content="%s"><meta property="og:description" content="%s"><meta name="twitter:card" content="summary">\n'
            % ('website' if kind in ('QAPage', 'WebPage') else 'article', quote, name,
            description) if f.site.option[4] else '',
            '<script type="application/ld+json">%s</script>\n' % json.dumps(said).replace('<', '\\u003c')
            if f.site.option[5] else '']


def document(f, title, head, *body):
    """A whole page whose surroundings are those of its platform, not Frame.page's."""
    cookies = f.div('cookie-banner', '<p>%s</p><button>Accept all</button> <button>Manage</button>' % f.site.cookies) \
        if f.site.cookies else ''
    return ['<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>', title, '</title>\n', head,
        '</head>\n<body>\n',
            body, cookies, '</body></html>\n']
