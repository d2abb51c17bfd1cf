#!/usr/bin/env python3
"""Kills that nothing can catch: tests/crash/run.py BUILD_DIR [--long] [--only KIND]

A run is killed (SIGKILL) after a random share of the time it takes, resumed, killed again now and
then, and must end with the bytes of a run that nobody disturbed. 8 runs over documents, 4 over
units (sentences, windows of them, similar ones, substrings), 4 that are saved (--save), which must give the
bytes of an undisturbed one when they are recut, 3 recuts, which are begun anew with --overwrite, 4 whose complete join has
its postings in files, killed while they are there, 4 with --late-features against a run without, and 4
with families of thousands of near-equal documents, and 4 of leak, by its own rule and by that of GPT-3; --long (or
TWINSET_LONG=1): 40 times as many. 4 runs, or 100, are killed by turns while they read and while they write, and must go on
there: at most what was done in one period of checkpoints is done again, which the end tells. KIND: documents, units,
units-sentences, units-windows, units-similar, units-substrings, saved, recut, sliced, late, hot, leak, leak-rule or go-on.
The last line is `N passed, N failed`.
"""
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = ('pairs.jsonl', 'clusters.jsonl', 'keep.txt', 'drop.txt', 'empty.txt', 'quarantine.jsonl')
UNIT_RESULTS = ('units.jsonl', 'cuts.jsonl', 'empty.txt', 'quarantine.jsonl')


