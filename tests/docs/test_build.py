"""The manual builds without a warning: every page is in a table of contents, every link leads on.

The gallery is read but not run here; :mod:`tests.docs.test_pages` runs it.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

from tests.docs.pages import ROOT

NEEDED = ("sphinx", "numpydoc", "sphinx_gallery", "myst_parser", "furo")


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in NEEDED), reason="no Sphinx here"
)
def test_sphinx_has_nothing_to_complain_of(tmp_path):
    made = shutil.ignore_patterns("_build", "generated", "auto_examples", "__pycache__")
    for folder in ("docs", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=made)
    for page in ROOT.glob("*.md"):
        shutil.copy(page, tmp_path)
    words = ["-b", "dummy", "-q", "-W", "--keep-going", "-D", "plot_gallery=0", "docs", "out"]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *words],
        capture_output=True, text=True, cwd=tmp_path, timeout=600, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert built.stderr == ""
    assert built.returncode == 0
