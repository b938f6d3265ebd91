"""``python -m benchmarks.networks PART ...``: what ``docs/network-results.md`` shows.

The parts are ``searches``, ``proofs``, ``fits``, ``arcs``, ``inference`` and ``queries``;
``"searches:alarm 500"`` are the cases of a part whose names begin so. Each line is kept in
``networks.jsonl`` when it is measured; a part goes on where it was ended, and the page is written
from what is there. Of a sample that is on the page, ``searches`` measures "auto" and pyAgrum again
and keeps the scores of the others, which are the same each time; without its line on the page it
measures all. Processor time of one thread; rows are drawn with seed 1.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import bench_networks
from benchmarks.bench_networks import Table, seconds
from benchmarks.bench_networks import learner as peer_over
from fewest import NetworkLearner
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph
from fewest._models.optimum import learn_exact
from fewest._models.structure_search import climb_families
from fewest.networks._averaging import arcs_of_orders, exact_arcs, sampled_arcs
from fewest.networks._bif import load_network
from fewest.networks._inference.junction_tree import ExactInference
from fewest.networks._inference.sampling import INFERENCES, resolve_inference
from fewest.networks._inferential_loss import InferentialLoss

HERE = Path(__file__).parent
KEPT = HERE / "networks.jsonl"
PAGE = HERE.parent / "docs" / "network-results.md"
NETWORKS = ("cancer", "earthquake", "asia", "child", "insurance", "alarm", "hailfinder",
            "win95pts", "pathfinder", "andes")  # fmt: skip
#: Searches beside "auto": those over orderings take long, and are left out beyond so many variables
#: and cells; annealing and breeding of graphs beyond so many variables and cells.
QUICK, RANDOM = ("hill-climbing", "tabu"), ("annealing", "genetic")
ORDERS = ("ga-order", "climb-order", "plackett-luce")
MOST_FOR_ORDERS, CELLS_FOR_ORDERS, MOST_FOR_RANDOM, CELLS_FOR_RANDOM = 40, 100_000, 80, 400_000
PEERS = ("pyAgrum greedy", "pyAgrum tabu list")
#: The fastest of so many runs counts where they are short: up to so many variables.
SHORT_TIMES, SHORT = 3, 60
#: The sample that judges; budgets were chosen on samples of another seed.
SEED = 1


def drawn(name: str, n: int) -> Table:
    """Rows of a network, of the seed that judges."""
    return bench_networks.drawn(name, n, SEED)


def frame_of(rows: NDArray[Any]) -> Any:
    """The rows as a frame of labels."""
    import pandas

    return pandas.DataFrame({f"x{i}": column.astype(str) for i, column in enumerate(rows.T)})


def searches() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Networks x rows x score: every search, pyAgrum's two, and the proof for few variables."""
    for n in (500, 2000, 5000, 10_000):
        for name in NETWORKS if n != 5000 else ("alarm", "hailfinder"):
            for score in ("bic", "bdeu"):
                yield f"{name} {n} {score}", lambda a=name, b=n, c=score: one_sample(a, b, c)  # type: ignore[misc]