class Runs:
    AGAIN = '--resume'

    def __init__(self, program, folder, seed, names=RESULTS, flags=()):
        self.program, self.folder, self.chance = program, folder, random.Random(seed)
        self.names, self.flags = names, flags
        folder.mkdir()
        self.input = folder / 'in.jsonl'
        self.write_input()
        self.prepare()
        begin = time.perf_counter()
        self.start(folder / 'whole').communicate()
        self.seconds = time.perf_counter() - begin
        self.expected = self.results(folder / 'whole')

    def write_input(self):
        with open(self.input, 'wb') as file:
            subprocess.run([sys.executable, ROOT / 'tools' / 'make_synthetic', '-n', '12000'], check=True,
                           stdout=file)

    def prepare(self):
        pass

    def results(self, out):
        return {name: (out / name).read_bytes() for name in self.names}

    def start(self, out, *more):
        return subprocess.Popen(
            [self.program, 'dedup', self.input, '--out', out, '--quiet', '--memory', '64M', '--threads',
             str(self.chance.choice((1, 2, 4))), *self.flags, *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def killed(self, out, *more):
        """Whether the run was killed before it was done."""
        process = self.start(out, *more)
        try:
            self.wait(process, out)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate()
        return not (out / 'summary.json').exists()

    def wait(self, process, out):
        """TimeoutExpired: now is the time to kill it."""
        process.wait(self.chance.random() * self.seconds)

    def case(self):
        """(number of kills, what is wrong or an empty text)."""
        out = self.folder / 'killed'
        shutil.rmtree(out, ignore_errors=True)
        kills = 0
        while kills < 4 and self.killed(out, *([self.AGAIN] if kills else [])):
            kills += 1
            if not (out / '.work' / 'journal.jsonl').exists():
                shutil.rmtree(out, ignore_errors=True)  # killed before there was anything to resume
                kills = 0
        if not (out / 'summary.json').exists():
            process = self.start(out, self.AGAIN)
            message = process.communicate()[1]
            if process.returncode != 0:
                return kills, self.AGAIN + ' ended with %d: %s' % (process.returncode, message)
        return kills, '' if self.results(out) == self.expected else 'other bytes than the whole run'


class UnitRuns(Runs):
    """A corpus is written and marked, too. The forms share their input, and with their folder the name of the form."""
    FORMS = {'sentences': (), 'windows': ('--unit-window', '2'), 'similar': ('--threshold', '.6', '--shingle', 'word:2'),
             'substrings': ('--unit', 'substring', '--min-tokens', '20')}

    def write_input(self):
        self.flags = ('--unit', 'sentence', *self.FORMS[self.folder.name.partition('-')[2]])
        shared = self.folder.parent / 'units.jsonl'
        if not shared.exists():
            super().write_input()
            self.input.rename(shared)
        self.input.hardlink_to(shared)

    @staticmethod
    def beside(out):
        return [out.with_name(out.name + end) for end in ('-clean', '-marks')]

    def start(self, out, *more):
        clean, marks = self.beside(out)
        if self.AGAIN not in more:
            shutil.rmtree(clean, ignore_errors=True)
            shutil.rmtree(marks, ignore_errors=True)
        return super().start(out, '--write', clean, '--attributes', marks, *more)

    def results(self, out):
        return [super().results(out), *((folder / self.input.name).read_bytes() for folder in self.beside(out))]


class SavedRuns(Runs):
    """The saved run stands in the result folder and must serve recut as a whole one does."""

    def recut(self, out):
        again = out.with_name('recut')
        shutil.rmtree(again, ignore_errors=True)
        return subprocess.run([self.program, 'recut', out / 'saved', '--out', again, '--quiet', '--threshold',
                               '0.9', '--keep', 'shortest'], capture_output=True, text=True), again

    def results(self, out):
        done, again = self.recut(out)
        if done.returncode != 0:
            return done.stderr
        return [super(SavedRuns, self).results(folder) for folder in (out, again)]

    def start(self, out, *more):
        return super().start(out, '--save', out / 'saved', *more)

    def killed(self, out, *more):
        killed = super().killed(out, *more)
        # With its manifest a saved run is whole; without, it is none.
        if killed and (out / 'saved').exists():
            whole = (out / 'saved' / 'saved-run.json').exists()
            done = self.recut(out)[0]
            if done.returncode != (0 if whole else 2):
                raise SystemExit('FAILED: recut of a killed run ended with %d: %s'
                                 % (done.returncode, done.stderr))
        return killed


class SlicedRuns(Runs):
    """The postings of the complete join do not fit into memory. Every other kill waits for their files."""
    waits = kills_with_slices = 0

    def has_slices(self, out):
        """Whether this process made some; a killed one leaves its own behind."""
        try:
            return any(path.stat().st_mtime > self.begun for path in (out / '.work').glob('prefixes-*.run'))
        except FileNotFoundError:  # removed while we looked
            return False

    def start(self, out, *more):
        self.begun = time.time()
        return super().start(out, *more)

    def wait(self, process, out):
        self.waits += 1
        if self.waits % 2 == 0:
            super().wait(process, out)
            return
        while process.poll() is None and not self.has_slices(out):
            time.sleep(.001)
        process.wait(self.chance.random() * self.seconds / 5)

    def killed(self, out, *more):
        killed = super().killed(out, *more)
        self.kills_with_slices += killed and self.has_slices(out)
        return killed


class LateRuns(Runs):
    """Features are made in a second reading of the input, for hot buckets too; the whole run had all of them."""
    FLAGS = ('--method', 'minhash', '--bucket-limit', '4')

    def prepare(self):
        self.flags = self.FLAGS

    def results(self, out):
        found = super().results(out)
        self.flags = (*self.FLAGS, '--late-features')
        return found


class HotRuns(Runs):
    """The cluster and the list stage find most pairs, and take most of the time."""

    def write_input(self):
        words = ['w%d' % n for n in range(100)]
        with open(self.input, 'w', encoding='utf-8') as file:
            for number in range(6000):
                text = ['family%d' % (number % 3) + word for word in words]
                for _ in range(self.chance.randrange(1, 4)):
                    text[self.chance.randrange(len(text))] = 'x%d' % self.chance.randrange(1000)
                file.write(json.dumps({'id': str(number), 'text': ' '.join(text)}) + '\n')

    def results(self, out):
        if json.loads((out / 'summary.json').read_text())['pairs']['accepted'] < 100_000:
            raise SystemExit('FAILED: too few pairs for hot elements')
        return super().results(out)


class GoOnRuns(Runs):
    """Killed inside read or write, they go on there. A program reads of their progress."""
    PERIOD = .02
    BESIDE = .5  # until a checkpoint is on the disk, and until this program has read a line
    FILES = ('in/a.jsonl', 'in/b.jsonl', 'in/c.jsonl.gz', 'in/d.jsonl.gz')
    gone_on = {'read': 0, 'write': 0}
    kills = {'read': 0, 'write': 0}
    repeated = {'read': 0., 'write': 0.}  # most seconds of work that were done again

    def write_input(self):
        super().write_input()
        rows = self.input.read_bytes().splitlines(keepends=True)
        self.input.unlink()
        self.input = self.folder / 'in'
        self.input.mkdir()
        for number, name in enumerate(self.FILES):
            # Other ids and words in each copy.
            part = b''.join(row.replace(b'"id": "', b'"id": "%d-' % number) for row in rows)
            path = self.folder / name
            path.write_bytes(gzip.compress(part, 1) if name.endswith('.gz') else part)

    def start(self, out, *more):
        os.environ['TWINSET_CHECKPOINT_SECONDS'] = str(self.PERIOD)
        os.environ['TWINSET_PROGRESS_SECONDS'] = '.01'
        process = super().start(out, '--progress', 'json', '--write', self.clean(out), *more)
        del os.environ['TWINSET_CHECKPOINT_SECONDS'], os.environ['TWINSET_PROGRESS_SECONDS']
        return process

    @staticmethod
    def clean(out):
        return out.with_name(out.name + '-clean')

    def results(self, out):
        written = {name: (self.clean(out) / name).read_bytes() for name in self.FILES}
        return {**super().results(out), **written}

    def prepare(self):
        process = self.start(self.folder / 'first')
        self.documents = max(line['done'] for _, line in self.follow(process) if line['stage'] == 'read')

    def follow(self, process, is_time=lambda line: False):
        """What it says of its progress, and when; killed at the first line that `is_time` is true of."""
        lines = []
        for text in process.stderr:
            if not text.startswith('{'):
                continue
            lines.append((time.perf_counter(), json.loads(text)))
            if is_time(lines[-1][1]):
                process.send_signal(signal.SIGKILL)
        process.wait()
        return lines

    def killed_in(self, stage, out):
        """The lines of a run that was killed there; one that ended before is begun anew."""
        while True:
            for folder in (out, self.clean(out)):
                shutil.rmtree(folder, ignore_errors=True)
            share, process = self.chance.random(), self.start(out)
            lines = self.follow(process, lambda line: line['stage'] == stage
                                and line['done'] >= share * self.documents)
            if process.returncode == -signal.SIGKILL and (out / '.work' / 'journal.jsonl').exists():
                return lines

    def case(self):
        out, stage = self.folder / 'killed', min(self.kills, key=self.kills.get)
        self.kills[stage] += 1
        lines = self.killed_in(stage, out)
        killed, process = lines[-1][0], self.start(out, self.AGAIN)
        again = self.follow(process)
        if process.returncode != 0:
            return 1, self.AGAIN + ' ended with %d' % process.returncode
        if self.results(out) != self.expected:
            return 1, 'other bytes than the whole run'
        before = max((line['done'] for told, line in lines
                      if line['stage'] == stage and told < killed - self.PERIOD - self.BESIDE), default=0)
        there = max((line['done'] for _, line in again
                     if line['stage'] == stage and line.get('resumed')), default=0)
        self.gone_on[stage] += there > 0
        begun = [told for told, line in lines if line['stage'] == stage and line['done'] >= there]
        self.repeated[stage] = max(self.repeated[stage], killed - begun[0] if begun else 0)
        return 1, '' if there >= before else ('%s went on at %d documents, and had %d more than a period before'
                                              % (stage, there, before))


class LeakRuns(Runs):
    """leak with what it writes; each 40th document is an item."""

    def write_input(self):
        super().write_input()
        rows = self.input.read_bytes().splitlines(keepends=True)
        self.items = self.folder / 'items.jsonl'
        self.items.write_bytes(b''.join(rows[::40]))

    @staticmethod
    def clean(out):
        return out.with_name(out.name + '-clean')

    def results(self, out):
        names = ('leaks.jsonl', 'documents.jsonl', 'contaminated.txt', 'clean.txt', 'splits.csv', 'summary.json',
                 'page.json')
        return {**{name: (out / name).read_bytes() for name in names},
                'in.jsonl': (self.clean(out) / 'in.jsonl').read_bytes()}

    def start(self, out, *more):
        os.environ['TWINSET_CHECKPOINT_SECONDS'] = '.02'
        process = subprocess.Popen(
            [self.program, 'leak', self.input, '--test', self.items, '--out', out, '--write', self.clean(out),
             '--quiet', '--memory', '64M', '--threads', str(self.chance.choice((1, 2, 4))), *self.flags, *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        del os.environ['TWINSET_CHECKPOINT_SECONDS']
        return process

    def killed(self, out, *more):
        if not more:
            shutil.rmtree(self.clean(out), ignore_errors=True)
        return super().killed(out, *more)


class Recuts(Runs):
    AGAIN = '--overwrite'

    def prepare(self):
        super().start(self.folder / 'source', '--save', self.folder / 'saved').wait()

    def start(self, out, *more):
        return subprocess.Popen(
            [self.program, 'recut', self.folder / 'saved', '--out', out, '--quiet', '--threshold', '0.9', '--keep',
             'shortest', '--threads', str(self.chance.choice((1, 2, 4))), *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def main():
    arguments = [a for a in sys.argv[1:] if a != '--long']
    only = arguments[2] if len(arguments) == 3 and arguments[1] == '--only' else ''
    if len(arguments) != 1 and not only:
        sys.exit(__doc__)
    factor = 40 if '--long' in sys.argv or os.environ.get('TWINSET_LONG') else 1
    folder = pathlib.Path(tempfile.mkdtemp(prefix='twinset-crash-'))
    passed = failed = kills = 0
    try:
        program = pathlib.Path(arguments[0]).resolve() / 'twinset'
        kinds = {  # how many, and what makes them
            'documents': (8 * factor, lambda to: Runs(program, to, 1)),
            **{'units-' + form: (factor, lambda to: UnitRuns(program, to, 2, UNIT_RESULTS)) for form in UnitRuns.FORMS},
            'saved': (4 * factor, lambda to: SavedRuns(program, to, 3)),
            'recut': (3 * factor, lambda to: Recuts(program, to, 4)),
            'sliced': (4 * factor, lambda to: SlicedRuns(program, to, 5, flags=('--threshold', '0.3'))),
            'late': (4 * factor, lambda to: LateRuns(program, to, 8)),
            'hot': (4 * factor, lambda to: HotRuns(program, to, 6)),
            'leak': (2 * factor, lambda to: LeakRuns(program, to, 9, flags=('--action', 'cut'))),
            'leak-rule': (2 * factor, lambda to: LeakRuns(
                program, to, 10, flags=('--action', 'annotate', '--rule', 'gpt-3'))),
            'go-on': (100 if factor > 1 else 4, lambda to: GoOnRuns(program, to, 7)),
        }
        todo = [runs for name, (count, make) in kinds.items() if name.startswith(only)
                for runs in [make(folder / name)] * count]
        for number, runs in enumerate(todo):
            more, wrong = runs.case()
            kills += more
            if wrong:
                failed += 1
                print('FAILED run %d, killed %d times: %s' % (number, more, wrong), flush=True)
            else:
                passed += 1
    finally:
        shutil.rmtree(folder)
    sliced = sum(runs.kills_with_slices for runs in set(todo) if isinstance(runs, SlicedRuns))
    print('%d kills survived, %d of them with slices on disk' % (kills, sliced))
    for stage, count in GoOnRuns.kills.items():
        print('%d kills in %s, %d of them gone on inside it; at most %.2f s of work done again, where checkpoints are '
              '%.2f s apart' % (count, stage, GoOnRuns.gone_on[stage], GoOnRuns.repeated[stage], GoOnRuns.PERIOD))
    if kills == 0 or (only in ('', 'sliced') and sliced == 0):
        failed += 1
        print('FAILED: no run was killed in time, or none with slices')
    if only in ('', 'go-on') and not any(GoOnRuns.gone_on.values()):
        failed += 1
        print('FAILED: no run went on inside read or write')
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(1 if failed else 0)


main()
