#!/usr/bin/env python3
"""Parquet beside the same rows as JSON lines.

Writes the same rows in both forms (Parquet by pyarrow, zstd; JSON lines without compression), deduplicates each three
times in turn on two threads, checks that the pairs are the same, and prints the least processor seconds of each, children
included, and their ratio. Then the bytes of an object through a store on the loopback, which a small server of HTTP
ranges stands for: MB a second of `twinset text --json` over it, beside the file. pyarrow must be there.
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
    class Ranges(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            path = folder / self.path.lstrip('/')
            size = path.stat().st_size
            begin, _, end = self.headers['Range'].removeprefix('bytes=').partition('-')
            begin, end = int(begin), min(int(end), size - 1)
            self.send_response(206)
            self.send_header('Content-Range', 'bytes %d-%d/%d' % (begin, end, size))
            self.send_header('Content-Length', str(end - begin + 1))
            self.end_headers()
            with open(path, 'rb') as file:
                os.sendfile(self.wfile.fileno(), file.fileno(), begin, end - begin + 1)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Ranges)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return 'http://127.0.0.1:%d/' % server.server_port


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path, help='folder of a finished build')
    parser.add_argument('--rows', type=int, default=200000)
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
        _, near = processor_seconds(program, 'text', files['json'], '--json')
        _, far = processor_seconds(program, 'text', serve(folder) + 'json/rows.data', '--json', '--networks', '127.0.0.0/8')
        print('text over the file %.0f MB/s, over ranges on the loopback %.0f MB/s' % (mb / near, mb / far))


if __name__ == '__main__':
    main()
