"""Templates of threads of forums and of archives of mail, laid out in divisions."""
from page_parts import card, count_of, lines, message_lines, paragraphs, plain_post, quoted, signature
from page_words import Gold


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


def fluxbb(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        who = ['<dl><dt><strong><a>%s</a></strong></dt><dd class="usertitle">Member</dd><dd><span>Registered: %s</span></dd>'
               '<dd><span>Posts: %d</span></dd></dl>' % (t.user(), t.date(), t.rng.randrange(5000))]
        quote = quoted(t, '<div class="quotebox"><cite>%s wrote:</cite><blockquote><div><p>', '</p></div></blockquote></div>')
        body = [['<p>', part, '</p>'] for part in lines(t)]
        posts.append(f.div('blockpost rowodd', '<h2><span><span class="conr">#%d</span> <a>%s</a></span></h2>'
                           % (i + 1, t.date()), '<div class="box"><div class="inbox">', f.div(
                               'postbody', f.div('postleft', who), f.div(
                                   'postright', '<h3>', 'Re: ' + title if i else Gold(title), '</h3>',
                                   f.div('postmsg', quote if i else '', body), signature(f, t, 'postsignature'))),
                           '</div><div class="inbox"><div class="postfoot"><p><span>Offline</span></p></div></div></div>'))
    foot = '<p class="pagelink conl"><span>Pages:</span> <strong>1</strong></p><ul class="crumbs"><li><a>Index</a></li></ul>'
    return f.page(title, '<ul class="crumbs"><li><a>Index</a></li><li>» <strong><a>%s</a></strong></li></ul>' % title,
                  posts, f.div('linksb', foot), f.div('brdfooter', '<p>Powered by <a>%s</a></p>' % f.site.theme))


def invision(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        quote = quoted(t, '<blockquote class="ipsQuote"><div class="ipsQuote_citation">%s said:</div>'
                       '<div class="ipsQuote_contents"><p>', '</p></div></blockquote>', 0.3)
        posts.append(['<article id="elComment_%d" class="%s">' % (i, f.site.name_of('cPost ipsBox ipsComment')),
                      '<aside class="cAuthorPane"><h3><strong><a>%s</a></strong></h3>' % t.user(),
                      '<ul><li>Members</li><li>%d posts</li></ul></aside>' % t.rng.randrange(5000), f.div(
                          'ipsColumn', f.div('ipsComment_meta', '<a>Posted <time>%s</time></a><a>Share</a>' % t.date()), f.div(
                              'cPost_contentWrap', '<div data-role="commentContent" class="ipsType_richText">',
                              quote if i else '', plain_post(t), '</div>', f.div(
                                  'ipsItemControls', '<ul><li><a>Quote</a></li></ul><span>%d</span>' % t.rng.randrange(9))),
                          signature(f, t, 'ipsSignature')), '</article>\n'])
    return f.page(title, f.div('ipsPageHeader', '<h1 class="ipsType_pageTitle"><span>', Gold(title), '</span></h1>',
                               '<p>By <a>%s</a>, <time>%s</time> in <a>%s</a></p>' % (t.user(), t.date(), t.title(1, 2))),
                  f.pager(), f.div('cTopic', '<h2>%d posts in this topic</h2>' % len(posts), posts), f.div(
                      'cTopicPostArea', '<h3>Join the conversation</h3><p>You can post now and register later.</p>'),
                  f.div('cTopicRecent', '<h3>Recently Browsing</h3><p>No registered users viewing this page.</p>'))


PLATFORMS = {
    'phpbb': ('forum', phpbb), 'vbulletin': ('forum', vbulletin), 'smf': ('forum', smf), 'discourse': ('forum', discourse),
    'xenforo': ('forum', xenforo), 'mediawiki-talk': ('forum', mediawiki_talk), 'pipermail': ('forum', pipermail),
    'mhonarc': ('forum', mhonarc), 'hyperkitty': ('forum', hyperkitty), 'fluxbb': ('forum', fluxbb),
    'invision': ('forum', invision),
}
