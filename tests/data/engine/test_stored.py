import numpy as np
import pytest

from fewest import SubsetSelector
from fewest.data.build import as_table
from fewest.data.engine.build import stored_table
from fewest.errors import InputError
from fewest.measures.registry import resolve_measure
from tests.data.engine.sample import arrow, frame, mixed

COUNTED = (
    "information-gain", "gain-ratio", "symmetric-uncertainty", "mrmr", "jmi", "cmim", "cfs",
    "koller-sahami", "mdl", "mdl-fs", "call", "log-likelihood",
)  # fmt: skip
EVERY = np.array([[bool(n >> j & 1) for j in range(6)] for n in range(64)])


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("batch", [11, 10_000])
def test_every_subset_scores_as_in_memory(name, batch):
    table = frame().drop(columns="w")
    memory = resolve_measure(name).bind(as_table(table.drop(columns="y"), table["y"]))
    stored = resolve_measure(name).bind(stored_table(arrow(table, batch), "y"))
    assert (stored.score(EVERY).value == memory.score(EVERY).value).all()


@pytest.mark.parametrize("name", ["mrmr", "mdl-fs", "information-gain"])
def test_weights_and_numbers_score_as_in_memory(name):
    table = frame()
    X, weight = table.drop(columns=["y", "w"]), table["w"]
    memory = resolve_measure(name).bind(as_table(X, table["y"], metadata={"sample_weight": weight}))
    given = stored_table(arrow(table), "y", metadata={"sample_weight": "w"})
    stored = resolve_measure(name).bind(given)
    np.testing.assert_allclose(
        stored.score(EVERY).value, memory.score(EVERY).value, rtol=1e-12, atol=1e-12
    )
    numbers = mixed()
    memory = resolve_measure(name).bind(as_table(numbers.drop(columns="y"), numbers["y"]))
    stored = resolve_measure(name).bind(stored_table(arrow(numbers), "y"))
    four = EVERY[:16, :4]
    assert (stored.score(four).value == memory.score(four).value).all()


def test_a_tan_keeps_the_same_features():
    table = frame().drop(columns="w")
    measure = resolve_measure("mdl-fs")
    measure.set_params(classifier="tan")
    stored = SubsetSelector(measure, search="sfs").fit(arrow(table).dataset, target="y")
    memory = SubsetSelector(measure, search="sfs").fit(table, target="y")
    assert stored.result_.features == memory.result_.features
    assert stored.result_.left_out == memory.result_.left_out
    assert stored.get_feature_names_out().tolist() == stored.result_.features


def test_whatever_needs_rows_says_so():
    table = stored_table(arrow(frame()), "y")
    for step in (lambda: table.values, lambda: table.target, lambda: table.take(np.arange(3))):
        with pytest.raises(InputError, match="stay where they are, but this step needs them in"):
            step()
    with pytest.raises(InputError, match="The measure `relieff` needs the rows in memory"):
        SubsetSelector("relieff", search="sfs").fit(arrow(frame()).dataset, target="y")


def test_constants_and_columns_with_too_many_labels_are_noted():
    names = [f"row {i}" for i in range(3000)]
    table = frame(3000).drop(columns="w").assign(one="same", name=names)
    selector = SubsetSelector("mrmr", search="sfs").fit(arrow(table).dataset, target="y")
    found = selector.result_.extra["check"]["findings"]
    assert [(one["kind"], one["columns"]) for one in found] == [
        ("not-counted", ["name"]),
        ("constant", ["one"]),
    ]
    assert any("Too many different labels: name" in note for note in selector.result_.notes)
    assert "name" not in selector.feature_names_in_


def test_the_fingerprint_is_of_the_content():
    table = frame()
    one = stored_table(arrow(table, 10), "y").fingerprint
    assert one == stored_table(arrow(table.iloc[::-1]), "y").fingerprint
    assert one != stored_table(arrow(table.iloc[1:]), "y").fingerprint
