"""What a search or a measure of your own needs: base classes, checked parameters, and models."""

from ._errors import InputError, MismatchError
from ._models.discrete import Groups, Marginals, learn_groups
from ._models.gaussian import MultivariateNormal
from ._models.structure_search import learn_chain, learn_forest, learn_tree
from ._parameters import Parameters, flag, number, one_of, whole
from .data import Table
from .measures import Candidates, Measure, Scorer, Scores
from .search import Better, Proposals, Search, Space, Subsets, Verdict
from .search._continuous import ContinuousEDA
from .search._distribution import EDA

__all__ = [
    "Better", "ContinuousEDA", "EDA", "Candidates", "Groups", "InputError", "Marginals", "Measure",
    "MismatchError", "MultivariateNormal", "Parameters", "Proposals", "Scorer", "Scores", "Search",
    "Space", "Subsets", "Table", "Verdict", "flag", "learn_chain", "learn_forest", "learn_groups",
    "learn_tree", "number", "one_of", "whole",
]  # fmt: skip
