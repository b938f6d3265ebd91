"""Histories by columns."""

import copy
import json
import re
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fewest
from fewest._errors import InputError
from fewest._report.charts import result_charts
from fewest._report.page import write_saved
from fewest._report.summary import summarize
from fewest._run import views
from fewest._run.archive import Archive
from fewest._run.conclude import learned_network
from fewest._run.history import columns, entries, lines
from fewest._run.result import Result, finite
from fewest._run.versions import PACKAGES, object_text, versions
from fewest.measures._measure import Scores
from fewest.search._network_models import EBNA
from fewest.search._search_names import resolve_search
from fewest.search._spaces.subsets import Subsets
from fewest.testing._results import toy_result, toy_validation
from tests.keys import RESULT_KEYS


def result(**changes):
    plain = {
        "features": ["b"],
        "support": np.array([False, True]),
        "names": ["a", "b"],
        "score": 0.9,
        "score_std": None,
        "folds": None,
        "search": "sfs",
        "measure": "table",
        "optimal": False,
        "bound": None,
        "gap": None,
        "evaluations": 3,
        "generations": 2,
        "history": [],
        "archive": [],
        "stopped": "the search ended",
        "partial": False,
        "ties": 0,
        "alternatives": [],
        "seed": 1,
        "seconds": 0.1,
        "version": "0.1.0",
    }
    return Result(**{**plain, **changes})


def test_what_is_saved_is_what_is_loaded(tmp_path):
    result().save(tmp_path / "r.json")
    again = Result.load(tmp_path / "r.json")
    assert again.to_dict() == result().to_dict()
    assert again.support.dtype == bool


def test_the_file_holds_what_others_rely_on(tmp_path):
    result().save(tmp_path / "r.json")
    plain = json.loads((tmp_path / "r.json").read_text())
    assert set(plain) >= RESULT_KEYS
    assert plain["n_features"] == 1
    assert plain["n_features_in"] == 2


def test_infinite_and_unknown_numbers_become_null(tmp_path):
    result(score=float("nan"), gap=float("inf")).save(tmp_path / "r.json")
    plain = json.loads((tmp_path / "r.json").read_text())
    assert plain["score"] is None
    assert plain["gap"] is None
    assert np.isnan(Result.load(tmp_path / "r.json").score)


@pytest.mark.parametrize(
    ("text", "words"),
    [("no", "it is not JSON"), ("[]", "does not say so"), ('{"fewest": "journal"}', "say so")],
)
def test_other_files_are_refused(tmp_path, text, words):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(InputError, match=words):
        Result.load(tmp_path / "r.json")


def test_a_newer_format_asks_for_an_upgrade():
    with pytest.raises(InputError, match="upgrade"):
        Result.from_dict({"fewest": "result", "format": 99, "version": "9"})


