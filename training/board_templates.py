"""Templates of nested comments under links, and of questions and answers."""
from page_parts import count_of, paragraphs, plain_post, tags
from page_words import ANSWERING, ASKING, Gold


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


def replies_to(t, level, comment, deepest=5):
    """The comments below one of this level."""
    return [comment(level + 1) for _ in range(t.pick((0, 0, 1, 2)) if level < deepest else 0)]


def lobsters(f, t):
    title = t.title()

    def byline(last):
        return f.div('byline', '<a>%s</a> <span>%s</span> | <a>%s</a>' % (t.user(), t.date(), last))

    def comment(level):
        return ['<li class="comments_subtree">', f.div(
            'comment', f.div('voters', '<a class="upvoter"></a><div class="score">%d</div>' % t.rng.randrange(50)), f.div(
                'details', byline('link'), f.div('comment_text', plain_post(t, 0.2)))),
            '<ol class="comments">', replies_to(t, level, comment), '</ol></li>\n']

    text = f.div('story_content', f.div('story_text', paragraphs(t, 1, 4))) if t.chance(0.4) else ''
    comments = [comment(0) for _ in range(1 + count_of(t, 10))]
    return f.page(title, '<ol class="stories list"><li class="story">', f.div('voters', '<div class="score">%d</div>'
                                                                            % t.rng.randrange(90)), f.div(
        'details', '<span role="heading" class="link"><a>', Gold(title), '</a></span> ', tags(t, '<a class="tag">%s</a> '),
        '<a class="domain">example.org</a>', byline('%d comments' % len(comments))), '</li></ol>', text,
        '<ol class="comments comments1">', comments, '</ol>')


def lemmy(f, t):
    title = t.title()

    def comment(level):
        below = replies_to(t, level, comment)
        return ['<li class="%s">' % f.site.name_of('comment list-unstyled'), '<article class="comment-node">', f.div(
            'd-flex text-muted small', '<button>-</button><a class="person-listing">%s</a><span>%d</span><span '
            'class="moment-time">%s</span>' % (t.user(), t.rng.randrange(200), t.date())), f.div(
                'comment-content', f.div('md-div', plain_post(t, 0.25))), f.div('comment-bottom-btns', '<button>reply</button>'),
            '</article>', ['<ul class="comments border-left">', below, '</ul>'] if below else '', '</li>\n']

    body = ['<article id="postContent">', f.div('md-div', paragraphs(t, 1, 4)), '</article>'] if t.chance(0.5) else ''
    return f.page(title, f.div('post-listing', f.div('h5', '<a class="link-dark">', Gold(title), '</a>'), f.div(
        'small', 'submitted by <a>%s</a> to <a>%s</a> %s' % (t.user(), t.title(1, 1), t.date()))), body, f.div(
            'btn-group', '<label>Hot</label><label>Top</label><label>New</label>'),
        '<ul class="comments">', [comment(0) for _ in range(1 + count_of(t, 10))], '</ul>')


def slashdot(f, t):
    """Comments with subjects and scores in nested lists under a story of the editors."""
    title = t.title()

    def comment(level):
        below = replies_to(t, level, comment, 4)
        return ['<li class="comment">', f.div('cw', f.div(
            'commentTop', '<div class="title"><h4><a>%s</a> <span class="score">(Score:%d)</span></h4></div>'
            % ('Re:' + t.title(2, 4) if level else t.title(2, 5), t.rng.randint(-1, 5)),
            '<div class="details">by <a>%s</a> on %s (<a>#%d</a>)</div>' % (t.user(), t.date(), t.rng.randrange(99999))), f.div(
                'commentBody', '<div>', plain_post(t, 0.15), '</div>')),
            '<div class="commentSub"><a>Reply to This</a> <a>Parent</a></div>', ['<ul>', below, '</ul>'] if below else '',
            '</li>\n']

    return f.page(title, '<article class="fhitem"><header><h2 class="story"><span class="story-title"><a>', Gold(title),
                  '</a></span></h2>', f.div('details', 'Posted by <a>%s</a> on %s from the <em>%s</em> dept.'
                                            % (t.user(), t.date(), t.title(2, 4).lower().replace(' ', '-'))), '</header>',
                  f.div('body', f.div('p', '<i>', Gold(t.rich(t.paragraph(2, 6))), '</i>')), '</article>',
                  f.div('commentBox', '<span>%d of %d comments loaded</span>' % (t.rng.randrange(99), t.rng.randrange(999))),
                  '<ul id="commentlisting">', [comment(0) for _ in range(1 + count_of(t, 10))], '</ul>')


