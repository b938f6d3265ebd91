"""Tests."""

from __future__ import annotations

import pytest

from fewest.data._information import Information
from fewest.measures._description_length import CALL, MDL, LogLikelihood
from fewest.search import SBE, SFS
from tests.measures.networks.cases import CLASSIFIERS, columns_of, every_subset, kept, members
from tests.measures.networks.xor_example import NAMES, xor_example
from tests.measures.networks.xor_example import subset as of
from tests.naive import networks
from tests.naive.entropies import entropy


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_mdl_and_log_likelihood_equal_their_definitions(table, classifier):
    columns, features = columns_of(table), list(table.names)
    subsets = every_subset(5)
    value = MDL(classifier).bind(table).score(subsets).value
    likelihood = LogLikelihood(classifier, per_row=True).bind(table).score(subsets).value
    empty = networks.mdl(columns, features, [], classifier)
    for row, v, ll in zip(subsets, value, likelihood, strict=True):
        inside = members(table, row)
        network = networks.classifier(columns, features, inside, classifier)
        assert v == pytest.approx(
            empty - networks.mdl(columns, features, inside, classifier), abs=1e-8
        )
        assert ll == pytest.approx(networks.log_likelihood(columns, network) / 70, abs=1e-10)


def test_the_xor_example_has_the_figures_of_the_paper():
    example = xor_example(100)
    bits = Information.of(example)
    assert bits.entropy[1] - bits.relevance[1] == pytest.approx(0.69, abs=0.005)
    assert bits.entropy[1] - bits.mutual[1, 5] == pytest.approx(0.87, abs=0.01)
    for classifier, inside, printed in [
        ("naive-bayes", ["A2", "A6"], 0.47),  # section 6.2
        ("tan", ["A1", "A2", "A4", "A6"], 0.75),  # section 6.3
    ]:
        call = CALL(classifier, per_row=True).bind(example).score(of(*inside)).value[0]
        # The paper leaves H(C) out.
        assert call + entropy(example.target) == pytest.approx(printed, abs=0.005)


def test_mdl_keeps_what_the_paper_says_of_the_xor_example():
    # Table 3: half of the features for naive Bayes, three quarters for TAN, which leaves out A5
    # and its copy A7 only because it goes forward (section 7).
    example = xor_example(100)
    assert kept(MDL("naive-bayes"), example, SFS()) == {"A2", "A3", "A6", "A8"}
    assert kept(MDL("tan"), example, SFS()) == set(NAMES) - {"A5", "A7"}
    assert kept(MDL("tan"), example, SBE()) == set(NAMES)
