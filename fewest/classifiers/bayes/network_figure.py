"""The graph of a Bayesian network as a matplotlib figure."""

from __future__ import annotations

from typing import Any

from ...errors import InputError
from .factors import Family


def network_figure(families: list[Family], names: list[str], target: int) -> Any:
    """A figure with the parents above their children and the class in a darker frame."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "a figure needs matplotlib, which is not installed; install `fewest[plot]`."
        ) from None
    places = _places(families)
    width = 1.0 + max(x for x, _ in places.values()) * 1.6
    height = 1.0 + max(y for _, y in places.values()) * 1.1
    figure = Figure(figsize=(max(3.0, width), max(2.0, height)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    for family in families:
        for parent in family.parents:
            _arrow(axes, places[parent], places[family.child])
    for variable, (x, y) in places.items():
        frame = {
            "boxstyle": "round,pad=0.4",
            "facecolor": "white",
            "edgecolor": "black" if variable == target else "grey",
            "linewidth": 2.0 if variable == target else 1.0,
        }
        axes.text(x, -y, names[variable], ha="center", va="center", bbox=frame, zorder=2)
    axes.set_xlim(-0.6, max(x for x, _ in places.values()) + 0.6)
    axes.set_ylim(-max(y for _, y in places.values()) - 0.5, 0.5)
    return figure


def _arrow(axes: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    style: dict[str, Any] = {"arrowstyle": "-|>", "color": "grey", "shrinkA": 12, "shrinkB": 14}
    style["connectionstyle"] = "arc3,rad=0.12"
    axes.annotate("", (end[0], -end[1]), (start[0], -start[1]), arrowprops=style, zorder=1)


def _places(families: list[Family]) -> dict[int, tuple[float, float]]:
    """Each variable one line below its lowest parent, spread evenly over the line."""
    depth: dict[int, int] = {}
    parents = {f.child: f.parents for f in families}
    while len(depth) < len(parents):
        for variable, above in parents.items():
            if variable not in depth and all(p in depth for p in above):
                depth[variable] = 1 + max((depth[p] for p in above), default=-1)
    lines: dict[int, list[int]] = {}
    for variable in sorted(depth):
        lines.setdefault(depth[variable], []).append(variable)
    widest = max(len(line) for line in lines.values())
    return {
        variable: ((i + 0.5) * widest / len(line) - 0.5, float(level))
        for level, line in lines.items()
        for i, variable in enumerate(line)
    }
