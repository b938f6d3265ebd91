import numpy as np
import pytest
from scipy import stats

from fewest._errors import InputError
from fewest._run.archive import Archive
from fewest._run.loop import Run
from fewest._run.stop_rules import (
    Converged,
    Evaluations,
    Generations,
    NoImprovement,
    Progress,
    Reason,
    Seconds,
    Significance,
    StopKind,
    Target,
    paired_p,
    resolve_stop,
    seconds_of,
)
from fewest.measures._measure import Scores
from fewest.search import Subsets
from fewest.testing import TableMeasure, toy_table
from tests.run.searches import Listed

#: Four subsets of which one has the last feature: a spread of one half.
POPULATION = np.array([[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 1]], dtype=bool)


def progress(generation=3, best=(0.5, 0.6, 0.6, 0.6), seconds=1.0, archive=None, costs=(3,) * 4):
    archive = archive or Archive(Subsets(3))
    scores = Scores(np.zeros(1))
    return Progress(archive, generation, scores, list(best), list(costs), seconds, 100, POPULATION)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Generations(4), "4 generations done"),
        (Generations(5), None),
        (Seconds(0.5), "the time budget of 0.5 s is used up"),
        (Seconds(2.0), None),
        (NoImprovement(2), "no improvement in 2 generations"),
        (NoImprovement(3), None),
        (Target(0.6), "the target value 0.6 is reached"),
        (Target(0.7), None),
        (Converged(0.5), "the population has converged"),
        (Converged(0.1), None),
    ],
)
def test_each_rule_speaks_when_its_time_has_come(rule, words):
    reason = rule.reason(progress())
    assert (reason.text if reason else None) == words


@pytest.mark.parametrize(
    ("best", "costs", "stops"),
    [
        ((0.6, 0.6, 0.6), (3, 3, 3), True),
        ((0.6, 0.6, 0.6), (3, 3, 2), False),
        ((0.6, 0.6, 0.6), (3, 2, 2), False),
        ((0.6, 0.6, 0.6, 0.6), (3, 2, 2, 2), True),
        # A better value may cost more; nothing is asked of costs then.
        ((0.6, 0.6, 0.7), (3, 3, 5), False),
        # Nothing feasible has been seen.
        ((0.6, 0.6, 0.6), (np.inf, np.inf, np.inf), True),
    ],
)
def test_a_smaller_subset_of_the_same_value_is_an_improvement(best, costs, stops):
    reason = NoImprovement(2).reason(progress(best=best, costs=costs))
    assert (reason is not None) == stops


def test_a_run_goes_on_while_the_best_subset_sheds_features():
    shrinking = [(np.arange(6) < k)[None] for k in (6, 5, 4, 3, 3, 3, 3)]
    flat = TableMeasure(lambda row: 1.0).bind(toy_table(n_features=6))
    rules, rng = (NoImprovement(2),), np.random.default_rng(0)
    outcome = Run(Listed(shrinking), flat, stop=rules, space=Subsets(6), rng=rng).go()
    assert (len(outcome.history), outcome.history.best_size) == (6, 3)


def two_generations(old_folds, new_folds, n_rows):
    archive = Archive(Subsets(3))
    for generation, folds in enumerate((old_folds, new_folds)):
        folds = np.array(folds, dtype=float)
        bits = np.zeros((1, 3), dtype=bool)
        bits[0, generation] = True
        archive.add(bits, Scores(folds.mean(axis=1), folds), generation)
    return Progress(archive, 1, archive.scores, [0.0, 0.0], [1.0, 1.0], 0.0, n_rows, POPULATION)


OLD = [[0.80, 0.82, 0.78, 0.81, 0.79, 0.80, 0.82, 0.78, 0.81, 0.79]]
CLEARLY = [[f + 0.05 for f in OLD[0]]]
BARELY = [[f + (0.06 if i % 2 else -0.05) for i, f in enumerate(OLD[0])]]


@pytest.mark.parametrize(
    ("new", "n_rows", "stops"),
    [(CLEARLY, 100, False), (BARELY, 100, True), (BARELY, 2000, False), (OLD, 2000, True)],
)
def test_few_rows_ask_for_a_significant_improvement(new, n_rows, stops):
    reason = Significance().reason(two_generations(OLD, new, n_rows))
    assert (reason is not None) == stops
    if reason is not None:
        assert reason.answer_from == 0


def test_paired_p_is_the_one_sided_t_test():
    rng = np.random.default_rng(0)
    new, old = rng.random((5, 10)), rng.random(10)
    expected = [stats.ttest_rel(row, old, alternative="greater").pvalue for row in new]
    assert np.allclose(paired_p(new, old), expected)
    assert paired_p(old[None] + 0.1, old)[0] < 1e-10
    assert paired_p(old[None], old)[0] == 1


def test_auto_is_the_significance_rule_for_generations_only():
    assert isinstance(resolve_stop("auto", True)[0], NoImprovement)
    assert resolve_stop("auto", False) == ()
    assert resolve_stop(None, True) == ()
    assert [type(r) for r in resolve_stop([Seconds(1.0), "auto"], False)] == [Seconds]
    assert NoImprovement in [type(r) for r in resolve_stop([Seconds(1.0), "auto"], True)]
    assert resolve_stop([Evaluations(3), Seconds(1.0)], True)[0].most == 3


@pytest.mark.parametrize("junk", ["never", 3, [Generations(2), "x"]])
def test_other_things_are_refused(junk):
    with pytest.raises(InputError, match="`stop` must be"):
        resolve_stop(junk, True)


@pytest.mark.parametrize("rule", [Generations(0), Seconds(-1), Significance(p=2), Target("x")])
def test_rules_check_their_parameters(rule):
    with pytest.raises(InputError, match=f"of {type(rule).__name__} must be"):
        resolve_stop(rule, True)


def test_the_time_budget_is_found_among_the_rules():
    assert seconds_of("auto") is None
    assert seconds_of([Generations(5), Seconds(30)]) == 30
    assert seconds_of(Seconds(2.5)) == 2.5


def test_only_runs_that_were_cut_short_are_partial():
    cut = {kind for kind in StopKind if kind.partial}
    assert cut == {StopKind.TIME, StopKind.INTERRUPT, StopKind.WORKER}


def test_a_kind_is_a_plain_word():
    assert f"{Reason('x').kind}" == "rule"
    assert StopKind("interrupt") is StopKind.INTERRUPT
