"""Consensus: the search runs on resamples of the rows, and features are ranked by their votes."""

from __future__ import annotations

import numbers
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import joblib
import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, brief
from .._interrupts import (
    ending_in_order,
    interruptible,
    partial_is_welcome,
    whole_runs_only,
)
from .._run.archive import Archive
from .._run.choose import choose_row
from .._run.execute import Executor
from .._run.journal import Journal
from .._run.loop import Outcome
from .._run.result_format import Extra
from .._run.stop_rules import Reason, Seconds, Stop, StopKind
from ..data._table import Table
from ..measures._measure import Scorer, score_batch
from ..measures._steps import Steps
from ..search._better import SAME_SCORE_TOLERANCE, Better
from ..search._population import MOST_UNITS_AT_HALF
from ..search._search import Proposals, Search, Verdict
from ..search._spaces.space import Space
from .plan import Plan

#: No more prefixes of the ranking than this are scored.
MOST_PREFIXES = 1000


def ranking(frequency: NDArray[np.float64], space: Space, scorer: Scorer) -> tuple[int, ...]:
    """Return the units with votes, most votes first; of equals, the one that scores more alone."""
    single: Any = Steps.single(space.n_units)
    nothing = np.asarray(space.expand(single.base[None]))[0]
    votes = np.concatenate(
        [
            np.where(np.asarray(space.expand(part)) & ~nothing, frequency, 0.0).max(axis=1)
            for part in single.parts()
        ]
    )
    units = np.flatnonzero(votes > 0)
    votes = np.round(votes[units], 9)
    _, group, sizes = np.unique(votes, return_inverse=True, return_counts=True)
    tied = sizes[group] > 1
    alone = np.zeros(len(units))
    if tied.any():
        alone[tied] = score_batch(scorer, space.expand(single[units[tied]])).value
    order = np.lexsort((units, -alone, -votes))[:MOST_PREFIXES]
    return tuple(int(u) for u in units[order])


Rows = NDArray[np.intp]
#: The share of the rows in a subsample.
SHARE = 0.7


def subsample(table: Table, rng: np.random.Generator, share: float = SHARE) -> Rows:
    """Return a share of the rows of each class, at least one; whole groups where there are groups.

    Examples
    --------
    >>> from fewest.testing import toy_table
    >>> len(subsample(toy_table(n_rows=40), np.random.default_rng(0)))
    28
    """
    groups = table.metadata.get("groups")
    if groups is not None:
        names, member = np.unique(np.asarray(groups), return_inverse=True)
        kept = rng.permutation(len(names))[: _count(len(names), share)]
        return np.flatnonzero(np.isin(member, kept))
    parts = [rng.permutation(rows)[: _count(len(rows), share)] for rows in _strata(table)]
    return np.sort(np.concatenate(parts))


def all_but_one_part(table: Table, parts: int, rng: np.random.Generator) -> list[Rows]:
    """Return the rows without each of ``parts`` parts; every part has its share of every class."""
    groups = table.metadata.get("groups")
    number = np.empty(table.n_rows, dtype=np.intp)
    if groups is None:
        shuffled = np.concatenate([rng.permutation(rows) for rows in _strata(table)])
        number[shuffled] = np.arange(table.n_rows) % parts
    else:
        names, member = np.unique(np.asarray(groups), return_inverse=True)
        number = (rng.permutation(len(names)) % parts)[member]
    return [np.flatnonzero(number != part) for part in range(parts) if (number == part).any()]


def _strata(table: Table) -> list[Rows]:
    """Return the rows of each class; all rows together for a numeric target."""
    if table.classes is None:
        return [np.arange(table.n_rows)]
    found = [np.flatnonzero(table.target == c) for c in range(table.n_classes)]
    return [rows for rows in found if len(rows)]


def _count(n: int, share: float) -> int:
    return max(1, round(share * n))


@dataclass
class Voted(Outcome):
    """Outcome of a search whose answer is a prefix of the features ranked by its votes."""

    winners: NDArray[np.bool_]
    ranked: NDArray[np.intp]

    @property
    def answers(self) -> NDArray[np.intp]:
        """Return the prefixes of the ranking."""
        return self.ranked


