#!/usr/bin/env python3
"""tests/names/run.py BUILD_DIR: a folder of files of which 100 have names of random bytes, through
every command that reads folders: no error, every document there, and the names in the rows turn back
into the bytes. 1,000 files; 10,000 with TWINSET_LONG=1."""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

FILES = 10000 if os.environ.get('TWINSET_LONG') == '1' else 1000
ODD = 100  # names of random bytes
FOLDER = b'odd \xe9\x1b\\folder'
ESCAPE = re.compile(rb'\\x([0-9a-f]{2})')


def name_bytes(text):
    """What the documented form stands for; an independent reading of docs/formats/inputs.md."""
    text = text.encode()
    assert b'\\' not in ESCAPE.sub(b'', text), text
    assert not any(byte < 0x20 or byte == 0x7f for byte in text), text
    return ESCAPE.sub(lambda match: bytes([int(match.group(1), 16)]), text)


def random_name(chance):
    while True:
        name = bytes(chance.choice([chance.randrange(1, 256), 0x5c, 0xe9, 0x0a, 0x22, 0x2c])
                     for _ in range(chance.randrange(1, 30)))
        if b'/' not in name and not name.startswith(b'.'):
            return name


def make_files(root):
    """{path relative to root: text}; every tenth text is a copy of the one before it."""
    chance, files, text = random.Random(5), {}, ''
    while len(files) < FILES:
        name = random_name(chance) if len(files) < ODD else b'%06d.txt' % len(files)
        if len(files) % 3 == 0:
            name = random_name(chance) + b'/' + name if len(files) < ODD else b'sub/' + name
        if name in files or any(f.startswith(name + b'/') or name.startswith(f + b'/')
                                for f in files if len(files) < ODD):
            continue
        if len(files) % 10 != 1:
            text = ' '.join(chance.choice(WORDS) for _ in range(60))
        files[name] = text
        path = root + b'/' + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as file:
            file.write(text)
    return files


WORDS = [''.join(random.Random(i).choices('abcdefghijklmnop', k=6)) for i in range(3000)]


