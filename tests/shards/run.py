#!/usr/bin/env python3
"""Shards and their merge against one run: tests/shards/run.py BUILD_DIR

dedup --shard I/N of every I, merged, must write the result files of dedup over all inputs byte for byte, and
summary.json but its object "run": for several methods and numbers of shards, over inputs that hold everything a
reader may meet. So must a merge in parts, merge --part J/M of every J. Shards, parts and merges that are killed go on;
files of a shard or part that are damaged, and those of other runs, are refused by name. TWINSET_LONG=1: more kills, and
every flip.
"""
import concurrent.futures
import gzip
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
import packages  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve() / 'twinset') if len(sys.argv) > 1 else sys.exit(__doc__)
LONG = bool(os.environ.get('TWINSET_LONG'))
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / 'examples/shards'
KEY = '00112233445566778899aabbccddeeff'
BLOCK = 4096  # records of a block (Deal)
READ_IN_PLACE = ('features.blob', 'views.blob', 'clean-texts.blob', 'texts-and-layouts.blob')
METHODS = {
    'complete': ['--pairs', 'all'],
    'minhash': ['--method', 'minhash', '--kinds', '--stats-by', 'lang', '--keep', 'max:score,shortest'],
    'simhash': ['--method', 'simhash', '--cluster', 'components', '--within', 'lang'],
    'max-df': ['--method', 'minhash', '--max-df', '900', '--ignore', 'ignored.txt', '--format', 'csv'],
    'text': ['--verify', 'text', '--fields', 'fields.jsonl', '--keep', 'max:rank', '--across', 'source'],
    'exact': ['--method', 'exact', '--level', 'text'],
    'learnt': ['--method', 'i-match'],
}
# By keys: with hot buckets, and so few keys that none may be left out; with equal documents that are no class. By pairs:
# with a filter; with texts; and with hot elements, which are left to the merge.
METHODS_OF_PARTS = {
    'minhash': (['--method', 'minhash', '--bands', '2', '--rows', '6', '--bucket-limit', '8'],
                (1, 2, 3, 7) if LONG else (1, 2, 7)),
    'fss': (['--method', 'fss', '--across', 'lang', '--verify', 'none', '--threshold', '.7'], (3,)),
    'simhash': (['--method', 'simhash', '--cluster', 'components', '--within', 'lang'], (3,)),
    'text': (['--method', 'minhash', '--verify', 'text', '--bucket-limit', '8'], (2,)),
    'complete': ([], (1, 2, 3, 7) if LONG else (2, 3)),
}


def words(chance, number):
    return ' '.join('w%d' % chance.randrange(3000) for _ in range(number))


def rows(chance, number, prefix, many=300):
    """Families of near-duplicates that cross blocks, a hot bucket, repeated ids, empty texts and bad rows."""
    families = [words(chance, 60) for _ in range(many)]
    for i in range(number):
        kind = chance.random()
        if kind < .3:
            text = chance.choice(families) + ' ' + words(chance, chance.randrange(3))
        elif kind < .4:
            text = families[0]
        elif kind < .5:
            text = ''
        else:
            text = words(chance, chance.randrange(1, 40))
        row = {'id': '%s%d' % (prefix, chance.randrange(number) if kind > .9 else i), 'text': text,
               'lang': chance.choice(('de', 'en')), 'score': i % 17}
        yield '{"id": broken' if kind > .995 else json.dumps(row)


