"""Templates of threads of forums that are laid out in tables."""
from page_parts import card, count_of, lines, plain_post, quoted, signature, table_page
from page_words import Gold


def facts_of(t):
    return 'Joined: %s<br>Posts: %d<br>' % (t.date(), t.rng.randrange(9999))


def phpbb2(f, t):
    title = t.title()
    rows = []
    for i in range(1 + count_of(t)):
        row = 'row%d' % (1 + i % 2)
        quote = quoted(t, '</span><table width="90%%" align="center"><tr><td><span class="genmed"><b>%s wrote:</b></span></td>'
                       '</tr><tr><td class="quote">', '</td></tr></table><span class="postbody">')
        signed = '<br>_________________<br>%s' % t.title(3, 8) if t.chance(0.3) else ''
        rows.append(['<tr>', f.div(row, '<span class="name"><b>%s</b></span><br><span class="postdetails">Rank<br>%s</span>'
                                   % (t.user(), facts_of(t)), tag='td', extra=' width="150" valign="top"'),
                     f.div(row, '<table width="100%%"><tr><td><span class="postdetails">Posted: %s&nbsp; &nbsp;Post subject: '
                           '%s</span></td><td nowrap><a>Reply with quote</a></td></tr><tr><td colspan="2"><hr></td></tr>'
                           % (t.date(), 'Re: ' + title if i else title), '<tr><td colspan="2"><span class="%s">'
                           % f.site.name_of('postbody'), quote if i else '', lines(t), '</span><span class="gensmall">', signed,
                           '</span></td></tr></table>', tag='td'),
                     '</tr><tr><td class="%s"><span class="nav"><a href="#top">Back to top</a></span></td><td><a>profile</a> '
                     '<a>pm</a></td></tr><tr><td class="spaceRow" colspan="2" height="1"></td></tr>\n' % row])
    return table_page(f, t, title, '<table><tr><td><a class="maintitle">', Gold(title), '</a><br>', f.pager(), '</td></tr>'
                      '</table>', '<table class="%s" cellspacing="1"><tr><th>Author</th><th>Message</th></tr>'
                      % f.site.name_of('forumline'), rows, '<tr><td class="catBottom" colspan="2"><form>Display posts from '
                      'previous: <select><option>All Posts<option>1 Day</select></form></td></tr></table>',
                      '<span class="gensmall">You <b>cannot</b> post new topics in this forum<br>You <b>cannot</b> reply to '
                      'topics in this forum</span>')


