"""warcprox, from PyPI, asks the server before it writes: what is there already becomes a revisit. So do the modules of
Heritrix, from Maven, in the long check."""
import http.server
import os
import pathlib
import re
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from measured import Skipped, require
from packages import interpreter_with
from served import BRIDGE, OTHER, Served

HERE = pathlib.Path(__file__).resolve().parent
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


# Its own version of je lies in a repository of Oracle.
POM = '''<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>test</groupId><artifactId>heritrix</artifactId><version>1</version>
  <dependencyManagement><dependencies>
    <dependency><groupId>com.sleepycat</groupId><artifactId>je</artifactId><version>18.3.12</version></dependency>
  </dependencies></dependencyManagement>
  <dependencies><dependency>
    <groupId>org.archive.heritrix</groupId><artifactId>heritrix-contrib</artifactId><version>3.13.0</version>
    <exclusions><exclusion><groupId>com.rethinkdb</groupId><artifactId>*</artifactId></exclusion></exclusions>
  </dependency></dependencies>
</project>
'''


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


def heritrix(place):
    if not os.environ.get('TWINSET_LONG'):
        raise Skipped('Heritrix is installed by the long check')
    place.path('pom.xml').write_text(POM, encoding='utf-8')
    installed = subprocess.run(['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib',
                                '-DincludeScope=runtime'], cwd=place.folder, stdout=subprocess.PIPE, text=True)
    require(installed.returncode == 0, installed.stdout[-500:])
    with Served(place) as server:
        for path, page in (('/seen', PAGES['/seen']), ('/changed', '<p>it was so before')):
            answer = server.ask('POST', '/v1/check-and-add?date=2026-01-02T03:04:05Z&url=http://example.org' + path, page,
                                Content_Type='text/html')
            require(answer.status == 200, answer.body)

        def decision(path):
            asked = subprocess.run(['java', '-cp', 'lib/*', str(HERE / 'heritrix_asks.java'),
                                    'http://127.0.0.1:%d/cdx' % server.port, 'http://example.org' + path, PAGES[path]],
                                   cwd=place.folder, stdout=subprocess.PIPE, text=True)
            require(asked.returncode == 0, asked.stdout)
            return asked.stdout.split()[-1]
        decisions = {path: decision(path) for path in PAGES}
    require(decisions == {'/seen': 'revisit', '/changed': 'response', '/new': 'response'}, decisions)
