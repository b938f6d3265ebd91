"""What a search or a measure of your own needs: base classes, and parameters that are checked."""

from ._errors import InputError, MismatchError
from ._parameters import Parameters, flag, number, one_of, whole
from .data import Table
from .measures import Candidates, Measure, Scorer, Scores
from .search import Better, Proposals, Search, Space, Subsets, Verdict

__all__ = [
    "Better",
    "Candidates",
    "InputError",
    "Measure",
    "MismatchError",
    "Parameters",
    "Proposals",
    "Scorer",
    "Scores",
    "Search",
    "Space",
    "Subsets",
    "Table",
    "Verdict",
    "flag",
    "number",
    "one_of",
    "whole",
]
