"""Generated data have the properties their rules promise."""

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from fewest.data import generate, load
from fewest.data.generators import names
from fewest.errors import InputError

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
    "noise": (60, 500, 2, 0),
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


def _entropy(*columns):
    counts = np.unique(np.stack(columns), axis=1, return_counts=True)[1]
    return -(counts / counts.sum() * np.log2(counts / counts.sum())).sum()


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


def test_noise_is_balanced_and_names_are_generated_on_load():
    assert np.unique(generate("noise").y, return_counts=True)[1].tolist() == [30, 30]
    assert load("corral").relevant == ("A0", "A1", "B0", "B1")


@pytest.mark.parametrize("n_rows", [0, -1, 2.5, True])
def test_rows_must_be_a_number(n_rows):
    with pytest.raises(InputError, match="`n_rows` must be a whole number of at least 1"):
        generate("led24", n_rows)


def test_no_such_generator():
    with pytest.raises(InputError, match="'led42' is none; did you mean 'led24'"):
        generate("led42")
