"""The fit behind the grade of a pair."""
import importlib.machinery
import importlib.util
import math
import pathlib
import random
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOADER = importlib.machinery.SourceFileLoader('fit_grade', str(ROOT / 'training/fit_grade'))
fit_grade = importlib.util.module_from_spec(importlib.util.spec_from_loader('fit_grade', LOADER))
LOADER.exec_module(fit_grade)


class Seen:
    """Of a labelled pair what a curve looks at."""

    def __init__(self, jaccard, near, equal=False, corpus='one'):
        self.jaccard, self.near, self.equal, self.corpus = jaccard, near, equal, corpus
        self.fixed = round(jaccard * fit_grade.UNIT)


def pairs_of_odds(count, factor, power):
    """Pairs that are near-duplicates with odds factor * (J / (1 - J)) ** power."""
    source = random.Random(6)
    pairs = []
    for _ in range(count):
        j = source.uniform(.01, .99)
        odds = factor * (j / (1 - j)) ** power
        pairs.append(Seen(j, source.random() < odds / (1 + odds)))
    return pairs


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
        found = fit_grade.fit(*drawn(2000, [-1.0, 3.0, -2.0]), ridge=.2)
        self.assertGreater(found[1], 2)
        self.assertEqual(found[2], 0.0)

    def test_a_feature_that_is_always_zero_gets_no_weight(self):
        inputs, answers = drawn(500, [-1.0, 3.0])
        self.assertEqual(fit_grade.fit([row + [0.0] for row in inputs], answers, ridge=.2)[2], 0.0)

    def test_no_weight_at_all_is_a_constant(self):
        inputs, answers = drawn(2000, [-1.0, -3.0])
        found = fit_grade.fit(inputs, answers, ridge=.2)
        self.assertEqual(found[1], 0.0)
        self.assertAlmostEqual(fit_grade.logistic(found[0]), sum(answers) / len(answers), places=6)


class Curves(unittest.TestCase):
    def test_the_chosen_form_finds_the_odds(self):
        curve = fit_grade.chosen_curve(pairs_of_odds(5000, .5, 1.6))
        self.assertEqual((len(curve), curve[0], curve[-1]), (65, 0, 65536))
        for k in range(8, 60, 4):
            odds = .5 * (k / (64 - k)) ** 1.6
            self.assertLess(abs(curve[k] / 65536 - odds / (1 + odds)), .03, k)

    def test_all_rise(self):
        pairs = pairs_of_odds(300, .5, 1.6)
        curves = [fit_grade.logistic_curve(pairs, form, 1) for form in fit_grade.FORMS]
        for curve in curves + [fit_grade.isotonic_curve(pairs)]:
            self.assertEqual(curve, sorted(curve))
            self.assertTrue(0 <= curve[0] and curve[-1] <= 65536)

    def test_isotonic_pools_what_falls(self):
        curve = fit_grade.isotonic_curve([Seen(0, False), Seen(.25, True), Seen(.5, False), Seen(.75, True)])
        self.assertEqual([curve[k] for k in (0, 8, 16, 24, 32, 40, 48, 64)],
                         [0, 16384, 32768, 32768, 32768, 49152, 65536, 65536])

    def test_pairs_of_equal_tokens_have_no_part(self):
        pairs = pairs_of_odds(300, .5, 1.6)
        equal = [Seen(1.0, True, equal=True)] * 100
        self.assertEqual(fit_grade.chosen_curve(pairs + equal), fit_grade.chosen_curve(pairs))
        self.assertEqual(fit_grade.isotonic_curve(pairs + equal), fit_grade.isotonic_curve(pairs))

    def test_grades_lie_on_straight_lines(self):
        curve = [k * 1024 for k in range(65)]
        self.assertEqual([fit_grade.per_mille(curve, Seen(j, True)) for j in (0, .1234, .5, .9996, 1)],
                         [0, 123, 500, 999, 999])
        self.assertEqual(fit_grade.per_mille(curve, Seen(0, True, equal=True)), 999)

    def test_a_corpus_is_graded_by_the_others_alone(self):
        pairs = [Seen(.5, near, corpus=corpus) for corpus, near in (('a', False), ('b', True), ('c', True))]
        seen = []

        def remembered(others):
            seen.append([p.corpus for p in others])
            return [0] * 65
        held = fit_grade.held_out(pairs, remembered)
        self.assertEqual((list(held), seen), (['a', 'b', 'c'], [['b', 'c'], ['a', 'c'], ['a', 'b']]))


