"""Inza (2002, thesis), chapter 5: networks over the predictions of fourteen classifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from fewest._joint.behaviour import JointBehaviour, joint_behaviour
from fewest._joint.simplified_network import read_network, simplified
from fewest._models.graph import Graph
from fewest.classifiers import (
    C45,
    CN2,
    HOODG,
    IB1,
    IB4,
    ID3,
    OC1,
    PEBLS,
    T2,
    NaiveBayes,
    NBTree,
    OneR,
    Ripper,
    TableMajority,
)
from fewest.data._dataset import Dataset

from .domains import domain_data
from .experiment import Cell, Experiment, Settings, mean_std
from .paper import Paper

RANKS = "5.4 ranks"
#: Splits into training and test rows; the thesis has one.
SPLITS = {False: 20, True: 3}
FAMILIES = {
    "DT": ["ID3", "C4.5"],
    "ST": ["OneR", "T2"],
    "K-NN": ["IB1", "IB4"],
    "DR": ["Ripper", "CN2"],
    "BC": ["NB", "NBTree"],
}
#: The readings of a network and the tables of the thesis that count them.
LISTS = {"hard": "5.4.1", "inside": "5.4.2", "between": "5.4.3"}
#: The table of the readings by domain, which the lists are made from.
READINGS = "5.4"
FIGURES = {"Breast cancer": "fig. 5.2", "Cleveland": "fig. 5.3"}
#: The domain whose network is read as it is: it has test rows enough (section 5.3.2).
NOT_SIMPLIFIED = "Hypothyroid"
#: Two ways to simplify: as the text says, and without its second step.
RECOVERED, HALF = "with recovery", "half of the arcs"


def classifiers(seed: int) -> dict[str, Any]:
    """Return the classifiers of the thesis (section 2.4) with their default parameters."""
    return {
        "ID3": ID3(),
        "C4.5": C45(),
        "OC1": OC1(random_state=seed),
        "T2": T2(),
        "NB": NaiveBayes(),
        "NBTree": NBTree(),
        "HOODG": HOODG(),
        "IB1": IB1(),
        "IB4": IB4(),
        "PEBLS": PEBLS(),
        "Table-Majority": TableMajority(),
        "OneR": OneR(),
        "CN2": CN2(),
        "Ripper": Ripper(random_state=seed),
    }


def joint(paper: Paper, settings: Settings, part: str) -> Iterator[Experiment]:
    """Yield one experiment per domain: all classifiers on all splits."""
    # The domain with the most rows takes as long as all others: it starts first.
    domains = sorted(paper.tables[READINGS]["rows"], key=lambda domain: domain != NOT_SIMPLIFIED)
    for domain in domains:
        run = partial(_run, paper, settings, domain)
        yield Experiment(part, domain, f"{SPLITS[settings.quick]} splits", run)


def _run(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    data = domain_data(paper, domain, settings.seed)
    splits = range(SPLITS[settings.quick])
    found = [_behaviour(data, domain, settings.seed + split) for split in splits]
    ways = {RECOVERED: [one.simple for one in found], HALF: [_half(one, domain) for one in found]}
    cells = [
        _readings(paper, domain, kind, way, found, graphs)
        for kind in LISTS
        for way, graphs in ways.items()
    ]
    return cells + (_arcs(domain, found) if domain in FIGURES else [])


def _behaviour(data: Dataset, domain: str, seed: int) -> JointBehaviour:
    """Learn the networks of one split."""
    way = "none" if domain == NOT_SIMPLIFIED else "recover"
    models = classifiers(seed)
    return joint_behaviour(
        models, data.X, data.y, families=FAMILIES, simplify=way, random_state=seed,
        score="k2", max_parents=None, repeats=0,
    )  # fmt: skip


def _half(found: JointBehaviour, domain: str) -> Graph:
    """Return the network with the influential half of its arcs; nothing is recovered."""
    at = {name: i for i, name in enumerate(found.names)}
    influences = {(at[a], at[b]): value for (a, b), value in found.influences.items()}
    return simplified(found.graph, influences, "none" if domain == NOT_SIMPLIFIED else "half")


def _readings(
    paper: Paper,
    domain: str,
    kind: str,
    way: str,
    found: list[JointBehaviour],
    graphs: list[Graph],
) -> Cell:
    """Count the independences of a network; ``each`` lists them, one list per split.

    The entries of a list are in the order of the thesis, -1 for a classifier that was left out.
    """
    listed = list(paper.tables[LISTS[kind]]["rows"])
    read = [
        read_network(graph, one.names, FAMILIES)[kind]
        for one, graph in zip(found, graphs, strict=True)
    ]
    each = [[_is_so(reading, name) for name in listed] for reading in read]
    counts = [float(sum(value == 1 for value in one)) for one in each]
    arcs = sum(len(graph.arcs) for graph in graphs) / len(graphs)
    left = sorted({name for one in found for name in one.predictions.left_out})
    note = f"{arcs:.1f} arcs" + (f"; without {', '.join(left)}" if left else "")
    flat = [value for one in each for value in one]
    return Cell(READINGS, domain, f"{kind}, {way}", *mean_std(counts), note, each=flat)


def _is_so(reading: dict[str, bool], name: str) -> float:
    """Return whether an independence holds: 1, 0, or -1 where it was not asked for."""
    one, _, other = name.partition(",")
    value = reading.get(name, reading.get(f"{other},{one}"))
    return -1.0 if value is None else float(value)


def _arcs(domain: str, found: list[JointBehaviour]) -> list[Cell]:
    """Return the arcs of the first split's network, and in how many splits two models have one."""
    seen = Counter(frozenset(arc) for one in found for arc in one.arcs)
    return [
        Cell(FIGURES[domain], domain, f"{a} → {b}", 100.0 * seen[frozenset((a, b))] / len(found))
        for a, b in found[0].arcs
    ]


