"""Templates of lists: of the posts of a blog, of what was found, of what is for sale, of topics.

The line that says who began a topic is main content where it is one ("by NAME"); a name or a date alone
in an element or a column stands apart and is frame.
"""
from page_parts import entries, price, table_page
from page_words import Gold


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


def ghost_index(f, t):
    title = t.title(1, 3)
    cards = [['<article class="%s">' % f.site.name_of('post-card post'), '<a><header><div class="post-card-tags">%s</div>'
              % t.title(1, 1), '<h2 class="post-card-title">', Gold(t.title()), '</h2></header>', f.div(
                  'post-card-excerpt', Gold(t.paragraph(1, 2))), '</a><footer class="post-card-meta"><time>%s</time> <span>%d min '
              'read</span></footer></article>\n' % (t.date(), t.rng.randint(1, 12))] for _ in range(t.rng.randint(3, 14))]
    return f.page(title, '<section class="post-card-large"><h1 class="post-card-title">', Gold(title), '</h1></section>',
                  f.div('post-feed', cards), '<nav class="pagination"><span>Page 1 of %d</span> <a>Older Posts →</a></nav>'
                  % t.rng.randint(2, 30))


def jekyll_index(f, t):
    title = t.title(1, 3)
    rows = [['<li><span class="post-meta">%s</span><h3><a class="post-link">' % t.date(), Gold(t.title()), '</a></h3>',
             ['<p>', Gold(t.paragraph(1, 2)), '</p>'] if f.site.option[4] else Gold(t.paragraph(1, 2)), '</li>\n']
            for _ in range(t.rng.randint(3, 15))]
    return f.page(title, '<h2 class="post-list-heading">', Gold(title), '</h2><ul class="%s">' % f.site.name_of('post-list'),
                  rows, '</ul><p class="feed-subscribe"><a>subscribe via RSS</a></p>')


def mediawiki_search(f, t):
    rows = [['<li class="mw-search-result">', f.div('mw-search-result-heading', '<a>', Gold(t.title(1, 5)), '</a>'), f.div(
        'searchresult', Gold('%s <b>...</b> %s' % (t.rich(t.sentence()), t.sentence()))), f.div(
            'mw-search-result-data', '%d KB (%d words) - %s' % (t.rng.randint(1, 90), t.rng.randrange(9999), t.date())), '</li>\n']
            for _ in range(t.rng.randint(4, 20))]
    return f.page('Search results', '<h1 id="firstHeading">', Gold('Search results'), '</h1>', f.div(
        'search-types', '<ul><li>Content pages</li><li>Multimedia</li><li>Everything</li><li>Advanced</li></ul>'), f.div(
            'results-info', 'Results 1 – %d of %d' % (len(rows), t.rng.randint(20, 9999))),
        '<ul class="%s">' % f.site.name_of('mw-search-results'), rows, '</ul>', f.div(
            'mw-search-pager-bottom', 'View (previous 20 | <a>next 20</a>) (<a>20</a> | <a>50</a> | <a>100</a>)'))


def koha(f, t):
    """What a library's catalogue found."""
    rows = []
    for i in range(t.rng.randint(5, 20)):
        place = '%s: %s, %d' % (t.title(1, 1), t.title(1, 2), t.rng.randint(1950, 2024))
        rows.append(['<tr><td class="selectcol"><input type="checkbox"></td><td>%d.</td>' % (i + 1), f.div(
            'bibliocol', '<a class="title">', Gold(t.title(2, 9)), '</a><p>by <a class="author">%s</a></p>' % t.title(1, 2),
            f.div('results_summary publisher', Gold('Publication details: ' + place)),
            f.div('results_summary summary', Gold(t.sentence())) if f.site.option[5] else '',
            f.div('results_summary availability', '<span>Availability:</span> Items available for loan: (%d).'
                  % t.rng.randint(1, 5)), f.div('actions-menu', '<a>Place hold</a> <a>Add to cart</a>'), tag='td'),
            '<td><img alt="cover"></td></tr>\n'])
    title = t.title(1, 3)
    return f.page(title, '<p id="numresults"><strong>', Gold('Your search returned %d results.' % len(rows)), '</strong></p>',
                  f.div('facets', '<h2>Refine your search</h2>', f.links(6)), f.div(
                      'selections-toolbar', '<a>Unhighlight</a> <a>Select all</a> <a>Clear all</a>'),
                  '<table class="%s">' % f.site.name_of('table table-striped'), rows, '</table>', f.pager())


