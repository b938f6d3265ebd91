"""The progress bar."""

import io

import numpy as np
import pytest
from rich.console import Console

from fewest._errors import InputError, MismatchError
from fewest._run.conclude import conclude
from fewest._run.events import Listener, ProgressBar, Snapshot, counted
from fewest._run.journal import Journal
from fewest._run.loop import Run
from fewest._run.stop_rules import Evaluations, Generations, Seconds, StopKind
from fewest.measures._measure import Scorer, Scores
from fewest.search import Subsets
from fewest.testing import TableMeasure, random_values, toy_table
from tests.run.searches import Listed, Walk

NAMES = ("a", "b", "c", "d", "e", "f")


def scorer(folds=None, values=None):
    lookup = random_values(6, seed=3) if values is None else values
    return TableMeasure(lookup, folds=folds).bind(toy_table(n_features=6))


def run(search, stop=(), **more):
    options = {"space": Subsets(6), "rng": np.random.default_rng(0), **more}
    return Run(search, options.pop("scorer", scorer()), stop=tuple(stop), **options).go()


def finish(outcome, search=None, choose="best", bound=None):
    return conclude(
        outcome,
        search or Walk(),
        bound or scorer(),
        NAMES,
        choose,
        measure="table",
        seed=0,
        version="x",
    )


class Counting(Scorer):
    def __init__(self, inner):
        self.inner, self.seen = inner, []

    def score(self, candidates):
        self.seen += [row.tobytes() for row in candidates]
        return self.inner.score(candidates)


def test_every_subset_is_scored_once():
    counting = Counting(scorer())
    outcome = run(Walk(), [Generations(30)], scorer=counting)
    assert len(counting.seen) == len(set(counting.seen)) == len(outcome.archive)
    assert len(outcome.history) == 30


def test_the_answer_is_the_best_of_the_archive():
    outcome = run(Walk(), [Generations(40)])
    result = finish(outcome)
    assert result.score == outcome.archive.scores.value.max()
    assert result.features == [NAMES[j] for j in np.flatnonzero(result.support)]
    assert result.stopped == "40 generations done"
    assert not result.partial


def test_batches_of_a_search_that_ends_by_itself():
    outcome = run(Listed((((1, 0, 0, 0, 0, 0),), ((1, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0)))))
    assert len(outcome.archive) == 3
    assert outcome.archive.generation.tolist() == [0, 1, 1]
    assert outcome.reason.text == "the search ended"


def test_ties_are_counted_and_named():
    values = np.zeros(64)
    values[[1, 2, 4]] = 1.0  # {a}, {b}, {c} are equally good; {a, b} is as good but larger
    values[3] = 1.0
    outcome = run(Walk(population=40), [Generations(20)], scorer=scorer(values=values))
    result = finish(outcome)
    assert result.n_features == 1
    assert result.ties == 2
    assert sorted([*result.alternatives, result.features]) == [["a"], ["b"], ["c"]]


def test_an_interrupt_ends_with_the_best_so_far():
    class Interrupting(Counting):
        def score(self, candidates):
            if len(self.seen) > 20:
                raise KeyboardInterrupt
            return super().score(candidates)

    outcome = run(Walk(), scorer=Interrupting(scorer()))
    result = finish(outcome)
    assert result.partial
    assert result.stopped == "interrupted"
    assert result.stop_kind is StopKind.INTERRUPT
    assert result.evaluations > 20


def test_the_time_budget_ends_in_the_middle_of_a_batch():
    class Slow(Counting):
        batch = 1

        def score(self, candidates):
            import time

            time.sleep(0.02)
            return super().score(candidates)

    outcome = run(Walk(population=1000), [Seconds(0.1)], scorer=Slow(scorer()))
    assert outcome.reason.kind is StopKind.TIME
    assert outcome.reason.text == "the time budget of 0.1 s is used up"
    assert 0 < len(outcome.archive) < 60


def test_a_listener_hears_every_batch_and_may_stop():
    class Impatient(Listener):
        heard = 0

        def after_batch(self, snapshot):
            self.heard += 1
            return self.heard == 3

    impatient = Impatient()
    outcome = run(Walk(), listeners=[impatient])
    assert impatient.heard == 3
    assert outcome.reason.text == "a callback asked to stop"


def test_all_scores_nan_is_a_sentence():
    with pytest.raises(InputError, match="NaN for every subset"):
        run(Walk(), [Generations(5)], scorer=scorer(values=np.full(64, np.nan)))


def test_some_scores_nan_are_never_chosen():
    values = random_values(6, seed=1)
    values[::2] = np.nan
    result = finish(run(Walk(), [Generations(30)], scorer=scorer(values=values)))
    assert np.isfinite(result.score)


