"""Tables with planted faults against the definitions of their faults and their truth."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from fewest.data import generate


def numbers(data, *names):
    return np.column_stack([np.asarray(data.X[name], dtype=float) for name in names])


def test_churn_follows_its_logit_and_has_duplicates():
    data = generate("dirty-churn", 53_000)
    frame = data.X.drop_duplicates()
    assert len(frame) == 50_000
    y = data.y[frame.index] == "yes"
    x = numbers(data, "calls", "tenure", "charges")[frame.index]
    x = (x - [2, 36, 70]) / [1.4, 21, 29]
    x = np.column_stack([x, frame["contract"] == "month"])
    model = LogisticRegression(C=1e6).fit(x, y)
    np.testing.assert_allclose(model.coef_[0], [1.2, -1.2, 0.8, 1.5], atol=0.1)
    assert np.mean((frame["refund"] > 0) == y) > 0.98
    np.testing.assert_allclose(frame["charges_with_tax"], 1.1 * frame["charges"])
    assert frame["customer_id"].nunique() == frame["comment"].nunique() == 50_000


def test_patients_are_recognised_but_their_diagnosis_is_not():
    data = generate("patients")
    x = numbers(data, *(f"marker{j}" for j in range(1, 13)))
    nearest = KNeighborsClassifier(1)
    rows = cross_val_score(nearest, x, data.y, cv=5).mean()
    people = cross_val_score(nearest, x, data.y, cv=GroupKFold(5), groups=data.X["patient"])
    assert rows > 0.95
    assert people.mean() < 0.75


def test_fraud_is_rare():
    assert np.mean(generate("fraud").y == "fraud") == 0.024


def test_the_state_of_the_machine_lasts():
    data = generate("sensors-in-time", 20_000)
    assert np.mean(data.y[1:] != data.y[:-1]) == pytest.approx(1 / 24, abs=0.005)
    walk = numbers(data, "drift1")[:, 0]
    assert np.corrcoef(walk[1:], walk[:-1])[0, 1] > 0.99


def test_the_answers_of_the_survey():
    data = generate("survey", 20_000)
    low = np.isin(data.X["region"], [3, 6])
    x = np.column_stack([numbers(data, "q1", "q2", "q3"), low])
    model = LogisticRegression(C=1e6).fit(x, data.y == "yes")
    np.testing.assert_allclose(model.coef_[0], [0.8, 0.6, 0.0, -1.5], atol=0.08)
    assert set(data.X["weight"]) == {1.0, 2.0}


def test_the_prices_of_houses():
    data = generate("houses", 5000)
    wrong = data.y > 2_000_000
    assert wrong.sum() <= 50
    assert wrong.sum() >= 45
    model = LinearRegression().fit(numbers(data, "area", "rooms", "year")[~wrong], data.y[~wrong])
    np.testing.assert_allclose(model.coef_, [3000, 20_000, 1000], rtol=0.1)


@pytest.mark.parametrize("name", ["dirty-churn", "patients", "sensors-in-time", "houses"])
def test_planted_faults_name_columns(name):
    data = generate(name)
    assert {column for _, column in data.planted} <= {*data.names, ""}
