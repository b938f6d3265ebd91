"""Sums over the members and over the pairs of subsets, one number after the other."""

from itertools import combinations


def member_sum(worth, members):
    """The worth of all members."""
    return sum(worth[i] for i in sorted(members))


def pair_sum(matrix, members):
    """The values of all pairs of members."""
    return sum(matrix[i][j] for i, j in combinations(sorted(members), 2))
