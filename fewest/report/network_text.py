"""A learned network in a few lines."""

from __future__ import annotations

from ..models.networks.named import NamedNetwork
from ..run.result import Result


def describe_network(network: NamedNetwork, result: Result) -> str:
    """What was found, how sure it is, and the arcs by child."""
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
    """The learning curve, where the score is the inferential loss."""
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
