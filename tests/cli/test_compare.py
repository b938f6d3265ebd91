import json

import pytest

import fewest
from fewest.data import generate
from fewest.data._write import write
from tests.cli.calls import within

ASKED = ("--measure", "naive-bayes", "--search", "sfs,sbe")


def test_searches_are_compared_and_written(iris, tmp_path):
    path, page = tmp_path / "c.json", tmp_path / "c.html"
    done = within("compare", iris, *ASKED, "--json", path, "--report", page)
    assert done.exit_code == 0, done.output
    assert "sfs against sbe: p = " in done.output
    plain = json.loads(path.read_text())
    assert [row["method"] for row in plain["table"]] == ["sfs", "sbe", "all features"]
    assert plain["settings"]["command"]["scheme"] == "auto"
    assert "fewest compare" in page.read_text()


def test_what_cannot_be_written_is_saved_elsewhere(iris, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = within("compare", iris, *ASKED, "--json", "/dev/full")
    assert done.exit_code == 1
    assert "sfs against sbe: p = " in done.stdout
    assert "No space left on device" in done.stderr
    assert json.loads(next(tmp_path.glob("full-*")).read_text())["fewest"] == "comparison"


@pytest.mark.parametrize(
    ("name", "option", "column", "what"),
    [
        ("patients", "--group-by", "patient", "groups"),
        ("sensors-in-time", "--time", "time", "time"),
        ("survey", "--weight", "weight", "sample_weight"),
    ],
)
def test_rows_are_the_same_for_compare_score_and_python(name, option, column, what, tmp_path):
    table, out = tmp_path / "table.csv", tmp_path / "c.json"
    data = generate(name, 300)
    write(data, table)
    given = {what: data.column(column)}
    data = data.without((column,))
    done = within("compare", table, option, column, "--measure", "naive-bayes", "--search", "sfs",
                  "--scheme", "1x3cv", "--json", out)  # fmt: skip
    assert done.exit_code == 0, done.output
    own = fewest.compare(
        {"sfs": fewest.SubsetSelector("naive-bayes", search="sfs")}, data.X, data.y,
        scheme="1x3cv", random_state=0, **given,
    )  # fmt: skip
    found = json.loads(out.read_text())
    assert [row["score"] for row in found["table"]] == [row["score"] for row in own.table]
    assert found["settings"]["command"][option[2:].replace("-", "_")] == column
    scores = fewest.score_subsets(
        data.X, data.y, [[data.names[0]]], measure="naive-bayes", random_state=0, **given
    )
    done = within("score", table, option, column, "-m", "naive-bayes", "-f", data.names[0])
    assert f"{scores.value[0]:.4f}" in done.output, done.output
