"""Every Python block of the pages runs and prints what the page says it prints."""

from __future__ import annotations

import contextlib
import doctest
import io
import sys
import types

import matplotlib as mpl
import pytest

from tests.docs.pages import PAGES, ROOT, blocks

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WITH_PYTHON = [p for p in PAGES if any(b.language == "python" for b in blocks(p))]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda p: str(p.relative_to(ROOT)))
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mpl.use("Agg")
    # A module of its own, so that what the page defines can be pickled.
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    names = vars(module)
    for block in blocks(page):
        if not block.runs:
            continue
        printed = run(block, names, page)
        if block.output is not None:
            same = doctest.OutputChecker().check_output(block.output, printed, FLAGS)
            assert same, f"{page.name}, line {block.line} prints\n{printed}"


def run(block, names, page):
    # Empty lines before the block make the line numbers of a traceback those of the page.
    code = compile("\n" * block.line + block.text, str(page), "exec")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


def test_a_wrong_output_is_noticed():
    assert not doctest.OutputChecker().check_output("0.93\n", "0.92\n", FLAGS)
