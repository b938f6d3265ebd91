"""What a result says, in words: the terminal and the page show these same sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .units import Unit, unit
from .votes import Fact, real, stand_ins, votes

if TYPE_CHECKING:
    from .._run.result import Result
    from .._validation.corrected import Corrected
    from .._validation.significance import Difference
    from .._validation.validation import Validation
    from ..data._checking.finding import Note


#: Below this p value a difference is significant, as in fewest._validation.significance.
LEVEL = 0.05
#: Stability from which subsets count as much the same, and as partly the same.
STABLE, PARTLY_STABLE = 0.75, 0.4
#: A feature in this share of the folds is steady; so many of them are named.
STEADY, MOST_STEADY = 0.9, 8
#: Recalls of so many classes are in a sentence, the lowest first.
MOST_CLASSES = 8


def facts(result: Result) -> list[Fact]:
    """Everything that is said of a result, in reading order.

    Examples
    --------
    >>> from fewest.testing._results import toy_result
    >>> [fact.kind for fact in facts(toy_result())]
    ['selection', 'honest', 'all', 'difference', 'stability']
    """
    validation = validation_of(result)
    known = result.n_allowed, weighed(result), not result.features
    honest = [] if validation is None else validation_facts(validation, *known)
    scored = [_selection(result), *_replays(result)]
    found = [*honest, *_curve(result), *scored] if result.curve else [*scored, *honest]
    found += [*real(result), *votes(result), *_permutation(result), *_proof(result), *_ties(result)]
    return [*found, *stand_ins(result, selection_unit(result))]


def warnings(result: Result) -> list[Fact]:
    """Return what a reader must know before the figures."""
    validation = validation_of(result)
    found = [Fact(n.kind, "Table", "", str(n)) for n in serious_notes(result)]
    found += keep_all(result, validation)
    if validation is not None and validation.misleading:
        found.append(_illusion(validation))
    if validation is None and result.folds is not None:
        replayed = _replayed(result)
        found += [_not_validated(result)] if replayed is None else _beyond(result, replayed)
    if result.partial:
        text = f"The run ended early: {result.stopped}. This is the best subset found so far."
        found.append(Fact("partial", "Partial result", "", text))
    return found


def serious_notes(result: Result) -> list[Note]:
    """Return the notes about faults of the table that make a score wrong."""
    found = result.extra.get("check")
    if found is None:
        return []
    from ..data._checking.finding import Check

    left_out = [result.names[j] for j in result.extra.get("excluded", ())]
    return Check.from_dict(found).notes(("serious",), left_out)


def keep_all(result: Result, validation: Validation | None) -> list[Fact]:
    """Advise to keep all features, where an honest estimate says that selection loses."""
    if weighed(result):
        return []
    if validation is not None:
        found, on = validation.difference, "On new data"
    else:
        replayed = _replayed(result)
        told = None if replayed is None else replayed.difference
        if told is None:
            return []
        found, on = told, "In the replays of the search"
    if found.verdict != "worse" or result.n_features == result.n_allowed:
        return []
    words = unit(validation.metric) if validation is not None else selection_unit(result)
    if not result.features:
        text = (
            f"No feature is kept, because no relation to the target is significant. But all "
            f"{result.n_allowed} together are {words.gap(-found.mean).lstrip('+')} "
            f"better than guessing (95 % interval {words.gaps(-found.high, -found.low)}), which is "
            "more than noise. More rows would show which is right; `min_features=1` keeps features."
        )
        return [Fact("keep-all", "Two tests disagree", "", text)]
    text = (
        f"{on} the selected features are worse than all {result.n_allowed} by "
        f"{words.gap(-found.mean).lstrip('+')}, which is more than noise (95 % interval "
        f'{words.gaps(found.low, found.high)}). `choose="safe"` selects only where nothing is '
        "lost."
    )
    return [Fact("keep-all", "Keep all features", "", text)]


def validation_of(result: Result) -> Validation | None:
    """Return the validation that a result carries as plain data."""
    if result.honest is None:
        return None
    # Here, because a live view should not wait for scipy.
    from .._validation.validation import Validation

    return Validation.from_dict(result.honest)


def weighed(result: Result) -> bool:
    """Return whether the features were weighed, not only selected."""
    return "weights" in result.extra


def selection_unit(result: Result) -> Unit:
    """Find the unit of the selection score: the validation's, unless it used another metric."""
    honest: Mapping[str, Any] = result.honest or {}
    metric = honest.get("selection_metric") or honest.get("metric")
    return unit(metric if result.folds is not None else None)


