"""Log-probabilities of one count, without the cancellation of log-gamma functions."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy


def _log_factorial_excess(x: np.ndarray) -> np.ndarray:
    """log x! − (x log x − x): what Stirling's leading terms leave, without their cancellation."""
    x = np.asarray(x, dtype=float)
    small = np.minimum(x, 16.0)
    y = 1 / np.maximum(x, 16.0)
    y2 = y * y
    series = y * (1 / 12 - y2 * (1 / 360 - y2 * (1 / 1260 - y2 * (1 / 1680 - y2 / 1188))))
    return np.where(
        x < 16,
        gammaln(small + 1) - xlogy(small, small) + small,
        series - 0.5 * np.log(y / (2 * np.pi)),
    )


def log_binomial(k: np.ndarray, size: int | np.ndarray, p: float) -> np.ndarray:
    """log C(N, k) p^k (1−p)^{N−k} for 0 ≤ k ≤ N, 0 < p < 1, by Loader's saddle-point form.

    Its terms are of the size of the result, so the error is about |k − Np|·ε where log-gamma
    functions of N would leave N·log N·ε.
    """
    expected = size * p
    away = k - expected
    deviance = _deviance(away, expected) + _deviance(-away, size * (1 - p))
    return (
        _log_factorial_excess(np.asarray(size))
        - _log_factorial_excess(k)
        - _log_factorial_excess(size - k)
        - deviance
    )


def _deviance(away: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """x log(x/y) − x + y with x = y + away."""
    u = np.maximum(away / expected, -1.0)
    return expected * (xlog1py(1 + u, u) - u)


def log_hypergeometric(k: np.ndarray, size: int | np.ndarray, s: int, n: int) -> np.ndarray:
    """log P(a group of the given size holds k of the s true features among n), −∞ if it cannot.

    Needs more than one group: size < n.
    """
    if s == n:
        return np.where(k == size, 0.0, -np.inf)
    p = s / n
    possible = (k <= size) & (k <= s) & (s - k <= n - size)
    inside = np.clip(k, np.maximum(0, s - (n - size)), np.minimum(size, s))
    log_p = (
        log_binomial(inside, size, p)
        + log_binomial(s - inside, n - size, p)
        - log_binomial(np.array(s), n, p)
    )
    return np.where(possible, log_p, -np.inf)
