"""From a summary to charts: what each picture shows, and in which words."""

from __future__ import annotations

from typing import Any

from .chart import Axis, Band, Bars, Chart, Heat, Line, Mark, Points, RuleLine, Spans
from .summary import PHASES

Plain = dict[str, Any]


#: Charts of searches that score many subsets in every step.
OF_GENERATIONS = {"by_generation", "sizes", "generations", "frequency"}


def result_charts(summary: Plain) -> list[Chart]:
    """Return every chart that the summary of a result has the numbers for, in reading order."""
    makers = {
        "curve": curve,
        "worth": worth,
        "weights": weights,
        "by_generation": by_generation,
        "sizes": sizes,
        "generations": generations,
        "frequency": frequency,
        "stability": stability,
        "time": time_spent,
    }
    shown = {name for name in makers if summary[name] is not None}
    if "curve" in shown:  # A path scores single subsets: its steps are no generations.
        shown -= OF_GENERATIONS
    charts = [make(summary[name]) for name, make in makers.items() if name in shown]
    if summary.get("network") is not None:
        from .network_report import network_chart

        charts.append(network_chart(**summary["network"]))
    return charts


def curve(part: Plain) -> Chart:
    """Honest score against size: the curve with intervals, all features, the chosen size."""
    size, mean, at = part["size"], part["mean"], part["chosen"]
    tips = _sizes({"size": size, "value": mean})
    marks: list[Mark] = []
    if part["low"] is not None:
        marks.append(Band(size, part["low"], "honest", "95 % interval", high=part["high"]))
    marks += [
        Line(size, mean, "honest", "honest score", tips),
        Points(size, mean, "honest", tips=tips),
    ]
    if part["all"] is not None:
        marks.append(RuleLine([], [part["all"]], "all", f"all {counted(part['allowed'])}"))
    tip = f"chosen: {tips[at]}"
    marks.append(Points([size[at]], [mean[at]], "chosen", "chosen", [tip], "star", 8))
    return Chart(
        "curve",
        "How many features are enough",
        "Each point was judged on rows that the ranking of its features has not seen. The chosen "
        "size is the smallest that keeps the best score.",
        Axis("number of features", whole=True),
        Axis(part["metric"]),
        marks,
    )


def worth(part: Plain) -> Chart:
    """Selection score, honest score, all features: a row each, with folds and intervals."""
    roles = {
        "selection score": "selection", "replayed score": "selection", "honest": "honest",
        "all features": "all",
    }  # fmt: skip
    rows = part["rows"]
    marks: list[Mark] = []
    for y, row in enumerate(rows):
        role = roles[row["what"]]
        if "folds" in row:
            tips = [f"{row['what']}: fold {i + 1}, {f:.4f}" for i, f in enumerate(row["folds"])]
            marks.append(
                Points(row["folds"], [y] * len(tips), "muted", tips=tips, marker="ring", size=3)
            )
            tip = f"{row['what']}: {row['mean']:.4f}, 95 % {row['low']:.4f} to {row['high']:.4f}"
            marks.append(Spans([row["low"]], [y], role, tips=[tip], high=[row["high"]]))
        tip = f"{row['what']}: {row['mean']:.4f}"
        marks.append(Points([row["mean"]], [y], role, tips=[tip], size=6))
    words = {"honest": "kept features"}
    names = [words.get(row["what"], row["what"]) for row in rows]
    return Chart(
        "worth",
        "What to expect on new data",
        "Dots are means, bars 95 % intervals, rings the single folds. The selection score guided "
        "the search and is optimistic; the scores of the kept and of all features come from rows "
        "that the search never saw.",
        Axis(part["metric"]),
        Axis(categories=names),
        marks,
    )


def weights(part: Plain) -> Chart:
    """Return the weight of each feature, largest first."""
    found = part["weight"]
    tips = [f"{name}: {w:.3g}" for name, w in zip(part["features"], found, strict=True)]
    more = f" {part['left_out']} smaller weights are not shown." if part["left_out"] else ""
    return Chart(
        "weights",
        "How much each feature counts",
        "The weight of each feature in the distance between two rows; features with weight 0 do "
        f"not count.{more}",
        Axis("weight", low=0, high=1),
        Axis(categories=list(part["features"])),
        [Bars(found, list(range(len(found))), "chosen", tips=tips)],
    )


def by_generation(part: Plain) -> Chart:
    """Internal against external score of the best subset by generation."""
    x, marks = part["generation"], list[Mark]()
    if part["internal"] is not None:
        marks.append(Line(x, part["internal"], "selection", "selection score", dashed=True))
    if part["external"] is not None:
        marks.append(Line(x, part["external"], "honest", f"honest {part['metric']}"))
    marks.append(RuleLine([], [part["baseline"]], "all", "all features"))
    return Chart(
        "by-generation",
        "Selection score against honest score",
        "The best subset of each generation, as the search saw it and on rows it never saw; the "
        f"mean over {part['folds']} external folds. Where the lines part, the search is fitting "
        "noise.",
        Axis("generation", whole=True),
        Axis(part["metric"]),
        marks,
    )


