"""Genetic selection against sklearn-genetic-opt: same estimator, folds, population, generations."""

from __future__ import annotations

import contextlib
import io
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._run.stop_rules import Generations
from fewest.search import GAUniform

POPULATION = 50
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
#: Estimator, generations after the first, and what is to be met.
CASES = (
    (GaussianNB(), 10, "100×"),
    (DecisionTreeClassifier(random_state=0), 4, ""),
)


def _cpu(work: Callable[[], Any]) -> float:
    """CPU seconds: one worker each, so that a busy machine changes nothing."""
    start = time.process_time()
    work()
    return time.process_time() - start


def _ours(estimator: Any, generations: int) -> fewest.SubsetSelector:
    return fewest.SubsetSelector(
        estimator,
        search=GAUniform(population=POPULATION),
        stop=Generations(generations + 1),
        cv=FOLDS,
        random_state=0,
    )


def _quietly(work: Callable[[], Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        work()


def rows() -> Iterator[dict[str, Any]]:
    """The rows of the table, as they are measured; none where the peer is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from sklearn_genetic import GAFeatureSelectionCV
    except ImportError:
        return
    data = fewest.load("ionosphere")
    X, y = data.X.to_numpy(), data.y
    for estimator, generations, target in CASES:
        peer = GAFeatureSelectionCV(
            estimator, cv=FOLDS, population_size=POPULATION, generations=generations,
            verbose=False, n_jobs=1, refit=False,
        )  # fmt: skip
        theirs = _cpu(lambda peer=peer: _quietly(lambda: peer.fit(X, y)))
        ours = _ours(estimator, generations)
        ours.fit(X, y)  # once to load the compiled kernels
        seconds = _cpu(lambda ours=ours: ours.fit(X, y))
        yield from _compared(estimator, generations, target, ours, seconds, peer, theirs)


def _compared(
    estimator: Any,
    generations: int,
    target: str,
    ours: fewest.SubsetSelector,
    seconds: float,
    peer: Any,
    theirs: float,
) -> Iterator[dict[str, Any]]:
    name = type(estimator).__name__
    # The peer has a cache too: what it had scored before keeps its index.
    scored = len({entry["index"] for entry in peer.logbook.chapters["parameters"]})
    evaluations = ours.result_.evaluations
    best = max(peer.history["fitness_max"])
    yield {
        "what": f"genetic selection, ionosphere, {name}, population {POPULATION}, "
        f"{generations} generations, against sklearn-genetic-opt",
        "ours_s": seconds,
        "theirs_s": theirs,
        "ratio": theirs / seconds,
        "target": target,
        "note": f"best of 5 folds {ours.score_:.3f} with {ours.result_.n_features} features; "
        f"theirs {best:.3f}; CPU seconds, one worker each",
    }
    how = "" if target else "; no fast twin: trained by scikit-learn on every fold, as theirs"
    each, others = seconds / evaluations, theirs / scored
    yield {
        "what": "the same for one subset",
        "ours_s": each,
        "theirs_s": others,
        "ratio": others / each,
        "target": "",
        "note": f"{evaluations:,} scored, theirs {scored:,}{how}",
    }
