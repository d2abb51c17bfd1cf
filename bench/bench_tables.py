#!/usr/bin/env python3
"""Parquet beside the same rows as JSON lines.

Writes the same rows in both forms (Parquet by pyarrow, zstd; JSON lines without compression), deduplicates each three
times in turn on two threads, checks that the pairs are the same, and prints the least processor seconds of each, children
included, and their ratio. Then the bytes of an object in a store on the loopback, which a small server in this process
stands for (its own time is not counted): a WARC that is passed over, as a file, over s3:// and over http://. pyarrow must
be there.
"""
import argparse
import http.server
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROUNDS = 3


def make_rows(count):
    drawn = random.Random(1)
    words = ['w%d' % drawn.randrange(10**6) for _ in range(20000)]
    texts = [' '.join(drawn.choices(words, k=200)) for _ in range(count)]
    for i in range(4, count, 5):
        texts[i] = texts[i - 1] + ' more'
    return [{'id': 'd%d' % i, 'text': text, 'n': i} for i, text in enumerate(texts)]


def processor_seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - began


def serve(folder):
    """A store of S3 that is quick: objects are files below `folder`, whose bytes the kernel sends."""
    class Objects(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            path = folder / urllib.parse.urlsplit(self.path).path.lstrip('/')
            size = path.stat().st_size
            begin, _, end = self.headers.get('Range', 'bytes=0-').removeprefix('bytes=').partition('-')
            begin, end = int(begin), min(int(end or size), size - 1)
            self.send_response(206 if 'Range' in self.headers else 200)
            self.send_header('Content-Range', 'bytes %d-%d/%d' % (begin, end, size))
            self.send_header('Content-Length', str(end - begin + 1))
            self.send_header('ETag', '"same"')
            self.send_header('Last-Modified', 'Wed, 21 Oct 2015 07:28:00 GMT')
            self.end_headers()
            if self.command == 'HEAD':
                return
            with open(path, 'rb') as file:
                while begin <= end:
                    begin += os.sendfile(self.wfile.fileno(), file.fileno(), begin, end - begin + 1)

        do_HEAD = do_GET

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Objects)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return 'http://127.0.0.1:%d' % server.server_port


def write_warc(path, megabytes):
    """A page, and requests of a megabyte each, which a reader passes over: reading it is all that it costs."""
    def record(kind, block, content):
        return (b'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://example.org/\r\nContent-Type: application/http; '
                b'msgtype=%s\r\nContent-Length: %d\r\n\r\n' % (kind, content, len(block)) + block + b'\r\n\r\n')
    with open(path, 'wb') as file:
        file.write(record(b'response', b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\na text of a few words', b'response'))
        one = record(b'request', random.Random(2).randbytes(1 << 20), b'request')
        for _ in range(megabytes):
            file.write(one)


def measure_bytes(program, folder, megabytes):
    """Bytes of an object: what is spent by the command and its helper together, in turn over file, S3 and HTTP."""
    (folder / 'lake').mkdir()
    file = folder / 'lake/pages.warc'
    write_warc(file, megabytes)
    url = serve(folder)
    os.environ.update(AWS_ENDPOINT_URL=url, AWS_REGION='us-east-1', AWS_ACCESS_KEY_ID='a', AWS_SECRET_ACCESS_KEY='b')
    spent, took = {}, {}
    for _ in range(ROUNDS):
        for name in (file, 's3://lake/pages.warc', url + '/lake/pages.warc'):
            processor, wall = processor_seconds(program, 'text', name, '--json', '--networks', '127.0.0.0/8')
            key = str(name).partition(':')[0] if '://' in str(name) else 'file'
            spent[key], took[key] = min(spent.get(key, processor), processor), min(took.get(key, wall), wall)
    mb = file.stat().st_size / 1e6
    for key in spent:
        print('bytes of %-4s: %5.0f MB a processor second, %5.0f MB a second on this machine as it is'
              % (key, mb / spent[key], mb / took[key]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path, help='folder of a finished build')
    parser.add_argument('--rows', type=int, default=200000)
    parser.add_argument('--megabytes', type=int, default=1000, help='of the object')
    asked = parser.parse_args()
    import pyarrow as pa
    import pyarrow.parquet as pq
    program = asked.build.resolve() / 'twinset'
    rows = make_rows(asked.rows)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = {form: folder / form / 'rows.data' for form in ('json', 'parquet')}
        for file in files.values():
            file.parent.mkdir()
        with open(files['json'], 'w') as lines:
            lines.writelines(json.dumps(row) + '\n' for row in rows)
        pq.write_table(pa.Table.from_pylist(rows), files['parquet'], compression='zstd')
        least, pairs = {}, {}
        for _ in range(ROUNDS):
            for form, file in files.items():
                out = folder / ('out-' + form)
                spent, _ = processor_seconds(program, 'dedup', file, '--out', out, '--overwrite', '--quiet')
                least[form] = min(spent, least.get(form, spent))
                pairs[form] = (out / 'pairs.jsonl').read_bytes()
        if pairs['json'] != pairs['parquet'] or not pairs['json']:
            sys.exit('the pairs differ')
        mb = files['json'].stat().st_size / 1e6
        print('%d rows, %.0f MB: JSON lines %.2f s, Parquet %.2f s of processor time, %.2f times'
              % (len(rows), mb, least['json'], least['parquet'], least['parquet'] / least['json']))
        measure_bytes(program, folder, asked.megabytes)


if __name__ == '__main__':
    main()
