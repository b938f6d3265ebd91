"""Stop rules: when a run ends."""

from ._run.stop import (
    Converged,
    Evaluations,
    Generations,
    NoImprovement,
    Seconds,
    Significance,
    Stop,
    Target,
)

__all__ = [
    "Converged",
    "Evaluations",
    "Generations",
    "NoImprovement",
    "Seconds",
    "Significance",
    "Stop",
    "Target",
]
