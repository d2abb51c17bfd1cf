#!/usr/bin/env python3
"""Engines that are programs and servers: tests/engines/run.py BUILD_DIR [--long]

The same documents in SQLite, Xapian, PostgreSQL (a cluster of its own) and Xapian-Omega over HTTP must
give the same sets of pages. Then what can go wrong: engines that are down, slow, empty, lie or answer
with garbage; pages without end; names that lead out of the networks; hosts that forbid robots. What is
not installed is skipped and named.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

import servers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / 'tests/support'))
from measured import Skipped, require, suite_from_arguments

LOOPBACK = ['127.0.0.0/8']
ASKED = ['--networks', LOOPBACK[0]]
CRAWL = ROOT / 'examples/data/boost-docs.warc.gz'
# Plain words, which Omega reads as we do; from frequent to none.
QUERIES = ['boost library', 'vector iterator', 'mutex thread lock', 'qzxqzx', 'qzxqzx vector', 'asio socket']
# Tokens with everything that could be read as syntax, and one that is longer than indexes take.
ODD = ["don't", "o'neill's", '3.14', '1,000', 'naïve', 'straße', 'привет', '日本', 'a_b', 'and', 'or', 'not',
       'near', 'x' * 3000, 'x' * 2999 + 'y', 'u', 'json', 'url']


def program(place, name):
    path = pathlib.Path(place.program).parent / name
    if not path.is_file():
        raise Skipped('%s was not built: its library is not installed' % name)
    return path


def build(place, kind, out, *arguments, code=0):
    return place.run('engine', 'build', '--type', kind, '--out', out, '--quiet', *arguments).ended(code)


def query(place, engine, words, *arguments):
    """(set of addresses, hits) that an engine gives."""
    run = place.run('engine', 'query', engine, *words.split(), '--limit', '5000', '--json', *ASKED,
                    *arguments).ended(0)
    first, *rows = [json.loads(line) for line in run.stdout.splitlines()]
    urls = [row['url'] for row in rows]
    require(len(set(urls)) == len(urls), engine, 'repeats results of', words)
    return set(urls), first.get('hits')


def describe(place, name, **members):
    """A description of an engine over HTTP, in haste."""
    members = {'type': 'http', 'delay_ms': 0, 'retries': 0, 'robots': False,
               'timeout_ms': 20000, **members}
    return place.write(name + '.json', json.dumps(members).encode()).name


def refused(place, engine, *words, code=1, asked=ASKED):
    run = place.run('engine', 'query', engine, 'some', 'words', '--json', *asked, timeout=60).ended(code, *words)
    require(run.stdout == '', 'an answer was made up:', run.stdout)
    return run


def same_sets(place, engines, queries):
    first, *others = engines
    found = 0
    for words in queries:
        for how in ([], ['--any']):
            urls, hits = query(place, first, words, *how)
            require(hits == len(urls), 'hits', hits, 'but', len(urls), 'results')
            found += len(urls)
            for other in others:
                urls2, hits2 = query(place, other, words, *how)
                require(urls2 == urls, '%s and %s differ for %r %s: %d and %d pages, %s'
                        % (first, other, words, how, len(urls), len(urls2), sorted(urls ^ urls2)[:3]))
                require(hits2 == hits, other, 'claims', hits2, 'hits, not', hits)
    return found


def case_crawl(place):
    """A crawl in every engine; Omega reads the Xapian database."""
    program(place, 'twinset-http')
    program(place, 'twinset-engine-xapian')
    build(place, 'sqlite', 'sqlite', CRAWL)
    build(place, 'xapian', 'xapian', CRAWL)
    # Omega shows at most 1000 results a page, and further pages of what it was asked before (xP).
    template = '/omega?DB=crawl&P={terms}&xP={terms}&DEFAULTOP={operator}&HITSPERPAGE={limit}&TOPDOC={start}' \
        '&MINHITS=100000&FMT='
    with servers.omega({'crawl': place.path('xapian/index.xapian')}) as omega:
        words = {'operators': ['and', 'or'], 'separators': ['\t', '\t']}
        html = describe(place, 'omega-html', url=omega.url + template + 'html', page_size=1000, **words,
                        results='//a[@class="result"]/@href', hits='string(//p[@id="count"])')
        pages = describe(place, 'omega-json', url=omega.url + template + 'json', page_size=1000, **words,
                         format='json', results='/results/*/url', hits='/hits')
        # Page after page, as real engines show them.
        steps = describe(place, 'omega-steps', url=omega.url + template + 'json', page_size=10, **words,
                         format='json', results='/results/*/url', hits='/hits')
        found = same_sets(place, ['sqlite', 'xapian', html, pages], QUERIES)
        require(found > 1000, 'only', found, 'results: the queries say little')
        urls, hits = query(place, 'sqlite', 'vector iterator')
        require(len(urls) > 20 and query(place, steps, 'vector iterator') == (urls, hits), 'page by page differs')


def odd_documents():
    rows = []
    for i in range(200):
        words = [ODD[k] for k in range(len(ODD)) if (i + 1) % (k + 2) == 0]
        rows.append({'id': str(i), 'url': 'http://example.org/%d?q=ü' % i,
                     'text': ' '.join(words + ['number', str(i)]),
                     'title': 'Nr "%d" \\ \'x\'' % i, 'spam': i % 3 == 0, 'rank': i / 7})
    rows.append(rows[0] | {'text': 'the same address again'})
    rows.append({'id': 'empty', 'url': 'http://example.org/empty', 'text': ''})
    rows.append({'id': 'long', 'url': 'http://example.org/' + 'l' * 5000, 'text': 'number long address'})
    return ''.join(json.dumps(row) + '\n' for row in rows).encode()


def case_odd_tokens(place):
    """Words that could be syntax, in SQLite, Xapian and PostgreSQL; pages come back as they were."""
    place.write('odd.jsonl', odd_documents())
    engines = ['sqlite', 'xapian']
    arguments = ['odd.jsonl', '--keep-fields', 'spam,rank']
    with contextlib.ExitStack() as stack:
        try:
            program(place, 'twinset-engine-postgres')
            database = stack.enter_context(servers.postgres())
            engines.append('postgres')
        except (servers.Missing, Skipped) as reason:
            print('SKIPPED postgres: %s' % reason)
        program(place, 'twinset-engine-xapian')
        for engine in engines:
            more = ['--database', database] if engine == 'postgres' else []
            build(place, engine, engine, *arguments, *more)
        found = same_sets(place, engines, [
            "don't", "o'neill's 3.14", 'naïve straße', 'привет 日本', 'a_b 1,000', 'and', 'or not',
            'near u json url', 'number', 'x' * 3000, 'long address'])
        require(found > 500, 'only', found, 'results')
        answers = {}
        for engine in engines:
            run = place.run('engine', 'query', engine, 'number', 'naïve', '--any', '--limit', '500', '--fetch',
                            '--json').ended(0)
            rows = [json.loads(line) for line in run.stdout.splitlines()[1:]]
            for row in rows:
                row.pop('rank')
            answers[engine] = sorted(rows, key=lambda row: row['url'])
            require(len(rows) == 201 and all('text' in row for row in rows), engine, 'gives no pages')
            require(answers[engine] == answers['sqlite'], engine, 'keeps other pages than sqlite')
        if 'postgres' in engines:
            postgres_tables(place, database, arguments)
    if 'postgres' in engines:
        refused(place, 'postgres', 'No such file')


def postgres_tables(place, database, arguments):
    """What is in the database already is nobody's to drop."""
    def psql(command):
        client = str(servers.postgres_folder() / 'psql')
        return subprocess.run([client, '-X', '-A', '-t', '-d', database, '-c', command],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    again = ['--database', database, '--name', 'postgres']
    place.run('engine', 'build', '--type', 'postgres', '--out', 'again', '--quiet', *arguments, *again).ended(
        2, 'exists')
    build(place, 'postgres', 'postgres', *arguments, *again, '--overwrite')
    psql('CREATE TABLE "drop; ""x""" (a int)')
    place.run('engine', 'build', '--type', 'postgres', '--out', 'other', '--quiet', *arguments, '--database', database,
              '--name', 'drop; "x"', '--overwrite').ended(2, 'no engine of twinset')
    require(psql('SELECT count(*) FROM "drop; ""x"""').strip() == '0', 'the table is gone')
    require('building' not in psql("SELECT relname FROM pg_class WHERE relkind = 'r'"), 'a half table is left')


def long_shared_pages(place):
    """A handbook in German, Japanese and Chinese, and a documentation site, in SQLite and Xapian."""
    data = pathlib.Path(os.environ.get('TWINSET_SHARED_DATA') or ROOT.parent / 'shared/data').resolve()
    program(place, 'twinset-engine-xapian')
    for archive, words in (('i18n/debian_handbook_de_ja_zhCN.tar.xz', ['paket', '日本', 'の インストール', '安装 软件']),
                           ('sites/postgresql_doc_15.tar.xz', ['vacuum', 'create index', 'tsvector tsquery'])):
        if not (data / archive).is_file():
            raise Skipped('%s is not here' % archive)
        pages = place.path('pages-' + words[0])
        pages.mkdir()
        subprocess.run(['tar', '-C', str(pages), '-xf', str(data / archive)], check=True)
        engines = [kind + '-' + words[0] for kind in ('sqlite', 'xapian')]
        for engine in engines:
            build(place, engine.split('-')[0], engine, pages)
        found = same_sets(place, engines, words)
        print('        %s: %d results, the same' % (archive, found))
        require(found > 100, 'only', found, 'results')


def case_down(place):
    """Nobody listens; the host has no address; the name leads out of the networks."""
    program(place, 'twinset-http')
    closed = servers.free_port()
    common = {'results': '//a/@href'}
    down = describe(place, 'down', url='http://127.0.0.1:%d/?q={terms}' % closed, **common)
    refused(place, down, 'cannot connect')
    nowhere = describe(place, 'nowhere', url='http://nowhere.invalid/?q={terms}', **common)
    refused(place, nowhere, 'has no address')
    with servers.statuses() as site:
        out = describe(place, 'out', url='http://localhost:%d/?q={terms}' % site.port, networks=['192.0.2.0/24'],
                       **common)
        refused(place, out, 'outside the networks', code=2)
        away = describe(place, 'away', url='http://there.example:%d/?q={terms}' % site.port,
                        resolve=['there.example:%d:127.0.0.1' % site.port], networks=['10.0.0.0/8'], **common)
        refused(place, away, 'outside the networks', code=2)
        require(site.requests == [], 'it was asked all the same:', site.requests)


def case_networks(place):
    """Neither a description, nor a result, nor a redirect leads where the user did not name the network."""
    program(place, 'twinset-http')

    def inner(path, _):
        return 200, {}, 'the secret of ' + path

    with servers.answering(inner, '127.0.0.2') as secret:
        def outer(path, _):
            if path == '/robots.txt':
                return 302, {'Location': secret.url + '/robots.txt'}, ''
            if path.startswith('/away'):
                return 302, {'Location': secret.url + path}, ''
            return 200, {}, json.dumps([secret.url + '/a', site.url + '/away/b', site.url + '/c'])
        with servers.answering(outer) as site:
            engine = describe(place, 'engine', url=site.url + '/?{terms}', format='json', results='/*')
            # The networks of a description take away; they never add.
            own = describe(place, 'own', url=site.url + '/?{terms}', format='json', results='/*', networks=LOOPBACK)
            for name in (engine, own):
                refused(place, name, '127.0.0.1 is outside the networks', '--networks', code=2, asked=[])
                run = place.run('sample', name, '--queries', place.write('q.txt', b'word\n'), '--out',
                                'sample-' + name).ended(2, 'outside the networks')
            require(site.requests == [], 'asked', site.requests)
            run = place.run('engine', 'query', engine, 'word', '--fetch', '--json', '--networks', '127.0.0.1').ended(0)
            pages = [json.loads(line) for line in run.stdout.splitlines()[1:]]
            require(['failed' in page for page in pages] == [True, True, False], pages)
            require(all('127.0.0.2 is outside' in page['failed'] for page in pages[:2]), pages)
            polite = describe(place, 'robots', url=site.url + '/?{terms}', format='json', results='/*', robots=True)
            refused(place, polite, 'outside the networks', code=2, asked=['--networks', '127.0.0.1'])
            place.write('old.jsonl', json.dumps({'url': secret.url + '/a', 'text': 'the secret of a ' * 5}).encode())
            build(place, 'sqlite', 'index', 'old.jsonl')
            run = place.run('rescue', '--all', '--from', 'old.jsonl', '--in', 'index', '--check-live', '--json',
                            '--networks', '127.0.0.1').ended(0, 'outside the networks')
            # A trap is asked about at addresses of its own host, and where these redirect to.
            traps = [{'url': '%s/%s' % (url, a * 4), 'text': 'the secret of many addresses'} for a in 'abcdefghijkl'
                     for url in (secret.url, site.url + '/away')]
            place.write('traps.jsonl', ''.join(json.dumps(trap) + '\n' for trap in traps).encode())
            run = place.run('traps', 'traps.jsonl', '--probe', '--json', '--networks',
                            '127.0.0.1').ended(0, '2 probes without an answer', 'outside the networks')
            reasons = [json.loads(line)['probe']['reason'] for line in run.stdout.splitlines()]
            require(len(reasons) == 2 and all('127.0.0.2 is outside' in reason for reason in reasons), reasons)
            require(secret.requests == [], 'asked', secret.requests)
            run = place.run('engine', 'query', engine, 'word', '--fetch', '--json', *ASKED).ended(0)
            require(run.stdout.count('the secret of') == 2, run.stdout)


def case_postgres_networks(place):
    """A description of a PostgreSQL server is held to the networks as any other, by every way to name one."""
    program(place, 'twinset-engine-postgres')

    def ask(database, *more):
        place.write('far.json', json.dumps({'type': 'postgres', 'configuration': {
            'database': database, 'networks': ['0.0.0.0/0']}}).encode())
        return place.run('engine', 'query', 'far.json', 'word', '--json', *more)
    with socket.create_server(('127.0.0.1', 0)) as server:
        port = str(server.getsockname()[1])
        places = ['host=127.0.0.1', 'host=localhost', 'hostaddr=127.0.0.1', 'host=example.org hostaddr=127.0.0.1',
                  'host=2130706433', 'host=::ffff:127.0.0.1']
        databases = [name + ' port=' + port for name in places]
        databases += ['postgresql://127.0.0.1:%s/x' % port, 'postgres://localhost:%s/x' % port]
        databases += ["hostaddr='' host=127.0.0.1 port=" + port,
                      'postgresql:///x?host=127.0.0.1&hostaddr=&port=' + port]
        for database in databases:
            ask(database).ended(2, 'outside the networks')
        for several in ('host=127.0.0.1,127.0.0.1', 'host=/tmp,127.0.0.1', 'host=@x,localhost',
                        'hostaddr=/tmp,127.0.0.1', 'host=/tmp hostaddr=127.0.0.1,127.0.0.1'):
            ask(several + ' port=' + port).ended(2, 'several hosts')
        ask('postgresql://%%2Ftmp:%s,127.0.0.1:%s/x' % (port, port)).ended(2, 'several hosts')
        ask('hostaddr=/tmp port=' + port).ended(1)
        ask('service=mine').ended(2, 'a service is named')
        server.setblocking(False)
        try:
            server.accept()
            require(False, 'the server was asked')
        except BlockingIOError:
            pass
        server.settimeout(30)

        def hang_up():
            while True:
                try:
                    server.accept()[0].close()
                    asked.append(1)
                except OSError:
                    return
        asked = []
        threading.Thread(target=hang_up, daemon=True).start()
        ask(databases[0], '--networks', '127.0.0.1').ended(1)
        require(asked, 'not asked although its network was named')


def case_frames(place):
    """A page that an engine shows in frames, by its canonical address or by a meta refresh is in that engine."""
    program(place, 'twinset-http')
    heads = ['<frameset><frame src="/menu"><frame src="/page/%d"></frameset>',
             '<body><iframe src="/page/%d"></iframe></body>',
             '<link rel="canonical" href="/page/%d">',
             '<meta http-equiv="refresh" content="0; url=/page/%d">']

    def respond(path, _):
        if path.startswith('/search'):
            word = path.split('?')[1]
            number = int(re.search(r'word(\d)', word).group(1))
            return 200, {}, json.dumps(['/shown/%d' % number])
        if path.startswith('/shown/'):
            number = int(path[-1])
            return 200, {}, '<html>' + heads[number] % number + '<body>nothing like it</body></html>'
        return 404, {}, ''
    with servers.answering(respond) as site:
        rows = [{'url': '%s/page/%d' % (site.url, i), 'text': ' '.join('word%d%s' % (i, c) for c in 'abcdefghijkl')}
                for i in range(len(heads))]
        place.write('pages.jsonl', ''.join(json.dumps(row) + '\n' for row in rows).encode())
        build(place, 'sqlite', 'a', 'pages.jsonl')
        place.run('lexicon', 'build', 'pages.jsonl', '--out', 'words', '--min-df', '1', '--drop-common', '0',
                  '--drop-rare', '0').ended(0)
        describe(place, 'b', url=site.url + '/search?{terms}', format='json', results='/*')
        run = place.run('sample', 'a', 'b.json', '--sampler', 'bharat-broder', '--terms', '1', '--lexicon', 'words',
                        '--size', '12', '--check', '--out', 's', '--json', *ASKED).ended(0)
        overlap = next(row for row in json.loads(run.stdout)['overlaps'] if row['x'] == 'a')
        require(overlap['found'] == overlap['by_redirect'] == overlap['checked'] == 12, overlap)


def case_programs(place):
    """The program of a description is run only if the user says so."""
    place.write('run.sh', b'#!/bin/sh\ntouch ran\n')
    name = place.write('engine.json', json.dumps({'type': 'program', 'command': ['/bin/sh', 'run.sh']}).encode()).name
    queries = place.write('q.txt', b'word\n')
    for command in (['engine', 'query', name, 'word'], ['engine', 'show', name],
                    ['sample', name, '--queries', queries, '--out', 'sample'],
                    ['rescue', '--all', '--from', queries, '--in', name]):
        place.run(*command).ended(2, 'a program that would be run: /bin/sh', '--allow-programs')
        require(not place.path('ran').exists(), command, 'ran it')
    place.run('engine', 'query', name, 'word', '--allow-programs').ended(1)
    require(place.path('ran').exists(), 'it was not run')


def case_too_large(place):
    """What is too large is not asked for again."""
    program(place, 'twinset-http')
    with servers.answering(lambda path, _: (200, {}, 'x' * 3000)) as site:
        large = describe(place, 'large', url=site.url + '/?{terms}', results='//a', max_body_bytes=2000, retries=3,
                         backoff_ms=1)
        refused(place, large, 'too large')
        require(len(site.requests) == 1, 'asked', site.requests)


def case_bad_answers(place):
    """Slow, garbage, another page, empty: an error each, or an empty result where the engine says so."""
    program(place, 'twinset-http')
    with servers.slow() as site:
        slow = describe(place, 'slow', url=site.url + '/?q={terms}', results='//a', timeout_ms=300)
        run = refused(place, slow, 'no answer in time')
        require(run.seconds < 10, 'waited', run.seconds)
    with servers.garbage() as site:
        for path, word in (('', ''), ('cut', ''), ('html', 'neither results')):
            bad = describe(place, 'bad' + path, url='%s/%s?{terms}' % (site.url, path), results='//li/a/@href',
                           hits='//p', timeout_ms=2000)
            if path == 'html':
                bad = describe(place, 'badhtml', url=site.url + '/html#{terms}', results='//li/a/@href', hits='//em')
            refused(place, bad, word)
        nojson = describe(place, 'nojson', url=site.url + '/html#{terms}', format='json', results='/a')
        refused(place, nojson, 'no JSON')
    with servers.statuses() as site:
        for status in (404, 429, 500, 503):
            failed = describe(place, 'status%d' % status, url='%s/%d/?q={terms}' % (site.url, status), results='//a')
            refused(place, failed, 'status %d' % status)
        other = describe(place, 'other', url=site.url + '/?q={terms}', results='//li/a/@href', hits='//b')
        refused(place, other, 'neither results nor their number')
        nothing = describe(place, 'nothing', url=site.url + '/?q={terms}', results='//li/a/@href',
                           empty='//p[contains(., "some text")]')
        require(query(place, nothing, 'a') == (set(), None), 'what says that it is empty is not')
        wrong = describe(place, 'wrong', url=site.url + '/?q={terms}', results='//a[')
        refused(place, wrong, 'no XPath', code=2)
        slip = describe(place, 'slip', url=site.url + '/?q={terms}', result='//a')
        refused(place, slip, '"result"', 'slip.json', code=2)


def case_politeness(place):
    """robots.txt, the time between requests, and tries after refusals, on a real server."""
    program(place, 'twinset-http')
    times = []

    def respond(path, _):
        times.append((time.monotonic(), path))
        if path == '/robots.txt':
            return 200, {}, 'User-agent: twinset\nDisallow: /closed\n'
        if len(times) == 2:
            return 503, {'Retry-After': '0'}, ''
        return 200, {}, json.dumps(['http://a/%d' % len(times)] * 2)
    with servers.answering(respond) as site:
        polite = describe(place, 'polite', url=site.url + '/open?{terms}&{start}', format='json', results='/*',
                          page_size=2, max_results=4, delay_ms=200, retries=1, robots=True)
        place.run('engine', 'query', polite, 'word', '--json', '--limit', '4', *ASKED).ended(0)
        require([path for _, path in times] == ['/robots.txt', '/open?word&0', '/open?word&0', '/open?word&2'],
                'asked', times)
        for (a, _), (b, _) in zip(times, times[1:]):
            require(b - a >= 0.2, 'asked again after', b - a, 's')
        times.clear()
        closed = describe(place, 'closed', url=site.url + '/closed?{terms}', format='json', results='/*', robots=True)
        refused(place, closed, 'excluded by robots.txt')
        require([path for _, path in times] == ['/robots.txt'], 'asked', times)


class Conversation:
    """A program of the protocol, asked by hand."""

    def __init__(self, path, configuration, **environment):
        self.id = 0
        self.process = subprocess.Popen([str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, **environment})
        self.watchdog = threading.Timer(60, self.process.kill)
        self.watchdog.start()
        self.hello = self.ask(op='hello', protocol=1, configuration=configuration)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        code = self.process.wait(10)
        self.watchdog.cancel()
        self.process.stdout.close()
        require(code == 0, 'the program ended with', code)

    def ask(self, **request):
        self.id += 1
        self.process.stdin.write(json.dumps({'id': self.id, **request}).encode() + b'\n')
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        require(reply['id'] == self.id, 'another id:', reply)
        if 'body_bytes' in reply:
            reply['body'] = self.process.stdout.read(reply['body_bytes'])
        return reply

    def get(self, url):
        """(status or the code of the error, reply)."""
        reply = self.ask(op='get', url=url)
        return (reply['status'] if reply['ok'] else reply['error']['code']), reply


def case_http_limits(place):
    """What hostile servers send is bounded in size and time; one failure leaves the program whole."""
    path = program(place, 'twinset-http')
    limits = {'timeout_ms': 1500, 'max_body_bytes': 1 << 20, 'networks': LOOPBACK}
    # A proxy of the surroundings is not asked.
    with Conversation(path, limits, http_proxy='http://127.0.0.1:1', ALL_PROXY='http://127.0.0.1:1') as client:
        with servers.garbage() as site:
            started = time.monotonic()
            for what in ('endless', 'headers', 'drip', 'cut', ''):
                got, reply = client.get('%s/%s' % (site.url, what))
                large = what in ('endless', 'headers')
                require(got == ('unsupported' if large else 'unavailable'), what, 'gives', reply)
            require(time.monotonic() - started < 15, 'too slow')
        with servers.statuses() as site:
            got, reply = client.get(site.url + '/redirect/5')
            require(got == 200 and len(reply['redirects']) == 5 and reply['url'] == site.url + '/redirect/0', reply)
            require(b'the end of the way' in reply['body'], reply)
            got, reply = client.get(site.url + '/redirect/6')
            require(got == 'unavailable' and 'redirects' in reply['error']['message'], reply)
            got, reply = client.get(site.url + '/503')
            require(got == 503 and reply['retry_after_s'] == 0, reply)
            got, reply = client.get('file:///etc/passwd')
            require(got == 'usage', reply)
            got, reply = client.get('http://[::ffff:192.0.2.1]/')
            require(got == 'unsupported', reply)
    with Conversation(path, {**limits, 'max_redirects': 0}) as client, servers.statuses() as site:
        got, reply = client.get(site.url + '/away')
        require(got == 301 and reply['location'] == 'http://localhost:%d/redirect/0' % site.port, reply)
    for bad in ({'networks': ['127.0.0.1/33']}, {'networks': ['here']}, {'only': ['here']}, {'max_body_bytes': -1}, {'time': 1}):
        with Conversation(path, bad) as client:
            require(client.hello['error']['code'] == 'usage', bad, 'is taken:', client.hello)
            require(client.get('http://127.0.0.1/')[0] == 'usage', 'it works without a greeting')


def case_static_site(place):
    """nginx over a folder, through the client that walks use."""
    path = program(place, 'twinset-http')
    if not servers.nginx_program():
        raise Skipped('no nginx (tools/install_dependencies test)')
    place.write('site/index.html', b'<a href="sub/">x</a>' + b' ' * 100000)
    place.write('site/sub/index.html', b'sub')
    with servers.static_site(place.path('site'), extra='gzip on; gzip_min_length 1;') as site, \
            Conversation(path, {'networks': LOOPBACK}) as client:
        got, reply = client.get(site.url + '/')
        require(got == 200 and len(reply['body']) == 100020 and reply['content_type'].startswith('text/html'), got)
        got, reply = client.get(site.url + '/sub')
        require(got == 200 and reply['url'] == site.url + '/sub/' and reply['body'] == b'sub', reply)
        require(client.get(site.url + '/none')[0] == 404, 'no 404')


def case_linked(place):
    """The heavy libraries are in programs of their own, and Xapian, under the GPL, in one alone."""
    if not shutil.which('readelf'):
        raise Skipped('no readelf')

    def linked(path):
        output = subprocess.run(['readelf', '-d', str(path)], capture_output=True, text=True, check=True).stdout
        return set(re.findall(r'NEEDED.*\[(lib\w+)', output))
    folder = pathlib.Path(place.program).parent
    require(len(linked(folder / 'twinset')) > 5, 'readelf shows nothing')
    owners = {'libcurl': 'twinset-http', 'libxml2': 'twinset-http', 'libpq': 'twinset-engine-postgres',
              'libxapian': 'twinset-engine-xapian'}
    for name in ('twinset', 'twinset-measure', 'twinset-corpora', *sorted(set(owners.values()))):
        if not (folder / name).is_file():
            print('SKIPPED %s: it was not built' % name)
            continue
        heavy = {library for library in linked(folder / name) if library in owners}
        require(heavy == {library for library, owner in owners.items() if owner == name}, name, 'links', heavy)


def main():
    suite, long = suite_from_arguments(__doc__)
    for name, case in list(globals().items()):
        if name.startswith(('case_', 'long_') if long else 'case_'):
            def run(place, case=case):
                try:
                    case(place)
                except servers.Missing as missing:
                    raise Skipped(str(missing)) from None
            suite.run(name[len('case_'):], run)
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
