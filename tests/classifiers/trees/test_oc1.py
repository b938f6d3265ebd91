import numpy as np

from fewest.classifiers import OC1


def test_one_oblique_split_tells_a_diagonal_apart():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (200, 2))
    y = X @ [1.0, -2.0] > 0.1
    tree = OC1(prune=0.0).fit(X, y)
    assert (tree.predict(X) == y).all()
    assert len(tree.tree_.leaves()) <= 4


def test_pruning_leaves_fewer_leaves_and_keeps_noise_out():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 2))
    y = (X[:, 0] > 0) ^ (rng.random(150) < 0.15)
    full, pruned = OC1(prune=0.0).fit(X, y), OC1(prune=0.3).fit(X, y)
    assert len(pruned.tree_.leaves()) < len(full.tree_.leaves())


def test_nominal_and_unknown_values_and_words():
    X = [["a", 1.0], ["a", None], ["b", 3.0], ["b", 4.0]] * 3
    tree = OC1(prune=0.0).fit(X, ["x", "x", "y", "y"] * 3)
    assert tree.predict([["a", None], ["b", 3.5]]).tolist() == ["x", "y"]
    assert "[x0 = a]" in tree.to_text() or "x1" in tree.to_text()
    assert tree.to_dot().count("shape=box") == len(tree.tree_.leaves())
