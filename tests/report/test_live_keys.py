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
