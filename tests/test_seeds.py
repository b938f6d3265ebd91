"""One seed for everything random."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._parameters import seed_of, streams


def test_whole_numbers_are_themselves():
    assert seed_of(7) == 7
    assert seed_of(np.int64(7)) == 7


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_generators_give_a_new_seed_each_time_and_repeat_it(make):
    one, other = make(3), make(3)
    first = seed_of(one)
    assert first == seed_of(other)
    assert seed_of(one) != first


def test_nothing_is_a_fresh_seed():
    assert len({seed_of(None) for _ in range(5)}) == 5


@pytest.mark.parametrize("wrong", [-1, True, 1.5, "1"])
def test_anything_else_is_refused(wrong):
    with pytest.raises(InputError, match="`random_state` must be"):
        seed_of(wrong)


def test_the_streams_repeat_and_differ_from_each_other():
    folds, search = streams(5)
    again = streams(5)
    drawn = folds.random(4).tolist(), search.random(4).tolist()
    assert drawn == (again[0].random(4).tolist(), again[1].random(4).tolist())
    assert drawn[0] != drawn[1]
