"""Every data set of the catalog is what the catalog says."""

from collections import Counter

import numpy as np


def test_every_file_agrees_with_its_entry(catalog, dataset):
    for name, entry in catalog.items():
        data = dataset(name)
        table = data.table()
        kinds = Counter(data.kinds.values())
        assert data.name == name
        assert data.target == entry["class_attribute"]
        assert (table.n_rows, table.n_features) == (entry["instances"], entry["features"]), name
        assert kinds["continuous"] == entry["n_continuous"], name
        assert kinds["nominal"] == entry["n_nominal"], name
        assert int(table.missing.sum()) == entry["missing_values"], name
        counts = dict(zip(table.classes.tolist(), np.bincount(table.target), strict=True))
        assert counts == {k: v for k, v in entry["class_counts"].items() if v}, name
