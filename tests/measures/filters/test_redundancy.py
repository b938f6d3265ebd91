import numpy as np
import pytest

from fewest._errors import InputError
from fewest.measures._filters.redundant_features import explain_redundancy
from tests.measures.networks.xor_example import xor_example
from tests.naive.entropies import information


def _by_name(rows):
    return {row.feature: row for row in rows}


def test_levels_of_the_xor_example_are_those_of_the_paper():
    rows = _by_name(explain_redundancy(xor_example(100)))
    # Section 7: A1, A4, A5 and A7 at level 0; A3, A5, A7 and A8 at level 1 given one other.
    assert {name for name, row in rows.items() if row.redundant} == {"A1", "A4", "A5", "A7"}
    level_1 = {name for name, row in rows.items() if row.redundant_given}
    assert {"A3", "A5", "A7", "A8"} <= level_1
    assert rows["A8"].given == "A2"
    assert not rows["A6"].redundant_given


def test_bits_and_costs_are_those_of_the_definition():
    example = xor_example()
    columns = dict(zip(example.names, example.values.T, strict=True))
    for row in explain_redundancy(example, ["A2", "A6"]):
        a = columns[row.feature]
        assert row.bits == pytest.approx(information(a, example.target), abs=1e-12)
        assert row.cost == pytest.approx(5 / 64)
        expected = information(a, example.target, columns[row.given])
        assert row.bits_given == pytest.approx(expected, abs=1e-12)
        assert row.cost_given == pytest.approx(2 * 5 / 64)


def test_sentences_say_why_a_feature_was_left_out():
    rows = _by_name(explain_redundancy(xor_example(100), ["A1", "A2", "A4", "A6"]))
    expected = "given `A2`, adds 0.000 bits, less than the 0.004 its parameters cost"
    assert rows["A8"].reason == expected
    assert rows["A5"].reason == (
        "alone it gives 0.000 bits of the class, less than the 0.002 its parameters cost"
    )
    # The exclusive or is told plainly.
    assert rows["A1"].reason == (
        "kept: alone it gives 0.000 bits of the class, less than the 0.002 its parameters cost; "
        "but given `A4` it adds 0.311 bits"
    )


def test_a_feature_that_is_not_redundant_in_pairs_says_so():
    rows = _by_name(explain_redundancy(xor_example(100), ["A6"]))
    assert rows["A2"].reason.startswith("not redundant in pairs: alone it gives 0.311 bits")


def test_without_noise_only_what_adds_nothing_is_redundant():
    example = xor_example()
    noisy = _by_name(explain_redundancy(example))
    strict = _by_name(explain_redundancy(example, noise=False))
    assert noisy["A3"].redundant_given
    assert strict["A3"].redundant_given
    assert not strict["A6"].redundant
    assert strict["A5"].reason == "alone it gives 0.000 bits of the class"


def test_a_subset_may_be_names_positions_or_a_mask():
    example = xor_example()
    mask = np.array([n in ("A2", "A6") for n in example.names])
    given = [["A2", "A6"], [1, 5], mask]
    answers = [[row.reason for row in explain_redundancy(example, s)] for s in given]
    assert answers[0] == answers[1] == answers[2]
    with pytest.raises(InputError, match="`subset` names 'A9', but there is no such feature"):
        explain_redundancy(example, ["A9"])
