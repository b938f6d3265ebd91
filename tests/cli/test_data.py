"""``fewest data`` as a person types it."""

import json

import pytest
from typer.testing import CliRunner

from fewest._cli.data import app
from fewest._errors import InputError
from fewest.data import generate, load
from fewest.data._write import write
from tests.cli.calls import within


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


@pytest.mark.parametrize("what", ["searches", "measures"])
def test_the_capability_tables(what):
    done = within(what)
    assert done.exit_code == 0
    assert {"searches": "ebna", "measures": "naive-bayes"}[what] in done.output


@pytest.mark.parametrize("what", ["searches", "measures"])
def test_a_line_each_in_80_columns(what):
    lines = within(what).output.splitlines()
    assert len(lines) < 100
    assert max(map(len, lines)) <= 80


def test_one_by_its_name():
    whole = within("searches", "path").output
    assert whole.startswith("path (Path)")
    assert "Guyon" in whole
    assert len(within("searches", "--long").output) > len(within("searches").output)
    assert "Did you mean random-forest?" in str(within("measures", "rf").exception)


def test_findings_are_printed_and_written(tmp_path):
    table, out = tmp_path / "churn.csv", tmp_path / "check.json"
    write(generate("dirty-churn"), table)
    done = within("check", table, "--target", "churn", "--json", out)
    assert done.exit_code == 0, done.output
    assert "SERIOUS  Predicts the target almost alone" in done.output
    assert "refund: skill 0.97 alone" in done.output
    found = json.loads(out.read_text())
    assert found["fewest"] == "check"
    assert {(one["kind"], *one["columns"][:1]) for one in found["findings"]} >= {
        ("leak", "refund"),
        ("identifier", "customer_id"),
        ("date", "signup"),
    }


def test_declared_kinds_and_a_wrong_target(tmp_path):
    table = tmp_path / "survey.csv"
    write(generate("survey"), table)
    done = within("check", table, "--nominal", "region")
    assert "region" not in done.output
    new = tmp_path / "new.csv"
    frame = generate("survey").X
    frame.drop(columns=frame.columns[0]).to_csv(new, index=False)
    compared = within("check", table, "--against", new)
    assert f"SERIOUS  Columns that the new rows lack\n    {frame.columns[0]}:" in compared.output
    wrong = within("check", table, "--target", "satisfid")
    assert wrong.exit_code == 1
    assert "did you mean 'satisfied'" in str(wrong.exception)
