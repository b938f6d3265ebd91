"""``fewest data`` as a person types it."""

import pytest
from typer.testing import CliRunner

from fewest._cli.data import app
from fewest._errors import InputError
from fewest.data import load


def run(*arguments):
    result = CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_list_shows_what_ships_and_what_is_in_the_folder(tmp_path, monkeypatch):
    (tmp_path / "my-table.csv").write_text("a,y\n1,u\n2,v\n")
    monkeypatch.setenv("FEWEST_DATA", str(tmp_path))
    names = [line.split()[0] for line in run("list").splitlines() if line.strip()]
    assert {"my-table", "iris", "led24", "red30of3-scattered"} <= set(names)


def test_describe():
    output = run("describe", "corral")
    assert "32 rows, 6 features (0 continuous, 6 nominal), 0 unknown values" in output
    assert "relevant: A0, A1, B0, B1" in output
    assert "... and 28 more" in run("describe", "wdbc", "--columns", 2)


def test_make_writes_a_file_that_loads(tmp_path):
    output = run("make", "led24", "-o", tmp_path / "led24.csv", "--rows", 50, "--seed", 3)
    assert "Wrote 50 rows and 24 features" in output
    assert ".arff keeps them nominal" in output
    assert load(tmp_path / "led24.csv").X.shape == (50, 24)
    run("make", "led24", "-o", tmp_path / "led24.arff", "--rows", 50, "--seed", 3)
    assert set(load(tmp_path / "led24.arff").kinds.values()) == {"nominal"}


def test_rows_of_a_real_set_are_what_they_are(tmp_path):
    with pytest.raises(InputError, match="`--rows` must be left out for iris"):
        run("make", "iris", "-o", tmp_path / "t.csv", "--rows", 5)


def test_fetch_says_where_a_set_is(tmp_path, monkeypatch):
    (tmp_path / "my-table.csv").write_text("a,y\n1,u\n2,v\n")
    monkeypatch.setenv("FEWEST_DATA", str(tmp_path))
    assert f"my-table is already there: {tmp_path / 'my-table.csv'}" in run("fetch", "my-table")


def test_make_draws_a_table_from_a_network(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output = run("make", "asia", "--rows", 200)
    assert "Wrote 200 rows and 7 features to asia.csv" in output
    first = (tmp_path / "asia.csv").read_text()
    assert first.splitlines()[0] == "asia,tub,smoke,lung,bronc,either,xray,dysp"
    run("make", "asia", "--rows", 200, "-o", "again.csv")
    assert (tmp_path / "again.csv").read_text() == first