def scheme_in_words(scheme: str) -> str:
    """Return the external loop in words.

    >>> scheme_in_words("5x2cv"), scheme_in_words("KFold(3)")
    ('5 times 2-fold cross-validation', 'KFold(3)')
    """
    times, _, folds = scheme.removesuffix("cv").partition("x")
    if not (times.isdigit() and folds.isdigit()):
        return scheme
    return f"{'' if times == '1' else f'{times} times '}{folds}-fold cross-validation"


def _selection(result: Result) -> Fact:
    words = selection_unit(result)
    if result.folds is None:
        text = f"The value of {result.measure} that guided the search."
    else:
        text = "This score guided the search, so it is optimistic."
        if result.curve is not None:
            text = "The chosen features on the folds. Their ranking saw all rows: optimistic."
    return Fact("selection", "Selection score", words.score(result.score), text)


def _curve(result: Result) -> list[Fact]:
    """Return the honest score of each size, in one sentence."""
    curve = result.curve
    if curve is None:
        return []
    words = selection_unit(result)
    points = [
        f"{size}: {words.score(float(folds.mean()))}{' (chosen)' if i == curve.chosen else ''}"
        for i, (size, folds) in enumerate(
            zip(curve.sizes.tolist(), curve_folds(result), strict=True)
        )
    ]
    text = (
        "By number of features, on rows that the ranking has not seen: " + ", ".join(points) + "."
    )
    return [Fact("curve", "Curve", "", text)]


def curve_folds(result: Result) -> NDArray[np.float64]:
    """Return the fold scores of each size, with the means that the honest score counts with.

    What the choice of the model flatters is off, and no feature is worth a guess on other rows.
    """
    curve = result.curve
    assert curve is not None
    folds, honest = curve.folds - choice_of(result), result.honest
    guessing = None if honest is None else honest.get("guessing")
    if curve.sizes[0] == 0 and guessing is not None:
        folds[0] += guessing - folds[0].mean()
    return folds


def choice_of(result: Result) -> float:
    """Return by how much the choice of the model on the same rows flatters its scores."""
    honest: Mapping[str, Any] = result.honest or {}
    return float(honest.get("settings", {}).get("choice", 0.0))


def _replayed(result: Result) -> Corrected | None:
    """Return the replays of the search; results of earlier versions may hold less than that."""
    found = result.corrected
    if found is None or found.get("replayed") not in ("search", "hits"):
        return None
    from .._validation.corrected import Corrected

    return Corrected.from_dict(found)


def _replays(result: Result) -> list[Fact]:
    """State the replayed score, between the selection score and the nested estimate."""
    found, words = _replayed(result), selection_unit(result)
    if found is None:
        return []
    text = (
        f"The whole search was run again {len(found.scores)} times without part of the rows and "
        f"judged on that part (95 % interval {words.span(*found.interval)})."
    )
    if found.replayed == "hits":
        text += " Its models were not trained again, so this is still slightly optimistic."
    return [Fact("corrected", "Replayed score", words.score(found.score), text)]


def validation_facts(
    v: Validation, n_features: int, weights: bool = False, nothing: bool = False
) -> list[Fact]:
    """Return what a validation says of a selection, weights or nothing, beside all features."""
    words = unit(v.metric)
    found = [
        Fact("honest", f"Honest {words.name}", words.score(v.score), _expect(v, words)),
        _baseline(v, words, n_features, weights),
    ]
    if v.guessing is not None:
        text = "Guessing without any feature."
        found.append(Fact("guessing", "No feature", words.score(v.guessing), text))
    these = "The weights" if weights else "The selected features"
    these = "Guesses without features" if nothing else these
    those = "equal weights" if weights else "all features"
    text = difference_in_words(v.difference, words, these, those)
    found.append(Fact("difference", "Difference", words.gap(v.difference.mean), text))
    found += held_out_in_words(v.held_out)
    return [*found, Fact("stability", "Stability", f"{v.stability:.2f}", _stability(v))]


