"""Small sites for walks, served over loopback: a manual, soft 404s, a calendar without end."""
import http.server
import threading

PAGES = 60
WORDS = ('page graph link walk sample index host answer query store table column row value key '
         'lock plan cost scan sort merge hash join tree leaf node log write read commit').split()


def manual_links(page):
    """Pages of the manual that a page of it links to: contents, next, previous, two others."""
    links = {0, (page + 1) % PAGES, (page - 1) % PAGES, (7 * page + 3) % PAGES,
             (page * page + 1) % PAGES}
    return sorted(links - {page})


def page_html(title, links, words):
    items = ''.join('<li><a href="%s">%s</a></li>' % link for link in links)
    return ('<!DOCTYPE html><html><head><title>%s</title></head><body><h1>%s</h1><p>%s</p>'
            '<ul>%s</ul></body></html>' % (title, title, words, items)).encode()


def words_of(number):
    return ' '.join(WORDS[(number * 31 + i * (number % 7 + 1)) % len(WORDS)] for i in range(80))


def moved(path):
    """A start that links to two addresses that redirect, within its host and out of it."""
    if path == '/moved/in':
        return 'http://127.0.0.1:%(port)s/moved/index.html'
    if path == '/moved/out':
        return 'http://127.0.0.2:%(port)s/shop/1'
    return page_html('Moved', [('in', 'in'), ('out', 'out')], words_of(0))


def manual(path):
    if path.startswith('/moved/'):
        return moved(path)
    name = path.rsplit('/', 1)[-1]
    number = 0 if name in ('', 'index.html') else int(name.removeprefix('p').removesuffix('.html'))
    if not 0 <= number < PAGES:
        raise ValueError(path)
    links = [('index.html' if i == 0 else 'p%d.html' % i, 'Chapter %d' % i)
             for i in manual_links(number)]
    if number == 5:
        links.append(('http://127.0.0.2:%(port)s/shop/1', 'shop'))
    if number == 9:
        links.append(('http://127.0.0.3:%(port)s/cal/2024-01', 'calendar'))
    return page_html('Chapter %d' % number, links, words_of(number))


def soft_404(path):
    """Whatever is asked for is there, says the same and links to more of it."""
    number = int('0' + ''.join(c for c in path if c.isdigit())[-9:])
    links = [('/shop/%d' % (number * 3 + i), 'offer %d' % i) for i in range(3)]
    links.append(('http://127.0.0.1:%(port)s/index.html', 'manual'))
    return page_html('Not available', links, 'Sorry, this offer is not available any more.')


def calendar(path):
    """Each month links to the next one, forever."""
    year, month = (int(part) for part in path.rsplit('/', 1)[-1].split('-'))
    after = (year + month // 12, month % 12 + 1)
    links = [('/cal/%04d-%02d' % after, 'next month'),
             ('http://127.0.0.1:%(port)s/index.html', 'manual')]
    return page_html('Calendar of %04d-%02d' % (year, month), links, 'Nothing on in this month.')


SITES = {'127.0.0.1': manual, '127.0.0.2': soft_404, '127.0.0.3': calendar}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    wbufsize = -1  # one segment an answer: no waiting for acknowledgements
    disable_nagle_algorithm = True

    def do_GET(self):
        host = self.headers.get('Host', '').split(':')[0]
        self.server.asked.append(host + self.path)
        try:
            body, status = SITES[host](self.path), 200
            if isinstance(body, str):
                body, status = body.encode(), 302
            body = body.replace(b'%(port)s', str(self.server.server_port).encode())
        except (KeyError, ValueError):
            body, status = b'<html><body>not found</body></html>', 404
        self.send_response(status)
        if status == 302:
            self.send_header('Location', body.decode())
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Sites:
    """The three hosts on one port, as a context; `asked` lists what was asked for."""

    def __enter__(self):
        self.asked, self.servers, port = [], [], 0
        for host in SITES:
            server = http.server.ThreadingHTTPServer((host, port), Handler)
            server.asked, port = self.asked, server.server_port
            self.servers.append(server)
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        self.port = port
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def url(self, host='127.0.0.1', path='/index.html'):
        return 'http://%s:%d%s' % (host, self.port, path)
