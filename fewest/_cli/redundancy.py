"""``fewest redundancy``: which features are redundant, given how many others together."""

from __future__ import annotations

from typing import Annotated

import typer

from . import arguments as a
from .terminal import say


def redundancy(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    level: Annotated[
        int, typer.Option(min=0, help="Number of other features that are given at once.")
    ] = 1,
    noise: Annotated[
        bool, typer.Option(help="Whether a feature may add what its parameters cost.")
    ] = True,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
) -> None:
    """Show which features of DATA are redundant for the class given others (Drugan and Wiering)."""
    from ..measures._filters.redundant_features import redundant_at
    from . import objects as build

    found = redundant_at(build.dataset(data, target, types, encoding).table(), level, noise=noise)
    width = max(len(row.feature) for row in found)
    for row in found:
        given = f" given {', '.join(row.given)}" if row.given else ""
        side = "redundant" if row.redundant else "not redundant"
        say(f"{row.feature:{width}}  {side}{given}: {row.bits:.3f} bits, cost {row.cost:.3f}")
