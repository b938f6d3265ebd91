"""Class statistics against the slow obvious way, compiled or not."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from fewest._kernels.bayes.class_margins import gather_columns, judge, judge_masks, value_margins
from fewest._kernels.bayes.class_statistics import class_evidence, class_moments, level_counts
from fewest._kernels.bayes.hits import count_hits, hits_in_folds, row_hashes
from fewest._kernels.bayes.sparse_margins import (
    judge_sparse_steps,
    sparse_base,
    sparse_class_moments,
    sparse_evidence,
)
from fewest._kernels.bayes.tan_accuracy import log_joints, right_rows, spanning_trees
from fewest._kernels.bayes.tan_likelihood import conditional_log_likelihoods
from fewest._kernels.bayes.totals import evidence_totals, normal_totals
from tests.naive import right_rows as naive
from tests.naive.class_statistics import naive_evidence, naive_level_counts, naive_moments
from tests.naive.conditional_likelihood import conditional_log_likelihood
from tests.naive.margins import naive_judge, naive_judge_parts, naive_margins
from tests.naive.naive_bayes import fold_accuracies
from tests.naive.spanning_tree import edges_of_maximum_tree
from tests.naive.sparse import margins as naive_sparse
from tests.naive.totals import naive_normal_totals, naive_totals


def _table(rng, n=30, d=4):
    values = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d)
    values[rng.random((n, d)) < 0.2] = np.nan
    values[:, 2] = 0.1
    return values, rng.integers(0, 3, n), rng.integers(0, 4, n) * 0.5


def test_moments():
    rng = np.random.default_rng(0)
    for _ in range(5):
        values, target, weight = _table(rng)
        for got, expected in zip(
            class_moments(values, target, weight, 3),
            naive_moments(values, target, weight, 3),
            strict=True,
        ):
            assert_allclose(got, expected, rtol=1e-10, atol=1e-12)


def test_moments_of_a_column_do_not_depend_on_its_neighbours():
    values, target, weight = _table(np.random.default_rng(1))
    whole = class_moments(values, target, weight, 3)
    for j in range(4):
        alone = class_moments(np.ascontiguousarray(values[:, [j]]), target, weight, 3)
        for a, b in zip(whole, alone, strict=True):
            assert_array_equal(a[:, [j]], b)


def test_level_counts():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 5, (30, 3)).astype(float)
    codes[rng.random((30, 3)) < 0.2] = np.nan
    target, weight = rng.integers(0, 3, 30), rng.integers(0, 4, 30) * 0.5
    assert_array_equal(
        level_counts(codes, target, weight, 3, 5), naive_level_counts(codes, target, weight, 3, 5)
    )


def test_evidence():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.integers(0, 4, 20), rng.normal(size=(20, 2))]).astype(float)
    values[rng.random((20, 3)) < 0.2] = np.nan
    levels, nominal = rng.normal(size=(3, 3, 2)), np.array([True, False, False])
    mean, variance = rng.normal(size=(2, 3)), rng.random((2, 3)) + 0.1
    variance[:, 2] = np.inf
    assert_allclose(
        class_evidence(values, nominal, levels, mean, variance),
        naive_evidence(values, nominal, levels, mean, variance),
    )


def _members(masks):
    rows, members = np.nonzero(masks)
    return members, np.searchsorted(rows, np.arange(len(masks) + 1))


def test_evidence_totals():
    rng = np.random.default_rng(0)
    evidence, prior = rng.normal(size=(7, 3, 7)) - 1.0, np.log([0.2, 0.3, 0.5])
    masks = rng.random((4, 7)) < 0.7
    size = np.abs(evidence).max(axis=(1, 2))
    totals, slack = evidence_totals(evidence, size, prior, 1e-15, *_members(masks))
    for mask, total in zip(masks, totals, strict=True):
        assert_allclose(total, naive_totals(evidence, prior, np.flatnonzero(mask)))
    assert (slack > 1e-15).all()
    assert (evidence_totals(evidence, size, prior, -1.0, *_members(masks))[1] == -1.0).all()


MASKS = np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]], dtype=bool)


def _normal(seed):
    rng = np.random.default_rng(seed)
    x, prior = rng.normal(size=(4, 6)), np.log([0.4, 0.6])
    return x, prior, rng.normal(size=(2, 4)), rng.random((2, 4)) + 0.1, rng.random(4)


def test_normal_totals():
    x, prior, mean, variance, spread = _normal(1)
    more = 0.1 * np.where(MASKS, spread, 0.0).max(axis=1)
    shift = np.full(4, 1e-15)
    totals, slack = normal_totals(x, prior, mean, variance, more, 1e-15, shift, *_members(MASKS))
    for mask, total in zip(MASKS, totals, strict=True):
        members = np.flatnonzero(mask)
        assert_allclose(total, naive_normal_totals(x, prior, mean, variance, spread, 0.1, members))
    assert (slack > 0.0).all()


def test_columns_of_infinite_variance_say_nothing():
    x, prior, mean, variance, _ = _normal(2)
    variance[:, 2] = np.inf
    nothing, rest = np.zeros(3), (1e-15, np.zeros(4), *_members(MASKS))
    totals, _ = normal_totals(x, prior, mean, variance, nothing, *rest)
    expected = naive_normal_totals(x, prior, mean, variance, np.zeros(4), 0.0, [0, 1, 3])
    assert_allclose(totals[2], expected)


def test_errors_of_the_statistics_stay_within_the_slack():
    rng = np.random.default_rng(0)
    for seed in range(20):
        x, prior, mean, variance, _ = _normal(seed)
        members = _members(MASKS)
        nothing, unit, shift = np.zeros(3), 1e-5, np.full(4, 1e-5)
        totals, slack = normal_totals(x, prior, mean, variance, nothing, unit, shift, *members)
        moved = mean + shift * rng.choice([-1.0, 1.0], mean.shape)
        wider = variance * (1.0 + unit * rng.choice([-1.0, 1.0], variance.shape))
        other, _ = normal_totals(x, prior, moved, wider, nothing, unit, shift, *members)
        ahead = np.abs((totals[:, 1] - totals[:, 0]) - (other[:, 1] - other[:, 0]))
        assert (ahead <= slack).all()
        assert (slack < 1e-2).all()


def test_hits_are_those_of_a_plain_argmax():
    rng = np.random.default_rng(0)
    evidence = rng.normal(size=(4, 3, 50))
    prior, target = np.log([0.2, 0.3, 0.5]), rng.integers(0, 3, 50).astype(float)
    weight = rng.integers(1, 4, 50).astype(float)
    subsets = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(16)])
    found = count_hits(evidence, prior, target, weight, subsets)
    for subset, hits in zip(subsets, found, strict=True):
        said = (prior[:, None] + evidence[subset].sum(axis=0)).argmax(axis=0)
        assert hits == weight[said == target].sum()


def test_hits_in_folds_are_those_of_naive_bayes_trained_on_the_other_folds():
    rng = np.random.default_rng(3)
    target = rng.integers(0, 3, 90)
    codes = (target[:, None] + rng.integers(0, 3, (90, 3))) % (2, 3, 4)
    codes[rng.random(codes.shape) < 0.1] = -1
    fold = rng.permutation(np.arange(90) % 5)
    found = hits_in_folds(codes, np.array([0, 2, 5, 9]), target, fold, 5, 3)
    rows = [[None if code < 0 else str(code) for code in row] for row in codes]
    folds = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(5)]
    assert found == round(18 * sum(fold_accuracies(rows, target, folds, range(3), 0.1)))


def test_rows_hash_by_content_alone():
    values = np.array([[1.0, np.nan], [0.0, 2.0], [-0.0, 2.0], [1.0, 0.0]])
    target = np.array([0.0, 1.0, 1.0, 0.0])
    hashes = row_hashes(values, target)
    assert hashes[1] == hashes[2]
    assert len(set(hashes.tolist())) == 3
    assert row_hashes(values[::-1].copy(), target[::-1].copy()).tolist() == hashes[::-1].tolist()
    assert row_hashes(values, target + 1.0)[0] != hashes[0]


def _rows(rng, classes, n=20):
    target = np.sort(rng.integers(0, classes, n))
    evidence = rng.normal(size=(9, classes, n)).round(1)
    return target, evidence, rng.normal(size=classes).round(1)


def _candidates(rng, d, m=6):
    masks = rng.random((m, d)) < 0.5
    masks[:, 0] |= ~masks.any(axis=1)
    return masks


def _members_of(masks):
    rows, members = np.nonzero(masks)
    return members, np.ones(len(members)), np.searchsorted(rows, np.arange(len(masks) + 1))


def _judge(rivals, margins, base, tolerance, masks, dense=False):
    n = len(base) // rivals
    right, doubtful = np.zeros((2, 2, len(masks)), np.int64)
    given = margins, base, tolerance, rivals, np.array([0, n // 3, n])
    if dense:
        judge_masks(*given, masks.astype(np.float64), right, doubtful)
    else:
        judge(*given, *_members_of(masks), right, doubtful)
    return right.sum(axis=0), doubtful.sum(axis=0)


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize(("classes", "m"), [(2, 6), (4, 6), (4, 9000)])
def test_sums_are_judged_as_in_the_slow_way(classes, m, dense):
    rng = np.random.default_rng(classes)
    target, evidence, log_prior = _rows(rng, classes)
    masks = _candidates(rng, 9, m)
    total = np.zeros((2, len(masks)), np.int64)
    for low, high in ((0, 13), (13, 20)):
        margins, base, _ = naive_margins(evidence, log_prior, target, low, high)
        tolerance = np.full(len(base), 0.05)
        total += _judge(classes - 1, np.array(margins), np.array(base), tolerance, masks, dense)
    assert_array_equal(total, naive_judge(evidence, log_prior, target, masks, 0.05))


def test_a_margin_that_is_no_number_is_doubtful():
    margins = np.array([[np.nan, 1.0, -1.0]])
    counts = _judge(1, margins, np.zeros(3), np.zeros(3), np.ones((1, 1), dtype=bool))
    assert_array_equal(np.ravel(counts), [1, 1])


@pytest.mark.parametrize("classes", [2, 4])
def test_steps_are_judged_as_the_subsets_they_stand_for(classes):
    rng = np.random.default_rng(classes)
    target, evidence, log_prior = _rows(rng, classes)
    width = (classes - 1) * 20
    margins, base, _ = map(np.array, naive_margins(evidence, log_prior, target, 0, 20))
    inside = np.arange(9) % 3 == 0
    masks = inside ^ np.eye(9, dtype=bool)
    right, doubtful = np.zeros((2, 3, 9), np.int64)
    parts = np.array([0, 6, 6, 20])
    tolerance = np.full(width, 0.05)
    start = base + margins[inside].sum(axis=0)
    judge(
        margins, start, tolerance, classes - 1, parts, np.arange(9), np.where(inside, -1.0, 1.0),
        np.arange(10), right, doubtful,
    )  # fmt: skip
    expected = naive_judge_parts(evidence, log_prior, target, masks, 0.05, parts)
    assert_array_equal([right, doubtful], expected)


def small(seed, n_classes):
    rng = np.random.default_rng(seed)
    values = rng.normal(2, 1, size=(20, 4)) * (rng.random((20, 4)) < 0.4)
    target = np.sort(rng.integers(0, n_classes, 20))
    target[:n_classes] = np.arange(n_classes)
    return values, np.sort(target)


def parts(values):
    matrix = sparse.csc_matrix(values)
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data


@pytest.mark.parametrize("n_classes", [2, 3])
def test_moments_of_sparse_margins(n_classes):
    values, target = small(1, n_classes)
    found = sparse_class_moments(*parts(values), target, n_classes)
    expected = naive_moments(values, target, np.ones(20), n_classes)
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_margins_and_counts_of_steps(seed, n_classes):
    values, target = small(seed, n_classes)
    indptr, indices, data = parts(values)
    _, mean, variance = sparse_class_moments(indptr, indices, data, target, n_classes)
    mean, variance = mean[:-1], np.maximum(variance[:-1], 0.05)
    variance[:, 3] = np.inf
    zero, more, largest = sparse_evidence(indptr, data, mean, variance)
    assert largest[3] == 0.0
    prior = np.log(np.bincount(target) / 20)
    bounds = np.searchsorted(target, np.arange(n_classes + 1)).astype(np.int64)
    found = np.empty((n_classes - 1, 20))
    sparse_base(np.array([0, 2]), prior, bounds, zero, indptr, indices, more, found)
    assert_allclose(
        found.T,
        naive_sparse(values, mean, variance, prior, target, [0, 2]),
        atol=1e-10,
    )
    units, gains = np.array([1, 3, 2]), np.array([1, 1, -1])
    right, doubtful = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    slack = np.array([1e-9, 1e-9, 0.3])
    judge_sparse_steps(
        found, bounds, zero, indptr, indices, more, units, gains, slack, right, doubtful
    )
    for step, subset in enumerate(([0, 1, 2], [0, 2, 3], [0])):
        told = np.array(naive_sparse(values, mean, variance, prior, target, subset)).min(axis=1)
        assert right[step] == (told > slack[step]).sum()
        assert doubtful[step] == (np.abs(told) <= slack[step]).sum()


def _value_rows(classes, n=24, seed=0):
    rng = np.random.default_rng(seed)
    target = np.sort(rng.integers(0, classes, n))
    values = np.column_stack([rng.normal(size=(n, 2)), rng.integers(0, 4, n), np.full(n, 3.0)])
    values[rng.random(values.shape) < 0.2] = np.nan
    levels = np.zeros((4, 3, classes))
    levels[2] = np.log(rng.random((3, classes)))
    mean, variance = rng.normal(size=(classes, 4)), rng.random((classes, 4)) + 0.2
    variance[:, 3] = np.inf
    return values, target, np.array([False, False, True, False]), levels, mean, variance


def _margins(case, prior, columns=(0, 1, 2, 3), more=0.0, unit=0.0, rough=0.0, shift=0.0):
    values, target, nominal, levels, mean, variance = case
    bounds = np.searchsorted(target, np.arange(len(prior) + 1))
    size = (len(prior) - 1) * len(target)
    margins, base, tolerance = np.zeros((len(columns), size)), np.empty(size), np.empty(size)
    x = np.ascontiguousarray(values[:, columns].T)
    value_margins(
        x, np.array(columns), bounds, np.array(prior), nominal, levels, mean, variance, more, unit,
        rough, np.full(4, shift), margins, base, tolerance,
    )  # fmt: skip
    return margins, base, tolerance


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("columns", [(0, 1, 2, 3), (2, 0)])
def test_margins_are_those_of_the_slow_way(classes, columns):
    case = _value_rows(classes)
    values, target, nominal, levels, mean, variance = case
    prior = np.log(np.arange(1.0, classes + 1))
    margins, base, tolerance = _margins(case, prior, columns, more=0.5)
    evidence = naive_evidence(values, nominal, levels, mean, variance + 0.5)
    wanted, start, _ = naive_margins(evidence, prior, target, 0, len(target))
    assert_allclose(margins, np.array(wanted)[list(columns)], atol=1e-12)
    assert_allclose(base, start, atol=1e-12)
    assert not tolerance.any()


@pytest.mark.parametrize("seed", range(5))
def test_errors_of_the_statistics_stay_within_the_tolerance(seed):
    case, prior = _value_rows(3, seed=seed), np.zeros(3)
    rng = np.random.default_rng(seed)
    *rest, mean, variance = case
    moved = mean + 1e-5 * rng.choice([-1.0, 1.0], mean.shape)
    wider = variance * (1.0 + 1e-5 * rng.choice([-1.0, 1.0], variance.shape))
    margins, _, tolerance = _margins(case, prior, rough=1e-5, shift=1e-5)
    other, _, _ = _margins((*rest, moved, wider), prior)
    difference = np.abs(margins - other).sum(axis=0)
    assert (difference <= tolerance).all()
    assert (tolerance < 1e-2).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_a_class_that_is_ruled_out_is_behind_whatever_others_say(classes):
    case, prior = _value_rows(classes, n=60), np.log(np.arange(1.0, classes + 1))
    values, target, nominal, levels, *_ = case
    levels[2, 0, 1:], levels[2, 1, 0] = -np.inf, -np.inf
    margins, base, tolerance = _margins(case, prior, unit=1e-12)
    assert np.isfinite(margins).all()
    assert (tolerance < 1e-6).all()
    evidence = naive_evidence(values, nominal, levels, *case[4:])
    for columns in ([2], [0, 2], [0, 1, 2]):
        sums = np.array(evidence)[columns].sum(axis=0) + prior[:, None]
        ahead = (base + margins[columns].sum(axis=0)).reshape(classes - 1, -1).min(axis=0)
        assert_array_equal(ahead > 0.0, sums.argmax(axis=0) == target)


#: Gathered columns are those of numpy, whatever the type and the number of rows.
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 7, 8, 21])
def test_some_rows_by_column(dtype, n):
    rng = np.random.default_rng(n)
    values, rows = rng.normal(size=(30, 3)).astype(dtype), rng.permutation(30)[:n]
    out, columns = np.empty((2, n)), np.array([2, 0])
    gather_columns(values, rows, columns, out)
    assert_array_equal(out, values[rows][:, columns].T)


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


def some_rows(seed=0, n=80):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, r, n) for r in (2, 3, 2, 4)]).astype(np.uint8)
    target = rng.integers(0, 3, n)
    codes[0, :50] = target[:50] % 2
    codes[2, :60] = codes[0, :60]
    edges = rng.random((4, 4))
    return codes, target, edges + edges.T


@pytest.mark.parametrize("tree", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_are_those_of_the_definition(tree, weighted):
    codes, target, edges = some_rows()
    sizes = np.array([2, 3, 2, 4])
    weight = np.ones(80)
    if weighted:
        weight = np.random.default_rng(1).integers(1, 4, 80).astype(float)
    subsets = np.array([[c >> j & 1 for j in range(4)] for c in range(16)], dtype=bool)
    found = conditional_log_likelihoods(codes, sizes, target, 3, weight, edges, tree, subsets)
    for subset, value in zip(subsets, found, strict=True):
        chosen = np.flatnonzero(subset).tolist()
        arcs = edges_of_maximum_tree(edges, subset) if tree else set()
        slow = conditional_log_likelihood(
            codes.T.tolist(), target.tolist(), weight.tolist(), chosen, arcs
        )
        assert value == pytest.approx(slow)


def test_nothing_known_is_the_entropy_of_the_class():
    codes, target, edges = some_rows()
    none = np.zeros((1, 4), dtype=bool)
    sizes = np.array([2, 3, 2, 4])
    (found,) = conditional_log_likelihoods(codes, sizes, target, 3, np.ones(80), edges, True, none)
    counts = np.bincount(target)
    assert found == pytest.approx(sum(n * log2(n / 80) for n in counts))