@dataclass(frozen=True, eq=False)
class ArchivePlan(Plan):
    """Plan whose search runs once; what it scored says how features are ranked.

    Notes
    -----
    The best of thousands of subsets fits the noise of the folds. The best subset of each size
    does as well, but the noise differs from size to size, and what they share is signal. Where
    features are of use only together, a ranking of single features loses them: if no prefix comes
    within one standard error of the best subset, that one is the answer.
    """

    def run(self, *, journal: Journal | None = None, **options: Any) -> Outcome:
        """Search, let the best subset of each size vote, and score the prefixes of the ranking."""
        outcome = super().run(journal=journal, **options)
        rows = outcome.answers
        if not len(rows):
            return outcome
        winners = best_of_each_size(outcome.archive, rows)
        # They change no score, so that large subsets hold them by chance.
        winners[:, self.table.constants()] = False
        order = ranking(winners.mean(axis=0), self.space, self.scorer)
        # On wide tables the votes say nothing about more features than the largest voter has.
        longest = max(MOST_UNITS_AT_HALF, int(winners.sum(axis=1).max()))
        ranked = self._scored(outcome.archive, prefixes(order[:longest], self.space.n_units))
        if not keeps_up(outcome.archive, ranked, rows):
            return outcome
        return Voted(**{**vars(outcome), "verdict": None}, winners=winners, ranked=ranked)

    def _scored(self, archive: Archive, candidates: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Find the rows of the candidates that keep the constraints; score and add new ones."""
        allowed = candidates[self.space.feasible(candidates)]
        identities = self.space.identities(allowed)
        found = dict(zip(identities, allowed, strict=True))
        new = {key: unit for key, unit in found.items() if key not in archive}
        if new:
            units = np.array(list(new.values()))
            masks, last = self.space.expand(units), int(archive.generation.max())
            with Executor(self.scorer, self.n_jobs).running() as executor:
                keys = list(new)
                for part, scores in executor.score(masks):
                    archive.add(units[part], scores, last, keys[part])
        rows = archive.rows(found)
        return np.sort(rows[~np.isnan(archive.value[rows])])

    def told(self, outcome: Outcome) -> Extra:
        """Frequencies and winners, for the result."""
        if not isinstance(outcome, Voted):
            return {"votes_set_aside": True}
        winners = outcome.winners
        return {
            "consensus": {
                "kind": "archive",
                "resamples": len(winners),
                "frequency": winners.mean(axis=0).round(6).tolist(),
                "winners": [np.flatnonzero(w).tolist() for w in winners],
                "evaluations": 0,
            }
        }

    @property
    def identity(self) -> dict[str, Any]:
        """Return what makes two runs the same run."""
        return {**super().identity, "consensus": "archive"}


def keeps_up(archive: Archive, ranked: NDArray[np.intp], rows: NDArray[np.intp]) -> bool:
    """Return whether the best of ``ranked`` is within a standard error of that of ``rows``."""
    if not len(ranked):
        return False
    best = archive.best_first(rows, 1)[0]
    folds, error = archive.scores.folds, 0.0
    if folds is not None:
        error = float(folds[best].std(ddof=1) / np.sqrt(folds.shape[1]))
    return bool(archive.value[ranked].max() >= archive.value[best] - error - SAME_SCORE_TOLERANCE)


def best_of_each_size(archive: Archive, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return the masks of the best subset of each size; of equals the first that was scored."""
    size, value = archive.size[rows], np.round(archive.value[rows], 12)
    order = np.lexsort((rows, -value, size))
    first = np.unique(size[order], return_index=True)[1]
    return archive.masks(rows[order[first]])


#: The word for the cheap kind, and how many replays it makes.
REPLAY, REPLAYS = "replay", 10
#: The word for the votes of one search, and for those where the search is picked for the user.
ARCHIVE, AUTO = "archive", "auto"
#: Of the subsets that tie for the best value of a measure without folds, so many vote.
MOST_TIES = 200
#: An interrupted consensus needs so many resamples for an answer.
LEAST = 2


def check_consensus(consensus: object) -> None:
    """Raise a sentence unless ``consensus`` is a word for one, None, or a number from 2 on."""
    whole = isinstance(consensus, numbers.Integral) and not isinstance(consensus, bool)
    if consensus is None or (whole and 2 <= int(consensus) <= 10_000):  # type: ignore[call-overload]
        return
    if not (isinstance(consensus, str) and consensus in (AUTO, REPLAY, ARCHIVE)):
        raise InputError(
            '`consensus` must be "auto", None, "archive", "replay", or a number of resamples from '
            f"2 to 10000, but is {brief(consensus)}."
        )


@dataclass(frozen=True, eq=False)
class Votes:
    """Choices of the searches on resamples.

    Attributes
    ----------
    frequency : array of shape (n_features,)
        Half from the best subset of every resample, half from the smallest within one standard
        error of it.
    winners : bool array of shape (resamples, n_features)
    evaluations : int
        Subsets scored on all resamples together.
    """

    frequency: NDArray[np.float64]
    winners: NDArray[np.bool_]
    evaluations: int


@dataclass
class Agreed(Outcome):
    """Outcome of a consensus: prefixes of the ranking on all rows, and the votes."""

    votes: Votes

    @property
    def evaluations(self) -> int:
        """Subsets scored, on the resamples and on all rows."""
        return len(self.archive) + self.votes.evaluations


def consensus_plan(plan: Plan, consensus: object) -> Plan:
    """Return the same plan with its search on resamples, or with the votes of its own archive."""
    if consensus == ARCHIVE:
        return ArchivePlan(**vars(plan))
    return ConsensusPlan(**vars(plan), consensus=consensus)


def picked_consensus(plan: Plan, search: object) -> str | None:
    """Return what ``consensus="auto"`` is: archive votes where a search of many subsets was picked.

    A search that was named is left as it is, and so are filters, whose values have no noise of
    folds, and regression.
    """
    picked = isinstance(search, str) and search == AUTO
    many = plan.search.name == "exhaustive" or (plan.search.generational and not plan.search.ends)
    wrapper = plan.measure.estimator is not None and plan.table.classes is not None
    return ARCHIVE if picked and many and wrapper else None


@dataclass(frozen=True, eq=False)
class ConsensusPlan(Plan):
    """Plan whose search runs on resamples; all rows only decide how many features are kept."""

    consensus: object = None

    def run(self, *, journal: Journal | None = None, **options: Any) -> Outcome:
        """Collect the votes, rank the features, and score the prefixes of the ranking."""
        start = time.monotonic()
        with ending_in_order(), interruptible():
            votes, cut = self._votes(None if journal is None else journal.path)
        ranked = Plan(
            **{
                **self._parts(),
                "search": Prefixes(ranking(votes.frequency, self.space, self.scorer)),
            }
        )
        found = ranked.run(journal=journal, **options)
        reason = found.reason
        if cut is not None or reason.kind is StopKind.SEARCH:
            count = len(votes.winners)
            text = f"{count} resamples were searched, and the sizes of their consensus scored"
            reason = cut or Reason(text, StopKind.SEARCH)
        # The search that voted, not the ranking, decides how the answer is chosen; it proves none.
        changed = {"reason": reason, "verdict": None, "seconds": time.monotonic() - start}
        return Agreed(**{**vars(found), **changed}, votes=votes)

    def told(self, outcome: Outcome) -> Extra:
        """Frequencies and winners, for the result."""
        assert isinstance(outcome, Agreed)
        votes = outcome.votes
        return {
            "consensus": {
                "kind": REPLAY if self.consensus == REPLAY else "resamples",
                "resamples": len(votes.winners),
                "frequency": votes.frequency.round(6).tolist(),
                "winners": [np.flatnonzero(w).tolist() for w in votes.winners],
                "evaluations": votes.evaluations,
            }
        }

    @property
    def identity(self) -> dict[str, Any]:
        """Return what makes two runs the same run."""
        return {**super().identity, "consensus": self.consensus}

    def _parts(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "consensus"}

    def _votes(self, journal: Path | None) -> tuple[Votes, Reason | None]:
        """Return the votes of all resamples, and the reason if they were cut short."""
        plans, done = self.resampled(), []
        cut = None
        try:
            for ballot in self._ballots(plans, journal):
                done.append(ballot)
        except KeyboardInterrupt:
            if not partial_is_welcome() or len(done) < LEAST:
                raise
            text = f"interrupted after {len(done)} of {len(plans)} resamples"
            cut = Reason(text, StopKind.INTERRUPT)
        winners, good, evaluations = zip(*done, strict=True)
        frequency = (np.mean(winners, axis=0) + np.mean(good, axis=0)) / 2
        return Votes(frequency, np.array(winners), sum(evaluations)), cut

    def _ballots(self, plans: list[Plan], journal: Path | None) -> Iterator[_Ballot]:
        """Resamples side by side where scoring can; else one by one, each with all workers."""
        beside = self.scorer.prefer == "threads"
        inner = 1 if beside else self.n_jobs
        paths = [None if journal is None else _beside(journal, i) for i in range(len(plans))]
        tasks = (
            joblib.delayed(_ballot)(replace(plan, n_jobs=inner), path)
            for plan, path in zip(plans, paths, strict=True)
        )
        workers = self.n_jobs if beside else 1
        with whole_runs_only():
            yield from joblib.Parallel(n_jobs=workers, prefer="threads", return_as="generator")(
                tasks
            )

    def resampled(self) -> list[Plan]:
        """Return the plan of the single search on each resample."""
        plain = Plan(**{**self._parts(), "choose": "best"})
        if isinstance(self.consensus, str):
            return self._replays(plain)
        count = int(self.consensus)  # type: ignore[call-overload]
        rules = _shared(self.rules, count)
        plans = []
        for child in np.random.SeedSequence([self.seed, 2]).spawn(count):
            rng = np.random.default_rng(child)
            table = self.table.take(subsample(self.table, rng))
            scorer, seed = self.measure.bind(table, rng), int(rng.integers(2**32))
            plans.append(replace(plain, table=table, scorer=scorer, rules=rules, seed=seed))
        return plans

    def _replays(self, plain: Plan) -> list[Plan]:
        """Return the same search and folds without each part of the rows."""
        rng, plans = np.random.default_rng([self.seed, 2]), []
        for kept in all_but_one_part(self.table, REPLAYS, rng):
            rows = np.zeros(self.table.n_rows, dtype=bool)
            rows[kept] = True
            scorer = self.scorer.on_rows(rows, rows)
            if scorer is None:
                raise InputError(
                    '`consensus="replay"` needs an estimator with a fast path, but '
                    f"`{self.measure.title}` has none: give a number, such as consensus=20."
                )
            plans.append(replace(plain, scorer=scorer, rules=_shared(self.rules, REPLAYS)))
        return plans


_Ballot = tuple[NDArray[np.bool_], NDArray[np.float64], int]


def _ballot(plan: Plan, journal: Path | None) -> _Ballot:
    """Return the best subset of one resample, a small one as good, and how many were scored."""
    recorded = None if journal is None else Journal(journal, plan.header)
    try:
        outcome = plan.run(journal=recorded)
    finally:
        if recorded is not None:
            recorded.close()
    if outcome.reason.kind is StopKind.INTERRUPT:
        raise KeyboardInterrupt
    return plan.chosen(outcome), small_and_good(outcome.archive), len(outcome.archive)


def small_and_good(archive: Archive) -> NDArray[np.float64]:
    """Find the smallest subset within a standard error of the best; else the mean of ties.

    The winner alone is too large: it fits the noise of its rows.
    """
    rows = archive.up_to(None)
    if archive.scores.folds is not None:
        good = np.array([choose_row(archive, rows, "one-se")])
    else:
        value = archive.scores.value[rows]
        good = archive.best_first(rows[value >= value.max() - SAME_SCORE_TOLERANCE], MOST_TIES)
    shares: NDArray[np.float64] = archive.masks(good).mean(axis=0)
    return shares


def _shared(rules: tuple[Stop, ...], count: int) -> tuple[Stop, ...]:
    """Return the rules of one resample: of a time budget it gets its share."""
    return tuple(
        Seconds(rule.most / (count + 1)) if isinstance(rule, Seconds) else rule for rule in rules
    )


def _beside(journal: Path, number: int) -> Path:
    """Return the journal of one resample: the name of the whole one and a number."""
    return journal.with_name(f"{journal.name}.{number + 1:03d}")


@dataclass
class Prefixes(Search):
    """Score the prefixes of a ranking of the units, and all units together.

    Parameters
    ----------
    order : tuple of int
        The ranked units, the best first. Units that it does not name are only in the last
        candidate, which holds everything.

    Examples
    --------
    >>> from fewest.search import Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure({(2,): 0.7, (0, 2): 0.9}, default=0.4).bind(toy_table(n_features=4))
    >>> drive(Prefixes((2, 0)), Subsets(4), scorer).answer
    array([ True, False,  True, False])
    """

    name: ClassVar[str] = "prefixes"
    source: ClassVar[str] = "ranking"
    ends: ClassVar[bool] = True

    order: tuple[int, ...] = ()

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch: the prefixes that keep the constraints."""
        candidates = prefixes(self.order, space.n_units)
        allowed = candidates[space.feasible(candidates)]
        if not len(allowed):
            # A group or a budget may leave no prefix: then what is nearest to one.
            allowed = np.asarray(space.repair(candidates, rng))
        yield allowed
        return Verdict("all prefixes of the ranking are scored")


def prefixes(order: tuple[int, ...], n_units: int) -> NDArray[np.bool_]:
    """Return the prefixes of a ranking, one row each, then all units.

    >>> prefixes((1,), 2).astype(int).tolist()
    [[0, 1], [1, 1]]
    """
    rows = np.zeros((len(order) + 1, n_units), dtype=bool)
    for length, unit in enumerate(order):
        rows[length:, unit] = True
    rows[-1] = True
    return rows
