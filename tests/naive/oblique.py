"""The best step along a direction by trying a point between all turns. Slow and obvious."""


def twoing(left, right, classes):
    if not left or not right:
        return 0.0
    n = len(left) + len(right)
    apart = sum(abs(left.count(c) / len(left) - right.count(c) / len(right)) for c in classes)
    return len(left) / n * len(right) / n * apart**2


def goodness(position, target, classes):
    left = [t for p, t in zip(position, target, strict=True) if p <= 0]
    right = [t for p, t in zip(position, target, strict=True) if p > 0]
    return twoing(left, right, classes)


def best_goodness(position, direction, target, classes):
    turns = sorted({-p / d for p, d in zip(position, direction, strict=True) if abs(d) > 1e-12})
    steps = [(a + b) / 2 for a, b in zip(turns, turns[1:], strict=False) if b - a > 1e-12]
    return max(
        goodness([p + s * d for p, d in zip(position, direction, strict=True)], target, classes)
        for s in steps
    )
