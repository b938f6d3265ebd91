"""C4.5 against Weka's J48 (-C 0.25 -M 2, Weka 3.6.14): raised, not raised (-S), unpruned (-U)."""

import glob
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from fewest.classifiers._trees.tree import C45

# Without raising: leaves with training rows, and training rows that the tree gets right.
J48 = {
    "ionosphere": (18, 350),
    "image-segmentation": (42, 2287),
    "chess-kr-vs-kp": (31, 3185),
    "horse-colic": (4, 316),
    "votes": (6, 423),
    "breast-wisconsin": (14, 686),
    "pima-diabetes": (20, 646),
    "credit-crx": (21, 627),
    "anneal": (54, 870),  # if only the five classes that have rows are declared
}

# With raising: leaves and nodes with training rows, and rows that the tree gets right.
RAISED = {
    "ionosphere": (18, 35, 350),
    "image-segmentation": (39, 77, 2285),
    "chess-kr-vs-kp": (31, 59, 3185),
    "horse-colic": (4, 6, 316),
    "votes": (6, 11, 423),
    "breast-wisconsin": (14, 27, 686),
    "pima-diabetes": (20, 39, 646),
    "credit-crx": (20, 32, 626),
    "anneal": (34, 59, 853),
    "audiology": (29, 51, 206),
    "contraceptive": (141, 247, 1048),
    "echocardiogram": (5, 9, 101),
    "hepatitis": (11, 21, 143),
    "sick-euthyroid": (13, 25, 3117),
    "soybean-large": (49, 81, 658),
    "vehicle": (98, 195, 820),
}

# Unpruned: subtrees that make no fewer errors than a leaf are leaves all the same.
UNPRUNED = {
    "ionosphere": (18, 350),
    "image-segmentation": (51, 2293),
    "chess-kr-vs-kp": (42, 3192),
    "horse-colic": (88, 342),
    "votes": (19, 426),
    "breast-wisconsin": (23, 691),
    "pima-diabetes": (22, 648),
    "credit-crx": (72, 655),
    "anneal": (58, 872),
    "audiology": (34, 207),
    "contraceptive": (367, 1185),
    "echocardiogram": (10, 104),
    "hepatitis": (16, 149),
    "sick-euthyroid": (48, 3135),
    "soybean-large": (101, 668),
    "vehicle": (104, 822),
}

JARS = [jar for jar in glob.glob("/usr/share/java/weka*.jar") if shutil.which("java")]


@pytest.mark.parametrize("name", J48)
def test_the_figures_of_weka(name, dataset):
    data = dataset(name)
    tree = C45(raising=False).fit(data.X, data.y)
    correct = int((tree.predict(data.X) == np.asarray(data.y)).sum())
    assert (tree.n_leaves_, correct) == J48[name]


@pytest.mark.parametrize("name", RAISED)
def test_the_figures_of_weka_with_raising(name, dataset):
    data = dataset(name)
    tree = C45().fit(data.X, data.y)
    correct = int((tree.predict(data.X) == np.asarray(data.y)).sum())
    assert (tree.n_leaves_, tree.n_nodes_, correct) == RAISED[name]


@pytest.mark.parametrize("name", UNPRUNED)
def test_the_figures_of_weka_without_pruning(name, dataset):
    data = dataset(name)
    tree = C45(pruning=False).fit(data.X, data.y)
    correct = int((tree.predict(data.X) == np.asarray(data.y)).sum())
    assert (tree.n_leaves_, correct) == UNPRUNED[name]
    if name == "votes":
        assert tree.n_nodes_ == 37


def run_j48(path, raising):
    """The leaves of J48 with rows in them, and how many training rows it gets right."""
    command = ["java", "-cp", ":".join(JARS), "weka.classifiers.trees.J48"]
    options = ["-C", "0.25", "-M", "2", "-no-cv", "-t", str(path), *([] if raising else ["-S"])]
    text = subprocess.run([*command, *options], capture_output=True, text=True, check=True).stdout
    leaves = re.findall(r"(?m): \S+ \(([\d.]+)(?:/[\d.]+)?\)\s*$", text)
    correct = re.search(r"Correctly Classified Instances\s+(\d+)", text)
    return sum(leaf != "0.0" for leaf in leaves), int(correct.group(1))


@pytest.mark.skipif(not JARS, reason="Weka is not installed")
@pytest.mark.parametrize(("seed", "raising"), [(4, False), (4, True), (48, False), (48, True)])
def test_a_table_with_unknown_values(seed, raising, tmp_path):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"colour": rng.choice(["red", "green", "blue"], 300), "size": rng.random(300).round(3)}
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 0.6), "yes", "no")
    y = np.where(rng.random(300) < 0.1, "no", y)
    frame = frame.mask(rng.random(frame.shape) < 0.1, None)
    lines = [
        f"{'?' if pd.isna(a) else a},{'?' if pd.isna(b) else b},{c}"
        for a, b, c in zip(frame["colour"], frame["size"], y, strict=True)
    ]
    head = "@relation t\n@attribute colour {blue,green,red}\n@attribute size numeric\n"
    (tmp_path / "t.arff").write_text(
        head + "@attribute class {no,yes}\n@data\n" + "\n".join(lines) + "\n"
    )
    tree = C45(raising=raising).fit(frame, y)
    assert tree.n_leaves_ > 3
    figures = tree.n_leaves_, int((tree.predict(frame) == y).sum())
    assert figures == run_j48(tmp_path / "t.arff", raising)


@pytest.mark.skipif(not JARS, reason="Weka is not installed")
def test_values_that_are_too_close_for_a_cut(tmp_path):
    rng = np.random.default_rng(3)
    X = np.round(rng.random((300, 1)) * 200) * 0.6e-5
    inside = (X[:, 0] > 4.011e-4) & (X[:, 0] < 8.011e-4)
    y = np.where(inside & (rng.random(300) < 0.9), "yes", "no")
    lines = [f"{value!r},{label}" for value, label in zip(X[:, 0].tolist(), y, strict=True)]
    head = "@relation t\n@attribute x numeric\n@attribute class {no,yes}\n@data\n"
    (tmp_path / "t.arff").write_text(head + "\n".join(lines) + "\n")
    found = [
        (tree.n_leaves_, int((tree.predict(X) == y).sum()))
        for tree in (C45().fit(X, y), C45(min_gap=0.0).fit(X, y))
    ]
    assert found[0] == run_j48(tmp_path / "t.arff", True) != found[1]
