#!/usr/bin/env python3
"""What shards and their merge cost beside one run: bench/bench_shards.py BUILD [-n DOCUMENTS] [--shards N] [--parts M]
[INPUT...]

One run, every shard alone, and the merge, one thread each, one after the other; with --parts also every part of a merge
alone, and the merge of these. The rows are those of tools/make_synthetic in --files equal files unless INPUTs are given.
Of --rounds rounds the least seconds count. Checked: the merges write the bytes of the run.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from bench_threads import HERE, digest_of


def seconds_of(*words):
    begin = time.monotonic()
    if subprocess.run([*map(str, words), '--threads', '1', '--quiet']).returncode != 0:
        sys.exit('bench-shards: a run failed')
    return time.monotonic() - begin


def bytes_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def make_rows(folder, documents, files):
    lines = subprocess.run([sys.executable, str(HERE.parent / 'tools/make_synthetic'), '-n', str(documents)],
                           stdout=subprocess.PIPE, check=True).stdout.splitlines(keepends=True)
    folder.mkdir()
    for i in range(files):
        part = lines[i * len(lines) // files:(i + 1) * len(lines) // files]
        (folder / ('%03d.jsonl' % i)).write_bytes(b''.join(part))
    return [folder]


def measure(program, folder, inputs, shards, of_parts, flags):
    """Seconds of the run, of each shard, of the merge, of each part and of their merge, and the bytes that travel."""
    key = folder / 'key'
    key.write_text('0f' * 16)
    key.chmod(0o600)
    for old in ('one', 'merged', 'joined', *('shard%d' % i for i in range(shards)), *('part%d' % j for j in range(of_parts))):
        shutil.rmtree(folder / old, ignore_errors=True)
    run = seconds_of(program, 'dedup', *inputs, *flags, '--key', key, '--out', folder / 'one')
    folders = [folder / ('shard%d' % i) for i in range(shards)]
    each = [seconds_of(program, 'dedup', *inputs, *flags, '--key', key, '--shard', '%d/%d' % (i, shards), '--save', shard)
            for i, shard in enumerate(folders)]
    merge = seconds_of(program, 'merge', *folders, '--out', folder / 'merged')
    parts = [folder / ('part%d' % j) for j in range(of_parts)]
    of_part = [seconds_of(program, 'merge', *folders, '--part', '%d/%d' % (j, of_parts), '--save', part)
               for j, part in enumerate(parts)]
    joined = seconds_of(program, 'merge', *folders, *parts, '--out', folder / 'joined') if parts else 0
    for out in ('merged', 'joined') if parts else ('merged',):
        if digest_of(folder / 'one') != digest_of(folder / out):
            sys.exit('bench-shards: the merge has other bytes than the run')
    return run, max(each), merge, max(of_part, default=0), joined, sum(map(bytes_of, folders)), sum(map(bytes_of, parts))


def verified_again(folder, parts):
    """How often a pair is compared: those of all parts by those of one run."""
    compared = sum(json.loads((folder / ('part%d' % j) / 'part.json').read_text())['run']['counts']['verify']['compared']
                   for j in range(parts))
    summary = json.loads((folder / 'joined/summary.json').read_text())
    return compared / max(1, summary['candidates'] or summary['run']['candidates'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('inputs', type=pathlib.Path, nargs='*')
    parser.add_argument('-n', type=int, default=300000, help='documents')
    parser.add_argument('--files', type=int, default=8)
    parser.add_argument('--shards', type=int, default=4)
    parser.add_argument('--parts', type=int, default=0)
    parser.add_argument('--rounds', type=int, default=2)
    parser.add_argument('--method', default='minhash')
    arguments = parser.parse_args()
    program = arguments.build.resolve() / 'twinset'
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs = arguments.inputs or make_rows(folder / 'in', arguments.n, arguments.files)
        rounds = [measure(program, folder, inputs, arguments.shards, arguments.parts,
                          ('--method', arguments.method)) for _ in range(arguments.rounds)]
        run, shard, merge, part, joined, travels, pairs = map(min, zip(*rounds))
        again = verified_again(folder, arguments.parts) if arguments.parts else 0
    print('one run %.2f s; the slowest of %d shards %.2f s (%.2f of it), the merge %.2f s (%.2f); together %.2f of the run; '
          '%.1f MB travel' % (run, arguments.shards, shard, shard / run, merge, merge / run, (shard + merge) / run,
                              travels / 1e6))
    if arguments.parts:
        print('the slowest of %d parts %.2f s (%.2f of the merge), the merge of them %.2f s (%.2f); a pair is compared %.2f '
              'times; %.1f MB travel' % (arguments.parts, part, part / merge, joined, joined / merge, again, pairs / 1e6))


if __name__ == '__main__':
    main()
