"""The benchmark functions: values by hand, optima, and runs that count evaluations."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.testing import _test_functions as f


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
