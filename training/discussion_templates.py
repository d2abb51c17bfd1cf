"""Templates of boards, of questions with answers and of issues whose surroundings are their own.

Lines that a tracker or a board writes on itself, such as who closed what, are frame.
"""
from page_parts import count_of, document, metadata, paragraphs, plain_post, tags, varied_post
from page_words import ASKING, Gold


def nested(t, level, comment, deepest=7):
    """The comments below one of this level; few threads are deep."""
    return [comment(level + 1) for _ in range(t.pick((0, 0, 0, 1, 1, 2)) if level < deepest else 0)]


def old_reddit(f, t):
    title, sub = t.title(), t.user()

    def comment(level):
        below = nested(t, level, comment)
        more = '<div class="thing morechildren"><div class="entry"><span class="morecomments"><a>load more comments <span>' \
            '(%d replies)</span></a></span></div></div>' % t.rng.randint(1, 20) if t.chance(0.1) else ''
        return [f.div('thing noncollapsed comment', '<p class="parent"><a name="c"></a></p><div class="midcol unvoted"><div '
            'class="arrow up"></div><div class="arrow down"></div></div>', f.div('entry unvoted', '<p class="tagline"><a '
                'class="expand">[–]</a><a class="author">%s</a><span class="flair">%s</span> <span class="score unvoted">%d '
                'points</span> <time>%s</time> <a>(%d children)</a></p>' % (t.user(), t.title(1, 2) if t.chance(0.2) else '',
                    t.rng.randrange(900), t.date(), len(below)), '<form class="usertext"><div class="%s"><div class="md">'
                % f.site.name_of('usertext-body may-blank-within'), varied_post(t), '</div>\n</div></form>',
                '<ul class="flat-list buttons"><li>permalink</li><li>embed</li><li>save</li><li>%sreport</li><li>give '
                'award</li><li>reply</li></ul>' % ('<a>parent</a></li><li>' if level else '')), f.div('child',
                    '<div class="sitetable listing">', below, more, '</div>') if below or more else ''),
            '<div class="clearleft"></div>\n']

    side = f.div('side', '<form id="search"><input placeholder="search"></form><form class="login-form"><input name="user">'
        '<label>remember me</label><a>reset password</a><button>login</button></form>', f.div('titlebox',
            '<h1><a>%s</a></h1><span class="number">%d</span> readers<form><div class="usertext-body"><div class="md">'
            % (sub, t.rng.randrange(99999)), ['<p>%s</p>' % t.sentence() for _ in range(t.rng.randrange(5))],
            '</div></div></form>'), '<h1>MODERATORS</h1><ul>%s</ul>' % ''.join('<li><a>%s</a></li>' % t.user()
                for _ in range(4)), f.links(t.rng.randint(0, 5)) if f.site.option[1] else '')
    text = f.div('expando', '<form class="usertext"><div class="usertext-body"><div class="md">', varied_post(t, 0.15),
        '</div></div></form>')
    bar = '<div id="sr-header-area">%s</div><div id="header-bottom-left"><a>%s</a><ul class="tabmenu"><li><a>comments</a>' \
        '</li><li><a>other discussions (%d)</a></li></ul></div>' % (' - '.join(tags(t, '<a>%s</a>', 12)), sub,
            t.rng.randrange(9))
    comments = [comment(0) for _ in range(count_of(t, 12))]
    empty = '<p id="noresults">there doesn\'t seem to be anything here</p>' if not comments else ''
    link = f.div('thing link', '<span class="rank"></span><div class="midcol unvoted"><div class="score">%d</div></div>'
        % t.rng.randrange(900), f.div('entry unvoted', '<p class="title"><a class="title">', Gold(title),
            '</a> <span class="domain">(<a>%s</a>)</span></p>' % ('self.' + sub if f.site.option[2] else 'example.org'),
            '<p class="tagline">submitted <time>%s</time> by <a>%s</a></p>' % (t.date(), t.user()), text if t.chance(0.6)
            else '', '<ul class="flat-list buttons"><li>%d comments</li><li>share</li><li>save</li><li>hide</li></ul>'
            % len(comments)))
    return document(f, title + ' : ' + sub, metadata(f, t, title, 'WebPage'), '<div id="header">', bar, '</div>', side,
        '<div class="content" role="main"><div class="sitetable linklisting">', link, '</div><div class="commentarea"><div '
        'class="panestack-title"><span class="title">all %d comments</span></div><div class="menuarea">sorted by: best</div>'
        % len(comments), '<div class="sitetable nestedlisting">', comments, empty, '</div></div></div>', f.footer())


