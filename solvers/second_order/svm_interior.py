"""E-SVM for any groups by a primal–dual interior point.

    minimise  Σ ω_i ξ_i + α/2 (‖p‖² + ‖q‖²) + β/2 ‖A(p + q)‖²   over  p, q, ξ ≥ 0, b
    subject to  y_i(x_iᵀ(p − q) + b) + ξ_i ≥ 1

w = p − q: at the optimum p and q have disjoint supports, so α/2‖p − q‖² may be written with a
diagonal Hessian. A feature that must not be negative has no q. Every Newton system reduces to one
matrix XEXᵀ + Θ (N × N), or by Woodbury to n × n when N > n; overlapping groups add one m × m
factorisation. Mehrotra's predictor–corrector: 10 to 35 iterations whatever α, β, the data's rank or
the overlap.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from ..method import Method
from ..problems import Candidate
from .group_blocks import GroupBlocks, dense_groups
from .interior import Form
from .svm_elimination import Coupling, elimination_of
from .svm_pieces import longest_step, newton_fits, polish

_BACK_OFF = 0.99
# Relative complementarity between which only points with exact zeros are shown, and how much more
# than it zeros may cost further on.
ZEROS_FROM, ZEROS_TO, WRONG, ZEROS_NOISE = 1e-11, 1e-3, 1000.0, 1e-13
TINY = np.finfo(float).tiny
INSIDE = 0.3  # relative complementarity of a warm start, per factor e between the strengths
LEAST_PRODUCT = 0.5  # of a pair there, of the mean
FEW_SAVED = 2  # iterations that a warm start must save
JAMMED, JAMMED_STEPS = 0.5, 3  # what steps must leave of complementarity, of so many in a row
SETTLED = 1e-6  # from which it has mostly chosen between a weight and its multiplier
SMALL_INCIDENCE = 10_000  # entries of A, up to which a call of a sparse product costs more than all
LARGEST_PIECE = 1000  # samples for which solving a piece is cheap beside an iteration


def svm_interior_point(problem, w0=None, *, exact=False, trail=None):
    """Certified to 1e-9 and usually beyond in 10 to 35 iterations; returns when rounding stops it.

    Cost an iteration: a Gram matrix of min(N, n) rows over all of X and its Cholesky factor. w0 is
    not used: an interior point gains nothing from a start on the boundary. With `exact`, every w
    that is shown has exact zeros, however loose the tolerance. `trail` is a `Trail` of a problem
    that differs in its strengths.
    """
    state = _start(problem)
    if state is None:
        # Xᵀ(y∘u) = 0 at the largest balanced u: w = 0 is optimal and this u proves it.
        u = problem.central_dual()
        yield lambda: Candidate(np.zeros(problem.design.shape[1]), dual=u)
        return
    model, near = _Model(problem), None if trail is None else trail.near(problem)
    if near is not None:
        trail.begin(problem)
        while near is not None and not trail.jammed:
            trail.add(near)
            yield partial(_candidate, problem, near, exact)
            near = _advance(model, near)
    if trail is not None:
        trail.begin(problem)
    while state is not None:
        if trail is not None:
            trail.add(state)
        yield partial(_candidate, problem, state, exact)
        state = _advance(model, state)


class Trail:
    """The iterates for one pair of strengths, from which those for a neighbouring pair set out.

    The solution itself is on the boundary, where an interior point would jam; an iterate as far
    inside as the strengths are apart is not.
    """

    def __init__(self):
        self._strengths, self._states, self._sizes = None, [], []

    def begin(self, problem) -> None:
        self._strengths = np.log([problem.alpha, problem.beta])
        self._states, self._sizes = [], []

    def add(self, state) -> None:
        self._states.append(state)
        self._sizes.append(state.complementarity() / max(float(state.u.sum()), TINY))

    @property
    def jammed(self) -> bool:
        """Whether the last steps have brought nearly nothing."""
        sizes = self._sizes
        return len(sizes) > JAMMED_STEPS and sizes[-1] > JAMMED * sizes[-1 - JAMMED_STEPS]

    def near(self, problem) -> _State | None:
        """The last iterate that is well inside for those strengths; None where none is."""
        if not self._states:
            return None
        apart = np.abs(np.log([problem.alpha, problem.beta]) - self._strengths).max()
        inside = np.flatnonzero(np.array(self._sizes) >= INSIDE * apart)
        if inside.size <= FEW_SAVED:
            return None
        # Far from 0 the penalty holds w, and the loss takes what it leaves: w grows like √(1/β).
        grown = float(np.exp(0.5 * (self._strengths[1] - np.log(problem.beta))))
        return _centred(self._states[inside[-1]], grown)


def _centred(state, grown) -> _State:
    """The iterate with w that many times as large, and no product far below the mean."""
    values = {name: getattr(state, name) for name in _State.names}
    values |= {name: grown * values[name] for name in ("p", "q", "b")}
    pairs = _State.pairs
    total = sum(values[x] @ values[z] for x, z in pairs)
    least = LEAST_PRODUCT * total / sum(values[x].size for x, _ in pairs)
    for x, z in pairs:
        values[z] = np.maximum(values[z], least / values[x])
    return _State(state.lift, **values)


def interior_fits(problem, largest_system=5000, largest_table=2e8):
    """Whether one dense copy of X and one dense Newton matrix are affordable."""
    n_samples, n_features = problem.design.shape
    systems = min(n_samples, n_features)
    if problem.groups.overlapping:
        coupling = Coupling.fitting(problem.geometry)
        dense = coupling.dense_size if coupling else dense_groups(problem.geometry)
        systems = max(systems, dense)
    return systems <= largest_system and n_samples * n_features <= largest_table


class _State:
    """Primal (p, q, b), dual (u, s), multipliers (zp, zq) of p, q and (t, ξ) of 0 ≤ u ≤ ω.

    q and zq are as long as the features that may be negative; `lift` puts them in place.
    """

    # room = ω − u is carried along: the difference would round to zero.
    names = ("p", "q", "zp", "zq", "u", "room", "t", "xi", "s", "b")
    pairs = (("p", "zp"), ("q", "zq"), ("u", "t"), ("room", "xi"))

    def __init__(self, lift, **values):
        self.lift = lift
        self.__dict__.update(values)

    def moved(self, step, change):
        moved = {name: getattr(self, name) + step * getattr(change, name) for name in self.names}
        return _State(self.lift, **moved)

    def complementarity(self):
        return sum(getattr(self, x) @ getattr(self, z) for x, z in self.pairs)

    def longest_step(self, change):
        return longest_step(self._positive, change._positive)

    @property
    def _positive(self):
        """All that must not be negative, in one array: small problems would wait for eight calls"""
        return np.concatenate([getattr(self, name) for pair in self.pairs for name in pair])

    @property
    def w(self):
        return self.p - self.lift(self.q)

    @property
    def settled(self):
        """w with exact zeros where complementarity has chosen the multiplier."""
        return _settled(self.p, self.zp) - self.lift(_settled(self.q, self.zq))


def _candidate(problem, state, exact) -> Candidate:
    """w with exact zeros: solved on its piece where groups are disjoint, else a guess.

    Early, and where a guess turns out wrong at the end (with duplicated features a small p may
    belong to the solution), the iterate as it is stands beside it.
    """
    u, settled = state.u, state.settled
    error = state.complementarity() / max(float(u.sum()), TINY)
    if exact and error > SETTLED and not problem.groups.overlapping:
        return Candidate(problem.conjugate_gradient(problem.weighted_samples(u)), dual=u)
    if error > ZEROS_TO:
        return Candidate(settled, dual=u, other_w=state.w)
    large = u.size > min(settled.size, LARGEST_PIECE)
    if problem.groups.overlapping or large or not newton_fits(u.size, settled):
        other = state.w if _misses(problem, settled, state, error) else None
        return Candidate(settled, dual=u, other_w=other)
    on_piece = polish(problem, settled, u)
    # With little ridge w(u) has fewer digits than u, and the guess is better.
    sparse = problem.conjugate_gradient(problem.weighted_samples(on_piece))
    other = state.w if _misses(problem, settled, state, error) else settled
    return Candidate(sparse, dual=u, other_w=other, other_dual=on_piece)


def _misses(problem, settled, state, error) -> bool:
    """Whether zeros cost far more than is left of complementarity, at the end where that tells."""
    if error > ZEROS_FROM:
        return False
    cost = problem.valued(settled).value - problem.valued(state.w).value
    return cost > max(WRONG * error, ZEROS_NOISE) * float(state.u.sum())


def _settled(p, z):
    """p with exact zeros where complementarity seems to have chosen z > 0 = p."""
    return np.where(p < 1e-3 * (p.max() / z.max()) * z, 0.0, p) if p.size else p


def _start(problem):
    """A point well inside, of the size of the solution; None if w = 0 is optimal."""
    design, y, weight = problem.design, problem.y, problem.sample_weight
    alpha, beta, A = problem.alpha, problem.beta, problem.geometry.incidence
    n_samples, n_features = design.shape
    sides = _sides(problem)
    u = 0.5 * problem.central_dual()
    v = design.rmatvec(y * u)
    pull = problem.geometry.clip(v)
    square = pull @ pull
    if square == 0.0:
        return None
    # Along w = c·v both Ω* and the best multiple of u are in closed form. Far below 1/100 that
    # multiple would start u on its bound.
    along = square / (alpha * square + beta * np.sum((A @ np.abs(pull)) ** 2))
    scale = max(1e-2, min(1.0, u.sum() / (along * square)))
    u, v = scale * u, scale * v
    p = np.full(n_features, scale * along * np.sqrt(square / n_features))
    q = sides.minus(p).copy()
    s = beta * (A @ (p + sides.lift(q)))
    base = alpha * p + A.T @ s
    floor = np.mean(np.abs(v)) + alpha * p[0]
    return _State(
        sides.lift,
        p=p,
        q=q,
        zp=np.maximum(base - v, floor),
        zq=sides.minus(np.maximum(base + v, floor)),
        u=u,
        room=weight - u,
        t=np.ones(n_samples),
        xi=np.full(n_samples, 2.0),
        s=s,
        b=0.0,
    )


def _sides(problem) -> Form:
    """Which features have a q, and how to put theirs in place."""
    geometry = problem.geometry
    signed = geometry.signed if geometry.constrained else None
    return Form(problem.design, geometry.incidence, problem.beta, geometry.overlapping, signed)


def _advance(model, state):
    """One predictor–corrector iteration; None when arithmetic has run out."""
    try:
        system = _NewtonSystem(model, state)
        before = state.complementarity()
        mean = before / (state.p.size + state.q.size + 2 * state.u.size)
        predictor = system.direction(
            *(-getattr(state, x) * getattr(state, z) for x, z in _State.pairs)
        )
        reached = state.moved(state.longest_step(predictor), predictor).complementarity()
        aim = mean * min(1.0, max(reached / before, 0.0)) ** 3
        # A sample's pairs are of the size of its weight; towards one aim for all, those of a weight
        # of 1e-16 would have 1e16 of the way to go.
        per_sample = aim * model.relative_weight
        change = system.direction(
            *(
                aimed
                - getattr(state, x) * getattr(state, z)
                - getattr(predictor, x) * getattr(predictor, z)
                for aimed, (x, z) in zip(
                    (aim, aim, per_sample, per_sample), _State.pairs, strict=True
                )
            )
        )
    except np.linalg.LinAlgError:
        return None
    step = state.longest_step(change)
    if not (np.all(np.isfinite(change.u)) and np.all(np.isfinite(change.p)) and step > 1e-12):
        return None
    following = state.moved(_BACK_OFF * step if step < 1.0 else 1.0, change)
    alive = all(np.all(getattr(following, name) > 0) for pair in _State.pairs for name in pair)
    return following if alive else None


class _Model:
    def __init__(self, problem):
        self.problem, self.design, self.groups = problem, problem.design, problem.groups
        self.sides = _sides(problem)
        self.incidence, self.incidence_t = self.sides.A, self.sides.AT
        if np.prod(self.incidence.shape) <= SMALL_INCIDENCE:
            self.incidence = self.dense_incidence
            self.incidence_t = np.ascontiguousarray(self.dense_incidence.T)
        self.coupling = Coupling.fitting(problem.geometry)
        self.blocks = GroupBlocks(self.incidence, self.incidence_t, self.groups.overlapping)
        self.balanced = problem.fit_intercept
        self.relative_weight = problem.sample_weight / problem.sample_weight.mean()
        every = np.arange(problem.design.shape[1])
        self.by_feature = np.ascontiguousarray(problem.design.columns(every).T)

    @cached_property
    def dense_incidence(self):
        return self.sides.A.toarray()


class _NewtonSystem:
    """The linearised optimality conditions at a state, eliminated down to du and db."""

    def __init__(self, model, state):
        problem, A, A_t = model.problem, model.incidence, model.incidence_t
        alpha, beta, y = problem.alpha, problem.beta, problem.y
        self._model, self._state = model, state
        v, reach = model.design.rmatvec(y * state.u), A_t @ state.s
        self._rp = alpha * state.p + reach - v - state.zp
        minus, q = model.sides.minus, state.lift(state.q)
        self._rq = alpha * state.q + minus(reach + v) - state.zq
        self._rs = state.s / beta - A @ (state.p + q)
        margin = y * (model.design.matvec(state.p - q) + state.b)
        self._ru = margin - 1.0 + state.xi - state.t
        self._rb = y @ state.u
        self._Dp, self._Dq = alpha + state.zp / state.p, alpha + state.zq / state.q
        theta = state.t / state.u + state.xi / state.room
        # Where there is no q nothing can move: its curvature is infinite.
        Dq = np.full(state.p.size, np.inf)
        Dq[model.problem.geometry.signed] = self._Dq
        self._elimination = elimination_of(model, self._Dp, Dq, theta)
        self._along_b = self._elimination.solve(np.ones(y.size)) if model.balanced else None

    def direction(self, cp, cq, ct, cx):
        """Step towards p·zp = p·zp + cp and so on, linearised."""
        model, state, inner = self._model, self._state, self._elimination
        y, Dp, Dq = model.problem.y, self._Dp, self._Dq
        gp, gq = cp / state.p - self._rp, cq / state.q - self._rq
        lifted = state.lift(gq / Dq)
        together = gp / Dp + lifted
        pushed = gp / Dp - lifted - inner.f * inner.sums(together, self._rs)[1]
        right = y * (ct / state.u - cx / state.room - self._ru) - model.design.matvec(pushed)
        signed = inner.solve(right)
        db = 0.0
        if model.balanced:
            db = (signed.sum() + self._rb) / self._along_b.sum()
            signed = signed - db * self._along_b
        du, dv = y * signed, model.design.rmatvec(signed)
        ds, dreach = inner.sums(together + inner.f * dv, self._rs)
        dp, dq = (gp + dv - dreach) / Dp, (gq - model.sides.minus(dv + dreach)) / Dq
        return _State(
            state.lift,
            p=dp,
            q=dq,
            zp=(cp - state.zp * dp) / state.p,
            zq=(cq - state.zq * dq) / state.q,
            u=du,
            room=-du,
            t=(ct - state.t * du) / state.u,
            xi=(cx + state.xi * du) / state.room,
            s=ds,
            b=db,
        )


def _affordable(problem) -> str | None:
    if interior_fits(problem):
        return None
    return "its dense Newton systems would be too large for these data"


svm_interior = Method(
    "interior",
    "Interior point",
    "this software; Mehrotra 1992 on the E-SVM with w = p − q",
    svm_interior_point,
    accepts=_affordable,
    max_iter=500,
    few_iterations=True,
)
