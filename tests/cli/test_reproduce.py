"""``python -m papers``: finished experiments stay, an interrupt is reported."""

import os

import pytest
from typer.testing import CliRunner

from papers import runner
from papers.__main__ import Progress, app


def papers_command(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_an_unknown_paper_is_a_sentence(tmp_path):
    done = papers_command("nobody1999", "--out", tmp_path)
    assert done.exit_code == 1
    assert "nobody1999" in str(done.exception)


def test_an_interrupt_writes_what_there_is_and_exits_with_130(tmp_path, monkeypatch):
    def interrupted(*given, **more):
        raise runner.Interrupted

    monkeypatch.setattr(runner, "run", interrupted)
    done = papers_command("dash2003", "--quick", "--out", tmp_path)
    assert done.exit_code == 130
    assert "run the same command again to continue" in done.stderr
    assert "Written: " in done.stdout


@pytest.mark.parametrize("key", ["led24", "evil\x1b[2J"])
def test_away_from_a_terminal_each_experiment_is_a_line(capsys, key):
    with Progress() as progress:
        progress.begin(1, 7, key)
    shown = capsys.readouterr().err
    assert shown.startswith("2 of 7: ")
    assert "\x1b" not in shown


def test_the_folder_of_the_data_is_an_option_and_no_global_state(tmp_path, monkeypatch):
    from papers.domains import domain_data
    from papers.paper import read_paper

    paper = read_paper("dash2003", tmp_path)
    domain, entry = next((d, e) for d, e in paper.domains.items() if "data" in e)
    (tmp_path / f"{entry['data']}.csv").write_text("only,label\n1,x\n2,y\n")
    assert domain_data(paper, domain, 0).names == ("only",)
    before = dict(os.environ)
    monkeypatch.setattr(runner, "run", lambda *given, **more: None)
    papers_command("dash2003", "--quick", "--out", tmp_path / "out", "--data", tmp_path)
    assert dict(os.environ) == before


def test_all_papers_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "run", lambda *given, **more: None)
    done = papers_command("--all", "--quick", "--out", tmp_path)
    assert done.exit_code == 0
    names = [line[:-1] for line in done.stdout.splitlines() if line.endswith(":")]
    assert names == ["inza2000", "inza2002", "dash2003", "drugan2010", "hsu2004"]
    assert (tmp_path / "hsu2004.md").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give the name of one paper, or --all"),
        (["inza2000", "--all"], "give the name of one paper, or --all"),
        (["--all", "--domain", "votes"], "need the name of one paper"),
    ],
)
def test_one_paper_or_all(tmp_path, words, message):
    done = papers_command(*words, "--out", tmp_path)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())
