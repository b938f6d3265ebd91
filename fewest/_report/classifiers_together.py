"""The joint behaviour of classifiers: words, charts and tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .chart import Axis, Bars, Chart, Heat, Nodes
from .network_report import network_chart

if TYPE_CHECKING:
    from .._joint.behaviour import JointBehaviour


Plain = dict[str, Any]
#: An arc that so many bootstrap samples have is certain.
OFTEN = 0.8
#: The colours of families, over again if there are more.
COLOURS = ("honest", "chosen", "selection", "mean")
#: How a network was found, by its search.
FOUND = {
    "exact": "proven best",
    "genetic": "found by a genetic search",
    "climbing": "found by hill climbing",
    "tests": "found by tests of independence",
}


def joint_answer(found: JointBehaviour) -> Plain:
    """Return the first screen: who is original, who is alike, and how good each is."""
    original = [name for name, is_so in found.readings["hard"].items() if is_so]
    accuracy = dict(zip(found.names, found.predictions.accuracy, strict=True))
    best = max(accuracy, key=lambda name: accuracy[name])
    figures = [
        {"role": "chosen", "value": str(len(found.names)), "label": "classifiers"},
        {"role": "honest", "value": f"{accuracy[best]:.1%}", "label": f"most accurate: {best}"},
        {"role": "all", "value": str(len(found.simple.arcs)), "label": "arcs kept"},
    ]
    if found.confidence.noise:
        noise = f"{found.confidence.noise_arcs:.1f}"
        figures.append({"role": "all", "value": noise, "label": "arcs in noise"})
    return {
        "headline": _headline(original, len(found.names)),
        "features": original,
        "figures": figures,
        "sentences": [{"label": "", "text": text} for text in joint_sentences(found)],
        "warnings": [
            {"title": f"{name} is left out", "text": why}
            for name, why in found.predictions.left_out.items()
        ],
    }


def _headline(original: list[str], total: int) -> str:
    if not original:
        return f"None of {total} classifiers is original: each is tied to several others"
    verb = "is" if len(original) == 1 else "are"
    return f"{len(original)} of {total} classifiers {verb} original"


def joint_sentences(found: JointBehaviour) -> list[str]:
    """Return what the network says, one sentence per reading."""
    proof = FOUND[found.learner.search]
    rows, score = len(found.predictions.target), found.learner.score.upper()
    sentences = [
        f"The network over the predictions on {rows:,} rows ({score} score, {proof}) "
        f"has {len(found.graph.arcs)} arcs, of which {len(found.simple.arcs)} are kept.",
        *_trust(found),
        "An original classifier needs only one other to explain how it relates to all the rest.",
    ]
    apart = [family for family, is_so in found.readings["inside"].items() if is_so]
    if apart:
        sentences.append(f"Members of these families predict differently: {', '.join(apart)}.")
    # A classifier that agrees with no other is a family of its own, and says nothing here.
    large = {family for family, members in found.families.items() if len(members) > 1}
    between = [
        pair.replace(",", " and ")
        for pair, is_so in found.readings["between"].items()
        if is_so and set(pair.split(",")) <= large
    ]
    if between:
        sentences.append(f"Independent families: {'; '.join(between)}.")
    return sentences


def _trust(found: JointBehaviour) -> list[str]:
    """Say how many arcs are noise, and which of the kept ones are certain."""
    noise = found.confidence.noise
    if not noise:
        return []
    shares = found.confidence.arcs
    kept = [shares.get((a, b), shares.get((b, a), 0.0)) for a, b in found.arcs]
    often = sum(share >= OFTEN for share in kept)
    sentences = [
        f"Where the predictions of each classifier are shuffled, so that none depends on another, "
        f"the same method finds {found.confidence.noise_arcs:.1f} arcs on average ({len(noise)} "
        f"times). {often} of the {len(kept)} kept arcs are in at least {OFTEN:.0%} of the networks "
        "of bootstrap samples."
    ]
    if len(found.graph.arcs) <= max(noise):
        sentences.append("The network has no more arcs than noise has: do not read it.")
    return sentences


def joint_charts(found: JointBehaviour) -> list[Chart]:
    """Chart the network, the influence of its arcs, the agreement of every pair, the accuracies."""
    graph = _network_chart(found)
    return [graph, _influence_chart(found), _agreement_chart(found), _accuracy_chart(found)]


def _network_chart(found: JointBehaviour) -> Chart:
    """Return the simplified network, one colour per family that has several members."""
    large = [family for family, members in found.families.items() if len(members) > 1]
    colour = {
        name: COLOURS[k % len(COLOURS)]
        for k, family in enumerate(large)
        for name in found.families[family]
    }
    original = found.readings["hard"]
    names = [f"{name} *" if original[name] else name for name in found.names]
    source = "One colour per family of several classifiers, grey for the others; * is original."
    chart = network_chart(names, found.simple.arcs, (), "The simplified network", source)
    # Classifiers without arcs are not drawn.
    drawn = sorted({node for arc in found.simple.arcs for node in arc})
    roles = [colour.get(found.names[node], "all") for node in drawn]
    return replace(chart, marks=[replace(m, roles=roles) if isinstance(m, Nodes) else m
                                 for m in chart.marks])  # fmt: skip


def _influence_chart(found: JointBehaviour) -> Chart:
    ranked = sorted(found.influences.items(), key=lambda item: item[1])[-30:]
    kept = set(found.arcs)
    words = [f"{a} → {b}" for (a, b), _ in ranked]
    roles = ["chosen" if arc in kept else "all" for arc, _ in ranked]
    bars = Bars([v for _, v in ranked], list(range(len(ranked))), tips=words, roles=roles)
    note = "What the score loses without the arc. Coloured arcs are kept."
    return Chart("influence", "Influence of the arcs", note, Axis("loss of score"),
                 Axis(categories=words), [bars])  # fmt: skip


def _agreement_chart(found: JointBehaviour) -> Chart:
    names = list(found.names)
    cells = Heat(
        list(range(len(names))), list(range(len(names))),
        values=found.matrices["agreement"].tolist(),
    )  # fmt: skip
    note = "The share of rows on which two classifiers predict the same class."
    axes = Axis(categories=names), Axis(categories=names)
    return Chart("agreement", "Agreement", note, *axes, [cells])


def _accuracy_chart(found: JointBehaviour) -> Chart:
    ranked = sorted(zip(found.predictions.accuracy.tolist(), found.names, strict=True))
    bars = Bars([value for value, _ in ranked], list(range(len(ranked))),
                tips=[f"{name}: {value:.1%}" for value, name in ranked])  # fmt: skip
    note = "On rows that the classifiers were not trained on. It plays no part in the network."
    return Chart("accuracy", "Accuracy", note, Axis("accuracy", low=0.0, high=1.0),
                 Axis(categories=[name for _, name in ranked]), [bars])  # fmt: skip


def joint_tables(found: JointBehaviour) -> list[Plain]:
    """Return the readings, and the pairs by how they agree."""
    family = {name: f for f, members in found.families.items() for name in members}
    rows = [
        [
            name, f"{value:.4f}", family.get(name, ""),
            "yes" if found.readings["hard"][name] else "", _share(found, "hard", name),
        ]
        for name, value in zip(found.names, found.predictions.accuracy, strict=True)
    ]  # fmt: skip
    head = ["classifier", "accuracy", "family", "original", "confidence"]
    tables = [{"title": "The classifiers", "note": "", "head": head, "rows": rows}]
    for kind, title in (("inside", "Inside families"), ("between", "Between families")):
        listed = [
            [
                name.replace(",", " and "), "independent" if is_so else "tied",
                _share(found, kind, name),
            ]
            for name, is_so in found.readings[kind].items()
        ]  # fmt: skip
        if listed:
            columns = ["family" if kind == "inside" else "families", "reading", "confidence"]
            tables.append({"title": title, "note": "", "head": columns, "rows": listed})
    return [*tables, *_arcs(found), _pairs(found)]


def _share(found: JointBehaviour, kind: str, name: str) -> str:
    """Return in how many bootstrap samples a reading is the same."""
    if not found.confidence.noise:
        return ""
    return f"{found.confidence.readings[kind][name]:.0%}"


def _arcs(found: JointBehaviour) -> list[Plain]:
    kept = {frozenset(arc) for arc in found.arcs}
    rows = [
        [f"{a} and {b}", "yes" if {a, b} in kept else "", f"{share:.0%}"]
        for (a, b), share in found.confidence.arcs.items()
    ]
    note = "The share of bootstrap samples of the rows whose simplified network joins the two."
    head = ["classifiers", "kept", "confidence"]
    return [{"title": "Arcs", "note": note, "head": head, "rows": rows}] if rows else []


def _pairs(found: JointBehaviour) -> Plain:
    kinds = ["agreement", "kappa", "q", "disagreement", "double-fault", "mcnemar"]
    rows = [
        [f"{a} and {b}", *(f"{found.matrices[kind][i, j]:.3f}" for kind in kinds)]
        for i, a in enumerate(found.names)
        for j, b in enumerate(found.names[:i])
    ]
    note = (
        "Q and kappa near 1: alike. Disagreement: only one of the two is right. McNemar: the p "
        "value of the test that both are right as often, corrected for the number of pairs."
    )
    return {"title": "Every pair", "note": note, "head": ["pair", *kinds], "rows": rows}