def test_no_half_written_file_is_left(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        result().save(tmp_path / "no" / "r.json")
    assert list(tmp_path.iterdir()) == []


def test_results_do_not_change():
    result = toy_result(honest=False)
    with pytest.raises(FrozenInstanceError):
        result.score = 1.0
    validation = toy_validation(result.names, result.support)
    assert result.with_validation(validation).honest["score"] == validation.score
    assert result.honest is None


def test_the_score_of_older_files_is_read_by_its_older_name():
    plain = toy_result().to_dict()
    score = plain["honest"].pop("score")
    assert Result.from_dict(plain).honest["score"] == score


HISTORY = [
    {"generation": 0, "best": None, "frequency": [1.0, 0.0], "best_features": None},
    {"generation": 1, "best": 0.5, "frequency": [0.25, 1.0], "best_features": [0]},
    {"generation": 2, "best": 0.5, "frequency": [0.25, 0.0], "best_features": [0]},
    {"generation": 3, "best": 0.7, "frequency": [0.75, 0.0], "best_features": []},
]


def test_columns_name_the_best_subset_only_where_it_changes():
    told = columns(HISTORY)
    assert told["best_features"] == [None, [0], None, []]
    assert json.dumps(told["frequency"]) == "[[1, 0], [0.25, 1], [0.25, 0], [0.75, 0]]"
    assert entries(json.loads(lines(told)), "r.json") == HISTORY


def test_entries_of_different_kinds_stay_as_they_are():
    mixed = [{"best": 1.0}, {"mean": 1.0}]
    assert columns(mixed) is mixed
    assert columns([]) == entries([], "r.json") == []
    assert entries(mixed, "r.json") is mixed


@pytest.mark.parametrize("bad", [{"best": [1.0], "mean": []}, {"best": 3}])
def test_columns_that_do_not_fit_are_refused(bad):
    with pytest.raises(InputError, match="one list per quantity, all of the same length"):
        entries(bad, "r.json")


def test_a_file_has_one_line_per_field_and_loads_as_it_was(tmp_path):
    result = toy_result()
    result.history[0]["best"] = float("nan")
    result.save(tmp_path / "r.json")
    text = (tmp_path / "r.json").read_text()
    assert text.count("\n") == len(json.loads(text)) + 2
    assert Result.load(tmp_path / "r.json").to_dict() == result.to_dict()


def archive_of(space, wanted):
    """Every subset over the free units, worth one where ``wanted`` says so."""
    bits = np.array([[i >> j & 1 for j in range(space.n_units)] for i in range(2**space.n_units)])
    archive = Archive(space)
    archive.add(bits.astype(bool), Scores(np.array([float(wanted(row)) for row in bits])), 0)
    return archive


def test_units_that_come_together_are_joined():
    archive = archive_of(Subsets(5, min_features=0), lambda row: row[1] == row[3])
    found = learned_network(EBNA(population=32), archive, tuple("abcde"))["network"]
    assert sorted(map(sorted, found["arcs"])) == [[1, 3]]
    assert (found["names"], found["rows"]) == (list("abcde"), 16)


def test_nodes_are_the_free_units():
    space = Subsets(5, include=(0,), groups=((1, 2),), min_features=0)
    archive = archive_of(space, lambda row: row[0] == row[2])
    found = learned_network(EBNA(population=8), archive, tuple("abcde"))["network"]
    assert found["names"] == ["b + c", "d", "e"]
    assert sorted(map(sorted, found["arcs"])) == [[0, 2]]


def test_other_searches_have_none():
    archive = archive_of(Subsets(3, min_features=0), lambda row: True)
    assert learned_network(resolve_search("sfs"), archive, tuple("abc")) == {}


def test_page_shows_it():
    result = toy_result()
    result = replace(
        result, extra={"network": {"names": result.names, "arcs": [[0, 1]], "rows": 500}}
    )
    chart = result_charts(summarize(result))[-1]
    assert chart.name == "network"
    assert chart.note.startswith("What ebna learns from the best 500 subsets. Arrows")
    result.extra["network"]["arcs"] = []
    assert result_charts(summarize(result))[-1].name != "network"


def test_print_is_a_short_summary():
    result = toy_result()
    text = str(result)
    assert text.startswith("Chosen: 2 of 6 features\n  " + ", ".join(result.features))
    assert f"Selection score: {result.score:.4f}" in text
    assert f"On new data: accuracy {result.honest['accuracy']:.4f}" in text
    assert result.stopped in text
    assert len(text.splitlines()) < 10
    assert "On new data" not in str(toy_result(honest=False))


def test_the_repr_is_one_line():
    assert repr(toy_result()).startswith("<Result: 2 of 6 features by ")
    assert "\n" not in repr(toy_result())


def test_many_features_are_not_all_named():
    result = toy_result()
    result = replace(result, features=[f"gene{i}" for i in range(40)])
    assert "gene29 and 10 more" in str(result)
    assert "gene30" not in str(result)


@pytest.mark.parametrize(("backend", "cls"), [(None, pd.DataFrame), ("polars", pl.DataFrame)])
def test_the_frame_has_one_row_per_subset(backend, cls):
    result = toy_result()
    result.archive[0]["goals"] = {"leaves": 3.0}
    frame = result.to_frame(backend)
    assert isinstance(frame, cls)
    assert len(frame) == len(result.archive)
    assert list(frame["value"]) == [entry["value"] for entry in result.archive]
    assert list(frame["leaves"])[0] == 3.0
    named = [result.names[j] for j in result.archive[0]["features"]]
    assert list(frame["features"][0]) == named


def test_polars_stands_in_and_a_sentence_where_there_is_neither(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(toy_result().to_frame(), pl.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match="needs pandas or polars, which is not installed"):
        toy_result().to_frame()
    with pytest.raises(InputError, match='`backend` must be "pandas" or "polars"'):
        toy_result().to_frame("arrow")


def test_everything_becomes_plain_and_finite():
    given = {"a": np.float64(1.5), "b": (np.nan, np.int64(2)), "c": [{"d": float("-inf")}]}
    assert json.dumps(finite(given), allow_nan=False) == (
        '{"a": 1.5, "b": [null, 2], "c": [{"d": null}]}'
    )


def test_a_result_in_a_notebook_is_the_first_screen_of_its_page():
    assert "2 of 6 features are kept" in toy_result()._repr_html_()


def test_results_and_validations_plot_their_main_figure():
    assert toy_result().plot().axes[0].get_title(loc="left") == "What to expect on new data"
    data = fewest.load("wine")
    selector = fewest.SubsetSelector("gaussian-nb", search="sfs", cv=3, max_features=2)
    honest = fewest.validate(selector, data.X, data.y, scheme="1x3cv", random_state=0)
    assert honest.plot().axes[0].get_title(loc="left") == "What to expect on new data"


def test_what_is_provided_is_used(monkeypatch):
    monkeypatch.setattr(views, "_VIEWERS", {})
    views.provide("length", lambda subject, more: len(subject) + more)
    assert views.view("length", "abc", more=1) == 4
    with pytest.raises(KeyError):
        views.view("html", "abc")


def test_all_packages_that_make_the_numbers_are_named():
    found = versions()
    assert set(found) == {"python", *PACKAGES}
    assert found["numpy"] == np.__version__


def test_objects_are_spelled_without_their_address():
    class Thing:
        pass

    assert object_text(Thing()) == object_text(Thing())
    assert not re.search("0x[0-9a-f]", object_text(Thing()))
    assert object_text([1, "a"]) == "[1, 'a']"


SAVED = Path(__file__).parents[1] / "formats" / "result-0.1.0.json"
JUNK = [None, True, -1, 1.5, 10**400, "x", [], [1], {}, {"a": 1}, [[]], [{}]]


def plain():
    return toy_result().to_dict()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "1"}, "`format` in here must be a whole number"),
        ({"format": None}, "`format`"),
        ({"seed": "x"}, "`seed` in here must be a whole number"),
        ({"features": "abc"}, "`features`"),
        ({"features": ["f1"]}, "`features` in here must be the names that `support` marks"),
        ({"support": [True]}, "`support`"),
        ({"support": [0.5] * 6}, "`support`"),
        ({"score": "high"}, "`score`"),
        ({"stop_kind": "never"}, "`stop_kind` in here must be one of search, rule"),
        ({"history": [1]}, "`history`"),
        ({"history": [{}]}, "has no field"),
        ({"archive": [{"features": [99]}]}, "archive"),
        ({"honest": {}}, "`honest` of here has no field `score`"),
        ({"extra": {"network": 3}}, "`network`"),
        ({"extra": {"network": {"names": ["a"], "arcs": [[0, 5]], "rows": 1}}}, "`arcs`"),
        ({"alternatives": [3]}, "`alternatives`"),
    ],
)
def test_a_wrong_field_is_named(change, words):
    with pytest.raises(InputError, match=words):
        Result.from_dict({**plain(), **change}, "here")


