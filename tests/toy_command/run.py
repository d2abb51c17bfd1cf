#!/usr/bin/env python3
"""Adds a command with one flag by following CONTRIBUTING.md: tests/toy_command/run.py BUILD_DIR

A copy of the tree gets what "Adding a command" asks for and nothing else: its file, a case, and its page, which
tools/make_cli_pages writes. The copy is built; then the command runs, and its flag stands in help, manual, pages
and completions, is refused with a bad value, by other commands and behind a misspelling. The last line is
`N passed, N failed`.
"""
import argparse
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
import toy_tree  # noqa: E402

COMMAND = ('apps/cli/commands/toy.cc', '', '''\
// twinset toy
#include <string>

#include "cli/commands.h"
#include "cli/flags/flag_setters.h"
#include "cli/output.h"

namespace twinset::cli {
namespace {

// What toy was asked.
struct ToyAsked {
  int times = 1;
};

int RunToy(const Request& request) {
  Output out;
  for (int i = 0; i < request.Of<ToyAsked>().times; ++i)
    for (const std::string& word : request.operands) out.Line(word);
  return out.Finish("toy");
}

Command ToyCommand() {
  return {.name = "toy",
          .group = CommandGroup::kLaboratory,
          .operands = "WORD...",
          .help = "the words again",
          .examples = {{"twinset toy --times 2 echo", "an echo"}},
          .everyday = {"--times"},
          .flags = {{.name = "--times",
                     .value = "N",
                     .help = "how often each word is printed",
                     .default_text = "1",
                     .set = SetInt<1, 9, &ToyAsked::times>}},
          .refusals = {kReadsNoDocuments, {{"--json"}, "it prints text"}},
          .run = RunToy};
}

}  // namespace

const Registration kToy(ToyCommand);

}  // namespace twinset::cli
''')
CASE = ('tests/cli/cases/toy.case', '', '''\
# A command that exists only here prints its words as often as its flag says.

=== run
twinset toy --times 2 a b

=== stdout
a
b
a
b
''')


def check_copy(copy, work):
    checks = toy_tree.Checks(copy / 'build/twinset', work)
    checks.has('the command runs', checks.run('toy', '--times', '2', 'word'), 'word\nword\n')
    checks.has('help', checks.run('--help'), '  toy ')
    checks.has('front page', checks.run('help'), 'toy')
    checks.has('toy -h', checks.run('toy', '-h'), '--times N', 'how often', 'default: 1', 'an echo')
    checks.has('toy --help', checks.run('toy', '--help'), '--times N', '--quiet')
    checks.has('man', checks.run('man'), 'toy', 'times N')
    for shell in ('bash', 'zsh', 'fish'):
        checks.has('completions ' + shell, checks.run('completions', shell), 'toy', 'times')
    checks.has('a bad value', checks.run('toy', '--times', '10', 'a')[len('exit 2'):], '--times', 'from 1 to 9')
    checks.has('a misspelling', checks.run('toy', '--time', '2', 'a')[len('exit 2'):], '--times')
    checks.has('another command', checks.run('text', '--times', '2')[len('exit 2'):], 'it is a flag of toy')
    checks.makes_its_pages(copy)
    checks.has('its page', (copy / 'docs/cli/toy.md').read_text(), '# twinset toy', '| `--times N` | `1` |')
    checks.run_script('its case', copy / 'tests/cli/run_cases.py', '--twinset', checks.program, 'toy')
    for check in ('check_docs', 'check_sizes', 'check_names', 'check_layers'):
        checks.run_script('tools/' + check, copy / 'tools' / check)
    if shutil.which('clang-format-14'):
        checks.run_script('tools/check_format', copy / 'tools/check_format', copy / 'apps/cli/commands')
    else:
        print('SKIPPED check_format (no clang-format-14: tools/install_dependencies format)')
    return checks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    toy_tree.check_copy(parser.parse_args().build, (COMMAND, CASE), check_copy)


if __name__ == '__main__':
    main()
