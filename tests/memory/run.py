#!/usr/bin/env python3
"""The memory promise on an input ten times the budget: tests/memory/run.py BUILD_DIR [--long]

Makes 680 MB of rows, 30 % of them near-duplicates of an earlier one, and deduplicates them with a
budget of 64 MB: the peak stays within 128 MB, and every promised byte is that of a run with 8 GB.
The same for 200 MB of rows whose lines are repeated, one of them in every row, with --unit line.
Then documents of every kind that costs much for its size (kinds.py), on eight threads at 64 MB, and
the commands that hold more of a document than dedup does.
--long (or TWINSET_LONG=1) takes 3.4 GB, short documents too (many more of them per byte), and the other forms of units.
"""
import functools
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
import kinds
from measured import AT_BUDGET, BUDGET, MEGABYTE, require, suite_from_arguments

LETTERS = 'abcdefghijklmnopqrstuvwxyz'
COPIES = .3
REMEMBERED = 20_000


def make(path, size, block, seed):
    """Rows of five blocks of words out of a fixed pool; a copy has a few words put in between."""
    chance = random.Random(seed)
    words = [''.join(chance.choices(LETTERS, k=chance.randint(2, 11))) for _ in range(60_000)]
    pool = [' '.join(chance.choices(words, k=block)) for _ in range(20_000)]
    written = number = 0
    recent = []
    with open(path, 'w', buffering=MEGABYTE, encoding='ascii') as file:
        while written < size:
            if recent and chance.random() < COPIES:
                parts = chance.choice(recent)[:]
                for _ in range(chance.randint(0, 8)):
                    parts.insert(chance.randrange(len(parts) + 1), chance.choice(words))
            else:
                parts = chance.choices(pool, k=5)
                if len(recent) < REMEMBERED:
                    recent.append(parts)
                else:
                    recent[chance.randrange(REMEMBERED)] = parts
            line = '{"id":"%d","text":"%s"}\n' % (number, ' '.join(parts))
            written, number = written + file.write(line), number + 1


def ten_times_the_budget(size, block, least_dropped, place):
    rows = place.path('rows.jsonl')
    # In a process of its own: its memory must not count as that of the program.
    subprocess.run([sys.executable, __file__, '--make', str(rows), str(size), str(block)], check=True)
    require(rows.stat().st_size >= 10 * BUDGET, 'the input is too small to show anything')
    small = place.dedup('rows.jsonl', *AT_BUDGET, '--pairs', 'all', out='small').ended(0)
    reported = place.summary('small')['run']
    print('        %d MB, %d documents: %.1f s, peak %.1f MB, reserved %.1f MB'
          % (rows.stat().st_size // MEGABYTE, place.summary('small')['documents']['read'], small.seconds,
             small.peak / MEGABYTE, reported['peak_reserved_bytes'] / MEGABYTE))
    small.within_memory()
    require(reported['peak_reserved_bytes'] <= BUDGET, 'more reserved than the budget has')
    counts = place.counts_add_up('small')
    require(counts['quarantined'] == 0, 'quarantined', counts['quarantined'])
    share = place.summary('small')['documents']['dropped'] / counts['documents']
    require(least_dropped < share < COPIES * 1.2, 'the copies were not found: %.3f dropped' % share)
    place.dedup('rows.jsonl', '--memory', '8G', '--threads', '2', '--pairs', 'all', out='large').ended(0)
    place.same_bytes('small', 'large')


