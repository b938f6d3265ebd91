"""Every field of a journal that is not what it must be is named with its line."""

import cProfile
import errno
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._errors import InputError
from fewest._run import history as module
from fewest._run.archive import Archive
from fewest._run.conclude import conclude
from fewest._run.history import History
from fewest._run.journal import Journal, Recording, read_lines, salvage
from fewest._run.journal_format import Chain, DamagedError, Reader, intact_prefix, whole_lines
from fewest._run.loop import Run
from fewest._run.stop_rules import Generations
from fewest._run.whole_files import is_written, lock
from fewest.measures._measure import Scores
from fewest.search import Subsets
from fewest.testing import TableMeasure, random_values, toy_table
from tests.run.searches import Walk

SPACE = Subsets(6)
HEADER = {"data": "d", "search": "s", "measure": "m", "space": "x", "seed": 1, "version": "v"}
TIMES = ("seconds", "scoring_seconds", "search_seconds")


def go(path):
    scorer = TableMeasure(random_values(6, seed=3), folds=3).bind(toy_table(n_features=6))
    scorer.batch = 4
    journal = Journal(path, HEADER)
    rules = (Generations(5),)
    outcome = Run(Walk(), scorer, SPACE, np.random.default_rng(7), rules, journal=journal).go()
    journal.close()
    names = tuple("abcdef")
    result = conclude(outcome, Walk(), scorer, names, "best", measure="m", seed=1, version="v")
    plain = result.to_dict()
    plain.pop("seconds")
    plain["history"] = [{k: v for k, v in e.items() if k not in TIMES} for e in plain["history"]]
    return plain


@settings(max_examples=30, deadline=None)
@given(share=st.floats(0, 1))
def test_killed_at_any_byte_and_resumed_it_is_the_same_run(share, tmp_path_factory):
    folder = tmp_path_factory.mktemp("journal")
    whole = go(folder / "whole.jsonl")
    raw = (folder / "whole.jsonl").read_bytes()
    first_line = raw.index(b"\n") + 1
    cut = first_line + int(share * (len(raw) - first_line))
    (folder / "cut.jsonl").write_bytes(raw[:cut])
    assert go(folder / "cut.jsonl") == whole
    assert (folder / "cut.jsonl").read_bytes() == raw


def test_the_first_line_of_a_batch_tells_of_the_whole_batch(tmp_path):
    history = go(tmp_path / "run.jsonl")["history"]
    lines = read_lines(tmp_path / "run.jsonl")[0][1:]
    told = {line["generation"]: line["frequency"] for line in lines if "frequency" in line}
    assert told == {e["generation"]: e["frequency"] for e in history if e["generation"] in told}
    assert len(told) > 1
    assert len(lines) > len(told)  # batches of more than four come in several lines


def test_a_recording_tells_more_of_itself(tmp_path):
    Journal(Recording(str(tmp_path / "run.jsonl"), {"command": {"seed": 1}}), HEADER).close()
    assert read_lines(tmp_path / "run.jsonl")[0][0]["command"] == {"seed": 1}


def test_a_torn_last_line_is_dropped(tmp_path):
    path = tmp_path / "run.jsonl"
    journal = Journal(path, HEADER)
    bits = np.eye(6, dtype=bool)
    journal.record(SPACE, bits[:2], Scores(np.array([0.1, np.nan])))
    journal.close()
    with path.open("a") as file:
        file.write('{"keys": ["80"], "val')
    again = Journal(path, HEADER)
    assert len(again.recorded) == 2
    scores = again.take(SPACE.keys(bits[:2]))
    assert scores.value[0] == 0.1
    assert np.isnan(scores.value[1])
    again.record(SPACE, bits[2:3], Scores(np.array([0.3])))
    again.close()
    assert len(read_lines(path)[0]) == 3


@pytest.mark.parametrize("what", ["data", "search", "measure", "space", "seed", "version"])
def test_a_journal_of_another_run_is_refused(tmp_path, what):
    path = tmp_path / "run.jsonl"
    Journal(path, HEADER).close()
    with pytest.raises(InputError, match=f"is from another run: its {what} is"):
        Journal(path, {**HEADER, what: "other"})


@pytest.mark.parametrize("text", ["", "no json\n", '{"fewest": "result"}\n', "[1, 2]\n"])
def test_a_file_that_is_no_journal_is_refused(tmp_path, text):
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match="is not a journal of fewest"):
        read_lines(path)


def test_a_journal_of_a_later_format_names_the_version(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"fewest": "journal", "format": 99, "version": "9.9"}) + "\n")
    with pytest.raises(InputError, match=r"resume it with fewest 9\.9"):
        read_lines(path)


