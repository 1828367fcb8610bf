"""Random small problems, and their solutions by software we did not write (CVXPY + Clarabel).

Nothing here uses the objective, the penalty or the bound of `solvers`: objectives are written out
once more, group by group, so that a shared mistake cannot hide.
"""

from __future__ import annotations

import itertools
import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property

import cvxpy as cp
import numpy as np
from scipy import optimize, sparse
from scipy.special import xlogy

from solvers import (
    HUBER_METHODS,
    LASSO_METHODS,
    LOGISTIC_METHODS,
    POISSON_METHODS,
    SVM_METHODS,
    Groups,
    solve_huber,
    solve_lasso,
    solve_logistic,
    solve_poisson,
    solve_svm,
)
from solvers.problems import (
    HuberProblem,
    LassoProblem,
    LogisticProblem,
    PoissonProblem,
    SmoothProblem,
    SVMProblem,
)
from solvers.registry import choose

KINDS = ("lasso", "logistic", "svm")
ALL_KINDS = (*KINDS, "poisson", "huber")
STORAGES = ("C", "Fortran", "float32", "csr", "csc")
METHODS = {
    "lasso": LASSO_METHODS,
    "logistic": LOGISTIC_METHODS,
    "svm": SVM_METHODS,
    "poisson": POISSON_METHODS,
    "huber": HUBER_METHODS,
}
PROBLEMS = {
    "lasso": LassoProblem,
    "logistic": LogisticProblem,
    "svm": SVMProblem,
    "poisson": PoissonProblem,
    "huber": HuberProblem,
}
SOLVE = {
    "lasso": solve_lasso,
    "logistic": solve_logistic,
    "svm": solve_svm,
    "poisson": solve_poisson,
    "huber": solve_huber,
}
HUBER_DELTA = 1.35

# The rivals may legitimately end before a tight tolerance: their theory promises a slow rate, or a
# limit beside the optimum. They still have to bracket the optimum, and not to lose what they had.
MAY_BE_SLOW = frozenset(
    key
    for methods in METHODS.values()
    for key, method in methods.items()
    if method.run.__module__.startswith("solvers.rivals")
)


def patience(key) -> dict[str, int]:
    """How long to wait for a method, counted in iterations, so that no clock decides.

    A rival gets enough of them to be wrong, not to be right; ours end by themselves.
    """
    return {"max_iter": 400} if key in MAY_BE_SLOW else {}


