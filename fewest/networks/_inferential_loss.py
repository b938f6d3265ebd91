"""Measure of orderings by how well their networks answer queries."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._models.family_scores import FamilyScores, Score, graph_of_bits
from .._models.graph import Graph, Network
from .._parameters import number, one_of, whole
from ..data._feature_names import feature_positions
from ..data._table import Table
from ..measures._measure import Candidates, Measure, Scorer, Scores
from ..measures._network_scores import coded_rows
from ._inference.junction_tree import Inference, posterior_table
from ._inference.sampling import resolve_inference
from ._named import NamedNetwork


@dataclass(kw_only=True)
class InferentialLoss(Measure):
    """Loss on hidden values of a network that K2 learns from an ordering, against a reference.

    Parameters
    ----------
    evidence : list of names or positions, or None
        The variables that are observed in a query; the others are predicted. None observes
        every second one.
    gold : NamedNetwork or None
        The network whose exact posteriors are the reference; None takes the observed values of
        the validation rows (probability 1).
    n_queries : int or None
        Number of validation rows used as queries; None uses all.
    validation : float
        The share of the rows that K2 does not see.
    inference : str or Inference
        How the learned network is queried, see ``fewest.networks._inference.sampling``.
    score, max_parents, parents
        As for :class:`OrderingScore`; Hsu takes later variables as parents.
    prior : float
        The prior count of each cell of the tables.
    a, b, c : float
        The weights of the three parts, see Notes.

    Notes
    -----
    Hsu (2004), equations 4 to 8: f = a f_a + b f_b + c f_c. f_a is 1 less the root mean squared
    difference of the probabilities of all levels of the predicted variables, per query, then the
    mean over queries. f_b is 1 less the number of table cells over the number of joint cases.
    Equation 7 gives f_c = 1 - |ordering| / n for subsets, which is 0 for every ordering; with a
    gold network f_c is the share of its arcs whose parent stands on the parents' side. The paper
    leaves the evidence and the reference open. The paper takes f = f_a for orderings, as here,
    and a = 0.75, b = c = 0.125 for subsets, calibrated by hand. f_a, f_b and f_c are goals of the
    scores, so that no weights are needed to see which orderings are not dominated.

    Examples
    --------
    >>> import fewest
    >>> from fewest.networks._bif import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=300).frame()
    >>> loss = InferentialLoss(evidence=["Smoker", "Xray"], n_queries=50)
    >>> stop = fewest._run.stop_rules.Generations(2)
    >>> learner = fewest.NetworkLearner(score=loss, stop=stop, random_state=0).fit(table)
    >>> learner.result_.search, 0.5 < learner.score_ < 1
    ('ga-order', True)
    """

    name: ClassVar[str] = "inferential-loss"
    source: ClassVar[str] = "Hsu (2004), section 2.4"
    needs_classes: ClassVar[bool] = False

    evidence: Any = None
    gold: Any = field(default=None, repr=False)
    n_queries: int | None = whole(None, low=1, optional=True)
    validation: float = number(1 / 3, low=0.01, high=0.99)
    inference: Any = "exact"
    score: str = one_of("k2", "bic", "bdeu")
    max_parents: int | None = whole(4, low=0, optional=True)
    parents: str = one_of("later", "earlier")
    prior: float = number(1.0, low=0.0)
    a: float = number(1.0, low=0.0, high=1.0)
    b: float = number(0.0, low=0.0, high=1.0)
    c: float = number(0.0, low=0.0, high=1.0)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Return the scorer; the rows are split at random into those for K2 and for queries."""
        self.check_parameters()
        if abs(self.a + self.b + self.c - 1) > 1e-9:
            raise InputError(
                f"`a`, `b` and `c` must add up to 1, but are {self.a}, {self.b} and {self.c}."
            )
        if self.gold is not None and not isinstance(self.gold, NamedNetwork):
            raise InputError(f"`gold` must be a NamedNetwork or None, but is {self.gold!r}.")
        rows, cards = coded_rows(table)
        stream = np.random.default_rng(0) if rng is None else rng
        order = stream.permutation(len(rows))
        held = max(1, round(self.validation * len(rows)))
        queries = rows[order[:held]][: self.n_queries]
        return InferentialScorer(
            self,
            FamilyScores(rows[order[held:]], cards, score=Score(self.score)),
            NamedNetwork(
                Network.learn(Graph.empty(len(cards)), rows, cards), table.names,
                tuple(tuple(v or ()) for v in table.levels),
            ),
            queries.astype(np.int64),
            self._observed(table.names),
            int(stream.integers(2**32)),
        )  # fmt: skip

    def _observed(self, names: tuple[str, ...]) -> NDArray[np.bool_]:
        chosen = range(0, len(names), 2)
        if self.evidence is not None:
            chosen = feature_positions(self.evidence, names, "evidence")  # type: ignore[assignment]
        observed = np.zeros(len(names), dtype=bool)
        observed[list(chosen)] = True
        if observed.all():
            raise InputError("`evidence` must leave a variable to predict, but names all of them.")
        return observed


