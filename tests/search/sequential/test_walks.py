"""The sequential searches, against slow twins and values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.search.sequential.best_first import BestFirst
from fewest.search.sequential.sbe import SBE
from fewest.search.sequential.sbfs import SBFS
from fewest.search.sequential.sffs import SFFS
from fewest.search.sequential.sfs import SFS
from fewest.search.spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, random_values, toy_table
from tests.naive import sequential

D = 6


def _run(search, lookup, space=None, d=D):
    space = space or Subsets(d)
    return drive(search, space, TableMeasure(lookup).bind(toy_table(n_features=d)))


def _function(values):
    return lambda subset: values[sum(1 << f for f in subset)]


@pytest.mark.parametrize("levels", [None, 5])
@pytest.mark.parametrize("seed", range(8))
def test_greedy_searches_end_where_their_twins_do(seed, levels):
    values = random_values(D, seed, levels) + np.bitwise_count(np.arange(2**D)) * 0.05
    value = _function(values)
    for search, twin in ((SFS(), sequential.sfs), (SBE(equal=False), sequential.sbe)):
        end = twin(D, value)
        around = [end ^ {f} for f in range(D)]
        done = _run(search, values)
        assert done.best_value == max(value(s) for s in [end, *_path_values(twin, value)])
        scored = {frozenset(np.flatnonzero(c).tolist()) for c in done.candidates}
        outward = {s for s in around if (len(s) > len(end)) == (twin is sequential.sfs)}
        assert outward <= scored


def _path_values(twin, value):
    """All subsets that the twin looks at."""
    looked = []

    def spy(subset):
        looked.append(subset)
        return value(subset)

    twin(D, spy)
    return looked


@pytest.mark.parametrize("levels", [None, 4])
@pytest.mark.parametrize("seed", range(8))
def test_floating_search_scores_exactly_what_its_twin_looks_at(seed, levels):
    values = random_values(D, seed, levels)
    looked = set(_path_values(sequential.sffs, _function(values)))
    done = _run(SFFS(patience=None), values)
    scored = {frozenset(np.flatnonzero(c).tolist()) for c in done.candidates}
    assert scored == looked | {frozenset()}


@pytest.mark.parametrize("levels", [None, 4])
def test_floating_never_ends_below_the_greedy_search(levels):
    below = 0
    for seed in range(60):
        values = random_values(8, seed, levels) + np.bitwise_count(np.arange(2**8)) * 0.1
        pairs = [(SFFS(), SFS()), (SBFS(), SBE()), *((SFFS(size=k), SFS(size=k)) for k in (3, 5))]
        for floating, greedy in pairs:
            high, low = (
                _run(s, values, d=8).answer @ (1 << np.arange(8)) for s in (floating, greedy)
            )
            assert values[high] >= values[low]
            below += values[high] > values[low]
    assert below > 10  # ... and often ends above it


@pytest.mark.parametrize("size", range(D + 1))
def test_floating_search_answers_with_the_size_asked_for(size):
    values = random_values(D, 3)
    forward, backward = _run(SFFS(size=size), values), _run(SBFS(size=size), values)
    assert forward.answer.sum() == backward.answer.sum() == size
    best = sequential.sffs(D, _function(values))[size]
    assert values[forward.answer @ (1 << np.arange(D))] <= _function(values)(best)


def test_backward_floating_is_the_mirror_image_of_forward():
    values = random_values(D, 5)
    forward = _run(SFFS(patience=None), values)
    backward = _run(SBFS(patience=None), values[::-1].copy())
    # Index i of the reversed table is the complement of subset i.
    mirrored = {tuple(~c) for c in backward.candidates}
    assert mirrored == {tuple(c) for c in forward.candidates}


@pytest.mark.parametrize("patience", [1, 2, 5])
@pytest.mark.parametrize("seed", range(8))
def test_best_first_finds_what_its_twin_finds(seed, patience):
    values = random_values(D, seed, levels=30)
    done = _run(BestFirst(patience=patience), values)
    assert done.best_value == sequential.best_first(D, _function(values), patience)


def test_best_first_escapes_where_greedy_search_stops():
    def value(mask):
        return 1.0 if mask[:3].all() else 0.5 - 0.1 * mask.sum() - 0.2 * mask[3:].any()

    assert _run(SFS(), value).best_value == 0.5
    assert _run(BestFirst(), value).best_value == 1.0


def test_compound_changes_reach_far_subsets_in_fewer_evaluations():
    def value(mask):
        return float(mask[:10].sum() - mask[10:].sum())

    plain = _run(BestFirst(patience=1), value, d=20)
    compound = _run(BestFirst(patience=1, compound=True), value, d=20)
    assert plain.best_value == compound.best_value == 10
    assert compound.evaluations < plain.evaluations / 2


@pytest.mark.parametrize("search", [SFS(size=4), SBE(size=4)])
def test_greedy_searches_go_on_to_the_size_asked_for(search):
    done = _run(search, lambda mask: -float(abs(mask.sum() - 2)))
    assert done.answer.sum() == 4
    assert done.verdict.reason == "4 features reached"


def test_below_the_smallest_size_forward_search_goes_on_whatever_the_value():
    done = _run(SFS(), lambda mask: -float(mask.sum()), Subsets(D, min_features=3))
    assert done.answer.sum() == 3


def test_above_the_budget_backward_search_goes_on_whatever_the_value():
    space = Subsets(D, costs=(1.0,) * D, budget=2.0)
    assert _run(SBE(), lambda mask: float(mask.sum()), space).answer.sum() == 2


def test_backward_elimination_drops_what_changes_nothing_unless_told():
    def value(mask):
        return float(mask[0])

    plain, equal = _run(SBE(equal=False), value), _run(SBE(equal=True), value)
    assert len(plain.batches) == 2
    np.testing.assert_array_equal(equal.answer, np.arange(D) == 0)


def test_least_gain_stops_small_steps():
    done = _run(SFS(least_gain=0.15), lambda mask: [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0][mask.sum()])
    assert len(done.batches) == 3


@pytest.mark.parametrize("search", [SFS, SBE, SFFS, SBFS])
def test_a_size_out_of_range_is_refused(search):
    with pytest.raises(InputError, match="`size` must be between 1 and 6 .*, but is 9"):
        _run(search(size=9), random_values(D), Subsets(D, include=(2,)))


@pytest.mark.parametrize("search", [SFS, SBE, SFFS, SBFS])
def test_a_size_that_the_groups_do_not_allow_is_refused(search):
    with pytest.raises(InputError, match="`size` cannot be 3"):
        _run(search(size=3), random_values(D), Subsets(D, groups=((0, 1), (2, 3), (4, 5))))


def test_many_neighbours_come_in_parts(monkeypatch):
    whole = _run(SFS(), random_values(D, 1))
    monkeypatch.setattr("fewest.search.sequential.steps.BLOCK_BYTES", 2 * D)
    parts = _run(SFS(), random_values(D, 1))
    assert max(len(b) for b in parts.batches) == 2
    np.testing.assert_array_equal(whole.answer, parts.answer)
