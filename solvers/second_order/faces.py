"""Quadratic problems with the exclusive penalty, solved exactly on a few columns."""

from __future__ import annotations

from functools import partial

import numpy as np

from .columns import Coupling, Model
from .face_systems import DenseSystem, ThinSystem, thin_pays

SHORTENINGS = 8  # of a step whose projection does not descend, before it is cut at a sign change
MOST_CUTS = 200  # solves on one face before it counts as stuck
FIRST_ENTRANTS = 32
MANY_STAY, FEW_STAY = 0.7, 0.4  # shares of a batch from which the next is larger, or smaller
ROUNDING = 1e-13  # of the largest correlation: below it a violation is rounding
OVERHEAD = 2e6  # of one solve, in operations: what a small one costs whatever its size


class FaceSolver:
    """min over w of ½ wᵀX̃ᵀHX̃w − cᵀw + λ/2 ‖A|w|‖² on gathered columns, exactly

    With q = |w| and signs σ this is non-negative least squares. On a support S with signs σ the
    minimiser solves (X̃_SᵀHX̃_S + λ σσᵀ ∘ A_SᵀA_S) w_S = c_S. Violators enter in batches, most
    violating first; weights that would change their sign are projected to 0 together while that
    descends, and otherwise leave as in Lawson and Hanson's method, so that every round descends.

    `work` counts operations, in those of a dense factorisation.
    """

    def __init__(self, model: Model, coupling: Coupling, lam, correlations, places, w):
        self.model, self.coupling, self.lam = model, coupling, lam
        self.correlations = correlations
        self.features = model.columns.features
        self.support, self.w, self.signs = places, w, np.sign(w)
        self.work, self.systems = 0.0, 0

    def rounds(self):
        """One yield per repaired support; returns True at the optimum, False when stuck."""
        noise = ROUNDING * float(np.abs(self.correlations).max(initial=0.0))
        before, idle, batch = np.inf, 0, Batch()
        while True:
            if not self.minimise_face():
                return False
            value, excess, v = self._look()
            yield value
            # Violators that bring nothing enter one at a time; three that bring nothing end it.
            idle = 0 if value < before else idle + 1
            before = min(before, value)
            if idle > 3:
                return False
            most = batch.next_size(self.support)
            new = self._enter(excess, v, noise, 1 if idle else most)
            if not new.size:
                return True
            batch.entered = new

    def minimise_face(self, cuts=MOST_CUTS) -> bool:
        """Minimise over the current support and signs; weights that reach 0 leave it."""
        for _ in range(cuts):
            if not self.support.size:
                return True
            system = self._system()
            c = self.correlations[self.support]
            z = system.solve(c, self.w)
            self.work += system.work + OVERHEAD + self.coupling.overhead
            self.systems += 1
            if z is None:
                return False
            wrong = z * self.signs <= 0.0
            if not wrong.any():
                self.w = z
                return True
            self._shorten(system, c, z, wrong)
        return False

    def _system(self):
        features = self.features[self.support]
        if thin_pays(self.support.size, self.model.n_samples):
            coupling = self.coupling.sparse_matrix(features, self.signs)
            thin = ThinSystem.fitting(self.model, self.support, coupling, self.lam)
            if thin is not None:
                return thin
        couple = partial(self.coupling.add_to, features=features, signs=self.signs, lam=self.lam)
        return DenseSystem(self.model, self.support, couple)

    def _shorten(self, system, c, z, wrong) -> None:
        """Move towards z as far as signs allow, and drop what arrives at 0."""
        w, signs = self.w, self.signs
        start = 0.5 * (w @ system.times(w)) - c @ w
        step = 1.0
        for _ in range(SHORTENINGS):
            moved = signs * np.maximum(signs * (w + step * (z - w)), 0.0)
            if 0.5 * (moved @ system.times(moved)) - c @ moved < start:
                self._keep((moved != 0.0) | ~wrong, moved)
                return
            step *= 0.25
        idle = wrong & (w == 0.0)
        if idle.any():
            # Some entrant always moves the right way, so this cannot drop them all for ever.
            self._keep(~idle, w)
            return
        fraction = np.ones(w.size)
        fraction[wrong] = w[wrong] / (w[wrong] - z[wrong])
        step = fraction.min()
        self._keep(fraction > step, w + step * (z - w))

    def _keep(self, kept, w) -> None:
        self.support, self.signs, self.w = self.support[kept], self.signs[kept], w[kept]

    def _look(self):
        """Objective and, for all gathered columns, by how much |v| exceeds its group's reach."""
        model, coupling = self.model, self.coupling
        v = self.correlations - model.columns.X.T @ model.image(self.support, self.w)
        self.work += 6.0 * model.columns.X.size
        totals = coupling.totals(self.features[self.support], np.abs(self.w))
        pull = coupling.pull(self.features, v)
        excess = pull - self.lam * coupling.reach(self.features, totals)
        value = -0.5 * float(self.correlations[self.support] @ self.w)
        return value, excess, v

    def _enter(self, excess, v, noise, most) -> np.ndarray:
        """Let the worst violators into the support; returns them."""
        excess[self.support] = -np.inf
        new = np.flatnonzero(excess > noise)
        if new.size > most:
            new = new[np.argpartition(-excess[new], most - 1)[:most]]
        self.support = np.concatenate([self.support, new])
        self.signs = np.concatenate([self.signs, np.sign(v[new])])
        self.w = np.concatenate([self.w, np.zeros(new.size)])
        return new


class Batch:
    """How many violators to let in at once: more while they stay, fewer when they are sent out."""

    def __init__(self):
        self.entered = np.empty(0, dtype=np.intp)
        self._size = FIRST_ENTRANTS

    def next_size(self, support) -> int:
        if self.entered.size:
            stayed = np.isin(self.entered, support).mean()
            if stayed > MANY_STAY:
                self._size *= 2
            elif stayed < FEW_STAY:
                self._size //= 2
        self._size = max(FIRST_ENTRANTS, min(self._size, support.size // 2))
        return self._size
