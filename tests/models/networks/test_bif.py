"""BIF files: what is written is read again, and what is damaged is refused in one sentence."""

import gzip

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.graph import Graph, Network
from fewest.networks._bif import bif_text, load_network, read_bif, write_bif
from fewest.networks._named import NamedNetwork

SMALL = """network small {
}
variable rain { type discrete [ 2 ] { no, yes }; } // a comment
variable wet { type discrete [ 3 ] { <5, 5-12, very/wet }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( wet | rain ) {
  (no) 0.7, 0.2, 0.1;
  (yes) 0.1, 0.3, 0.6;
}
"""


def small(tmp_path, text=SMALL):
    path = tmp_path / "small.bif"
    path.write_text(text)
    return read_bif(path)


def test_a_small_file(tmp_path):
    network = small(tmp_path)
    assert network.arcs == [("rain", "wet")]
    assert network.levels[1] == ("<5", "5-12", "very/wet")
    assert network.table("wet")["yes",].tolist() == [0.1, 0.3, 0.6]


@pytest.mark.parametrize("ending", [".bif", ".bif.gz"])
def test_written_and_read_again(tmp_path, ending):
    network = load_network("insurance")
    write_bif(network, tmp_path / f"copy{ending}")
    copy = read_bif(tmp_path / f"copy{ending}")
    assert copy.names == network.names
    assert copy.levels == network.levels
    assert copy.graph == network.graph
    np.testing.assert_array_equal(copy.network.probabilities, network.network.probabilities)


@pytest.mark.parametrize("name", ["asia", "cancer", "alarm", "hailfinder"])
def test_files_are_read_as_pyagrum_reads_them(tmp_path, name):
    gum = pytest.importorskip("pyagrum")
    from fewest.networks._bif import network_files
    from fewest.networks._inference.junction_tree import from_pyagrum

    plain = tmp_path / f"{name}.bif"
    plain.write_bytes(gzip.decompress(network_files()[name].read_bytes()))
    theirs, ours = from_pyagrum(gum.loadBN(str(plain))), load_network(name)
    assert (theirs.names, theirs.levels) == (ours.names, ours.levels)
    assert set(theirs.arcs) == set(ours.arcs)
    for variable in ours.names:
        order = [ours.names[p] for p in ours.graph.parents[ours.position(variable)]]
        other = [theirs.names[p] for p in theirs.graph.parents[theirs.position(variable)]]
        found = theirs.table(variable)
        for case, row in ours.table(variable).items():
            turned = tuple(case[order.index(parent)] for parent in other)
            # pyAgrum reads numbers of single precision.
            np.testing.assert_allclose(found[turned], row, atol=1e-7)


def test_one_table_for_all_cases_and_a_default(tmp_path):
    text = SMALL.replace("(no) 0.7, 0.2, 0.1;\n  (yes) 0.1, 0.3, 0.6;",
                         "table 0.7, 0.1, 0.2, 0.3, 0.1, 0.6;")  # fmt: skip
    assert small(tmp_path, text).table("wet")["yes",].tolist() == [0.1, 0.3, 0.6]
    text = SMALL.replace("(no) 0.7, 0.2, 0.1;", "default 0.5, 0.25, 0.25;")
    assert small(tmp_path, text).table("wet")["no",].tolist() == [0.5, 0.25, 0.25]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("0.7, 0.2", "0.7, 0.9", "the probabilities of wet do not add up to 1"),
        ("0.7, 0.2", "0.7, x", "the table of wet holds '0.7, x, 0.1' instead of numbers"),
        ("0.7, 0.2", "0.7", "the table of wet has a line of 2 numbers"),
        ("(yes)", "(maybe)", "the table of wet speaks of the unknown case (maybe)"),
        ("(yes) 0.1, 0.3, 0.6;", "", "the table of wet does not give every probability"),
        ("wet | rain", "wet | snow", "a table speaks of 'snow', which is no variable"),
        ("[ 3 ]", "[ 4 ]", "wet should have 4 values, but has 3"),
        ("[ 3 ]", f"[ {'9' * 5000} ]", "the variable wet has no list of discrete"),
        ("type discrete [ 2 ] { no, yes };", "", "the variable rain has no list of discrete"),
        ("( rain ) { table 0.8, 0.2; }", "( rain | wet ) { default 0.8, 0.2; }",
         "its arcs make a cycle"),
        ("probability ( rain ) { table 0.8, 0.2; }", "", "rain has no table"),
        ("0.6;\n}", "0.6;\n", "a block is not closed"),
        ("network small", "netwerk small", "a block was expected where 'netwerk' stands"),
        ("0.2; }\n", "0.2 }\n", "the table of rain has a line without an end"),
    ],
)  # fmt: skip
def test_damage_is_told_in_a_sentence(tmp_path, old, new, why):
    assert old in SMALL
    with pytest.raises(InputError) as told:
        small(tmp_path, SMALL.replace(old, new))
    text = str(told.value)
    assert "must be a network in BIF, but is damaged: " + why in text
    assert "\n" not in text


def test_files_that_are_not_there_or_not_compressed(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        read_bif(tmp_path / "nothing.bif")
    (tmp_path / "torn.bif.gz").write_bytes(gzip.compress(SMALL.encode())[:40])
    with pytest.raises(InputError, match="damaged gzip file"):
        read_bif(tmp_path / "torn.bif.gz")
    (tmp_path / "empty.bif").write_text("")
    with pytest.raises(InputError, match="it has no variables"):
        read_bif(tmp_path / "empty.bif")


def test_values_that_would_become_one_are_refused():
    network = Network(np.array([2]), Graph(((),)), np.array([0.5, 0.5]))
    with pytest.raises(InputError, match="The values of a must differ"):
        bif_text(NamedNetwork(network, ("a",), (("x y", "x_y"),)))
