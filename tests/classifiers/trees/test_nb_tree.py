import numpy as np
import pytest

from fewest.classifiers import NBTree
from fewest.classifiers._trees.nb_tree import Leaf, TreeNode


def test_an_exclusive_or_is_split_once_and_a_plain_concept_never():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 3)).astype(str)
    xor = NBTree().fit(X, X[:, 0] == X[:, 1])
    assert isinstance(xor.tree_, TreeNode)
    assert (xor.predict(X) == (X[:, 0] == X[:, 1])).all()
    assert isinstance(NBTree().fit(X, X[:, 0]).tree_, Leaf)


def test_few_rows_are_one_leaf_that_is_naive_bayes():
    X, y = [["a"], ["a"], ["b"], ["b"]], ["x", "x", "x", "y"]
    tree = NBTree().fit(X, y)
    assert isinstance(tree.tree_, Leaf)
    # P(x) (2 + 1) / (3 + 2) against P(y) (0 + 1) / (1 + 2).
    x, other = 0.75 * 3 / 5, 0.25 * 1 / 3
    assert tree.predict_proba([["a"]])[0] == pytest.approx([x / (x + other), other / (x + other)])
    assert tree.to_text() == "naive Bayes (x 3, y 1)"


@pytest.mark.parametrize("name", ["votes", "pima-diabetes"])
def test_a_split_must_reduce_the_error(name, dataset):
    data = dataset(name)
    strict = NBTree(min_reduction=0.9).fit(data.X, data.y)
    assert isinstance(strict.tree_, Leaf)
    assert isinstance(NBTree(min_reduction=0.0).fit(data.X, data.y).tree_, TreeNode)
