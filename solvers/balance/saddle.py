"""One coefficient of a product of generating functions, on the circle through its saddle point."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.fft import next_fast_len, rfft

Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class TiltedCounts:
    """Counts of each class in a window, reweighted by e^{τ(k − s/m)} and normalised.

    On total s the reweighting multiplies to one, so only the normalisation has to be undone:
    log_scale = Σ_j log Σ_k weight_j(k).
    """

    weights: list[np.ndarray]
    log_weights: list[np.ndarray]
    numbers: list[int]
    centred: np.ndarray
    tilt: np.ndarray
    log_sums: list[np.ndarray]
    variance: np.ndarray

    @property
    def log_pinned(self) -> list[np.ndarray]:
        """log of the weight of the window's lowest count, for each class."""
        return [
            log_w[:, 0] + self.tilt * self.centred[:, 0] - log_sum
            for log_w, log_sum in zip(self.log_weights, self.log_sums, strict=True)
        ]

    @property
    def log_scale(self) -> np.ndarray:
        return sum(a * log_sum for a, log_sum in zip(self.numbers, self.log_sums, strict=True))

    @classmethod
    def at_saddle(
        cls,
        split,
        log_weights: list[np.ndarray],
        numbers: list[int],
        lows: np.ndarray,
        highs: np.ndarray,
    ) -> TiltedCounts:
        """Tilt so that, one count being l, the others average what s asks for.

        Safeguarded Newton steps on a monotone equation. A fraction of a standard deviation is
        near enough: the tilt decides rounding, not the value.
        """
        centred = (lows - split.s / split.m)[:, None] + np.arange(log_weights[0].shape[1])
        least = split.m * lows.astype(float)
        most = sum(
            a * np.minimum(highs, size).astype(float)
            for a, (size, _) in zip(numbers, split.classes, strict=True)
        )
        margin = np.minimum(0.5, (most - least) / 4)
        wanted = (split.s - lows) * (split.m / (split.m - 1))
        target = np.clip(wanted, least + margin, most - margin) - split.s

        tilt = np.zeros(len(lows))
        below, above = np.full(len(lows), -np.inf), np.full(len(lows), np.inf)
        active = np.arange(len(lows))
        weights = [np.empty_like(w) for w in log_weights]
        log_sums = [np.empty(len(lows)) for _ in log_weights]
        variance = np.empty(len(lows))
        for _ in range(200):
            mean, var = np.zeros(len(active)), np.zeros(len(active))
            for c, a in enumerate(numbers):
                w, log_sum = _normalised_exp(log_weights[c][active], centred[active], tilt[active])
                weights[c][active], log_sums[c][active] = w, log_sum
                first = np.einsum("ij,ij->i", w, centred[active])
                mean += a * first
                var += a * np.einsum("ij,ij->i", w, (centred[active] - first[:, None]) ** 2)
            variance[active] = var
            miss = target[active] - mean
            going = np.abs(miss) > 0.3 * np.sqrt(var) + 1e-9 * (1 + np.abs(target[active]))
            going &= most[active] > least[active]
            active, miss, var = active[going], miss[going], var[going]
            if not len(active):
                break
            now = tilt[active]
            below[active] = np.where(miss > 0, now, below[active])
            above[active] = np.where(miss < 0, now, above[active])
            step = now + np.clip(miss / np.maximum(var, 1e-300), -2.0, 2.0)
            escaped = (step <= below[active]) | (step >= above[active])
            tilt[active] = np.where(escaped, (below[active] + above[active]) / 2, step)
        return cls(weights, log_weights, numbers, centred, tilt, log_sums, variance)

    def roots_without_aliasing(self, split, lows: np.ndarray, highs: np.ndarray) -> int:
        """L such that totals s ± L, s ± 2L, … weigh less than e^-36 of total s, in every row.

        With one count at l, Chernoff: P(others exceed by L) ≤ exp(K(τ+η) − K(τ) − η(L + s/m − l)).
        """
        span = sum(
            a * (np.minimum(highs, size) - lows)
            for a, (size, _) in zip(self.numbers, split.classes, strict=True)
        )
        log_ratio = 36 + math.log(split.m) + 0.5 * np.log1p(2 * np.pi * self.variance)
        rate = 8 / np.sqrt(np.maximum(self.variance, 1e-2))
        pinned = lows - split.s / split.m
        length = np.ones(len(lows))
        for sign in (1.0, -1.0):
            growth = [
                _normalised_exp(log_w, self.centred, self.tilt + sign * rate)[1] - log_sum
                for log_w, log_sum in zip(self.log_weights, self.log_sums, strict=True)
            ]
            others = sum(a * g for a, g in zip(self.numbers, growth, strict=True))
            others = others - np.minimum.reduce(growth)
            length = np.maximum(length, (others + log_ratio) / rate + sign * pinned)
        needed = np.minimum(np.ceil(length), span + 1).max()
        return next_fast_len(max(int(needed), 1), real=True)


