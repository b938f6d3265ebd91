"""Data sets from OpenML, fetched by scikit-learn and kept in the user's cache."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from .._errors import InputError
from ._columns import Column, Columns
from ._dataset import Dataset, make_dataset
from ._load import cache_folder, find
from ._write import write

#: What OpenML calls the data sets whose names in this project's catalog differ.
NAMES = {
    "breast-wisconsin": "breast-w",
    "chess-kr-vs-kp": "kr-vs-kp",
    "contraceptive": "cmc",
    "credit-crx": "credit-approval",
    "german-credit": "credit-g",
    "heart-cleveland": "heart-c",
    "heart-hungarian": "heart-h",
    "horse-colic": "colic",
    "image-segmentation": "segment",
    "internet-advertisements": "Internet-Advertisements",
    "liver-bupa": "liver-disorders",
    "lymphography": "lymph",
    "monks-1": "monks-problems-1",
    "monks-2": "monks-problems-2",
    "monks-3": "monks-problems-3",
    "pima-diabetes": "diabetes",
    "promoters": "molecular-biology_promoters",
    "soybean-large": "soybean",
    "votes": "vote",
    "waveform-40": "waveform-5000",
}


def fetch(name: str, *, version: int = 1) -> Path:
    """Fetch a data set from OpenML into the user's cache, where ``load(name)`` finds it.

    Nothing is fetched when the name can be loaded already.

    name: a name at OpenML (``"kr-vs-kp"``) or in this project's catalog (``"chess-kr-vs-kp"``).
    version: int, default 1; the version at OpenML.

    Returns Path: the file. Its columns are those of OpenML, which may differ from the project's own
        copy.
    """
    if not re.fullmatch(r"[\w.-]+", name):
        raise InputError(f"`name` must be letters, digits, dots, - and _, but is {name!r}.")
    known = find(name)
    if known is not None:
        return known
    dataset = _dataset(_bunch(name, version), name)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path, partial = folder / f"{name}.arff.gz", folder / f".{os.getpid()}-{name}.arff.gz"
    write(dataset, partial)
    return partial.replace(path)


def _bunch(name: str, version: int) -> Any:
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="A network error occurred")
            # Arrays and this parser need no pandas; labels come as codes with their categories.
            return fetch_openml(
                NAMES.get(name, name), version=version, as_frame=False, parser="liac-arff",
                n_retries=1,
            )  # fmt: skip
    except OSError as error:
        raise InputError(
            f"{name!r} cannot be fetched, because OpenML cannot be reached ({_reason(error)}); "
            f"connect to the network, or put a file {name}.csv into {cache_folder()}."
        ) from None
    except ValueError as error:
        raise InputError(f"OpenML has no usable data set {name!r}: {error}") from None


def _reason(error: OSError) -> str:
    return str(getattr(error, "reason", None) or error)


def _dataset(bunch: Any, name: str) -> Dataset:
    if len(bunch.target_names) != 1:
        raise InputError(
            f"{name!r} must have one target, but has {len(bunch.target_names)} at OpenML; "
            "download it and give its file and `target`."
        )
    features = [
        _column(values, bunch.categories.get(feature))
        for feature, values in zip(bunch.feature_names, np.asarray(bunch.data).T, strict=True)
    ]
    values = np.asarray(bunch.target)
    numeric = values.dtype.kind in "iuf"
    target = Column(numbers=values.astype(np.float64)) if numeric else Column(labels=list(values))
    names = (*bunch.feature_names, bunch.target_names[0])
    columns = Columns(names, (*features, target), len(values), True)
    return make_dataset(columns, names[-1], name, about=f"From OpenML ({bunch.url})")


def _column(values: Any, categories: list[str] | None) -> Column:
    if categories is None:
        return Column(numbers=values.astype(np.float64))
    known = ~np.isnan(values)
    return Column(levels=tuple(categories), codes=np.where(known, values, -1).astype(np.int64))
