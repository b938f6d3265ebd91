"""The same table from every source: the same kinds, the same check, the same selection."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pytest

import fewest
from fewest.data import as_table, load

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")
N = 120
DAY = datetime.date(2024, 1, 1)
KINDS = {
    "day": "continuous",
    "moment": "continuous",
    "age": "continuous",
    "grade": "continuous",
    "city": "nominal",
    "member": "nominal",
    "gap": "continuous",
}


def columns(dates_as_text):
    rng = np.random.default_rng(0)
    days = [DAY + datetime.timedelta(int(d)) for d in rng.integers(0, 900, N)]
    hours = [datetime.datetime(2024, 5, 1) + datetime.timedelta(minutes=int(m))
             for m in rng.integers(0, 90_000, N)]  # fmt: skip
    age = rng.integers(18, 90, N).tolist()
    made = {
        "day": [str(d) for d in days] if dates_as_text else days,
        "moment": [f"{h:%Y-%m-%d %H:%M:%S}" for h in hours] if dates_as_text else hours,
        "age": age,
        "grade": rng.integers(1, 6, N).tolist(),
        "city": np.array(["Ulm", "Rom", "Bonn"])[rng.integers(0, 3, N)].tolist(),
        "member": [bool(b) for b in rng.integers(0, 2, N)],
        "gap": [None if i % 9 == 0 else float(v) for i, v in enumerate(rng.normal(size=N))],
    }
    label = ["old" if a > 54 else "young" for a in age]
    return {**made, "label": label}


def _csv(folder):
    pd.DataFrame(columns(True)).to_csv(folder / "t.csv", index=False)
    return load(folder / "t.csv")


def _excel(folder):
    pytest.importorskip("openpyxl")
    pd.DataFrame(columns(False)).to_excel(folder / "t.xlsx", index=False)
    return load(folder / "t.xlsx")


def _parquet(folder):
    pd.DataFrame(columns(False)).to_parquet(folder / "t.parquet")
    return load(folder / "t.parquet")


def _parquet_text(folder):
    pd.DataFrame(columns(True)).to_parquet(folder / "t.parquet")
    return load(folder / "t.parquet")


def _json_lines(folder):
    made = columns(True)
    rows = [dict(zip(made, row, strict=True)) for row in zip(*made.values(), strict=True)]
    (folder / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return load(folder / "t.jsonl")


FILES = [_csv, _excel, _parquet, _parquet_text, _json_lines]
FRAMES = {
    "pandas": lambda text: pd.DataFrame(columns(text)),
    "polars": lambda text: pl.DataFrame(columns(text)),
    "arrow": lambda text: pa.table(columns(text)),
}


def told(table):
    found = [(one.kind, one.columns, one.severity) for one in table.check()]
    values = np.where(table.nominal, 0.0, table.values)
    selector = fewest.SubsetSelector("naive-bayes", search="sfs", random_state=0).fit_table(table)
    return table.names, table.nominal.tolist(), found, values, selector.result_.features


def test_kinds_check_and_selection_are_the_same_from_every_source(tmp_path):
    tables = {made.__name__: made(tmp_path).table() for made in FILES}
    for name, make in FRAMES.items():
        for text in (False, True):
            frame = make(text)
            y = columns(text)["label"]
            X = frame.drop(["label"]) if name != "pandas" else frame.drop(columns="label")
            tables[f"{name} {text}"] = as_table(X, y)
    first = told(tables["_csv"])
    assert dict(zip(first[0], first[1], strict=True)) == {
        name: kind == "nominal" for name, kind in KINDS.items()
    }
    assert [kind for kind, *_ in first[2]].count("date") == 2
    for source, table in tables.items():
        own = told(table)
        assert own[:3] == first[:3], source
        np.testing.assert_allclose(own[3], first[3], err_msg=source)
        assert own[4] == first[4], source


def test_large_whole_numbers_from_every_frame():
    large = [2**60 + 1000 * i for i in range(N)]
    for make in (pd.DataFrame, pl.DataFrame):
        table = as_table(make({"n": large, "a": range(N)}), ["x", "y"] * (N // 2))
        np.testing.assert_allclose(table.values[:, 0], large)


@pytest.mark.parametrize("text", ["2023-02-30", "2023-01-01x", "2023", "yesterday"])
def test_what_is_no_date_stays_a_label(text):
    table = as_table(pd.DataFrame({"d": ["2023-01-01", text] * 10}), [0, 1] * 10)
    assert table.nominal.tolist() == [True]


def test_declared_dates_stay_labels(tmp_path):
    pd.DataFrame(columns(True)).to_csv(tmp_path / "t.csv", index=False)
    data = load(tmp_path / "t.csv", types={"day": "nominal"})
    assert data.kinds["day"] == "nominal"
    assert data.kinds["moment"] == "continuous"


def test_dates_of_new_rows_are_read_in_the_same_way():
    frame = pd.DataFrame({"d": ["2023-01-01", "2023-01-02", None]})
    schema = fewest.data.Schema.learn(frame)
    seconds = 1672531200.0
    expected = [[seconds], [seconds + 86400], [np.nan]]
    np.testing.assert_array_equal(schema.encode(frame), expected)
    np.testing.assert_array_equal(schema.encode(pd.DataFrame({"d": ["2023-01-02"]})), expected[1:2])
