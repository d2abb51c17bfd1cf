#!/usr/bin/env python3
"""The server from outside, over sockets: tests/server/run.py BUILD_DIR

Every operation of its OpenAPI document; requests that are malformed, huge, slow and cut off; tokens, names and
limits; adds by many clients at the same time; the end, asked for and by kill -9; a socket that is handed over; both
pages in a browser, by keys; warcprox as a client.
"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / 'support'))
import archive_tools
import described
import keys
import looks
from measured import require, suite_from_arguments
from served import BRIDGE, OTHER, Served, status_of

JSON = {'Content_Type': 'application/json'}


def every_operation(place):
    (place.folder / 'snapshots').mkdir()
    with Served(place, '--snapshots', 'snapshots') as server:
        described.walk(server)
        require(server.end() == 0, server.told())
    place.run('index', 'verify', 'snapshots/one').ended(0)
    place.run('index', 'verify', 'ix').ended(0)


def replaced(place):
    """Other content with the id of a stored document takes its place, where that is asked for."""
    with Served(place) as server:
        def add(query, *texts):
            rows = '\n'.join(json.dumps({'id': 'a', 'text': text}) for text in texts)
            answer = server.ask('POST', '/v1/check-and-add' + query, rows, Content_Type='application/x-ndjson')
            return [json.loads(line) for line in answer.body.splitlines()]
        require([row['id'] for row in add('', BRIDGE, OTHER)] == ['a', 'a#2'])
        row, = add('?replace=true', 'third ' + OTHER)
        require(row['id'] == 'a' and sorted(row['replaced']) == ['a', 'a#2'], row)
        answer = server.ask('POST', '/v1/check-and-add?replace=true', {'id': 'a', 'text': BRIDGE})
        require(answer.json()['replaced'] == ['a'] and answer.json()['new'], answer.body)
        require(server.ask('GET', '/v1/stats').json()['documents'] == 1)
        require(server.ask('POST', '/v1/check-and-add?replace=yes', {'text': OTHER}).status == 400)


def malformed(place):
    """Nothing but refusals; the server goes on, and holds nothing of them."""
    with Served(place, '--max-body', '100K') as server:
        server.ask('GET', '/healthz')
        files, threads = server.open_files(), server.threads()
        host = b'Host: localhost\r\n'
        whole = b'POST /v1/check HTTP/1.1\r\n' + host + b'Content-Type: application/json\r\n'
        for data in (b'\r\n\r\n', b'GARBAGE\r\n\r\n', b'\0' * 100 + b'\r\n\r\n', b'GET\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n',
                     b'GET / HTTP/1.1\r\n\r\n', b'GET /' + b'x' * 100_000 + b' HTTP/1.1\r\n' + host + b'\r\n',
                     b'GET / HTTP/1.1\r\n' + host + b'X: ' + b'y' * 100_000 + b'\r\n\r\n',
                     b'GET /%zz%00 HTTP/1.1\r\n' + host + b'\r\n', b'GET ' + b'/../' * 9 + b' HTTP/1.1\r\n' + host + b'\r\n',
                     whole + b'Content-Length: x\r\n\r\n{}', whole + b'Content-Length: -1\r\n\r\n{}',
                     whole + b'Content-Length: 99999999999999999999999\r\n\r\n{}',
                     whole + b'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
                     whole + b'Content-Length: 10\r\n\r\n{',  # cut off
                     whole + b'Content-Length: 2\r\n\r\n{}', whole + b'Content-Length: 4\r\n\r\n"\xff"',
                     whole + b'Content-Length: 100\r\n\r\n' + b'[' * 100,
                     b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + b'\0' * 200):
            status = status_of(server.raw(data))
            require(status == 0 or 400 <= status < 500 or status == 505, data[:60], status)
        require(server.ask('GET', '/healthz').status == 200, server.told())
        settled(lambda: server.open_files() <= files + 1 and server.threads() <= threads + 1, server)
        require(server.end() == 0, server.told())


def settled(holds, server):
    deadline = time.monotonic() + 5
    while not holds():
        require(time.monotonic() < deadline, 'it holds on:', server.open_files(), server.threads())
        time.sleep(.02)


def huge(place):
    with Served(place, '--max-body', '1M') as server:
        big = json.dumps({'text': 'x ' * 3_000_000})
        answer = server.raw(b'POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
                            b'Content-Length: %d\r\n\r\n' % len(big))
        require(status_of(answer) == 413, answer)
        # Its length is not told beforehand.
        chunked = server.raw(b'POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
                             b'Transfer-Encoding: chunked\r\n\r\n' +
                             b''.join(b'10000\r\n' + b' ' * 65536 + b'\r\n' for _ in range(24)) + b'0\r\n\r\n')
        require(status_of(chunked) == 413, chunked[:200])
        require(server.ask('POST', '/v1/check', 'x ' * 400_000, Content_Type='text/plain').status == 200)
        nested = server.ask('POST', '/v1/check', '<div>' * 150_000 + BRIDGE, Content_Type='text/html')
        require(nested.status in (200, 422), nested.status, nested.body)
        # A stream may be longer than that, not a line of it.
        rows = [json.dumps({'id': str(i), 'text': 'w%d %s' % (i % 50, OTHER)}) for i in range(3000)]
        rows[2000] = big
        answer = server.ask('POST', '/v1/check-and-add', '\n'.join(rows), Content_Type='application/x-ndjson')
        answers = [json.loads(line) for line in answer.body.splitlines()]
        require(len(answers) == len(rows), len(answers))
        require(answers[2000] == {'line': 2001, 'rejected': 'too-large', 'detail': answers[2000]['detail']})
        require([row.get('id') for i, row in enumerate(answers) if i != 2000]
                == [str(i) for i in range(len(rows)) if i != 2000], 'the rows are in another order')
        require(server.ask('GET', '/v1/stats').json()['documents'] == len(rows) - 1)


def slow(place):
    """Who is too slow is told so, or let go, and others do not wait for it."""
    with Served(place, '--timeout', '1') as server, concurrent.futures.ThreadPoolExecutor(8) as pool:
        body = (b'POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
                b'Content-Length: 1000\r\n\r\n')
        head = pool.submit(server.raw, b'GET /v1/stats HTTP/1.1\r\nHost: localhost\r\n' + b'X: y\r\n' * 20, 10, .05)
        late = pool.submit(server.raw, b' ' * 200, 10, .02, body)
        idle = pool.submit(server.raw, b'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r', 10, .001)
        begin = time.monotonic()
        while not (head.done() and late.done() and idle.done()):
            asked = time.monotonic()
            require(server.ask('GET', '/healthz').status == 200)
            require(time.monotonic() - asked < .5, 'others wait')
            require(time.monotonic() - begin < 8, 'it lets nobody go')
            time.sleep(.05)
        require(head.result() == '', 'it answers', head.result())
        require(status_of(late.result()) == 408, 'it was told', late.result())


def cut_off(place):
    """What has not arrived is not stored, and what was acknowledged of a stream is."""
    with Served(place, '--timeout', '2') as server:
        row = json.dumps({'id': 'x', 'text': BRIDGE}).encode()
        head = (b'POST /v1/check-and-add HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 100000\r\n\r\n')
        for _ in range(20):
            with socket.create_connection(('127.0.0.1', server.port)) as own:
                own.sendall(head % b'application/json' + row)
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')  # a reset
        require(server.ask('GET', '/v1/stats').json()['documents'] == 0)
        rows = b''.join(json.dumps({'id': str(i), 'text': '%d %s' % (i, OTHER)}).encode() + b'\n' for i in range(600))
        with socket.create_connection(('127.0.0.1', server.port)) as own:
            own.sendall((head % b'application/x-ndjson').replace(b'100000', b'1000000') + rows)
            settled(lambda: server.ask('GET', '/v1/stats').json()['documents'] >= 512, server)
        require(server.ask('GET', '/v1/stats').json()['documents'] == 512)
        require(server.end() == 0, server.told())
    place.run('index', 'verify', 'ix').ended(0)


def tokens(place):
    for name in ('read', 'write'):
        path = place.write(name, ('%s-token-0123456789\n' % name).encode())
        path.chmod(0o600)
    loose = place.write('loose', b'loose-token-0123456789\n')
    loose.chmod(0o644)
    place.run('index', 'create', 'ix').ended(0)
    place.run('serve', 'ix', '--listen', '0.0.0.0:0').ended(2, 'without tokens', '--read-token-file')
    place.run('serve', 'ix', '--listen', ':0', '--write-token-file', 'write').ended(2, '--read-token-file')
    place.run('serve', 'ix', '--write-token-file', 'loose').ended(2, 'chmod 600')
    place.run('serve', 'ix', '--write-token-file', 'none').ended(2, 'cannot be read')
    with Served(place, '--read-token-file', 'read', '--write-token-file', 'write', '--host', 'dup.example',
                listen='0.0.0.0:0') as server:
        add = {'id': 'a', 'text': BRIDGE}
        bearer = {name: {'Authorization': 'Bearer %s-token-0123456789' % name} for name in ('read', 'write', 'other')}
        require(server.ask('GET', '/healthz').status == 200)
        require(server.ask('GET', '/v1/stats').status == 401)
        require(server.ask('GET', '/v1/stats', **bearer['other']).status == 401)
        require(server.ask('GET', '/v1/stats', **bearer['read']).status == 200)
        require(server.ask('POST', '/v1/check-and-add', add).status == 401)
        require(server.ask('POST', '/v1/check-and-add', add, **bearer['read']).status == 403)
        require(server.ask('POST', '/v1/check-and-add', add, **bearer['write']).status == 200)
        require(server.ask('DELETE', '/v1/documents/a', **bearer['read']).status == 403)
        require(server.ask('GET', '/v1/stats', Host='dup.example:80', **bearer['read']).status == 200)
        require(server.ask('GET', '/v1/stats', Host='evil.example', **bearer['read']).status == 403)
        require(server.ask('POST', '/v1/check', add, Origin='https://evil.example', **bearer['read']).status == 403)
        require(server.ask('POST', '/v1/check', add, Origin='https://dup.example', **bearer['read']).status == 200)


def overload(place):
    """Whoever comes too much is told to come again."""
    with Served(place, '--connections', '4') as server:
        held = [socket.create_connection(('127.0.0.1', server.port)) for _ in range(4)]
        settled(lambda: server.threads() >= 5, server)
        answer = server.ask('GET', '/healthz')
        require(answer.status == 503 and answer.headers['Retry-After'] == '1', answer.status)
        for one in held:
            one.close()
        settled(lambda: server.ask('GET', '/healthz').status == 200, server)


def at_the_same_time(place):
    """Of equal pages that arrive together exactly one is new, and each id is answered for itself."""
    with Served(place) as server, concurrent.futures.ThreadPoolExecutor(8) as pool:
        for round_number in range(10):
            text = 'round %d of %s' % (round_number, ' '.join('w%d' % (round_number * 100 + i) for i in range(60)))
            answers = list(pool.map(lambda i: server.add('%d-%d' % (round_number, i), text).json(), range(8)))
            require(sum(answer['new'] for answer in answers) == 1, answers)
            new = next(answer['id'] for answer in answers if answer['new'])
            require(all(answer['kept_id'] == new for answer in answers), answers)
        require(server.ask('GET', '/v1/stats').json()['documents'] == 80)
        metrics = server.ask('GET', '/metrics').body
        require('twinset_answers_total{answer="new"} 10\n' in metrics, metrics)
        place.run('index', 'add', 'ix', '-', feed=[b'{"id":"z","text":"z"}']).ended(1, 'serve')


def graceful_end(place):
    """What has begun is answered; nothing new is taken; the index is closed."""
    log = place.path('log')
    with Served(place, '--access-log', str(log)) as server:
        body = json.dumps({'id': 'last', 'text': BRIDGE}).encode()
        with socket.create_connection(('127.0.0.1', server.port), timeout=10) as own, \
                socket.create_connection(('127.0.0.1', server.port)) as silent:
            own.sendall(b'POST /v1/check-and-add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
                        b'Content-Length: %d\r\n\r\n' % len(body) + body[:20])
            time.sleep(.1)
            server.process.send_signal(signal.SIGTERM)
            deadline = time.monotonic() + 5
            while True:
                try:
                    socket.create_connection(('127.0.0.1', server.port)).close()
                    require(time.monotonic() < deadline, 'it still listens')
                    time.sleep(.01)
                except OSError:
                    break
            own.sendall(body[20:])
            answer = own.recv(65536).decode()
            require(status_of(answer) == 200 and 'Connection: close' in answer, answer)
            silent.close()
        require(server.process.wait(10) == 0, server.told())
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    require([(row['method'], row['path'], row['status']) for row in rows] == [('POST', '/v1/check-and-add', 200)], rows)
    place.run('index', 'verify', 'ix').ended(0)


def killed(place):
    """Whatever was acknowledged is there after kill -9, at ten moments."""
    acknowledged, lock = set(), threading.Lock()

    def adds(server, writer, round_number):
        client = server.client()
        try:
            for i in range(100_000):
                name = '%d-%d-%d' % (round_number, writer, i)
                if server.add(name, '%s %s' % (name, OTHER), client).status == 200:
                    with lock:
                        acknowledged.add(name)
        except (OSError, http.client.HTTPException):
            pass  # it is gone

    for round_number in range(10):
        with Served(place) as server, concurrent.futures.ThreadPoolExecutor(4) as pool:
            if round_number:
                client = server.client()
                for name in acknowledged:
                    found = server.ask('GET', '/v1/documents/' + name, client=client)
                    require(found.status == 200, name, found.body)
            writing = [pool.submit(adds, server, writer, round_number) for writer in range(4)]
            time.sleep(.02 + .013 * round_number)
            server.process.kill()
            for one in writing:
                one.result()
    require(len(acknowledged) > 50, len(acknowledged))
    place.run('index', 'verify', 'ix').ended(0)
    print('        %d adds were acknowledged before one of 10 kills' % len(acknowledged))


def handed_over_socket(place):
    """As a service manager does it (sd_listen_fds(3))."""
    place.run('index', 'create', 'ix').ended(0)
    with socket.socket() as own:
        own.bind(('127.0.0.1', 0))
        own.listen()

        def prepare():
            os.chdir(place.folder)
            os.dup2(own.fileno(), 3)
            os.set_inheritable(3, True)
            os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
            os.execv(str(place.program), [str(place.program), 'serve', 'ix', '--quiet'])

        child = os.fork()
        if child == 0:
            prepare()
        try:
            client = http.client.HTTPConnection('127.0.0.1', own.getsockname()[1], timeout=20)
            client.request('GET', '/healthz')
            require(client.getresponse().status == 200)
        finally:
            os.kill(child, signal.SIGINT)
            require(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0)


def main():
    suite, _ = suite_from_arguments(__doc__)
    if not (pathlib.Path(suite.program).parent / 'twinset-server').exists():
        suite.skip('server', 'there is no twinset-server: it needs libmicrohttpd')
        return suite.finish()
    for case in (every_operation, replaced, malformed, huge, slow, cut_off, tokens, overload, at_the_same_time, graceful_end, killed,
                 handed_over_socket, looks.page_in_a_browser, keys.run_by_keys, keys.index_by_keys, archive_tools.warcprox, archive_tools.heritrix):
        suite.run(case.__name__.replace('_', ' '), case)
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
