"""Types that a user sees, by pyright; mypy reads the same script in ``make lint``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("basedpyright")
ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "typed_use.py"


def pyright(*options):
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--outputjson"]
    paths = os.pathsep.join([str(ROOT), *sys.path])
    env = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run([*command, *options], cwd=ROOT, env=env, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_every_public_symbol_has_a_known_type():
    found = pyright("--verifytypes", "fewest", "--ignoreexternal")["typeCompleteness"]
    unknown = [s["name"] for s in found["symbols"] if s["isExported"] and not s["isTypeKnown"]]
    assert unknown == []
    assert len(found["symbols"]) > 200


def test_mistakes_in_a_script_are_errors_and_nothing_else_is(tmp_path):
    settings = tmp_path / "pyrightconfig.json"
    options = {"typeCheckingMode": "standard", "enableTypeIgnoreComments": False}
    paths = {"include": [str(SCRIPT)], "extraPaths": [str(ROOT)]}
    settings.write_text(json.dumps(options | paths))
    found = pyright("-p", str(settings))["generalDiagnostics"]
    wrong = {one["range"]["start"]["line"] for one in found if one["severity"] == "error"}
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    assert wrong == {i for i, line in enumerate(lines) if "# type: ignore" in line}
