import json

import pytest

from fewest._cli.running import check_outputs, write_outputs
from fewest._errors import InputError
from tests.cli.calls import within


def test_each_output_is_written_and_told(tmp_path, capsys):
    path = tmp_path / "r.json"
    assert write_outputs(("result", path, lambda: "text"), ("report", None, lambda: "x"))
    assert path.read_text() == "text"
    assert capsys.readouterr().out == f"Written: {path} (result)\n"


@pytest.mark.unix
def test_a_full_disk_at_the_end_loses_nothing(iris, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = within("select", iris, "-s", "sfs", "--no-validate", "--json", "/dev/full")
    assert done.exit_code == 1
    assert "Chosen:" in done.stdout
    assert "No space left on device" in done.stderr
    saved = next(tmp_path.glob("full-*"))
    assert str(saved) in done.stderr
    assert json.loads(saved.read_text())["n_features_in"] == 4


def test_outputs_are_checked_before_the_work(tmp_path):
    with pytest.raises(InputError, match="`--report` must be a file"):
        check_outputs(None, tmp_path)
