#!/usr/bin/env python3
"""Adds a method by following CONTRIBUTING.md: tests/toy_method/run.py [--parameter] BUILD_DIR

A copy of the tree gets what "Adding a method" asks for of a method made of existing parts and nothing
else: its row, a case, a page with its link in docs/README.md, and `docs/cli` made anew. The copy is built,
which compiles one unit; then methods, dedup, evaluate, explain, man, help and completions must know the method, and its case and
the checks of the tree that look at methods must pass.

With --parameter the method has a parameter of its own, added by "Adding a parameter": a field and a row
more. `dedup` must obey it, and every case and every check must pass. That compiles most of the product,
and is part of `make check-long`. The last line is `N passed, N failed`.
"""
import argparse
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
import toy_tree  # noqa: E402

# What each file of the tree gets (toy_tree).
OPTIONS = ('include/twinset/options.h', '  int chunks = 100;', '  int toy_values = 4;    // toy\n')
ITS_ROW = ('src/dedup/options/parameter_table.cc', '    {.name = "chunks"', '''\
    {.name = "toy-values", .field = &M::toy_values, .range = Between(1, 512), .unit = "groups",
     .help = "groups of eight least images that must all be equal", .source = "nobody"},
''')
ROW = ('src/dedup/methods/exact_methods.cc', '}  // namespace\n', '''\
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
LISTED = ('src/dedup/methods/exact_methods.cc', '  return methods;\n', '  methods.push_back(MakeMethod(ToyRow()));\n')
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
MAP = ('docs/README.md', '[simhash](methods/simhash.md)', '[toy](methods/toy.md) · ')
# What looks at methods; the other checks see no more of one.
CHECKS = ('check_docs', 'check_method_names')


def edits(parameter):
    """What is added: a method with a parameter of its own, or with one that others have."""
    words = (dict(PARAMETER='toy-values', FIELD='toy_values', VALUES='8 * options.toy_values', FEW='1', MANY='512')
             if parameter else
             dict(PARAMETER='permutations', FIELD='permutations', VALUES='options.permutations', FEW='8', MANY='4096'))
    added = (ROW, LISTED, CASE, PAGE, MAP) + ((OPTIONS, ITS_ROW) if parameter else ())
    return [(path, before, re.sub(r'PARAMETER|FIELD|VALUES|FEW|MANY', lambda word: words[word[0]], text))
            for path, before, text in added]


# ---- what must be there -----------------------------------------------------------


class Checks(toy_tree.Checks):
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
    checks.makes_its_pages(copy)
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
    toy_tree.check_copy(arguments.build, edits(arguments.parameter),
                        lambda copy, work: check_copy(copy, work, arguments.parameter))


if __name__ == '__main__':
    main()
