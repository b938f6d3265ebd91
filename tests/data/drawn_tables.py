"""Tables that hypothesis draws."""

from __future__ import annotations

from hypothesis import strategies as st

numbers = st.one_of(st.none(), st.floats(-1e9, 1e9))


labels = st.one_of(st.none(), st.sampled_from(["a", "b", "it's", "a, b", "", "7", " x "]))


flags = st.booleans()


@st.composite
def tables(draw):
    """Columns by name, one kind each, and a target with two classes."""
    n = draw(st.integers(2, 12))
    kinds = draw(st.lists(st.sampled_from([numbers, labels, flags]), min_size=1, max_size=4))
    columns = {
        f"c{j}": draw(st.lists(kind, min_size=n, max_size=n)) for j, kind in enumerate(kinds)
    }
    # A column without any known value says nothing of its kind.
    for column, kind in zip(columns.values(), kinds, strict=True):
        column[0] = 1.5 if kind is numbers else "a" if kind is labels else True
    rest = draw(st.lists(st.sampled_from("uv"), min_size=n - 2, max_size=n - 2))
    return columns, ["u", "v", *rest]
