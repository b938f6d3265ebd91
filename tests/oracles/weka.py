"""Asks Weka (Debian's package ``weka``, any 3.6 or later) where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

JAR = Path("/usr/share/java/weka.jar")
PROGRAM = Path(__file__).with_name("WekaOracle.java")

needs_weka = pytest.mark.skipif(
    not JAR.exists() or shutil.which("javac") is None, reason="needs Weka and a Java compiler"
)


def write_arff(path, table):
    """The table as Weka reads it, with the class as the last attribute."""
    lines = ["@relation table"]
    for name, levels in zip(table.names, table.levels, strict=True):
        lines.append(f"@attribute '{name}' {_kind(levels)}")
    lines += [f"@attribute class {_kind(table.classes)}", "@data"]
    for row, label in zip(table.values, table.target, strict=True):
        cells = [_cell(v, levels) for v, levels in zip(row, table.levels, strict=True)]
        lines.append(",".join([*cells, f"'{table.classes[label]}'"]))
    path.write_text("\n".join(lines) + "\n")
    return path


def _kind(levels):
    return "numeric" if levels is None else "{" + ",".join(f"'{v}'" for v in levels) + "}"


def _cell(value, levels):
    if value != value:
        return "?"
    return repr(float(value)) if levels is None else f"'{levels[int(value)]}'"


def ask_weka(what, path, *arguments):
    """The lines that Weka prints."""
    command = ["java", "-cp", str(JAR), str(PROGRAM), what, str(path), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()