def generations(part: Plain, step: str = "generation") -> Chart:
    """Best, mean and spread of the selection score by generation, or by any other ``step``."""
    x = part["generation"]
    told = zip(x, part["best_so_far"], part["size"], part["evaluations"], strict=True)
    tips = [f"{step} {g}: {_so_far(b, s)}{e:,} subsets scored" for g, b, s, e in told]
    return Chart(
        "generations",
        "How the search went",
        f"Selection score of the candidates of each {step}: the best so far, the mean, and "
        "one standard deviation around it.",
        Axis(step, whole=True),
        Axis("selection score"),
        [
            Band(x, part["low"], "mean", "mean ± std", high=part["high"]),
            Line(x, part["mean"], "mean", "mean"),
            Line(x, part["best_so_far"], "selection", "best so far", tips, step=True),
        ],
    )


def _so_far(best: float | None, size: int | None) -> str:
    if best is None:
        return ""
    return f"best so far {best:.4f}" + (", " if size is None else f" with {counted(size)}, ")


def counted(number: int, what: str = "feature") -> str:
    """``1 feature``, ``2 features``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def size_by_step(part: Plain, step: str, what: str = "feature") -> Chart:
    """Mean size of the candidates and size of the best, by step, in features or arcs."""
    x = part["generation"]
    return Chart(
        "size-by-step",
        f"How many {what}s",
        f"Number of {what}s of the best so far, and the mean of each {step}.",
        Axis(step, whole=True),
        Axis(f"number of {what}s"),
        [
            Line(x, part["mean_size"], "mean", "mean"),
            Line(x, part["size"], "chosen", "best so far", step=True),
        ],
    )


def frequency(part: Plain, dotted: str = "that are chosen") -> Chart:
    """Return how often each feature is in the candidates, as a heat map by generation."""
    names = [f"● {n}" if c else n for n, c in zip(part["features"], part["chosen"], strict=True)]
    more = f" {part['left_out']} rarer features are not shown." if part["left_out"] else ""
    return Chart(
        "frequency",
        "Which features the search turned to",
        "Share of the candidates of each generation that hold a feature: the darker, the more. A "
        f"dot marks the features {dotted}.{more}",
        Axis("generation", whole=True),
        Axis(categories=names),
        [Heat(part["generation"], list(range(len(names))), values=part["frequency"])],
    )


def sizes(part: Plain) -> Chart:
    """Value against size: the cloud, its front, the choice and its ties."""
    cloud, front, ties, chosen = (part[k] for k in ("points", "front", "ties", "chosen"))
    marks: list[Mark] = [
        Points(cloud["size"], cloud["value"], "muted", "scored subsets", _sizes(cloud), size=2.5),
        Line(front["size"], front["value"], "selection", "front", _sizes(front), step=True),
    ]
    if ties["size"]:
        marks.append(Points(ties["size"], ties["value"], "mean", "ties", _sizes(ties), "ring", 7))
    if chosen["value"] is not None:
        tip = f"chosen: {counted(chosen['size'])}, {chosen['value']:.4f}"
        marks.append(
            Points([chosen["size"]], [chosen["value"]], "chosen", "chosen", [tip], "star", 8)
        )
    return Chart(
        "sizes",
        "Score against number of features",
        "The best subsets that were scored. No scored subset is both smaller and better than one "
        "on the front.",
        Axis("number of features", whole=True),
        Axis("selection score"),
        marks,
    )


def _sizes(points: Plain) -> list[str]:
    return [f"{counted(s)}, {v:.4f}" for s, v in zip(points["size"], points["value"], strict=True)]


def stability(part: Plain) -> Chart:
    """In how many external folds each feature was selected."""
    folds, share = part["folds"], part["share"]
    tips = [
        f"{name}: in {round(s * folds)} of {folds} folds"
        for name, s in zip(part["features"], share, strict=True)
    ]
    roles = ["chosen" if c else "muted" for c in part["chosen"]]
    more = f" {part['left_out']} rarer features are not shown." if part["left_out"] else ""
    return Chart(
        "stability",
        "Would other rows give the same features?",
        f"Share of {folds} selections on different rows that picked each feature; the chosen ones "
        f"are green. Stability {part['stability']:.2f}: 1 is always the same, 0 is chance." + more,
        Axis("share of the selections", low=0, high=1),
        Axis(categories=list(part["features"])),
        [Bars(share, list(range(len(share))), "muted", tips=tips, roles=roles)],
    )


def time_spent(part: Plain) -> Chart:
    """Seconds of each phase."""
    words, seconds = [PHASES[phase] for phase in part["phases"]], [*part["phases"].values()]
    tips = [f"{word}: {s:.3g} s" for word, s in zip(words, seconds, strict=True)]
    return Chart(
        "time",
        "Where the time went",
        f"{part['total']:.3g} seconds by what they were spent on.",
        Axis("seconds", low=0),
        Axis(categories=words),
        [Bars(seconds, list(range(len(words))), "honest", tips=tips)],
    )
