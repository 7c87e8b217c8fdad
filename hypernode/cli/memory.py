"""Large pages for a short run over a large text: the kernel hands out 2 MiB at once instead of 4 KiB 500 times.

A page costs microseconds on a virtual machine, and reading 53 MB of text takes 30,000 of them. Linux with glibc only;
elsewhere, and where anything is unexpected, nothing changes (mallopt(3), sbrk(2), madvise(2)).
"""

from __future__ import annotations

import contextlib
import sys

WORTHWHILE = 8 << 20
"""Below this many bytes of text the run is over before it pays."""
_PAGE = 2 << 20
_GLIBC_LARGEST = 32 << 20
_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
_MADV_HUGEPAGE = 14


def use_large_pages(size: int) -> None:
    """Make room in the heap, in large pages, for reading ``size`` bytes of text; it is kept until the process ends."""
    if size < WORTHWHILE or not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError, AttributeError, ValueError, ImportError):
        _advise(4 * size)


def _advise(room: int) -> None:
    import ctypes

    libc = ctypes.CDLL(None)
    libc.sbrk.restype, libc.sbrk.argtypes = ctypes.c_void_p, [ctypes.c_ssize_t]
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    settings = {_MMAP_THRESHOLD: _GLIBC_LARGEST, _TRIM_THRESHOLD: 1 << 30, _TOP_PAD: min(room, 1 << 30)}
    if not all(libc.mallopt(option, value) for option, value in settings.items()):
        return
    before = libc.sbrk(0)
    libc.free(libc.malloc(_GLIBC_LARGEST - _PAGE))
    start, end = -(-before // _PAGE) * _PAGE, libc.sbrk(0) // _PAGE * _PAGE
    if end > start:
        libc.madvise(start, end - start, _MADV_HUGEPAGE)
