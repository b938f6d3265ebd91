"""NetworkLearner: a Bayesian network from a table, as a scikit-learn estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from .._errors import InputError, brief
from .._fitting.parameter_table import check_options
from .._fitting.requests import CallbackListener, CallbackSupport, checked_frame, with_callbacks
from .._interrupts import ending_in_order
from .._models.family_scores import FamilyScores, Score
from .._models.graph import Graph, Network
from .._parameters import TakesAnyTable, seed_of
from .._run.events import Listener
from .._run.journal import has_lines, read_lines
from .._run.result import Result
from ..data._discretise import Discretiser
from ..data._feature_names import Features
from ._averaging import ArcPosteriors, arc_posteriors
from ._bif import write_bif
from ._discrete_rows import UNKNOWN, DiscreteFrame
from ._inference.junction_tree import Answer, ExactInference
from ._inference.sampling import resolve_inference
from ._inferential_loss import InferentialLoss
from ._named import NamedNetwork
from ._network_facts import NetworkFacts, network_facts
from ._runs import STRUCTURE_SEARCHES, choose_search, find_graph, learn_network

#: Effective sample sizes below this are warned of.
LEAST_EFFECTIVE_SAMPLES = 100


class _Score:
    """Method that shares its name with a parameter, as `score` does by scikit-learn's rules."""

    def __init__(self, method: Callable[..., float]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __get__(self, learner: Any, owner: type | None = None) -> Any:
        return self.method if learner is None else self.method.__get__(learner)

    def __set__(self, learner: Any, value: Any) -> None:
        vars(learner)["score"] = value


class NetworkLearner(CallbackSupport, TakesAnyTable):
    """Learn a discrete Bayesian network, proven best where that is possible.

    Parameters
    ----------
    search : str or Search, default="auto"
        Over graphs: ``"exact"`` (with a proof), ``"hill-climbing"``, ``"tabu"``,
        ``"iterated-tabu"``, ``"annealing"``, ``"genetic"``; over orderings for K2: ``"ga-order"``,
        ``"climb-order"``, ``"plackett-luce"``, ``"random"``; or such a search with parameters,
        like ``fewest.search.TabuGraph(patience=500)``.
        ``"auto"`` is exact for few variables and iterated tabu for more.
    score : "bic", "k2" or "bdeu"
        What a network is worth. Also any other score of ``fewest._models``, a Score, or
        :class:`fewest.networks.InferentialLoss` for searches over orderings: how well the network
        answers queries on rows that it was not learned from (Hsu, 2004).
    max_parents : int or None
        The largest number of parents of a variable.
    discretiser : Discretiser or None
        How continuous columns are cut; None makes four intervals with equally many rows. Whole
        numbers with at most 10 values are not cut: they are categories.
    prior : float
        The prior count of each cell of the probability tables.
    stop : "auto", a rule of ``fewest._run.stop_rules`` or a list of them
        "auto" ends a search over orderings; searches over graphs end by themselves.
    n_jobs, journal, random_state, verbose
        As for :class:`fewest.SubsetSelector`. A resumed search over graphs makes the same
        steps again and then goes on.

    Attributes
    ----------
    network_ : NamedNetwork
        The network; ``network_.arcs`` are pairs of names.
    ordering_ : tuple of str
        The variables in an order with parents first.
    score_ : float
        The score of the network on the rows it was learned from, or the inferential loss.
    result_ : Result
        Everything else: history, why it stopped, ``optimal``, ``bound``, ``gap``. The
        ``features`` of a search over graphs are arcs.

    Examples
    --------
    >>> from fewest import NetworkLearner
    >>> from fewest.networks._bif import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=2000).X
    >>> learner = NetworkLearner().fit(table)
    >>> learner.result_.optimal
    True
    >>> learner.query("Smoker", {"Cancer": "True"})["True"] > learner.query("Smoker")["True"]
    True
    """

    def __init__(
        self,
        search: Any = "auto",
        *,
        score: Any = "bic",
        max_parents: int | None = 4,
        discretiser: Discretiser | None = None,
        prior: float = 1.0,
        stop: Any = "auto",
        n_jobs: int | None = None,
        journal: Any = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.search = search
        self.score = score
        self.max_parents = max_parents
        self.discretiser = discretiser
        self.prior = prior
        self.stop = stop
        self.n_jobs = n_jobs
        self.journal = journal
        self.random_state = random_state
        self.verbose = verbose

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        # `score` is also a method, see `_Score`.
        return {**super().get_params(deep), "score": vars(self)["score"]}

    @with_callbacks
    def fit(self, X: Any, y: Any = None, *, nominal: Features | None = None) -> Self:
        """Learn a network over the columns of ``X``; ``y`` is ignored.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_variables)
            Nominal columns and whole numbers with at most 10 values are taken as they are,
            continuous ones are cut (``result_.extra["cuts"]``), unknown values are a level of
            their own.
        nominal : names or positions of columns of numbers that are labels
        """
        check_options(self.get_params(deep=False))
        X = checked_frame(self, X, y, needs_target=False)
        rule = self._rule()
        discretiser = self.discretiser or Discretiser(method="frequency", bins=4)
        self.frame_: DiscreteFrame
        self.frame_, table = DiscreteFrame.learn(X, discretiser, nominal)
        if table.n_features < 2 or table.n_rows < 2:
            raise InputError(
                f"`X` must have at least two columns and two rows, but has "
                f"{table.n_features} feature(s) and {table.n_rows} sample(s); a network relates "
                "two variables at least."
            )
        if self._loss() is not None and self.search == "auto":
            search, why = "ga-order", ["Search ga-order: the score is one of orderings."]
        else:
            search, why = choose_search(self.search, table.n_features, self.max_parents)
        rows = table.values.astype(np.uint8)
        cards = np.array([max(len(own), 1) for own in self.frame_.levels])
        families = FamilyScores(rows, cards, score=rule)
        seed = self._seed()
        listeners: list[Listener] = [CallbackListener(self)]
        with ending_in_order(), ExitStack() as shield:
            self.result_: Result
            self.result_, graph = learn_network(
                self, search, families, table, seed, listeners, shield
            )
            self.result_.notes.extend([*why, *self.frame_.notes])
            self.result_.extra["cuts"] = self.frame_.cut_points
            self._families = families
            learned = Network.learn(graph, rows, cards, prior=self.prior)
            levels = tuple(own or (UNKNOWN,) for own in self.frame_.levels)
            self.network_: NamedNetwork = NamedNetwork(learned, table.names, levels)
            self.ordering_: tuple[str, ...] = self.network_.ordering
            loss = self._loss() is not None
            self.score_: float = self.result_.score if loss else families.of(graph)
            self.result_.extra["network"] = {
                "names": list(table.names),
                "arcs": [list(arc) for arc in graph.arcs],
                "rows": table.n_rows,
                "parameters": self.network_.n_parameters,
            }
            self.result_.extra["ordering"] = list(self.ordering_)
        return self

    def _rule(self) -> Score:
        rule = vars(self)["score"]
        if isinstance(rule, InferentialLoss):
            rule = rule.score
        return Score(rule) if isinstance(rule, str) else rule

    def _loss(self) -> InferentialLoss | None:
        """Return the inferential loss, with the parents and the prior of this learner, or None."""
        rule = vars(self)["score"]
        if not isinstance(rule, InferentialLoss):
            return None
        return replace(rule, max_parents=self.max_parents, prior=self.prior)

    def _seed(self) -> int:
        """Return the seed; a journal that is continued brings its own unless one is given."""
        if self.random_state is None and self.journal is not None and has_lines(self.journal):
            return int(read_lines(self.journal)[0][0]["seed"])
        return seed_of(self.random_state)

    def arc_posteriors(self, *, samples: int = 4000, random_state: Any = None) -> ArcPosteriors:
        """Return each arc's probability given the rows, whatever network the search has found.

        Parameters
        ----------
        samples : int
            How many orderings are sampled where there are too many to sum over.
        random_state : for the sample

        Notes
        -----
        The score is the logarithm of the posterior of a graph but for a constant ("k2", "bdeu";
        "bic" approximates it). Up to 6 variables the sum is over all graphs, equally probable
        beforehand (Tian and He, 2009); up to 20 variables with at most 4 parents (16 with more)
        over all orderings, equally probable beforehand (Koivisto and Sood, 2004), which favours
        graphs that agree with many orderings; for more, over a sample of orderings (Friedman
        and Koller, 2003) with standard errors and an effective sample size. Inza (2002),
        equations 3.12 and 3.13, averages over networks.
        """
        check_is_fitted(self, "network_")
        rng = np.random.default_rng(seed_of(random_state))
        return arc_posteriors(
            self._families, self.network_.graph, self.network_.names,
            max_parents=self.max_parents, samples=samples, rng=rng,
        )  # fmt: skip

    def _codes(self, X: Any) -> NDArray[np.int64]:
        check_is_fitted(self, "network_")
        found = np.shape(X)[1] if len(np.shape(X)) == 2 else len(self.frame_.schema.names)
        if found != self.n_features_in_:
            raise InputError(
                f"X has {found} features, but NetworkLearner is expecting "
                f"{self.n_features_in_} features as input."
            )
        return self.frame_.codes(X)

    def _mean_log_likelihood(self, X: Any, y: Any = None) -> float:
        """Return the mean log-likelihood of rows, in nats; higher is better."""
        codes = self._codes(X)
        if (codes < 0).any():
            column = self.network_.names[int(np.argmax((codes < 0).any(axis=0)))]
            raise InputError(
                f"`X` must hold values that were there when the network was learned, but "
                f"{column!r} has unknown or new ones; leave these rows out."
            )
        return float(self.network_.network.log_probability(codes.astype(np.uint8)).mean())

    score: Any = _Score(_mean_log_likelihood)

    def sample(self, n: int = 1, *, random_state: Any = None) -> NDArray[Any]:
        """Draw rows from the network, as labels; columns in the order of ``network_.names``."""
        check_is_fitted(self, "network_")
        rows = self.network_.sample(n, np.random.default_rng(seed_of(random_state)))
        out = np.empty(rows.shape, dtype=object)
        for j, levels in enumerate(self.network_.levels):
            out[:, j] = np.array(levels, dtype=object)[rows[:, j]]
        return out

    def query(
        self,
        target: str,
        evidence: Mapping[str, object] | None = None,
        *,
        inference: Any = "auto",
        random_state: Any = None,
    ) -> Answer:
        """Return the posterior of a variable given values of others.

        Parameters
        ----------
        target : str
        evidence : mapping of names to values
            For a column that was cut: a number, a pair (low, high] that lies in one of its
            intervals, or the interval as it is called in ``network_.levels``.
        inference : "auto", "exact", "likelihood-weighting", "ais-bn", ... or an Inference
            "auto" is exact where the junction tree is small, else AIS-BN. See
            ``fewest.networks._inference.sampling``.
        random_state : for an inference by sampling

        Returns
        -------
        Answer
            Probabilities by level, with ``errors``, ``effective`` and ``evidence_probability``.
            An effective sample size below 100 is warned of.
        """
        check_is_fitted(self, "network_")
        self.network_.position(target, "target")
        if not isinstance(evidence, Mapping | None):
            raise InputError(
                f"`evidence` must be a dictionary of names and values, but is {brief(evidence)}."
            )
        given = {
            name: self.frame_.level_at(self.network_.position(name, "evidence"), value)
            for name, value in (evidence or {}).items()
        }
        codes = self.network_.evidence(given)
        rng = np.random.default_rng(seed_of(random_state))
        answer = resolve_inference(inference).posteriors(self.network_, codes, rng)[target]
        if answer.effective is not None and answer.effective < LEAST_EFFECTIVE_SAMPLES:
            warnings.warn(
                f"The answer rests on an effective sample size of {answer.effective:.1f}, below "
                f"{LEAST_EFFECTIVE_SAMPLES}, and may be further off than its standard errors show; "
                'take inference="exact" or "ais-bn", or more samples.',
                stacklevel=2,
            )
        return answer

    def predict_proba(self, X: Any, *, target: str | None = None) -> NDArray[np.float64]:
        """Return the posterior of ``target`` (the last column) given the other columns of each row.

        What ``X`` holds in the column of the target is not looked at. Unknown or new values are
        not observed, or are the level for unknown values where there is one.
        """
        codes = self._codes(X)
        names = self.network_.names
        i = self.network_.position(names[-1] if target is None else target, "target")
        codes[:, i] = 0
        whole = (codes >= 0).all(axis=1)
        out = np.zeros((len(codes), int(self.network_.cardinalities[i])))
        out[whole] = self._given_all(codes[whole], i)
        engine = ExactInference()
        for row in np.flatnonzero(~whole):
            evidence = codes[row].copy()
            evidence[i] = -1
            out[row] = engine.posteriors(self.network_, evidence).values[i]
        return out

    def _given_all(self, codes: NDArray[np.int64], target: int) -> NDArray[np.float64]:
        logs = []
        for level in range(int(self.network_.cardinalities[target])):
            rows = codes.astype(np.uint8)
            rows[:, target] = level
            logs.append(self.network_.network.log_probability(rows) if len(rows) else np.zeros(0))
        joint = np.stack(logs, axis=1)
        odds = np.exp(joint - joint.max(axis=1, keepdims=True, initial=-1e300))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def facts(self, X: Any, *, bootstraps: int = 20, random_state: Any = None) -> NetworkFacts:
        """Return arcs' influence, likelihood of held-out rows, stability over bootstrap samples.

        ``X`` are the rows that the network was learned from. Networks are learned anew by the
        same search over graphs, or by iterated tabu after a search over orderings.
        """
        codes = self._codes(X)
        families = FamilyScores(codes, self.network_.cardinalities, score=self._rule())
        graphs = self.result_.search in STRUCTURE_SEARCHES
        search = self.result_.search if graphs else "iterated-tabu"
        rng = np.random.default_rng(seed_of(random_state))

        def learn(rows: NDArray[Any], cards: NDArray[np.int64]) -> Graph:
            drawn = FamilyScores(rows, cards, score=self._rule())
            return find_graph(search, drawn, max_parents=self.max_parents, stop=self.stop, rng=rng)[
                0
            ]

        return network_facts(
            self.network_.graph, families, learn, rng=rng, bootstraps=bootstraps, prior=self.prior
        )

    def save_bif(self, path: Any) -> None:
        """Write the network to a BIF file."""
        check_is_fitted(self, "network_")
        write_bif(self.network_, path)
