"""The two readings of the papers' naive Bayes."""

import numpy as np

from fewest.classifiers import MLCNaiveBayes, NaiveBayes
from papers.experiment import Settings
from papers.readings import LAPLACE, MLC, READINGS


def test_the_compared_reading_is_the_program_of_the_papers_on_its_own_halves():
    assert (MLC.model, LAPLACE.model) == (MLCNaiveBayes, NaiveBayes)
    splits = list(MLC.scheme(Settings(seed=4)).split(np.zeros(21)))
    assert [len(test) for _, test in splits] == [11, 10] * 5
    again = list(MLC.scheme(Settings(seed=4)).split(np.zeros(21)))
    assert all((a == b).all() for (a, _), (b, _) in zip(splits, again, strict=True))


def test_only_the_defaults_test_an_improvement():
    assert (MLC.level, LAPLACE.level) == (1.0, 0.1)


def test_the_defaults_stand_beside_it():
    assert LAPLACE.scheme(Settings()) == "5x2cv"
    assert [reading.of("FSS-EBNA") for reading in READINGS] == ["FSS-EBNA", "FSS-EBNA, defaults"]
