"""Templates of archives of mail and of logs of bugs: a page a message, or all messages of a thread.

Messages stand in preformatted text, their fields often in the same element as the text. What a message
quotes, whom it greets and how it ends are its text; the lines of a bug tracker on itself are frame.
"""
import html

from page_parts import count_of, document, lines, message_lines, paragraphs
from page_words import ANSWERING, Gold

GREETINGS = ('Hi,', 'Hello,', 'Hi all,', 'Dear list,', 'Hey %s,', 'On Tue, %s wrote:', '%s writes:')
ENDINGS = ('Thanks,', 'Regards,', 'Cheers,', 'Best,', 'HTH', 'Best wishes')


def patch(t):
    name = '%s/%s.c' % (t.user().lower(), t.user().lower())
    rows = ['%s%s' % (t.pick(('+', '-', ' ', ' ')), row) for row in (t.code() + '\n' + t.code()).split('\n')]
    return '\n'.join(['diff --git a/%s b/%s' % (name, name), '--- a/' + name, '+++ b/' + name, '@@ -%d,7 +%d,8 @@ %s'
        % (t.rng.randrange(900), t.rng.randrange(900), t.user())] + rows)


def mail(t, quote='%s', pseudo=''):
    """Text of a message: of a line or of pages, some with code, a patch or a list; QUOTE is around quoted lines."""
    out = [pseudo] if pseudo else []
    if t.chance(0.5):
        greeting = t.pick(GREETINGS)
        out += [greeting % t.user() if '%s' in greeting else greeting, '']
    if t.chance(0.25):
        out += [t.pick(ANSWERING) if t.chance(0.5) else t.sentence(), '']
    else:
        for _ in range(t.pick((1, 1, 2, 4))):
            out += [''.join((quote % row if row.startswith('&gt;') else row) + '\n' for row in message_lines(t).split('\n'))]
    share = t.rng.random()
    if share < 0.15:
        out += [html.escape(patch(t), quote=False), '']
    elif share < 0.3:
        out += ['    ' + row for row in html.escape(t.code(), quote=False).split('\n')] + ['']
    elif share < 0.4:
        out += [t.pick((' - ', ' * ', ' %d) ' % i)) + t.title(2, 9) for i in range(1, t.rng.randint(3, 7))] + ['']
    return Gold('\n'.join(out + ([t.pick(ENDINGS), t.user().title()] if t.chance(0.5) else [])))


def address(t, at='@'):
    return '%s &lt;%s%sexample.org&gt;' % (t.user().title(), t.user().lower(), at)


def subject_of(f, t):
    return t.pick(('', '', 'Re: ', 'Re: ', '[PATCH] ', '[%s] ' % f.site.theme, 'Re: [%s] ' % f.site.theme)) + t.title()


def public_inbox(f, t):
    """A message, or on some sites a thread, in preformatted text only."""
    title = subject_of(f, t)
    links = '<a href="raw">raw</a>'
    top = ['<form action="../"><pre><a href="../"><b>%s archive mirror</b></a>\n <input name=q type=text /><input '
        'type=submit value=search /> <a>help</a> / <a>color</a> / <a>mirror</a> / <a>Atom feed</a></pre></form><hr>'
        % f.site.name]
    quote = '<span class="q">%s</span>' if f.site.option[2] else '%s'
    copies = ', '.join(address(t) for _ in range(t.rng.randrange(4)))
    overview = ['%s %s<a href="#m%d">%s</a> %s\n' % (t.date(), '  ' * min(i, 5) + '` ' if i else '', i, title if t.chance(0.6)
        else t.title(), t.user()) for i in range(t.rng.randint(1, 20))]
    if f.site.option[0]:
        messages = [['<pre\nid=e%d><a href="#r" id=m>*</a> <b>' % i, 'Re: ' + title if i else Gold(title),
            '</b>\n<b>@ %s <a>%s</a></b>\n  0 siblings, 0 replies; %d+ messages in thread (<a>permalink</a> / %s)\n<b>'
            'From:</b> %s\n  <b>To:</b> %s; +<b>Cc:</b> %s\n\n' % (t.date(), t.user(), len(overview), links, t.user(),
                t.user(), copies), mail(t, quote), '\n\n<a>^</a> <a>permalink</a> %s <a>reply</a>\t[<a>flat</a>|<a>nested</a>'
            '] %d+ messages in thread\n</pre><hr>' % (links, len(overview))] for i in range(1 + count_of(t, 10))]
    else:
        messages = ['<pre\nid=b><b>From:</b> %s\n<b>To:</b> %s\n' % (address(t), address(t)), '<b>Cc:</b> %s\n' % copies
            if copies else '', '<b>Subject:</b> <a\nhref="#r"\nid=t>', Gold(title), '</a>\n<b>Date:</b> %s\t<a href="#r">'
            '[thread overview]</a>\n<b>Message-ID:</b> &lt;%s@example.org&gt; (%s)\n\n' % (t.date(), t.user(), links), mail(t,
                quote), '\n</pre><hr>']
    end = ['<pre>next prev parent <a href="#R">reply</a>\tother threads:[<a>~date</a>|<a>newest</a>]\n\n<b><a id=R>Thread '
        'overview:</a></b> %d messages / <a>mbox.gz</a>\n' % len(overview), overview, '</pre><hr><form><pre><b>How to '
        'reply:</b>\n\n* take the <a>mbox</a> into your mail client and answer all\n\n* git send-email --in-reply-to=%s '
        '--to=%s@example.org\n\n  Please quote only what you answer to.\n</pre></form>' % (t.user(), t.user())]
    return ['<html><head><title>', title, ' - ', t.user(), '</title><style>pre{white-space:pre-wrap}</style></head><body>',
        top, messages, end, '<hr><pre>This is a public inbox, see <a>mirroring instructions</a>\nfor how to clone and mirror '
        'all data and code used for this inbox</pre></body></html>']


