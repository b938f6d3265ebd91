"""Lines with chained checksums."""

import pytest

from fewest._run.journal_format import Chain, DamagedError, Reader, intact_prefix, whole_lines


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
