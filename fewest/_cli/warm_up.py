"""``fewest warm-up``: compile ahead what the first run would wait for."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import typer

from .._errors import InputError
from .terminal import say

#: What the defaults can lead to, beside the searches that people ask for most.
SEARCHES = ("sfs", "sffs", "ga-uniform", "umda", "mimic", "tree")

#: Estimators with fast versions of their own.
MODELS = ("gaussian-nb", "id3", "c4.5", "tan", "nearest-neighbor", "lda", "ridge")


def warm_up(
    everything: bool = typer.Option(False, "--all", help="All measures, not only the defaults."),
) -> None:
    """Compile the kernels ahead, so that no later command waits for it."""
    from .._run.events import compiling

    before = compiling.seconds
    for what, selector, X, y in _runs(everything):
        start = compiling.seconds
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                selector.fit(X, y)
        except (InputError, ImportError) as error:
            say(f"  {what}: left out ({error})")
            continue
        say(f"  {what}: {compiling.seconds - start:.1f} s")
    say(f"compiled in {compiling.seconds - before:.1f} s; what was compiled before took no time")


def _runs(everything: bool) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield small selections, each with its name, that call the kernels."""
    from .._run.stop_rules import Generations
    from .._subset_selector import SubsetSelector
    from ..measures._default import FOR_CLASSES
    from ..measures._measure_names import MEASURES

    def selector(measure: str, search: str) -> SubsetSelector:
        return SubsetSelector(measure, search=search, stop=Generations(3), random_state=0)

    tables = _tables()
    for kind, (X, y) in tables.items():
        yield f"defaults, {kind}", selector("auto", "auto"), X, y
    X, y = tables["numbers"]
    # Which of its models the default picks depends on the table.
    for model in FOR_CLASSES:
        if "boosting" not in model:
            yield f"model {model}", selector(model, "path"), X, y
    for search in SEARCHES:
        yield f"search {search}", selector("naive-bayes", search), X, y
    for measure in (*MODELS, *MEASURES) if everything else ():
        for kind, (X, y) in tables.items():
            yield f"measure {measure}, {kind}", selector(measure, "sfs"), X, y


def _tables() -> dict[str, tuple[Any, Any]]:
    """Return a table of each kind that has kernels of its own."""
    import numpy as np

    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(120, 20))
    classes = (numbers[:, 0] + rng.normal(size=120) > 0).astype(int)
    labels = np.where(numbers > 0, "a", "b").astype(object)
    return {
        "numbers": (numbers, classes),
        "labels": (labels, classes),
        "a numeric target": (numbers, numbers[:, 0] + rng.normal(size=120)),
    }