def one_sample(name: str, n: int, score: str) -> dict[str, Any]:
    """The score and the seconds of every search on one sample."""
    rows, cards = drawn(name, n)
    frame, families = frame_of(rows), FamilyScores(rows, cards, score=score)
    d = len(cards)
    times = SHORT_TIMES if d <= SHORT else 1
    out: dict[str, Any] = {"variables": d, "scores": {}, "seconds": {}}
    out |= {k: v for k, v in on_page().get(f"{name} {n} {score}", {}).items() if k != "ratio"}
    for search in names_of(d, d * n):
        if search in out["scores"] and search != "auto":
            continue
        learner = NetworkLearner(search, score=score, random_state=0)
        out["seconds"][search] = seconds(
            lambda f=learner: f.fit(frame),  # type: ignore[misc]
            times if search == "auto" else 1,
        )
        out["scores"][search] = learner.score_
        if search == "auto" and learner.result_.optimal:
            out["optimum"] = learner.score_
    peer = peer_over(rows, {"bic": "BIC", "bdeu": "BDeu"}[score])
    peer.setMaxIndegree(4)
    for kind, choose in (("greedy", peer.useGreedyHillClimbing),
                         ("tabu list", peer.useLocalSearchWithTabuList)):  # fmt: skip
        choose()
        dags: list[Any] = []
        out["seconds"][f"pyAgrum {kind}"] = seconds(
            lambda to=dags: to.append(peer.learnDAG()),  # type: ignore[misc]
            times,
        )
        parents: list[list[int]] = [[] for _ in cards]
        for a, b in dags[-1].arcs():
            parents[b].append(a)
        graph = Graph(tuple(tuple(p) for p in parents))
        out["scores"][f"pyAgrum {kind}"] = families.of(graph)
    out["seconds"]["pyAgrum whole"] = seconds(lambda: whole_peer(frame, score), times)
    if 20 < d <= 27 and "optimum" not in out:
        proven = learn_exact(rows, cards, score=score, max_parents=4, seconds=300)
        if proven.optimal:
            out["optimum"] = proven.score
    return out


def names_of(d: int, cells: int) -> list[str]:
    """The searches for a sample with so many variables and cells."""
    names = ["auto", *QUICK]
    names += RANDOM if d <= MOST_FOR_RANDOM and cells <= CELLS_FOR_RANDOM else ()
    names += ORDERS if d <= MOST_FOR_ORDERS and cells <= CELLS_FOR_ORDERS else ()
    return names


COLUMNS = ("auto", *QUICK, *RANDOM, *ORDERS, *PEERS)


def rows_on_page(part: str, key: int) -> dict[str, list[str]]:
    """Read the rows of a part's table by their first ``key`` cells."""
    _, _, text = PAGE.read_text(encoding="utf-8").partition(f"## {TITLES[part]}\n")
    lines = [line[2:-2] for line in text.partition("\n## ")[0].splitlines() if line[:2] == "| "]
    rows = [[cell.strip() for cell in line.split(" | ")] for line in lines[2:]]
    return {" ".join(row[:key]): row for row in rows}


def on_page() -> dict[str, dict[str, Any]]:
    """Read the page's table of searches: the scores to a tenth, the best, the ratio of times."""
    found: dict[str, dict[str, Any]] = {}
    for case, (_, d, top, proven, *gaps, ratio) in rows_on_page("searches", 1).items():
        best, scores = float(top), {}
        for name, gap in zip(COLUMNS, gaps, strict=True):
            scores |= {name: best + float(gap)} if gap else {}
        found[case] = {"variables": int(d), "known": best, "scores": scores, "seconds": {},
                       "ratio": float(ratio)}  # fmt: skip
        if proven:
            found[case]["optimum"] = best
    return found


def whole_peer(frame: Any, score: str) -> None:
    """Learn a network by pyAgrum's greedy search, with reading the table and the parameters."""
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    getattr(learner, {"bic": "useScoreBIC", "bdeu": "useScoreBDeu"}[score])()
    learner.useSmoothingPrior(1)
    learner.setNumberOfThreads(1)
    learner.setMaxIndegree(4)
    learner.useGreedyHillClimbing()
    learner.learnBN()


def proofs() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Proofs: variables against processor time and memory; the limit is ten minutes."""
    cases = [("child", 20, None), ("child", 20, 4), ("child", 20, 2), ("insurance", 27, 2),
             ("insurance", 27, 4), ("alarm", 37, 2), ("alarm", 37, 4), ("hailfinder", 40, 4),
             ("andes", 35, 4), ("pathfinder", 35, 4), ("win95pts", 35, 4),
             ("win95pts", 40, 4)]  # fmt: skip
    for name, d, most in cases:
        for score in ("bic", "bdeu", "k2"):
            label = f"{name} {d} {most or 'any'} {score}"
            yield label, lambda a=name, b=d, c=most, e=score: one_proof(a, b, c, e)  # type: ignore[misc]


def one_proof(name: str, d: int, most: int | None, score: str) -> dict[str, Any]:
    """A proof on 2,000 rows."""
    rows, cards = drawn(name, 2000)
    rows, cards = rows[:, :d], cards[:d]
    start = time.process_time()
    found = learn_exact(rows, cards, score=score, max_parents=most, seconds=600)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    gap = None if not np.isfinite(found.gap) else found.gap
    return {"variables": len(cards), "optimal": found.optimal, "gap": gap, "gb": memory,
            "seconds": time.process_time() - start, "score": found.score}  # fmt: skip


def fits() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """``fit`` by hill climbing against pyAgrum's greedy search, 5,000 rows."""
    for name in ("insurance", "alarm", "hailfinder"):
        yield name, lambda a=name: one_fit(a)  # type: ignore[misc]


