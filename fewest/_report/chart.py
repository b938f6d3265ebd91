"""A chart as plain marks on two axes: one description, drawn by matplotlib, plotly or a page.

Colours are roles (what a mark means), never values: each renderer has its own palette, and the
page has one for light and one for dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

import numpy as np

#: Role to colour on a light ground, told apart by people who are colour-blind as well
#: (Okabe and Ito, 2008); `page.css` has the same roles for light and dark.
PALETTE = {
    "selection": "#d55e00",
    "honest": "#0072b2",
    "all": "#6b7280",
    "chosen": "#00875f",
    "mean": "#a8569a",
    "muted": "#9aa3ae",
}


@dataclass
class Axis:
    """Axis of a chart; with ``categories`` positions 0, 1, ... carry these words."""

    title: str = ""
    categories: list[str] | None = None
    low: float | None = None
    high: float | None = None
    whole: bool = False
    hidden: bool = False


@dataclass
class Mark:
    """Something drawn; ``label`` puts it into the legend, ``tips`` speak under the pointer."""

    kind: ClassVar[str] = ""
    x: Sequence[float]
    y: Sequence[float]
    role: str = "selection"
    label: str | None = None
    tips: Sequence[str] | None = None


@dataclass
class Line(Mark):
    """Line through points."""

    kind = "line"
    dashed: bool = False
    step: bool = False


@dataclass
class Points(Mark):
    """Points; ``marker`` is circle, ring or star, ``words`` stand beside them."""

    kind = "points"
    marker: str = "circle"
    size: float = 4.0
    words: Sequence[str] | None = None


@dataclass
class Band(Mark):
    """Area between ``y`` and ``high``."""

    kind = "band"
    high: Sequence[float] = ()


@dataclass
class Bars(Mark):
    """Horizontal bars of length ``x`` at the positions ``y``; ``roles`` colour them singly."""

    kind = "bars"
    roles: Sequence[str] | None = None


@dataclass
class Spans(Mark):
    """Horizontal intervals from ``x`` to ``high`` at the positions ``y``."""

    kind = "spans"
    high: Sequence[float] = ()


@dataclass
class Heat(Mark):
    """Cells: ``values[i][j]`` between 0 and 1 at column ``x[j]`` and row ``y[i]``."""

    kind = "heat"
    values: Sequence[Sequence[float]] = ()


@dataclass
class RuleLine(Mark):
    """Dashed vertical line at each ``x``, a horizontal one at each ``y``."""

    kind = "rule"


@dataclass
class Nodes(Mark):
    """Boxes with words in them, centred on their positions."""

    kind = "nodes"
    words: Sequence[str] = ()
    roles: Sequence[str] | None = None


@dataclass
class Arrows(Mark):
    """Arrows from (x, y) to (to_x, to_y), both centres of nodes."""

    kind = "arrows"
    to_x: Sequence[float] = ()
    to_y: Sequence[float] = ()


@dataclass
class Chart:
    """Picture with a title, a sentence that says how to read it, and its marks."""

    name: str
    title: str
    note: str
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    marks: list[Mark] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; parts that say nothing are left out."""
        plain = asdict(self)
        plain["marks"] = [
            {"kind": mark.kind, **{k: v for k, v in asdict(mark).items() if v is not None}}
            for mark in self.marks
        ]
        return plain


#: More generations, features or points than these are thinned out: nobody can see them.
MOST_GENERATIONS, MOST_COLUMNS, MOST_FEATURES, MOST_POINTS = 300, 60, 40, 1200


def thin(count: int, most: int) -> list[int]:
    """At most ``most`` of ``count`` positions, evenly, the first and the last among them.

    >>> thin(5, 3)
    [0, 2, 4]
    """
    if count <= most:
        return list(range(count))
    return [int(i) for i in np.unique(np.linspace(0, count - 1, most).round().astype(int))]
