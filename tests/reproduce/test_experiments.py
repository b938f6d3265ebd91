"""The experiments of the five documents, small."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit
from typer.testing import CliRunner

from fewest._errors import InputError
from fewest._validation.external import validate
from fewest.classifiers import NaiveBayes
from fewest.classifiers._network_classifiers import restricted
from fewest.data import generate, load
from fewest.data._discretise import Discretiser
from fewest.search import SFS
from fewest.testing import mixed_table, nominal_table, parity_table
from fewest.testing._results import toy_validation
from papers import (
    dash2003,
    domains,
    drugan2010,
    hsu2004,
    inza2000,
    inza2002,
)
from papers import joint as study
from papers import validated as validated_results
from papers.__main__ import app
from papers.curves import by_generation, charts, curves
from papers.drugan2010 import (
    accuracy,
    call_per_row,
    complete_rows,
    redundant_percent,
    select,
    splits,
)
from papers.experiment import Cell, Settings
from papers.hsu2004 import GOLD, orderings
from papers.joint import independences
from papers.paper import Paper, read_paper
from papers.runner import Record, parts_of, plan
from papers.validated import (
    baseline,
    halves,
    per_generation,
    per_subset,
    seconds,
    size,
    stopped,
    validated,
)
from papers.weighing import SEARCHED, _halves, weighing
from tests.naive import filters


# Where the data of a domain come from.
def test_absent_data_are_told(monkeypatch, tmp_path):
    domains._load.cache_clear()
    monkeypatch.setattr(sys.modules["fewest.data._load"], "folders", lambda: [tmp_path])
    wanted, absent = plan(read_paper("inza2000"), Settings(), ["Image", "LED24"])
    assert {e.domain for e in wanted} == {"LED24"}
    assert absent == [
        "Image: there is no data set 'image-segmentation' here; put it into the folder that "
        "$FEWEST_DATA names."
    ]
    domains._load.cache_clear()


def test_generated_data_follow_the_seed():
    paper = read_paper("inza2000")
    one, same, other = (domains.domain_data(paper, "LED24", seed) for seed in (0, 0, 1))
    assert (one.y == same.y).all()
    assert not (one.y == other.y).all()
    assert domains.test_data(paper, "LED24") is None
    assert domains.why_absent(paper, "LED24") is None


def test_the_monks_problems_have_a_test_file():
    paper = read_paper("hsu2004")
    assert len(domains.test_data(paper, "Monk1").y) == 432
    # The training file is the usual one.
    assert len(domains.domain_data(paper, "Monk1", 0).y) == 124


def test_a_method_may_have_a_file_of_its_own():
    paper = read_paper("hsu2004")
    files = [domains.domain_data(paper, "Anneal", 0, which) for which in ("data", "FSS-C4.5 data")]
    assert [bool(data.table().missing.any()) for data in files] == [False, True]
    monk = domains.domain_data(paper, "Monk1", 0)
    assert domains.domain_data(paper, "Monk1", 0, "FSS-C4.5 data") is monk


def test_every_value_can_be_a_label():
    paper = read_paper("dash2003")
    votes = domains.domain_data(paper, "Vote", 0)
    table = domains.labelled(votes).table()
    assert not table.missing.any()
    assert table.nominal.all()
    unknown = table.values[votes.table().missing]
    assert {table.levels[0][int(code)] for code in unknown} == {domains.UNKNOWN}
    # A whole number is the label of itself.
    legs = domains.labelled(domains.domain_data(paper, "Zoo", 0)).table()
    assert legs.nominal.all()
    assert legs.levels[legs.names.index("legs")] == ("0", "2", "4", "5", "6", "8")


def test_data_that_are_not_public_have_a_reason():
    assert domains.why_absent(read_paper("inza2002"), "Cloud").startswith("Cloud: data of Aha")


# Smallest consistent subsets, and what they do to trees, on one domain.
def run(part, domain, method):
    every = dash2003.experiments(read_paper("dash2003"), Settings(quick=True))
    return next(e for e in every if (e.part, e.domain, e.method) == (part, domain, method)).run()


def test_the_smallest_subset_of_parity_is_proven():
    (cell,) = run("sizes", "Par3+3", "exact")
    assert (cell.table, cell.here) == ("1", 3.0)
    assert cell.note.startswith("proven smallest in ")


def test_subsets_are_counted_as_the_listing_tries_them():
    every = [c for size in range(1, 6) for c in combinations(range(5), size)]
    assert [dash2003.subsets_tried(list(c), 5) for c in every] == list(range(1, 32))


def test_focus_m_tries_as_many_subsets_of_vote_as_the_paper_says():
    (cell,) = run("evaluations", "Vote", "FocusM")
    assert cell.here == 39967 == read_paper("dash2003").figure("text", "Vote", "FocusM")[0]


def test_trees_before_and_after():
    cells = {(c.table, c.method): c for c in run("trees", "Par3+3", "QBB")}
    assert cells["2 error", "after QBB"].note == "3.0 features"
    assert cells["2 size", "after QBB"].here <= 15  # a full tree of three bits
    assert set(cells) == {
        (table, method)
        for table in ("2 error", "2 size")
        for method in ("before", "after QBB", "p-value")
    }
    assert 0 <= cells["2 error", "p-value"].here <= 1


# A few cells of Drugan and Wiering (2010), on few splits.
#: Percent selected and accuracy as published, for naive Bayes and TAN.
PUBLISHED = {
    ("votes", "MDL-FS"): ((14, 97), (9, 97)),
    ("votes", "MDL"): ((87.5, 93), (93, 93)),
    ("car", "MDL-FS"): ((81, 85), (33, 77)),
    ("chess", "MDL-FS"): ((13, 94), (42, 93)),
    ("mush", "accuracy wrapper"): ((14, 100), (14, 100)),
}


@pytest.mark.parametrize(("domain", "method"), PUBLISHED)
def test_selected_and_accuracy_are_near_the_published(data_folder, monkeypatch, domain, method):
    monkeypatch.setenv("FEWEST_DATA", str(data_folder))
    every = drugan2010.experiments(read_paper("drugan2010"), Settings(quick=True))
    (one,) = [e for e in every if (e.domain, e.method) == (domain, method)]
    cells = {cell.table: cell for cell in one.run()}
    for short, (selected, right) in zip(("NB", "TAN"), PUBLISHED[domain, method], strict=True):
        assert cells[f"3 {short} selected"].here == pytest.approx(selected, abs=4)
        assert cells[f"3 {short} accuracy"].here == pytest.approx(right, abs=2.5)
        assert len(cells[f"3 {short} CALL"].each) == 5


def test_figures_do_not_depend_on_the_number_of_jobs(tmp_path):
    summaries = []
    for jobs in ("1", "2"):
        words = ["drugan2010", "--quick", "-d", "artif", "-o", tmp_path / jobs, "--jobs", jobs]
        result = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
        assert result.exit_code == 0
        summary = json.loads((tmp_path / jobs / "drugan2010.json").read_text())
        summaries.append((summary["cells"], summary["tables"]))
        assert len(summary["cells"]) == 6 + 5 * 6
    assert summaries[0] == summaries[1]


def _every_cell(paper):
    """MDL-FS has half of the features, the others all; nothing else differs."""
    for domain in paper.domains:
        for short in drugan2010.CLASSIFIERS:
            for what in drugan2010.FIGURES:
                for method in drugan2010.METHODS:
                    values = [50.0 if (method, what) == ("MDL-FS", "selected") else 100.0] * 50
                    yield Cell(f"3 {short} {what}", domain, method, 0.0, each=values)
                yield Cell(f"2 {what}", domain, short, 0.0, each=[100.0] * 50)


def test_table_4_follows_once_all_domains_are_there(tmp_path):
    paper = read_paper("drugan2010")
    record = Record(tmp_path / "r.jsonl", "drugan2010", Settings())
    record.add("all", [c for c in _every_cell(paper) if c.domain != "oesoca"], 1.0)
    again = Record(tmp_path / "r.jsonl", "drugan2010", Settings()).cells()
    cells = {(c.table, c.domain, c.method): c.here for c in drugan2010.derived(paper, again)}
    assert cells["4 NB wins", "MDL", "selected, wins"] == 14
    assert cells["4 NB wins", "MDL", "selected, losses"] == 0
    assert cells["4 NB wins", "all features", "accuracy, wins"] == 0
    assert cells["4 TAN rank", "MDL-FS", "selected"] == 1
    assert cells["4 TAN rank", "CFS", "selected"] == 2
    assert cells["4 NB mean", "MDL-FS", "selected"] == 50
    assert ("4 NB wins", "MDL-FS", "selected, wins") not in cells
    published = {
        (table, row, what)
        for table, entry in paper.tables.items()
        if table.startswith("4")
        for row, figures in entry["rows"].items()
        for what in figures
    }
    assert set(cells) == published
    assert drugan2010.derived(paper, [c for c in again if c.domain != "credit"]) == []


@pytest.mark.parametrize("seed", range(3))
def test_the_second_reading_of_koller_and_sahami_is_the_naive_one(seed):
    table = nominal_table(n_rows=40, n_features=7, seed=seed)
    kept = np.flatnonzero(select(table, "koller-sahami, printed", "tan")).tolist()
    columns = list(table.values.T)
    assert kept == filters.koller_sahami(columns, table.target, 0.05, 1, in_class=True)
    assert 0 < len(kept) < table.n_features


def test_a_genetic_search_leaves_the_local_optimum_of_car(monkeypatch):
    monkeypatch.setitem(drugan2010.SPLITS, True, 1)
    every = drugan2010.experiments(read_paper("drugan2010"), Settings(quick=True))
    (one,) = [e for e in every if e.part == "genetic"]
    cells = {cell.method: cell.here for cell in one.run()}
    assert cells["TAN selected"] >= 80
    assert cells["TAN accuracy"] > 90


# The searches of Hsu (2004) and its trees, on a problem with a test file.
def test_the_searches_are_those_of_the_paper():
    best_first = hsu2004._search("FSS", Settings())
    assert (best_first.compound, best_first.least_gain, best_first.patience) == (True, 0.001, 5)
    folds = hsu2004._inner("FSS")
    assert (folds.n_splits, folds.shuffle) == (5, True)
    chc = hsu2004._search("CHC", Settings())
    assert (chc.variant, chc.population, chc.generations) == ("hsu", 100, 100)
    assert isinstance(hsu2004._inner("CHC"), ShuffleSplit)
    assert hsu2004._search("SGA", Settings(quick=True)).population == 20


def test_a_tree_with_best_first_on_the_first_problem():
    every = hsu2004.experiments(read_paper("hsu2004"), Settings(quick=True))
    (one,) = [e for e in every if (e.part, e.domain, e.method) == ("id3", "Monk1", "FSS")]
    full, selected = one.run()
    assert (full.method, selected.method) == ("ID3", "FSS-ID3")
    assert selected.note.endswith(" of 6 features")
    assert 0 <= selected.here < full.here
    # There is one test file, of 432 rows. On the features of the concept the tree errs on 12.
    assert full.here * 4.32 == pytest.approx(80)
    assert selected.here * 4.32 == pytest.approx(12)


def test_the_split_of_a_test_file_is_always_the_same():
    splits = list(hsu2004.TestFile(3, 2).split(np.zeros((5, 1))))
    assert [(a.tolist(), b.tolist()) for a, b in splits] == [([0, 1, 2], [3, 4])] * 2


# FSS-EBNA around naive Bayes on one domain, through the command.
def test_inza2000_on_a_domain(tmp_path, monkeypatch):
    monkeypatch.setitem(inza2000.POPULATION, True, 30)
    words = ["inza2000", "--quick", "--part", "naive-bayes", "--domain", "led24"]
    words += ["-o", str(tmp_path)]
    first = CliRunner().invoke(app, words, catch_exceptions=False)
    assert first.exit_code == 0
    assert "figures that can be compared" in first.stdout
    summary = json.loads((tmp_path / "inza2000.json").read_text())
    cells = {(c["table"], c["method"]): c for c in summary["cells"]}
    assert len(cells) == len(summary["cells"]) == 7
    assert all(cell["beside"] is not None for cell in cells.values())
    full = cells["3", "NB without FSS"]
    assert full["paper"] == 72.53
    # Ten digits, 10 % faults: naive Bayes with all segments is near the Bayes rate of 74 %.
    assert 67 < full["here"] < 76
    assert cells["5", "NB without FSS"]["here"] == 24
    assert 1 <= cells["6", "NB & FSS-EBNA"]["here"] < 100
    assert "LED24: generated here" in " ".join(summary["differs"])
    lines = (tmp_path / "inza2000.jsonl").read_text()
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    assert (tmp_path / "inza2000.jsonl").read_text() == lines


# The searches of the thesis, and a generated domain.
def test_elimination_asks_for_an_improvement():
    assert inza2002._search("SBE", "Image", Settings()).equal is False
    assert inza2002._search("SFS", "Image", Settings()).name == "sfs"


def test_populations_are_sparse_where_there_are_many_features():
    search = inza2002._search("FSS-PBIL", "Audiology", Settings())
    assert (search.population, search.p0) == (1000, 0.05)
    assert inza2002._search("FSS-TREE", "Image", Settings(quick=True)).p0 == 0.5


def test_generations_on_a_generated_domain(monkeypatch):
    monkeypatch.setitem(inza2002.DRAWS, True, 1)
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


# Counts of independences over domains and splits, by hand.
def small_paper():
    rows = {"DT": {"half of the arcs": [2.0, None]}, "ST": {"half of the arcs": [1.0, None]}}
    rows["DR"] = {"half of the arcs": [0.0, None]}
    tables = {"5.4.2": {"rows": rows, "kind": "networks"}}
    return Paper("p", "t", "s", tables, {})


def test_counts_are_summed_over_domains_split_by_split():
    # Two domains, two splits, three families each; -1 was not asked for.
    cells = [
        Cell("5.4", "a", "inside, half of the arcs", 1.5, each=[1, 0, -1, 1, 1, -1]),
        Cell("5.4", "b", "inside, half of the arcs", 1.5, each=[1, 1, 0, 1, 0, 0]),
    ]
    found = independences(small_paper(), cells)
    lists = {cell.domain: cell for cell in found if cell.table == "5.4.2"}
    assert [lists[name].here for name in ("DT", "ST", "DR")] == [2.0, 1.0, 0.0]
    assert lists["DT"].note == "2 to 2 of 2 networks"
    assert lists["DR"].note == "0 to 0 of 1 networks"
    (ranks,) = (cell for cell in found if cell.table == "5.4 ranks")
    assert (ranks.domain, ranks.method, ranks.here) == ("5.4.2", "half of the arcs", 1.0)


def test_nothing_was_run():
    assert independences(read_paper("inza2002"), []) == []


# The study of chapter 5: what an experiment tells, and the networks it comes from.
@pytest.fixture(scope="module")
def paper():
    return read_paper("inza2002")


@pytest.fixture(scope="module")
def cells(paper):
    experiments, absent = plan(paper, Settings(quick=True), ["Cleveland"], ["joint"])
    assert not absent
    (experiment,) = experiments
    return experiment.run()


def test_the_classifiers_are_those_of_the_lists(paper):
    assert set(study.classifiers(0)) == set(paper.tables["5.4.1"]["rows"])
    assert set(study.FAMILIES) == set(paper.tables["5.4.2"]["rows"])
    listed = {frozenset(pair.split(",")) for pair in paper.tables["5.4.3"]["rows"]}
    assert len(listed) == len(paper.tables["5.4.3"]["rows"]) == 10
    assert set().union(*listed) == set(study.FAMILIES)


def test_an_experiment_tells_the_readings_of_every_split(cells):
    readings = {cell.method: cell for cell in cells if cell.table == "5.4"}
    assert len(readings) == 6
    hard = np.reshape(readings["hard, with recovery"].each, (3, 14))
    assert readings["hard, with recovery"].here == (hard == 1.0).sum(axis=1).mean()
    # HOODG and PEBLS cannot take unknown values.
    assert (hard[:, -2:] == -1.0).all()
    assert "without HOODG, PEBLS" in readings["hard, with recovery"].note
    assert (hard[:, :-2] >= 0.0).all()


def test_fewer_arcs_mean_more_independences(cells):
    readings = {cell.method: cell for cell in cells if cell.table == "5.4"}
    for kind, n in (("inside", 5), ("between", 10)):
        full, half = (
            np.reshape(readings[f"{kind}, {way}"].each, (3, n))
            for way in (study.RECOVERED, study.HALF)
        )
        assert (half >= full).all()


def test_the_arcs_of_a_figure_are_those_of_the_first_split(cells):
    arcs = [cell for cell in cells if cell.table == "fig. 5.3"]
    assert 5 < len(arcs) < 60
    assert all(" → " in cell.method for cell in arcs)
    assert all(100 / 3 - 1e-9 <= cell.here <= 100.0 for cell in arcs)


# One split and one method of Drugan and Wiering: rows, selections and figures.
def test_the_wrapper_takes_one_feature_even_where_none_beats_the_most_frequent_class():
    noise = restricted(generate("xor").table(), [0, 3])
    assert select(noise, "accuracy", "naive-bayes").sum() == 1
    assert select(noise, "mdl-fs", "naive-bayes").sum() == 0


def test_rows_with_unknown_values_or_other_letters_go():
    table = mixed_table()
    known = ~np.isnan(table.values).any(axis=1)
    assert complete_rows(table).n_rows == known.sum() == 0
    letters = nominal_table()
    assert complete_rows(letters).n_rows == letters.n_rows
    kept = complete_rows(letters, "ab")
    # Every second feature has a third level, c.
    assert kept.n_rows == (letters.values < 2).all(axis=1).sum()


def test_a_third_of_the_rows_is_for_testing():
    table = nominal_table()
    parts = list(splits(table, 3, seed=1))
    assert [(train.n_rows, test.n_rows) for train, test in parts] == [(32, 16)] * 3
    assert any((parts[0][0].target != train.target).any() for train, _ in parts[1:])


def test_cut_points_are_learned_once_on_the_first_two_thirds():
    iris = load("iris").table()
    mixed = iris.take(np.random.default_rng(3).permutation(iris.n_rows))
    for table, first in (
        (mixed, np.arange(100)),
        (iris, np.random.default_rng(0).permutation(150)[:100]),
    ):
        known = Discretiser().fit(table.take(np.sort(first))).apply(table)
        parts = list(splits(table, 2))
        assert all(train.levels == test.levels == known.levels for train, test in parts)


def test_figures_of_a_mask():
    table = parity_table()
    three = np.array([True, True, True, False, False])
    # Naive Bayes sees nothing in parity; no features are all redundant alone, pairs as well.
    assert call_per_row(table, three, "naive-bayes") == pytest.approx(0.0)
    assert redundant_percent(table) == (100.0, 100.0)
    copy = nominal_table()
    first = np.array([True, False, False, False, False])
    agree = 100 * (copy.values[:, 0] == copy.target).mean()
    assert accuracy(copy, copy, first, "naive-bayes") == pytest.approx(agree)


# LVF and QBB by draws and budgets, and the race of FocusM and ABB.
@pytest.fixture(scope="module")
def parity():
    return generate("parity3+3")


def test_lvf_comes_to_small_subsets_in_few_draws(parity):
    cells = dash2003.intermediate(parity, "Par3+3", 25, Settings(quick=True))
    (cell,) = cells
    assert (cell.table, cell.method) == ("1 LVF", "M'")
    assert 3 <= cell.here <= 8  # the paper has 5
    assert cell.note.startswith("after 25 draws, 5 runs, ")


def test_figure_3_falls_from_all_features(parity):
    cells = dash2003.intermediate(parity, "Mushroom", 25, Settings(quick=True))
    curve = cells[1].curve
    assert curve[0] == 12
    assert len(curve) == 21
    # The draws of a longer run begin with those of a shorter one.
    assert all(a >= b for a, b in zip(curve, curve[1:], strict=False))


def test_qbb_is_never_larger_with_the_smallest_budget_here(parity):
    lvf, qbb = dash2003.by_budget(parity, "Par3+3", Settings(quick=True))
    assert (lvf.method, qbb.method) == ("Par3+3, LVF", "Par3+3, QBB")
    assert qbb.curve == [3.0] * 5
    assert min(lvf.curve) >= 3.0


def test_averages_wait_for_all_domains():
    one = Cell("fig. 4a", "A", "A, QBB", 3.0, None, "", [5.0, 3.0])
    assert dash2003.averaged([one], ["A", "B"]) == []
    assert dash2003.averaged([one], ["A"])[0].curve == [5.0, 3.0]


def test_the_race_counts_what_theory_says(monkeypatch):
    monkeypatch.setattr(dash2003, "N_BITS", 5)
    found = {c.method: c.here for c in dash2003.race("race", "D")}
    for needed in range(1, 5):
        # The complete levels below the answer, and some of its own.
        least = sum(math.comb(5, k) for k in range(needed))
        assert least < found[f"FocusM, M = {needed}"] <= least + math.comb(5, needed) + 1
        # Every superset of the answer, and each with one needed feature less at most.
        supersets = 2 ** (5 - needed)
        assert supersets <= found[f"ABB, M = {needed}"] <= supersets * (1 + needed)


# Accuracy inside and outside of the search, by the number of training rows.
def test_accuracy_inside_and_outside_by_training_size():
    paper = replace(
        read_paper("inza2000"),
        domains={inza2000.DOMAIN: {"generate": "waveform-40", "rows": 3400}},
    )
    cells = inza2000.by_size(paper, Settings(seed=1, quick=True), 100, 20)
    internal, external, apart = cells
    assert len(internal.curve) == len(external.curve) == inza2000.GENERATIONS + 1
    assert internal.curve == sorted(internal.curve)
    # A hundred rows and forty features: what the search believes is too good to be true.
    assert internal.here > external.here + 3
    assert internal.here == pytest.approx(internal.curve[-1], abs=1e-3)
    assert apart.here > 2


def test_tests_are_on_the_same_rows_for_every_size():
    table = generate("waveform-40", 5000).table()
    small, large = (inza2000._splits(table, rows, Settings()) for rows in (100, 1600))
    for train, test in [*small, *large]:
        assert len(test) == 3200
        assert (test == small[0][1]).all()
        assert not set(train) & set(test)
    assert [len(train) for train, _ in large] == [1600] * 5


# A search inside of 5×2cv: its halves and its cells.
def test_classes_of_very_different_size_are_judged_by_accuracy():
    data = generate("led24", 60)
    few = replace(data, y=np.where(np.arange(60) % 15 == 0, "rare", "common"))
    v = validated(few, NaiveBayes(), SFS(), Settings())
    assert (v.metric, v.baseline > 0.8) == ("accuracy", True)


def test_halves_are_those_of_validate():
    data = generate("led24", 60)
    seen = []

    class Spy:
        def fit(self, X, y):
            seen.append(np.asarray(y))
            return self

        def get_params(self, deep=True):
            return {}

        def get_support(self):
            return np.ones(24, dtype=bool)

    Spy.__sklearn_clone__ = lambda self: self
    validate(Spy(), data.X, data.y, scheme="5x2cv", random_state=5)
    expected = [data.y[train] for train, _ in halves(data, Settings(seed=5))]
    assert len(seen) == 10
    assert all((a == b).all() for a, b in zip(seen, expected, strict=True))


def test_cells_are_in_percent_and_stop_in_the_last_generation():
    v = toy_validation(["a", "b", "c"], np.array([True, False, True]))
    found = validated_results.accuracy("3", "D", "M", v)
    assert (found.here, found.std) == pytest.approx((100 * v.score, 100 * v.std))
    assert found.note == "selection score 90.0"
    assert baseline("3", "D", "M", v).here == pytest.approx(100 * v.baseline)
    assert size("4", "D", "M", v).here == pytest.approx(np.mean(v.sizes))
    # The first population is generation 0.
    assert stopped("6", "D", "M", v).here == np.mean([len(h) - 1 for h in v.history])


def test_times_are_of_a_search_a_generation_and_a_subset():
    v = toy_validation(["a", "b"], np.array([True, False]))
    history = [
        {"seconds": 1.0, "search_seconds": 0.5, "scoring_seconds": 2.0, "evaluations": 10},
        {"seconds": 4.0, "search_seconds": 0.1, "scoring_seconds": 1.0, "evaluations": 30},
    ]
    v = replace(v, history=[history, history[:1]])
    assert seconds("7", "D", "M", v).here == pytest.approx((4.0 + 1.0) / 2)
    assert per_generation("6.12", "D", "M", v).here == pytest.approx((0.3 + 0.5) / 2)
    assert per_subset("6.12", "D", "NB", v).here == pytest.approx((3 / 30 + 2 / 10) / 2)


# Orderings of Asia: both readings of the reference, on a small run.
@pytest.mark.parametrize(("reference", "low", "high"), [
    ("gold posteriors", 95, 100), ("observed values", 90, 100),
])  # fmt: skip
def test_figures_and_curves_of_a_reading(monkeypatch, reference, low, high):
    monkeypatch.setattr(hsu2004, "LENGTHS", (2, 4))
    monkeypatch.setattr(hsu2004, "TRIALS", {True: 2})
    cells = orderings(Settings(quick=True), reference)
    table = {c.method: c for c in cells if c.table == "3"}
    runs = {f"{n} generations, {what}" for n in (2, 4) for what in ("average", "best")}
    assert set(table) == runs | {"optimum"}
    assert {c.reading for c in table.values()} == {reference if reference == GOLD else ""}
    assert all(low < c.here <= high for c in cells)
    assert all(table[m].here <= table[m.replace("average", "best")].here for m in table)
    curves = [c.curve for c in cells if c.table == "fig. 4"]
    assert [len(curve) for curve in curves] == [4, 4]
    best = curves[1]
    assert best == sorted(best)


def test_the_paper_has_a_place_for_every_figure():
    paper = read_paper("hsu2004")
    assert {e.domain for e in hsu2004.experiments(paper, Settings())} <= set(paper.domains)
    printed = paper.figure("3", "Asia", "100 generations, best")
    assert printed == (93.16, None)
    assert {"3", "fig. 3", "fig. 4"} <= set(paper.tables)


# Chapter 7 of the thesis: a method on a domain.
PAPER = read_paper("inza2002")
TESTED = ("FW-GA-o", "FW-EBNA", "FW-EGNA")


def weigh(domain, method):
    experiments = weighing(PAPER, Settings(quick=True), "weighting")
    return next(e for e in experiments if (e.domain, e.method) == (domain, method)).run()


def test_there_is_an_experiment_for_every_figure_of_the_table():
    found = {(e.domain, e.method) for e in weighing(PAPER, Settings(), "weighting")}
    rows = PAPER.tables["7.2"]["rows"]
    compared = {(domain, method) for domain, row in rows.items() for method in row}
    beside = {(domain, f"{m}, defaults") for domain, m in compared if m in TESTED}
    assert found == compared | beside
    assert (len(compared), len(beside)) == (48, 24)


def test_the_test_can_only_end_a_search_earlier():
    here, beside = (
        weigh("Glass", "FW-EBNA")[1],
        weigh("Glass", "FW-EBNA, defaults")[1],
    )
    assert (here.table, here.reading, beside.reading) == ("7.3", "", "defaults")
    assert 0 <= beside.here <= here.here


def test_generated_domains_are_drawn_anew_for_each_repetition():
    settings = Settings(quick=True)
    tables = [table for table, _ in _halves(PAPER, settings, "3-Weights")]
    assert len(tables) == 10
    assert all((a.values == b.values).all() for a, b in zip(tables[::2], tables[1::2], strict=True))
    assert len({float(table.values.sum()) for table in tables}) == 5
    assert len({float(t.values.sum()) for t, _ in _halves(PAPER, settings, "Glass")}) == 1


@pytest.mark.parametrize(("method", "tables"), [("no-FW", 1), ("IB4", 1), ("FW-EBNA", 4)])
def test_glass_comes_near_the_printed_accuracy(method, tables):
    cells = weigh("Glass", method)
    assert len(cells) == tables
    printed, _ = PAPER.figure("7.2", "Glass", method)
    assert abs(cells[0].here - printed) < 6
    assert len(cells[0].each) == 10


def test_generated_domains_need_no_files():
    (cell,) = weigh("3-Weights", "no-FW")
    assert cell.here == pytest.approx(76, abs=3)


def test_tables_name_their_part():
    assert parts_of(PAPER, ["7.2", "6.2"]) == ["weighting", "medium"]
    with pytest.raises(InputError, match="`--table` must be one of .*6.2, .*7.2"):
        parts_of(PAPER, ["9.9"])
    assert set(SEARCHED) < set(PAPER.tables["7.2"]["rows"]["Glass"])


# Curves of cells as a chart and as lines of a table.
def test_a_chart_for_each_setting(curved):
    (chart,) = charts(curved)
    assert [(m.role, m.dashed, m.y) for m in chart.marks] == [
        ("selection", True, [80.0, 90.0]),
        ("honest", False, [74.0, 75.0]),
    ]
    # A twentieth of 90 - 74 is left free on either side.
    assert (chart.y.low, chart.y.high) == (73.2, 90.8)


def test_lines_by_generation(curved):
    assert curves(curved, "text") == {}
    figure, text = curved["tables"]
    assert by_generation(curved, text) == []
    assert by_generation(curved, figure) == [
        ["", "", "generation 0", "1"],
        ["100 rows", "internal", "80.0", "90.0"],
        ["100 rows", "external", "74.0", "75.0"],
    ]


def test_the_arcs_of_a_network_are_drawn():
    cells = [{"table": "fig. 5.2", "method": arc} for arc in ("a → b", "a → c", "b → c")]
    tables = [{"number": "fig. 5.2", "kind": "network"}]
    (chart,) = charts({"cells": cells, "tables": tables})
    assert chart.name == "fig-5.2-network"
    arrows, nodes = chart.marks
    assert (nodes.words, nodes.y) == (["a", "b", "c"], [0, 1, 2])
    assert len(arrows.to_x) == 3


def test_other_curves_have_their_own_axis(curved):
    figure = {**curved["tables"][0], "kind": "budget"}
    assert by_generation(curved, figure)[0] == ["", "", "subsets drawn or scored 1000", "2000"]
    (chart,) = charts({**curved, "tables": [figure]})
    assert [mark.x for mark in chart.marks] == [[1000, 2000]] * 2
    assert (chart.x.title, chart.y.title) == ("subsets drawn or scored", "features")
