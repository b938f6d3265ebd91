"""Algorithm B against its slow twin."""

from __future__ import annotations

import numpy as np

from fewest._kernels.networks.families import LIKELIHOOD, algorithm_b
from tests.kernels.networks.rows import CARDS, some_rows
from tests.naive import discrete_models


def test_algorithm_b():
    rows = some_rows()
    parents, number = algorithm_b(rows, CARDS, LIKELIHOOD, 1.0, np.log(70) / 2, 3, 1e9)
    found = [tuple(p[:k].tolist()) for p, k in zip(parents, number, strict=True)]
    assert found == discrete_models.algorithm_b(rows.tolist(), CARDS.tolist(), "bic", 3)
