#!/usr/bin/env python3
"""Runs the cases of the command line: run_cases.py --twinset PATH [NAME-PART ...]

A case is a file cases/NAME.case. It begins with a comment that says what it shows, then come
sections, each headed by a line `=== KIND [ARGUMENT]`:

  === file PATH        content of a file in the case's empty folder (`=== file PATH hex`: in hex)
  === stdin            content of standard input (default: empty)
  === needs not-root   skipped when run by root (`=== needs command NAME`: when NAME is missing)
  === run              bash commands; twinset is on the PATH; required
  === exit N           exit code of the last command (default 0)
  === stdout           exactly this; so too `stderr` and `content PATH`, here and below
  === stdout matches   each line is a regular expression found in it, one after the other
  === stdout lacks     each line is a regular expression not found in it
  === stdout json      it is one JSON value of which each line is true, as `.a.b[0] == "x"`
  === stdout jsonl     the same for the list of its lines; `.length` counts
  === absent PATH      no such file afterwards

One empty line at the end of a section belongs to the layout, not to the section.
Operators of checks: == != < <= > >= has matches. What a case does not mention is not looked at.
The cases that took longest are told as `took SECONDS s NAME`. The last line printed is
'N passed, N failed'; the exit code is 0 if none failed and one passed.
"""
import argparse
import concurrent.futures
import json
import operator
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HEADER = re.compile(r'^=== (.+)$')
CHECK = re.compile(r'^(\.\S*)\s+(==|!=|<=|>=|<|>|has|matches)\s+(.+)$')
STEP = re.compile(r'\.?([A-Za-z_][\w-]*)|\.?\[(-?\d+)\]')
OPERATORS = {'==': operator.eq, '!=': operator.ne, '<': operator.lt, '<=': operator.le,
             '>': operator.gt, '>=': operator.ge, 'has': lambda a, b: b in a,
             'matches': lambda a, b: re.search(b, a) is not None}
MODES = ('exactly', 'matches', 'lacks', 'json', 'jsonl')
SECONDS = 60
SLOWEST = 20


class BadCase(Exception):
    """The case file itself makes no sense."""


class Case:
    def __init__(self, name):
        self.name = name
        self.files = []          # (path, bytes)
        self.stdin = b''
        self.run = None
        self.exit = 0
        self.needs = []
        self.expectations = []   # (stream or path, mode, text)
        self.absent = []


def parse(name, text):
    case = Case(name)
    if not text.startswith('#'):
        raise BadCase('it must begin with a comment that says what it shows')
    sections = []
    for line in text.splitlines(keepends=True):
        header = HEADER.match(line.rstrip('\n'))
        if header:
            sections.append((header.group(1).split(), []))
        elif sections:
            sections[-1][1].append(line)
        elif line.strip() and not line.startswith('#'):
            raise BadCase('text before the first section: %r' % line)
    for words, lines in sections:
        if lines and lines[-1] == '\n':
            lines.pop()
        add_section(case, words, ''.join(lines))
    if case.run is None:
        raise BadCase('no section run')
    return case


def add_section(case, words, body):
    kind, arguments = words[0], words[1:]
    if kind == 'file' and len(arguments) == 1:
        case.files.append((arguments[0], body.encode()))
    elif kind == 'file' and len(arguments) == 2 and arguments[1] == 'hex':
        case.files.append((arguments[0], bytes.fromhex(body)))
    elif kind == 'stdin' and not arguments:
        case.stdin = body.encode()
    elif kind == 'run' and not arguments and case.run is None:
        case.run = body
    elif kind == 'exit' and len(arguments) == 1:
        case.exit = int(arguments[0])
    elif kind == 'needs' and arguments:
        case.needs.append(arguments)
    elif kind == 'absent' and len(arguments) == 1:
        case.absent.append(arguments[0])
    elif kind in ('stdout', 'stderr') or (kind == 'content' and arguments):
        what = kind if kind != 'content' else arguments.pop(0)
        mode = arguments[0] if arguments else 'exactly'
        if mode not in MODES or len(arguments) > 1:
            raise BadCase('=== %s: the mode is one of %s' % (' '.join(words), ', '.join(MODES)))
        case.expectations.append((what, mode, body))
    else:
        raise BadCase('=== %s is no section' % ' '.join(words))


def reason_to_skip(case):
    for need in case.needs:
        if need == ['not-root']:
            if os.geteuid() == 0:
                return 'root may read everything'
        elif need[0] == 'command' and len(need) == 2:
            if shutil.which(need[1]) is None:
                return '%s is not installed' % need[1]
        else:
            raise BadCase('=== needs %s is unknown' % ' '.join(need))
    return None


def value_at(value, path):
    position = 0
    while position < len(path):
        if path[position:] == '.length':
            return len(value)
        if path == '.':
            return value
        step = STEP.match(path, position)
        if not step:
            raise BadCase('%s is no path' % path)
        value = value[step.group(1)] if step.group(1) else value[int(step.group(2))]
        position = step.end()
    return value


