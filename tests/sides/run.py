#!/usr/bin/env python3
"""No side is lost in silence: tests/sides/run.py BUILD_DIR

Every command that reads more than one input is run with each of its sides empty, unusable and, where
sides are joined by ids, of strangers. It ends with 1 and one line that names the side; with good
sides it says what was read of each. A command or a flag that reads a file and is not walked here
must stand among those that have a reason.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve() / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
WORDS = ('the village lies by the sea and has a harbour with nine boats and a lighthouse that is painted red so '
         'that ships find the narrow way between the rocks at night').split()


def text(number):
    return ' '.join(WORDS[number:] + WORDS[:number])


def rows(side, field='text'):
    return ''.join(json.dumps({'id': '%s%d' % (side, n), 'url': 'http://x.example/%d' % n, 'date': '2024-0%d-01' % n,
                               field: text(n)}) + '\n' for n in (1, 2, 3))


STUDY = '''content = ["all"]
[a]
inputs = "a.jsonl"
qrels = "a.qrels"
[b]
inputs = "b.jsonl"
[control]
inputs = "c.jsonl"
[candidates]
mixes = ["word:2"]
[retrieval]
topics = "topics"
results = 5
permutations = 10
shares = [0.5]
'''
MATERIAL = {
    'a.jsonl': rows('a'), 'b.jsonl': rows('b'), 'c.jsonl': rows('c'),
    'a.qrels': '1 0 a1 1\n1 0 a2 0\n', 'b.qrels': '1 0 b1 1\n',
    'pairs.jsonl': '{"a":"a1","b":"b1","similarity":1.0}\n', 'same.tsv': 'a1\ta2\t0.9\n',
    'labels.csv': 'a,b,label\na1,b1,1\n', 'ids': 'a1\na2\na3\n',
    'a.run': '1 Q0 a1 1 2 t\n1 Q0 a2 2 1 t\n', 'other/a.run': '1 Q0 a2 1 2 t\n1 Q0 a1 2 1 t\n',
    'features': '1 qid:1 1:0.5 2:1 # docid = a1\n', 'topics': '1:harbour boats\n',
    'urls-a': 'http://x.example/1\n', 'urls-b': 'http://x.example/2\n',
    'visits.csv': 'http://x.example/1,3\n', 'truth.jsonl': '{"a":"a1","b":"a2","label":1}\n',
    'edges': '0 1\n1 0\n2 1\n', 'nodes': '0 http://n.example/0\n1 http://n.example/1\n2 http://n.example/2\n',
    'seeds-1': '0\n', 'seeds-2': '2\n', 'given': 'http://a.example/\n', 'hosts': 'bad.example\n',
    'spam': 'worse.example\n',
    'prints-1': '00000000000000ff\n', 'prints-2': '00000000000000fe\n',
    'overlaps.csv': 'x,y,fraction_of_x_in_y\nA,B,0.5\nB,A,0.25\n',
    'captures.csv': 'caught,recaptured\n10,0\n10,3\n',
    'fields.jsonl': '{"id":"a1","rank":"3"}\n', 'stop': 'the\n', 'study.toml': STUDY,
    'rules': '',
}

EMPTY = {'empty': ''}
DOCUMENTS = {'empty': '', 'no field': rows('a', 'question'), 'quarantined': '{"id": "x", "text": \n{"text"\n'}
# What compares words finds none here.
TEXTS = {**DOCUMENTS, 'no word': '{"id":"x","text":"!!! ???"}\n{"id":"y","text":""}\n'}
# Whole files of addresses have no text.
ADDRESSES = {'empty': '', 'no address': 'here\nthere\n'}
LINES = {'empty': '', 'blank': '\n \n', 'other lines': 'nothing of use\n'}


def strangers(variants, content):
    return {**variants, 'strangers': content}


QRELS = strangers(LINES, '1 0 zz 1\n')
RUN = strangers(LINES, '1 Q0 zz 1 2 t\n')
PAIRS = strangers(LINES, '{"a":"zz","b":"yy","similarity":1.0}\n')

# argv, and each file that is a side of it with what may be wrong with it.
WALK = [
    (['match', 'a.jsonl', '--against', 'b.jsonl', '--out', 'out'], {'a.jsonl': TEXTS, 'b.jsonl': TEXTS}),
    (['match', 'a.jsonl', '--against', 'b.jsonl', '--measure', 'containment', '--out', 'out'],
     {'a.jsonl': TEXTS, 'b.jsonl': TEXTS}),
    (['leak', 'a.jsonl', '--test', 'b.jsonl', '--test', 'c.jsonl'],
     {'a.jsonl': TEXTS, 'b.jsonl': TEXTS, 'c.jsonl': TEXTS}),
    (['change', 'a.jsonl', 'b.jsonl', 'c.jsonl', '--dates', '2024-01-01,2024-02-01,2024-03-01', '--visits',
      'visits.csv', '--out', 'out'],
     {'a.jsonl': DOCUMENTS, 'b.jsonl': DOCUMENTS, 'c.jsonl': DOCUMENTS,
      'visits.csv': strangers(LINES, 'http://elsewhere.example/,1\n')}),
    (['urls', 'urls-a', 'urls-b'], {'urls-a': ADDRESSES, 'urls-b': ADDRESSES}),
    (['urls', 'a.jsonl', 'b.jsonl', '--qrels', 'a.qrels'], {'a.qrels': QRELS}),
    (['qrels', 'transfer', 'a.qrels', '--pairs', 'pairs.jsonl', '--judged', 'b.qrels', '--labels', 'labels.csv'],
     {'a.qrels': QRELS, 'pairs.jsonl': PAIRS, 'b.qrels': LINES, 'labels.csv': strangers(LINES, 'zz,yy,1\n')}),
    (['qrels', 'transfer', 'a.qrels', '--duplicates', 'same.tsv'], {'same.tsv': strangers(LINES, 'zz\tyy\t1\n')}),
    (['qrels', 'merge', 'a.qrels', 'b.qrels', '--out', 'out'], {'a.qrels': LINES, 'b.qrels': LINES}),
    (['qrels', 'check', 'a.qrels', '--ids', 'ids'],
     {'a.qrels': QRELS, 'ids': {**EMPTY, 'blank': '\n', 'strangers': 'zz\n'}}),
    (['qrels', 'stats', 'a.qrels', 'b.qrels'], {'a.qrels': LINES, 'b.qrels': LINES}),
    (['runs', 'make', 'features', '--out', 'out'], {'features': LINES}),
    (['runs', 'make', 'engine', '--topics', 'topics', '--out', 'out'], {'topics': LINES}),
    (['runs', 'transfer', 'a.run', '--pairs', 'pairs.jsonl', '--out', 'out'], {'a.run': RUN, 'pairs.jsonl': PAIRS}),
    (['runs', 'collapse', 'a.run', '--duplicates', 'same.tsv', '--out', 'out'],
     {'a.run': RUN, 'same.tsv': strangers(LINES, 'zz\tyy\t1\n')}),
    (['runs', 'collapse', 'a.run', '--texts', 'a.jsonl', '--out', 'out'], {'a.run': RUN, 'a.jsonl': TEXTS}),
    (['runs', 'eval', 'a.run', '--qrels', 'a.qrels', '--duplicates', 'same.tsv'],
     {'a.run': strangers(RUN, '9 Q0 zz 1 2 t\n'), 'a.qrels': QRELS, 'same.tsv': strangers(LINES, 'zz\tyy\t1\n')}),
    (['runs', 'compare', 'a.run', '--qrels', 'a.qrels', '--against', 'other/a.run', '--against-qrels', 'b.qrels'],
     {'a.run': LINES, 'a.qrels': LINES, 'other/a.run': LINES, 'b.qrels': LINES}),
    (['evaluate', 'a.jsonl', '--methods', 'minhash', '--truth', 'truth.jsonl', '--out', 'out'],
     {'truth.jsonl': {'empty': '', 'other rows': '{"x":"a1","y":"a2"}\n',
                      'strangers': '{"a":"zz","b":"yy","label":1}\n'}}),
    (['evaluate', 'a.jsonl', '--against', 'b.jsonl', '--methods', 'minhash', '--out', 'out'],
     {'a.jsonl': TEXTS, 'b.jsonl': TEXTS}),
    (['seeds', 'pick', 'edges', '--nodes', 'nodes', '--add', 'given', '--blacklist', 'hosts', '--spam', 'spam',
      '--out', 'out'],
     {'edges': EMPTY, 'nodes': EMPTY, 'given': {**EMPTY, 'comment': '# nothing\n'}, 'hosts': EMPTY, 'spam': EMPTY}),
    (['seeds', 'pick', '--answers', 'a.run', '--out', 'out'], {'a.run': LINES}),
    (['seeds', 'overlap', 'seeds-1', 'seeds-2', 'edges'],
     {'seeds-1': {**EMPTY, 'strangers': '99\n'}, 'seeds-2': {**EMPTY, 'strangers': '99\n'}, 'edges': EMPTY}),
    (['mirrors', 'dups', 'a.jsonl', '--dead', 'urls-a'],
     {'urls-a': ADDRESSES, 'a.jsonl': {'empty': '', 'no field': DOCUMENTS['no field']}}),
    (['predict', 'dups', 'urls-a', 'urls-b', '--out', 'out'], {'urls-a': ADDRESSES, 'urls-b': ADDRESSES}),
    (['estimate', 'relative', 'overlaps.csv'], {'overlaps.csv': {**EMPTY, 'header': 'x,y,fraction_of_x_in_y\n'}}),
    (['estimate', 'schnabel', 'captures.csv'], {'captures.csv': {**EMPTY, 'header': 'caught,recaptured\n'}}),
    (['hamming', 'prints-1', '--against', 'prints-2'], {'prints-1': EMPTY, 'prints-2': EMPTY}),
    (['explain', '--in', 'a.jsonl', 'a1', 'a2'], {'a.jsonl': DOCUMENTS}),
    (['dedup', 'a.jsonl', '--ignore', 'b.jsonl', '--out', 'out'], {'b.jsonl': TEXTS}),
    (['dedup', 'a.jsonl', '--stop-words', 'stop', '--out', 'out'], {'stop': {**EMPTY, 'comment': '# nothing\n'}}),
    (['dedup', 'a.jsonl', '--fields', 'fields.jsonl', '--keep', 'max:rank', '--out', 'out'],
     {'fields.jsonl': {**EMPTY, 'other field': '{"id":"a1","place":"3"}\n', 'strangers': '{"id":"zz","rank":"3"}\n'}}),
    (['study', 'study.toml', '--out', 'out'],
     {'a.jsonl': strangers(TEXTS, rows('zz')), 'b.jsonl': TEXTS, 'c.jsonl': TEXTS,
      'a.qrels': QRELS, 'topics': LINES}),
]

# Commands that take several inputs as one: an input without a document is named there beside others that have some.
# The files before `other.jsonl` are good; `HERE` says where it stands.
PAGES = '<title>%s</title><p>the village by the sea <a href="%s">there</a>'
SEVERAL = [
    (['dedup', 'a.jsonl', 'HERE', '--out', 'out'], ''),
    (['dedup', 'a.jsonl', 'HERE', '--unit', 'line', '--out', 'out'], ''),
    (['match', 'a.jsonl', 'HERE', '--against', 'b.jsonl', '--out', 'out'], 'A '),
    (['match', 'a.jsonl', '--against', 'b.jsonl', '--against', 'HERE', '--out', 'out'], 'B '),
    (['leak', 'a.jsonl', 'HERE', '--test', 'b.jsonl'], 'training data '),
    (['evaluate', 'a.jsonl', 'HERE', '--methods', 'minhash', '--out', 'out'], ''),
    (['tune', 'a.jsonl', 'HERE', '--method', 'minhash'], ''),
    (['text', 'a.jsonl', 'HERE'], ''),
    (['sketch', 'a.jsonl', 'HERE'], ''),
    (['index', 'add', 'ix', 'a.jsonl', 'HERE'], ''),
    (['index', 'query', 'ix', 'a.jsonl', 'HERE'], ''),
    (['traps', 'a.jsonl', 'HERE'], ''),
    (['lexicon', 'build', 'a.jsonl', 'HERE', '--min-df', '1', '--out', 'out'], ''),
    (['lexicon', 'diff', 'words', 'words', 'a.jsonl', 'HERE'], ''),
    (['engine', 'build', 'a.jsonl', 'HERE', '--out', 'out'], ''),
    (['mirrors', 'dups', 'twice.jsonl', 'HERE'], ''),
    (['rescue', '--all', '--from', 'a.jsonl', '--from', 'HERE', '--signatures'], ''),
    (['walk', 'page.html', 'HERE', '--structure'], 'graph '),
    (['seeds', 'pick', 'page.html', 'HERE', '--out', 'out'], 'graph '),
    (['seeds', 'overlap', 'here', 'here', 'page.html', 'HERE'], 'graph '),
    (['runs', 'collapse', 'a.run', '--texts', 'a.jsonl', '--texts', 'HERE', '--out', 'out'], 'texts '),
    (['dedup', 'a.jsonl', '--ignore', 'b.jsonl', '--ignore', 'HERE', '--out', 'out'], '--ignore '),
]
# What takes several inputs, and why none of them is named.
OTHERWISE = {
    'hamming': 'each list is a side', 'change': 'each snapshot is a side', 'urls': 'each list is a side',
    'study': 'each input is a side', 'estimate': 'each table is a side', 'qrels': 'each list is a side',
    'assess': 'the inputs are those of the run, which has named them',
    'predict': 'each list of addresses is a side; the inputs are those of the run',
    'patch': 'the inputs are those of the run, which has named them, or compared with them',
    'report': 'the inputs are those of the run, which has named them',
    'plan': 'a sample, of which a warning says what it lacks',
    'explain': 'two documents are looked for by their ids; who finds none is told',
    'sample': 'engines, which are asked', 'auction': 'tables', 'recut': 'one saved run',
    'merge': 'parts of one run, all of which must be there',
    'serve': 'one index', 'view': 'one finished run', 'methods': 'names', 'presets': 'names'}

# What reads one input only, or what is no side: no file of another command's kind can be missing there.
SINGLE = {
    'text': 'one input, each document for itself', 'sketch': 'one input', 'index': 'one input', 'serve': 'an index',
    'view': 'a finished run',
    'lexicon': 'one input, refused when empty',
    'traps': 'one input, refused when empty', 'tune': 'one input', 'plan': 'a sample, or none', 'recut': 'a saved run', 'report': 'a finished run',
    'merge': 'parts of one run, which may be empty',
    'engine': 'one input, refused when empty', 'sample': 'engines, which are asked', 'walk': 'one graph',
    'rescue': 'pages are looked for one by one', 'auction': 'one table', 'assess': 'a finished run',
    'patch': 'a copy is compared record by record, and what differs ends with 1',
    'methods': 'no input', 'presets': 'no input', 'version': 'no input', 'help': 'no input', 'man': 'no input',
    'completions': 'no input'}
# Flags with the value FILE, INPUT or DIR that name no side.
# Where the texts of a finished run are now; what dedup reads by the same code.
NOT_COMPARED = {('explain', '--against'), ('view', '--against'), ('match', '--ignore'), ('match', '--fields')}
NO_SIDES = {
    '--out', '--html', '--write', '--attributes', '--save', '--tmp', '--log', '--figures', '--record', '--report',  # written
    '--key', '--config', '--trusted-key', '--sign', '--suffixes', '--lexicon', '--short-lexicon',  # no data
    '--files-from',  # the inputs themselves
    '--add',  # the old documents; new ones may be none
    '--trusted',  # pages of the graph: unknown ones are an error
    '--rules',  # of an earlier predict, or names
    '--queries', '--second-pool', '--networks-file', '--exclude-file', '--replay', '--page', '--factors',
    '--trademarks', '--landings', '--hosts', '--from', '--in', '--back-links'}


class Sides(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix='twinset-sides-')
        cls.material = pathlib.Path(cls.temporary.name) / 'material'
        for name, content in MATERIAL.items():
            path = cls.material / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        # Two copies of each page, so that there are clusters with addresses.
        (cls.material / 'twice.jsonl').write_text(rows('a') + rows('b').replace('x.example', 'y.example'))
        for argv in (['engine', 'build', 'a.jsonl', '--out', 'engine', '-q'],
                     ['dedup', 'twice.jsonl', '--out', 'dups', '--save', 'saved', '-q'],
                     ['lexicon', 'build', 'a.jsonl', '--min-df', '1', '--out', 'words', '-q'], ['index', 'create', 'ix']):
            subprocess.run([PROGRAM, *argv], cwd=cls.material, check=True, capture_output=True, timeout=60)
        (cls.material / 'page.html').write_text(PAGES % ('here', 'page.html#there'))
        (cls.material / 'here').write_text('file:///page.html\n')

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_in(self, argv, broken=None, content=None):
        with tempfile.TemporaryDirectory(prefix='twinset-sides-') as parent:
            folder = pathlib.Path(parent) / 'here'
            shutil.copytree(self.material, folder)
            if broken:
                (folder / broken).write_text(content)
            done = subprocess.run([PROGRAM, *argv], cwd=folder, capture_output=True, text=True, timeout=120)
            return done, '%s\n%s: %r\nexit %d\n%s%s' % (argv, broken, content, done.returncode, done.stdout, done.stderr)

    def test_every_side_that_has_nothing_ends_the_command(self):
        for argv, sides in WALK:
            for side, variants in sides.items():
                for variant, content in variants.items():
                    with self.subTest(' '.join(argv), side=side, variant=variant):
                        done, told = self.run_in(argv, side, content)
                        self.assertEqual(done.returncode, 1, told)
                        last = done.stderr.splitlines()[-1]
                        self.assertRegex(last, r'^twinset %s: ' % argv[0], told)
                        if variant == 'strangers':
                            self.assertRegex(last, r"'[^']+'.*'[^']+'", told)  # one of each side
                        if variant == 'no field':
                            self.assertIn('"text"', last, told)
                            self.assertIn('question', last, told)

    def test_an_index_without_documents_is_a_side(self):
        for argv in (['match', 'a.jsonl', '--against', 'ix'], ['match', 'a.jsonl', '--against', 'saved', '--against', 'ix']):
            done, told = self.run_in([*argv, '--out', 'out'])
            self.assertEqual(done.returncode, 1, told)
            self.assertEqual(done.stderr.splitlines()[-1],
                             'twinset match: B ix has no document: there is no record to read', told)

    def test_good_sides_are_told(self):
        for argv, sides in WALK:
            with self.subTest(' '.join(argv)):
                done, told = self.run_in(argv)
                self.assertEqual(done.returncode, 0, told)
                if argv[0] in ('explain', 'dedup', 'estimate', 'evaluate'):  # one corpus, or tables
                    continue
                self.assertRegex(done.stdout + done.stderr, r'(?m)^\s*(twinset \w+: )?read:?\s', told)
                if argv[0] in ('hamming', 'study'):
                    continue
                done, told = self.run_in([*argv, '--json'])
                self.assertRegex(done.stdout, r'"(sides|files)":\s*\[', told)

    def test_a_wordless_input_among_others_is_told(self):
        wordless = TEXTS['no word']
        config = STUDY.replace('"b.jsonl"', '["b.jsonl", "other.jsonl"]')
        (self.material / 'two.toml').write_text(config)
        # Each input of a study is a side, whose name is that of the configuration.
        for argv, file, side in ((['study', 'two.toml', '--out', 'out'], 'other.jsonl', 'b other.jsonl'),
                                 (['study', 'study.toml', '--out', 'out'], 'c.jsonl', 'control c.jsonl')):
            with self.subTest(side):
                done, told = self.run_in([*argv], file, wordless)
                self.assertEqual(done.returncode, 1, told)
                self.assertIn('twinset study: %s has nothing to compare' % side, done.stderr, told)
        # What is ranked has no word, though another text has some.
        texts = ''.join('{"id":"%s","text":"%s"}\n' % row for row in (('a1', '!!!'), ('a2', ''), ('a3', text(1))))
        done, told = self.run_in(['runs', 'collapse', 'a.run', '--texts', 'other.jsonl', '--out', 'out'], 'other.jsonl', texts)
        self.assertEqual(done.returncode, 1, told)
        self.assertIn('none of its 2 documents has a word', done.stderr, told)

    def test_unusable_inputs_beside_good_ones_are_named(self):
        for argv, side in SEVERAL:
            argv = ['other.jsonl' if word == 'HERE' else word for word in argv]
            variants = dict(TEXTS)
            if argv[0] in ('text', 'traps', 'engine', 'mirrors', 'rescue', 'walk', 'seeds'):
                del variants['no word']  # a page without a word is a page there
            if argv[0] in ('walk', 'seeds'):
                del variants['empty']  # an error there
            for variant, content in variants.items():
                with self.subTest(' '.join(argv), variant=variant):
                    done, told = self.run_in(argv, 'other.jsonl', content)
                    self.assertEqual(done.returncode, 0, told)
                    self.assertRegex(done.stderr, r'(?m)^twinset %s: (warning: )?%sother\.jsonl has no' % (argv[0], side), told)
                    if side == '--ignore ':  # what of it was read is no document of the run
                        self.assertEqual('--ignore: of ' in done.stderr, variant not in ('empty', 'no word'), told)
                    if side in ('training data ', 'texts '):
                        self.assertRegex(done.stdout, r'(?m)^read: .*%sother\.jsonl: ' % side, told)

    def test_an_input_with_documents_is_not_named(self):
        for argv, _ in SEVERAL:
            argv = ['other.jsonl' if word == 'HERE' else word for word in argv]
            with self.subTest(' '.join(argv)):
                done, told = self.run_in(argv, 'other.jsonl', rows('c'))
                self.assertEqual(done.returncode, 0, told)
                self.assertNotIn('other.jsonl has no', done.stderr, told)

    def test_a_folder_is_named_beside_another_of_its_name(self):
        for folder in ('x/pages', 'y/pages'):
            (self.material / folder).mkdir(parents=True, exist_ok=True)
        (self.material / 'x/pages/good.jsonl').write_text(rows('a'))
        (self.material / 'y/pages/bad.jsonl').write_text(TEXTS['no field'])
        for command in ('dedup', 'lexicon build'):
            done, told = self.run_in([*command.split(), 'x/pages', 'y/pages', '--out', 'out'])
            self.assertEqual(done.returncode, 0, told)
            self.assertRegex(done.stderr, r'warning: (y/)?pages has no document', told)

    def test_each_list_of_several_is_a_side(self):
        for argv in (['hamming', 'prints-1', 'other.jsonl', '--against', 'prints-2'], ['hamming', 'prints-1', 'other.jsonl'],
                     ['hamming', 'prints-1', '--against', 'prints-2', '--against', 'other.jsonl'],
                     ['dedup', 'a.jsonl', '--fields', 'fields.jsonl', '--fields', 'other.jsonl', '--keep', 'max:rank',
                      '--out', 'out']):
            with self.subTest(' '.join(argv)):
                done, told = self.run_in(argv, 'other.jsonl', '')
                self.assertEqual(done.returncode, 1, told)
                self.assertRegex(done.stderr, r'twinset %s: .*other\.jsonl has no' % argv[0], told)
        done, told = self.run_in(['hamming', 'prints-1'], 'prints-1', '')
        self.assertEqual(done.returncode, 0, told)

    def test_many_inputs_of_a_side_are_one_entry(self):
        done, told = self.run_in(['leak', *['a.jsonl'] * 21, '--test', 'b.jsonl'])
        self.assertEqual(done.returncode, 0, told)
        self.assertIn('; training data (21 inputs): 63 documents of 63 records', done.stdout, told)

    def test_what_may_be_empty(self):
        argv = ['dedup', 'a.jsonl', '--out', 'out']
        done, told = self.run_in(argv, 'a.jsonl', '')  # a shard
        self.assertEqual(done.returncode, 0, told)

    def test_every_command_and_flag_is_walked(self):
        listed = subprocess.run([PROGRAM, 'completions', 'bash'], capture_output=True, text=True, check=True).stdout
        commands = set(re.search(r"compgen -W '(dedup [^']*)'", listed).group(1).split())
        walked = {argv[0] for argv, _ in WALK}
        self.assertEqual(commands - walked, set(SINGLE) & commands,
                         'a command that reads inputs needs a row in WALK, or a reason in SINGLE')
        takes_several = commands - {'version', 'help', 'man', 'completions'}
        self.assertEqual(takes_several - {argv[0] for argv, _ in SEVERAL}, set(OTHERWISE),
                         'a command that takes several inputs needs a row in SEVERAL, or a reason in OTHERWISE')
        used = {(argv[0], flag) for argv, _ in WALK for flag in argv if flag.startswith('--')}
        missing = []
        for command in sorted(walked):
            help_text = subprocess.run([PROGRAM, command, '--help'], capture_output=True, text=True, check=True).stdout
            for flag in re.findall(r'^ +(?:-., )?(--[a-z-]+) (?:FILE|INPUT|DIR)\b', help_text, re.M):
                if (command, flag) not in used and flag not in NO_SIDES and (command, flag) not in NOT_COMPARED:
                    missing.append((command, flag))
        self.assertEqual(missing, [], 'these flags read a file and are in no row of WALK')


if __name__ == '__main__':
    unittest.main()