def marc(f, t):
    title = subject_of(f, t)
    moves = '<font size="+1">%s</font>\n' % ' '.join('[<a>%s</a>]' % way if t.chance(0.8) else '[<font color="#c0c0c0">'
        '%s</font>]' % way for way in ('prev in list', 'next in list', 'prev in thread', 'next in thread'))
    fields = ['<b>\nList:       <a>%s</a>\nSubject:    <a>' % f.site.theme, Gold(title), '</a>\nFrom:       <a>%s &lt;%s () '
        '%s ! org&gt;</a>\nDate:       <a>%s</a>\nMessage-ID: <a>%s () example ! org</a></b>\n<font size="-1">[Download RAW '
        '<a>message</a> or <a>body</a>]</font>\n\n' % (t.user(), t.user(), t.user(), t.date(), t.user())]
    attached = '<b>[<a>Attachment #%d (text/html)</a>]</b>\n\n' % t.rng.randint(2, 5) if t.chance(0.2) else ''
    foot = '<center>[ <a>Configure</a> | <a>About</a> | <a>News</a> | <a>Add a list</a> | Sponsored by <a>%s</a> ' \
        ']</center>' % f.site.name
    tables = f.site.option[4]
    return ["<html><head><title>'", title, "' - MARC</title></head>\n<BODY BGCOLOR=\"#ffffff\" LINK=\"#000099\">\n",
        '<table width="100%" cellspacing="0"><tr><td valign="top">' if tables else '', '<pre>\n', moves, fields, attached,
        mail(t), '\n', moves, '</pre>\n', '</td></tr><tr><td align="center">' if tables else '', foot, '</td></tr></table>'
        if tables else '', '</BODY></html>\n']


def google_groups(f, t):
    title = subject_of(f, t)
    mails = []
    for i in range(1 + count_of(t, 15)):
        wrote = ['<div class="gmail_attr" dir="ltr">', Gold('On %s %s wrote:' % (t.date(), t.user())),
            '<br></div><blockquote class="gmail_quote">', [['<div>', Gold(t.paragraph(1, 3)), '<br></div>']
                for _ in range(t.rng.randint(1, 3))], '</blockquote>']
        body = [lines(t), ['<div class="gmail_quote">', wrote, '</div>'] if i and t.chance(0.4)
            else ''] if f.site.option[0] or t.chance(0.5) else ['<div dir="ltr">', paragraphs(t, 1, 5, 'div'), '</div>',
                wrote if i and t.chance(0.4) else '']
        mails.append(['<section role="listitem" class="%s">' % f.site.name_of('BkrUxb'), f.div('LgTNRd', '<h3 class="s1f8Zd">'
            '%s</h3><span class="ELCJ4d">unread,</span><span class="zX2W9c">%s</span><div role="button">Reply to author</div>'
            '<div role="button">Sign in to reply</div><div role="button">Forward</div>' % (t.user(), t.date())),
            '<div class="HIQlMb">to %s</div>' % f.site.name, f.div('ptW7te', '<html-blob>', body, '</html-blob>',
                extra=' role="region"'), '</section>\n'])
    menu = ['<div class="XjbYQd" role="menuitem"><a>%s</a></div>' % name for name in ('All groups', 'Recent groups',
        'Conversations', 'About', 'Send feedback', 'Help', 'Training')]
    return document(f, '%s - %s' % (title, f.site.name), '', '<header><a>Groups</a><form><input placeholder="Search '
        'conversations"></form><a>Sign in</a></header>', f.div('qWmqZd', menu), f.div('ZLl54', '<div class="U3LZ9"><span>%d '
            'views</span><a>Skip to first unread message</a></div>' % t.rng.randrange(9000), '<h1 class="KPwZRb"><html-blob>',
            Gold(title), '</html-blob></h1>', '<div role="list">', mails, '</div>', '<div role="button">Reply all</div><div '
            'role="button">Reply to author</div><div class="kcZZsc">0 new messages</div>'))


