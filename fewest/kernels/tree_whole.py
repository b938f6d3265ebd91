"""How well features split a node whose rows are all whole, without sorting and row by row sums.

Levels of nominal features are counted for all features at once, eight of them in a 64-bit word.
For a continuous feature only the rows outside the largest class are looked at in their order:
the cut with the largest gain lies next to the value of one of them (Fayyad & Irani, 1992), and how
many rows of the largest class lie below it is read off a bitmap.
"""

import numpy as np

from .inner import inner
from .tree_split import lowest_bit

_ONE, _BYTE, _LOW = np.uint64(1), np.uint64(255), np.uint64(63)
_SIX, _EIGHT = np.uint64(6), np.uint64(8)
_PAIRS, _NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_HALVES, _EACH = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_TWO, _FOUR, _LAST = np.uint64(2), np.uint64(4), np.uint64(56)

#: More than any sum of n log₂ n in units of 2⁻³²; sums closer than NEAR are equal.
FAR, NEAR = 2**62, 16


@inner
def count_ones(word):
    """Number of ones in a word, as compilers turn into one instruction."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _TWO) & _NIBBLES)
    word = (word + (word >> _FOUR)) & _HALVES
    return np.int64((word * _EACH) >> _LAST)


@inner
def count_flags(flags, rows, start, n, target, lanes, sums):
    """Count the flags of rows by class: ``sums`` (classes, flags).

    ``flags`` (rows, words) has a byte a flag; bytes are added up in words, for 255 rows at most.
    """
    n_classes, n_words = lanes.shape
    for c in range(n_classes):
        for k in range(8 * n_words):
            sums[c, k] = 0
    for low in range(start, start + n, 255):
        for c in range(n_classes):
            for w in range(n_words):
                lanes[c, w] = 0
        for i in range(low, min(low + 255, start + n)):
            row = rows[i]
            c = target[row]
            for w in range(n_words):
                lanes[c, w] += flags[row, w]
        for c in range(n_classes):
            for w in range(n_words):
                word = lanes[c, w]
                for k in range(8 * w, 8 * w + 8):
                    sums[c, k] += np.int64(word & _BYTE)
                    word >>= _EIGHT


@inner
def gather_odd(rows, start, n, target, major, odd):
    """List the rows outside the largest class; how many."""
    found = 0
    for i in range(start, start + n):
        odd[found] = rows[i]
        found += target[rows[i]] != major
    return found


@inner
def mark_rows(place, rows, start, n, words):
    """Set the bits of rows at their places."""
    for i in range(start, start + n):
        p = np.uint64(place[rows[i]])
        words[p >> _SIX] |= _ONE << (p & _LOW)


@inner
def rows_below(words, below, at):
    """How many marked rows stand before a place."""
    p = np.uint64(at)
    w = p >> _SIX
    return below[w] + count_ones(words[w] & ((_ONE << (p & _LOW)) - _ONE))


@inner
def cut_info(low, n, odd_left, n_major, inside, fixed):
    """What is left to know of the class after a cut above ``low`` rows; FAR if a side is empty."""
    if low == 0 or low == n:
        return FAR
    under = low - odd_left
    return fixed[low] + fixed[n - low] - inside - fixed[under] - fixed[n_major - under]


@inner
def keep_sides(counts, left, totals, major, under):
    """Write down the class counts on both sides of a cut."""
    for c in range(totals.size):
        counts[0, c] = under if c == major else left[c]
        counts[1, c] = totals[c] - counts[0, c]


@inner
def draw_bitmaps(place, rows, start, n, odd, n_odd, words, odd_words, below):
    """Bitmaps of all rows and of the odd ones by place, and how many rows lie below each word."""
    for w in range(words.size):
        words[w] = 0
        odd_words[w] = 0
    mark_rows(place, rows, start, n, words)
    mark_rows(place, odd, 0, n_odd, odd_words)
    below[0] = 0
    for w in range(words.size):
        below[w + 1] = below[w] + count_ones(words[w])


@inner
def sweep_odd(groups, totals, major, words, odd_words, below, left, fixed, counts):
    """The place of the cut with the largest gain, -1 if there is none; the first of equals.

    Leaves in ``counts[0]`` and ``counts[1]`` the class counts on both sides of it.
    ``groups`` (places, 3): the class of the row there, and where the rows with its value begin
    and end.
    """
    n, n_major, odd_left, end = below[below.size - 1], totals[major], 0, 0
    best, cut, inside = FAR, -1, 0
    for c in range(totals.size):
        left[c] = 0
        inside += 0 if c == major else fixed[totals[c]]
    for w in range(odd_words.size):
        word = odd_words[w]
        while word != 0:
            p = (w << 6) + lowest_bit(word)
            word &= word - _ONE
            c, start = groups[p, 0], groups[p, 1]
            if groups[p, 2] != end:
                for side in range(1 if start == end else 0, 2):
                    at = start if side else end
                    low = rows_below(words, below, at)
                    info = cut_info(low, n, odd_left, n_major, inside, fixed)
                    if info < best - NEAR:
                        best, cut = info, at
                        keep_sides(counts, left, totals, major, low - odd_left)
                end = groups[p, 2]
            inside += fixed[left[c] + 1] - fixed[left[c]]
            inside += fixed[totals[c] - left[c] - 1] - fixed[totals[c] - left[c]]
            left[c] += 1
            odd_left += 1
    low = rows_below(words, below, end)
    if cut_info(low, n, odd_left, n_major, inside, fixed) < best - NEAR:
        cut = end
        keep_sides(counts, left, totals, major, low - odd_left)
    return cut


@inner
def ranks_beside(order, codes, words, cut):
    """The ranks of the marked rows next to a cut, below and above."""
    below, above = cut - 1, cut
    while not (words[below >> 6] >> np.uint64(below & 63)) & _ONE:
        below -= 1
    while not (words[above >> 6] >> np.uint64(above & 63)) & _ONE:
        above += 1
    return codes[order[below]], codes[order[above]]


@inner
def fill_levels(sums, first, width, n_levels, totals, tally):
    """Class counts by level from the sums of flags; how many rows have an unknown value.

    Without unknown values in the table the last level has no flag: it is the rest.
    """
    unknown = 0
    for c in range(totals.size):
        rest = totals[c]
        for b in range(width):
            tally[b, c] = sums[c, first + b]
            rest -= tally[b, c]
        if width < n_levels:
            tally[width, c] = rest
        else:
            unknown += rest
    return unknown
