"""Where a loss first touches a unit ball: minimise ½(w − c)ᵀH(w − c) subject to ‖w‖ ≤ 1

for two weights and each of the four norms. The loss's level sets are ellipses around c, the
least-squares optimum; the one that touches the ball does so at the minimiser, and where it touches
a corner a weight is exactly 0. All four norms are √(|w|ᵀQ|w|) for some Q, so that one method serves
them all: bisection on the multiplier λ, and for each λ the signs of w tried one by one. The browser
does the same: `MATHS.touch` of lab/drawing/live/touch.js.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

import numpy as np

from lab.drawing.theme import NORM_LABELS
from lab.norms.balls import GROUPINGS, NORMS, norm_of, weight_name
from lab.words import listed
from solvers.linear_algebra import eigen

PAIRS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"w1 and w2": (0, 1), "w1 and w3": (0, 2), "w2 and w3": (1, 2)}
)
DEFAULT_PAIR = "w1 and w2"
# The correlation of the two features turns the ellipses.
DEFAULT_TILT = 0.4
# From here every ellipse that touches a ball is whole in the picture.
DEFAULT_OPTIMUM = "0.2,1.3"
LOW, HIGH = (-2.4, -1.8), (2.4, 1.8)


@dataclass(frozen=True, eq=False)
class Touch:
    """The minimiser of one norm, its multiplier λ, and the loss's radius √((w − c)ᵀH(w − c))."""

    norm: str
    w: np.ndarray
    lam: float
    radius: float

    @property
    def zeros(self) -> tuple[int, ...]:
        """Which of the two weights are 0."""
        return tuple(int(i) for i in np.flatnonzero(self.w == 0.0))

    @property
    def inside(self) -> bool:
        """Whether the optimum itself is in the ball, so that nothing is touched."""
        return self.lam == 0.0


def hessian(tilt: float) -> np.ndarray:
    return np.array([[1.0, tilt], [tilt, 1.0]])


def half_axes(tilt: float) -> np.ndarray:
    """H^(−1/2), whose columns are half axes of the ellipse (w − c)ᵀH(w − c) = 1."""
    values, vectors = eigen(hessian(tilt))
    return (vectors / np.sqrt(values)) @ vectors.T


@cache
def form(norm: str, grouping: str, pair: str) -> np.ndarray:
    """Q with ‖w‖² = |w|ᵀQ|w| where the third weight is 0, read off three points."""
    places = PAIRS[pair]
    corners = np.zeros((3, 3))
    corners[[0, 2], places[0]] = 1.0
    corners[[1, 2], places[1]] = 1.0
    first, second, both = norm_of(norm, corners, GROUPINGS[grouping]) ** 2
    mixed = (both - first - second) / 2.0
    Q = np.round([[first, mixed], [mixed, second]], 12)
    Q.flags.writeable = False  # it is kept
    return Q


def touch(norm: str, Q: np.ndarray, H: np.ndarray, c: np.ndarray) -> Touch:
    """Exact signs and zeros; λ to the last bits of a double."""
    if np.abs(c) @ Q @ np.abs(c) <= 1.0:
        return Touch(norm, np.array(c, dtype=float), 0.0, 0.0)
    # Plain floats: arrays of two would take ten times as long.
    size, loss, optimum = Q.tolist(), H.tolist(), np.asarray(c, dtype=float).tolist()

    def outside(lam: float) -> bool:
        return _quadratic(size, *map(abs, _penalised(size, loss, optimum, lam))) > 1.0

    low, high = 0.0, 1.0
    while outside(high):
        low, high = high, 2.0 * high
    while low < (middle := (low + high) / 2.0) < high:
        low, high = (middle, high) if outside(middle) else (low, middle)
    w = np.array(_penalised(size, loss, optimum, high))
    return Touch(norm, w, high, float(np.sqrt((w - c) @ H @ (w - c))))


def _quadratic(M, x: float, y: float) -> float:
    return M[0][0] * x * x + 2.0 * M[0][1] * x * y + M[1][1] * y * y


