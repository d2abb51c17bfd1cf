"""The bands that MinHashLSH chooses for a threshold."""

from __future__ import annotations

from functools import lru_cache

import numpy as np


@lru_cache(maxsize=256)
def best_bands(
    threshold: float, num_perm: int, false_positive_weight: float, false_negative_weight: float
) -> tuple[int, int]:
    """Returns the number of bands b and their size r, b * r <= num_perm, of least error.

    With P(s) = 1 - (1 - s^r)^b, the chance that sets of similarity s meet, it is the
    weighted sum of the integrals of P below the threshold and of 1 - P above it. Of
    equal ones the first is taken, b and then r ascending.
    """
    # P is a polynomial of degree b * r at most num_perm, for which this is exact.
    nodes, weights = np.polynomial.legendre.leggauss(num_perm // 2 + 1)
    nodes, weights = (nodes + 1) / 2, weights / 2
    sizes = np.arange(1.0, num_perm + 1)
    misses = [1 - (start + length * nodes[:, None]) ** sizes for start, length in
              ((0.0, threshold), (threshold, 1.0 - threshold))]
    least, best = float("inf"), (0, 0)
    for b in range(1, num_perm + 1):
        below, above = (miss[:, : num_perm // b] ** float(b) for miss in misses)
        false_positive = threshold * (weights @ (1 - below))
        false_negative = (1.0 - threshold) * (weights @ (1 - (1 - above)))
        errors = (
            false_positive * false_positive_weight + false_negative * false_negative_weight
        )
        r = int(np.argmin(errors))
        if errors[r] < least:
            least, best = errors[r], (b, r + 1)
    return best
