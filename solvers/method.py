"""What a method is, and the conditions under which it accepts a problem."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from .losses import LogisticLoss, SquaredLoss

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
    """

    key: str
    label: str
    reference: str
    run: Callable
    accepts: Callable = anything
    max_iter: int = 100_000
    few_iterations: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that `run` takes."""
        parameters = inspect.signature(self.run).parameters.values()
        return tuple(p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY)

    def iterates(self, problem, w0, options):
        """`run`, with a clear word on options that it does not have."""
        for name in options:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise ValueError(
                    f"method {self.key!r} has no option {name!r}; its options are: {known}."
                )
        return self.run(problem, w0, **options)


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


def logistic_loss(problem) -> str | None:
    if isinstance(getattr(problem, "loss", None), LogisticLoss):
        return None
    return "it solves the logistic loss only, and this problem has another one"


def all_of(*conditions):
    """Accepts what every condition accepts; otherwise the first reason against."""

    def accepts(problem) -> str | None:
        return next((reason for check in conditions if (reason := check(problem))), None)

    return accepts
