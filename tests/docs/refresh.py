"""Write the current output of blocks into the pages: ``python -m tests.docs.refresh [PAGE ...]``.

Use it after a change that is meant to change outputs, and review the difference before you commit.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import types
from pathlib import Path

from tests.docs.pages import PAGES, Block, blocks
from tests.docs.test_pages import run


def printed(block: Block, module: types.ModuleType, page: Path) -> str | None:
    """What a block prints; None for one that is not run."""
    if block.runs:
        return run(block, vars(module), page)
    if block.output is not None and block.text.startswith("fewest "):
        command = [sys.executable, "-m", *shlex.split(block.text)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return None


def refresh(page: Path) -> None:
    """One page; its blocks share their names, as in the tests."""
    text = page.read_text(encoding="utf-8")
    module = sys.modules["page"] = types.ModuleType("page")
    for block in blocks(page):
        new = printed(block, module, page)
        if new is not None and block.output is not None:
            lines = "\n".join(line.rstrip() for line in new.rstrip().splitlines()) + "\n"
            if block.language == "python":  # How long it took is no part of what is tested.
                lines = re.sub(r", [\d.]+ s$", ", ... s", lines, flags=re.MULTILINE)
            code = f"{block.text}```\n\n```text\n"
            text = text.replace(code + block.output, code + lines)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(Path.cwd())
    os.environ.pop("FEWEST_DATA", None)
    wanted = [Path(name).resolve() for name in sys.argv[1:]] or PAGES
    os.chdir(tempfile.mkdtemp())
    for path in wanted:
        refresh(path)