def tildes(f, t):
    title = t.title()

    def comment(level):
        below = nested(t, level, comment)
        return ['<li class="comment-tree-item"><article class="comment" data-comment-depth="%d">' % level,
            f.div('comment-itself', '<header class="comment-header"><button class="btn comment-collapse-button">[—]</button>'
                '<div><a class="link-user">%s</a><div class="comment-nav-link"><a>Link</a></div><time>%s</time></div>'
                '</header>' % (t.user(), t.date()), f.div('comment-text', varied_post(t)), '<menu class="btn-post"><li>%d '
                'votes</li></menu>' % t.rng.randrange(40)), ['<ol class="comment-tree comment-tree-replies">', below, '</ol>']
            if below else '', '</article></li>\n']

    comments = [comment(0) for _ in range(count_of(t, 12))]
    text = f.div('topic-full-text', varied_post(t)) if t.chance(0.6) else f.div('topic-full-link',
        '<a>http://example.org/%s</a>' % t.user())
    facts = '<dl><dt>Title</dt><dd>%s</dd><dt>Authors</dt><dd>%s</dd><dt>Word count</dt><dd>%d words</dd></dl>' % (t.title(),
        t.user(), t.rng.randrange(5000)) if t.chance(0.3) else ''
    aside = ['<aside id="sidebar">', f.div('sidebar-controls', '<a>Log in</a>'), '<form><input placeholder="Search"></form>'
        '<h2>~%s</h2><p>%s</p>' % (f.site.theme, f.site.tagline), '<ul class="nav">', ['<li>~%s</li>' % m
            for m in f.site.menu], '</ul></aside>']
    return document(f, title, metadata(f, t, title, 'DiscussionForumPosting'), '<header id="site-header"><a class="logo">'
        '%s</a> <a>~%s</a></header>' % (f.site.name, f.site.theme), aside if f.site.left else '',
        '<main><article class="topic-full"><header><h1>', Gold(title), '</h1><div class="topic-full-byline">Posted <time>'
        '%s</time> by <a class="link-user">%s</a></div></header>' % (t.date(), t.user()), text, f.div('topic-full-tags',
            'Tags: ', ', '.join(tags(t, '<a>%s</a>'))), facts, '</article>', '<section class="topic-comments"><header '
        'class="topic-comments-header"><h2>%d comments</h2></header><ol class="comment-tree">' % len(comments), comments,
        '</ol></section></main>', '' if f.site.left else aside, '<footer id="site-footer">', ['<p>%s</p>' % line
            for line in f.site.legal], '</footer>')


def yahoo_answers(f, t):
    title = t.title(5, 12) + '?'

    def profile(what):
        return f.div('qa-profile', '<span class="user"><a>%s</a></span> <span class="%s">%s</span>' % (t.user(), what,
            t.date()))

    def answer(best):
        source = ['<div class="reference"><h4>Source(s):</h4><span class="tail">', Gold(t.title(2, 6)),
            '</span></div>'] if t.chance(0.2) else ''
        return ['<li class="answer">', f.div('qa-container', '<h2>Best Answer - Chosen by Asker</h2>' if best else '',
            profile('answer-date'), f.div('content', varied_post(t) if f.site.option[0]
                else [Gold('<br>\n<br>\n'.join(t.paragraph() for _ in range(t.rng.randint(1, 6))))]), source,
            '<p class="rating">%d%% %d Votes</p><ul class="utils"><li>Report Abuse</li><li>Comment</li></ul>'
            % (t.rng.randrange(100), t.rng.randrange(30))), '</li>\n']

    answers = [answer(i == 0 and f.site.option[1]) for i in range(t.pick((0, 1, 2, 4, 10, 25)))]
    asked = ['<p>', Gold(t.pick(ASKING)), '</p>'] if t.chance(0.5) else ''
    body = f.div('content', plain_post(t, 0.1), asked) if t.chance(0.6) else ''
    more = ['<div class="details"><h3>Additional Details</h3><p>', Gold(t.paragraph(1, 3)), '</p></div>'] \
        if t.chance(0.2) else ''
    return f.page(title, '<div id="yan-question">', f.div('hd', '<h2>Resolved Question</h2><a>Show me another »</a>'),
        f.div('qa-container', profile('question-date'), '<h1 class="subject">', Gold(title), '</h1>', body, more,
            '<ul class="utils"><li>%s</li><li>Report Abuse</li></ul>' % t.date()), '</div>', '<div id="yan-answers"><h3>'
        'Other Answers (%d)</h3><ul class="shown">' % len(answers), answers, '</ul></div>', f.div('yan-related',
            '<h3>Discover Questions</h3>', f.links(4)), head=metadata(f, t, title, 'QAPage'))


