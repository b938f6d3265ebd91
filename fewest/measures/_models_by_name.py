"""Models by name, with parameters: ``"random-forest(n_estimators=100)"``."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Collection
from typing import Any

from .._errors import InputError, did_you_mean

#: Name: the module and class of the estimator.
ESTIMATORS: dict[str, str] = {
    "naive-bayes": "fewest.classifiers._naive_bayes:NaiveBayes",
    "tan": "fewest.classifiers._network_classifiers:TAN",
    "id3": "fewest.classifiers._trees.tree:ID3",
    "c4.5": "fewest.classifiers._trees.tree:C45",
    "one-r": "fewest.classifiers._one_r:OneR",
    "t2": "fewest.classifiers._trees.t2:T2",
    "table-majority": "fewest.classifiers._table_majority:TableMajority",
    "cn2": "fewest.classifiers._rule_lists:CN2",
    "ripper": "fewest.classifiers._rule_lists:Ripper",
    "nb-tree": "fewest.classifiers._trees.nb_tree:NBTree",
    "oc1": "fewest.classifiers._trees.oc1:OC1",
    "hoodg": "fewest.classifiers._trees.hoodg:HOODG",
    "pebls": "fewest.classifiers._exemplars:PEBLS",
    "ib1": "fewest.classifiers._nearest_neighbor:IB1",
    "ib3": "fewest.classifiers._exemplars:IB3",
    "ib4": "fewest.classifiers._exemplars:IB4",
    "nearest-neighbor": "fewest.classifiers._nearest_neighbor:NearestNeighbor",
    "gaussian-nb": "sklearn.naive_bayes:GaussianNB",
    "k-nn": "sklearn.neighbors:KNeighborsClassifier",
    "logistic-regression": "sklearn.linear_model:LogisticRegression",
    "ridge-classifier": "sklearn.linear_model:RidgeClassifier",
    "lda": "sklearn.discriminant_analysis:LinearDiscriminantAnalysis",
    "qda": "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis",
    "svc": "sklearn.svm:SVC",
    "linear-svc": "sklearn.svm:LinearSVC",
    "decision-tree": "sklearn.tree:DecisionTreeClassifier",
    "random-forest": "sklearn.ensemble:RandomForestClassifier",
    "extra-trees": "sklearn.ensemble:ExtraTreesClassifier",
    "hist-gradient-boosting": "sklearn.ensemble:HistGradientBoostingClassifier",
    "gaussian-process": "sklearn.gaussian_process:GaussianProcessClassifier",
    "mlp": "sklearn.neural_network:MLPClassifier",
    "lightgbm": "lightgbm:LGBMClassifier",
    "xgboost": "xgboost:XGBClassifier",
    "catboost": "catboost:CatBoostClassifier",
    "linear-regression": "sklearn.linear_model:LinearRegression",
    "ridge": "sklearn.linear_model:Ridge",
    "lasso": "sklearn.linear_model:Lasso",
    "k-nn-regressor": "sklearn.neighbors:KNeighborsRegressor",
    "svr": "sklearn.svm:SVR",
    "decision-tree-regressor": "sklearn.tree:DecisionTreeRegressor",
    "random-forest-regressor": "sklearn.ensemble:RandomForestRegressor",
    "extra-trees-regressor": "sklearn.ensemble:ExtraTreesRegressor",
    "hist-gradient-boosting-regressor": "sklearn.ensemble:HistGradientBoostingRegressor",
}

#: Models that need numbers of one scale: a TableEncoder comes before them.
SCALED_MODELS = {
    "k-nn", "k-nn-regressor", "lasso", "linear-svc", "logistic-regression", "mlp", "ridge",
    "ridge-classifier", "svc", "svr", "gaussian-process",
}  # fmt: skip
#: So many levels of a nominal column get a column before these models: one with a value per row,
#: such as numbers written as text, would cost a column per value and tell nothing.
MOST_LEVELS = 100
#: What may come before a model in a pipeline with its name.
SCALERS = ("TableEncoder", "StandardScaler")
#: Where a default of scikit-learn would make two equal runs differ.
SEEDED_MODELS = {
    "decision-tree", "decision-tree-regressor", "extra-trees", "extra-trees-regressor",
    "hist-gradient-boosting", "hist-gradient-boosting-regressor", "linear-svc", "mlp",
    "random-forest", "random-forest-regressor", "ripper",
}  # fmt: skip
#: Parameters that a name implies: subtree raising would have every tree trained on its own.
#: Boosters write no lines about every training.
FIXED_PARAMETERS: dict[str, dict[str, Any]] = {
    "c4.5": {"raising": False},
    "lightgbm": {"verbose": -1},
    "catboost": {"verbose": False, "allow_writing_files": False},
}
#: What people call models elsewhere.
USUAL_NAMES = {
    "rf": "random-forest", "xgb": "xgboost", "lgbm": "lightgbm", "lgb": "lightgbm",
    "knn": "k-nn", "nb": "naive-bayes", "svm": "svc", "dt": "decision-tree", "lr":
    "logistic-regression", "logit": "logistic-regression", "logreg": "logistic-regression",
    "ols": "linear-regression",
    "gbm": "hist-gradient-boosting", "boosting": "hist-gradient-boosting",
}  # fmt: skip
#: Packages that are no part of scikit-learn.
OTHER_PACKAGES = {"lightgbm", "xgboost", "catboost"}

_CALL = re.compile(r"^\s*([a-z0-9.\-]+)\s*(?:\((.*)\))?\s*$", re.S)


def named_estimator(text: str) -> Any:
    """Return the estimator behind a name, with literal parameters in brackets if there are any.

    Models that need numbers of one scale come in a pipeline with a
    :class:`~fewest.classifiers.TableEncoder`: continuous columns scaled, nominal ones as dummies
    (of the 100 most frequent levels), unknown values filled. Models that draw at random have
    ``random_state=0`` unless you say otherwise. ``"c4.5"`` is C4.5 without subtree raising, which
    a search over subsets can score fast.
    """
    match = _CALL.match(text)
    name = match[1] if match else text
    if match is None or name not in ESTIMATORS:
        raise InputError(unknown_estimator(text))
    given = FIXED_PARAMETERS.get(name, {}) | _parameters(name, match[2])
    if name in SEEDED_MODELS:
        given.setdefault("random_state", 0)
    cls = _load(name)
    try:
        estimator = cls(**given)
    except TypeError:
        raise _bad_parameter(cls, name, given) from None
    if name in SCALED_MODELS:
        from sklearn.pipeline import make_pipeline

        return make_pipeline(_encoder(), estimator)
    return estimator


def _encoder() -> Any:
    from sklearn import get_config

    from ..classifiers._encoder import TableEncoder

    encoder: Any = TableEncoder(max_levels=MOST_LEVELS)
    routed = get_config()["enable_metadata_routing"]
    return encoder.set_fit_request(nominal=True) if routed else encoder


def is_estimator_name(text: str) -> bool:
    """Return whether a word, without its brackets, names an estimator."""
    match = _CALL.match(text)
    return match is not None and match[1] in ESTIMATORS


def unknown_estimator(text: str) -> str:
    """Return the message for a name that names no estimator."""
    return (
        "`estimator` must be a scikit-learn estimator or a model that `fewest measures` lists, "
        f"but is {text!r}.{hint_for(text, ESTIMATORS)}"
    )


def hint_for(text: str, names: Collection[str]) -> str:
    """Return which names may have been meant, as a question; nothing where none is near.

    >>> hint_for("logistic", ESTIMATORS), hint_for("rf", ESTIMATORS)
    (' Did you mean logistic-regression?', ' Did you mean random-forest?')
    """
    word = text.partition("(")[0].strip().lower().replace("_", "-").replace(" ", "-")
    known = [USUAL_NAMES[word]] if word in USUAL_NAMES else []
    known += [n for n in names if word and n.startswith(word)]
    return did_you_mean(word, names) if not known else f" Did you mean {' or '.join(known[:3])}?"


def name_of(estimator: Any) -> str:
    """Return the name of an estimator, or that of its class where it has none."""
    if type(estimator).__name__ == "Pipeline" and hasattr(estimator, "steps"):
        steps = [step for _, step in estimator.steps]
        inner = _bare_name(steps[-1])
        before = type(steps[0]).__name__
        scaled = inner in SCALED_MODELS and before in SCALERS
        if len(steps) == 2 and (scaled or (inner is not None and before == "TableEncoder")):
            return str(inner)
        return f"Pipeline({', '.join(name_of(step) for step in steps)})"
    name = _bare_name(estimator)
    # The names of models that need one scale mean a pipeline with an encoder.
    return type(estimator).__name__ if name is None or name in SCALED_MODELS else name


def _bare_name(estimator: Any) -> str | None:
    cls = type(estimator)
    for name, place in ESTIMATORS.items():
        module, of = place.split(":")
        # scikit-learn's classes live in private modules below the public one.
        if of == cls.__qualname__ and cls.__module__.startswith(module):
            fixed = FIXED_PARAMETERS.get(name, {}).items()
            # Boosters take further parameters by other names, which they may not have here.
            given = estimator.get_params(deep=False)
            return name if all(k in given and given[k] == v for k, v in fixed) else None
    return None


def _load(name: str) -> Any:
    module, cls = ESTIMATORS[name].split(":")
    try:
        return getattr(importlib.import_module(module), cls)
    except ImportError:
        if module not in OTHER_PACKAGES:
            raise
        raise InputError(
            f"`{name}` needs the package {module}, which is not installed: pip install {module}."
        ) from None


def _parameters(name: str, inside: str | None) -> dict[str, Any]:
    """Read ``a=1, b="x"`` as a dict; only literals, nothing is run."""
    if inside is None or not inside.strip():
        return {}
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
        assert isinstance(call, ast.Call)
        if call.args or any(k.arg is None for k in call.keywords):
            raise ValueError
        return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (SyntaxError, ValueError, AssertionError):
        raise InputError(
            f"The parameters of `{name}` must be like n=1, word='x' (literals only), but are "
            f"{inside!r}."
        ) from None


def _bad_parameter(cls: Any, name: str, given: dict[str, Any]) -> InputError:
    import inspect

    known = list(inspect.signature(cls).parameters)
    wrong = next((k for k in given if k not in known), next(iter(given), ""))
    return InputError(f"`{name}` has no parameter `{wrong}`.{did_you_mean(wrong, known)}")
