"""Scores of networks over subsets: batches, absent classes, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.measures._description_length import MDL, MDLFS
from tests.measures.networks.cases import columns_of, every_subset
from tests.naive.entropies import information


def test_the_score_of_a_subset_does_not_depend_on_its_batch(table):
    subsets = every_subset(5)
    scorer = MDLFS("tan").bind(table)
    together = scorer.score(subsets).value
    alone = [scorer.score(row[None]).value[0] for row in subsets]
    assert together.tolist() == alone


def test_a_class_that_the_rows_lack_still_costs_parameters(table):
    part = table.take(np.flatnonzero(table.target < 2))
    bits = MDL().bind(part).score(np.eye(5, dtype=bool)).value
    columns = columns_of(part)
    for name, r, value in zip(part.names, (2, 3, 4, 2, 3), bits, strict=True):
        gain = information(columns[name], columns["C"]) * part.n_rows
        assert value == pytest.approx(gain - np.log2(part.n_rows) / 2 * (r - 1) * (3 - 1))


def test_an_unknown_classifier_is_refused(table):
    with pytest.raises(InputError, match='`classifier` of MDLFS must be "naive-bayes" or "tan"'):
        MDLFS("forest").bind(table)
