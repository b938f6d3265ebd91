"""The progress bar."""

import io

from rich.console import Console

from fewest._run.events import ProgressBar, Snapshot, counted


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
