"""How alike subsets are, against values worked out by hand."""

import numpy as np
import pytest

from fewest._validation.validation import jaccard, kuncheva, nogueira


def test_stability_of_the_same_subset_is_one():
    z = np.tile([True, False, True, False, False], (4, 1))
    assert nogueira(z) == kuncheva(z) == jaccard(z) == 1


def test_stability_worked_out_by_hand():
    z = np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool)
    # Kuncheva: r = 1, k = 2, d = 4: (1 - 1) / (2 - 1) = 0. Jaccard: 1 / 3.
    assert kuncheva(z) == 0
    assert jaccard(z) == pytest.approx(1 / 3)
    # Nogueira: two of four features vary with variance 1/2, share 1/2: 1 - (1/4) / (1/4) = 0.
    assert nogueira(z) == pytest.approx(0)


def test_random_subsets_have_stability_near_zero():
    z = np.random.default_rng(0).random((300, 200)) < 0.2
    assert abs(nogueira(z)) < 0.01
    assert abs(kuncheva(z[:60])) < 0.02


def test_one_subset_has_no_stability():
    with pytest.raises(ValueError, match="at least two subsets"):
        nogueira(np.ones((1, 3), dtype=bool))
