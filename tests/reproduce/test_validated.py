"""A search inside of 5×2cv: its halves and its cells."""

from dataclasses import replace

import numpy as np
import pytest

from fewest._validation.external import validate
from fewest.classifiers import NaiveBayes
from fewest.data._generators.by_name import generate
from fewest.search import SFS
from fewest.testing._results import toy_validation
from papers.experiment import Settings
from papers.validated import (
    accuracy,
    baseline,
    halves,
    per_generation,
    per_subset,
    seconds,
    size,
    stopped,
    validated,
)


def test_classes_of_very_different_size_are_judged_by_accuracy():
    data = generate("led24", 60)
    few = replace(data, y=np.where(np.arange(60) % 15 == 0, "rare", "common"))
    v = validated(few, NaiveBayes(), SFS(), Settings())
    assert (v.metric, v.baseline > 0.8) == ("accuracy", True)


def test_halves_are_those_of_validate():
    data = generate("led24", 60)
    seen = []

    class Spy:
        def fit(self, X, y):
            seen.append(np.asarray(y))
            return self

        def get_params(self, deep=True):
            return {}

        def get_support(self):
            return np.ones(24, dtype=bool)

    Spy.__sklearn_clone__ = lambda self: self
    validate(Spy(), data.X, data.y, scheme="5x2cv", random_state=5)
    expected = [data.y[train] for train, _ in halves(data, Settings(seed=5))]
    assert len(seen) == 10
    assert all((a == b).all() for a, b in zip(seen, expected, strict=True))


def test_cells_are_in_percent_and_stop_in_the_last_generation():
    v = toy_validation(["a", "b", "c"], np.array([True, False, True]))
    found = accuracy("3", "D", "M", v)
    assert (found.here, found.std) == pytest.approx((100 * v.score, 100 * v.std))
    assert found.note == "selection score 90.0"
    assert baseline("3", "D", "M", v).here == pytest.approx(100 * v.baseline)
    assert size("4", "D", "M", v).here == pytest.approx(np.mean(v.sizes))
    # The first population is generation 0.
    assert stopped("6", "D", "M", v).here == np.mean([len(h) - 1 for h in v.history])


def test_times_are_of_a_search_a_generation_and_a_subset():
    v = toy_validation(["a", "b"], np.array([True, False]))
    history = [
        {"seconds": 1.0, "search_seconds": 0.5, "scoring_seconds": 2.0, "evaluations": 10},
        {"seconds": 4.0, "search_seconds": 0.1, "scoring_seconds": 1.0, "evaluations": 30},
    ]
    v = replace(v, history=[history, history[:1]])
    assert seconds("7", "D", "M", v).here == pytest.approx((4.0 + 1.0) / 2)
    assert per_generation("6.12", "D", "M", v).here == pytest.approx((0.3 + 0.5) / 2)
    assert per_subset("6.12", "D", "NB", v).here == pytest.approx((3 / 30 + 2 / 10) / 2)
