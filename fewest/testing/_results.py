"""Small invented results, for tests of reports."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._run.result import Result
from .._run.result_format import GenerationFigures, ScoredSubset
from .._validation.comparison import Comparison, side_by_side
from .._validation.significance import f_test_5x2cv
from .._validation.validation import Validation, jaccard, kuncheva, nogueira
from .._version import __version__


def toy_result(
    names: list[str] | None = None,
    *,
    generations: int = 6,
    candidates: int = 20,
    honest: bool = True,
    folds: bool = True,
    illusion: bool = False,
    seed: int = 0,
) -> Result:
    """Return a result as an EDA would leave it: the first third of the features is worth having.

    names: the features, six by default.
    honest, folds: whether it is validated, and whether the measure has folds.
    illusion: whether the honest accuracy is no better than chance.
    """
    rng = np.random.default_rng(seed)
    names = [f"f{j}" for j in range(6)] if names is None else names
    d = len(names)
    worth = np.where(np.arange(d) < max(d // 3, 1), 0.3 / max(d // 3, 1), -0.02 / d)
    archive: dict[bytes, ScoredSubset] = {}
    history = []
    for g in range(generations):
        chance = 0.5 + np.sign(worth) * 0.45 * g / max(generations - 1, 1)
        masks = rng.random((candidates, d)) < chance
        history.append(_generation(g, masks, worth, archive, folds))
    best = sorted(archive.values(), key=lambda e: (-e["value"], e["size"], e["features"]))
    equal = [e for e in best[1:] if (e["value"], e["size"]) == (best[0]["value"], best[0]["size"])]
    tied = [[names[j] for j in e["features"]] for e in equal]
    support = np.zeros(d, dtype=bool)
    support[best[0]["features"]] = True
    return Result(
        features=[names[j] for j in best[0]["features"]],
        support=support,
        names=names,
        score=best[0]["value"],
        score_std=0.04 if folds else None,
        folds=[best[0]["value"]] * 10 if folds else None,
        search="ebna",
        measure="naive-bayes" if folds else "inconsistency",
        optimal=not folds,
        bound=None if folds else float(best[0]["size"]),
        gap=None if folds else 0.0,
        evaluations=len(archive),
        generations=generations,
        history=history,
        archive=best[:1000],
        stopped="no candidate of the new generation is significantly better",
        partial=False,
        ties=len(tied),
        alternatives=tied,
        seed=seed,
        seconds=0.5 * generations,
        version=__version__,
        cost=float(best[0]["size"]),
        front=_front(best),
        settings={"seed": seed, "search": "EBNA()", "version": __version__},
        honest=toy_validation(names, support, illusion, seed=seed).to_dict() if honest else None,
    )


def _generation(
    g: int,
    masks: NDArray[np.bool_],
    worth: NDArray[np.float64],
    archive: dict[bytes, ScoredSubset],
    folds: bool,
) -> GenerationFigures:
    value = 0.6 + masks @ worth
    for mask, v in zip(masks, value, strict=True):
        entry: ScoredSubset = {
            "features": np.flatnonzero(mask).tolist(),
            "value": float(v),
            "size": int(mask.sum()),
            "cost": float(mask.sum()),
            "generation": g,
        }
        if folds:
            entry["std"] = 0.04
        archive.setdefault(mask.tobytes(), entry)
    best = max(archive.values(), key=lambda e: (e["value"], -e["size"]))
    return {
        "generation": g, "candidates": len(masks), "evaluations": len(archive),
        "best": float(value.max()), "mean": float(value.mean()), "std": float(value.std()),
        "mean_size": float(masks.sum(axis=1).mean()), "best_so_far": best["value"],
        "best_size": best["size"], "seconds": 0.5 * (g + 1), "scoring_seconds": 0.3,
        "search_seconds": 0.15, "frequency": masks.mean(axis=0).round(4).tolist(),
        "best_features": best["features"],
    }  # fmt: skip


def _front(best: list[ScoredSubset]) -> list[ScoredSubset]:
    front: list[ScoredSubset] = []
    for entry in sorted(best, key=lambda e: (e["cost"], -e["value"])):
        if not front or entry["value"] > front[-1]["value"]:
            front.append(entry)
    return front


def toy_validation(
    names: list[str], support: NDArray[np.bool_], illusion: bool = False, *, seed: int = 0
) -> Validation:
    """Return a validation of ten external folds around a support."""
    rng = np.random.default_rng(seed)
    level = 0.5 if illusion else 0.86
    scores = (level + 0.02 * rng.standard_normal(10)).clip(0, 1)
    baseline = (level - 0.03 + 0.02 * rng.standard_normal(10)).clip(0, 1)
    supports = support ^ (rng.random((10, len(names))) < 0.15)
    supports[:, 0] = True
    measures = {"nogueira": nogueira, "kuncheva": kuncheva, "jaccard": jaccard}
    stabilities = {name: measure(supports) for name, measure in measures.items()}
    return Validation(
        score=float(scores.mean()), std=float(scores.std(ddof=1)), scores=scores,
        selection_score=0.9, baseline=float(baseline.mean()),
        baseline_std=float(baseline.std(ddof=1)), baseline_scores=baseline,
        p_value=f_test_5x2cv(scores, baseline), sizes=supports.sum(axis=1).tolist(),
        supports=supports, stability=stabilities["nogueira"], stabilities=stabilities,
        scheme="5x2cv", test="5×2cv F test", names=list(names), seed=seed,
        history=[
            [
                {"generation": g, "best_so_far": 0.7 + 0.2 * (g + 1) / n, "best_size": 5,
                 "honest": float(s) - 0.05 / (g + 1)}
                for g in range(n)
            ]
            for s, n in zip(scores, rng.integers(3, 7, 10), strict=True)
        ],
    )  # fmt: skip


def toy_comparison(methods: list[str], n_features: int = 6) -> Comparison:
    """Return a comparison of these methods, each a little worse than the one before."""
    names, support = [f"f{j}" for j in range(n_features)], np.arange(n_features) < 2
    done = {name: toy_validation(names, support, seed=i) for i, name in enumerate(methods)}
    for i, (name, found) in enumerate(done.items()):
        scores = found.scores - 0.03 * i
        done[name] = replace(found, scores=scores, score=float(scores.mean()))
    return side_by_side(done)
