"""JSON lines: keys are columns, what a line lacks is unknown."""

from __future__ import annotations

import numpy as np

from fewest.data.loaders.json_lines import read_json_lines
from fewest.data.loaders.source import Reading

LINES = """{"age": 31, "zip": 4051, "member": true, "y": "a"}

{"age": null, "zip": 1200, "y": "b"}
{"zip": 8001, "member": false, "y": "a", "late": 1.5}
"""


def test_columns_of_all_lines(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(LINES)
    found = read_json_lines(path)
    assert found.names == ("age", "zip", "member", "y", "late")
    assert found.n_rows == 3
    np.testing.assert_array_equal(found.columns[0].numbers, [31, np.nan, np.nan])
    assert found.columns[2].levels == (False, True)
    assert found.columns[2].codes.tolist() == [1, -1, 0]
    assert found.columns[3].labels == ["a", "b", "a"]
    labels = read_json_lines(path, Reading(labels=frozenset({"zip"}))).columns[1]
    assert labels.labels == ["4051", "1200", "8001"]
