"""FSS-EBNA around naive Bayes on one domain, through the command."""

import json

from typer.testing import CliRunner

from papers import inza2000
from papers.__main__ import app


def test_inza2000_on_a_domain(tmp_path, monkeypatch):
    monkeypatch.setitem(inza2000.POPULATION, True, 30)
    words = ["inza2000", "--quick", "--part", "naive-bayes", "--domain", "led24"]
    words += ["-o", str(tmp_path)]
    first = CliRunner().invoke(app, words, catch_exceptions=False)
    assert first.exit_code == 0
    assert "figures that can be compared" in first.stdout
    summary = json.loads((tmp_path / "inza2000.json").read_text())
    cells = {(c["table"], c["method"]): c for c in summary["cells"]}
    assert len(cells) == len(summary["cells"]) == 7
    assert all(cell["beside"] is not None for cell in cells.values())
    full = cells["3", "NB without FSS"]
    assert full["paper"] == 72.53
    # Ten digits, 10 % faults: naive Bayes with all segments is near the Bayes rate of 74 %.
    assert 67 < full["here"] < 76
    assert cells["5", "NB without FSS"]["here"] == 24
    assert 1 <= cells["6", "NB & FSS-EBNA"]["here"] < 100
    assert "LED24: generated here" in " ".join(summary["differs"])
    lines = (tmp_path / "inza2000.jsonl").read_text()
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    assert (tmp_path / "inza2000.jsonl").read_text() == lines
