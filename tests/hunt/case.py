"""A case of the hunt: a table, an estimator, a scoring, folds and subsets, drawn from a seed."""

from __future__ import annotations

import warnings
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.metrics import f1_score, fbeta_score, get_scorer, get_scorer_names, make_scorer
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from tests.hunt.models import MODELS, REGRESSORS, Model
from tests.hunt.tables import Drawn, Rng, draw_table

COMMON = ("accuracy", "balanced_accuracy", "f1_macro", "roc_auc", "roc_auc_ovr", "neg_log_loss",
          "average_precision", "neg_brier_score", "matthews_corrcoef")  # fmt: skip
NUMBERS = ("r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "explained_variance",
           "neg_mean_absolute_error", "neg_median_absolute_error", "neg_max_error",
           "neg_mean_absolute_percentage_error", "neg_mean_squared_log_error")  # fmt: skip
#: Scorers of clusters compare labels that have no meaning; the others need amounts above 0.
ELSEWHERE = ("adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score",
             "fowlkes_mallows_score", "homogeneity_score", "mutual_info_score", "rand_score",
             "normalized_mutual_info_score", "v_measure_score", "neg_mean_gamma_deviance",
             "neg_mean_poisson_deviance", "neg_root_mean_squared_log_error")  # fmt: skip


@dataclass
class Case:
    """What is scored, and how."""

    name: str
    seed: int
    number: int
    table: Drawn
    estimator: Any
    scoring: Any
    folds: list[tuple[Any, Any]]
    #: Subsets that are scored together, of which the first is compared.
    masks: Any
    #: A subset and the features that come in or go out.
    base: Any
    units: Any
    #: Whether weights of rows are routed, to training and to scoring.
    routed: tuple[bool, bool] | None

    @property
    def model(self) -> Model:
        """Return the drawn class of models."""
        return MODELS[self.name]

    @property
    def metadata(self) -> dict[str, Any]:
        """Return what goes along with the rows, by name."""
        if self.table.weight is None:
            return {}
        if self.routed is None and isinstance(self.estimator, Pipeline):
            return {f"{self.estimator.steps[-1][0]}__sample_weight": self.table.weight}
        return {"sample_weight": self.table.weight}

    def narrowed(self, kept: Any, ideal: Any = None) -> Any:
        """Return the estimator for some of the columns, with another model at its end if given."""
        own = clone(self.estimator)
        if not isinstance(own, Pipeline):
            return own if ideal is None else ideal
        if ideal is not None:
            own.steps[-1] = (own.steps[-1][0], ideal)
        first = own.steps[0][1]
        if isinstance(first, ColumnTransformer):
            first.transformers = [(n, s, _left(c, kept)) for n, s, c in first.transformers]
            # Solvers for sparse numbers stop early.
            first.sparse_threshold = first.sparse_threshold if ideal is None else 0.0
        return own

    @property
    def last(self) -> Any:
        """Return the model at the end of the estimator."""
        own = self.estimator
        return own.steps[-1][1] if isinstance(own, Pipeline) else own

    def __str__(self) -> str:
        """Describe the case in a few lines."""
        how = "no weights" if self.table.weight is None else f"weights, routed: {self.routed}"
        sizes = [(len(a), len(b)) for a, b in self.folds[:6]]
        return (
            f"{self.name} {self.number} (seed {self.seed})\n"
            f"  {' '.join(str(self.estimator).split())}\n"
            f"  scoring {self.scoring}; {self.table.storage} {self.table.shape}; {how}\n"
            f"  {len(self.folds)} folds {sizes}; labels in {self.table.nominal}"
        )


def _left(columns: list[Any], kept: Any) -> list[Any]:
    """Return the columns that are left, by name, or by their new position."""
    place = np.cumsum(kept) - 1
    if columns and isinstance(columns[0], str):
        return [c for c in columns if kept[int(c[1:])]]
    return [int(place[c]) for c in columns if kept[c]]


