"""The formulations: factors, exponents, rates and the prox of the norm itself."""

from __future__ import annotations

import math

import numpy as np

from lab.paper import rates
from lab.paper.errata.demonstration import Curves, Demonstration
from solvers import (
    Groups,
    dual_exclusive_norm,
    exclusive_norm,
    prox_exclusive,
    solve_lasso,
)
from solvers.linear_algebra import solve_definite


def factor_two() -> Demonstration:
    """Groups of one make the penalty a ridge, which has a closed form to compare with."""
    rng = np.random.default_rng(1)
    X, y, lam = rng.standard_normal((30, 8)), rng.standard_normal(30), 3.0
    w = solve_lasso(X, y, Groups.contiguous(8, 8), lam, tol=1e-12).w

    def ridge(strength):
        return solve_definite(X.T @ X, X.T @ y, shift=strength)

    half, whole = ridge(lam), ridge(2.0 * lam)
    sizes = [float(np.linalg.norm(v)) for v in (half, whole, w)]
    errors = [float(np.abs(w - v).max()) for v in (half, whole)]
    return Demonstration(
        f"With λ = {lam:g} the two conventions differ by {errors[1]:.2g} in a weight; ours is λ/2 "
        f"throughout (largest error {errors[0]:.0e}), and a paper preset passes twice the paper's "
        "λ.",
        {
            "penalty": ["λ/2 ‖w‖² (Section 3.2, ours)", "λ ‖w‖² (Section 5.1)", "solve_lasso"],
            "‖w‖ at λ = 3": [f"{size:.4f}" for size in sizes],
        },
        errors[0] < 1e-5 < errors[1],
    )


def exponent() -> Demonstration:
    """Shrink one vector with both readings of the remark at q = 2."""
    groups = Groups.contiguous(12, 3)
    c = np.random.default_rng(2).standard_normal(12)
    zeta = 1.0
    printed = c / (1.0 + zeta)  # argmin ½‖w − c‖² + ζ/2 Σ_g ‖w_g‖₂²
    right = prox_exclusive(c, groups, zeta)
    counts = [int(np.count_nonzero(w)) for w in (printed, right)]
    pair = np.ones(2)
    return Demonstration(
        f"At q = 2 the printed sum is ‖w‖₂², a ridge: it keeps {counts[0]} of 12 weights, the "
        f"exclusive penalty {counts[1]}.",
        {
            "penalty at q = 2": ["Σ ‖w_g‖_q^q (printed)", "Σ ‖w_g‖₁^q (from w = w₊ − w₋)"],
            "value at w = (1, 1), one group": [
                f"{np.sum(pair**2):g}",
                f"{exclusive_norm(pair, Groups.contiguous(2, 1)) ** 2:g}",
            ],
            "weights kept of 12": [str(count) for count in counts],
        },
        counts[0] > counts[1],
    )


def licp_rate() -> Demonstration:
    curves = rates.licp_curves()
    k = curves.dual.iterations
    shown = [10, 100, int(k[-1])]
    shares = {
        "dual": curves.dual.share_of_bound,
        "last w": curves.last.share_of_bound,
        "averaged w̄": curves.averaged.share_of_bound,
    }
    return Demonstration(
        f"After {k[-1]:,} iterations LICP's dual is {curves.dual.errors[-1]:.0e} from its optimum "
        f"but the last w still {curves.last.errors[-1]:.1g}; the averaged w̄ is at "
        f"{curves.averaged.errors[-1]:.1g} and keeps the O(1/k²) bound (largest share "
        f"{shares['averaged w̄']:.2f} of it), which the last w exceeds {shares['last w']:.1f} "
        "times.",
        {
            "iteration": [f"{i:,}" for i in shown],
            "dual error": [f"{curves.dual.errors[i - 1]:.1e}" for i in shown],
            "gap of the last w": [f"{curves.last.errors[i - 1]:.1e}" for i in shown],
            "gap of the averaged w̄": [f"{curves.averaged.errors[i - 1]:.1e}" for i in shown],
        },
        shares["last w"] > 1.0 >= max(shares["dual"], shares["averaged w̄"]),
        Curves(
            k,
            {
                "last w": curves.last.errors,
                "averaged w̄": curves.averaged.errors,
                "dual": curves.dual.errors,
                "theorem's bound": curves.averaged.bound,
            },
            "iteration",
            "error, or gap to the dual value",
        ),
    )


def norm_prox() -> Demonstration:
    """argmin ½‖w − c‖² + φ‖w‖_e as the squared prox at the ζ with ζ‖w_ζ‖_e = φ."""
    groups = Groups.contiguous(60, 6)
    c = np.random.default_rng(3).standard_normal(60)
    phi_max = dual_exclusive_norm(c, groups)
    rows = {"φ / φ_max": [], "nonzeros": [], "squared proxes": [], "KKT residual": []}
    worst, most = 0.0, 0
    for share in (0.05, 0.5, 0.95, 1.0):
        w, evaluations = prox_of_norm(c, groups, share * phi_max)
        residual = norm_prox_residual(c, w, groups, share * phi_max)
        worst, most = max(worst, residual), max(most, evaluations)
        rows["φ / φ_max"].append(f"{share:g}")
        rows["nonzeros"].append(f"{np.count_nonzero(w)}")
        rows["squared proxes"].append(f"{evaluations}")
        rows["KKT residual"].append(f"{residual:.0e}")
    return Demonstration(
        f"At most {most} squared proxes find the prox of ‖·‖_e itself, with a KKT residual of "
        f"{worst:.0e}: one monotone root, no harder than the squared one.",
        rows,
        worst < 1e-9,
    )


def prox_of_norm(c, groups: Groups, phi: float) -> tuple[np.ndarray, int]:
    """argmin over w of ½‖w − c‖² + φ‖w‖_e (disjoint groups), and how many squared proxes it took

    ζ‖w_ζ‖_e grows with ζ, so ζ‖w_ζ‖_e = φ has one root; 0 from φ = max ‖c‖ in the dual norm on.
    Bisection in log ζ, to the last digit.
    """
    c = np.asarray(c, dtype=float)
    if phi >= dual_exclusive_norm(c, groups):
        return np.zeros_like(c), 0
    evaluations = 0

    def weighed(log_zeta):
        nonlocal evaluations
        evaluations += 1
        w = prox_exclusive(c, groups, math.exp(log_zeta))
        return math.exp(log_zeta) * exclusive_norm(w, groups), w

    # ‖w_ζ‖_e lies between 0 and ‖c‖_e, so the root is above φ/‖c‖_e.
    low = math.log(phi / exclusive_norm(c, groups))
    high = low + 1.0
    while weighed(high)[0] < phi:
        low, high = high, high + 2.0 * (high - low)
    while high - low > 4e-16 * max(1.0, abs(low)):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if weighed(middle)[0] < phi:
            low = middle
        else:
            high = middle
    return weighed(low)[1], evaluations


def norm_prox_residual(c, w, groups: Groups, phi: float) -> float:
    """How far c − w is from φ·∂‖w‖_e, relative: in the dual ball, and aligned with w."""
    rest = np.asarray(c) - w
    outside = max(dual_exclusive_norm(rest, groups) / phi - 1.0, 0.0)
    scale = phi * exclusive_norm(w, groups)
    misaligned = abs(float(rest @ w) - scale) / scale if scale else 0.0
    return max(outside, misaligned)
