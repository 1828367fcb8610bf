"""What "auto" does with data that are not in memory, and which paths go on from where."""

from __future__ import annotations

from ..automatic import StrengthPath
from ..first_order.methods import licp_block, locp, pcp
from ..method import Method, all_of, beyond_memory, squared_norm, twice_differentiable
from ..problems import SVMProblem
from ..second_order.svm_path import BetaPath
from ..second_order.svm_quasi_newton import DualPoint, ProjectedQuasiNewton
from .tall import newton
from .working_sets import WorkingSets


def strength_path(problem, w0=None):
    """Candidates for one λ after the other: `StrengthPath`, or working sets beyond memory."""
    if problem.design.in_memory:
        return StrengthPath(problem, w0)
    return WorkingSets(problem, StrengthPath, _without_columns, w0)


def beta_path(problem, w0=None, aim=None):
    """Candidates for one β after the other: `BetaPath`, or working sets beyond memory."""
    if problem.design.in_memory:
        return BetaPath(problem, w0, aim)
    return WorkingSets(problem, BetaPath, _without_columns, w0)


def _without_columns(problem, point):
    """Newton steps of three passes each, and first-order steps where too many features matter."""
    otherwise = _by_dual_steps if isinstance(problem, SVMProblem) else _by_gradients
    yield from newton(problem, point, otherwise)


def _by_gradients(problem, point):
    method = pcp if problem.groups.overlapping else locp
    yield from method.run(problem, point.w)


def _by_dual_steps(problem, point):
    """Quasi-Newton steps on u, two passes each; overlapping groups have no closed form of them."""
    if problem.groups.overlapping:
        yield from licp_block.run(problem, None)
        return
    dual = DualPoint(problem, point.dual)
    quasi = ProjectedQuasiNewton(dual)
    yield dual.candidate
    while quasi.step():
        yield dual.candidate


def smooth(problem, w0=None):
    """min f(Xw + b) + λ/2 ‖A|w|‖²: in memory on few features, with a pass to fetch and to check."""
    path = strength_path(problem, w0)
    yield path.start
    yield from path.candidates(problem)


def svm(problem, w0=None):
    """min Σ hinge + α/2 ‖w‖² + β/2 ‖A|w|‖²: on growing sets of features, or quasi-Newton steps."""
    path = beta_path(problem, w0)
    yield path.start
    yield from path.candidates(problem)


def _hinge(problem) -> str | None:
    return None if isinstance(problem, SVMProblem) else "it is for the hinge loss"


streamed_smooth = Method(
    "auto",
    "Automatic, in passes",
    "this software; solved in memory on the features that can carry weight, certified on all",
    smooth,
    accepts=all_of(beyond_memory, twice_differentiable, squared_norm),
    few_iterations=True,
    in_passes=True,
)
streamed_svm = Method(
    "auto",
    "Automatic, in passes",
    "this software; solved in memory on the features that can carry weight, certified on all",
    svm,
    accepts=all_of(beyond_memory, _hinge),
    few_iterations=True,
    in_passes=True,
)
