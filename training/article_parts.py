"""Texts of posts and what readers said of them, for the templates of blogs and magazines."""
from page_parts import unmarked, varied_post
from page_words import ANSWERING, Gold


def figure(f, t):
    """A picture; its caption is frame."""
    caption = '<figcaption>%s</figcaption>' % t.sentence() if t.chance(0.7) else ''
    return '<figure><img src="/i/%d.jpg" alt="%s">%s</figure>\n' % (t.rng.randrange(9999), t.title().replace('"', ''),
        caption)


def essay(f, t, paragraph='<p>%s</p>\n', heading='<h2>%s</h2>\n', figure=figure, between=(), code=0.0, most=25, longest=5):
    """The text of a post of 2 to MOST paragraphs: with headings, lists, passages of others and figures.

    PARAGRAPH and HEADING are the markup around theirs; of BETWEEN are the parts of the frame that stand
    among the paragraphs.
    """
    def within(markup, text):
        before, after = markup.split('%s')
        return [before, Gold(text), after]

    count = t.rng.randint(2, t.pick((4, 8, 14, most)))
    headed, listed, shown, quoting = (t.chance(share) for share in (0.5, 0.4, 0.5, 0.4))
    out = [figure(f, t)] if shown and t.chance(0.5) else []
    for i in range(count):
        if headed and i and t.chance(0.25):
            out += within(heading, t.title(2, 8))
        out += within(paragraph, t.rich(t.paragraph(1, t.rng.randint(1, longest))))
        if listed and t.chance(0.15):
            tag, long = t.pick(('ul', 'ul', 'ol')), t.chance(0.4)
            out += ['<%s>\n' % tag, [['<li>', Gold(t.rich(t.sentence()) if long else t.title(1, 8)), '</li>\n']
                for _ in range(t.rng.randint(2, 8))], '</%s>\n' % tag]
        if quoting and t.chance(0.12):
            out += ['<blockquote>', within(paragraph, t.paragraph(1, 2)), '</blockquote>\n']
        if t.chance(code):
            out += ['<div class="highlight"><pre tabindex="0"><code>', Gold(t.code()), '</code></pre></div>\n']
        if shown and t.chance(0.12):
            out.append(figure(f, t))
        if between and t.chance(0.12):
            out.append(t.pick(between)(f, t))
    return out


def reader_count(t):
    return t.pick((0, 0, 1, 3, 6, 12, t.rng.randint(10, 50)))


def said(t):
    """What a reader said, of a word or of a page: frame."""
    return unmarked(varied_post(t))


def said_plainly(t):
    return t.pick(ANSWERING) if t.chance(0.3) else '<br>\n<br>\n'.join(t.paragraph(1, 4) for _ in range(t.rng.randint(1, 3)))


def threaded(t, comment, deepest=3):
    """Comments of readers with answers: made by COMMENT of the level and what is below it."""
    def at(level):
        below = [at(level + 1) for _ in range(t.pick((0, 0, 0, 1, 2)) if level < deepest else 0)]
        return comment(level, below)

    return [at(0) for _ in range(reader_count(t))]
