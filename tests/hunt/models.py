"""The models of the hunt: parameters drawn from their valid ranges, and tolerances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid

from fewest.classifiers._naive_bayes import MLCNaiveBayes, NaiveBayes
from fewest.classifiers._nearest_neighbor import IB1, NearestNeighbor
from fewest.classifiers._network_classifiers import TAN, SelectiveNaiveBayes
from fewest.classifiers._one_r import OneR
from fewest.classifiers._table_majority import TableMajority
from fewest.classifiers._trees.tree import C45, ID3
from tests.hunt.references import (
    LogisticOptimum,
    NeighboursClassifier,
    NeighboursRegressor,
    OncePerRow,
)

Rng = np.random.Generator


@dataclass(frozen=True)
class Model:
    """A class of models.

    Parameters
    ----------
    draw : function of random numbers and classes (None of numbers)
        Makes an estimator.
    takes : "numbers", "levels" (whole numbers from 0 on) or "anything" (labels and unknown values)
    weighted : bool
        Whether ``fit`` takes weights of rows.
    ideal : function of an estimator and a jitter, or None
        The same model written plainly. A score may equal that of either.
    jitter : float
        How far decision values of the ideal may move.
    tolerance : float
        How far scores other than those of labels may be away, relative to max(1, |score|).
    """

    draw: Callable[[Rng, Any], Any]
    takes: str = "numbers"
    weighted: bool = True
    ideal: Callable[..., Any] | None = None
    jitter: float = 0.0
    tolerance: float = 1e-7


def _often(rng: Rng, *values: Any) -> Any:
    """Return the first value in half of the cases."""
    return (
        values[0] if len(values) == 1 or rng.random() < 0.5 else values[rng.integers(len(values))]
    )


def _between(rng: Rng, low: float, high: float) -> float:
    return float(10.0 ** rng.uniform(low, high))


def _priors(rng: Rng, classes: Any) -> Any:
    share = rng.dirichlet(np.full(len(classes), 5.0))
    return _often(rng, None, share / share.sum())


def _class_weight(rng: Rng, classes: Any) -> Any:
    own = {label: float(rng.uniform(0.1, 5)) for label in classes.tolist()}
    return _often(rng, None, None, "balanced", own)


def _linear(rng: Rng, classes: Any) -> Any:
    return LinearRegression(
        fit_intercept=bool(rng.random() < 0.8), positive=bool(rng.random() < 0.03)
    )


def _ridge_options(rng: Rng) -> dict[str, Any]:
    solvers = ("auto", "cholesky", "svd", "lsqr", "sparse_cg", "sag")
    return {
        "alpha": _often(rng, 1.0, 0.0, _between(rng, -8, 6)),
        "fit_intercept": bool(rng.random() < 0.8),
        "solver": "auto" if rng.random() < 0.7 else str(rng.choice(solvers)),
        "random_state": 0,
    }


def _ridge(rng: Rng, classes: Any) -> Any:
    return Ridge(**_ridge_options(rng))


def _ridge_classifier(rng: Rng, classes: Any) -> Any:
    return RidgeClassifier(class_weight=_class_weight(rng, classes), **_ridge_options(rng))


def _logistic(rng: Rng, classes: Any) -> Any:
    solvers = ["lbfgs", "lbfgs", "lbfgs", "newton-cg", "newton-cholesky", "saga"]
    solvers += ["liblinear"] if len(classes) == 2 else []
    model = LogisticRegression(
        C=_often(rng, 1.0, _between(rng, -4, 4)),
        fit_intercept=bool(rng.random() < 0.85),
        class_weight=_class_weight(rng, classes),
        solver=str(rng.choice(solvers)),
        max_iter=int(_often(rng, 100, 1000)),
        tol=_often(rng, 1e-4, 1e-8),
        random_state=0,
    )
    if model.solver == "newton-cg":
        # It converges in few steps or, with numbers of 1e100, in none: 1,000 take 14 seconds.
        model.set_params(max_iter=20)
    return model


def _optimum(model: Any, jitter: float = 0.0, seed: int = 0) -> Any:
    inner = model.intercept_scaling if model.solver == "liblinear" else 0.0
    shared = {"C": model.C, "fit_intercept": model.fit_intercept}
    return LogisticOptimum(
        **shared,
        class_weight=model.class_weight,
        penalised_intercept=inner,
        jitter=jitter,
        seed=seed,
    )


def _same(model: Any, jitter: float = 0.0, seed: int = 0) -> Any:
    """Return the model itself: the ideal gets dense numbers, for which it is solved exactly."""
    return clone(model)


def _exact_ridge(model: Any, jitter: float = 0.0, seed: int = 0) -> Any:
    return clone(model).set_params(solver="svd")


def _neighbours(rng: Rng, classes: Any) -> Any:
    kind = KNeighborsRegressor if classes is None else KNeighborsClassifier
    algorithm = str(rng.choice(["auto", "auto", "brute", "kd_tree", "ball_tree"]))
    metrics = {"p": _often(rng, 2, 1, 2, 3)}
    if rng.random() < 0.2:
        metrics = {"metric": str(rng.choice(["euclidean", "manhattan", "chebyshev", "cosine"]))}
        algorithm = "auto"
    return kind(
        n_neighbors=int(rng.choice([1, 2, 3, 5, 5, 8])),
        weights=_often(rng, "uniform", "distance"),
        algorithm=algorithm,
        **metrics,
    )


def _earlier(model: Any, jitter: float = 0.0, seed: int = 0) -> Any:
    known = {"minkowski": model.p, "euclidean": 2, "manhattan": 1, "chebyshev": np.inf}
    if model.metric not in known or model.weights not in ("uniform", "distance"):
        return None
    kind = NeighboursRegressor if isinstance(model, KNeighborsRegressor) else NeighboursClassifier
    return kind(model.n_neighbors, model.weights, known[model.metric])


def _discriminant(rng: Rng, classes: Any) -> Any:
    solver = str(_often(rng, "svd", "lsqr", "eigen"))
    shrinkage = None if solver == "svd" else _often(rng, None, "auto", float(rng.random()))
    return LinearDiscriminantAnalysis(
        solver=solver, shrinkage=shrinkage, priors=_priors(rng, classes)
    )


def _quadratic(rng: Rng, classes: Any) -> Any:
    return QuadraticDiscriminantAnalysis(
        reg_param=_often(rng, 0.0, float(rng.random()), _between(rng, -10, -1)),
        priors=_priors(rng, classes),
    )


def _centroid(rng: Rng, classes: Any) -> Any:
    return NearestCentroid(
        metric=_often(rng, "euclidean", "manhattan"),
        shrink_threshold=_often(rng, None, None, float(rng.uniform(0.01, 2))),
        priors=str(_often(rng, "uniform", "empirical")),
    )


def _gaussian(rng: Rng, classes: Any) -> Any:
    return GaussianNB(
        priors=_priors(rng, classes), var_smoothing=_often(rng, 1e-9, 0.0, _between(rng, -15, 0))
    )


def _categorical(rng: Rng, classes: Any) -> Any:
    return CategoricalNB(
        alpha=_often(rng, 1.0, _between(rng, -11, 2), 0.0),
        force_alpha=bool(rng.random() < 0.9),
        fit_prior=bool(rng.random() < 0.8),
        class_prior=_priors(rng, classes),
        min_categories=_often(rng, None, 5, 7),
    )


def _bernoulli(rng: Rng, classes: Any) -> Any:
    return BernoulliNB(
        alpha=_often(rng, 1.0, _between(rng, -11, 2), 0.0),
        force_alpha=bool(rng.random() < 0.9),
        binarize=_often(rng, 0.0, float(abs(rng.normal())), 1.0),
        fit_prior=bool(rng.random() < 0.8),
        class_prior=_priors(rng, classes),
    )


def _naive_bayes(rng: Rng, classes: Any) -> Any:
    return NaiveBayes(
        _often(rng, 1.0, 0.0, _between(rng, -6, 1)), variance_floor=_often(rng, 0.1, 0.0, 1e-3)
    )


def _network_options(rng: Rng) -> dict[str, Any]:
    return {
        "smoothing": str(_often(rng, "laplace", "dirichlet")),
        "strength": _often(rng, 1.0, _between(rng, -3, 1)),
        "discretise": str(_often(rng, "mdl", "width", "frequency")),
        "bins": int(_often(rng, 10, 2, 4)),
    }


def _id3(rng: Rng, classes: Any) -> Any:
    return ID3(_often(rng, 0.25, 0.01, 1.0), min_rows=int(_often(rng, 1, 2, 5)))


def _c45(rng: Rng, classes: Any) -> Any:
    return C45(
        _often(rng, 0.25, 0.1, 0.45),
        min_rows=int(_often(rng, 2, 1, 5)),
        pruning=bool(rng.random() < 0.7),
        raising=bool(rng.random() < 0.3),
    )


MODELS: dict[str, Model] = {
    "LinearRegression": Model(_linear, ideal=_same),
    "Ridge": Model(_ridge, ideal=_exact_ridge),
    "RidgeClassifier": Model(_ridge_classifier, ideal=_exact_ridge),
    "LogisticRegression": Model(_logistic, ideal=_optimum, jitter=1e-5, tolerance=1e-6),
    "LinearDiscriminantAnalysis": Model(_discriminant, weighted=False),
    "QuadraticDiscriminantAnalysis": Model(_quadratic, weighted=False),
    "NearestCentroid": Model(_centroid, weighted=False),
    "KNeighborsClassifier": Model(_neighbours, weighted=False, ideal=_earlier),
    "KNeighborsRegressor": Model(_neighbours, weighted=False, ideal=_earlier),
    "GaussianNB": Model(_gaussian),
    "CategoricalNB": Model(_categorical, "levels"),
    "BernoulliNB": Model(_bernoulli, ideal=lambda model, *moved: OncePerRow(model)),
    "NaiveBayes": Model(_naive_bayes, "anything"),
    "MLCNaiveBayes": Model(lambda rng, _: MLCNaiveBayes(), "anything"),
    "SelectiveNaiveBayes": Model(
        lambda rng, _: SelectiveNaiveBayes(**_network_options(rng)), "anything"
    ),
    "TAN": Model(lambda rng, _: TAN(**_network_options(rng)), "anything"),
    "NearestNeighbor": Model(
        lambda rng, _: NearestNeighbor(int(_often(rng, 1, 2, 3, 5))), "anything", weighted=False
    ),
    "IB1": Model(lambda rng, _: IB1(), "anything", weighted=False),
    "ID3": Model(_id3, "anything"),
    "C45": Model(_c45, "anything"),
    "OneR": Model(lambda rng, _: OneR(int(_often(rng, 6, 1, 3))), "anything"),
    "TableMajority": Model(
        lambda rng, _: TableMajority(False, discretise=str(_often(rng, "mdl", "width"))),
        "anything",
    ),
}
#: Models of numeric targets.
REGRESSORS = ("LinearRegression", "Ridge", "KNeighborsRegressor")
