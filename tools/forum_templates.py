"""Templates of platforms for tools/forum_pages.py: PLATFORMS {name: (kind, function of frame and text)}.

Names and nesting of elements are those the platforms print, as far as they say what a part of a page
is; each site of a platform may rename them. Pieces in Gold are main content.
"""
from forum_pages import ANSWERING, ASKING, RANKS, SIGNATURES, Gold


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


def card(f, t, name):
    """Who wrote a post."""
    facts = ['<dd>Posts: %d</dd>' % t.rng.randrange(5000), '<dd>Joined: %s</dd>' % t.date(),
             '<dd>Location: %s</dd>' % t.title(1, 2)]
    return f.div(name, '<a href="/u">%s</a>' % t.user(), '<span>%s</span>' % t.pick(RANKS),
                 '<dl>', t.rng.sample(facts, t.rng.randint(0, 3)), '</dl>')


def signature(f, t, name='signature'):
    return f.div(name, t.pick(SIGNATURES)) if t.chance(0.3) else ''


def phpbb(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        quote = ['<blockquote><div><cite>%s wrote:</cite>' % t.user(), Gold(t.sentence()), '</div></blockquote>'] \
            if i and t.chance(0.25) else ''
        posts.append(f.div('post has-profile', '<div class="inner">', card(f, t, 'postprofile'), f.div(
            'postbody', '<h3><a href="#p%d">%s%s</a></h3>' % (i, 'Re: ' if i else '', title),
            '<p class="author">by <strong>%s</strong> » %s</p>' % (t.user(), t.date()),
            f.div('content', quote, lines(t)), signature(f, t)),
            '</div><div class="back2top"><a href="#top">Top</a></div>'))
    return f.page(title, '<h2 class="topic-title"><a href="#">', Gold(title), '</a></h2>', f.pager(), posts, f.advert(),
                  f.div('stat-block', '<h3>Who is online</h3><p>Users browsing this forum: No registered users and %d '
                        'guests</p>' % t.rng.randint(1, 40)))


def vbulletin(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        posts.append(['<li class="%s" id="post_%d">' % (f.site.name_of('postbitlegacy'), i),
                      f.div('posthead', '<span>%s</span><a>#%d</a>' % (t.date(), i + 1)),
                      f.div('postdetails', card(f, t, 'userinfo'), f.div(
                          'postbody', '<h2 class="title icon">%s</h2>' % t.title(2, 4) if t.chance(0.2) else '',
                          '<div class="content"><blockquote class="postcontent restore">', lines(t),
                          '</blockquote></div>', signature(f, t, 'signaturecontainer'))),
                      f.div('postfoot', '<a>Reply</a> <a>Reply With Quote</a> <a>Multi-Quote</a>'), '</li>\n'])
    return f.page(title, '<h1>Thread: <span class="threadtitle"><a>', Gold(title), '</a></span></h1>', f.pager(),
                  '<ol id="posts" class="posts">', posts, '</ol>', f.div(
                      'navlinks', '<a>Quick Navigation</a> <a>Top</a>', f.links(5)),
                  f.div('posting_permissions', '<h4>Posting Permissions</h4><ul><li>You may not post new threads</li>'
                        '<li>You may not post replies</li></ul>'))


def smf(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        body = f.div('post', f.div('inner', lines(t)))
        key = '<h5><a>%s%s</a></h5><div class="smalltext">« Reply #%d on: %s »</div>' \
            % ('Re: ' if i else '', title, i, t.date())
        if f.site.option[0]:  # the older layout of tables
            posts.append(['<table width="100%"><tr><td width="16%" valign="top">', card(f, t, 'poster'), '</td><td>', key,
                          body, signature(f, t), '<small>Logged</small></td></tr></table>'])
        else:
            posts.append(f.div('windowbg', f.div('post_wrapper', card(f, t, 'poster'), f.div(
                'postarea', key, body), f.div('moderatorbar', 'Logged', signature(f, t)))))
    return f.page(title, f.div('cat_bar', '<h3 class="catbg">Topic: ', Gold(title), ' (Read %d times)</h3>'
                               % t.rng.randrange(90000)), '<form id="quickModForm">', posts, '</form>', f.pager())


def discourse(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        body = f.div('cooked', plain_post(t) if i else paragraphs(t, 1, 5, code=0.2))
        posts.append(['<article id="post_%d" class="boxed">' % (i + 1),
                      f.div('topic-meta-data', '<span class="names"><a>%s</a></span> <time>%s</time>' % (t.user(), t.date())),
                      body, f.div('post-controls', '<span>%d Likes</span> <a>Reply</a>' % t.rng.randrange(30)), '</article>'])
    suggested = f.div('suggested-topics', '<h3>Suggested Topics</h3><table>', [
        '<tr><td><a>%s</a></td><td>%d</td><td>%s</td></tr>' % (t.title(), t.rng.randrange(90), t.date())
        for _ in range(t.rng.randint(3, 6))], '</table>')
    return f.page(title, '<h1 class="fancy-title"><a>', Gold(title), '</a></h1>',
                  f.div('topic-category', '<a>%s</a>' % t.title(1, 2)), f.div('posts-wrapper', posts), f.div(
                      'topic-map', '<li>created <b>%s</b></li><li>%d replies</li>' % (t.date(), len(posts))), suggested)


def xenforo(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        quote = ['<blockquote class="bbCodeBlock"><div><a>%s said:</a></div><div>' % t.user(), Gold(t.sentence()),
                 '</div></blockquote>'] if i and t.chance(0.3) else ''
        posts.append(['<article class="%s">' % f.site.name_of('message message--post'), f.div(
            'message-cell--user', card(f, t, 'message-user')), f.div(
                'message-cell--main', '<header><a><time>%s</time></a><a>#%d</a></header>' % (t.date(), i + 1),
                '<div class="bbWrapper">', quote, lines(t), '</div>', signature(f, t, 'message-signature'),
                '<footer><a>Like</a> <a>Reply</a> <a>Report</a></footer>'), '</article>\n'])
    return f.page(title, f.div('p-title', '<h1>', Gold(title), '</h1>'), f.div(
        'p-description', 'Thread starter <a>%s</a> Start date <time>%s</time>' % (t.user(), t.date())), f.pager(), posts)


def question_and_answers(f, t):
    title = t.title(5, 10) + '?'

    def comments():
        rows = [['<li class="comment"><span class="comment-copy">',
                 Gold(t.rich(t.sentence()) if t.chance(0.6) else t.pick(ANSWERING)),
                 '</span> – <a class="comment-user">%s</a> <span>%s</span></li>' % (t.user(), t.date())]
                for _ in range(t.pick((0, 0, 1, 2, 4, t.rng.randint(3, 12))))]
        return f.div('comments', '<ul>', rows, '</ul>', '<a>Add a comment</a>')

    def post(name):
        votes = f.div('votecell', '<button>▲</button><div>%d</div><button>▼</button>' % t.rng.randint(-2, 300))
        signed = f.div('post-signature', 'answered %s <a>%s</a> <span>%d</span>' % (t.date(), t.user(), t.rng.randrange(9999)))
        body = f.div('post-text', paragraphs(t, 1, 4, code=0.35),
                     ['<p>', Gold(t.pick(ASKING)), '</p>'] if name == 'question' else '')
        menu = f.div('post-menu', '<a>share</a> <a>edit</a> <a>follow</a>')
        return f.div(name, votes, f.div('postcell', body, menu, signed), comments())

    answers = [post('answer') for _ in range(t.pick((0, 1, 1, 2, 3, 6)))]
    return f.page(title, f.div('question-header', '<h1><a>', Gold(title), '</a></h1>'), f.div(
        'question-stats', 'Asked %s Viewed %d times' % (t.date(), t.rng.randrange(99999))), post('question'),
        f.div('post-taglist', ['<a class="post-tag">%s</a> ' % t.user() for _ in range(3)]),
        '<h2>%d Answers</h2>' % len(answers), answers, f.div(
            'your-answer', '<h2>Your Answer</h2><p>By posting you agree to the terms.</p>'))


def mediawiki_talk(f, t):
    title = 'Talk:' + t.title(1, 3)
    out = []
    for number in range(t.rng.randint(1, 6)):
        out += ['<h2><span class="mw-headline" id="s%d">' % number, Gold(t.title(2, 5)), '</span>',
                '<span class="mw-editsection">[<a>edit</a>]</span></h2>']
        for level in range(t.rng.randint(1, 5)):
            signed = ' <a>%s</a> (<a>talk</a>) %s (UTC)' % (t.user(), t.date())
            out += ['<dl><dd>' * level, '' if level else '<p>', Gold(t.rich(t.paragraph(1, 3)) + signed),
                    '' if level else '</p>', '</dd></dl>' * level]
    tools = f.div('mw-panel', '<h3>Tools</h3><ul><li>What links here</li><li>Related changes</li></ul>')
    return f.page(title, '<h1 id="firstHeading">', Gold(title), '</h1>', f.div('mw-jump', 'Jump to navigation'),
                  '<div id="mw-content-text"><div class="mw-parser-output">', out, '</div></div>', tools,
                  f.div('catlinks', '<a>Categories</a>: <a>%s</a>' % t.title(1, 2)))


def table_threads(f, t):
    """A list of links with nested comments in tables."""
    title = t.title()
    rows = []
    for _ in range(1 + count_of(t, 30)):
        paragraph = t.rng.randint(1, 3)
        text = ['<span class="commtext c00">', Gold(t.pick(ANSWERING) if t.chance(0.2) else t.rich(t.paragraph(1, 4))),
                [['<p>', Gold(t.rich(t.paragraph(1, 3))), '</p>'] for _ in range(paragraph - 1)], '</span>']
        rows.append(['<tr class="athing comtr"><td><table><tr><td class="ind"><img width="%d"></td><td class="default">'
                     % (40 * t.rng.randrange(5)), '<span class="comhead"><a>%s</a> %s | <a>parent</a> <a>[–]</a></span><br>'
                     % (t.user(), t.date()), f.div('comment', text), '<div class="reply"><u><a>reply</a></u></div>',
                     '</td></tr></table></td></tr>\n'])
    return f.page(title, '<table class="fatitem"><tr><td class="title"><a class="titlelink">', Gold(title),
                  '</a> <span class="sitebit">(example.org)</span></td></tr><tr><td class="subtext">%d points by <a>%s</a> '
                  '%s | <a>hide</a> | <a>%d comments</a></td></tr></table>'
                  % (t.rng.randrange(900), t.user(), t.date(), len(rows)), '<table class="comment-tree">', rows, '</table>')


def link_board(f, t):
    """Nested comments in divisions under a link or a text."""
    title = t.title()

    def comment(level):
        replies = [comment(level + 1) for _ in range(t.pick((0, 0, 1, 2)) if level < 4 else 0)]
        return f.div('thing comment', '<div class="midcol">▲▼</div>', f.div(
            'entry', '<p class="tagline"><a>[–]</a> <a class="author">%s</a> <span>%d points</span> %s</p>'
            % (t.user(), t.rng.randrange(500), t.date()), f.div('usertext-body', '<div class="md">', plain_post(t), '</div>'),
            '<ul class="flat-list buttons"><li>permalink</li><li>embed</li><li>save</li></ul>'),
            f.div('child', replies) if replies else '')

    head = f.div('thing link', '<p class="title"><a>', Gold(title), '</a></p><p class="tagline">submitted %s by <a>%s</a></p>'
                 % (t.date(), t.user()), f.div('expando', paragraphs(t, 1, 3)) if t.chance(0.6) else '')
    return f.page(title, head, f.div('commentarea', '<div>all %d comments</div>' % t.rng.randrange(200),
                                     [comment(0) for _ in range(1 + count_of(t, 10))]))


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


def pipermail(f, t):
    title = '[%s] %s' % (f.site.theme, t.title())
    sort = '<li>Previous message: <a>%s</a></li><li>Next message: <a>%s</a></li><li><b>Messages sorted by:</b> <a>[ date ]' \
        '</a> <a>[ thread ]</a> <a>[ subject ]</a> <a>[ author ]</a></li>' % (t.title(), t.title())
    return ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">\n<HTML><HEAD><TITLE>', title, '</TITLE></HEAD><BODY>',
            '<H1>', Gold(title), '</H1><B>%s</B> <A>%s at example.org</A><BR><I>%s</I><P><UL>' % (t.user(), t.user(), t.date()),
            sort, '</UL><HR><!--beginarticle--><PRE>', Gold(message_lines(t)), '</PRE><!--endarticle--><HR><P><UL>', sort,
            '</UL><hr><a href="#">More information about the %s mailing list</a><br></body></html>' % f.site.theme]


def mhonarc(f, t):
    title = t.title()
    links = '<li>[<a>Date Prev</a>][<a>Date Next</a>] [<a>Thread Prev</a>][<a>Thread Next</a>] [<a>Date Index</a>]</li>'
    fields = '<ul><li><em>To</em>: %s@example.org</li><li><em>From</em>: %s</li><li><em>Date</em>: %s</li></ul>' \
        % (t.user(), t.user(), t.date())
    body = ['<pre>', Gold(message_lines(t)), '</pre>'] if f.site.option[1] else paragraphs(t, 1, 6)
    follow = ['<h3>Follow-Ups:</h3>', f.links(t.rng.randint(1, 4))] if t.chance(0.5) else ''
    return ['<html><head><title>', title, '</title></head><body><!--X-Body-Begin-->', f.div('navbar', links), '<hr><h1>',
            Gold(title), '</h1><hr>', fields, '<hr>', f.div('msgbody', body) if f.site.option[2] else body, '<hr>', follow,
            f.div('botnav', 'Prev by Date: <a>%s</a> Next by thread: <a>%s</a>' % (t.title(), t.title())), '</body></html>']


def hyperkitty(f, t):
    title = t.title()
    mails = []
    for i in range(1 + count_of(t, 12)):
        quote = [f.div('quoted-switch', '<a>...</a>'), f.div('quoted-text', Gold(t.paragraph(1, 3)))] \
            if i and t.chance(0.5) else ''
        mails.append(f.div('email', f.div('email-header', '<a>%s</a> <span>%s</span>' % (t.user(), t.date())),
                           f.div('email-body', quote, paragraphs(t, 1, 4)),
                           f.div('email-info', '<a>0</a> <a>0</a> <a>Reply</a>')))
    return f.page(title, f.div('thread-header', '<h3>', Gold(title), '</h3>'), mails, f.div(
        'thread-info', '%d participants' % t.rng.randint(1, 9), '<p>Add to favorites</p>', f.links(3)))


def reader_comments(f, t, most=30):
    """Comments of readers under a post: frame."""
    count = t.pick((0, 1, 3, 8, most))
    rows = ['<li class="comment">', '<cite>%s</cite> says: <a>%s</a>']
    made = [[rows[0], rows[1] % (t.user(), t.date()), f.div(
        'comment-content', '<p>%s</p>' % (t.pick(ANSWERING) if t.chance(0.4) else t.paragraph(1, 4))),
        '<a class="comment-reply-link">Reply</a></li>\n'] for _ in range(count)]
    return f.div('comments-area', '<h3>%d Responses</h3>' % count, '<ol class="commentlist">', made, '</ol>', f.div(
        'comment-respond', '<h3>Leave a Reply</h3><p>Your email address will not be published.</p>'))


def wordpress(f, t):
    title = t.title()
    return f.page(title, '<article class="%s">' % f.site.name_of('post type-post hentry'), f.div(
        'entry-header', '<h1 class="entry-title">%s</h1>' % title, f.div(
            'entry-meta', 'Posted on <time>%s</time> by <a>%s</a>' % (t.date(), t.user()))), f.div(
                'entry-content', paragraphs(t, 1, t.pick((1, 4, 12))), f.share(), f.advert()), f.div(
                    'entry-footer', 'Posted in <a>%s</a> | Tagged <a>%s</a>' % (t.title(1, 2), t.title(1, 2))),
        '</article>', f.div('post-navigation', '← <a>%s</a> <a>%s</a> →' % (t.title(), t.title())), reader_comments(f, t))


def blogger(f, t):
    title = t.title()
    body = [Gold('<br><br>\n'.join(t.rich(t.paragraph()) for _ in range(t.rng.randint(1, 8))))] if f.site.option[3] \
        else paragraphs(t, 1, 8, 'div')
    return f.page(title, '<h2 class="date-header"><span>%s</span></h2>' % t.date(), f.div(
        'post hentry', '<h3 class="post-title entry-title">%s</h3>' % title, f.div('post-body entry-content', body), f.div(
            'post-footer', 'Posted by <a>%s</a> at %s Labels: <a>%s</a>' % (t.user(), t.date(), t.title(1, 1)))),
        reader_comments(f, t), f.div('blog-pager', '<a>Newer Post</a> <a>Home</a> <a>Older Post</a>'))


def drupal(f, t):
    title = t.title()
    return f.page(title, '<h1 class="page-title">%s</h1>' % title, f.div('tabs', '<a>View</a> <a>Revisions</a>'), f.div(
        'node node-article', f.div('submitted', 'Submitted by %s on %s' % (t.user(), t.date())), f.div(
            'field-name-body', f.div('field-items', f.div('field-item even', paragraphs(t, 1, 8)))), f.div(
                'field-name-field-tags', ['<a>%s</a> ' % t.title(1, 2) for _ in range(3)]), f.div(
                    'links inline', '<a>Log in</a> or <a>register</a> to post comments')), reader_comments(f, t))


def magazine(f, t):
    title = t.title()
    return f.page(title, '<article><header><h1>%s</h1><p class="byline">By %s, %s · %d min read</p></header>'
                  % (title, t.user(), t.date(), t.rng.randint(2, 12)), '<section>', paragraphs(t, 3, 14), '</section>',
                  f.share(), f.div('author-card', '<h4>Written by %s</h4><p>%s</p><button>Follow</button>'
                                   % (t.user(), t.sentence())), '</article>', f.div(
                      'read-next', '<h4>Read next</h4>', [
                          f.div('story-card', '<h5>%s</h5><p>%s</p>' % (t.title(), t.sentence()))
                          for _ in range(t.rng.randint(2, 5))]), reader_comments(f, t, 12))


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


def woocommerce(f, t):
    title = t.title(2, 5)
    return f.page(title, f.div('product type-product', f.div(
        'summary entry-summary', '<h1 class="product_title">', Gold(title), '</h1><p class="price">', Gold(price(t)), '</p>',
        '<div class="short-description"><p>', Gold(t.sentence()), '</p></div>', '<form><button>Add to cart</button></form>',
        f.div('product_meta', 'SKU: %d Category: <a>%s</a>' % (t.rng.randrange(9999), t.title(1, 1)))), f.div(
            'woocommerce-tabs', '<ul><li>Description</li><li>Reviews</li></ul>', f.div(
                'tab-panel', paragraphs(t, 1, 4), '<table class="shop_attributes">', specification(t), '</table>'),
            reviews(f, t)), others(f, t)))


def storefront(f, t):
    title = t.title(2, 5)
    return f.page(title, '<section class="%s">' % f.site.name_of('product-main'), '<h1>', Gold(title), '</h1><div><span>',
                  Gold(price(t)), '</span><span>Tax included. Shipping calculated at checkout.</span></div>',
                  '<label>Quantity</label><button>Sold out</button>', f.div('product__description rte', paragraphs(t, 1, 5)),
                  '</section>', f.share(), reviews(f, t), others(f, t))


def catalogue(f, t):
    title = t.title(2, 6)
    rows = [['<dt>', Gold(t.title(1, 2)), '</dt><dd>', Gold(t.title(1, 4)), '</dd>'] for _ in range(t.rng.randint(2, 9))]
    return f.page(title, f.div('product-info-main', '<h1><span>', Gold(title), '</span></h1><div class="price-box">',
                               Gold(price(t)), '</div><div class="stock">In stock</div><button>Add to basket</button>'),
                  f.div('product data items', '<h2>Details</h2>', paragraphs(t, 1, 3), '<h2>More Information</h2><dl>', rows,
                        '</dl>'), others(f, t), reviews(f, t))


def entries(f, t, count, name, tag='div', more='Read more', heading='h2'):
    return [f.div(name, '<%s><a>' % heading, Gold(t.title()), '</a></%s>' % heading, '<span class="meta">%s</span>' % t.date(),
                  '<p>', Gold(t.paragraph(1, 2)), '</p>', '<a>%s</a>' % more if more else '', tag=tag)
            for _ in range(count)]


def blog_index(f, t):
    title = t.title(1, 3)
    return f.page(title, '<h1 class="archive-title">', Gold(title), '</h1>',
                  entries(f, t, t.rng.randint(3, 12), 'post hentry', 'article' if f.site.semantic else 'div'), f.pager())


def search_results(f, t):
    title = t.title(1, 3)
    return f.page(title, '<h1>', Gold('Results for ' + title), '</h1>', f.div(
        'facets', '<h4>Filter</h4>', f.links(6)), f.div('results', entries(
            f, t, t.rng.randint(5, 15), 'result', more='', heading='h3')), f.pager())


def classifieds(f, t):
    title = t.title(1, 3)
    rows = [['<tr><td><a>', Gold(t.title(2, 6)), '</a></td><td>', Gold(t.sentence()), '</td><td>', Gold(price(t)), '</td><td>',
             '<a>Contact seller</a></td></tr>\n'] for _ in range(t.rng.randint(5, 25))]
    return f.page(title, '<h1>', Gold(title), '</h1>', '<table class="listing">', rows, '</table>', f.pager())


def topic_list(f, t):
    title = t.title(1, 3)
    rows = [['<li class="row"><dl><dt>', Gold('<a class="topictitle">%s</a><br>by <a>%s</a> » %s'
                                              % (t.title(), t.user(), t.date())), '</dt><dd>%d Replies</dd><dd>%d Views</dd></dl></li>\n'
             % (t.rng.randrange(99), t.rng.randrange(9999))] for _ in range(t.rng.randint(8, 30))]
    return f.page(title, '<h2 class="forum-title">', Gold(title), '</h2>', f.pager(), f.div(
        'forumbg', '<ul class="topiclist topics">', rows, '</ul>'), f.div('permissions', '<h3>Forum permissions</h3>',
                                                                       '<p>You cannot post new topics</p>'))


PLATFORMS = {
    'phpbb': ('forum', phpbb), 'vbulletin': ('forum', vbulletin), 'smf': ('forum', smf), 'discourse': ('forum', discourse),
    'xenforo': ('forum', xenforo), 'question-and-answers': ('forum', question_and_answers),
    'mediawiki-talk': ('forum', mediawiki_talk), 'table-threads': ('forum', table_threads),
    'link-board': ('forum', link_board), 'pipermail': ('forum', pipermail), 'mhonarc': ('forum', mhonarc),
    'hyperkitty': ('forum', hyperkitty), 'wordpress': ('article', wordpress), 'blogger': ('article', blogger),
    'drupal': ('article', drupal), 'magazine': ('article', magazine), 'woocommerce': ('product', woocommerce),
    'storefront': ('product', storefront), 'catalogue': ('product', catalogue), 'blog-index': ('listing', blog_index),
    'search-results': ('listing', search_results), 'classifieds': ('listing', classifieds),
    'topic-list': ('listing', topic_list),
}
