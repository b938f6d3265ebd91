"""Selectors of other libraries on the same splits, as far as they are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Peer = Callable[[Floats, NDArray[Any], int], NDArray[np.bool_]]


def filled(values: Floats) -> Floats:
    """Numbers for everything: codes for categories, medians for unknown values."""
    with np.errstate(all="ignore"):
        middle = np.nan_to_num(np.nanmedian(values, axis=0))
    return np.where(np.isnan(values), middle, values)


def _sfs(X: Floats, y: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.naive_bayes import GaussianNB

    del seed
    found = SequentialFeatureSelector(GaussianNB(), n_features_to_select="auto", tol=1e-4, cv=5)
    return np.asarray(found.fit(X, y).get_support())


def _rfecv(X: Floats, y: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    from sklearn.feature_selection import RFECV
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    del seed
    scaled = StandardScaler().fit_transform(X)
    return np.asarray(RFECV(LogisticRegression(max_iter=500), cv=5).fit(scaled, y).get_support())


def _l1(X: Floats, y: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    from sklearn.feature_selection import SelectFromModel
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.preprocessing import StandardScaler

    model = LogisticRegressionCV(
        Cs=8, cv=3, l1_ratios=(1.0,), solver="saga", max_iter=200, random_state=seed,
        use_legacy_attributes=True,
    )  # fmt: skip
    return np.asarray(
        SelectFromModel(model).fit(StandardScaler().fit_transform(X), y).get_support()
    )


def _k_best(X: Floats, y: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    from sklearn.feature_selection import SelectKBest, mutual_info_classif

    def score(A: Floats, b: NDArray[Any]) -> Floats:
        return np.asarray(mutual_info_classif(A, b, random_state=seed))

    return np.asarray(SelectKBest(score, k=min(10, X.shape[1])).fit(X, y).get_support())


def _boruta(X: Floats, y: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(max_depth=5, random_state=seed)
    found = BorutaPy(forest, n_estimators=50, max_iter=30, random_state=seed).fit(X, y)
    return np.asarray(found.support_)


def _mlxtend(X: Floats, y: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    from mlxtend.feature_selection import SequentialFeatureSelector
    from sklearn.naive_bayes import GaussianNB

    del seed
    most = min(15, X.shape[1])
    found = SequentialFeatureSelector(
        GaussianNB(), k_features=(1, most), floating=True, cv=5, verbose=0
    ).fit(X, y)
    mask = np.zeros(X.shape[1], dtype=bool)
    mask[list(found.k_feature_idx_)] = True
    return mask


def _genetic(X: Floats, y: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    import random

    from sklearn.naive_bayes import GaussianNB
    from sklearn_genetic import GAFeatureSelectionCV

    random.seed(seed)  # it has no seed of its own, and draws from both global generators
    np.random.seed(seed)  # noqa: NPY002
    found = GAFeatureSelectionCV(
        GaussianNB(), cv=5, population_size=20, generations=10, verbose=False
    ).fit(X, y)
    return np.asarray(found.support_)


#: Name, and the package it needs.
PEERS: dict[str, tuple[str, Peer]] = {
    "SelectKBest(10), mutual information": ("sklearn", _k_best),
    "scikit-learn SFS, GaussianNB": ("sklearn", _sfs),
    "RFECV, logistic": ("sklearn", _rfecv),
    "L1 logistic": ("sklearn", _l1),
    "Boruta": ("boruta", _boruta),
    "mlxtend floating SFS, GaussianNB": ("mlxtend", _mlxtend),
    "sklearn-genetic-opt, GaussianNB": ("sklearn_genetic", _genetic),
}


def installed() -> list[str]:
    """The peers that are installed."""
    return [
        name
        for name, (package, _) in PEERS.items()
        if importlib.util.find_spec(package) is not None
    ]
