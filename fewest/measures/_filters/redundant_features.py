"""Explained redundancy: what a feature adds to the class, alone and given one other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from ..._errors import InputError
from ...data._feature_names import Features, feature_positions
from ...data._information import Floats, Information
from ...data._table import Table


@dataclass(frozen=True)
class Redundancy:
    """Redundancy of one feature.

    bits, cost: level 0: I(A; C), and the noise allowed: the cost of its parameters per row.
    redundant: whether the bits do not reach the cost.
    given: level 1: the other feature given which it adds least beyond its cost.
    bits_given, cost_given: I(A; C | given), and the noise allowed there.
    inside: whether the feature is in the given subset.
    reason: the facts in a sentence.
    """

    feature: str
    bits: float
    cost: float
    redundant: bool
    given: str | None
    bits_given: float
    cost_given: float
    redundant_given: bool
    inside: bool
    reason: str


def allowed_noise_alone(bits: Information) -> Floats:
    """Return ξ at level 0: what the parameters of each feature cost per row.

    At level 1, given another feature, it is that times the number of values of the other.
    """
    n = max(1, bits.n_rows)
    sizes = bits.cardinalities.astype(float)
    return np.asarray(np.log2(n) / (2.0 * n) * (sizes - 1.0) * (bits.n_classes - 1.0))


def explain_redundancy(
    table: Table,
    subset: Features | None = None,
    *,
    noise: bool = True,
    discretise: str = "mdl",
    bins: int = 10,
) -> list[Redundancy]:
    """Return for every feature whether it is redundant, given which other, and by how many bits.

    Parameters
    ----------
    table : Table
    subset : names, positions or mask of the features kept
        Level 1 then uses these as the given ones; without it, all others.
    noise : bool
        Whether a feature may add as much as its parameters cost and still be redundant; if
        not, it must add nothing at all.
    discretise, bins
        How continuous features are cut.

    Returns
    -------
    list of Redundancy
        One entry per feature, in the order of the table.

    Notes
    -----
    A_i is redundant for C given S within ξ if H(C | S) - H(C | A_i, S) < ξ = log N / (2N) ·
    (r_i - 1)(r_C - 1)·|Ω(S)| (Drugan and Wiering, 2010, definition 3 and corollary 1); level 0
    has no S, level 1 one other feature. Only pairs are examined: a feature that matters with
    two others together is not found; :func:`fewest.measures.redundant_at` examines any level.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> rows = [[a, a, b] for a in "xy" for b in "uv"] * 10
    >>> table = as_table(rows, [row[0] for row in rows])
    >>> for row in explain_redundancy(table, ["x0"]):
    ...     print(row.feature, row.reason)
    x0 kept: alone it gives 1.000 bits of the class, more than the 0.067 its parameters cost
    x1 given `x0`, adds 0.000 bits, less than the 0.133 its parameters cost
    x2 alone it gives 0.000 bits of the class, less than the 0.067 its parameters cost
    """
    counted = table.information(discretise, bins)
    inside = np.zeros(table.n_features, dtype=bool)
    inside[list(feature_positions(subset, table.names, "subset"))] = True
    alone = allowed_noise_alone(counted)
    if not noise:
        alone = np.zeros_like(alone)
    sizes = counted.cardinalities.astype(float)
    given = np.flatnonzero(inside) if inside.any() else np.arange(len(inside))
    # Of a wide table only the pairs with a given feature are counted.
    few = 4 * len(given) < len(inside)
    added = {j: counted.added_with(j) if few else counted.added[:, j] for j in given.tolist()}
    return [
        _explain(counted, table.names, i, alone[i], alone[i] * sizes, added, bool(inside[i]))
        for i in range(table.n_features)
    ]


def _explain(
    bits: Information,
    names: tuple[str, ...],
    i: int,
    alone: float,
    pairs: Floats,
    added: dict[int, Floats],
    inside: bool,
) -> Redundancy:
    own = float(bits.relevance[i])
    redundant = below(own, alone)
    others = [j for j in added if j != i]
    least = min(others, key=lambda j: (added[j][i] - pairs[j], j), default=None)
    most = max(others, key=lambda j: (added[j][i] - pairs[j], -j), default=None)
    given_bits = own if least is None else float(added[least][i])
    given_cost = float(alone if least is None else pairs[least])
    redundant_given = least is not None and below(given_bits, given_cost)
    facts = Redundancy(
        names[i], own, float(alone), redundant, None if least is None else names[least],
        given_bits, given_cost, redundant_given, inside, "",
    )  # fmt: skip
    hidden = None
    if most is not None and not below(float(added[most][i]), float(pairs[most])):
        hidden = f"`{names[most]}` it adds {added[most][i]:.3f} bits"
    reason = _sentence(facts, int(bits.cardinalities[i]), hidden)
    return Redundancy(**{**vars(facts), "reason": reason})


def below(bits: float, cost: float) -> bool:
    return bits < cost or bits == 0.0


def _sentence(facts: Redundancy, values: int, hidden: str | None) -> str:
    if values <= 1:
        return "has one value only"
    alone = _compare(f"alone it gives {facts.bits:.3f} bits of the class", facts.bits, facts.cost)
    if facts.inside:
        if facts.redundant and hidden is not None:
            return f"kept: {alone}; but given {hidden}"
        return f"kept: {alone}"
    given = _compare(
        f"given `{facts.given}`, adds {facts.bits_given:.3f} bits",
        facts.bits_given,
        facts.cost_given,
    )
    if facts.redundant:
        return alone if hidden is None else f"{alone}; but given {hidden}"
    if facts.redundant_given:
        return given
    return f"not redundant in pairs: {alone}" + (f"; {given}" if facts.given else "")


def _compare(text: str, bits: float, cost: float) -> str:
    if cost == 0.0:
        return text
    side = "less" if bits < cost else "more"
    return f"{text}, {side} than the {cost:.3f} its parameters cost"


def cost_of_level(n_features: int, level: int) -> int:
    """Count the sets of ``level`` other features that :func:`redundant_at` examines in all."""
    return n_features * comb(max(0, n_features - 1), level)


@dataclass(frozen=True)
class LevelRedundancy:
    """Feature at one level of redundancy.

    given: the other features given which it adds least beyond its cost.
    bits, cost: I(A; C | given), and the noise allowed there.
    redundant: whether the bits do not reach the cost.
    """

    feature: str
    given: tuple[str, ...]
    bits: float
    cost: float
    redundant: bool


def redundant_at(
    table: Table,
    level: int,
    *,
    noise: bool = True,
    discretise: str = "mdl",
    bins: int = 10,
    max_sets: int = 1_000_000,
) -> list[LevelRedundancy]:
    """Return for every feature whether it is redundant given some ``level`` others together.

    Parameters
    ----------
    table : Table
    level : int
        How many other features are given at once; 0 and 1 are what
        :func:`~fewest.measures._filters.redundant_features.explain_redundancy` gives.
    noise, discretise, bins
        As in :func:`~fewest.measures._filters.redundant_features.explain_redundancy`.
    max_sets : int
        More sets than this are refused; :func:`cost_of_level` says how many there are.

    Notes
    -----
    Drugan and Wiering (2010), definition 3: A_i is redundant at level k if a set S of k other
    features has H(C | S) - H(C | A_i, S) < ξ. All sets are examined, and |Ω(S)|, the number of
    combinations of values, is the product of the cardinalities, so that the noise allowed soon
    exceeds every information: high levels need many rows.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> rows = [[a, b, a + b] for a in "xy" for b in "uv"] * 10
    >>> table = as_table(rows, [row[2] for row in rows])
    >>> redundant_at(table, 2)[2].given, redundant_at(table, 2)[2].redundant
    (('x0', 'x1'), True)
    """
    if not 0 <= level < max(1, table.n_features):
        raise InputError(
            f"`level` must be between 0 and {table.n_features - 1} (the other features), but is "
            f"{level}."
        )
    sets = cost_of_level(table.n_features, level)
    if sets > max_sets:
        raise InputError(
            f"`level` {level} examines {sets:,} sets of features, more than `max_sets` "
            f"({max_sets:,}); choose a lower level, fewer features, or raise `max_sets`."
        )
    counted = table.information(discretise, bins)
    return [_at_level(i, level, table.names, counted, noise) for i in range(table.n_features)]


def _at_level(
    i: int,
    level: int,
    names: tuple[str, ...],
    bits: Information,
    noise: bool,
) -> LevelRedundancy:
    d = len(names)
    others = list(combinations([j for j in range(d) if j != i], level))
    given = np.zeros((len(others), d), dtype=bool)
    for row, members in enumerate(others):
        given[row, list(members)] = True
    both = given.copy()
    both[:, i] = True
    alone, together = bits.of_subsets(given), bits.of_subsets(both)
    added = (alone[:, 1] - alone[:, 0]) - (together[:, 1] - together[:, 0])
    added = np.where(added < 1e-12, 0.0, added)
    cells = np.array([np.prod(bits.cardinalities[list(m)], dtype=float) for m in others])
    own = float(allowed_noise_alone(bits)[i])
    cost = own * cells if noise else np.zeros(len(others))
    least = int(np.argmin(added - cost))
    facts = float(added[least]), float(cost[least])
    return LevelRedundancy(names[i], tuple(names[j] for j in others[least]), *facts, below(*facts))
