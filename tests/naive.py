"""Slow, obviously right twins of what `solvers` does fast, and the paper's algorithms as printed.

The twins work in exact rational arithmetic, where no rounding, overflow or tie can hide: every
float is a fraction. Each projection is the root of a monotone, piecewise linear function of one
variable, found between two neighbouring breakpoints and interpolated exactly there. Nothing is
shared with `solvers`, not even the derivation.

The printed algorithms work in floats, mistakes and all, so that a test can show what each mistake
costs.
"""

from __future__ import annotations

import math
from fractions import Fraction

# -- exact arithmetic ------------------------------------------------------------------------


def exact(values) -> list[Fraction]:
    return [Fraction(float(value)) for value in values]


def monotone_root(function, breakpoints) -> Fraction:
    """A root of a non-increasing function, linear between breakpoints and after the last one."""
    breakpoints = sorted(set(breakpoints))
    below, above = -1, len(breakpoints)
    while above - below > 1:
        middle = (below + above) // 2
        if function(breakpoints[middle]) > 0:
            below = middle
        else:
            above = middle
    if below < 0:
        assert function(breakpoints[0]) == 0, "the root lies before the first breakpoint"
        return breakpoints[0]
    left = breakpoints[below]
    right = breakpoints[above] if above < len(breakpoints) else left + 1
    at_left, at_right = function(left), function(right)
    return left + (right - left) * at_left / (at_left - at_right)


