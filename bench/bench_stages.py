#!/usr/bin/env python3
"""Where the time of a run goes, stage by stage: bench/bench_stages.py BUILD [OTHER] [-n RUNS]

BUILD, a program or the folder that it stands in, deduplicates rows of tools/make_synthetic of 1.4 KB and of 4 KB, about 100 MB of each, on one
thread with its work files on the disk, by MinHash and by the complete join. A row gives the least
seconds of each stage over RUNS runs (default 7), and of the whole run, and megabytes of input a second.
OTHER is a second build, say the one before a change: the two run in turn, and every result file but
summary.json must be the same, else the exit code is 1. On a machine that does other things the least
is still too much, but both builds have the same chance.
"""
import argparse
import filecmp
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPORA = [('1.4 KB', ['-n', '70000']), ('4 KB', ['-n', '24000', '--scale', '3'])]
METHODS = [('MinHash', ['--method', 'minhash']), ('complete', ['--method', 'complete'])]
STAGES = ['read', 'order', 'candidate', 'verify', 'cluster', 'result']


def program_of(build):
    """The program that an argument names, as a path that holds from anywhere."""
    path = pathlib.Path(build).resolve()
    return path / 'twinset' if path.is_dir() else path


def run(program, corpus, flags, out):
    """Seconds by stage, and of the whole run."""
    begin = time.perf_counter()
    subprocess.run([program, 'dedup', corpus, '--out', out, '--threads', '1', '--quiet', '--overwrite', *flags],
                   check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    stages = json.loads((out / 'summary.json').read_text())['run']['stage_seconds']
    return {**{stage: stages[stage] for stage in STAGES}, 'all': seconds}


def check_same(one, other):
    """Ends the program unless both result folders hold the same."""
    names = sorted(path.name for path in one.iterdir() if path.is_file())
    if names != sorted(path.name for path in other.iterdir() if path.is_file()):
        sys.exit('the two builds leave different files')
    _, differing, failed = filecmp.cmpfiles(one, other, set(names) - {'summary.json'}, shallow=False)
    differing = [name for name in differing + failed if not name.startswith('.')]
    if differing:
        sys.exit('the two builds differ in ' + ', '.join(differing))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('builds', nargs='+', metavar='BUILD', help='one, or two')
    parser.add_argument('-n', type=int, default=7, help='runs')
    arguments = parser.parse_args()
    if len(arguments.builds) > 2 or arguments.n < 1:
        parser.error('one or two builds, and at least one run')
    programs = [program_of(build) for build in arguments.builds]
    folder = pathlib.Path(tempfile.mkdtemp(prefix='bench-stages-', dir='.'))
    try:
        print('| documents, method, build | %s | all | MB/s |' % ' | '.join(STAGES))
        for name, size in CORPORA:
            corpus = folder / 'corpus.jsonl'
            with corpus.open('wb') as rows:
                subprocess.run([ROOT / 'tools/make_synthetic', *size], check=True, stdout=rows)
            for method, flags in METHODS:
                least = [{} for _ in programs]
                for _ in range(arguments.n):
                    outs = [folder / ('out%d' % i) for i in range(len(programs))]
                    for program, out, best in zip(programs, outs, least):
                        for stage, seconds in run(program, corpus, flags, out).items():
                            best[stage] = min(seconds, best.get(stage, seconds))
                    if len(outs) == 2:
                        check_same(*outs)
                for build, best in zip(arguments.builds, least):
                    print('| %s, %s, %s | %s | %.2f | %.0f |'
                          % (name, method, build, ' | '.join('%.3f' % best[stage] for stage in STAGES),
                             best['all'], corpus.stat().st_size / 1e6 / best['all']), flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    main()
