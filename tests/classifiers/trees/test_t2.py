import numpy as np

from fewest.classifiers import T2, OneR


def test_the_tree_gets_right_what_it_says(dataset):
    for name in ("glass", "hepatitis", "pima-diabetes", "votes"):
        data = dataset(name)
        tree = T2().fit(data.X, data.y)
        right = (tree.predict(data.X) == np.asarray(data.y)).sum()
        assert right == tree.n_correct_
        one_level = OneR(min_bucket=1).fit(data.X, data.y)
        assert data.X.shape[0] >= right >= one_level.counts_[:-1].max(axis=1).max()


def test_more_intervals_never_hurt_on_training_rows(dataset):
    data = dataset("glass")
    right = [T2(max_intervals=k).fit(data.X, data.y).n_correct_ for k in (1, 2, 3, 7)]
    assert right == sorted(right)


def test_integer_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(40, 3)), rng.integers(0, 3, 40), rng.integers(0, 4, 40)
    one = T2().fit(X, y, sample_weight=weight)
    other = T2().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert one.n_correct_ == other.n_correct_
    assert one.to_text() == other.to_text()


def test_words_and_graphviz():
    X = [[1.0, "p"], [2.0, "q"], [3.0, "p"], [4.0, None]]
    tree = T2().fit(X, ["a", "b", "b", "b"])
    assert tree.to_text() == "x0 known\n|   x0 <= 1.5: a (1)\n|   x0 > 1.5: b (3)"
    assert tree.to_dot().startswith("digraph tree {")
    assert 'n1 -> n3 [label="> 1.5"]' in tree.to_dot()