def quora(f, t):
    title = t.title(5, 12) + '?'

    def text(name):
        rows = [['<p class="%s" style="text-align: start"><span style="background: none">' % name,
            Gold(t.rich(t.paragraph(1, 4))), '</span></p>\n'] for _ in range(t.pick((1, 2, 4, 12)))]
        points = ['<ol class="q-box">', [['<li class="q-relative"><span>', Gold(t.title(3, 9)), '</span></li>']
            for _ in range(4)], '</ol>']
        return [rows, points if t.chance(0.2) else '']

    def answer(name):
        replies = [f.div('q-box qu-pb--small', '<div><a>%s</a> · <a>%s</a></div>' % (t.user(), t.date()), f.div('q-text',
            text('q-text'))) for _ in range(t.pick((0, 0, 0, 1, 3)))]
        return f.div('q-box dom_annotate_question_answer_item', f.div('q-flex', '<img class="q-image" alt="Profile photo for '
            '%s"><div><a>%s</a> · <a>Follow</a></div><div class="q-text">%s · %s</div>' % (name, name, t.title(2, 5),
                t.date())), f.div('q-box spacing_log_answer_content', '<div class="q-relative">',
                    text('q-text qu-display--block'), '</div>'), '<div class="q-text qu-color--gray">%d views · View %d '
            'upvotes</div>' % (t.rng.randrange(9000), t.rng.randrange(900)), '<div class="q-flex"><button>Upvote</button>'
            '<button>Share</button></div>', replies)

    answers = [answer(t.user()) for _ in range(t.pick((1, 1, 2, 4, 10)))]
    others = [['<div class="q-box"><a><span>%s?</span></a><p>%s</p><a>Continue reading</a></div>' % (t.title(5, 10),
        t.sentence())] for _ in range(t.pick((0, 3, 6)))]
    related = f.div('q-box qu-borderAll', '<div class="q-text qu-bold">Related questions</div>',
        ['<div class="q-text"><a>%s?</a></div>' % t.title(5, 10) for _ in range(t.rng.randint(3, 10))])
    return document(f, title, metadata(f, t, title, 'QAPage'), f.div('q-sticky', ['<a>%s</a>' % m for m in f.site.menu],
        '<button>Sign In</button>'), f.div('q-box qu-display--flex', f.div('q-box', f.div('q-text qu-dynamicFontSize--xlarge',
            '<span>', Gold(title), '</span>'), '<div class="q-flex"><button>Answer</button><button>Follow · %d</button></div>'
            '<div>All related (%d) Sort Recommended</div>' % (t.rng.randrange(90), 30), answers, f.advert(), others),
            related), f.div('q-box', 'About · Careers · Privacy · Terms · Contact · Languages'))


