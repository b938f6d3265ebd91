"""``fewest doctor`` says what a bug report needs."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

import fewest
from fewest._cli import warm_up as module
from fewest._cli.doctor import _extra, packages
from fewest._cli.main import app
from tests.cli.calls import within


@pytest.fixture
def output(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text("a,y\n1,u\n2,v\n")
    monkeypatch.setenv("FEWEST_DATA", str(tmp_path))
    done = CliRunner().invoke(app, ["doctor"], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_it_names_versions_and_folders(output, tmp_path):
    assert f"fewest {fewest.__version__}, Python 3" in output
    assert f"  numpy {np.__version__}\n" in output
    assert f"data ($FEWEST_DATA): {tmp_path} (1 data sets)" in output
    assert "cores: " in output


def test_required_packages_and_extras_come_from_the_installation():
    needed = packages()
    assert {"numpy", "scikit-learn", "numba"} <= set(needed[""])
    assert needed["exact"] == ["ortools"]
    assert "test" not in needed


def test_a_missing_extra_has_a_remedy():
    said = _extra("exact", ["numpy", "no-such-package"])
    assert said == "not installed (no-such-package missing); pip install 'fewest[exact]'"


def test_it_runs_the_defaults_on_every_kind_of_table_and_tells_the_time(monkeypatch):
    monkeypatch.setattr(module, "SEARCHES", ("sfs",))
    done = within("warm-up")
    assert done.exit_code == 0, done.output
    lines = [line.split(":")[0].strip() for line in done.output.splitlines()]
    kinds = ["numbers", "labels", "a numeric target"]
    models = [f"model {name}" for name in ("naive-bayes", "logistic-regression", "k-nn")]
    assert lines[:-1] == [*(f"defaults, {kind}" for kind in kinds), *models, "search sfs"]
    assert lines[-1].startswith("compiled in ")


def test_a_measure_that_does_not_fit_is_left_out_with_its_reason():
    runs = {what: rest for what, *rest in module._runs(True)}
    assert {"measure cfs, labels", "measure id3, numbers", "search sffs"} <= set(runs)
