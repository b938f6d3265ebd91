"""Concepts in logic."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data import generate


def _entropy(*columns):
    counts = np.unique(np.stack(columns), axis=1, return_counts=True)[1]
    return -(counts / counts.sum() * np.log2(counts / counts.sum())).sum()


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_are_the_published_domains(problem, dataset):
    ours, theirs = generate(f"monks-{problem}"), dataset(f"monks-{problem}-test")
    rows = [
        {(*map(str, row), label) for row, label in zip(d.X.to_numpy(), d.y, strict=True)}
        for d in (ours, theirs)
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 432


def test_a_sample_of_the_third_monk_has_wrong_labels():
    data = generate("monks-3", n_rows=4000)
    a2, a4, a5 = (data.X[c].astype(str).to_numpy() for c in ("a2", "a4", "a5"))
    rule = ((a5 == "3") & (a4 == "1")) | ((a5 != "4") & (a2 != "3"))
    assert np.mean(rule != (data.y == "1")) == pytest.approx(0.05, abs=0.01)


def test_corral_and_parity():
    values = generate("corral").table().values.astype(int)
    label = (generate("corral").y == "1").astype(int)
    a, b, c, d, _, correlated = values.T
    np.testing.assert_array_equal(label, (a & b) | (c & d))
    assert (correlated == label).sum() == 24
    parity = generate("parity3+3")
    bits = parity.table().values.astype(int)
    np.testing.assert_array_equal(parity.y == "1", bits[:, :3].sum(axis=1) % 2)
    np.testing.assert_array_equal(bits[:, :6], bits[:, 6:])


def test_the_xor_example_has_the_stated_properties():
    data = generate("xor")
    A = dict(zip(data.names, data.table().values.astype(int).T, strict=True))
    C = (data.y == "1").astype(int)
    np.testing.assert_array_equal(C, (A["A1"] ^ A["A4"]) & A["A2"])
    np.testing.assert_array_equal(A["A8"], A["A2"])
    np.testing.assert_array_equal(A["A5"], A["A7"])
    others = [A[a] for a in ("A1", "A2", "A3", "A4", "A6")] + [C]
    assert _entropy(A["A5"], *others) == pytest.approx(1 + _entropy(*others))
    assert _entropy(A["A2"]) + _entropy(A["A3"]) - _entropy(A["A2"], A["A3"]) > 0.3
    given = [A["A1"], A["A4"], C]
    independent = _entropy(A["A3"], A["A2"]) - _entropy(A["A2"])
    rest = _entropy(A["A3"], A["A2"], *given) - _entropy(A["A2"], *given)
    assert rest == pytest.approx(independent)
    assert _entropy(A["A6"], A["A1"], A["A2"], A["A4"]) == pytest.approx(3)
    assert (A["A6"] == C).sum() == 28
    for alone in ("A1", "A4"):  # no use by themselves
        assert _entropy(A[alone], C) == pytest.approx(1 + _entropy(C))
    assert generate("xor", 3200).table().n_rows == 3200
