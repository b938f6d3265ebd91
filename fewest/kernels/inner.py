"""The decorator of kernels that only other kernels call: without the door to Python."""

from numba import njit

#: Half of the compile time of a small kernel with many arrays goes into its Python wrapper.
inner = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
