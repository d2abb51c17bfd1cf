"""Pages of forums, blogs, shops and lists that are made with exact labels."""
import html
import pathlib
import random
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'training'))
import content_sets  # noqa: E402
import forum_pages  # noqa: E402
import forum_templates  # noqa: E402
import page_words  # noqa: E402

# Words of three letters, none of which a template prints by itself.
SENTENCES = [' '.join('z%c%c' % (97 + (i * 7 + k) % 26, 97 + (i + k * k) % 26) for k in range(12)).capitalize() + ' & so.'
             for i in range(200)]
FRAMES = (*page_words.SIGNATURES, *page_words.LEGAL, *page_words.COOKIES, *page_words.ADVERTS, *page_words.RANKS)


class Forums(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = list(forum_pages.make(SENTENCES, per_platform=10))

    def test_same_arguments_same_bytes(self):
        self.assertEqual(self.pages, list(forum_pages.make(SENTENCES, per_platform=10)))
        self.assertNotEqual(self.pages, list(forum_pages.make(SENTENCES, per_platform=10, seed=2)))

    def test_platforms_and_kinds(self):
        modules = [getattr(forum_templates, name) for name in dir(forum_templates) if name.endswith('_templates')]
        names = [name for module in modules for name in module.PLATFORMS]
        self.assertGreaterEqual(len(names), 70)
        self.assertEqual(sorted(names), sorted(forum_templates.PLATFORMS))
        self.assertEqual({page.platform for page in self.pages}, set(forum_templates.PLATFORMS))
        self.assertEqual({page.kind for page in self.pages}, {'forum', 'article', 'product', 'listing'})

    def test_labels_stand_in_the_page_in_order(self):
        for page in self.pages:
            markup = page.data.decode()
            text = ' '.join(html.unescape(re.sub(r'<[^>]*>', '', re.sub('<br>', ' ', markup.split('</head>', 1)[-1].split('</HEAD>')[-1]))).split())
            at = 0
            for line in page.gold.split('\n'):
                self.assertTrue(line)
                found = text.find(line, at)
                self.assertGreaterEqual(found, 0, (page.name, line))
                at = found + len(line)

    def test_frame_is_no_content(self):
        for page in self.pages:
            self.assertFalse([frame for frame in FRAMES if frame in page.gold.split('\n')], page.name)
            self.assertNotIn('<', page.gold)
        everything = b''.join(page.data for page in self.pages).decode()
        for frame in FRAMES:
            self.assertIn(frame, everything)

    def test_templates_are_filled_in(self):
        for page in self.pages:
            self.assertIsNone(re.search(rb'%[%sd]', page.data), page.name)

    def test_comments_of_readers_are_no_content(self):
        for platform, before, comment in (('wordpress', 'says:', r'<p>(.*?)</p>'), ('typepad', '<h3>Comments</h3>', r'<p>(.*?)</p>'),
                                          ('livejournal', 'dot.gif', r'</div>\s*<div[^>]*>(.*?)</div>')):
            own = [p for p in self.pages if p.platform == platform]
            behind = [(p.gold, re.search(comment, p.data.decode().partition(before)[2])) for p in own]
            found = [(gold, html.unescape(match.group(1))) for gold, match in behind if match]
            self.assertTrue(found, platform)
            for gold, text in found:
                self.assertNotIn(text, gold, platform)

    def test_posts_are_content_up_to_the_last(self):
        for platform, post in (('phpbb2', 'postbody'), ('perlmonks', 'reply-body'), ('lobsters', 'comment_text'),
                               ('lemmy', 'md-div'), ('slashdot', 'commentBody'), ('question2answer', 'entry-content'),
                               ('askbot', 'js-editable-body'), ('fluxbb', 'postmsg'), ('invision', 'ipsType_richText'),
                               ('google-groups', 'BkrUxb'), ('debbugs', 'message'),
                               ('old-reddit', 'usertext-body may-blank-within'),
                               ('tildes', 'comment-text'), ('quora', 'q-text qu-display--block'), ('yahoo-answers', 'answer'),
                               ('issue-tracker', 'd-block comment-body markdown-body js-comment-body'),
                               ('metafilter', 'comments')):
            own = [p for p in self.pages if p.platform == platform and 'class="%s"' % post in p.data.decode()]
            self.assertTrue(own, platform)
            for page in own:
                behind = html.unescape(re.sub(r'<[^>]*>', '', page.data.decode().rsplit('class="%s"' % post, 1)[1]))
                self.assertIn(page.gold.split('\n')[-1], ' '.join(behind.split()), page.name)

    def test_messages_are_subject_and_text(self):
        for platform, head, after in (('public-inbox', 'id=t>', '</pre>'), ('marc', 'Subject:    <a>', '<font size="+1">'),
                                      ('gmane', '<a class="subject">', '</div>')):
            messages = [p for p in self.pages if p.platform == platform and head in p.data.decode()
                        and (platform != 'gmane' or 'class="bodytext"' in p.data.decode())]
            self.assertTrue(messages, platform)
            for page in messages:
                subject, _, rest = page.data.decode().partition(head)[2].partition('</a>')
                lines = page.gold.split('\n')
                self.assertEqual(html.unescape(subject), lines[0], page.name)
                self.assertNotIn('Message-ID', page.gold)
                last = html.unescape(re.sub(r'<[^>]*>', '', rest.split('bodytext', 1)[-1].partition(after)[0]))
                self.assertIn(lines[-1], ' '.join(last.split()), page.name)

    def test_no_label_stands_among_comments_or_in_captions(self):
        ends = {'medium': '<div class="responses">', 'substack': 'Discussion about this post', 'squarespace': 'Newest First',
                'newspaper': 'You must be signed in', 'static-blog': 'class="paginav"', 'movable-type': r'Comments?</h2>',
                'serendipity': r'Comments</h3><dl>|Title">Comments<', 'typepad': '<h3>Comments</h3>',
                'wordpress': '<ol class="commentlist">'}
        captions = 0
        for platform, end in ends.items():
            kind, template = forum_templates.PLATFORMS[platform]
            self.assertEqual(kind, 'article')
            behind = 0
            for i in range(30):
                text = forum_pages.Text(SENTENCES, random.Random(i))
                site = forum_pages.Site(platform, i, SENTENCES, 1)
                pieces = page_words.flatten(template(forum_pages.Frame(site, text), text), [])
                last = max(k for k, piece in enumerate(pieces) if isinstance(piece, page_words.Gold))
                places = [k for k, piece in enumerate(pieces) if re.search(end, piece)]
                self.assertFalse([k for k in places if k < last], (platform, i))
                behind += bool(places)
                for before, piece in zip(pieces, pieces[1:]):
                    captions += 'figcaption' in piece
                    self.assertFalse(isinstance(piece, page_words.Gold) and before.endswith('figcaption>'), platform)
            self.assertGreater(behind, 10, platform)
        self.assertGreater(captions, 20)

    def test_gold_keeps_lines_and_drops_markup(self):
        gold = page_words.Gold
        self.assertEqual(forum_pages.gold_text(['<p>', gold('a <b>b</b>c &amp; d<br>e<br>\n<br>f'), 'frame', gold(' g\nh ')]),
                         'a bc & d e\nf\ng h')

    def test_names_differ_by_site(self):
        names = {forum_pages.Site('phpbb', i, SENTENCES, 1).name_of('postbody') for i in range(20)}
        self.assertIn('postbody', names)
        self.assertGreater(len(names), 3)

    def test_held_out_by_platform(self):
        page = content_sets.Page('forums', 'n', 'phpbb/3', b'', 'a', (), (), 'forum')
        self.assertEqual(content_sets.held_out_group(page), 'phpbb')

    def test_text_survives_any_sentence(self):
        text = forum_pages.Text(['<b> & "x"', 'a'], random.Random(1))
        for _ in range(50):
            self.assertNotIn('<b>', text.title() + text.sentence() + text.paragraph())


if __name__ == '__main__':
    unittest.main()
