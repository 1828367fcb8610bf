"""What a method is, and the conditions under which it accepts a problem."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .losses import SquaredLoss

if TYPE_CHECKING:
    from .problems import Candidate, Problem

HUANG_LIU = (
    "Huang & Liu, Exclusive Sparsity Norm Minimization with Random Groups via Cone Projection"
)


def anything(problem) -> str | None:
    return None


@dataclass(frozen=True)
class Method:
    """How to run a method, and what a person should know before choosing it.

    `run(problem, w0, **options)` is an endless generator that never times, scores, stops or prints.
    It yields its starting point first and then one item per iteration; each item is a function of
    no arguments that builds the current `Candidate`, called only when someone measures, and before
    the generator is advanced. A generator that returns says that arithmetic has run out.

    `accepts(problem)` is None, or the reason why not. `max_iter` is the limit where the caller
    gives none. `few_iterations` says that every iterate is worth a measurement: each cost far more
    than that, and the last one before arithmetic runs out need not be the best.

    Parameters
    ----------
    key : str
        Its name in the tables of methods.
    label : str
        Its name in words.
    reference : str
        Where it comes from.
    run : callable
        The generator of iterates, `run(problem, w0, **options)`.
    accepts : callable
        From a problem to None or the reason why not; anything is accepted unless given.
    max_iter : int
        The limit where the caller gives none.
    few_iterations : bool
        Whether every iterate is worth a measurement.
    in_passes : bool
        Whether it takes data that are not in memory, in few enough passes over them.

    Examples
    --------
    >>> from solvers import LASSO_METHODS
    >>> LASSO_METHODS["locp"].label
    'LOCP'
    >>> import numpy as np
    >>> from solvers import Groups
    >>> from solvers.problems import LassoProblem
    >>> overlapping = Groups.from_lists([[0, 1], [1, 2]], n_features=3)
    >>> LASSO_METHODS["locp"].accepts(LassoProblem(np.eye(3), np.ones(3), overlapping, 1.0))
    'it needs disjoint groups, and these overlap'
    """

    key: str
    label: str
    reference: str
    run: Callable
    accepts: Callable = anything
    max_iter: int = 100_000
    few_iterations: bool = False
    in_passes: bool = False

    def __post_init__(self) -> None:
        if not self.in_passes:
            object.__setattr__(self, "accepts", all_of(in_memory, self.accepts))

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that `run` takes."""
        parameters = inspect.signature(self.run).parameters.values()
        return tuple(p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY)

    def iterates(
        self, problem: Problem, w0: np.ndarray | None, options: Mapping[str, Any]
    ) -> Iterator[Callable[[], Candidate]]:
        """`run`, with a clear word on options that it does not have

        Parameters
        ----------
        problem : Problem
            What to solve.
        w0 : array or None
            Where to start.
        options : mapping
            Options of `run` by name.

        Returns
        -------
        iterator
            The iterates, each a function that builds a `Candidate`.

        Examples
        --------
        >>> from solvers import LASSO_METHODS
        >>> LASSO_METHODS["locp"].options
        ('restart', 'backtracking')
        >>> LASSO_METHODS["locp"].iterates(None, None, {"speed": 2})
        Traceback (most recent call last):
            ...
        ValueError: method 'locp' has no option 'speed'; its options are: restart, backtracking.
        """
        for name in options:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise ValueError(
                    f"method {self.key!r} has no option {name!r}; its options are: {known}."
                )
        return self.run(problem, w0, **options)


def in_memory(problem) -> str | None:
    """For methods that would go through the data hundreds of times, or want them all at once."""
    if problem.design.in_memory:
        return None
    return 'it needs X in memory, and this is a Dask array; method="auto" goes through it in passes'


def beyond_memory(problem) -> str | None:
    return "X is in memory" if problem.design.in_memory else None


def disjoint(problem) -> str | None:
    if problem.groups.overlapping:
        return "it needs disjoint groups, and these overlap"
    return None


def squared_norm(problem) -> str | None:
    if problem.exponent != 2.0:
        return f"it solves the squared norm only, and the exponent here is {problem.exponent:g}"
    return None


def squared_loss(problem) -> str | None:
    if isinstance(getattr(problem, "loss", None), SquaredLoss):
        return None
    return "it solves least squares only, and this problem has another loss"


def twice_differentiable(problem) -> str | None:
    """For Newton steps: the loss must tell its second derivative."""
    if hasattr(getattr(problem, "loss", None), "second_derivative"):
        return None
    return "it needs the loss's second derivative, which this lacks"


def curved_loss(problem) -> str | None:
    """For the interior point: the loss must be known from its dual point too (`solvers.losses`)."""
    loss = getattr(problem, "loss", None)
    if hasattr(getattr(loss, "inner", loss), "inverse_curvature"):
        return None
    return "it needs the loss's inverse curvature as a function of the dual point, which this lacks"


def any_signs(problem) -> str | None:
    """For methods that have no form for w ≥ 0."""
    if problem.geometry.constrained:
        return "it takes no sign constraints, and some weights must not be negative here"
    return None


def no_weights(problem) -> str | None:
    """For methods written for the plain norm."""
    if problem.geometry.weighted:
        return "it solves the unweighted norm only, and features or groups have weights here"
    return None


def all_penalised(problem) -> str | None:
    if problem.geometry.unpenalised.size:
        feature = problem.geometry.unpenalised[0]
        return f"it needs every feature penalised, and feature_weight[{feature}] is 0"
    return None


def all_of(*conditions):
    """Accepts what every condition accepts; otherwise the first reason against."""

    def accepts(problem) -> str | None:
        return next((reason for check in conditions if (reason := check(problem))), None)

    return accepts
