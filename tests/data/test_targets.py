import pandas as pd
import pytest

from fewest import SubsetSelector, load, validate
from fewest._errors import InputError
from fewest.data._targets import features_and_target
from tests.data.engine.sample import arrow, frame


def test_the_target_leaves_the_frame_and_a_selector_takes_it_by_name():
    table = frame().drop(columns="w")
    X, y = features_and_target(table, None, "y")
    assert list(X.columns) == [f"x{j}" for j in range(6)]
    assert y.tolist() == table["y"].tolist()
    by_name = SubsetSelector("mrmr", search="sfs", max_features=2).fit(table, target="y")
    apart = SubsetSelector("mrmr", search="sfs", max_features=2).fit(X, y)
    assert by_name.result_.features == apart.result_.features


def test_wrong_targets_are_refused_in_a_sentence():
    table = frame()
    with pytest.raises(InputError, match="`y` must be left out, but is given"):
        features_and_target(table, table["y"], "y")
    with pytest.raises(
        InputError,
        match="or one value per row, but 'z' is none",
    ):
        features_and_target(table, None, "z")
    with pytest.raises(InputError, match=r"but 'x11' is none\. Did you mean 'x1'\?"):
        features_and_target(table, "x11")
    with pytest.raises(InputError, match="per row, but 'y' is none"):
        features_and_target([[1, 2]], None, "y")
    stored = arrow(table).dataset
    with pytest.raises(InputError, match="`target` must name the column of the Arrow data set"):
        features_and_target(stored, pd.Series(["a"]), None)
    with pytest.raises(InputError, match="'yy' is none; did you mean 'y'"):
        features_and_target(stored, None, "yy")


def test_a_column_by_its_name_and_a_data_set_stand_for_x_and_y():
    data = load("iris")
    frame = data.X.assign(kind=data.y)
    selector = SubsetSelector("naive-bayes", search="sfs")
    expected = selector.fit(data.X, data.y).result_.features
    assert selector.fit(frame, "kind").result_.features == expected
    assert selector.fit(data).result_.features == expected
    validations = [validate(selector, X, y, scheme="1x3cv", random_state=0)
                   for X, y in ((data.X, data.y), (frame, "kind"), (data, None))]  # fmt: skip
    assert len({v.accuracy for v in validations}) == 1
