"""What happens around the search: screens, resamples, outside features, stand-ins."""

from __future__ import annotations

from dataclasses import replace

import dask
import dask.dataframe
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics import r2_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import fewest
from fewest._errors import InputError
from fewest._fitting import consensus as module
from fewest._fitting.consensus import all_but_one_part, ranking, subsample
from fewest._fitting.plan import make_problem
from fewest._fitting.screen import screened_subsets
from fewest._fitting.stand_ins import _small_loss, redundancy
from fewest._report.page import result_page
from fewest._report.text import describe_result
from fewest.data._as_table import as_table
from fewest.data._engine import samples
from fewest.data._engine.frame import stored_table
from fewest.data._engine.samples import draw_sample
from fewest.search import Subsets
from fewest.testing import TableMeasure, toy_table
from tests.data.engine.sample import arrow, frame, parquet


# A filter before the search.
def wide(seed=0, classes=True):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 2, 80)
    X = rng.normal(size=(80, 60))
    X[:, [7, 31]] += 2.0 * target[:, None]
    return X, target if classes else X[:, 7] + X[:, 31]


def selector(measure="naive-bayes", **options):
    return fewest.SubsetSelector(measure, search="sfs", cv=3, random_state=0, **options)


@pytest.mark.parametrize("classes", [True, False])
def test_only_the_best_of_the_filter_are_searched(classes):
    X, y = wide(classes=classes)
    fitted = selector("naive-bayes" if classes else "linear-regression", screen=5).fit(X, y)
    result = fitted.result_
    tried = {j for entry in result.archive for j in entry["features"]}
    assert {7, 31} <= tried
    assert len(tried) <= 5
    assert fitted.support_.shape == (60,)
    assert any("the 5 of 60 features with the highest" in note for note in result.notes)


def test_the_scores_are_those_of_a_search_that_excludes_the_others():
    X, y = wide()
    screened = selector(screen=5).fit(X, y)
    kept = sorted({j for e in screened.result_.archive for j in e["features"]})
    excluded = selector(exclude=[j for j in range(60) if j not in kept]).fit(X, y)
    assert screened.result_.features == excluded.result_.features
    assert screened.score_ == excluded.score_
    assert np.array_equal(screened.predict(X), excluded.predict(X))


def test_included_features_and_groups_stay():
    X, y = wide()
    result = selector(screen=3, include=[50], groups=[[10, 11]]).fit(X, y).result_
    tried = {j for entry in result.archive for j in entry["features"]}
    assert {10, 11, 50} <= tried
    assert len(tried) <= 6


def test_nothing_happens_where_there_are_few():
    X, y = wide()
    assert selector(screen=60).fit(X, y).result_.notes == selector().fit(X, y).result_.notes


@pytest.mark.parametrize("bad", [0, -1, 2.5, "all", True])
def test_what_is_no_number_of_features_is_refused(bad):
    with pytest.raises(InputError, match="`screen` must be a whole number of at least 1"):
        selector(screen=bad).fit(*wide())


def test_a_validation_screens_in_every_fold_anew():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 800)), np.arange(60) % 2
    chooser = selector(screen=10)
    assert chooser.fit(X, y).score_ > 0.8  # the filter saw all rows
    found = fewest.validate(chooser, X, y, scheme="1x5cv", random_state=0)
    assert abs(found.score - 0.5) < 0.15  # noise, on rows that it has not seen


# Rows to search again on.
def test_a_subsample_keeps_the_share_of_every_class():
    table = toy_table(n_rows=100, n_classes=2)
    rows = subsample(table, np.random.default_rng(1))
    assert np.bincount(table.target[rows]).tolist() == [35, 35]
    assert len(np.unique(rows)) == 70


def test_a_class_with_one_row_is_never_lost():
    table = toy_table(n_rows=21)
    target = np.zeros(21, dtype=table.target.dtype)
    target[20] = 1
    assert 20 in subsample(replace(table, target=target), np.random.default_rng(0))


