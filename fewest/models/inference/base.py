"""What an inference is: evidence in, posteriors of all variables out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..networks.named import NamedNetwork


@dataclass(frozen=True, eq=False)
class Posteriors:
    """The posterior of every variable given the evidence.

    Parameters
    ----------
    network : NamedNetwork
    values : tuple of float64 arrays
        One distribution per variable; for an observed variable, certainty.
    evidence_probability : float
        The probability of the evidence, exact or estimated.
    effective : float or None
        For an inference by sampling, how many unweighted samples its samples are worth:
        (sum of weights)^2 / sum of squared weights.
    errors : tuple of float64 arrays, or None
        For an inference by sampling, the standard errors of ``values``.
    evidence_error : float
        The standard error of the probability of the evidence.
    """

    network: NamedNetwork
    values: tuple[NDArray[np.float64], ...]
    evidence_probability: float
    effective: float | None = None
    errors: tuple[NDArray[np.float64], ...] | None = None
    evidence_error: float = 0.0

    def __getitem__(self, name: str) -> Answer:
        """The posterior of one variable, by level."""
        i = self.network.position(name, "target")
        levels, values = self.network.levels[i], self.values[i].tolist()
        doubts = [0.0] * len(values) if self.errors is None else self.errors[i].tolist()
        answer = Answer(zip(levels, values, strict=True))
        answer.errors = dict(zip(levels, doubts, strict=True))
        answer.effective = self.effective
        answer.evidence_probability = self.evidence_probability
        answer.evidence_error = self.evidence_error
        return answer


class Answer(dict[Any, float]):
    """The posterior of a variable, by level, and how good it is.

    Attributes
    ----------
    errors : dict
        The standard error of each probability; 0 for exact inference.
    effective : float or None
        The effective sample size, for an inference by sampling.
    evidence_probability, evidence_error : float
        The probability of the evidence, and its standard error.
    """

    errors: dict[Any, float]
    effective: float | None
    evidence_probability: float
    evidence_error: float


class Inference(ABC):
    """A way to find posteriors in a network."""

    @abstractmethod
    def posteriors(
        self, network: NamedNetwork, evidence: NDArray[np.int64], rng: np.random.Generator
    ) -> Posteriors:
        """The posteriors given codes of the evidence (-1 where a variable is not observed)."""


def impossible() -> InputError:
    """The sentence for evidence that cannot be."""
    return InputError(
        "`evidence` must be possible in the network, but has probability zero; leave out or "
        "change a value."
    )


def certain(levels: int, value: int) -> NDArray[np.float64]:
    """The distribution of an observed variable."""
    out = np.zeros(levels)
    out[value] = 1.0
    return out
