import json

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
