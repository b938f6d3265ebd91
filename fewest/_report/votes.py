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
MOST_NAMED, MOST_ROWS, MOST_FEATURES = 8, 40, 500
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


def feature_tables(result: Result, words: Unit) -> list[dict[str, Any]]:
    """Return the table of all features for the page, and that of stand-ins where there are any."""
    tables = [_about_features(result)]
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


def _about_features(result: Result) -> dict[str, Any]:
    """Return what is known of each feature, in columns: the kept features first, then by rank."""
    columns, notes = _columns_of_features(result)
    ranks, counts = (columns.get(head, ([], ""))[0] for head in ("rank", "selected in"))
    first = ranks or [f"-{count}" for count in counts] or ["" for _ in result.names]
    order = sorted(
        range(len(result.names)),
        key=lambda j: (not result.support[j], first[j] == "", float(first[j] or 0), j),
    )
    rows = [[result.names[j], *(column[j] for column, _ in columns.values())] for j in order]
    note = " ".join(["A click on a heading sorts.", *notes])
    return {
        "name": "features",
        **_table("Features", note, ["feature", *columns], rows, MOST_FEATURES),
    }


def _columns_of_features(
    result: Result,
) -> tuple[dict[str, tuple[list[str], str]], list[str]]:
    """Return the columns of the table of features by their headings, and how to read them."""
    extra, names, d = result.extra, result.names, len(result.names)
    columns = {"kept": (["kept" if one else "" for one in result.support], "")}
    honest: Any = result.honest or {}
    if "weights" in extra:
        columns["weight"] = [f"{w:g}" for w in extra["weights"]], ""
    if "ranking" in extra:
        ranks = [""] * d
        for place, j in enumerate(extra["ranking"]):
            ranks[j] = str(place + 1)
        columns["rank"] = ranks, "Rank: by the model, on all rows."
    if honest.get("names") == names and honest.get("supports"):
        counts = np.sum(honest["supports"], axis=0)
        note = f"Selected in: how many of {len(honest['supports'])} selections on different rows."
        columns["selected in"] = [f"{count:.0f}" for count in counts], note
    if "consensus" in extra:
        told = extra["consensus"]
        votes_of = np.round(np.array(told["frequency"]) * told["resamples"], 1)
        sizes = told["kind"] == "archive"
        kind = "the best subset of each size" if sizes else "samples of the rows"
        note = f"Votes: of {told['resamples']}, by {kind}."
        columns["votes"] = [f"{v:g}" for v in votes_of], note
    if result.evidence is not None:
        odds = dict(zip(result.evidence.names, result.evidence.probability, strict=True))
        known = [odds.get(name, np.nan) for name in names]
        note = (
            "Evidence: the probability that the feature belongs to a linear model of the target; "
            "effects that are not linear are not found."
        )
        columns["evidence"] = ["" if not p >= 0 else f"{p:.2f}" for p in known], note
    if extra.get("missing") and result.settings.get("rows"):
        shares = [100 * extra["missing"].get(name, 0) / result.settings["rows"] for name in names]
        columns["missing"] = [f"{s:.1f} %" for s in shares], ""
    copies = {f["columns"][0]: f["columns"][1] for f in _copies(result)}
    if copies:
        columns["copy of"] = [copies.get(name, "") for name in names], ""
    if "costs" in extra:
        columns["cost"] = [f"{cost:g}" for cost in extra["costs"]], ""
    return columns, [note for _, note in columns.values() if note]


def _copies(result: Result) -> list[dict[str, Any]]:
    kinds = ("copy", "affine-copy", "one-to-one")
    found = result.extra.get("check", {}).get("findings", ())
    return [f for f in found if f["kind"] in kinds and len(f["columns"]) > 1]


def _table(
    title: str, note: str, head: list[str], rows: list[list[str]], most: int = MOST_ROWS
) -> dict[str, Any]:
    if len(rows) > most:
        note += f" The first {most} of {len(rows):,}."
    return {"title": title, "note": note, "head": head, "rows": rows[:most]}
