"""Servers on the loopback for tests: each is started on a free port and ended with the block.

    with servers.static_site(folder) as site: ... site.url ...

static_site (nginx), soft_404, calendar (endless), slow, garbage, broken: all well-behaved ones have a
robots.txt. Every server counts its requests (`requests`, a list of paths; nginx: its log).
"""
import contextlib
import http.server
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

ROBOTS = 'User-agent: *\nDisallow: /private/\n'


class Server:
    """Where a server is, and what it was asked."""

    def __init__(self, port, address='127.0.0.1'):
        self.port = port
        self.url = 'http://%s:%d' % (address, port)
        self.requests = []


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def wait_for(port, seconds=10):
    """Whether something listens there in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            socket.create_connection(('127.0.0.1', port), 1).close()
            return True
        time.sleep(0.01)
    return False


@contextlib.contextmanager
def answering(respond, address='127.0.0.1'):
    """A server whose answers `respond(path, handler)` gives: (status, headers, body), or None when it
    has dealt with the connection itself."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            server.requests.append(self.path)
            answer = respond(self.path, self)
            if answer is None:
                self.close_connection = True
                return
            status, headers, body = answer
            body = body.encode() if isinstance(body, str) else body
            self.send_response(status)
            headers = {'Content-Type': 'text/html; charset=utf-8', **headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    class Listener(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            pass  # clients hang up; that is what is tested

    listener = Listener((address, 0), Handler)
    server = Server(listener.server_address[1], address)
    thread = threading.Thread(target=listener.serve_forever, kwargs={'poll_interval': 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()


def page(title, text, links=()):
    anchors = ''.join('<p><a href="%s">%s</a></p>' % (link, link) for link in links)
    return '<!DOCTYPE html><html><head><title>%s</title></head><body><p>%s</p>%s</body></html>' % (
        title, text, anchors)


def with_robots(respond):
    def answer(path, handler):
        if path == '/robots.txt':
            return 200, {'Content-Type': 'text/plain'}, ROBOTS
        return respond(path, handler)
    return answer


def nginx_program():
    return shutil.which('nginx') or next((p for p in ('/usr/sbin/nginx',) if os.path.exists(p)), None)


@contextlib.contextmanager
def static_site(folder, robots=ROBOTS, extra=''):
    """nginx over `folder`; `robots` (None: there is none) is its robots.txt, `extra` goes into the
    server block."""
    work = tempfile.mkdtemp(prefix='twinset-nginx-')
    process = None
    try:
        os.chmod(work, 0o755)
        server = Server(free_port())
        location = ''
        if robots is not None:
            pathlib.Path(work, 'robots.txt').write_text(robots, encoding='utf-8')
            location = 'location = /robots.txt { alias %s/robots.txt; }' % work
        user = 'user root;' if os.geteuid() == 0 else ''
        configuration = pathlib.Path(work, 'nginx.conf')
        configuration.write_text('''
%s daemon off; worker_processes 1; pid %s/pid; error_log %s/error.log;
events { worker_connections 64; }
http {
  types { text/html html htm; text/plain txt; application/json json; application/xml xml; }
  default_type text/html; charset utf-8; access_log %s/access.log; sendfile on;
  client_body_temp_path %s; proxy_temp_path %s; fastcgi_temp_path %s; uwsgi_temp_path %s;
  scgi_temp_path %s;
  server { listen 127.0.0.1:%d; root "%s"; %s %s }
}''' % (user, work, work, work, work, work, work, work, work, server.port,
        pathlib.Path(folder).resolve(), location, extra), encoding='utf-8')
        process = subprocess.Popen([nginx_program(), '-p', work, '-e', work + '/error.log', '-c', str(configuration)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        if not wait_for(server.port):
            raise RuntimeError(pathlib.Path(work, 'error.log').read_text(errors='replace'))
        server.log = pathlib.Path(work, 'access.log')
        yield server
    finally:
        if process is not None:
            process.terminate()
            process.wait()
        shutil.rmtree(work, ignore_errors=True)


def soft_404():
    """A host that has every page: what does not exist is one "not found" page with status 200."""
    known = {'/': page('Home', 'This is the start of a small host with three pages.', ['/a', '/b', '/gone1', '/gone2']),
             '/a': page('A', 'The first page speaks of apples and their many uses.', ['/', '/missing/x']),
             '/b': page('B', 'The second page speaks of bears and where they live.', ['/', '/missing/y'])}

    def respond(path, _):
        missing = page('Sorry', 'We are sorry but the page that you are looking for is not here any more. '
                       'Please use the search or start again from our home page. Asked for: %s' % path, ['/'])
        return 200, {}, known.get(path, missing)
    return answering(with_robots(respond))


def calendar():
    """A trap without end: every month leads to the next and the one before."""
    def respond(path, _):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query)
        try:
            month = int(query.get('month', ['0'])[0])
        except ValueError:
            month = 0
        links = ['/calendar?month=%d' % (month + 1), '/calendar?month=%d' % (month - 1), '/']
        text = 'Calendar of events. There are no events in this month. Choose another month to see more events.'
        return 200, {}, page('Month %d' % month, text + ' Month %d.' % month, links)
    return answering(with_robots(respond))


def slow(seconds=30):
    """Takes the request and answers much later."""
    def respond(_, __):
        time.sleep(seconds)
        return 200, {}, page('Late', 'late')
    return answering(respond)


def garbage():
    """Speaks no HTTP; /drip sends a byte per second for ever, /endless a body without end, /cut less than
    it promised, /html a page of broken markup."""
    def respond(path, handler):
        out = handler.wfile
        with contextlib.suppress(OSError):
            if path == '/html':
                return 200, {}, b'<html><a href=\xff\xfe"<td></p>\x00<<>' * 50
            if path == '/drip':
                out.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
                for _ in range(60):
                    out.write(b'x')
                    out.flush()
                    time.sleep(1)
            elif path == '/endless':
                out.write(b'HTTP/1.1 200 OK\r\n\r\n')
                while True:
                    out.write(b'x' * 65536)
            elif path == '/headers':
                out.write(b'HTTP/1.1 200 OK\r\n')
                while True:
                    out.write(b'X-A: ' + b'y' * 1000 + b'\r\n')
            elif path == '/cut':
                out.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort')
            else:
                out.write(b'\x00\x01garbage\r\n\r\n\xff')
        return None
    return answering(respond)


def statuses():
    """/503 and the like: that status (with Retry-After: 0); /redirect/N: N redirects; /away: a redirect
    to /redirect/0 under another name of the host."""
    def respond(path, handler):
        parts = path.strip('/').split('/')
        if parts[0] == 'redirect':
            left = int(parts[1])
            if left:
                return 302, {'Location': '/redirect/%d' % (left - 1)}, ''
            return 200, {}, page('End', 'the end of the way')
        if parts[0] == 'away':
            return 301, {'Location': 'http://localhost:%d/redirect/0' % handler.server.server_address[1]}, ''
        if parts[0].isdigit():
            return int(parts[0]), {'Retry-After': '0'}, page(parts[0], 'status')
        return 200, {}, page('Some page', 'some text')
    return answering(with_robots(respond))


class Missing(Exception):
    """What a server needs is not installed."""


def postgres_folder():
    found = sorted(pathlib.Path('/usr/lib/postgresql').glob('*/bin/initdb'))
    path = found[-1] if found else shutil.which('initdb')
    if not path:
        raise Missing('no PostgreSQL server (tools/install_dependencies test)')
    return pathlib.Path(path).parent


@contextlib.contextmanager
def postgres():
    """A cluster of its own in a temporary folder; gives its connection string. PostgreSQL refuses to be
    root: then it runs as the user postgres."""
    programs = postgres_folder()
    work = tempfile.mkdtemp(prefix='twinset-postgres-')
    process = None
    try:
        as_user = []
        if os.geteuid() == 0:
            if not shutil.which('setpriv'):
                raise Missing('no setpriv, and PostgreSQL refuses to be root')
            try:
                shutil.chown(work, 'postgres', 'postgres')
            except LookupError:
                raise Missing('no user postgres, and PostgreSQL refuses to be root') from None
            as_user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
        environment = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LC_ALL': 'C', 'HOME': work}
        command = [*as_user, str(programs / 'initdb'), '-D', work + '/data', '-A', 'trust', '-U', 'twinset',
                   '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
        made = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=work,
                              env=environment)
        if made.returncode != 0:
            raise RuntimeError(made.stderr)
        with open(work + '/log', 'wb') as log:
            process = subprocess.Popen(
                [*as_user, str(programs / 'postgres'), '-D', work + '/data', '-k', work, '-h', '',
                 '-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off',
                 '-c', 'shared_buffers=16MB', '-c', 'max_connections=20', '-c', 'autovacuum=off'],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=work, env=environment)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            ready = subprocess.run([str(programs / 'pg_isready'), '-h', work, '-q'], stdin=subprocess.DEVNULL)
            if ready.returncode == 0:
                break
            if process.poll() is not None:
                raise RuntimeError(pathlib.Path(work, 'log').read_text(errors='replace'))
            time.sleep(0.05)
        yield 'postgresql:///postgres?host=%s&user=twinset' % urllib.parse.quote(work, safe='')
    finally:
        if process is not None:
            process.send_signal(2)  # fast: rolls back and goes
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(work, ignore_errors=True)


OMEGA = '/usr/lib/cgi-bin/omega/omega'
OMEGA_TEMPLATES = {
    'html': '''$set{stemmer,none}<html><head><title>Results</title></head><body>
<p id="count">$if{$msize,about $nice{$msize} documents,No documents found}</p>
<ol>$hitlist{<li><a class="result" href="$html{$field{url}}">$html{$field{title}}</a></li>
}</ol></body></html>''',
    'json': '''$httpheader{Content-Type,application/json}$set{stemmer,none}{"hits": $msize, "results": [
$hitlist{$if{$ne{$hit,$topdoc},$.}$("url": "$json{$field{url}}"$)}
]}''',
}


@contextlib.contextmanager
def omega(databases):
    """Xapian Omega over HTTP for {name: folder of a Xapian database}: /omega?DB=name&P=words&FMT=html."""
    if not os.path.isfile(OMEGA):
        raise Missing('no Xapian Omega (tools/install_dependencies test)')
    with tempfile.TemporaryDirectory(prefix='twinset-omega-') as work:
        for folder in ('data', 'templates', 'log', 'cdb'):
            os.mkdir(os.path.join(work, folder))
        for name, path in databases.items():
            os.symlink(pathlib.Path(path).resolve(), os.path.join(work, 'data', name))
        for name, template in OMEGA_TEMPLATES.items():
            pathlib.Path(work, 'templates', name).write_text(template, encoding='utf-8')
        configuration = pathlib.Path(work, 'omega.conf')
        configuration.write_text('database_dir %s/data\ntemplate_dir %s/templates\nlog_dir %s/log\n'
                                 'cdb_dir %s/cdb\n' % (work, work, work, work), encoding='utf-8')

        def respond(path, _):
            parts = urllib.parse.urlsplit(path)
            if parts.path != '/omega':
                return 404, {}, 'no such page'
            environment = {'OMEGA_CONFIG_FILE': str(configuration), 'REQUEST_METHOD': 'GET',
                           'QUERY_STRING': parts.query, 'SCRIPT_NAME': '/omega', 'LC_ALL': 'C.UTF-8'}
            answer = subprocess.run([OMEGA], env=environment, stdin=subprocess.DEVNULL, capture_output=True)
            head, _, body = answer.stdout.replace(b'\r\n', b'\n').partition(b'\n\n')
            headers = {}
            for line in head.decode('latin-1').split('\n'):
                name, colon, value = line.partition(':')
                if colon:
                    headers[name.strip().title()] = value.strip()
            return 200, {'Content-Type': headers.get('Content-Type', 'text/html')}, body

        with answering(respond) as server:
            yield server
