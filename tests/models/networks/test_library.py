"""Networks by name, tables drawn from them, and their named parts."""

import pytest

from fewest._errors import InputError
from fewest.networks._bif import load_network, network_files, sample_dataset, write_bif

#: Variables, arcs and free parameters as the repository of these networks states them.
KNOWN = {
    "asia": (8, 8, 18), "cancer": (5, 4, 10), "earthquake": (5, 4, 10), "child": (20, 25, 230),
    "insurance": (27, 52, 1008), "alarm": (37, 46, 509), "hailfinder": (56, 66, 2656),
    "win95pts": (76, 112, 574), "andes": (223, 338, 1157),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_networks_are_what_their_source_says(name):
    network = load_network(name)
    assert (len(network.names), len(network.arcs), network.n_parameters) == KNOWN[name]


def test_a_drawn_table_has_the_probabilities_of_the_network():
    data = sample_dataset("cancer", n_rows=4000)
    assert data.name == "cancer"
    assert data.target == "Dyspnoea"
    assert (data.X["Smoker"] == "True").mean() == pytest.approx(0.3, abs=0.03)
    assert sample_dataset("cancer", n_rows=9).X.equals(sample_dataset("cancer", n_rows=9).X)


def test_a_file_serves_as_well_as_a_name(tmp_path):
    write_bif(load_network("asia"), tmp_path / "mine.bif")
    assert load_network(str(tmp_path / "mine.bif")).arcs == load_network("asia").arcs


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match=r"but is 'alarms'. Did you mean alarm\?"):
        load_network("alarms")
    with pytest.raises(InputError, match="`n_rows` must be at least 1, but is 0"):
        sample_dataset("asia", n_rows=0)
    assert "pathfinder" in network_files()
