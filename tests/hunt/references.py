"""Models at their ideal, written plainly: what an answer may equal instead of scikit-learn's.

They answer where scikit-learn's own answer is arbitrary (which of several equally near rows is a
neighbour) or not the optimum of its objective (solvers that stop early).
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.class_weight import compute_sample_weight

#: Newton steps at most, and what a step would still gain when they end: small penalties make
#: flat losses, in which a small gradient is no sign of the optimum.
STEPS, SMALL = 3000, 1e-22
#: Losses that differ by this share are equal; after so many steps that gain no more they end.
ROUNDED, PATIENCE = 1e-13, 8


class _Neighbours(BaseEstimator):
    """Neighbours by plain distances; of equally near rows the earlier is nearer."""

    def __init__(self, n_neighbors: int = 5, weights: str = "uniform", p: float = 2.0) -> None:
        self.n_neighbors, self.weights, self.p = n_neighbors, weights, p

    def fit(self, X: Any, y: Any) -> Any:
        """Keep the rows."""
        self.rows_ = _dense(X)
        self.classes_, self.codes_ = np.unique(np.asarray(y), return_inverse=True)
        self.y_ = np.asarray(y)
        return self

    def _nearest(self, X: Any) -> tuple[Any, Any]:
        away = np.abs(_dense(X)[:, None, :] - self.rows_[None, :, :])
        # What is equal up to rounding is rounded as in the trees of scikit-learn: powers are added
        # in the order of the columns, in units that round nothing, and have no roots.
        unit, power = np.ldexp(1.0, np.frexp(away.max())[1]), 1 if np.isinf(self.p) else self.p
        parts = np.moveaxis((away / unit) ** power, 2, 0)
        distance = reduce(np.maximum if np.isinf(self.p) else np.add, parts)
        places = np.argsort(distance, axis=1, kind="stable")[:, : self.n_neighbors]
        near = np.take_along_axis(distance, places, axis=1) ** (1 / power) * unit
        if self.weights == "uniform":
            return places, np.ones(near.shape)
        with np.errstate(divide="ignore"):
            weight = 1.0 / near
        certain = np.isinf(weight)
        rows = certain.any(axis=1)
        weight[rows] = certain[rows]
        return places, weight


class NeighboursClassifier(ClassifierMixin, _Neighbours):
    """Neighbours that vote."""

    def predict_proba(self, X: Any) -> Any:
        """Return the shares of the votes."""
        places, weight = self._nearest(X)
        votes = np.stack(
            [(weight * (self.codes_[places] == k)).sum(axis=1) for k in range(len(self.classes_))],
            axis=1,
        )
        return votes / votes.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> Any:
        """Return the class with most votes, the first of equals."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class NeighboursRegressor(RegressorMixin, _Neighbours):
    """Neighbours whose mean answers."""

    def predict(self, X: Any) -> Any:
        """Return means."""
        places, weight = self._nearest(X)
        return (weight * self.y_[places]).sum(axis=1) / weight.sum(axis=1)


