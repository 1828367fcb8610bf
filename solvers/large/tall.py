"""Newton steps where the samples are too many for any columns to be held.

Of the data a quadratic model of the loss needs XᵀHX on the features in question, which one pass
adds up however many samples there are. With RᵀR = XᵀHX its minimiser is that of

    ½ ‖Rw − t‖² + λ/2 ‖w‖_e²,

an E-LASSO with as many samples as features, solved in memory. A step takes three passes: that sum,
Xw, and the product Xᵀθ which certifies the point and tells the features that are missing.
"""

from __future__ import annotations

import numpy as np

from ..automatic import automatic_smooth
from ..linear_algebra import cholesky
from ..problems import Candidate, SVMProblem, relative_gap
from ..problems.smooth import LassoProblem
from ..tracking import solve
from .working_sets import more_features

MOST_FEATURES = 2048  # whose products are held: 32 MB
TASK_ENTRIES = 2**25  # of their columns in the rows of one block: 256 MB
LIFT = 1e-12  # of the diagonal, where rounding has made the products indefinite
FINER = 1e-3  # the gap of a model, of that of the problem
LAST_LEVEL = 1e-13
OUT_OF_DIGITS = 1e-9  # a gap at which a step that does not help says that no other would
MOST_STEPS = 30
HALVINGS = 20
ENOUGH = 1e-4  # of the decrease that the slope promises
NARROWER = 0.2
BOLDER, MORE_CAREFUL = 0.1, 10.0  # the care after a whole step, and after a part of one


class SmoothedHinge:
    """f(z) = Σᵢ ωᵢ h(1 − yᵢzᵢ), h(r) = r²/2δ from 0 up to δ and r − δ/2 beyond, δ the `width`

    The hinge with its corner rounded, δ/2 below it at most; u = ω·h′ is a dual point of the E-SVM.
    """

    def __init__(self, y, sample_weight, width):
        self.y, self.sample_weight, self.width = y, sample_weight, width
        self.curvature = sample_weight / width

    def _share(self, z) -> np.ndarray:
        """h′"""
        return np.clip((1.0 - self.y * z) / self.width, 0.0, 1.0)

    def value(self, z) -> float:
        share = self._share(z)
        return float(self.sample_weight @ (share * (1.0 - self.y * z - 0.5 * self.width * share)))

    def gradient(self, z) -> np.ndarray:
        return -self.sample_weight * self.y * self._share(z)

    def second_derivative(self, z) -> np.ndarray:
        share = self._share(z)
        return self.curvature * ((share > 0.0) & (share < 1.0))

    def best_intercept(self, z) -> float:
        """The root of the slope, which is non-decreasing, by halving."""
        low, high = float((-1.0 - z).min()) - self.width, float((1.0 - z).max()) + self.width
        for _ in range(100):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            low, high = (low, middle) if self.gradient(z + middle).sum() > 0.0 else (middle, high)
        return 0.5 * (low + high)

    def slack(self, z) -> float:
        """Σ ω·(hinge − h′·(1 − yz)): what is left of the E-SVM's gap at the optimum of this."""
        share = self._share(z)
        return float(self.sample_weight @ ((1.0 - share) * np.maximum(1.0 - self.y * z, 0.0)))


class SmoothView:
    """A problem with a smooth loss, as the steps see it."""

    ridge = 0.0

    def __init__(self, problem):
        self.loss, self.lam = problem.loss, problem.lam

    def candidate(self, w, theta) -> Candidate:
        return Candidate(w)

    def changed(self, predictions, score) -> bool:
        """Nothing changes on the way."""
        return False


class HingeView:
    """The E-SVM with the corner of its hinge rounded, ever less as the gap closes."""

    def __init__(self, problem):
        self._problem, self._width = problem, 1.0
        self.ridge, self.lam = problem.alpha, problem.beta

    @property
    def loss(self) -> SmoothedHinge:
        return SmoothedHinge(self._problem.y, self._problem.sample_weight, self._width)

    def candidate(self, w, theta) -> Candidate:
        return Candidate(w, dual=self._problem.y * theta)

    def changed(self, predictions, score) -> bool:
        """Where most of the gap is what the rounding leaves at its own optimum, round less."""
        narrower = self.loss.slack(predictions) > 0.5 * (score.objective - score.bound)
        if narrower:
            self._width *= NARROWER
        return narrower


