"""Driving a search, functions, tables and results for tests."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.search._spaces.subsets import Subsets
from fewest.testing import (
    TOY_TABLES,
    MonotoneTableMeasure,
    TableMeasure,
    drive,
    mixed_table,
    monotone_values,
    number_table,
    parity_table,
    random_values,
    toy_table,
)
from fewest.testing import _test_functions as f
from fewest.testing._results import toy_comparison, toy_result, toy_validation
from tests.testing.searches import Everything, Plain


# The smallest loop that runs a search.
def test_drive_counts_different_candidates_and_stops():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=3))
    done = drive(Plain(), Subsets(3), scorer, 0, max_batches=5)
    assert len(done.batches) == 5
    assert not done.ended
    assert done.verdict is None
    assert done.evaluations == 8
    assert len(done.candidates) == 100
    assert done.best_value == 3.0
    assert done.answer.all()


def test_a_search_that_ends_has_a_verdict():
    values = {(0,): 1.0, (0, 1): 1.0, (2,): 0.5}
    scorer = TableMeasure(values, default=0.0).bind(toy_table(n_features=3))
    done = drive(Everything(), Subsets(3), scorer)
    assert done.ended
    assert done.verdict.optimal
    assert len(done.batches) == 1
    # Of two equally good subsets the smaller one is the answer.
    assert done.answer.tolist() == [True, False, False]


def test_parameters_are_checked_and_an_answer_must_be_feasible():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=3))
    with pytest.raises(InputError, match="`size` of Plain must be"):
        drive(Plain(size=0), Subsets(3), scorer)
    none = drive(Plain(), Subsets(3), scorer, max_batches=0)
    with pytest.raises(AssertionError, match="no feasible candidate"):
        none.best_value  # noqa: B018


# The benchmark functions: values by hand, optima, and runs that count evaluations.
def test_values_by_hand():
    bits = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 1]])
    assert f.onemax(bits).tolist() == [3, 3]
    assert f.deceptive_3(bits) == pytest.approx([1.9, 0.8])
    assert f.trap(bits, 3).tolist() == [5, 1]
    # A 2 x 2 grid whose borders meet counts each pair twice.
    assert f.ising(np.array([[1, 1, 0, 0], [1, 1, 1, 1]])).tolist() == [4, 8]
    x = np.array([[1.0, 2.0]])
    assert f.sphere(x)[0] == -5
    assert f.rosenbrock(x)[0] == -100
    assert f.slope(x)[0] == 3
    assert f.griewangk(x)[0] == pytest.approx(-(5 / 4000 - np.cos(1) * np.cos(2 / 2**0.5) + 1))
    assert f.cancellation(x)[0] == pytest.approx(1 / (1e-5 + 1 + 3))


@pytest.mark.parametrize("name", f.FUNCTIONS)
def test_no_candidate_is_better_than_the_best(name):
    function = f.FUNCTIONS[name]
    rows = function.space.sample(500, np.random.default_rng(0))
    assert function.score(function.space.expand(rows)).max() <= function.best


def test_optima():
    for name in ("onemax", "deceptive-3", "trap-5", "ising", "slope"):
        function = f.FUNCTIONS[name]
        ones = np.ones((1, function.n), dtype=int)
        assert function.values(ones)[0] == pytest.approx(function.best)
    for name, x in (("sphere", 0.0), ("griewangk", 0.0), ("rosenbrock", 1.0)):
        function = f.FUNCTIONS[name]
        at = np.full((1, function.n), x)
        assert function.values(at)[0] == pytest.approx(function.best, abs=1e-12)


def test_no_search_starts_at_the_optimum():
    for function in f.FUNCTIONS.values():
        if function.low is None:
            ends = np.array([np.zeros(function.n), np.ones(function.n)])
            assert function.score(ends).max() < function.best - function.tolerance
        elif function.name != "slope":
            middle = np.full((1, function.n), 0.5)
            assert function.score(middle)[0] < function.best - function.tolerance


def test_runs_that_solve_a_function_are_counted_with_their_evaluations():
    found = f.solve("umda", f.FUNCTIONS["onemax"], runs=3)
    assert len(found.evaluations) == 3
    assert 1000 < found.mean < 30_000
    unsolved = f.solve("random", f.FUNCTIONS["trap-5"], runs=2, max_evaluations=2000)
    assert unsolved.evaluations == ()
    assert np.isnan(unsolved.mean)
    assert unsolved.best < 30
    assert f.solve("umda", f.FUNCTIONS["onemax"], runs=3) == found


def test_refuses():
    with pytest.raises(InputError, match="`search` must be one for box .sphere., but umda is"):
        f.solve("umda", f.FUNCTIONS["sphere"])
    with pytest.raises(InputError, match="`function` must be one of onemax"):
        f.function_named("none")


def test_searches_for_bits_and_numbers():
    bits, numbers = (f.searches_for(f.FUNCTIONS[n]) for n in ("onemax", "sphere"))
    assert {"ebna", "ecga", "sfs"} <= set(bits)
    assert not {"abb", "rfe", "exhaustive"} & set(bits)
    assert set(numbers) >= {"egna", "umda-c", "cma-es"}
    assert "ebna" not in numbers


# Values that are looked up.
def test_monotone_values_are_monotone():
    for seed in range(5):
        values = monotone_values(6, seed)
        for subset in range(64):
            for feature in range(6):
                assert values[subset | 1 << feature] >= values[subset]


def test_table_measure_reads_mappings_functions_and_arrays():
    masks = np.array([[True, False], [True, True], [False, False]])
    table = toy_table(n_features=2)
    looked_up = TableMeasure({(0,): 1.0, (0, 1): 2.0}).bind(table).score(masks).value
    np.testing.assert_array_equal(looked_up, [1.0, 2.0, np.nan])
    counted = TableMeasure(np.sum).bind(table).score(masks).value
    np.testing.assert_array_equal(counted, [1.0, 2.0, 0.0])
    indexed = TableMeasure(np.array([0.0, 1.0, 5.0, 2.0])).bind(table).score(masks).value
    np.testing.assert_array_equal(indexed, [1.0, 2.0, 0.0])


def test_table_measure_folds_average_to_the_value():
    scores = TableMeasure(np.sum, folds=5).bind(toy_table()).score(np.eye(5, dtype=bool))
    np.testing.assert_allclose(scores.folds.mean(axis=1), scores.value)
    assert scores.folds.std(axis=1).min() > 0


@pytest.mark.parametrize("lookup", [None, 3, np.zeros(7)])
def test_table_measure_refuses_other_lookups(lookup):
    with pytest.raises(InputError, match="`lookup` must"):
        TableMeasure(lookup).bind(toy_table(n_features=2))


def test_levels_make_ties_and_a_threshold_is_kept():
    assert set(random_values(6, seed=0, levels=4)) == {0.0, 0.25, 0.5, 0.75}
    measure = MonotoneTableMeasure(monotone_values(3), threshold=0.75)
    assert measure.bind(toy_table(n_features=3)).threshold == 0.75


# Toy tables: consistent, and what they show is in them.
@pytest.mark.parametrize("name", TOY_TABLES)
def test_toy_tables_are_consistent(name):
    table = TOY_TABLES[name]()
    assert table.values.shape == (len(table.target), len(table.names))
    for column, levels in zip(table.values.T, table.levels, strict=True):
        if levels is not None:
            known = column[~np.isnan(column)]
            assert set(known) <= set(range(len(levels)))
    if table.classes is not None:
        assert set(table.target) == set(range(table.n_classes))


def test_what_they_show():
    values, target = toy_table(400).values, toy_table(400).target
    apart = values[target == 1].mean(axis=0) - values[target == 0].mean(axis=0)
    assert apart[:2] == pytest.approx([1, 1], abs=0.3)
    assert apart[2:] == pytest.approx([0, 0, 0], abs=0.3)
    mixed = mixed_table().values
    assert np.ptp(mixed[:, 4]) == 0
    assert np.isnan(mixed[:, 5]).all()
    parity = parity_table()
    assert (parity.values[:, :3].sum(axis=1) % 2 == parity.target).all()
    numbers = number_table()
    off = numbers.target - (numbers.values[:, 0] - numbers.values[:, 1])
    assert off.std() == pytest.approx(0.1, abs=0.03)


# Results out of thin air are as consistent as real ones.
def test_a_result_agrees_with_its_own_archive_and_history():
    result = toy_result(generations=4)
    assert len(result.history) == result.generations == 4
    assert result.archive[0]["value"] == result.score
    assert max(e["value"] for e in result.archive) == result.score
    assert [result.names[j] for j in result.archive[0]["features"]] == result.features
    assert result.support.sum() == len(result.features)
    assert result.evaluations == len(result.archive)
    so_far = [g["best_so_far"] for g in result.history]
    assert so_far == sorted(so_far)
    assert so_far[-1] == result.score
    costs, values = zip(*((e["cost"], e["value"]) for e in result.front), strict=True)
    assert list(costs) == sorted(set(costs))
    assert list(values) == sorted(set(values))


def test_a_result_reads_back():
    result = toy_result(seed=3)
    again = type(result).from_dict(result.to_dict())
    assert again.to_dict() == result.to_dict()


def test_an_illusion_is_no_better_than_chance():
    support = np.array([True, False, False])
    real, illusion = (toy_validation(["a", "b", "c"], support, i) for i in (False, True))
    assert real.score > 0.8
    assert illusion.score == pytest.approx(0.5, abs=0.03)
    assert real.score == pytest.approx(real.scores.mean())
    assert real.supports.shape == (10, 3)
    assert real.sizes == real.supports.sum(axis=1).tolist()


def test_each_method_of_a_comparison_is_worse_than_the_one_before():
    validations = toy_comparison(["a", "b", "c"]).validations
    accuracies = [validations[name].score for name in ("a", "b", "c")]
    assert accuracies == sorted(accuracies, reverse=True)
