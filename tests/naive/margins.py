"""Margins and counts of an additive classifier, one row and one rival at a time."""

from __future__ import annotations


def _rivals(classes, truth):
    return [c for c in range(classes) if c != truth]


def naive_margins(evidence, log_prior, target, low, high):
    """Margins by feature, without features, and summed magnitudes; rivals outermost."""
    classes = len(log_prior)
    places = [(o, r) for o in range(classes - 1) for r in range(low, high)]
    pairs = [(target[r], _rivals(classes, target[r])[o], r) for o, r in places]
    margins = [[feature[t][r] - feature[c][r] for t, c, r in pairs] for feature in evidence]
    base = [log_prior[t] - log_prior[c] for t, c, _ in pairs]
    size = [sum(abs(f[t][r]) + abs(f[c][r]) for f in evidence) for t, c, r in pairs]
    return margins, base, size


def naive_judge(evidence, log_prior, target, masks, tolerance):
    """How many rows each subset gets right for sure, and how many are doubtful."""
    right, doubtful = [], []
    for mask in masks:
        verdicts = [
            _verdict(evidence, log_prior, t, r, mask, tolerance) for r, t in enumerate(target)
        ]
        right.append(verdicts.count("right"))
        doubtful.append(verdicts.count("doubtful"))
    return right, doubtful


def naive_judge_parts(evidence, log_prior, target, masks, tolerance, bounds):
    """The same for each part of the rows."""
    found = []
    for low, high in zip(bounds, bounds[1:], strict=False):
        part = [[one[low:high] for one in feature] for feature in evidence]
        found.append(naive_judge(part, log_prior, target[low:high], masks, tolerance))
    return [right for right, _ in found], [doubtful for _, doubtful in found]


def _verdict(evidence, log_prior, truth, row, mask, tolerance):
    scores = [
        log_prior[c] + sum(f[c][row] for f, used in zip(evidence, mask, strict=True) if used)
        for c in range(len(log_prior))
    ]
    ahead = min(scores[truth] - scores[c] for c in _rivals(len(scores), truth))
    if ahead > tolerance:
        return "right"
    return "wrong" if ahead < -tolerance else "doubtful"
