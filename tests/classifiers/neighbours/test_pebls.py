import numpy as np
import pytest

from fewest._errors import InputError
from fewest.classifiers import PEBLS


def test_differences_by_hand():
    # P(x | a) = 2/3, P(x | b) = 0, P(x | c) = 1.
    X = [["a"], ["a"], ["a"], ["b"], ["c"]]
    y = ["x", "x", "y", "y", "x"]
    model = PEBLS(exponent=1.0, weighting="none").fit(X, y)
    table = model._differences[0]
    assert table[0, 1] == pytest.approx(4 / 3)
    assert table[0, 2] == pytest.approx(2 / 3)
    assert table[1, 2] == pytest.approx(2.0)


def test_weights_by_hand():
    # Rows 2 and 3 meet row 0 as the nearest, which is right once.
    X = [["a"], ["b"], ["a"], ["a"]]
    y = ["x", "y", "x", "y"]
    model = PEBLS().fit(X, y)
    # Row 1 is classified by row 0 (wrong), row 2 and row 3 by the nearest "a".
    assert model.weights_[0] > 1.0
    assert (model.weights_ >= 1.0).all()


def test_a_value_never_seen_is_no_unknown_value():
    model = PEBLS().fit([["a"], ["b"]], ["x", "y"])
    assert model.predict([["c"]])[0] in {"x", "y"}
    with pytest.raises(InputError, match="`X` of PEBLS must not hold unknown values"):
        model.fit([["a"], [None]], ["x", "y"])
    with pytest.raises(InputError, match="'x0' has some"):
        PEBLS().fit(np.array([[1.0], [2.0]]), [0, 1]).predict(np.array([[np.nan]]))
