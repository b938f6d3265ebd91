"""Tables that are made."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_friedman1, make_friedman2, make_friedman3
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from fewest._errors import InputError
from fewest.data import generate, load
from fewest.data._generators import names
from fewest.data._generators.classic import assemble, bits, continuous, nominal

# Every generator by name: shapes, seeds, refusals.
SHAPES = {
    "led24": (1000, 24, 10, 7),
    "led24-faultless": (1200, 24, 10, 7),
    "redundant21": (2500, 21, 2, 9),
    "redundant-order-3": (2000, 21, 2, 15),
    "redundant-order-5": (2000, 21, 2, 9),
    "redundant-order-7": (2000, 21, 2, 9),
    "red60of1": (2000, 100, 2, 60),
    "red30of2": (2000, 80, 2, 50),
    "red30of3": (2000, 100, 2, 40),
    "waveform-21": (5000, 21, 3, 19),
    "waveform-40": (5000, 40, 3, 19),
    "corral": (32, 6, 2, 4),
    "parity3+3": (64, 12, 2, 3),
    "monks-1": (432, 6, 2, 3),
    "monks-2": (432, 6, 2, 6),
    "monks-3": (432, 6, 2, 3),
    "3-weights": (600, 12, 2, 8),
    "c-weights": (600, 10, 2, 10),
    "xor": (32, 8, 2, 3),
    "friedman1": (200, 10, 0, 5),
    "friedman2": (200, 4, 0, 4),
    "friedman3": (200, 4, 0, 4),
    "linear": (300, 40, 0, 8),
    "noise": (60, 500, 2, 0),
    "dirty-churn": (5300, 17, 2, 4),
    "patients": (600, 15, 2, 2),
    "fraud": (5000, 9, 2, 3),
    "sensors-in-time": (3000, 7, 2, 2),
    "survey": (1500, 11, 2, 3),
    "houses": (1000, 9, 0, 3),
}


@pytest.mark.parametrize("name", names())
def test_shapes_and_seeds(name):
    data = generate(name)
    table = data.table()
    base = name.removesuffix("-scattered")
    shape = (table.n_rows, table.n_features, table.n_classes, len(data.relevant))
    assert shape == SHAPES[base]
    assert set(data.relevant) <= set(data.names)
    assert data.about
    assert generate(name, random_state=0).table().fingerprint == table.fingerprint
    assert generate(name, n_rows=50, random_state=1).table().n_rows == 50


@pytest.mark.parametrize("name", ["led24", "waveform-40", "corral", "noise", "c-weights"])
def test_another_seed_gives_other_rows(name):
    first, second = (generate(name, 100, random_state=s).table() for s in (0, 1))
    assert first.fingerprint != second.fingerprint


@pytest.mark.parametrize("n_rows", [0, -1, 2.5, True])
def test_rows_must_be_a_number(n_rows):
    with pytest.raises(InputError, match="`n_rows` must be a whole number of at least 1"):
        generate("led24", n_rows)


def test_no_such_generator():
    with pytest.raises(InputError, match="'led42' is none; did you mean 'led24'"):
        generate("led42")


# Columns and labels made by a rule become a data set.
def test_all_kinds_of_columns():
    codes = np.array([[0, 1], [1, 0], [1, 1]])
    columns = [
        *continuous(np.array([[0.5], [1.5], [2.5]])),
        *bits(codes[:, :1]),
        *nominal(codes[:, 1:], [("low", "high")]),
    ]
    data = assemble(
        "made", ["size", "on", "level"], columns, np.array([1, 0, 1]), ("a", "b"), ["on"]
    )
    assert data.relevant == ("on",)
    assert data.target == "class"
    assert data.y.tolist() == ["b", "a", "b"]
    assert data.table().values.tolist() == [[0.5, 0, 1], [1.5, 1, 0], [2.5, 1, 1]]
    assert data.schema.levels == (None, ("0", "1"), ("low", "high"))


def test_every_column_needs_its_levels():
    with pytest.raises(ValueError):
        nominal(np.zeros((2, 2), dtype=int), [("a", "b")])


# LED and waveforms as published.
def test_led_is_as_hard_as_published():
    # Breiman et al. (1984): the best possible accuracy is 74 %.
    data = generate("led24", 20_000)
    codes = data.table().values.astype(int)[:, :7]
    model = CategoricalNB().fit(codes[:10_000], data.y[:10_000])
    assert model.score(codes[10_000:], data.y[10_000:]) == pytest.approx(0.74, abs=0.015)
    assert abs(data.table().values[:, 7:].mean() - 0.5) < 0.01


def test_waveforms_have_the_means_of_the_file(dataset):
    ours, theirs = generate("waveform-40").table(), dataset("waveform-40").table()
    np.testing.assert_allclose(ours.values.mean(axis=0), theirs.values.mean(axis=0), atol=0.15)
    np.testing.assert_allclose(ours.values.std(axis=0), theirs.values.std(axis=0), atol=0.15)
    accuracy = GaussianNB().fit(ours.values, ours.target).score(ours.values, ours.target)
    assert accuracy == pytest.approx(0.80, abs=0.02)


# Concepts in logic.
def _entropy(*columns):
    counts = np.unique(np.stack(columns), axis=1, return_counts=True)[1]
    return -(counts / counts.sum() * np.log2(counts / counts.sum())).sum()


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_are_the_published_domains(problem, dataset):
    ours, theirs = generate(f"monks-{problem}"), dataset(f"monks-{problem}-test")
    rows = [
        {(*map(str, row), label) for row, label in zip(d.X.to_numpy(), d.y, strict=True)}
        for d in (ours, theirs)
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 432


def test_a_sample_of_the_third_monk_has_wrong_labels():
    data = generate("monks-3", n_rows=4000)
    a2, a4, a5 = (data.X[c].astype(str).to_numpy() for c in ("a2", "a4", "a5"))
    rule = ((a5 == "3") & (a4 == "1")) | ((a5 != "4") & (a2 != "3"))
    assert np.mean(rule != (data.y == "1")) == pytest.approx(0.05, abs=0.01)


def test_corral_and_parity():
    values = generate("corral").table().values.astype(int)
    label = (generate("corral").y == "1").astype(int)
    a, b, c, d, _, correlated = values.T
    np.testing.assert_array_equal(label, (a & b) | (c & d))
    assert (correlated == label).sum() == 24
    parity = generate("parity3+3")
    bits = parity.table().values.astype(int)
    np.testing.assert_array_equal(parity.y == "1", bits[:, :3].sum(axis=1) % 2)
    np.testing.assert_array_equal(bits[:, :6], bits[:, 6:])


def test_the_xor_example_has_the_stated_properties():
    data = generate("xor")
    A = dict(zip(data.names, data.table().values.astype(int).T, strict=True))
    C = (data.y == "1").astype(int)
    np.testing.assert_array_equal(C, (A["A1"] ^ A["A4"]) & A["A2"])
    np.testing.assert_array_equal(A["A8"], A["A2"])
    np.testing.assert_array_equal(A["A5"], A["A7"])
    others = [A[a] for a in ("A1", "A2", "A3", "A4", "A6")] + [C]
    assert _entropy(A["A5"], *others) == pytest.approx(1 + _entropy(*others))
    assert _entropy(A["A2"]) + _entropy(A["A3"]) - _entropy(A["A2"], A["A3"]) > 0.3
    given = [A["A1"], A["A4"], C]
    independent = _entropy(A["A3"], A["A2"]) - _entropy(A["A2"])
    rest = _entropy(A["A3"], A["A2"], *given) - _entropy(A["A2"], *given)
    assert rest == pytest.approx(independent)
    assert _entropy(A["A6"], A["A1"], A["A2"], A["A4"]) == pytest.approx(3)
    assert (A["A6"] == C).sum() == 28
    for alone in ("A1", "A4"):  # no use by themselves
        assert _entropy(A[alone], C) == pytest.approx(1 + _entropy(C))
    assert generate("xor", 3200).table().n_rows == 3200


# The nearer corner decides the class.
@pytest.mark.parametrize("name", [n for n in names() if n.startswith("red")])
def test_the_class_is_the_nearer_corner_by_the_relevant_features(name):
    data = generate(name)
    values = data.table().values
    used = values[:, [data.names.index(f) for f in data.relevant]]
    to_zeros = np.sqrt((used**2).sum(axis=1))
    to_nines = np.sqrt(((9 - used) ** 2).sum(axis=1))
    np.testing.assert_array_equal(data.y == "zeros", to_zeros < to_nines)
    assert values.min() >= 3
    assert values.max() <= 6
    for j, feature in enumerate(data.names):
        original = data.names.index(feature.split("-")[0])
        np.testing.assert_array_equal(values[:, j], values[:, original])


def test_copies_stand_together_or_scattered():
    together = generate("red30of3").names
    assert together[:3] == ("a1", "a1-copy1", "a1-copy2")
    scattered = generate("red30of3-scattered").names
    assert sorted(scattered) == sorted(together)
    assert scattered != together
    assert generate("redundant21").names[:9] == tuple(f"a{j}" for j in range(1, 10))


@pytest.mark.parametrize("name", ["3-weights", "c-weights"])
def test_weights_are_those_of_the_distance(name):
    data = generate(name)
    values, weights = data.table().values, np.array(data.weights)
    nearer = (weights * values**2).sum(axis=1) < (weights * (9 - values) ** 2).sum(axis=1)
    np.testing.assert_array_equal(data.y == "zeros", nearer)
    assert generate(name, random_state=5).weights == data.weights


# Noise.
def test_noise_is_balanced_and_names_are_generated_on_load():
    assert np.unique(generate("noise").y, return_counts=True)[1].tolist() == [30, 30]
    assert load("corral").relevant == ("A0", "A1", "B0", "B1")


# Domains with numeric targets against scikit-learn and their definitions.
FRIEDMAN = {"friedman1": make_friedman1, "friedman2": make_friedman2, "friedman3": make_friedman3}


@pytest.mark.parametrize("name", FRIEDMAN)
def test_a_model_of_the_columns_of_scikit_learn_holds_here(name):
    X, y = FRIEDMAN[name](3000, random_state=0)
    model = ExtraTreesRegressor(30, random_state=0).fit(X, y)
    data = generate(name, 1000).table()
    quiet = FRIEDMAN[name](1000, noise=0, random_state=1)
    noise = {"friedman1": 1.0, "friedman2": 125.0, "friedman3": 0.1}[name]
    error = np.mean((data.target - model.predict(data.values)) ** 2)
    own = np.mean((quiet[1] - model.predict(quiet[0])) ** 2)
    assert error == pytest.approx(noise**2 + own, rel=0.25)


def test_the_linear_domain():
    data = generate("linear", 20_000)
    table = data.table()
    r = np.corrcoef(table.values.T)
    assert r[0, 1] == pytest.approx(0.7, abs=0.02)
    assert r[0, 2] == pytest.approx(0.49, abs=0.03)
    beta = np.linalg.lstsq(table.values, table.target)[0]
    expected = [0.0] * 40
    for i, name in enumerate(data.relevant):
        expected[data.names.index(name)] = 1.0 - 2 * (i % 2)
    np.testing.assert_allclose(beta, expected, atol=0.12)
    assert np.std(table.target - table.values @ beta) == pytest.approx(2.0, abs=0.05)


# Tables with planted faults against the definitions of their faults and their truth.
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
