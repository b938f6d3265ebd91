"""IB3 and IB4 word for word: records of rows, and weights that follow them."""

import math


def interval(right, tried, z):
    if tried == 0:
        return 0.0, 1.0
    p = right / tried
    middle = p + z * z / (2 * tried)
    half = z * math.sqrt(p * (1 - p) / tried + z * z / (4 * tried * tried))
    return (middle - half) / (1 + z * z / tried), (middle + half) / (1 + z * z / tried)


def difference(a, b, nominal, scale):
    if a != a or b != b:
        return 1.0
    return float(a != b) if nominal else min(abs(a - b) * scale, 1.0)


def learn(rows, member, scale, nominal, weigh, store_all, picks, accept, drop):
    d = len(rows[0])
    concept, seen = {}, [0, 0]  # row -> [right, tried]
    weights, gained, counted = [1.0] * d, [0.0] * d, 0.0

    def good(s, so_far):
        right, tried = concept[s]
        frequency = interval(seen[member[s]], so_far, accept)[1]
        return tried > 0 and interval(right, tried, accept)[0] > frequency

    for i, row in enumerate(rows):
        if not concept:
            concept[i] = [0, 0]
        else:
            apart = {
                s: [difference(row[j], rows[s][j], nominal[j], scale[j]) for j in range(d)]
                for s in concept
            }
            far = {s: sum((weights[j] * apart[s][j]) ** 2 for j in range(d)) for s in concept}
            order = sorted(concept, key=lambda s: (far[s], s))
            accepted = [s for s in order if good(s, i)]
            best = accepted[0] if accepted else order[int(picks[i] * len(order))]
            for s in order:
                if far[s] <= far[best]:
                    concept[s][0] += member[s] == member[i]
                    concept[s][1] += 1
                    poor = interval(*concept[s], drop)[1] < interval(seen[member[s]], i, drop)[0]
                    if poor:
                        del concept[s]
            same = member[best] == member[i]
            if weigh:
                stake = 1 - max(seen[member[i]], seen[member[best]]) / i
                counted += stake
                for j in range(d):
                    gained[j] += stake * (1 - apart[best][j] if same else apart[best][j])
                if counted > 0:
                    weights = [max(g / counted - 0.5, 0.0) for g in gained]
                if not any(weights):
                    weights = [1.0] * d
            if store_all or not same:
                concept[i] = [0, 0]
        seen[member[i]] += 1
    kept = [s in concept for s in range(len(rows))]
    return kept, [k and good(s, len(rows)) for s, k in enumerate(kept)], weights