def one_fit(name: str) -> dict[str, Any]:
    """Seconds of ``fit``, of pyAgrum's search alone, and of its table, search and parameters."""
    rows, _ = drawn(name, 5000)
    frame, peer = frame_of(rows), peer_over(rows, "BIC")
    peer.setMaxIndegree(4)
    peer.useGreedyHillClimbing()
    return {"fit": seconds(lambda: NetworkLearner("hill-climbing").fit(frame), 5),
            "search": seconds(peer.learnDAG, 3),
            "whole": seconds(lambda: whole_peer(frame, "bic"), 3)}  # fmt: skip


def arcs() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Probabilities of arcs: all graphs by brute force, all orderings, and samples."""
    yield "5 variables, all graphs", brute_force
    for samples in (1000, 4000, 16_000):
        yield f"child, {samples} orderings", lambda s=samples: one_chain(s)  # type: ignore[misc]


def brute_force() -> dict[str, Any]:
    """The sum over 29,281 graphs."""
    from tests.naive.every_graph import every_graph

    rows, cards = drawn("asia", 200)
    rows, cards = rows[:, -5:], cards[-5:]
    families = FamilyScores(rows, cards, score="bdeu")
    graphs = every_graph(5)
    logs = np.array([families.of(Graph(parents)) for parents in graphs])
    weights = np.exp(logs - logs.max())
    slow = np.zeros((5, 5))
    for parents, weight in zip(graphs, weights / weights.sum(), strict=True):
        for p, i in Graph(parents).arcs:
            slow[p, i] += weight
    return {"error": float(abs(exact_arcs(rows, cards) - slow).max())}


def one_chain(samples: int) -> dict[str, Any]:
    """Sampled against all orderings of the 20 variables of CHILD, 500 rows."""
    rows, cards = drawn("child", 500)
    families = FamilyScores(rows, cards, score="bdeu")
    exact = arcs_of_orders(rows, cards, max_parents=3)
    start, _ = climb_families(families, max_parents=3, tenure=10, patience=50)
    found, error, effective = sampled_arcs(
        families, start, max_parents=3, samples=samples, rng=np.random.default_rng(0)
    )
    far = abs(found - exact)
    unsure = error > 1e-3
    return {"error": float(far.max()), "stated": float(error.max()), "effective": effective,
            "within": float((far <= 2 * error)[unsure].mean())}  # fmt: skip


#: Runs of a sampler for each finding.
RUNS = 4


def inference() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Squared error and calibration of every sampler, by probability of the evidence."""
    for name in ("child", "insurance", "alarm", "hailfinder", "win95pts"):
        yield name, lambda a=name: one_network(a)  # type: ignore[misc]


