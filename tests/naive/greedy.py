"""Forward selection in the plainest words."""

from __future__ import annotations


def forward(value, features):
    """Add the best feature while the value improves; ``value`` takes a tuple of features."""
    chosen, best = (), value(())
    while True:
        steps = [(*chosen, f) for f in features if f not in chosen]
        scored = [(value(step), step) for step in steps]
        if not scored:
            return chosen
        top = max(scored, key=lambda pair: pair[0])
        if top[0] <= best + 1e-9:
            return chosen
        best, chosen = top