def square_root(value: Fraction) -> float:
    """√value to the last digit, whatever its size."""
    if value == 0:
        return 0.0
    # 200 bits before the integer square root leave 100 after it.
    shift = 200 - (value.numerator.bit_length() - value.denominator.bit_length())
    shift += shift % 2
    return float(
        Fraction(math.isqrt(int(value * Fraction(2) ** shift))) / Fraction(2) ** (shift // 2)
    )


def _positive_part(value: Fraction) -> Fraction:
    return max(value, Fraction(0))


def _with_sign_of(magnitude: Fraction, value: Fraction) -> Fraction:
    return -magnitude if value < 0 else magnitude


# -- norms -----------------------------------------------------------------------------------


def exclusive_norm(w, lists) -> float:
    """√(Σ_g ‖w_g‖₁²)"""
    w = exact(w)
    return square_root(sum(sum(abs(w[i]) for i in group) ** 2 for group in lists))


def group_norm(w, lists) -> float:
    """Σ_g ‖w_g‖₂"""
    w = exact(w)
    return math.fsum(square_root(sum(w[i] ** 2 for i in group)) for group in lists)


def dual_exclusive_norm(v, lists) -> float:
    """√(Σ_g ‖v_g‖∞²)"""
    v = exact(v)
    return square_root(sum(max(abs(v[i]) for i in group) ** 2 for group in lists))


def l1_norm(w) -> float:
    return float(sum(abs(value) for value in exact(w)))


def l2_norm(w) -> float:
    return square_root(sum(value**2 for value in exact(w)))


# -- projections and proxes ------------------------------------------------------------------


def project_l1_cone(a, b, zeta):
    """argmin over ‖x‖₁ ≤ y of ½‖x − a‖² + ζ/2 (y − b)²

    Off the cone the constraint is tight. With multiplier τ > 0, x is a soft-thresholded at τ and
    y = b + τ/ζ, so τ is the root of ζ(Σ max(|aᵢ| − τ, 0) − b) − τ.
    """
    a, b, zeta = exact(a), Fraction(float(b)), Fraction(float(zeta))
    magnitudes = [abs(value) for value in a]
    if sum(magnitudes) <= b:
        return [float(value) for value in a], float(b)

    def excess(tau):
        return zeta * (sum(_positive_part(value - tau) for value in magnitudes) - b) - tau

    tau = monotone_root(excess, [Fraction(0), *magnitudes])
    x = [_with_sign_of(_positive_part(abs(value) - tau), value) for value in a]
    return [float(value) for value in x], float(sum(abs(value) for value in x))


def project_linf_cone(a, b, zeta):
    """argmin over ‖x‖∞ ≤ y of ½‖x − a‖² + ζ/2 (y − b)²

    For given y ≥ 0, x clips a at ±y; what is left is convex in y, with slope
    ζ(y − b) − Σ max(|aᵢ| − y, 0), so y is its root, or 0 if the slope is never negative.
    """
    a, b, zeta = exact(a), Fraction(float(b)), Fraction(float(zeta))
    magnitudes = [abs(value) for value in a]
    if max(magnitudes) <= b:
        return [float(value) for value in a], float(b)

    def descent(y):
        return sum(_positive_part(value - y) for value in magnitudes) - zeta * (y - b)

    if descent(Fraction(0)) <= 0:
        y = Fraction(0)
    else:
        y = monotone_root(descent, [Fraction(0), *magnitudes])
    return [float(_with_sign_of(min(abs(value), y), value)) for value in a], float(y)


def prox_exclusive(c, lists, zeta) -> list[float]:
    """argmin over w of ½‖w − c‖² + Σ_g ζ_g/2 ‖w_g‖₁², one group after another (disjoint)

    w_g is c_g soft-thresholded at the τ for which τ = ζ_g‖w_g‖₁.
    """
    w = [0.0] * len(c)
    for group, weight in zip(lists, _per_group(zeta, lists), strict=True):
        magnitudes = [abs(value) for value in exact(c[i] for i in group)]

        def excess(tau, magnitudes=magnitudes, weight=weight):
            return weight * sum(_positive_part(value - tau) for value in magnitudes) - tau

        tau = monotone_root(excess, [Fraction(0), *magnitudes])
        for i, magnitude in zip(group, magnitudes, strict=True):
            w[i] = float(_with_sign_of(_positive_part(magnitude - tau), Fraction(float(c[i]))))
    return w


def prox_weighted(c, lists, zeta, weights, positive) -> list[float]:
    """argmin over w of ½‖w − c‖² + Σ_g ζ_g/2 (Σ fᵢ|wᵢ|)², wᵢ ≥ 0 where flagged (disjoint)

    |wᵢ| is the positive part of aᵢ − τfᵢ, a the magnitude of c, or its positive part where flagged,
    for the τ with τ = ζ_g Σ fᵢ|wᵢ|.
    """
    w = [0.0] * len(c)
    for group, zeta_g in zip(lists, _per_group(zeta, lists), strict=True):
        values, f = exact(c[i] for i in group), exact(weights[i] for i in group)
        sizes = [
            _positive_part(value) if positive[i] else abs(value)
            for i, value in zip(group, values, strict=True)
        ]

        def kept(tau, sizes=sizes, f=f):
            return [_positive_part(a - tau * b) for a, b in zip(sizes, f, strict=True)]

        def excess(tau, f=f, zeta_g=zeta_g, kept=kept):
            return zeta_g * sum(b * x for b, x in zip(f, kept(tau), strict=True)) - tau

        breaks = [a / b for a, b in zip(sizes, f, strict=True) if b > 0]
        tau = monotone_root(excess, [Fraction(0), *breaks])
        for i, value, x in zip(group, values, kept(tau), strict=True):
            w[i] = float(_with_sign_of(x, value))
    return w


def prox_linf_squared(parts, zeta) -> list[list[float]]:
    """argmin over v of ½‖v − d‖² + Σ_g ζ_g/2 ‖v^g‖∞², d given as one list per group

    v^g clips d^g at the level y for which ζ_g·y = Σ max(|dᵢ| − y, 0).
    """
    clipped = []
    for part, weight in zip(parts, _per_group(zeta, parts), strict=True):
        values = exact(part)

        def descent(y, values=values, weight=weight):
            return sum(_positive_part(abs(value) - y) for value in values) - weight * y

        level = monotone_root(descent, [Fraction(0), *map(abs, values)])
        clipped.append([float(_with_sign_of(min(abs(value), level), value)) for value in values])
    return clipped


def project_box_hyperplane(c, y, upper) -> list[float]:
    """argmin over 0 ≤ u ≤ upper, yᵀu = 0 of ½‖u − c‖², for y = ±1

    With multiplier μ of the hyperplane u = clip(c − μy, 0, upper), and yᵀu is non-increasing in μ.
    """
    c, y, upper = exact(c), exact(y), exact(upper)

    def clipped(mu):
        return [
            min(_positive_part(value - mu * sign), limit)
            for value, sign, limit in zip(c, y, upper, strict=True)
        ]

    def imbalance(mu):
        return sum(sign * value for sign, value in zip(y, clipped(mu), strict=True))

    points = [sign * value for sign, value in zip(y, c, strict=True)]
    points += [sign * (value - limit) for sign, value, limit in zip(y, c, upper, strict=True)]
    return [float(value) for value in clipped(monotone_root(imbalance, points))]


def _per_group(zeta, lists) -> list[Fraction]:
    return exact(zeta if hasattr(zeta, "__len__") else [zeta] * len(lists))


# -- the paper as printed --------------------------------------------------------------------


def printed_project_l1_cone(a, b, zeta=1.0):
    """Algorithm 2 to the letter."""
    ordered = [*sorted((abs(value) for value in a), reverse=True), 0.0]
    t = 0.0
    for j in range(1, len(a) + 1):
        t = t + ordered[j - 1]
        delta = (t - b) / (1.0 / zeta + j)
        if ordered[j] <= delta <= ordered[j - 1]:
            x = [math.copysign(max(0.0, abs(value) - delta), value) for value in a]
            return x, sum(abs(value) for value in x)
    return list(a), b


def printed_project_linf_cone(a, b, zeta=1.0, corrected_x=False):
    """Algorithm 3 to the letter; `corrected_x` mends its formula for x and nothing else."""
    y, x = 0.0, [0.0] * len(a)
    d = len(a)
    ordered = [0.0, *sorted(abs(value) for value in a)]
    if b >= ordered[d]:
        return list(a), b
    t = 0.0
    for j in range(d - 1, -1, -1):
        t = t + ordered[j + 1]
        y = (zeta * b + t) / (zeta + d - j)
        if ordered[j] < y <= ordered[j + 1]:
            if corrected_x:
                x = [math.copysign(min(abs(value), y), value) for value in a]
            else:
                x = [math.copysign(1.0, value) * min(abs(value) - y, 0.0) for value in a]
            return x, y
    return x, y


def printed_momentum(t: float) -> float:
    """Algorithm 1, step 4: t where t² belongs."""
    return 0.5 + 0.5 * math.sqrt(1.0 + 4.0 * t)


def corrected_momentum(t: float) -> float:
    return 0.5 + 0.5 * math.sqrt(1.0 + 4.0 * t * t)


def accelerated_gradient(formulation, x, momentum):
    """Algorithm 1 step by step, for ever, with the momentum rule of your choice."""
    t, extrapolated = 1.0, x
    while True:
        yield x
        gradient, _ = formulation.gradient(extrapolated)
        new = formulation.prox(extrapolated - formulation.step * gradient, 1.0)
        t_new = momentum(t)
        extrapolated = new + (new - x) * ((t - 1.0) / t_new)
        x, t = new, t_new
