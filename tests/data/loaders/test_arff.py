"""ARFF as it is found in the wild."""

import gzip

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data import load

HEAD = "@relation r\n@attribute n numeric\n@attribute c {lo,hi}\n@attribute y {a,b}\n@data\n"


def written(tmp_path, text, name="t.arff"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_quotes_escapes_spaces_comments_and_case(tmp_path):
    data = load(
        written(
            tmp_path,
            "% a comment\n@RELATION 'my data'\n"
            "@Attribute 'first name' {'red, dark', \"light blue\", 'it\\'s', plain}\n"
            '@ATTRIBUTE "n" Real\n'
            "@attribute day date 'yyyy-MM-dd'\n"
            "@attribute word string\n"
            "@attribute last{yes,no}\n\n@DATA\n"
            "% another\n"
            "'red, dark', 1.5 ,'2020-01-01',\"a \\\"b\\\"\",yes\n"
            '"light blue",?,?,?,no\n'
            "'it\\'s' , -2e3, '2020-01-02', b ,yes\n"
            "plain,0,x,'?',no\n",
        )
    )
    assert data.names == ("first name", "n", "day", "word")
    assert data.schema.levels[0] == ("red, dark", "light blue", "it's", "plain")
    values = data.table().values
    np.testing.assert_array_equal(values[:, 0], [0, 1, 2, 3])
    np.testing.assert_array_equal(values[:, 1], [1.5, np.nan, -2000, 0])
    assert data.schema.levels[2] == ("2020-01-01", "2020-01-02", "x")
    assert data.schema.levels[3] == ("?", 'a "b"', "b")  # quoted, it is a value like another
    assert np.isnan(values[1, 2:]).all()
    assert data.y.tolist() == ["yes", "no", "yes", "no"]


def test_declared_order_and_absent_levels_are_kept(tmp_path):
    data = load(written(tmp_path, HEAD + "1,hi,a\n2,hi,b\n"))
    assert data.schema.levels == (None, ("lo", "hi"))
    assert data.table().values[:, 1].tolist() == [1, 1]
    assert list(data.X["c"].cat.categories) == ["lo", "hi"]


def test_sparse_rows(tmp_path):
    rows = "{0 2.5, 2 b}\n{1 hi}\n{}\n{0 ?, 1 'hi'}\n1,lo,b\n"
    data = load(written(tmp_path, HEAD + rows))
    expected = [[2.5, 0], [0, 1], [0, 0], [np.nan, 1], [1, 0]]
    np.testing.assert_array_equal(data.table().values, expected)
    assert data.y.tolist() == ["b", "a", "a", "a", "b"]


def test_gzip_and_tabs(tmp_path):
    path = tmp_path / "t.arff.gz"
    path.write_bytes(gzip.compress((HEAD + "1\tlo\ta\n2\t?\tb\n").encode()))
    np.testing.assert_array_equal(load(path).table().values, [[1, 0], [2, np.nan]])


def test_an_apostrophe_alone_is_a_letter(tmp_path):
    text = "@relation r\n@attribute s string\n@attribute y {a,b}\n@data\nO'Brien,a\nD'Arcy,b\n"
    assert load(written(tmp_path, text)).schema.levels == (("D'Arcy", "O'Brien"),)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\n1,2\n", r"must be an ARFF file.*but line 1 is 'a,b'"),
        ("@relation r\n@attribute a real\n", "has no @data line"),
        ("@relation r\n@data\n1\n", "must declare its columns"),
        ("@relation r\n@attribute a rael\n@data\n", r"Line 2 of .* must declare a column"),
        ("@relation r\n@attribute a {x,x}\n@data\n", "Line 2 of .* declares a level twice"),
        (HEAD + "1,lo\n", r"Line 6 of .* must have 3 values .* but has 2"),
        (HEAD + "1,lo,a\n2,mid,a\n", r"Line 7 .* declared values for 'c', but holds 'mid'"),
        (HEAD + "x,lo,a\n", r"Line 6 .* a number for 'n', but holds 'x'"),
        (HEAD + "{7 b}\n", r"Line 6 .* positions below 3 .* but has '7 b'"),
        (HEAD, "at least one row"),
        (HEAD.replace("c {lo", "n {lo") + "1,lo,a\n", "'n' occurs 2 times"),
    ],
)
def test_sentences(tmp_path, text, sentence):
    with pytest.raises(InputError, match=sentence):
        load(written(tmp_path, text))