def newton(problem, point, otherwise):
    """Candidates from a point on, one a step

    Those of `otherwise` where too many features matter, or steps no longer help.
    """
    view = HingeView(problem) if isinstance(problem, SVMProblem) else SmoothView(problem)
    design, w, chosen, known, care = problem.design, point.w, None, None, 1.0
    image = design.matvec(w)
    for _ in range(MOST_STEPS):
        loss = view.loss
        predictions = image + _intercept(problem, loss, image)
        theta = -loss.gradient(predictions)
        candidate = view.candidate(w, theta)
        yield lambda candidate=candidate: candidate
        score = problem.score(candidate)
        gap = min(1.0, relative_gap(score.objective, score.bound))
        chosen = more_features(problem, candidate, chosen, MOST_FEATURES)
        if chosen is None or design.most_rows * chosen.size > TASK_ENTRIES:
            break
        pull = design.rmatvec(theta)
        curvature = _curvature(loss, predictions, care)
        if known is None or not all(map(np.array_equal, known[0], (chosen, curvature))):
            known = (chosen, curvature), _products(problem, chosen, curvature)
        target = np.zeros_like(w)
        target[chosen] = _minimiser(problem, view, chosen, known[1], w, pull, gap)
        w, image, step = _towards(problem, view, (w, image, pull), target)
        if not view.changed(predictions, score) and step == 0.0 and care >= 1.0:
            if gap <= OUT_OF_DIGITS:
                return
            break
        care = min(1.0, care * (BOLDER if step == 1.0 else MORE_CAREFUL))
    yield from otherwise(problem, candidate)


def _intercept(problem, loss, image) -> float:
    return loss.best_intercept(image) if problem.fit_intercept else 0.0


def _curvature(loss, predictions, care) -> np.ndarray:
    """f″, raised by a share of its bound: far from the minimum f″ alone promises too much."""
    second = loss.second_derivative(predictions)
    return np.maximum(second, np.minimum(loss.curvature, second + care * loss.curvature))


def _products(problem, chosen, curvature) -> np.ndarray:
    """X̃ᵀHX̃ of those features, X̃ less its H-weighted means where an intercept is fitted"""
    gram = problem.design.gram(chosen, curvature)
    total = float(curvature.sum())
    if problem.fit_intercept and total > 0.0:
        sums = gram[-1, :-1]
        return gram[:-1, :-1] - np.outer(sums, sums / total)
    return gram[:-1, :-1]


def _minimiser(problem, view, chosen, products, w, pull, gap) -> np.ndarray:
    """argmin over w′ of the model at w: ½(w′ − w)ᵀG(w′ − w) − pullᵀ(w′ − w) + Ω(w′)"""
    matrix = products + view.ridge * np.eye(chosen.size)
    factor = cholesky(matrix, lift=LIFT)
    if factor is None:
        return w[chosen]
    linear = matrix @ w[chosen] - view.ridge * w[chosen] + pull[chosen]
    model = LassoProblem.on(
        problem.geometry.on(chosen), factor.lower.T, factor.half_solve(linear), view.lam
    )
    level = max(FINER * gap, LAST_LEVEL)
    return solve(model, automatic_smooth, tol=level, w0=w[chosen], reproducible=True).w


def _towards(problem, view, here, target):
    """As far towards the target as the objective falls, with the image there; how far."""
    w, image, pull = here
    design, loss = problem.design, view.loss
    direction, way = target - w, design.matvec(target) - image

    def penalty(w) -> float:
        return problem.penalty.value(w) + 0.5 * view.ridge * float(w @ w)

    def value(w, image) -> float:
        return loss.value(image + _intercept(problem, loss, image)) + penalty(w)

    before, slope = value(w, image), penalty(target) - penalty(w) - float(pull @ direction)
    for step in 0.5 ** np.arange(HALVINGS):
        # The target itself, with its exact zeros, where it is good enough.
        there = target if step == 1.0 else w + step * direction
        if value(there, image + step * way) < before + min(0.0, ENOUGH * step * slope):
            design.recall(there, image + step * way)
            return there, image + step * way, float(step)
    return w, image, 0.0
