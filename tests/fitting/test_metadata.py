"""Metadata handed to the verbs: used, routed, or refused."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

import fewest
from fewest._fitting.requests import selector_routing

X, Y = load_iris(return_X_y=True, as_frame=True)
WEIGHT = np.where(Y == 2, 5, 1)
SELECTOR = fewest.SubsetSelector("cfs", search="sfs")
VERBS = {
    "fit": lambda **given: SELECTOR.fit(X, Y, **given),
    "score_subsets": lambda **given: fewest.score_subsets(
        X, Y, np.eye(4, dtype=bool), measure="cfs", **given
    ),
    "validate": lambda **given: fewest.validate(SELECTOR, X, Y, random_state=0, **given),
    "compare": lambda **given: fewest.compare({"a": SELECTOR}, X, Y, random_state=0, **given),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_misspelt_name_is_refused_by_every_verb(verb):
    with pytest.raises(ValueError, match="`sampel_weight` is not used by the measure `cfs`"):
        VERBS[verb](sampel_weight=WEIGHT)


@pytest.mark.parametrize("verb", VERBS)
def test_weights_are_used_by_every_verb(verb):
    VERBS[verb](sample_weight=WEIGHT)


def test_the_score_is_that_of_the_weighed_rows():
    rows = np.repeat(np.arange(len(Y)), WEIGHT)
    weighed = VERBS["fit"](sample_weight=WEIGHT).score_
    repeated = fewest.SubsetSelector("cfs", search="sfs").fit(X.iloc[rows], Y.iloc[rows]).score_
    assert weighed == pytest.approx(repeated)


def test_a_filter_in_a_pipeline_gets_its_weights_by_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(fewest.SubsetSelector("cfs", search="sfs"))
        weighed = pipeline.fit(X, Y, sample_weight=WEIGHT)[0].score_
        with pytest.raises(TypeError, match="sampel_weight"):
            fewest.SubsetSelector("cfs").fit(X, Y, sampel_weight=WEIGHT)
    assert weighed == VERBS["fit"](sample_weight=WEIGHT).score_


def test_groups_are_requested_by_the_folds_of_auto():
    router = selector_routing(fewest.SubsetSelector("gaussian-nb"))
    assert router.consumes("fit", ["groups", "nothing"]) == {"groups"}
