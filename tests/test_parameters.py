"""Parameters that know what they may be."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.base import clone

import fewest
from fewest._errors import InputError, MismatchError
from fewest._parameters import Parameters, flag, is_list, number, one_of, seed_of, streams, whole
from fewest.search import Subsets, resolve_search
from fewest.testing import TableMeasure, drive, toy_table


@dataclass
class Walk(Parameters):
    steps: int = whole(100, low=1)
    most: int | None = whole(None, low=0, high=9, optional=True)
    bias: float = number(0.5, low=0.0, high=1.0)
    order: str = one_of("forward", "backward")
    loud: bool = flag(False)


@pytest.mark.parametrize(
    ("name", "value", "must"),
    [
        ("steps", 0, "a whole number of at least 1"),
        ("steps", 1.0, "a whole number of at least 1"),
        ("steps", True, "a whole number of at least 1"),
        ("steps", 10**13, "(below 1e+12)"),
        ("steps", None, "a whole number of at least 1"),
        ("most", 10, "a whole number between 0 and 9, or None"),
        ("bias", 1.5, "a number between 0 and 1"),
        ("bias", math.nan, "a number between 0 and 1"),
        ("bias", "0.5", "a number between 0 and 1"),
        ("order", "up", '"forward" or "backward"'),
        ("loud", 1, "True or False"),
    ],
)
def test_wrong_values_are_one_sentence(name, value, must):
    with pytest.raises(InputError) as refused:
        Walk(**{name: value}).check_parameters()
    text = str(refused.value)
    assert text.startswith(f"`{name}` of Walk must be ")
    assert must in text
    assert text.endswith(f", but is {value!r}.")


@pytest.mark.parametrize(
    "given", [{"steps": 1}, {"most": None}, {"most": 9}, {"bias": 1}, {"order": "backward"}]
)
def test_right_values_pass(given):
    Walk(**given).check_parameters()


def test_only_the_first_parameter_can_be_given_by_position():
    assert Walk(7).steps == 7
    with pytest.raises(TypeError, match="positional"):
        Walk(7, 3)


def test_inherited_parameters_and_clones():
    @dataclass
    class Run(Walk):
        speed: float = number(1.0, low=0.0)
        note: str = "plain"

    run = Run(5, speed=2.0)
    assert clone(run).get_params() == run.get_params()
    assert run.set_params(bias=0.25).bias == 0.25
    with pytest.raises(InputError, match="`speed` of Run must be a number of at least 0"):
        Run(speed=-1.0).check_parameters()
    with pytest.raises(TypeError):
        Run(5, 1, 0.5, "forward", False, 2.0)


def test_docstrings_take_parameters_and_the_example_from_the_base():
    @dataclass
    class Family(Parameters):
        """Base.

        Parameters
        ----------
        first : int
            From the base.
        second : int
            Replaced.
        """

        example = """
            >>> {name}().first
            1
            """
        first: int = whole(1)
        second: int = whole(2)

    @dataclass
    class Member(Family):
        """Summary.

        Parameters
        ----------
        third : int
            Its own.
        second : int
            Its own text.

        Notes
        -----
        A note.
        """

        __module__ = "fewest._parameters"
        name = "member"
        third: int = whole(3)

    listed = "first : int\n    From the base.\nsecond : int\n    Its own text.\n"
    listed += "third : int\n    Its own."
    assert Member.__doc__ == (
        f"Summary.\n\nParameters\n----------\n{listed}\n\nNotes\n-----\nA note.\n\n"
        "Examples\n--------\n>>> Member().first\n1"
    )
    assert "Examples" not in (Family.__doc__ or "")

    @dataclass
    class Stranger(Family):
        """From another package."""

        name = "stranger"

    assert "From the base." in (Stranger.__doc__ or "")
    assert "Examples" not in (Stranger.__doc__ or "")


def test_what_cannot_be_listed_is_no_list():
    class Rude:
        def __iter__(self):
            raise RuntimeError("refused")

    assert not is_list(np.array("a"))
    assert not is_list(Rude())
    assert is_list(np.array(["a"]))
    X, y = np.eye(6), [0, 1] * 3
    with pytest.raises(InputError, match="`weights` of Weighted must be three numbers"):
        fewest.SubsetSelector(fewest.measures.Weighted("id3", weights=np.array("a"))).fit(X, y)
    with pytest.raises(InputError, match='`cv` must be "auto", a number of folds'):
        fewest.SubsetSelector(fewest.measures.WeightedNeighbors(cv=Rude())).fit(X, y)


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


def test_both_are_value_errors():
    # scikit-learn's own checks expect ValueError for wrong input.
    assert issubclass(InputError, ValueError)
    assert issubclass(MismatchError, InputError)


def test_what_does_not_go_together_is_a_mismatch():
    scorer = TableMeasure(sum).bind(toy_table(n_features=3))
    with pytest.raises(MismatchError, match="abb"):
        drive(resolve_search("abb"), Subsets(3), scorer)
