"""Lists of addresses, judgements and runs of retrieval systems, items and finished runs that are bad."""
import functools
import gzip
import json

from measured import AT_BUDGET, MEGABYTE, require
from records import BACK, FRONT, TEXT, row

JUNK = bytes(range(256)) * 64


def no_crash(run, *codes):
    """It says in one clear line what is wrong, where it ends with a failure."""
    require(run.code in codes, 'exit', run.code, run.stderr[-500:])
    require('\n' not in run.stderr.strip() or run.code == 0, 'not one line:', run.stderr[-500:])
    require(run.code == 0 or run.stderr.startswith('twinset '), 'no message:', run.stderr[-500:])


def urls_of_junk(place):
    good = b'd1 http://a.example/x\nd2 http://a.example/y\n'
    place.write('good', good)
    for name, data in (('junk', JUNK), ('empty', b''), ('nul', b'\0' * 5000), ('words', b'no addresses here\n' * 9)):
        place.write(name, data)
        no_crash(place.run('urls', name, 'good', '--out', 'o-' + name), 1)
        require(not place.path('o-' + name).exists(), 'a folder without results is left')
    place.write('mixed', good + JUNK + b'\nhttp://\xff\xfe.example/\nd3 http://b.example/z\n')
    run = place.run('urls', 'mixed', 'good', '--out', 'mixed-out', *AT_BUDGET).ended(0).within_memory()
    require('of A are no addresses' in run.stderr or 'of A is no address' in run.stderr, run.stderr)
    summary = place.summary('mixed-out')
    bad = sum(summary['a']['bad'].values())
    require(bad == summary['a']['lines'] - summary['a']['addresses'] == len(place.rows('bad.jsonl', 'mixed-out')),
            'bad lines do not add up:', summary['a'])
    require(summary['under_all_rules']['common'] == 2, 'the good ones beside them are lost:', summary)


