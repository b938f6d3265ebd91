"""The decorator of kernels that only other kernels call: without the door to Python."""

from numba import njit

#: Half of the compile time of a small kernel with many arrays goes into its Python wrapper, and
#: most of the time to call one into counting references to them, which the outermost kernel holds
#: anyway. So an inner kernel can slice arrays, but not make them.
inner = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