def draw(name: str, seed: int, number: int) -> Case:
    """Draw a case; the same arguments give the same case."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode()), number])
    model, regression = MODELS[name], name in REGRESSORS
    before = _before(rng, model)
    everything = model.takes == "anything"
    table = draw_table(
        rng,
        levels=model.takes == "levels",
        nominal=before in ("mixed", "raw") or (everything and rng.random() < 0.6),
        gaps=before == "imputer" or (before != "scaler" and rng.random() < 0.1)
        or (everything and rng.random() < 0.3),
        regression=regression,
        weighted=model.weighted,
    )  # fmt: skip
    classes = None if regression else np.unique(np.asarray(table.y))
    estimator = _pipeline(rng, before, table, model.draw(rng, classes))
    routed = None
    if table.weight is not None and rng.random() < 0.4:
        routed = ((True, False), (True, True), (False, True))[rng.integers(3)]
    scoring = _scoring(rng, classes)
    d = table.shape[1]
    masks = _masks(rng, int(_pick(rng, 1, 1, 1, 20)), d)
    base = _masks(rng, 1, d)[0]
    units = rng.choice(d, int(rng.integers(1, 3)), replace=False)
    keep = (base.sum() - base[units] + ~base[units]) > 0
    folds = _folds(rng, table, regression)
    return Case(name, seed, number, table, estimator, scoring, folds, masks, base, units[keep],
                routed)  # fmt: skip


def _pick(rng: Rng, *values: Any) -> Any:
    return values[rng.integers(len(values))]


def _masks(rng: Rng, m: int, d: int) -> Any:
    masks = rng.random((m, d)) < rng.choice([0.2, 0.5, 0.9], (m, 1))
    masks[np.arange(m), rng.integers(d, size=m)] = True
    return masks


def _before(rng: Rng, model: Model) -> str:
    """Draw what comes before the model."""
    if model.takes == "anything":
        return "nothing"
    if model.takes == "levels":
        return str(rng.choice(["nothing", "ordinal"], p=[0.8, 0.2]))
    return str(rng.choice(["nothing", "scaler", "imputer", "mixed", "raw"],
                          p=[0.45, 0.22, 0.09, 0.21, 0.03]))  # fmt: skip


def _scaler(rng: Rng) -> Any:
    kind = rng.integers(6)
    if kind < 3:
        return StandardScaler(with_mean=bool(rng.random() < 0.9), with_std=bool(rng.random() < 0.9))
    return (MinMaxScaler(), RobustScaler(), MaxAbsScaler())[kind - 3]


def _imputer(rng: Rng) -> Any:
    return SimpleImputer(strategy=str(rng.choice(["mean", "median", "most_frequent", "constant"])))


def _encoder(rng: Rng) -> Any:
    if rng.random() < 0.3:
        return OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    return OneHotEncoder(
        handle_unknown=str(_pick(rng, "ignore", "ignore", "error")),
        drop=_pick(rng, None, None, "first", "if_binary"),
        sparse_output=bool(rng.random() < 0.3),
    )


def _pipeline(rng: Rng, before: str, table: Drawn, model: Any) -> Any:
    if before == "scaler":
        second = [_scaler(rng)] if rng.random() < 0.1 else []
        return make_pipeline(*_sparse_steps(table, [_scaler(rng), *second]), model)
    if before == "imputer":
        return make_pipeline(_imputer(rng), *([_scaler(rng)] if rng.random() < 0.5 else []), model)
    if before == "ordinal":
        return make_pipeline(OrdinalEncoder(), model)
    if before == "mixed":
        return make_pipeline(_transformer(rng, table), model)
    return model


def _sparse_steps(table: Drawn, steps: list[Any]) -> list[Any]:
    """Return steps that take sparse tables: without centres."""
    return [MaxAbsScaler()] if table.storage == "sparse" else steps


def _transformer(rng: Rng, table: Drawn) -> Any:
    d = table.shape[1]
    labels, others = sorted(table.nominal), [j for j in range(d) if j not in table.nominal]
    if rng.random() < 0.8:
        labels, others = [f"c{j}" for j in labels], [f"c{j}" for j in others]
    steps = [*([_imputer(rng)] if rng.random() < 0.5 else []), _scaler(rng)]
    numbers = _pick(rng, "passthrough", _scaler(rng), make_pipeline(*steps))
    if isinstance(numbers, str) and rng.random() < 0.5:
        return ColumnTransformer([("labels", _encoder(rng), labels)], remainder="passthrough")
    parts = [("labels", _encoder(rng), labels), ("numbers", numbers, others)]
    return ColumnTransformer(parts if rng.random() < 0.5 else parts[::-1])


def _scoring(rng: Rng, classes: Any) -> Any:
    if rng.random() < 0.2:
        return None
    if classes is None:
        return str(_pick(rng, *NUMBERS[:5], *NUMBERS))
    chance = rng.random()
    if chance < 0.8:
        return str(_pick(rng, *COMMON))
    if chance < 0.85:
        label = _pick(rng, *classes.tolist())
        return (make_scorer(f1_score, pos_label=label) if len(classes) == 2
                else make_scorer(fbeta_score, beta=2, average="macro"))  # fmt: skip
    numbers = {*NUMBERS, *ELSEWHERE}
    known = [name for name in get_scorer_names() if name not in numbers]
    return str(_pick(rng, *(name for name in known if not _of_numbers(name))))


def _of_numbers(name: str) -> bool:
    scorer = get_scorer(name)
    return "error" in scorer._score_func.__name__ or name in ("d2_absolute_error_score", "r2")


def _folds(rng: Rng, table: Drawn, regression: bool) -> list[tuple[Any, Any]]:
    n, k, seed = table.shape[0], int(rng.choice([2, 2, 3, 4])), int(rng.integers(1000))
    y, rows = np.asarray(table.y), np.zeros((n, 1))
    kind = rng.random()
    if table.groups is not None:
        return list(GroupKFold(min(k, len(np.unique(table.groups)))).split(rows, y, table.groups))
    if n < 16 and kind < 0.2:
        return list(LeaveOneOut().split(rows))
    if kind < 0.45 and not regression and np.unique(y, return_counts=True)[1].max() >= k:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of classes with few rows
            return list(StratifiedKFold(k, shuffle=True, random_state=seed).split(rows, y))
    if kind < 0.6:
        shuffled = bool(rng.random() < 0.5)
        return list(KFold(k, shuffle=shuffled, random_state=seed if shuffled else None).split(rows))
    if kind < 0.75:
        return list(ShuffleSplit(k, test_size=0.3, random_state=seed).split(rows))
    if kind < 0.85:  # overlapping folds, rows in any order
        orders = [rng.permutation(n) for _ in range(k)]
        return [(o[: n - n // 3], o[n // 2 :] if rng.random() < 0.3 else o[n - n // 3 :])
                for o in orders]  # fmt: skip
    if kind < 0.92:  # rows drawn with repetitions
        return [(rng.integers(0, n, n), rng.integers(0, n, max(2, n // 3))) for _ in range(k)]
    return list(KFold(k, shuffle=True, random_state=seed).split(rows))
