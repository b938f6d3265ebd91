"""Declared kinds of columns."""

from __future__ import annotations

import pandas as pd
import pytest

import fewest
from fewest._errors import InputError

TEXT = "age,zip,y\n31,04051,1\nunknown?,01200,2\n40,04051,1\n,01200,2\n"
ARFF = "@relation r\n@attribute a {1,2}\n@attribute y {x,z}\n@data\n1,x\n?,z\n2,z\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(TEXT)
    return file


def test_nominal_columns_keep_their_text(path):
    plain, declared = fewest.load(path), fewest.load(path, types={"zip": "nominal"})
    assert plain.X["zip"].tolist()[:2] == [4051, 1200]
    assert declared.kinds == {"age": "nominal", "zip": "nominal"}
    assert declared.X["zip"].tolist()[:2] == ["04051", "01200"]


def test_a_target_of_numbers_is_classes_or_amounts_as_declared(path):
    assert fewest.load(path).task is None
    classes = fewest.load(path, types={"y": "nominal"})
    assert classes.y.tolist() == ["1", "2", "1", "2"]
    assert classes.table().classes.tolist() == ["1", "2"]
    amounts = fewest.load(path, types={"y": "continuous"})
    assert amounts.task == "regression"
    assert amounts.table().classes is None


def test_continuous_columns_must_be_numbers(path, tmp_path):
    with pytest.raises(InputError, match="'age' is continuous, but row 2 of .* holds 'unknown.'"):
        fewest.load(path, types={"age": "continuous"})
    arff = tmp_path / "t.arff"
    arff.write_text(ARFF)
    numbers = fewest.load(arff, types={"a": "continuous"}).X["a"]
    assert numbers.tolist()[::2] == [1.0, 2.0]
    assert numbers.isna().tolist() == [False, True, False]
    assert fewest.load(arff, types={"a": "nominal"}).X["a"].tolist()[::2] == ["1", "2"]


def test_numbers_of_files_with_their_own_types_become_labels_in_their_order(tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": [10.0, 2.5, None], "y": [0, 1, 0]}).to_parquet(path)
    data = fewest.load(path, types={"a": "nominal"})
    assert data.schema.levels == (("2.5", "10"),)
    assert data.X["a"].isna().tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ({"zip": "label"}, '"continuous" or "nominal" for each column, but says'),
        ({"zap": "nominal"}, "'zap' is none; did you mean 'zip'"),
    ],
)
def test_wrong_declarations(path, types, words):
    with pytest.raises(InputError, match=words):
        fewest.load(path, types=types)


def test_what_is_not_read_from_a_file_has_its_types():
    with pytest.raises(InputError, match="`types` and `encoding` go with files"):
        fewest.load("wine", types={"cultivar": "nominal"})