def held_out_in_words(told: dict[str, Any] | None) -> list[Fact]:
    """Return the recalls of classes and a threshold, or errors that outliers cannot decide."""
    if told is None:
        return []
    if "recalls" not in told:
        return [_robust(told)]
    share = unit("accuracy").score
    worst = sorted(told["recalls"], key=lambda one: one["recall"])
    shown = [
        f"{r['label']} {share(r['recall'])} of {r['rows']:,} rows" for r in worst[:MOST_CLASSES]
    ]
    more = f" and {len(worst) - len(shown)} more classes" if len(worst) > len(shown) else ""
    text = f"Rows of each class that are recognised: {', '.join(shown)}{more}."
    cut = told["threshold"]
    if cut is not None:
        what = "probability" if cut["probability"] else "decision value"
        usual = "0.5" if cut["probability"] else "0"
        text += (
            f" With a threshold of {cut['value']:.3g} in place of {usual} for the {what} of "
            f"{cut['label']}: {cut['label']} {share(cut['recall'])}, {cut['other']} "
            f"{share(cut['recall_of_other'])}; {share(cut['precision'])} of the rows predicted as "
            f"{cut['label']} are right."
        )
    return [Fact("recalls", "Recall", "", text)]


def _robust(told: dict[str, Any]) -> Fact:
    error, guess = told["median_absolute_error"], told["median_absolute_error_of_median"]
    text = (
        f"Half of the predictions are off by less than {_amount(error)} (always predicting the "
        f"median: {_amount(guess)}), and the rank correlation of predictions and targets is "
        f"{told['rank_correlation']:.2f}. R² says less, because 1 % of the rows has "
        f"{unit('accuracy').score(told['tail_share'])} of the variance of the target. If their "
        "values are wrong, correct or remove them first: models learn them, too."
    )
    return Fact("robust", "Robust errors", "", text)


def _amount(value: float) -> str:
    return f"{value:,.0f}" if 1000 <= value < 1e9 else f"{value:.4g}"


def _baseline(v: Validation, words: Unit, n: int, weights: bool) -> Fact:
    label, text = "All features", f"The same model with all {n} features."
    if weights:
        label, text = "Equal weights", f"The same model with weight 1 for all {n} features."
    return Fact("all", label, words.score(v.baseline), text)


def _expect(v: Validation, words: Unit) -> str:
    lower = " (lower is better)" if words.negative else ""
    return (
        f"Expect this {words.name}{lower} on new data; the 95 % interval is "
        f"{words.span(*v.interval)}. It was measured on rows that the selection never saw "
        f"({scheme_in_words(v.scheme)})."
    )


def difference_in_words(d: Difference, words: Unit, these: str, those: str) -> str:
    """Return what may be said of the difference between two methods, and no more."""
    margin = words.amount(d.margin)
    told = f"95 % interval {words.gaps(d.low, d.high)}"
    tested = f"{told}; {d.test}, {p_in_words(d.p_value)}"
    if d.verdict == "equal":
        return f"{these} and {those} have the same score on every external fold."
    if d.verdict in ("better", "worse"):
        return f"{these} are {d.verdict} than {those} ({tested})."
    if d.verdict == "equivalent":
        return f"{these} and {those} differ by less than {margin}, so they are equivalent ({told})."
    if d.verdict == "not worse":
        return (
            f"{these} are not worse than {those} by more than {margin} ({told}; one-sided test, "
            f"{p_in_words(d.p_not_worse)})."
        )
    more = "" if d.more_rows is None else f" About {d.more_rows:,} more rows would decide."
    if d.p_value < LEVEL:
        return (
            f"Undecided: the {d.test} finds a difference from {those} "
            f"({p_in_words(d.p_value)}), but the {told} does not show in which direction."
        )
    return (
        f"Undecided: {these[0].lower()}{these[1:]} may be better or worse than {those} "
        f"({tested}). A loss of more than {margin} cannot be ruled out.{more}"
    )


