"""IB1: the class of the nearest training row."""

from __future__ import annotations

from dataclasses import dataclass

from .nearest_neighbor import KeptRows


@dataclass(eq=False)
class IB1(KeptRows):
    """The class of the nearest training row; all features count the same.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    range_ : array of shape (n_features,)
        Largest minus smallest training value of each continuous feature; 0 for nominal ones.

    Notes
    -----
    The text followed is Aha, Kibler and Albert (1991, "Instance-based learning algorithms",
    section 3) as Inza (2002, section 2.4) tells it: the overlap metric for nominal features, the
    Euclidean one for continuous ones, scaled by their ranges, and one neighbour. An unknown value
    is as far from any other as can be. Where several rows are equally near, they vote here, and
    the more frequent class wins a tie; Weka takes the first of them. It is
    ``NearestNeighbor(k=1)`` without parameters.

    Examples
    --------
    >>> model = IB1().fit([[1.0, "a"], [2.0, "b"], [9.0, "a"]], ["low", "low", "high"])
    >>> model.predict([[8.0, "a"], [1.5, None]]).tolist()
    ['high', 'low']
    """
