"""Sieving: exact solutions on few features, chosen and certified by the correlations of all."""

from __future__ import annotations

import numpy as np

from ..losses import SquaredLoss
from .columns import DENSE_PRODUCT, SPARSE_PRODUCT, Columns, Coupling, Model
from .faces import FaceSolver

FIRST_FEATURES = 256  # gathered at w = 0, besides two a group; and at least as many violators later
CROWDED = 4  # gathered features per feature of the support from which the next λ starts anew
LARGE_STORE = 2048
NOISE = 1e-11  # of the largest correlation: below it a violation is rounding
MOST_STEPS = 100  # Newton steps on one set of features
FEW_CHANGES = 8  # of the support, before which trouble is not judged
# Relative decrease from which a Newton step is the last: steps square what is missing. Before the
# violators at a new λ are known, one from which they can be told.
LAST_GAIN, FIRST_GAIN = 1e-7, 5e-2
DESCENT = 1e-2  # share of the promised decrease that a step must keep


class Sieve:
    """min f(Xw + b) + λ/2 ‖A|w|‖² for one λ after the other, each from the support of the last

    On a set of features that holds the support the problem is small, and is solved to the last
    digit: by linear systems on the support for least squares, and by Newton steps that are such
    problems for the other losses. One product Xᵀθ then finds the features left out that violate
    optimality, and the most violating join, until there is none; the same product certifies the
    point. `work` counts what was done, in floating-point operations of a dense factorisation.
    """

    def __init__(self, problem, w0=None):
        self.problem = problem
        self.work = 0.0
        self.size = 0  # of the last linear system
        self.settled = True
        self._coupling = Coupling(problem.geometry)
        self._quadratic = isinstance(problem.loss, SquaredLoss)
        self._product = product_work(problem.design)
        self._forget()
        self.w = np.zeros(problem.n_features)
        self.v = None
        if w0 is not None:
            self.start(w0)

    def start(self, w) -> None:
        """Go on from another point, such as another method's."""
        if not np.array_equal(w, self.w):
            self.w = _thinned(self.problem, w)
            self.v = None

    def _forget(self) -> None:
        self._columns = Columns(self.problem.design)
        self._model = None

    def _look(self) -> None:
        """Predictions, θ and v = Xᵀθ at w."""
        problem = self.problem
        point = problem.valued(self.w)
        theta = -problem.loss.gradient(point.predictions)
        theta = problem.loss.feasible(theta, balanced=problem.fit_intercept)
        self.v = problem.design.rmatvec(theta)
        self.work += self._product

    @property
    def trouble(self) -> float:
        """Linear systems per change of the support: one or two, unless signs keep changing."""
        return self._systems / self._changes if self._changes >= FEW_CHANGES else 1.0

    def rounds(self, problem):
        """Solve for λ of this problem: one yield per change of the support, True where v is w's.

        Ends at the optimum, or with `settled` False where the small problems do not settle.
        """
        self.problem = problem
        self._systems = self._changes = 0
        self.settled = True
        support = np.flatnonzero(self.w)
        if self._columns.features.size > max(CROWDED * support.size, LARGE_STORE):
            self._forget()
        if self.v is None:
            self._look()
        new, gain = self._entrants(first=True), FIRST_GAIN
        while True:
            self._columns.add(np.union1d(new, np.flatnonzero(self.w)))
            exact = yield from self._minimise(gain)
            self._look()
            yield True
            new, gain = self._entrants(first=False), LAST_GAIN
            if not self.settled or (exact and not new.size):
                return

    def _entrants(self, first) -> np.ndarray:
        """The features outside that violate optimality most; at w = 0 the likeliest ones."""
        problem, geometry = self.problem, self.problem.geometry
        size = geometry.magnitude(self.v)
        if not np.any(self.w):
            cover = geometry.spread(problem.penalty.cover(self.v, self.w))
            likely = np.divide(size, cover, out=np.full_like(size, np.inf), where=cover > 0.0)
            return _largest(
                likely, np.flatnonzero(size), max(FIRST_FEATURES, 2 * geometry.n_groups)
            )
        reach = geometry.spread(problem.penalty.slope(geometry.totals(self.w)))
        excess = size - reach
        violators = np.flatnonzero(excess > NOISE * size.max())
        if not first:
            violators = violators[self._columns.place[violators] < 0]
        return _largest(excess, violators, max(FIRST_FEATURES, np.count_nonzero(self.w)))

    def _minimise(self, gain):
        """The minimiser on the gathered features, or close to it; returns whether it is exact."""
        if self._quadratic:
            if self._model is None:
                self._model = Model(self._columns, self.problem.sample_weight, balanced=False)
            target = self.problem.sample_weight * self.problem.y
            yield from self._solve(self._model, self._columns.X.T @ target)
            return True
        point = self._valued(self.w)
        for _ in range(MOST_STEPS):
            promised = yield from self._newton_step(point)
            point = self._descend(point, promised)
            if not self.settled or promised <= gain * abs(point.value):
                return promised <= LAST_GAIN * abs(point.value)
        return False

    def _valued(self, w):
        """The point w with its objective, by the columns that are gathered."""
        support = np.flatnonzero(w)
        return self.problem.valued(w, self._columns.X[:, self._columns.place[support]] @ w[support])

    def _newton_step(self, point):
        """Minimise the quadratic model of the loss at w; returns the decrease it promises."""
        problem, columns = self.problem, self._columns
        curvature = problem.loss.second_derivative(point.predictions)
        model = Model(columns, curvature, balanced=problem.fit_intercept)
        theta = -problem.loss.gradient(point.predictions)
        yield from self._solve(model, columns.X.T @ (model.curved(point.predictions) + theta))
        step = self.w - point.w
        moved = np.flatnonzero(step)
        along = columns.X[:, columns.place[moved]] @ step[moved]
        fall = problem.penalty.value(point.w) - problem.penalty.value(self.w)
        return float(theta @ along + fall - 0.5 * (along @ model.curved(along)))

    def _descend(self, start, promised):
        """Shorten the step from `start` to w until the objective falls; returns the point."""
        target, step = self.w, 1.0
        while True:
            self.w = target if step == 1.0 else start.w + step * (target - start.w)
            point = self._valued(self.w)
            # At the last digits the comparison is noise.
            if point.value <= start.value - DESCENT * step * promised + 1e-14 * abs(start.value):
                return point
            step *= 0.5
            if step < 1e-8:
                self.w, self.settled = start.w, False
                return start

    def _solve(self, model, correlations):
        support = np.flatnonzero(self.w)
        places = self._columns.place[support]
        solver = FaceSolver(
            model, self._coupling, self.problem.lam, correlations, places, self.w[support]
        )
        rounds = solver.rounds()
        while True:
            try:
                next(rounds)
            except StopIteration as end:
                self.settled = bool(end.value)
                self._take(solver)
                return
            self.work, solver.work = self.work + solver.work, 0.0
            self._systems, solver.systems = self._systems + solver.systems, 0
            self._changes += 1
            self.size = solver.support.size
            if self._quadratic:
                # Other losses only promise to fall along the way, as far as a line search finds.
                self._take(solver)
            yield False

    def _take(self, solver) -> None:
        self.w = np.zeros_like(self.w)
        self.w[self._columns.features[solver.support]] = solver.w


def product_work(design) -> float:
    """The work of one product with X or its transpose."""
    return (SPARSE_PRODUCT if design.is_sparse else DENSE_PRODUCT) * design.flops


def _largest(values, among, most) -> np.ndarray:
    if among.size <= most:
        return among
    return among[np.argpartition(-values[among], most - 1)[:most]]


def _thinned(problem, w0) -> np.ndarray:
    """w0, or its largest entries where it has more than any sparsest minimiser."""
    w0 = problem.geometry.clip(np.asarray(w0, dtype=float))
    most = problem.n_samples + problem.groups.n_groups
    w = np.zeros(problem.n_features)
    kept = _largest(np.abs(w0), np.flatnonzero(w0), most)
    w[kept] = w0[kept]
    return w
