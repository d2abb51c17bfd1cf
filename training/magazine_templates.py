"""Templates of posts of platforms of writers and of newspapers, with what readers answered."""
from article_parts import essay, figure, reader_count, said, said_plainly, threaded
from page_parts import document, metadata, tags
from page_words import Gold


def medium(f, t):
    """Classes of few letters say nothing; below the post responses, then posts of others."""
    title, author = t.title(), t.user().title()

    def picture(f, t):
        return '<figure class="ng nh ni paragraph-image"><div role="button"><img alt=""></div>%s</figure>\n' % ('<figcaption '
            'class="no np nq">%s</figcaption>' % t.sentence() if t.chance(0.6) else '')

    row = '<div class="ab q"><a>%s</a> · <button>Follow</button></div><div class="speechify-ignore"><span>%d min ' \
        'read</span> · <span>%s</span></div>' % (author, t.rng.randint(1, 20), t.date())
    bar = '<div class="speechify-ignore ab cp"><button>%d</button><button>%d</button><button>Listen</button><button>' \
        'Share</button></div>' % (t.rng.randrange(9000), t.rng.randrange(90))
    subtitle = '<h2 class="pw-subtitle-paragraph">%s</h2>' % t.sentence() if t.chance(0.5) else ''
    responses = [['<div class="qr"><div class="ab">%s</div><p>%s</p>' % (t.user(), t.date()), '<div class="pw-responses">'
        '<pre><div>', said_plainly(t), '</div></pre></div><button>%d</button><button>Reply</button></div>\n'
        % t.rng.randrange(99)] for _ in range(reader_count(t))]
    cards = ['<article class="bs"><p>In <a>%s</a> by <a>%s</a></p><a><h2>%s</h2><h3>%s</h3></a><span>%s</span> <button>'
        '%d</button></article>' % (t.title(1, 2), t.user(), t.title(), t.sentence(), t.date(), t.rng.randrange(900))
        for _ in range(t.rng.randint(2, 8))]
    body = essay(f, t, '<p class="pw-post-body-paragraph nb nc gn">%s</p>\n', '<h1 class="nw nx gn">%s</h1>\n', picture,
        code=0.05)
    about = '<div class="bh"><h2>Written by %s</h2><p>%d Followers</p><p>%s</p><button>Follow</button></div>' % (author,
        t.rng.randrange(9000), t.sentence())
    return document(f, title, metadata(f, t, title, 'NewsArticle'), '<div class="ab cn"><a>Open in app</a><a>Sign up</a><a>'
        'Sign in</a><a>Write</a></div>', '<article><div class="l"><section><div class="gn go"><h1 class="pw-post-title">'
        '%s</h1>' % title, subtitle, row, bar, body, '</div></section></div></article>', '<div class="ab">', tags(t,
            '<a>%s</a> ', 5), '</div>', bar, about, ['<div class="responses"><h2>Responses (%d)</h2><div>What are your '
                'thoughts?</div><button>Respond</button>' % len(responses), responses, '</div>']
        if responses or f.site.option[0] else '', '<div><h2>More from %s</h2>' % author, cards, '</div><footer><a>Help</a><a>'
        'Status</a><a>About</a><a>Careers</a></footer>')


def substack(f, t):
    title = t.title()

    def subscribe(f, t):
        return '<div class="subscription-widget-wrap"><div class="preamble"><p class="cta-caption">%s is read by people ' \
            'like you. To get new posts and support this work, become a subscriber.</p></div><form><input><button>' \
            'Subscribe</button></form></div>\n' % f.site.name

    def picture(f, t):
        return '<div class="captioned-image-container"><figure><a class="image-link"><img alt=""></a>%s</figure>' \
            '</div>\n' % ('<figcaption class="image-caption">%s</figcaption>' % t.sentence() if t.chance(0.6) else '')

    def button(f, t):
        return '<p class="button-wrapper"><a class="button primary"><span>Leave a comment</span></a></p>\n'

    def comment(level, below):
        return [f.div('comment', '<div class="comment-content"><div class="comment-meta"><a>%s</a> <a>%s</a></div>'
            % (t.user(), t.date()), f.div('comment-body', ['<p><span>', said_plainly(t), '</span></p>']),
            '<div class="comment-actions"><a>Like (%d)</a> <a>Reply</a> <a>Share</a></div></div>' % t.rng.randrange(99),
            f.div('comment-list', below) if below else '')]

    comments = threaded(t, comment)
    footnotes = [['<div class="footnote"><a class="footnote-number">%d</a><div class="footnote-content"><p>' % (i + 1),
        Gold(t.paragraph(1, 2)), '</p></div></div>\n'] for i in range(t.pick((0, 0, 0, 2)))]
    posts = ['<div class="post-preview"><a class="post-preview-title">%s</a><p>%s</p><span>%s</span></div>' % (t.title(),
        t.title(4, 9), t.date()) for _ in range(t.rng.randint(2, 6))]
    return document(f, title, metadata(f, t, title, 'NewsArticle'), f.div('topbar', '<h1><a>%s</a></h1><button>'
        'Subscribe</button><button>Sign in</button>' % f.site.name), '<article class="typography newsletter-post post">',
        f.div('post-header', '<h1 class="post-title">%s</h1>' % title, '<h3 class="subtitle">%s</h3>' % t.sentence()
            if t.chance(0.7) else '', '<div class="byline-wrapper"><a>%s</a><div>%s</div><a>%d</a><a>Share</a></div>'
            % (t.user(), t.date(), t.rng.randrange(99))), '<div class="available-content"><div class="%s">'
        % f.site.name_of('body markup'), essay(f, t, between=(subscribe, button), figure=picture,
            heading='<h3 class="header-anchor-post">%s</h3>\n'), footnotes, subscribe(f, t) if f.site.option[0] else '',
        '</div></div></article>', ['<div class="comments-section"><h4>Discussion about this post</h4>', f.div('comment-list',
            comments), '</div>'] if comments or f.site.option[1] else '', f.div('portable-archive', posts),
        '<div class="footer-wrap"><p>© 2024 %s</p><p>Ready for more?</p><button>Subscribe</button></div>' % f.site.name)


