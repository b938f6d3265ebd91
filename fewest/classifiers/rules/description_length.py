"""Bits to send rules and the exceptions to them (Quinlan, 1995; Cohen, 1995, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2


def subset_bits(total: float, chosen: float, share: float) -> float:
    """Bits that name which ``chosen`` of ``total`` are meant, if ``share`` of them is expected.

    >>> round(subset_bits(8, 2, 0.25), 4)
    6.4902
    """
    bits = -chosen * log2(share) if share > 0.0 and chosen > 0.0 else 0.0
    if share < 1.0 and total > chosen:
        bits -= (total - chosen) * log2(1.0 - share)
    return bits


def rule_bits(n_conditions: int, n_possible: int) -> float:
    """Bits of one rule, halved because the order of its conditions says nothing.

    >>> rule_bits(0, 100)
    0.0
    >>> round(rule_bits(1, 100), 4)
    4.0397
    """
    if n_conditions == 0:
        return 0.0
    length = log2(n_conditions)
    if n_conditions > 1:
        length += 2.0 * log2(length) if length > 0.0 else 0.0
    return 0.5 * (length + subset_bits(n_possible, n_conditions, n_conditions / n_possible))


def exception_bits(
    covered: float, uncovered: float, false_positives: float, misses: float, expected: float
) -> float:
    """Bits that name the errors among the rows that are covered and those that are not.

    ``expected`` is the share of errors that is expected among the covered rows.
    """
    errors, bits = false_positives + misses, log2(covered + uncovered + 1.0)
    if covered > uncovered:
        bits += subset_bits(covered, false_positives, min(expected * errors / covered, 1.0))
        if uncovered > 0.0:
            bits += subset_bits(uncovered, misses, misses / uncovered)
        return bits
    if covered > 0.0:
        bits += subset_bits(covered, false_positives, false_positives / covered)
    if uncovered > 0.0:
        share = min((1.0 - expected) * errors / uncovered, 1.0)
        bits += subset_bits(uncovered, misses, share)
    return bits


def theory_bits(sizes: Iterable[int], n_possible: int) -> float:
    """Bits of all rules, given their numbers of conditions."""
    return sum(rule_bits(size, n_possible) for size in sizes)
