"""Problems that nobody would pose: odd shapes, ranks, scales and groups, and what must still hold.

Each is drawn at an ordinary scale, where CVXPY gives a reference, and then multiplied by powers of
two up to 2^±498 (about 1e±150), which changes no digit: X → aX, y → by and λ → a²λ give b/a times
the solution and, for the squared loss, b² times the objective. Some are stored sparse, and some
have penalties far from anything that suits the data.
"""

from __future__ import annotations

import signal
import threading
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy import sparse

from solvers import Groups
from solvers.result import STATUSES
from tests.oracles import HUBER_DELTA, KINDS, Instance

LARGEST_EXPONENT = 498
CPU_SECONDS_AT_MOST = 60.0  # far more than any answer needs: what takes longer does not end


@dataclass(frozen=True)
class Odd:
    """An instance at an ordinary scale, and the exponents of two that it is multiplied with."""

    plain: Instance
    data_exponent: int
    target_exponent: int

    @property
    def scaled(self) -> Instance:
        plain = self.plain
        X = np.ldexp(plain.dense, self.data_exponent)
        return replace(
            plain,
            X=sparse.csr_array(X) if sparse.issparse(plain.X) else X,
            y=np.ldexp(plain.y, self.target_exponent) if plain.kind == "lasso" else plain.y,
            strengths=tuple(np.ldexp(s, 2 * self.data_exponent) for s in plain.strengths),
        )

    def unscaled_objective(self, objective: float) -> float:
        if self.plain.kind != "lasso":
            return objective
        return float(np.ldexp(objective, -2 * self.target_exponent))

    def unscaled_point(self, w, intercept) -> tuple[np.ndarray, float]:
        target_exponent = self.target_exponent if self.plain.kind == "lasso" else 0
        return (
            np.ldexp(w, self.data_exponent - target_exponent),
            float(np.ldexp(intercept, -target_exponent)),
        )


@lru_cache(maxsize=100)
def odd_problem(seed: int) -> Odd:
    """The same object every time, so that its reference is computed once."""
    rng = np.random.default_rng([20_261_116, seed])
    kind = KINDS[seed % len(KINDS)]
    n_samples = int(rng.choice([1, 2, 3, 6, 15, 40]))
    n_features = int(rng.choice([1, 2, 5, 12, 40]))
    X = _odd_matrix(n_samples, n_features, rng)
    plain = Instance(
        kind,
        X,
        _odd_target(kind, X, rng),
        _odd_groups(n_features, rng),
        _odd_strengths(kind, X, rng),
        fit_intercept=bool(rng.random() < 0.4),
        sample_weight=rng.integers(0, 4, n_samples) + 0.5 if rng.random() < 0.2 else None,
        name=str(seed),
    )
    data_exponent = target_exponent = 0
    if rng.random() < 0.5:
        data_exponent, target_exponent = (
            int(e) for e in rng.integers(-LARGEST_EXPONENT, LARGEST_EXPONENT, 2)
        )
    if rng.random() < 0.2:
        plain = replace(plain, X=sparse.csr_array(plain.X))
    if rng.random() < 0.1:
        factor = (
            10.0 ** rng.uniform(-100, 100) if data_exponent == 0 else 10.0 ** rng.uniform(-9, 9)
        )
        plain = replace(plain, strengths=tuple(factor * s for s in plain.strengths))
    while not all(_in_range(strength, 2 * data_exponent) for strength in plain.strengths):
        data_exponent //= 2
    return Odd(plain, data_exponent, target_exponent)


def odd_options(seed: int) -> Odd:
    """An odd problem with signs and weights, some of them 0, and every other one of a new loss."""
    odd = odd_problem(seed)
    rng = np.random.default_rng([20_261_118, seed])
    plain, n_features = odd.plain, odd.plain.groups.n_features
    if rng.random() < 0.5 and plain.kind != "svm":
        kind = {"lasso": "huber", "logistic": "poisson"}[plain.kind]
        y = plain.y if kind == "huber" else rng.poisson(np.exp(rng.uniform(-1, 4, plain.y.size)))
        # A reference at an ordinary scale only: Huber's δ and an exponential do not scale.
        odd, plain = (
            replace(odd, data_exponent=0, target_exponent=0),
            replace(plain, kind=kind, y=y),
        )
    changes = {}
    if rng.random() < 0.6:
        changes["positive"] = True if rng.random() < 0.3 else rng.random(n_features) < 0.5
    if rng.random() < 0.6:
        weight = 10.0 ** rng.uniform(-3, 3, n_features)
        if plain.kind not in ("logistic", "poisson") and n_features > 1:
            weight[rng.integers(1, n_features)] = 0.0
        changes["feature_weight"] = weight
    if rng.random() < 0.6:
        changes["group_weight"] = 10.0 ** rng.uniform(-3, 3, plain.groups.n_groups)
    return replace(odd, plain=replace(plain, **changes))


@dataclass(frozen=True)
class Answer:
    """How a method ended, "refused" included, and what is wrong with that."""

    status: str
    complaints: list[str]


def answer(odd: Odd, key: str, *, tol=1e-6, **limits) -> Answer:
    """Put an odd problem to a method, within limits if any; a refusal in words is an answer."""
    try:
        with warnings.catch_warnings(), _an_end():
            warnings.simplefilter("error")
            result = odd.scaled.solve(method=key, tol=tol, **limits)
    except ValueError as refusal:
        text = str(refusal)
        clear = text.endswith(".") and len(text) > 20
        return Answer("refused", [] if clear else [f"refused without a reason: {text}"])
    except (ArithmeticError, IndexError, TimeoutError, Warning) as raised:
        return Answer("raised", [f"{type(raised).__name__}: {raised}"])
    wrong = _not_an_answer(result, tol) or _against_reference(odd, result, tol)
    return Answer(result.status, wrong)


