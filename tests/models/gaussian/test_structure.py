"""Algorithm B against plain local scores; edges against their tests."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fewest._models.gaussian import (
    GaussianScore,
    exclusion_p_values,
    learn_by_exclusion,
    learn_gaussian_b,
)
from fewest._models.graph import Graph


def naive_b(score, d, most):
    parents = [[] for _ in range(d)]
    while True:
        gains = {}
        for child in range(d):
            for parent in range(d):
                trial = [list(p) for p in parents]
                trial[child].append(parent)
                if parent == child or parent in parents[child] or len(trial[child]) > most:
                    continue
                try:
                    _ = Graph(tuple(map(tuple, trial))).order
                except ValueError:
                    continue
                local = score.local(child, trial[child]) - score.local(child, parents[child])
                gains[child, parent] = local
        if not gains or max(gains.values()) <= 1e-9:
            return Graph(tuple(map(tuple, parents)))
        child, parent = next(k for k, v in gains.items() if v >= max(gains.values()) - 1e-9)
        parents[child].append(parent)


@pytest.mark.parametrize("kind", ["bge", "bic"])
@pytest.mark.parametrize("most", [1, 2, 5])
def test_like_the_naive_way(kind, most):
    rng = np.random.default_rng(most)
    rows = rng.normal(size=(80, 5)) @ (np.eye(5) + np.triu(rng.normal(size=(5, 5)), 1))
    score = GaussianScore.of(rows, kind)
    assert learn_gaussian_b(score, most) == naive_b(score, 5, most)


def test_independent_variables_get_no_arcs_and_copies_do_not_break_it():
    rng = np.random.default_rng(0)
    assert learn_gaussian_b(GaussianScore.of(rng.normal(size=(500, 4)), "bic")).arcs == []
    a = rng.normal(size=50)
    found = learn_gaussian_b(GaussianScore.of(np.column_stack([a, a, np.ones(50)])))
    assert len(found.arcs) >= 1
    assert len(found.order) == 3


RNG = np.random.default_rng(0)
A, B, C = RNG.normal(size=(3, 100))
ROWS = np.column_stack([A, A + B, A + B + 0.5 * C])


def residual_square(child, others):
    design = np.column_stack([np.ones(len(ROWS)), ROWS[:, others]])
    fitted = design @ np.linalg.lstsq(design, ROWS[:, child], rcond=None)[0]
    return ((ROWS[:, child] - fitted) ** 2).sum()


def test_p_values_are_likelihood_ratios_of_regressions():
    p = exclusion_p_values(ROWS)
    for i, j, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        ratio = len(ROWS) * np.log(residual_square(i, [other]) / residual_square(i, [other, j]))
        assert p[i, j] == pytest.approx(stats.chi2.sf(ratio, 1), rel=1e-6)


def test_only_edges_that_are_needed_are_kept():
    assert learn_by_exclusion(ROWS, 0.01).arcs == [(0, 1), (1, 2)]
