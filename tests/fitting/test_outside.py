"""Final models of a table outside memory: trained from sums or on a sample, and their scores."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fewest
from fewest import SubsetSelector
from fewest._errors import InputError
from tests.data.engine.sample import frame, numbers, parquet

FROM_SUMS = [
    (LinearRegression(), "z"),
    (Ridge(40.0), "z"),
    (make_pipeline(StandardScaler(), Ridge(400.0)), "z"),
    (GaussianNB(var_smoothing=0.05), "y"),
    (LinearDiscriminantAnalysis(), "y"),
    (LinearDiscriminantAnalysis(solver="lsqr"), "y"),
]


def in_file_order(table, files=3):
    """The rows as files of the table are read."""
    return table.iloc[np.concatenate([np.arange(len(table))[i::files] for i in range(files)])]


def fitted(estimator, table, target, folder, **options):
    """The selector of a table on disk, the table, and what it has without the target."""
    data = fewest.load(parquet(table, folder), target=target)
    selector = SubsetSelector(estimator, search="sfs", max_features=2, random_state=0, **options)
    return selector.fit(data), data


@pytest.mark.parametrize(("estimator", "target"), FROM_SUMS)
def test_models_of_moments_are_trained_on_all_rows_by_their_sums(estimator, target, tmp_path):
    table = numbers().drop(columns="y" if target == "z" else "z")
    selector, data = fitted(estimator, table, target, tmp_path)
    table = in_file_order(table)
    X = table[selector.get_feature_names_out().tolist()]
    memory = clone(estimator).fit(X, table[target])
    method = "predict" if target == "z" else "predict_proba"
    wanted, found = getattr(memory, method)(X), getattr(selector, method)(data.X)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
    assert selector.score(data) == pytest.approx(memory.score(X, table[target]), abs=1e-12)
    assert str(selector.estimator_.get_params()) == str(memory.get_params())
    assert not any("sample" in note for note in selector.result_.notes)


def test_weights_of_rows_count_in_the_sums(tmp_path):
    table = numbers().drop(columns="z")
    table["w"] = np.arange(len(table)) % 3
    data = fewest.load(parquet(table, tmp_path), target="y")
    model = SubsetSelector(GaussianNB(), search="sfs", max_features=2, random_state=0)
    model.fit(data.X, target="y", sample_weight="w")
    X = table[model.get_feature_names_out().tolist()]
    memory = GaussianNB().fit(X[table.w > 0], table.y[table.w > 0], table.w[table.w > 0])
    np.testing.assert_allclose(model.estimator_.theta_, memory.theta_, rtol=1e-9)
    np.testing.assert_allclose(model.estimator_.class_prior_, memory.class_prior_, rtol=1e-12)


@pytest.mark.parametrize(
    ("estimator", "table", "target"),
    [
        (LogisticRegression(), numbers().drop(columns="z"), "y"),
        (make_pipeline(StandardScaler(), GaussianNB()), numbers().drop(columns="z"), "y"),
        ("naive-bayes", frame()[["x0", "x1", "x2", "y"]], "y"),
    ],
)
def test_other_models_are_trained_on_a_sample_and_say_so(estimator, table, target, tmp_path):
    selector, data = fitted(estimator, table, target, tmp_path)
    (note,) = [note for note in selector.result_.notes if "final model" in note]
    assert note.endswith(f"sample: {len(table)} of the {len(table)} rows.")
    table = in_file_order(table)
    right = (selector.predict(data.X) == np.asarray(table[target])).mean()
    assert selector.score(data) == pytest.approx(right, abs=1e-12)


def test_a_score_by_scans_is_accuracy_or_r2(tmp_path):
    table = numbers().drop(columns="z")
    selector, data = fitted("gaussian-nb", table, "y", tmp_path)
    selector.measure_.scoring = "roc_auc"
    with pytest.raises(InputError, match="`scoring` must be accuracy for the score on a table"):
        selector.score(data)
    with pytest.raises(
        InputError, match="`y` must hold classes for GaussianNB, but the column 'a'"
    ):
        selector.score(data.X, "a")
    other = fewest.load(
        parquet(table.rename(columns=str.upper).rename(columns={"Y": "y"}), tmp_path), target="y"
    )
    for call in (selector.predict, selector.score, selector.transform):
        with pytest.raises(InputError, match="must have the columns that SubsetSelector was fitte"):
            call(other.X, *(["y"] if call == selector.score else []))
    other, _ = fitted("gaussian-nb", table, "y", tmp_path, refit=False)
    assert not hasattr(other, "score")
