#!/usr/bin/env python3
"""The runner of cases must fail what is wrong: every kind of expectation, met and not met."""
import json
import pathlib
import unittest

import run_cases

PROGRAM = pathlib.Path('/bin/true')


def outcome(text):
    case = run_cases.parse('case', '# shows\n' + text)
    return run_cases.run(case, PROGRAM)


class Runner(unittest.TestCase):
    def check(self, good, bad):
        self.assertEqual(outcome(good), [])
        self.assertEqual(len(outcome(bad)), 1, bad)

    def test_exit_code(self):
        self.check('=== run\nexit 3\n=== exit 3\n', '=== run\nexit 3\n')

    def test_exact_output(self):
        self.check('=== run\necho a\n=== stdout\na\n', '=== run\necho a\n=== stdout\nb\n')
        self.check('=== run\necho a >&2\n=== stderr\na\n', '=== run\ntrue\n=== stderr\na\n')

    def test_patterns_come_in_order(self):
        run = '=== run\nprintf "one\\ntwo\\n"\n'
        self.check(run + '=== stdout matches\n^one$\nt.o\n',
                   run + '=== stdout matches\ntwo\none\n')
        self.check(run + '=== stdout lacks\nthree\n', run + '=== stdout lacks\nthree\n^two$\n')

    def test_json(self):
        run = "=== run\nprintf '%s' '" + json.dumps({'a': [{'b': 1.5}]}) + "'\n"
        self.check(run + '=== stdout json\n.a[0].b == 1.5\n.a.length == 1\n. has "a"\n',
                   run + '=== stdout json\n.a[0].b > 1.5\n')
        self.check(run + '=== stdout json\n', run + '=== stdout json\n.a[1].b == 1.5\n')
        self.check('=== run\necho 1; echo 2\n=== stdout jsonl\n.[1] == 2\n',
                   '=== run\necho 1; echo x\n=== stdout jsonl\n')

    def test_files(self):
        self.check('=== file d/x\nhi\n=== run\ncp d/x y\n=== content y\nhi\n=== absent z\n',
                   '=== run\ntouch z\n=== absent z\n')
        self.check('=== file x hex\n00ff\n=== run\ntest "$(od -An -tx1 x)" = " 00 ff"\n',
                   '=== run\ntrue\n=== content y\n')

    def test_one_empty_line_is_layout(self):
        self.check('=== file x\na\n\n=== run\nwc -l < x\n\n=== stdout\n1\n\n',
                   '=== file x\na\n\n\n=== run\nwc -l < x\n=== stdout\n1\n')

    def test_stdin(self):
        self.check('=== stdin\nhi\n=== run\ncat\n=== stdout\nhi\n',
                   '=== run\ncat\n=== stdout\nhi\n')

    def test_wrong_cases_are_refused(self):
        for text in ('=== run\ntrue\n', '# no run\n', '# x\n=== runs\ntrue\n',
                     '# x\n=== run\ntrue\n=== stdout like\n', '# x\nstray\n=== run\ntrue\n'):
            with self.assertRaises(run_cases.BadCase, msg=text):
                run_cases.parse('case', text)
        with self.assertRaises(run_cases.BadCase):
            outcome('=== run\necho {}\n=== stdout json\nnonsense\n')


if __name__ == '__main__':
    unittest.main()
