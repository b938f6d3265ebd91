"""Running, cutting, going on."""

import json
import os
import signal
import warnings

import pytest

from fewest._errors import InputError
from papers.experiment import Cell, Experiment, Settings
from papers.paper import PAPERS, read_paper
from papers.runner import Interrupted, Record, plan, remaining, run


def experiment(domain, here, runs):
    def go():
        runs.append(domain)
        return [Cell("3", domain, "NB & FSS-EBNA", here, 1.0)]

    return Experiment("naive-bayes", domain, "FSS-EBNA", go)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "inza2000.jsonl"


def record(path, **settings):
    return Record(path, "inza2000", Settings(**settings))


def test_what_is_finished_is_not_run_again(path):
    runs = []
    run([experiment("Image", 90.0, runs)], record(path))
    both = record(path)
    run([experiment("Image", 90.0, runs), experiment("Chess", 94.0, runs)], both)
    assert runs == ["Image", "Chess"]
    assert [(c.domain, c.here) for c in both.cells()] == [("Image", 90.0), ("Chess", 94.0)]


@pytest.mark.unix
def test_ctrl_c_keeps_what_is_finished(path):
    runs = []

    def cut():
        os.kill(os.getpid(), signal.SIGINT)
        return [Cell("3", "Chess", "NB & FSS-EBNA", 0.0)]

    before = signal.getsignal(signal.SIGINT)
    wanted = [experiment("Image", 90.0, runs), Experiment("naive-bayes", "Chess", "FSS-EBNA", cut)]
    with pytest.raises(Interrupted):
        run(wanted, record(path))
    assert signal.getsignal(signal.SIGINT) is before
    assert [c.domain for c in record(path).cells()] == ["Image"]


def test_a_torn_last_line_is_dropped(path):
    runs = []
    wanted = [experiment("Image", 90.0, runs), experiment("Chess", 94.0, runs)]
    run(wanted, record(path))
    path.write_bytes(path.read_bytes()[:-9])
    again = record(path)
    assert [c.domain for c in again.cells()] == ["Image"]
    run(wanted, again)
    assert [json.loads(line).get("experiment") for line in path.read_text().splitlines()] == [
        None,
        "naive-bayes / Image / FSS-EBNA",
        "naive-bayes / Chess / FSS-EBNA",
    ]


def test_warnings_are_kept(path):
    def warn():
        warnings.warn("few rows", UserWarning, stacklevel=1)
        return []

    kept = record(path)
    run([Experiment("naive-bayes", "Image", "FSS-EBNA", warn)], kept)
    assert record(path).warnings == ["naive-bayes / Image / FSS-EBNA: few rows"]


def test_what_remains_is_told(path):
    paper = read_paper("inza2002")
    kept = Record(path, "inza2002", Settings())
    kept.add("large / DNA / FSS-TREE", [], 1.0)
    left = remaining(paper, Settings(), kept)
    assert left[0].startswith("Cloud: data of Aha and Bankert")
    assert any(s.startswith("Not run yet, part medium: Ionosphere, Horse-colic, ") for s in left)
    assert "Cloud" not in left[3]


def test_progress_counts_what_was_done_before(path):
    told = []
    run([experiment("Image", 90.0, [])], record(path))
    wanted = [experiment("Image", 90.0, []), experiment("Chess", 94.0, [])]
    run(wanted, record(path), lambda *words: told.append(words))
    assert told == [(1, 2, "naive-bayes / Chess / FSS-EBNA")]


def test_unknown_parts():
    with pytest.raises(
        InputError, match="`--part` must be one of domains, naive-bayes, training-size, id3"
    ):
        plan(read_paper("inza2000"), Settings(), None, ["c4.5"])


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_can_be_planned(name):
    import importlib

    paper = read_paper(name)
    module = importlib.import_module(f"papers.{name}")
    every = list(module.experiments(paper, Settings()))
    assert len({e.key for e in every}) == len(every)
    assert {e.part for e in every} == set(module.PARTS) == set(module.QUICK)
    known = {(e.part, e.domain) for e in every}
    assert all((part, d) in known for part, ds in module.QUICK.items() for d in ds)
