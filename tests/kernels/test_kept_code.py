"""Where compiled code can be kept, and what happens where it cannot."""

import os
import subprocess
import sys

NOWHERE = """
from numba.core import caching
caching.CacheImpl._locator_classes = []
from fewest._kernels import keeps_compiled_code
from fewest._kernels.networks.orders import log_add
print(keeps_compiled_code(), log_add(0.0, float("-inf")))
"""


def test_without_a_folder_to_write_to_kernels_are_compiled_all_the_same():
    env = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", NOWHERE], capture_output=True, text=True, env=env, timeout=300
    )
    assert done.stdout == "False 0.0\n", done.stderr


def test_here_compiled_code_is_kept():
    from fewest._kernels import keeps_compiled_code

    assert keeps_compiled_code()
