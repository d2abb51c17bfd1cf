"""The bands that MinHashLSH chooses for a threshold."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

# The Gauss-Kronrod rule of 21 points (Piessens et al., QUADPACK, 1983): offsets
# from the middle, their weights, and those in the rule of Gauss that has half of them.
_MIDDLE = 0.149445554002916905664936468389821
_POINTS = (
    (0.973906528517171720077964012084452, 0.03255816230796472747881897245939, 0.066671344308688137593568809893332),
    (0.865063366688984510732096688423493, 0.07503967481091995276704314091619, 0.149451349150580593145863396957659),
    (0.679409568299024406234327365114874, 0.109387158802297641899210590325805, 0.219086362515982043995534934228163),
    (0.433395394129247190799265943165784, 0.134709217311473325928054001771707, 0.269266719309996355091226921569469),
    (0.14887433898163121088482600112972, 0.147739104901338491374841515972068, 0.295524224714752870173815619188769),
    (0.995657163025808080735527280689003, 0.011694638867371874278064396062192, 0.0),
    (0.930157491355708226001207180059508, 0.05475589657435199603138130024458, 0.0),
    (0.780817726586416897063717578345042, 0.093125454583697605535065465083366, 0.0),
    (0.562757134668604683339000099272694, 0.123491976262065851077958109585166, 0.0),
    (0.294392862701460198131126603103866, 0.142775938577060080797094273138717, 0.0),
)


@lru_cache(maxsize=256)
def best_bands(
    threshold: float, num_perm: int, false_positive_weight: float, false_negative_weight: float
) -> tuple[int, int]:
    """Returns the number of bands b and their size r, b * r <= num_perm, of least error.

    With P(s) = 1 - (1 - s^r)^b, the chance that sets of similarity s meet, it is the
    weighted sum of the integrals of P below the threshold and of 1 - P above it. Of
    equal ones the first is taken, b and then r ascending.
    """
    weights = (false_positive_weight, false_negative_weight)
    errors_of = _exact_errors if all(weights) else _rounded_errors
    least, best = float("inf"), (0, 0)
    for b, errors in enumerate(errors_of(threshold, num_perm, *weights), 1):
        r = int(np.argmin(errors))
        if errors[r] < least:
            least, best = errors[r], (b, r + 1)
    return best


def _exact_errors(threshold, num_perm, false_positive_weight, false_negative_weight):
    """Yields for each b the errors of all r. P is a polynomial of degree at most num_perm."""
    nodes, weights = np.polynomial.legendre.leggauss(num_perm // 2 + 1)
    nodes, weights = (nodes[:, None] + 1) / 2, weights / 2
    sizes = np.arange(1.0, num_perm + 1)
    below = 1 - (threshold * nodes) ** sizes
    above = 1 - (threshold + (1.0 - threshold) * nodes) ** sizes
    for b in range(1, num_perm + 1):
        sizes_left = num_perm // b
        false_positives = weights @ (1 - below[:, :sizes_left] ** b)
        false_negatives = weights @ (above[:, :sizes_left] ** b)
        yield (
            threshold * false_positives * false_positive_weight
            + (1.0 - threshold) * false_negatives * false_negative_weight
        )


def _rounded_errors(threshold, num_perm, false_positive_weight, false_negative_weight):
    """Yields what _exact_errors does where only one kind of error has weight.

    There the least errors are 0 but for rounding, which then decides: so they are
    computed step by step as datasketch and the rule that it integrates by do.
    """
    for b in map(float, range(1, num_perm + 1)):
        errors = []
        for r in map(float, range(1, int(num_perm / b) + 1)):
            if false_negative_weight == 0.0:
                error = _integral(lambda s: 1 - (1 - s**r) ** b, 0.0, threshold)
            else:
                error = _integral(lambda s: 1 - (1 - (1 - s**r) ** b), threshold, 1.0)
            errors.append(error)
        yield errors


def _integral(value: Callable[[float], float], begin: float, end: float) -> float:
    whole, is_sure = _by_rule(value, begin, end)
    if is_sure:
        return whole
    middle = 0.5 * (begin + end)
    return _by_rule(value, begin, middle)[0] + _by_rule(value, middle, end)[0]


def _by_rule(value: Callable[[float], float], begin: float, end: float) -> tuple[float, bool]:
    """Returns the integral by the rule, and whether its estimated error says anything."""
    middle, half = 0.5 * (begin + end), 0.5 * (end - begin)
    at_middle = value(middle)
    total, coarse, values = _MIDDLE * at_middle, 0.0, []
    for offset, weight, coarse_weight in _POINTS:
        left, right = value(middle - half * offset), value(middle + half * offset)
        values.append((weight, left, right))
        total += weight * (left + right)
        coarse += coarse_weight * (left + right)
    mean = total * 0.5
    spread = _MIDDLE * abs(at_middle - mean)
    for weight, left, right in values:
        spread += weight * (abs(left - mean) + abs(right - mean))
    return total * half, spread == 0 or 200 * abs(total - coarse) < spread