def check_json(value, body):
    for line in body.splitlines():
        check = CHECK.match(line)
        if not check:
            raise BadCase('%r is no check' % line)
        path, name, wanted = check.group(1), check.group(2), json.loads(check.group(3))
        try:
            found = value_at(value, path)
            good = OPERATORS[name](found, wanted)
        except (KeyError, IndexError, TypeError) as error:
            yield '%s: %s: %s' % (line, type(error).__name__, error)
            continue
        if not good:
            yield '%s, but it is %s' % (line, json.dumps(found)[:300])


def problems(what, mode, body, text):
    """What is wrong with `text`, line by line."""
    if mode == 'exactly':
        if text != body:
            yield '%s is\n%s\ninstead of\n%s' % (what, text, body)
    elif mode == 'matches':
        position = 0
        for line in body.splitlines():
            found = re.compile(line, re.M).search(text, position)
            if not found:
                yield '%s has no %r at its place; it is\n%s' % (what, line, text[:3000])
                return
            position = found.end()
    elif mode == 'lacks':
        for line in body.splitlines():
            if re.search(line, text, re.M):
                yield '%s has %r; it is\n%s' % (what, line, text[:3000])
    else:
        try:
            if mode == 'json':
                value = json.loads(text)
            else:
                value = [json.loads(line) for line in text.splitlines()]
        except ValueError as error:
            yield '%s is not %s (%s):\n%s' % (what, mode, error, text[:3000])
            return
        for problem in check_json(value, body):
            yield '%s: %s' % (what, problem)


def run(case, twinset):
    """List of what went wrong."""
    with tempfile.TemporaryDirectory(prefix='twinset-case-') as top:
        folder, programs = pathlib.Path(top, 'case'), pathlib.Path(top, 'bin')
        folder.mkdir()
        programs.mkdir()
        (programs / 'twinset').symlink_to(twinset)
        for path, content in case.files:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        environment = dict(os.environ, LC_ALL='C.UTF-8',
                           PATH='%s:%s' % (programs, os.environ.get('PATH', '')))
        try:
            result = subprocess.run(['bash', '-c', case.run], cwd=folder, env=environment,
                                    input=case.stdin, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return ['still running after %d seconds' % SECONDS]
        texts = {'stdout': result.stdout.decode('utf-8', 'replace'),
                 'stderr': result.stderr.decode('utf-8', 'replace')}
        found = []
        if result.returncode != case.exit:
            found.append('exit code %d instead of %d; stderr is\n%s\nstdout is\n%s' % (
                result.returncode, case.exit, texts['stderr'][:3000], texts['stdout'][:1000]))
        for what, mode, body in case.expectations:
            if what not in texts:
                if not (folder / what).is_file():
                    found.append('no file %s' % what)
                    continue
                texts[what] = (folder / what).read_text(encoding='utf-8', errors='replace')
            found.extend(problems(what, mode, body, texts[what]))
        found.extend('%s is there' % path for path in case.absent if (folder / path).exists())
        return found


def run_file(path, twinset):
    """(name, 'passed' | 'skipped' | 'failed', details, seconds)"""
    begin = time.monotonic()
    try:
        case = parse(path.stem, path.read_text(encoding='utf-8'))
        skip = reason_to_skip(case)
        if skip:
            return path.stem, 'skipped', [skip], 0
        found = run(case, twinset)
    except (BadCase, ValueError, re.error) as error:
        found = ['the case is wrong: %s' % error]
    return path.stem, 'failed' if found else 'passed', found, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--twinset', required=True, help='the program')
    parser.add_argument('--cases', default=pathlib.Path(__file__).resolve().parent / 'cases',
                        type=pathlib.Path, help='folder of the cases')
    parser.add_argument('names', nargs='*', help='only cases with one of these in their name')
    options = parser.parse_args()
    twinset = pathlib.Path(options.twinset).resolve()
    if not os.access(twinset, os.X_OK) or twinset.is_dir():
        parser.error('%s is no program' % twinset)
    paths = sorted(path for path in options.cases.glob('*.case')
                   if not options.names or any(name in path.stem for name in options.names))
    counts, times = {'passed': 0, 'failed': 0, 'skipped': 0}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, outcome, details, seconds in pool.map(lambda path: run_file(path, twinset), paths):
            counts[outcome] += 1
            times.append((seconds, name))
            if outcome == 'failed':
                print('FAILED %s' % name)
                for detail in details:
                    print('  ' + detail.replace('\n', '\n  '))
            elif outcome == 'skipped':
                print('SKIPPED %s: %s' % (name, details[0]))
    for seconds, name in sorted(times, reverse=True)[:SLOWEST]:
        print('took %.1f s %s' % (seconds, name))
    print('%d passed, %d failed' % (counts['passed'], counts['failed']))
    return 0 if counts['passed'] and not counts['failed'] else 1


if __name__ == '__main__':
    sys.exit(main())
