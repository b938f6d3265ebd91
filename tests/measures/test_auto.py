"""Which measure is picked where none is named."""

from __future__ import annotations

from fewest.data import as_table
from fewest.measures._default import recommend_measure
from fewest.measures._measure_names import ESTIMATORS
from fewest.testing import number_table, toy_table


def test_classes_and_numbers():
    for table, expected in ((toy_table(), "naive-bayes"), (number_table(), "linear-regression")):
        name, why = recommend_measure(table)
        assert name == expected
        assert name in ESTIMATORS
        assert why.startswith(f"`{name}` was picked as measure: ")


def test_whole_numbers_of_few_values_are_classes():
    X = [[float(i)] for i in range(40)]
    assert recommend_measure(as_table(X, [i % 4 for i in range(40)]))[0] == "naive-bayes"
    assert recommend_measure(as_table(X, [i + 0.5 for i in range(40)]))[0] == "linear-regression"
