"""Base of inferences, and exact posteriors by junction tree or enumeration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._models.graph import Graph, Network
from .._named import NamedNetwork


def pyagrum() -> Any:
    """Import pyAgrum, or raise an error that says how to get it."""
    try:
        import pyagrum as library
    except ImportError:
        raise InputError(
            'This needs pyAgrum, which is not installed: pip install "fewest[networks]".'
        ) from None
    return library


def to_pyagrum(network: NamedNetwork) -> Any:
    """Return the same network as a ``pyagrum.BayesNet``.

    Levels are labels there: they become strings.

    Examples
    --------
    >>> from fewest.networks import load_network, to_pyagrum
    >>> to_pyagrum(load_network("asia")).sizeArcs()
    8
    """
    gum = pyagrum()
    net = gum.BayesNet("network")
    for name, levels in zip(network.names, network.levels, strict=True):
        net.add(gum.LabelizedVariable(name, name, [str(v) for v in levels]))
    for parent, child in network.arcs:
        net.addArc(parent, child)
    for i, table in enumerate(network.network.tables):
        parents = network.graph.parents[i]
        shape = [int(network.cardinalities[p]) for p in parents]
        whole = table.reshape(*shape, int(network.cardinalities[i]))
        cpt = net.cpt(network.names[i])
        mine = [*(network.names[p] for p in parents), network.names[i]]
        # pyAgrum's array has its first variable last.
        theirs = list(reversed(cpt.names))
        turned = np.transpose(whole, [mine.index(name) for name in theirs])
        cpt[:] = np.ascontiguousarray(turned)
    return net


def from_pyagrum(net: Any) -> NamedNetwork:
    """Return a network from a ``pyagrum.BayesNet``; variables in the order of their ids.

    Examples
    --------
    >>> from fewest.networks import from_pyagrum, load_network, to_pyagrum
    >>> from_pyagrum(to_pyagrum(load_network("asia"))).names[:2]
    ('asia', 'tub')
    """
    ids = sorted(net.nodes())
    place = {node: i for i, node in enumerate(ids)}
    variables = [net.variable(node) for node in ids]
    names = tuple(str(v.name()) for v in variables)
    levels = tuple(tuple(str(label) for label in v.labels()) for v in variables)
    parents = tuple(tuple(sorted(place[p] for p in net.parents(node))) for node in ids)
    tables = []
    for i, node in enumerate(ids):
        cpt = net.cpt(node)
        theirs = list(reversed(cpt.names))
        mine = [*(names[p] for p in parents[i]), names[i]]
        tables.append(np.transpose(cpt.toarray(), [theirs.index(name) for name in mine]).ravel())
    cards = np.array([len(v) for v in levels], dtype=np.int64)
    graph = Graph(parents)
    _ = graph.order
    return NamedNetwork(Network(cards, graph, np.concatenate(tables)), names, levels)


def to_networkx(network: NamedNetwork) -> Any:
    """Return the graph as a ``networkx.DiGraph``; each node carries its levels and its table.

    Examples
    --------
    >>> from fewest.networks import load_network, to_networkx
    >>> sorted(to_networkx(load_network("asia")).predecessors("either"))
    ['lung', 'tub']
    """
    import networkx

    found = networkx.DiGraph()
    for i, name in enumerate(network.names):
        table = network.network.tables[i]
        parents = [network.names[p] for p in network.graph.parents[i]]
        found.add_node(name, levels=list(network.levels[i]), parents=parents, table=table)
    found.add_edges_from(network.arcs)
    return found


def from_networkx(graph: Any) -> NamedNetwork:
    """Return a network from a graph made by :func:`to_networkx`, or with the same attributes.

    Examples
    --------
    >>> from fewest.networks import from_networkx, load_network, to_networkx
    >>> len(from_networkx(to_networkx(load_network("asia"))).arcs)
    8
    """
    names = tuple(str(node) for node in graph.nodes)
    place = {name: i for i, name in enumerate(names)}
    for node, facts in graph.nodes(data=True):
        missing = [key for key in ("levels", "parents", "table") if key not in facts]
        if missing:
            raise InputError(
                f"`graph` must have `levels`, `parents` and `table` for each node, but {node!r} "
                f"has no {missing[0]}."
            )
    facts = [graph.nodes[node] for node in graph.nodes]
    structure = Graph(tuple(tuple(place[str(p)] for p in f["parents"]) for f in facts))
    _ = structure.order
    levels = tuple(tuple(f["levels"]) for f in facts)
    tables = np.concatenate([np.asarray(f["table"], dtype=np.float64).ravel() for f in facts])
    cards = np.array([len(v) for v in levels], dtype=np.int64)
    return NamedNetwork(Network(cards, structure, tables), names, levels)


@dataclass(frozen=True, eq=False)
class Posteriors:
    """Posterior of every variable given the evidence.

    values: one distribution per variable; for an observed variable, certainty.
    evidence_probability: the probability of the evidence, exact or estimated.
    effective: for an inference by sampling, how many unweighted samples its samples are worth: (sum
        of weights)^2 / sum of squared weights.
    errors: for an inference by sampling, the standard errors of ``values``.
    evidence_error: the standard error of the probability of the evidence.
    """

    network: NamedNetwork
    values: tuple[NDArray[np.float64], ...]
    evidence_probability: float
    effective: float | None = None
    errors: tuple[NDArray[np.float64], ...] | None = None
    evidence_error: float = 0.0

    def __getitem__(self, name: str) -> Answer:
        """Return the posterior of one variable, by level."""
        i = self.network.position(name, "target")
        levels, values = self.network.levels[i], self.values[i].tolist()
        doubts = [0.0] * len(values) if self.errors is None else self.errors[i].tolist()
        answer = Answer(zip(levels, values, strict=True))
        answer.errors = dict(zip(levels, doubts, strict=True))
        answer.effective = self.effective
        answer.evidence_probability = self.evidence_probability
        answer.evidence_error = self.evidence_error
        return answer


class Answer(dict[Any, float]):
    """Posterior of a variable, by level, and its quality.

    errors: the standard error of each probability; 0 for exact inference.
    effective: the effective sample size, for an inference by sampling.
    evidence_probability, evidence_error: the probability of the evidence, and its standard error.
    """

    errors: dict[Any, float]
    effective: float | None
    evidence_probability: float
    evidence_error: float


class Inference(ABC):
    """Way to find posteriors in a network."""

    @abstractmethod
    def posteriors(
        self, network: NamedNetwork, evidence: NDArray[np.int64], rng: np.random.Generator
    ) -> Posteriors:
        """Return the posteriors given codes of the evidence (-1: not observed)."""


def impossible() -> InputError:
    """Return the error for evidence of probability 0."""
    return InputError(
        "`evidence` must be possible in the network, but has probability zero; leave out or "
        "change a value."
    )


def certain(levels: int, value: int) -> NDArray[np.float64]:
    """Return the distribution of an observed variable."""
    out = np.zeros(levels)
    out[value] = 1.0
    return out


#: Most cells of the tables of a junction tree for which "auto" is exact.
MOST_CELLS = 10_000_000


def junction_cells(network: NamedNetwork) -> float:
    """Count the cells of a junction tree's tables, by the elimination of least weight.

    >>> from fewest.networks._bif import load_network
    >>> junction_cells(load_network("cancer"))
    22.0
    """
    near = network.graph._moral(set(range(len(network.names))))
    cards = network.cardinalities.astype(float)
    cells = 0.0
    while near:
        sizes = {i: float(cards[i] * np.prod(cards[list(own - {i})])) for i, own in near.items()}
        least = min(sizes, key=lambda i: (sizes[i], i))
        others = near.pop(least) - {least}
        cells += sizes[least]
        for i in others:
            near[i] = (near[i] | others) - {i, least}
    return cells


class ExactInference(Inference):
    """Posteriors by lazy propagation in a junction tree (Madsen and Jensen, 1999).

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.networks import ExactInference, load_network
    >>> asia = load_network("asia")
    >>> codes = asia.evidence({"xray": "yes"})
    >>> found = ExactInference().posteriors(asia, codes, np.random.default_rng(0))
    >>> round(found["lung"]["yes"], 1)
    0.5
    """

    def __init__(self) -> None:
        self._last: tuple[NamedNetwork, Any, Any] | None = None

    def _engine(self, network: NamedNetwork) -> Any:
        """Return the engine for a network, kept for the next evidence."""
        if self._last is None or self._last[0] is not network:
            net = to_pyagrum(network)
            # The engine refers to the network, so both are kept.
            self._last = (network, net, pyagrum().LazyPropagation(net))
        return self._last[2]

    def posteriors(
        self,
        network: NamedNetwork,
        evidence: NDArray[np.int64],
        rng: np.random.Generator | None = None,
    ) -> Posteriors:
        gum, engine = pyagrum(), self._engine(network)
        engine.eraseAllEvidence()
        observed = np.flatnonzero(evidence >= 0)
        for i in observed:
            engine.addEvidence(network.names[i], int(evidence[i]))
        try:
            probability = float(engine.evidenceProbability()) if len(observed) else 1.0
            if not probability > 0:
                raise impossible()
            values = tuple(
                certain(r, int(evidence[i]))
                if evidence[i] >= 0
                else np.array(engine.posterior(network.names[i]).toarray())
                for i, r in enumerate(network.cardinalities.tolist())
            )
        except gum.IncompatibleEvidence:
            raise impossible() from None
        return Posteriors(network, values, probability)


#: Networks with more joint cases than this are not summed up.
MOST_CASES = 1 << 14


def posterior_table(
    network: NamedNetwork,
    evidence: NDArray[np.int64],
    inference: Inference,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return one row per row of evidence: the posteriors of all variables, one after the other.

    Small networks are summed up where ``inference`` is exact. Impossible evidence has a row of
    NaN.
    """
    small = float(np.prod(network.cardinalities.astype(float))) <= MOST_CASES
    if small and isinstance(inference, ExactInference):
        return summed_up(network, evidence)
    rows = np.full((len(evidence), int(network.cardinalities.sum())), np.nan)
    for row, given in zip(rows, evidence, strict=True):
        with suppress(InputError):
            row[:] = np.concatenate(inference.posteriors(network, given, rng).values)
    return rows


def summed_up(network: NamedNetwork, evidence: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute the posteriors by summing the joint distribution."""
    cards = network.cardinalities
    every = np.indices(tuple(cards.tolist())).reshape(len(cards), -1).T
    joint = np.exp(network.network.log_probability(every.astype(np.uint8)))
    hits = np.concatenate(
        [every[:, i, None] == np.arange(r) for i, r in enumerate(cards.tolist())], axis=1
    )
    fits = np.ones((len(evidence), len(every)), dtype=bool)
    for i in range(len(cards)):
        seen = evidence[:, i, None]
        fits &= (seen < 0) | (seen == every[:, i])
    weights = fits * joint
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(weights @ hits / weights.sum(axis=1, keepdims=True))