@dataclass(frozen=True)
class Instance:
    """All that defines one problem. `strengths` is (λ,), or (α, β) for the hinge.

    `positive`, `feature_weight` and `group_weight` are as the solvers take them.
    """

    kind: str
    X: object
    y: np.ndarray
    groups: Groups
    strengths: tuple[float, ...]
    fit_intercept: bool = False
    sample_weight: np.ndarray | None = None
    exponent: float = 2.0
    positive: object = False
    feature_weight: np.ndarray | None = None
    group_weight: np.ndarray | None = None
    offset: np.ndarray | None = None
    name: str = field(default="", compare=False)

    @cached_property
    def dense(self) -> np.ndarray:
        """X as plain float64 numbers."""
        X = self.X.toarray() if sparse.issparse(self.X) else np.asarray(self.X)
        return X.astype(np.float64)

    @cached_property
    def weight(self) -> np.ndarray:
        return np.ones(len(self.y)) if self.sample_weight is None else self.sample_weight

    @property
    def methods(self):
        return METHODS[self.kind]

    @property
    def options(self) -> dict:
        """What the problem and the function that solves it both take."""
        options = {
            "fit_intercept": self.fit_intercept,
            "sample_weight": self.sample_weight,
            "positive": self.positive,
            "feature_weight": self.feature_weight,
            "group_weight": self.group_weight,
        }
        if self.kind in ("lasso", "logistic"):
            options["exponent"] = self.exponent
        if self.offset is not None:
            options["offset"] = self.offset
        return options

    @cached_property
    def problem(self):
        return PROBLEMS[self.kind](self.X, self.y, self.groups, *self.strengths, **self.options)

    @cached_property
    def features(self) -> np.ndarray:
        """f, one number a feature."""
        ones = np.ones(self.groups.n_features)
        return ones if self.feature_weight is None else np.asarray(self.feature_weight, float)

    @cached_property
    def flags(self) -> np.ndarray:
        """Which features must not be negative."""
        return np.broadcast_to(np.asarray(self.positive, dtype=bool), self.groups.n_features)

    @cached_property
    def group_weights(self) -> np.ndarray:
        ones = np.ones(self.groups.n_groups)
        return ones if self.group_weight is None else np.asarray(self.group_weight, float)

    def accepted(self) -> list[str]:
        """The methods that take this problem."""
        return [k for k, method in self.methods.items() if method.accepts(self.problem) is None]

    def solve(self, **options):
        solve = SOLVE[self.kind]
        return solve(self.X, self.y, self.groups, *self.strengths, **self.options, **options)

    def accurate(self, tol=1e-9):
        """By the method that "auto" chooses, restarted if it can be: a converged result."""
        method = choose(self.methods, "auto", self.problem)
        options = {"restart": True} if "restart" in method.options else {}
        result = self.solve(tol=tol, **options)
        assert result.converged, result.message
        return result

    def loss(self, predictions) -> float:
        if self.kind == "lasso":
            terms = 0.5 * (predictions - self.y) ** 2
        elif self.kind == "logistic":
            terms = np.logaddexp(0.0, -self.y * predictions)
        elif self.kind == "poisson":
            z = predictions + (0.0 if self.offset is None else self.offset)
            # y(e^d − 1 − d), d = z − log y: at a close fit the terms of the definition cancel.
            d = z - np.log(np.where(self.y > 0.0, self.y, 1.0))
            terms = np.where(self.y > 0.0, self.y * (np.expm1(d) - d), np.exp(z))
        elif self.kind == "huber":
            size = np.abs(predictions - self.y)
            linear = HUBER_DELTA * (size - 0.5 * HUBER_DELTA)
            terms = np.where(size <= HUBER_DELTA, 0.5 * size**2, linear)
        else:
            terms = np.maximum(0.0, 1.0 - self.y * predictions)
        return float(np.sum(self.weight * terms))

    def penalty(self, w) -> float:
        """λ/2 Σ_g k_g (Σ fᵢ|wᵢ|)^q, or α/2‖w‖² + β/2 of it; infinite where a sign is wrong"""
        if np.any(w[self.flags] < 0.0):
            return np.inf
        powers = sum(
            k * np.sum(np.abs(self.features[members] * w[members])) ** self.exponent
            for k, members in zip(self.group_weights, self.groups.lists(), strict=True)
        )
        if self.kind == "svm":
            alpha, beta = self.strengths
            return 0.5 * alpha * float(np.sum(w**2)) + 0.5 * beta * powers
        return 0.5 * self.strengths[0] * powers

    def objective(self, w, intercept=0.0) -> float:
        return self.loss(self.dense @ w + intercept) + self.penalty(w)

    def best_intercept(self, w) -> float:
        """By a bounded scalar search that knows nothing of the loss but convexity."""
        if not self.fit_intercept:
            return 0.0
        return minimise_scalar(lambda b: self.loss(self.dense @ w + b), self._reach(w))

    def _reach(self, w) -> float:
        weight = self.weight[self.weight > 0]
        odds = np.log(weight.sum() / weight.min())
        offset = 0.0 if self.offset is None else float(np.abs(self.offset).max())
        return float(np.abs(self.dense @ w).max() + np.abs(self.y).max() + odds + offset + 1.0)

    @cached_property
    def reference(self) -> Reference:
        return solve_with_cvxpy(self)


@dataclass(frozen=True)
class Reference:
    """A solution by CVXPY. `upper` is the objective at its point, so never below the optimum;
    `value` is the solver's own optimal value, accurate to about 1e-9 either way."""

    w: np.ndarray
    intercept: float
    upper: float
    value: float


def minimise_scalar(function, reach) -> float:
    """argmin over [−reach, reach] of a convex function: golden sections, then a bounded polish."""
    found = optimize.minimize_scalar(
        function, bounds=(-reach, reach), method="bounded", options={"xatol": 1e-12}
    )
    return float(found.x)


# -- CVXPY ----------------------------------------------------------------------------------------

_CLARABEL = {
    "solver": "CLARABEL",
    "tol_gap_abs": 1e-11,
    "tol_gap_rel": 1e-11,
    "tol_feas": 1e-11,
}


