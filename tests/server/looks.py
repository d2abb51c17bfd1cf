"""The page at / as a browser shows it, over documents that try what they can."""
import pathlib
import os
import urllib.parse

import browser
from measured import Skipped, require
from served import BRIDGE, OTHER, Served

HOSTILE = ('"><script>document.title="hacked"</script>', "</textarea><img src=x onerror=alert(1)>",
           'http://example.org/' + 'long-name-' * 60, '\u202e\u0645\u0631\u062d\u0628\u0627', '\u4f60\u597d' * 40)


def pages_of(server):
    """{name: page}"""
    def get(target):
        answer = server.ask('GET', target)
        require(answer.status == 200, target, answer.status)
        require(answer.headers['Content-Security-Policy'].startswith("default-src 'self';"), answer.headers)
        return answer.body

    def post(text):
        answer = server.ask('POST', '/', urllib.parse.urlencode({'text': text}),
                            Content_Type='application/x-www-form-urlencoded')
        require(answer.status == 200, answer.status)
        return answer.body

    found = {'empty': get('/')}
    for number, name in enumerate(HOSTILE):
        words = ' '.join('w%d' % (number * 1000 + i) for i in range(60))
        for copy in range(3):
            server.add('%s %d' % (name, copy), '%s %s %s' % (words, name, 'x' * 500 * copy), url=name, tag=name)
    found['home'] = get('/')
    found['new'] = post(OTHER)
    words = ' '.join('w%d' % i for i in range(60))
    found['seen'] = post('%s %s %s' % (words, HOSTILE[0], 'y' * 20_000))
    large = post('%s %s %s' % (words, HOSTILE[0], 'y' * 1_000_000))
    require('class="two"' in large and len(large) < 1_100_000, 'a word of 1 MB is shown whole', len(large))
    found['dropped'] = get('/?' + urllib.parse.urlencode({'id': HOSTILE[1] + ' 1'}))
    found['by address'] = get('/?' + urllib.parse.urlencode({'id': HOSTILE[3]}))
    require('Seen: ' in found['seen'] and 'class="two"' in found['seen'], 'nothing is beside the text')
    require('was dropped' in found['dropped'] and 'class="two"' in found['dropped'])
    require('New: nothing like it is stored' in found['new'])
    style = server.ask('GET', '/style.css').body
    link = '<link rel="stylesheet" href="/style.css"/>'
    for name, page in found.items():
        require(page.count(link) == 1 and '<script' not in page and 'style=' not in page, name)
    return {name: page.replace(link, '<style>%s</style>' % style) for name, page in found.items()}


def page_in_a_browser(place):
    if browser.chromium() is None:
        raise Skipped('no Chromium: tools/install_dependencies test')
    with Served(place) as server:
        server.add('first', BRIDGE)
        pages = pages_of(server)
    if keep := os.environ.get('TWINSET_KEEP_PAGES'):
        for name, page in pages.items():
            for width in (390, 1280):
                for dark in (False, True):
                    browser.screenshot(page, width, dark, pathlib.Path(keep) / (
                        '%s-%d%s.png' % (name.replace(' ', '-'), width, '-dark' if dark else '')))
    wrong = ['%s at %s%s: %s' % (seen['name'], seen.get('width'), ' dark' if seen.get('dark') else '', what)
             for seen in browser.measure(pages) for what in seen['bad']]
    require(not wrong, '\n'.join(['', *wrong]))
