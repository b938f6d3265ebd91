"""``fewest score``: score one subset."""

from __future__ import annotations

from typing import Annotated

import typer

from . import arguments as a
from .terminal import say


def score(
    data: Annotated[str, a.DATA],
    features: Annotated[str, typer.Option("--features", "-f", help="The subset: A,B,C.")],
    target: Annotated[str | None, a.TARGET] = None,
    measure: Annotated[str, a.MEASURE] = "auto",
    seed: Annotated[int, a.SEED] = 0,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
    task: Annotated[str | None, a.TASK] = None,
    classifier: Annotated[str | None, a.CLASSIFIER] = None,
    cv: Annotated[str, a.CV] = "auto",
    scoring: Annotated[str | None, a.SCORING] = None,
) -> None:
    """Score one subset of the features of DATA, beside all features."""
    import numpy as np

    from ..data.feature_names import feature_positions
    from ..report.text import describe_scores
    from ..score import score_subsets
    from . import build

    found = build.dataset(data, target, types, encoding, task)
    if measure == "auto":
        from ..measures.auto import default_estimator
        from ..measures.estimators import name_of

        measure = name_of(default_estimator(found.table()))
    names = tuple(found.names)
    masks = np.ones((2, len(names)), dtype=bool)
    masks[0] = False
    masks[0, list(feature_positions(a.words(features), names, "features"))] = True
    scores = score_subsets(
        found.X,
        found.y,
        masks,
        measure=build.measure(measure, classifier, cv, scoring),
        cv=a.folds(cv),
        scoring=scoring,
        nominal=a.words(nominal),
        task=getattr(found, "task", None),
        random_state=seed,
    )
    say(describe_scores(measure, a.words(features) or [], scores))
