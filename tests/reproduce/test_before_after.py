"""Errors of two classifiers on some of the features."""

from fewest.data._generators.by_name import generate
from papers.before_after import network_errors, tree_figures


def test_trees_before_and_after_on_parity():
    data = generate("parity3+3")
    relevant = list(data.relevant)
    errors, nodes = tree_figures(data, [relevant], 0)
    assert len(errors) == len(nodes) == 10
    assert max(nodes) <= 15  # a full tree of three bits
    assert len(network_errors(data, relevant, 6, 0)) == 5
