"""What a run leaves behind: its measurements, the best certified point, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

STATUSES = {
    "running": "not finished yet",
    "converged": "the certified gap reached the tolerance",
    "max_iter": "the iteration limit was reached before the tolerance",
    "time_budget": "the time budget was used up before the tolerance",
    "cancelled": "was cancelled",
    "stalled": "no further progress is possible in floating-point arithmetic",
    "diverged": "the iterates left the range of floating-point numbers",
}


class Record(NamedTuple):
    """One measurement: `objective` is this iterate's, `bound` the best so far, `gap` relative.

    `change` is the paper's ‖w⁺ − w‖/‖w‖ of the single step that led to this iterate, of the points
    that the method calls its solution: infinite on leaving w = 0, and nan where there is no step or
    the iterate just before was not kept (measurements are usually many iterations apart).
    """

    iteration: int
    seconds: float
    objective: float
    gap: float
    bound: float
    nonzeros: int
    change: float = np.nan


class History:
    """Measurements in order. `history["gap"]` is a column; so is `history.gap`

    `history[i]` is one measurement, and `len` counts them.

    Attributes
    ----------
    iteration : array of int
        How many iterations came before.
    seconds : array
        The method's own time until then.
    objective : array
        P of that iterate.
    gap : array
        Its certified relative gap, to the best bound so far.
    bound : array
        D, the best bound below the optimum so far.
    nonzeros : array of int
        How many weights are not 0.
    change : array
        ‖w⁺ − w‖/‖w‖ of the step that led there, nan where it was not observed.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, solve_lasso
    >>> X, y = np.eye(4), np.array([3.0, 1.0, -2.0, 0.0])
    >>> history = solve_lasso(X, y, Groups.from_labels([0, 0, 1, 1]), lam=1.0).history
    >>> history.iteration[0]
    np.int64(0)
    >>> bool(history["gap"][-1] <= 1e-6)
    True
    """

    columns = Record._fields

    def __init__(self) -> None:
        self._records: list[Record] = []

    def append(self, record: Record) -> None:
        """One more measurement at the end, by whoever runs the method

        Parameters
        ----------
        record : Record
            The measurement.

        Examples
        --------
        >>> from solvers import History
        >>> from solvers.result import Record
        >>> history = History()
        >>> history.append(Record(0, 0.0, objective=7.0, gap=1.0, bound=0.0, nonzeros=0))
        >>> len(history), history[0].objective
        (1, 7.0)
        """
        self._records.append(record)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self):
        return iter(self._records)

    def __getitem__(self, key):
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(
                    f"{key!r} is not a column; the columns are {', '.join(self.columns)}."
                )
            return np.array([getattr(record, key) for record in self._records])
        return self._records[key]

    def __getattr__(self, name):
        if name in Record._fields:
            return self[name]
        raise AttributeError(name)

    def to_dict(self) -> dict[str, np.ndarray]:
        """Columns by name, as `pandas.DataFrame` takes them

        Returns
        -------
        dict of str to array
            One array a column, all of one length.

        Examples
        --------
        >>> from solvers import History
        >>> list(History().to_dict())
        ['iteration', 'seconds', 'objective', 'gap', 'bound', 'nonzeros', 'change']
        """
        return {name: self[name] for name in self.columns}


@dataclass(frozen=True)
class Result:
    """The best certified point that was seen: D ≤ optimum ≤ P

    Attributes
    ----------
    w : array
        The weights.
    intercept : float
        b, 0 where none was asked for.
    objective : float
        P, the objective at `w`.
    bound : float
        D, the best bound below the optimum.
    gap : float
        (P − D)/max(|P|, |D|), 0 where both are 0: how much of the objective can at most be saved.
    n_iter : int
        Iterations made.
    seconds : float
        The method's own time, without measurements; with them where data are not in memory, since
        both share the passes.
    status : str
        "converged", "max_iter", "time_budget", "cancelled", "stalled" or "diverged".
    method : str
        The key of the method that ran.
    history : History
        All measurements on the way.
    n_passes : float or None
        How often data that are not in memory were gone through, the certificates' passes included;
        where only some of their blocks were read, a part of one. None for data in memory.

    Examples
    --------
    >>> import numpy as np
    >>> from solvers import Groups, solve_lasso
    >>> X, y = np.eye(4), np.array([3.0, 1.0, -2.0, 0.0])
    >>> result = solve_lasso(X, y, Groups.from_labels([0, 0, 1, 1]), lam=1.0)
    >>> result.w.round(4).tolist()
    [1.5, 0.0, -1.0, 0.0]
    >>> result.converged, result.status, result.message
    (True, 'converged', 'the certified gap reached the tolerance')
    """

    w: np.ndarray
    intercept: float
    objective: float
    bound: float
    gap: float
    n_iter: int
    seconds: float
    status: str
    method: str
    history: History = field(repr=False)
    n_passes: float | None = None

    @property
    def converged(self) -> bool:
        """Whether the gap reached the tolerance."""
        return self.status == "converged"

    @property
    def message(self) -> str:
        """The status in words."""
        return STATUSES[self.status]
