"""Parent sets that matter against all parent sets, scored by the formulas."""

from itertools import combinations

import numpy as np
import pytest

from fewest.networks._parent_sets import find_parent_sets
from tests.naive import discrete_models

CARDS = [2, 3, 2, 2, 3, 2]


@pytest.mark.parametrize(("name", "slow"), [("k2", "k2"), ("bic", "bic"), ("bdeu", "bde")])
@pytest.mark.parametrize("most", [None, 2])
def test_sets_are_those_that_beat_all_their_subsets(name, slow, most):
    rng = np.random.default_rng(1)
    rows = np.stack([rng.integers(0, r, 80) for r in CARDS], axis=1)
    rows[:50, 2] = rows[:50, 0] ^ rows[:50, 3]
    rows[:60, 5] = rows[:60, 2]
    found = find_parent_sets(rows, np.array(CARDS), score=name, max_parents=most)
    listed = rows.tolist()
    for child in range(6):
        others = [j for j in range(6) if j != child]
        largest = 5 if most is None else most
        scores = {
            p: discrete_models.family_score(listed, CARDS, child, p, slow)
            for k in range(largest + 1)
            for p in combinations(others, k)
        }
        expected = {
            p: s
            for p, s in scores.items()
            if all(s > t + 1e-9 for q, t in scores.items() if set(q) < set(p))
        }
        own = range(found.starts[child], found.starts[child + 1])
        masks = [tuple(j for j in range(6) if int(found.sets[k]) >> j & 1) for k in own]
        assert set(masks) == set(expected)
        assert found.scores[own.start : own.stop] == pytest.approx([expected[p] for p in masks])
        assert (np.diff(found.scores[own.start : own.stop]) <= 0).all()
        top, mask = found.best(child, 0)
        assert mask == 0
        assert top == pytest.approx(scores[()])


def test_penalised_sets_are_not_lost_by_the_limit_on_cases():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (200, 9))
    rows[:, 8] = rows[:, :4].sum(axis=1) % 2
    found = find_parent_sets(rows, np.full(9, 2), score="bic")
    assert found.best(8, (1 << 8) - 1)[1] == 0b1111


def test_it_ends_early_when_it_is_late():
    rows = np.random.default_rng(0).integers(0, 2, (30, 5))
    for looks in range(6):  # one per call: the counts, then each of five children
        left = iter([False] * looks)
        assert (
            find_parent_sets(rows, np.full(5, 2), late=lambda left=left: next(left, True)) is None
        )
