"""``python other_programs.py DATA.tab LABELS.tab FOLDS``, with Orange3 and imbalanced-learn.

Prints the share of right test rows of each fold, a line each: Orange's CN2, ordered and unordered,
on the data; the nearest row under the value difference metric of imbalanced-learn on the labels.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from imblearn.metrics.pairwise import ValueDifferenceMetric
from Orange.classification.rules import CN2Learner, CN2UnorderedLearner
from Orange.data import Table


def nearest(train: Any) -> Any:
    """Return a model that gives the class of the nearest training row; of equal ones the first."""
    sizes = [len(variable.values) for variable in train.domain.attributes]
    metric = ValueDifferenceMetric(n_categories=sizes).fit(train.X.astype(int), train.Y)
    rows = train.X.astype(int)
    return lambda test: train.Y[metric.pairwise(test.X.astype(int), rows).argmin(axis=1)]


def main() -> None:
    """Train and test on the folds of a file."""
    data, labels = map(Table, sys.argv[1:3])
    fold = np.loadtxt(sys.argv[3], dtype=int)
    for table, learn in ((data, CN2Learner()), (data, CN2UnorderedLearner()), (labels, nearest)):
        shares = []
        for f in range(fold.max() + 1):
            test = table[fold == f]
            shares.append(float(np.mean(learn(table[fold != f])(test) == test.Y)))
        print(*shares)


if __name__ == "__main__":
    main()
