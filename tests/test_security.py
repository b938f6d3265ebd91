"""Promises of SECURITY.md that concern the whole package."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "fewest").rglob("*.py")}


def test_every_promise_names_tests_that_are_there():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* \| (`.*`) \|$", text, re.M)
    assert len(rows) >= 10
    for name in re.findall(r"`([^`]+)`", " ".join(rows)):
        assert (ROOT / name).is_file(), name


def test_no_file_is_unpickled():
    opens = re.compile(r"\b(pickle|joblib|cloudpickle|dill|shelve)\.loads?\(|allow_pickle=T")
    found = [path for path, text in MODULES.items() if opens.search(text)]
    # The checks for authors of measures pickle what they have in memory, and a run and its own
    # workers, which execute its code, send each other scans and their sums.
    assert [path.name for path in found if path.parent.name != "testing"] == ["spread.py"]


def test_only_openml_uses_the_network():
    asks = re.compile(r"\burlopen\b|\brequests\.|http\.client|fetch_openml|import socket")
    found = {path.name for path, text in MODULES.items() if asks.search(text)}
    # The live page is a server on the local machine.
    assert found <= {"_openml.py", "live_server.py"}