def craigslist(f, t):
    title = t.title(1, 3)
    rows = [['<li class="%s"><a class="result-image"></a>' % f.site.name_of('result-row'), f.div(
        'result-info', '<time class="result-date">%s</time> <h3 class="result-heading"><a>' % t.date(), Gold(t.title(2, 8)),
        '</a></h3> <span class="result-meta">', Gold('%s <span class="result-hood">(%s)</span>' % (price(t), t.title(1, 2))),
        '</span>'), '</li>\n'] for _ in range(t.rng.randint(8, 40))]
    return f.page(title, f.div('search-legend', '<h1>', Gold(title), '</h1><span>1 - %d of 3000</span>' % len(rows)),
                  '<ul class="rows">', rows, '</ul>')


def opencart_category(f, t):
    title = t.title(1, 3)
    rows = [f.div('product-layout', f.div('product-thumb', '<div class="image"><a><img alt=""></a></div>', f.div(
        'caption', '<h4><a>', Gold(t.title(2, 6)), '</a></h4><p>', Gold(t.sentence() + '..'), '</p><p class="price">',
        Gold(price(t)), '</p>'), f.div('button-group', '<button>Add to Cart</button><button>Add to Wish List</button>')))
            for _ in range(t.rng.randint(4, 16))]
    return f.page(title, '<h2>', Gold(title), '</h2>', '<h3>Refine Search</h3><ul><li><a>%s (%d)</a></li></ul>'
                  % (t.title(1, 2), t.rng.randrange(40)) if t.chance(0.5) else '', f.div(
                      'form-group', '<label>Sort By:</label><select><option>Default</select><label>Show:</label>'),
                  f.div('row', rows), 'Showing 1 to %d of %d (1 Pages)' % (len(rows), len(rows)))


def phpbb2_topics(f, t):
    title = t.title(1, 3)
    rows = [['<tr><td class="row1"><img alt="No new posts"></td><td class="row1" width="100%"><span class="topictitle"><a>',
             Gold(t.title()), '</a></span><span class="gensmall"><br></span></td>', '<td class="row2"><span class="postdetails">%d'
             '</span></td><td class="row3"><span class="name"><a>%s</a></span></td><td class="row2"><span class="postdetails">%d'
             '</span></td><td class="row3Right" nowrap><span class="postdetails">%s<br><a>%s</a></span></td></tr>\n'
             % (t.rng.randrange(99), t.user(), t.rng.randrange(9999), t.date(), t.user())] for _ in range(t.rng.randint(8, 40))]
    return table_page(f, t, title, '<table><tr><td><a class="maintitle">', Gold(title), '</a><br><span class="gensmall"><b>'
                      'Moderator: <a>%s</a><br>Users browsing this forum: None</b></span></td></tr></table>' % t.user(),
                      '<table class="%s"><tr><th colspan="2">Topics</th><th>Replies</th><th>Author</th><th>Views</th>'
                      '<th>Last Post</th></tr>' % f.site.name_of('forumline'), rows, '</table>', f.pager(),
                      '<span class="gensmall">You <b>cannot</b> post new topics in this forum<br>You <b>cannot</b> reply to '
                      'topics in this forum</span>')


def mybb_topics(f, t):
    title = t.title(1, 3)
    cell = '<td class="trow1">%s</td>'
    rows = [['<tr class="inline_row">', cell % '<span class="thread_status"></span>', f.div(
        'trow1 forumdisplay_regular', '<div><span class="subject_old"><a>', Gold(t.title()),
        '</a></span><div class="author smalltext"><a>%s</a></div></div>' % t.user(), tag='td'),
             cell % ('<a>%d</a>' % t.rng.randrange(99)), cell % t.rng.randrange(9999),
             cell % ('<span class="lastpost smalltext">%s<br><a>Last Post</a>: <a>%s</a></span>' % (t.date(), t.user())),
             '</tr>\n'] for _ in range(t.rng.randint(8, 30))]
    return f.page(title, f.pager(), '<table class="%s"><tr><td class="thead" colspan="5"><strong>' % f.site.name_of('tborder'),
                  Gold(title), '</strong> <a>Mark this forum read</a></td></tr><tr><td class="tcat" colspan="2"><a>Thread</a> / '
                  '<a>Author</a></td><td class="tcat">Replies</td><td class="tcat">Views</td><td class="tcat">Last Post</td></tr>',
                  rows, '</table>', f.div('float_left', '<dl><dd>New Posts</dd><dd>Hot Thread (New)</dd>'
                                          '<dd>Locked Thread</dd></dl>'))


