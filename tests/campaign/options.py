"""Every way to call fewest from Python, with arguments that nobody would give."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold
from sklearn.naive_bayes import BernoulliNB, GaussianNB

import fewest
from fewest._errors import brief
from fewest._run.stop_rules import Generations, Seconds
from fewest.measures._measure_names import list_measures, resolve_measure
from fewest.search._search_names import list_searches, resolve_search
from tests.campaign.runs import sentence_or_answer, table_file, within
from tests.campaign.trial import FailedError


class Rude:
    """An object that refuses everything."""

    def _refuse(self, *_: object) -> Any:
        raise RuntimeError("refused")

    __eq__ = __hash__ = __repr__ = __str__ = __bool__ = __len__ = __iter__ = _refuse
    __float__ = __int__ = __index__ = __array__ = __getitem__ = __lt__ = _refuse


@lru_cache(maxsize=1)
def small() -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Five features and two classes in forty rows."""
    X = pd.DataFrame(np.random.default_rng(3).integers(0, 3, (40, 5)) * 1.0, columns=list("abcde"))
    return X, (X["a"] > X["b"]).astype(int).to_numpy()


@lru_cache(maxsize=1)
def junk() -> list[Any]:
    """Values of every type, right for some parameters and wrong for most."""
    words = [
        "", "a", "auto", "best", "nope", "\x00", "1", "x" * 5000, "sqrt", "knee", "safe", "one-se",
        "archive", "replay", "accuracy", "roc_auc", "sfs", "naive-bayes", "mrmr", "bic", "filters",
        "levels", "box", "nested", "dask:", "/nonexistent/x", "/dev/null", "/", ".", "\udc80",
    ]  # fmt: skip
    numbers = [0, 1, 2, 3, -1, 10**20, -(10**20), 0.5, -0.5, 1.0, 1e308, np.nan, np.inf, 1j,
               np.float64(2), np.int64(2), np.bool_(True), True, False, None]  # fmt: skip
    several = [
        [], [1], ["a"], ["a", "a"], [["a", "b"]], [["a"], ["a"]], {}, {"a": 1}, {"zz": 1},
        {"a": "b"}, {"a": GaussianNB()}, (), (1, 2), set(), {1}, slice(0, 2), slice("a", "c"),
        range(2), b"a", np.array([]), np.array([1, 2]), np.array([True] * 5), np.array("a"),
        np.array([[1]]), pd.Series([1, 2]), pd.DataFrame(), small()[0], [None], [np.nan],
    ]  # fmt: skip
    objects = [
        object(), Rude(), int, len, lambda v: 1 / 0, Seconds(0.2), Generations(2), Seconds(-1),
        [Seconds(0.2), None], ["auto", Seconds(0.2)], GaussianNB(), GaussianNB,
        GaussianNB(priors=[9]),
        KFold(2), KFold, resolve_search("sfs"), type(resolve_search("sfs")), Path("x"),
        resolve_measure("mrmr"), np.random.default_rng(0), np.random.RandomState(0),
    ]  # fmt: skip
    return [*words, *numbers, *several, *objects]


