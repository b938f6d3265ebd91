"""New rows beside the table: what is missing, never seen, or of another distribution."""

import math

import numpy as np
import pandas as pd
import pytest

import fewest
from fewest.data._checking.drift import stability_index

RNG = np.random.default_rng(0)


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "age": rng.normal(50, 10, n),
        "dose": rng.exponential(2.0, n),
        "site": rng.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2]),
        "sick": rng.choice(["no", "yes"], n),
    })  # fmt: skip


NEW = ("missing-column", "changed-type", "new-values", "more-missing", "drift")


def told(new, old=None, **options):
    found = fewest.check(rows(400) if old is None else old, "sick", against=new, **options)
    return {(one.kind, one.column): one for one in found if one.kind in NEW}


def test_rows_like_the_old_ones_have_no_finding():
    assert told(rows(300, seed=1).drop(columns="sick")) == {}


@pytest.mark.parametrize("n", [15, 60, 400])
def test_no_finding_in_200_columns_without_a_change(n):
    columns = [f"c{j}" for j in range(200)]
    frame = pd.DataFrame(RNG.normal(size=(250 + n, 200)), columns=columns)
    old = frame[:250].assign(sick=["no", "yes"] * 125)
    assert told(frame[250:], old) == {}


def test_every_kind_of_change_is_found():
    new = rows(300, seed=1).drop(columns=["age", "sick"])
    new["dose"] += 1.5
    new.loc[:59, "site"] = "east"
    found = told(new)
    assert set(found) == {
        ("missing-column", "age"), ("new-values", "site"), ("drift", "dose"),
    }  # fmt: skip
    assert found["missing-column", "age"].severity == "serious"
    assert found["new-values", "site"].evidence == "'east', in 20.0 % of the new rows"
    assert found["drift", "dose"].severity == "warning"


def test_unknown_values_that_have_become_more():
    new = rows(300, seed=1)
    new.loc[:44, "age"] = None
    new.loc[:44, "site"] = None
    found = told(new)
    assert set(found) == {("more-missing", "age"), ("more-missing", "site")}
    assert found["more-missing", "age"].evidence == "0.0 % unknown before, 15.0 % now"


def test_other_shares_of_the_same_values():
    found = told(rows(300, seed=1).assign(site=["north"] * 60 + ["west"] * 240))
    ((kind, column),) = found
    assert (kind, column) == ("drift", "site")
    assert "'west' in 21 % before, in 80 % now" in found[kind, column].evidence


def test_words_among_numbers():
    (found,) = told(rows(300, 1).assign(age=["12"] * 299 + ["n/a?"])).values()
    assert (found.kind, found.evidence) == ("changed-type", "numbers before, now also 'n/a?'")


def test_the_index_is_that_of_its_definition():
    old, new = np.array([100, 50, 30, 20]), np.array([10, 20, 30, 40])
    p, q = (old + 0.5) / 202, (new + 0.5) / 102
    expected = sum((b - a) * math.log(b / a) for a, b in zip(p, q, strict=True))
    assert stability_index(old, new) == pytest.approx(expected)


def test_the_evidence_has_the_index_of_deciles():
    old, new = rows(400), rows(300, seed=1)
    new["dose"] *= 1.6
    found = told(new, old)["drift", "dose"]
    edges = np.quantile(old["dose"], np.arange(1, 10) / 10)
    counts = [np.histogram(f["dose"], [-np.inf, *edges, np.inf])[0] for f in (old, new)]
    assert f"index {stability_index(*counts):.2f};" in found.evidence


def test_files_arrays_and_data_sets_are_new_rows_too(tmp_path):
    new = rows(300, seed=1).assign(dose=7.0)
    new.to_csv(tmp_path / "new.csv", index=False)
    assert set(told(tmp_path / "new.csv")) == {("drift", "dose")}
    iris = fewest.load("iris")
    shifted = iris.X.to_numpy() + [0, 0, 0, 3.0]
    for against in (shifted, fewest.load("iris"), iris.X):
        found = [f.column for f in fewest.check(iris, against=against) if f.kind == "drift"]
        assert found == (["petal-width"] if against is shifted else [])


def test_identifiers_are_new_in_all_new_rows_without_a_finding():
    old = rows(400).assign(id=np.arange(400))
    new = rows(300, seed=1).assign(id=np.arange(1000, 1300))
    assert told(new, old) == {}
    assert set(told(rows(300, seed=1), old)) == {("missing-column", "id")}


def test_arrays_of_another_width_and_sparse_tables_are_refused():
    iris = fewest.load("iris")
    with pytest.raises(fewest.InputError, match="must have the 4 columns of the table, but has 2"):
        fewest.check(iris, against=np.ones((5, 2)))
    sparse = pytest.importorskip("scipy.sparse").csr_matrix(iris.X.to_numpy())
    with pytest.raises(fewest.InputError, match="`against` must go with a dense table"):
        fewest.check(sparse, iris.y, against=iris.X)
