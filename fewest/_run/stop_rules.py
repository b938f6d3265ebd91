"""Stop rules: asked after each batch, they return a reason when the run must end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from .._errors import InputError, brief
from .._parameters import Parameters, number, whole
from ..measures._measure import Candidates, Scores
from ..search._better import SAME_SCORE_TOLERANCE
from .archive import Archive


class StopKind(StrEnum):
    """Kinds of reasons for which a run ends."""

    #: The search ended by itself.
    SEARCH = "search"
    #: A stop rule fired.
    RULE = "rule"
    #: A callback asked to stop.
    CALLBACK = "callback"
    #: The time budget is used up.
    TIME = "time"
    #: Ctrl-C, or SIGTERM on the command line.
    INTERRUPT = "interrupt"
    #: A worker process died.
    WORKER = "worker"
    #: Not recorded: results saved before version 0.2.
    UNKNOWN = "unknown"

    @property
    def partial(self) -> bool:
        """True if the run was cut short, so that its answer is only the best so far.

        >>> StopKind.TIME.partial, StopKind.RULE.partial
        (True, False)
        """
        return self in (StopKind.TIME, StopKind.INTERRUPT, StopKind.WORKER)


@dataclass(frozen=True)
class Reason:
    """Reason for which a run ended.

    ``answer_from`` is the last generation that the answer may come from; None means all.
    """

    text: str
    kind: StopKind = StopKind.RULE
    answer_from: int | None = None


@dataclass(frozen=True)
class Progress:
    """Progress of a run, as stop rules see it.

    ``best`` holds the best value of each generation, ``costs`` the cost of the best subset of the
    run after each: its number of features, unless features have costs of their own.
    """

    archive: Archive
    generation: int
    batch: Scores
    best: list[float]
    costs: list[float]
    seconds: float
    n_rows: int
    population: Candidates

    @property
    def spread(self) -> float:
        """Diversity of the candidates of the batch: 0 if all are the same, at most 1."""
        return self.archive.space.spread(self.population)


class Stop(Parameters, ABC):
    """Stop rule: a pure function of the progress.

    Examples
    --------
    >>> from fewest.stop import Generations, Stop
    >>> isinstance(Generations(5), Stop)
    True
    """

    @abstractmethod
    def reason(self, progress: Progress) -> Reason | None:
        """Return why to stop now, or None to go on."""


@dataclass
class Generations(Stop):
    """Stop after so many generations (the first population counts).

    Examples
    --------
    >>> import fewest
    >>> from fewest._run.stop_rules import Generations
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search="umda", stop=Generations(3), random_state=0
    ... )
    >>> selector.fit(data.X, data.y).result_.stopped
    '3 generations done'
    """

    most: int = whole(100, low=1)

    def reason(self, progress: Progress) -> Reason | None:
        if progress.generation + 1 >= self.most:
            return Reason(f"{self.most} generations done")
        return None


@dataclass
class Evaluations(Stop):
    """Stop once so many different subsets have been scored.

    Examples
    --------
    >>> import fewest
    >>> from fewest._run.stop_rules import Evaluations
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search="sfs", stop=Evaluations(20), random_state=0
    ... )
    >>> selector.fit(data.X, data.y).result_.stopped
    '26 subsets scored (at most 20)'
    """

    most: int = whole(10_000, low=1)

    def reason(self, progress: Progress) -> Reason | None:
        if len(progress.archive) >= self.most:
            return Reason(f"{len(progress.archive)} subsets scored (at most {self.most})")
        return None


@dataclass
class Seconds(Stop):
    """Stop after so many seconds; also in the middle of a batch.

    Examples
    --------
    >>> import fewest
    >>> from fewest._run.stop_rules import Seconds
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search="random", stop=Seconds(0.0), random_state=0
    ... )
    >>> selector.fit(data.X, data.y).result_.stopped
    'the time budget of 0 s is used up'
    """

    most: float = number(60.0, low=0.0)

    def reason(self, progress: Progress) -> Reason | None:
        if progress.seconds >= self.most:
            return out_of_time(self.most)
        return None


def out_of_time(seconds: float) -> Reason:
    """Return the reason of a run whose time budget is used up."""
    return Reason(f"the time budget of {seconds:g} s is used up", StopKind.TIME)


@dataclass
class NoImprovement(Stop):
    """Stop when no better subset has come up for so many generations.

    Better is what it is everywhere: a higher value, or the same value with fewer features (or at
    lower cost). A population that only sheds features still improves.

    Examples
    --------
    >>> import fewest
    >>> from fewest._run.stop_rules import NoImprovement
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search="ga-uniform", stop=NoImprovement(2), random_state=0
    ... )
    >>> selector.fit(data.X, data.y).result_.stopped
    'no improvement in 2 generations'
    """

    generations: int = whole(5, low=1)

    def reason(self, progress: Progress) -> Reason | None:
        best, costs, g = progress.best, progress.costs, self.generations
        if len(best) <= g or costs[-1] < costs[-1 - g]:
            return None
        if max(best[-g:]) <= max(best[:-g]) + SAME_SCORE_TOLERANCE:
            return Reason(f"no improvement in {g} generations")
        return None


@dataclass
class Target(Stop):
    """Stop once a subset reaches this value.

    Examples
    --------
    >>> import fewest
    >>> from fewest._run.stop_rules import Target
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search="random", stop=Target(0.95), random_state=0
    ... )
    >>> selector.fit(data.X, data.y).result_.stopped
    'the target value 0.95 is reached'
    """

    value: float = number(1.0)

    def reason(self, progress: Progress) -> Reason | None:
        if progress.best and max(progress.best) >= self.value - SAME_SCORE_TOLERANCE:
            return Reason(f"the target value {self.value:g} is reached")
        return None


@dataclass
class Converged(Stop):
    """Stop when the subsets of a generation are all (nearly) the same.

    Examples
    --------
    >>> import fewest
    >>> from fewest._run.stop_rules import Converged
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search="umda", stop=Converged(spread=0.2), random_state=0
    ... )
    >>> selector.fit(data.X, data.y).result_.stopped
    'the population has converged'
    """

    spread: float = number(0.0, low=0.0, high=1.0)

    def reason(self, progress: Progress) -> Reason | None:
        if progress.generation > 0 and progress.spread <= self.spread:
            return Reason("the population has converged")
        return None


@dataclass
class Significance(Stop):
    """Rule of Inza et al. (2000), section 4.4, against overfitting.

    With more than ``rows`` training rows, stop when no new candidate beats the best of the
    generations before. With fewer, it must do so in a one-sided paired t test over the folds
    at level ``p``. The answer is the best of the generation before.

    Examples
    --------
    >>> import fewest
    >>> from fewest._run.stop_rules import Significance
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     "naive-bayes", search="umda", stop=Significance(p=0.05), random_state=0
    ... )
    >>> selector.fit(data.X, data.y).result_.stopped
    'no new subset beats the best of the generation before'
    """

    p: float = number(0.1, low=0.0, high=1.0)
    rows: int = whole(1000)

    def reason(self, progress: Progress) -> Reason | None:
        if progress.generation == 0:
            return None
        old, new = self._sides(progress)
        better = new.value > old.value[0] + SAME_SCORE_TOLERANCE
        if not better.any():
            text = "no new subset beats the best of the generation before"
        elif self._goes_on(progress.n_rows, old, new.take(np.flatnonzero(better))):
            return None
        else:
            text = f"no new subset beats the best significantly (paired t test, p < {self.p:g})"
        return Reason(text, answer_from=progress.generation - 1)

    def _goes_on(self, n_rows: int, old: Scores, better: Scores) -> bool:
        if n_rows > self.rows or better.folds is None or old.folds is None:
            return True
        return bool((paired_p(better.folds, old.folds[0]) < self.p).any())

    @staticmethod
    def _sides(progress: Progress) -> tuple[Scores, Scores]:
        archive = progress.archive
        before = archive.up_to(progress.generation - 1)
        if not len(before):
            raise InputError(
                "The significance rule needs a feasible subset in the first generation, "
                "but there is none; loosen the constraints or choose another stop rule."
            )
        from ..search._better import Better

        scores = archive.scores
        top = Better(archive.space).best(archive.candidates[before], scores.value[before])
        feasible = archive.up_to(progress.generation)
        new = feasible[archive.generation[feasible] == progress.generation]
        return scores.take(before[top : top + 1]), scores.take(new)


def paired_p(new: NDArray[np.float64], old: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return One-sided p values that each row of ``new`` is larger than ``old``, paired by fold."""
    difference = new - old
    k = difference.shape[1]
    mean, deviation = difference.mean(axis=1), difference.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / (deviation / np.sqrt(k))
    # No spread at all: a certain difference, or none.
    t = np.where(deviation > 0, t, np.where(mean > 0, np.inf, -np.inf))
    p: NDArray[np.float64] = stats.t.sf(t, k - 1)
    return p


def seconds_of(stop: object) -> float | None:
    """Return the time budget among the rules given, if there is one."""
    rules = stop if isinstance(stop, Sequence) and not isinstance(stop, str) else (stop,)
    return next((float(rule.most) for rule in rules if isinstance(rule, Seconds)), None)


def resolve_stop(stop: object, generational: bool) -> tuple[Stop, ...]:
    """Return the rules behind ``stop``: "auto", None, a rule, or a list of them and "auto"."""
    several = isinstance(stop, Sequence) and not isinstance(stop, str)
    parts: Sequence[object] = stop if several else () if stop is None else (stop,)  # type: ignore[assignment]
    rules: list[Stop] = []
    for part in parts:
        if isinstance(part, str) and part == "auto":
            rules += [NoImprovement(10), Generations(100)] if generational else []
        elif isinstance(part, Stop):
            part.check_parameters()
            rules.append(part)
        else:
            raise InputError(
                '`stop` must be "auto", None, a rule of `fewest.stop` or a list of them, '
                f"but is {brief(part)}."
            )
    return tuple(rules)
