"""Naive Bayes of every kind: log-likelihoods of each column alone, summed over a candidate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...._kernels.bayes.totals import evidence_totals
from ...._kernels.scoring.probabilities import LOGSUMEXP
from ...._kernels.scoring.ranks import confusions, row_keys
from ....classifiers._naive_bayes import Evidence
from ....data._rows import row_blocks
from ..._steps import PART_BYTES, Steps
from ..metrics.metric import Floats, Ints, Responses
from ..sources.pipelines import FoldColumns, Source
from .margins import FoldModel, Margins, Places, blocks
from .rule import BLOCK_VALUES, Bools, Counts, Rule, Size

#: Margins or log-likelihoods are kept if there are no more than this; else they are made anew.
KEPT = 1 << 23
#: Margins that are made at once.
AT_ONCE = 1 << 19
#: Errors of margins that are too large to sum, in float32 over many columns.
LOOSE = 1e-3
#: Up to this relative change of their variances, candidates share their margins.
ROUGH = 1e-6


class EvidenceRule(Rule):
    """Sums of log-likelihoods that each column gives on its own.

    Accuracy needs no probabilities: a row is right where the margins of its class over every
    other one are positive. They are summed for all folds at once, kept or made in blocks of
    rows. Candidates with a row within rounding error of zero get a second look at that fold,
    with the errors of their own columns; what is in doubt then goes to the referee.
    """

    way: ClassVar[int] = LOGSUMEXP
    #: Whether the model refuses sparse matrices.
    refuses_sparse: ClassVar[bool] = False
    #: The parameter that gives the probabilities of all classes, if there is one.
    priors: ClassVar[str] = ""

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        self.table = source.table
        self.outputs = self.table.n_classes
        self._folds: dict[int, FoldModel | None] = {}
        self._evidence: dict[int, tuple[Floats, Floats]] = {}

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Return the number of additions."""
        return float(size.rows * size.columns * max(1, size.classes - 1))

    @abstractmethod
    def learn(self, model: FoldModel, fold: int, target: Ints, weight: Floats | None) -> FoldModel:
        """Return what a fold learns; ``target`` numbers the classes of its training rows."""

    def columns(self, fold: int) -> FoldColumns:
        """Return the columns that the model sees."""
        return self.source.columns(fold)

    def fold(self, fold: int) -> FoldModel | None:
        """Return what a fold learned; None where it shows too few classes."""
        if fold not in self._folds:
            self._folds[fold] = self._learned(fold)
        return self._folds[fold]

    def _learned(self, fold: int) -> FoldModel | None:
        (train, test), labels = self.source.splits[fold], self.labels(fold)
        weight = self.training_weights(fold)
        target = np.searchsorted(labels, self.table.target[train]).astype(np.int64)
        given = getattr(self.model, self.priors, None)
        if len(labels) < (2 if given is None else len(given)) or not _counts(target, weight):
            return None
        columns, truth = self.columns(fold), self.table.target[test]
        order = np.argsort(truth, kind="stable")
        order = order[np.isin(truth[order], labels)]
        bounds = np.searchsorted(truth[order], np.append(labels, self.table.n_classes))
        rows, nothing = test, np.zeros(len(columns.owner))
        empty = Evidence(nothing > 0.0, nothing, nothing, nothing, nothing)
        model = FoldModel(
            columns.values, rows, order, bounds.astype(np.int64), columns.owner, columns.unusable,
            empty, nothing, 0.0, nothing, columns.density if self.refuses_sparse else None,
        )  # fmt: skip
        model = self.learn(model, fold, target, weight).without_odd()
        if self.source.shared:
            return model
        # Other folds see other numbers: only the test rows are needed from here on.
        return replace(model, numbers=columns.values[test], rows=np.arange(len(test)))

    @cached_property
    def folds(self) -> list[FoldModel | None]:
        """What every fold learned."""
        return [self.fold(fold) for fold in range(len(self.source.splits))]

    @property
    def large(self) -> bool:
        """Return whether the table is so large that only accuracy is known without training."""
        return False

    # Accuracy, by margins on all folds at once.

    @cached_property
    def _owner(self) -> Places | None:
        """The feature of each column; None where folds differ."""
        known = [model for model in self.folds if model is not None]
        if not all(np.array_equal(model.owner, known[0].owner) for model in known):
            return None
        return known[0].owner if known and len(known[0].owner) else None

    @cached_property
    def _absent(self) -> Bools:
        """Which features have no column, because what comes before the model refuses them."""
        assert self._owner is not None
        unsure = np.logical_or.reduce([model.unsure for model in self.folds if model is not None])
        return np.asarray(unsure & ~np.isin(np.arange(len(unsure)), self._owner))

    @cached_property
    def _fine(self) -> Bools:
        """Which columns are summed as margins; the others only at a second look."""
        coarse = [model.coarse for model in self.folds if model is not None]
        return np.asarray(~np.logical_or.reduce(coarse))

    @cached_property
    def _wide(self) -> Floats:
        """What each column may add to the variances, shape (folds, columns)."""
        nothing = np.zeros(len(self._fine))
        return np.array([nothing if model is None else model.wide for model in self.folds])

    @cached_property
    def _least(self) -> Floats:
        """The least variance of a fine column, by fold."""
        least = np.ones(len(self.folds))
        for fold, model in enumerate(self.folds):
            if model is not None and self._fine.any():
                least[fold] = model.learned.variance[:, self._fine].min()
        return least

    @cached_property
    def _shared(self) -> tuple[Floats, Floats] | None:
        """What all candidates add to their variances, and its relative error, by fold.

        None where it depends on the candidate.
        """
        wide = self._wide[:, self._fine]
        if not wide.any():
            return np.zeros(len(wide)), np.zeros(len(wide))
        away = wide.max(axis=1) - wide.min(axis=1)
        alike = bool((away <= ROUGH * self._least).all())
        return (wide.max(axis=1), away / self._least) if alike else None

    @cached_property
    def _loose(self) -> bool:
        """Whether the errors of all columns together would leave too many margins in doubt."""
        unit = max(model.unit for model in self.folds if model is not None)
        return unit * int(np.count_nonzero(self._fine)) > LOOSE

    @cached_property
    def _kept(self) -> list[Margins] | None:
        """Margins of a small table, where they do not depend on the candidate."""
        known = [model for model in self.folds if model is not None]
        rows = sum(len(model.order) * (len(model.bounds) - 2) for model in known)
        columns = np.flatnonzero(self._fine)
        if self._shared is None or rows * len(columns) > KEPT:
            return None
        found = blocks(self.folds, columns, 2 * KEPT)
        return [Margins.of(block, self.folds, columns, *self._shared) for block in found]

    def count(self, batch: Bools | Steps) -> Counts | None:
        """Count rows that are right and rows in doubt, on all folds at once."""
        if self._owner is None:
            return None
        right, doubtful = np.zeros((2, len(self.folds), len(batch)), dtype=np.int64)
        if self._loose:
            again = np.ones(len(batch), dtype=bool)
        elif not isinstance(batch, Steps):
            again = self._count_masks(batch[:, self._owner], right, doubtful)
            if self._absent.any():
                again |= (batch & self._absent).any(axis=1)
        elif self._shared is not None and is_plain(self._owner, batch.shape[1]):
            again = self._count_steps(batch, right, doubtful)
        else:
            # Every step has margins of its own, which cost as much as its sums.
            again = np.ones(len(batch), dtype=bool)
        for model in self.folds:
            if model is not None and model.density is not None:
                again |= model.density.stay_sparse(np.asarray(batch))
        self._look_again(batch, again, right, doubtful)
        return Counts(right, doubtful)

    def _count_steps(self, steps: Steps, right: Ints, doubtful: Ints) -> Bools:
        """Count steps of fine columns; return which steps have others."""
        other = ~self._fine[steps.units]
        lost = np.count_nonzero(steps.base & ~self._fine) + steps.gains * other
        some, have = np.flatnonzero(lost == 0), np.flatnonzero(steps.base & self._fine)
        units, gains = steps.units[some], np.where(other, 0, steps.gains)[some]
        used = np.flatnonzero(self._fine)
        if self._kept is None:
            used = np.union1d(have, units[self._fine[units]])
        place = np.minimum(np.searchsorted(used, np.arange(len(self._fine))), len(used) - 1)
        found = np.zeros((2, len(right), len(some)), dtype=np.int64)
        assert self._shared is not None
        for margins in self._margins(used, *self._shared):
            margins.count_steps(place[have], place[units], gains, *found)
        right[:, some], doubtful[:, some] = found
        return np.asarray(lost > 0)

    def _count_masks(self, masks: Bools, right: Ints, doubtful: Ints) -> Bools:
        """Count candidates of fine columns; return which candidates have others."""
        again = np.zeros(len(masks), dtype=bool)
        if not self._fine.all():
            again = np.asarray(masks[:, ~self._fine].any(axis=1))
        for some, more, rough in self._groups(masks, again):
            own = masks if len(some) == len(masks) else masks[some]
            used = np.flatnonzero(self._fine if self._kept is not None else own.any(axis=0))
            own = own if len(used) == own.shape[1] else own[:, used]
            found = np.zeros((2, len(right), len(some)), dtype=np.int64)
            for margins in self._margins(used, more, rough):
                margins.count(own, *found)
            right[:, some], doubtful[:, some] = found
        return again

    def _groups(self, masks: Bools, again: Bools) -> Iterator[tuple[Places, Floats, Floats]]:
        """Yield candidates that share their margins, what they add to variances, and its error.

        Candidates that add nothing where others do are looked at again.
        """
        if self._shared is not None:
            some = np.flatnonzero(~again)
            if len(some):
                yield some, *self._shared
            return
        more, kind = self._leaders(masks)
        again |= np.asarray((more <= 0.0).any(axis=0))[kind]
        more, least = np.where(more > 0.0, more, 1.0), self._least[:, None]
        far = np.log((least + more) / (least + more.min(axis=1, keepdims=True)))
        groups: dict[bytes, list[int]] = {}
        for number, key in enumerate(np.floor(far / ROUGH).T):
            groups.setdefault(key.tobytes(), []).append(number)
        for members in groups.values():
            mine = kind == members[0] if len(members) == 1 else np.isin(kind, members)
            some, own = np.flatnonzero(mine & ~again), more[:, members]
            if len(some):
                high, low = own.max(axis=1), own.min(axis=1)
                yield some, high, (high - low) / (self._least + low)

    def _leaders(self, masks: Bools) -> tuple[Floats, Ints]:
        """Return what candidates add to variances, shape (folds, kinds), and each one's kind."""
        orders, own = self._orders
        leaders = np.array([falling[masks[:, falling].argmax(axis=1)] for falling in orders])
        kind, first = np.zeros(len(masks), dtype=np.int64), np.zeros(1, dtype=np.int64)
        for leader in leaders if len(masks) > 1 else ():
            # One order after the other, so that numbers stay small.
            joined = kind * masks.shape[1] + leader
            _, first, kind = np.unique(joined, return_index=True, return_inverse=True)
        columns = leaders[:, first]
        return np.take_along_axis(self._wide, columns[own], axis=1), kind

    @cached_property
    def _orders(self) -> tuple[list[Places], list[int]]:
        """The orders of the columns from the widest on, and which of them each fold has."""
        orders: dict[bytes, tuple[int, Places]] = {}
        own = []
        for wide in self._wide:
            falling = np.argsort(-wide, kind="stable")
            own.append(orders.setdefault(falling.tobytes(), (len(orders), falling))[0])
        return [falling for _, falling in orders.values()], own

    def _margins(self, used: Places, more: Floats, rough: Floats) -> Iterator[Margins]:
        """Yield margins of these columns: those that are kept, or new ones."""
        if self._kept is not None:
            yield from self._kept
            return
        for block in blocks(self.folds, used, AT_ONCE):
            yield Margins.of(block, self.folds, used, more, rough)

    def _look_again(self, batch: Bools | Steps, again: Bools, right: Ints, doubtful: Ints) -> None:
        """Count odd rows; decide candidates in doubt by the errors of their own columns."""
        for fold, model in enumerate(self.folds):
            if model is not None and len(model.odd):
                some = np.flatnonzero(~again)
                more, doubts = self._count_rows(fold, batch, some, model.odd)
                right[fold, some] += more
                doubtful[fold, some] += doubts
            still = np.flatnonzero(again | (doubtful[fold] > 0) | (model is None))
            if len(still):
                every = np.arange(len(self.source.splits[fold][1]))
                right[fold, still], doubtful[fold, still] = self._count_rows(
                    fold, batch, still, every
                )

    def _count_rows(
        self, fold: int, batch: Bools | Steps, some: Places, places: Places
    ) -> tuple[Ints, Ints]:
        """Return how many of these test rows some candidates have right, and how many in doubt."""
        target = np.ascontiguousarray(self.table.target[self.source.splits[fold][1][places]])
        labels, weight = self.labels(fold), np.ones(len(places))
        size = min(BLOCK_VALUES // (self.outputs * len(places)), PART_BYTES // batch.shape[1])
        found = np.zeros((2, len(some)), dtype=np.int64)
        for low in range(0, len(some), max(1, size)):
            part = slice(low, low + max(1, size))
            said, unsure = EvidenceRule.respond(self, fold, batch[some[part]], places)
            counts, doubts = confusions(
                said.values, said.slack, labels, target, weight, self.table.n_classes
            )
            found[0, part] = np.trace(counts, axis1=1, axis2=2).astype(np.int64)
            found[1, part] = np.where(unsure, 1, doubts)
        return found[0], found[1]

    # Any metric, by sums for all classes.

    def respond(
        self, fold: int, candidates: Bools | Steps, places: Places | None = None
    ) -> tuple[Responses, Bools]:
        """Return joint logarithms of some test rows, or of all."""
        model = self.fold(fold)
        if model is None or (self.large and places is None):
            return self.leave(fold, candidates)
        every = np.arange(len(model.rows))
        places = every if places is None else places
        members, ends = members_of(candidates, model.owner)
        used = np.unique(members)
        lost = np.append(0, np.cumsum(model.unsure[model.owner[members]]))[ends]
        unsure = (np.diff(lost) > 0) | (np.diff(ends) == 0)
        absent = model.unsure & ~np.isin(np.arange(len(model.unsure)), model.owner)
        if absent.any():  # features without a column
            unsure |= (np.asarray(candidates) & absent).any(axis=1)
        if model.density is not None:
            unsure |= model.density.stay_sparse(np.asarray(candidates))
        rows = row_blocks(len(places))
        parts = [self.sums(model, fold, places[part], used, members, ends) for part in rows]
        totals, slack = parts[0] if len(parts) == 1 else (
            np.concatenate(part, axis=-1) for part in zip(*parts, strict=True)
        )  # fmt: skip

        def keys(some: Ints) -> NDArray[np.uint64]:
            masks = np.asarray(candidates)[some][:, model.owner]
            # Adding zero makes -0.0 the same as 0.0.
            x = model.values(every, used) + 0.0
            return np.asarray(row_keys(x.view(np.int64), np.ascontiguousarray(masks[:, used])))

        answers = Responses(totals, slack, True, self.way, keys)
        return answers, unsure | ~np.isfinite(slack).all(axis=1)

    def sums(
        self, model: FoldModel, fold: int, places: Places, used: Places, members: Ints, ends: Ints
    ) -> tuple[Floats, Floats]:
        """Sum what the members of each candidate say of some test rows."""
        own, n = model.learned, len(model.rows)
        whole = len(places) == n and own.mean.size * n * len(self.source.splits) <= KEPT
        if whole and fold in self._evidence:
            evidence, size = self._evidence[fold]
        else:
            columns = np.arange(len(model.owner)) if whole else used
            evidence = (own if whole else own.take(used)).of(model.values(places, columns).T)
            size = np.abs(evidence).max(axis=(1, 2), initial=0.0)
        if whole:
            self._evidence[fold] = evidence, size
        else:
            members = np.searchsorted(used, members)
        found: tuple[Floats, Floats] = evidence_totals(
            evidence, size, own.log_prior, model.unit, members, ends
        )
        return found


def is_plain(owner: Places, n_features: int) -> bool:
    """Return whether every feature is the column of its own number."""
    return np.array_equal(owner, np.arange(n_features))


def members_of(batch: Bools | Steps, owner: Places) -> tuple[Places, Places]:
    """Return the columns of one candidate after the other, and where those of each begin."""
    m = len(batch)
    adds = isinstance(batch, Steps) and bool((batch.gains == 1).all())
    if isinstance(batch, Steps) and adds and is_plain(owner, batch.shape[1]):
        have = np.flatnonzero(batch.base)
        rows = np.column_stack([np.broadcast_to(have, (m, len(have))), batch.units])
        return np.sort(rows, axis=1).ravel(), np.arange(m + 1) * rows.shape[1]
    rows, members = np.nonzero(np.asarray(batch)[:, owner])
    return members, np.searchsorted(rows, np.arange(m + 1))


def _counts(target: Ints, weight: Floats | None) -> bool:
    """Return whether every class has a positive weight, and no row a negative one."""
    if weight is None:
        return True
    return bool((weight >= 0.0).all() and (np.bincount(target, weight) > 0.0).all())
