"""Network over the predictions: learned, simplified, and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._models.family_scores import FamilyScores
from .._models.graph import Graph
from .._models.optimum import learn_exact
from .._models.structure_search import learn_pc
from ..networks._runs import find_graph
from .predictions import Predictions


def hard_independent(graph: Graph, x: int) -> int | None:
    """Return the classifier given which ``x`` is independent of all others, or None.

    Such a classifier is original: one other model is enough to explain its relation to the rest
    (Inza, 2002, section 5.3.3.1). The lowest position counts where several will do.
    """
    everything = set(range(len(graph.parents)))
    for y in sorted(everything - {x}):
        others = everything - {x, y}
        if not others or graph.separated({x}, others, {y}):
            return y
    return None


def independent_inside(graph: Graph, family: Sequence[int]) -> bool:
    """Decide if two members are independent given at most one classifier outside the family.

    Then the family is not compact: its members differ (section 5.3.3.2).
    """
    outside = [z for z in range(len(graph.parents)) if z not in family]
    for x, y in combinations(family, 2):
        if any(graph.separated({x}, {y}, given) for given in [(), *((z,) for z in outside)]):
            return True
    return False


def independent_between(graph: Graph, one: Sequence[int], two: Sequence[int]) -> bool:
    """Decide if some set of classifiers outside both families separates them (§5.3.3.3).

    If any set does, then so does the set of all ancestors of both families that belong to
    neither, so that one test is enough.
    """
    first, second = set(one), set(two)
    given = graph.ancestors(first | second) - first - second
    return graph.separated(first, second, given)


def read_network(
    graph: Graph, names: Sequence[str], families: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, bool]]:
    """Return all three readings, by name.

    Returns dict: ``"hard"``: classifier to whether it is hard conditionally independent;
        ``"inside"``: family to whether its members are independent; ``"between"``: ``"A,B"`` to
        whether two families are. Families without two members among ``names`` are left out of
        ``"inside"``, those without any from ``"between"``.
    """
    at = {name: i for i, name in enumerate(names)}
    members = {f: [at[n] for n in listed if n in at] for f, listed in families.items()}
    there = {f: m for f, m in members.items() if m}
    return {
        "hard": {name: hard_independent(graph, i) is not None for i, name in enumerate(names)},
        "inside": {f: independent_inside(graph, m) for f, m in there.items() if len(m) > 1},
        "between": {
            f"{a},{b}": independent_between(graph, there[a], there[b])
            for a, b in combinations(there, 2)
        },
    }


#: Up to this many classifiers the best network is proven.
MOST_PROVEN_CLASSIFIERS = 20
SEARCHES = ("auto", "exact", "genetic", "climbing", "tests")
SCORES = ("bic", "k2", "bdeu")
#: What is kept: the influential half and what is recovered, the half alone, or all arcs.
SIMPLIFICATIONS = ("recover", "half", "none")
Arc = tuple[int, int]


@dataclass(frozen=True)
class Learned:
    """Network, whether it is proven to be the best, the influence of its arcs, and its readings.

    ``simple`` has the influential arcs only.
    """

    graph: Graph
    optimal: bool
    influences: dict[Arc, float]
    simple: Graph


@dataclass(frozen=True)
class Learner:
    """Options for learning and simplifying a network over predictions.

    score: "bic", "k2" or "bdeu".
    search: "auto", "exact", "genetic", "climbing" or "tests".
    simplify: "recover", "half" or "none".
    """

    score: str = "bic"
    search: str = "auto"
    max_parents: int | None = 3
    simplify: str = "recover"

    def checked(self, n: int) -> Learner:
        """Return the learner for ``n`` classifiers with ``"auto"`` made definite."""
        allowed = {"score": SCORES, "search": SEARCHES, "simplify": SIMPLIFICATIONS}
        for name, values in allowed.items():
            if getattr(self, name) not in values:
                raise InputError(
                    f"`{name}` must be one of {', '.join(values)}, but is {getattr(self, name)!r}."
                )
        if self.max_parents is not None and not self.max_parents >= 1:
            raise InputError(f"`max_parents` must be at least 1, but is {self.max_parents!r}.")
        if self.search == "exact" and n > MOST_PROVEN_CLASSIFIERS:
            raise InputError(
                f'`search` must be "genetic", "climbing" or "tests" for {n} classifiers, but is '
                f'"exact", which can take {MOST_PROVEN_CLASSIFIERS} at most.'
            )
        if self.search != "auto":
            return self
        return replace(self, search="exact" if n <= MOST_PROVEN_CLASSIFIERS else "climbing")

    def learn(self, predictions: Predictions, rng: np.random.Generator) -> Learned:
        """Return the network over predictions."""
        rows = predictions.codes
        cards = np.full(rows.shape[1], max(len(predictions.classes), 2))
        families = FamilyScores(rows, cards, score=self.score)
        optimal = False
        if self.search == "exact":
            found = learn_exact(rows, cards, score=self.score, max_parents=self.max_parents)
            graph, optimal = found.graph, found.optimal
        elif self.search == "tests":
            graph = learn_pc(rows, cards)
        else:
            name = "genetic" if self.search == "genetic" else "hill-climbing"
            graph = find_graph(name, families, max_parents=self.max_parents, rng=rng)[0]
        influences = arc_influences(graph, families)
        return Learned(graph, optimal, influences, simplified(graph, influences, self.simplify))


def arc_influences(graph: Graph, families: FamilyScores) -> dict[Arc, float]:
    """Return what the score of the network loses without each arc."""
    influences = {}
    for parent, child in graph.arcs:
        parents = graph.parents[child]
        without = [p for p in parents if p != parent]
        influences[parent, child] = families.score(child, parents) - families.score(child, without)
    return influences


def simplified(graph: Graph, influences: dict[Arc, float], way: str = "recover") -> Graph:
    """Keep the more influential half of the arcs, then recover the next ones while they matter.

    A removed arc comes back if its influence is at least half of the mean of the two least
    influential arcs that are in the network, the recovered ones among them. The ways ``"half"``,
    which recovers nothing, and ``"none"``, which keeps all arcs, are for comparison (Inza, 2002,
    section 5.3.2).
    """
    if way == "none":
        return graph
    order = sorted(influences, key=lambda arc: (-influences[arc], arc))
    kept = order[: -(-len(order) // 2)]
    for arc in order[len(kept) :] if way == "recover" else ():
        least = [influences[a] for a in kept[-2:]]
        if influences[arc] < sum(least) / len(least) / 2.0:
            break
        kept.append(arc)
    parents: list[list[int]] = [[] for _ in graph.parents]
    for parent, child in kept:
        parents[child].append(parent)
    return Graph(tuple(tuple(sorted(p)) for p in parents))


@dataclass(frozen=True)
class Confidence:
    """Confidence in a network and in its readings.

    noise: arcs that the same method finds after each column was shuffled, so that there are none.
    arcs: mapping of (classifier, classifier) to float; share of bootstrap samples of the rows whose
        simplified network joins the two.
    readings: mapping of kind to mapping of name to float; share of the samples in which a reading
        is as it is for all rows.
    """

    noise: tuple[int, ...]
    arcs: Mapping[tuple[str, str], float]
    readings: Mapping[str, Mapping[str, float]]

    @property
    def noise_arcs(self) -> float:
        """Return the mean number of arcs without any dependence."""
        return float(np.mean(self.noise)) if self.noise else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "noise": list(self.noise),
            "arcs": [{"between": [*pair], "share": share} for pair, share in self.arcs.items()],
            "readings": {kind: dict(shares) for kind, shares in self.readings.items()},
        }


def confidence(
    predictions: Predictions,
    learner: Learner,
    families: Mapping[str, Sequence[str]],
    readings: Mapping[str, Mapping[str, bool]],
    repeats: int,
    rng: np.random.Generator,
) -> Confidence:
    """Learn again from shuffled columns, and from bootstrap samples of the rows.

    The genetic search takes long: hill climbing stands in for it.
    """
    names, n = predictions.names, len(predictions.target)
    if learner.search == "genetic":
        learner = replace(learner, search="climbing")
    noise = []
    for _ in range(repeats):
        shuffled = rng.permuted(predictions.codes, axis=0)
        noise.append(len(learner.learn(replace(predictions, codes=shuffled), rng).graph.arcs))
    joined: dict[tuple[str, str], float] = {}
    same = {kind: dict.fromkeys(found, 0.0) for kind, found in readings.items()}
    for _ in range(repeats):
        part = rows_of(predictions, rng.integers(n, size=n))
        graph = learner.learn(part, rng).simple
        for a, b in {(min(arc), max(arc)) for arc in graph.arcs}:
            pair = names[a], names[b]
            joined[pair] = joined.get(pair, 0.0) + 1 / repeats
        for kind, found in read_network(graph, names, families).items():
            for name, is_so in found.items():
                same[kind][name] += (is_so == readings[kind][name]) / repeats
    ranked = dict(sorted(joined.items(), key=lambda item: (-item[1], item[0])))
    return Confidence(tuple(noise), ranked, same)


def rows_of(predictions: Predictions, rows: NDArray[np.intp]) -> Predictions:
    """Return the predictions for some rows."""
    return replace(predictions, codes=predictions.codes[rows], target=predictions.target[rows])
