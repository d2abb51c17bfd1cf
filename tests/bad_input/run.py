#!/usr/bin/env python3
"""Bad input and bad surroundings, end to end: tests/bad_input/run.py BUILD_DIR [--long]

Each case asks for the exit code, for a clear message or quarantine row (reason, source, place), that
the good records beside the bad ones come out, and where it says so that the peak stays within the
budget of 64 MB plus 64 MB. --long (or TWINSET_LONG=1) takes the full sizes.
"""
import functools
import gzip
import json
import os
import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
import archives
import limits
import others
import studies
import surroundings
from measured import AT_BUDGET, MEGABYTE, require, suite_from_arguments
from records import BACK, FRONT, TEXT, good_came_out, one_quarantined, row


def empty_file(place):
    place.write('empty.jsonl', b'')
    place.dedup('empty.jsonl').ended(0)
    require(place.counts_add_up()['read'] == 0, 'records in an empty file')
    place.write('good.jsonl', FRONT + BACK)
    place.dedup('empty.jsonl', 'good.jsonl', out='both').ended(0)
    good_came_out(place, 'both')


def empty_compressed_file(place):
    place.write('empty.jsonl.gz', gzip.compress(b''))
    place.write('nothing.jsonl.gz', b'')
    place.dedup('empty.jsonl.gz', 'nothing.jsonl.gz').ended(0)
    require(place.counts_add_up()['read'] == 0, 'records in an empty file')


def directory_without_files(place):
    (place.folder / 'bare/inner').mkdir(parents=True)
    run = place.dedup('bare').ended(2, 'bare', 'no files')
    require(not place.path('out').exists(), 'something was written')
    require('\n' in run.stderr and len(run.stderr) < 500, 'not one clear line')


def directory_where_a_file_belongs(place):
    place.path('folder').mkdir()
    place.write('good.jsonl', FRONT + BACK)
    run = place.dedup('good.jsonl', '--ignore', 'folder')
    require(run.code in (1, 2) and 'folder' in run.stderr, 'exit', run.code, run.stderr)
    require(not place.path('out/summary.json').exists(), 'the run went on without --ignore')


def binary_junk(place):
    junk = bytes(range(256)) * 8000
    place.write('junk', junk)
    place.dedup('junk', out='alone').ended(1, 'quarantined')
    place.write('good.jsonl', FRONT + BACK)
    place.dedup('junk', 'good.jsonl').ended(0, '1 record quarantined')
    good_came_out(place)
    one_quarantined(place, {'binary'}, source='junk', offset=0, ordinal=0)


def binary_junk_among_rows(place):
    place.write('rows.jsonl', FRONT + bytes(b for b in range(256) if b != 10) + b'\n' + BACK)
    place.dedup('rows.jsonl').ended(0, '1 record quarantined')
    good_came_out(place)
    one_quarantined(place, {'bad-json'}, source='rows.jsonl', offset=len(FRONT), ordinal=2)


