"""What follows from the class weights of a node."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.trees.forest import CORRECT, COUNTS, ERRORS, EXPECTED, MAJOR, TOTAL
from fewest._kernels.trees.link import count_tests, finish_node
from fewest._kernels.trees.split import added_errors


@pytest.mark.parametrize(
    ("weights", "minimum", "splits"),
    [([3.0, 5.0, 1.0], 2.0, True), ([0.0, 5.0, 0.0], 2.0, False), ([1.0, 2.0, 0.0], 2.0, False)],
)
def test_a_node_is_finished(weights, minimum, splits):
    nodes = np.full((2, COUNTS + 3), 9.0)
    nodes[1, COUNTS:] = weights
    assert finish_node(nodes, 1, minimum, 0.25, 0.6745) == splits
    total, errors = sum(weights), sum(weights) - max(weights)
    assert nodes[1, [TOTAL, ERRORS, MAJOR, CORRECT]].tolist() == [total, errors, 1.0, 0.0]
    assert nodes[1, EXPECTED] == pytest.approx(errors + added_errors(total, errors, 0.25, 0.6745))
    finish_node(nodes, 1, minimum, 0.0, 0.0)
    assert nodes[1, EXPECTED] == errors


def test_test_rows_of_the_largest_class_are_counted():
    nodes = np.zeros((1, COUNTS + 3))
    nodes[0, MAJOR] = 2
    classes = np.array([2, 0, 2, 2, 1], np.uint32)
    tests = np.array([[4, 0, 1, 2, 3]], np.uint32)
    assert count_tests(tests, 0, 5, classes, nodes, 0) == 3
    assert count_tests(tests, 1, 3, classes, nodes, 0) == 1