def question2answer(f, t):
    title = t.title(5, 10) + '?'

    def meta(what):
        return '<span class="%s">%s %s by <a>%s</a> (%d points)</span>' % (
            f.site.name_of('qa-item-meta'), what, t.date(), t.user(), t.rng.randrange(9999))

    def post(view, what, asked=''):
        comments = [f.div('qa-c-list-item', f.div('qa-c-item-content', '<p>', Gold(
            t.rich(t.sentence()) if t.chance(0.6) else t.pick(ANSWERING)), '</p>'), f.div('qa-c-item-footer', meta('commented')))
                    for _ in range(t.pick((0, 0, 1, 2, 4)))]
        return f.div(view, f.div('qa-voting', '<span>%+d</span> votes' % t.rng.randrange(30)), f.div(
            view + '-main', f.div('qa-post-content', '<div class="entry-content">', paragraphs(t, 1, 4, code=0.2), asked,
                                  '</div>'), '<ul class="qa-q-view-tag-list">%s</ul>'
            % ''.join(tags(t, '<li><a>%s</a></li>')) if asked else '', meta(what),
            f.div('qa-c-list', comments) if comments else ''))

    answers = [post('qa-a-list-item', 'answered') for _ in range(t.pick((0, 1, 1, 2, 3, 6)))]
    return f.page(title, f.div('qa-main-heading', '<h1><a><span class="entry-title">', Gold(title), '</span></a></h1>'),
                  f.div('qa-part-q-view', post('qa-q-view', 'asked', ['<p>', Gold(t.pick(ASKING)), '</p>'])),
                  f.div('qa-part-a-list', '<h2>%d Answers</h2>' % len(answers), f.div('qa-a-list', answers)),
                  f.div('qa-suggest-next', '<p>Please log in or register to answer this question.</p>'))


def askbot(f, t):
    title = t.title(5, 10) + '?'

    def post(name, what):
        info = f.div('post-update-info', '<p>%s <strong>%s</strong></p><a>%s</a> <span>%d</span>'
                     % (what, t.date(), t.user(), t.rng.randrange(9999)))
        comments = [f.div('comment', f.div('comment-votes', '%d' % t.rng.randrange(5)), f.div(
            'comment-body', '<p>', Gold(t.rich(t.sentence())), '</p><a class="author">%s</a> <span class="age">(%s)</span>'
            % (t.user(), t.date()))) for _ in range(t.pick((0, 0, 1, 2, 5)))]
        asking = ['<p>', Gold(t.pick(ASKING)), '</p>'] if name == 'question' else ''
        return f.div(name + ' post', f.div('vote-buttons', '<div class="vote-number">%d</div>' % t.rng.randrange(40)), f.div(
            'post-body', f.div('post-update-info-container', info), f.div(
                'js-editable-body', paragraphs(t, 1, 4, code=0.3), asking),
            '<div class="tags">%s</div>' % ' '.join(tags(t, '<a>%s</a>')) if asking else '', f.div(
                'post-controls', '<a>edit</a> <a>flag offensive</a> <a>more</a>')),
                     f.div('comments', comments, '<a>add a comment</a>'))

    answers = [post('answer', 'answered') for _ in range(t.pick((0, 1, 1, 2, 3, 6)))]
    return f.page(title, '<h1 class="section-title"><a>', Gold(title), '</a></h1>', post('question', 'asked'), f.div(
        'tabBar', '<h2>%d Answers</h2><div>Sort by » <a>oldest</a> <a>newest</a> <a>most voted</a></div>' % len(answers)),
        answers, f.div('fmanswer', '<a>Login/Signup to Answer</a>'), f.div(
            'box', '<h2>Question Tools</h2><p>1 follower</p><h2>Stats</h2><p>Asked: <strong>%s</strong></p>' % t.date()))


PLATFORMS = {
    'question-and-answers': ('forum', question_and_answers), 'table-threads': ('forum', table_threads),
    'link-board': ('forum', link_board), 'lobsters': ('forum', lobsters), 'lemmy': ('forum', lemmy),
    'slashdot': ('forum', slashdot), 'question2answer': ('forum', question2answer), 'askbot': ('forum', askbot),
}
