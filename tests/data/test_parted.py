import pandas as pd
import pytest

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.data._targets import parted
from tests.data.engine.sample import arrow, frame


def test_the_target_leaves_the_frame_and_a_selector_takes_it_by_name():
    table = frame().drop(columns="w")
    X, y = parted(table, None, "y")
    assert list(X.columns) == [f"x{j}" for j in range(6)]
    assert y.tolist() == table["y"].tolist()
    by_name = SubsetSelector("mrmr", search="sfs", max_features=2).fit(table, target="y")
    apart = SubsetSelector("mrmr", search="sfs", max_features=2).fit(X, y)
    assert by_name.result_.features == apart.result_.features


def test_wrong_targets_are_refused_in_a_sentence():
    table = frame()
    with pytest.raises(InputError, match="`y` must be left out, but is given"):
        parted(table, table["y"], "y")
    with pytest.raises(InputError, match="`target` must be a column of `X`, a frame, but 'z'"):
        parted(table, None, "z")
    with pytest.raises(InputError, match="a frame, but 'y' is none"):
        parted([[1, 2]], None, "y")
    stored = arrow(table).dataset
    with pytest.raises(InputError, match="`target` must name the column of the Arrow data set"):
        parted(stored, pd.Series(["a"]), None)
    with pytest.raises(InputError, match="'yy' is none; did you mean 'y'"):
        parted(stored, None, "yy")
