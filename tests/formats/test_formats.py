"""Files that earlier versions wrote still load, render and can be watched.

One file a version and kind stays here for good: when the format grows, add the new version's file
beside the old ones, never in their place.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewest._cli.main import app
from fewest._report.live import Follower
from fewest._report.page import result_page, write_saved
from fewest._run.journal import read_lines
from fewest._run.result import Result

HERE = Path(__file__).parent
RESULTS = sorted(HERE.glob("result-*.json"))
JOURNALS = sorted(HERE.glob("journal-*.jsonl"))


def named(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", RESULTS, ids=named)
def test_results_load_and_save_unchanged(path, tmp_path):
    result = Result.load(path)
    assert len(result.features) == result.support.sum() == result.n_features
    result.save(tmp_path / "again.json")
    assert Result.load(tmp_path / "again.json").to_dict() == result.to_dict()


@pytest.mark.parametrize("path", RESULTS, ids=named)
def test_results_render(path):
    html = result_page(Result.load(path))
    assert "features are kept" in html
    assert html.endswith("</html>")


@pytest.mark.parametrize("path", JOURNALS, ids=named)
def test_journals_load(path):
    lines, end = read_lines(path)
    assert end == path.stat().st_size
    assert all(len(line["keys"]) == len(line["value"]) for line in lines[1:])


@pytest.mark.parametrize("path", JOURNALS, ids=named)
def test_journals_can_be_watched(path):
    follower = Follower(path)
    keys = {key for line in read_lines(path)[0][1:] for key in line["keys"]}
    assert follower.summary()["scored"] == len(keys)
    assert follower.batches[-1]["best_so_far"] == max(b["best"] for b in follower.batches)


def test_the_first_version_says_what_it_said():
    result = Result.load(HERE / "result-0.1.0.json")
    assert result.features == ["petal-width"]
    assert result.honest["scheme"] == "5x2cv"
    proven = Result.load(HERE / "result-proven-0.1.0.json")
    assert (proven.optimal, proven.honest) == (True, None)


def test_report_command_writes_the_page(tmp_path):
    page = tmp_path / "page.html"
    given = ["report", str(HERE / "result-0.1.0.json"), "-o", str(page)]
    shown = CliRunner().invoke(app, given)
    assert shown.exit_code == 0
    assert "fewest select iris" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(HERE.glob("comparison-*.json")), ids=named)
def test_comparisons_render(path, tmp_path):
    write_saved(path, tmp_path / "page.html")
    assert "sfs against sbe" in (tmp_path / "page.html").read_text(encoding="utf-8")
