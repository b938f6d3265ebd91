"""Files that are not what their name says."""

from __future__ import annotations

import bz2
import cProfile
import gzip
import lzma
import os

import pyarrow
import pyarrow.parquet as pq
import pytest

from fewest.data import load
from fewest.data.loaders import source
from fewest.data.loaders.arff import read_arff
from fewest.data.loaders.json_lines import read_json_lines
from fewest.errors import InputError

SPARSE = b"@relation r\n@attribute a numeric\n@attribute y {u,v}\n@data\n%s\n{0 2, 1 v}\n"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.csv", b"", "line of column names, but is empty"),
        ("t.csv", b"a,b\n", "at least one row"),
        ("t.csv", b"a,b\n1\n", "Row 2 of .* must have 2 values .* but has 1"),
        ("t.csv", b"5.1,3.5,x\n4.9,3.0,y\n", "first line holds '5.1'; put the names there"),
        ("t.csv", b"a,a,y\n1,2,3\n", "'a' occurs 2 times"),
        ("t.csv", b"a\n1\n", "a target and at least one feature, but has one column only"),
        ("t.csv", b"\x1f\x8b\x08", "is gzip-compressed; add .gz to its name"),
        ("t.csv", b"PK\x03\x04\x00\x00", "text file, as its name says, but holds binary data"),
        ("t.csv", b"a,b\n1,\xe9\n", "UTF-8, but line 2 is not"),
        ("t.csv", b"@relation r\n", "must be a CSV file.*but is ARFF"),
        ("t.csv.gz", b"a,b\n1,2\n", "must be gzip-compressed, as its name says, but is not"),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n" * 99, mtime=0)[:-9], "damaged gzip file"),
        ("t.parquet", b"a,b\n1,2\n", "must be a Parquet file, as its name says"),
        ("t.sav", b"$FL2", r"ends in .arff, .csv, .tsv, .* but ends in '.sav'"),
        ("t.xlsx", b"PK", "must be an Excel file, as its name says"),
        ("t.csv", b"BZh91AY", "is bzip2-compressed; add .bz2 to its name"),
        ("t.csv.bz2", b"a,b\n", "must be bzip2-compressed, as its name says, but is not"),
        ("t.csv.xz", b"\xfd7zXZ\x00nothing", "is a damaged xz file"),
        ("t.csv.zst", b"\x28\xb5\x2f\xfdnothing", "is a damaged zstandard file"),
        ("t.csv", "a,b\n1,2\n".encode("utf-16"), 'give encoding="utf-16"'),
        ("t.jsonl", b'{"a": 1}\n[2]\n', "Line 2 of .* must be a JSON object"),
        ("t.jsonl", b'{"a": 1\n', "Line 1 of .* must be a JSON object"),
        ("t.jsonl", b'{"a": [1]}\n', "'a' holds several"),
        ("t.parquet.gz", b"\x1f\x8b", "ends in .arff, .csv"),
        ("t.arff", SPARSE % b"{0 1, 1 \t}", "Line 5 of .* must list positions below 2 .* '1'"),
        ("t.arff", SPARSE % b"{0 1, 1 u\tv}", "Line 5 of .* must list positions below 2"),
    ],
)
def test_files_that_are_not_what_they_say(tmp_path, name, content, sentence):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        load(path)


LINES = '{"a": 1, "b": "x", "y": 0}\n{"a": 2, "b": "z", "y": 1}\n'


