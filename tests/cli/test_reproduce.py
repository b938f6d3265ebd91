"""``fewest reproduce``: finished experiments stay, an interrupt is told."""

import pytest

from fewest.cli.reproduce import Progress
from fewest.reproduce import runner

from .calls import within


def test_an_unknown_paper_is_a_sentence(tmp_path):
    done = within("reproduce", "nobody1999", "--out", tmp_path)
    assert done.exit_code == 1
    assert "nobody1999" in str(done.exception)


def test_an_interrupt_writes_what_there_is_and_exits_with_130(tmp_path, monkeypatch):
    def interrupted(*given, **more):
        raise runner.Interrupted

    monkeypatch.setattr(runner, "run", interrupted)
    done = within("reproduce", "dash2003", "--quick", "--out", tmp_path)
    assert done.exit_code == 130
    assert "run the same command again to continue" in done.stderr
    assert "Written: " in done.stdout


@pytest.mark.parametrize("key", ["led24", "evil\x1b[2J"])
def test_away_from_a_terminal_each_experiment_is_a_line(capsys, key):
    with Progress() as progress:
        progress.tell(1, 7, key)
    shown = capsys.readouterr().err
    assert shown.startswith("2 of 7: ")
    assert "\x1b" not in shown
