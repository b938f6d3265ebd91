"""``fewest doctor`` says what a bug report needs."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

import fewest
from fewest._cli.doctor import _extra, packages
from fewest._cli.main import app


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
