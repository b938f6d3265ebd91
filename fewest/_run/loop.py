"""Main loop: run a search, score the candidates it proposes, apply the stop rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import joblib.externals.loky
import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, MismatchError
from .._interrupts import (
    ending_in_order,
    interruptible,
    partial_is_welcome,
    raise_missed,
    shielded,
)
from ..measures._abilities import Importances, Question
from ..measures._measure import Candidates, Scorer, Scores
from ..search._better import Better
from ..search._monotone import Bounds
from ..search._search import Search, Verdict
from ..search._spaces.space import Space
from .archive import Archive
from .events import Listener, Snapshot, Stopwatch
from .execute import Executor
from .history import History
from .journal import Journal
from .stop_rules import Progress, Reason, Seconds, Stop, StopKind, out_of_time

#: Batches of known candidates in a row after which a search that samples has nothing left.
STALE_BATCHES = 100
WORKER_DIED = (
    "A worker process died, perhaps because the memory was used up: use fewer workers (`n_jobs`)."
)


class OutOfTimeError(Exception):
    """End of the time budget in the middle of a batch."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.reason = reason


@dataclass
class Outcome:
    """Outcome of a run; :mod:`fewest._run.conclude` makes the result from it."""

    archive: Archive
    history: History
    reason: Reason
    verdict: Verdict | None
    bounds: Bounds
    seconds: float

    @property
    def evaluations(self) -> int:
        """Subsets scored."""
        return len(self.archive)

    @property
    def answers(self) -> NDArray[np.intp]:
        """Rows of the archive among which the answer is chosen."""
        return self.archive.up_to(self.reason.answer_from)


