import sys

from fewest.report.live_keys import Keys


def test_the_kind_of_space_is_a_field():
    named = {"names": ["a", "b", "c"]}
    assert Keys({"space_kind": "subsets", **named}).features("a0") == [0, 2]
    assert Keys({"space_kind": "levels", "space": "Subsets(3)", **named}).size("a0") is None


def test_journals_of_the_first_version_have_only_a_repr():
    assert Keys({"space": "Subsets(n_features=3)"}).size("a0") == 2
    assert Keys({"space": "Levels(3)"}).size("a0") is None


def test_groups_and_features_that_are_always_in():
    keys = Keys({"space_kind": "subsets", "names": list("vwxyz"), "units": [[0, 2], [1]],
                 "always": [4]})  # fmt: skip
    assert keys.features("80") == [0, 2, 4]
    assert keys.size("40") == 2


def test_graphs_have_a_bit_per_arc():
    keys = Keys({"space_kind": "graphs", "variables": ["a", "b", "c"]})
    # a -> b and b -> c of nine places.
    assert [keys.names[j] for j in keys.features("4400")] == ["a -> b", "b -> c"]
    assert keys.size("4400") == 2
    assert keys.words == ("graphs", "arc")


def test_orderings_have_a_place_per_variable():
    keys = Keys({"space_kind": "orderings", "names": ["a", "b", "c"]})
    assert keys.features("020001") == [2, 0, 1]
    assert keys.size("020001") is None
    assert keys.features("090001") is None
    wide = Keys({"space_kind": "orderings", "names": [str(j) for j in range(300)]})
    assert wide.features((257).to_bytes(2, sys.byteorder).hex()) == [257]


def test_arcs_between_many_variables_are_counted_and_not_named():
    keys = Keys({"space_kind": "graphs", "variables": [f"v{i}" for i in range(60_000)]})
    assert keys.names == []
    assert keys.size("c0") == 2
