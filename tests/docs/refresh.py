"""Write what the blocks of the pages print now into the pages: ``python -m tests.docs.refresh``.

For a change that is meant to change them; look at the difference before you commit it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import types
from pathlib import Path

from .pages import PAGES, Block, blocks
from .test_code_blocks import run


def printed(block: Block, module: types.ModuleType, page: Path) -> str | None:
    """What a block prints; None for one that is not run."""
    if block.language == "python":
        return run(block, vars(module), page)
    if block.output and block.text.startswith("fewest "):
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
            code = f"{block.text}```\n\n```text\n"
            text = text.replace(code + block.output, code + lines)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = str(Path.cwd())
    os.environ.pop("FEWEST_DATA", None)
    os.chdir(tempfile.mkdtemp())
    for path in PAGES:
        refresh(path)
