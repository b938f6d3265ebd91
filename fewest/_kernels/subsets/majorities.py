"""Majority classes of equal rows: the table majority of many subsets and folds."""

import numpy as np
from numba import njit

_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@njit(cache=True, nogil=True)
def number_groups(words, mask, places, group):
    """Give equal rows the same number, in ``group``; return how many different ones there are.

    ``places`` has room for a power of two of rows, at least two for each row.
    """
    n_words, last, bits = words.shape[1], len(places) - 1, 0
    while (1 << bits) < len(places):
        bits += 1
    shift, found = np.uint64(64 - bits), 0
    places[:] = -1
    for i in range(len(words)):
        mixed = np.uint64(0)
        for w in range(n_words):
            mixed = (mixed ^ (words[i, w] & mask[w])) * _ODD
            mixed = (mixed ^ (mixed >> _HALF)) * _ODD
        place = np.int64(mixed >> shift)
        while places[place] >= 0:
            other, same = places[place], True
            for w in range(n_words):
                if (words[i, w] ^ words[other, w]) & mask[w]:
                    same = False
                    break
            if same:
                break
            place = (place + 1) & last
        if places[place] < 0:
            places[place] = i
            group[i] = found
            found += 1
        else:
            group[i] = group[places[place]]
    return found


@njit(cache=True, nogil=True)
def majority(counts, begin, n_classes, rank):
    """Return the class with the largest count, of equal ones that of the highest rank."""
    best = 0
    for c in range(1, n_classes):
        more = counts[begin + c] - counts[begin + best]
        if more > 0 or (more == 0 and rank[c] > rank[best]):
            best = c
    return best


@njit(cache=True, nogil=True)
def right_by_majority(words, masks, classes, n_classes, train, trains, test, tests, ranks, right):
    """Count the test rows of each fold with the majority class of the equal training rows.

    Fold f has the rows ``train[trains[f]:trains[f + 1]]`` and likewise the test rows; ``ranks``
    (folds, classes) orders the classes where counts are equal, or where no training row is equal.
    Fills ``right`` (subsets, folds).
    """
    n, bits = len(words), 6
    while (1 << bits) < 2 * n:
        bits += 1
    places, group = np.empty(1 << bits, np.int32), np.empty(n, np.int32)
    counts = np.zeros(n * n_classes, np.int32)
    for s in range(len(masks)):
        n_groups = number_groups(words, masks[s], places, group)
        for f in range(len(trains) - 1):
            counts[: n_groups * n_classes] = 0
            for k in range(trains[f], trains[f + 1]):
                row = train[k]
                counts[group[row] * n_classes + classes[row]] += 1
            correct = 0
            for k in range(tests[f], tests[f + 1]):
                row = test[k]
                best = majority(counts, group[row] * n_classes, n_classes, ranks[f])
                correct += best == classes[row]
            right[s, f] = correct
