"""What the server of :mod:`tests.campaign.forks` does once: import and compile."""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # threads of OpenMP do not survive a fork

from tests.campaign.runs import table_file, within

COMMON = ["--cv", "3", "--no-validate", "--quiet", "--seed", "1", "--jobs", "1"]
for measure in ("naive-bayes", "nearest-neighbor", "cfs"):
    within("select", table_file(), "--search", "sfs", "--measure", measure, *COMMON)
within("select", table_file(), "--search", "exact", "--measure", "inconsistency", *COMMON)
within("network", table_file(), "--search", "tabu", "--quiet")