class Runs:
    def __init__(self, program, root, files):
        self.program, self.root, self.files = program, root, files
        self.folder = root + b'/' + FOLDER
        self.passed = self.failed = 0

    def run(self, *words, code=0):
        result = subprocess.run([self.program, *words], cwd=self.root, capture_output=True,
                                stdin=subprocess.DEVNULL)
        if result.returncode != code:
            raise AssertionError('exit %d: %r %s' % (result.returncode, words,
                                                     result.stderr.decode(errors='replace')))
        shown = result.stderr.decode()  # errors are UTF-8 too
        assert not re.search('[\x00-\x09\x0b-\x1f\x7f]', shown), repr(shown)
        return result.stdout

    def rows(self, output):
        return [json.loads(line) for line in output.decode().splitlines()]

    def check_rows(self, rows, ids, source='source'):
        assert {name_bytes(row[ids]) for row in rows} == set(self.files), 'ids'
        for row in rows:
            if source in row:
                cited = name_bytes(row[source])
                assert cited == FOLDER + b'/' + name_bytes(row[ids]), cited

    def lines(self, *names):
        return [name_bytes(line) for name in names
                for line in pathlib.Path(os.fsdecode(self.root + b'/' + name)).read_text()
                .splitlines()]

    def check(self, name):
        try:
            getattr(self, name)()
            self.passed += 1
        except AssertionError as error:
            print('failed: %s: %s' % (name, error))
            self.failed += 1

    def dedup(self):
        self.run('dedup', FOLDER, '--out', b'o\xff', '--write', b'w\xff', '--report')
        listed = self.lines(b'o\xff/keep.txt', b'o\xff/drop.txt')
        assert sorted(listed) == sorted(self.files), 'lists'
        with open(self.root + b'/o\xff/summary.json') as file:
            summary = json.load(file)
        assert summary['documents']['read'] == FILES, summary['documents']
        every = {FOLDER + b'/' + name for name in self.files}
        inputs = {name_bytes(path) for path in summary['run']['inputs']}
        assert len(inputs) == 100 and inputs < every, 'inputs'
        with open(self.root + b'/o\xff/sources.jsonl', 'rb') as file:
            sources = {name_bytes(row['source']) for row in self.rows(file.read())}
        assert sources == every, 'sources'
        with open(self.root + b'/o\xff/clusters.jsonl', 'rb') as file:
            rows = self.rows(file.read())
        assert len(rows) >= FILES // 10, len(rows)
        for row in rows:
            assert name_bytes(row['source']) == FOLDER + b'/' + name_bytes(row['id']), row
        kept = set(self.lines(b'o\xff/keep.txt'))
        for name, text in self.files.items():
            written = self.root + b'/w\xff/' + FOLDER + b'/' + name
            assert os.path.exists(written) == (name in kept), written
            if name in kept:
                assert open(written).read() == text, written

    def dedup_methods(self):
        for method in ('exact', 'minhash', 'simhash'):
            self.run('dedup', FOLDER, '--out', b'm\xff', '--method', method, '--overwrite')
            listed = self.lines(b'm\xff/keep.txt', b'm\xff/drop.txt')
            assert sorted(listed) == sorted(self.files), method

    def match(self):
        self.run('match', FOLDER, '--against', FOLDER, '--out', b'a\xff')
        rows = self.rows(open(self.root + b'/a\xff/best.jsonl', 'rb').read())
        assert len(rows) == FILES, len(rows)
        for row in rows:
            a, b = name_bytes(row['a']), name_bytes(row['b'].split('#')[0])
            assert self.files[a] == self.files[b], row

    def text(self):
        self.check_rows(self.rows(self.run('text', '--json', FOLDER)), 'id')
        self.run('text', FOLDER)

    def sketch(self):
        rows = self.rows(self.run('sketch', FOLDER, '--method', 'minhash'))
        self.check_rows(rows, 'id')

    def evaluate(self):
        self.run('evaluate', FOLDER, '--methods', 'minhash', '--out', b'e\xff')
        with open(self.root + b'/e\xff/evaluation.json') as file:
            assert json.load(file)['documents'] == FILES

    def tune(self):
        self.run('tune', FOLDER, '--method', 'minhash')

    def lexicon(self):
        self.run('lexicon', 'build', FOLDER, '--out', b'l\xff.lexicon')
        info = self.run('lexicon', 'show', b'l\xff.lexicon').decode(errors='strict')
        assert re.search(r'\b%s\b' % re.sub(r'(\d)(?=(\d{3})+$)', r'\1,', str(FILES)), info) or \
            str(FILES) in info, info[:300]

    def engine(self):
        self.run('engine', 'build', FOLDER, '--out', b'g\xff')
        shown = json.loads(self.run('engine', 'show', b'g\xff', '--json'))
        assert shown['documents'] == FILES, shown

    def explain(self):
        rows = self.rows(self.run('text', '--json', FOLDER))
        odd = [row['id'] for row in rows if '\\' in row['id']][:2]
        shown = json.loads(self.run('explain', '--in', FOLDER, *odd, '--json'))
        assert [d['id'] for d in shown['documents']] == odd, shown['documents']
        names = [name_bytes(text) for text in odd]  # as the shell completes them
        paths = [FOLDER + b'/' + name for name in names]
        shown = json.loads(self.run('explain', *paths, '--json'))
        assert [name_bytes(d['id']) for d in shown['documents']] == paths, shown['documents']

    def rows_of_a_named_file(self):
        path = self.root + b'/caf\xe9.jsonl'
        with open(path, 'w') as file:
            file.write('{"text":"one two three four five six"}\n' * 2)
        self.run('dedup', b'caf\xe9.jsonl', '--out', 'n', '--prefer', b'caf\xe9*', '--write', 'nw')
        assert self.lines(b'n/keep.txt') == [b'caf\xe9.jsonl:0'], 'default id'
        assert os.path.exists(self.root + b'/nw/caf\xe9.jsonl')
        self.run('dedup', b'caf\xe9.jsonl', '--out', 'n', '--overwrite', '--prefer',
                 rb'caf\xe9.jsonl', '--ignore', b'caf\xe9.jsonl')

    def leak(self):
        self.run('leak', FOLDER, '--test', FOLDER, '--out', b'k\xff', '--report')
        rows = self.rows(open(self.root + b'/k\xff/leaks.jsonl', 'rb').read())
        assert {name_bytes(row['item']) for row in rows} == set(self.files), 'items'
        for row in rows:
            item, document = name_bytes(row['item']), name_bytes(row['document'])
            assert self.files[item] == self.files[document], row

    def change(self):
        self.run('change', FOLDER, FOLDER, '--dates', '2024-01-01,2024-02-01', '--out', b'c\xff', '--report')
        counts = self.rows(open(self.root + b'/c\xff/captures.jsonl', 'rb').read())
        assert {name_bytes(row['url']) for row in counts} == set(self.files), 'pages'

    # Lists of addresses, judgements and runs of retrieval systems, whose lines are bad but one.
    def lists_of_a_named_file(self):
        for name, line in ((b'urls\xff', b'http://a.example/\xe9'), (b'qrels\xff', b'1 0 d 1'),
                           (b'run\xff', b'1 Q0 d 1 2.5 tag')):
            with open(self.root + b'/' + name, 'wb') as file:
                file.write(line + b'\nno \x1b line \xff\n')
        self.run('urls', b'urls\xff', b'urls\xff', '--out', b'u\xff', '--report')
        bad = self.rows(open(self.root + b'/u\xff/bad.jsonl', 'rb').read())
        assert {name_bytes(row['source']) for row in bad} == {b'urls\xff'}, bad
        self.run('qrels', 'stats', b'qrels\xff')
        self.run('runs', 'eval', b'run\xff', '--qrels', b'qrels\xff')

    def study(self):
        self.run('dedup', FOLDER, '--out', b'of study\xff')
        with open(self.root + b'/of study\xff/keep.txt', 'rb') as ids:
            known = next(line for line in ids.read().splitlines() if b' ' not in line)
        with open(self.root + b'/q\xff', 'wb') as file:
            file.write(b'1 0 nobody 1\n1 0 ' + known + b' 1\n')
        with open(self.root + b'/odd\xff.toml', 'w') as file:
            file.write('content = ["all"]\n[a]\ninputs = "names"\nqrels = "judgements"\n[b]\ninputs = "names"\n'
                       '[candidates]\nmixes = ["word:3"]\n')
        # A TOML file is UTF-8, so links name what is not.
        os.symlink(FOLDER, self.root + b'/names')
        os.symlink(b'q\xff', self.root + b'/judgements')
        self.run('study', b'odd\xff.toml', '--out', b's\xff')
        rows = self.rows(open(self.root + b'/s\xff/search.all.complete.pairs.jsonl', 'rb').read())
        found = {name_bytes(row['a']) for row in rows}
        assert found == set(self.files), 'documents'

    def mirrors(self):
        self.run('dedup', FOLDER, '--out', b'h\xff')
        self.run('mirrors', b'h\xff', '--out', b'i\xff', '--report')

    def assess(self):
        self.run('dedup', FOLDER, '--out', b'j\xff', '--pairs', 'all')
        self.run('assess', b'j\xff', '--out', b'judged\xff')

    def predict(self):
        with open(self.root + b'/addresses\xff', 'wb') as file:
            file.write(b'http://a.example/x\nno \x1b line \xff\n')
        with open(self.root + b'/pages\xff.jsonl', 'w') as file:
            for n in range(4):
                file.write('{"id": "%d", "url": "http://a.example/%d", "text": "one two three four five"}\n' % (n, n))
        self.run('dedup', b'pages\xff.jsonl', '--url-field', 'url', '--out', b'l\xff')
        self.run('predict', b'l\xff', b'addresses\xff', '--out', b'predicted\xff', '--report')
        bad = self.rows(open(self.root + b'/predicted\xff/bad.jsonl', 'rb').read())
        assert {name_bytes(row['source']) for row in bad} == {b'addresses\xff'}, bad

    def patch(self):
        self.run('dedup', FOLDER, '--out', b'n\xff', '--write', b'clean\xff')
        self.run('patch', 'make', b'n\xff', '--out', b'p\xff')
        self.run('patch', 'apply', b'p\xff', FOLDER, '--out', b'applied\xff', '--write', b'repaired\xff')
        rows = self.rows(open(self.root + b'/applied\xff/inputs.jsonl', 'rb').read())
        assert all(row['identical'] and row['source'] == row['in_patch'] for row in rows), rows
        for name in {name_bytes(row['source']) for row in rows}:
            clean, repaired = (self.root + b'/' + folder + b'\xff/' + name for folder in (b'clean', b'repaired'))
            assert os.path.exists(clean) == os.path.exists(repaired), name
            if os.path.exists(clean):
                assert open(clean, 'rb').read() == open(repaired, 'rb').read(), name

    def seeds(self):
        for name, text in ((b'edges\xff', b'1 2\n2 1\n'), (b'nodes\xff', b'1 http://a.example/\n2 http://b.example/\n'),
                           (b'black\xff', b'b.example\nno \x1b host \xff\n')):
            with open(self.root + b'/' + name, 'wb') as file:
                file.write(text)
        graph = [b'edges\xff', '--nodes', b'nodes\xff']
        self.run('seeds', 'pick', *graph, '--blacklist', b'black\xff', '--out', b'seeds\xff', '--report')
        row, = self.rows(open(self.root + b'/seeds\xff/left-out.jsonl', 'rb').read())
        assert name_bytes(row['line']) == b'black\xff:1', row
        self.run('seeds', 'overlap', b'seeds\xff/seeds.txt', b'seeds\xff/seeds.jsonl', *graph, '--out', b'crawls\xff')

    def flags(self):
        for words in (['--id-field', b'\xff'], ['--within', b'\xff'], ['--across', b'\xff'],
                      ['--keep', b'max:\xff'], ['--text-field', b'\xff'], ['--method', b'\xff']):
            self.run('dedup', FOLDER, '--out', 'never', *words, code=2)
        assert not os.path.exists(self.root + b'/never')

    def errors_name_the_file(self):
        result = subprocess.run([self.program, 'dedup', b'no\x1b[31m\xe9', '--out', 'never'],
                                cwd=self.root, capture_output=True)
        assert result.returncode != 0 and rb'no\x1b[31m\xe9' in result.stderr, result.stderr


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = os.path.join(os.path.abspath(sys.argv[1]), 'twinset')
    with tempfile.TemporaryDirectory() as folder:
        root = os.fsencode(folder)
        runs = Runs(program, root, make_files(root + b'/' + FOLDER))
        for name in ('dedup', 'dedup_methods', 'match', 'text', 'sketch', 'evaluate', 'tune',
                     'lexicon', 'engine', 'explain', 'leak', 'change', 'mirrors', 'study', 'assess', 'predict', 'patch', 'seeds', 'rows_of_a_named_file',
                     'lists_of_a_named_file', 'flags',
                     'errors_name_the_file'):
            runs.check(name)
    print('%d files: %d passed, %d failed' % (FILES, runs.passed, runs.failed))
    print('%d passed, %d failed' % (runs.passed, runs.failed))
    return 1 if runs.failed else 0


if __name__ == '__main__':
    sys.exit(main())
