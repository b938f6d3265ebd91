"""The decorators of kernels that only other kernels call: without the door to Python.

Half of the compile time of a small kernel with many arrays goes into its Python wrapper, and most
of the time to call one into counting references to them, which the outermost kernel holds anyway.
So these kernels can slice arrays, but not make them.

A number written into a call is a type of its own, for which the kernel is compiled once more;
``np.int64(0)`` is not. An array that is assigned or added to a slice (``a[:] = b``) costs more to
compile than most kernels: the text of an error for arrays that do not fit.
"""

from numba import njit

_ONLY = {"cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

#: For what is called often and has little to do: it becomes a part of its caller.
inner = njit(**_ONLY, _nrt=False, forceinline=True)

#: For long loops: on its own it has the registers for itself.
hot = njit(**_ONLY, _nrt=False)
