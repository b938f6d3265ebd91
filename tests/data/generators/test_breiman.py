"""LED and waveforms as published."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from fewest.data import generate


def test_led_is_as_hard_as_published():
    # Breiman et al. (1984): the best possible accuracy is 74 %.
    data = generate("led24", 20_000)
    codes = data.table().values.astype(int)[:, :7]
    model = CategoricalNB().fit(codes[:10_000], data.y[:10_000])
    assert model.score(codes[10_000:], data.y[10_000:]) == pytest.approx(0.74, abs=0.015)
    assert abs(data.table().values[:, 7:].mean() - 0.5) < 0.01


def test_waveforms_have_the_means_of_the_file(dataset):
    ours, theirs = generate("waveform-40").table(), dataset("waveform-40").table()
    np.testing.assert_allclose(ours.values.mean(axis=0), theirs.values.mean(axis=0), atol=0.15)
    np.testing.assert_allclose(ours.values.std(axis=0), theirs.values.std(axis=0), atol=0.15)
    accuracy = GaussianNB().fit(ours.values, ours.target).score(ours.values, ours.target)
    assert accuracy == pytest.approx(0.80, abs=0.02)
