"""A Bayesian network, a tree or any other graph of features, laid out in layers."""

from __future__ import annotations

from collections.abc import Sequence

from .chart import Arrows, Axis, Chart, Nodes

Arc = tuple[int, int]
#: Sweeps of the ordering inside layers; a few are enough, more change little.
SWEEPS = 8


def network(
    names: Sequence[str],
    arcs: Sequence[Sequence[int]],
    chosen: Sequence[str] = (),
    title: str = "The learned network",
    source: str = "",
) -> Chart:
    """A chart of the network of ``names`` with ``arcs`` (pairs of positions, parent first).

    Nodes without arcs are left out and counted in the note.

    Examples
    --------
    >>> chart = network(["class", "a", "b"], [(0, 1), (0, 2), (1, 2)])
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