def independences(paper: Paper, cells: list[Cell]) -> list[Cell]:
    """Return counts over the domains, mean and range over the splits, and rank correlations."""
    found: list[Cell] = []
    readings = [cell for cell in cells if cell.table == READINGS]
    for kind, table in LISTS.items():
        for way in (RECOVERED, HALF):
            own = [cell for cell in readings if cell.method == f"{kind}, {way}"]
            if own:
                found += _list(paper, table, way, own)
    return found


def _list(paper: Paper, table: str, way: str, own: list[Cell]) -> list[Cell]:
    listed = list(paper.tables[table]["rows"])
    counts = _counts(own, len(listed))
    cells = []
    for k, name in enumerate(listed):
        low, high = counts[:, k].min(), counts[:, k].max()
        note = f"{low:.0f} to {high:.0f} of {_networks(own, k, len(listed))} networks"
        cells.append(Cell(table, name, way, *mean_std(counts[:, k]), note))
    printed = [paper.figure(table, name, way) for name in listed]
    theirs = np.array([np.nan if figure is None else figure[0] for figure in printed])
    return [*cells, _ranks(table, way, theirs, counts)]


def _counts(own: list[Cell], n: int) -> NDArray[np.float64]:
    """Count the networks with each independence, shape (splits, n)."""
    read = np.stack([np.reshape(cell.each, (-1, n)) for cell in own])
    counts: NDArray[np.float64] = (read == 1.0).sum(axis=0).astype(np.float64)
    return counts


def _networks(own: list[Cell], k: int, n: int) -> int:
    """Count the domains in which something was asked for at all."""
    return sum(bool(np.any(np.reshape(cell.each, (-1, n))[:, k] >= 0.0)) for cell in own)


def _ranks(table: str, way: str, theirs: NDArray[np.float64], counts: NDArray[np.float64]) -> Cell:
    """Return Spearman's correlation of the thesis' counts with the mean counts, also by split."""
    whole = correlation(theirs, counts.mean(axis=0))
    single = [correlation(theirs, one) for one in counts]
    note = (
        f"one split alone: {np.mean(single):.2f} on average, {np.min(single):.2f} to "
        f"{np.max(single):.2f}"
    )
    return Cell(RANKS, table, way, whole, None, note)


def correlation(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation; 0 where one of them is constant.

    >>> correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0]))
    0.5
    """
    if np.ptp(one) == 0.0 or np.ptp(two) == 0.0:
        return 0.0
    return round(float(spearmanr(one, two).statistic), 10)
