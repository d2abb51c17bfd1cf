"""The fit behind the grade of a pair."""
import importlib.machinery
import importlib.util
import math
import pathlib
import random
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOADER = importlib.machinery.SourceFileLoader('fit_grade', str(ROOT / 'tools/fit_grade'))
fit_grade = importlib.util.module_from_spec(importlib.util.spec_from_loader('fit_grade', LOADER))
LOADER.exec_module(fit_grade)


class Graded:
    def __init__(self, probability, near):
        self.probability, self.near = probability, near
        self.jaccard, self.id, self.corpus = probability / 2, 'x', 'y'


def drawn(count, weights):
    """Inputs with a constant, and answers as likely as the model says."""
    source = random.Random(5)
    inputs = [[1.0] + [source.random() for _ in weights[1:]] for _ in range(count)]
    return inputs, [float(source.random() < fit_grade.logistic(sum(w * x for w, x in zip(weights, row))))
                    for row in inputs]


class Fit(unittest.TestCase):
    def test_solves_with_pivots(self):
        answer = fit_grade.solve([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0], [4.0, 0.0, 0.0]], [4.0, 10.0, 4.0])
        for one, other in zip(answer, (1.0, 2.0, 3.0)):
            self.assertAlmostEqual(one, other)

    def test_finds_the_model_behind_the_data(self):
        truth = [-3.0, 4.0, 1.0]
        found = fit_grade.fit(*drawn(5000, truth), ridge=1e-6)
        for one, other in zip(found, truth):
            self.assertLess(abs(one - other), .3, found)

    def test_gives_no_weight_below_zero(self):
        found = fit_grade.fit(*drawn(2000, [-1.0, 3.0, -2.0]))
        self.assertGreater(found[1], 2)
        self.assertEqual(found[2], 0.0)

    def test_a_feature_that_is_always_zero_gets_no_weight(self):
        inputs, answers = drawn(500, [-1.0, 3.0])
        self.assertEqual(fit_grade.fit([row + [0.0] for row in inputs], answers)[2], 0.0)

    def test_the_halves_depend_on_the_name_alone(self):
        names = ['pair %d' % k for k in range(1000)]
        half = [name for name in names if fit_grade.is_for_fit(name)]
        self.assertTrue(450 < len(half) < 550, len(half))
        self.assertEqual(half, [name for name in names if fit_grade.is_for_fit(name)])


class Figures(unittest.TestCase):
    PAIRS = [Graded(.95, True), Graded(.9, True), Graded(.6, False), Graded(.5, True), Graded(.1, False)]

    def test_precision_and_recall(self):
        self.assertEqual(fit_grade.at_least(self.PAIRS, fit_grade.by_grade, .9), (1, 2 / 3))
        self.assertEqual(fit_grade.at_least(self.PAIRS, fit_grade.by_grade, .5), (.75, 1))
        self.assertEqual(fit_grade.at_least(self.PAIRS, fit_grade.by_grade, 1), (1, 0))
        self.assertEqual(fit_grade.precision_at_recall(self.PAIRS, fit_grade.by_grade, .6), (1, .9))
        self.assertEqual(fit_grade.precision_at_recall(self.PAIRS, fit_grade.by_grade, .7), (.75, .5))

    def test_calibration(self):
        self.assertEqual([row[2] for row in fit_grade.reliability(self.PAIRS)], [1, 1, 1, 2])
        self.assertAlmostEqual(fit_grade.brier(self.PAIRS), (.0025 + .01 + .36 + .25 + .01) / 5)
        self.assertAlmostEqual(fit_grade.calibration_error(self.PAIRS), (.1 + .5 + .6 + .15) / 5)


class Model(unittest.TestCase):
    def test_the_committed_model_is_of_this_form(self):
        text = fit_grade.MODEL.read_text(encoding='utf-8')
        weights = re.search(r'kGradeWeights = \{([^}]*)\}', text).group(1).split(',')
        self.assertTrue(all(int(weight) >= 0 for weight in weights), weights)
        table = [int(value) for value in re.search(r'kLogistic = \{([^}]*)\}', text).group(1).split(',')]
        self.assertEqual(len(table), 65)
        for k, value in enumerate(table):
            self.assertEqual(value, round(65536 / (1 + math.exp(-k / 8))))


if __name__ == '__main__':
    unittest.main()
