"""Templates of posts of blogs and magazines, with the comments of readers."""
from page_parts import paragraphs, reader_comments, table_page, tags
from page_words import ANSWERING, Gold


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


def typepad(f, t):
    title = t.title()
    comments = [f.div('comment', f.div('comment-content', '<p>%s</p>' % (
        t.pick(ANSWERING) if t.chance(0.3) else t.paragraph(1, 4))), f.div(
            'comment-footer', 'Posted by: <a>%s</a> | <a>%s</a>' % (t.user(), t.date())))
                for _ in range(t.pick((0, 1, 3, 8, 25)))]
    return f.page(title, '<p class="content-nav"><a>« %s</a> | <a>Main</a> | <a>%s »</a></p>' % (t.title(), t.title()),
                  '<h2 class="date-header">%s</h2>' % t.date(), f.div(
                      'entry', '<h3 class="entry-header">%s</h3>' % title, f.div(
                          'entry-content', f.div('entry-body', paragraphs(t, 1, t.pick((2, 5, 10))))), f.div(
                              'entry-footer', '<p>Posted by <a>%s</a> on %s in <a>%s</a> | <a>Permalink</a></p>'
                              % (t.user(), t.date(), t.title(1, 1)))),
                  f.div('trackbacks', '<h3>TrackBack</h3><p>Listed below are links to weblogs that reference this post.</p>'),
                  f.div('comments', '<h3>Comments</h3>', comments, f.div(
                      'comments-open-content', '<p>The comments to this entry are closed.</p>')))


def livejournal(f, t):
    """An entry in a table; below it comments in tables that a picture moves to the right."""
    title = t.title()
    body = [Gold('<br><br>\n'.join(t.rich(t.paragraph()) for _ in range(t.rng.randint(1, 8))))]
    rows = [['<table class="talk-comment"><tr><td><img src="dot.gif" width="%d"></td><td>' % (25 * t.rng.randrange(6)),
             f.div('comment-head', '<b>%s</b><br><a>%s</a><br>%s' % (t.title(1, 3), t.user(), t.date())), f.div(
                 'comment-text', t.pick(ANSWERING) if t.chance(0.4) else t.paragraph(1, 4)),
             '<p>(<a>Reply</a>) (<a>Thread</a>)</p></td></tr></table>\n'] for _ in range(t.pick((0, 1, 3, 8, 30)))]
    page = f.page if f.site.option[1] else lambda *parts: table_page(f, t, *parts)
    return page(title, f.div('entry-wrap', '<table width="100%"><tr><td>', f.div(
        'entry-poster', '<b><a>%s</a></b> (<a>%s</a>) wrote,<br>@ %s' % (t.user(), t.user(), t.date())), f.div(
            'subject', title), f.div('entry-text', body), f.div('entry-currents', '<b>Current Mood:</b> %s' % t.title(1, 1)),
        '</td></tr></table>'), f.div('talk-links', '(<a>%d comments</a>) (<a>Leave a comment</a>)' % len(rows)), rows)


def ghost(f, t):
    title = t.title()
    cards = [['<article class="post-card"><a><h2 class="post-card-title">%s</h2></a><div class="post-card-excerpt">%s</div>'
              '</article>' % (t.title(), t.sentence())] for _ in range(t.rng.randint(2, 4))]
    return f.page(title, '<article class="gh-article post">', f.div(
        'gh-article-header', ''.join(tags(t, '<a class="gh-article-tag">%s</a>', 1)), '<h1 class="gh-article-title">%s</h1>'
        % title, f.div('gh-article-meta', '<h4><a>%s</a></h4><time>%s</time> — %d min read'
                       % (t.user(), t.date(), t.rng.randint(2, 9)))),
        '<section class="%s">' % f.site.name_of('gh-content gh-canvas'), paragraphs(t, 2, 14, code=0.1), '</section>',
        '</article>', f.div('gh-subscribe', '<h3>Sign up for more like this.</h3><button>Subscribe</button>'),
        reader_comments(f, t, 12) if f.site.option[2] else '', f.div('read-more', cards))


PLATFORMS = {
    'wordpress': ('article', wordpress), 'blogger': ('article', blogger), 'drupal': ('article', drupal),
    'magazine': ('article', magazine), 'typepad': ('article', typepad), 'livejournal': ('article', livejournal),
    'ghost': ('article', ghost),
}
