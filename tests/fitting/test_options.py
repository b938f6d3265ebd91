"""The table of parameters: complete, in the manual, and asked before any work."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import fewest
from fewest._errors import InputError, brief
from fewest._fitting.parameter_table import OPTIONS, check_options
from tests.campaign.options import Rude, odd_options
from tests.campaign.trial import Tally, attempt

ESTIMATORS = (fewest.SubsetSelector, fewest.FeatureWeighter, fewest.NetworkLearner)
FUNCTIONS = (fewest.validate, fewest.compare, fewest.joint_behaviour, fewest.score_subsets)
PARAMETERS = [
    (thing, name)
    for thing in (*ESTIMATORS, *FUNCTIONS)
    for name in inspect.signature(thing).parameters
    if name not in ("X", "y", "metadata")
]


class Untouchable:
    """Data that nobody may look at yet."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} was read before the parameters were checked")


@pytest.mark.parametrize(("thing", "name"), PARAMETERS)
def test_every_parameter_is_checked_before_any_work(thing, name):
    assert name in OPTIONS
    with pytest.raises(InputError, match=rf"^`{name}` must be .*an object of the class Rude"):
        call_with(thing, name)


def call_with(thing, name):
    data = {"X": Untouchable(), "y": Untouchable()}
    if isinstance(thing, type):
        return thing(**{name: Rude()}).fit(**data)
    needed = {
        "selector": fewest.SubsetSelector(),
        "selectors": {},
        "classifiers": {},
        "subsets": [[0]],
    }
    own = inspect.signature(thing).parameters
    return thing(**data, **{**{n: v for n, v in needed.items() if n in own}, name: Rude()})


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_defaults_are_what_they_must_be(estimator):
    check_options(estimator().get_params(deep=False))


def test_parts_with_parameters_of_their_own_are_checked_too():
    for name, part in (("stop", fewest._run.stop_rules.Seconds(-1)), ("search", bad_search())):
        with pytest.raises(InputError, match="must be a"):
            check_options({name: part})
        with pytest.raises(InputError, match="must be a"):
            check_options({name: [part]} if name == "stop" else {name: part})


def bad_search():
    return fewest.search.SFS(size=-1)


def test_random_arguments_of_every_call_end_in_an_answer_or_a_sentence():
    tally = Tally()
    for number in range(300):
        attempt("odd options", odd_options, 11, number, tally)
    assert tally.failures == []


def test_a_value_in_a_sentence_is_short_and_on_one_line():
    assert brief(np.zeros((50, 50))).count("\n") == 0
    assert len(brief("x" * 1000)) == 60
    assert brief(Rude()) == "an object of the class Rude"
