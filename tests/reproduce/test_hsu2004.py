"""The searches of Hsu (2004) and its trees, on a problem with a test file."""

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit

from papers import hsu2004
from papers.experiment import Settings
from papers.paper import read_paper


def test_the_searches_are_those_of_the_paper():
    best_first = hsu2004._search("FSS", Settings())
    assert (best_first.compound, best_first.least_gain, best_first.patience) == (True, 0.001, 5)
    folds = hsu2004._inner("FSS")
    assert (folds.n_splits, folds.shuffle) == (5, True)
    chc = hsu2004._search("CHC", Settings())
    assert (chc.variant, chc.population, chc.generations) == ("hsu", 100, 100)
    assert isinstance(hsu2004._inner("CHC"), ShuffleSplit)
    assert hsu2004._search("SGA", Settings(quick=True)).population == 20


def test_a_tree_with_best_first_on_the_first_problem():
    every = hsu2004.experiments(read_paper("hsu2004"), Settings(quick=True))
    (one,) = [e for e in every if (e.part, e.domain, e.method) == ("id3", "Monk1", "FSS")]
    full, selected = one.run()
    assert (full.method, selected.method) == ("ID3", "FSS-ID3")
    assert selected.note.endswith(" of 6 features")
    assert 0 <= selected.here < full.here
    # There is one test file, of 432 rows. On the features of the concept the tree errs on 12.
    assert full.here * 4.32 == pytest.approx(80)
    assert selected.here * 4.32 == pytest.approx(12)


def test_the_split_of_a_test_file_is_always_the_same():
    splits = list(hsu2004.TestFile(3, 2).split(np.zeros((5, 1))))
    assert [(a.tolist(), b.tolist()) for a, b in splits] == [([0, 1, 2], [3, 4])] * 2
