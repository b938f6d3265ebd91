import os
import subprocess
import sys

import pytest

from fewest._errors import InputError
from fewest._run.whole_files import is_written, lock


@pytest.mark.unix
def test_a_second_writer_is_refused_until_the_first_has_ended(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("")
    script = (
        "import os, sys; from pathlib import Path; from fewest._run.whole_files import lock;"
        "p = Path(sys.argv[1]); lock(os.open(p, os.O_RDWR), p); print(1, flush=True); input()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert other.stdout.readline() == "1\n"
    mine = os.open(path, os.O_RDWR)
    with pytest.raises(InputError, match="is being written by another process"):
        lock(mine, path)
    other.kill()
    other.communicate()
    lock(mine, path)
    os.close(mine)


@pytest.mark.unix
def test_looking_tells_whether_someone_writes(tmp_path):
    path = tmp_path / "run.jsonl"
    assert is_written(path) is None
    path.write_text("")
    assert is_written(path) is False
    mine = os.open(path, os.O_RDWR)
    lock(mine, path)
    assert is_written(path) is True
    os.close(mine)
    assert is_written(path) is False


@pytest.mark.unix
def test_who_looks_for_a_moment_stops_no_writer(tmp_path, monkeypatch):
    import fcntl

    path = tmp_path / "run.jsonl"
    path.write_text("")
    with path.open("rb") as looking:
        fcntl.flock(looking.fileno(), fcntl.LOCK_SH)
        monkeypatch.setattr("time.sleep", lambda _: fcntl.flock(looking.fileno(), fcntl.LOCK_UN))
        mine = os.open(path, os.O_RDWR)
        lock(mine, path)
    assert is_written(path) is True
    os.close(mine)
