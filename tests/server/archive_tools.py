"""warcprox, from PyPI, asks the server before it writes: what is there already becomes a revisit."""
import http.server
import pathlib
import re
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from measured import require
from packages import interpreter_with
from served import BRIDGE, OTHER, Served

PAGES = {'/seen': '<p>' + BRIDGE, '/changed': '<p>now another text: ' + OTHER, '/new': '<p>' + OTHER}


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        body = PAGES[self.path].encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as own:
        own.bind(('127.0.0.1', 0))
        return own.getsockname()[1]


def fetched(proxy, address):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({'http': 'http://127.0.0.1:%d' % proxy}))
    deadline = time.monotonic() + 20
    while True:
        try:
            return opener.open(address, timeout=5).read().decode()
        except (urllib.error.URLError, ConnectionError) as error:
            require(time.monotonic() < deadline, 'the proxy does not answer:', error)
            time.sleep(.05)


def records(folder):
    """{address: type} of the responses and revisits that were written."""
    found = {}
    for path in pathlib.Path(folder).glob('*.warc*'):
        for head in re.split(r'(?=WARC/1\.[01]\r\n)', path.read_bytes().decode('latin-1')):
            kind = re.search(r'^WARC-Type: (response|revisit)\r$', head, re.M)
            address = re.search(r'^WARC-Target-URI: (\S+)\r$', head, re.M)
            if kind and address:
                found[address.group(1)] = (kind.group(1), head)
    return found


def warcprox(place):
    python = interpreter_with('warcprox', ['warcprox'], 'warcprox')
    # It fetches nothing from 127.0.0.1.
    site = http.server.ThreadingHTTPServer(('127.0.0.2', 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    root = 'http://127.0.0.2:%d' % site.server_address[1]
    with Served(place) as server:
        # As an earlier crawl left it: the page as it came, and its address.
        for path, page in (('/seen', PAGES['/seen']), ('/changed', '<p>it was so before')):
            answer = server.ask('POST', '/v1/check-and-add?date=2026-01-02T03:04:05Z&url=' + root + path, page,
                                Content_Type='text/html')
            require(answer.status == 200, answer.body)
        port = free_port()
        proxy = subprocess.Popen(
            [python.parent / 'warcprox', '--port', str(port), '--address', '127.0.0.1', '--base32', '--dir', 'warcs',
             '--cdxserver-dedup', 'http://127.0.0.1:%d/cdx' % server.port, '--stats-db-file', '/dev/null', '--quiet'],
            cwd=place.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for path, page in PAGES.items():
                require(fetched(port, root + path) == page, path)
            deadline = time.monotonic() + 20
            while len(written := records(place.path('warcs'))) < len(PAGES):
                require(time.monotonic() < deadline, 'it has not written', sorted(written))
                time.sleep(.05)
        finally:
            proxy.terminate()
            proxy.wait()
            site.shutdown()
    kinds = {address.rsplit('/', 1)[1]: kind for address, (kind, _) in written.items()}
    require(kinds == {'seen': 'revisit', 'changed': 'response', 'new': 'response'}, kinds)
    require('WARC-Refers-To-Date: 2026-01-02T03:04:05Z' in written[root + '/seen'][1])
