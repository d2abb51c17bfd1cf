"""What the made pages are put together from: phrases of their frames, and the pieces that are main content."""

ASKING = ('Has anyone seen this before?', 'What am I missing?', 'Any help is appreciated.', 'How do you deal with that?',
          'Is that expected, or is it only me?', 'Which of the two would you take?', 'Thanks in advance!')
ANSWERING = ('Same here.', 'That did it, thank you!', 'I had this last week as well.', 'No, that is not how it works.',
             '+1', 'You should look at the date first.', 'Could you say which version that is?', 'Nice write-up.',
             'Bump.', 'Agreed.', 'As said above, it depends.', 'Did you try turning it off?', 'Never mind, found it.',
             'I would not do that.', 'This is the right answer.', 'Why not simply leave it out?', 'LOL', 'Great post!',
             'Thanks for sharing this with us.', 'I disagree with the second point.', 'Solved, please close.')
SIGNATURES = ('Sent from my phone', 'Everything should be as simple as it can be', 'Moderator, please read the rules',
              'My rig: 8 cores, 32 GB, two fans', 'There are no stupid questions, only long threads', 'carpe diem')
RANKS = ('Newbie', 'Member', 'Senior Member', 'Administrator', 'Site Admin', 'Regular', 'Moderator', 'Hero Member')
MENU = ('Home', 'Forum', 'Forums', 'Blog', 'News', 'Shop', 'About us', 'Contact', 'FAQ', 'Help', 'Members', 'Calendar',
        'Downloads', 'Gallery', 'Register', 'Log in', 'Tags', 'Categories', 'Wiki', 'Search', 'My account', 'Jobs')
LEGAL = ('All rights reserved.', 'Use of this site means that you accept our terms of service.',
         'All times are UTC.', 'Content is licensed as stated in the terms.', 'Powered by a community of volunteers.',
         'Prices include VAT where it applies; shipping is extra.')
COOKIES = ('We use cookies to make this site work and to learn how it is used. By going on you agree.',
           'This website stores data such as cookies for its functions, for marketing and for statistics.',
           'Your privacy matters: choose which cookies you allow. You can change this at any time.')
ADVERTS = ('Advertisement', 'Sponsored: save 20 % on your first order today', 'Ads by our partners',
           'Hosting from 1.99 a month, no setup fee', 'Remove ads by becoming a supporter')
WIDGETS = ('Recent Posts', 'Recent Comments', 'Archives', 'Categories', 'Popular now', 'Similar threads', 'Tags',
           'Related topics', 'You may also like', 'Newsletter', "Who's online", 'Blogroll', 'Hot Network Questions')
SYLLABLES = [c + v for c in 'bcdfghjklmnprstvwz' for v in 'aeiou']


class Gold(str):
    """Inline markup that is main content: a line of the label, more with two <br> in a row."""


def flatten(parts, out):
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        else:
            flatten(part, out)
    return out
