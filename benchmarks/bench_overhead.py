"""What a run costs beside its scores: per subset, per batch, with a journal, and to save."""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import fewest
from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.measures._filters.rankings import InformationGain
from fewest.search import ABB, RandomSearch, Subsets
from fewest.testing import drive

SUBSETS = 100_000


def rows() -> Iterator[dict[str, Any]]:
    """Large batches of a cheap filter, many small batches of ABB, and a long history."""
    warnings.simplefilter("ignore")
    yield from _large_batches()
    yield from _small_batches()
    yield from _long_history()


def _cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def _large_batches() -> Iterator[dict[str, Any]]:
    data = fewest.load("ionosphere")
    scorer = InformationGain().bind(as_table(data.X, data.y))
    batches = [np.random.default_rng(i).random((1000, 34)) < 0.5 for i in range(SUBSETS // 1000)]
    alone, _ = _cpu(lambda: [scorer.score(batch) for batch in batches])
    draws = RandomSearch(draws=SUBSETS)
    with tempfile.TemporaryDirectory() as folder:
        for what, journal, target in (("", None, 5), (", journal", f"{folder}/run.jsonl", 10)):
            selector = fewest.SubsetSelector(
                "information-gain", search=draws, journal=journal, stop=None, random_state=0
            )
            spent, _ = _cpu(lambda: selector.fit(data.X, data.y))  # noqa: B023
            each, scores = (spent - alone) / SUBSETS * 1e6, alone / SUBSETS * 1e6
            yield {
                "what": f"information-gain, {SUBSETS:,} random subsets of ionosphere{what}",
                "ours_s": spent,
                "target": f"{target} µs",
                "note": f"{each:.1f} µs per subset beside the scores ({scores:.2f} µs)",
            }


def _small_batches() -> Iterator[dict[str, Any]]:
    data = fewest.load("lymphography")
    X = data.X.astype(str)
    scorer = Inconsistency().bind(as_table(X, data.y))
    alone, found = _cpu(lambda: drive(ABB(), Subsets(18), scorer, max_batches=10**6))
    selector = fewest.SubsetSelector("inconsistency", search=ABB(), random_state=0)
    spent, fitted = _cpu(lambda: selector.fit(X, data.y))
    result = fitted.result_
    each = (spent - alone) / result.generations * 1e6
    yield {
        "what": f"ABB on lymphography, {found.evaluations:,} subsets",
        "ours_s": spent,
        "target": "5 s",
        "note": f"{result.generations:,} batches, {each:.0f} µs per batch beside the search "
        f"({alone:.1f} s)",
    }
    yield from _saved("the result of that run", result)


def _long_history() -> Iterator[dict[str, Any]]:
    data = fewest.load("ionosphere")
    draws = RandomSearch(draws=16_000, batch=1)
    selector = fewest.SubsetSelector("information-gain", search=draws, stop=None, random_state=0)
    spent, fitted = _cpu(lambda: selector.fit(data.X, data.y))
    yield {
        "what": "information-gain, 16,000 batches of one subset",
        "ours_s": spent,
        "note": f"{spent / 16_000 * 1e6:.0f} µs per batch",
    }
    yield from _saved("the result of that run, 16,000 generations", fitted.result_)


def _saved(what: str, result: fewest.Result) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        saving, _ = _cpu(lambda: result.save(path))
        loading, _ = _cpu(lambda: fewest.Result.load(path))
        size = path.stat().st_size / 1e6
    yield {
        "what": f"save {what}",
        "ours_s": saving,
        "target": "0.5 s",
        "note": f"{size:.1f} MB; loads in {loading:.2f} s",
    }
