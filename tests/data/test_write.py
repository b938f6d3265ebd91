"""What is written is read back the same."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data import as_table, generate, load
from fewest.data._columns import Column, Columns
from fewest.data._dataset import make_dataset
from fewest.data._write import looks_numeric, write


@pytest.fixture
def awkward():
    levels = ("it's", "a, b", "?", 'say "x"', "back\\slash", "two\nlines", "100%", "{x}")
    columns = (
        Column(numbers=np.array([0.1, np.nan, 1e300, -3.0, 1 / 3, 0, 7, 1e-9])),
        Column(levels=levels, codes=np.array([0, 1, 2, 3, 4, 5, 6, -1])),
        Column(levels=("no", "yes"), codes=np.array([0, 1] * 4)),
    )
    every = Columns(("a number", "it's a label", "y"), columns, 8, True)
    return make_dataset(every, "y", "awkward set")


@pytest.mark.parametrize("ending", ["arff", "arff.gz"])
def test_arff_keeps_everything(awkward, tmp_path, ending):
    write(awkward, tmp_path / f"t.{ending}")
    assert load(tmp_path / f"t.{ending}").table().fingerprint == awkward.table().fingerprint


@pytest.mark.parametrize("name", ["iris", "monks-1", "waveform-21", "diabetes"])
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv"])
def test_delimited_keeps_values(name, ending, tmp_path):
    data = load(name) if name in ("iris", "diabetes") else generate(name)
    write(data, tmp_path / f"t.{ending}")
    nominal = [n for n, kind in data.kinds.items() if kind == "nominal"]
    back = load(tmp_path / f"t.{ending}")
    table = as_table(back.X, back.y.astype(data.y.dtype), nominal=nominal)
    np.testing.assert_array_equal(table.values, data.table().values)
    np.testing.assert_array_equal(table.target, data.table().target)
    assert looks_numeric(data) == (name == "monks-1")


def test_every_file_of_the_catalog_survives_arff(dataset, tmp_path):
    for name in ("horse-colic", "credit-crx", "soybean-large"):
        write(dataset(name), tmp_path / f"{name}.arff")
        again = load(tmp_path / f"{name}.arff")
        assert again.table().fingerprint == dataset(name).table().fingerprint


def test_sentences(tmp_path):
    with pytest.raises(InputError, match="must end in .csv, .tsv or .arff"):
        write(load("iris"), tmp_path / "t.xlsx")
    with pytest.raises(InputError, match="folder of .* must exist"):
        write(load("iris"), tmp_path / "no" / "t.csv")
