"""The searches of the thesis, and a generated domain."""

from fewest.data._generators.by_name import generate
from papers import inza2002, reach
from papers.experiment import Settings
from papers.paper import read_paper
from papers.validated import validated


def test_elimination_asks_for_an_improvement():
    assert inza2002._search("SBE", "Image", Settings()).equal is False
    assert inza2002._search("SFS", "Image", Settings()).name == "sfs"


def test_populations_are_sparse_where_there_are_many_features():
    search = inza2002._search("FSS-PBIL", "Audiology", Settings())
    assert (search.population, search.p0) == (1000, 0.05)
    assert inza2002._search("FSS-TREE", "Image", Settings(quick=True)).p0 == 0.5


def test_generations_on_a_generated_domain(monkeypatch):
    monkeypatch.setitem(reach.DRAWS, True, 1)
    monkeypatch.setitem(inza2002.POPULATION, True, 20)
    every = inza2002.experiments(read_paper("inza2002"), Settings(quick=True))
    wanted = ("Redundant-order-3", "FSS-EBNA")
    (one,) = [e for e in every if (e.domain, e.method) == wanted]
    (cell,) = one.run()
    assert (cell.table, cell.domain, cell.method) == ("6.5", *wanted)
    assert 0 < cell.here <= 50


def test_sequential_searches_stop_by_themselves():
    data = generate("led24", 200)
    v = validated(data, "naive-bayes", inza2002._search("SFS", "LED24", Settings()), Settings())
    assert max(v.sizes) > 1
