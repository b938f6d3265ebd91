import numpy as np
import pytest

from fewest._kernels.bayes.tan_accuracy import log_joints, right_rows, spanning_trees
from tests.naive import right_rows as naive
from tests.naive.spanning_tree import edges_of_maximum_tree


def _case(seed, n, unknown):
    rng = np.random.default_rng(seed)
    sizes = [2, 3, 4, 2]
    codes = np.stack([rng.integers(0, r, n) for r in sizes]).astype(np.int32)
    codes[:, rng.random(n) < unknown] = -1
    codes[0] = rng.integers(0, 2, n)
    target = rng.integers(0, 3, n)
    return rng, sizes, codes, target


@pytest.mark.parametrize("unknown", [0.0, 0.2])
@pytest.mark.parametrize(("n", "impossible"), [(60, 0.0), (1100, 0.0), (60, 0.5)])
def test_right_rows_equal_the_naive_ones(n, impossible, unknown):
    rng, sizes, codes, target = _case(0, n, unknown)
    prior = np.array([0.3, 0.45, 0.25])
    arcs = [(0, -1), (1, 0), (2, 1), (2, -1), (3, 2)]
    tables = []
    for child, parent in arcs:
        shape = (3, 1 if parent < 0 else sizes[parent], sizes[child])
        table = rng.random(shape) * (rng.random(shape) >= impossible)
        tables.append(table)
    members = [{0: 0}, {0: 0, 1: 1, 2: 2}, {2: 3, 3: 4}, {}]
    arc_of = np.array([[chosen.get(j, -1) for j in range(4)] for chosen in members])
    with np.errstate(divide="ignore"):
        logs = np.concatenate([np.log(t).reshape(3, -1) for t in tables], axis=1)
    starts = np.cumsum([0, *(t[0].size for t in tables)])[:-1]
    wide = np.array([(c, p, sizes[c]) for c, p in arcs])
    holes = (codes < 0).any(axis=1)
    found = right_rows(codes, target, holes, np.log(prior), wide, starts, logs, arc_of)
    for m, chosen in enumerate(members):
        slow = {
            j: (
                None if arcs[a][1] < 0 else arcs[a][1],
                lambda c, p, v, table=tables[a]: table[c, 0 if p is None else p, v],
            )
            for j, a in chosen.items()
        }
        expected = naive.right_rows(codes.T.tolist(), target.tolist(), prior.tolist(), slow)
        assert found[m] == expected
        if unknown == 0.0:
            totals = log_joints(codes, np.log(prior), wide, starts, logs, arc_of)
            rows = [naive.joint_logs(row, prior.tolist(), slow) for row in codes.T.tolist()]
            np.testing.assert_allclose(totals[m].T, rows)


def test_trees_of_many_subsets():
    rng = np.random.default_rng(1)
    weights = rng.random((6, 6))
    weights += weights.T
    subsets = rng.random((5, 6)) < 0.6
    for row, parents in zip(subsets, spanning_trees(weights, subsets), strict=True):
        edges = {(min(v, p), max(v, p)) for v, p in enumerate(parents.tolist()) if p >= 0}
        assert edges == edges_of_maximum_tree(weights, row)
