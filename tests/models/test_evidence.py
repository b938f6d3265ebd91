"""Evidence: which features are real."""

import numpy as np
import pandas as pd
import pytest

import fewest
from fewest._errors import InputError
from fewest._models import posterior_inclusion as room
from fewest._models.posterior_inclusion import FeatureEvidence
from fewest.data._engine.frame import StoredFrame
from tests.data.engine.sample import mixed, parquet


def linear(n=200, d=30, real=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, X[:, :real].sum(axis=1) + rng.standard_normal(n), rng


@pytest.mark.parametrize("groups", [0, "x0", None])
def test_groups_that_are_no_list_are_refused(groups):
    with pytest.raises(InputError, match="`groups` must be a list of lists of features, but is"):
        fewest.evidence(*linear(n=30, d=3)[:2], groups=groups)


def test_the_values_of_the_package_bms_for_r():
    """BMS 0.3.5: bms(..., mcmc="enumerate", g="UIP", mprior="random", mprior.size=d/2)."""
    data = fewest.load("diabetes")
    expected = [
        0.08041300494, 0.98177844794, 1.00000000000, 0.99990630168, 0.62910705831,
        0.43187716727, 0.54022658993, 0.24790425966, 0.99997687401, 0.12582946026,
    ]  # fmt: skip
    found = fewest.evidence(data.X, data.y)
    assert found.exact
    np.testing.assert_allclose(found.probability, expected, atol=1e-9)


def test_the_sampler_finds_what_enumeration_finds(monkeypatch):
    X, y, _ = linear(d=15)
    exact = fewest.evidence(X, y)
    monkeypatch.setattr(room, "MOST_OPERATIONS", 5e6)
    sampled = fewest.evidence(X, y, random_state=0)
    assert exact.exact
    assert not sampled.exact
    np.testing.assert_allclose(sampled.probability, exact.probability, atol=0.02)


def test_the_same_seed_gives_the_same_numbers():
    X, y, _ = linear(d=40)
    first, again = (fewest.evidence(X, y > 0, random_state=3).probability for _ in range(2))
    assert not fewest.evidence(X, y).exact
    np.testing.assert_array_equal(first, again)


def test_noise_has_no_real_feature_and_a_signal_has_its_own():
    X, y, rng = linear()
    assert sorted(fewest.evidence(X, y).real()) == ["x0", "x1", "x2"]
    assert fewest.evidence(X, rng.standard_normal(200)).real() == []
    assert fewest.evidence(X, rng.integers(0, 2, 200)).real() == []


def test_a_nominal_feature_is_one_block_and_classes_are_several_targets():
    rng = np.random.default_rng(0)
    colour = rng.choice(list("rgb"), 300)
    frame = pd.DataFrame({"colour": colour, "noise": rng.standard_normal(300)})
    frame["other"] = rng.choice(list("uvw"), 300)
    kind = np.where(rng.random(300) < 0.4, colour, rng.choice(list("rgb"), 300))
    assert fewest.evidence(frame, kind).real() == ["colour"]
    # Which of the values or classes has no column does not matter.
    swapped = frame.replace({"r": "z"})
    a, b = (fewest.evidence(f, kind).probability for f in (frame, swapped))
    np.testing.assert_allclose(a, b, rtol=1e-9)


def test_units_and_offsets_of_columns_do_not_matter():
    X, y, _ = linear(d=6)
    moved = X * [1e-6, 1.0, 1e200, 1.0, 1.0, 1.0] + [0.0, 1e5, 0.0, 0.0, 0.0, 0.0]
    a, b = (fewest.evidence(part, y).probability for part in (X, moved))
    np.testing.assert_allclose(a, b, rtol=1e-6)


def test_constant_columns_and_unknown_values():
    X, y, rng = linear(d=5)
    X[:, 3], X[rng.random(200) < 0.1, 0] = 7.0, np.nan
    found = fewest.evidence(X, y)
    assert found.probability[3] == 0.0
    assert found.probability[0] > 0.95


def test_rows_may_stand_for_several():
    X, y, _ = linear(n=60, d=4)
    some = np.r_[np.ones(60), np.zeros(20)]
    padded, target = np.vstack([X, 100 + X[:20]]), np.r_[y, y[:20]]
    weighted = fewest.evidence(padded, target, sample_weight=some)
    np.testing.assert_allclose(weighted.probability, fewest.evidence(X, y).probability)
    # Equal weights change nothing: the information is that of the rows there are.
    equal = fewest.evidence(X, y, sample_weight=np.full(60, 3.0))
    np.testing.assert_allclose(equal.probability, fewest.evidence(X, y).probability)


def test_groups_belong_together():
    X, y, _ = linear(d=5)
    found = fewest.evidence(X, y, groups=[["x0", "x4"]])
    assert found.probability[0] == found.probability[4] > 0.95


def test_of_a_wide_table_the_columns_with_most_evidence_are_looked_at():
    X, y, _ = linear(n=120, d=700, real=2)
    found = fewest.evidence(X, y, random_state=0)
    assert sorted(found.real()) == ["x0", "x1"]
    assert np.count_nonzero(found.probability) <= room.MOST_COLUMNS


def test_several_targets_and_a_target_that_is_constant():
    X, y, rng = linear(d=4)
    both = fewest.evidence(X, np.column_stack([y, rng.standard_normal(200)]))
    assert set(both.real()) == {"x0", "x1", "x2"}
    assert fewest.evidence(X, np.ones(200) * 0.5).real() == []


def test_it_saves_as_plain_data():
    found = FeatureEvidence(["a", "b"], np.array([0.5, np.nan]), False)
    again = FeatureEvidence.of(found.to_dict(), ["a", "b"])
    np.testing.assert_array_equal(again.probability, found.probability)
    assert not again.exact


@pytest.mark.parametrize("exclude", [None, ["x1"]])
def test_a_selector_has_it_for_allowed_features(exclude):
    X, y, _ = linear(d=6)
    selector = fewest.SubsetSelector(search="sfs", exclude=exclude, random_state=0).fit(X, y)
    found = selector.result_.evidence
    assert np.isnan(found.probability).tolist() == [False, exclude is not None, *[False] * 4]
    again = fewest.Result.from_dict(selector.result_.to_dict()).evidence
    np.testing.assert_array_equal(again.probability, found.probability)


@pytest.mark.parametrize("rows", [900, 40])
def test_a_table_outside_memory_has_the_evidence_of_its_rows_in_memory(rows, tmp_path):
    table = mixed(rows).assign(w=np.arange(rows) % 3, same=1.0)
    for target, weight in (("y", None), ("size", None), ("y", "w")):
        X = table.drop(columns=[target, *([] if weight is None else [weight])])
        place = tmp_path / f"{target}-{weight}"
        place.mkdir()
        stored = fewest.load(parquet(table[[*X, target, *([weight] if weight else [])]], place))
        groups = [["x0", "x1"]]
        found = fewest.evidence(
            StoredFrame(stored.X.source, tuple(X)), target, groups=groups, sample_weight=weight
        )
        wanted = fewest.evidence(
            X, table[target], groups=groups, sample_weight=None if weight is None else table[weight]
        )
        np.testing.assert_allclose(found.probability, wanted.probability, atol=1e-9)
        assert found.exact