class InferentialScorer(Scorer):
    """Scores orderings by the answers of their networks; each network is queried once."""

    batch = 16

    def __init__(
        self, measure: InferentialLoss, families: FamilyScores, about: NamedNetwork,
        rows: NDArray[np.int64], observed: NDArray[np.bool_], seed: int,
    ) -> None:  # fmt: skip
        self.measure, self.families, self.about, self.seed = measure, families, about, seed
        given = np.where(observed, rows, -1)
        self.given, which = np.unique(given, axis=0, return_inverse=True)
        self.shares: NDArray[np.float64] = np.bincount(which.ravel()) / len(rows)
        cards = about.cardinalities
        self.predicted: NDArray[np.bool_] = np.repeat(~observed, cards)
        self.reference, self.rest = self._reference(rows, which.ravel(), cards)
        self.known: dict[bytes, tuple[float, float]] = {}

    def _reference(
        self, rows: NDArray[np.int64], which: NDArray[np.int64], cards: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return reference probabilities of queries, and the finding that each query belongs to."""
        gold = self.measure.gold
        if gold is None:
            hits = [rows[:, i, None] == np.arange(r) for i, r in enumerate(cards.tolist())]
            return np.concatenate(hits, axis=1).astype(np.float64), which
        exact, rng = resolve_inference("exact"), np.random.default_rng(0)
        return posterior_table(gold, self.given, exact, rng), np.arange(len(self.given))

    def score(self, candidates: Candidates) -> Scores:
        """Return f of each ordering, with its three parts as goals."""
        m = self.measure
        bits, _ = self.families.k2_bits(candidates, max_parents=m.max_parents, parents=m.parents)
        parts = np.array([(*self._network(b), self._side(o)) for b, o in
                          zip(bits, candidates, strict=True)]).reshape(-1, 3)  # fmt: skip
        value = parts @ np.array([m.a, m.b, m.c])
        return Scores(value, None, {f"f_{k}": parts[:, j] for j, k in enumerate("abc")})

    def _network(self, bits: NDArray[np.uint64]) -> tuple[float, float]:
        key = bits.tobytes()
        if key not in self.known:
            graph = graph_of_bits(bits)
            self.known[key] = self.answers(graph), model_size(graph, self.about.cardinalities)
        return self.known[key]

    def answers(self, graph: Graph) -> float:
        """Return f_a of the network with this graph."""
        return self._fit(graph, self.families.rows)

    def curve(self, ordering: NDArray[Any]) -> list[dict[str, float]]:
        """Return f_a of an ordering by the number of training rows: a tenth, a fifth, ... all."""
        rows, m = self.families.rows, self.measure
        found = []
        for share in (0.1, 0.2, 0.4, 0.7, 1.0):
            part = rows[: max(1, round(share * len(rows)))]
            families = FamilyScores(part, self.families.cardinalities, score=self.families.rule)
            graphs, _ = families.k2(ordering[None], max_parents=m.max_parents, parents=m.parents)
            found.append({"rows": len(part), "f_a": self._fit(graphs[0], part)})
        return found

    def _fit(self, graph: Graph, rows: NDArray[np.uint8]) -> float:
        cards = self.families.cardinalities
        learned = Network.learn(graph, rows, cards, prior=self.measure.prior)
        network = NamedNetwork(learned, self.about.names, self.about.levels)
        inference: Inference = resolve_inference(self.measure.inference)
        # The same network is queried with the same random numbers, whatever the batch.
        key = repr(graph.parents).encode()
        rng = np.random.default_rng([self.seed, zlib.crc32(key)])
        found = posterior_table(network, self.given, inference, rng)
        gaps = (found[self.rest] - self.reference)[:, self.predicted]
        fits = 1 - np.sqrt((gaps**2).mean(axis=1))
        # A finding that the network excludes is answered as wrongly as can be.
        fits = np.where(np.isnan(fits), 0.0, fits)
        each = self.shares if self.measure.gold is not None else np.full(len(fits), 1 / len(fits))
        return float(fits @ each)

    def _side(self, ordering: NDArray[Any]) -> float:
        gold = self.measure.gold
        if gold is None or not gold.graph.arcs:
            return 0.0
        place = np.argsort(ordering)
        right = [(place[p] > place[i]) == (self.measure.parents == "later") for p, i in
                 gold.graph.arcs]  # fmt: skip
        return float(np.mean(right))


def model_size(graph: Graph, cardinalities: NDArray[np.int64]) -> float:
    """Return f_b: 1 less the cells of all tables over the joint cases (Hsu, 2004, equation 6a)."""
    cards = cardinalities.astype(np.float64)
    cells = sum(cards[i] * np.prod(cards[list(p)]) for i, p in enumerate(graph.parents))
    return float(1 - cells / np.prod(cards))