def write_inputs(folder):
    chance = random.Random(5)
    inputs = folder / 'in'
    inputs.mkdir()
    (inputs / 'a.jsonl').write_text('\n'.join(rows(chance, 3 * BLOCK + 50, 'a')) + '\n')
    compressed = gzip.compress('\n'.join(rows(chance, BLOCK + 7, 'b')).encode())
    (inputs / 'cut-off.jsonl.gz').write_bytes(compressed[:-2000])
    (inputs / 'empty.jsonl').write_text('')
    (inputs / 'quoted.csv').write_text('id,text\nq1,"%s\n%s"\nq2,plain words "quoted" inside\n' % (
        words(chance, 20), words(chance, 20)))
    (inputs / 'other.csv').write_text('number,content\n1,nothing of this is a text\n')
    pages = inputs / 'pages'
    pages.mkdir()
    for i in range(40):
        (pages / ('%02d.html' % i)).write_text(
            '<html><body><div class="menu">%s</div><p>%s</p></body></html>' % (
                ' '.join('menu%d' % j for j in range(40)), words(random.Random(i // 2), 80)))
    shutil.copy(inputs / 'quoted.csv', inputs / 'same.csv')
    os.link(inputs / 'quoted.csv', inputs / 'same-file.csv')
    few = folder / 'few-in'
    few.mkdir()
    (few / 'a.jsonl').write_text('\n'.join(rows(chance, 900, 'a', 80)) + '\n')
    (few / 'b.jsonl').write_text('\n'.join(rows(chance, 400, 'a', 80)) + '\n')
    family = words(chance, 60)
    (few / 'c.jsonl').write_text(''.join(
        json.dumps({'id': 'c%d' % i, 'text': family + ' ' + words(chance, 2), 'lang': 'de'}) + '\n' for i in range(400)))
    (folder / 'ignored.txt').write_text(words(chance, 50))
    (folder / 'fields.jsonl').write_text(''.join(
        json.dumps({'id': 'a%d' % i, 'rank': i % 5}) + '\n' for i in range(2000)))
    (folder / 'key').write_text(KEY)
    (folder / 'key').chmod(0o600)
    (folder / 'none').mkdir()
    (folder / 'none/none.jsonl').write_text('')


def run(folder, *arguments, env=None):
    return subprocess.run([PROGRAM, *map(str, arguments), '--quiet'], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, **(env or {})))


def results(out):
    files = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file() and path.name != '.twinset'}
    summary = json.loads(files['summary.json'])
    del summary['run']
    return dict(files, **{'summary.json': summary})


class Shards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix='twinset-shards-')
        cls.folder = pathlib.Path(cls.temporary.name)
        write_inputs(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_well(self, *arguments):
        done = run(self.folder, *arguments)
        self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: an input is cut off
        return done

    def shards(self, name, of, flags, inputs=('in',)):
        """The folders of all shards, made two at a time."""
        folders = ['%s-%d-%d' % (name, i, of) for i in range(of)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = pool.map(lambda i: run(
                self.folder, 'dedup', *inputs, *flags, '--shard', '%d/%d' % (i, of), '--key', 'key', '--save',
                folders[i], '--threads', 1 + i % 2), range(of))
            for shard in done:
                self.assertEqual(shard.returncode, 0, shard.stderr)
        return folders

    def refused(self, code, words_of, *arguments):
        done = run(self.folder, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words_of:
            self.assertIn(word, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_same_bytes(self):
        for name, flags in METHODS.items():
            self.run_well('dedup', 'in', *flags, '--key', 'key', '--out', name)
            expected = results(self.folder / name)
            self.assertGreater(expected['summary.json']['documents']['dropped'], 20)
            for of in {'complete': (1, 2, 64), 'minhash': (2, 7)}.get(name, (3,)):
                with self.subTest(method=name, of=of):
                    folders = self.shards(name, of, flags)
                    random.Random(of).shuffle(folders)
                    out = '%s-merged-%d' % (name, of)
                    self.run_well('merge', *folders, '--out', out, '--threads', 1 + of % 2)
                    found = results(self.folder / out)
                    self.assertEqual(sorted(found), sorted(expected))
                    for file, content in expected.items():
                        self.assertEqual(found[file], content, file)

    def parts(self, name, of):
        """The folders of all parts of a merge of few documents, made once. They differ in what joins of the whole
        collection go by."""
        _, shards = self.few(name)
        folders = ['few-%s-part-%d-%d' % (name, j, of) for j in range(of)]

        def make(j):
            if not (self.folder / folders[j]).exists():
                self.run_well('merge', *shards, '--part', '%d/%d' % (j, of), '--save', folders[j], '--threads', 1 + j % 2,
                              '--memory', ('70M', '1G')[j % 2])
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(make, range(of)))
        return folders

    def few(self, name):
        """The results of one run over few documents, and its shards, made once."""
        flags, out = METHODS_OF_PARTS[name][0], 'few-' + name
        if not (self.folder / out).exists():
            self.run_well('dedup', 'few-in', *flags, '--key', 'key', '--out', out)
            self.shards(out, 2, flags, ['few-in'])
        return results(self.folder / out), ['%s-%d-2' % (out, i) for i in range(2)]

    def test_parts(self):
        for name, (_, numbers) in METHODS_OF_PARTS.items():
            expected, shards = self.few(name)
            self.assertGreater(expected['summary.json']['pairs']['written'], 500)
            for of in numbers:
                with self.subTest(method=name, of=of):
                    parts = self.parts(name, of)
                    hot = any((self.folder / part / 'hot.run').exists() for part in parts)
                    self.assertEqual(hot, name == 'complete')
                    folders = parts + shards
                    random.Random(of).shuffle(folders)
                    out = 'few-%s-joined-%d' % (name, of)
                    self.run_well('merge', *folders, '--out', out)
                    found = results(self.folder / out)
                    self.assertEqual(sorted(found), sorted(expected))
                    for file, content in expected.items():
                        self.assertEqual(found[file], content, file)
        buckets = [results(self.folder / ('few-' + name))['summary.json']['hot_buckets']['pairs_compared']
                   for name in ('minhash', 'text')]
        self.assertGreater(min(buckets), 0)

    def test_parts_share_the_work(self):
        """No part compares what all do; of a method by pairs no two parts compare the same."""
        for name, of, most in (('minhash', 7, 1), ('complete', 3, .4)):
            self.few(name)
            summary = json.loads((self.folder / ('few-' + name) / 'summary.json').read_text())
            compared = [json.loads((self.folder / part / 'part.json').read_text())['run']['counts']['verify']['compared']
                        for part in self.parts(name, of)]
            self.assertLess(max(compared), most * (summary['candidates'] or sum(compared)))

    def test_damaged_parts_are_refused(self):
        """A flipped bit in any file of a part is an error with its name."""
        chance = random.Random(4)
        for name in ('minhash', 'complete'):
            _, shards = self.few(name)
            parts = self.parts(name, 2)
            paths = sorted(path for path in (self.folder / parts[1]).iterdir() if path.name != '.twinset')
            self.assertEqual([path.name for path in paths], {
                'minhash': ['candidates.run', 'part.json', 'verified.run'],
                'complete': ['hot.run', 'part.json', 'verified.run']}[name])
            for path in paths:
                whole = path.read_bytes()
                places = {0, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(40 if LONG else 1))}
                if path.suffix == '.run' and len(whole) > 140 << 10:  # where the manifest does not look
                    places.add(len(whole) // 2)
                for at in places:
                    with self.subTest(file=path.name, at=at):
                        damaged = bytearray(whole)
                        damaged[at] ^= 1 << chance.randrange(8)
                        path.write_bytes(damaged)
                        self.refused(1, [path.name], 'merge', *shards, *parts, '--out', 'flip-merged', '--overwrite')
                        self.assertFalse((self.folder / 'flip-merged/summary.json').exists())
                path.write_bytes(whole)
            path.unlink()
            self.refused(1, ['verified.run', 'missing'], 'merge', *shards, *parts, '--out', 'flip-merged', '--overwrite')
            path.write_bytes(whole)

    def test_other_parts_are_refused(self):
        _, shards = self.few('complete')
        parts = self.parts('complete', 2)
        merge = ('merge', *shards, '--out', 'strange-merged')
        self.refused(2, ['part 1/2 is not there', '--part 1/2'], *merge, parts[0])
        self.refused(2, ['part 0/2 is given twice'], *merge, *parts, parts[0])
        self.refused(2, ['one of 3 parts, not of 2'], *merge, parts[0], self.parts('complete', 3)[1])
        self.refused(2, ['no shard is given'], 'merge', *parts, '--out', 'strange-merged')
        self.refused(2, ['of another merge', 'other shards'], *merge, parts[0], self.parts('minhash', 2)[1])
        self.refused(2, ['--save does not go with parts'], *merge, *parts, '--save', 'strange-saved')
        self.refused(2, ['this is a part of a merge'], 'recut', parts[0], '--out', 'strange-merged')
        self.refused(2, ['this is a part of a merge, not a shard'], 'merge', *shards, parts[0], '--part', '1/2', '--save',
                     'strange-part')
        self.refused(2, ['--overwrite'], 'merge', *shards, '--part', '1/2', '--save', parts[0])
        self.refused(2, ['this stands in a part'], 'merge', *shards, *parts, '--out', parts[0] + '/out')
        done = run(self.folder, 'dedup', parts[0], '--out', 'strange-read')
        self.assertIn(': this is a part of a merge, and is not read', done.stderr)
        part = ('merge', *shards, '--part', '0/2')
        self.refused(2, ['--save DIR'], *part)
        self.refused(2, ['--out does not go with a part'], *part, '--save', 'strange-part', '--out', 'strange-merged')
        self.refused(2, ['--report does not go with a part'], *part, '--save', 'strange-part', '--report')
        for text in ('2/2', '0/0', '1', 'a/b', '-1/2', '0/9999'):
            self.refused(2, ['part'], 'merge', *shards, '--part=' + text, '--save', 'strange-part')
        self.assertFalse((self.folder / 'strange-merged').exists())
        self.assertFalse((self.folder / 'strange-part').exists())

    def test_finished_part_is_left(self):
        _, shards = self.few('complete')
        part = self.parts('complete', 2)[1]
        before = (self.folder / part / 'part.json').stat().st_mtime_ns
        again = ('merge', *shards, '--part', '1/2', '--save', part)
        for more in ([], ['--resume']):
            self.assertEqual(run(self.folder, *again, *more).returncode, 0)
            self.assertEqual((self.folder / part / 'part.json').stat().st_mtime_ns, before)

    def test_as_many_files_as_a_process_may_open(self):
        """The most shards that are read where they lie (kMostSpliced), with every kind of file, and more."""
        flags = ['--method', 'minhash', '--verify', 'text', '--kinds']
        inputs = ('in/quoted.csv', 'in/pages')
        self.run_well('dedup', *inputs, *flags, '--key', 'key', '--out', 'few')
        expected = results(self.folder / 'few')
        for of in (64, 100):
            folders = self.shards('open', of, flags, inputs)
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, hard), hard))
            try:
                self.run_well('merge', *folders, '--out', 'few-merged', '--overwrite')
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            self.assertEqual(results(self.folder / 'few-merged'), expected)

    def test_work_is_shared(self):
        """A file that is larger than a part feeds several shards, none of which reads all of it."""
        folders = self.shards('shared', 3, [])
        documents = [json.loads((self.folder / folder / 'shard.json').read_text())['run']['documents']
                     for folder in folders]
        self.assertLess(max(documents), .6 * sum(documents))

    def test_saved(self):
        """merge --save keeps a run like any other: it is as dedup --save would have kept it, and serves as that."""
        folders = self.shards('saved', 2, [])
        self.run_well('merge', *folders, '--out', 'saved-merged', '--save', 'merged-run')
        self.run_well('dedup', 'in', '--key', 'key', '--out', 'saved-whole', '--save', 'whole-run')
        runs = [json.loads((self.folder / name / 'saved-run.json').read_text())['run']
                for name in ('merged-run', 'whole-run')]
        for run_of in runs:
            run_of['counts_of_read'].pop('warnings')
        for member in ('counts', 'counts_of_read', 'documents', 'parameters', 'hashes', 'inputs'):
            self.assertEqual(runs[0][member], runs[1][member], member)
        (self.folder / 'new.jsonl').write_text('\n'.join(rows(random.Random(8), 300, 'new')))
        for name, words_of in (('recut', ['recut', 'RUN', '--threshold', '.9']),
                               ('added', ['dedup', 'new.jsonl', '--add', 'RUN']),
                               ('anew', ['dedup', 'new.jsonl', '--add', 'RUN', '--reconsider'])):
            found = []
            for which in ('merged', 'whole'):
                out = '%s-%s' % (name, which)
                self.run_well(*(which + '-run' if word == 'RUN' else word for word in words_of), '--out', out)
                found.append({file: (self.folder / out / file).read_bytes()
                              for file in ('clusters.jsonl', 'pairs.jsonl', 'keep.txt', 'drop.txt')})
            self.assertEqual(found[0], found[1], name)

    def test_empty(self):
        """A shard without records is no error; nor is a run without any."""
        folders = self.shards('empty', 5, [], ['none'])
        self.run_well('dedup', 'none', '--key', 'key', '--out', 'empty-whole')
        self.run_well('merge', *folders, '--out', 'empty-merged')
        self.assertEqual(results(self.folder / 'empty-merged'), results(self.folder / 'empty-whole'))

    def test_finished_shard_is_left(self):
        folder = self.shards('left', 1, [])[0]
        before = (self.folder / folder / 'shard.json').stat().st_mtime_ns
        again = ('dedup', 'in', '--shard', '0/1', '--key', 'key', '--save', folder)
        for more in ([], ['--resume']):
            done = run(self.folder, *again, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.folder / folder / 'shard.json').stat().st_mtime_ns, before)
        self.refused(2, ['--overwrite'], *again, '--threshold', '.5')

    def test_other_runs_are_refused(self):
        first, second = self.shards('other', 2, [])
        (self.folder / 'key2').write_text(KEY[::-1])
        (self.folder / 'key2').chmod(0o600)
        merge = ('merge', first, '--out', 'refused')
        self.refused(2, ['shard 1/2 is not there', '--shard 1/2'], *merge)
        self.refused(2, ['given twice'], *merge, first)
        self.refused(2, ['not of 2', first[:-4]], *merge, self.shards('three', 3, [])[1])
        for name, flags, word in (('threshold', ['--threshold', '.7', '--key', 'key'], 'threshold is 0.7'),
                                  ('key', ['--key', 'key2'], 'another --key'),
                                  ('inputs', ['quoted.csv', '--key', 'key'], 'inputs')):
            shutil.copy(self.folder / 'in/quoted.csv', self.folder)
            run(self.folder, 'dedup', 'in', *flags, '--shard', '1/2', '--save', 'as-' + name)
            self.refused(2, ['of another run', word], *merge, 'as-' + name)
        for inputs in (first, '.'):  # nor are its files read as documents
            done = run(self.folder, 'dedup', inputs, '--out', 'refused')
            self.assertIn(': this is a shard of a run, and is not read', done.stderr)
            shutil.rmtree(self.folder / 'refused', ignore_errors=True)
        self.refused(2, ['this is a shard'], 'recut', first, '--out', 'refused')
        self.refused(2, ['this is a shard'], 'dedup', 'in', '--add', first, '--out', 'refused')
        self.run_well('dedup', 'quoted.csv', '--out', 'run', '--save', 'run-saved')
        self.refused(2, ['this is a saved run'], 'merge', 'run-saved', '--out', 'refused')
        self.assertFalse((self.folder / 'refused').exists())

    def test_usage(self):
        shard = ('dedup', 'in', '--shard', '0/2')
        self.refused(2, ['openssl rand -hex 16'], *shard, '--save', 'usage')
        for flags in (['--out', 'o'], ['--write', 'w'], ['--limit', '3'], ['--report'], ['--attributes', 'a'],
                      ['--dry-run'], ['--unit', 'paragraph'], ['--reconsider'], ['--late-features']):
            self.refused(2, [{'--reconsider': '--add', '--unit': '--unit'}.get(flags[0], flags[0])], *shard, '--save', 'usage', '--key', 'key', *flags)
        for text in ('2/2', '0/0', '1', 'a/b', '-1/2', '0/9999'):
            self.refused(2, ['shard'], 'dedup', 'in', '--shard=' + text, '--save', 'usage', '--key', 'key')
        self.refused(2, ['files alone'], 'dedup', '-', '--shard', '0/1', '--save', 'usage', '--key', 'key')
        self.assertFalse((self.folder / 'usage').exists())

    def test_damage_is_refused(self):
        """A flipped bit in any file that travels is an error with its name. Of what the stages read where it lies, a
        bit that none of them reads leaves the results as they are; a merge that copies finds it too."""
        folders = self.shards('flipped', 2, METHODS['minhash'])
        self.run_well('merge', *folders, '--out', 'flipped-none')
        expected = results(self.folder / 'flipped-none')
        chance = random.Random(3)
        for path in sorted((self.folder / folders[0]).iterdir()):
            if path.name in ('.twinset', 'verify.key'):
                continue
            whole = path.read_bytes()
            for at in {0, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(8 if LONG else 2))}:
                with self.subTest(file=path.name, at=at):
                    damaged = bytearray(whole)
                    damaged[at] ^= 1 << chance.randrange(8)
                    path.write_bytes(damaged)
                    name = path.name.removesuffix('.idx')
                    for save in ([], ['--save', 'flipped-saved']):
                        done = run(self.folder, 'merge', *folders, '--out', 'flipped-merged', '--overwrite', *save)
                        if not save and name in READ_IN_PLACE and (self.folder / 'flipped-merged/summary.json').exists():
                            self.assertEqual(results(self.folder / 'flipped-merged'), expected)
                            continue
                        self.assertEqual(done.returncode, 1, done.stderr)
                        self.assertIn(name, done.stderr)
                        self.assertFalse((self.folder / 'flipped-merged/summary.json').exists())
                    path.write_bytes(whole)

    def test_missing_file_is_refused(self):
        folder = self.shards('lost', 1, [])[0]
        (self.folder / folder / 'views.blob').unlink()
        self.refused(1, ['views.blob', 'missing'], 'merge', folder, '--out', 'lost-merged')

    def limited(self, most, *words_of):
        """Runs where no file can have more bytes."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        return subprocess.run([PROGRAM, *words_of, '--quiet'], cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, preexec_fn=limit)

    def test_full_disk(self):
        """A file that cannot grow ends a shard or a merge with exit 1; with --resume the same command goes on."""
        self.run_well('dedup', 'in', '--key', 'key', '--out', 'full-whole')
        shard = ('dedup', 'in', '--shard', '0/1', '--key', 'key', '--save', 'full', '--resume')
        merge = ('merge', 'full', '--out', 'full-merged')
        for words_of, done in ((shard, 'full/shard.json'), (merge, 'full-merged/summary.json')):
            for most in (1 << 10, 32 << 10, 256 << 10, 1 << 20):
                failed = self.limited(most, *words_of)
                if failed.returncode == 0:
                    break
                self.assertEqual(failed.returncode, 1, failed.stderr)
                self.assertFalse((self.folder / done).exists())
                if words_of[0] == 'merge':
                    begun = (self.folder / 'full-merged/.work/journal.jsonl').exists()
                    words_of = (*merge, '--resume' if begun else '--overwrite')
            self.run_well(*words_of)
            self.assertTrue((self.folder / done).exists())
        self.assertEqual(results(self.folder / 'full-merged'), results(self.folder / 'full-whole'))

    def test_full_disk_of_parts(self):
        """The same of a part, and of a merge of parts. tests/crash/full_disk_of_shards_test.cc fills it at any write."""
        expected, shards = self.few('minhash')
        parts = ['few-full-part-%d' % j for j in range(2)]
        for j, part in enumerate(parts):
            words_of = ['merge', *shards, '--part', '%d/2' % j, '--save', part, '--resume']
            for most in (1 << 10, 16 << 10):
                failed = self.limited(most, *words_of)
                self.assertEqual((failed.returncode, len(failed.stderr.splitlines())), (1, 1), failed.stderr)
                self.assertIn('File too large', failed.stderr)
                self.refused(2, [part], 'merge', *shards, *parts[:j], part, '--out', 'few-full-half')
            self.run_well(*words_of)
        merge = ['merge', *shards, *parts, '--out', 'few-full-joined']
        failed = self.limited(16 << 10, *merge)
        self.assertEqual((failed.returncode, len(failed.stderr.splitlines())), (1, 1), failed.stderr)
        begun = (self.folder / 'few-full-joined/.work/journal.jsonl').exists()
        self.run_well(*merge, '--resume' if begun else '--overwrite')
        self.assertEqual(results(self.folder / 'few-full-joined'), expected)

    def examples(self, name, *command, env):
        """Runs an example; its results must be those of one run."""
        work = self.folder / name
        done = subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={**os.environ, 'WORK': str(work), 'INPUTS': 'in', **env})
        return work, done

    def compare_example(self, work):
        self.run_well('dedup', 'in', '--key', work / 'run.key', '--out', work / 'whole')
        self.assertEqual(results(work / 'dups'), results(work / 'whole'))

    def test_example_of_make(self):
        # The last target fails, as the merge of an input that is cut off does; what it made is there.
        work, done = self.examples('made', 'make', '-s', '-j2', '-f', EXAMPLES / 'Makefile', 'SHARDS=3', 'PARTS=2', env={
            'TWINSET': PROGRAM})
        self.assertNotEqual(done.returncode, 0)
        self.compare_example(work)

    def test_example_of_slurm(self):
        """The jobs of the array one after the other, one of them twice, by a scheduler that runs what it is told."""
        tools = self.folder / 'tools'
        tools.mkdir()
        (tools / 'twinset').symlink_to(PROGRAM)
        (tools / 'sbatch').write_text('#!/bin/sh\nfor last; do :; done\nsh -c "$last"\nexit 0\n')
        (tools / 'sbatch').chmod(0o755)
        for number in (0, 1, 1, 2):
            work, done = self.examples('slurm', 'bash', EXAMPLES / 'slurm.sbatch', env={
                'PATH': '%s:%s' % (tools, os.environ['PATH']), 'SLURM_ARRAY_TASK_ID': str(number),
                'SLURM_ARRAY_TASK_COUNT': '3', 'SLURM_CPUS_PER_TASK': '1'})
            self.assertEqual(done.returncode, 0, done.stderr)
        self.compare_example(work)

    @unittest.skipUnless(LONG, 'ray is installed by the long check')
    def test_example_of_ray(self):
        python = packages.interpreter_with('ray', ['ray'], 'ray')
        work = self.folder / 'ray'
        subprocess.run([python, EXAMPLES / 'shards_on_ray.py', '--shards', '3', '--twinset', PROGRAM, 'in', work],
                       cwd=self.folder, capture_output=True, text=True)
        self.compare_example(work)

    def kill_at(self, moment, arguments):
        process = subprocess.Popen([PROGRAM, *arguments, '--quiet'], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, TWINSET_CHECKPOINT_SECONDS='0'))
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
        return False

    def test_kills_of_parts(self):
        """Parts and their merge are killed, and the same command with --resume goes on."""
        kills = 0
        expected, shards = self.few('minhash')
        parts = ['few-kill-part-%d' % j for j in range(2)]
        for j, part in enumerate(parts):
            words_of = ['merge', *shards, '--part', '%d/2' % j, '--save', part, '--resume']
            for moment in (.005, .01, .02, .03, .04, .05, .06) if LONG or j == 0 else (.02, .04):
                kills += self.kill_at(moment, words_of)
            self.run_well(*words_of)
        words_of = ['merge', *shards, *parts, '--out', 'few-kill-joined']
        for moment in (.01, .02, .04):
            begun = (self.folder / 'few-kill-joined/.work/journal.jsonl').exists()
            if not (self.folder / 'few-kill-joined/summary.json').exists():
                kills += self.kill_at(moment, [*words_of, '--resume' if begun else '--overwrite'])
        if not (self.folder / 'few-kill-joined/summary.json').exists():
            begun = (self.folder / 'few-kill-joined/.work/journal.jsonl').exists()
            self.run_well(*words_of, '--resume' if begun else '--overwrite')
        self.assertGreater(kills, 4)
        self.assertEqual(results(self.folder / 'few-kill-joined'), expected)

    def test_kills(self):
        """Shards and the merge are killed, and the same command with --resume goes on."""
        kills = 0
        self.run_well('dedup', 'in', '--key', 'key', '--out', 'kill-whole')
        folders = ['kill-0', 'kill-1']
        for i, folder in enumerate(folders):
            words_of = ['dedup', 'in', '--shard', '%d/2' % i, '--key', 'key', '--resume', '--save', folder]
            for moment in (.01, .03, .05, .08, .1, .15):
                kills += self.kill_at(moment, words_of)
            self.kill_at(1000, words_of)
            self.assertTrue((self.folder / folder / 'shard.json').exists())
        for moment in (.02, .05, .1, .15, .2, .3):
            words_of = ['merge', *folders, '--out', 'kill-merged']
            if (self.folder / 'kill-merged/.work/journal.jsonl').exists():
                words_of.append('--resume')
            else:
                words_of.append('--overwrite')
            if not (self.folder / 'kill-merged/summary.json').exists():
                kills += self.kill_at(moment, words_of)
        if not (self.folder / 'kill-merged/summary.json').exists():
            self.run_well('merge', *folders, '--out', 'kill-merged', '--resume')
        self.assertGreater(kills, 4)
        self.assertEqual(results(self.folder / 'kill-merged'), results(self.folder / 'kill-whole'))


if __name__ == '__main__':
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    print('%d passed, %d failed' % (max(0, result.testsRun - failed), failed))
    sys.exit(1 if failed else 0)
