"""Which features could replace which."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import fewest
from fewest._fitting.plan import make_problem
from fewest._fitting.stand_ins import _small_loss, redundancy
from fewest.data._as_table import as_table
from fewest.testing import toy_table

RNG = np.random.default_rng(1)
Y = np.arange(80) % 2


def frame(noise=4):
    signal = RNG.normal(size=80) + 1.5 * Y
    columns = {"a": signal, "copy": signal.copy()}
    columns |= {f"noise{i}": RNG.normal(size=80) for i in range(noise)}
    return pd.DataFrame(columns)


def found(X, **given):
    selector = fewest.SubsetSelector("gaussian-nb", random_state=0, **given)
    return selector.fit(X, Y).result_


def test_a_copy_can_replace_its_original_at_no_loss():
    result = found(frame(), search="sfs", max_features=1)
    kept = result.features[0]
    assert result.extra["stand_ins"][0] == {
        "feature": kept,
        "by": ({"a", "copy"} - {kept}).pop(),
        "difference": 0.0,
        "redundancy": 1.0,
    }


def test_one_half_of_the_folds_chooses_and_the_other_judges():
    X = frame(noise=8)
    X["near"] = X["a"] + 0.02 * RNG.normal(size=80)
    result = found(X, search="sffs", choose="half-se")
    plan = fewest.SubsetSelector("gaussian-nb", random_state=0).plan(
        make_problem(X, Y, "gaussian-nb")
    )
    assert result.extra["stand_ins"]
    for entry in result.extra["stand_ins"]:
        swapped = result.support.copy()
        swapped[[result.names.index(entry["feature"]), result.names.index(entry["by"])]] ^= True
        own, other = plan.scorer.score(np.array([result.support, swapped])).folds[:, 1::2]
        assert entry["difference"] == pytest.approx((other - own).mean(), abs=1e-8)


def test_noise_is_no_stand_in_for_a_signal():
    X = frame(noise=12).drop(columns="copy")
    result = found(X, search="sfs", max_features=1)
    assert result.features == ["a"]
    assert "stand_ins" not in result.extra


def test_a_loss_must_be_ruled_out():
    # Mean 0.002, variance 0.0002, corrected by 1/4 + 1/7: error 0.0089, t 2.353: down to -0.019.
    gaps = np.array([0.016, -0.012, 0.016, -0.012])
    assert not _small_loss(gaps, 0.018)
    assert _small_loss(gaps, 0.022)
    assert _small_loss(np.zeros(4), 0.01)
    assert not _small_loss(np.array([-0.02]), 0.01)


def test_models_that_must_be_trained_have_none():
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    selector = fewest.SubsetSelector(model, search="sfs", max_features=1, cv=3, random_state=0)
    assert "stand_ins" not in selector.fit(frame(noise=2), Y).result_.extra


def test_features_that_must_be_in_have_no_stand_in():
    result = found(frame(), search="sfs", include=["a"])
    assert all(entry["feature"] != "a" for entry in result.extra.get("stand_ins", []))


def test_redundancy_is_the_absolute_correlation():
    table = toy_table(n_features=4)
    expected = np.abs(np.corrcoef(table.values.T))
    assert np.allclose(redundancy(table, [2])[2], expected[2])


def test_constant_and_unknown_values_are_no_error():
    X = frame()
    X["constant"], X.loc[3, "noise1"] = 1.0, np.nan
    result = fewest.SubsetSelector("naive-bayes", search="sfs", random_state=0).fit(X, Y).result_
    assert all(np.isfinite(e["redundancy"]) for e in result.extra.get("stand_ins", []))


def test_redundancy_of_a_sparse_table_is_that_of_the_dense_one():
    X = sparse.random(40, 5, 0.4, format="csr", random_state=0)
    dense, scattered = (redundancy(as_table(t, Y[:40]), [1, 3]) for t in (X.toarray(), X))
    for j in (1, 3):
        np.testing.assert_allclose(scattered[j], dense[j], atol=1e-12)


def test_a_constant_stands_in_for_nothing():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(200, 3)), np.ones(200)])
    X[:, 2] = X[:, 1] + 1e-3 * X[:, 2]
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    selector = fewest.SubsetSelector(
        "naive-bayes",
        search="exhaustive",
        consensus=None,
        min_features=2,
        max_features=2,
        random_state=0,
    ).fit(X, y)
    kept = selector.result_.support
    (other,) = set(np.flatnonzero(~kept).tolist()) - {3}
    assert {one["by"] for one in selector.result_.extra["stand_ins"]} == {f"x{other}"}