def p_in_words(p: float) -> str:
    """Return a p value with three decimals.

    >>> p_in_words(0.0312), p_in_words(0.00004)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.0005 else f"p = {p:.3f}"


def _stability(v: Validation) -> str:
    """Say how alike the subsets of the folds are, and which features are in nearly all."""
    word = "different"
    if v.stability >= PARTLY_STABLE:
        word = "much the same" if v.stability >= STABLE else "partly the same"
    text = (
        f"On other samples of the rows the selection chose {word} features (1: always the same, "
        "0: as by chance)."
    )
    counts, folds = v.supports.sum(axis=0), len(v.supports)
    least = int(np.ceil(STEADY * folds))
    steady = [v.names[j] for j in np.argsort(-counts, kind="stable") if counts[j] >= least]
    if v.stability >= STABLE or not v.names:
        return text
    if steady:
        more = f" and {len(steady) - MOST_STEADY} more" if len(steady) > MOST_STEADY else ""
        named = ", ".join(steady[:MOST_STEADY]) + more
        return f"{text} In at least {least} of {folds} samples: {named}; the others changed."
    return f"{text} No feature was in nearly all of them, so others may serve as well as these."


def _permutation(result: Result) -> list[Fact]:
    test = result.extra.get("permutation")
    if test is None:
        return []
    count, p = len(test["scores"]), test["p_value"]
    word = "better than" if p < LEVEL else "not significantly better than"
    text = (
        f"The selection is {word} what the same search finds when the target is shuffled "
        f"({count} permutations)."
    )
    return [Fact("permutation", "Permutation test", f"p = {p:.3f}", text)]


def _proof(result: Result) -> list[Fact]:
    """Say of a proof that it is about the score on these rows."""
    if result.optimal:
        what = "score on these rows" if result.folds is None else "cross-validated score"
        if result.bound is not None and not _bounds_score(result):
            text = "It is proven that no smaller subset reaches the threshold on these rows."
        else:
            text = f"It is proven that no allowed subset has a better {what}."
        if result.folds is not None:
            text += " This is about the score on these rows, not about new data."
        return [Fact("proof", "Proof", "", text)]
    if result.bound is None:
        return []
    if _bounds_score(result):
        text = (
            f"It is proven that no subset scores above {result.bound:.6g} on these rows; this one "
            f"scores {result.gap or 0.0:.4g} less."
        )
        return [Fact("proof", "Bound", "", text)]
    gap = f", and this answer has {result.cost:g}" if result.cost is not None else ""
    text = f"It is proven that no answer on these rows is below {result.bound:g}{gap}."
    return [Fact("proof", "Bound", "", text)]


def _bounds_score(result: Result) -> bool:
    """Return whether the bound is one of the score, not of the size."""
    return bool(result.extra.get("bound_of") == "score")


def _ties(result: Result) -> list[Fact]:
    if not result.ties:
        return []
    if weighed(result):
        text = f"Weightings that are as good with as many features: {result.ties:,}."
        return [Fact("ties", "Ties", "", text)]
    count = "One other subset is" if result.ties == 1 else f"{result.ties:,} other subsets are"
    first = ", ".join(result.alternatives[0][:8]) if result.alternatives else ""
    more = ", …" if result.alternatives and len(result.alternatives[0]) > 8 else ""
    example = f", for example {first}{more}" if first else ""
    return [Fact("ties", "Ties", "", f"{count} exactly as good and as small{example}.")]


def _illusion(v: Validation) -> Fact:
    words = unit(v.metric)
    worth = " That is no better than guessing without any feature." if v.worthless else ""
    text = (
        "It is an illusion of the search, which tried many subsets and kept the one that fitted "
        f"its rows best. In the validation, the mean selection score was "
        f"{words.score(v.selection_score)}, but the score on rows not seen in the selection was "
        f"{words.score(v.score)}.{worth}"
    )
    return Fact("illusion", "Do not believe the selection score", "", text)


def _beyond(result: Result, found: Corrected) -> list[Fact]:
    """Return a warning where the selection score is outside the interval of the replays."""
    words = selection_unit(result)
    if result.score <= found.interval[1]:
        return []
    text = (
        f"It is {words.score(result.score)}, but only {words.score(found.score)} is left when the "
        "search is run again without the rows that it is judged on."
    )
    return [Fact("illusion", "Do not believe the selection score", "", text)]


def _not_validated(result: Result) -> Fact:
    text = (
        f"The selection score {selection_unit(result).score(result.score)} guided the search, so "
        "it is optimistic, sometimes by far. Validate the selection (fewest.validate, or "
        "`fewest select` without --no-validate) before you rely on it."
    )
    return Fact("unvalidated", "Not validated", "", text)
