import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fewest.classifiers import Ripper

# Ten-fold accuracies of Weka's JRip (3.6.14, default parameters, its own folds).
JRIP = {"votes": 0.954, "hepatitis": 0.781, "glass": 0.668, "breast-cancer": 0.710}


@pytest.mark.parametrize("name", JRIP)
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_as_accurate_as_weka(name, dataset):
    data = dataset(name)
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    scores = cross_val_score(Ripper(random_state=0), data.X, data.y, cv=folds)
    error = scores.std(ddof=1) / np.sqrt(10)
    assert abs(scores.mean() - JRIP[name]) < 2 * error


def test_the_default_is_the_most_frequent_class(dataset):
    data = dataset("votes")
    model = Ripper(random_state=0).fit(data.X, data.y)
    assert model.classes_[model.default_.argmax()] == "democrat"
    assert all(model.classes_[rule.counts.argmax()] == "republican" for rule in model.rules_)


def test_the_seed_repeats(dataset):
    data = dataset("glass")
    texts = {Ripper(random_state=3).fit(data.X, data.y).to_text() for _ in range(2)}
    assert len(texts) == 1