def squarespace(f, t):
    title = t.title()

    def picture(f, t):
        return '</div></div></div><div class="sqs-block image-block"><div class="sqs-block-content"><figure ' \
            'class="sqs-block-image-figure"><img alt="">%s</figure></div></div>\n<div class="sqs-block html-block"><div ' \
            'class="sqs-block-content"><div class="sqs-html-content">' % ('<figcaption class="image-caption-wrapper"><div '
                'class="image-caption"><p>%s</p></div></figcaption>' % t.sentence() if t.chance(0.6) else '')

    def comment(level, below):
        return [f.div('comment', '<div class="comment-header"><span class="author">%s</span> <span class="date">%s</span> · '
            '<span>%d Likes</span></div>' % (t.user(), t.date(), t.rng.randrange(9)), f.div('comment-body', said(t)),
            '<a>Reply</a>', below)]

    comments = threaded(t, comment, 2)
    text = essay(f, t, '<p class="" style="white-space:pre-wrap;">%s</p>\n', '<h3 style="white-space:pre-wrap;">%s</h3>\n',
        picture)
    return f.page(title, '<article class="entry hentry"><header><h1 class="entry-title" itemprop="headline">%s</h1><div '
        'class="blog-meta"><time>%s</time> <a>%s</a></div></header>' % (title, t.date(), t.user()), f.div('sqs-layout',
            '<div class="row sqs-row"><div class="col sqs-col-12"><div class="sqs-block html-block"><div '
            'class="sqs-block-content"><div class="sqs-html-content">', text, '</div></div></div></div></div>'),
        f.div('blog-item-tags', tags(t, '<a>%s</a> ')), '</article>', f.share(), f.div('squarespace-comments',
            '<div class="comments-header">Comments (%d)</div><div class="top-controls">Newest First</div><p>Preview Post '
            'Comment…</p>' % len(comments), f.div('comment-list', comments)) if comments or f.site.option[0] else '',
        '<section class="item-pagination"><a><h2>%s</h2></a><a><h2>%s</h2></a></section>' % (t.title(), t.title()),
        head=metadata(f, t, title, 'BlogPosting'))


READERS = (('discussion', 'contribution', 'contribution__text'), ('reactions', 'reaction', 'reaction-body'),
           ('reader-opinions', 'opinion', 'opinion-copy'), ('responses', 'response', 'response-content'))


def newspaper(f, t):
    """A report with what readers said of it; no name of a part holds the word comment."""
    title = t.title()
    word, entry, text = READERS[len(f.site.menu) % len(READERS)]  # one of a site

    def more(f, t):
        return t.pick(('<aside class="inline-related"><h4>Read more</h4><a>%s</a></aside>\n', '<p><b>Also read:</b> <a>%s</a>'
            '</p>\n', '<div class="newsletter-box"><h3>The morning in your inbox</h3><p>%s</p><button>Sign up</button>'
            '</div>\n', '<div class="ad"><span>Advertisement</span><a>%s</a></div>\n')) % t.title()

    def opinion(level, below):
        return ['<li>' if f.site.option[2] else '', f.div(entry, '<div class="%s-head"><b>%s</b> <span>%s</span></div>'
            % (entry, t.user(), t.date()), f.div(text, said(t)), '<div class="tools"><a>Recommend (%d)</a> <a>Answer</a> <a>'
            'Report</a></div>' % t.rng.randrange(200), below), '</li>' if f.site.option[2] else '']

    opinions = threaded(t, opinion, 1)
    most_read = ['<li><a>%s</a></li>' % t.title() for _ in range(5)]
    cards = [f.div('teaser', '<span class="kicker">%s</span><h3>%s</h3><p>%s</p>' % (t.title(1, 2), t.title(), t.sentence()))
        for _ in range(t.rng.randint(2, 8))]
    itemscope, itemprop = (' itemscope itemtype="https://schema.org/NewsArticle"', ' itemprop="articleBody"') \
        if f.site.option[3] else ('', '')
    header = ['<header><p class="kicker">%s</p><h1 class="headline">%s</h1><p class="standfirst">%s</p><p class="byline">By '
        '<a>%s</a> | %s</p></header>' % (t.title(1, 2), title, t.sentence(), t.user().title(), t.date()),
        figure(f, t) if t.chance(0.6) else '', f.share()]
    body = ['<div class="%s"%s>' % (f.site.name_of('article__body story-text'), itemprop), essay(f, t, between=(more,),
        heading='<h3 class="crosshead">%s</h3>\n', longest=2), '</div>']
    before, after = ('<ul>', '</ul>') if f.site.option[2] else ('', '')
    below = f.div(word, '<h2>%d %s</h2><p>You must be signed in to take part. Be polite.</p>' % (
        len(opinions), word.replace('-', ' ').title()), before, opinions, after) if opinions or t.chance(0.5) else ''
    return f.page(title, '<article class="story"%s>' % itemscope, header, body, f.div('story-topics', '<b>Topics:</b> ',
        tags(t, '<a>%s</a> ')), '</article>', f.div('most-read', '<h2>Most read</h2><ol>', most_read, '</ol>'), below,
        f.div('more-stories', cards), head=metadata(f, t, title, 'NewsArticle'))


PLATFORMS = {
    'medium': ('article', medium), 'substack': ('article', substack), 'squarespace': ('article', squarespace),
    'newspaper': ('article', newspaper),
}
