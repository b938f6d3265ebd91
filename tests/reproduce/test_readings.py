"""The two readings of the papers' naive Bayes."""

import numpy as np

from fewest.classifiers import MLCNaiveBayes
from fewest.data import load
from papers.experiment import Settings
from papers.readings import FREQUENCIES, LAPLACE, READINGS


def test_the_compared_reading_has_plain_frequencies_and_its_own_halves():
    assert FREQUENCIES.model().get_params() == {"alpha": 0.0, "variance_floor": 0.01}
    splits = list(FREQUENCIES.scheme(Settings(seed=4)).split(np.zeros(21)))
    assert [len(test) for _, test in splits] == [11, 10] * 5
    again = list(FREQUENCIES.scheme(Settings(seed=4)).split(np.zeros(21)))
    assert all((a == b).all() for (a, _), (b, _) in zip(splits, again, strict=True))


def test_only_the_defaults_test_an_improvement():
    assert (FREQUENCIES.level, LAPLACE.level) == (1.0, 0.1)


def test_the_defaults_stand_beside_it():
    assert LAPLACE.scheme(Settings()) == "5x2cv"
    assert [reading.of("FSS-EBNA") for reading in READINGS] == ["FSS-EBNA", "FSS-EBNA, defaults"]


def test_all_features_are_judged_by_the_program_of_the_papers():
    data = load("iris")
    found = FREQUENCIES.all_features(data, Settings())
    train, test = next(iter(FREQUENCIES.scheme(Settings()).split(data.X)))
    y = np.asarray(data.y)
    model = MLCNaiveBayes().fit(data.X.iloc[train], y[train])
    assert len(found) == 10
    assert found[0] == model.score(data.X.iloc[test], y[test])
