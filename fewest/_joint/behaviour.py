"""joint_behaviour: which classifiers are alike and which are original."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._fitting.parameter_table import check_options
from .._models.graph import Graph
from .._parameters import seed_of
from .._run.execute import check_workers
from .._run.whole_files import write_whole
from .._version import __version__
from ..data._dataset import features_and_target
from .predictions import Predictions, agreement_matrices, find_families, predict_held_out
from .simplified_network import Confidence, Learner, confidence, read_network, rows_of


@dataclass(frozen=True)
class Ensemble:
    """Suggested ensemble, with its accuracy beside the obvious alternatives.

    Parameters
    ----------
    members : tuple of str
    accuracy : mapping of method to accuracy
        On rows that the choice has not seen: ``"suggested"``, ``"best single"``, ``"all vote"``
        and ``"most accurate"`` (the k most accurate ones vote).
    """

    members: tuple[str, ...]
    accuracy: dict[str, float]


def pick_independent(graph: Graph, accuracy: NDArray[np.float64], k: int) -> list[int]:
    """Choose the most accurate classifier, then those with the fewest ties to the chosen ones.

    A candidate is tied to a chosen classifier if the rest of the network does not separate
    them, which is the case when they share an arc or a child. Equal numbers of ties: the more
    accurate one.
    """
    everything = set(range(len(accuracy)))
    chosen = [int(accuracy.argmax())]
    while len(chosen) < k:
        rest = sorted(everything - set(chosen))
        ties = [
            sum(not graph.separated({x}, {c}, everything - {x, c}) for c in chosen) for x in rest
        ]
        best = min(range(len(rest)), key=lambda i: (ties[i], -accuracy[rest[i]]))
        chosen.append(rest[best])
    return chosen


def vote(codes: NDArray[np.int64], members: Sequence[int], n_classes: int) -> NDArray[np.int64]:
    """Return the majority of the members' predictions; of equal ones the first member's."""
    counts = np.zeros((len(codes), n_classes))
    for rank, member in enumerate(members):
        counts[np.arange(len(codes)), codes[:, member]] += 1.0 + 1e-3 / (rank + 1)
    return np.asarray(counts.argmax(axis=1), dtype=np.int64)


def check_size(k: int, n: int) -> None:
    """Refuse an ensemble that is no ensemble, or larger than there are classifiers."""
    if not 2 <= k <= n:
        raise InputError(
            f"`k` must be between 2 and {n} (the number of classifiers), but is {k!r}."
        )


def accuracies(
    chosen: Sequence[int], k: int, choosing: Predictions, judging: Predictions
) -> dict[str, float]:
    """Return the accuracy of each combination on ``judging``, chosen by ``choosing`` alone."""
    order = np.argsort(-choosing.accuracy, kind="stable")
    n_classes, codes = len(judging.classes), judging.codes
    ways = {
        "suggested": list(chosen),
        "best single": [int(order[0])],
        "all vote": order.tolist(),
        "most accurate": order[:k].tolist(),
    }
    return {
        name: float((vote(codes, members, n_classes) == judging.target).mean())
        for name, members in ways.items()
    }


@dataclass(frozen=True, eq=False)
class JointBehaviour:
    """Network over the predictions of classifiers, and its reading.

    Parameters
    ----------
    predictions : Predictions
        Predicted classes on rows that the classifiers were not trained on.
    learner : Learner
        The score, the search, the most parents, and which arcs are read.
    graph : Graph
        The network with the best score.
    optimal : bool
        Whether no other network with as few parents has a better score.
    influences : mapping of (parent, child) names to what the score loses without the arc
    simple : Graph
        The network with its influential arcs only; the readings come from it.
    families : mapping of family to its classifiers
    readings : dict
        ``"hard"``, ``"inside"`` and ``"between"``: independent classifiers and families.
    matrices : mapping of name to array
        Agreement, kappa, disagreement, double fault, Q and McNemar's p value of every pair.
    confidence : Confidence
        Arcs found in noise, and how often bootstrap samples have the arcs and readings.
    seed : int

    Examples
    --------
    >>> import fewest
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> data = fewest.load("iris")
    >>> models = {"nb": GaussianNB(), "1-nn": KNeighborsClassifier(1)}
    >>> found = fewest.joint_behaviour(models, data.X, data.y, scheme=5, random_state=0)
    >>> sorted(found.matrices)
    ['agreement', 'disagreement', 'double-fault', 'kappa', 'mcnemar', 'q']
    """

    predictions: Predictions
    learner: Learner
    graph: Graph
    optimal: bool
    influences: Mapping[tuple[str, str], float]
    simple: Graph
    families: Mapping[str, list[str]]
    readings: Mapping[str, dict[str, bool]]
    matrices: Mapping[str, NDArray[np.float64]]
    confidence: Confidence
    seed: int
    version: str = field(default=__version__)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return self.predictions.names

    @property
    def arcs(self) -> list[tuple[str, str]]:
        """Arcs of the simplified network, by name."""
        return [(self.names[a], self.names[b]) for a, b in self.simple.arcs]

    def suggest_ensemble(self, k: int = 3) -> Ensemble:
        """Choose ``k`` classifiers that the network calls independent, and judge the choice.

        The members come from all rows. What they are worth is estimated without them: the rows
        are cut into halves, a network is learned and an ensemble chosen on one half, and judged
        on the other, ten times.
        """
        check_size(k, len(self.names))
        rng = np.random.default_rng(self.seed)
        totals: dict[str, list[float]] = {}
        for _ in range(10):
            order = rng.permutation(len(self.predictions.target))
            half = len(order) // 2
            choosing, judging = (rows_of(self.predictions, p) for p in (order[:half], order[half:]))
            small = self.learner.learn(choosing, rng).simple
            chosen = pick_independent(small, choosing.accuracy, k)
            for name, value in accuracies(chosen, k, choosing, judging).items():
                totals.setdefault(name, []).append(value)
        members = pick_independent(self.simple, self.predictions.accuracy, k)
        return Ensemble(
            tuple(self.names[i] for i in members),
            {name: float(np.mean(values)) for name, values in totals.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        return {
            "fewest": "joint-behaviour",
            "version": self.version,
            "names": list(self.names),
            "accuracy": self.predictions.accuracy.tolist(),
            "rows": len(self.predictions.target),
            "left_out": dict(self.predictions.left_out),
            "score": self.learner.score,
            "search": self.learner.search,
            "max_parents": self.learner.max_parents,
            "optimal": self.optimal,
            "simplify": self.learner.simplify,
            "arcs": [
                {"from": a, "to": b, "influence": v, "kept": (a, b) in set(self.arcs)}
                for (a, b), v in self.influences.items()
            ],
            "families": {name: list(members) for name, members in self.families.items()},
            "readings": {kind: dict(found) for kind, found in self.readings.items()},
            "matrices": {name: matrix.tolist() for name, matrix in self.matrices.items()},
            "confidence": self.confidence.to_dict(),
            "seed": self.seed,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything but the predictions as JSON."""
        write_whole(path, json.dumps(self.to_dict(), indent=1), "joint behaviour")


