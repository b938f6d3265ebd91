"""``python -m benchmarks.corrected``: how near the truth the corrected score is, and what it costs.

For every data set and search: the selection score, plain BBC, the score of the replayed
search, nested 5×2 cross-validation, and where the data are generated, the
accuracy on 4,000 new rows. ``hits`` are replays that keep the fold models, also those trained on
rows left out: the difference to ``corrected`` is what these rows leak.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

import fewest
from fewest._fitting.plan import make_problem
from fewest._run.stop_rules import Generations, Significance
from fewest.data._generators import generate
from fewest.measures._wrappers.cross_validated import RepeatedScorer

REAL = (
    "heart-statlog", "hepatitis", "ionosphere", "lymphography", "glass", "promoters", "wine",
    "wdbc", "pima-diabetes", "breast-cancer", "horse-colic", "spect", "lung-cancer",
)  # fmt: skip
#: Rows to select on; new rows come from the same draw.
GENERATED = {"led24": 150, "waveform-40": 150, "red30of3": 100, "signal": 100, "noise": 60}
#: The searches by generations end by the significance rule of the papers.
STOP: dict[str, Any] = {
    "sfs": None,
    "sffs": None,
    "ga-uniform": [Significance(), Generations(100)],
    "umda": [Significance(), Generations(100)],
}
SEARCHES = tuple(STOP)
NEW_ROWS, SAMPLES = 4000, 500
#: Generated data are drawn so often; noise more often, because single tables vary most.
DRAWS = {"noise": 8}
OUT = Path(__file__).with_name("corrected.json")


@dataclass
class Case:
    """Data to select on, and new rows where there are any."""

    name: str
    X: Any
    y: NDArray[Any]
    X_new: Any = None
    y_new: Any = None


def cases(name: str) -> list[Case]:
    """A real data set once, a generated one in several draws."""
    if name in REAL:
        data = fewest.load(name)
        return [Case(name, data.X, data.y)]
    return [_drawn(name, seed) for seed in range(DRAWS.get(name, 3))]


def _drawn(name: str, seed: int) -> Case:
    rows = GENERATED[name]
    if name in ("signal", "noise"):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.arange(rows + NEW_ROWS) % 2)
        X = rng.normal(size=(rows + NEW_ROWS, 200))
        X[:, :5] += (0.8 if name == "signal" else 0.0) * y[:, None]
        return Case(name, X[:rows], y[:rows], X[rows:], y[rows:])
    data = generate(name, n_rows=rows + NEW_ROWS, random_state=seed)
    new = slice(rows, None)
    return Case(name, data.X.iloc[:rows], data.y[:rows], data.X.iloc[new], data.y[new])


def bbc(selector: Any, case: Case, rng: np.random.Generator) -> float:
    """Bootstrap bias corrected cross-validation over the subsets that the search scored.

    Tsamardinos, Greasidou and Borboudakis (2018), algorithm 2: choose on a bootstrap sample of
    the rows' out-of-fold hits, look at the rows outside of it.
    """
    plan = selector.plan(make_problem(case.X, case.y, selector.measure))
    archive = plan.run().archive
    masks = archive.masks(np.arange(len(archive)))
    masks = masks[masks.any(axis=1)]
    splits = plan.scorer.parts[0]
    alone = tuple((train, test[i : i + 1]) for train, test in splits for i in range(len(test)))
    order = np.concatenate([test for _, test in splits])
    hits = np.empty((len(masks), len(order)))
    hits[:, order] = RepeatedScorer(plan.measure, plan.table, (alone,)).folds_of(masks, 0)
    found = []
    for _ in range(SAMPLES):
        drawn = rng.integers(len(order), size=len(order))
        outside = np.setdiff1d(np.arange(len(order)), drawn)
        best = int(np.argmax(hits @ np.bincount(drawn, minlength=len(order))))
        found.append(hits[best, outside].mean())
    return float(np.mean(found))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What a call gives, and its CPU seconds."""
    start = time.process_time()
    return work(), time.process_time() - start


