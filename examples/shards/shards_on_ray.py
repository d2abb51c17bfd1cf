"""Shards of one run on Ray, then their merge: shards_on_ray.py [--shards N] [--twinset PROGRAM] INPUTS WORK

Every node sees INPUTS and WORK under the same names, and has the program. What was cut off goes on when it is
started again. The results are in WORK/dups.
"""
import argparse
import os
import pathlib
import secrets
import subprocess

import ray


@ray.remote(num_cpus=1, max_retries=3)
def read_shard(program: str, inputs: str, work: str, number: int, shards: int) -> str:
    """Reads one shard; returns its folder. A node that dies is asked again by Ray."""
    folder = f'{work}/shard-{number}'
    subprocess.run([program, 'dedup', inputs, '--shard', f'{number}/{shards}', '--key', f'{work}/run.key', '--save',
                    folder, '--resume', '--threads', '1', '--quiet'], check=True)
    return folder


@ray.remote(num_cpus=1)
def merge(program: str, work: str, *folders: str) -> str:
    """Writes the results of all shards; returns their folder."""
    subprocess.run([program, 'merge', *folders, '--out', f'{work}/dups', '--overwrite', '--quiet'], check=True)
    return f'{work}/dups'


def make_key(path: pathlib.Path) -> None:
    """A secret that only its owner reads, once."""
    if not path.exists():
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), 'w') as file:
            file.write(secrets.token_hex(16) + '\n')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('inputs')
    parser.add_argument('work', type=pathlib.Path)
    parser.add_argument('--shards', type=int, default=4)
    parser.add_argument('--twinset', default='twinset')
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    make_key(arguments.work / 'run.key')
    ray.init()
    work = str(arguments.work.resolve())
    inputs = os.path.abspath(arguments.inputs)
    folders = [read_shard.remote(arguments.twinset, inputs, work, number, arguments.shards)
               for number in range(arguments.shards)]
    print('results:', ray.get(merge.remote(arguments.twinset, work, *folders)))


if __name__ == '__main__':
    main()
