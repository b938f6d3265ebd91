import numpy as np
import pytest

from fewest._errors import InputError
from fewest.classifiers import HOODG


def test_parity_has_two_nodes_per_level():
    X = np.array([[a, b, c] for a in "01" for b in "01" for c in "01"])
    y = (X == "1").sum(axis=1) % 2
    graph = HOODG(select=False).fit(X, y)
    assert (graph.predict(X) == y).all()
    assert [len(level.nodes) for level in graph.levels_] == [1, 2, 2]
    assert graph.to_dot().count("shape=box") == 2


def test_the_first_problem_of_the_monks_is_learned_exactly(dataset):
    train, test = dataset("monks-1"), dataset("monks-1-test")
    graph = HOODG().fit(train.X.astype(str), train.y)
    assert (graph.predict(test.X.astype(str)) == np.asarray(test.y)).all()
    used = {graph.schema_.names[level.feature] for level in graph.levels_}
    assert used == {"a1", "a2", "a5"}
    assert graph.n_nodes_ == 6


def test_unknown_values_are_refused(dataset):
    data = dataset("votes")
    with pytest.raises(InputError, match="`X` of HOODG must not hold unknown values"):
        HOODG().fit(data.X, data.y)


def test_nothing_to_learn_is_the_majority():
    graph = HOODG().fit([["a"], ["a"], ["a"]], ["x", "y", "y"])
    assert graph.predict([["a"]]).tolist() == ["y"]
