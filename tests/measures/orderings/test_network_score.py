"""Scores of orderings are the scores of the networks that K2 learns from them."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.family_scores import Score
from fewest._models.structure_search import learn_k2
from fewest.networks._bif import sample_dataset
from fewest.networks._network_measures import OrderingScore
from fewest.testing import toy_table


@pytest.mark.parametrize("parents", ["earlier", "later"])
@pytest.mark.parametrize("name", ["bic", "k2", "bdeu"])
def test_scores_are_those_of_k2_networks(parents, name):
    table = sample_dataset("asia", n_rows=300).table()
    measure = OrderingScore(score=name, max_parents=2, parents=parents, alpha=3.0)
    orders = np.array([np.random.default_rng(i).permutation(7) for i in range(4)])
    found = measure.bind(table).score(orders).value
    rows, cards = table.values.astype(int), table.cardinalities
    rule = Score(name, 3.0)
    for order, value in zip(orders, found, strict=True):
        graph = learn_k2(rows, cards, order, 2, rule, parents)
        assert value == pytest.approx(rule.of(graph, rows, cards))


def test_continuous_features_are_refused():
    with pytest.raises(InputError, match="needs nominal features without unknown values"):
        OrderingScore().bind(toy_table())
