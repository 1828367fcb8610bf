"""Counts and thresholds, checked and exact."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational, Real
from operator import index


def floor_times(ratio: Fraction | float, count: int) -> int:
    """⌊ratio · count⌋ in integers; capped, since no count comes near the cap."""
    if ratio == math.inf:
        return 1 << 62
    return min(ratio.numerator * count // ratio.denominator, 1 << 62)


def _exact(value: Real) -> Fraction:
    """The simplest fraction that rounds to a float; 0.2 is 1/5 and 1/3 stays 1/3."""
    if isinstance(value, Rational):
        return Fraction(value)
    value = float(value)
    simple = Fraction(value).limit_denominator(10**6)
    return simple if float(simple) == value else Fraction(repr(value))


def exact_t(t: Real) -> Fraction:
    if not 0 < t < 1:
        raise ValueError(f"t={t} must lie strictly between 0 and 1, e.g. 0.5.")
    return _exact(t)


def ratio_of(t: Real) -> Fraction:
    t = exact_t(t)
    return (1 + t) / (1 - t)


def exact_ratio(ratio: Real) -> Fraction | float:
    if ratio != ratio or ratio < 0:
        raise ValueError(f"ratios has {ratio}: give numbers ≥ 0 (inf is allowed).")
    return math.inf if ratio == math.inf else _exact(ratio)


def positive_int(value: int, name: str) -> int:
    try:
        value = index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} must be an integer.") from None
    if value < 1:
        raise ValueError(f"{name}={value} must be at least 1.")
    return value


def checked_features(n_features: int, n_true: int) -> tuple[int, int]:
    n = positive_int(n_features, "n_features")
    s = positive_int(n_true, "n_true")
    if s > n:
        raise ValueError(
            f"n_true={s} exceeds n_features={n}: only features can be true; "
            f"use n_true of at most {n}."
        )
    return n, s


def checked_counts(n_true: int, n_groups: int) -> tuple[int, int]:
    s = positive_int(n_true, "n_true")
    m = positive_int(n_groups, "n_groups")
    if m > s:
        raise ValueError(
            f"n_groups={m} exceeds n_true={s}: some group would hold no true feature, so no "
            f"split is balanced; use at most {s} groups."
        )
    return s, m