class Figures(unittest.TestCase):
    ROWS = [(.95, True, .4), (.9, True, .3), (.6, False, .3), (.5, True, .2), (.1, False, .1)]

    def test_precision_and_recall(self):
        self.assertEqual(fit_grade.at_least(self.ROWS, 0, .9), (1, 2 / 3))
        self.assertEqual(fit_grade.at_least(self.ROWS, 0, .5), (.75, 1))
        self.assertEqual(fit_grade.at_least(self.ROWS, 0, 1), (1, 0))
        self.assertEqual(fit_grade.precision_at_recall(self.ROWS, 0, .6), 1)
        self.assertEqual(fit_grade.precision_at_recall(self.ROWS, 0, .7), .75)

    def test_area_counts_pairs_of_pairs(self):
        self.assertAlmostEqual(fit_grade.auc_of_grade(self.ROWS), 5 / 6)
        self.assertAlmostEqual(fit_grade.auc_of_jaccard(self.ROWS), 4.5 / 6)
        self.assertAlmostEqual(fit_grade.gain(self.ROWS), .5 / 6)
        self.assertIsNone(fit_grade.gain(self.ROWS[:2]))
        source = random.Random(3)
        rows = [(source.randrange(20), source.random() < .4, 0) for _ in range(200)]
        above = [(p > q) + (p == q) / 2 for p, near, _ in rows if near for q, other, _ in rows if not other]
        self.assertAlmostEqual(fit_grade.auc_of_grade(rows), sum(above) / len(above))

    def test_calibration(self):
        self.assertEqual([row[2] for row in fit_grade.reliability(self.ROWS, 5)], [1, 1, 1, 2])
        self.assertAlmostEqual(fit_grade.calibration_error(self.ROWS), (.15 + .6 + .5 + .1) / 5)
        self.assertAlmostEqual(fit_grade.log_loss([(.8, True, 0), (.4, False, 0), (0, True, 0)]),
                               -(math.log(.8) + math.log(.6) + math.log(.001)) / 3)

    def test_right_grades_are_no_better_than_chance(self):
        source = random.Random(4)
        rows = [(grade, source.random() < grade, 0) for grade in (source.random() for _ in range(100))]
        self.assertLess(abs(fit_grade.calibration_error(rows) - fit_grade.calibration_error_by_chance(rows)), .06)

    def test_interval_of_a_mean(self):
        rows = [(k % 2, True, 0) for k in range(400)]
        low, high = fit_grade.interval(rows, lambda drawn_rows: sum(row[0] for row in drawn_rows) / len(drawn_rows))
        self.assertTrue(.44 < low < .46 < .54 < high < .56, (low, high))
        self.assertEqual(fit_grade.interval(self.ROWS, lambda _: .25), (.25, .25))


class Model(unittest.TestCase):
    def test_the_committed_curve_is_of_the_chosen_form(self):
        text = fit_grade.MODEL.read_text(encoding='utf-8')
        factor, power = map(float, re.search(r'Odds are ([0-9.]+) \(J / \(1 - J\)\)\^([0-9.]+)\.', text).groups())
        curve = [int(value) for value in re.search(r'kGradeCurve = \{([^}]*)\}', text).group(1).split(',')]
        self.assertEqual((len(curve), curve[0], curve[-1]), (65, 0, 65536))
        for k in range(1, 64):
            odds = factor * (k / (64 - k)) ** power
            self.assertLess(abs(curve[k] - 65536 * odds / (1 + odds)), 40, k)


if __name__ == '__main__':
    unittest.main()
