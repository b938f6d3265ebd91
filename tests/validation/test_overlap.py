"""What the tests must know of the splits comes from the splits, not from the name of a scheme."""

import numpy as np
import pytest
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)

from fewest._validation.significance import Overlap

X, Y = np.zeros((100, 1)), np.arange(100) % 2


def overlap(splitter):
    return Overlap.of(list(splitter.split(X, Y)))


def test_repetitions_do_not_shrink_the_share_of_test_rows():
    # Five folds leave 20 of 100 rows out, whether once or four times: 20 / 80.
    assert overlap(StratifiedKFold(5)) == Overlap(0.25)
    assert overlap(RepeatedStratifiedKFold(n_splits=5, n_repeats=4)) == Overlap(0.25)


def test_a_splitter_that_draws_has_the_share_it_draws():
    assert overlap(ShuffleSplit(7, test_size=0.1, train_size=0.5)) == Overlap(pytest.approx(0.2))


@pytest.mark.parametrize("kind", [RepeatedKFold, RepeatedStratifiedKFold])
def test_five_times_two_halves_are_known_however_they_are_made(kind):
    assert overlap(kind(n_splits=2, n_repeats=5, random_state=0)) == Overlap(1.0, halves=True)
    assert not overlap(kind(n_splits=2, n_repeats=4, random_state=0)).halves
    # Ten splits that are no halves.
    assert not overlap(KFold(10)).halves


def test_independent_splits_have_no_overlap():
    parts = np.arange(60).reshape(6, 10)
    assert Overlap.of([(parts[i], parts[i + 1]) for i in (0, 2, 4)]) == Overlap(0.0)


def test_old_results_are_read_by_the_name_of_their_scheme():
    assert Overlap.named("5x2cv", 10) == Overlap(1.0, halves=True)
    assert Overlap.named("2x5cv", 10) == Overlap(0.25)
    assert Overlap.named("KFold(4)", 4) == Overlap(pytest.approx(1 / 3))
