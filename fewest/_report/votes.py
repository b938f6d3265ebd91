"""One thing that a result says, and which features the samples of a consensus chose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._models.posterior_inclusion import REAL
from .units import Unit

if TYPE_CHECKING:
    from .._run.result import Result


@dataclass(frozen=True)
class Fact:
    """Statement of a result.

    Parameters
    ----------
    kind : str
        What it is about: ``"selection"``, ``"honest"``, ``"difference"``, ...
    label : str
        A word or two to put before it.
    value : str
        The figure, where it has one.
    text : str
        Full sentences that stand on their own beside the label.
    """

    kind: str
    label: str
    value: str
    text: str

    def sentence(self) -> str:
        """Return the figure, where there is one, and the text.

        >>> Fact("honest", "Honest accuracy", "91.0 %", "Expect this.").sentence()
        '91.0 %. Expect this.'
        """
        return f"{self.value}. {self.text}" if self.value else self.text


#: How many features a sentence names, and how many rows a table has.
MOST_NAMED, MOST_ROWS = 8, 40
#: Below this probability a feature is more likely not to belong to the model.
HALF = 0.5
#: Said where no ranking of single features is as good as the best subset.
TOGETHER = (
    "Ranked one by one, the features fall behind the best subset by more than one standard error: "
    "some are of use only together. So the best subset is the answer."
)
#: How many stand-ins a sentence names, and how many features that were nearly kept.
MOST_SAID = 3


def real(result: Result) -> list[Fact]:
    """Return which features belong to a linear model of the target, in a sentence."""
    found = result.evidence
    if found is None:
        return []
    sure = found.real()
    odds = dict(zip(found.names, found.probability.tolist(), strict=True))
    doubt = [n for n in found.real(HALF) if n not in sure]
    weak = sorted((n for n in result.features if odds[n] < HALF), key=lambda n: -odds[n])
    text = f"No feature belongs to a linear model of the target with probability {REAL} or more."
    if sure:
        text = f"They belong to a linear model with probability {REAL} or more: {_some(sure)}."
    if doubt:
        text += f" In doubt: {_some([f'{n} {odds[n]:.2f}' for n in doubt])}."
    if weak:
        text += f" Kept with less than {HALF}: {_some([f'{n} {odds[n]:.2f}' for n in weak])}."
    return [Fact("evidence", "Real features", str(len(sure) or "none"), text)]


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def votes(result: Result) -> list[Fact]:
    """Return how often the samples of a consensus chose the features, in a sentence."""
    if result.extra.get("votes_set_aside"):
        return [Fact("consensus", "Votes", "set aside", TOGETHER)]
    told = result.extra.get("consensus")
    if told is None:
        return []
    if told["kind"] == "archive":
        return [Fact("consensus", "Votes", f"{told['resamples']} sizes", _of_sizes(result))]
    if told["kind"] == "replay":
        way = f"was replayed {told['resamples']} times without a part of the rows"
    else:
        way = f"ran on {told['resamples']} samples of 70 % of the rows"
    inside = _named(result, True)
    text = f"The search {way}. Votes for the kept features: {inside}."
    outside = _named(result, False)
    if outside:
        text += f" Next would be {outside}."
    return [Fact("consensus", "Consensus", f"{told['resamples']} samples", text)]


def _of_sizes(result: Result) -> str:
    """Return how often the best subsets of all sizes hold the features, in a sentence."""
    told = result.extra["consensus"]
    text = (
        f"The best subsets of {told['resamples']} sizes ranked the features. So many of them hold "
        f"the kept ones: {_named(result, True)}."
    )
    outside = _named(result, False)
    return text + (f" Next would be {outside}." if outside else "")


def _named(result: Result, chosen: bool) -> str:
    """Return the features with most votes, inside or outside the answer."""
    most = MOST_NAMED if chosen else MOST_SAID
    rows = [row for row in _ranked(result) if row[2] == chosen and row[1] > 0]
    listed = ", ".join(f"{name} {count:g}" for name, count, _ in rows[:most])
    return listed + (f" and {len(rows) - most} more" if chosen and len(rows) > most else "")


def _ranked(result: Result) -> list[tuple[str, float, bool]]:
    told = result.extra["consensus"]
    counts = np.round(np.array(told["frequency"]) * told["resamples"], 1)
    order = np.lexsort((~result.support, -counts))
    return [(result.names[j], float(counts[j]), bool(result.support[j])) for j in order]


def stand_ins(result: Result, words: Unit) -> list[Fact]:
    """Return which features can replace which, in a sentence each for the first few."""
    found = result.extra.get("stand_ins") or []
    if not found:
        return []
    said = [
        f"{entry['by']} can replace {entry['feature']} ({words.gap(entry['difference'])})"
        for entry in found[:MOST_SAID]
    ]
    more = f", and {len(found) - MOST_SAID} more" if len(found) > MOST_SAID else ""
    return [Fact("stand-ins", "Stand-ins", "", f"{'; '.join(said)}{more}.")]


def vote_tables(result: Result, words: Unit) -> list[dict[str, Any]]:
    """Return the tables of votes and of stand-ins for the page, where there are any."""
    tables = _evidence_table(result)
    if "consensus" in result.extra:
        rows = [
            [name, f"{count:g}", "kept" if chosen else ""]
            for name, count, chosen in _ranked(result)
            if count > 0
        ]
        title = "How often the samples chose each feature"
        note = "Half of a vote is for the best subset of a sample, half for a small one as good."
        if result.extra["consensus"]["kind"] == "archive":
            title = "How often the best subsets of all sizes hold each feature"
            note = "One vote for each number of features: that of the best subset of this size."
        votes_of = f"votes of {result.extra['consensus']['resamples']}"
        tables.append(_table(title, note, ["feature", votes_of, ""], rows))
    if result.extra.get("stand_ins"):
        rows = [
            [e["feature"], e["by"], words.gap(e["difference"]), f"{e['redundancy']:.2f}"]
            for e in result.extra["stand_ins"]
        ]
        note = (
            "What the score changes on folds that did not choose the stand-in, where a loss of one "
            "point or more is ruled out; and the absolute correlation of the two."
        )
        head = ["kept feature", "can be replaced by", "difference", "correlation"]
        tables.append(_table("Which features can stand in", note, head, rows))
    return tables


def _evidence_table(result: Result) -> list[dict[str, Any]]:
    found = result.evidence
    if found is None:
        return []
    order = [j for j in np.argsort(-found.probability, kind="stable") if found.probability[j] >= 0]
    rows = [
        [found.names[j], f"{found.probability[j]:.2f}", "kept" if result.support[j] else ""]
        for j in order
    ]
    note = (
        "The probability that each feature belongs to a linear model of the target: which are "
        "real, not which predict best. Effects that are not linear are not found."
    )
    return [_table("Which features are real", note, ["feature", "probability", ""], rows)]


def _table(title: str, note: str, head: list[str], rows: list[list[str]]) -> dict[str, Any]:
    if len(rows) > MOST_ROWS:
        note += f" The first {MOST_ROWS} of {len(rows)}."
    return {"title": title, "note": note, "head": head, "rows": rows[:MOST_ROWS]}
