"""``fewest check`` as a person types it."""

from __future__ import annotations

import json

from fewest.data import generate
from fewest.data._write import write
from tests.cli.calls import within


def test_findings_are_printed_and_written(tmp_path):
    table, out = tmp_path / "churn.csv", tmp_path / "check.json"
    write(generate("dirty-churn"), table)
    done = within("check", table, "--target", "churn", "--json", out)
    assert done.exit_code == 0, done.output
    assert "SERIOUS  Predicts the target almost alone" in done.output
    assert "refund: skill 0.97 alone" in done.output
    found = json.loads(out.read_text())
    assert found["fewest"] == "check"
    assert {(one["kind"], *one["columns"][:1]) for one in found["findings"]} >= {
        ("leak", "refund"),
        ("identifier", "customer_id"),
        ("date", "signup"),
    }


def test_declared_kinds_and_a_wrong_target(tmp_path):
    table = tmp_path / "survey.csv"
    write(generate("survey"), table)
    done = within("check", table, "--nominal", "region")
    assert "region" not in done.output
    new = tmp_path / "new.csv"
    frame = generate("survey").X
    frame.drop(columns=frame.columns[0]).to_csv(new, index=False)
    compared = within("check", table, "--against", new)
    assert f"SERIOUS  Columns that the new rows lack\n    {frame.columns[0]}:" in compared.output
    wrong = within("check", table, "--target", "satisfid")
    assert wrong.exit_code == 1
    assert "did you mean 'satisfied'" in str(wrong.exception)