def _normalised_exp(
    log_weights: np.ndarray, centred: np.ndarray, tilt: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    exponent = log_weights + tilt[:, None] * centred
    peak = exponent.max(axis=1)
    w = np.exp(exponent - peak[:, None])
    total = w.sum(axis=1)
    return w / total[:, None], peak + np.log(total)


def spectrum_of(weights: np.ndarray, n_roots: int) -> np.ndarray:
    """Σ_{k ≥ 1} w_k ω^k for the roots ω in the closed upper half plane, offset 0 left out."""
    rest = weights.copy()
    rest[:, 0] = 0
    rows, width = rest.shape
    if width > n_roots:
        folds = -(-width // n_roots)
        rest = np.pad(rest, ((0, 0), (0, folds * n_roots - width)))
        rest = rest.reshape(rows, folds, n_roots).sum(axis=1)
    return rfft(rest, n_roots, axis=1).conj()


def roots_that_matter(
    factors: list[Pair], numbers: list[int], unit: np.ndarray, at_one: np.ndarray
) -> np.ndarray:
    """Roots where Π(G+c) − ΠG may exceed e^-46 of its value at 1.

    By the triangle inequality its modulus is at most Σ_j c_j · max(|G+c|, |G|)^{m−1}.
    """
    largest = np.zeros(factors[0][0].shape)
    for g, d in factors:
        imaginary = g.imag**2
        np.maximum(largest, (g.real + unit * d) ** 2 + imaginary, out=largest)
        np.maximum(largest, g.real**2 + imaginary, out=largest)
    pinned = sum(a * d for a, (_, d) in zip(numbers, factors, strict=True))
    with np.errstate(divide="ignore"):
        log_bound = (sum(numbers) - 1) / 2 * np.log(largest) + np.log(pinned / at_one)
    return np.flatnonzero((log_bound > -46).any(axis=0))


def _times(left: Pair, right: Pair, unit: np.ndarray) -> Pair:
    """(no group at the minimum yet, some group at it, in units): positive parts only."""
    return (
        left[0] * right[0],
        left[1] * (right[0] + unit * right[1]) + left[0] * right[1],
    )


def _power(base: Pair, exponent: int, unit: np.ndarray) -> Pair:
    result = None
    while True:
        if exponent & 1:
            result = base if result is None else _times(result, base, unit)
        exponent >>= 1
        if not exponent:
            return result
        base = _times(base, base, unit)


def product_of_powers(bases: list[Pair], exponents: list[int], unit: np.ndarray) -> np.ndarray:
    """(Π_j (G_j + c_j) − Π_j G_j) / unit for pairs (G_j, c_j / unit)."""
    powers = [_power(base, a, unit) for base, a in zip(bases, exponents, strict=True)]
    return (powers[0] if len(powers) == 1 else _times(*powers, unit))[1]
