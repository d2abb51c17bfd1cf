#!/usr/bin/env python3
"""How fast result rows are written: bench/bench_rows.py BUILD_DIR [--before PROGRAM] [--pages N] [--folder DIR]

N pages of one template (3,500), all pairs of which are alike, are deduplicated and saved; then the saved run is
decided again by one and two threads, which is clusters and rows only, as JSON lines and CSV. Each line: seconds of
the result stage, processor seconds of the whole command, million pair rows per second of the stage. The folder stands
in memory where there is one, so that no disk is measured. --before is another build of the program, which decides
the same saved run.

Every answer is checked: all pairs are there once, in order, every 1,000th similarity is that of the texts, CSV and
JSON say the same, and every thread count and program writes the same bytes.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

THRESHOLD = .3


def make_pages(count, path):
    """One page per row; what pages have of their own is in the middle. Returns ids and texts."""
    rng = random.Random(3)
    words = [''.join(rng.choices('abcdefghijklmnopqrstuvwxyz', k=rng.randint(2, 9))) for _ in range(5000)]
    template = rng.choices(words, k=120)
    pages = []
    with open(path, 'w') as out:
        for number in range(count):
            own = rng.choices(words, k=rng.randint(5, 25))
            page = {'id': 'https://www.example.org/pages/%s/%d.html' % (words[number % 50], number),
                    'text': ' '.join(template[:60] + own + template[60:])}
            pages.append(page)
            out.write(json.dumps(page) + '\n')
    return pages


def shingles(text):
    words = text.split(' ')
    return {tuple(words[i:i + 5]) for i in range(len(words) - 4)}


def check(pages, jsonl, csv):
    """None, or what is wrong."""
    with open(jsonl) as rows, open(csv) as lines:
        next(lines)
        number = 0
        for a, page in enumerate(pages):
            for other in pages[a + 1:]:
                row, line = next(rows, ''), next(lines, '')
                number += 1
                begin = '{"a":"%s","b":"%s","similarity":' % (page['id'], other['id'])
                if not row.startswith(begin) or not row.endswith('}\n'):
                    return 'row %d' % number
                value = row[len(begin):-2]
                if line != '%s,%s,%s\n' % (page['id'], other['id'], value):
                    return 'CSV row %d' % number
                if number % 1000 == 0:
                    x, y = shingles(page['text']), shingles(other['text'])
                    if repr(len(x & y) / len(x | y)) != value:
                        return 'similarity of row %d' % number
        if next(rows, '') or next(lines, ''):
            return 'rows too many'
    return None


def recut(program, saved, out, output_format, threads):
    process = subprocess.Popen([program, 'recut', saved, '--pairs', 'all', '--format', output_format, '--out', out,
                                '--tmp', out.with_name('tmp'), '--threads', str(threads), '--quiet', '--overwrite'],
                               stderr=subprocess.DEVNULL)
    usage = os.wait4(process.pid, 0)
    process.returncode = 0
    if usage[1] != 0:
        sys.exit('FAILED: recut ended with status %d' % usage[1])
    summary = json.loads((out / 'summary.json').read_text())
    seconds = summary['run']['stage_seconds']['result']
    rows = summary['pairs']['written']
    print('%-10s %-6s %d thread(s)  result stage %.2f s  processor %.2f s  %.2f million rows/s'
          % (program.name, output_format, threads, seconds, usage[2].ru_utime + usage[2].ru_stime, rows / seconds / 1e6),
          flush=True)
    return out / ('pairs.' + output_format)


def same(x, y):
    return subprocess.run(['cmp', '--quiet', x, y]).returncode == 0


def study(arguments, folder):
    program = (arguments.build / 'twinset').resolve()
    pages = make_pages(arguments.pages, folder / 'pages.jsonl')
    subprocess.run([program, 'dedup', folder / 'pages.jsonl', '--threshold', str(THRESHOLD), '--pairs', 'star',
                    '--save', folder / 'saved', '--out', folder / 'first', '--quiet'], check=True, stderr=subprocess.DEVNULL)
    first = {}
    for output_format in ('jsonl', 'csv'):
        first[output_format] = recut(program, folder / 'saved', folder / output_format, output_format, 1)
    wrong = check(pages, first['jsonl'], first['csv'])
    if wrong:
        return wrong
    others = [(program, 2)] + ([(arguments.before.resolve(), 1)] if arguments.before else [])
    for other, threads in others:
        for output_format in ('jsonl', 'csv'):
            again = recut(other, folder / 'saved', folder / 'again', output_format, threads)
            if not same(again, first[output_format]):
                return '%s of %s by %d threads has other bytes' % (output_format, other.name, threads)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--before', type=pathlib.Path)
    parser.add_argument('--pages', type=int, default=3500)
    parser.add_argument('--folder', type=pathlib.Path)
    arguments = parser.parse_args()
    memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix='twinset-rows-', dir=memory))
    try:
        wrong = study(arguments, folder)
    finally:
        if not arguments.folder:
            shutil.rmtree(folder, ignore_errors=True)
    if wrong:
        sys.exit('FAILED: wrong: %s' % wrong)


if __name__ == '__main__':
    main()
