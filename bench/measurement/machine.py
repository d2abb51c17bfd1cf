"""What a page of measurements says of the machine, the system and the program."""
import datetime
import os
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def first_match(pattern, path):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(errors='replace'), re.M)
    except OSError:
        found = None
    return found.group(1) if found else 'unknown'


def git_commit():
    done = subprocess.run(['git', 'rev-parse', '--short', 'HEAD'], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or 'unknown'


def facts(program):
    return {'date': datetime.date.today().isoformat(), 'processor': first_match(r'^model name\s*: (.*)', '/proc/cpuinfo'),
            'threads': len(os.sched_getaffinity(0)),
            'memory_bytes': os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES'),
            'system': first_match(r'^PRETTY_NAME="(.*)"', '/etc/os-release'), 'kernel': platform.release(),
            'python': platform.python_version(), 'commit': git_commit(), 'load_before': os.getloadavg()[0],
            'twinset': subprocess.run([str(program), 'version'], capture_output=True, text=True).stdout.split('\n')[0]}
