"""One wording for terminal and page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fewest._report.facts import difference_in_words, facts, warnings
from fewest._report.first_screen import answer
from fewest._report.provenance import command_line, settings_rows
from fewest._report.text import describe_result
from fewest._report.units import unit
from fewest._report.votes import Fact
from fewest._validation.significance import Difference
from fewest.testing._results import toy_result


def said(result):
    return {fact.kind: fact for fact in facts(result)}


def words(verdict, p=0.2, metric="accuracy"):
    found = Difference(-0.021, -0.05, 0.008, p, "some test", 0.01, 0.04, verdict)
    return difference_in_words(found, unit(metric), "The selected features", "all features")


def test_terminal_and_page_say_the_same():
    result = toy_result(illusion=True)
    flat = " ".join(describe_result(result).split())
    told = answer(result)
    assert told["sentences"]
    assert all(sentence["text"] in flat for sentence in told["sentences"])
    assert all(warning["text"] in flat for warning in told["warnings"])


@pytest.mark.parametrize("verdict", ["better", "worse"])
def test_a_significant_difference_has_a_direction(verdict):
    assert words(verdict, 0.006) == (
        f"The selected features are {verdict} than all features (95 % interval −5.0 to +0.8; "
        "some test, p = 0.006)."
    )


def test_not_worse_names_the_margin_and_its_own_test():
    assert words("not worse") == (
        "The selected features are not worse than all features by more than 1 point (95 % "
        "interval −5.0 to +0.8; one-sided test, p = 0.040)."
    )


def test_undecided_claims_nothing():
    text = words("undecided")
    assert text.startswith("Undecided: the selected features may be better or worse")
    assert "A loss of more than 1 point cannot be ruled out." in text
    assert "does not show in which direction" in words("undecided", 0.03)
    assert "same score" in words("equal")


def test_errors_are_told_without_their_minus_sign():
    assert "95 % interval −0.008 to +0.05" in words("worse", 0.01, "neg_mean_absolute_error")


def test_a_proof_is_about_these_rows():
    exact = toy_result(honest=False, folds=False)
    assert said(exact)["proof"].text == (
        "It is proven that no smaller subset reaches the threshold on these rows."
    )
    noisy = toy_result(honest=False)
    noisy = replace(noisy, optimal=True)
    assert said(noisy)["proof"].text == (
        "It is proven that no allowed subset has a better cross-validated score. This is about "
        "the score on these rows, not about new data."
    )
    deterministic = toy_result(honest=False, folds=False)
    deterministic = replace(deterministic, bound=None)
    assert said(deterministic)["proof"].text == (
        "It is proven that no allowed subset has a better score on these rows."
    )


def test_a_bound_and_a_cut_run():
    result = toy_result(honest=False, folds=False)
    result = replace(result, optimal=False, bound=1.0, gap=1.0, partial=True)
    assert said(result)["proof"].text == (
        "It is proven that no answer on these rows is below 1, and this answer has 2."
    )
    assert [w.kind for w in warnings(result)] == ["partial"]


def test_warnings_have_kinds():
    assert [w.kind for w in warnings(toy_result(illusion=True))] == ["illusion"]
    assert [w.kind for w in warnings(toy_result(honest=False))] == ["unvalidated"]
    assert warnings(toy_result()) == []


def test_the_selection_score_keeps_its_own_unit():
    result = toy_result()
    assert said(result)["selection"].value.endswith("%")
    result.honest["selection_metric"] = "roc_auc"
    assert said(result)["selection"].value == f"{result.score:.4g}"


def test_ties_are_counted():
    result = toy_result()
    result = replace(result, ties=1, alternatives=[["f1", "f2"]])
    assert said(result)["ties"].text == (
        "One other subset is exactly as good and as small, for example f1, f2."
    )


def corrected(result, replayed, score=0.7):
    result = replace(result, corrected={
        "replayed": replayed, "score": score, "scores": [score - 0.01, score + 0.01] * 5,
        "optimism": result.score - score, "share": 1 / 9,
    })  # fmt: skip
    return result


def test_the_corrected_score_stands_between_selection_and_validation():
    result = corrected(toy_result(), "search")
    assert [f.kind for f in facts(result)][:3] == ["selection", "corrected", "honest"]
    fact = said(result)["corrected"]
    assert fact.value == "70.0 %"
    assert "The whole search was run again 10 times" in fact.text
    assert "optimistic" not in fact.text
    assert "slightly optimistic" in said(corrected(toy_result(), "hits"))["corrected"].text


def test_a_lesser_correction_of_an_earlier_version_is_not_shown():
    assert "corrected" not in said(corrected(toy_result(), "choice"))


def test_a_replayed_search_stands_in_for_a_validation():
    result = corrected(toy_result(honest=False), "search", 0.5)
    assert [w.kind for w in warnings(result)] == ["illusion"]
    near = corrected(toy_result(honest=False), "search", toy_result().score)
    assert warnings(near) == []
    assert [w.kind for w in warnings(corrected(near, "choice"))] == ["unvalidated"]


def test_stability_looks_at_single_features():
    result = toy_result()
    supports = np.zeros((10, 6), dtype=bool)
    supports[:, 0], supports[np.arange(10), 1 + np.arange(10) % 5] = True, True
    result.honest.update({"supports": supports.tolist(), "stability": 0.3})
    assert said(result)["stability"].text.endswith(
        "(1: always the same, 0: as by chance). In at least 9 of 10 samples: f0; the others "
        "changed."
    )
    result.honest.update({"supports": np.roll(supports, 1, axis=0)[:, 1:].tolist()})
    result.honest.update({"names": ["f1", "f2", "f3", "f4", "f5"]})
    assert said(result)["stability"].text.endswith("so others may serve as well as these.")


@pytest.mark.parametrize(("p", "word"), [(0.01, "is better than"), (0.3, "not significantly")])
def test_a_permutation_test_is_told(p, word):
    result = toy_result()
    result.extra["permutation"] = {"p_value": p, "score": 0.9, "scores": [0.5] * 99}
    assert word in said(result)["permutation"].text
    assert said(result)["permutation"].value == f"p = {p:.3f}"


def test_weights_are_compared_with_equal_ones():
    result = toy_result()
    result.extra["weights"] = [0.5, 1.0, 0.0, 0.0, 0.25, 0.0]
    result = replace(result, ties=1)
    told = {fact.kind: f"{fact.label}: {fact.text}" for fact in facts(result)}
    assert told["ties"].endswith("with as many features: 1.")
    assert told["all"] == "Equal weights: The same model with weight 1 for all 6 features."
    assert told["difference"].startswith("Difference: The weights are ")
    assert "equal weights" in told["difference"]


def test_a_selection_that_loses_says_so_first():
    result = toy_result()
    scores = [0.5 + 0.001 * i for i in range(10)]
    result.honest.update({"scores": scores, "score": 0.5})
    assert warnings(result)[0].label == "Keep all features"
    assert describe_result(result).strip().startswith("Keep all features. On new data")
    assert answer(result)["headline"].startswith("Keep all 6 features")
    assert answer(result)["warnings"][0]["title"] == "Keep all features"


def test_nothing_kept_beside_features_that_are_better_together_is_no_advice_to_keep_all():
    result = replace(toy_result(), features=[], support=np.zeros(6, dtype=bool))
    result.honest.update({"scores": [0.5 + 0.001 * i for i in range(10)], "score": 0.5})
    assert warnings(result)[0].label == "Two tests disagree"
    assert "But all 6 together are 31.6 points better than guessing" in warnings(result)[0].text
    assert said(result)["difference"].text.startswith("Guesses without features are worse than")


def test_replays_alone_can_say_that_selection_loses():
    result = toy_result(honest=False)
    parts = [0.8 + 0.001 * (i % 3) for i in range(10)]
    result = replace(result, corrected={
        "score": 0.7, "scores": [p - 0.1 for p in parts], "optimism": 0.1, "replayed": "search",
        "share": 1 / 9, "all_scores": [p + 0.0001 * (i % 2) for i, p in enumerate(parts)],
    })  # fmt: skip
    first = warnings(result)[0]
    assert first.label == "Keep all features"
    assert first.text.startswith("In the replays of the search the selected features are worse")
    result.corrected["all_scores"] = result.corrected["scores"]
    assert all(w.label != "Keep all features" for w in warnings(result))


def test_a_fact_without_a_figure_is_its_text():
    assert Fact("ties", "Ties", "", "None.").sentence() == "None."
    assert Fact("honest", "Honest", "0.9", "Expect this.").sentence() == "0.9. Expect this."


def test_command_line_names_only_what_matters():
    command = {"data": "d.csv", "seed": 3, "validate": True, "quiet": True, "json": "x.json"}
    assert command_line(command) == "fewest select d.csv --seed 3"
    assert command_line(None) == ""


def test_settings_tell_seed_and_validation():
    rows = dict(settings_rows(toy_result(seed=7)))
    assert rows["seed"] == "7"
    assert rows["validation"] == "5x2cv, accuracy, seed 7"
