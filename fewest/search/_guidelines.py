"""``search="guidelines"``: the search that the source documents would take, and the section."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from .._errors import InputError
from ..measures._measure import Measure
from ._auto import Recommendation
from ._search import Search
from ._search_names import search_class
from ._spaces.space import Space

#: Least features of a problem of large scale (Inza, 2002, section 6.2).
LARGE_SCALE_FEATURES = 50
#: Most features for models of pairs; beyond, they take long to learn (Inza, 2002, section 6.6).
MOST_PAIRWISE_FEATURES = 1000
#: Least seconds for branch and bound.
LEAST_SECONDS_FOR_BRANCHES = 1.0


def guidelines(
    n_features: int,
    *,
    monotone: bool = False,
    seconds: float | None = None,
    needed: int | None = None,
    correlated: bool = True,
) -> Recommendation:
    """Choose the search for a problem by the guidelines of the source documents.

    Parameters
    ----------
    n_features : int
        How many features (or groups) are free to be in or out: N.
    monotone : bool
        Whether the measure never falls as features are added.
    seconds : float or None
        The time budget; None is no limit.
    needed : int or None
        How many features are needed, M, where that is known.
    correlated : bool
        Whether features may be correlated with each other.

    Notes
    -----
    Monotone measures: Dash and Liu (2003), section 4.6. Where time is no issue a complete search:
    FocusM where M is small, ABB where N - M is; they cross where as many subsets have at most M
    features as have at least M. Without knowledge of M the paper runs both side by side until one
    ends; ``exact`` gives what either would give. Where time is limited, SetCover if features are
    known not to be correlated, LVF to have small subsets very quickly, otherwise QBB.

    Other measures: Inza (2002, thesis), section 6.2. EBNA for small and medium scale, simpler
    models from 50 features on: TREE, and beyond 1,000 features, where learning pairs takes long
    (section 6.6), BSC if time is limited.

    Examples
    --------
    >>> guidelines(16, monotone=True, needed=8).name
    'abb'
    >>> guidelines(12, monotone=True, needed=3).name
    'focus-m'
    >>> guidelines(30).why
    'Bayesian networks are proposed below 50 features (Inza, 2002, section 6.2)'
    """
    if monotone and seconds is None:
        return _complete(n_features, needed)
    if monotone:
        return _in_limited_time(seconds or 0.0, correlated)
    if n_features < LARGE_SCALE_FEATURES:
        why = "Bayesian networks are proposed below 50 features (Inza, 2002, section 6.2)"
        return Recommendation("ebna", why)
    if n_features > MOST_PAIRWISE_FEATURES and seconds is not None:
        why = "models of pairs take long beyond 1,000 features (Inza, 2002, sections 6.2 and 6.6)"
        return Recommendation("bsc", why)
    why = "simpler models than Bayesian networks are proposed from 50 features on"
    return Recommendation("tree", f"{why} (Inza, 2002, section 6.2)")


def _complete(n_features: int, needed: int | None) -> Recommendation:
    where = "(Dash and Liu, 2003, section 4.6)"
    if needed is None:
        return Recommendation(
            "exact",
            "time is not limited and the number of features needed is not known: a complete "
            f"search that needs no such knowledge {where}",
        )
    below = sum(comb(n_features, k) for k in range(needed + 1))
    above = sum(comb(n_features, k) for k in range(needed, n_features + 1))
    if below < above:
        why = f"time is not limited and {needed} of {n_features} features needed are few"
        return Recommendation("focus-m", f"{why} {where}")
    why = f"time is not limited and {needed} of {n_features} features needed are many"
    return Recommendation("abb", f"{why} {where}")


def _in_limited_time(seconds: float, correlated: bool) -> Recommendation:
    where = "(Dash and Liu, 2003, section 4.6)"
    if not correlated:
        why = "time is limited and the features are not correlated"
        return Recommendation("set-cover", f"{why} {where}")
    if seconds < LEAST_SECONDS_FOR_BRANCHES:
        why = "there is very little time, and LVF finds small subsets quickly"
        return Recommendation("lvf", f"{why} {where}")
    return Recommendation("qbb", f"time is limited, and QBB is the robust choice {where}")


@dataclass(frozen=True, kw_only=True)
class Guidelines:
    """``search=Guidelines(...)``: the guidelines with what is known of the problem.

    Parameters
    ----------
    needed : int or None
        How many features are needed, M, where that is known.
    correlated : bool
        Whether features may be correlated with each other.
    """

    needed: int | None = None
    correlated: bool = True

    def check_parameters(self) -> None:
        """Refuse a number of features that is none."""
        if self.needed is not None and not self.needed >= 1:
            raise InputError(f"`needed` of Guidelines must be at least 1, but is {self.needed!r}.")

    def search(
        self, measure: Measure, space: Space, seconds: float | None = None
    ) -> tuple[Search, str]:
        """Return the search for a measure and a space, and the sentence that says why."""
        self.check_parameters()
        advice = guidelines(
            space.n_units, monotone=measure.monotone, seconds=seconds, needed=self.needed,
            correlated=self.correlated,
        )  # fmt: skip
        return search_class(advice.name)(), f"`{advice.name}` follows the guidelines: {advice.why}."
