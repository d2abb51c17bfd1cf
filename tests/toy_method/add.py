#!/usr/bin/env python3
"""Adds a method by following CONTRIBUTING.md: tests/toy_method/add.py [--parameter] BUILD_DIR

A copy of the tree gets what "Adding a method" asks for of a method made of existing parts and nothing
else: its row, a case, a page, and `docs/cli.md` made anew. The copy is built, which compiles one unit;
then methods, dedup, evaluate, explain, man, help and completions must know the method, and its case and
the checks of the tree that look at methods must pass.

With --parameter the method has a parameter of its own, added by "Adding a parameter": a field and a row
more. `dedup` must obey it, and every case and every check must pass. That compiles most of the product,
and is part of `make check-long`. The last line is `N passed, N failed`.

Only what includes the edited files is compiled, without optimisation: the compiler launcher of the copy
takes every other object from BUILD_DIR, a finished build. What a compiler writes does not depend on the folder it ran in but for the paths of __FILE__, which nothing
asserted here reads.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each file of the tree gets: (file, text before which it stands, what is added). A file that is
# added whole has no such text.
OPTIONS = ('include/twinset/options.h', '  int chunks = 100;', '  int toy_values = 4;    // toy\n')
ITS_ROW = ('src/options/parameter_table.cc', '    {.name = "chunks"', '''\
    {.name = "toy-values", .field = &M::toy_values, .range = Between(1, 512), .unit = "groups",
     .help = "groups of eight least images that must all be equal", .source = "nobody"},
''')
ROW = ('src/methods/exact_methods.cc', '}  // namespace\n', '''\
MethodRow ToyRow() {
  MethodRow row;
  row.info.name = "toy";
  row.info.summary = "documents with the same first least images";
  row.info.source = "nobody";
  row.info.sketches = {"minhash"};
  row.info.generator = "equal sketches";
  row.info.verifier = "measure";
  row.info.why = "It finds what shares all of its least images.";
  AddReads(&row.info,
           {"threshold", "measure", "seed", "bucket-limit", "PARAMETER"});
  row.info.incremental = true;
  row.info.symmetric = true;
  row.steps.before = CopySteps("The values are least images.");
  row.sketch_views =
      [](const MethodOptions&) -> Result<std::vector<FeatureView>> {
    return std::vector<FeatureView>{
        {FeatureForm::kShingles, "", FeatureHash::kSpec}};
  };
  row.make = [](const MethodOptions& options,
                const std::string*) -> Result<MethodParts> {
    MethodParts parts;
    TWINSET_ASSIGN(auto sketcher,
                   MakeMinHashSketcher(VALUES, options.seed));
    parts.sketchers.push_back(std::move(sketcher));
    parts.generator = MakeWholeSketchKeys();
    return parts;
  };
  return row;
}

''')
LISTED = ('src/methods/exact_methods.cc', '  return methods;\n', '  methods.push_back(MakeMethod(ToyRow()));\n')
WORDS = ('The lighthouse keeper counted ships until the evening fog came in from the north and covered the '
         'bay. He wrote each name in a heavy book with the hour and the wind beside it, lit the lamp, '
         'wound the clock, and listened to the horn that answered from the far side of the water while '
         'the gulls slept on the rocks below his narrow window.')
ROWS = ''.join(json.dumps({'id': name, 'text': text}) + '\n'
               for name, text in (('a', WORDS), ('b', WORDS + ' Seen.'), ('c', 'Bread needs flour and salt and time.')))
CASE = ('tests/cli/cases/dedup-toy.case', '', '''\
# A method that exists only here: eight values agree, 4096 do not.

=== file a.jsonl
%s
=== run
twinset dedup a.jsonl --out d --method toy --PARAMETER FEW -q &&
  twinset dedup a.jsonl --out e --method toy --PARAMETER MANY -q &&
  wc -l <d/drop.txt && wc -l <e/drop.txt

=== stdout
1
0

=== content d/summary.json json
.parameters.method == "toy"
.parameters.FIELD == FEW
''' % ROWS)
PAGE = ('docs/methods/toy.md', '', '# toy\n\n`--method toy`: documents that share all of their least images; `--PARAMETER` says how many.\n')
MADE = 'docs/cli.md'
# What looks at methods; the other checks see no more of one.
CHECKS = ('check_docs', 'check_method_names')


def edits(parameter):
    """What is added: a method with a parameter of its own, or with one that others have."""
    words = (dict(PARAMETER='toy-values', FIELD='toy_values', VALUES='8 * options.toy_values', FEW='1', MANY='512')
             if parameter else
             dict(PARAMETER='permutations', FIELD='permutations', VALUES='options.permutations', FEW='8', MANY='4096'))
    added = (ROW, LISTED, CASE, PAGE) + ((OPTIONS, ITS_ROW) if parameter else ())
    return [(path, before, re.sub(r'PARAMETER|FIELD|VALUES|FEW|MANY', lambda word: words[word[0]], text))
            for path, before, text in added]


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


def reusable(build, root, added):
    """The objects of the build that no edit of an existing file concerns."""
    found = dependencies(build)
    changed = {os.path.normpath(root / path) for path, before, _ in added if before}

    def concerned(output):
        return any(os.path.normpath(build / name) in changed for name in found[output])

    # What is compiled with a precompiled header is as old as that, and both are compiled alike.
    anew = {output for output in found if concerned(output)}
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
            sys.exit('%s has no %r any more: tests/toy_method/add.py must learn where to add' % (name, before))
        # The last place: the end of an anonymous namespace, of a list.
        at = old.rindex(before) if before else 0
        path.write_text(old[:at] + text + old[at:], encoding='utf-8')


def build_copy(build, copy, work, added):
    # BUILD_DIR's objects name its own tree; theirs are the paths that ninja recorded.
    objects = work / 'objects'
    objects.write_text('\n'.join(sorted(reusable(build, ROOT, added))))
    launcher = work / 'launcher'
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    cache = (build / 'CMakeCache.txt').read_text()
    kept = ['-D%s=%s' % (name, value) for name, value in re.findall(
        r'^(CMAKE_BUILD_TYPE|CMAKE_CXX_COMPILER|CMAKE_CXX_FLAGS|CMAKE_EXE_LINKER_FLAGS|TWINSET_PCH|TWINSET_STRICT):\w+=(.*)$', cache, re.M)]
    for command in (['cmake', '-S', str(copy), '-B', str(copy / 'build'), '-G', 'Ninja', '-DTWINSET_TESTS=OFF',
                     '-DCMAKE_CXX_COMPILER_LAUNCHER=%s;%s;%s' % (launcher, build, objects), *kept],
                    ['cmake', '--build', str(copy / 'build'), '-j', str(os.cpu_count() or 1), '--target', 'twinset_cli']):
        made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
        if made.returncode != 0:
            print(made.stdout[-8000:])
            sys.exit('the copy with the method toy cannot be built')


# ---- what must be there -----------------------------------------------------------


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

    def program_knows_it(self, name):
        rows = {row['name']: row for row in json.loads(self.run('methods', '--json'))}
        self.expect('methods --json', [p['name'] for p in rows.get('toy', {}).get('parameters', [])][-1:] == [name])
        self.has('methods', self.run('methods'), 'toy')
        self.has('dedup --help', self.run('dedup', '--help'), ' toy')
        self.has('man', self.run('man'), ' toy')
        self.has('man --markdown', self.run('man', '--markdown'), ' toy')
        for shell in ('bash', 'zsh', 'fish'):
            self.has('completions ' + shell, self.run('completions', shell), 'toy')

    def program_knows_its_parameter(self):
        for command in ('dedup', 'explain', 'evaluate', 'sketch'):
            self.has(command + ' --help', self.run(command, '--help'), '--toy-values')
        self.has('man of the parameter', self.run('man'), 'toy', 'values')
        for shell in ('bash', 'zsh', 'fish'):
            self.has('completions %s of the parameter' % shell, self.run('completions', shell), 'toy-values')
        self.has('dedup names the reader', self.run(
            'dedup', 'a.jsonl', '--out', 'e', '--toy-values', '3')[len('exit 2'):], 'a method that reads it: toy')

    def commands_obey(self, name, value):
        summary = self.run('dedup', 'a.jsonl', '--out', 'd', '--method', 'toy', '--' + name, value, '--json')
        self.has('dedup --method toy', summary, '"toy"', '"%s": %s' % (name.replace('-', '_'), value))
        self.has('dedup refuses what is out of range', self.run(
            'dedup', 'a.jsonl', '--out', 'e', '--method', 'toy', '--' + name, '0')[len('exit 2'):], '--' + name)
        methods = 'toy@%s=%s' % (name, value)
        self.has('evaluate --methods ' + methods, self.run(
            'evaluate', 'a.jsonl', '--methods', methods + ',minhash', '--thresholds', '0.8', '--out', 'f'), methods, 'minhash')
        self.has('explain --method toy', self.run('explain', 'x.txt', 'y.txt', '--method', 'toy'), 'toy')
        self.has('explain --steps --method toy', self.run('explain', 'x.txt', 'y.txt', '--steps', '--method', 'toy'),
                 'least images')


def check_copy(copy, work, parameter):
    """The checks of the built copy."""
    checks = Checks(copy / 'build/twinset', work)
    (work / 'a.jsonl').write_text(ROWS)
    for file, text in (('x.txt', WORDS), ('y.txt', WORDS + ' Seen.')):
        (work / file).write_text(text)
    name, value = ('toy-values', '3') if parameter else ('permutations', '8')
    checks.program_knows_it(name)
    if parameter:
        checks.program_knows_its_parameter()
    checks.commands_obey(name, value)
    (copy / MADE).write_text(checks.run('man', '--markdown'), encoding='utf-8')
    for check in sorted((copy / 'tools').glob('check_*')):
        if parameter or check.name in CHECKS:
            checks.run_script('tools/' + check.name, check)
    checks.run_script('every case of the command line' if parameter else 'its case', copy / 'tests/cli/run_cases.py',
                      '--twinset', checks.program, *([] if parameter else ['dedup-toy']))
    return checks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--parameter', action='store_true', help='with a parameter of its own')
    arguments = parser.parse_args()
    added = edits(arguments.parameter)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        copy = work / 'tree'
        copy.mkdir()
        copy_tree(copy)
        edit(copy, added)
        build_copy(arguments.build.resolve(), copy, work, added)
        checks = check_copy(copy, work, arguments.parameter)
        print('%d passed, %d failed' % (checks.passed, checks.failed))
        sys.exit(1 if checks.failed else 0)


if __name__ == '__main__':
    main()
