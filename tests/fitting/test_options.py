"""The table of parameters: complete, in the manual, and asked before any work."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import fewest
from fewest import FeatureWeighter, SubsetSelector
from fewest._errors import InputError, brief
from fewest._fitting.estimator import SearchVerb
from fewest._fitting.parameter_table import OPTIONS, check_options
from fewest._fitting.plan import problem_of
from fewest._fitting.requests import CallbackListener, checked_frame
from fewest._run.events import Snapshot
from fewest._run.stop_rules import Generations
from fewest.data._as_table import as_table
from fewest.search import EBNA
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


RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
VERBS = [
    SubsetSelector("gaussian-nb", search="sfs", random_state=0),
    FeatureWeighter(search=EBNA(population=20), stop=Generations(2), random_state=0),
]


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: type(v).__name__)
def test_a_table_gives_what_the_data_gives(verb):
    assert isinstance(verb, SearchVerb)
    by_data = verb.fit(X, y).result_
    by_table = verb.fit_table(as_table(X, y)).result_
    assert by_data.features == by_table.features
    assert by_data.score == by_table.score


@pytest.mark.parametrize("verb", VERBS, ids=lambda v: type(v).__name__)
def test_a_plan_holds_everything_and_runs(verb):
    problem = problem_of(as_table(X, y), verb._measure(), cv="auto", scoring=None)
    plan = verb.plan(problem)
    assert plan.space.kind in plan.search.spaces
    assert plan.seed == 0
    assert plan.chosen(plan.run()).shape == (4,)


def test_wrong_choices_are_refused_before_any_score():
    with pytest.raises(InputError, match="`choose` must be"):
        FeatureWeighter(choose="some").fit(X, y)


class Context:
    """Notes what it is told, as a context of scikit-learn's callbacks does."""

    def __init__(self, told, stops=False):
        self.told, self.stops = told, stops

    def subcontext(self, task_name):
        self.told.append(task_name)
        return self

    def call_on_fit_task_begin(self, estimator):
        self.told.append("begin")

    def call_on_fit_task_end(self, estimator):
        self.told.append("end")
        return self.stops


class Estimator:
    def __init__(self, callbacks, stops=False):
        self._skl_callbacks, self.told, self.stops = callbacks, [], stops

    def _init_callback_context(self, max_subtasks):
        return Context(self.told, self.stops)


SNAPSHOT = Snapshot(0, 1, 0.5, 1, 0.1, None, None)


def test_an_estimator_without_callbacks_is_left_alone():
    estimator = Estimator([])
    listener = CallbackListener(estimator)
    listener.before()
    assert listener.after_batch(SNAPSHOT) is None
    listener.after()
    assert estimator.told == []


def test_every_batch_is_a_task_that_may_stop_the_run():
    estimator = Estimator(["a callback"], stops=True)
    listener = CallbackListener(estimator)
    listener.before()
    assert listener.after_batch(SNAPSHOT) is True
    listener.after()
    assert estimator.told == ["begin", "generation", "begin", "end", "end"]


TARGET = [0, 1] * 10
COMPLEX = np.arange(20) * 1j


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.column_stack([COMPLEX, COMPLEX]), "Complex data not supported"),
        ([[z, 1.0] for z in COMPLEX], "Complex data not supported"),
        (np.arange(20.0), "Expected 2D array, got 1D array instead"),
        (np.zeros((20, 2, 2)), "Found array with dim 3"),
        (None, "Expected 2D array"),
        ("iris", "Expected 2D array"),
        ({"a": [1]}, "Expected 2D array"),
        (pd.DataFrame(np.eye(20)[:, :2], columns=["a", "a"]), "'a' occurs 2 times"),
        (pd.DataFrame(np.eye(20)[:, :2], columns=["1", 1]), "'1' occurs 2 times"),
    ],
)
def test_no_table(X, message):
    with pytest.raises(InputError, match=message) as caught:
        SubsetSelector("cfs", search="sfs").fit(X, TARGET)
    assert "\n" not in str(caught.value)


def test_only_selectors_take_sparse_tables():
    X = sparse.csr_matrix(np.eye(20))
    assert checked_frame(SubsetSelector(), X, TARGET) is X
    with pytest.raises(InputError, match="Sparse data was passed"):
        FeatureWeighter().fit(X, TARGET)


def test_names_and_width_are_remembered():
    records = np.array([(1.0, "a"), (2.0, "b")], dtype=[("size", float), ("kind", "U1")])
    for X in (records, pd.DataFrame(records)):
        selector = SubsetSelector()
        assert checked_frame(selector, X, TARGET[:2]) is X
        assert selector.feature_names_in_.tolist() == ["size", "kind"]
        assert selector.n_features_in_ == 2


def test_a_target_is_needed():
    with pytest.raises(InputError, match="SubsetSelector requires y to be passed"):
        SubsetSelector().fit(np.eye(4))
