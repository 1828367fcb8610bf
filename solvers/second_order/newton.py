"""Second-order methods: interior point, cold or warm, and active set for warm starts."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..method import Method, all_of, curved_loss, squared_loss, squared_norm, twice_differentiable
from ..problems import Candidate
from .group_blocks import dense_groups
from .restricted import LeastSquares, SmoothData
from .sieve import Sieve
from .working_set import working_sets

WORKING_SET_RATIO = 20  # features per sample and group from which working sets pay
DENSE_ENTRIES = 2**27  # largest sparse design turned into a dense one (1 GB)
LARGEST_SYSTEM = 8000  # unknowns of a Newton system; its factor takes 0.5 GB


def _newton(problem, w0=None):
    """min ½ Σ ωᵢ(xᵢᵀw + b − yᵢ)² + λ/2 ‖A|w|‖², groups overlapping or not.

    A primal-dual interior point on the non-negative least-squares form: about ten iterations to
    a relative gap of 1e-8, each one weighted product X F Xᵀ and one Cholesky factor of size
    min(N, n), plus m when groups overlap many others.  With many more features than samples and
    groups it runs on working sets.  Returns when rounding ends the progress.
    """
    return _second_order(problem, w0, LeastSquares)


def _newton_smooth(problem, w0=None):
    """min f(Xw + b) + λ/2 ‖A|w|‖² for a smooth loss f, groups overlapping or not.

    The interior point of `_newton` with the losses' curvatures in place of ones: ten to thirty
    iterations to a relative gap of 1e-6, the more the smaller λ.  Huber's loss is least squares
    with one more feature a sample, at a price of its own.
    """
    return _second_order(problem, w0, SmoothData)


def _second_order(problem, w0, loss):
    zero = np.zeros(problem.n_features)
    v = problem.design.rmatvec(loss.residual(problem, zero))
    if not problem.geometry.free.size and not np.any(problem.geometry.magnitude(v)):
        yield lambda: Candidate(zero)
        return
    if why_not_dense(problem) is not None:
        yield from working_sets(problem, w0, loss)
        return
    data = loss(problem)
    for it in data.iterates(w0):
        yield lambda it=it: data.candidate(it)


def _active_set(problem, w0=None):
    """min f(Xw + b) + λ/2 ‖A|w|‖² by linear systems on the support, among few features at a time.

    Exact in a handful of small systems and products Xᵀθ while the support is not much larger than
    half of N + m, whatever n; sparse data stay sparse. When a face is singular or the repair of
    signs does not settle, the interior point takes over, where its systems fit.
    """
    yield partial(Candidate, np.zeros(problem.n_features) if w0 is None else w0)
    sieve = Sieve(problem, w0)
    for certifiable in sieve.rounds(problem):
        if certifiable:
            yield partial(Candidate, sieve.w)
    if curved_loss(problem) is None and affordable(problem) is None:
        loss = LeastSquares if squared_loss(problem) is None else SmoothData
        yield from _second_order(problem, None, loss)


def why_not_dense(problem) -> str | None:
    """None where all features can be held and worked on at once, or the reason why not."""
    if not problem.design.in_memory:
        return "the data are not in memory"
    n_samples, n_features = problem.design.shape
    if n_features > WORKING_SET_RATIO * (n_samples + problem.groups.n_groups):
        return "there are far more features than samples and groups"
    if problem.design.is_sparse and n_samples * n_features > DENSE_ENTRIES:
        return "the sparse data would take over 1 GB as a dense matrix"
    return None


def affordable(problem) -> str | None:
    """None where the Newton systems and the dense columns they need fit, or the reason why not."""
    n_samples, n_features = problem.design.shape
    n_groups = problem.groups.n_groups
    system = min(n_samples, n_features) + dense_groups(problem.geometry)
    if system > LARGEST_SYSTEM:
        return f"its linear systems would have {system} unknowns, more than {LARGEST_SYSTEM}"
    columns = min(n_features, 2 * (n_samples + n_groups))
    elsewhere = problem.design.is_sparse or not problem.design.in_memory
    if elsewhere and n_samples * columns > DENSE_ENTRIES:
        return "the columns it works on would take over 1 GB as a dense matrix"
    return None


newton = Method(
    "newton",
    "Interior point",
    "this software; Mehrotra 1992, Gondzio 1996 on the non-negative least-squares form",
    _newton,
    accepts=all_of(squared_loss, squared_norm, affordable),
    max_iter=1000,
    few_iterations=True,
)
newton_smooth = Method(
    "newton",
    "Interior point",
    "this software; Mehrotra 1992, Gondzio 1996 with the curvature of the loss",
    _newton_smooth,
    accepts=all_of(curved_loss, squared_norm, affordable),
    max_iter=1000,
    few_iterations=True,
)
active_set = Method(
    "active_set",
    "Active set",
    "this software; after Lawson & Hanson 1974, in proximal Newton steps where f is not quadratic",
    _active_set,
    accepts=all_of(twice_differentiable, squared_norm),
    max_iter=2000,
    few_iterations=True,
    in_passes=True,
)