def joint_behaviour(
    classifiers: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    scheme: Any = "2:1",
    score: str = "bic",
    search: str = "auto",
    max_parents: int | None = 3,
    simplify: str = "recover",
    repeats: int = 20,
    families: Mapping[str, list[str]] | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> JointBehaviour:
    """Let classifiers predict rows they were not trained on, and learn how they go together.

    Parameters
    ----------
    classifiers : mapping of name to scikit-learn classifier
    X, y : the data
    scheme : "2:1", int or splitter, default="2:1"
        One split into training and test rows as in the thesis, or a number of folds, so that
        every row is predicted once.
    score : {"bic", "k2", "bdeu"}, default="bic"
        What a network is judged by. The K2 score of the thesis finds dozens of arcs among
        classifiers that have nothing to do with each other; look at ``confidence``.
    search : {"auto", "exact", "genetic", "climbing", "tests"}, default="auto"
        How the network is found: by dynamic programming, which proves it to be the best and can
        take up to 20 classifiers; by the elitist genetic algorithm with a local optimiser that
        the thesis uses; by hill climbing; or by tests of independence (the PC algorithm).
        ``"auto"`` is exact where that is possible, else hill climbing.
    max_parents : int or None, default=3
        The most arcs that lead to a classifier; None sets no limit.
    simplify : {"recover", "half", "none"}, default="recover"
        Which arcs are read: the more influential half and those that matter nearly as much, as
        in the thesis; that half alone; or all of them.
    repeats : int, default=20
        How many networks are learned from shuffled columns, and how many from bootstrap samples.
    families : mapping of family to names of classifiers, optional
        By default they are found by clustering the classifiers that agree.
    n_jobs : int, optional
        Classifiers trained at once; the answer does not depend on it.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    JointBehaviour

    Notes
    -----
    After Inza (2002, chapter 5). The genetic search is that of Larranaga et al. (1996), with 20
    graphs over 20 generations and five steps of hill climbing for each child. The network is
    simplified, and read for independences.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"nb": GaussianNB(), "1-nn": KNeighborsClassifier(1),
    ...           "tree": DecisionTreeClassifier(random_state=0)}
    >>> found = joint_behaviour(models, X, y, scheme=5, random_state=0)
    >>> found.optimal, sorted(found.readings)
    (True, ['between', 'hard', 'inside'])
    """
    check_options(locals())
    check_workers(n_jobs)
    learner = Learner(score, search, max_parents, simplify).checked(len(classifiers))
    known = _checked(families, classifiers)
    seed = seed_of(random_state)
    rng = np.random.default_rng(seed)
    X, y = features_and_target(X, y)
    predictions = predict_held_out(classifiers, X, y, scheme=scheme, n_jobs=n_jobs, rng=rng)
    return read_behaviour(predictions, learner, known, seed, repeats)


def read_behaviour(
    predictions: Predictions,
    learner: Learner,
    families: dict[str, list[str]] | None,
    seed: int,
    repeats: int = 20,
) -> JointBehaviour:
    """Return what predictions say: everything but the training."""
    names = predictions.names
    found = learner.learn(predictions, np.random.default_rng([seed, 1]))
    matrices = agreement_matrices(predictions)
    members = families or find_families(names, matrices["agreement"])
    readings = read_network(found.simple, names, members)
    again = np.random.default_rng([seed, 2])
    return JointBehaviour(
        predictions,
        learner,
        found.graph,
        found.optimal,
        {(names[a], names[b]): value for (a, b), value in found.influences.items()},
        found.simple,
        members,
        readings,
        matrices,
        confidence(predictions, learner, members, readings, repeats, again),
        seed,
    )


def _checked(
    families: Mapping[str, list[str]] | None, classifiers: Mapping[str, Any]
) -> dict[str, list[str]] | None:
    if families is None:
        return None
    for family, members in families.items():
        unknown = [name for name in members if name not in classifiers]
        if unknown:
            raise InputError(
                f"`families` must hold names of the classifiers, but {family!r} holds "
                f"{unknown[0]!r}."
            )
    return {family: list(members) for family, members in families.items()}
