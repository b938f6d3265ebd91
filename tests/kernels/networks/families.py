"""Scores of families over rows that depend on each other."""

from __future__ import annotations

import numpy as np

from fewest._models.family_scores import FamilyScores
from tests.discrete_rows import tangled

#: Number of values of each variable.
CARDS = [2, 3, 2, 4, 2]


def some_families(seed=0, score="bic"):
    rows = tangled(CARDS, 60, seed)
    return rows.tolist(), FamilyScores(rows, np.array(CARDS), score=score)
