"""Whatever selects can be validated: scikit-learn, mlxtend, Boruta, and pipelines of them."""

import numpy as np
import pytest
from boruta import BorutaPy
from mlxtend.feature_selection import SequentialFeatureSelector as MlxtendSelector
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV, SelectFromModel, SelectKBest, VarianceThreshold
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._errors import InputError

X, Y = load_iris(return_X_y=True, as_frame=True)
SCHEME = StratifiedKFold(3, shuffle=True, random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
FOREST = RandomForestClassifier(30, max_depth=4, random_state=0)
SELECTORS = {
    "rfecv": RFECV(TREE, cv=3),
    "from model": SelectFromModel(TREE),
    "k best": SelectKBest(k=2),
    "mlxtend": MlxtendSelector(GaussianNB(), k_features=2, cv=3),
    "boruta": BorutaPy(FOREST, n_estimators=30, max_iter=10, random_state=0),
}


@pytest.mark.parametrize("name", SELECTORS)
def test_every_selector_is_validated(name):
    v = fewest.validate(
        SELECTORS[name], X, Y, estimator=GaussianNB(), scheme=SCHEME, random_state=0
    )
    assert v.names == list(X.columns)
    assert v.score > 0.9
    for (train, test), support, score in zip(SCHEME.split(X, Y), v.supports, v.scores, strict=True):
        kept = X.loc[:, support]
        model = GaussianNB().fit(kept.iloc[train], Y.iloc[train])
        assert score == model.score(kept.iloc[test], Y.iloc[test])


@pytest.mark.parametrize("name", SELECTORS)
def test_every_selector_may_end_a_pipeline(name):
    pipeline = make_pipeline(StandardScaler(), SELECTORS[name])
    v = fewest.validate(pipeline, X, Y, estimator=GaussianNB(), scheme=SCHEME, random_state=0)
    assert v.score > 0.9
    assert v.names == list(X.columns)


def test_what_a_selector_says_of_itself_is_its_selection_score():
    rfecv = SELECTORS["rfecv"]
    v = fewest.validate(rfecv, X, Y, scheme=SCHEME, random_state=0)
    train, _ = next(SCHEME.split(X, Y))
    first = RFECV(TREE, cv=3).fit(X.iloc[train], Y.iloc[train])
    assert v.supports[0].tolist() == first.support_.tolist()
    assert 0.9 < v.selection_score <= 1
    assert fewest.validate(SelectKBest(k=2), X, Y, scheme=SCHEME).selection_score is None


def test_the_wrapped_estimator_is_judged():
    v = fewest.validate(SELECTORS["from model"], X, Y, scheme=SCHEME, random_state=0)
    assert "DecisionTreeClassifier" in v.settings["estimator"]


def test_a_whole_pipeline_is_judged_against_itself_without_the_selector():
    steps = [("scale", StandardScaler()), ("few", SelectKBest(k=1)), ("nb", GaussianNB())]
    pipeline = Pipeline(steps)
    v = fewest.validate(pipeline, X, Y, scheme=SCHEME, random_state=0)
    for fold, (train, test) in enumerate(SCHEME.split(X, Y)):
        fitted = Pipeline(steps).fit(X.iloc[train], Y.iloc[train])
        assert v.scores[fold] == fitted.score(X.iloc[test], Y.iloc[test])
        assert v.supports[fold].tolist() == fitted["few"].get_support().tolist()
        plain = make_pipeline(StandardScaler(), GaussianNB()).fit(X.iloc[train], Y.iloc[train])
        assert v.baseline_scores[fold] == plain.score(X.iloc[test], Y.iloc[test])


def test_two_selectors_in_a_row_choose_together():
    wine, kinds = load_wine(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(VarianceThreshold(0.5), SelectKBest(k=2), GaussianNB())
    v = fewest.validate(pipeline, wine, kinds, scheme=SCHEME, random_state=0)
    train, _ = next(SCHEME.split(wine, kinds))
    fitted = pipeline.fit(wine.iloc[train], kinds.iloc[train])
    named = fitted[:-1].get_feature_names_out()
    assert [n for n, s in zip(v.names, v.supports[0], strict=True) if s] == named.tolist()
    assert v.sizes == [2, 2, 2]


def test_our_selector_inside_a_pipeline_keeps_its_scoring():
    inner = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3, scoring="balanced_accuracy")
    pipeline = make_pipeline(StandardScaler(), inner)
    v = fewest.validate(pipeline, X, Y, scheme=SCHEME, random_state=0)
    assert v.metric == "balanced_accuracy"
    assert v.optimism == pytest.approx(v.selection_score - v.score)


def test_features_that_a_step_makes_are_named():
    pipeline = make_pipeline(PCA(3), SelectKBest(k=1), GaussianNB())
    v = fewest.validate(pipeline, X, Y, scheme=SCHEME, random_state=0)
    assert v.names == ["pca0", "pca1", "pca2"]


@pytest.mark.parametrize("wrong", [GaussianNB(), make_pipeline(StandardScaler(), GaussianNB()), 3])
def test_what_does_not_select_is_refused(wrong):
    with pytest.raises(InputError, match="`selector` must be a selector"):
        fewest.validate(wrong, X, Y)


def test_a_step_between_selectors_that_changes_features_is_refused():
    pipeline = make_pipeline(SelectKBest(k=3), PCA(2), SelectKBest(k=1), GaussianNB())
    with pytest.raises(InputError, match="must see the features that the selector before it chose"):
        fewest.validate(pipeline, X, Y, scheme=KFold(2, shuffle=True, random_state=0))


def test_numbers_are_judged_by_linear_regression():
    y = X.iloc[:, 0].to_numpy() + 0.1 * np.random.default_rng(0).normal(size=150)
    v = fewest.validate(VarianceThreshold(0.2), X, y, scheme=KFold(3, shuffle=True, random_state=0))
    assert v.metric == "R²"
    assert v.score > 0.9


class Interrupted(GaussianNB):
    """Ctrl-C in the middle of a selection."""

    trained = 0

    def fit(self, X, y, sample_weight=None):
        type(self).trained += 1
        if type(self).trained == 8:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("wrap", [lambda s: s, lambda s: make_pipeline(StandardScaler(), s)])
def test_an_interrupt_in_a_selection_ends_the_validation(wrap):
    Interrupted.trained = 0
    selector = fewest.SubsetSelector(Interrupted(), search="sfs", cv=3)
    with pytest.raises(KeyboardInterrupt):
        fewest.validate(wrap(selector), X, Y, scheme=SCHEME, random_state=0)
