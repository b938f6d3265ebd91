"""What the filters share: sums over features, constants, pairs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._table import Table
from fewest.measures._filters.correlation import CFS, KollerSahami
from fewest.measures._filters.rankings import (
    CMIM,
    JMI,
    MRMR,
    GainRatio,
    InformationGain,
    SymmetricUncertainty,
)
from fewest.measures._filters.relief import ReliefF
from tests.measures.filters.cases import every_subset, random_table
from tests.measures.networks.xor_example import names, xor_example
from tests.naive.entropies import entropy, information


def test_rankings_are_sums_of_their_scores_less_the_threshold():
    table = random_table(4)
    c = table.target
    each = np.eye(6, dtype=bool)
    gain = np.array([information(a, c) for a in table.values.T])
    own = np.array([entropy(a) for a in table.values.T])
    for measure, expected in [
        (InformationGain, gain),
        (GainRatio, gain / own),
        (SymmetricUncertainty, 2 * gain / (own + entropy(c))),
    ]:
        scores = measure(threshold=0.01).bind(table).score(each).value
        np.testing.assert_allclose(scores, expected - 0.01, atol=1e-12)
        both = measure(threshold=0.01).bind(table).score(each[:1] | each[1:2]).value[0]
        assert both == pytest.approx(scores[0] + scores[1])


def test_a_constant_feature_is_worth_nothing_to_any_filter():
    table = random_table(5)
    values = table.values.copy()
    values[:, 2] = 0.0
    flat = Table(table.names, values, table.levels, table.target, table.classes)
    alone = np.eye(6, dtype=bool)[2:3]
    with_f = np.array([[False, False, False, False, False, True]])
    both = with_f | alone
    for measure in (CFS, MRMR, JMI, CMIM, InformationGain, GainRatio, KollerSahami, ReliefF):
        scorer = measure().bind(flat)
        assert scorer.score(alone).value[0] <= 0.0
        if measure not in (MRMR, JMI):
            assert scorer.score(both).value[0] <= scorer.score(with_f).value[0]


def test_filters_that_look_at_pairs_drop_the_exclusive_or():
    example = xor_example(100)
    subsets = every_subset(8)
    for measure in (KollerSahami(), CFS()):
        best = subsets[np.argmax(measure.bind(example).score(subsets).value)]
        assert not names(best) & {"A1", "A4"}