def solve_with_cvxpy(instance: Instance) -> Reference:
    def loss(predictions):
        weight, y = instance.weight, instance.y
        if instance.kind == "lasso":
            return 0.5 * cp.sum_squares(cp.multiply(np.sqrt(weight), predictions - y))
        if instance.kind == "logistic":
            return cp.sum(cp.multiply(weight, cp.logistic(-cp.multiply(y, predictions))))
        if instance.kind == "poisson":
            z = predictions + (0.0 if instance.offset is None else instance.offset)
            terms = cp.exp(z) - cp.multiply(y, z) + (xlogy(y, y) - y)
            return cp.sum(cp.multiply(weight, terms))
        if instance.kind == "huber":
            return 0.5 * cp.sum(cp.multiply(weight, cp.huber(predictions - y, HUBER_DELTA)))
        return cp.sum(cp.multiply(weight, cp.pos(1.0 - cp.multiply(y, predictions))))

    w, b, value = solve_general_with_cvxpy(instance, loss)
    at_w = instance.objective(w, b)
    searched = instance.best_intercept(w)
    at_searched = instance.objective(w, searched)
    if at_searched < at_w:
        b = searched
    return Reference(w, b, min(at_w, at_searched), value)


def solve_general_with_cvxpy(instance: Instance, loss) -> tuple[np.ndarray, float, float]:
    """(w, b, optimal value) for a loss given as a CVXPY expression of the predictions."""
    n_features = instance.dense.shape[1]
    w = cp.Variable(n_features)
    b = cp.Variable() if instance.fit_intercept else 0.0
    roots = instance.group_weights ** (1.0 / instance.exponent)
    totals = [
        root * cp.norm1(cp.multiply(instance.features[members], w[members]))
        for root, members in zip(roots, instance.groups.lists(), strict=True)
    ]
    if instance.exponent == 2.0:
        powers = cp.sum_squares(cp.hstack(totals))
    elif instance.exponent == 1.0:
        powers = cp.sum(cp.hstack(totals))
    else:
        powers = cp.sum(cp.power(cp.hstack(totals), instance.exponent))
    penalty = 0.5 * instance.strengths[-1] * powers
    if instance.kind == "svm":
        penalty = penalty + 0.5 * instance.strengths[0] * cp.sum_squares(w)
    held = np.flatnonzero(instance.flags)
    constraints = [w[held] >= 0] if held.size else []
    posed = cp.Problem(cp.Minimize(loss(instance.dense @ w + b) + penalty), constraints)
    with warnings.catch_warnings():
        # The last digits asked for are not always reached; whoever uses the answer checks it.
        warnings.filterwarnings("ignore", message="Solution may be inaccurate")
        value = posed.solve(**_CLARABEL)
    assert posed.status in ("optimal", "optimal_inaccurate"), posed.status
    w.value[held] = np.maximum(w.value[held], 0.0)
    return np.asarray(w.value), float(b.value) if instance.fit_intercept else 0.0, float(value)


class OwnHuberLoss:
    """f(z) = Σᵢ ωᵢ h(zᵢ − yᵢ), h(r) = r²/2 up to |r| = δ and linear beyond

    A user's own loss, by what the interface that `solvers.losses` documents asks at least.
    """

    delta = 0.6
    shift_invariant = True

    def __init__(self, y, sample_weight):
        self.y = y
        self.sample_weight = sample_weight
        self.curvature = sample_weight

    def value(self, z):
        size = np.abs(z - self.y)
        inside = np.minimum(size, self.delta)
        return float(self.sample_weight @ (inside * (size - 0.5 * inside)))

    def gradient(self, z):
        return self.sample_weight * np.clip(z - self.y, -self.delta, self.delta)

    def best_intercept(self, z):
        low, high = (self.y - z).min(), (self.y - z).max()
        for _ in range(200):
            middle = 0.5 * (low + high)
            if self.gradient(z + middle).sum() > 0.0:
                high = middle
            else:
                low = middle
        return 0.5 * (low + high)

    def dual_value(self, theta):
        return float(theta @ self.y - 0.5 * (theta @ (theta / self.sample_weight)))

    def largest_multiple(self, theta):
        largest = np.max(np.abs(theta) / self.sample_weight)
        return self.delta / largest if largest > 0.0 else np.inf

    def feasible(self, theta, balanced):
        largest = self.delta * self.sample_weight
        theta = np.clip(theta, -largest, largest)
        if not balanced:
            return theta
        positive, negative = theta[theta > 0].sum(), -theta[theta < 0].sum()
        least = min(positive, negative)
        if least == 0.0:
            return np.zeros_like(theta)
        return np.where(theta > 0, theta * (least / positive), theta * (least / negative))

    def best_multiple(self, theta, quadratic):
        return None