@contextmanager
def _an_end():
    """An endless loop becomes an exception, by the CPU time of this process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_):
        raise TimeoutError(f"no answer after {CPU_SECONDS_AT_MOST:.0f} s of CPU time")

    previous = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS_AT_MOST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, previous)


def _not_an_answer(result, tol) -> list[str]:
    found = []
    numbers = [*result.w, result.intercept, result.objective]
    if not np.all(np.isfinite(numbers)):
        found.append(f"not finite: objective {result.objective}, intercept {result.intercept}")
    if np.isnan(result.gap) or np.isnan(result.bound):
        found.append(f"gap {result.gap}, bound {result.bound}")
    if result.status not in STATUSES or result.status == "running":
        found.append(f"status {result.status}")
    if result.converged and not result.gap <= tol:
        found.append(f"converged with a gap of {result.gap:.1e}")
    return found


def _against_reference(odd: Odd, result, tol) -> list[str]:
    """The bound must lie below what CVXPY reached, a certified objective close above it, and the
    objective must be that of the point."""
    found = []
    upper, _ = lowest_known(odd.plain)
    bound = odd.unscaled_objective(result.bound)
    objective = odd.unscaled_objective(result.objective)
    slack = 1e-8 * max(abs(upper), np.finfo(float).tiny)
    if bound > upper + slack:
        found.append(f"the bound {bound:.12g} is above an attained objective {upper:.12g}")
    if result.converged and objective > upper + 2 * tol * abs(upper) + slack:
        found.append(f"certified {objective:.12g}, but {upper:.12g} can be reached")
    point = odd.unscaled_point(result.w, result.intercept)
    recomputed = odd.plain.objective(*point)
    if abs(objective - recomputed) > 1e-7 * abs(recomputed) + slack + _rounding(odd.plain, *point):
        found.append(f"says {objective:.12g}, but its point has {recomputed:.12g}")
    return found


def _rounding(plain: Instance, w, intercept) -> float:
    """How far rounding may move the loss of a point: large terms that cancel leave small ones."""
    sizes = np.abs(plain.dense) @ np.abs(w) + abs(intercept) + np.abs(plain.y)
    error = np.finfo(float).eps * (plain.dense.shape[1] + 2) * sizes
    slope = 1.0
    if plain.kind == "lasso":
        slope = np.abs(plain.dense @ w + intercept - plain.y) + error
    elif plain.kind == "huber":
        slope = HUBER_DELTA
    elif plain.kind == "poisson":
        slope = np.exp(plain.dense @ w + intercept) + plain.y
    return float(np.sum(plain.weight * slope * error))


def lowest_known(plain: Instance) -> tuple[float, bool]:
    """The lowest objective known, and whether CVXPY found a point: without it, that of w = 0."""
    zero = np.zeros(plain.dense.shape[1])
    values = [plain.objective(zero, plain.best_intercept(zero))]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reference = plain.reference
    except Exception:  # the reference may fail where ours must not
        return values[0], False
    if not np.isfinite(reference.upper):
        return values[0], False
    return min(values[0], reference.upper), True


def _in_range(value: float, exponent: int) -> bool:
    """Whether value · 2^exponent keeps all its digits."""
    return abs(np.frexp(value)[1] + exponent) < 1000


def _odd_matrix(n_samples, n_features, rng) -> np.ndarray:
    X = rng.standard_normal((n_samples, n_features))
    for change in rng.choice(
        ["none", "low rank", "zero column", "equal columns", "constant", "uneven", "integers"], 2
    ):
        if change == "low rank":
            X = np.outer(rng.standard_normal(n_samples), rng.standard_normal(n_features))
        elif change == "zero column":
            X[:, rng.integers(n_features)] = 0.0
        elif change == "equal columns":
            X[:, rng.integers(n_features)] = X[:, 0]
        elif change == "constant":
            X[:, rng.integers(n_features)] = 1.0
        elif change == "uneven":
            X = X * 10.0 ** rng.uniform(-6, 6, n_features)
        elif change == "integers":
            X = np.round(2 * X)
    return X


def _odd_target(kind, X, rng) -> np.ndarray:
    n_samples = X.shape[0]
    if kind != "lasso":
        return np.where(rng.random(n_samples) < rng.choice([0.1, 0.5]), 1.0, -1.0)
    y = rng.standard_normal(n_samples)
    change = rng.choice(["none", "zero", "constant", "outlier", "in span"])
    if change == "zero":
        y = np.zeros(n_samples)
    elif change == "constant":
        y = np.ones(n_samples)
    elif change == "outlier":
        y[rng.integers(n_samples)] = 1e6
    elif change == "in span":
        y = X @ rng.standard_normal(X.shape[1])
    return y


def _odd_groups(n_features, rng) -> Groups:
    n_groups = int(rng.integers(1, n_features + 1))
    labels = np.concatenate([np.arange(n_groups), rng.integers(0, n_groups, n_features - n_groups)])
    groups = Groups.from_labels(rng.permutation(labels))
    if rng.random() < 0.4 and n_features > 1:
        lists = [
            sorted({*map(int, members), int(rng.integers(n_features))})
            for members in groups.lists()
        ]
        return Groups.from_lists(lists, n_features)
    return groups


def _odd_strengths(kind, X, rng) -> tuple[float, ...]:
    size = float(np.sum(X**2)) / max(1, X.shape[1]) or 1.0
    if kind == "svm":
        return tuple(size * 10.0 ** rng.uniform(-4, 4, 2))
    return (size * 10.0 ** rng.uniform(-6, 6),)
