"""Networks in words and as Graphviz text."""

from __future__ import annotations

import numpy as np

from fewest.classifiers._factors import Family
from fewest.classifiers._network_classifiers import dot_text, tables_text

FAMILIES = [
    Family(1, (), np.array([0.25, 0.75])),
    Family(0, (1,), np.array([[0.5, 0.5], [0.1, 0.9]])),
]
NAMES, VALUES = ['a "b"', "class"], [["x", "y"], ["no", "yes"]]


def test_tables():
    assert tables_text(FAMILIES, NAMES, VALUES).splitlines() == [
        "P(class)",
        "    no     yes",
        "0.2500  0.7500",
        "",
        'P(a "b" | class)',
        "class       x       y",
        "   no  0.5000  0.5000",
        "  yes  0.1000  0.9000",
    ]


def test_graphviz():
    assert dot_text(FAMILIES, NAMES, 1).splitlines() == [
        "digraph network {",
        '  "class" [peripheries=2];',
        r'  "a \"b\"";',
        r'  "class" -> "a \"b\"";',
        "}",
    ]
