"""Templates of posts of blogs of their writers' own, made by generators or older programs, with comments."""
from article_parts import essay, reader_count, said, said_plainly, threaded
from page_parts import document, metadata, table_page, tags
from page_words import Gold


def disqus(f, t):
    def post(level, below):
        return ['<li class="post"><div class="post-content"><header class="post-byline"><span class="author">%s</span> <span>'
            '%s</span></header><div class="post-body-inner"><div class="post-message">' % (t.user(), t.date()), said(t),
            '</div></div><footer><ul><li>%d</li><li>Reply</li><li>Share ›</li></ul></footer></div><ul class="children">'
            % t.rng.randrange(20), below, '</ul></li>\n']

    posts = threaded(t, post)
    return ['<div id="disqus_thread"><nav><ul><li>%d comments</li><li>Login</li></ul></nav><ul id="post-list" '
        'class="post-list">' % len(posts), posts, '</ul><a>Powered by Disqus</a></div>']


def isso(f, t):
    def comment(level, below):
        return ['<div class="isso-comment"><div class="isso-text-wrapper"><div class="isso-comment-header"><span '
            'class="isso-author">%s</span> • <a>%s</a></div><div class="isso-text">' % (t.user(), t.date()), said(t),
            '</div><div class="isso-comment-footer"><a>Reply</a></div></div><div class="isso-follow-up">', below,
            '</div></div>\n']

    return ['<section id="isso-thread"><h4 class="isso-thread-heading">Comments</h4><div class="isso-postbox"><button>'
        'Submit</button></div><div id="isso-root">', threaded(t, comment), '</div></section>']


def utterances(f, t):
    posts = [['<article class="timeline-comment"><div class="comment"><header class="comment-header"><strong><a>%s</a>'
        '</strong> commented <a>%s</a></header><div class="markdown-body">' % (t.user(), t.date()), said(t),
        '</div></div></article>\n'] for _ in range(reader_count(t))]
    return ['<main class="timeline"><h1>%d Comments - powered by utteranc.es</h1>' % len(posts), posts,
        '<p>Sign in to comment</p></main>']


def static_blog(f, t):
    title = t.title()
    contents = ['<div class="toc"><details open><summary>Table of Contents</summary><nav><ul>', ['<li><a>%s</a></li>'
        % t.title() for _ in range(t.rng.randint(3, 9))], '</ul></nav></details></div>'] if f.site.option[0] else ''
    service = (utterances if f.site.option[3] else isso) if f.site.option[2] else disqus
    said_below = service(f, t) if t.chance(0.8) else ''
    item = ' itemprop="articleBody"' if f.site.option[3] else ''
    text = essay(f, t, heading='<h2 id="s">%s<a hidden class="anchor" aria-hidden="true">#</a></h2>\n' if f.site.option[3]
        else '<h2>%s</h2>\n', code=0.15)
    header = ['<header class="post-header"><h1 class="post-title">%s</h1><div class="post-meta"><time>%s</time> · %d min · '
        '%s</div></header>' % (title, t.date(), t.rng.randint(1, 20), t.user())]
    top = ['<header class="header"><nav class="nav"><div class="logo"><a>%s</a></div><ul id="menu">' % f.site.name,
        ['<li><a>%s</a></li>' % m for m in f.site.menu[:5]], '</ul></nav></header>']
    bottom = ['<footer class="post-footer"><ul class="post-tags">', tags(t, '<li><a>%s</a></li>'),
        '</ul><nav class="paginav"><a>« Prev<br>%s</a><a>Next »<br>%s</a></nav></footer>' % (t.title(), t.title())]
    return document(f, title, metadata(f, t, title, 'BlogPosting'), top, '<main class="main"><article class="post-single">',
        header, contents, '<div class="%s"%s>' % (f.site.name_of('post-content'), item), text, '</div>', bottom, said_below,
        '</article></main>', '<footer class="footer"><span>© %s</span> <span>Powered by Hugo</span></footer>' % f.site.name)


