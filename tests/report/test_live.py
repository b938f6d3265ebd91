"""A run while it goes on: the journal followed."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._report.live import Follower, Keys, live_charts, sparkline
from fewest._run.journal import Journal
from fewest.measures._measure import Scores
from fewest.search._spaces.subsets import Subsets
from tests.report.journals import BATCHES, EVIL, growing_journal


def test_follower_reads_what_is_new(journal):
    path, write = journal
    follower = Follower(path)
    assert follower.batches == []
    write(*BATCHES[0])
    assert follower.look()
    assert not follower.look()
    write(*BATCHES[1])
    follower.look()
    first, second = follower.batches
    assert first == {
        "batch": 1, "scored": 2, "best": 0.9, "best_size": 1, "mean": pytest.approx(0.8),
        "std": pytest.approx(0.1), "mean_size": 1.5, "best_so_far": 0.9, "size_so_far": 1,
    }  # fmt: skip
    assert (second["best"], second["best_so_far"], second["scored"]) == (0.5, 0.9, 4)


def test_follower_tells_how_often_features_are_in_the_population(journal):
    path, write = journal
    write(*BATCHES[0])
    follower = Follower(path)
    assert follower.frequency() is None  # one generation is no development
    write(*BATCHES[1])
    follower.look()
    assert follower.frequency() == {
        "generation": [0, 1], "features": ["a", "b", EVIL], "chosen": [True, False, False],
        "frequency": [[1.0, 0.5], [0.5, 0.5], [0.0, 0.5]], "left_out": 0,
    }  # fmt: skip
    assert follower.frequency(columns=1, rows=1)["left_out"] == 2


def test_features_that_are_always_in_and_groups_are_named(tmp_path):
    space = Subsets(5, include=(4,), exclude=(3,), groups=((0, 2),))
    header = {"space": repr(space), **space.layout("vwxyz")}
    written = Journal(tmp_path / "run.jsonl", header)
    written.record(space, np.array([[True, False], [False, True]]), Scores(np.array([0.9, 0.8])))
    written.close()
    follower = Follower(tmp_path / "run.jsonl")
    assert follower.best_features() == ["v", "x", "z"]
    assert follower.batches[0]["best_size"] == 3
    assert follower.batches[0]["mean_size"] == 2.5


def test_follower_waits_for_the_rest_of_a_line(journal):
    path, write = journal
    write(*BATCHES[0])
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    follower = Follower(path)
    assert follower.batches == []
    path.write_bytes(whole)
    follower.look()
    assert len(follower.batches) == 1


def test_follower_starts_again_when_another_run_takes_the_path(journal):
    path, write = journal
    write(*BATCHES[0])
    follower = Follower(path)
    head = {"fewest": "journal", "format": 1, "seed": 9}
    path.write_text(json.dumps(head) + "\n")
    follower.look()
    assert follower.header["seed"] == 9
    assert follower.batches == []


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "no first line yet"), ("a,b\n", "does not say so"), ('{"x": 1}\n', "does not say so")],
)
def test_what_is_no_journal_is_refused(tmp_path, text, words):
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        Follower(path)


def test_spaces_without_bits_have_no_size(tmp_path):
    path = tmp_path / "x.jsonl"
    lines = [
        {"fewest": "journal", "format": 1, "space": "Levels(2)"},
        {"keys": ["0001"], "value": [0.5]},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    follower = Follower(path)
    assert follower.batches[0]["best_size"] is None
    assert [c.name for c in live_charts(follower.summary())] == ["generations"]


def test_sparkline_of_equal_values():
    assert sparkline([0.5, 0.5]) == "▁▁"


def test_a_damaged_line_is_named_and_stays_damaged(journal):
    path, write = journal
    write(*BATCHES[0])
    follower = Follower(path)
    write(*BATCHES[1])
    path.write_bytes(path.read_bytes().replace(b"0.5", b"0.6"))
    for _ in range(2):
        with pytest.raises(InputError, match="is damaged: line 3 is damaged"):
            follower.look()


def test_huge_values_do_not_overflow(journal):
    path, write = journal
    write([[1, 0, 0], [0, 1, 0]], [1e300, -1e300])
    follower = Follower(path)
    assert follower.batches[0]["std"] == pytest.approx(1e300)


def test_one_subset_has_no_spread(journal):
    path, write = journal
    write([[1, 0, 0]], [0.7])
    told = Follower(path).summary()
    assert told["latest"]["std"] is None
    assert told["columns"]["low"] == told["columns"]["high"] == [0.7]


@pytest.mark.unix
def test_it_is_known_when_the_search_has_ended(tmp_path):
    with growing_journal(tmp_path / "run.jsonl") as (path, write):
        write(*BATCHES[0])
        assert Follower(path).summary()["going_on"] is True
    assert Follower(path).summary()["going_on"] is False


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
