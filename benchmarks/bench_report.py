"""A report of 100,000 subsets: how long until a browser shows it, and what it weighs."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fewest._run.result import Result
from fewest.testing._results import toy_result

SUBSETS = 100_000


def _result(n_features: int, size: int) -> Result:
    rng = np.random.default_rng(0)
    result = toy_result([f"feature-{j:03d}" for j in range(n_features)])
    values = np.sort(rng.random(SUBSETS))[::-1].tolist()
    result.archive = [
        {
            "features": sorted(rng.permutation(n_features)[:size].tolist()),
            "value": value,
            "std": 0.02,
            "size": size,
            "generation": i % 50,
        }
        for i, value in enumerate(values)
    ]
    result.evaluations = SUBSETS
    return result


def rows() -> Iterator[dict[str, Any]]:
    """The rows of the table, as they are measured; none where there is no browser."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    if chromium is None:
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for n_features, size in ((40, 12), (200, 30)):
            path = Path(folder) / "page.html"
            _result(n_features, size).write_page(path)
            yield {
                "what": f"open the report of 100,000 subsets of {n_features} features (Chromium)",
                "ours_s": min(_opened(browser, path) for _ in range(3)),
                "target": "2 s",
                "note": f"{path.stat().st_size / 1e6:.1f} MB (at most 8); until its table is there",
            }
        browser.close()


def _opened(browser: Any, path: Path) -> float:
    page = browser.new_page()
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.locator("#subsets tbody tr").first.wait_for()
    seconds = time.perf_counter() - start
    page.close()
    return seconds
