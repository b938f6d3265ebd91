import json

import pytest
from typer.testing import CliRunner

from fewest._cli.joint import names_of
from fewest._cli.main import app
from fewest._errors import InputError


def test_the_command_prints_and_writes(tmp_path):
    arguments = [
        "joint", "iris", "--classifiers", "naive-bayes,one-r,t2,k-nn(n_neighbors=3)",
        "--scheme", "3", "--ensemble", "2", "--json", str(tmp_path / "j.json"),
        "--report", str(tmp_path / "j.html"),
    ]  # fmt: skip
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "Suggested ensemble: " in result.output
    assert "the same method finds" in result.output
    assert "k-nn(n_neighbors=3)" in result.output
    assert json.loads((tmp_path / "j.json").read_text())["optimal"] is True
    assert "<html" in (tmp_path / "j.html").read_text()


def test_names_may_have_parameters_but_not_stand_twice():
    assert names_of("a(b=1, c=2), d") == ["a(b=1, c=2)", "d"]
    with pytest.raises(InputError, match="names 'a' twice"):
        names_of("a,a")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--classifiers", "one-r,tt2"], "Did you mean t2"),
        (["--classifiers", "one-r"], "at least 2 classifiers"),
        (["--classifiers", "one-r,t2", "--ensemble", "5"], "`k` must be between 2 and 2"),
        (["--classifiers", "one-r,t2", "--search", "tabu"], "`search` must be one of auto"),
        (["--classifiers", "one-r,t2", "--score", "aic"], "`score` must be one of bic, k2, bdeu"),
    ],
)
def test_mistakes(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        CliRunner().invoke(app, ["joint", "iris", *arguments], catch_exceptions=False)