def evidence_of(network: Any, target: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Leaves, then others, observed at random levels, until it is as improbable as wanted.

    No finding makes it a hundred times less probable than that.
    """
    graph = network.graph
    leaves = set(range(len(graph.parents))) - {p for own in graph.parents for p in own}
    places = [*rng.permutation(sorted(leaves)), *rng.permutation(len(graph.parents))]
    codes, engine = np.full(len(graph.parents), -1), ExactInference()
    for i in places:
        now = engine.posteriors(network, codes)
        if now.evidence_probability <= target or (codes >= 0).sum() > 2 * len(codes) / 3:
            break
        if codes[i] < 0:
            fits = np.flatnonzero(now.values[i] * now.evidence_probability >= target / 100)
            codes[i] = rng.choice(fits)
    return codes


def one_network(name: str) -> dict[str, Any]:
    """Every sampler with 2,000 and 20,000 samples, three findings for each probability."""
    network, rng = load_network(name), np.random.default_rng(1)
    out: dict[str, Any] = {}
    for target in (1e-2, 1e-4, 1e-8, 1e-12):
        given = [evidence_of(network, target, rng) for _ in range(3)]
        exact = [ExactInference().posteriors(network, codes) for codes in given]
        if max(truth.evidence_probability for truth in exact) > target:
            # The network is too small for evidence as improbable as this.
            continue
        for sampler in INFERENCES:
            if sampler in ("auto", "exact"):
                continue
            for samples in (2000, 20_000):
                out[f"{target:g} {sampler} {samples}"] = _judged(
                    network,
                    given,
                    exact,
                    resolve_inference(sampler).set_params(samples=samples),  # type: ignore[attr-defined]
                )
    return out


def _judged(network: Any, given: Any, exact: Any, sampler: Any) -> dict[str, Any]:
    squares, hits, effective, failed = [], [], [], 0
    for codes, truth in zip(given, exact, strict=True):
        free = np.flatnonzero(codes < 0)
        for seed in range(RUNS):
            try:
                found = sampler.posteriors(network, codes, np.random.default_rng(seed))
            except ValueError:
                failed += 1
                continue
            gaps = np.concatenate([found.values[i] - truth.values[i] for i in free])
            errors = np.concatenate([found.errors[i] for i in free])
            squares.append(float((gaps**2).mean()))
            hits.append(float((abs(gaps) <= 2 * errors + 1e-12).mean()))
            effective.append(found.effective)
    return {"mse": float(np.mean(squares)) if squares else None, "failed": failed,
            "within": float(np.mean(hits)) if hits else None,
            "effective": float(np.median(effective)) if effective else None}  # fmt: skip


def queries() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """What the inferential loss buys: distance of posteriors from the truth, against BIC."""
    for name in ("asia", "cancer", "earthquake"):
        for n in (100, 300, 1000):
            yield f"{name} {n}", lambda a=name, b=n: one_loss(a, b)  # type: ignore[misc]


def one_loss(name: str, n: int) -> dict[str, Any]:
    """Root mean squared distance of posteriors, by score, over three samples."""
    truth = load_network(name)
    asked = np.random.default_rng(99)
    observed = list(range(0, len(truth.names), 2))
    given = truth.sample(200, asked).astype(int)
    given[:, [i for i in range(len(truth.names)) if i not in observed]] = -1
    gaps: dict[str, list[float]] = {"bic": [], "k2": [], "inferential loss": []}
    for seed in range(3):
        rows = truth.sample(n, np.random.default_rng(seed))
        frame = frame_of_levels(rows, truth)
        for label in gaps:
            loss = InferentialLoss(evidence=[truth.names[i] for i in observed], n_queries=100)
            learner = NetworkLearner("ga-order", score=loss if label[0] == "i" else label,
                                     random_state=0).fit(frame)  # fmt: skip
            gaps[label].append(_distance(learner.network_, truth, given))
    return {label: float(np.mean(values)) for label, values in gaps.items()}


def frame_of_levels(rows: NDArray[Any], network: Any) -> Any:
    """Rows as categories with all levels of the network, also those that do not occur."""
    import pandas

    columns = {
        name: pandas.Categorical.from_codes(rows[:, i].astype(int), categories=list(levels))
        for i, (name, levels) in enumerate(zip(network.names, network.levels, strict=True))
    }
    return pandas.DataFrame(columns)


def _distance(learned: Any, truth: Any, given: NDArray[np.int64]) -> float:
    one, two, squares = ExactInference(), ExactInference(), []
    for codes in given:
        try:
            found = one.posteriors(learned, codes)
        except ValueError:
            squares.append(1.0)
            continue
        right = two.posteriors(truth, codes)
        free = np.flatnonzero(codes < 0)
        gaps = np.concatenate([found.values[i] - right.values[i] for i in free])
        squares.append(float((gaps**2).mean()))
    return float(np.sqrt(np.mean(squares)))


PARTS = {"searches": searches, "proofs": proofs, "fits": fits, "arcs": arcs,
         "inference": inference, "queries": queries}  # fmt: skip


def measured() -> dict[str, dict[str, Any]]:
    """What has been measured, by part and case."""
    found: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
    if KEPT.exists():
        for line in KEPT.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            found[entry["part"]][entry["case"]] = entry["found"]
    return found


def measure(part: str, begin: str) -> None:
    """Measure what is missing of a part, of the cases whose names begin so."""
    done = measured()[part]
    for case, work in PARTS[part]():
        if case not in done and case.startswith(begin):
            entry = {"part": part, "case": case, "found": work()}
            with KEPT.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
            print(part, case, flush=True)


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def searches_text(found: dict[str, Any]) -> str:
    """How far every search is from the best known network."""
    rows, near, ratios, whole = [], 0, [], []
    for case, entry in (on_page() | found).items():
        scores, times = entry["scores"], entry["seconds"]
        best = max([*scores.values(), *(entry[k] for k in ("optimum", "known") if k in entry)])
        near += scores["auto"] >= best - 1e-3 * abs(best)
        ratio = times["auto"] / times["pyAgrum greedy"] if times else entry["ratio"]
        if entry["variables"] > 20:
            ratios.append(ratio)
            whole += [times["auto"] / times["pyAgrum whole"]] if times else []
        gaps = [f"{round(scores[n] - best, 1) + 0.0:.1f}" if n in scores else "" for n in COLUMNS]
        proven = "proven" if "optimum" in entry else ""
        rows.append([case, str(entry["variables"]), f"{best:.1f}", proven, *gaps, f"{ratio:.2f}"])
    cases = [case for case, _ in searches()]
    rows.sort(key=lambda row: cases.index(row[0]))
    head = ["sample", "variables", "best", "", *COLUMNS, "CPU of auto / pyAgrum greedy"]
    inside, beside = (
        f"{np.median(r):.2f} (median), {np.sum(np.array(r) <= 2)} of {len(r)} at most 2"
        for r in (ratios, whole)
    )
    return (
        f"`auto` is the best or within 0.1 % of it on {near} of {len(rows)} samples. Processor "
        f"time of `fit` over that of pyAgrum's greedy search, where `auto` is iterated tabu: "
        f"{inside}; over that of its table, greedy search and parameters: {beside}. Figures are "
        f"nats below the best network known; four parents at most.\n\n" + table(head, rows)
    )


def proofs_text(found: dict[str, Any]) -> str:
    """Proofs by case; what is on the page and not measured anew stays."""
    rows = rows_on_page("proofs", 4)
    for case, entry in found.items():
        gap = "" if entry["gap"] is None else f"{entry['gap']:.1f}"
        rows[case] = [*case.split(), "yes" if entry["optimal"] else "no", gap,
                      f"{entry['seconds']:.1f}", f"{entry['gb']:.1f}"]  # fmt: skip
    head = ["network", "variables", "parents", "score", "proven", "gap", "CPU s", "GB so far"]
    kept = [rows[case] for case, _ in proofs() if case in rows]
    return (
        "2,000 rows. The limit is wall time, 90 s to ten minutes, of which a busy machine gives a "
        "process a part; memory is that of the process so far.\n\n" + table(head, kept)
    )


def fits_text(found: dict[str, Any]) -> str:
    """``fit`` against pyAgrum."""
    rows = [
        [case, f"{e['fit'] * 1e3:.1f}", f"{e['search'] * 1e3:.1f}",
         f"{e['search'] / e['fit']:.1f}×",
         f"{e['whole'] * 1e3:.1f}", f"{e['whole'] / e['fit']:.1f}×"]
        for case, e in found.items()
    ]  # fmt: skip
    head = ["network", "fit, ms", "pyAgrum's search alone", "", "with table and parameters", ""]
    return "Hill climbing, BIC, four parents, 5,000 rows.\n\n" + table(head, rows)


def arcs_text(found: dict[str, Any]) -> str:
    """Errors of probabilities of arcs."""
    rows = [
        [case, f"{e['error']:.1e}", *(f"{e[k]:.3g}" if k in e else "" for k in
                                      ("stated", "within", "effective"))]
        for case, e in found.items()
    ]  # fmt: skip
    head = ["case", "largest error", "largest standard error", "within two of them",
            "effective sample size"]  # fmt: skip
    return table(head, rows)


def inference_text(found: dict[str, Any]) -> str:
    """Squared errors, by network, probability of the evidence and sampler."""
    rows = []
    for case, entry in found.items():
        for key, e in entry.items():
            if not key.endswith("20000"):
                continue
            target, sampler, _ = key.split()
            fewer = entry[f"{target} {sampler} 2000"]
            cells = [f"{v['mse']:.1e}" if v["mse"] is not None else "no answer" for v in (fewer, e)]
            within = f"{e['within']:.0%}" if e["within"] is not None else ""
            size = f"{e['effective']:.0f}" if e["effective"] is not None else ""
            rows.append([case, target, sampler, *cells, within, size, str(e["failed"])])
    head = ["network", "P(evidence) at most", "inference", "squared error, 2,000 samples",
            "20,000 samples", "within two standard errors", "effective",
            "of 12 without answer"]  # fmt: skip
    return "Means over three findings and four runs each.\n\n" + table(head, rows)


def queries_text(found: dict[str, Any]) -> str:
    """Distances of posteriors from the truth."""
    names = ("bic", "k2", "inferential loss")
    rows = [[case, *(f"{entry[n]:.4f}" for n in names)] for case, entry in found.items()]
    return (
        "Root mean squared distance of the posteriors of unobserved variables from those of the "
        "true network, 200 queries, means over three samples; `ga-order`, every second variable "
        "observed.\n\n" + table(["sample", *names], rows)
    )


TITLES = {"searches": "Searches", "proofs": "Proofs", "fits": "The cost of fit",
          "arcs": "Probabilities of arcs", "inference": "Inference by sampling",
          "queries": "What the inferential loss buys"}  # fmt: skip


INTRODUCTION = """# Networks: what was measured

The tables and the conclusions are written by `python -m benchmarks.networks`. Rows are drawn from
known networks; time is processor time of one thread, on a busy machine."""


def write() -> None:
    """Write the sections of the page that have been measured; all else stays as it is."""
    _, *sections = PAGE.read_text(encoding="utf-8").split("\n## ")
    texts = {section.split("\n")[0]: section.rstrip() for section in sections}
    for part, found in measured().items():
        if found:
            ordered = {case: found[case] for case, _ in PARTS[part]() if case in found}
            texts[TITLES[part]] = f"{TITLES[part]}\n\n{globals()[f'{part}_text'](ordered)}"
    kept = [texts[title] for title in TITLES.values() if title in texts]
    PAGE.write_text("\n\n## ".join([INTRODUCTION, *kept]) + "\n", encoding="utf-8")
    head = f"{INTRODUCTION}\n\n{conclusions()}"
    PAGE.write_text("\n\n## ".join([head, *kept]) + "\n", encoding="utf-8")


def conclusions() -> str:
    """Sum up the tables of the page."""
    lines = [about_searches(), about_proofs(), about_fits(), about_answers(), about_queries()]
    return "\n".join(f"- {line}" for line in lines)


def about_searches() -> str:
    """Count the samples on which "auto" is best, and name the others."""
    rows = list(rows_on_page("searches", 1).values())
    far = [row for row in rows if -float(row[4]) > 1e-3 * abs(float(row[2]))]
    missed = ", ".join(f"{row[0]} ({-float(row[4]) / abs(float(row[2])):.1%})" for row in far)
    ratios = np.array([float(row[-1]) for row in rows if int(row[1]) > 20])
    sizes = [int(row[1]) for row in rows]
    return (
        f"**The default search** is the best or within 0.1 % of it on {len(rows) - len(far)} of "
        f"{len(rows)} samples of {min(sizes)} to {max(sizes)} variables"
        f"{f'; it misses {missed}' if far else ''}. Where it is iterated tabu (more than 20 "
        f"variables), `fit` takes {ratios.min():.1f} to {ratios.max():.1f} times the processor "
        f"time of pyAgrum's greedy search alone, {np.median(ratios):.1f} in the middle, at most "
        f"twice on {(ratios <= 2).sum()} of {len(ratios)} samples. Its budget was chosen on "
        f"samples of another seed. More climbs find better networks: "
        f"`IteratedTabuGraph(rounds=200)`."
    )


def about_proofs() -> str:
    """Name what is proven with four parents, and the gaps that are left."""
    rows = [row for row in rows_on_page("proofs", 4).values() if row[2] == "4"]
    done: dict[str, list[list[str]]] = {}
    for row in rows:
        if row[4] == "yes":
            done.setdefault(f"{row[1]} variables of {row[0]}", []).append(row)
    proven = "; ".join(
        f"{what} ({', '.join(r[3] for r in own)}) in at most {max(float(r[6]) for r in own):.1f} s"
        for what, own in done.items()
    )
    gaps = ", ".join(f"{r[1]} of {r[0]} by {r[3]} ({r[5]})" for r in rows if r[4] == "no")
    return f"**Proofs** with four parents: {proven}. A gap is left for {gaps or 'none'}."


def about_fits() -> str:
    """State the ratios of hill climbing."""
    rows = rows_on_page("fits", 1).values()
    alone, whole = ([float(row[k][:-1]) for row in rows] for k in (3, 5))
    return (
        f"**`fit` by hill climbing** is {min(alone)} to {max(alone)} times as fast as pyAgrum's "
        f"search alone, {min(whole)} to {max(whole)} times as fast as that with reading the table "
        f"and the parameters."
    )


def about_answers() -> str:
    """Sum up probabilities of arcs, and name the best sampler of each kind of evidence."""
    exact, *chains = rows_on_page("arcs", 1).values()
    within = [float(row[3]) for row in chains]
    wins: dict[str, int] = {}
    cases: dict[str, list[list[str]]] = {}
    rows = rows_on_page("inference", 3).values()
    for row in rows:
        cases.setdefault(f"{row[0]} {row[1]}", []).append(row)
    for own in cases.values():
        best = min((row for row in own if row[4] != "no answer"), key=lambda row: float(row[4]))
        wins[best[2]] = wins.get(best[2], 0) + 1
    first = ", ".join(f"`{name}` on {n}" for name, n in sorted(wins.items(), key=lambda w: -w[1]))
    share = [int(row[5][:-1]) for row in rows if row[2] == "ais-bn"]
    none = sorted({float(row[1]) for row in rows if row[4] == "no answer"}, reverse=True)
    return (
        f"**Arcs** equal brute force over all graphs to {exact[1]}; sampled orderings have "
        f"{min(within):.0%} to {max(within):.0%} within two standard errors. **Inference by "
        f"sampling**: the smallest errors have {first} of {len(cases)} kinds of evidence. Two "
        f"standard errors hold {min(share)} to {max(share)} % of the posteriors by `ais-bn`. Logic "
        f"sampling has no answer at {', '.join(f'{p:g}' for p in none)}."
    )


def about_queries() -> str:
    """Count the samples on which each score is nearest to the truth."""
    rows = [[float(cell) for cell in row[1:]] for row in rows_on_page("queries", 1).values()]
    wins = np.bincount([int(np.argmin(row)) for row in rows], minlength=3)
    return (
        f"**The inferential loss** is nearest to the truth on {wins[2]} of {len(rows)} samples, "
        f"BIC on {wins[0]}, K2 on {wins[1]}."
    )


if __name__ == "__main__":
    # Compiled code is loaded before anything is timed.
    for search in ("auto", "iterated-tabu", *QUICK):
        for compiled in ("bic", "bdeu"):
            NetworkLearner(search, score=compiled).fit(frame_of(drawn("cancer", 100)[0]))
    for wanted in sys.argv[1:]:
        part, _, begin = wanted.partition(":")
        measure(part, begin)
    write()
