#!/usr/bin/env python3
"""tests/index_pipe/run.py BUILD_DIR: `twinset index` as a co-process: one document in, one answer out."""
import base64
import hashlib
import json
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time

SECONDS = 5  # in which an answer must be there


def text(number):
    return ' '.join('w%dx%d' % (number, word) for word in range(20))


def row(number, name):
    return json.dumps({'id': name, 'text': text(number)}).encode() + b'\n'


def record(number, name):
    body = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>%s</p>' % text(number).encode()
    head = (b'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/%s\r\n'
            b'WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:%s>\r\n'
            b'Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n'
            % (name.encode(), name.encode(), len(body)))
    return head + body + b'\r\n\r\n'


def expect(condition, what):
    if not condition:
        sys.exit('failed: %s\n0 passed, 1 failed' % (what,))


class CoProcess:
    """A command that is asked by a pipe, or by a socket as other languages make them."""

    def __init__(self, command, by_socket):
        self.ours, theirs = None, subprocess.PIPE
        if by_socket:
            self.ours, theirs = socket.socketpair()
        self.process = subprocess.Popen(command, bufsize=0, stdin=theirs, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        if by_socket:
            theirs.close()

    def send(self, data):
        if self.ours:
            self.ours.sendall(data)
        else:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def line(self):
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        expect(ready, 'no answer within %d s: %s' % (SECONDS, self.process.args))
        return json.loads(self.process.stdout.readline())

    def is_quiet(self):
        return not select.select([self.process.stdout], [], [], .1)[0]

    def close(self):
        if self.ours:
            self.ours.close()
            self.process.stdout.close()
            self.process.stderr.close()
            return self.process.wait(SECONDS)
        self.process.communicate(timeout=SECONDS)
        return self.process.returncode


def check_answers(program, folder, make, by_socket):
    """Asks one document after the other, and waits for each answer."""
    index = os.path.join(folder, 'index')
    subprocess.run([program, 'index', 'create', index], check=True)
    for noun in ('check-and-add', 'check', 'query'):
        asked = CoProcess([program, 'index', noun, index, '-'], by_socket)
        for number, name in enumerate('abc'):
            data = make(number % 2, name)
            # What is not whole is not answered, wherever it is cut.
            for part in (data[:1], data[1:9], data[9:-3]):
                asked.send(part)
            expect(asked.is_quiet(), 'an answer to a part of a document')
            asked.send(data[-3:])
            answer = asked.line()
            if noun == 'check-and-add':
                expect(answer['new'] == (number < 2), answer)
            elif noun == 'check':
                expect(answer['new'] is False and answer['copies'] == 2 - number % 2, answer)
            else:
                expect(answer['similarity'] == 1, answer)
                if number != 1:
                    asked.line()  # the copy
        # Several at once are answered too.
        asked.send(make(2, 'd') + make(2, 'e'))
        answers = [asked.line() for _ in ('dede' if noun == 'query' else 'de')]
        expect(all('new' in one or one['similarity'] == 1 for one in answers), answers)
        expect(asked.close() == 0, '%s ends well' % noun)


def write_slowly(pipe, rows):
    for begin in range(0, len(rows), 7919):
        pipe.write(rows[begin:begin + 7919])
        pipe.flush()
        if begin < 100000:
            time.sleep(.005)
    pipe.close()


def check_stream(program, folder, rows, suffix):
    """A pipe gives what a file gives, however it is cut."""
    place = os.path.join(folder, 'rows.' + suffix)
    with open(place, 'wb') as file:
        file.write(rows)
    told = []
    for name, by_pipe in (('by-file', False), ('by-pipe', True)):
        index = os.path.join(folder, name)
        subprocess.run([program, 'index', 'create', index], check=True)
        command = [program, 'index', 'check-and-add', index, '--max-document', '2K', '-']
        with open(place, 'rb') as file:
            process = subprocess.Popen(command, stdin=subprocess.PIPE if by_pipe else file, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            if by_pipe:
                # Answers are read meanwhile: nobody waits for who waits for him.
                writer = threading.Thread(target=write_slowly, args=(process.stdin, rows))
                process.stdin = None
                writer.start()
            out, err = process.communicate(timeout=60)
        answers = [json.loads(line) for line in out.splitlines()]
        for answer in answers:
            answer.pop('first_seen')
            answer.pop('last_seen')
        # Of what is too long a pipe holds the begin alone.
        told.append((answers, re.sub(r'a line of \d+ bytes', 'a line', err.decode()), process.returncode))
    expect(told[0][0], 'answers of a file')
    expect(told[0] == told[1], (told[0][1:], told[1][1:], len(told[0][0]), len(told[1][0])))


def read_bytes(process, size):
    data = b''
    while len(data) < size and select.select([process.stdout], [], [], SECONDS)[0]:
        data += process.stdout.read(size - len(data))
    return data


def check_new_only(program, folder, make, rest):
    """What is new goes out as it came in, as soon as it is there."""
    index = os.path.join(folder, 'index')
    subprocess.run([program, 'index', 'create', index], check=True)
    command = [program, 'index', 'check-and-add', index, '--new-only']
    asked = CoProcess(command + ['-'], False)
    for number, name in enumerate('ab'):
        data = make(number, name)
        asked.send(data)
        told = read_bytes(asked.process, len(data))
        expect(told == data, told)
    if rest:
        asked.send(rest)
        expect(read_bytes(asked.process, len(rest)) == rest, 'a record that is no document')
    asked.send(make(1, 'b'))
    expect(asked.is_quiet(), 'a document that comes again')
    expect(asked.close() == 0, 'the end')
    # A file gives the same, and a pipe that is cut anywhere.
    data = b''.join([make(1, 'c').replace(b'w1x', b'W1x'), make(2, 'd'), rest, make(3, 'e'),
                     make(2, 'f').replace(b'w2x', b'W2x'), make(4, 'g')])
    place = os.path.join(folder, 'input')
    with open(place, 'wb') as file:
        file.write(data)
    copy = os.path.join(folder, 'copy')
    subprocess.run([program, 'index', 'snapshot', index, copy], check=True)
    told = subprocess.run(command + [place], stdout=subprocess.PIPE, check=True).stdout
    expect(told == make(2, 'd') + rest + make(3, 'e') + make(4, 'g'), told)
    command[3] = copy
    process = subprocess.Popen(command + ['-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for begin in range(0, len(data), 37):
        process.stdin.write(data[begin:begin + 37])
        process.stdin.flush()
    expect(process.communicate(timeout=60)[0] == told, 'the same of a pipe')
    page = os.path.join(folder, 'page.html')
    with open(page, 'w') as file:
        file.write('<p>%s</p>' % text(9))
    refused = subprocess.run(command + [page], stderr=subprocess.PIPE)
    expect(refused.returncode != 0 and b'only JSON lines' in refused.stderr and b'page.html' in refused.stderr, refused)


def check_reader_that_goes(program, folder):
    """What nobody gets any more is not taken for seen."""
    index, place, total = os.path.join(folder, 'index'), os.path.join(folder, 'input'), 20000
    subprocess.run([program, 'index', 'create', index, '--method', 'exact'], check=True)
    with open(place, 'wb') as file:
        for number in range(total):
            file.write(b'{"text": "document number %d"}\n' % number)
    process = subprocess.Popen([program, 'index', 'check-and-add', index, place, '--new-only', '--batch', '100'],
                               stdout=subprocess.PIPE)
    expect(process.stdout.readline() == b'{"text": "document number 0"}\n', 'the first row')
    process.stdout.close()
    expect(process.wait(60) == 0, 'the end')
    stats = json.loads(subprocess.run([program, 'index', 'stats', index, '--json'], stdout=subprocess.PIPE,
                                      check=True).stdout)
    expect(0 < stats['documents'] < total, stats['documents'])


def fields_of(record):
    head, _, block = record.partition(b'\r\n\r\n')
    lines = head.decode().split('\r\n')
    return lines[0], dict(line.split(': ', 1) for line in lines[1:]), block


def check_revisits(program, folder):
    """A page that comes again byte for byte goes on as a revisit of the one that was kept, and no other does."""
    index = os.path.join(folder, 'index')
    subprocess.run([program, 'index', 'create', index], check=True)
    # Documents that came without --new-only are referred to too.
    place = os.path.join(folder, 'first.warc')
    first = record(1, '0b2f0e1c-98ae-4bd5-bb8d-3d3ee1a2a001')
    with open(place, 'wb') as file:
        file.write(first)
    subprocess.run([program, 'index', 'add', '--quiet', index, place], check=True)
    again = record(1, '0b2f0e1c-98ae-4bd5-bb8d-3d3ee1a2a002').replace(b'2026-01-01T', b'2026-01-02T')
    near = record(1, '0b2f0e1c-98ae-4bd5-bb8d-3d3ee1a2a003').replace(b'w1x19', b'w1x99')
    other = record(1, '0b2f0e1c-98ae-4bd5-bb8d-3d3ee1a2a004').replace(b'x1 ', b'x1\t')
    with open(place, 'wb') as file:
        file.write(again + near + other)
    told = subprocess.run([program, 'index', 'check-and-add', '--new-only', index, place], stdout=subprocess.PIPE,
                          check=True).stdout
    version, fields, block = fields_of(told)
    expect(version == 'WARC/1.0', version)
    body = again.partition(b'\r\n\r\n')[2]
    payload = body.partition(b'\r\n\r\n')[2][:-4]
    digest = 'sha1:' + base64.b32encode(hashlib.sha1(payload).digest()).decode()
    for name, value in (('WARC-Type', 'revisit'), ('WARC-Date', '2026-01-02T00:00:00Z'),
                        ('WARC-Target-URI', 'http://example.org/0b2f0e1c-98ae-4bd5-bb8d-3d3ee1a2a002'),
                        ('WARC-Payload-Digest', digest),
                        ('WARC-Profile', 'http://netpreserve.org/warc/1.0/revisit/identical-payload-digest'),
                        ('WARC-Refers-To', '<urn:uuid:0b2f0e1c-98ae-4bd5-bb8d-3d3ee1a2a001>'),
                        ('WARC-Refers-To-Target-URI',
                         'http://example.org/0b2f0e1c-98ae-4bd5-bb8d-3d3ee1a2a001'),
                        ('WARC-Refers-To-Date', '2026-01-01T00:00:00Z')):
        expect(fields.get(name) == value, (name, fields.get(name), value))
    expect(block[:int(fields['Content-Length'])] == body.partition(b'\r\n\r\n')[0] + b'\r\n\r\n', block)
    expect(len(block) == int(fields['Content-Length']) + 4, told)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = os.path.join(os.path.abspath(sys.argv[1]), 'twinset')
    ran = 0
    for make in (row, record):
        for by_socket in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                check_answers(program, folder, make, by_socket)
                ran += 1
    rows = b'\n'.join([b'', row(1, 'a'), b'{broken', row(2, 'b'), b'', b'{"id": "none"}', row(1, 'c'),
                       b'{"id": "long", "text": "' + b'word ' * 300000 + b'"}', row(3, 'd')])
    rows += b''.join(json.dumps({'text': text(i % 60)}).encode() + b'\n' for i in range(1500)) + row(4, 'z')[:-1]
    records = b'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\nx: y\r\n\r\n'
    records += b''.join(record(i % 60, 'r%d' % i) for i in range(300)) + b'nonsense\r\n\r\n' + record(7, 'last')
    for data, suffix in ((rows, 'jsonl'), (records, 'warc')):
        with tempfile.TemporaryDirectory() as folder:
            check_stream(program, folder, data, suffix)
            ran += 1
    request = record(1, 'request').replace(b'WARC-Type: response', b'WARC-Type: request')
    for make, rest in ((row, b''), (record, request)):
        with tempfile.TemporaryDirectory() as folder:
            check_new_only(program, folder, make, rest)
            ran += 1
    for check in (check_revisits, check_reader_that_goes):
        with tempfile.TemporaryDirectory() as folder:
            check(program, folder)
            ran += 1
    print('%d passed, 0 failed' % ran)


if __name__ == '__main__':
    main()
