import dask
import dask.dataframe
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import r2_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import fewest
from fewest.data._engine import samples
from fewest.data._engine.frame import stored_table
from fewest.data._engine.samples import draw_sample
from tests.data.engine.sample import arrow, frame, parquet

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(samples, "FEWEST_ROWS", 300)
    monkeypatch.setattr(samples, "SAMPLED_ROWS", 300)


def numbers(rows=1500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(0, 1, (rows, 3))
    label = np.digitize(X[:, 0] + 0.3 * rng.normal(size=rows), [-1.2, 1.0])
    return pd.DataFrame(X, columns=list("abc")).assign(y=np.array(["lo", "mid", "hi"])[label])


def _outside(table, target, sample):
    """The rows whose values are not among those of the sample."""
    known = {tuple(row) for row in sample[["a", "b"]].to_numpy()}
    rows = table[["a", "b"]].to_numpy()
    return table[[tuple(row) not in known for row in rows]]


def test_a_model_without_sums_learns_from_a_sample_and_is_judged_outside_it(small, tmp_path):
    table = numbers()
    data = fewest.load(parquet(table, tmp_path, 3), target="y")
    selector = fewest.SubsetSelector(TREE, search="sfs", random_state=0).fit(data.X, data.y)
    sample = draw_sample(data.table())
    shares = pd.Series(sample.classes[sample.target]).value_counts() / sample.n_rows
    wanted = table["y"].value_counts() / len(table)
    assert 300 <= sample.n_rows <= 302
    assert (shares - wanted).abs().max() < 0.005
    alone = fewest.SubsetSelector(TREE, search="sfs", random_state=0).fit(sample.X, sample.y)
    assert selector.result_.features == alone.result_.features
    assert selector.score_ == alone.score_
    rest = _outside(table, "y", sample.X)
    found = selector.result_.extra["outside"]
    assert found["metric"] == "accuracy"
    assert found["rows"] == len(rest) == len(table) - sample.n_rows
    right = alone.predict(rest.drop(columns="y")) == rest["y"]
    assert found["score"] == pytest.approx(right.mean())
    assert any("1,500 rows of the table" in note for note in selector.result_.notes)
    assert any("rows outside the sample" in note for note in selector.result_.notes)


def test_numbers_are_judged_by_r2_and_a_table_that_fits_has_no_rows_outside(small):
    table = numbers().drop(columns="y")
    tree = DecisionTreeRegressor(max_depth=3, random_state=0)
    table["c"] = 100.0 + table["a"] * 2 + table["b"]
    stored = arrow(table)
    selector = fewest.SubsetSelector(tree, search="sfs").fit(stored.dataset, target="c")
    rest = _outside(table, "c", draw_sample(stored_table(stored, "c")).X)
    wanted = r2_score(rest["c"], selector.predict(rest[["a", "b"]]))
    assert selector.result_.extra["outside"]["score"] == pytest.approx(wanted)
    whole = fewest.SubsetSelector(tree, search="sfs").fit(arrow(table[:200]).dataset, target="c")
    assert "outside" not in whole.result_.extra


def test_the_sample_of_distinct_rows_is_the_same_in_every_order_and_partition(small):
    table = numbers()
    wanted = draw_sample(stored_table(arrow(table), "y"))
    shuffled = table.sample(frac=1.0, random_state=1).reset_index(drop=True)
    with dask.config.set(scheduler="synchronous"):
        from fewest.data._engine.open import open_source

        parts = open_source(dask.dataframe.from_pandas(shuffled, npartitions=7, sort=False))
        for source in (arrow(shuffled, 13), parts):
            found = draw_sample(stored_table(source, "y"))
            np.testing.assert_array_equal(found.values, wanted.values)
            np.testing.assert_array_equal(found.target, wanted.target)


def test_copies_of_a_few_rows_are_drawn_by_their_share(small):
    table = frame(6000)[["x0", "x1", "y"]]
    found = draw_sample(stored_table(arrow(table, 500), "y"))
    shares = pd.DataFrame(found.values).value_counts() / found.n_rows
    wanted = table.assign(x0=table["x0"].map("ab".index), x1=table["x1"].map("abc".index))
    wanted = wanted[["x0", "x1"]].value_counts() / len(table)
    assert np.abs(shares.to_numpy() - wanted.loc[shares.index].to_numpy()).max() < 0.08


def test_the_path_runs_on_a_sample_and_predictions_come_in_batches(small, tmp_path):
    table = numbers()
    data = fewest.load(parquet(table, tmp_path, 3), target="y")
    selector = fewest.SubsetSelector("naive-bayes", search="path", random_state=0)
    selector.fit(data.X, data.y)
    assert selector.result_.curve is not None
    assert any(n.startswith("The search `path` needs rows") for n in selector.result_.notes)
    files = sorted(tmp_path.glob("part-*.parquet"))
    rows = pd.concat([pd.read_parquet(path) for path in files])
    told = selector.predict(data.X)
    assert told.tolist() == selector.predict(rows.drop(columns="y")).tolist()
    sure = selector.predict_proba(data.X)
    np.testing.assert_allclose(sure, selector.predict_proba(rows.drop(columns="y")))
    selector.transform(data.X).to_parquet(tmp_path / "chosen.parquet")
    written = pd.read_parquet(tmp_path / "chosen.parquet")
    assert written.columns.tolist() == selector.result_.features
    np.testing.assert_array_equal(written.to_numpy(), rows[selector.result_.features].to_numpy())
