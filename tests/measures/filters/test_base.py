import json
from pathlib import Path

import numpy as np
import pytest

from fewest.data.table import Table
from fewest.measures.filters.cfs import CFS
from fewest.measures.filters.cmim import CMIM
from fewest.measures.filters.koller_sahami import KollerSahami
from fewest.measures.filters.mrmr import JMI, MRMR
from fewest.measures.filters.rankings import GainRatio, InformationGain, SymmetricUncertainty
from fewest.measures.filters.relief import ReliefF
from tests.measures.networks.xor_example import names, xor_example
from tests.naive import filters
from tests.naive.entropies import entropy, information
from tests.oracles.weka import ask_weka, needs_weka, write_arff

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "oracles" / "weka_cfs.json").read_text(encoding="utf-8")
)


def _every_subset(d):
    return np.array([[(s >> i) & 1 for i in range(d)] for s in range(2**d)], dtype=bool)


def _random_table(seed, n=80):
    rng = np.random.default_rng(seed)
    values = np.column_stack([rng.integers(0, r, n) for r in (2, 3, 4, 2, 3, 2)]).astype(float)
    target = ((values[:, 0] + values[:, 1] + rng.integers(0, 2, n)) % 2).astype(int)
    values[:, 4] = np.where(rng.random(n) < 0.7, values[:, 1], values[:, 4])
    values[:, 5] = np.where(rng.random(n) < 0.8, target, values[:, 5])
    levels = tuple(tuple(range(r)) for r in (2, 3, 4, 2, 3, 2))
    return Table(tuple("abcdef"), values, levels, target, np.array(["no", "yes"]))