def packed(path, ending, raw):
    if ending == ".zst":
        with pyarrow.CompressedOutputStream(str(path), "zstd") as stream:
            stream.write(raw)
    else:
        pack = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
        path.write_bytes(pack[ending](raw))


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_compressed_files(tmp_path, kind, ending):
    text = {"csv": "a,b,y\n1,x,0\n2,z,1\n", "jsonl": LINES}[kind]
    path = tmp_path / f"t.{kind}{ending}"
    packed(path, ending, text.encode())
    data = load(path)
    assert (data.name, data.target, data.X["a"].tolist()) == ("t", "y", [1.0, 2.0])
    assert data.kinds == {"a": "continuous", "b": "nominal"}


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8"])
def test_encodings(tmp_path, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes("größe,ort,y\n1,Zürich,0\n2,Genf,1\n".encode(encoding))
    data = load(path, encoding=encoding)
    assert data.names == ("größe", "ort")
    assert data.X["ort"].tolist() == ["Zürich", "Genf"]


def test_the_sentence_about_encodings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("ort,y\nZürich,0\n".encode("latin-1"))
    with pytest.raises(InputError, match="UTF-8, but line 2 is not; give its encoding"):
        load(path)
    with pytest.raises(InputError, match="must be the name of an encoding.*'klingon'"):
        load(path, encoding="klingon")


@pytest.mark.parametrize("encoding", ["punycode", "undefined", "\x00"])
def test_encodings_that_raise_what_they_like(tmp_path, encoding):
    (tmp_path / "t.csv").write_text("a,y\n1,u\n2,v\n")
    with pytest.raises(InputError, match="give its encoding|must be the name of an encoding"):
        load(tmp_path / "t.csv", encoding=encoding)


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
def test_a_small_file_that_would_fill_the_memory_is_refused(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(source, "MOST_GIGABYTES", 0.001)
    path = tmp_path / f"t.csv{ending}"
    packed(path, ending, b"a,y\n" + b"1,u\n2,v\n" * 4_000_000)
    with pytest.raises(InputError, match=r"would fill at least .* set FEWEST_MAX_GIGABYTES=\d+ in"):
        load(path)
    monkeypatch.setattr(source, "MOST_TIMES", 10**9)
    assert len(source.read_bytes(path)) == 4 + 32_000_000


def test_the_limit_is_raised_by_the_environment(monkeypatch):
    assert source.allowed_bytes(10) == 1e9
    monkeypatch.setenv(source.LIMIT, "20")
    assert source.allowed_bytes(10) == 20e9
    monkeypatch.setenv(source.LIMIT, "much")
    with pytest.raises(InputError, match="must be a number of gigabytes, but is 'much'"):
        source.allowed_bytes(10)


def test_few_bytes_that_make_many_cells_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MOST_GIGABYTES", 0.001)
    keys = "".join(f'{{"k{i}": {i}}}\n' for i in range(1000))
    declared = "".join(f"@attribute a{i} numeric\n" for i in range(1000))
    sparse = f"@relation r\n{declared}@data\n" + "{1 1}\n" * 400
    pq.write_table(pyarrow.table({"a": [0] * 10**6, "y": [1] * 10**6}), tmp_path / "t.parquet")
    (tmp_path / "t.jsonl").write_text(keys)
    (tmp_path / "t.arff").write_text(sparse)
    for name in ("t.jsonl", "t.arff", "t.parquet"):
        with pytest.raises(InputError, match="GB in memory, which is more than"):
            load(tmp_path / name)


def test_work_is_by_the_values_that_are_given_not_by_cells(tmp_path):
    """Python reads only what stands in the file; cells between are filled by numpy."""
    n = 3000
    (tmp_path / "t.jsonl").write_text("".join(f'{{"k{i}": {i}, "y": {i % 2}}}\n' for i in range(n)))
    declared = "".join(f"@attribute a{i} numeric\n" for i in range(n))
    (tmp_path / "t.arff").write_text(
        f"@relation r\n{declared}@data\n" + "".join(f"{{{i} 1}}\n" for i in range(n))
    )
    for reader, path in ((read_json_lines, "t.jsonl"), (read_arff, "t.arff")):
        profile = cProfile.Profile()
        found = profile.runcall(reader, tmp_path / path)
        assert len(found.columns) >= n
        assert sum(entry.callcount for entry in profile.getstats()) < 300 * n


@pytest.mark.unix
@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.xlsx", "catalog.json", "t.jsonl.gz"])
def test_pipes_and_devices_are_refused(tmp_path, name):
    os.mkfifo(tmp_path / name)
    (tmp_path / "other.csv").write_text("a,y\n1,u\n2,v\n")
    with pytest.raises(InputError, match="must be a file, but is a pipe or a device"):
        load(tmp_path / ("other.csv" if name == "catalog.json" else name))


def test_a_path_with_a_nul_is_no_path():
    with pytest.raises(InputError, match="must be the path of a file, but is none"):
        load("t\x00.csv")
