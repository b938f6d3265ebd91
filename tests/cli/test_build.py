"""From options to objects."""

import pytest

from fewest._cli import objects as build
from fewest._cli.options import SelectOptions
from fewest._errors import InputError
from fewest._run.stop_rules import Evaluations, Generations, Seconds
from fewest.measures._description_length import MDLFS


def test_every_option_reaches_the_selector(iris):
    made = build.selector(
        SelectOptions(
            str(iris), measure="gaussian-nb", search="ebna", options=["population=7"], cv="4",
            include="a,b", exclude="c", feature_groups="d,e;f,g", costs="a=2", budget=3.0,
            min_features=2, max_features=5, choose="0.01", jobs=2, seed=9, scoring="accuracy",
        )
    )  # fmt: skip
    parameters = made.get_params(deep=False)
    assert made.search.population == 7
    assert (made.cv, made.choose, made.n_jobs, made.random_state) == (4, 0.01, 2, 9)
    assert (made.include, made.exclude, made.groups) == (
        ["a", "b"],
        ["c"],
        [["d", "e"], ["f", "g"]],
    )
    assert (made.costs, made.budget, made.min_features, made.max_features) == (
        {"a": 2.0},
        3.0,
        2,
        5,
    )
    assert parameters["scoring"] == "accuracy"


def test_limits_become_stop_rules():
    options = SelectOptions("x", max_evaluations=5)
    assert build.stop_rules(options, 3.0) == [Seconds(3.0), Evaluations(5), "auto"]
    assert build.stop_rules(SelectOptions("x", max_generations=4), None) == [Generations(4)]


def test_a_classifier_goes_with_its_measures():
    assert build.measure("mdl-fs", "tan", "auto", None) == MDLFS(classifier="tan")
    assert build.measure("auto", None, "auto", None) == "auto"
    for name in ("auto", "cfs"):
        with pytest.raises(InputError, match="`--classifier` goes with mdl"):
            build.measure(name, "tan", "auto", None)


def test_an_unknown_parameter_of_a_search_lists_those_it_has():
    with pytest.raises(InputError, match=r"it has: .*population"):
        build.search("ebna", ["size=3"])
    assert build.search("auto", None) == "auto"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cv": "[1]"}, "--cv"),
        ({"scoring": "x"}, "`scoring`"),
        ({"jobs": 0}, "`n_jobs`"),
        ({"scheme": "10-fold"}, "`scheme` must be .auto., like"),
        ({"max_time": "soon"}, "--max-time"),
        ({"estimator": "naive-byes"}, "`estimator`"),
        ({"estimator": "linear-regression"}, "must be a classifier"),
        ({"json": "/no/such/folder/r.json"}, "--json"),
    ],
)
def test_everything_is_checked_before_the_first_score(iris, change, words):
    with pytest.raises(InputError, match=words):
        build.checked(SelectOptions(str(iris), **change))


def test_a_judge_that_is_not_asked_is_not_checked(iris):
    options = SelectOptions(str(iris), estimator="naive-byes", validate="none")
    assert len(build.checked(options).names) == 4