def weka_table():
    """A nominal table that needs no random numbers, so that figures for it can be kept."""
    i = np.arange(60)
    values = np.column_stack([i % 2, i % 3, (i * i) % 5 % 4, i // 30, (i * 7) % 11 % 3])
    target = ((i % 2) + (i // 20) + (i % 7 == 0)) % 3
    levels = tuple(tuple(range(int(v.max()) + 1)) for v in values.T)
    return Table(tuple("abcde"), values.astype(float), levels, target, np.array(["x", "y", "z"]))


def _forward_order(scorer, d):
    """All features, each time the one with the largest value: what forward selection does."""
    chosen = []
    while len(chosen) < d:
        left = [f for f in range(d) if f not in chosen]
        steps = np.zeros((len(left), d), dtype=bool)
        for row, f in enumerate(left):
            steps[row, [*chosen, f]] = True
        chosen.append(left[int(np.argmax(scorer.score(steps).value.round(10)))])
    return chosen


def test_cfs_merit_equals_the_naive_one_on_every_subset():
    table = _random_table(0)
    subsets = _every_subset(6)
    merits = CFS().bind(table).score(subsets).value
    columns = list(table.values.T)
    for row, merit in zip(subsets, merits, strict=True):
        inside = [c for c, chosen in zip(columns, row, strict=True) if chosen]
        assert merit == pytest.approx(filters.cfs_merit(inside, table.target), abs=1e-10)


def test_cfs_merit_equals_the_kept_figures_of_weka():
    subsets = np.array([[int(c) for c in row] for row in REFERENCE["subsets"]], dtype=bool)
    # Two features of the table are exactly independent, which Weka counts as correlation 1.
    merits = CFS(independent=1.0).bind(weka_table()).score(subsets).value
    np.testing.assert_allclose(merits, REFERENCE["merits"], atol=1e-6)


@needs_weka
def test_cfs_merit_equals_weka_on_every_subset(tmp_path):
    for number, table in enumerate([weka_table(), _random_table(1), xor_example()]):
        subsets = _every_subset(table.n_features)[1:]
        words = ["".join(map(str, row.astype(int))) for row in subsets]
        path = write_arff(tmp_path / f"{number}.arff", table)
        merits = [float(line) for line in ask_weka("cfs", path, *words)]
        ours = CFS(independent=1.0).bind(table).score(subsets).value
        np.testing.assert_allclose(ours, merits, atol=1e-6)
        if number == 1:  # no two features are exactly independent: as it is by default
            ours = CFS().bind(table).score(subsets).value
            np.testing.assert_allclose(ours, merits, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("measure", "naive"),
    [(MRMR, filters.mrmr_order), (JMI, filters.jmi_order), (CMIM, filters.cmim_order)],
)
def test_forward_selection_gives_the_classical_order(measure, naive, seed):
    table = _random_table(seed)
    expected = naive(list(table.values.T), table.target)
    assert _forward_order(measure().bind(table), 6) == expected


def test_rankings_are_sums_of_their_scores_less_the_threshold():
    table = _random_table(4)
    c = table.target
    each = np.eye(6, dtype=bool)
    gain = np.array([information(a, c) for a in table.values.T])
    own = np.array([entropy(a) for a in table.values.T])
    for measure, expected in [
        (InformationGain, gain),
        (GainRatio, gain / own),
        (SymmetricUncertainty, 2 * gain / (own + entropy(c))),
    ]:
        scores = measure(threshold=0.01).bind(table).score(each).value
        np.testing.assert_allclose(scores, expected - 0.01, atol=1e-12)
        both = measure(threshold=0.01).bind(table).score(each[:1] | each[1:2]).value[0]
        assert both == pytest.approx(scores[0] + scores[1])


def test_a_constant_feature_is_worth_nothing_to_any_filter():
    table = _random_table(5)
    values = table.values.copy()
    values[:, 2] = 0.0
    flat = Table(table.names, values, table.levels, table.target, table.classes)
    alone = np.eye(6, dtype=bool)[2:3]
    with_f = np.array([[False, False, False, False, False, True]])
    both = with_f | alone
    for measure in (CFS, MRMR, JMI, CMIM, InformationGain, GainRatio, KollerSahami, ReliefF):
        scorer = measure().bind(flat)
        assert scorer.score(alone).value[0] <= 0.0
        if measure not in (MRMR, JMI):
            assert scorer.score(both).value[0] <= scorer.score(with_f).value[0]


@pytest.mark.parametrize("neighbours", [1, 2])
@pytest.mark.parametrize("gamma", [0.01, 0.05, 0.2])
def test_koller_sahami_keeps_what_the_naive_elimination_keeps(gamma, neighbours):
    for seed in range(3):
        table = _random_table(seed)
        subsets = _every_subset(6)
        value = KollerSahami(gamma=gamma, neighbours=neighbours).bind(table).score(subsets).value
        best = np.flatnonzero(subsets[np.argmax(value)]).tolist()
        expected = filters.koller_sahami(list(table.values.T), table.target, gamma, neighbours)
        assert best == expected


def test_filters_that_look_at_pairs_drop_the_exclusive_or():
    example = xor_example(100)
    subsets = _every_subset(8)
    for measure in (KollerSahami(), CFS()):
        best = subsets[np.argmax(measure.bind(example).score(subsets).value)]
        assert not names(best) & {"A1", "A4"}


def test_relieff_weights_equal_the_naive_ones():
    rng = np.random.default_rng(6)
    n = 40
    values = np.column_stack([rng.random(n), rng.random(n), rng.integers(0, 3, n)])
    target = (values[:, 0] + 0.3 * rng.random(n) > 0.6).astype(int) + (values[:, 2] == 2)
    levels = (None, None, (0, 1, 2))
    table = Table(("u", "v", "w"), values.copy(), levels, target, np.array([0, 1, 2]))
    values[:, :2] -= values[:, :2].min(axis=0)
    values[:, :2] /= values[:, :2].max(axis=0)
    expected = filters.relief(values.tolist(), [False, False, True], target.tolist(), 5)
    found = ReliefF(neighbours=5).bind(table).score(np.eye(3, dtype=bool)).value
    np.testing.assert_allclose(found, expected, atol=1e-12)


@needs_weka
def test_relieff_weights_equal_weka(tmp_path):
    rng = np.random.default_rng(7)
    values = rng.random((60, 4))
    target = (values[:, 0] + values[:, 1] > 1).astype(int)
    values[rng.random(values.shape) < 0.05] = np.nan
    table = Table(tuple("abcd"), values, (None,) * 4, target, np.array(["n", "y"]))
    path = write_arff(tmp_path / "relief.arff", table)
    weights = [float(line) for line in ask_weka("relieff", path, 10)]
    found = ReliefF(neighbours=10).bind(table).score(np.eye(4, dtype=bool)).value
    np.testing.assert_allclose(found, weights, atol=1e-9)


def test_relieff_finds_the_exclusive_or_that_the_pairs_hide():
    example = xor_example()
    weights = ReliefF(neighbours=3).bind(example).score(np.eye(8, dtype=bool)).value
    assert min(weights[0], weights[3]) > max(weights[4], weights[6])
