"""Types of NumPy columns. Only type checkers load ``numpy.typing``: it would cost each start seven milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    AnyArray = NDArray[Any]
    Bool = NDArray[np.bool_]
    U8 = NDArray[np.uint8]
    I32 = NDArray[np.int32]
    U32 = NDArray[np.uint32]
    I64 = NDArray[np.int64]
    U64 = NDArray[np.uint64]
    F64 = NDArray[np.float64]
else:
    AnyArray = Bool = U8 = I32 = U32 = I64 = U64 = F64 = np.ndarray
