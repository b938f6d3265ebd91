import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._report.classifiers_together import (
    joint_answer,
    joint_charts,
    joint_sentences,
    joint_tables,
)
from fewest._report.page import joint_page

MODELS = {
    "nb": GaussianNB(),
    "1-nn": KNeighborsClassifier(1),
    "3-nn": KNeighborsClassifier(3),
    "<b>tree</b>": DecisionTreeClassifier(random_state=0),
    "broken": DummyClassifier(strategy="constant", constant="none"),
}


@pytest.fixture(scope="module")
def found():
    X, y = load_iris(return_X_y=True)
    return fewest.joint_behaviour(MODELS, X, y, scheme=5, random_state=0)


def test_the_answer_names_the_original_ones_and_who_is_left_out(found):
    answer = joint_answer(found)
    original = [name for name, is_so in found.readings["hard"].items() if is_so]
    assert answer["features"] == original
    assert str(len(original)) in answer["headline"] or "None" in answer["headline"]
    assert [w["title"] for w in answer["warnings"]] == ["broken is left out"]
    assert "proven best" in joint_sentences(found)[0]


def test_charts_and_tables_hold_every_classifier(found):
    charts = {chart.name: chart for chart in joint_charts(found)}
    assert set(charts) == {"network", "influence", "agreement", "accuracy"}
    assert charts["agreement"].x.categories == list(found.names)
    tables = joint_tables(found)
    assert [row[0] for row in tables[0]["rows"]] == list(found.names)
    assert len(tables[-1]["rows"]) == 6


def test_families_have_colours_and_original_classifiers_a_mark():
    X, y = load_iris(return_X_y=True)
    models = {name: model for name, model in MODELS.items() if name != "broken"}
    families = {"near": ["1-nn", "3-nn"], "others": ["nb"]}
    found = fewest.joint_behaviour(models, X, y, families=families, scheme=5, random_state=0)
    (nodes,) = [mark for mark in joint_charts(found)[0].marks if mark.kind == "nodes"]
    told = dict(zip(nodes.words, nodes.roles, strict=True))
    original = found.readings["hard"]
    near, other = (
        {role for word, role in told.items() if (word.removesuffix(" *") in families["near"]) is so}
        for so in (True, False)
    )
    assert near == {"honest"}
    assert other == {"all"}
    assert all(word.endswith(" *") == original[word.removesuffix(" *")] for word in told)


def test_the_page_escapes_names(found):
    page = joint_page(found, "iris")
    assert "<b>tree</b>" not in page
    assert "iris: 4 classifiers together" in page
