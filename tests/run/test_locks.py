import os
import subprocess
import sys

import pytest

from fewest.errors import InputError
from fewest.run.locks import lock


@pytest.mark.unix
def test_a_second_writer_is_refused_until_the_first_has_ended(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("")
    script = (
        "import os, sys; from pathlib import Path; from fewest.run.locks import lock;"
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
