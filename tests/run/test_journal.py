import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.errors import InputError
from fewest.measures.base import Scores
from fewest.run.conclude import conclude
from fewest.run.journal import Journal, Recording, read_lines
from fewest.run.loop import Run
from fewest.run.stop import Generations
from fewest.search import Subsets
from fewest.testing import TableMeasure, random_values, toy_table

from .searches import Walk

SPACE = Subsets(6)
HEADER = {"data": "d", "search": "s", "measure": "m", "space": "x", "seed": 1, "version": "v"}
TIMES = ("seconds", "scoring_seconds", "search_seconds")


def go(path):
    scorer = TableMeasure(random_values(6, seed=3), folds=3).bind(toy_table(n_features=6))
    scorer.batch = 4
    journal = Journal(path, HEADER)
    rules = (Generations(5),)
    outcome = Run(Walk(), scorer, SPACE, np.random.default_rng(7), rules, journal=journal).go()
    journal.close()
    names = tuple("abcdef")
    result = conclude(outcome, Walk(), scorer, names, "best", measure="m", seed=1, version="v")
    plain = result.to_dict()
    plain.pop("seconds")
    plain["history"] = [{k: v for k, v in e.items() if k not in TIMES} for e in plain["history"]]
    return plain


@settings(max_examples=30, deadline=None)
@given(share=st.floats(0, 1))
def test_killed_at_any_byte_and_resumed_it_is_the_same_run(share, tmp_path_factory):
    folder = tmp_path_factory.mktemp("journal")
    whole = go(folder / "whole.jsonl")
    raw = (folder / "whole.jsonl").read_bytes()
    first_line = raw.index(b"\n") + 1
    cut = first_line + int(share * (len(raw) - first_line))
    (folder / "cut.jsonl").write_bytes(raw[:cut])
    assert go(folder / "cut.jsonl") == whole
    assert (folder / "cut.jsonl").read_bytes() == raw


def test_the_first_line_of_a_batch_tells_of_the_whole_batch(tmp_path):
    history = go(tmp_path / "run.jsonl")["history"]
    lines = read_lines(tmp_path / "run.jsonl")[0][1:]
    told = {line["generation"]: line["frequency"] for line in lines if "frequency" in line}
    assert told == {e["generation"]: e["frequency"] for e in history if e["generation"] in told}
    assert len(told) > 1
    assert len(lines) > len(told)  # batches of more than four come in several lines


def test_a_recording_tells_more_of_itself(tmp_path):
    Journal(Recording(str(tmp_path / "run.jsonl"), {"command": {"seed": 1}}), HEADER).close()
    assert read_lines(tmp_path / "run.jsonl")[0][0]["command"] == {"seed": 1}


def test_a_torn_last_line_is_dropped(tmp_path):
    path = tmp_path / "run.jsonl"
    journal = Journal(path, HEADER)
    bits = np.eye(6, dtype=bool)
    journal.record(SPACE, bits[:2], Scores(np.array([0.1, np.nan])))
    journal.close()
    with path.open("a") as file:
        file.write('{"keys": ["80"], "val')
    again = Journal(path, HEADER)
    assert len(again.recorded) == 2
    scores = again.take(SPACE.keys(bits[:2]))
    assert scores.value[0] == 0.1
    assert np.isnan(scores.value[1])
    again.record(SPACE, bits[2:3], Scores(np.array([0.3])))
    again.close()
    assert len(read_lines(path)[0]) == 3


@pytest.mark.parametrize("what", ["data", "search", "measure", "space", "seed", "version"])
def test_a_journal_of_another_run_is_refused(tmp_path, what):
    path = tmp_path / "run.jsonl"
    Journal(path, HEADER).close()
    with pytest.raises(InputError, match=f"is from another run: its {what} is"):
        Journal(path, {**HEADER, what: "other"})


@pytest.mark.parametrize("text", ["", "no json\n", '{"fewest": "result"}\n', "[1, 2]\n"])
def test_a_file_that_is_no_journal_is_refused(tmp_path, text):
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match="is not a journal of fewest"):
        read_lines(path)


def test_a_journal_of_a_later_format_names_the_version(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"fewest": "journal", "format": 99, "version": "9.9"}) + "\n")
    with pytest.raises(InputError, match=r"resume it with fewest 9\.9"):
        read_lines(path)


def test_a_path_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        Journal(tmp_path / "file" / "run.jsonl", HEADER)


@pytest.mark.unix
def test_a_full_disk_is_a_sentence():
    with pytest.raises(InputError, match="No space left on device"):
        Journal("/dev/full", HEADER)
