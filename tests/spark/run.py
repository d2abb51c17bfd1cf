#!/usr/bin/env python3
"""twinset.spark on a real cluster against one machine: tests/spark/run.py BUILD_DIR

Starts a standalone cluster of Spark (a master and two workers of one core, from the package pyspark), and
compares what twinset.spark.dedup writes with the result files of the command, byte for byte. TWINSET_LONG=1: more
partitions, without adaptive execution, executors without the wheel and executors that are killed, files, two sides, and
the program.
"""
import os
import pathlib
import runpy
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON_SUITE = runpy.run_path(str(ROOT / 'tests/python/run.py'))


def packages_of(place, python, requirements):
    """A folder with the packages, which is made anew when what it holds is to change."""
    mark = place / 'requirements.txt'
    if not mark.exists() or mark.read_bytes() != requirements.read_bytes():
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', place,
                        '-r', requirements], check=True)
        mark.write_bytes(requirements.read_bytes())
    return place


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if shutil.which('java') is None:
        print('SKIPPED (no Java; tools/install_dependencies test installs it)')
        return
    build = pathlib.Path(sys.argv[1]).resolve()
    with PYTHON_SUITE['package_of'](build) as (python, package):
        pyspark = packages_of(build / 'spark-packages', python, ROOT / 'tests/spark/requirements.txt')
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, (package, pyspark))),
                           TWINSET_PROGRAM=str(build / 'twinset'), PYSPARK_PYTHON=str(python), SPARK_LOCAL_IP='127.0.0.1')
        ran, failed = PYTHON_SUITE['run_tests'](python, ROOT / 'tests/spark/cluster', environment)
    print('%d passed, %d failed' % (ran - failed, failed))
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