def gmane(f, t):
    """A message with its fields in a head of its own; at the side the tree of the thread."""
    title = subject_of(f, t)
    tree = ['<li><a>%s</a> %s %s</li>' % (t.user(), t.date(), '| <a>%s</a>' % t.title(2, 5) if t.chance(0.3) else '')
        for _ in range(t.rng.randint(1, 15))]
    head = f.div('headers', '<img class="face" alt="Picon"> From: %s<br>\nSubject: <a class="subject">' % address(t,
        ' &lt;at&gt; '), Gold(title), '</a><br>\nNewsgroups: <a>gmane.%s.%s</a><br>\nDate: %s (<span>%d years ago</span>)<br>'
        % (f.site.theme, t.user().lower(), t.date(), t.rng.randint(1, 20)))
    text = ['<pre>', mail(t), '</pre>'] if f.site.option[3] else paragraphs(t, 1, 8) if f.site.option[1] else lines(t)
    body = f.div('bodytext', text)
    actions = f.div('menu', '<a>Permalink</a> | <a>Reply</a> | <a>headers</a> | <a>raw</a> | <a>report spam</a>')
    if f.site.option[2]:
        return ['<html><head><title>', title, '</title></head><body><table><tr><td class="navigation"><a>home</a><br><a>'
            'about</a><br>', '<b>%s</b><ul>' % f.site.name, tree, '</ul></td><td>', head, body, actions, '</td></tr></table>',
            f.advert(), '</body></html>']
    return f.page(title, head, body, actions, f.div('thread', '<h4>Thread</h4><ul>', tree, '</ul>'))


def debbugs(f, t):
    """All messages on a bug, one after the other, between them what was done to it."""
    title = '%s: %s' % (f.site.theme, t.title())
    number, messages = t.rng.randint(100000, 999999), []
    for i in range(1 + count_of(t, 15)):
        place = '%d@bugs.example.org' % number if i else 'submit@bugs.example.org'
        pseudo = 'Package: %s\nVersion: %d.%d-1\nSeverity: normal\n' % (f.site.theme, t.rng.randrange(9), t.rng.randrange(20))
        fields = [('From', address(t)), ('To', place), ('Subject', 'Bug#%d: %s' % (number, t.title()) if i else title),
            ('Date', t.date())]
        done = '<hr><p><strong>%s</strong> by <code>%s</code> to <code>control@bugs.example.org</code>. (%s) (<a>full ' \
            'text</a>, <a>mbox</a>, <a>link</a>).</p>\n' % (t.pick(('Severity set to \'minor\'', 'Added tag(s) patch',
                'Bug reassigned', 'Merged', 'Acknowledgement sent', 'Information forwarded')), address(t), t.date())
        messages.append([done if t.chance(0.5) else '', '<hr><p class="msgreceived"><a>Message #%d</a> received at %s (<a>'
            'full text</a>, <a>mbox</a>, <a>reply</a>):</p>\n' % (5 * (i + 1), place), f.div('headers', [f.div('header',
                '<span class="headerfield">%s:</span> %s' % field) for field in fields]), '<pre class="%s">'
            % f.site.name_of('message'), mail(t, pseudo=pseudo if not i and t.chance(0.7) else ''), '</pre>\n'])
    facts = ['<p>Reported by: <a>%s</a></p><p>Date: %s</p><p>Severity: %s</p>' % (address(t), t.date(), t.pick(('normal',
        'grave'))), '<p>Found in version %d.%d</p>' % (t.rng.randrange(9), t.rng.randrange(9)), '<p><b>Done:</b> %s</p>'
        % address(t)]
    return ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html><head><title>#%d - ' % number, title,
        ' - Bug report logs</title></head><body>\n<h1>%s Bug report logs - <a>#%d</a><br>' % (f.site.name, number),
        Gold(title), '</h1>\n', f.div('versiongraph', '<a><img alt="version graph"></a>'), f.div('pkginfo',
            '<p>Package: <a>%s</a>; Maintainer for <a>%s</a> is <a>%s</a>.</p>' % (f.site.theme, f.site.theme, address(t))),
        f.div('buginfo', facts[:t.rng.randint(1, 3)]), '<p><a>Reply</a> or <a>subscribe</a> to this bug.</p><p>View this '
        'report as an <a>mbox folder</a>, <a>status mbox</a>, <a>maintainer mbox</a></p>\n', messages,
        '<hr><p class="msgreceived">Send a report that <a>this bug log contains spam</a>.</p><hr>\n<address>Bug tracking '
        'system administrator. Last modified: %s</address>' % t.date(), '</body></html>\n']


PLATFORMS = {
    'public-inbox': ('forum', public_inbox), 'marc': ('forum', marc), 'google-groups': ('forum', google_groups),
    'gmane': ('forum', gmane), 'debbugs': ('forum', debbugs),
}
