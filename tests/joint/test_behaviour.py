import json

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._errors import InputError
from fewest._models.family_scores import Score

MODELS = {
    "nb": GaussianNB(),
    "same nb": GaussianNB(),
    "1-nn": KNeighborsClassifier(1),
    "tree": DecisionTreeClassifier(random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.fixture(scope="module")
def found():
    X, y = load_breast_cancer(return_X_y=True)
    return fewest.joint_behaviour(MODELS, X, y, scheme=5, random_state=0)


def test_the_network_is_proven_and_twins_are_tied(found):
    assert found.optimal
    assert found.readings["hard"]["same nb"] or found.readings["hard"]["nb"]
    assert {"nb", "same nb"} in [set(arc) for arc in found.arcs]
    assert found.matrices["agreement"][0, 1] == 1.0
    assert any({"nb", "same nb"} <= set(members) for members in found.families.values())


def test_influences_are_those_of_the_network(found):
    rows, cards = found.predictions.codes, np.full(5, 2)
    whole = Score("bic").of(found.graph, rows, cards)
    assert whole > Score("bic").of(type(found.graph).empty(5), rows, cards)
    assert set(found.influences) == {(found.names[a], found.names[b]) for a, b in found.graph.arcs}


def test_a_suggestion_is_judged_on_other_rows(found):
    ensemble = found.suggest_ensemble(3)
    assert len(set(ensemble.members)) == 3
    assert not {"nb", "same nb"} <= set(ensemble.members)
    assert set(ensemble.accuracy) == {"suggested", "best single", "all vote", "most accurate"}
    assert all(0.8 < value < 1.0 for value in ensemble.accuracy.values())


def test_it_saves_plain_data(found, tmp_path):
    found.save(tmp_path / "joint.json")
    plain = json.loads((tmp_path / "joint.json").read_text())
    assert plain["names"] == list(MODELS)
    assert {arc["from"] for arc in plain["arcs"]} <= set(MODELS)


def test_the_seed_repeats():
    X, y = load_breast_cancer(return_X_y=True)
    one, two = (
        fewest.joint_behaviour(MODELS, X, y, random_state=3, n_jobs=n).to_dict() for n in (1, 2)
    )
    assert one == two


def test_the_genetic_search_and_the_whole_network():
    X, y = load_breast_cancer(return_X_y=True)
    plain = fewest.joint_behaviour(MODELS, X, y, random_state=3)
    bred = fewest.joint_behaviour(MODELS, X, y, search="genetic", simplify="none", random_state=3)
    searches = bred.learner.search, plain.learner.search
    assert (*searches, bred.optimal) == ("genetic", "exact", False)
    assert len(bred.simple.arcs) == len(bred.graph.arcs)
    assert bred.predictions.codes.tolist() == plain.predictions.codes.tolist()
    assert sum(bred.influences.values()) > 0


def test_refusals():
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(InputError, match="`score` must be one of bic, k2, bdeu, but is"):
        fewest.joint_behaviour(MODELS, X, y, score="aic")
    with pytest.raises(InputError, match="`repeats` must be a whole number of at least 0"):
        fewest.joint_behaviour(MODELS, X, y, repeats=-1)
    with pytest.raises(InputError, match="`simplify` must be one of recover, half, none, but is"):
        fewest.joint_behaviour(MODELS, X, y, simplify="all")
    with pytest.raises(InputError, match="'F' holds 'svm'"):
        fewest.joint_behaviour(MODELS, X, y, families={"F": ["svm"]})
