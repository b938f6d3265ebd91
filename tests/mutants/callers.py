"""A plugin of pytest that records which functions of the package each test calls."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

PACKAGE = str(Path(__file__).resolve().parents[2] / "fewest")
#: The environment variable with the file that the record is written to.
RECORD = "FEWEST_CALLERS"

_codes: set[CodeType] = set()
_tests: dict[str, dict[str, Any]] = {}


def _notice(frame: FrameType, event: str, _: Any) -> None:
    if event == "call":
        _codes.add(frame.f_code)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Watch a test with its fixtures; the tests after it do not repeat session fixtures."""
    _codes.clear()
    began = time.process_time()
    sys.setprofile(_notice)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        calls = defaultdict(list)
        for code in _codes:
            if code.co_filename.startswith(PACKAGE):
                calls[os.path.relpath(code.co_filename, PACKAGE)].append(code.co_firstlineno)
        _tests[item.nodeid] = {"seconds": time.process_time() - began, "calls": calls}


@pytest.hookimpl
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Leave out tests that fail without a change: they would catch everything."""
    if report.failed:
        _tests.setdefault("failed", {}).setdefault("ids", []).append(report.nodeid)


@pytest.hookimpl
def pytest_sessionfinish() -> None:
    """Write the record."""
    failed = set(_tests.pop("failed", {}).get("ids", []))
    kept = {name: test for name, test in _tests.items() if name not in failed}
    Path(os.environ[RECORD]).write_text(json.dumps(kept), encoding="utf-8")
