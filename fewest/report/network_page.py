"""A learned network as a page: the graph, its arcs, its tables, and how sure it is."""

from __future__ import annotations

from typing import Any

from ..fitting.network_facts import NetworkFacts
from ..models.networks.named import NamedNetwork
from ..run.result import Result
from .chart import Axis, Bars, Chart
from .network import network as graph_chart
from .network_text import certainty
from .page import render

Plain = dict[str, Any]
#: Tables with more cases of the parents than this are cut off; so many arcs are drawn as bars.
MOST_CASES, MOST_ARCS = 64, 40
LIKELIHOODS = {"learned": "this network", "naive": "naive: all from the last column",
               "empty": "no arcs"}  # fmt: skip


def network_page(network: NamedNetwork, result: Result, facts: NetworkFacts, name: str = "") -> str:
    """The HTML of a network."""
    settings = [
        ("search", result.search), ("score", result.measure), ("seed", result.seed),
        ("seconds", f"{result.seconds:.2f}"), ("fewest", result.version),
    ]  # fmt: skip
    return render(
        title=f"{name or 'Network'}: {len(network.names)} variables",
        answer=network_answer(network, result, facts),
        charts=[chart.to_dict() for chart in network_charts(network, facts)],
        tables=[_arc_table(network, facts), *_probability_tables(network)],
        alternatives=[],
        ties=0,
        command="",
        settings=settings,
        subsets=None,
    )


def network_answer(network: NamedNetwork, result: Result, facts: NetworkFacts) -> Plain:
    """The first screen."""
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
    """The graph, the influence of its arcs, and the likelihood of new rows."""
    graph = graph_chart(network.names, network.graph.arcs)
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
