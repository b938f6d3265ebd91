"""Stop rules: when a run ends."""

from ._run.stop_rules import (
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
    "Converged", "Evaluations", "Generations", "NoImprovement", "Seconds", "Significance", "Stop",
    "Target",
]  # fmt: skip
