"""Files that are not what their name says."""

from __future__ import annotations

import gzip

import pytest

from fewest.data import load
from fewest.errors import InputError


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
        ("t.xlsx", b"PK", r"ends in .arff, .csv, .tsv, .parquet .* but ends in '.xlsx'"),
    ],
)
def test_files_that_are_not_what_they_say(tmp_path, name, content, sentence):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        load(path)
