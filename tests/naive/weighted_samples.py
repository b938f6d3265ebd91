"""Weighted samples of a network, one dictionary at a time."""


def pick(row, u):
    total, last = 0.0, 0
    for level, p in enumerate(row):
        if p > 0:
            last = level
            total += p
            if u < total:
                return level
    return last


def importance(uniforms, order, parents, true, proposal, evidence):
    """Values and weight of each sample; tables as {variable: {case of the parents: row}}."""
    out = []
    for u in uniforms:
        values, weight = {}, 1.0
        for i in order:
            case = tuple(values[p] for p in parents[i])
            if i in evidence:
                values[i] = evidence[i]
                weight *= true[i][case][values[i]]
            else:
                values[i] = pick(proposal[i][case], u[i])
                weight *= true[i][case][values[i]] / proposal[i][case][values[i]]
        out.append((values, weight))
    return out


def rejection(uniforms, order, parents, true, evidence):
    """Values and weight (1 or 0) of each sample."""
    out = []
    for u in uniforms:
        values = {}
        for i in order:
            values[i] = pick(true[i][tuple(values[p] for p in parents[i])], u[i])
        out.append((values, float(all(values[i] == v for i, v in evidence.items()))))
    return out