def test_a_path_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        Journal(tmp_path / "file" / "run.jsonl", HEADER)


@pytest.mark.unix
def test_a_device_is_no_journal():
    with pytest.raises(InputError, match="`journal` must be a file, but /dev/full is"):
        Journal("/dev/full", HEADER)


def lines_of(path):
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("where", ["keys", "value", "folds", "check"])
def test_a_flipped_bit_is_found_and_its_line_named(tmp_path, where):
    path = tmp_path / "run.jsonl"
    go(path)
    lines = lines_of(path)
    at = lines[2].index(where.encode()) + len(where) + 6
    lines[2] = lines[2][:at] + bytes([lines[2][at] ^ 1]) + lines[2][at + 1 :]
    path.write_bytes(b"".join(lines))
    with pytest.raises(InputError, match=r"is damaged: line 3 .*--salvage` keeps the 2 lines"):
        read_lines(path)


def test_every_flipped_bit_is_found_or_changes_nothing(tmp_path):
    path = tmp_path / "run.jsonl"
    go(path)
    raw, whole = path.read_bytes(), read_lines(path)[0]
    for position in range(0, len(raw), 7):
        bad = bytearray(raw)
        bad[position] ^= 1 << position % 8
        path.write_bytes(bad)
        try:
            found = read_lines(path)[0]
        except InputError:
            continue
        assert found == whole[: len(found)]  # only the newline of the last line can be lost
        assert len(found) == len(whole) - 1


def test_exchanged_missing_and_foreign_lines_are_found(tmp_path):
    path = tmp_path / "run.jsonl"
    go(path)
    head, one, two, *rest = lines_of(path)
    for lines in ([head, two, one, *rest], [head, two, *rest], [head, one, one, two, *rest]):
        path.write_bytes(b"".join(lines))
        with pytest.raises(InputError, match="its checksum does not fit"):
            read_lines(path)
    other = tmp_path / "other.jsonl"
    Journal(other, {**HEADER, "data": "another table"}).close()
    path.write_bytes(b"".join([*lines_of(other), one, two]))
    with pytest.raises(InputError, match="line 2 is damaged"):
        read_lines(path)


def test_what_is_intact_before_the_damage_is_salvaged_and_goes_on(tmp_path):
    path = tmp_path / "run.jsonl"
    whole = go(path)
    lines = lines_of(path)
    path.write_bytes(b"".join([*lines[:4], b"x" + lines[4][1:], *lines[5:]]))
    damaged = path.read_bytes()
    found, kept, total = salvage(path)
    assert (kept, total) == (4, len(lines))
    assert found.read_bytes() == b"".join(lines[:4])
    assert path.read_bytes() == damaged
    assert go(found) == whole
    assert salvage(path)[0] != found


def test_nothing_can_be_salvaged_without_the_first_line(tmp_path):
    path = tmp_path / "run.jsonl"
    go(path)
    path.write_bytes(b"x" + path.read_bytes()[1:])
    with pytest.raises(InputError, match="its first line, which says what the run is, is damaged"):
        salvage(path)


@pytest.mark.unix
def test_a_journal_that_another_process_writes_is_refused(tmp_path):
    first = Journal(tmp_path / "run.jsonl", HEADER)
    with pytest.raises(InputError, match="is being written by another process"):
        Journal(tmp_path / "run.jsonl", HEADER)
    first.close()
    Journal(tmp_path / "run.jsonl", HEADER).close()


