#!/usr/bin/env python3
"""What a run leaves on the disk while it goes: bench/bench_work_files.py BUILD [-n DOCUMENTS] [--method minhash] [FLAG...]

Documents of a hundred words, as JSON lines in zstd, made in BUILD/bench-work-files; one that is there is taken, and it
stays. Of each twenty one is a copy of one before it, one is near it (another last word), and one nearly is (four other
words). Checked: exactly the copies and the near ones are dropped. FLAGs go to `dedup`. Five times a second the work files
are added up; printed are seconds, the peak in bytes a document, what each file had at the peak, and what the run held.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

GROUP = 20
COPY, NEAR, NEARLY = 7, 12, 17  # places in a group


def numbered(length, count, rng):
    """`count` words of letters, of so many letters each."""
    return [''.join(rng.choice('abcdefghijklmnopqrstuvwxyz') for _ in range(length)) for _ in range(count)]


def write_documents(path, documents, seed=1):
    """Rows are {"id","text"}; ids are numbers. Phrases of four words are drawn, so that it takes microseconds a row."""
    rng = random.Random(seed)
    words = sum((numbered(length, 5000, rng) for length in (2, 4, 5, 6, 8)), [])
    phrases = [' '.join(rng.choices(words, k=4)) for _ in range(1 << 18)]
    with open(path.with_suffix('.part'), 'wb') as file:
        packer = subprocess.Popen(['zstd', '-q', '-3', '-c'], stdin=subprocess.PIPE, stdout=file)
        for begin in range(0, documents, GROUP):
            texts = [' '.join(rng.choices(phrases, k=25)) for _ in range(GROUP)]
            texts[COPY] = texts[COPY - 1]
            texts[NEAR] = texts[NEAR - 1].rsplit(' ', 1)[0] + ' changed'
            other = texts[NEARLY - 1].split(' ')
            other[20] = other[40] = other[60] = other[80] = 'changed'
            texts[NEARLY] = ' '.join(other)
            packer.stdin.write(''.join('{"id": "%d", "text": "%s"}\n' % (begin + place, text) for place, text in
                                       enumerate(texts[:documents - begin])).encode())
        packer.stdin.close()
        if packer.wait() != 0:
            sys.exit('bench-work-files: zstd failed')
    path.with_suffix('.part').rename(path)


class Watch(threading.Thread):
    """Adds up the files of a folder, and those that the process holds although they are removed."""

    def __init__(self, folder, pid):
        super().__init__(daemon=True)
        self.folder, self.pid, self.over = folder, pid, threading.Event()
        self.peak, self.at_peak = 0, {}
        self.most = collections.Counter()

    def sizes(self):
        found = collections.Counter()
        for name, _, files in os.walk(self.folder):
            for file in files:
                try:
                    found[file] += os.stat(os.path.join(name, file)).st_size
                except FileNotFoundError:
                    pass
        try:
            for number in os.listdir('/proc/%d/fd' % self.pid):
                link = '/proc/%d/fd/%s' % (self.pid, number)
                target = os.readlink(link)
                if target.endswith(' (deleted)') and target.startswith(str(self.folder)):
                    found[os.path.basename(target)[:-10] + ' (removed)'] += os.stat(link).st_size
        except OSError:
            pass
        return found

    def run(self):
        while not self.over.wait(.2):
            sizes = self.sizes()
            for file, size in sizes.items():
                self.most[file] = max(self.most[file], size)
            if sum(sizes.values()) > self.peak:
                self.peak, self.at_peak = sum(sizes.values()), sizes


def check(out, documents):
    """Exactly the copies and the near ones are dropped."""
    expected = (number for number in range(documents) if number % GROUP in (COPY, NEAR))
    with open(out / 'drop.txt', encoding='utf-8') as file:
        for line in file:
            if int(line) != next(expected, None):
                sys.exit('bench-work-files: document %s is dropped wrongly, or one before it is kept' % line.strip())
    left = next(expected, None)
    if left is not None:
        sys.exit('bench-work-files: document %d is kept' % left)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('-n', type=int, default=10**6, help='documents')
    parser.add_argument('--method', default='minhash')
    parser.add_argument('--memory', default='4G')
    arguments, flags = parser.parse_known_args()
    folder = (arguments.build / 'bench-work-files').resolve()
    folder.mkdir(exist_ok=True)
    corpus = folder / ('short-%d.jsonl.zst' % arguments.n)
    if not corpus.exists():
        write_documents(corpus, arguments.n)
    for name in ('out', 'tmp'):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / 'tmp').mkdir()
    begin = time.monotonic()
    process = subprocess.Popen([arguments.build / 'twinset', 'dedup', corpus, '--out', folder / 'out', '--tmp', folder / 'tmp',
                                '--method', arguments.method, '--memory', arguments.memory, '--keep', 'first', '--quiet',
                                *flags])
    watch = Watch(folder / 'tmp', process.pid)
    watch.start()
    if process.wait() != 0:
        sys.exit('bench-work-files: the run failed')
    seconds = time.monotonic() - begin
    watch.over.set()
    watch.join()
    check(folder / 'out', arguments.n)
    run = json.loads((folder / 'out/summary.json').read_text())['run']
    print('%d documents, input %.0f bytes each: %.1f s, peak of work files %.0f bytes a document, %.2f GB resident at most' % (
        arguments.n, corpus.stat().st_size / arguments.n, seconds, watch.peak / arguments.n, run['peak_resident_bytes'] / 1e9))
    print('stages: ' + ', '.join('%s %.1f s' % item for item in run['stage_seconds'].items()))
    for file, size in sorted(watch.at_peak.items(), key=lambda item: -item[1]):
        if size > arguments.n:
            print('  %-32s %6.1f at the peak, %6.1f at most' % (file, size / arguments.n, watch.most[file] / arguments.n))
    for file, size in sorted(watch.most.items(), key=lambda item: -item[1]):
        if size > arguments.n and watch.at_peak.get(file, 0) <= arguments.n:
            print('  %-32s not at the peak, %6.1f at most' % (file, size / arguments.n))


if __name__ == '__main__':
    main()
