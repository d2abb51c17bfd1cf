#!/usr/bin/env python3
"""The server under load: bench/bench_server.py BUILD_DIR [--documents N] [--seconds S] [--minute S] [--clients N]

An index of N documents (100,000) of 200 words, a quarter of them near-copies of earlier ones, is served, and asked by
bench/server_load, which is built here and which checks every answer:

  check          of stored documents (found) and of others (new): as fast as it answers, then at half of that rate with
                 constant arrivals
  check          of both, while others send what is malformed, huge, slow or cut off: --minute seconds, 60
  check-and-add  one document at a time, durable; and a stream of them

Each line: answers a second, p50 and p99 (from when a request should have been sent), what was told to come again. A
wrong answer is FAILED and the exit code 1. The client takes its part of the processors.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS, VOCABULARY = 200, 20_000


class Texts:
    """The text of each number; every fourth has five words other than the one three before it."""

    def __init__(self):
        chance = random.Random(1)
        self.words = [''.join(chance.choices('abcdefghijklmnopqrstuvwxyz', k=chance.randint(3, 10)))
                      for _ in range(VOCABULARY)]

    def text(self, number):
        chance = random.Random(number - 3 if number % 4 == 3 else number)
        words = chance.choices(self.words, k=WORDS)
        if number % 4 == 3:
            for i in range(5):
                words[i * 3] = 'changed%d' % number
        return ' '.join(words)


def rows(texts, numbers, wanted, folder, name):
    path = folder / name
    with open(path, 'w', encoding='ascii') as file:
        for number in numbers:
            file.write('%s\t%s\n' % (wanted, json.dumps({'id': 'x%d' % number, 'text': texts.text(number)})))
    return path


def ask(load, port, path, file, arguments, rate=0, seconds=None):
    answer = subprocess.run([load, str(port), path, file, str(arguments.clients), str(seconds or arguments.seconds),
                             str(rate)], stdout=subprocess.PIPE, check=True, text=True).stdout
    return json.loads(answer)


def tell(name, measured):
    print('%-44s %8.0f/s  p50 %7.2f ms  p99 %7.2f ms  most %8.2f ms%s%s'
          % (name, measured['a_second'], measured['p50_ms'], measured['p99_ms'], measured['most_ms'],
             '  %d told to come again' % measured['overload'] if measured['overload'] else '',
             '  FAILED: %d wrong' % measured['wrong'] if measured['wrong'] else ''), flush=True)
    return measured['wrong'] == 0


def served(program, index, log):
    process = subprocess.Popen([program, 'serve', index, '--listen', '127.0.0.1:0'], stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    return process, int(line.split('127.0.0.1:')[1].split('/')[0])


class BadRequests:
    """Clients that send bad requests, one after the other, until the end of the block. `answers` counts what came back by
    kind and status; a server answers with what is declared of an overload or of a mistake, and with no other 5xx."""
    KINDS = ('malformed', 'huge', 'slow', 'cut off')

    def __init__(self, port, clients=8):
        self.port, self.ended, self.answers = port, threading.Event(), collections.Counter()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.send, args=(number,)) for number in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def send(self, number):
        chance = random.Random(number)
        while not self.ended.is_set():
            kind = self.KINDS[number % len(self.KINDS)]
            try:
                with socket.create_connection(('127.0.0.1', self.port), 10) as connection:
                    status = getattr(self, kind.replace(' ', '_'))(connection, chance)
            except OSError:  # the server hangs up in the middle of a request
                status = 'closed'
            with self.lock:
                self.answers[kind, status] += 1

    @staticmethod
    def head(length):
        return b'POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n' % length

    @staticmethod
    def status(connection):
        answer = re.match(rb'HTTP/1.1 (\d{3})', connection.recv(4096))
        return int(answer.group(1)) if answer else 'closed'

    def malformed(self, connection, chance):
        body = chance.choice([b'{"text":', b'[]', b'\xff' * 20, b'{"text":1}', b'{"text":"a"}{"text":"b"}', b'[' * 9999])
        whole = self.head(len(body)) + body
        connection.sendall(whole if chance.random() < .5 else chance.randbytes(300) + b'\r\n\r\n')
        return self.status(connection)

    def huge(self, connection, chance):
        connection.sendall(self.head(chance.choice([1 << 31, 1 << 40])))
        for _ in range(64):
            connection.sendall(b'a' * 65536)
        return self.status(connection)

    def slow(self, connection, chance):
        for byte in self.head(20):
            connection.sendall(bytes([byte]))
            if self.ended.wait(.05):
                break
        return 'given up'

    def cut_off(self, connection, chance):
        connection.sendall(self.head(5000) + b'{"text":"' + b'a ' * chance.randrange(2000))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        return 'reset'

    def wrong(self):
        return sum(n for (_, status), n in self.answers.items() if isinstance(status, int) and (
            status < 400 or status >= 500 and status != 503))


def held(process):
    """Open files, threads, resident megabytes."""
    status = pathlib.Path('/proc/%d/status' % process.pid).read_text()
    return (len(os.listdir('/proc/%d/fd' % process.pid)), int(re.search(r'Threads:\s+(\d+)', status).group(1)),
            int(re.search(r'VmRSS:\s+(\d+)', status).group(1)) / 1024)


def beside_bad_requests(load, port, file, process, arguments):
    before = held(process)
    with BadRequests(port) as bad:
        measured = ask(load, port, '/v1/check', file, arguments, seconds=arguments.minute)
    good = tell('check, beside bad requests', measured)
    time.sleep(2)  # connections end
    after = held(process)
    print('  bad requests: %s' % ', '.join('%s %s: %d' % (*key, n) for key, n in sorted(bad.answers.items(), key=str)))
    print('  open files %d, then %d; threads %d, then %d; resident %.0f MB, then %.0f' % (
        before[0], after[0], before[1], after[1], before[2], after[2]), flush=True)
    leaks = after[0] > before[0] or after[1] > before[1]
    if bad.wrong() or leaks or not {kind for kind, _ in bad.answers} >= set(bad.KINDS):
        print('FAILED: %d answers that a bad request must not have; leaks: %s' % (bad.wrong(), leaks))
        good = False
    return good


def study(program, load, folder, arguments):
    texts, count = Texts(), arguments.documents
    index = folder / 'ix'
    subprocess.run([program, 'index', 'create', index], check=True)
    begin = time.perf_counter()
    with subprocess.Popen([program, 'index', 'add', index, '-', '--quiet'], stdin=subprocess.PIPE, text=True) as adding:
        for number in range(count):
            adding.stdin.write('{"id":"%d","text":"%s"}\n' % (number, texts.text(number)))
        adding.stdin.close()
    print('%d documents added in %.0f s' % (count, time.perf_counter() - begin), flush=True)
    chance = random.Random(2)
    found = rows(texts, [chance.randrange(0, count, 4) for _ in range(4000)], '"new":false', folder, 'found')
    new = rows(texts, range(10**9, 10**9 + 4000), '"new":true', folder, 'new')
    process, port = served(program, index, folder / 'log')
    good = True
    try:
        for name, file in (('check, found', found), ('check, new', new)):
            # One after the other, again and again, as long as it is asked for.
            repeated = folder / 'repeated'
            repeated.write_bytes(file.read_bytes() * 40)
            peak = ask(load, port, '/v1/check', repeated, arguments)
            good &= tell(name + ': as fast as it answers', peak)
            half = ask(load, port, '/v1/check', file, arguments, peak['a_second'] / 2)
            good &= tell(name + ': at half of that rate', half)
        both = folder / 'both'
        both.write_bytes((found.read_bytes() + new.read_bytes()) * 100)
        good &= beside_bad_requests(load, port, both, process, arguments)
        fresh = rows(texts, range(2 * 10**9, 2 * 10**9 + 20_000, 4), '"new":true', folder, 'fresh')
        good &= tell('check-and-add: one at a time', ask(load, port, '/v1/check-and-add', fresh, arguments))
        stream = folder / 'stream'
        with open(stream, 'w', encoding='ascii') as file:
            for number in range(3 * 10**9, 3 * 10**9 + 80_000, 4):
                file.write('{"id":"s%d","text":"%s"}\n' % (number, texts.text(number)))
        begin = time.perf_counter()
        answer = subprocess.run(['curl', '-sS', '-H', 'Content-Type: application/x-ndjson', '--data-binary', '@%s' % stream,
                                 'http://127.0.0.1:%d/v1/check-and-add' % port], stdout=subprocess.PIPE, check=True).stdout
        seconds = time.perf_counter() - begin
        are_new = answer.count(b'"new":true')
        good &= are_new == 20_000
        print('%-44s %8.0f/s%s' % ('check-and-add: a stream by one client', 20_000 / seconds,
                                   '' if are_new == 20_000 else '  FAILED: %d new' % are_new), flush=True)
        peak = next(line for line in open('/proc/%d/status' % process.pid) if line.startswith('VmHWM'))
        print('peak resident %.0f MB' % (int(peak.split()[1]) / 1024))
    finally:
        process.terminate()
        good &= process.wait() == 0
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--documents', type=int, default=100_000)
    parser.add_argument('--seconds', type=float, default=10)
    parser.add_argument('--minute', type=float, default=60, help='seconds beside bad requests')
    parser.add_argument('--clients', type=int, default=64)
    parser.add_argument('--folder', type=pathlib.Path)
    arguments = parser.parse_args()
    program = (arguments.build / 'twinset').resolve()
    with tempfile.TemporaryDirectory(prefix='twinset-bench-', dir=arguments.folder) as folder:
        load = pathlib.Path(folder) / 'server_load'
        subprocess.run(['g++', '-O2', '-std=c++20', ROOT / 'bench' / 'server_load.cc', '-o', load], check=True)
        if not study(program, load, pathlib.Path(folder), arguments):
            sys.exit('FAILED')


if __name__ == '__main__':
    main()
