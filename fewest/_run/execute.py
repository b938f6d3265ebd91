"""Scoring spread over workers: serial, threads, processes, or any joblib backend."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import joblib
import numpy as np

from .._errors import InputError, brief
from .._workers import one_thread, workers
from ..measures._abilities import Importances, Question
from ..measures._measure import Candidates, Scorer, Scores, score_batch
from ..measures._steps import Steps
from .cluster import Cluster, connect, is_cluster

#: Neighbours of a candidate that go to a scorer at once.
STEPS_PER_CALL = 8192


class Executor:
    """Scores batches in chunks, in order, so that the answer does not depend on the workers.

    ``n_jobs`` is joblib's: None is one worker, or what an active ``joblib.parallel_config``
    says; -1 is all cores. That context also chooses another backend (Dask, Ray). Text names a
    cluster: ``dask:tcp://…``, ``ray://…``.
    """

    def __init__(self, scorer: Scorer, n_jobs: int | str | None) -> None:
        check_workers(n_jobs)
        self.scorer = scorer
        self.n_jobs = n_jobs
        #: Number of tasks that run at once, while it is running.
        self.n_workers = 1
        self._parallel: Any = None
        self._cluster: Cluster | None = None

    @contextmanager
    def running(self) -> Iterator[Executor]:
        """Keep the workers alive between batches."""
        if isinstance(self.n_jobs, str):
            self._parallel = self._cluster = connect(self.n_jobs, self.scorer)
            self.n_workers = self._cluster.n_jobs
            try:
                yield self
            finally:
                self._cluster.close()
            return
        parallel = workers(self.n_jobs, self.scorer.prefer, generator=True)
        self.n_workers = joblib.effective_n_jobs(parallel.n_jobs)
        with parallel, one_thread(self.n_workers > 1):
            self._parallel = parallel
            yield self

    def chunks(self, n: int, most: int) -> list[slice]:
        """Cut a batch of ``n``: a share for every worker, none above ``most``."""
        size = max(1, min(most, -(-n // self.n_workers)))
        return [slice(i, min(i + size, n)) for i in range(0, n, size)]

    def score(
        self, masks: Candidates, scorer: Scorer | None = None
    ) -> Iterator[tuple[slice, Scores]]:
        """Yield (which rows, their scores) as the chunks are done, in order.

        ``scorer`` scores this batch, by default the one of the executor.
        """
        scorer = self.scorer if scorer is None else scorer
        most = scorer.batch
        # The base of steps is worked on once for each chunk.
        most = max(most, STEPS_PER_CALL) if isinstance(masks, Steps) and most > 1 else most
        chunks = self.chunks(len(masks), most)
        if len(chunks) == 1 or self.n_workers == 1:
            for chunk in chunks:
                yield chunk, finite(score_batch(scorer, masks[chunk]))
            return
        done = self._done(scorer, [masks[chunk] for chunk in chunks])
        try:
            for chunk, scores in zip(chunks, done, strict=True):
                yield chunk, finite(scores)
        finally:
            with warnings.catch_warnings():
                # A run that is cut short leaves tasks behind; that is meant.
                warnings.simplefilter("ignore", UserWarning)
                done.close()

    def _done(self, scorer: Scorer, chunks: list[Candidates]) -> Generator[Scores]:
        """Yield the scores of the chunks, in order, as they are done."""
        if self._cluster is not None:
            return self._cluster.score(chunks, scorer)
        call = joblib.delayed(_score)
        if self._parallel.return_generator:
            found: Generator[Scores] = self._parallel(call(scorer, masks) for masks in chunks)
            return found
        return self._by_rounds(call, scorer, chunks)

    def _by_rounds(self, call: Any, scorer: Scorer, chunks: list[Candidates]) -> Generator[Scores]:
        """Yield scores from backends that return whole lists: as many chunks at once as workers."""
        for start in range(0, len(chunks), self.n_workers):
            part = chunks[start : start + self.n_workers]
            yield from self._parallel(call(scorer, masks) for masks in part)

    def importances(self, questions: Sequence[Question]) -> Iterator[Importances]:
        """Yield the answers to the questions as they are done, in order."""
        if len(questions) == 1 or self.n_workers == 1 or self._cluster is not None:
            yield from (self.scorer.importances(question) for question in questions)
            return
        call = joblib.delayed(_importances)
        yield from self._parallel(call(self.scorer, q) for q in questions)


def finite(scores: Scores) -> Scores:
    """Replace infinite values, which no search could compare, by NaN, with a warning.

    >>> with warnings.catch_warnings(record=True):
    ...     finite(Scores(np.array([1.0, np.inf]))).value
    array([ 1., nan])
    """
    infinite = np.isinf(scores.value)
    if not infinite.any():
        return scores
    warnings.warn(
        f"The score of {int(infinite.sum())} subset(s) is infinite: they count as not scored "
        "(NaN); check `scoring`.",
        UserWarning,
        stacklevel=2,
    )
    value = np.where(infinite, np.nan, scores.value)
    return Scores(value, scores.folds, scores.goals)


def _score(scorer: Scorer, masks: Candidates) -> Scores:
    return score_batch(scorer, masks if isinstance(masks, Steps) else np.asarray(masks))


def _importances(scorer: Scorer, question: Question) -> Importances:
    return scorer.importances(question)


def check_workers(n_jobs: Any) -> None:
    """Refuse what is no number of workers and no cluster.

    >>> check_workers(0)
    Traceback (most recent call last):
    fewest._errors.InputError: `n_jobs` must be None, a whole number of workers of at least 1, or
    negative (-1 is all cores), or a cluster such as 'dask:tcp://HOST:8786', but is 0.
    """
    if is_cluster(n_jobs):
        return
    whole = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        raise InputError(
            "`n_jobs` must be None, a whole number of workers of at least 1, or negative (-1 is "
            f"all cores), or a cluster such as 'dask:tcp://HOST:8786', but is {brief(n_jobs)}."
        )
