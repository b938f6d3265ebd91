import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fewest
from fewest.errors import InputError
from fewest.validation.tests import f_test_5x2cv

X, Y = load_iris(return_X_y=True, as_frame=True)
SFS = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3)


def test_selection_happens_inside_the_external_loop():
    splitter = StratifiedKFold(4, shuffle=True, random_state=0)
    v = fewest.validate(SFS, X, Y, scheme=splitter, random_state=0)
    for fold, (train, test) in enumerate(splitter.split(X, Y)):
        # GaussianNB with fixed folds is deterministic: the same rows, the same selection.
        selector = clone(SFS).fit(X.iloc[train], Y.iloc[train])
        assert np.array_equal(selector.support_, v.supports[fold])
        chosen = X.loc[:, selector.support_]
        model = GaussianNB().fit(chosen.iloc[train], Y.iloc[train])
        assert v.scores[fold] == model.score(chosen.iloc[test], Y.iloc[test])
        everything = GaussianNB().fit(X.iloc[train], Y.iloc[train])
        assert v.baseline_scores[fold] == everything.score(X.iloc[test], Y.iloc[test])


def test_the_figures_belong_together():
    v = fewest.validate(SFS, X, Y, random_state=0)
    assert len(v.scores) == 10
    assert v.accuracy == pytest.approx(v.scores.mean())
    assert v.std == pytest.approx(v.scores.std(ddof=1))
    assert v.sizes == v.supports.sum(axis=1).tolist()
    assert v.p_value == f_test_5x2cv(v.scores, v.baseline_scores)
    assert set(v.stabilities) == {"nogueira", "kuncheva", "jaccard"}
    assert v.stability == v.stabilities["nogueira"]
    assert v.optimism == pytest.approx(v.selection_score - v.accuracy)


def test_the_same_seed_and_any_workers_give_the_same_figures():
    one, two = (
        fewest.validate(SFS, X, Y, random_state=3, n_jobs=jobs).to_dict() for jobs in (1, 2)
    )
    assert one == two


def test_other_selectors_and_estimators():
    v = fewest.validate(
        SelectKBest(k=2), X, Y, estimator=KNeighborsClassifier(3), scheme="2x3cv", random_state=0
    )
    assert v.sizes == [2] * 6
    assert v.selection_score is None
    assert v.warning() is None
    assert v.test == "corrected paired t test"


def test_filters_are_judged_with_naive_bayes():
    v = fewest.validate(fewest.SubsetSelector("mdl", search="sfs"), X, Y, random_state=0)
    assert v.accuracy > 0.9


@pytest.mark.parametrize("scheme", ["5x1cv", "0x2cv", "ten", 5, None])
def test_wrong_schemes_get_a_sentence(scheme):
    with pytest.raises(InputError, match='`scheme` must be like "5x2cv"'):
        fewest.validate(SFS, X, Y, scheme=scheme)


def test_a_journal_inside_is_refused(tmp_path):
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3, journal=tmp_path / "j")
    with pytest.raises(InputError, match="`journal` must be None"):
        fewest.validate(selector, X, Y, scheme=KFold(2))


def test_noise_is_told_from_signal():
    rng = np.random.default_rng(1)
    noise, labels = rng.normal(size=(60, 200)), np.arange(60) % 2
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=5)
    v = fewest.validate(selector, noise, labels, random_state=0)
    assert v.selection_score > 0.75
    assert abs(v.accuracy - 0.5) < 0.12
    assert "illusion" in v.warning()
    assert v.guessing == 0.5
    assert "no better than guessing" in v.warning()
    assert fewest.validate(SFS, X, Y, random_state=0).warning() is None


def test_compare_runs_all_on_the_same_splits():
    both = {"sfs": SFS, "sbe": clone(SFS).set_params(search="sbe")}
    c = fewest.compare(both, X, Y, random_state=0)
    alone = fewest.validate(SFS, X, Y, random_state=0)
    assert np.array_equal(c.validations["sfs"].scores, alone.scores)
    assert [row["method"] for row in c.table] == ["sfs", "sbe", "all features"]
    a, b = c.validations.values()
    assert c.p_values == {("sfs", "sbe"): f_test_5x2cv(a.scores, b.scores)}
    with pytest.raises(InputError, match="`selectors` must map names"):
        fewest.compare({}, X, Y)