def _penalised(Q, H, c, lam: float) -> tuple[float, float]:
    """argmin ½(w − c)ᵀH(w − c) + λ/2 |w|ᵀQ|w|: the best of the points that have their own signs."""
    first = H[0][0] * c[0] + H[0][1] * c[1]
    second = H[1][0] * c[0] + H[1][1] * c[1]
    a, d = H[0][0] + lam * Q[0][0], H[1][1] + lam * Q[1][1]
    candidates = [(0.0, 0.0), (first / a, 0.0), (0.0, second / d)]
    for sign in (1.0, -1.0):
        b = H[0][1] + lam * sign * Q[0][1]
        determinant = a * d - b * b
        x, y = (d * first - b * second) / determinant, (a * second - b * first) / determinant
        if x * y * sign > 0.0:
            candidates.append((x, y))
    return min(
        candidates,
        key=lambda w: (
            _quadratic(H, w[0] - c[0], w[1] - c[1]) + lam * _quadratic(Q, abs(w[0]), abs(w[1]))
        ),
    )


def touches(grouping: str, pair: str, tilt: float, c: tuple[float, float]) -> dict[str, Touch]:
    """All four norms; those that are one on this plane are solved once."""
    H, at = hessian(tilt), np.array(c, dtype=float)
    found: dict[str, Touch] = {}
    for norm in NORMS:
        Q = form(norm, grouping, pair)
        same = [other for other in found if np.array_equal(form(other, grouping, pair), Q)]
        found[norm] = replace(found[same[0]], norm=norm) if same else touch(norm, Q, H, at)
    return found


# -- in words; the browser says the same, in MATHS.touching ---------------------------------------


def finding(found: Mapping[str, Touch], pair: str) -> str:
    """Where each ball is touched and which weights are 0 there, equal norms together."""
    names = weight_names(pair)
    parts = []
    for same in together(found):
        at = found[same[0]]
        who = listed(NORM_LABELS[norm] for norm in same)
        if at.inside:
            parts.append(f"{who}: the optimum is inside the ball")
            continue
        zero = listed(names[i] for i in at.zeros)
        said = f"{zero} = 0" if zero else "no weight is 0"
        parts.append(f"{who} at ({two_digits(at.w[0])}, {two_digits(at.w[1])}): {said}")
    return "; ".join(parts)


def answer(found: Mapping[str, Touch]) -> str:
    """How many of the four balls give a zero for this optimum, and which."""
    zero = [NORM_LABELS[norm] for norm, at in found.items() if not at.inside and at.zeros]
    if all(at.inside for at in found.values()):
        return "The optimum is inside all 4 balls: the loss touches none, and no norm moves it."
    if not zero:
        return "Where the loss touches their balls, none of the 4 norms makes a weight exactly 0."
    return (
        f"Where the loss touches their balls, {len(zero)} of 4 norms "
        f"{'makes' if len(zero) == 1 else 'make'} a weight exactly 0: {listed(zero)}."
    )


def together(found: Mapping[str, Touch]) -> list[list[str]]:
    """Norms that end at the same point, in classes."""
    classes: list[list[str]] = []
    for norm, at in found.items():
        for same in classes:
            if np.allclose(found[same[0]].w, at.w, atol=1e-9):
                same.append(norm)
                break
        else:
            classes.append([norm])
    return classes


def weight_names(pair: str) -> tuple[str, str]:
    first, second = PAIRS[pair]
    return weight_name(first), weight_name(second)


def two_digits(value: float) -> str:
    return "0.00" if abs(value) < 0.005 else f"{value:.2f}".replace("-", "−")


def table(found: Mapping[str, Touch], pair: str) -> dict[str, list]:
    first, second = PAIRS[pair]
    return {
        "norm": list(found),
        f"w{first + 1}": [float(at.w[0]) for at in found.values()],
        f"w{second + 1}": [float(at.w[1]) for at in found.values()],
        "lambda": [at.lam for at in found.values()],
        "radius": [at.radius for at in found.values()],
    }
