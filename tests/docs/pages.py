"""What the pages hold: fenced blocks and links."""

from __future__ import annotations

import importlib.util
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "howto").glob("*.md")),
    *sorted((ROOT / "docs" / "reproduction").glob("*.md")),
]
_FENCE = re.compile(r"^[ ]*```([^`\n]*)\n(.*?)^[ ]*```$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block; ``output`` is the text block right after it, which shows what it prints."""

    line: int
    language: str
    text: str
    output: str | None

    @property
    def runs(self) -> bool:
        """True for Python; an optional block runs where the package that it imports is there."""
        if self.language == "python optional":
            package = re.match(r"import (\w+)", self.text)
            return package is not None and importlib.util.find_spec(package[1]) is not None
        return self.language == "python"


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = path.read_text(encoding="utf-8")
    found = list(_FENCE.finditer(text))
    return [_block(text, match, after) for match, after in pairwise([*found, None])]


def _block(text: str, match: re.Match[str], after: re.Match[str] | None) -> Block:
    shown = None
    if after is not None and after[1] == "text" and not text[match.end() : after.start()].strip():
        shown = after[2]
    return Block(text.count("\n", 0, match.start()) + 1, match[1], textwrap.dedent(match[2]), shown)


def commands(path: Path) -> Iterator[str]:
    """The shell commands of a page that call fewest; a backslash joins lines."""
    for block in blocks(path):
        if block.language in ("shell", "console"):
            for line in block.text.replace("\\\n", " ").splitlines():
                if line.removeprefix("$ ").startswith("fewest "):
                    yield line.removeprefix("$ ").split("#")[0].strip()
