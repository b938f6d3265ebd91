"""Bayesian networks in words and as Graphviz text."""

from __future__ import annotations

from itertools import product

from ..trees.text import quoted
from .factors import Family


def tables_text(families: list[Family], names: list[str], values: list[list[str]]) -> str:
    """Every conditional table, one line per combination of the parents' values."""
    return "\n\n".join(_table(f, names, values) for f in families)


def _table(family: Family, names: list[str], values: list[list[str]]) -> str:
    parents = [names[p] for p in family.parents]
    title = f"P({names[family.child]}" + (f" | {', '.join(parents)})" if parents else ")")
    heads = [*parents, *(f"{v}" for v in values[family.child])]
    rows = []
    for case in product(*(range(len(values[p])) for p in family.parents)):
        labels = [values[p][i] for p, i in zip(family.parents, case, strict=True)]
        rows.append([*labels, *(f"{share:.4f}" for share in family.table[case])])
    widths = [max(len(cells[i]) for cells in [heads, *rows]) for i in range(len(heads))]
    lines = ["  ".join(c.rjust(w) for c, w in zip(cells, widths, strict=True)) for cells in rows]
    head = "  ".join(h.rjust(w) for h, w in zip(heads, widths, strict=True))
    return "\n".join([title, head, *lines])


def dot_text(families: list[Family], names: list[str], target: int) -> str:
    """The graph in the language of Graphviz, the class with a double border."""
    nodes = [f"  {quoted(names[f.child])};" for f in families if f.child != target]
    arcs = [
        f"  {quoted(names[p])} -> {quoted(names[f.child])};" for f in families for p in f.parents
    ]
    head = f"  {quoted(names[target])} [peripheries=2];"
    return "\n".join(["digraph network {", head, *nodes, *arcs, "}"])
