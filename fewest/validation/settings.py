"""Every setting and version that is needed to repeat a validation."""

from __future__ import annotations

from typing import Any

from .._version import __version__
from ..data.table import Table
from ..run.versions import spelled, versions

#: What a selection tells of itself that is the same in every external fold.
SAME = ("search", "measure", "space", "stop", "consensus")


def settings_of(
    sel: Any, told: dict[str, Any], estimator: Any, scoring: Any, table: Table
) -> dict[str, Any]:
    """How the selections were made and judged; ``told`` is what the first of them says."""
    chosen = {key: told[key] for key in SAME if key in told}
    return {
        **(chosen or {"selector": spelled(sel)}),
        "choose": getattr(sel, "choose", None),
        "estimator": spelled(estimator),
        "scoring": None if scoring is None else spelled(scoring),
        "data": table.fingerprint,
        "rows": table.n_rows,
        "fewest": __version__,
        "versions": versions(),
    }
