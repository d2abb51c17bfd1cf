#!/usr/bin/env python3
"""Rows that share much and are no pairs, or hardly: bench/bench_near_misses.py BUILD [--before PROGRAM] [--only NAME ...]

Each corpus is made here so that its pairs are known by arithmetic: texts of distinct words, some of them those of all
rows, or of a family, or drawn from a pool. Every run lists what is right, or the exit code says so; seconds, processor
seconds and candidates are printed beside those of PROGRAM, another build. Corpora are made in BUILD/bench-near-misses and
removed. --limit ends a run after so many seconds. --scale .1: a tenth of the rows.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from measurement.command import measured  # noqa: E402

THREADS = 2
SHINGLE = 5  # words


class Words:
    """Words that no two calls share."""

    def __init__(self):
        self.next = 0

    def take(self, count):
        self.next += count
        return ['w%x' % number for number in range(self.next - count, self.next)]


def cored(rows, shared, own, families=1):
    """`shared` shingles are those of the whole family, `own` of the row alone: no two rows are a pair at J of
    shared / (shared + 2 own) or less."""
    words = Words()
    cores = [words.take(shared + SHINGLE - 1) for _ in range(families)]
    return [' '.join(cores[row % families] + words.take(own)) for row in range(rows)]


def spread(rows, shared, least, most):
    """As cored, with `least` to `most` shingles of their own."""
    words, chance = Words(), random.Random(1)
    core = words.take(shared + SHINGLE - 1)
    return [' '.join(core + words.take(chance.randint(least, most))) for _ in range(rows)]


def frames(rows):
    """A core that all have, one of two frames that a half has, and words of their own."""
    words = Words()
    core, two = words.take(700), (words.take(150), words.take(150))
    return [' '.join(core + two[row % 2] + words.take(50)) for row in range(rows)]


def pool(rows):
    """Sentences of one pool of 200, of which each row has 170, in the order of the pool."""
    words, chance = Words(), random.Random(2)
    sentences = [words.take(30) for _ in range(200)]
    return [' '.join(' '.join(sentences[i]) for i in sorted(chance.sample(range(200), 170))) for _ in range(rows)]


def pages(rows):
    """Pages below a menu of 150 entries."""
    words, chance = Words(), random.Random(3)
    menu = ''.join('<li><a href="/%d">%s</a></li>' % (i, ' '.join(words.take(chance.randint(2, 4)))) for i in range(150))
    for row in range(rows):
        own = ''.join('<p>%s</p>' % ' '.join(words.take(30)) for _ in range(chance.randint(2, 8)))
        yield ('<html><head><title>%s</title></head><body><nav><ul>%s</ul></nav><main>%s</main></body></html>'
               % (words.take(1)[0], menu, own))


# Name: how it is made of so many rows, the field, the threshold, more options, and how many pairs there are; None: not
# known, so that both programs must agree.
KEEP = ('--content', 'all', '--template', 'keep')
CASES = {
    'near': (lambda n: cored(n, 796, 100), 8000, 'text', .8, (), 0),
    'families': (lambda n: cored(n, 796, 100, 10), 8000, 'text', .8, (), 0),
    'minhash': (lambda n: cored(n, 796, 100), 8000, 'text', .8, ('--method', 'minhash'), 0),
    'all-pairs': (lambda n: cored(n, 796, 100), 8000, 'text', .8, ('--pairs', 'all'), 0),
    'half': (lambda n: cored(n, 600, 305), 8000, 'text', .6, (), 0),
    'high': (lambda n: cored(n, 796, 21), 8000, 'text', .96, (), 0),
    'short': (lambda n: cored(n, 17, 3), 8000, 'text', .8, (), 0),
    'containment': (lambda n: cored(n, 796, 210), 4000, 'text', .8, ('--measure', 'containment'), 0),
    'dice': (lambda n: cored(n, 796, 210), 8000, 'text', .8, ('--measure', 'dice'), 0),
    'cosine': (lambda n: cored(n, 796, 210), 8000, 'text', .8, ('--measure', 'cosine'), 0),
    'bags': (lambda n: cored(n, 796, 210), 2000, 'text', .8, ('--measure', 'cosine-tf'), 0),
    'spread': (lambda n: spread(n, 796, 90, 110), 4000, 'text', .8, (), None),
    'frames': (frames, 4000, 'text', .8, (), None),
    'pool': (pool, 4000, 'text', .8, (), None),
    'pages': (pages, 20000, 'html', .8, KEEP, None),
}


def write(rows, field, path):
    with open(path, 'w') as file:
        for number, row in enumerate(rows):
            file.write(json.dumps({'id': 'd%d' % number, field: row}) + '\n')


def run(program, corpus, case, work, limit):
    _, _, field, threshold, options, _ = case
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    flag = '--html-field' if field == 'html' else '--text-field'
    command = [program, 'dedup', corpus, flag, field, '--out', work / 'out', '--threshold', threshold, '--action', 'report',
               '--threads', THREADS, '--quiet', *options]
    taken = measured(command, THREADS, limit, work)
    if 'error' in taken:
        return {'error': taken['error']}
    summary = json.loads((work / 'out/summary.json').read_text())
    return {'seconds': taken['ended'] - taken['started'], 'cpu': taken['cpu_seconds'], 'peak': taken['peak_bytes'],
            'candidates': summary['run'].get('candidates', summary['candidates']),
            'written': summary['pairs']['written'], 'pairs': (work / 'out/pairs.jsonl').read_bytes()}


def forecast(program, corpus, case):
    _, _, field, threshold, options, _ = case
    flag = '--html-field' if field == 'html' else '--text-field'
    command = [program, 'dedup', corpus, flag, field, '--threshold', threshold, '--threads', THREADS, '--dry-run', '--json',
               *options]
    expected = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True).stdout)['expected']
    return '%.1f .. %.1f' % (expected['seconds']['least'], expected['seconds']['most'])


def line(result):
    if 'error' in result:
        return result['error']
    return '%.1f s  %.1f cpu  %d MB  %d candidates  %d pairs' % (
        result['seconds'], result['cpu'], result['peak'] >> 20, result['candidates'], result['written'])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--before', type=pathlib.Path)
    parser.add_argument('--only', nargs='+', choices=CASES)
    parser.add_argument('--limit', type=float, default=300)
    parser.add_argument('--scale', type=float, default=1)
    options = parser.parse_args()
    work = (options.build / 'bench-near-misses').resolve()
    work.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for name in options.only or CASES:
        case = CASES[name]
        corpus = work / 'corpus.jsonl'
        write(case[0](int(case[1] * options.scale)), case[2], corpus)
        program = (options.build / 'twinset').resolve()
        now = run(program, corpus, case, work / 'run', options.limit)
        print('%-12s now     %s; forecast %s' % (name, line(now), forecast(program, corpus, case)), flush=True)
        wrong += 'error' in now or case[5] not in (None, now['written'])
        if options.before:
            before = run(options.before.resolve(), corpus, case, work / 'run', options.limit)
            print('%-12s before  %s' % (name, line(before)), flush=True)
            if 'error' not in before and before['pairs'] != now.get('pairs'):
                print('%-12s the pairs differ' % name)
                wrong += 1
    shutil.rmtree(work)
    return int(wrong > 0)


sys.exit(main())
