"""``python orange_cn2.py DATA.tab FOLDS``: Orange's CN2, run by a Python that has Orange3.

Prints the share of right test rows of each fold on one line per variant: ordered, unordered.
"""

from __future__ import annotations

import sys

import numpy as np
from Orange.classification.rules import CN2Learner, CN2UnorderedLearner
from Orange.data import Table


def main() -> None:
    """Train and test on the folds of a file."""
    data = Table(sys.argv[1])
    fold = np.loadtxt(sys.argv[2], dtype=int)
    for learner in (CN2Learner(), CN2UnorderedLearner()):
        shares = []
        for f in range(fold.max() + 1):
            model = learner(data[fold != f])
            test = data[fold == f]
            shares.append(float(np.mean(model(test) == test.Y)))
        print(*shares)


if __name__ == "__main__":
    main()
