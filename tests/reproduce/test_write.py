"""Three files side by side."""

import json

from papers.markdown import markdown
from papers.page import page
from papers.write import write


def test_the_files_are_the_renderings(summary, tmp_path):
    paths = write(summary, tmp_path / "new")
    assert [path.name for path in paths] == ["toy.md", "toy.json", "toy.html"]
    text, data, html = (path.read_text(encoding="utf-8") for path in paths)
    assert text == markdown(summary)
    assert json.loads(data) == summary
    assert html == page(summary)
