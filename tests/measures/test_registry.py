"""Names, estimators and measures become measures; wrong ones a sentence."""

from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB

from fewest._errors import InputError
from fewest.classifiers import NaiveBayes, NearestNeighbor
from fewest.measures import CrossValidated, Measure, list_measures, resolve_measure
from fewest.measures._measure_names import MEASURES
from fewest.measures._models_by_name import ESTIMATORS, OTHER_PACKAGES


def test_names_of_estimators():
    measure = resolve_measure("naive-bayes", cv=4, scoring="f1")
    assert isinstance(measure, CrossValidated)
    assert isinstance(measure.estimator, NaiveBayes)
    assert (measure.cv, measure.scoring) == (4, "f1")
    nearest = resolve_measure("nearest-neighbor").estimator
    assert isinstance(nearest, NearestNeighbor)
    assert nearest.k == 1


@pytest.mark.parametrize("name", MEASURES)
def test_names_of_measures(name):
    measure = resolve_measure(name)
    assert isinstance(measure, Measure)
    assert measure.name == name


def test_estimators_and_measures():
    assert resolve_measure(GaussianNB(), cv=3).cv == 3
    measure = CrossValidated(GaussianNB())
    assert resolve_measure(measure) is measure


def test_unknown_names_and_things():
    with pytest.raises(InputError, match="but is 'naive-bays'. Did you mean naive-bayes?"):
        resolve_measure("naive-bays")
    with pytest.raises(InputError, match="`measure` must be a Measure, the name of one, or a"):
        resolve_measure(3)
    with pytest.raises(InputError, match="`measure` must be a Measure"):
        resolve_measure(GaussianNB)


def test_every_measure_has_a_row_in_the_table():
    rows = list_measures()
    named = [name for name in ESTIMATORS if name not in OTHER_PACKAGES]
    assert [row["name"] for row in rows if row["name"] not in OTHER_PACKAGES] == [*named, *MEASURES]
    assert all(row["summary"] and row["class"] for row in rows)
    assert {row["name"]: row["folds"] for row in rows}["gaussian-nb"]
