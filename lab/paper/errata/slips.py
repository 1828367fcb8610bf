"""Slips of proofs and displays: the wrong equality, a missing variable, a bound the wrong way."""

from __future__ import annotations

import math

import numpy as np

from lab.cones import projections as cones
from lab.cones import words
from lab.paper.errata.demonstration import Demonstration, yes
from lab.paper.points import FAILING
from lab.paper.wording import power_of_ten
from solvers import grouping


def first_equality() -> Demonstration:
    """Both equalities of the swap on one small instance, and where w enters."""
    rng = np.random.default_rng(0)
    alpha, Z, u = 0.7, rng.standard_normal((4, 6)), rng.uniform(0.0, 1.0, 6)
    v = rng.standard_normal(4)
    w = (Z @ u - v) / alpha

    def inner(w):
        return 0.5 * alpha * float(w @ w) - float((Z @ u - v) @ w)

    first = -float(np.sum((Z @ u - v) ** 2)) / (2.0 * alpha)
    off = abs(inner(w) - first)
    higher = min(inner(w + 0.1 * rng.standard_normal(4)) for _ in range(20)) - first
    xi = rng.uniform(0.0, 1.0, 6)
    return Demonstration(
        "The minimum over w is taken in the first equality: at w = (Zu − Σ v̄)/α it agrees to "
        f"{power_of_ten(off)}, and 20 points beside it are higher by {higher:.1e} at least. The "
        "second "
        f"minimises ⟨ξ, 1 − u⟩ over ξ ≥ 0, with no w in it: 0 at ξ = 0, {float(xi @ (1 - u)):.2f} "
        "at a random ξ.",
        {
            "equality": ["first", "second"],
            "what is minimised": ["α/2 ‖w‖² − ⟨Zu − Σ v̄, w⟩", "⟨ξ, 1 − u⟩, ξ ≥ 0"],
            "holds w": ["yes", "no"],
        },
        off < 1e-12 < higher,
    )


def missing_t() -> Demonstration:
    """min over v for a few t, as printed, beside min over v and t."""
    at = FAILING["missing_t"]
    d, ratio, right = np.array(at.a), at.zeta, cones.project(at.cone, at.a, at.b, at.zeta)
    rows = {"minimised over": [], "t": [], "v": [], "value": []}
    values = []
    for t in (0.5, 2.0, 10.0):
        v = np.clip(d, -t, t)
        values.append(0.5 * float(((v - d) ** 2).sum()) + 0.5 * ratio * t * t)
        rows["minimised over"].append("v, as printed")
        rows["t"].append(f"{t:g}, given")
        rows["v"].append(words.vector_text(v))
        rows["value"].append(f"{values[-1]:.3f}")
    least = 0.5 * float(((right.x - d) ** 2).sum()) + 0.5 * ratio * right.y**2
    rows["minimised over"].append("v and t")
    rows["t"].append(words.shown(right.y))
    rows["v"].append(words.vector_text(right.x))
    rows["value"].append(f"{least:.3f}")
    return Demonstration(
        f"Over v alone the answer depends on t, which nobody gives: values {values[0]:.2f}, "
        f"{values[1]:.2f} and {values[2]:.2f} at three t. Over v and t it is the projection onto "
        f"the ℓ∞ cone, {least:.2f} at t = {words.shown(right.y)}.",
        rows,
        right.is_projection and min(values) > least + 1e-9,
    )


def given_y() -> Demonstration:
    """The best x of Lemma 3's proof for two y and one a."""
    a = np.array([3.0, -1.0])
    found = [np.sign(a) * np.minimum(np.abs(a), y) for y in (0.5, 2.0)]
    return Demonstration(
        f"a is given throughout; x is the best one for a given y: for a = {words.vector_text(a)} "
        f"it is {words.vector_text(found[0])} at y = 0.5 and {words.vector_text(found[1])} at "
        "y = 2. What is left is a problem in y.",
        {"y": ["0.5", "2"], "best x": [words.vector_text(x) for x in found]},
        bool(np.any(found[0] != found[1])),
    )


def upper_for_lower() -> Demonstration:
    """Numbers of true features that the printed bound allows, and what they come to."""
    m, t = 20, 0.5
    scale = m * math.log(m) / t**2
    rows = {"s": [], "s = O(t⁻² m log m)": [], "s ≥ C t⁻² m log m": [], "exact P": []}
    exact = []
    for s in (m, round(scale), math.ceil(12.5 * scale)):
        n = m * math.ceil(10 * s / m)
        exact.append(grouping.balance_probability(n, s, m, t))
        rows["s"].append(f"{s:,}")
        rows["s = O(t⁻² m log m)"].append("yes")
        rows["s ≥ C t⁻² m log m"].append(yes(s >= 12.5 * scale))
        rows["exact P"].append(_probability(exact[-1]))
    return Demonstration(
        f"O(·) bounds s from above, so s = {m} fits it, where the probability is "
        f"{_probability(exact[0])}; "
        f"what the proof needs is a bound from below: at s = {rows['s'][-1]}, 12.5 t⁻² m log m, "
        f"it is {_probability(exact[-1])}.",
        rows,
        exact[0] < 0.5 < 0.99 < exact[-1],
    )


def _probability(p: float) -> str:
    """Almost 1 is not 1."""
    return f"{p:.2g}" if p < 0.995 else f"above {math.floor(1e4 * min(p, 1.0 - 1e-12)) / 1e4:g}"
