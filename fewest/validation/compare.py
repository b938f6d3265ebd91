"""compare: several selections on the same external splits, with tests between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ..data.feature_names import Features
from ..errors import InputError
from ..fitting.options import check_options
from ..run.progress import counted
from ..seeds import seed_of
from .external import validate
from .significance import difference_test
from .validation import Validation


@dataclass
class Comparison:
    """Several selections side by side.

    Attributes
    ----------
    table : list of dict
        A row a method: accuracy, std, selection score, mean size, stability, p value against
        all features. The last row is the baseline with all features.
    p_values : dict of (method, method) to float
        Of the test between every two methods on the same splits.
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

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
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
        """A comparison from the plain data of :meth:`to_dict`."""
        if not isinstance(plain, dict) or plain.get("fewest") != "comparison":
            raise InputError(f"{where} is not a comparison of fewest: it does not say so.")
        return cls(
            plain["table"],
            {(pair["a"], pair["b"]): pair["p"] for pair in plain["p_values"]},
            {name: Validation.from_dict(v) for name, v in plain["validations"].items()},
            plain.get("settings", {}),
        )


def compare(
    selectors: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    estimator: Any = None,
    scheme: Any = "5x2cv",
    scoring: Any = None,
    nominal: Features | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    verbose: int = 0,
    **metadata: Any,
) -> Comparison:
    """Validate several selectors on the same splits.

    Parameters
    ----------
    selectors : mapping of a name to a selector
    X, y, estimator, scheme, scoring, nominal, n_jobs, random_state, verbose, **metadata
        As for :func:`fewest.validate`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import fewest
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> both = {name: fewest.SubsetSelector(search=name) for name in ("sfs", "sbe")}
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
        "n_jobs": n_jobs,
        "random_state": seed,
        **metadata,
    }
    named = counted(selectors.items(), "comparing", len(selectors), bool(verbose))
    done = {name: validate(sel, X, y, **given) for name, sel in named}
    return side_by_side(done)


def side_by_side(done: dict[str, Validation]) -> Comparison:
    """The comparison of validations that were made on the same splits."""
    table = [_row(name, v) for name, v in done.items()]
    return Comparison([*table, _baseline(next(iter(done.values())))], _pairwise(done), done)


def _row(name: str, v: Validation) -> dict[str, Any]:
    return {
        "method": name,
        "accuracy": v.accuracy,
        "std": v.std,
        "selection_score": v.selection_score,
        "size": sum(v.sizes) / len(v.sizes),
        "stability": v.stability,
        "p_value": v.p_value,
    }


def _baseline(v: Validation) -> dict[str, Any]:
    return {
        "method": "all features",
        "accuracy": v.baseline,
        "std": v.baseline_std,
        "selection_score": None,
        "size": float(v.supports.shape[1]),
        "stability": 1.0,
        "p_value": None,
    }


def _pairwise(done: dict[str, Validation]) -> dict[tuple[str, str], float]:
    return {
        (a, b): difference_test(va.scores, vb.scores, va.splits_overlap)[0]
        for (a, va), (b, vb) in combinations(done.items(), 2)
    }
