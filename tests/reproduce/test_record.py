"""The file of finished experiments: continued, torn, refused."""

import pytest

from fewest._errors import InputError
from papers.experiment import Cell, Settings
from papers.record import Record


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "inza2000.jsonl"


def record(path, **settings):
    return Record(path, "inza2000", Settings(**settings))


def test_cells_read_back(path):
    cells = [
        Cell("3", "Image", "NB", 90.0, 1.0, "as expected", [1.0, 2.0], []),
        Cell("3", "Image", "ID3", 80.0, each=[79.0, 81.0]),
    ]
    record(path).add("naive-bayes / Image", cells, 2.5, ["few rows"])
    again = record(path)
    assert again.cells() == cells
    assert again.seconds == 2.5
    assert again.warnings == ["naive-bayes / Image: few rows"]


def test_another_seed_needs_another_folder(path):
    record(path)
    with pytest.raises(InputError, match="is from a run with seed 0, but here it is 1"):
        record(path, seed=1)


def test_a_file_of_something_else_is_refused(path):
    path.parent.mkdir()
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="not a record of `python -m papers`"):
        record(path)


def test_a_damaged_line_is_told(path):
    kept = record(path)
    kept.add("one", [], 1.0)
    kept.add("two", [], 1.0)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + "{\n" + lines[2])
    with pytest.raises(InputError, match="is damaged: .* delete the file to start anew"):
        record(path)