def _fit(name: str, base: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    def call(given: dict[str, Any]) -> None:
        getattr(fewest, name)(**{**base, **given}).fit(*small())

    return call


def _function(name: str, base: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    def call(given: dict[str, Any]) -> None:
        getattr(fewest, name)(**{**base, **given})

    return call


def _part(name: str, what: str) -> Callable[[dict[str, Any]], None]:
    """A search or a measure with odd parameters of its own."""
    resolve = resolve_search if what == "search" else resolve_measure

    def call(given: dict[str, Any]) -> None:
        part = resolve(name).set_params(**given)
        fewest.SubsetSelector(
            **{"measure": "naive-bayes", "search": "sfs", "cv": 2, what: part},
            stop=["auto", Seconds(0.5)], random_state=0, audit=False,
        ).fit(*small())  # fmt: skip

    return call


@lru_cache(maxsize=1)
def calls() -> list[tuple[str, list[str], Callable[[dict[str, Any]], None]]]:
    """What is called, its parameters, and how to call it."""
    X, y = small()
    soon = {"stop": ["auto", Seconds(0.5)], "random_state": 0}
    selector = fewest.SubsetSelector("naive-bayes", search="sfs", cv=2, random_state=0)
    both = {"gaussian": GaussianNB(), "bernoulli": BernoulliNB()}
    estimators: dict[str, dict[str, Any]] = {
        "SubsetSelector": {"measure": "naive-bayes", "search": "sfs", "cv": 2, **soon},
        "FeatureWeighter": {"cv": 2, "stop": Generations(1), "random_state": 0},
        "NetworkLearner": {"search": "hill-climbing", **soon},
    }
    functions: dict[str, dict[str, Any]] = {
        "validate": {"selector": selector, "X": X, "y": y, "random_state": 0},
        "compare": {"selectors": {"s": selector}, "X": X, "y": y, "random_state": 0},
        "score_subsets": {"X": X, "y": y, "subsets": [["a"]], "measure": "naive-bayes", "cv": 2},
        "joint_behaviour": {"classifiers": both, "X": X, "y": y},
        "check": {"X": X, "y": y},
        "evidence": {"X": X, "y": y},
        "load": {"path_or_name": "iris"},
    }
    found = [
        (name, list(getattr(fewest, name)().get_params(deep=False)), _fit(name, base))
        for name, base in estimators.items()
    ]
    for name, base in functions.items():
        own = inspect.signature(getattr(fewest, name)).parameters
        found.append((name, list(own), _function(name, base)))
    for what, rows in (("search", list_searches()), ("measure", list_measures())):
        resolve = resolve_search if what == "search" else resolve_measure
        for row in rows:
            own = list(resolve(row["name"]).get_params(deep=False))
            if own:
                found.append((str(row["name"]), own, _part(str(row["name"]), what)))
    return found


def odd_options(rng: np.random.Generator, folder: Path) -> None:
    """One call with up to three random arguments: an answer, or one sentence."""
    every = calls()
    # More than half of the calls go to the estimators and functions.
    whole = [call for call in every if hasattr(fewest, call[0])]
    some = whole if rng.random() < 0.6 else every
    name, own, call = some[int(rng.integers(len(some)))]
    chosen = rng.choice(own, min(len(own), 1 + int(rng.integers(3))), replace=False)
    given = [(str(p), junk()[int(rng.integers(len(junk())))]) for p in chosen]

    def again(parts: list[tuple[str, Any]]) -> None:
        shown = {p: brief(v) for p, v in parts}
        with contextlib.chdir(folder):  # a word may be the path of a journal
            sentence_or_answer(lambda: call(dict(parts)), f"{name}({shown})")

    try:
        again(given)
    except FailedError as error:
        text = lambda parts: f"# {name}: { {p: brief(v) for p, v in parts} }\n"  # noqa: E731
        raise FailedError(str(error), given, again, text) from error


OPTIONS = [
    "--target", "--measure", "--search", "--seed", "--max-time", "--max-evaluations",
    "--max-generations", "--include", "--exclude", "--groups", "--costs", "--budget",
    "--min-features", "--max-features", "--choose", "--set", "--nominal", "--classifier",
    "--estimator", "--cv", "--scoring", "--jobs", "--journal", "--json", "--report", "--encoding",
    "--types", "--consensus", "--screen",
]  # fmt: skip
WORDS = [
    "", "0", "1", "-1", "1.5", "nan", "inf", "9" * 20, "[1]", "{}", "None", "True", "a", "a,b",
    "a;b", "a=1", "=", ",", "\\,", "auto", "best", "x" * 300, "\x00", "\udc80", "1e5", "(" * 200,
    "__import__('os')", "../..", "naive-bayes", "ebna", "5s", "0s", "1e9h", "punycode",
]  # fmt: skip
PARAMETERS = ["population", "draws", "steps", "selected", "generations", "temperature", "p0"]


def odd_command(rng: np.random.Generator, folder: Path) -> None:
    """``fewest select`` with random options: an answer, or one sentence."""
    given: list[tuple[str, str]] = []
    for option in rng.choice(OPTIONS, size=1 + int(rng.integers(3)), replace=False):
        word = str(rng.choice(WORDS))
        if option == "--set":
            word = f"{rng.choice(PARAMETERS)}={word}"
        if option in ("--journal", "--json", "--report"):
            word = str(folder / word.replace("/", "_").replace("\x00", "_"))
        given.append((str(option), word))

    def again(parts: list[tuple[str, str]]) -> None:
        named = {option for option, _ in parts}
        limits = [("--max-time", "5s"), ("--measure", "naive-bayes"), ("--cv", "2")]
        words = [w for pair in (*parts, *(p for p in limits if p[0] not in named)) for w in pair]
        done = within("select", table_file(), *words, "--no-validate")
        error = done.exception

        def raise_it() -> None:
            if error is not None and not isinstance(error, SystemExit):
                raise error

        sentence_or_answer(raise_it, f"select {parts}")

    try:
        again(given)
    except FailedError as error:
        text = lambda parts: f"# select {parts!r}\n"  # noqa: E731
        raise FailedError(str(error), given, again, text) from error
