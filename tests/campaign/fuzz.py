"""Tables and options that nobody would think of."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

import fewest
from fewest._errors import InputError
from fewest._run.stop_rules import Seconds
from tests.campaign.runs import expect_no_internal_error, table_file, within
from tests.campaign.trial import FailedError

WORDS: list[Any] = [
    "", "0", "1", "-1", "1.5", "nan", "inf", "9" * 20, "[1]", "{}", "None", "True", "a", "a,b",
    "a;b", "a=1", "=", ",", "\\,", "auto", "best", "x" * 300, "\x00", "\udc80", "1e5", "(" * 200,
    "__import__('os')", "../..", "naive-bayes", "ebna", "5s", "0s", "1e9h",
]  # fmt: skip
OPTIONS = [
    "--target", "--measure", "--search", "--seed", "--max-time", "--max-evaluations",
    "--max-generations", "--include", "--exclude", "--groups", "--costs", "--budget",
    "--min-features", "--max-features", "--choose", "--set", "--nominal", "--classifier",
    "--estimator", "--cv", "--scoring", "--jobs", "--journal", "--json", "--report",
]  # fmt: skip
PARAMETERS = ["population", "draws", "steps", "selected", "generations", "temperature", "p0"]


def fuzzed_options(rng: np.random.Generator, folder: Path) -> None:
    """Random options with random words: an answer, or a sentence."""
    for _ in range(8):
        given: list[str] = []
        for option in rng.choice(OPTIONS, size=1 + int(rng.integers(3)), replace=False):
            word = str(WORDS[int(rng.integers(len(WORDS)))])
            if option == "--set":
                word = f"{rng.choice(PARAMETERS)}={word}"
            if option in ("--journal", "--json", "--report"):
                word = str(folder / word.replace("/", "_").replace("\x00", "_"))
            given += [str(option), word]
        limits = [] if "--max-time" in given else ["--max-time", "5s"]
        limits += [] if "--measure" in given else ["--measure", "naive-bayes"]
        limits += [] if "--cv" in given else ["--cv", "2"]
        done = within("select", table_file(), *given, *limits, "--no-validate")
        expect_no_internal_error(done, f"select {given}")


def fuzzed_table(rng: np.random.Generator, folder: Path) -> None:
    """Random frames with odd columns and targets, straight into Python."""
    import pandas as pd

    for _ in range(5):
        n = int(rng.choice([0, 1, 2, 5, 30, 60]))
        columns = [_column(n, rng) for _ in range(int(rng.integers(0, 6)))]
        names = [str(rng.choice(["a", "b", "", "\x1b", "é", "x" * 50])) + str(rng.integers(4))
                 for _ in columns]  # fmt: skip
        X: Any = pd.DataFrame({i: pd.Series(c) for i, c in enumerate(columns)})
        X.columns = names
        y = _column(n, rng)
        selector = fewest.SubsetSelector(
            "naive-bayes", search="sfs", cv=2, stop=Seconds(5), random_state=0
        )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                selector.fit(X, y)
        except (InputError, ValueError, TypeError) as error:
            _expect_words(error, X)


def _expect_words(error: Exception, X: Any) -> None:
    """What is refused is refused in words, not by an accident further inside."""
    told = str(error)
    accidents = ("index", "shape mismatch", "broadcast", "NoneType", "unhashable", "argmax")
    if not isinstance(error, InputError) and any(word in told for word in accidents):
        raise FailedError(f"{type(error).__name__}: {told} for {X.dtypes.to_dict()}")


def _column(n: int, rng: np.random.Generator) -> Any:
    kind = rng.integers(12)
    if kind == 0:
        return rng.normal(size=n)
    if kind == 1:
        return np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n))
    if kind == 2:
        return np.where(rng.random(n) < 0.1, np.inf, rng.normal(size=n))
    if kind == 3:
        return rng.integers(0, 3, n)
    if kind == 4:
        return rng.choice(["u", "v", "w"], n) if n else np.array([], dtype=object)
    if kind == 5:
        return np.array([[1, "a", None, 2.5][i % 4] for i in range(n)], dtype=object)
    if kind == 6:
        return np.array([b"bytes", b"\xff"] * n, dtype=object)[:n]
    if kind == 7:
        return np.zeros(n)
    if kind == 8:
        return rng.normal(size=n) + 1j
    if kind == 9:
        return np.array(["2020-01-01", "NaT"] * n, dtype="datetime64[D]")[:n]
    if kind == 10:
        return rng.integers(-(2**62), 2**62, n)
    return rng.random(n) < 0.5
