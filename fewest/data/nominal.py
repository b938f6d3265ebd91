"""A table of nominal features only, made from any table."""

from __future__ import annotations

from .table import Table


def as_nominal(table: Table, method: str = "mdl", bins: int = 10) -> Table:
    """The table itself where all features are nominal, else with continuous ones discretised."""
    if table.nominal.all():
        return table
    from .discretise import Discretiser

    return Discretiser(method=method, bins=bins).fit(table).apply(table)
