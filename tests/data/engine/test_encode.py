import numpy as np
import pyarrow as pa
import pytest

from fewest._errors import InputError
from fewest._kernels.subsets.pattern_tables import reduce_patterns
from fewest.data._as_table import as_table
from fewest.data._discretise import Discretiser
from fewest.data._engine import entropies as module
from fewest.data._engine import pattern_scans, tallies
from fewest.data._engine.encode import CodedScan, Coder, Coding
from fewest.data._engine.entropies import PairCounts, Sketch, join_groups, learn_cuts
from fewest.data._engine.frame import stored_table
from fewest.data._engine.pattern_scans import HashedCounter, PatternCounts
from fewest.data._engine.tallies import Tallies
from tests.data.engine.sample import arrow, frame, mixed
from tests.naive.entropies import entropy
from tests.naive.inconsistency import inconsistency_count
from tests.naive.joint_counts import joint_counts


def test_labels_are_coded_by_their_place_and_unknown_first():
    coding = Coding("a", ("u", "v"), None, True)
    assert coding.codes(pa.array(["v", None, "u"])).tolist() == [2, 0, 1]
    assert coding.size == 3


def test_numbers_are_coded_by_cuts_with_a_value_on_a_cut_left_of_it():
    coding = Coding("a", None, np.array([1.0, 2.0]), True)
    assert coding.codes(pa.array([0.5, 1.0, 1.5, None, 9.0])).tolist() == [1, 1, 2, 0, 3]
    assert coding.size == 4


def test_a_new_label_means_that_the_table_has_changed():
    with pytest.raises(InputError, match="column 'a' now holds 'w', which was not there"):
        Coding("a", ("u", "v"), None, False).codes(pa.array(["u", "w"]))


class Kept(CodedScan):
    """Keeps the codes of every batch."""

    def start(self):
        return []

    def add(self, state, part):
        return [*state, part]


def test_all_rows_come_with_class_and_weight():
    table = frame()
    codings = (Coding("x0", ("a", "b"), None, False),)
    target = Coding("y", ("low", "mid", "top"), None, False)
    rows = arrow(table, 70).reduce(Kept(Coder(codings, target, "w")))
    kept = table[table["w"] > 0]
    codes = np.concatenate([codes[0] for codes, _, _ in rows])
    assert np.array(["a", "b"])[codes].tolist() == kept["x0"].tolist()
    assert np.concatenate([weight for *_, weight in rows]).tolist() == kept["w"].tolist()
    bare = arrow(table, 70).reduce(Kept(Coder(codings, None)))
    assert all(not target.any() and weight is None for _, target, weight in bare)


TARGET = Coding("y", ("low", "mid", "top"), None, False)


def _exact(table, method):
    memory = as_table(table[["size", "noise"]], table["y"])
    return Discretiser(method=method, bins=5).fit(memory).cuts


@pytest.mark.parametrize("method", ["mdl", "width", "frequency"])
@pytest.mark.parametrize("batch", [50, 2000])
def test_cuts_of_few_values_are_those_of_a_table_in_memory(method, batch):
    table = mixed()
    found = learn_cuts(arrow(table, batch), ["size", "noise"], TARGET, None, method, 5)
    for coding, exact in zip(found, _exact(table, method), strict=True):
        assert coding.cuts.tolist() == exact.tolist()
    assert [coding.unknown for coding in found] == [False, True]


def test_a_sample_of_ends_is_the_same_for_every_order_and_cuts_lie_near_the_exact_ones(monkeypatch):
    monkeypatch.setattr(module, "HISTOGRAM_BINS", 256)
    monkeypatch.setattr(Sketch, "most", 256)
    table = mixed(6000)
    shuffled = table.sample(frac=1.0, random_state=1)
    one = learn_cuts(arrow(table, 999), ["size"], TARGET, None, "mdl", 10)[0].cuts
    two = learn_cuts(arrow(shuffled, 64), ["size"], TARGET, None, "mdl", 10)[0].cuts
    assert one.tolist() == two.tolist()
    (exact, _) = _exact(table, "mdl")
    ranks = np.searchsorted(np.sort(table["size"]), one) / len(table)
    wanted = np.searchsorted(np.sort(table["size"]), exact) / len(table)
    assert len(ranks) == len(wanted)
    # Two neighbouring ends of 256 have about 1/256 of the values between them.
    assert np.abs(ranks - wanted).max() < 6 / 256


@pytest.mark.parametrize("batch", [7, 100, 5000])
def test_counts_by_value_and_class_are_those_of_a_dictionary(batch):
    table = frame()
    tally = arrow(table, batch).reduce(Tallies(("x1", "x2"), "y"))
    wanted = joint_counts(table["x2"].fillna("?"), table["y"])
    found = {
        (value or "?", label): row[place]
        for value, row in tally.found["x2"].items()
        for label, place in tally.classes.items()
        if place < len(row) and row[place]
    }
    assert found == wanted
    assert tally.n_rows == len(table)
    assert sorted(tally.found["x1"]) == ["a", "b", "c"]


def test_weights_add_up_and_rows_of_weight_zero_are_left_out():
    table = frame()
    tally = arrow(table).reduce(Tallies(("x0",), "y", "w"))
    assert tally.n_rows == (table["w"] > 0).sum()
    assert tally.total == table["w"].sum()
    assert sum(row.sum() for row in tally.found["x0"].values()) == table["w"].sum()


def test_a_column_that_names_the_rows_is_not_counted(monkeypatch):
    monkeypatch.setattr(tallies, "MOST_LEVELS", 50)
    table = frame().assign(name=[f"row {i}" for i in range(900)])
    tally = arrow(table).reduce(Tallies(("x0", "name"), "y"))
    assert tally.too_many == {"name"}
    assert not tally.found["name"]


