"""Copies of the tree to which a test adds something by following CONTRIBUTING.md.

An edit is (file, text before which it stands, what is added); a file that is added whole has no such text. Only
what includes the edited files is compiled, without optimisation: the compiler launcher of the copy takes every
other object from a finished build. What a compiler writes does not depend on the folder it ran in but for the
paths of __FILE__, which nothing asserted on a copy reads.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


# ---- the compiler of the copy ---------------------------------------------------


def dependencies(build):
    """{object: what it was compiled from}, of a finished build, as ninja recorded it."""
    listing = subprocess.run(['ninja', '-C', str(build), '-t', 'deps'], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    found, current = {}, []
    for line in listing.splitlines():
        if line.startswith('    '):
            current.append(line.strip())
        elif line:
            current = found.setdefault(line.split(': #deps')[0], [])
    return found


def reusable(build, root, added, regrouped):
    """The objects of the build that no edit of an existing file concerns, and no new group of files."""
    found = dependencies(build)
    changed = {os.path.normpath(root / path) for path, before, _ in added if before}

    def concerned(output):
        return any(os.path.normpath(build / name) in changed for name in found[output])

    # What is compiled with a precompiled header is as old as that, and both are compiled alike.
    anew = {output for output in found if concerned(output)} | regrouped
    for header in (output for output in found if output.endswith('.gch')):
        inside = {output for output in found if output.startswith(os.path.dirname(header) + '/')}
        if header in anew:
            anew |= inside
        elif anew & inside:
            anew.add(header)
    return set(found) - anew


# Takes the object from the build where it may, else compiles it without optimisation.
LAUNCHER = '''#!/bin/bash
build=$1 objects=$2
shift 2
for word; do
  case $previous in -o) output=$word ;; -MF) rules=$word ;; -MT) rule=$word ;; esac
  previous=$word
done
grep -qxF -- "$output" "$objects" || exec "$@" -O0
cp -- "$build/$output" "$output" && echo "$rule:" >"$rules"
'''


# ---- the copy ---------------------------------------------------------------------


def copy_tree(copy):
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                            stdout=subprocess.PIPE)
    if listed.returncode == 0:
        for name in filter(None, listed.stdout.decode().split('\0')):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
    else:  # a release without its history
        shutil.copytree(ROOT, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns('build*', '.git'))


def edit(copy, added):
    for name, before, text in added:
        path = copy / name
        old = path.read_text(encoding='utf-8') if before else ''
        if before and before not in old:
            sys.exit('%s has no %r any more: the test must learn where to add' % (name, before))
        # The last place: the end of an anonymous namespace, of a list.
        at = old.rindex(before) if before else 0
        path.write_text(old[:at] + text + old[at:], encoding='utf-8')


def regrouped(build, copy):
    """The objects of files that are compiled several at a time, and not the same ones in the copy."""
    for unity in (copy / 'build').rglob('Unity/*.cxx'):
        name = unity.relative_to(copy / 'build')
        old = build / name
        if not old.is_file() or unity.read_text().replace(str(copy), str(ROOT)) != old.read_text():
            yield str(name) + '.o'


def build_copy(build, copy, work, added):
    # BUILD_DIR's objects name its own tree; theirs are the paths that ninja recorded.
    objects = work / 'objects'
    launcher = work / 'launcher'
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    cache = (build / 'CMakeCache.txt').read_text()
    kept = ['-D%s=%s' % (name, value) for name, value in re.findall(
        r'^(CMAKE_BUILD_TYPE|CMAKE_CXX_COMPILER|CMAKE_CXX_FLAGS|CMAKE_EXE_LINKER_FLAGS|TWINSET_PCH|TWINSET_STRICT):\w+=(.*)$', cache, re.M)]
    def run(*command):
        made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
        if made.returncode != 0:
            print(made.stdout[-8000:])
            sys.exit('the copy cannot be built')

    run('cmake', '-S', copy, '-B', copy / 'build', '-G', 'Ninja', '-DTWINSET_TESTS=OFF',
        '-DCMAKE_CXX_COMPILER_LAUNCHER=%s;%s;%s' % (launcher, build, objects), *kept)
    objects.write_text('\n'.join(sorted(reusable(build, ROOT, added, set(regrouped(build, copy))))))
    run('cmake', '--build', copy / 'build', '-j', str(os.cpu_count() or 1), '--target', 'twinset_programs')


def check_copy(build, added, check):
    """Copies the tree, adds what is to be added, builds the program and calls check(copy, work), which returns Checks."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        copy = work / 'tree'
        copy.mkdir()
        copy_tree(copy)
        edit(copy, added)
        build_copy(build.resolve(), copy, work, added)
        checks = check(copy, work)
    print('%d passed, %d failed' % (checks.passed, checks.failed))
    sys.exit(1 if checks.failed else 0)


class Checks:
    def __init__(self, program, work):
        self.program, self.work, self.passed, self.failed = program, work, 0, 0

    def expect(self, what, good, output=''):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        print('%s %s' % ('ok    ' if good else 'FAILED', what))
        if not good:
            print(output[-4000:])

    def run(self, *arguments):
        ran = subprocess.run([str(self.program), *map(str, arguments)], cwd=self.work, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
        return ran.stdout if ran.returncode == 0 else 'exit %d: %s' % (ran.returncode, ran.stdout)

    def has(self, what, text, *wanted):
        missing = [w for w in wanted if w not in text or text.startswith('exit ')]
        self.expect(what + (': lacks ' + ', '.join(missing) if missing else ''), not missing, text)

    def run_script(self, what, *command):
        ran = subprocess.run([sys.executable, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True)
        self.expect(what, ran.returncode == 0, ran.stdout)

    def makes_its_pages(self, copy):
        self.run_script('tools/make_cli_pages', copy / 'tools/make_cli_pages', self.program)
