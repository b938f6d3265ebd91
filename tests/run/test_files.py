"""Files are whole or not there, and nobody can put a link in their place."""

import os
import stat

import pytest

from fewest._errors import InputError
from fewest._run.whole_files import check_writable, new_beside, save_elsewhere, write_whole


@pytest.mark.unix
def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "r.json"
    path.write_text("old")
    path.chmod(0o640)
    write_whole(path, "new", "result")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.unix
def test_a_link_at_the_old_name_of_the_part_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "r.json.part").symlink_to(victim)
    write_whole(tmp_path / "r.json", "new", "result")
    assert victim.read_text() == "mine"


@pytest.mark.unix
def test_parts_have_random_names_and_are_created_exclusively(tmp_path, monkeypatch):
    target = tmp_path / "r.json"
    with new_beside(target) as (_, one), new_beside(target) as (_, two):
        assert one != two
        assert one.parent == tmp_path
    assert list(tmp_path.iterdir()) == []
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / ".r.json.known.part").symlink_to(victim)
    monkeypatch.setattr("secrets.token_hex", lambda n: "known")
    with pytest.raises(InputError, match="cannot be written to"):
        write_whole(target, "new", "result")
    assert victim.read_text() == "mine"


@pytest.mark.unix
def test_a_device_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "text", "result")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(InputError, match="No space left"):
        write_whole("/dev/full", "text", "result")


def test_a_full_disk_leaves_the_old_file_and_no_part(tmp_path, monkeypatch):
    path = tmp_path / "r.json"
    path.write_text("old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_whole(path, "new", "result")
    with pytest.raises(InputError, match="`--json` must be a file that can be written"):
        check_writable(path, "--json")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["", "no/r.json"])
def test_what_cannot_be_written_is_told_before(tmp_path, name):
    with pytest.raises(InputError, match="`--json` must be a file that can be written"):
        check_writable(tmp_path / name, "--json")
    check_writable(tmp_path / "r.json", "--json")
    check_writable(None, "--json")
    assert list(tmp_path.iterdir()) == []


def test_a_place_is_found_when_the_wanted_one_fails(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = save_elsewhere("no/such/r.json", "text")
    assert found.parent == tmp_path
    assert found.read_text() == "text"
