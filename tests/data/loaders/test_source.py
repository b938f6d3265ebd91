"""Files that are not what their name says."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pyarrow
import pytest

from fewest._errors import InputError
from fewest.data import load


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
