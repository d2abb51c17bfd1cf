"""Cases of limits: what never ends, what may not start, and what is too many."""
import bz2
import gzip
import lzma
import os
import signal
import subprocess
import time

from measured import AT_BUDGET, Run, require
from records import BACK, FRONT, good_came_out, row
from surroundings import as_nobody

SOON = 8  # seconds; it is one on a machine that is not busy


def stopped(place, command, begin, name):
    """Sends SIGTERM to a program that is busy: it ends soon, with 143."""
    process = subprocess.Popen([str(part) for part in command], cwd=place.folder, stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        begin(process)
        process.send_signal(signal.SIGTERM)
        sent = time.monotonic()
        try:
            process.wait(SOON)
        except subprocess.TimeoutExpired:
            raise AssertionError('%s: not stopped after %d s' % (name, SOON)) from None
        require(process.returncode == 143, name, 'exit', process.returncode, process.stderr.read())
        return time.monotonic() - sent
    finally:
        process.kill()
        process.stderr.close()


def endless_record(place):
    """A pipe that never ends its line."""
    def feed(process):
        os.set_blocking(process.stdin.fileno(), False)
        begun = time.monotonic()
        while time.monotonic() < begun + 1:
            try:
                os.write(process.stdin.fileno(), b'x' * 65536)
            except BlockingIOError:
                time.sleep(.001)
    stopped(place, [place.program, 'dedup', '-', *AT_BUDGET, '--out', 'out'], feed, 'endless record')


def silent_pipe(place):
    """A pipe in which nobody says anything."""
    stopped(place, [place.program, 'dedup', '-', '--out', 'out'], lambda _: time.sleep(1), 'silent pipe')


def endless_member(place):
    """A bomb of one row: 20 GB of it in 3 MB."""
    zeros = lzma.compress(b'\0' * (100 << 20), preset=0)
    place.write('rows.jsonl.xz', (zeros for _ in range(200)))
    stopped(place, [place.program, 'dedup', 'rows.jsonl.xz', *AT_BUDGET, '--out', 'out'],
            lambda _: time.sleep(1), 'endless member')


def devices(place):
    place.write('good.jsonl', FRONT + BACK)
    place.dedup('good.jsonl', '/dev/zero', timeout=20).ended(2, '/dev/zero', 'device')
    os.symlink('/dev/zero', place.path('link.jsonl'))
    place.dedup('link.jsonl', timeout=20).ended(2, 'link.jsonl', 'device')
    for words in (['dedup', 'good.jsonl', '--key', '/dev/zero', '--out', 'out'],
                  ['dedup', 'good.jsonl', '--method', 'i-match', '--lexicon', '/dev/zero', '--out', 'out'],
                  ['evaluate', 'good.jsonl', '--methods', 'minhash', '--truth', '/dev/zero', '--out', 'out'],
                  ['hamming', '/dev/zero', '-k', '3'], ['lexicon', 'show', '/dev/zero'],
                  ['engine', 'query', '/dev/zero', 'word'], ['auction', '/dev/zero'],
                  ['auction', 'log', '/dev/zero'], ['qrels', 'stats', '/dev/zero'],
                  ['runs', 'eval', '/dev/zero', '--qrels', '/dev/zero'], ['estimate', 'relative', '/dev/zero'],
                  ['estimate', 'size', '/dev/zero', '--pool', '10']):
        place.run(*words, timeout=20).ended(2, '/dev/zero', 'device')
    require(not place.path('out').exists(), 'something was written')


def no_threads(place):
    """Fewer processes allowed than threads asked for: the run goes on with those that start."""
    options = as_nobody(place)
    place.write('rows.jsonl', FRONT + BACK + b''.join(row(n, 'one of many rows %d' % n) for n in range(20000)))
    place.dedup('rows.jsonl', '--threads', '8', out='many', **options).ended(0)
    limited = ['prlimit', '--nproc=1', place.program, 'dedup', 'rows.jsonl', '--threads', '8', '--out', 'few']
    Run(limited, place.folder, **options).ended(0)
    place.same_bytes('many', 'few')


def thousands_of_threads(place):
    place.write('rows.jsonl', FRONT + BACK)
    place.dedup('rows.jsonl', '--threads', '4096', timeout=60).ended(0)
    require(place.summary()['run']['threads'] <= 256, place.summary()['run'])
    good_came_out(place)


def equal_rows(place):
    """60,000 equal rows compress 1,000 times and more: all of them are read, however they come."""
    rows = b''.join(b'{"id":"%d","text":"always the very same words"}\n' % (n % 10) for n in range(60_000))
    for name, compress in {'': bytes, '.gz': gzip.compress, '.bz2': bz2.compress, '.xz': lzma.compress}.items():
        place.write('rows.jsonl' + name, compress(rows))
        place.dedup('rows.jsonl' + name, out='out' + name).ended(0)
        require(place.summary('out' + name)['documents']['read'] == 60_000, name,
                place.summary('out' + name)['documents'])


def long_fields(place):
    place.write('rows.jsonl', FRONT + b'{"id":"%s","text":"a"}\n' % (b'i' * 65_537)
                + b'{"id":"u","text":"b","url":"%s"}\n' % (b'u' * 65_537) + BACK)
    place.dedup('rows.jsonl').ended(0, '2 records quarantined')
    quarantined = place.rows('quarantine.jsonl')
    require([one['reason'] for one in quarantined] == ['field-too-long'] * 2, quarantined)
    require([one['id'] for one in quarantined] == ['', 'u'], quarantined)
    place.dedup('rows.jsonl', '--max-field', '70000', out='more').ended(0)
    require(place.summary('more')['records']['quarantined'] == 0, 'quarantined below the limit')


def many_files(place, count=90_000):
    """A mirror whose names together are longer than a line of the journal may be."""
    deep = 'in/' + '/'.join('d' * 60 for _ in range(3))
    for n in range(count):
        below = place.path('%s/%03d' % (deep, n // 1000))
        if n % 1000 == 0:
            below.mkdir(parents=True)
        (below / ('page-%06d.txt' % n)).touch()
    place.dedup('in', *AT_BUDGET).ended(0).within_memory()
    summary = place.summary()
    require(len(summary['sources']) == 100, 'sources', len(summary['sources']))
    require(summary['other_sources']['sources'] == count - 100, summary['other_sources'])
    size = place.path('out/summary.json').stat().st_size
    require(size < 100_000, 'summary.json has %d bytes' % size)
    rows = place.rows('sources.jsonl')
    require(len(rows) == count, 'sources.jsonl has %d rows' % len(rows))
    # They are empty: nothing to keep, nothing to drop.
    require(all(row['kept'] == 0 and row['dropped'] == 0 for row in rows), rows[0])


CASES = [endless_record, silent_pipe, endless_member, devices, no_threads, thousands_of_threads,
         equal_rows, long_fields, many_files]
