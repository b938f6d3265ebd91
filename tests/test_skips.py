"""The check of skipped tests notices a test that must run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.skips import must_run, patterns

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest

@pytest.mark.skip
def test_weka(): ...

@pytest.mark.skip
def test_other(): ...

def test_runs(): ...
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [(["*"], True), (["*", "! tests/a.py*"], False), (["! *", "*::test_b"], True), ([], False)],
)
def test_the_last_matching_line_decides(lines, expected):
    assert must_run("tests/a.py::test_b", lines) is expected


def test_the_list_of_the_project_is_readable():
    assert patterns(ROOT / "tests" / "must_run.txt")[0] == "*"


@pytest.mark.parametrize(("listed", "code"), [("*::test_weka", 1), ("*::test_runs", 0)])
def test_a_skipped_test_that_must_run_fails_the_session(listed, code, tmp_path):
    (tmp_path / "test_three.py").write_text(TESTS)
    (tmp_path / "list.txt").write_text(f"{listed}  # why\n")
    words = ["-p", "tests.skips", "--must-run", "list.txt", "-p", "no:cacheprovider", "-n", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "test_three.py"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == code, done.stdout
    assert f"Skipped tests: 2, of which {code} must run." in done.stdout