def xenforo_topics(f, t):
    title = t.title(1, 3)
    rows = [f.div('structItem structItem--thread', f.div('structItem-cell--icon', '<a>%s</a>' % t.user()[:1]), f.div(
        'structItem-cell--main', '<div class="structItem-title"><a>', Gold(t.title()), '</a></div>',
        '<div class="structItem-minor"><ul class="structItem-parts"><li><a>%s</a></li> <li><a><time>%s</time></a></li></ul></div>'
        % (t.user(), t.date())), f.div(
            'structItem-cell--meta', '<dl><dt>Replies</dt><dd>%d</dd></dl><dl><dt>Views</dt><dd>%dK</dd></dl>'
            % (t.rng.randrange(99), t.rng.randrange(99))), f.div(
                'structItem-cell--latest', '<a><time>%s</time></a><div class="structItem-minor"><a>%s</a></div>'
                % (t.date(), t.user()))) for _ in range(t.rng.randint(8, 30))]
    return f.page(title, f.div('p-title', '<h1>', Gold(title), '</h1>'), f.pager(), f.div(
        'structItemContainer', '<div class="block-filterBar"><a>Filters</a></div>', rows), f.div(
            'block-footer', '<a>You must log in or register to post here.</a>'))


def fluxbb_topics(f, t):
    title = t.title(1, 3)
    rows = [['<tr class="rowodd">', f.div('tcl', '<div class="icon"><div>%d</div></div><div class="tclcon"><div>' % (i + 1), Gold(
        '<a>%s</a> <span class="byuser">by %s</span>' % (t.title(), t.user())), '</div></div>', tag='td'),
             '<td class="tc2">%d</td><td class="tc3">%d</td><td class="tcr"><a>%s</a> <span class="byuser">by %s</span></td></tr>\n'
             % (t.rng.randrange(99), t.rng.randrange(9999), t.date(), t.user())] for i in range(t.rng.randint(8, 30))]
    return f.page(title, f.div('linkst', '<p class="pagelink">Pages: <strong>1</strong> <a>2</a> <a>Next</a></p>'), f.div(
        'blocktable', '<h2><span>', Gold(title), '</span></h2><div class="box"><table><thead><tr><th>Topic</th><th>Replies</th>'
        '<th>Views</th><th>Last post</th></tr></thead><tbody>', rows, '</tbody></table></div>'))


def smf_topics(f, t):
    title = t.title(1, 3)
    rows = [['<tr><td class="icon1"></td>', f.div('subject windowbg2', '<div><span><a>', Gold(t.title()), '</a></span><p>', Gold(
        'Started by <a>%s</a>' % t.user()), '</p></div>', tag='td'),
             '<td class="stats windowbg">%d Replies<br>%d Views</td><td class="lastpost windowbg2"><a>%s</a><br>by <a>%s</a></td>'
             '</tr>\n' % (t.rng.randrange(99), t.rng.randrange(9999), t.date(), t.user())] for _ in range(t.rng.randint(8, 30))]
    return f.page(title, f.pager(), f.div(
        'tborder topic_table', '<h3 class="catbg">', Gold(title), '</h3><table class="table_grid"><tr class="catbg"><th></th><th>'
        '<a>Subject</a> / <a>Started by</a></th><th><a>Replies</a> / <a>Views</a></th><th><a>Last post</a></th></tr>', rows,
        '</table>'), f.div('topic_icons', '<p>Normal Topic<br>Hot Topic (More than 15 replies)</p><p>Locked Topic</p>'))


PLATFORMS = {
    'blog-index': ('listing', blog_index), 'search-results': ('listing', search_results),
    'classifieds': ('listing', classifieds), 'topic-list': ('listing', topic_list), 'ghost-index': ('listing', ghost_index),
    'jekyll-index': ('listing', jekyll_index), 'mediawiki-search': ('listing', mediawiki_search), 'koha': ('listing', koha),
    'craigslist': ('listing', craigslist), 'opencart-category': ('listing', opencart_category),
    'phpbb2-topics': ('listing', phpbb2_topics), 'mybb-topics': ('listing', mybb_topics),
    'xenforo-topics': ('listing', xenforo_topics), 'fluxbb-topics': ('listing', fluxbb_topics),
    'smf-topics': ('listing', smf_topics),
}
