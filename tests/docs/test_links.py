"""Links inside the project lead somewhere."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import PAGES, ROOT

_MARKDOWN = re.compile(r"(?<!\\)!?\[[^\]]*\]\(([^)\s]+)\)")
_ROLE = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")
_BUILT = ("auto_examples/", "generated/")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_resolve(page):
    text = page.read_text(encoding="utf-8")
    for link in _MARKDOWN.findall(text):
        if not re.match(r"[a-z]+:", link) and not link.startswith("#"):
            assert (page.parent / link.split("#")[0]).exists(), link
    for name in _ROLE.findall(text):
        assert document(page, name), name


def document(page, name):
    """Whether a page of that name is there, or is built from an example that is there."""
    if name.startswith("auto_examples/plot_"):
        return (ROOT / "examples" / f"{name.removeprefix('auto_examples/')}.py").exists()
    if name.startswith(_BUILT):
        return True
    return any((page.parent / f"{name}{end}").exists() for end in (".md", ".rst"))
