"""Faults of tables: ``python -m benchmarks.rows`` writes the figures of docs/check.md.

For each generator with planted faults: what the check finds, what the default keeps from the
table as it is and as the check advises, and the honest score beside the truth on new rows of the
same generator. Then the alarms on the tables of the repository, and the time of the check.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

import fewest
from fewest.data import generate, load
from fewest.data._dataset import Dataset
from fewest.data._load import catalog, checkout_folder
from fewest.data._rows import take_rows

PAGE = Path(__file__).parent.parent / "docs" / "check.md"
START, END = "<!-- figures: begin -->", "<!-- figures: end -->"
DIRTY = ("dirty-churn", "patients", "fraud", "sensors-in-time", "survey", "houses")
NEW_ROWS = 20_000
SHIPPED = ("iris", "wine", "wdbc", "digits", "diabetes")
#: Columns that describe rows, what they are for, and further advice of the check.
ROWS = {"patients": ("groups", "patient"), "sensors-in-time": ("time", "time"),
        "survey": ("sample_weight", "weight")}  # fmt: skip
EXCLUDED = {"dirty-churn": ["refund"]}
NOMINAL = {"survey": ["region"]}
CLEANED = {"dirty-churn": "copies removed", "houses": "wrong prices removed"}


def cleaned(data: Dataset) -> tuple[Any, Any]:
    """Return features and target without copies of rows and without wrong targets."""
    rows = np.arange(len(data.y))
    if data.name == "dirty-churn":
        values = np.nan_to_num(data.table().doubles, nan=-1.0)
        rows = np.sort(np.unique(values, axis=0, return_index=True)[1])
    if data.name == "houses":
        low, middle, high = np.quantile(data.y, [0.25, 0.5, 0.75])
        rows = np.flatnonzero(np.abs(data.y - middle) <= 10 * (high - low))
    return take_rows(data.X, rows), data.y[rows]


def fitted(name: str, advised: bool, seed: int) -> dict[str, Any]:
    """Return what the default keeps, its honest score, and the truth on new rows."""
    data, new = generate(name, random_state=seed), generate(name, NEW_ROWS, seed + 1000)
    given: dict[str, Any] = {}
    weight: dict[str, Any] = {}
    if advised and name in ROWS:
        what, column = ROWS[name]
        given[what] = data.column(column)
        if what == "sample_weight":
            weight[what] = new.column(column)
        data, new = data.without((column,)), new.without((column,))
    X, y = cleaned(data) if advised else (data.X, data.y)
    newX, newy = cleaned(new) if advised else (new.X, new.y)
    if advised and name in NOMINAL:
        given["nominal"] = NOMINAL[name]
    exclude = EXCLUDED.get(name) if advised else None
    selector = fewest.SubsetSelector(exclude=exclude, random_state=seed)
    result = selector.fit(X, y, **given).result_
    honest = result.honest
    assert honest is not None
    low, high = honest["interval"]
    truth = selector.score(newX, newy, **weight)
    return {
        "kept": result.features, "relevant": data.relevant, "metric": honest["metric"],
        "honest": honest["accuracy"], "low": low, "high": high, "truth": truth,
        "covers": low <= truth <= high,
    }  # fmt: skip


def advice(name: str) -> str:
    """Return what is done as the check advises."""
    parts = [f"`{ROWS[name][0]}` given"] if name in ROWS else []
    parts += [f"without `{column}`" for column in EXCLUDED.get(name, ())]
    parts += [f"`{column}` nominal" for column in NOMINAL.get(name, ())]
    parts += [CLEANED[name]] if name in CLEANED else []
    return ", ".join(parts)


def findings(seed: int = 0) -> list[str]:
    """Return a row per generator: the planted faults that are found, and all else that is."""
    lines = ["| table | planted | found | also found |", "|---|---:|---:|---|"]
    for name in DIRTY:
        data = generate(name, random_state=seed)
        found = {(one.kind, one.column) for one in fewest.check(data)}
        planted = set(data.planted)
        also = ", ".join(f"{kind} {column}".strip() for kind, column in sorted(found - planted))
        lines.append(f"| `{name}` | {len(planted)} | {len(planted & found)} | {also} |")
    return lines


def scores(seed: int = 0) -> list[str]:
    """Return a row per generator and way: what is kept, and the honest score beside the truth."""
    lines = [
        "| table | rows | kept | relevant kept | metric | honest | interval | new rows | inside |",
        "|---|---|---:|---:|---|---:|---|---:|---|",
    ]
    for name in DIRTY:
        for advised in (False, True) if advice(name) else (False,):
            f = fitted(name, advised, seed)
            hits = len(set(f["kept"]) & set(f["relevant"]))
            way = advice(name) if advised else "as they are"
            lines.append(
                f"| `{name}` | {way} | {len(f['kept'])} | {hits} of {len(f['relevant'])} | "
                f"{f['metric']} | {f['honest']:.3f} | {f['low']:.3f} to {f['high']:.3f} | "
                f"{f['truth']:.3f} | {'yes' if f['covers'] else 'no'} |"
            )
            print(lines[-1], flush=True)
    return lines


def alarms() -> list[str]:
    """Return a row per kind of finding (but notes) on the tables of the repository."""
    tables = [*catalog(checkout_folder()[0]), *SHIPPED]
    found: dict[str, list[str]] = {}
    for name in tables:
        for kind in dict.fromkeys(f.kind for f in fewest.check(load(name)) if f.severity != "note"):
            found.setdefault(kind, []).append(name)
    lines = [f"| finding in {len(tables)} tables | tables |", "|---|---|"]
    return [*lines, *(f"| `{kind}` | {', '.join(found[kind])} |" for kind in sorted(found))]


def times() -> list[str]:
    """Return the CPU time of the check of a long and of a wide table."""
    rng = np.random.default_rng(0)
    lines = ["| table | CPU time |", "|---|---:|"]
    fewest.check(rng.normal(size=(500, 9)), np.arange(500) % 2)
    for shape in ((1_000_000, 40), (200, 20_000)):
        X, y = rng.normal(size=shape), rng.integers(0, 2, shape[0])
        # A quarter of the columns are whole numbers, which have more findings to look for.
        X[:, : shape[1] // 4] = np.round(20 * X[:, : shape[1] // 4])
        start = time.process_time()
        fewest.check(X, y)
        lines.append(f"| {shape[0]:,} × {shape[1]:,} | {time.process_time() - start:.1f} s |")
    return lines


def main() -> None:
    """Measure, print, and write the figures into the page."""
    parts = [times(), findings(), scores(), alarms()]
    text = "\n\n".join("\n".join(part) for part in parts)
    print(text)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(START)
    PAGE.write_text(f"{before}{START}\n\n{text}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