class OncePerRow(ClassifierMixin, BaseEstimator):
    """Ask BernoulliNB once about rows that are equal to it: they get the same last bits."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Train the model."""
        self.model_ = clone(self.model).fit(X, y, sample_weight)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the answer to the first of equal rows for all of them."""
        X = np.asarray(X, dtype=float)
        _, first, place = np.unique(
            self.model.binarize < X, axis=0, return_index=True, return_inverse=True
        )
        return self.model_.predict_proba(X)[first][place.ravel()]

    def predict(self, X: Any) -> Any:
        """Return the most probable class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class LogisticOptimum(ClassifierMixin, BaseEstimator):
    """Logistic regression with a quadratic penalty, by damped Newton steps to its optimum.

    Columns are centred and scaled for the arithmetic; the penalty is on coefficients of the
    columns as given.
    ``jitter`` moves all decision values at random by at most that much.
    """

    def __init__(
        self,
        C: float = 1.0,
        fit_intercept: bool = True,
        class_weight: Any = None,
        penalised_intercept: float = 0.0,
        jitter: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.C, self.fit_intercept, self.class_weight = C, fit_intercept, class_weight
        self.penalised_intercept, self.jitter, self.seed = penalised_intercept, jitter, seed

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Find the coefficients."""
        X = _dense(X)
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("one class")
        weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, float)
        if isinstance(self.class_weight, str):
            # "balanced" counts the weights of the rows, as scikit-learn does from 1.9 on.
            whole = np.bincount(codes, weight)
            weight = weight * (weight.sum() / (len(whole) * whole))[codes]
        elif self.class_weight is not None:
            weight = weight * compute_sample_weight(self.class_weight, np.asarray(y))
        self.centre_ = np.zeros(X.shape[1])
        if self.fit_intercept and not self.penalised_intercept:
            # A free intercept makes up for it, and columns far from zero are not lost in it.
            self.centre_ = np.where((X[0] == X).all(axis=0), X[0], X.mean(axis=0))
        self.scale_ = np.abs(X - self.centre_).max(axis=0)
        self.scale_[self.scale_ == 0] = 1.0
        A, strength = self._design(X), self._strength()
        one_hot = np.eye(len(self.classes_))[codes]
        # What is constant has no coefficient: not even a rounded one, which other rows would meet.
        self.coef_ = np.where(A.any(axis=0), _remembered(A, one_hot, weight, strength), 0.0)
        return self

    def _design(self, X: Any) -> Any:
        A = (X - self.centre_) / self.scale_
        return np.column_stack([A, np.ones(len(A))]) if self.fit_intercept else A

    def _strength(self) -> Any:
        """Return the penalty of each scaled coefficient."""
        with np.errstate(over="ignore", divide="ignore"):
            own = np.minimum(1.0 / self.C / self.scale_ / self.scale_, 1e200)
        if not self.fit_intercept:
            return own
        inner = 1.0 / self.C / self.penalised_intercept**2 if self.penalised_intercept else 0.0
        return np.append(own, inner)

    def decision_function(self, X: Any) -> Any:
        """Return log-odds of two classes, or one value per class."""
        values = self._design(_dense(X)) @ self.coef_.T
        values = values - values.mean(axis=1, keepdims=True)
        values += self.jitter * np.random.default_rng(self.seed).uniform(-1, 1, values.shape)
        return values[:, 1] - values[:, 0] if len(self.classes_) == 2 else values

    def predict_proba(self, X: Any) -> Any:
        """Return probabilities."""
        values = self.decision_function(X)
        if values.ndim == 1:
            values = np.column_stack([np.zeros(len(values)), values])
        return softmax(values, axis=1)

    def predict(self, X: Any) -> Any:
        """Return the most probable class."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


#: Solutions by their problem: a model is fitted again for every jitter.
_known: dict[bytes, Any] = {}


def _remembered(*problem: Any) -> Any:
    key = b"".join(part.tobytes() for part in problem)
    if key not in _known:
        if len(_known) > 100:
            _known.clear()
        _known[key] = _newton(*problem)
    return _known[key]


def _newton(A: Any, one_hot: Any, weight: Any, strength: Any) -> Any:
    """Return coefficients of shape (classes, columns); of two classes the first has none."""
    n, K = one_hot.shape
    free = list(range(1, K)) if K == 2 else list(range(K))
    coef = np.zeros((K, A.shape[1]))

    def loss(w: Any) -> float:
        scores = A @ w.T
        fit = weight @ (logsumexp(scores, axis=1) - (scores * one_hot).sum(axis=1))
        return float(fit + 0.5 * (strength * w * w).sum())

    value, idle = loss(coef), 0
    for _ in range(STEPS):
        shares = softmax(A @ coef.T, axis=1)
        gradient = ((shares - one_hot) * weight[:, None]).T @ A + strength * coef
        gradient = gradient[free]
        step = _newton_step(A, shares[:, free], weight, strength, gradient)
        if (gradient * step).sum() < SMALL * weight.sum():
            break
        size, before = 1.0, value
        while size > 1e-12:
            trial = coef.copy()
            trial[free] -= size * step
            value = loss(trial)
            if value <= before + ROUNDED * abs(before):
                break
            size *= 0.5
        idle = idle + 1 if before - value <= ROUNDED * abs(before) else 0
        if idle > PATIENCE:
            break
        coef = trial
    return coef


def _newton_step(A: Any, shares: Any, weight: Any, strength: Any, gradient: Any) -> Any:
    k, d = gradient.shape
    curve = np.einsum("ni,ij->nij", shares, np.eye(k)) - np.einsum("ni,nj->nij", shares, shares)
    hessian = np.einsum("nij,n,na,nb->iajb", curve, weight, A, A, optimize=True).reshape(k * d, -1)
    hessian = hessian + np.diag(np.tile(strength, k))
    root = np.sqrt(np.maximum(np.diag(hessian), 1e-300))
    scaled = hessian / root / root[:, None]
    scaled[np.diag_indices(k * d)] += 1e-14
    step = np.linalg.lstsq(scaled, gradient.ravel() / root, rcond=1e-15)[0] / root
    return step.reshape(k, d)


def _dense(X: Any) -> Any:
    if hasattr(X, "toarray"):
        X = X.toarray()
    return np.asarray(X, dtype=np.float64)
