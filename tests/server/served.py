"""A running `twinset serve` and small clients of it: what the cases of run.py share."""
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import time

BRIDGE = ('the old stone bridge over the river was closed to all traffic on monday after a crack was found in one of '
          'its arches')
OTHER = 'nothing that is written here has anything to do with what the other documents have to say about their town'


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


class Server:
    """A command of the program that answers until the block ends. `address` finds the port in what it says."""

    address = r'http://[^ ]*:(\d+)/ answers'

    def __init__(self, place, *words):
        self.place, self.words = place, words

    def __enter__(self):
        self.err = open(self.place.folder / 'serve.err', 'w+b')
        self.process = subprocess.Popen([str(self.place.program), *self.words], cwd=self.place.folder, stdout=self.err,
                                        stderr=self.err, stdin=subprocess.DEVNULL)
        self.port = self._port()
        return self

    def _port(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            found = re.search(self.address, self.told())
            if found:
                return int(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(.01)
        raise AssertionError('it does not answer: ' + self.told())

    def told(self):
        with open(self.place.folder / 'serve.err', encoding='utf-8') as file:
            return file.read()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.err.close()

    def end(self, number=signal.SIGTERM):
        """The exit code after the signal."""
        self.process.send_signal(number)
        return self.process.wait(20)

    def client(self):
        return http.client.HTTPConnection('127.0.0.1', self.port, timeout=20)

    def ask(self, method, target, body=None, client=None, **headers):
        """`headers`: Content_Type='...'. An object as body is sent as JSON."""
        headers = {name.replace('_', '-'): value for name, value in headers.items()}
        if isinstance(body, dict):
            body, headers = json.dumps(body), {'Content-Type': 'application/json', **headers}
        own = client or self.client()
        try:
            own.request(method, target, body, headers)
            answer = own.getresponse()
            return Answer(answer.status, answer.headers, answer.read().decode('utf-8', 'replace'))
        finally:
            if client is None:
                own.close()

    def raw(self, data, timeout=10, pause=0, first=b''):
        """What comes back for these bytes, until the server closes or is silent. `pause` between bytes, after
        those of `first`."""
        with socket.create_connection(('127.0.0.1', self.port), timeout=timeout) as own:
            try:
                own.sendall(first)
                for piece in [data] if not pause else (data[i:i + 1] for i in range(len(data))):
                    own.sendall(piece)
                    if pause and select.select([own], [], [], pause)[0]:
                        break  # it answers before it has all
                if not pause:
                    own.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has closed; its answer may be there
            received = b''
            try:
                while piece := own.recv(65536):
                    received += piece
            except OSError:
                pass
            return received.decode('utf-8', 'replace')

    def open_files(self):
        return len(os.listdir('/proc/%d/fd' % self.process.pid))

    def threads(self):
        return len(os.listdir('/proc/%d/task' % self.process.pid))


class Served(Server):
    """The program over an index in the folder of the case."""

    def __init__(self, place, *flags, index='ix', listen='127.0.0.1:0'):
        super().__init__(place, 'serve', index, '--listen', listen, *flags)
        if not (place.folder / index).exists():
            place.run('index', 'create', index).ended(0)

    def add(self, number, text, client=None, **more):
        return self.ask('POST', '/v1/check-and-add', {'id': number, 'text': text, **more}, client)


class Viewed(Server):
    """The pages of a finished run."""

    address = r'http://[^ ]*:(\d+)/\n'

    def __init__(self, place, run, *flags):
        super().__init__(place, 'view', run, *flags)


def status_of(raw):
    found = re.match(r'HTTP/1\.[01] (\d+)', raw)
    return int(found.group(1)) if found else 0
