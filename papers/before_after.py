"""Errors of C4.5 and of a network on some of the features."""

from __future__ import annotations

import numpy as np
from scipy.stats import ttest_ind
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neural_network import MLPClassifier

from fewest.classifiers._trees.tree import C45
from fewest.data._dataset import Dataset
from fewest.data._rows import take_columns, take_rows

FOLDS, SPLITS = 10, 5
#: Most cycles of training, and cycles without a lower loss after which it ends.
MOST_CYCLES, STALE_CYCLES = 500, 50


def tree_figures(
    data: Dataset, subsets: list[list[str]], seed: int
) -> tuple[list[float], list[float]]:
    """Return errors and numbers of nodes of C4.5 for each subset and fold, on the same folds."""
    labels = np.asarray(data.y)
    folds = KFold(FOLDS, shuffle=True, random_state=seed)
    errors, nodes = [], []
    for names in subsets:
        X = take_columns(data.X, np.array([data.names.index(name) for name in names]))
        for train, test in folds.split(labels):
            tree = C45(raising=False).fit(take_rows(X, train), labels[train])
            errors.append(float((tree.predict(take_rows(X, test)) != labels[test]).mean()))
            # C4.5 counts branches that no training row takes as leaves.
            empty = int((tree.tree_.children == -1).sum())
            nodes.append(float(tree.n_nodes_ + empty))
    return errors, nodes


def welch(a: list[float], b: list[float]) -> float:
    """Return the p value of Welch's t test that two means are equal; 1 where no value differs.

    >>> welch([0.0, 0.0], [0.0, 0.0])
    1.0
    """
    if len({*a, *b}) == 1:
        return 1.0
    return float(ttest_ind(a, b, equal_var=False).pvalue)


def network_errors(data: Dataset, names: list[str], hidden: int, seed: int) -> list[float]:
    """Return errors of back-propagation with one hidden layer, five times on a third of the rows.

    Each feature is one input: the paper has half as many hidden units as features. Its values
    are at equal distances between 0 and 1.
    """
    table = data.table()
    columns = [data.names.index(name) for name in names]
    codes = table.doubles[:, columns]
    codes = codes / np.maximum(codes.max(axis=0), 1.0)
    errors = []
    splitter = ShuffleSplit(SPLITS, test_size=1 / 3, random_state=seed)
    for i, (train, test) in enumerate(splitter.split(codes)):
        network = MLPClassifier(
            (hidden,), activation="logistic", solver="sgd", learning_rate_init=0.1, momentum=0.5,
            batch_size=8, max_iter=MOST_CYCLES, n_iter_no_change=STALE_CYCLES,
            random_state=seed + i,
        )  # fmt: skip
        network.fit(codes[train], table.target[train])
        errors.append(float((network.predict(codes[test]) != table.target[test]).mean()))
    return errors
