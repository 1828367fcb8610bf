"""What the functions of this package accept, for type checkers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

if TYPE_CHECKING:
    from .groups import Groups
    from .result import Record

# Frames and other containers that numpy can read count as array-like.
Matrix: TypeAlias = ArrayLike | sparse.sparray | sparse.spmatrix
GroupsLike: TypeAlias = "Groups | ArrayLike | Sequence[Sequence[Any]] | Mapping[Any, Any]"
Callback: TypeAlias = "Callable[[Record, np.ndarray], bool | None]"
