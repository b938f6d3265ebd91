"""Figures of a reproduction: curves, inside against outside of the search, and networks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fewest._report.chart import Axis, Chart, Line
from fewest._report.network_report import network_chart

from .summary import Plain

#: Line style by the last word of a method.
ROLES = {
    "internal": "selection", "external": "honest", "mean": "mean", "best": "chosen",
    "LVF": "selection", "QBB": "chosen",
}  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """Description of the curves of a table: a sentence, the axes, where the lower one begins."""

    note: str
    axis: str
    along: str = "generation"
    first: int = 0
    step: int = 1
    unit: str = "percent"


_SIZE = ("Mean size of the subset.", "features")
SHOWS = {
    "curve": Shown("", "percent"),
    "draws": Shown(*_SIZE, "draws", 0, 25, "features"),
    "budget": Shown(*_SIZE, "subsets drawn or scored", 1000, 1000, "features"),
}
ACCURACY = Shown("Accuracy of the best subset of each generation, in percent.", "accuracy")


def curves(summary: Plain, table: str) -> dict[str, dict[str, list[float]]]:
    """Return by setting (``100 rows``) the curves of a figure by what they are."""
    found: dict[str, dict[str, list[float]]] = {}
    for cell in summary["cells"]:
        if cell["table"] == table and cell.get("curve"):
            setting, _, what = cell["method"].rpartition(", ")
            found.setdefault(setting, {})[what] = cell["curve"]
    return found


def charts(summary: Plain) -> list[Chart]:
    """Draw one picture per setting, all on the same scale, dashed inside and solid outside."""
    found = []
    for table in summary["tables"]:
        if table["kind"] == "network":
            found.append(_network(summary, table))
            continue
        settings = curves(summary, table["number"])
        shown = SHOWS.get(table["kind"], ACCURACY)
        every = [v for lines in settings.values() for line in lines.values() for v in line]
        pad = 0.05 * (max(every) - min(every)) if every else 0.0
        for setting, lines in settings.items():
            found.append(
                Chart(
                    f"{table['number']}-{setting}".replace(". ", "-").replace(" ", "-"),
                    setting,
                    shown.note,
                    Axis(shown.along, whole=True),
                    Axis(shown.axis, low=min(every) - pad, high=max(every) + pad),
                    [
                        Line(_places(shown, v), v, ROLES[w], w, dashed=w == "internal")
                        for w, v in lines.items()
                    ],
                )
            )
    return found


def _network(summary: Plain, table: Plain) -> Chart:
    """Draw the arcs that the cells of a table name."""
    own = [cell["method"] for cell in summary["cells"] if cell["table"] == table["number"]]
    pairs = [arc.split(" → ") for arc in own]
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    arcs = [(names.index(a), names.index(b)) for a, b in pairs]
    name = f"{table['number']}-network".replace(". ", "-")
    return replace(network_chart(names, arcs, title="The first split"), name=name)


def _places(shown: Shown, curve: list[float]) -> list[int]:
    return [shown.first + shown.step * i for i in range(len(curve))]


def by_generation(summary: Plain, table: Plain) -> list[list[str]]:
    """Return lines of a table, a heading first: setting, what, and one figure per place."""
    settings = curves(summary, table["number"])
    shown = SHOWS.get(table["kind"], ACCURACY)
    if not settings:
        return []
    longest = max((line for lines in settings.values() for line in lines.values()), key=len)
    first, *others = _places(shown, longest)
    rows = [["", "", f"{shown.along} {first}", *map(str, others)]]
    for setting, lines in settings.items():
        rows += [[setting, what, *(f"{v:.1f}" for v in line)] for what, line in lines.items()]
    return rows