def long_line(size, place):
    def pieces():
        yield FRONT + b'{"id":"long","text":"'
        piece = b'never ending '*(MEGABYTE // 13)
        for _ in range(size // len(piece) + 1):
            yield piece
        yield b'"}\n' + BACK
    place.dedup('-', *AT_BUDGET, feed=pieces(), timeout=1800).ended(0, '1 record').within_memory()
    good_came_out(place)
    one_quarantined(place, {'too-large'}, source='-', offset=len(FRONT), ordinal=2)


def long_line_without_end(size, place):
    """No JSON at all, no line break at the end, from a pipe: nothing tells where it stops."""
    def pieces():
        for _ in range(size // MEGABYTE):
            yield b'x' * MEGABYTE
    place.dedup('-', '--input-format', 'jsonl', *AT_BUDGET, feed=pieces(), timeout=1800).ended(
        1, 'every record was quarantined').within_memory()
    one_quarantined(place, {'too-large', 'bad-json'}, source='-', offset=0, ordinal=0)


def invalid_utf8(place):
    bad = b'{"id":"bad","text":"a tale \xff\xfe of \xc3( broken \xed\xa0\x80 bytes"}\n'
    place.write('rows.jsonl', FRONT + bad + BACK)
    place.dedup('rows.jsonl').ended(0)
    good_came_out(place, more_kept={'bad'})
    run = place.run('text', '--json', 'rows.jsonl').ended(0)
    texts = {r['id']: r['text'] for r in map(json.loads, run.stdout.splitlines())}
    want = b'a tale \xff\xfe of \xc3( broken \xed\xa0\x80 bytes'.decode('utf-8', 'replace')
    require(texts['bad'] == want, 'not replaced as the standard says:', ascii(texts['bad']))


def missing_field(place):
    bad = b'{"id":"none"}\n{"id":"null","text":null}\n{"id":"number","text":3}\n'
    place.write('rows.jsonl', FRONT + bad + BACK)
    place.dedup('rows.jsonl').ended(0, '3 records quarantined')
    good_came_out(place)
    rows = place.rows('quarantine.jsonl')
    require([(r['id'], r['ordinal'], r['reason']) for r in rows]
            == [(n, 2 + k, 'no-text-field') for k, n in enumerate(('none', 'null', 'number'))], rows)
    require(all('"text"' in r['detail'] for r in rows), 'the field is not named:', rows)
    # In no row at all: misuse, which leaves nothing in the way of the corrected command.
    place.dedup('rows.jsonl', '--text-field', 'body', out='other').ended(2, 'no record has a text in the field "body"')
    require(not place.path('other').exists(), 'a folder without results is left')


def broken_rows(place):
    bad = b'{"id":"cut","text":"half\n[1,2,3]\n"a string"\nnonsense\n{"id":"x","text":"y"}}\n'
    place.write('rows.jsonl', FRONT + bad + BACK)
    place.dedup('rows.jsonl').ended(0, '5 records quarantined')
    good_came_out(place)
    offsets = [len(FRONT) + len(b''.join(bad.splitlines(True)[:k])) for k in range(5)]
    rows = place.rows('quarantine.jsonl')
    require([(r['offset'], r['reason']) for r in rows] == [(o, 'bad-json') for o in offsets], rows)


def strict(place):
    """--strict: fail at the first record that would be quarantined; the message says which."""
    place.write('rows.jsonl', FRONT + b'nonsense\n' + BACK + b'more nonsense\n')
    run = place.dedup('rows.jsonl', '--strict').ended(1, '--strict')
    require(not place.path('out/summary.json').exists(), 'it finished all the same')
    require('rows.jsonl' in run.stderr and str(len(FRONT)) in run.stderr and '2 rec' not in run.stderr,
            'which record was it?', run.stderr)


def bomb(front, size, back):
    """One gzip member of front, `size` equal bytes and back, made in a stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    yield packer.compress(front)
    for _ in range(size // MEGABYTE):
        yield packer.compress(b'0' * MEGABYTE)
    yield packer.compress(back) + packer.flush()


def bomb_in_a_row(size, place):
    def pieces():
        yield gzip.compress(FRONT)
        yield from bomb(b'{"id":"bomb","text":"', size, b'"}\n')
        yield gzip.compress(BACK)
    place.write('rows.jsonl.gz', pieces())
    place.dedup('rows.jsonl.gz', *AT_BUDGET).ended(0, '1 record').within_memory()
    good_came_out(place)
    one_quarantined(place, {'compression-ratio', 'too-large'}, source='rows.jsonl')


def warc_record(name, payload_length, http, kind='response'):
    head = ('WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Target-URI: '
            'http://example.org/%s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: '
            'application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n'
            % (kind, name, name, len(http) + payload_length))
    return head.encode() + http


def page(name, text, encoding=''):
    body = ('<html><body><p>%s</p></body></html>' % text).encode()
    http = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n' % encoding.encode()
    return warc_record(name, len(body), http) + body + b'\r\n\r\n'


def good_pages_came_out(place, out='out'):
    kept = set(place.lines('keep.txt', out))
    require(kept == {'<urn:uuid:one>', '<urn:uuid:three>'}, 'kept', kept)
    require(place.lines('drop.txt', out) == ['<urn:uuid:two>'], 'dropped', place.lines('drop.txt', out))
    place.counts_add_up(out)


def warc_around(middle):
    yield gzip.compress(page('one', TEXT + ' twice'))
    yield from middle
    yield gzip.compress(page('two', TEXT)) + gzip.compress(page('three', 'ships and the sea'))


def bomb_in_a_record(size, place):
    http = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'
    size = size // MEGABYTE * MEGABYTE
    middle = bomb(warc_record('bomb', size, http), size, b'\r\n\r\n')
    place.write('crawl.warc.gz', warc_around(middle))
    place.dedup('crawl.warc.gz', *AT_BUDGET).ended(0, '1 record').within_memory()
    good_pages_came_out(place)
    one_quarantined(place, {'compression-ratio', 'too-large'}, source='crawl.warc')


def bomb_in_a_body(size, place):
    """The archive is harmless; the body of one response is a bomb by its Content-Encoding."""
    body = b''.join(bomb(b'<html>', size, b'</html>'))
    http = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n'
    record = warc_record('bomb', len(body), http) + body + b'\r\n\r\n'
    place.write('crawl.warc.gz', warc_around([gzip.compress(record)]))
    place.dedup('crawl.warc.gz', *AT_BUDGET).ended(0, '1 record').within_memory()
    good_pages_came_out(place)
    one_quarantined(place, {'compression-ratio', 'ratio', 'too-large'}, source='crawl.warc',
                    id='<urn:uuid:bomb>')


def nested_html(place):
    for name, opening in (('div', '<div>'), ('b', '<b>'), ('table', '<table><tr><td>'),
                          ('mixed', '<a><b><p><i>')):
        place.write('pages/%s.html' % name,
                    ('<html><body>' + opening * 100_000 + TEXT + name).encode())
    place.write('pages/plain.html', ('<html><body>' + TEXT).encode())
    run = place.dedup('pages', *AT_BUDGET, '--threshold', '0.9').ended(0).within_memory()
    require(run.seconds < 60, 'took %.0f s' % run.seconds)
    summary = place.summary()
    require(summary['documents']['read'] == 5 and not place.lines('empty.txt'), 'text was lost')
    require(summary['text']['fallback_parser'] == 0, 'a page was not built to its end')
    # More nodes than a tree may have: the rest of the page is read without one, and counted.
    place.write('long/page.html', b'<html><body>' + b'a<p>' * 1_600_000 + TEXT.encode())
    run = place.run('dedup', 'long', '--out', 'long-out', '--quiet', *AT_BUDGET).ended(0).within_memory()
    long = json.loads((place.folder / 'long-out/summary.json').read_text())
    require(long['text']['fallback_parser'] == 1, 'the fallback is not counted')
    text = place.run('text', '--content', 'all', 'long').ended(0).stdout
    require(text.count('a') > 1_600_000 and TEXT in text, 'text was lost behind the last node')
    texts = place.run('text', '--json', 'pages').ended(0).within_memory().stdout.splitlines()
    require(all(TEXT in json.loads(line)['text'] for line in texts) and len(texts) == 5, 'text was lost')


def nested_json(place):
    deep = b'{"id":"deep","text":"words here","extra":' + b'[' * 100_000 + b']' * 100_000 + b'}\n'
    opened = b'{"id":"open","text":"words here","extra":' + b'{"a":' * 100_000 + b'\n'
    place.write('rows.jsonl', FRONT + deep + opened + BACK)
    place.dedup('rows.jsonl', *AT_BUDGET).ended(0, '2 records quarantined').within_memory()
    good_came_out(place)
    require([(r['reason'], r['offset']) for r in place.rows('quarantine.jsonl')]
            == [('bad-json', len(FRONT)), ('bad-json', len(FRONT) + len(deep))],
            place.rows('quarantine.jsonl'))


def rows_of(count, text):
    for start in range(0, count, 10_000):
        yield b''.join(b'{"id":"d%d","text":"%s"}\n' % (n, text)
                       for n in range(start, min(count, start + 10_000)))


def many_empty(count, place):
    def pieces():
        yield FRONT
        yield from rows_of(count, b' .,-!')
        yield BACK
    place.write('rows.jsonl', pieces())
    place.dedup('rows.jsonl', *AT_BUDGET).ended(0).within_memory()
    good_came_out(place, more_kept=['d%d' % n for n in range(count)])
    require(place.lines('empty.txt') == ['d%d' % n for n in range(count)], 'empty.txt')
    require(len(place.rows('pairs.jsonl')) == 3, 'an empty document is in a pair')


def one_word(place):
    words = b'a ' * (4_000_000)
    place.write('rows.jsonl', [FRONT, b'{"id":"w1","text":"', words, b'"}\n{"id":"w2","text":"', words,
                               b'"}\n', BACK])
    place.dedup('rows.jsonl', *AT_BUDGET).ended(0).within_memory()
    pairs = [(r['a'], r['b'], r['similarity']) for r in place.rows('pairs.jsonl')]
    require(('w1', 'w2', 1) in pairs and len(pairs) == 4, 'pairs', pairs)
    require('w2' in place.lines('drop.txt') and 'w1' in place.lines('keep.txt'), 'w2 stays')


def many_equal(count, place):
    place.write('rows.jsonl', rows_of(count, TEXT.encode()))
    run = place.dedup('rows.jsonl', *AT_BUDGET).ended(0).within_memory()
    require(place.lines('keep.txt') == ['d0'], 'kept', place.lines('keep.txt')[:3])
    require(len(place.lines('drop.txt')) == count - 1, 'dropped', len(place.lines('drop.txt')))
    summary = place.summary()
    written = sum(1 for _ in open(place.path('out/pairs.jsonl'), 'rb'))
    require(written == summary['pairs']['written'] == count - 1, 'pairs:', summary['pairs'])
    require(written + summary['pairs']['implied'] == count * (count - 1) // 2, summary['pairs'])
    require('10 %' in run.stderr or summary['warnings'], 'no wipe-out alarm')


def repeated_ids(place):
    place.write('rows.jsonl', row('x', 'one tale of its own') + row('x#2', 'quite another tale here')
                + row('x', 'a third that nobody knows') + row('x', 'the fourth and last of them'))
    place.dedup('rows.jsonl').ended(0)
    require(place.lines('keep.txt') == ['x', 'x#2', 'x#3', 'x#4'], place.lines('keep.txt'))
    require(place.summary()['repeated_ids'] == 2, place.summary()['repeated_ids'])


def damaged_member(place):
    """Of three gzip members the middle one is damaged: in its data, its checksum, or both ends."""
    lost = gzip.compress(row('lost-1', 'a tale nobody can read any more') * 3)
    harm = {'data': (len(lost) // 2, 'compression-data', 'compression-checksum'),
            'checksum': (len(lost) - 6, 'compression-checksum'),
            'header': (3, 'compression-data')}
    for name, (where, *reasons) in harm.items():
        bad = bytearray(lost)
        bad[where] ^= 0xff
        place.write(name + '.jsonl.gz', gzip.compress(FRONT) + bytes(bad) + gzip.compress(BACK))
        place.dedup(name + '.jsonl.gz', out=name).ended(0, '1 record')
        good_came_out(place, name)
        one_quarantined(place, set(reasons), name, source=name + '.jsonl', ordinal=2)
        begin = len(gzip.compress(FRONT))  # framing errors count compressed bytes
        offset = place.rows('quarantine.jsonl', name)[0]['offset']
        require(begin <= offset <= begin + len(lost), 'offset', offset, 'is outside the member')


def damaged_record(place):
    bad = bytearray(gzip.compress(page('lost', 'a tale nobody can read any more')))
    bad[len(bad) // 2] ^= 0xff
    place.write('crawl.warc.gz', warc_around([bytes(bad)]))
    place.dedup('crawl.warc.gz').ended(0, '1 record')
    good_pages_came_out(place)
    one_quarantined(place, {'compression-data', 'compression-checksum'}, source='crawl.warc')


def truncated_member(place):
    tail = gzip.compress(row('lost-1', os.urandom(3000).hex()))
    place.write('rows.jsonl.gz', gzip.compress(FRONT + BACK) + tail[:len(tail) // 2])
    place.dedup('rows.jsonl.gz').ended(0, '1 record')
    good_came_out(place)
    one_quarantined(place, {'compression-truncated'}, source='rows.jsonl')


def cut_off_inputs(place):
    """Every run over documents warns of what should follow, whatever the format that says so."""
    last = row('lost', os.urandom(3000).hex())
    tar = archives.tar_of(front=FRONT, back=BACK + last)
    place.write('whole.jsonl', FRONT + BACK)
    place.write('end.jsonl', row('end', TEXT))
    for name, data in (('rows.jsonl.gz', gzip.compress(FRONT) + gzip.compress(last)[:-200]),
                       ('pages.warc', page('one', TEXT) + page('two', TEXT + ' twice')[:-20]),
                       ('pages.warc.gz', gzip.compress(page('one', TEXT)) + gzip.compress(page('two', TEXT + ' b'))[:-40]),
                       ('a.tar', tar[:tar.index(b'back.jsonl')]), ('b.tar', tar[:tar.index(b'lost') + 1000]),
                       ('wiki.xml', b'<mediawiki>\n' + b'<page><title>%b</title><revision><text>%b</text></revision></page>\n' %
                        (b'a', TEXT.encode()) + b'<page><title>b</title><revision><text>' + TEXT.encode())):
        place.write(name, data)
        for arguments in (['dedup', name, '--out', name + '.d'], ['match', 'whole.jsonl', '--against', name, '--out', name + '.m'],
                          ['match', name, '--against', 'whole.jsonl', '--out', name + '.n'],
                          ['evaluate', name, 'whole.jsonl', '--methods', 'exact', '--out', name + '.e'],
                          ['leak', name, '--test', 'whole.jsonl', '--out', name + '.t'],
                          ['leak', 'whole.jsonl', '--test', name, '--out', name + '.u'],
                          ['change', 'whole.jsonl', name, '--dates', '2024-01-01,2024-01-08', '--out', name + '.c'],
                          ['traps', name, '--out', name + '.p'], ['lexicon', 'build', name, '--out', name + '.x'],
                          ['dedup', name, '--dry-run'], ['explain', '--in', name, '--in', 'end.jsonl', 'end', 'end']):
            run = place.run(*arguments, '--quiet')
            require(run.stderr.count('ends too early') == 1, arguments, run.stderr)
    place.run('dedup', 'rows.jsonl.gz', '--unit', 'line', '--out', 'units', '--quiet').ended(0, 'ends too early')
    place.run('dedup', 'whole.jsonl', '--out', 'whole', '--quiet').ended(0)
    require(not any('ends too early' in line for line in place.summary('whole')['warnings']), place.summary('whole'))


def damaged_wiki(place):
    """A page of an export whose tags do not nest, and one that the end of the file cuts."""
    page = '<page><title>%s</title><revision><text>%s</text></revision></page>\n'
    export = '<mediawiki>\n' + ''.join(page % (json.loads(line)['id'], json.loads(line)['text'])
                                       for line in (FRONT + BACK).decode().splitlines())
    bad = page % ('bad', '</b>')
    place.write('wiki.xml', (export + bad + '</mediawiki>').encode())
    place.dedup('wiki.xml').ended(0, '1 record')
    good_came_out(place)
    one_quarantined(place, {'bad-xml'}, source='wiki.xml', ordinal=4, offset=len(export))
    place.write('cut.xml', (export + page % ('cut', TEXT))[:-30].encode())
    place.dedup('cut.xml', out='cut').ended(0, '1 record')
    good_came_out(place, 'cut')
    one_quarantined(place, {'truncated'}, 'cut', source='cut.xml', ordinal=4)


def main():
    suite, long = suite_from_arguments(__doc__)
    line, bytes_in_bomb, count = ((2 << 30, 1 << 30, 1_000_000) if long
                                  else (300 * MEGABYTE, 200 * MEGABYTE, 100_000))
    cases = [
        empty_file, empty_compressed_file, directory_without_files, directory_where_a_file_belongs,
        binary_junk, binary_junk_among_rows, functools.partial(long_line, line),
        functools.partial(long_line_without_end, line), invalid_utf8, missing_field, broken_rows, strict,
        functools.partial(bomb_in_a_row, bytes_in_bomb), functools.partial(bomb_in_a_record, bytes_in_bomb),
        functools.partial(bomb_in_a_body, bytes_in_bomb), nested_html, nested_json,
        functools.partial(many_empty, count), one_word, functools.partial(many_equal, count),
        repeated_ids, damaged_member, damaged_record, truncated_member, cut_off_inputs, damaged_wiki, *surroundings.CASES,
        *limits.CASES, *archives.CASES, *studies.CASES, *others.CASES,
    ]
    for case in cases:
        suite.run(getattr(case, 'func', case).__name__.replace('_', ' '), case)
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