def test_groups_stay_together():
    groups = np.repeat(np.arange(10), 4)
    table = replace(toy_table(n_rows=40), metadata={"groups": groups})
    rows = subsample(table, np.random.default_rng(0))
    assert np.bincount(groups[rows], minlength=10).tolist().count(4) == 7
    assert len(rows) == 28
    for kept in all_but_one_part(table, 5, np.random.default_rng(0)):
        assert set(np.bincount(groups[kept], minlength=10)) == {0, 4}


def test_every_row_is_left_out_once_and_classes_stay_balanced():
    table = toy_table(n_rows=60)
    parts = all_but_one_part(table, 10, np.random.default_rng(0))
    left = [np.setdiff1d(np.arange(60), kept) for kept in parts]
    assert sorted(np.concatenate(left).tolist()) == list(range(60))
    assert all(np.bincount(table.target[rows]).tolist() == [3, 3] for rows in left)


# Units ranked by votes.
ALONE = TableMeasure({(0,): 0.2, (1,): 0.5, (2,): 0.9, (3,): 0.4}).bind(toy_table(n_features=4))


def test_most_votes_first_and_of_equals_what_scores_more_alone():
    assert ranking(np.array([0.5, 0.5, 0.1, 1.0]), Subsets(4), ALONE) == (3, 1, 0, 2)


def test_what_has_no_votes_is_not_ranked():
    assert ranking(np.array([0.0, 0.3, 0.0, 0.6]), Subsets(4), ALONE) == (3, 1)


def test_a_group_has_the_most_votes_of_its_features():
    space = Subsets(4, groups=((0, 2),))
    order = ranking(np.array([0.1, 0.3, 0.8, 0.2]), space, ALONE)
    masks = space.expand(np.eye(space.n_units, dtype=bool))
    assert [np.flatnonzero(masks[unit]).tolist() for unit in order] == [[0, 2], [1], [3]]


def test_very_long_rankings_are_cut(monkeypatch):
    monkeypatch.setattr(module, "MOST_PREFIXES", 2)
    assert ranking(np.array([0.1, 0.3, 0.8, 0.2]), Subsets(4), ALONE) == (2, 1)


#
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(samples, "FEWEST_ROWS", 300)
    monkeypatch.setattr(samples, "SAMPLED_ROWS", 300)


