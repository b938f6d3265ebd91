"""Scores as people read them: per cent for accuracies, errors without their minus sign."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Metrics that are shares of cases, shown in per cent.
PERCENT = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy"}
#: Scorers of scikit-learn that are errors with a minus sign begin with this.
NEGATIVE = "neg_"


@dataclass(frozen=True)
class Unit:
    """Format of the values of a metric.

    Examples
    --------
    >>> unit("accuracy").score(0.9412), unit("neg_mean_absolute_error").score(-3.2071)
    ('94.1 %', '3.207')
    >>> unit("accuracy").gap(0.008), unit("R²").gap(-0.01234)
    ('+0.8 points', '−0.0123')
    """

    name: str
    percent: bool = False
    negative: bool = False

    def score(self, value: float | None) -> str:
        """Write one value."""
        if value is None or not math.isfinite(value):
            return "–"
        if self.percent:
            return f"{100 * value:.1f} %"
        return f"{-value if self.negative else value:.4g}"

    def span(self, low: float, high: float) -> str:
        """Return an interval; a share of cases cannot leave 0 to 100 %."""
        if self.percent:
            return f"{100 * max(low, 0.0):.1f} to {100 * min(high, 1.0):.1f} %"
        low, high = (-high, -low) if self.negative else (low, high)
        return f"{low:.4g} to {high:.4g}"

    def gap(self, value: float) -> str:
        """Return a difference, with its sign."""
        value = -value if self.negative else value
        if self.percent:
            return _signed(f"{100 * value:+.1f}") + " points"
        return _signed(f"{value:+.3g}")

    def gaps(self, low: float, high: float) -> str:
        """Return the interval of a difference."""
        low, high = (-high, -low) if self.negative else (low, high)
        if self.percent:
            return _signed(f"{100 * low:+.1f}") + " to " + _signed(f"{100 * high:+.1f}")
        return _signed(f"{low:+.3g}") + " to " + _signed(f"{high:+.3g}")

    def amount(self, value: float) -> str:
        """Return a difference without its sign."""
        if not self.percent:
            return f"{abs(value):.3g}"
        points = f"{100 * abs(value):.1f}".removesuffix(".0")
        return f"{points} point" if points == "1" else f"{points} points"


def unit(metric: str | None) -> Unit:
    """Return the unit of a metric by its name; of None, plain numbers."""
    if metric is None:
        return Unit("score")
    if metric in PERCENT:
        return Unit(PERCENT[metric], percent=True)
    if metric.startswith(NEGATIVE):
        return Unit(metric.removeprefix(NEGATIVE).replace("_", " "), negative=True)
    return Unit(metric.replace("_", " "))


def _signed(text: str) -> str:
    return text.replace("-", "−")
