"""Networks as pictures, text and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._run.result import Result
from ..networks._named import NamedNetwork
from ..networks._network_facts import NetworkFacts
from .chart import Arrows, Axis, Bars, Chart, Nodes
from .page import render

Arc = tuple[int, int]
#: Sweeps of the ordering inside layers; a few are enough, more change little.
SWEEPS = 8


def network_chart(
    names: Sequence[str],
    arcs: Sequence[Sequence[int]],
    chosen: Sequence[str] = (),
    title: str = "The learned network",
    source: str = "",
) -> Chart:
    """Return a chart of the network of ``names`` with ``arcs`` (pairs of positions, parent first).

    Nodes without arcs are left out and counted in the note.

    Examples
    --------
    >>> chart = network_chart(["class", "a", "b"], [(0, 1), (0, 2), (1, 2)])
    >>> chart.marks[1].y
    [0, 1, 2]
    """
    pairs = [(int(a), int(b)) for a, b in arcs]
    used = sorted({node for arc in pairs for node in arc})
    place = layered(used, pairs)
    xs, ys = [place[n][0] for n in used], [place[n][1] for n in used]
    kept = set(chosen)
    roles = ["chosen" if names[n] in kept else "honest" for n in used]
    alone = len(names) - len(used)
    note = f"{source} Arrows go from parent to child: {len(pairs)} arcs between {len(used)} nodes."
    arrows = Arrows(
        [place[a][0] for a, _ in pairs],
        [place[a][1] for a, _ in pairs],
        to_x=[place[b][0] for _, b in pairs],
        to_y=[place[b][1] for _, b in pairs],
    )
    nodes = Nodes(xs, ys, tips=_tips(names, used, pairs), words=[names[n] for n in used],
                  roles=roles)  # fmt: skip
    # Row 0, the roots, is at the top.
    depth = max(ys, default=0)
    y = Axis(hidden=True, low=depth + 0.5, high=-0.5)
    span = max((abs(x) for x in xs), default=0.0) + 0.5
    return Chart(
        "network", title, note.strip() + (f" {alone} more have none." if alone else ""),
        Axis(hidden=True, low=-span, high=span), y, [arrows, nodes],
    )  # fmt: skip


def _tips(names: Sequence[str], used: Sequence[int], arcs: Sequence[Arc]) -> list[str]:
    tips = []
    for node in used:
        parents = [names[a] for a, b in arcs if b == node]
        tips.append(f"{names[node]}: " + (f"given {', '.join(parents)}" if parents else "a root"))
    return tips


def layered(nodes: Sequence[int], arcs: Sequence[Arc]) -> dict[int, tuple[float, int]]:
    """Position across and layer of every node: parents above children, few crossings.

    Notes
    -----
    Layers by longest path from the roots, then the barycentre heuristic down and up in turns
    (Sugiyama, Tagawa and Toda, 1981). A cycle, which no network has, would be cut where it closes.
    """
    depth = _depths(nodes, arcs)
    layers: list[list[int]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in nodes:
        layers[depth[node]].append(node)
    near: dict[int, list[int]] = {node: [] for node in nodes}
    for a, b in arcs:
        near[a].append(b)
        near[b].append(a)
    across = {node: _spread(layer, i) for layer in layers for i, node in enumerate(layer)}
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            layer.sort(key=lambda n: (_centre(n, near[n], across), n))
            across.update({node: _spread(layer, i) for i, node in enumerate(layer)})
    return {node: (across[node], depth[node]) for node in nodes}


def _centre(node: int, near: Sequence[int], across: dict[int, float]) -> float:
    return sum(across[n] for n in near) / len(near) if near else across[node]


def _spread(layer: Sequence[int], place: int) -> float:
    return place - (len(layer) - 1) / 2


def _depths(nodes: Sequence[int], arcs: Sequence[Arc]) -> dict[int, int]:
    depth = dict.fromkeys(nodes, 0)
    for _ in nodes:
        moved = False
        for a, b in arcs:
            if depth[b] < depth[a] + 1 <= len(nodes) - 1:
                depth[b], moved = depth[a] + 1, True
        if not moved:
            break
    return depth


def describe_network(network: NamedNetwork, result: Result) -> str:
    """Return what was found, how sure it is, and the arcs by child."""
    rows = result.extra["network"]["rows"]
    lines = [
        f"{len(network.names)} variables, {rows} rows: {len(network.arcs)} arcs, "
        f"{network.n_parameters} parameters.",
        f"{result.measure} {result.score:.4f}, {certainty(result)}",
        f"Search {result.search}: {result.stopped} ({result.seconds:.1f} s).",
        *result.notes,
        *_curve(result),
        f"Ordering: {', '.join(network.ordering)}",
        "",
    ]
    for i, name in enumerate(network.names):
        parents = ", ".join(network.names[p] for p in network.graph.parents[i])
        lines.append(f"  {name} <- {parents or '(no parents)'}")
    return "\n".join(lines)


def _curve(result: Result) -> list[str]:
    """Return the learning curve, where the score is the inferential loss."""
    points = result.extra.get("learning_curve", [])
    said = ", ".join(f"{point['f_a']:.4f} from {point['rows']}" for point in points)
    return [f"Fit of the answers by number of rows: {said}."] if points else []


def certainty(result: Result) -> str:
    """In words whether a better network is possible."""
    if result.optimal:
        return "proven: no network scores more."
    if result.gap is not None:
        return f"not proven: another network could score {result.gap:.4f} more at most."
    return "not proven: the search gives no bound."


Plain = dict[str, Any]
#: Tables with more cases of the parents than this are cut off; so many arcs are drawn as bars.
MOST_CASES, MOST_ARCS = 64, 40
LIKELIHOODS = {"learned": "this network", "naive": "naive: all from the last column",
               "empty": "no arcs"}  # fmt: skip


def network_page(network: NamedNetwork, result: Result, facts: NetworkFacts, name: str = "") -> str:
    """Return the HTML of a network."""
    settings = [
        ("search", result.search), ("score", result.measure), ("seed", result.seed),
        ("seconds", f"{result.seconds:.2f}"), ("fewest", result.version),
    ]  # fmt: skip
    return render(
        title=f"{name or 'Network'}: {len(network.names)} variables",
        answer=network_answer(network, result, facts),
        charts=[chart.to_dict() for chart in network_charts(network, facts)],
        tables=[_arc_table(network, facts), *_probability_tables(network)],
        settings=settings,
    )


def network_answer(network: NamedNetwork, result: Result, facts: NetworkFacts) -> Plain:
    """Return the first screen."""
    told = facts.held_out
    sentences = [
        ("Score", f"{result.measure} {result.score:.4f}; {certainty(result)}"),
        ("Search", f"{result.search}: {result.stopped}."),
        ("New rows", f"A network learned from {facts.rows[0]:,} rows gives {facts.rows[1]:,} "
         f"others a mean log-likelihood of {told['learned']:.4f}; naive {told['naive']:.4f}, "
         f"without arcs {told['empty']:.4f}. Intervals were cut on all rows."),
        ("Stability", f"Each arc is looked for in the networks of {facts.bootstraps} bootstrap "
         "samples, see the table of arcs."),
    ]  # fmt: skip
    figures = [
        {"role": "chosen", "value": str(len(network.arcs)), "label": "arcs"},
        {"role": "all", "value": f"{network.n_parameters:,}", "label": "parameters"},
        {"role": "honest", "value": f"{told['learned']:.3f}",
         "label": "mean log-likelihood of new rows"},
    ]  # fmt: skip
    proof = "proven best" if result.optimal else "not proven best"
    return {
        "headline": f"A network of {len(network.arcs)} arcs, {proof}",
        "features": [],
        "figures": figures,
        "sentences": [{"label": label, "text": text} for label, text in sentences],
        "warnings": [],
    }


def network_charts(network: NamedNetwork, facts: NetworkFacts) -> list[Chart]:
    """Return the graph, the influence of its arcs, and the likelihood of new rows."""
    graph = network_chart(network.names, network.graph.arcs)
    ranked = sorted(facts.influence.items(), key=lambda item: item[1])[-MOST_ARCS:]
    words = [f"{network.names[a]} → {network.names[b]}" for (a, b), _ in ranked]
    bars = Bars([v for _, v in ranked], list(range(len(ranked))), "chosen", tips=words)
    influence = Chart("influence", "Influence of the arcs", "What the score loses without the arc.",
                      Axis("loss of score"), Axis(categories=words), [bars])  # fmt: skip
    kinds = list(LIKELIHOODS)[::-1]
    values = [facts.held_out[kind] for kind in kinds]
    likelihood = Chart(
        "likelihood", "New rows", "Mean log-likelihood of rows that were not learned from.",
        Axis("mean log-likelihood"), Axis(categories=[LIKELIHOODS[k] for k in kinds]),
        [Bars(values, list(range(len(values))), "honest")],
    )  # fmt: skip
    return [graph, influence, likelihood]


def _arc_table(network: NamedNetwork, facts: NetworkFacts) -> Plain:
    rows = [
        [f"{network.names[a]} → {network.names[b]}", f"{loss:.3f}",
         f"{facts.stability[a, b][0]:.0%}", f"{facts.stability[a, b][1]:.0%}"]
        for (a, b), loss in sorted(facts.influence.items(), key=lambda item: -item[1])
    ]  # fmt: skip
    note = f"Shares of {facts.bootstraps} bootstrap samples whose network has the arc."
    head = ["arc", "influence", "same direction", "either direction"]
    return {"title": "Arcs by influence", "note": note, "head": head, "rows": rows}


def _probability_tables(network: NamedNetwork) -> list[Plain]:
    tables = []
    for i, name in enumerate(network.names):
        parents = ", ".join(network.names[p] for p in network.graph.parents[i])
        cases = list(network.table(name).items())
        rows = [
            [", ".join(str(v) for v in case) or "always", *(f"{p:.4f}" for p in row)]
            for case, row in cases[:MOST_CASES]
        ]
        more = len(cases) - len(rows)
        tables.append(
            {
                "title": f"{name} given {parents}" if parents else name,
                "note": f"{more:,} more cases are not shown." if more else "",
                "head": [parents or "", *(str(v) for v in network.levels[i])],
                "rows": rows,
            }
        )
    return tables
