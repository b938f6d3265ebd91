"""Classifiers of the literature as scikit-learn estimators.

They load when they are first used: ``from fewest.classifiers import TAN``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy_names import add_lazy_names as _add_lazy_names

#: Where the classifiers stand. A new classifier is one file and one line here.
_HOME = {
    "BayesianNetworkClassifier": "_network_classifiers",
    "C45": "_trees.tree",
    "CN2": "_rule_lists",
    "HOODG": "_trees.hoodg",
    "IB1": "_nearest_neighbor",
    "IB3": "_exemplars",
    "IB4": "_exemplars",
    "ID3": "_trees.tree",
    "MLCNaiveBayes": "_naive_bayes",
    "NBTree": "_trees.nb_tree",
    "NaiveBayes": "_naive_bayes",
    "NearestNeighbor": "_nearest_neighbor",
    "OC1": "_trees.oc1",
    "OneR": "_one_r",
    "PEBLS": "_exemplars",
    "Ripper": "_rule_lists",
    "SelectiveNaiveBayes": "_network_classifiers",
    "T2": "_trees.t2",
    "TAN": "_network_classifiers",
    "TableEncoder": "_encoder",
    "TableMajority": "_table_majority",
}

# Written by `python -m tests.public_names` from the table above.
# names: begin
if TYPE_CHECKING:
    from ._encoder import TableEncoder
    from ._exemplars import IB3, IB4, PEBLS
    from ._naive_bayes import MLCNaiveBayes, NaiveBayes
    from ._nearest_neighbor import IB1, NearestNeighbor
    from ._network_classifiers import TAN, BayesianNetworkClassifier, SelectiveNaiveBayes
    from ._one_r import OneR
    from ._rule_lists import CN2, Ripper
    from ._table_majority import TableMajority
    from ._trees.hoodg import HOODG
    from ._trees.nb_tree import NBTree
    from ._trees.oc1 import OC1
    from ._trees.t2 import T2
    from ._trees.tree import C45, ID3

__all__ = [
    "BayesianNetworkClassifier", "C45", "CN2", "HOODG", "IB1", "IB3", "IB4", "ID3", "MLCNaiveBayes",
    "NBTree", "NaiveBayes", "NearestNeighbor", "OC1", "OneR", "PEBLS", "Ripper",
    "SelectiveNaiveBayes", "T2", "TAN", "TableEncoder", "TableMajority",
]  # fmt: skip
# names: end

_add_lazy_names(globals(), _HOME)