def test_the_first_line_is_there_whole_or_the_file_is_not(tmp_path, monkeypatch):
    def full(descriptor, text):
        os.write(descriptor, text[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("fewest._run.journal.append", full)
    with pytest.raises(InputError, match="No space left on device"):
        Journal(tmp_path / "run.jsonl", HEADER)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.unix
def test_a_full_disk_leaves_no_half_line(tmp_path):
    """Real writes against a limit on the size of files."""
    script = f"""
import resource, signal, numpy as np
from fewest._errors import InputError
from fewest.measures._measure import Scores
from fewest._run.journal import Journal, read_lines
from fewest.search import Subsets
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
journal = Journal({str(tmp_path / "run.jsonl")!r}, {HEADER!r})
space, bits = Subsets(6), np.eye(6, dtype=bool)
try:
    while True:
        journal.record(space, bits, Scores(np.arange(6.0)))
except InputError as error:
    journal.close()
    print(error)
lines, end = read_lines(journal.path)
assert end == journal.path.stat().st_size and len(lines) > 3
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    assert "cannot be written (File too large); what it holds so far stays" in out.stdout


def test_an_infinite_score_is_not_recorded(tmp_path):
    journal = Journal(tmp_path / "run.jsonl", HEADER)
    with pytest.raises(InputError, match="A score is infinite"):
        journal.record(SPACE, np.eye(6, dtype=bool)[:1], Scores(np.array([np.inf])))
    journal.close()


def resealed(path, change):
    """The journal with changed lines that have right checksums, as a forger would make it."""
    lines, chain = [change(line) for line in read_lines(path)[0]], Chain()
    path.write_bytes(b"".join(chain.sealed(line) for line in lines[: len(lines) // 2 + 1]))


@pytest.mark.parametrize("forged", [{"folds": [[0.5, 0.5]]}, {"goals": {"x": [1.0]}}])
def test_scores_of_another_form_are_refused_when_the_run_goes_on(tmp_path, forged):
    path = tmp_path / "run.jsonl"
    go(path)
    n = len(read_lines(path)[0])

    def change(line):
        if "keys" not in line:
            return line
        width = len(line["keys"])
        grown = {k: v * width if k == "folds" else {"x": [1.0] * width} for k, v in forged.items()}
        return {**line, **grown}

    resealed(path, change)
    assert len(read_lines(path)[0]) < n
    with pytest.raises(InputError, match="does not hold scores of this run: they have"):
        go(path)


def test_reading_importances_takes_time_by_their_number(tmp_path):
    path, chain = tmp_path / "run.jsonl", Chain()
    first = {"fewest": "journal", "format": 2, "names": ["a"]}
    asked = {"importances": [1.0], "shadows": None, "score": 0.5}
    n = 3000
    lines = [first, *({"asked": f"q{i}", **asked} for i in range(n))]
    path.write_bytes(b"".join(chain.sealed(line) for line in lines))
    profile = cProfile.Profile()
    assert len(profile.runcall(read_lines, path)[0]) == n + 1
    assert sum(entry.callcount for entry in profile.getstats()) < 100 * n


@pytest.mark.unix
def test_a_pipe_is_no_journal(tmp_path):
    os.mkfifo(tmp_path / "run.jsonl")
    with pytest.raises(InputError, match="is a pipe or a device"):
        read_lines(tmp_path / "run.jsonl")


HEAD = {"fewest": "journal", "format": 1, "names": ["a", "b"], "seed": 1}
LINE = {"keys": ["80", "40"], "value": [0.5, None], "folds": [[0.4, 0.6], [None, 1]]}


def written(tmp_path, *lines):
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_what_is_right_is_read(tmp_path):
    assert read_lines(written(tmp_path, HEAD, LINE, LINE))[0] == [HEAD, LINE, LINE]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"keys": None}, "`keys`"),
        ({"keys": ["8", "40"]}, "`keys`"),
        ({"keys": ["zz", "40"]}, "`keys`"),
        ({"keys": [1, 2]}, "`keys`"),
        ({"value": None}, "`value`"),
        ({"value": [0.5]}, "`value`"),
        ({"value": [0.5, "1"]}, "`value`"),
        ({"value": [0.5, True]}, "`value`"),
        ({"value": [0.5, 10**400]}, "`value`"),
        ({"value": [0.5, float("inf")]}, "is not JSON"),
        ({"folds": None}, "`folds`"),
        ({"folds": [[0.1, 0.2]]}, "`folds`"),
        ({"folds": [[0.1, 0.2], [0.1]]}, "`folds`"),
        ({"folds": 3}, "`folds`"),
        ({"goals": [1]}, "`goals`"),
        ({"goals": {"leaves": [1, 2]}}, "`goals`"),
        ({"frequency": [0.5]}, "`frequency`"),
        ({"frequency": [0.5, 10**30], "generation": 1}, "`frequency`"),
        ({"frequency": [0.5, 0.5]}, "`generation`"),
        ({"generation": -1}, "`generation`"),
        ({"generation": "1"}, "`generation`"),
    ],
)
def test_a_wrong_field_of_a_line_is_named(tmp_path, change, words):
    path = written(tmp_path, HEAD, LINE, {**LINE, **change})
    with pytest.raises(InputError, match=f"is damaged: line 3 .*{words}"):
        read_lines(path)


ASKED = {"asked": "80/-1/auto/0/0", "importances": [0.5, None], "shadows": None, "score": None}


def test_importances_are_lines_of_their_own(tmp_path):
    lines = [HEAD, LINE, ASKED, {**ASKED, "shadows": [0.1]}, LINE]
    assert read_lines(written(tmp_path, *lines))[0] == lines


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"asked": 1}, "`asked`"),
        ({"importances": None}, "`importances`"),
        ({"importances": [0.5]}, "`importances`"),
        ({"shadows": 3}, "`shadows`"),
        ({"score": "1"}, "`score`"),
    ],
)
def test_a_wrong_field_of_importances_is_named(tmp_path, change, words):
    path = written(tmp_path, HEAD, LINE, {**ASKED, **change})
    with pytest.raises(InputError, match=f"is damaged: line 3 .*{words}"):
        read_lines(path)


@pytest.mark.parametrize(
    "change",
    [{"seed": "1"}, {"seed": True}, {"seed": -1}, {"names": "ab"}, {"names": [1]}, {"units": [1]},
     {"units": [[5]]}, {"always": [-1]}, {"always": [7]}, {"command": []}, {"format": True}],
)  # fmt: skip
def test_a_wrong_field_of_the_first_line_is_named(tmp_path, change):
    path = written(tmp_path, {**HEAD, **change}, LINE)
    with pytest.raises(InputError, match=next(iter(change))):
        read_lines(path)


def sealed(*lines):
    chain = Chain()
    return b"".join(chain.sealed(line) for line in lines)


def test_what_is_sealed_is_read():
    lines = [{"a": 1}, {"b": "é\u2028"}, {}]
    raw = sealed(*lines[:2])
    assert whole_lines(raw + b'{"cut') == (lines[:2], len(raw))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"no\n", "it is not JSON"),
        (b"[1]\n", "it is not an object"),
        (b'{"a": NaN}\n', "NaN is not JSON"),
        (b'{"a": Infinity}\n', "Infinity is not JSON"),
        (b'{"format": 2}\n', "it has no checksum"),
        (b"\xff\xfe\n", "it is not JSON"),
        (b"[" * 100_000 + b"\n", "nested too deeply"),
        (sealed({"a": 1}) + b'{"b": 2}\n', "it has no checksum"),
        (sealed({"a": 1}).replace(b"1", b"2", 1), "does not fit"),
    ],
)
def test_damage_is_named(raw, words):
    with pytest.raises(DamagedError, match=words):
        whole_lines(raw)


def test_files_without_checksums_are_read():
    assert whole_lines(b'{"a": 1}\n{"b": 2}\n')[0] == [{"a": 1}, {"b": 2}]
    reader = Reader()
    reader.read(b'{"a": 1}')
    assert reader.chain is None


def test_the_intact_prefix_ends_before_the_damage():
    raw = sealed({"a": 1}, {"b": 2}, {"c": 3})
    first, second, _ = raw.splitlines(keepends=True)
    assert intact_prefix(raw) == (3, len(raw))
    assert intact_prefix(raw[:-20] + b"?" + raw[-19:]) == (2, len(first + second))
    assert intact_prefix(raw[:-1]) == (2, len(first + second))
    assert intact_prefix(b"x" + raw) == (0, 0)


def one_by_one(batch, value):
    known = value[~np.isnan(value)]
    some = len(known) > 0
    return {
        "candidates": len(batch),
        "best": known.max() if some else None,
        "mean": pytest.approx(known.mean()) if some else None,
        "std": pytest.approx(known.std()) if some else None,
        "mean_size": batch.sum(axis=1).mean(),
        "frequency": pytest.approx(batch.mean(axis=0), abs=5e-5),
    }


@pytest.mark.parametrize("cells", [1, 2**24])
def test_every_entry_is_that_of_its_batch(monkeypatch, cells):
    monkeypatch.setattr(module, "CELLS_PER_PART", cells)
    rng = np.random.default_rng(0)
    space = Subsets(40, max_features=25)
    archive, history = Archive(space), History(space)
    expected, best = [], (-np.inf, 0)
    for generation, size in enumerate([5, 1, 3, 1, 20]):
        batch, value = rng.random((size, 40)) < 0.5, np.round(rng.random(size), 1)
        value[rng.random(size) < 0.3] = np.nan
        first = len(archive)
        archive.add(batch, Scores(value), generation)
        rows = rng.permutation(np.append(np.arange(first, len(archive)), 0))
        history.note(rows, Scores(archive.value[rows]), archive, float(generation), 0.5)
        entry = one_by_one(np.asarray(archive.candidates[rows]), archive.value[rows])
        sizes = batch.sum(axis=1)
        own = [(v, -s) for v, s in zip(value, sizes, strict=True) if s <= 25 and v == v]
        best = max([best, *own])
        so_far = {"best_so_far": best[0], "best_size": -best[1]} if best[1] else {}
        expected.append({**entry, **so_far, "seconds": generation, "evaluations": len(archive)})
    for entry, wanted in zip(history.entries, expected, strict=True):
        assert {key: entry[key] for key in wanted} == wanted


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
