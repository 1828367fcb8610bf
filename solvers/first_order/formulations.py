"""PCP, LOCP and LICP: a problem posed as smooth part + simple part on one flat vector.

A formulation offers what `fista` needs:

    start(w0)              the flat vector to begin with
    step                   1/L, or one entry per coordinate, constant where the prox couples
    gradient(x)            ∇F(x), and the point worth averaging that comes with it for free
    value(x)               F(x), for backtracking
    prox(x, scale)         prox of scale·step·H at x
    candidate(x, average)  what to show for x

An unpenalised intercept is one more coordinate of its own for the smooth losses (orthogonal to the
others, because the design is centred), and the hyperplane yᵀu = 0 for the hinge.
"""

from __future__ import annotations

import numpy as np

from ..problems import Candidate, SmoothProblem, SVMProblem
from ..projections import prox_linf_squared


class LOCP:
    """min over w of f(Xw) + λ/2‖w‖_e², F = f(Xw), H = λ/2‖w‖_e² (disjoint groups)

    ℓ-one cone projection, Section 3.2: the prox of H is one soft-threshold per group.
    L = ‖X‖₂²·sup f″.
    """

    def __init__(self, problem: SmoothProblem):
        self.problem = problem
        self.n = problem.n_features
        loss_curvature = problem.loss.curvature
        self.curvature = _positive(problem.design.largest_eigenvalue(loss_curvature))
        self.step = _with_intercept_step(problem, 1.0 / self.curvature, self.n)
        self._zeta = problem.lam / self.curvature

    @property
    def needs_backtracking(self) -> bool:
        return not _is_lipschitz(self.problem.loss)

    def start(self, w0):
        w = np.zeros(self.n) if w0 is None else w0
        return _with_intercept(self.problem, w, w)

    def gradient(self, x):
        return _smooth_gradient(self.problem, x[: self.n], x[self.n :])

    def value(self, x):
        return self.problem.loss.value(self.problem.design.matvec(x[: self.n]) + x[self.n :].sum())

    def prox(self, x, scale):
        w = self.problem.geometry.shrink(x[: self.n], scale * self._zeta)
        return w if x.size == self.n else np.append(w, x[self.n :])

    def candidate(self, x, average):
        return Candidate(x[: self.n], other_dual=average)


class PCP:
    """min over w₊, w₋ ≥ 0 of f(X(w₊ − w₋)) + λ/2 Σ_g (1ᵀ(w₊ + w₋)_g)^q (any groups)

    Positive cone projection, equation (7): all but the sign constraint is smooth. For q = 2,
    L = 2·max(‖X‖₂²·sup f″, λ‖A‖₂²), exact for least squares (rotate to w₊ ± w₋). The rate O(1/k²)
    holds for q = 1, and for q ≥ 2 with backtracking; for 1 < q < 2 the gradient of t^q is not
    Lipschitz at 0, so there backtracking gives a convergent method without that rate.
    """

    def __init__(self, problem: SmoothProblem):
        self.problem = problem
        self.n = problem.n_features
        largest = problem.design.largest_eigenvalue(problem.loss.curvature)
        if problem.exponent == 2.0:
            largest = max(largest, problem.lam * problem.geometry.norm_squared)
        self.step = _with_intercept_step(problem, 0.5 / _positive(largest), 2 * self.n)

    @property
    def needs_backtracking(self) -> bool:
        return self.problem.exponent not in (1.0, 2.0) or not _is_lipschitz(self.problem.loss)

    def start(self, w0):
        w = np.zeros(self.n) if w0 is None else w0
        split = np.concatenate([np.maximum(w, 0.0), np.maximum(-w, 0.0)])
        return _with_intercept(self.problem, split, w)

    def gradient(self, x):
        n, problem = self.n, self.problem
        plus, minus = x[:n], x[n : 2 * n]
        smooth, theta = _smooth_gradient(problem, plus - minus, x[2 * n :])
        totals = problem.geometry.sum(plus + minus)
        penalty = problem.geometry.spread(problem.penalty.slope(totals))
        parts = [penalty + smooth[:n], penalty - smooth[:n]]
        return np.concatenate([*parts, smooth[n:]]), theta

    def value(self, x):
        n, problem = self.n, self.problem
        predictions = problem.design.matvec(x[:n] - x[n : 2 * n]) + x[2 * n :].sum()
        totals = problem.geometry.sum(x[:n] + x[n : 2 * n])
        return problem.loss.value(predictions) + problem.penalty.group_values(totals)

    def prox(self, x, scale):
        split = np.maximum(x[: 2 * self.n], 0.0)
        if self.problem.geometry.constrained:
            split[self.n :][self.problem.geometry.positive] = 0.0
        return split if x.size == split.size else np.append(split, x[-1])

    def candidate(self, x, average):
        # w₊ − w₋ alone: dropping what the two share only lowers the objective.
        return Candidate(x[: self.n] - x[self.n : 2 * self.n])


