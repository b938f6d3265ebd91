"""What the tree kernels share: the table, the rules, the arrays they work in, and their layout.

All arrays are made (and enlarged) by the caller; a kernel that finds one too small changes
nothing and says which. They are few and plain, because every array costs compile time.
"""

from collections import namedtuple

#: The table. ``codes`` (features, rows): level or rank of the value, -1 unknown. ``distinct``: the
#: sorted values of each continuous feature; ``above``: for each of them the lowest rank that a cut
#: can tell from it. ``classes``: of the rows. ``fixed``: n log₂ n as whole
#: numbers of ``unit``; sums closer than ``near`` are equal. ``flags`` (rows, words): a bit a level
#: of the nominal features with few levels.
Data = namedtuple("Data", "codes distinct above classes fixed unit near flags")

#: ``critical``: chi-squared values by degrees of freedom, empty for no test. ``minimum``: rows in
#: branches. ``release8``: Quinlan's corrections for continuous features. ``fractional``: unknown
#: values go down every branch. ``confidence``, ``z``: of the error-based pruning, 0 for none;
#: subtrees that do not lower the training errors go with ``release8`` even then.
#: ``present``: how many classes the training rows have.
Rules = namedtuple("Rules", "critical minimum release8 fractional confidence z present")

#: The rows of the nodes that are being grown: in the order of the classes (``lists[0]``, with
#: ``weights``, empty where all rows are whole) and of each continuous feature, a segment of columns
#: a node; ``tests[0]``: test rows, in segments of their own. ``seen``: which levels occur in
#: training rows. ``features``: see below. The rest is room for one node: branches of rows, a copy
#: of rows, weights by row; gain and ratio by feature; class counts; sums of flags; the tables of
#: the sweep; class weights.
Work = namedtuple(
    "Work",
    "lists weights tests seen features sides copy loads gains tally classes sums planes outer "
    "inner counts",
)

#: What has been grown. ``stack``: what is left to do. ``nodes`` and ``links``: see below.
#: ``log`` (…, 2): the links of each subset, the last first: a link and where the one before it
#: stands. ``items``: see below. ``chosen``: the features of the subsets, one after the other.
#: ``used``: how much is in use.
Forest = namedtuple("Forest", "stack nodes links log items chosen used")

#: Columns of the features: how many levels (0 continuous), where its levels or values start in
#: ``seen`` or ``distinct``, which list is in its order (0: none), whether no value is unknown, its
#: first flag and how many; what was last asked for, the list of these; the subsets that pick it;
#: the ranks beside its cut.
LEVELS, OFFSET, SLOT, COMPLETE, FLAG, WIDTH, MARK, WANTED, BEGIN, END, BEFORE, AFTER = range(12)

#: Rows of the items: subsets in the order of their nodes, room, what they split the node by, where
#: their log starts, where their features start in ``chosen`` (one more than there are subsets).
ITEM, SPARE, PICK, LAST, CHOSEN = range(5)

#: Columns of the stack: feature to split by (ASK: not yet known), whether the rows of the node are
#: needed afterwards, segments of rows and test rows, subsets, node, ranks beside the cut.
FEATURE, AGAIN, START, ROWS, TEST_START, TESTS, LOW, HIGH, NODE, LEFT, RIGHT = range(11)
ASK = -1

#: Columns of a node: weight, errors as a leaf, the errors to be expected of that leaf, its share
#: of the known weight of its parent, its largest class, test rows of that class, class weights.
TOTAL, ERRORS, EXPECTED, SHARE, MAJOR, CORRECT, COUNTS = range(7)

#: Columns of a link from a node to its branches by a feature: the branches are the nodes from
#: ``first`` on; ``rank``: the largest not above the cut; the ranks of the rows beside it; the
#: largest branch; test rows that no branch takes and that are of the node's class.
FROM, BY, FIRST, KIDS, RANK, BELOW, ABOVE, LARGEST, STAY = range(9)

#: What is in use of the stack, nodes, links and log; and what can be short.
N_TASKS, N_NODES, N_LINKS, N_LOG, STAMP = range(5)
ENOUGH, TASKS_SHORT, NODES_SHORT, LINKS_SHORT, LOG_SHORT, ROWS_SHORT, TESTS_SHORT = range(7)
