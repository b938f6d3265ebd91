"""What ships: generators, and scikit-learn's small data sets, under their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import generators
from .columns import Column, Columns
from .dataset import Dataset, make_dataset

_SKLEARN: dict[str, tuple[str, str, str]] = {
    "iris": ("load_iris", "species", "Iris flowers by their measures (Fisher, 1936)"),
    "wine": ("load_wine", "cultivar", "Wines of three cultivars by chemical analysis"),
    "wdbc": (
        "load_breast_cancer",
        "diagnosis",
        "Breast cancer Wisconsin (diagnostic), 30 measures of cell nuclei",
    ),
    "digits": ("load_digits", "digit", "Handwritten digits, 8 by 8 pixels"),
    "diabetes": ("load_diabetes", "progression", "Diabetes progression, a numeric target"),
}


def names() -> dict[str, str]:
    """The names of the data sets that ship, with one line about each."""
    real = {name: about for name, (_, _, about) in _SKLEARN.items()}
    return real | {name: generators.about(name) for name in generators.names()}


def origin(name: str) -> str:
    """Where it comes from."""
    return "scikit-learn" if name in _SKLEARN else "generated"


def make(name: str) -> Dataset:
    """The data set of that name; a generated one with its usual rows, from seed 0."""
    if name not in _SKLEARN:
        return generators.generate(name)
    from sklearn import datasets

    loader, target, about = _SKLEARN[name]
    bunch: Any = getattr(datasets, loader)()
    columns = [Column(numbers=column.astype(np.float64)) for column in bunch.data.T]
    labels = [str(v) for v in getattr(bunch, "target_names", ())]
    if labels:
        last = Column(levels=tuple(labels), codes=bunch.target.astype(np.int64))
    else:
        last = Column(numbers=bunch.target.astype(np.float64))
    features = [str(v).replace(" (cm)", "").replace(" ", "-") for v in bunch.feature_names]
    every = Columns((*features, target), (*columns, last), len(bunch.target), True)
    return make_dataset(every, target, name, about=about)