# -- random problems ------------------------------------------------------------------------------


def disjoint_groups(n_features, n_groups, rng) -> Groups:
    """Groups of unequal sizes, in shuffled order."""
    labels = np.concatenate([np.arange(n_groups), rng.integers(0, n_groups, n_features - n_groups)])
    return Groups.from_labels(rng.permutation(labels))


def overlapping_groups(n_features, n_groups, rng) -> Groups:
    """A partition, each of whose groups also takes in a few features of the others."""
    lists = []
    for members in disjoint_groups(n_features, n_groups, rng).lists():
        extra = rng.choice(n_features, size=max(2, n_features // 6), replace=False)
        lists.append(sorted({*members, *extra.tolist()}))
    return Groups.from_lists(lists, n_features)


def stored(X, storage):
    """X in one of the `STORAGES`."""
    if storage == "C":
        return np.ascontiguousarray(X)
    if storage == "Fortran":
        return np.asfortranarray(X)
    if storage == "float32":
        return X.astype(np.float32)
    return sparse.csr_array(X) if storage == "csr" else sparse.csc_array(X)


def random_instance(
    kind,
    seed,
    *,
    overlapping=False,
    fit_intercept=False,
    weighted=False,
    storage="C",
    n_samples=14,
    n_features=18,
    n_groups=4,
    strengths=None,
    exponent=2.0,
    **penalty_options,
) -> Instance:
    """A problem with a planted model, noise, and columns that are not centred."""
    rng = np.random.default_rng([seed, ALL_KINDS.index(kind)])
    X = rng.standard_normal((n_samples, n_features)) + 0.5 * rng.standard_normal(n_features)
    if kind == "svm":
        # LICP's iterations grow with ‖X‖²/α; the tests should not wait for that.
        X *= 0.5
    if storage in ("csr", "csc"):
        X *= rng.random(X.shape) < 0.4
    make_groups = overlapping_groups if overlapping else disjoint_groups
    groups = make_groups(n_features, n_groups, rng)
    planted = rng.standard_normal(n_features) * (rng.random(n_features) < 0.3)
    response = X @ planted + 0.3 * rng.standard_normal(n_samples) + 0.7
    if kind == "lasso":
        y = response
    elif kind == "huber":
        y = response + 8.0 * (rng.random(n_samples) < 0.2)
    elif kind == "poisson":
        X = 0.5 * X
        y = rng.poisson(np.exp(0.5 * np.clip(response, -4.0, 4.0))).astype(float)
        y[0] = 3.0
    else:
        y = np.where(response > np.median(response) - 0.2, 1.0, -1.0)
        y[:2] = 1.0, -1.0
    if strengths is None:
        size = 10.0 ** rng.uniform(-1.0, 1.0)
        strengths = (1.0, size) if kind == "svm" else (size,)
    weight = rng.uniform(0.2, 3.0, n_samples) if weighted else None
    return Instance(
        kind,
        stored(X, storage),
        y,
        groups,
        strengths,
        fit_intercept=fit_intercept,
        sample_weight=weight,
        exponent=exponent,
        **penalty_options,
        name="-".join(
            [
                kind,
                "overlapping" if overlapping else "disjoint",
                "intercept" if fit_intercept else "plain",
                "weighted" if weighted else "unweighted",
                storage,
                str(seed),
            ]
        ),
    )


def every_combination() -> list[Instance]:
    """Loss × groups × intercept × weights, a random problem each in two of four storages.

    All pairs are there, and for every loss all triples without storages.
    """
    instances = []
    options = itertools.product(KINDS, (False, True), (False, True), (False, True), STORAGES[:4])
    for seed, (kind, overlapping, fit_intercept, weighted, storage) in enumerate(options):
        if (fit_intercept == weighted) == (storage in ("C", "csr")):
            instances.append(
                random_instance(
                    kind,
                    seed,
                    overlapping=overlapping,
                    fit_intercept=fit_intercept,
                    weighted=weighted,
                    storage=storage,
                )
            )
    return instances


def with_loss(instance: Instance, loss, **options) -> SmoothProblem:
    """The same data under any smooth loss."""
    return SmoothProblem(
        instance.X,
        instance.y,
        instance.groups,
        instance.strengths[0],
        loss=loss,
        fit_intercept=instance.fit_intercept,
        sample_weight=instance.sample_weight,
        exponent=instance.exponent,
        **options,
    )


def variant(instance: Instance, **changes) -> Instance:
    return replace(instance, **changes)
