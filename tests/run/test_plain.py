import json

import numpy as np

from fewest._run.result import finite


def test_everything_becomes_plain_and_finite():
    given = {"a": np.float64(1.5), "b": (np.nan, np.int64(2)), "c": [{"d": float("-inf")}]}
    assert json.dumps(finite(given), allow_nan=False) == (
        '{"a": 1.5, "b": [null, 2], "c": [{"d": null}]}'
    )
