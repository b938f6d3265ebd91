"""compare: several selections on the same external splits, with tests between them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from .._errors import InputError
from .._fitting.parameter_table import check_options
from .._joint.predictions import holm
from .._parameters import seed_of
from .._run.events import counted
from .._run.views import Summarized, view
from ..data._feature_names import Features
from ..data._loaders.frames import frame_of
from .external import validate
from .schemes import AUTO
from .significance import LEVEL, difference_test
from .validation import Validation


@dataclass
class Comparison(Summarized):
    """Several selections side by side.

    Attributes
    ----------
    table : list of dict
        One row per method: score (also as ``accuracy``, its older name), std, selection score,
        mean size, stability, p value against all features. The last row is the baseline with
        all features.
    p_values : dict of (method, method) to float
        Of the test between every two methods on the same splits, corrected for the number of
        pairs (Holm, 1979); those in ``table`` for the number of methods.
    validations : dict of method to Validation
    settings : dict
        The command that made it, where there was one.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("wine")
    >>> selectors = {
    ...     name: fewest.SubsetSelector("gaussian-nb", search=name, cv=3) for name in ("sfs", "sbe")
    ... }
    >>> comparison = fewest.compare(selectors, data.X, data.y, scheme="1x3cv", random_state=0)
    >>> [row["method"] for row in comparison.table]
    ['sfs', 'sbe', 'all features']
    """

    table: list[dict[str, Any]]
    p_values: dict[tuple[str, str], float]
    validations: dict[str, Validation]
    settings: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.validations)} and all features>"

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the table of the methods as a frame of pandas, or of polars by that name."""
        return frame_of({key: [row[key] for row in self.table] for key in self.table[0]}, backend)

    def plot(self, *, interactive: bool = False) -> Any:
        """Draw the scores of all methods with their intervals and return the figure."""
        return view("figure", self, kind="comparison", interactive=interactive)

    def write_page(self, path: str | os.PathLike[str]) -> None:
        """Write one self-contained HTML page with the figures and tables of the comparison."""
        view("page", self, path=path)

    @property
    def groups(self) -> list[list[str]]:
        """Return the methods in groups, the best first: the first of a group and all others that
        do not differ significantly from it.
        """
        scores = {name: v.score for name, v in self.validations.items()}
        left = sorted(scores, key=lambda name: -scores[name])
        groups = []
        while left:
            alike = [b for b in left[1:] if self.p_value(left[0], b) >= LEVEL]
            groups.append([left[0], *alike])
            left = [name for name in left if name not in groups[-1]]
        return groups

    def p_value(self, a: str, b: str) -> float:
        """Return the corrected p value of two methods, in any order."""
        return self.p_values[(a, b) if (a, b) in self.p_values else (b, a)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return {
            "fewest": "comparison",
            "format": 1,
            "table": self.table,
            "p_values": [{"a": a, "b": b, "p": p} for (a, b), p in self.p_values.items()],
            "validations": {name: v.to_dict() for name, v in self.validations.items()},
            "settings": self.settings,
        }

    @classmethod
    def from_dict(cls, plain: Any, where: str = "this") -> Comparison:
        """Return a comparison from the plain data of :meth:`to_dict`."""
        if not isinstance(plain, dict) or plain.get("fewest") != "comparison":
            raise InputError(f"{where} is not a comparison of fewest: it does not say so.")
        return cls(
            [{"score": row.get("accuracy"), **row} for row in plain["table"]],
            {(pair["a"], pair["b"]): pair["p"] for pair in plain["p_values"]},
            {name: Validation.from_dict(v) for name, v in plain["validations"].items()},
            plain.get("settings", {}),
        )


def compare(
    selectors: Mapping[str, Any],
    X: Any,
    y: Any = None,
    *,
    estimator: Any = None,
    scheme: Any = AUTO,
    scoring: Any = None,
    nominal: Features | None = None,
    task: str | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    verbose: int = 0,
    **metadata: Any,
) -> Comparison:
    """Validate several selectors on the same splits.

    Parameters
    ----------
    selectors : mapping of a name to a selector
    X, y, estimator, scheme, scoring, nominal, task, n_jobs, random_state, verbose, **metadata
        As for :func:`fewest.validate`. With ``scheme="auto"`` all methods are repeated as often
        as the one that needs most repetitions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import fewest
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> both = {name: fewest.SubsetSelector("naive-bayes", search=name) for name in ("sfs", "sbe")}
    >>> comparison = fewest.compare(both, X, y, random_state=0)
    >>> [row["method"] for row in comparison.table]
    ['sfs', 'sbe', 'all features']
    """
    check_options(locals())
    if not selectors:
        raise InputError("`selectors` must map names to selectors, and hold at least one.")
    seed = seed_of(random_state)
    given = {
        "estimator": estimator,
        "scheme": scheme,
        "scoring": scoring,
        "nominal": nominal,
        "task": task,
        "n_jobs": n_jobs,
        "random_state": seed,
        **metadata,
    }
    named = counted(selectors.items(), "comparing", len(selectors), bool(verbose))
    done = {name: validate(selector, X, y, **given) for name, selector in named}
    longest = max(done.values(), key=lambda v: len(v.scores)).scheme
    if scheme == AUTO:
        # The first splits are those of fewer repetitions, so only the others get more.
        given["scheme"] = longest
        short = {name for name, v in done.items() if v.scheme != longest}
        done |= {name: validate(selectors[name], X, y, **given) for name in short}
    return side_by_side(done)


def side_by_side(done: dict[str, Validation]) -> Comparison:
    """Return the comparison of validations that were made on the same splits."""
    table = [_row(name, v) for name, v in done.items()]
    for row, p in zip(table, holm(np.array([row["p_value"] for row in table])), strict=True):
        row["p_value"] = float(p)
    return Comparison([*table, _baseline(next(iter(done.values())))], _pairwise(done), done)


def _row(name: str, v: Validation) -> dict[str, Any]:
    return {
        "method": name,
        "score": v.score,
        "accuracy": v.score,
        "std": v.std,
        "selection_score": v.selection_score,
        "size": sum(v.sizes) / len(v.sizes),
        "stability": v.stability,
        "p_value": v.p_value,
    }


def _baseline(v: Validation) -> dict[str, Any]:
    return {
        "method": "all features",
        "score": v.baseline,
        "accuracy": v.baseline,
        "std": v.baseline_std,
        "selection_score": None,
        "size": float(v.supports.shape[1]),
        "stability": 1.0,
        "p_value": None,
    }


def _pairwise(done: dict[str, Validation]) -> dict[tuple[str, str], float]:
    pairs = list(combinations(done, 2))
    plain = [
        difference_test(done[a].scores, done[b].scores, done[a].splits_overlap) for a, b in pairs
    ]
    corrected = holm(np.array([p for p, _ in plain]))
    return dict(zip(pairs, corrected.tolist(), strict=True))