def movable_type(f, t):
    """Comments under a plain heading, those of Textpattern in a list without names of classes."""
    title = t.title()
    if f.site.option[0]:
        comments = [['<li id="c%06d">' % t.rng.randrange(99999), said(t), '<p>— <a>%s</a> · %s · <a>#</a></p></li>\n'
            % (t.user(), t.date())] for _ in range(reader_count(t))]
        return f.page(title, '<h1>%s</h1><p class="published">%s</p>\n' % (title, t.date()), essay(f, t),
            '<p class="author">— <a>%s</a></p><hr>' % t.user(), '<p class="tags">', tags(t, '<a>%s</a>, '),
            '</p><p><a>%s</a> <a>%s</a></p>' % (t.title(), t.title()), '<h2 id="comment">Comment</h2>',
            ['<ol class="comments">', comments, '</ol>'] if comments else '', '<p>Commenting is closed for this article.</p>',
            head=metadata(f, t, title, 'BlogPosting'))
    rows = [f.div('comment', '<div class="inner"><div class="comment-header"><div class="asset-meta"><span class="byline">'
        '<span class="vcard author">%s</span> said:</span></div></div>' % t.user(), f.div('comment-content', said(t)),
        '<div class="comment-footer"><a>%s</a> | <a>Reply</a></div></div>' % t.date()) for _ in range(reader_count(t))]
    more = f.div('asset-more', essay(f, t, most=15)) if f.site.option[1] else ''
    return f.page(title, f.div('entry-asset asset hentry', f.div('asset-header', '<h2 class="asset-name entry-title">%s</h2>'
        % title, '<div class="asset-meta">By <a>%s</a> on <abbr>%s</abbr> | <a>Comments (%d)</a></div>' % (t.user(), t.date(),
            len(rows))), f.div('asset-content entry-content', f.div('asset-body', essay(f, t)), more), f.div('asset-footer',
                '<h4>Categories</h4><ul>%s</ul>' % ''.join(tags(t, '<li>%s</li>')))), f.div('trackbacks',
                    '<h2>No TrackBacks</h2><p>TrackBack URL: http://example.org/tb/%d</p>' % t.rng.randrange(999))
        if f.site.option[2] else '', '<div id="comments"><h2>%d Comments</h2>' % len(rows), rows, '</div>',
        f.div('comments-open', '<h2>Leave a comment</h2><input>'), head=metadata(f, t, title, 'BlogPosting'))


def serendipity(f, t):
    """Two programs of one time: comments in divisions with their source below, or in a list of terms."""
    title = t.title()
    if f.site.option[0]:
        comments = [['<dt id="c%d" class="comment-info%s"><a>%d.</a> On %s, %s by <a>%s</a></dt><dd%s>'
            % (t.rng.randrange(999), ' me' * t.chance(0.2), i + 1, t.date(), t.date(), t.user(), ' class="odd"' * (i % 2)),
            said(t), '</dd>\n'] for i in range(reader_count(t))]
        excerpt = f.div('post-excerpt', ['<p>', Gold(t.paragraph(1, 3)), '</p>']) if t.chance(0.4) else ''
        page = f.page if f.site.option[1] else lambda *parts: table_page(f, t, *parts)
        return page(title, f.div('post', '<p class="day-date">%s</p><h2 class="post-title">%s</h2><p class="post-info">By %s '
            'on %s - <a>%s</a></p>' % (t.date(), title, t.user(), t.date(), t.title(1, 1)), excerpt, f.div('post-content',
                essay(f, t)), '<ul class="post-tags">', tags(t, '<li>%s</li>'), '</ul>'), '<div id="comments"><h3>'
            'Comments</h3><dl>', comments, '</dl></div><form id="comment-form"><h3>Add a comment</h3><p>HTML code is '
            'displayed as text.</p></form>')
    rows = [f.div('serendipity_comment', f.div('serendipity_commentBody', said_plainly(t)),
        '<div class="serendipity_comment_source"><a>#%d</a> <a>%s</a> on <span>%s</span> (<a>Reply</a>)</div>' % (i + 1,
            t.user(), t.date())) for i in range(reader_count(t))]
    tracks = [f.div('serendipity_comment', '<a>%s</a><div>%s [...]</div>' % (t.title(), t.sentence()))
        for _ in range(t.pick((0, 0, 1, 3)))]
    return f.page(title, f.div('serendipity_Entry_Date', '<h3 class="serendipity_date">%s</h3><h4 class="serendipity_title">'
        '<a>%s</a></h4>' % (t.date(), title), f.div('serendipity_entry', f.div('serendipity_entry_body', essay(f, t)),
            f.div('serendipity_entryFooter', 'Posted by <a>%s</a> in <a>%s</a> at <a>%s</a> | Comments (%d) | Trackbacks (%d)'
                % (t.user(), t.title(1, 1), t.date(), len(rows), len(tracks))))), f.div('serendipity_comments',
                    '<a name="trackbacks"></a><div class="serendipity_commentsTitle">Trackbacks</div>',
                    tracks or '<div class="serendipity_center">No Trackbacks</div>', '<div class="serendipity_commentsTitle">'
                    'Comments</div><div>Display comments as (Linear | <a>Threaded</a>)</div>',
                    rows or '<div class="serendipity_center">No comments</div>', '<div class="serendipity_commentsTitle">Add '
                    'Comment</div>'), head=metadata(f, t, title, 'BlogPosting'))


PLATFORMS = {
    'static-blog': ('article', static_blog), 'movable-type': ('article', movable_type),
    'serendipity': ('article', serendipity),
}