def urls_of_a_long_line(size, place):
    def pieces():
        yield b'http://a.example/x\n'
        for _ in range(size // MEGABYTE):
            yield b'x' * MEGABYTE
        yield b'\nhttp://a.example/y\n'
    place.write('good', b'http://a.example/x\nhttp://a.example/y\n')
    place.run('urls', '-', 'good', '--out', 'out', *AT_BUDGET, feed=pieces()).ended(0).within_memory()
    require(place.summary()['under_all_rules']['common'] == 2, place.summary())


def damaged_lists(place):
    """The second of three members is broken: what is beside it counts."""
    parts = [gzip.compress(b'd%d http://a.example/%d\n' % (n, n)) for n in range(3)]
    bad = bytearray(parts[1])
    bad[len(bad) // 2] ^= 0xff
    place.write('a.txt.gz', parts[0] + bytes(bad) + parts[2])
    place.write('b.txt', b'http://a.example/0\nhttp://a.example/2\n')
    no_crash(place.run('urls', 'a.txt.gz', 'b.txt', '--out', 'out', '-q'), 0, 1)
    if place.path('out').exists():
        require(place.summary()['under_all_rules']['common'] == 2, place.summary())


def seeds_of_junk(place):
    place.write('edges', b'1 2\n2 3\n')
    place.write('nodes', b'1 http://a.example/\n2 http://b.example/\n3 http://c.example/\n')
    graph = ('edges', '--nodes', 'nodes')
    for name, data in (('junk', JUNK), ('empty', b''), ('nul', b'\0' * 5000)):
        place.write(name, data)
        # A list without a usable line is refused; beside one the others are told.
        lists = ('--blacklist', name, '--spam', name, '--add', name)
        place.run('seeds', 'pick', *graph, *lists, '--out', 'o-' + name, '--memory', '64M').ended(1).within_memory()
        require(not place.path('o-' + name).exists(), 'a folder without results is left')
        place.write(name, b'http://x.example/\n' + data)
        run = place.run('seeds', 'pick', *graph, *lists, '--out', 'o-' + name, '--memory', '64M').ended(0).within_memory()
        summary = place.summary('o-' + name)
        left = place.rows('left-out.jsonl', 'o-' + name)
        require(summary['seeds'] == 3 and len(left) == sum(summary['left_out'].values()), summary)
        require(data == b'' or 'without a host' in run.stderr, run.stderr)
        place.write(name, data)
        no_crash(place.run('seeds', 'pick', '--answers', name, '--out', 'a-' + name), 1, 2)
        no_crash(place.run('walk', *graph, '--rank', 'trustrank', '--trusted', name, '--out', 'r-' + name), 2)
        no_crash(place.run('seeds', 'overlap', name, 'nodes', *graph), 1, 2)
        require(not place.path('a-' + name).exists(), 'a folder without results is left')


def judgements_of_junk(place):
    place.write('good', b'1 0 a 1\n1 0 b 0\n')
    place.write('pairs', b'{"a":"a","b":"c","similarity":0.9}\n')
    place.write('mixed', b'1 0 a 1\n' + JUNK + b'\n1 0 b x\n1 0\n1 0 b 0\n')
    for name, data in (('junk', JUNK), ('nul', b'\0' * 5000), ('cut.gz', gzip.compress(b'1 0 a 1\n' * 99)[:40])):
        place.write(name, data)
        run = place.run('qrels', 'stats', name)
        no_crash(run, 0, 1, 2)
        require(run.stderr, 'nothing is said of what is bad')
        run = place.run('qrels', 'transfer', 'good', '--duplicates', name, '--out', 'o-' + name)
        no_crash(run, 0, 1, 2)
        require('left out' in run.stderr if run.code == 0 else not place.path('o-' + name).exists(),
                'nothing is said, or a file without results is left:', run.stderr)
    run = place.run('qrels', 'stats', 'mixed', '--json')
    no_crash(run, 0, 1)
    require(run.code == 1 or json.loads(run.stdout), run.stdout)
    place.run('qrels', 'transfer', 'good', '--pairs', 'pairs', '--out', 'moved', '-q').ended(0)
    require('1 0 c 1' in place.path('moved').read_text(), 'the good pair is lost')


def runs_of_junk(place):
    place.write('qrels', b'1 0 a 1\n1 0 b 0\n')
    place.write('good', b'1 Q0 a 1 2.5 tag\n1 Q0 b 2 1.5 tag\n')
    for name, data in (('junk', JUNK), ('nul', b'\0' * 5000), ('cut.gz', gzip.compress(b'1 Q0 a 1 2.5 tag\n' * 9)[:30])):
        place.write(name, data)
        for run in (place.run('runs', 'eval', name, '--qrels', 'qrels'),
                    place.run('runs', 'eval', 'good', '--qrels', name)):
            no_crash(run, 0, 1, 2)
            require(run.code > 0 or 'left out' in run.stderr, 'what was left out is not told:', run.stderr)
    place.run('runs', 'eval', 'good', '--qrels', 'qrels').ended(0)


def mirrors_of_what_is_no_run(place):
    twins = b''.join(row('%d-%d' % (n, h), '%s %d' % (TEXT, n), url='http://%d.example/%d' % (h, n))
                     for n in range(4) for h in range(2))
    place.write('rows.jsonl', twins)
    place.dedup('rows.jsonl', '--threshold', '1').ended(0)
    good = place.run('mirrors', 'out', '--json').ended(0).stdout
    clusters, summary = place.path('out/clusters.jsonl'), place.path('out/summary.json')
    rows, text = clusters.read_bytes(), summary.read_bytes()
    for data in (rows[:-9], JUNK, rows.replace(b'"cluster"', b'"cluste"', 1), b'[]\n' * 3):
        clusters.write_bytes(data)
        no_crash(place.run('mirrors', 'out', '--out', 'm', '-q'), 1, 2)
        require(not place.path('m').exists(), 'a folder without results is left')
    clusters.write_bytes(rows)
    for data in (b'', JUNK, text[:90], b'{}', b'{"run": 3}'):
        summary.write_bytes(data)
        no_crash(place.run('mirrors', 'out', '-q'), 0, 1, 2)
    summary.write_bytes(text)
    place.write('dead', JUNK + b'\nhttp://0.example/1\n')
    no_crash(place.run('mirrors', 'out', '--dead', 'dead', '--json', '-q', '--out', 'm'), 0)
    require(place.run('mirrors', 'out', '--json').stdout == good, 'another result')


def leak_of_junk(place):
    place.write('train.jsonl', FRONT + BACK)
    place.write('good.jsonl', row('item', TEXT))
    for name, data in (('junk', JUNK), ('empty.jsonl', b''), ('broken.jsonl', b'{"id":\n' * 3)):
        place.write(name, data)
        no_crash(place.run('leak', 'train.jsonl', '--test', name, '--out', 'o-' + name, '-q'), 0, 1, 2)
        no_crash(place.run('leak', name, '--test', 'good.jsonl', '--out', 't-' + name, '-q'), 0, 1, 2)
    place.write('mixed.jsonl', b'nonsense\n' + row('item', TEXT) + b'{"id":"none"}\n' + row('own', 'one of a kind'))
    place.run('leak', 'train.jsonl', '--test', 'mixed.jsonl', '--out', 'out', '-q', *AT_BUDGET).ended(0).within_memory()
    require([leak['item'] for leak in place.rows('leaks.jsonl')] == ['item'], place.rows('leaks.jsonl'))
    require(place.lines('clean.txt') == ['own'], place.lines('clean.txt'))


def patches_of_junk(place):
    place.write('rows.jsonl', b''.join(row(str(n), TEXT) for n in range(3)))
    place.dedup('rows.jsonl').ended(0)
    place.run('patch', 'make', 'out', '--out', 'p', '-q').ended(0)
    whole = place.path('p').read_bytes()
    for data in (b'', JUNK, whole[:70], whole[:-1], whole[:200] + b'\0' + whole[201:]):
        place.write('bad', data)
        no_crash(place.run('patch', 'apply', 'bad', 'rows.jsonl', '--out', 'a', '--write', 'w', '-q'), 1, 2)
        require(not place.path('a').exists() and not place.path('w').exists(), 'a folder without results is left')
    place.write('copy.jsonl', JUNK + b'\n{"id":\n' + row('1', TEXT) + row('2', TEXT))
    run = place.run('patch', 'apply', 'p', 'copy.jsonl', '--match-by', 'id', '--out', 'a', '--write', 'w', *AT_BUDGET)
    run.ended(1, 'stay').within_memory()
    require(len(place.path('w/copy.jsonl').read_bytes().splitlines()) == 2, 'a document without its representative went')
    lists = {name: place.path('out/' + name).read_bytes() for name in ('keep.txt', 'clusters.jsonl', 'summary.json')}
    for name, data in lists.items():
        for bad in (JUNK, data[:-9], b'[]\n'):
            place.path('out/' + name).write_bytes(bad)
            no_crash(place.run('patch', 'make', 'out', '--out', 'q', '-q'), 1, 2)
            require(not place.path('q').exists(), 'a patch of a damaged run')
        place.path('out/' + name).write_bytes(data)


CASES = [urls_of_junk, seeds_of_junk, functools.partial(urls_of_a_long_line, 40 * MEGABYTE), damaged_lists, judgements_of_junk,
         runs_of_junk, mirrors_of_what_is_no_run, leak_of_junk, patches_of_junk]