def issue_tracker(f, t):
    """An issue and what was said and done on it, in the words of the tracker."""
    title, number = t.title(), t.rng.randrange(9999)
    heads = ('Steps to reproduce', 'Expected behavior', 'Actual behavior', 'Environment', 'Additional context')

    def comment(first):
        form = [['<h3 dir="auto">', Gold(head), '</h3>\n', plain_post(t, 0.1) if t.chance(0.7)
            else ['<div class="highlight"><pre>', Gold(t.code()), '</pre></div>\n']] for head in heads if t.chance(0.8)]
        text = form if first and f.site.option[0] else varied_post(t, 0.3)
        return f.div('TimelineItem js-comment-container', f.div('timeline-comment', '<div class="timeline-comment-header '
            'clearfix"><h3 class="f5"><a class="author">%s</a> commented <a><relative-time>%s</relative-time></a></h3><span '
            'class="Label">%s</span></div>' % (t.user(), t.date(), t.pick(('Author', 'Member', 'Contributor'))),
            '<task-lists><table class="d-block"><tbody><tr><td class="%s">' % f.site.name_of('d-block comment-body '
                'markdown-body js-comment-body'), text, '</td></tr></tbody></table></task-lists>',
            '<div class="comment-reactions"><button>👍 %d</button></div>' % t.rng.randint(1, 90) if t.chance(0.2) else ''))

    def event():
        return f.div('TimelineItem', '<div class="TimelineItem-body"><a class="author">%s</a> %s <relative-time>'
            '%s</relative-time></div>' % (t.user(), t.pick(('added the <a>bug</a> label', 'self-assigned this',
                'closed this as <a>completed</a>', 'mentioned this issue', 'added this to the <a>next</a> milestone',
                'changed the title <del>%s</del> <ins>%s</ins>' % (t.title(), title))), t.date()))

    posts = [[comment(i == 0), [event() for _ in range(t.pick((0, 0, 1, 2)))]] for i in range(1 + count_of(t))]
    side = f.div('Layout-sidebar', [f.div('discussion-sidebar-item', '<div class="discussion-sidebar-heading">%s</div><p>'
        '%s</p>' % facts) for facts in (('Assignees', 'No one assigned'), ('Labels', t.title(1, 1)), ('Projects', 'None yet'),
            ('Milestone', 'No milestone'), ('Development', 'No branches or pull requests'), ('%d participants'
                % t.rng.randint(1, 20), ''))])
    return document(f, title, metadata(f, t, title, 'DiscussionForumPosting'), f.header(),
        '<main><div id="repository-container-header"><strong><a>%s</a></strong><span>Public</span><nav><a>Code</a> <a>Issues '
        '%d</a> <a>Pull requests</a> <a>Actions</a></nav></div>' % (f.site.theme, number), '<div class="gh-header"><h1 '
        'class="gh-header-title"><bdi class="js-issue-title">', Gold(title), '</bdi> <span>#%d</span></h1><span '
        'class="State">%s</span> <a class="author">%s</a> opened this issue <relative-time>%s</relative-time> · %d '
        'comments</div>' % (number, t.pick(('Open', 'Closed')), t.user(), t.date(), len(posts) - 1), '<div class="Layout">'
        '<div class="Layout-main js-discussion">', posts, '<div class="signed-out-comment"><a>Sign up for free</a> to join '
        'this conversation.</div></div>', side, '</div></main>', f.footer())


def metafilter(f, t):
    """A thread without lists and headings: a division of text a comment, its byline in small type at the end."""
    title, place = t.title(), t.pick(('', 'best'))

    def text(least, most):
        return [Gold('<br>\n<br>\n'.join(t.rich(t.paragraph(1, 4)) for _ in range(t.rng.randint(least, most))))]

    count = t.pick((0, 2, 8, 20, t.rng.randint(5, 50)))
    comments = [['<a name="%d"></a>' % t.rng.randrange(99999), f.div(('comments ' + place * t.chance(0.2)).strip(),
        [Gold(t.pick(('This.', 'Seconding that.', 'Metafilter.')))] if t.chance(0.1) else varied_post(t)
        if f.site.option[1] and t.chance(0.3) else text(1, t.pick((1, 2, 5))), '<br>\n<span class="smallcopy">posted by <a>'
        '%s</a> at <a>%s</a> %s</span>' % (t.user(), t.date(), '<span>[<a>%d favorites</a>]</span>' % t.rng.randint(1, 90)
            if t.chance(0.4) else '')), '<br>\n'] for _ in range(count)]
    inside = ['<div class="miblock">', text(1, 5), '</div>'] if t.chance(0.5) else ''
    head = ['<h1 class="posttitle">', Gold(title), '<br><span class="smallcopy">%s <a>Subscribe</a></span></h1>' % t.date()]
    return f.page(title, head, f.div('copy', text(1, 2), inside, '<br>\n<span class="smallcopy">posted by <a>%s</a> to <a>'
        '%s</a> (%d comments total)</span>' % (t.user(), t.title(1, 1), count)), comments, '<p class="copy">« <a>Older</a> '
        '%s | %s <a>Newer</a> »</p>' % (t.title(), t.title()), '<p>%s</p>' % ('This thread has been archived and is closed '
            'to new comments' if f.site.option[2] else 'You are not currently logged in. <a>Log in</a> or <a>create a new '
            'account</a>.'))


PLATFORMS = {
    'old-reddit': ('forum', old_reddit), 'tildes': ('forum', tildes), 'yahoo-answers': ('forum', yahoo_answers),
    'quora': ('forum', quora), 'issue-tracker': ('forum', issue_tracker), 'metafilter': ('forum', metafilter),
}
