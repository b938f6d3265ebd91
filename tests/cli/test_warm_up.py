"""Compile ahead."""

from fewest._cli import warm_up as module
from tests.cli.calls import within


def test_it_runs_the_defaults_on_every_kind_of_table_and_tells_the_time(monkeypatch):
    monkeypatch.setattr(module, "SEARCHES", ("sfs",))
    done = within("warm-up")
    assert done.exit_code == 0, done.output
    lines = [line.split(":")[0].strip() for line in done.output.splitlines()]
    kinds = ["numbers", "labels", "a numeric target"]
    assert lines[:-1] == [*(f"defaults, {kind}" for kind in kinds), "search sfs"]
    assert lines[-1].startswith("compiled in ")


def test_a_measure_that_does_not_fit_is_left_out_with_its_reason():
    runs = {what: rest for what, *rest in module._runs(True)}
    assert {"measure cfs, labels", "measure id3, numbers", "search sffs"} <= set(runs)