def numbers(rows=1500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(0, 1, (rows, 3))
    label = np.digitize(X[:, 0] + 0.3 * rng.normal(size=rows), [-1.2, 1.0])
    return pd.DataFrame(X, columns=list("abc")).assign(y=np.array(["lo", "mid", "hi"])[label])


def _outside(table, target, sample):
    """The rows whose values are not among those of the sample."""
    known = {tuple(row) for row in sample[["a", "b"]].to_numpy()}
    rows = table[["a", "b"]].to_numpy()
    return table[[tuple(row) not in known for row in rows]]


def test_a_model_without_sums_learns_from_a_sample_and_is_judged_outside_it(small, tmp_path):
    table = numbers()
    data = fewest.load(parquet(table, tmp_path, 3), target="y")
    selector = fewest.SubsetSelector(TREE, search="sfs", random_state=0).fit(data.X, data.y)
    sample = draw_sample(data.table())
    shares = pd.Series(sample.classes[sample.target]).value_counts() / sample.n_rows
    wanted = table["y"].value_counts() / len(table)
    assert 300 <= sample.n_rows <= 302
    assert (shares - wanted).abs().max() < 0.005
    alone = fewest.SubsetSelector(TREE, search="sfs", random_state=0).fit(sample.X, sample.y)
    assert selector.result_.features == alone.result_.features
    assert selector.score_ == alone.score_
    rest = _outside(table, "y", sample.X)
    found = selector.result_.extra["outside"]
    assert found["metric"] == "accuracy"
    assert found["rows"] == len(rest) == len(table) - sample.n_rows
    right = alone.predict(rest.drop(columns="y")) == rest["y"]
    assert found["score"] == pytest.approx(right.mean())
    assert any("1,500 rows of the table" in note for note in selector.result_.notes)
    assert any("rows outside the sample" in note for note in selector.result_.notes)


def test_numbers_are_judged_by_r2_and_a_table_that_fits_has_no_rows_outside(small):
    table = numbers().drop(columns="y")
    tree = DecisionTreeRegressor(max_depth=3, random_state=0)
    table["c"] = 100.0 + table["a"] * 2 + table["b"]
    stored = arrow(table)
    selector = fewest.SubsetSelector(tree, search="sfs").fit(stored.dataset, target="c")
    rest = _outside(table, "c", draw_sample(stored_table(stored, "c")).X)
    wanted = r2_score(rest["c"], selector.predict(rest[["a", "b"]]))
    assert selector.result_.extra["outside"]["score"] == pytest.approx(wanted)
    whole = fewest.SubsetSelector(tree, search="sfs").fit(arrow(table[:200]).dataset, target="c")
    assert "outside" not in whole.result_.extra


def test_the_sample_of_distinct_rows_is_the_same_in_every_order_and_partition(small):
    table = numbers()
    wanted = draw_sample(stored_table(arrow(table), "y"))
    shuffled = table.sample(frac=1.0, random_state=1).reset_index(drop=True)
    with dask.config.set(scheduler="synchronous"):
        from fewest.data._engine.open import open_source

        parts = open_source(dask.dataframe.from_pandas(shuffled, npartitions=7, sort=False))
        for source in (arrow(shuffled, 13), parts):
            found = draw_sample(stored_table(source, "y"))
            np.testing.assert_array_equal(found.values, wanted.values)
            np.testing.assert_array_equal(found.target, wanted.target)


def test_copies_of_a_few_rows_are_drawn_by_their_share(small):
    table = frame(6000)[["x0", "x1", "y"]]
    found = draw_sample(stored_table(arrow(table, 500), "y"))
    shares = pd.DataFrame(found.values).value_counts() / found.n_rows
    wanted = table.assign(x0=table["x0"].map("ab".index), x1=table["x1"].map("abc".index))
    wanted = wanted[["x0", "x1"]].value_counts() / len(table)
    assert np.abs(shares.to_numpy() - wanted.loc[shares.index].to_numpy()).max() < 0.08


def test_the_path_runs_on_a_sample_and_predictions_come_in_batches(small, tmp_path):
    table = numbers()
    data = fewest.load(parquet(table, tmp_path, 3), target="y")
    selector = fewest.SubsetSelector("naive-bayes", search="path", random_state=0)
    selector.fit(data.X, data.y)
    assert selector.result_.curve is not None
    assert any(n.startswith("The search `path` needs rows") for n in selector.result_.notes)
    files = sorted(tmp_path.glob("part-*.parquet"))
    rows = pd.concat([pd.read_parquet(path) for path in files])
    told = selector.predict(data.X)
    assert told.tolist() == selector.predict(rows.drop(columns="y")).tolist()
    sure = selector.predict_proba(data.X)
    np.testing.assert_allclose(sure, selector.predict_proba(rows.drop(columns="y")))
    selector.transform(data.X).to_parquet(tmp_path / "chosen.parquet")
    written = pd.read_parquet(tmp_path / "chosen.parquet")
    assert written.columns.tolist() == selector.result_.features
    np.testing.assert_array_equal(written.to_numpy(), rows[selector.result_.features].to_numpy())


# Which features could replace which.
RNG = np.random.default_rng(1)
Y = np.arange(80) % 2


def frame_with_copies(noise=4):
    signal = RNG.normal(size=80) + 1.5 * Y
    columns = {"a": signal, "copy": signal.copy()}
    columns |= {f"noise{i}": RNG.normal(size=80) for i in range(noise)}
    return pd.DataFrame(columns)


def found(X, **given):
    selector = fewest.SubsetSelector("gaussian-nb", random_state=0, **given)
    return selector.fit(X, Y).result_


def test_a_copy_can_replace_its_original_at_no_loss():
    result = found(frame_with_copies(), search="sfs", max_features=1)
    kept = result.features[0]
    assert result.extra["stand_ins"][0] == {
        "feature": kept,
        "by": ({"a", "copy"} - {kept}).pop(),
        "difference": 0.0,
        "redundancy": 1.0,
    }


def test_one_half_of_the_folds_chooses_and_the_other_judges():
    X = frame_with_copies(noise=8)
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
    X = frame_with_copies(noise=12).drop(columns="copy")
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
    assert "stand_ins" not in selector.fit(frame_with_copies(noise=2), Y).result_.extra


def test_features_that_must_be_in_have_no_stand_in():
    result = found(frame_with_copies(), search="sfs", include=["a"])
    assert all(entry["feature"] != "a" for entry in result.extra.get("stand_ins", []))


def test_redundancy_is_the_absolute_correlation():
    table = toy_table(n_features=4)
    expected = np.abs(np.corrcoef(table.values.T))
    assert np.allclose(redundancy(table, [2])[2], expected[2])


def test_constant_and_unknown_values_are_no_error():
    X = frame_with_copies()
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


N = 30
RNG_SPACE = np.random.default_rng(0)
CLASSES = RNG_SPACE.integers(0, 2, N)
PATIENTS = np.array(
    [[f"patient {i}", "ab"[CLASSES[i]], "uv"[i % 2], "uv"[i % 2]] for i in range(N)], dtype=object
)


def space_of(**constraints):
    return screened_subsets(as_table(PATIENTS, CLASSES), constraints)


def test_identifiers_are_left_out():
    assert space_of().exclude == (0,)


@pytest.mark.parametrize("named", [{"include": "x0"}, {"groups": [["x0", "x1"]]}])
def test_identifiers_that_are_named_stay(named):
    assert space_of(**named).exclude == ()
    result = fewest.SubsetSelector("mdl", search="sfs", **named).fit(PATIENTS, CLASSES).result_
    note = next(note for note in result.notes if getattr(note, "kind", "") == "identifier")
    assert note.columns == ("x0",)
    assert note.endswith("It stays in the search, because you named it or too few features would "
                         "be left.")  # fmt: skip


def test_identifiers_stay_where_too_few_features_would_be_left():
    assert space_of(min_features=4).exclude == ()
    assert screened_subsets(as_table(PATIENTS[:, :1], CLASSES), {}).exclude == ()


@pytest.mark.parametrize("measure", ["information-gain", "inconsistency", "mdl"])
def test_filters_no_longer_choose_names_of_patients(measure):
    selector = fewest.SubsetSelector(measure, search="exhaustive").fit(PATIENTS, CLASSES)
    assert not selector.support_[0]
    result = selector.result_
    assert result.notes[0].kind == "identifier"
    kept = fewest.Result.from_dict(result.to_dict())
    for shown, times in ((describe_result(kept), 1), (result_page(kept), 2)):
        text = " ".join(shown.split())
        assert text.count("Looks like an identifier: x0: 100% of the values differ") == times
    text = describe_result(kept)
    assert text.index("Looks like an identifier") < text.index("Chosen")


def test_a_result_keeps_the_findings_and_a_fold_needs_none():
    selector = fewest.SubsetSelector("mdl", search="sfs").fit(PATIENTS, CLASSES)
    kinds = [one["kind"] for one in selector.result_.extra["check"]["findings"]]
    assert kinds == [one.kind for one in fewest.check(PATIENTS, CLASSES)]
    assert "check" not in selector.fit_table(as_table(PATIENTS, CLASSES)).result_.extra