def make_lines(path, size, in_a_row):
    """Rows that begin with the same line; of the others three in four are used again and again, so many of them in the same
    order."""
    chance = random.Random(2)
    words = [''.join(chance.choices(LETTERS, k=chance.randint(2, 11))) for _ in range(60_000)]
    pool = [' '.join(chance.choices(words, k=14)) for _ in range(20_000)]
    written = number = 0
    with open(path, 'w', buffering=MEGABYTE, encoding='ascii') as file:
        while written < size:
            own = '\\n'.join('%s %d' % (chance.choice(pool), 2 * number + i) for i in range(2))
            starts = chance.choices(range(0, len(pool) - in_a_row + 1, in_a_row), k=6 // in_a_row)
            lines = '\\n'.join('\\n'.join(pool[at:at + in_a_row]) for at in starts)
            written += file.write('{"id":"%d","text":"Every row begins with this one line.\\n%s\\n%s"}\n'
                                  % (number, own, lines))
            number += 1


def repeated_lines(size, place):
    rows = place.path('rows.jsonl')
    subprocess.run([sys.executable, __file__, '--make-lines', str(rows), str(size), '1'], check=True)
    require(rows.stat().st_size >= 3 * BUDGET, 'the input is too small to show anything')
    small = place.dedup('rows.jsonl', *AT_BUDGET, '--unit', 'line', out='small').ended(0).within_memory()
    summary = place.summary('small')
    print('        %d MB, %d lines: %.1f s, peak %.1f MB'
          % (rows.stat().st_size // MEGABYTE, summary['units']['read'], small.seconds, small.peak / MEGABYTE))
    most, rest = summary['most_frequent'][0], summary['units']
    require(most['count'] == summary['documents']['read'], 'the first line was not found in every row')
    require(rest['repeated'] == 20_001 and rest['occurrences'] - rest['repeated'] == rest['cut'],
            'other lines are repeated than should be:', rest)
    require(rest['considered'] == 9 * summary['documents']['read'], 'lines are missing')
    place.dedup('rows.jsonl', '--memory', '8G', '--threads', '1', '--unit', 'line', out='large').ended(0)
    place.same_bytes('small', 'large')


def other_units(flags, place):
    """Rows as those of repeated_lines() with another form of units."""
    subprocess.run([sys.executable, __file__, '--make-lines', str(place.path('rows.jsonl')), '205000000', '3'], check=True)
    small = place.dedup('rows.jsonl', *AT_BUDGET, *flags, out='small').ended(0).within_memory()
    print('        %.1f s, peak %.1f MB' % (small.seconds, small.peak / MEGABYTE))
    require(place.summary('small')['units']['cut'] > 0, 'nothing was cut')
    place.dedup('rows.jsonl', '--memory', '8G', '--threads', '1', *flags, out='large').ended(0)
    place.same_bytes('small', 'large')


def make_tables(folder):
    """What a command must hold at hand, each of it more than half of the budget."""
    chance = random.Random(3)
    with open(folder / 'rows.jsonl', 'w', encoding='ascii') as file:
        for n in range(20):
            file.write('{"id":"%d","url":"http://h/%d","text":"some words of row %d"}\n' % (n, n, n % 3))
    with open(folder / 'ignored.jsonl', 'w', encoding='ascii') as file:
        for n in range(1200):
            words = ' '.join('%x' % chance.randrange(1 << 32) for _ in range(5000))
            file.write('{"id":"%d","text":"%s"}\n' % (n, words))
    with open(folder / 'judged.jsonl', 'w', encoding='ascii') as file:
        for n in range(200_000):
            file.write('{"a":"a%d","b":"b%d","label":1}\n' % (n, n))
    with open(folder / 'pages.jsonl', 'w', encoding='ascii') as file:
        for n in range(150_000):
            file.write('{"id":"%d","url":"http://h/%d","text":"one and the same page"}\n' % (n, n))
    with open(folder / 'bids.csv', 'w', encoding='ascii') as file:
        file.write('advertiser,bid,ctr\n')
        for n in range(400_000):
            file.write('a%d,1.00,0.1\n' % n)
    with open(folder / 'graph.tsv', 'w', encoding='ascii') as file:
        for n in range(3_000_000):
            file.write('%d %d\n' % (n, n + 1))
    with open(folder / 'hosts.txt', 'w', encoding='ascii') as file:
        for n in range(600_000):
            file.write('h%d.example\n' % n)


def at_hand(place):
    """What does not fit is refused with what to raise, before it is held."""
    subprocess.run([sys.executable, __file__, '--make-tables', str(place.folder)], check=True)
    for words in (['dedup', 'rows.jsonl', '--ignore', 'ignored.jsonl', '--out', 'out'],
                  ['evaluate', 'rows.jsonl', '--methods', 'minhash', '--truth', 'judged.jsonl', '--out', 'out'],
                  ['traps', 'pages.jsonl', '--out', 'out'],
                  ['auction', 'bids.csv'],
                  ['seeds', 'pick', '--add', 'hosts.txt', '--out', 'out'],
                  ['seeds', 'pick', '--add', 'pages.jsonl', '--blacklist', 'hosts.txt', '--out', 'out'],
                  ['walk', 'graph.tsv', '--graph-format', 'edges', '--steps', '100', '--out', 'out']):
        run = place.run(*words, '--overwrite', '--memory', '64M') if 'out' in words else \
            place.run(*words, '--memory', '64M')
        print('        %-8s peak %d MB: %s' % (words[0], run.peak // MEGABYTE, run.stderr.strip()[-140:]))
        run.ended(1, '--memory').within_memory()


def make_excerpt(folder):
    """A document of 4,000,000 words of a letter, and 1,200,000 of them with a few others in between."""
    words = random.Random(1).choices(LETTERS, k=3_999_990)
    (folder / 'whole.txt').write_text(' '.join(words))
    words = words[500_000:1_700_000]
    words[::40_000] = ['other'] * 30
    (folder / 'excerpt.txt').write_text(' '.join(words))


def passages(place):
    """Where the excerpt stands is found within the budget itself, and what a process takes beside it."""
    budget, beside = 145 * MEGABYTE, 16 * MEGABYTE
    subprocess.run([sys.executable, __file__, '--make-excerpt', str(place.folder)], check=True)
    run = place.run('match', 'excerpt.txt', '--against', 'whole.txt', '--measure', 'containment', '--threshold', '.1',
                    '--memory', '145M', '--threads', '2', '--quiet', '--out', 'out').ended(0)
    print('        %.1f s, peak %.1f MB' % (run.seconds, run.peak / MEGABYTE))
    require(run.peak <= budget + beside, 'peak %.1f MB' % (run.peak / MEGABYTE))
    rows = place.rows('passages.jsonl')
    require(len(rows) == 1 and 1_199_900 < rows[0]['tokens'] <= 1_200_000, 'other passages', rows)


def main():
    if sys.argv[1:2] == ['--make-excerpt']:
        make_excerpt(pathlib.Path(sys.argv[2]))
        return 0
    if sys.argv[1:2] == ['--make-tables']:
        make_tables(pathlib.Path(sys.argv[2]))
        return 0
    if sys.argv[1:2] == ['--make-lines']:
        make_lines(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return 0
    if sys.argv[1:2] == ['--make']:
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), seed=1)
        return 0
    suite, long = suite_from_arguments(__doc__)
    suite.run('pages of 300 words', functools.partial(ten_times_the_budget, 680_000_000, 60, .25))
    suite.run('repeated lines', functools.partial(repeated_lines, 205_000_000))
    for kind in kinds.KINDS if long else kinds.SHORT:
        suite.run(kind, functools.partial(kinds.case, kind))
    suite.run('what must be at hand', at_hand)
    suite.run('passages of 8 MB of one-letter words', passages)
    for name in kinds.COMMANDS:
        if name in kinds.LONG_COMMANDS and not long:
            continue
        suite.run(name, functools.partial(kinds.case_of_command, name))
    if long:
        for flags in ('--unit line --unit-window 3', '--unit line --threshold 0.8', '--unit substring --min-tokens 10'):
            suite.run(flags, functools.partial(other_units, flags.split()))
        suite.run('five times as much', functools.partial(ten_times_the_budget, 3_400_000_000, 60, .25))
        # One word put into a note of 40 words leaves it less than .8 alike: only whole copies go.
        suite.run('notes of 40 words', functools.partial(ten_times_the_budget, 680_000_000, 8, .03))
    return suite.finish()


if __name__ == '__main__':
    sys.exit(main())
