"""What a data set holds, as plain numbers: rows, kinds, unknown values, classes, columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dataset import Dataset


def describe(dataset: Dataset) -> dict[str, Any]:
    """A summary of a data set.

    Examples
    --------
    >>> from fewest.data import load
    >>> summary = describe(load("iris"))
    >>> summary["rows"], summary["classes"]
    (150, {'setosa': 50, 'versicolor': 50, 'virginica': 50})
    """
    values = dataset.schema.encode(dataset.X)
    kinds = dataset.schema.kinds
    labels, counts = np.unique(dataset.y[[v is not None for v in dataset.y]], return_counts=True)
    numeric = dataset.y.dtype.kind in "iuf" and len(labels) > 20
    return {
        "name": dataset.name,
        "about": dataset.about,
        "rows": len(values),
        "features": len(kinds),
        "continuous": kinds.count("continuous"),
        "nominal": kinds.count("nominal"),
        "unknown": int(np.isnan(values).sum()),
        "target": dataset.target,
        "classes": None if numeric else dict(zip(labels.tolist(), counts.tolist(), strict=True)),
        "relevant": None if dataset.relevant is None else list(dataset.relevant),
        "columns": [
            _column(name, levels, values[:, j])
            for j, (name, levels) in enumerate(
                zip(dataset.names, dataset.schema.levels, strict=True)
            )
        ],
    }


def _column(
    name: str, levels: tuple[object, ...] | None, values: NDArray[np.float64]
) -> dict[str, Any]:
    known = values[~np.isnan(values)]
    column: dict[str, Any] = {"name": name, "unknown": len(values) - len(known)}
    if levels is not None:
        return column | {"kind": "nominal", "levels": [str(level) for level in levels]}
    span = [float(known.min()), float(known.mean()), float(known.max())] if len(known) else None
    return column | {"kind": "continuous", "low_mean_high": span}