def test_negative_weights_are_refused():
    table = frame().assign(w=-1.0)
    with pytest.raises(InputError, match="`sample_weight` must name a column of numbers of at"):
        arrow(table).reduce(Tallies(("x0",), "y", "w"))


def _counts(table):
    source = arrow(table)
    stored = stored_table(source, "y", tuple(f"x{j}" for j in range(6)))
    return PairCounts(source, stored.coder())


def test_entropies_of_pairs_are_the_naive_ones_in_one_scan():
    table = frame()
    counts = _counts(table)
    pairs, triples = counts.pairs()
    assert counts.scans == 1
    columns = [table[f"x{j}"].fillna("?") for j in range(6)]
    for i, a in enumerate(columns):
        for j, b in enumerate(columns):
            assert pairs[i, j] == pytest.approx(entropy(a, b))
            assert triples[i, j] == pytest.approx(entropy(a, b, table["y"]))


@pytest.mark.parametrize("joined", [1, 8, 64])
def test_groups_columns_and_memory_do_not_change_a_bit(joined):
    counts = _counts(frame())
    pairs, triples = counts.pairs()
    counts.source.memory = 8 * 100 * counts.source.held
    counts.groups = join_groups(counts.sizes, joined)
    again = counts.pairs()
    assert counts.scans > 2
    assert (again[0] == pairs).all()
    assert (again[1] == triples).all()
    for j in range(6):
        assert (counts.column(j) == [pairs[j], triples[j]]).all()
    assert (counts.column(-1) == [np.diag(pairs), np.diag(triples)]).all()


def test_many_columns_of_one_value_are_counted():
    # A hundred axes of length 1 were more than an array can have.
    table = frame().assign(**{f"x{j}": "same" for j in range(6, 100)})
    stored = stored_table(arrow(table), "y", tuple(f"x{j}" for j in range(100)))
    pairs, triples = PairCounts(stored.source, stored.coder()).pairs()
    few, with_class = _counts(frame()).pairs()
    assert (pairs[:6, :6] == few).all()
    assert (triples[:6, :6] == with_class).all()
    assert pairs[7, 90] == 0.0


EVERY = np.array([[bool(n >> j & 1) for j in range(6)] for n in range(64)])


def _patterns(batch=100):
    stored = stored_table(arrow(frame().drop(columns="w"), batch), "y")
    return PatternCounts(stored.source, stored.coder())


def test_a_batch_of_subsets_takes_one_scan_and_counts_as_the_naive_way():
    table = frame()
    codes = table[[f"x{j}" for j in range(6)]].fillna("?").to_numpy()
    patterns = _patterns()
    sums = patterns.sums(EVERY)
    assert patterns.scans == 1
    for subset, outside in zip(EVERY, sums[:, 0], strict=True):
        assert outside == inconsistency_count(codes, table["y"], subset)


def test_hash_tables_that_grow_and_several_scans_give_the_same_sums(monkeypatch):
    wanted = _patterns().sums(EVERY)
    monkeypatch.setattr(pattern_scans, "MOST_DENSE", 1)
    monkeypatch.setattr(pattern_scans, "FEWEST_SLOT_BITS", 6)
    patterns = _patterns(77)
    patterns.source.memory = 1
    np.testing.assert_allclose(patterns.sums(EVERY), wanted, rtol=1e-12)
    assert patterns.scans > 8
    dense = _patterns()
    monkeypatch.setattr(pattern_scans, "MOST_DENSE", 1 << 18)
    dense.source.memory = 16 * 800 * dense.source.held
    np.testing.assert_allclose(dense.sums(EVERY), wanted, rtol=1e-12)


def test_a_growing_table_keeps_all_patterns_and_tables_are_joined(monkeypatch):
    wanted = _patterns().sums(np.ones((1, 6), dtype=bool))[0, 0]
    patterns = _patterns()
    batches = patterns.source.reduce(Kept(patterns.coder))
    members, sizes = np.arange(6), np.array([2, 3, 5, 5, 9, 2])
    for slots in (1 << 20, 1 << 9):
        counters = [HashedCounter(members, sizes, 3, slots) for _ in range(2)]
        for counter in counters:
            counter._move(4)
        for i, (codes, target, _) in enumerate(batches):
            counters[i % 2].add(codes, target, np.ones(len(target)))
        one, other = counters
        one.join(other)
        if slots == 1 << 20:
            assert reduce_patterns(one.counts)[0] == wanted
            assert not one.waiting
        else:
            # All patterns whose hashes begin with other bits wait.
            assert one.depth == len(one.waiting) > 0
            assert one.counts.sum() < 900


def test_entropies_of_subsets_are_those_of_memory():
    table = frame().drop(columns="w")
    stored = stored_table(arrow(table), "y").information().of_subsets(EVERY)
    memory = as_table(table.drop(columns="y"), table["y"]).information().of_subsets(EVERY)
    assert stored == pytest.approx(memory, abs=1e-12)


def test_features_alone_need_no_further_scan_and_wide_tables_count_single_columns(monkeypatch):
    table = frame().drop(columns="w")
    bits = stored_table(arrow(table), "y").information()
    memory = as_table(table.drop(columns="y"), table["y"]).information()
    assert (bits.relevance == memory.relevance).all()
    assert bits.source.counts.scans == 0
    monkeypatch.setattr(module, "ALL_PAIRS_UP_TO", 3)
    assert (bits.mutual_with(2) == memory.mutual_with(2)).all()
    assert (bits.excess_with(4) == memory.excess_with(4)).all()
    assert bits.source.counts.scans == 2
    assert (bits.conditional == memory.conditional).all()
    assert np.isfinite(bits.uncertainty).all()
