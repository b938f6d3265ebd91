"""Likelihoods of network classifiers equal their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.measures._description_length import CALL, ConditionalLogLikelihood
from tests.measures.networks.cases import CLASSIFIERS, columns_of, every_subset, members
from tests.naive import networks, posteriors
from tests.naive.entropies import entropy


def _share(tables, row, sizes):
    """P(class of the row | row), where cases never seen count as impossible."""
    weights = []
    for c in range(sizes[-1]):
        case = [*row[:-1], c]
        try:
            weights.append(np.prod([table(case) for table in tables]))
        except ZeroDivisionError:
            weights.append(0.0)
    return weights[row[-1]] / sum(weights)


@pytest.mark.parametrize("classifier", CLASSIFIERS[:2])
def test_conditional_log_likelihood_equals_its_definition(table, classifier):
    columns, features = columns_of(table), list(table.names)
    subsets = every_subset(5)
    value = ConditionalLogLikelihood(classifier).bind(table).score(subsets).value
    sizes = [2, 3, 4, 2, 3, 3]
    rows = [[*map(int, v), int(c)] for v, c in zip(table.values, table.target, strict=True)]
    place = {name: j for j, name in enumerate([*features, "C"])}
    for row, v in zip(subsets, value, strict=True):
        inside = members(table, row)
        arcs = networks.classifier(columns, features, inside, classifier)
        parents = {place[c]: tuple(place[p] for p in ps) for c, ps in arcs.items()}
        tables = posteriors.learn(rows, parents, sizes, 0.0)
        expected = sum(np.log2(_share(tables, one, sizes)) for one in rows)
        assert v == pytest.approx(expected, abs=1e-8)


def test_proposition_1_complete_networks_tell_the_conditional_entropy(table):
    full = np.ones((1, 5), dtype=bool)
    call = CALL("complete", auxiliary="complete").bind(table).score(full).value[0]
    columns = list(table.values.T)
    expected = entropy(*columns, table.target) - entropy(*columns)
    assert call == pytest.approx(-70 * expected, abs=1e-9)