class LICP:
    """min over u in its box and v of ‖Zu − Σ_g v̄^g‖²/(2α) − 1ᵀu + Σ_g ‖v^g‖∞²/(2β) (any groups)

    ℓ-infinity cone projection, Theorem 4: the dual of E-SVM, with a copy v^g of each group, so that
    overlaps decouple. The primal point is w = (Zu − Σ v̄^g)/α. O(1/k²) holds for this dual; the
    primal objective gets it through the averaged w. With weights v̄^g has the entries A_gi·v^g_i;
    where wᵢ ≥ 0 is asked, w and the first term keep the positive part.

    `block` gives u and v their own step lengths, α/(2‖Z‖²) and α/(2c_g) with c_g the largest
    Σ_h A_hi² of a feature in group g (its overlap count): the same guarantee, and far larger steps
    for v. Without it there is the paper's single one, α/(‖Z‖² + max c).
    """

    def __init__(self, problem: SVMProblem, *, block: bool = False):
        self.problem = problem
        self._geometry = problem.geometry
        groups = problem.groups
        self.n_samples = problem.n_samples
        squared_norm = problem.design.largest_eigenvalue(np.ones(self.n_samples))
        overlap = groups.max(self._geometry.column_squares)
        if block:
            u_step = problem.alpha / (2.0 * _positive(squared_norm))
            # A group of unpenalised features only has nothing to be covered.
            v_step = problem.alpha / (2.0 * np.where(overlap > 0.0, overlap, 1.0))
            members = v_step[groups.member_groups]
            self.step = np.concatenate([np.full(self.n_samples, u_step), members])
            self._zeta = v_step / problem.beta
        else:
            self.step = problem.alpha / (squared_norm + overlap.max())
            self._zeta = self.step / problem.beta

    def start(self, w0):
        problem, geometry = self.problem, self._geometry
        if w0 is None:
            size = self.n_samples + problem.groups.indices.size
            return np.zeros(size)
        u = problem.project_dual(multipliers_off_margin(problem, w0))
        totals = geometry.totals(w0)[problem.groups.member_groups]
        v = problem.beta * totals * np.sign(problem.groups.gather(w0))
        return np.concatenate([u, v])

    def primal(self, x):
        """w = (Zu − Σ v̄^g)/α"""
        u, v = x[: self.n_samples], x[self.n_samples :]
        pull = self.problem.weighted_samples(u) - self._geometry.scatter(v)
        return self._geometry.clip(pull / self.problem.alpha)

    def gradient(self, x):
        w = self.primal(x)
        return np.concatenate([self.problem.margins(w) - 1.0, -self._geometry.gather(w)]), w

    def value(self, x):
        w = self.primal(x)
        return 0.5 * self.problem.alpha * float(w @ w) - float(x[: self.n_samples].sum())

    def prox(self, x, scale):
        u = self.problem.project_dual(x[: self.n_samples])
        v = prox_linf_squared(x[self.n_samples :], self.problem.groups, scale * self._zeta)
        return np.concatenate([u, v])

    def dual_objective(self, x) -> float:
        """The value of the dual minimisation problem itself, F + H."""
        largest = np.maximum.reduceat(np.abs(x[self.n_samples :]), self.problem.groups.indptr[:-1])
        return self.value(x) + float(largest @ largest) / (2.0 * self.problem.beta)

    def candidate(self, x, average):
        return Candidate(self.primal(x), dual=x[: self.n_samples], other_w=average)


class EliminatedDual:
    """min over u in its box of Ω*(Zu) − 1ᵀu, Ω = α/2‖·‖² + β/2‖·‖_e² (disjoint groups)

    LICP's dual with v minimised out, because ∇Ω*(v) = prox of β/(2α)‖·‖_e² at v/α is one soft
    threshold per group: smooth in u alone, with L = ‖Z‖²/α and nothing left that couples the step
    lengths of u and v. Rate and averaged w as for LICP.
    """

    def __init__(self, problem: SVMProblem):
        self.problem = problem
        squared_norm = problem.design.largest_eigenvalue(np.ones(problem.n_samples))
        self.step = problem.alpha / _positive(squared_norm)

    def start(self, w0):
        if w0 is None:
            return np.zeros(self.problem.n_samples)
        return self.problem.project_dual(multipliers_off_margin(self.problem, w0))

    def primal(self, u):
        """w(u) = ∇Ω*(Zu)"""
        return self.problem.conjugate_gradient(self.problem.weighted_samples(u))

    def gradient(self, u):
        w = self.primal(u)
        return self.problem.margins(w) - 1.0, w

    def value(self, u):
        # Ω is 2-homogeneous, so Ω*(Zu) = Ω(w(u)).
        return self.problem.regulariser(self.primal(u)) - float(u.sum())

    def prox(self, u, scale):
        return self.problem.project_dual(u)

    def candidate(self, u, average):
        return Candidate(self.primal(u), dual=u, other_w=average)


def multipliers_off_margin(problem: SVMProblem, w, distance=0.0):
    """u off the margin: 0, or ω from a `distance` inside. On it w alone leaves u open."""
    predictions = problem.design.matvec(w)
    predictions += problem.best_intercept(predictions)
    return problem.sample_weight * (problem.y * predictions < 1.0 - distance)


def _smooth_gradient(problem: SmoothProblem, w, intercept):
    """∇ over (w, b) of f(Xw + b), and θ = −∇f; `intercept` is empty or of length 1."""
    theta = problem.dual_point(w, intercept if intercept.size else 0.0)
    gradient = -problem.design.rmatvec(theta)
    return (np.append(gradient, -theta.sum()) if intercept.size else gradient), theta


def _with_intercept(problem, x, w):
    if not problem.fit_intercept:
        return x
    return np.append(x, problem.best_intercept(problem.design.matvec(w)))


def _with_intercept_step(problem, step, size):
    """The intercept's own step: its column of ones is orthogonal to the centred design."""
    if not problem.fit_intercept:
        return step
    return np.append(np.full(size, step), 1.0 / problem.loss.curvature.sum())


def _is_lipschitz(loss) -> bool:
    """Whether the loss's curvature is bounded by its `curvature` everywhere, not only locally."""
    return getattr(loss, "lipschitz", True)


def _positive(curvature) -> float:
    """A zero matrix has no curvature at all; any step length will do."""
    return curvature if curvature > 0.0 else 1.0