def test_a_space_that_the_search_cannot_handle_is_refused():
    class Other(Subsets):
        kind = "levels"

    with pytest.raises(MismatchError, match="handles subsets, but the space is of levels"):
        run(Walk(), space=Other(6))


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_answer_does_not_depend_on_the_workers(jobs):
    class Small(Counting):
        batch = 3

    alone = run(Walk(), [Generations(8)], scorer=scorer(folds=4))
    spread = run(Walk(), [Generations(8)], scorer=Small(scorer(folds=4)), n_jobs=jobs)
    assert np.array_equal(alone.archive.candidates, spread.archive.candidates)
    assert np.array_equal(alone.archive.scores.folds, spread.archive.scores.folds)


def test_processes_give_the_same_answer():
    outcome = run(Walk(), [Evaluations(30)], scorer=ByProcess(scorer()), n_jobs=2)
    alone = run(Walk(), [Evaluations(30)])
    assert np.array_equal(alone.archive.scores.value, outcome.archive.scores.value)


class ByProcess(Scorer):
    prefer = "processes"
    batch = 4

    def __init__(self, inner):
        self.inner = inner

    def score(self, candidates) -> Scores:
        return self.inner.score(candidates)


def test_a_journal_makes_scoring_again_unnecessary(tmp_path):
    path, header = tmp_path / "run.jsonl", {"seed": 1}
    journal = Journal(path, header)
    first = run(Walk(), [Generations(6)], journal=journal, scorer=scorer(folds=3))
    journal.close()
    counting = Counting(scorer(folds=3))
    again = run(Walk(), [Generations(6)], journal=Journal(path, header), scorer=counting)
    assert counting.seen == []
    assert np.array_equal(first.archive.scores.folds, again.archive.scores.folds)
    assert np.array_equal(first.archive.generation, again.archive.generation)


def test_a_listener_need_not_answer():
    listener = Listener()
    listener.before()
    listener.during(1, 2)
    assert listener.after_batch(Snapshot(0, 1, 0.5, 1, 0.1)) is None
    listener.after()


def test_it_tells_rate_best_bounds_and_time_left(monkeypatch):
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=200)
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    bar = ProgressBar("exact", seconds=100.0)
    bar.before()
    bar.during(1, 2)
    assert bar.after_batch(Snapshot(3, 40, 0.75, 5, 1.0, 2.0, 4.0)) is None
    bar._bar.refresh()
    bar.after()
    for words in ("exact", "generation 3", "40 subsets", "best 0.7500 with 5", "bounds 2..4"):
        assert words in shown.getvalue()
    assert "s left" in shown.getvalue()


def test_without_any_score_there_is_no_best(monkeypatch):
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=200)
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    bar = ProgressBar("sfs")
    bar.before()
    bar.after_batch(Snapshot(0, 4, float("nan"), 0, 1.0))
    bar._bar.refresh()
    bar.after()
    assert "4 subsets" in shown.getvalue()
    assert "nan" not in shown.getvalue()


def test_a_run_that_never_began_needs_no_bar():
    ProgressBar().after()


def test_counted_items_tell_the_time_left(monkeypatch):
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=200)
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    assert list(counted(iter([1, 2, 3]), "validating", 3, shown=True)) == [1, 2, 3]
    assert "validating" in shown.getvalue()
    assert "3/3" in shown.getvalue()
    assert "left" in shown.getvalue()
    shown.truncate(0)
    assert list(counted([1], "quiet", 1, shown=False)) == [1]
    assert "quiet" not in shown.getvalue()


def test_without_a_terminal_progress_is_lines_of_text(monkeypatch, capsys):
    bar = ProgressBar("sfs")
    bar.before()
    bar.during(1, 2)
    bar.after_batch(Snapshot(0, 4, 0.5, 1, 1.0))
    bar.after_batch(Snapshot(1, 9, 0.75, 5, 1.0))
    bar.after()
    assert list(counted("abc", "validating", 3, shown=True)) == ["a", "b", "c"]
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("sfs: generation 1 · 9 subsets")
    assert first.endswith("best 0.7500 with 5")
    assert last == "validating: 3 of 3"
    monkeypatch.setattr("fewest._run.events.LINE_SECONDS", 0.0)
    list(counted("abc", "validating", 3, shown=True))
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_a_notebook_gets_no_live_widget(monkeypatch, capsys):
    console = Console(force_terminal=True, force_jupyter=True)
    monkeypatch.setattr("rich.console.Console", lambda **_: console)
    list(counted("ab", "validating", 2, shown=True))
    assert capsys.readouterr().err == "validating: 2 of 2\n"
