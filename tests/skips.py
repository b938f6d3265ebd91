"""Count the skipped tests, and fail when one is skipped that must run (``pytest --must-run FILE``).

The file holds one pattern per line: tests that must run. A line that starts with ``!`` excuses the
tests it matches. The last pattern that matches a test decides.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest


def patterns(path: Path) -> list[str]:
    """The lines of the file without comments and empty lines."""
    lines = (line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def must_run(test: str, wanted: list[str]) -> bool:
    """Whether the last pattern that matches the test is one of those that must run."""
    matching = [p for p in wanted if fnmatchcase(test, p.removeprefix("!").strip())]
    return bool(matching) and not matching[-1].startswith("!")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--must-run", type=Path, help="file of tests that must not be skipped")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    file = session.config.getoption("--must-run")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if file is None or reporter is None or hasattr(session.config, "workerinput"):
        return
    skipped = [report.nodeid for report in reporter.stats.get("skipped", [])]
    wrong = [test for test in skipped if must_run(test, patterns(file))]
    reporter.write_line(f"\nSkipped tests: {len(skipped)}, of which {len(wrong)} must run.")
    for test in wrong:
        reporter.write_line(f"  must run, but was skipped: {test}", red=True)
    if wrong:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
