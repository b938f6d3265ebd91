"""What the commands that search share."""

from __future__ import annotations

from dataclasses import replace

import pytest
import typer

from fewest._cli.options import SelectOptions
from fewest._cli.running import broke_off, finish, in_order, recording, search_and_judge
from fewest._interrupts import Interrupts
from fewest.testing._results import toy_result


class Verb:
    """Something that fits."""

    def fit(self):
        self.result_ = toy_result(honest=False)


def interrupted():
    raise KeyboardInterrupt


def test_the_exit_code_is_that_of_the_work():
    in_order(lambda interrupts: 0)
    with pytest.raises(typer.Exit) as caught:
        in_order(lambda interrupts: 7)
    assert caught.value.exit_code == 7


def test_an_interrupted_validation_keeps_the_answer():
    verb, interrupts = Verb(), Interrupts()
    assert search_and_judge(verb, verb.fit, interrupted, interrupts) == (None, True)
    assert verb.result_.n_features == 2


def test_an_interrupt_before_there_is_an_answer_goes_on():
    with pytest.raises(KeyboardInterrupt):
        search_and_judge(Verb(), interrupted, interrupted, Interrupts())


def test_a_run_that_broke_off_is_not_validated():
    verb = Verb()

    def fit():
        verb.fit()
        verb.result_ = replace(verb.result_, stop_kind="interrupt")

    assert search_and_judge(verb, fit, interrupted, Interrupts()) == (None, True)
    assert broke_off(verb.result_)


def test_an_interrupted_validation_is_said_and_exits_with_130(capsys):
    result = toy_result(honest=False)
    assert finish(SelectOptions(data="iris.csv"), result, None, True) == 130
    assert "The validation was interrupted" in result.notes[-1]
    assert "2 of 6 features" in capsys.readouterr().out
    assert finish(SelectOptions(data="iris.csv"), toy_result(), None, False) == 0


def test_a_journal_names_its_command_and_a_file_that_can_be_found(tmp_path, monkeypatch):
    (tmp_path / "iris.csv").touch()
    monkeypatch.chdir(tmp_path)
    about = recording(SelectOptions(data="iris.csv", journal="run.jsonl")).about["command"]
    assert about["verb"] == "select"
    assert about["data"] == str(tmp_path / "iris.csv")
    assert recording(SelectOptions(data="iris.csv")) is None
