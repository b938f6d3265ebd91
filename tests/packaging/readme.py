"""Run the README's Python blocks and ``fewest`` commands with the installed package.

``python -I tests/packaging/readme.py`` in an environment into which only the wheel was installed.
Every printed output must be the one in the README.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def load_pages() -> ModuleType:
    """The reader of pages, without the checkout on the path."""
    spec = importlib.util.spec_from_file_location("pages", ROOT / "tests/docs/pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["pages"] = module
    spec.loader.exec_module(module)
    return module


def run(command: str) -> str:
    """What a ``fewest`` command prints; the one that was installed beside this Python."""
    words = [str(Path(sys.executable).with_name("fewest")), *shlex.split(command)[1:]]
    done = subprocess.run(words, capture_output=True, text=True, check=False, encoding="utf-8")
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def execute(code: str, names: dict[str, object]) -> str:
    """What a Python block prints; the blocks share their names."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


def compare(what: str, shown: str | None, printed: str) -> None:
    """Stop when the output differs from the page; seconds may differ."""
    if shown is None:
        return
    plain = [re.sub(r"[\d.]+ s$", "... s", text, flags=re.M) for text in (shown, printed)]
    if not doctest.OutputChecker().check_output(*plain, FLAGS):
        sys.exit(f"{what} must print\n{shown}\nbut prints\n{printed}")


def main() -> None:
    import fewest

    if not Path(fewest.__file__).is_relative_to(sys.prefix):
        sys.exit(f"fewest must come from {sys.prefix}, but comes from {fewest.__file__}.")
    names: dict[str, object] = {}
    python = commands = 0
    for block in load_pages().blocks(ROOT / "README.md"):
        if block.language == "python":
            compare(f"README.md, line {block.line}", block.output, execute(block.text, names))
            python += 1
        # Commands without an output are on files of the reader.
        shown = block.language == "shell" and block.output is not None
        for line in block.text.splitlines() if shown else []:
            if line.startswith("fewest "):
                compare(line, block.output, run(line))
                commands += 1
    print(f"README: {python} Python blocks and {commands} commands print what the page says.")


if __name__ == "__main__":
    os.environ.pop("FEWEST_DATA", None)
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.chdir(folder)
        main()
        os.chdir(ROOT)
