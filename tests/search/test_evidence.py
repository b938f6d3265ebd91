"""The study, quoted."""

import json
from pathlib import Path

import pytest

from fewest.search import _auto as module
from fewest.search._auto import evidence, quoted, recommend


def test_the_file_is_what_the_rows_of_the_study_say():
    study = pytest.importorskip("benchmarks.study.evidence")
    name = evidence()["rows"]
    lines = Path(study.__file__).with_name(name).read_text().splitlines()
    assert study.evidence([json.loads(line) for line in lines], name) == evidence()


def test_the_sentence_has_the_figures_of_tables_of_this_kind(monkeypatch):
    few = {
        "ebna": {"gain": 3.14, "share": 0.4, "stability": 0.3},
        "consensus": {"gain": -1.0, "share": 0.25, "stability": 0.55},
    }
    many = {"ebna": {"gain": 0.0, "share": 0.1, "stability": 0.2}}
    told = {
        "few_rows": 500,
        "few": {"tables": 12, "methods": few},
        "many": {"tables": 9, "methods": many},
    }
    monkeypatch.setattr(module, "evidence", lambda: told)
    assert quoted("ebna", 499) == (
        " In a study of 12 tables with fewer than 500 rows, with naive Bayes, it gained +3.1 "
        "points over all features and kept 40% of them (stability 0.30). "
        '`search="sfs", consensus=20, choose="half-se"` gained -1.0 with 25% (0.55), in the time '
        "of 20 searches."
    )
    assert quoted("ebna", 500) == (
        " In a study of 9 tables with at least 500 rows, with naive Bayes, it gained +0.0 points "
        "over all features and kept 10% of them (stability 0.20)."
    )


def test_no_method_of_the_study_is_significantly_better_than_the_default():
    summary = pytest.importorskip("benchmarks.study.summary")
    run = pytest.importorskip("benchmarks.study.run")
    rule = pytest.importorskip("benchmarks.study.rule")
    methods = summary.main_methods(run.read(Path(run.__file__).with_name("full.jsonl")))
    duels = rule.duels(methods, methods["auto"])
    assert len(duels) > 50
    assert not [duel for duel in duels if duel["difference"] < 0 and duel["p"] < 0.05]
    assert recommend(40).name == "umda"


def found(**accuracies):
    """Rows of a study: methods by name, with an accuracy and a size for each table."""
    return {
        method: {
            f"t{i}": {
                "accuracy": accuracy, "all": 0.5, "size": size, "features": 10, "rows": 100,
                "stability": 0.5, "verdict": "same",
            }
            for i, (accuracy, size) in enumerate(tables)
        }
        for method, tables in accuracies.items()
    }  # fmt: skip


def test_the_study_compares_what_has_finished_on_the_same_tables():
    summary = pytest.importorskip("benchmarks.study.summary")
    rows = found(a=[(0.6, 1)] * 4, b=[(0.7, 1)] * 4, c=[(0.9, 1)])
    kept = summary.complete(rows)
    assert {method: len(tables) for method, tables in kept.items()} == {"a": 4, "b": 4}
    assert summary.mean_ranks(kept) == {"a": 2.0, "b": 1.0}


def test_the_rule_is_fitted_on_the_other_tables():
    rule = pytest.importorskip("benchmarks.study.rule")
    # On every table but the first, a is best; b is small.
    rows = found(a=[(0.4, 9), (0.9, 9), (0.9, 9)], b=[(0.6, 2), (0.6, 2), (0.6, 2)])
    told = rule.leave_one_out(rows)
    assert told["picks"] == {"t0": "a", "t1": "a", "t2": "a"}
    assert told["gain"] == pytest.approx((-10 + 40 + 40) / 3)
    assert set(rule.leave_one_out(rows, 0.3)["picks"].values()) == {"b"}
    (duel,) = rule.duels({"b": rows["b"]}, rows["a"])
    assert (duel["wins"], duel["losses"]) == (2, 1)
    assert duel["smaller"] == pytest.approx(-0.7)


def test_auto_quotes_it_for_wrappers_only():
    from fewest.measures import resolve_measure
    from fewest.search import Subsets
    from fewest.search._auto import recommend_search

    assert "In a study of" in recommend_search(resolve_measure("gaussian-nb"), 500, Subsets(40))[1]
    assert "study" not in recommend_search(resolve_measure("cfs"), 500, Subsets(40))[1]