@pytest.mark.parametrize("name", sorted(plain()))
def test_a_missing_field_is_named_or_has_a_default(name):
    less = {k: v for k, v in plain().items() if k != name}
    try:
        Result.from_dict(less, "here")
    except InputError as error:
        assert name in str(error) or name == "fewest"  # noqa: PT017


def everywhere(value, path=()):
    """The paths of all values inside plain data, of long lists only the first."""
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    inner = list(enumerate(value))[:1] if isinstance(value, list) else inner
    for key, one in inner:
        yield from everywhere(one, (*path, key))


def test_junk_in_any_place_is_a_sentence_or_a_page(tmp_path):
    whole = json.loads(SAVED.read_text())
    target = tmp_path / "bad.json"
    for i, path in enumerate(list(everywhere(whole))[1:]):
        bad = copy.deepcopy(whole)
        inside = bad
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = JUNK[i % len(JUNK)]
        target.write_text(json.dumps(bad))
        try:
            write_saved(target, tmp_path / "page.html")
        except InputError as error:
            assert str(target) in str(error)  # noqa: PT017


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"fewest": "result", "format": NaN}'])
def test_what_is_not_json_is_a_sentence(tmp_path, text):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(InputError, match="it is not JSON"):
        Result.load(tmp_path / "r.json")


def test_a_malformed_comparison_is_a_sentence(tmp_path):
    (tmp_path / "c.json").write_text('{"fewest": "comparison", "table": 3}')
    with pytest.raises(InputError, match="is damaged: a page cannot be made of it"):
        write_saved(tmp_path / "c.json", tmp_path / "page.html")