def vbulletin3(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        quote = quoted(t, '<div style="margin:20px"><div class="smallfont">Quote:</div><table width="100%%"><tr><td class="alt2">'
                       '<div>Originally Posted by <strong>%s</strong></div><div style="font-style:italic">',
                       '</div></td></tr></table></div>')
        heading = '<div class="smallfont"><strong>%s</strong></div><hr size="1">' % (
            'Re: ' + title if i else title) if f.site.option[0] else ''
        posts.append(['<table class="%s" id="post%d" cellpadding="6"><tr><td class="thead">%s</td><td class="thead" '
                      'align="right">#<a>%d</a></td></tr><tr valign="top">' % (f.site.name_of('tborder'), i, t.date(), i + 1),
                      f.div('alt2', '<div><a class="bigusername">%s</a></div><div class="smallfont">Member</div>' % t.user(),
                            '<div class="smallfont">%s</div>' % facts_of(t), tag='td', extra=' width="175"'),
                      f.div('alt1', heading, '<div id="post_message_%d">' % i, quote if i else '', lines(t), '</div>',
                            '<div>__________________<br>%s</div>' % t.title(3, 8) if t.chance(0.3) else '', tag='td'),
                      '</tr><tr><td class="alt2"></td><td class="alt1" align="right"><a>Reply With Quote</a></td></tr></table>'
                      '<br>\n'])
    similar = [['<tr class="alt1"><td><a>%s</a></td><td>%s</td><td>%d</td><td>%s</td></tr>'
                % (t.title(), t.user(), t.rng.randrange(90), t.date())] for _ in range(t.rng.randint(0, 5))]
    return table_page(f, t, title, '<table class="tborder"><tr><td class="navbar"><img alt="Reply"> <strong>', Gold(title),
                      '</strong></td></tr></table>', f.pager(), '<div id="posts">', posts, '</div>',
                      '<table class="tborder"><tr><td class="thead">« <a>Previous Thread</a> | <a>Next Thread</a> »</td></tr>'
                      '</table><table class="tborder"><tr><td class="thead">Posting Rules</td></tr><tr><td class="alt1">You may '
                      'not post new threads<br>You may not post replies</td></tr></table>',
                      ['<table class="tborder"><tr><td class="tcat" colspan="4">Similar Threads</td></tr>', similar, '</table>']
                      if similar else '')


def ubb_threads(f, t):
    title = t.title()
    posts = []
    for i in range(1 + count_of(t)):
        head = '<td class="subjecttable" colspan="2"><a>%s%s</a>%s <span class="small">#%d - %s</span></td>' % (
            'Re: ' if i else '', title, ' [<a>Re: %s</a>]' % t.user() if i else '', t.rng.randrange(99999), t.date())
        quote = quoted(t, '<div class="ubbcode-block"><div class="ubbcode-header">Originally Posted by %s</div>'
                       '<div class="ubbcode-body">', '</div></div>')
        posts.append(['<table class="t_outer"><tr><td><table class="%s"><tr>' % f.site.name_of('t_inner'), head, '</tr><tr>',
                      '<td class="author-content" valign="top">', card(f, t, 'post-options'), '</td>', f.div(
                          'post-content', f.div('post_inner', '<div id="body%d">' % i, quote if i else '', lines(t), '</div>'),
                          signature(f, t), tag='td'), '</tr><tr><td colspan="2"><a>Top</a> <a>Reply</a> <a>Quote</a></td></tr>',
                      '</table></td></tr></table>\n'])
    return f.page(title, '<table class="t_outer"><tr><td><h1 class="pagehead">', Gold(title), '</h1></td></tr></table>',
                  f.pager(), posts, '<table class="t_outer"><tr><td>Previous Thread</td><td>Index</td><td>Next Thread</td></tr>',
                  '<tr><td colspan="3">Moderated by <a>%s</a></td></tr></table>' % t.user())


def yabb(f, t):
    title = t.title()
    rows = []
    for i in range(1 + count_of(t)):
        row = ('windowbg', 'windowbg2')[i % 2]
        quote = quoted(t, '<div class="quoteheader">%s wrote:</div><div class="quote">', '</div>')
        rows.append(['<tr>', f.div(row, card(f, t, 'displayleft'), tag='td', extra=' width="20%" valign="top"'), f.div(
            row, '<table width="100%%"><tr><td><b>%s%s</b><br><span class="small">%s%s</span></td><td align="right"><a>Quote</a>'
            '</td></tr></table><hr>' % ('Re: ' if i else '', title, 'Reply #%d - ' % i if i else '', t.date()),
            f.div('message', quote if i else '', lines(t)), tag='td'), '</tr><tr><td class="%s"><a>Back to top</a></td>' % row,
            '<td class="%s">' % row, signature(f, t), '<span class="small">IP Logged</span></td></tr>\n'])
    return table_page(f, t, title, '<table class="bordercolor" width="100%"><tr><td class="titlebg">Author</td>'
                      '<td class="titlebg"><b>Topic: ', Gold(title), '</b> (Read %d times)</td></tr>' % t.rng.randrange(9999),
                      rows, '</table>', f.pager(), '<form>Jump to: <select><option>%s</select></form>' % t.title(1, 3))


def perlmonks(f, t):
    """Replies in the rows of one table, their depth by nested lists."""
    title = t.title()
    depth, rows = 1, []
    for _ in range(count_of(t)):
        indent = '<ul class="indent">' * depth
        rows.append(['<tr class="%s"><td>' % f.site.name_of('reply'), indent, '<font size="2"><a>%s%s</a><br>by <a>%s</a> (Monk) '
                     'on %s</font>' % ('Re: ' * depth, title, t.user(), t.date()), '</ul>' * depth, '</td></tr>\n',
                     '<tr class="%s"><td>' % f.site.name_of('reply-body'), indent, '<font size="2">', plain_post(t),
                     '<p align="right">[<a>reply</a>] [<a>d/l</a>]</p></font>', '</ul>' * depth, '</td></tr>\n'])
        depth = max(1, depth + t.rng.randint(-2, 1))
    replies = '<tr class="replies_header"><th>Replies are listed \'Best First\'.</th></tr>'
    return table_page(f, t, title, '<table id="titlebar-top"><tr><td><h3 class="supertitle">', Gold(title), '</h3>',
                      '<span>by <a>%s</a> (Novice)</span> on %s</td></tr></table>' % (t.user(), t.date()),
                      '<table class="nodetable"><tr><td>', f.div('nodetext', plain_post(t, 0)), '</td></tr></table>',
                      ['<table id="replies_table" width="100%">', replies, rows, '</table>'] if rows else '',
                      '<p>Back to <a>%s</a></p>' % t.title(1, 3))


PLATFORMS = {
    'phpbb2': ('forum', phpbb2), 'vbulletin3': ('forum', vbulletin3), 'ubb-threads': ('forum', ubb_threads),
    'yabb': ('forum', yabb), 'perlmonks': ('forum', perlmonks),
}
