"""Documents that cost the most memory for their size, of every kind: peak <= budget + 64 MB.

tests/memory/run.py runs a few of them; as a program it measures all and prints the table of
docs/methods/external-memory.md:

    tests/memory/kinds.py PROGRAM [--threads 1,2,8] [--memory 64M,256M,1G] [--only NAME,...]
"""
import gzip
import os
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
from measured import MEGABYTE, Run

SLACK = 64 * MEGABYTE
WORDS = ['w%05d' % n for n in range(4000)]


def text_of(chance, size):
    return ' '.join(chance.choices(WORDS, k=size // 7))


def rows(folder, count, make):
    with open(folder / 'in.jsonl', 'w', encoding='utf-8') as file:
        for n in range(count):
            file.write(make(n) + '\n')
    return 'in.jsonl'


def long_ids(folder):
    return rows(folder, 1500, lambda n: '{"id":"%d%s","text":"row %d"}' % (n, 'i' * 1_000_000, n))


def long_urls(folder):
    return rows(folder, 1500, lambda n: '{"id":"%d","url":"http://h/%s","text":"row %d"}' % (n, 'u' * 1_000_000, n))


def ids_at_the_limit(folder):
    return rows(folder, 3000, lambda n: '{"id":"%06d%s","url":"http://h/%s","text":"row %d"}'
                % (n, 'i' * 65_000, 'u' * 65_000, n))


def long_revisits(folder):
    with open(folder / 'in.warc', 'w', encoding='ascii') as file:
        for n in range(1500):
            file.write('WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:%d>\r\n'
                       'WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://h/%s\r\n'
                       'WARC-Refers-To-Target-URI: http://h/%s\r\nContent-Length: 0\r\n\r\n\r\n\r\n'
                       % (n, 'a' * 500_000, 'b' * 400_000))
    return 'in.warc'


def files(folder, count, name, make):
    (folder / 'in').mkdir()
    for n in range(count):
        (folder / 'in' / (name % n)).write_text(make(n), encoding='utf-8')
    return 'in'


def drawn(chance, count, characters):
    """A string of characters drawn at random: quicker than choices() where millions are drawn."""
    table = (characters * 256)[:256]
    return chance.randbytes(count).decode('latin-1').translate(table)


def letters(chance, count):
    return drawn(chance, count, 'abcdefghijklmnopqrstuvwxyz')


def chinese(chance, size):
    """Of 256 characters: as good as all shingles of five differ."""
    return drawn(chance, size // 3, ''.join(map(chr, range(0x4E00, 0x9FA5, 82))))


def chinese_files(folder):
    return files(folder, 12, '%02d.txt', lambda n: chinese(random.Random(n), 8_000_000))


def chinese_rows(folder):
    return rows(folder, 12, lambda n: '{"id":"%d","text":"%s"}' % (n, chinese(random.Random(n), 8_000_000)))


def two_chinese_rows(folder):
    return rows(folder, 2, lambda n: '{"id":"%d","text":"%s"}' % (n, chinese(random.Random(n), 7_900_000)))


def chinese_pages(folder):
    return files(folder, 12, '%02d.html', lambda n: '<html><body><p>' + chinese(random.Random(n), 8_000_000))


def short_words(folder, count=12):
    def make(n):
        chance = random.Random(n)
        return ' '.join(letters(chance, 4_000_000))
    return files(folder, count, '%02d.txt', make)


def few_short_words(folder):
    return short_words(folder, 6)


def excerpts(folder):
    """Suspects that fit, and large documents that they are searched for in."""
    (folder / 'in').mkdir()
    for name, count, words in (('suspects', 4, 500_000), ('sources', 6, 4_000_000)):
        (folder / 'in' / name).mkdir()
        for n in range(count):
            chance = random.Random('%s %d' % (name, n))
            text = ' '.join(letters(chance, words))
            (folder / 'in' / name / ('%d.txt' % n)).write_text(text)


def near_copies(folder):
    words = list(letters(random.Random(1), 4_000_000))

    def make(n):
        words[1000 * n] = 'changed'
        return ' '.join(words)
    return files(folder, 3, '%02d.txt', make)


def entities(folder):
    return files(folder, 16, '%02d.html', lambda n: '<p>%d ' % n + '&nGt;' * 1_600_000)


def many_tags(folder):
    return files(folder, 16, '%02d.html', lambda n: '<p>%d ' % n + '<b>a' * 2_000_000)


def many_files(folder, count=100_000):
    for n in range(count):
        below = folder / 'in' / ('%03d' % (n // 1000))
        if n % 1000 == 0:
            below.mkdir(parents=True)
        (below / ('page-%07d.html' % n)).write_text('<p>page %d' % n)
    return 'in'


def commas(folder):
    with open(folder / 'in.csv', 'w', encoding='ascii') as file:
        file.write('id,text\n')
        for n in range(20):
            file.write('%d,%s\n' % (n, ',' * 8_000_000))
    return 'in.csv'


def coded(folder):
    """Rows in one gzip member, a document each near the limit."""
    with gzip.open(folder / 'in.jsonl.gz', 'wt', compresslevel=1, encoding='utf-8') as file:
        for n in range(12):
            file.write('{"id":"%d","text":"%s"}\n' % (n, text_of(random.Random(n), 8_000_000)))
    return 'in.jsonl.gz'


def one_letter_lines(folder):
    def make(n):
        lines = '\\n'.join(letters(random.Random(n), 4_000_000))
        return '{"id":"%d","url":"http://h%d.example/p%d","text":"%s"}' % (n, n % 2, n, lines)
    return rows(folder, 4, make)


KINDS = {
    '1,500 rows with ids of 1 MB': long_ids,
    '1,500 rows with URLs of 1 MB': long_urls,
    '3,000 rows with ids and URLs of 64 KB': ids_at_the_limit,
    '1,500 revisits with URLs of 500 KB': long_revisits,
    '12 files of 8 MB of Chinese': chinese_files,
    '12 rows of 8 MB of Chinese': chinese_rows,
    '12 pages of 8 MB of Chinese': chinese_pages,
    '12 files of 8 MB of one-letter words': short_words,
    '16 pages of 8 MB of &nGt;': entities,
    '16 pages of 8 MB of <b>a': many_tags,
    '100,000 files in a folder': many_files,
    '20 rows of 8 MB of commas': commas,
    '12 rows of 8 MB in gzip': coded,
}
SHORT = ['1,500 rows with URLs of 1 MB', '1,500 revisits with URLs of 500 KB',
         '12 files of 8 MB of Chinese', '16 pages of 8 MB of &nGt;', '100,000 files in a folder']


# Commands that hold more of a document than dedup by default, with what costs them most.
COMMANDS = {
    'leak, two rows of 8 MB of Chinese': (two_chinese_rows, ['leak', 'IN', '--test', 'IN']),
    'change, two rows of 8 MB of Chinese':
        (two_chinese_rows, ['change', 'IN', 'IN', '--dates', '2024-01-01,2024-02-01']),
    'match --measure containment, 8 MB of one-letter lines':
        (one_letter_lines, ['match', 'IN', '--against', 'IN', '--measure', 'containment']),
    'match --measure containment, 8 MB of &nGt;':
        (entities, ['match', 'IN', '--against', 'IN', '--measure', 'containment']),
    'match --measure containment, 1 MB in 8 MB of one-letter words':
        (excerpts, ['match', 'in/suspects', '--against', 'in/sources', '--measure', 'containment']),
    'dedup --kinds, 8 MB of one-letter words': (near_copies, ['dedup', 'IN', '--kinds', '--threshold', '0.1']),
    'dedup --kinds, 8 MB of <b>a': (many_tags, ['dedup', 'IN', '--kinds']),
    'dedup --unit line, 8 MB of &nGt;': (entities, ['dedup', 'IN', '--unit', 'line']),
    'evaluate, 8 MB of one-letter lines': (one_letter_lines, ['evaluate', 'IN', '--methods', 'minhash']),
    'traps, 8 MB of one-letter lines': (one_letter_lines, ['traps', 'IN']),
    'dedup --measure cosine-tf, 8 MB of one-letter words':
        (few_short_words, ['dedup', 'IN', '--measure', 'cosine-tf']),
    'dedup --measure cosine-tf-idf, 8 MB of one-letter words':
        (few_short_words, ['dedup', 'IN', '--measure', 'cosine-tf-idf']),
    'dedup --measure containment, 8 MB of one-letter words':
        (few_short_words, ['dedup', 'IN', '--measure', 'containment']),
    'dedup --measure edit --threshold 0.1, 8 MB of one-letter words':
        (near_copies, ['dedup', 'IN', '--measure', 'edit', '--threshold', '0.1']),
    'dedup --shingle char:5 --verify text, 8 MB of one-letter words':
        (few_short_words, ['dedup', 'IN', '--shingle', 'char:5', '--verify', 'text']),
    'dedup --method minhash --measure cosine-tf-idf, 8 MB of one-letter words':
        (few_short_words, ['dedup', 'IN', '--method', 'minhash', '--measure', 'cosine-tf-idf']),
}
# Beside one that holds as much in the same way: with --long alone.
LONG_COMMANDS = ['match --measure containment, 8 MB of &nGt;', 'dedup --unit line, 8 MB of &nGt;',
                 'dedup --measure cosine-tf-idf, 8 MB of one-letter words',
                 'dedup --measure edit --threshold 0.1, 8 MB of one-letter words']


def bytes_of(size):
    return int(size[:-1]) << {'M': 20, 'G': 30}[size[-1]]


def measure(program, folder, name, source, memory, threads):
    run = Run([program, 'dedup', source, '--out', 'out', '--overwrite', '--quiet', '--memory', memory,
               '--threads', str(threads)], folder)
    # Every record quarantined is 1.
    if run.code not in (0, 1) or 'internal' in run.stderr or 'memory' in run.stderr:
        raise AssertionError('%s: exit %d: %s' % (name, run.code, run.stderr[-500:]))
    return run


def make(maker, folder):
    """In a process of its own: what making holds must not count as the program's."""
    child = os.fork()
    if child == 0:
        try:
            maker(folder)
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    return next(path.name for path in folder.iterdir())


def case(name, place):
    """One kind at 64M on eight threads: what went wrong first."""
    source = make(KINDS[name], place.folder)
    run = measure(place.program, place.folder, name, source, '64M', 8)
    place.runs.append(run)
    run.within_memory()


def case_of_command(name, place):
    """The same for a command; that it needs more memory is an answer too."""
    maker, words = COMMANDS[name]
    source = make(maker, place.folder)
    run = place.run(*[source if word == 'IN' else word for word in words], '--out', 'out', '--quiet',
                    '--memory', '64M', *([] if words[0] == 'change' else ['--threads', '8']), timeout=120)
    if run.code != 0:
        run.ended(1, '--memory')
    run.within_memory()


def main():
    options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
    threads = options.get('--threads', '1,2,8').split(',')
    budgets = options.get('--memory', '64M,256M,1G').split(',')
    only = options.get('--only', '')
    program = pathlib.Path(sys.argv[1]).resolve()
    beyond = 0
    print('| peak, MB | ' + ' | '.join('%s, %s' % (b, t) for b in budgets for t in threads) + ' |')
    print('|---|' + '---|' * (len(budgets) * len(threads)))
    for name in KINDS:
        if only and not any(part in name for part in only.split(',')):
            continue
        with tempfile.TemporaryDirectory(prefix='twinset-kinds-', dir=os.environ.get('TMPDIR', '/dev/shm')) as folder:
            source = make(KINDS[name], pathlib.Path(folder))
            cells = []
            for budget in budgets:
                for count in threads:
                    run = measure(program, folder, name, source, budget, count)
                    over = run.peak > bytes_of(budget) + SLACK
                    beyond += over
                    cells.append('%d%s' % (run.peak / MEGABYTE, ' !' if over else ''))
            print('| %s | %s |' % (name, ' | '.join(cells)), flush=True)
    return 1 if beyond else 0


if __name__ == '__main__':
    sys.exit(main())