def study(case: Case, search: str, seed: int) -> dict[str, Any]:
    """Every estimate of one selection."""
    selector = fewest.SubsetSelector(
        "naive-bayes", search=search, stop=STOP[search], random_state=seed
    )
    _, search_seconds = timed(lambda: selector.fit(case.X, case.y))
    corrected, replay_seconds = timed(lambda: fewest.corrected_score(selector, case.X, case.y))
    fresh = clone(selector)
    nested, nested_seconds = timed(
        lambda: fewest.validate(fresh, case.X, case.y, scheme="5x2cv", random_state=seed)
    )
    hits = fewest.corrected_score(selector, case.X, case.y, keep_models=True)
    found = {
        "data": case.name, "search": search, "selection": selector.score_,
        "bbc": bbc(selector, case, np.random.default_rng(seed)),
        "corrected": corrected.score, "inside": _inside(corrected.interval, nested.score),
        "nested": nested.score, "hits": hits.score, "truth": None,
        "search_s": search_seconds, "replay_s": replay_seconds, "nested_s": nested_seconds,
    }  # fmt: skip
    if case.X_new is not None:
        model = clone(selector.measure_.estimator).fit(selector.transform(case.X), case.y)
        found["truth"] = float(model.score(selector.transform(case.X_new), case.y_new))
    return found


def _inside(interval: tuple[float, float], value: float) -> bool:
    return interval[0] <= value <= interval[1]


def table(rows: list[dict[str, Any]]) -> str:
    """Bias and mean absolute difference of every estimate, over means by data set and search."""
    keys = sorted({(r["data"], r["search"]) for r in rows})
    means = [_mean([r for r in rows if (r["data"], r["search"]) == key]) for key in keys]
    lines = [
        "| estimate | against nested 5×2cv: bias | mean abs. difference | against new rows: bias "
        "| mean abs. difference | on noise |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    names = {
        "selection": "selection score", "bbc": "plain BBC",
        "hits": "corrected, hits replayed", "corrected": "corrected, search replayed",
        "nested": "nested 5×2cv",
    }  # fmt: skip
    for key, name in names.items():
        noise = [m[key] for m in means if m["data"] == "noise"]
        ending = f"{np.mean(noise):.3f}" if noise else ""
        gaps = f"{_gaps(means, key, 'nested')} | {_gaps(means, key, 'truth')}"
        lines.append(f"| {name} | {gaps} | {ending} |")
    return "\n".join(lines)


def _mean(rows: list[dict[str, Any]]) -> dict[str, Any]:
    numbers = ("selection", "bbc", "hits", "corrected", "nested")
    mean: dict[str, Any] = {k: float(np.mean([r[k] for r in rows])) for k in numbers}
    mean["data"] = rows[0]["data"]
    known = [r["truth"] for r in rows if r["truth"] is not None]
    return {**mean, "truth": float(np.mean(known)) if known else None}


def _gaps(means: list[dict[str, Any]], key: str, against: str) -> str:
    if key == against:
        return " | "
    gaps = np.array([m[key] - m[against] for m in means if m[against] is not None])
    return f"{gaps.mean():+.3f} | {np.abs(gaps).mean():.3f}" if len(gaps) else " | "


def costs(rows: list[dict[str, Any]]) -> str:
    """CPU time of the replays over that of the search and of nested validation, by search."""
    lines = ["| search | replays / search | replays / nested 5×2cv |", "|---|---:|---:|"]
    for search in SEARCHES:
        own = [r for r in rows if r["search"] == search]
        if own:
            replay, one, nested = (
                sum(r[k] for r in own) for k in ("replay_s", "search_s", "nested_s")
            )
            lines.append(f"| {search} | {replay / one:.1f} | {replay / nested:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Run the named data sets, or all; print as it goes, then the tables."""
    wanted = sys.argv[1:] or [*REAL, *GENERATED]
    rows = json.loads(OUT.read_text()) if OUT.exists() else []
    rows = [r for r in rows if r["data"] not in wanted]
    # Compiled once before anything is timed.
    study(Case("warm-up", *_small()), "sfs", 0)
    for name in wanted:
        for seed, case in enumerate(cases(name)):
            for search in SEARCHES:
                rows.append(study(case, search, seed))
                print({k: round(v, 3) if isinstance(v, float) else v for k, v in rows[-1].items()})
        lines = ",\n".join(json.dumps(row) for row in rows)
        OUT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(table(rows), costs(rows), sep="\n\n")


def _small() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 4)), np.arange(40) % 2


if __name__ == "__main__":
    main()