@dataclass
class Run:
    """Run of one search over one bound measure."""

    search: Search
    scorer: Scorer
    space: Space
    rng: np.random.Generator
    stop: tuple[Stop, ...] = ()
    n_rows: int = 0
    n_jobs: int | str | None = None
    journal: Journal | None = None
    listeners: Sequence[Listener] = ()
    _watch: Stopwatch = field(default_factory=Stopwatch, init=False)
    _stale: int = field(default=0, init=False)

    def go(self) -> Outcome:
        """Run until the search ends, a rule stops it, or something cuts it short."""
        self._refuse_mismatch()
        self.archive, self.history = Archive(self.space), History(self.space)
        self.better, self.bounds = Better(self.space), Bounds()
        self._watch = Stopwatch()
        verdict: Verdict | None = None
        for listener in self.listeners:
            listener.before()
        try:
            with (
                ending_in_order(),
                interruptible(),
                Executor(self.scorer, self.n_jobs).running() as executor,
            ):
                ended = self._drive(executor)
            verdict = ended if isinstance(ended, Verdict) else None
            reason = ended if isinstance(ended, Reason) else _own_reason(verdict)
        except KeyboardInterrupt:
            if not partial_is_welcome():
                raise
            reason = Reason("interrupted", StopKind.INTERRUPT)
        except OutOfTimeError as spent:
            reason = spent.reason
        except joblib.externals.loky.process_executor.TerminatedWorkerError:
            if not partial_is_welcome():
                raise InputError(WORKER_DIED) from None
            reason = Reason("a worker process died (out of memory?)", StopKind.WORKER)
        finally:
            for listener in self.listeners:
                listener.after()
        return Outcome(self.archive, self.history, reason, verdict, self.bounds, self.seconds)

    @property
    def seconds(self) -> float:
        """Seconds since the start, without those spent on compiling."""
        return self._watch.seconds

    def _refuse_mismatch(self) -> None:
        self.search.check_parameters()
        if self.space.kind not in self.search.spaces:
            raise MismatchError(
                f"The search `{self.search.name}` handles {' and '.join(self.search.spaces)}, "
                f"but the space is of {self.space.kind}; choose another search."
            )

    def _drive(self, executor: Executor) -> Verdict | Reason | None:
        proposals = self.search.start(
            self.space,
            self.better,
            self.rng,
            self.scorer,
            self.bounds,
            lambda questions: self._importances(questions, executor),
        )
        try:
            batch = next(proposals)
            while True:
                raise_missed()
                thinking = self.seconds
                rows, scores = self._score(batch, executor)
                scoring = self.seconds
                reason = self._look(batch, rows, scores, scoring - thinking)
                if reason is not None:
                    return reason
                batch = proposals.send(scores)
                self.history.note_thinking(self.seconds - scoring)
        except StopIteration as end:
            verdict: Verdict | None = end.value
            return verdict
        finally:
            proposals.close()

    def _score(self, batch: Candidates, executor: Executor) -> tuple[NDArray[np.intp], Scores]:
        """Return rows in the archive and scores; duplicates and known candidates cost nothing."""
        told = self.space.identities(batch)
        first = self.archive.unknown(told)
        self._stale = 0 if first else self._stale + 1
        if first:
            known = len(first) < len(batch)
            new = batch[np.fromiter(first.values(), np.intp)] if known else batch
            self._score_new(new, list(first), executor, batch)
        rows = self.archive.rows(told)
        return rows, self.archive.scores.take(rows)

    def _score_new(
        self, new: Candidates, told: list[bytes], executor: Executor, batch: Candidates
    ) -> None:
        parts: list[tuple[NDArray[np.intp], Scores]] = []
        left = self._from_journal(new, parts)
        try:
            # A batch that is partly in the journal has told of itself there.
            tells = self.journal is not None and not parts
            about = self.history.about(batch) if tells else {}
            self._execute(new, left, parts, executor, about)
        finally:
            self._keep(new, told, parts)

    def _from_journal(
        self, new: Candidates, parts: list[tuple[NDArray[np.intp], Scores]]
    ) -> NDArray[np.intp]:
        """Take what is recorded; which candidates are left."""
        known = self.journal.recorded if self.journal is not None else {}
        if self.journal is None or not known:
            return np.arange(len(new))
        keys = self.space.keys(new)
        old = np.array([key in known for key in keys], dtype=bool)
        if old.any():
            rows = np.flatnonzero(old)
            parts.append((rows, self.journal.take([keys[i] for i in rows])))
        return np.flatnonzero(~old)

    def _keep(
        self, new: Candidates, told: list[bytes], parts: list[tuple[NDArray[np.intp], Scores]]
    ) -> None:
        """Add what is scored in the order of the batch: so a resumed run is the same."""
        if not parts:
            return
        done = np.concatenate([rows for rows, _ in parts])
        scores = Scores.join([s for _, s in parts])
        if len(parts) > 1 or len(done) < len(new):
            order = np.argsort(done, kind="stable")
            added = done[order]
            new, scores, told = new[added], scores.take(order), [told[i] for i in added]
        with shielded():
            self.archive.add(new, scores, self.history.generation, told)

    def _execute(
        self,
        new: Candidates,
        rows: NDArray[np.intp],
        parts: list[tuple[NDArray[np.intp], Scores]],
        executor: Executor,
        about: dict[str, Any],
    ) -> None:
        masks = self.space.expand(new if len(rows) == len(new) else new[rows])
        for chunk, scores in executor.score(masks, self._pace()) if len(rows) else ():
            if self.journal is not None:
                self.journal.check_alike(scores)
            with shielded():
                parts.append((rows[chunk], scores))
                if self.journal is not None:
                    told = about if chunk.start == 0 else {}
                    self.journal.record(self.space, new[rows[chunk]], scores, **told)
            for listener in self.listeners:
                listener.during(chunk.stop, len(rows))
            self._check_time(chunk.stop < len(rows))

    def _pace(self) -> Scorer:
        """Return the scorer of the next batch; one that races does so against the best so far."""
        leader = self.history.best_row
        if not self.scorer.races or leader is None:
            return self.scorer
        value, folds = self.archive.scores.value[leader], self.archive.scores.folds
        return self.scorer if folds is None else self.scorer.raced(float(value), folds[leader])

    def _importances(self, asked: Sequence[Question], executor: Executor) -> list[Importances]:
        """Answer from the journal, or from the scorer and then into the journal."""
        told = {} if self.journal is None else self.journal.told
        new = [question for question in asked if question.key not in told]
        found: dict[str, Importances] = {}
        for question, answer in zip(new, executor.importances(new), strict=True):
            found[question.key] = answer
            if self.journal is not None:
                self.journal.record_importances(question.key, answer)
            self._check_time(True)
        return [found.get(q.key) or told[q.key] for q in asked]

    def _check_time(self, more_to_do: bool) -> None:
        for rule in self.stop:
            if more_to_do and isinstance(rule, Seconds) and self.seconds >= rule.most:
                raise OutOfTimeError(out_of_time(rule.most))

    def _look(
        self, batch: Candidates, rows: NDArray[np.intp], scores: Scores, scoring: float
    ) -> Reason | None:
        """Note the batch in the history, notify the listeners, apply the stop rules."""
        if len(batch):
            if not self.archive.has_numbers:
                raise InputError(
                    "The score is NaN for every subset scored so far: check `scoring` and "
                    "whether the estimator can be trained on this data."
                )
            with shielded():
                self.history.note(rows, scores, self.archive, self.seconds, scoring)
        # Every listener hears of every batch, also after one has asked to stop.
        asked = [listener.after_batch(self._snapshot()) for listener in self.listeners]
        if any(asked):
            return Reason("a callback asked to stop", StopKind.CALLBACK)
        if self._stale >= STALE_BATCHES and (self.search.generational or self.search.samples_on):
            return Reason(f"nothing new was proposed in {STALE_BATCHES} batches")
        return self._ask(batch, scores) if len(batch) or self.seconds > 0 else None

    def _ask(self, batch: Candidates, scores: Scores) -> Reason | None:
        if not self.stop or not len(self.history):
            return None
        progress = Progress(
            self.archive,
            self.history.generation - 1,
            scores,
            self.history.best,
            self.history.costs,
            self.seconds,
            self.n_rows,
            batch,
        )
        for rule in self.stop:
            if len(scores) == 0 and not isinstance(rule, Seconds):
                continue
            reason = rule.reason(progress)
            if reason is not None:
                return reason
        return None

    def _snapshot(self) -> Snapshot:
        bounded = self.search.needs_monotone
        return Snapshot(
            self.history.generation,
            len(self.archive),
            self.history.best_value,
            self.history.best_size,
            self.seconds,
            self.bounds.lower if bounded else None,
            self.bounds.upper if bounded else None,
        )


def _own_reason(verdict: Verdict | None) -> Reason:
    """Return the reason of a search that ended by itself."""
    return Reason("the search ended" if verdict is None else verdict.reason, StopKind.SEARCH)
