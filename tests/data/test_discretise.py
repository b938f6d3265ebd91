"""Cut points: by hand, by the naive twin, by Weka."""

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data import as_table, load
from fewest.data._discretise import Discretiser

WEKA = Path("/usr/share/java/weka.jar")


def cuts(values, labels, **parameters):
    (found,) = Discretiser(**parameters).fit(as_table(np.c_[values], labels)).cuts
    return found.tolist()


def test_worked_by_hand():
    # gain 1 > (log2 7 + log2 7 - 2) / 8 = 0.452
    assert cuts([1, 2, 3, 4, 5, 6, 7, 8.0], list("aaaabbbb")) == [4.5]
    # the best cut gains 0.311 < (log2 3 + log2 7 - 0.163) / 4 = 1.057
    assert cuts([1.0, 2, 3, 4], list("abab")) == []
    # the first cut gains 0.918 > (log2 17 + log2 25 - 3 log2 3 + 2) / 18 = 0.332
    labels = list("aaaaaabbbbbbcccccc")
    assert cuts([1.0] * 6 + [2.0] * 6 + [5.0] * 6, labels) == [1.5, 3.5]
    # aba gains 0.252 < (log2 17 + log2 7 - 2 * 0.918 + 2) / 18 = 0.392
    assert cuts([1.0] * 6 + [2.0] * 6 + [5.0] * 6, list("aaaaaabbbbbbaaaaaa")) == []


def test_iris_as_published():
    table = load("iris").table()
    found = [c.tolist() for c in Discretiser().fit(table).cuts]
    expected = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs)


def test_equal_width_and_frequency():
    values = np.array([0.0, 1, 1, 1, 1, 2, 3, 4, 9, 10])
    y = [0, 1] * 5
    assert cuts(values, y, method="width", bins=4) == [2.5, 5.0, 7.5]
    assert cuts(values, y, method="frequency", bins=2) == [1.5]
    assert cuts(values, y, method="frequency", bins=5) == [1.0, 2.5, 6.5]
    assert cuts(np.arange(12.0), [0, 1] * 6, method="frequency", bins=3) == [3.5, 7.5]


@pytest.mark.parametrize("method", ["mdl", "width", "frequency"])
def test_constant_and_unknown_columns_become_one_level(method):
    X = np.array([[1.0, np.nan, 3], [1, np.nan, np.nan], [1, np.nan, 9], [1, np.nan, 9]])
    table = as_table(X, [0, 1, 0, 1])
    out = Discretiser(method, bins=2).fit(table).apply(table)
    assert out.levels[:2] == (("all",), ("all",))
    assert out.nominal.all()
    np.testing.assert_array_equal(out.missing, table.missing)


def test_nominal_columns_stay_and_new_rows_use_the_old_cuts():
    table = as_table([[1.0, "u"], [2.0, "v"], [8.0, "u"], [9.0, "v"]], list("aabb"))
    learned = Discretiser().fit(table)
    other = as_table([[-100.0, "u"], [5.0, "v"], [5.1, "u"]], list("aab"))
    out = learned.apply(other)
    assert out.values.tolist() == [[0, 0], [0, 1], [1, 0]]
    assert out.levels == (("(-inf, 5]", "(5, inf)"), ("u", "v"))
    with pytest.raises(InputError, match="the 2 features .* but has 1"):
        learned.apply(as_table([[1.0], [2.0]], [0, 1]))


def test_labels_differ_where_cuts_are_close():
    table = as_table([[1.0], [1.0 + 1e-15], [1.0 + 2e-15]] * 9, ["a", "b", "c"] * 9)
    out = Discretiser().fit(table).apply(table)
    assert len(set(out.levels[0])) == 3


def test_sentences():
    numeric = as_table([[1.0], [2.0]], [0.5, 1.5])
    with pytest.raises(InputError, match='must be "width" or "frequency" for a numeric target'):
        Discretiser().fit(numeric)
    with pytest.raises(InputError, match="`bins` of Discretiser must be a whole number of at"):
        Discretiser("width", bins=1).fit(numeric)
    with pytest.raises(InputError, match="`method` of Discretiser must be"):
        Discretiser("chi").fit(numeric)


@pytest.mark.skipif(not WEKA.exists() or not shutil.which("java"), reason="needs Weka")
@pytest.mark.parametrize("name", ["glass", "vehicle", "heart-cleveland"])
def test_the_cuts_of_weka(name, dataset, data_folder, tmp_path):
    table = dataset(name).table()
    file = tmp_path / "in.arff"
    file.write_bytes(gzip.decompress((data_folder / f"{name}.arff.gz").read_bytes()))
    command = ["java", "-cp", str(WEKA), "weka.filters.supervised.attribute.Discretize"]
    run = subprocess.run(
        [*command, "-i", file, "-c", "last", "-R", "first-last"], capture_output=True, text=True
    )
    declared = [line for line in run.stdout.splitlines() if line.startswith("@attribute")]
    cuts = Discretiser().fit(table).cuts
    assert len(declared) == table.n_features + 1
    for j in np.flatnonzero(~table.nominal):
        theirs = [float(v) for v in re.findall(r"-(-?[\d.]+)\]", declared[j])]
        assert cuts[j] == pytest.approx(theirs, rel=1e-5), table.names[j]
