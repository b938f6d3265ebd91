"""Pages: whole, small, and safe whatever the columns are called."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB

from fewest import NetworkLearner, SubsetSelector, compare
from fewest._errors import InputError
from fewest._report.first_screen import answer
from fewest._report.network_report import network_charts, network_page
from fewest._report.page import (
    answer_html,
    comparison_page,
    notebook_html,
    result_page,
    script_json,
    write,
    write_saved,
)
from fewest._report.provenance import comparison_rows
from fewest._run.result import Result
from fewest._validation.comparison import Comparison
from fewest.networks._bif import sample_dataset
from fewest.testing._results import toy_comparison, toy_result

HEADLINE = "2 of 6 features are kept, and the model gets better"
EVIL = [
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "<!--", "a&b", "'\"",
    "{{ 7 * 7 }}", "\u2028",
]  # fmt: skip


class Tags(HTMLParser):
    """Start tags with attributes, and the text of scripts."""

    def __init__(self):
        super().__init__()
        self.found, self.scripts, self._inside = [], [], False

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, data):
        if self._inside:
            self.scripts[-1] += data


def parsed(html):
    tags = Tags()
    tags.feed(html)
    return tags


def test_evil_names_are_text():
    html = result_page(toy_result(EVIL))
    tags = parsed(html)
    assert [t for t, _ in tags.found].count("script") == 3
    assert not [a for _, a in tags.found if any(name.startswith("on") for name in a)]
    assert "img" not in [t for t, _ in tags.found]
    assert json.loads(tags.scripts[0])["subsets"]["names"] == EVIL
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_nothing_points_to_the_network():
    tags = parsed(result_page(toy_result()))
    assert not [a for _, a in tags.found if {"src", "href", "action"} & set(a)]
    html = result_page(toy_result())
    assert set(re.findall(r"https?://[^\"' <)]+", html)) == {"http://www.w3.org/2000/svg"}


def test_only_the_scripts_and_styles_of_the_page_itself_may_run():
    page = result_page(toy_result())
    policy = html.unescape(re.search('Security-Policy" content="([^"]*)"', page)[1])
    assert "unsafe" not in policy
    for tag, source in (("script", "script-src"), ("style", "style-src")):
        texts = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.S)
        assert texts
        for text in texts:
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy.partition(source)[2]
    assert not re.search(r"<[^>]+\son\w+=", page.partition("<main")[2])


def test_page_holds_answer_figures_settings_subsets_in_this_order():
    html = result_page(toy_result())
    places = [
        html.index(f">{head}<")
        for head in (HEADLINE, "Figures", "How to repeat it", "The best subsets")
    ]
    assert places == sorted(places)


def test_page_shows_the_command():
    result = toy_result()
    result.settings["command"] = {"data": "a b.csv", "seed": 1}
    assert "fewest select &#39;a b.csv&#39; --seed 1" in result_page(result)


@pytest.mark.parametrize("honest", [True, False])
@pytest.mark.parametrize("folds", [True, False])
def test_every_kind_of_result_renders(honest, folds):
    html = result_page(toy_result(honest=honest, folds=folds))
    assert html.startswith("<!doctype html>")
    assert html.endswith("</html>")


def test_nan_does_not_reach_the_script():
    result = toy_result(honest=False)
    result = replace(result, score=float("nan"))
    result.history[0]["best_so_far"] = float("nan")
    result.archive[3]["value"] = float("nan")
    data = parsed(result_page(result)).scripts[0]
    json.loads(data, parse_constant=pytest.fail)


def test_fresh_and_saved_results_give_the_same_page(tmp_path):
    result = toy_result()
    result.history[0]["best_so_far"] = float("nan")
    result.save(tmp_path / "result.json")
    assert result_page(Result.load(tmp_path / "result.json")) == result_page(result)


def test_script_json_is_json():
    value = {"</script>": ["<!--", "é", "\u2028'&"]}
    assert json.loads(script_json(value)) == value
    assert not set("<>&'") & set(script_json(value))


def test_comparison_page_has_a_row_a_method():
    html = comparison_page(toy_comparison(["ebna", "<sfs>"]))
    assert "ebna against &lt;sfs&gt;" in html
    assert "on new data" in html


def test_comparison_page_says_how_to_repeat_it():
    X, y = load_iris(return_X_y=True, as_frame=True)
    both = {
        "few": SubsetSelector("naive-bayes", search="sfs", max_features=2, cv=3),
        "plain": SelectKBest(k=2),
    }
    compared = compare(both, X, y, estimator=GaussianNB(), scheme="2x2cv", random_state=7)
    told = dict(comparison_rows(compared))
    assert told["seed"] == "7"
    assert told["estimator"] == "GaussianNB()"
    assert told["scheme"] == "2x2cv, 4 external folds"
    assert told["rows"] == "150"
    assert "SFS(" in told["method few"]
    assert "max_features=2" in told["method few"]
    assert told["method plain"] == "selector: SelectKBest(k=2)"
    assert set(told) >= {"fewest", "data fingerprint", "python", "numpy", "scikit-learn"}
    assert Comparison.from_dict(compared.to_dict()).to_dict() == compared.to_dict()


def test_unwritable_path_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="The report cannot be written to .* give another path"):
        write(toy_result(), tmp_path / "missing" / "page.html")


def test_saved_comparison_gives_the_same_page(tmp_path):
    compared = toy_comparison(["ebna", "sfs"])
    saved, page = tmp_path / "c.json", tmp_path / "c.html"
    saved.write_text(json.dumps(compared.to_dict()))
    write_saved(saved, page)
    assert page.read_text(encoding="utf-8") == comparison_page(compared)
    again = Comparison.from_dict(json.loads(saved.read_text()))
    assert again.to_dict() == compared.to_dict()


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "it is not JSON"), ("[]", "it does not say so"), (None, "cannot be read")],
)
def test_what_is_neither_is_refused(tmp_path, text, words):
    saved = tmp_path / "x.json"
    if text is not None:
        saved.write_text(text)
    with pytest.raises(InputError, match=words):
        write_saved(saved, tmp_path / "x.html")


def test_a_page_of_many_subsets_stays_small():
    rng = np.random.default_rng(0)
    result = toy_result([f"feature-{j:03d}" for j in range(200)])
    order = rng.random((2_000, 200)).argsort(axis=1)[:, :30]
    rows = [sorted(row) for row in order.tolist()]
    values = np.sort(rng.random(100_000))[::-1].tolist()
    result = replace(
        result,
        archive=[
            {"features": rows[i % 2_000], "value": v, "std": 0.02, "size": 30, "generation": i % 50}
            for i, v in enumerate(values)
        ],
    )
    assert len(result_page(result).encode()) < 8_000_000


def test_warnings_come_before_the_features():
    html = result_page(toy_result(illusion=True))
    assert html.index('class="alarm"') < html.index('class="chips"')


@pytest.fixture(scope="module")
def fitted():
    table = sample_dataset("asia", n_rows=2000).frame()
    learner = NetworkLearner().fit(table)
    return learner, learner.facts(table, bootstraps=5, random_state=0)


def test_the_page_shows_the_graph_the_arcs_and_every_table(fitted):
    pytest.importorskip("jinja2")
    learner, facts = fitted
    page = network_page(learner.network_, learner.result_, facts, "asia")
    assert "proven best" in page
    for name in learner.network_.names:
        assert name in page
    assert page.count("either given") + page.count("dysp given") >= 1
    charts = network_charts(learner.network_, facts)
    assert [chart.name for chart in charts] == ["network", "influence", "likelihood"]
    assert len(charts[1].marks[0].x) == len(learner.network_.arcs)


def with_gaps(mean, spread=0.01):
    """A result whose kept features score this much above all features, give or take."""
    result = toy_result()
    gaps = mean + spread * np.tile([1.0, -1.0], 5)
    result.honest["scores"] = (0.8 + gaps).tolist()
    result.honest["baseline_scores"] = [0.8] * 10
    result.honest["score"], result.honest["baseline"] = 0.8 + mean, 0.8
    result.honest["overlap"] = {"share": 1 / 9, "halves": False}
    return result


@pytest.mark.parametrize(
    ("mean", "ending"),
    [
        (0.03, "and the model gets better"),
        (0.002, "and the model loses less than 1 point"),
        (-0.006, "but whether the model gets better or worse is undecided"),
    ],
)
def test_the_headline_says_no_more_than_the_tests(mean, ending):
    assert answer(with_gaps(mean))["headline"] == f"2 of 6 features are kept, {ending}"


def test_guessing_is_told_from_fields_not_from_words():
    result = toy_result(illusion=True)
    assert "guessing" not in answer(result)["headline"]
    result.honest["guessing"] = 0.5
    told = answer(result)
    assert told["headline"].endswith("and they are no better than guessing")
    assert "no better than guessing" in told["warnings"][0]["text"]


def test_without_validation_the_page_says_so():
    told = answer(toy_result(honest=False))
    assert told["warnings"][0]["title"] == "Not validated"
    assert [f["label"] for f in told["figures"]] == [
        "features kept", "selection score (optimistic)",
    ]  # fmt: skip


def test_the_large_selection_score_is_that_of_the_result():
    result = toy_result()
    figures = {f["role"]: f["value"] for f in answer(result)["figures"]}
    assert figures["selection"] == f"{100 * result.score:.1f} %"


def test_a_filter_is_named_by_its_measure():
    told = answer(toy_result(honest=False, folds=False))
    assert told["figures"][-1]["label"] == "inconsistency"
    assert told["warnings"] == []


def test_a_loss_is_the_headline():
    assert answer(with_gaps(-0.03))["headline"] == (
        "Keep all 6 features: with 2 of them the model gets worse"
    )


pytest.importorskip("jinja2")


def test_it_is_the_first_screen_of_the_page():
    result = toy_result()
    html = notebook_html(result)
    section = answer_html(answer(result))
    assert section in result_page(result)
    assert section.replace(' id="answer"', "") in html
    assert 'id="' not in html
    assert "<script" not in html


def test_names_are_escaped():
    result = toy_result()
    result = replace(result, features=["<b>bold</b>"])
    assert "<b>" not in notebook_html(result)
