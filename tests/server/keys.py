"""Both pages as a reader without a mouse meets them: in Chromium, narrow and wide, light and dark, by keys alone, over
documents that try what they can; and what axe-core says of them."""
import json
import pathlib
import urllib.parse

import browser as stills
import driven
from looks import HOSTILE
from measured import Skipped, require
from served import BRIDGE, Served, Viewed

# Width, dark, and whether axe-core looks at it: at each width and in both schemes once.
WINDOWS = ((390, False, False), (390, True, True), (1280, False, True), (1280, True, False))


def hostile_run(place):
    """A run over rows that have markup, other directions of writing and words of 1 MB in all that is shown."""
    rows = []
    for number, name in enumerate((*HOSTILE, 'a%2Fb?&#=+ "\'')):
        words = ' '.join('w%d' % (number * 1000 + i) for i in range(60))
        for copy in range(30 if number == 0 else 3):
            rows.append({'id': '%s %d' % (name, copy), 'url': 'http://h%d.example/%s%d' % (copy % 3, name, copy),
                         'title': name, 'text': '%s %s %s' % (words, name, 'x' * 1_000_000 * (number > 3 and copy % 2))})
    place.write('rows.jsonl', ''.join(json.dumps(row) + '\n' for row in rows).encode())
    place.run('dedup', 'rows.jsonl', '--out', 'run', '--kinds', '-q').ended(0)
    return rows


def looked_at(page, where, with_axe):
    require(not page.wider_than_the_window(), where, 'is wider than its window')
    require('hacked' not in page.value('document.title'), where, 'a text has run a script')
    found = page.findings() if with_axe else []
    require(not found, where, *found)


def has_axe():
    try:
        return bool(driven.axe())
    except Skipped as reason:
        print('        without axe-core:', reason)
        return False


def run_by_keys(place):
    """From the clusters to one of them, to two documents side by side, to a search: by Tab, Enter and letters."""
    rows = hostile_run(place)
    with_axe = has_axe()
    with Viewed(place, 'run') as server, driven.Browser() as browser:
        address = 'http://127.0.0.1:%d' % server.port
        bad = browser.open('data:text/html,<title>x</title><input>')
        require(not with_axe or bad.findings(), 'axe-core finds nothing wrong with a field without a label')
        bad.close()
        for width, dark, judged in WINDOWS:
            page = browser.open(address + '/', width, dark)
            looked_at(page, 'clusters', with_axe and judged)
            page.tab_to('at.name === "host"')
            page.type('h1.example')
            page.enter()
            require('host=h1.example' in page.value('location.search'), page.value('location.href'))
            page.tab_to('at.matches("td a")')
            page.enter()
            looked_at(page, 'a cluster', with_axe and judged)
            require(page.value('location.pathname') == '/cluster')
            page.tab_to('at.matches("td a") && at.pathname === "/pair"')
            page.enter()
            looked_at(page, 'a pair', with_axe and judged)
            require(page.value('document.querySelectorAll(".two > div").length') == 2, 'nothing is side by side')
            page.tab_to('at.pathname === "/documents"')
            page.enter()
            page.tab_to('at.name === "q"')
            page.type('مرحبا'[:3])
            page.enter()
            looked_at(page, 'a search', with_axe and judged)
            require(page.value('document.querySelectorAll("tbody tr").length') == 3, page.value('document.body.innerText'))
            page.tab_to('at.matches("td a") && at.pathname === "/document"')
            page.enter()
            looked_at(page, 'a document', with_axe and judged)
            page.tab_to('at.pathname === "/pairs"')
            page.enter()
            looked_at(page, 'pairs', with_axe and judged)
            page.close()
        # Each document beside the one that stands for it.
        for row in [json.loads(line) for line in place.path('run/clusters.jsonl').read_text().splitlines()][::7]:
            answer = server.ask('GET', '/pair?' + urllib.parse.urlencode({'a': row['cluster'], 'b': row['id']}))
            require(answer.status == 200 and 'class="two"' in answer.body, row['id'], answer.status)
            require('<script' not in answer.body and 'style=' not in answer.body and '<img' not in answer.body, row['id'])
            require(len(answer.body) < 200_000, 'a word of 1 MB is shown whole', len(answer.body))
        looks_of(server)
        require(server.end() == 0, server.told())
    require(len(rows) == 45, len(rows))


def looks_of(server):
    """The same rules as for reports (tests/look/run.py)."""
    style = server.ask('GET', '/style.css').body
    link = '<link rel="stylesheet" href="/style.css"/>'
    pages = {}
    for target in ('/', '/?kind=near', '/documents?q=h2', '/documents?q=w1001&in=texts', '/pairs'):
        answer = server.ask('GET', target)
        require(answer.status == 200 and answer.body.count(link) == 1, target, answer.status)
        require(answer.headers['Content-Security-Policy'].startswith("default-src 'self';"), answer.headers)
        pages[target] = answer.body.replace(link, '<style>%s</style>' % style)
    wrong = ['%s at %s%s: %s' % (seen['name'], seen.get('width'), ' dark' if seen.get('dark') else '', what)
             for seen in stills.measure(pages) for what in seen['bad']]
    require(not wrong, '\n'.join(['', *wrong]))


def index_by_keys(place):
    """A text that is typed, an address, and a file, asked of a live index."""
    with_axe = has_axe()
    with Served(place) as server, driven.Browser() as browser:
        for number, name in enumerate(HOSTILE):
            server.add(name, '%s %s' % (BRIDGE, ' '.join('w%d' % (number * 100 + i) for i in range(60))), url=name, tag=name)
        server.add('first', BRIDGE, url='http://example.org/bridge')
        html = place.write('page.html', ('<!DOCTYPE html><title>x</title><nav>menu</nav><p>%s</p>' % BRIDGE).encode())
        address = 'http://127.0.0.1:%d/' % server.port
        for width, dark, judged in WINDOWS:
            page = browser.open(address, width, dark)
            looked_at(page, 'the page', with_axe and judged)
            page.tab_to('at.name === "text"')
            page.type(BRIDGE)
            page.tab_to('at.matches("button")')
            page.enter()
            looked_at(page, 'an answer', with_axe and judged)
            require('Seen: first is the same' in page.value('document.body.innerText'), page.value('document.body.innerText'))
            page.tab_to('at.name === "id"')
            page.value('document.activeElement.value = ""')
            page.type('http://example.org/bridge')
            page.enter()
            looked_at(page, 'a document', with_axe and judged)
            require('first is kept' in page.value('document.body.innerText'))
            page.file('input[type=file]', pathlib.Path(html))
            page.tab_to('at.matches("button")')
            page.enter()
            looked_at(page, 'the answer to a file', with_axe and judged)
            require('Seen: first is the same' in page.value('document.body.innerText'), page.value('document.body.innerText'))
            page.close()
