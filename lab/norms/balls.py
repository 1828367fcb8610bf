"""Unit balls {w : ‖w‖ ≤ 1} of the four norms over three features, exactly.

All four norms depend on |w| alone and bend sharply only where a coordinate is 0. A mesh whose
edges run along the coordinate planes and whose corners are scaled by 1/‖u‖ therefore meets every
crease and corner of the ball; a direction's boundary point is u/‖u‖ itself, not an approximation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from lab.drawing.theme import NORM_LABELS
from lab.words import listed

NORMS = ("l2", "l1", "l21", "le")

# Features are counted from 0 here, from 1 where they are read.
GROUPINGS: Mapping[str, tuple[tuple[int, ...], ...]] = MappingProxyType(
    {
        "{1,2}, {3}": ((0, 1), (2,)),
        "{1,2,3}": ((0, 1, 2),),
        "{1}, {2}, {3}": ((0,), (1,), (2,)),
        "{1,2}, {2,3}": ((0, 1), (1, 2)),
    }
)
DEFAULT_GROUPING = "{1,2}, {3}"
PLANES = ((0, 1), (0, 2), (1, 2))


def norm_of(norm: str, w: np.ndarray, groups: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """‖w‖ for each row of w, three columns

    ℓe is √Σ_g ‖w_g‖₁², overlaps or not. ℓ2,1 is Σ_g ‖w_g‖₂ for disjoint groups; for overlapping
    ones it is the latent norm min { Σ_g ‖v_g‖₂ : Σ_g v_g = w } (Jacob et al. 2009), which is what
    the fits of this page use.
    """
    w = np.abs(np.asarray(w, dtype=float))
    if norm == "l2":
        return np.sqrt(np.sum(w * w, axis=-1))
    if norm == "l1":
        return np.sum(w, axis=-1)
    if norm == "le":
        sums = np.stack([np.sum(w[..., list(g)], axis=-1) for g in groups])
        return np.sqrt(np.sum(sums * sums, axis=0))
    if norm != "l21":
        raise ValueError(f"there is no norm {norm!r}; choose one of: {', '.join(NORMS)}.")
    if len(set().union(*groups)) == sum(len(g) for g in groups):
        return np.sum([np.sqrt(np.sum(w[..., list(g)] ** 2, axis=-1)) for g in groups], axis=0)
    return _latent_of_two(w, groups)


def _latent_of_two(w, groups) -> np.ndarray:
    """Two groups that share features: √((‖w_only first‖ + ‖w_only second‖)² + ‖w_shared‖²)

    The shared part is split between two vectors so that their lengths sum to least: the triangle
    inequality is tight where they point the same way.
    """
    if len(groups) != 2:
        raise ValueError("the latent norm is in closed form for two overlapping groups only.")
    first, second = (set(group) for group in groups)

    def length(members):
        return np.sqrt(np.sum(w[..., sorted(members)] ** 2, axis=-1))

    apart = length(first - second) + length(second - first)
    return np.sqrt(apart**2 + length(first & second) ** 2)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of a surface: points (k × 3) and the three corners of each triangle (t × 3)."""

    points: np.ndarray
    triangles: np.ndarray


def sphere_directions(steps: int) -> Mesh:
    """The octahedron |u₁| + |u₂| + |u₃| = 1 cut into 8·steps² triangles, none across a plane uᵢ = 0

    Corners are shared, so that the surface is closed.
    """
    number: dict[tuple[int, int, int], int] = {}

    def corner(a, b, c):
        return number.setdefault((a, b, c), len(number))

    triangles = []
    for sign in np.array(np.meshgrid([1, -1], [1, -1], [1, -1])).T.reshape(-1, 3).tolist():
        for i in range(steps):
            for j in range(steps - i):
                k = steps - i - j
                here = [(i, j, k), (i + 1, j, k - 1), (i, j + 1, k - 1)]
                cells = [here]
                if k > 1:
                    cells.append([(i + 1, j, k - 1), (i + 1, j + 1, k - 2), (i, j + 1, k - 1)])
                for cell in cells:
                    corners = [
                        corner(*(s * x for s, x in zip(sign, point, strict=True))) for point in cell
                    ]
                    # Outwards on all sides: a mirrored octant turns its triangles round.
                    turned = sign[0] * sign[1] * sign[2] > 0
                    triangles.append(corners if turned else corners[::-1])
    points = np.array(list(number), dtype=float) / steps
    return Mesh(points, np.array(triangles))


def ball(norm: str, grouping: str, directions: Mesh) -> Mesh:
    """The unit ball's surface: every direction u at u/‖u‖."""
    lengths = norm_of(norm, directions.points, GROUPINGS[grouping])
    return Mesh(directions.points / lengths[:, None], directions.triangles)


def section(norm: str, grouping: str, plane: tuple[int, int], per_quarter: int = 45):
    """The ball's outline where the third weight is 0: columns x and y, closed

    Angles include the axes, where the corners are.
    """
    angles = np.linspace(0.0, 2.0 * np.pi, 4 * per_quarter + 1)
    u = np.zeros((angles.size, 3))
    u[:, plane[0]], u[:, plane[1]] = np.cos(angles), np.sin(angles)
    # cos(π/2) is 6e-17 in floating point; on an axis it must be 0, or a corner is missed.
    u[np.abs(u) < 1e-12] = 0.0
    w = u / norm_of(norm, u, GROUPINGS[grouping])[:, None]
    return w[:, plane[0]], w[:, plane[1]]


# -- findings --------------------------------------------------------------------------------


def kink(norm: str, grouping: str, feature: int) -> float:
    """The slope of the norm in wᵢ on leaving wᵢ = 0, the others at 1: above 0 makes exact zeros

    A slope of 0 means that a small wᵢ costs nothing at first, so no fit has a reason to hold it at
    0. Measured as a one-sided difference; a smooth norm's is of the step's size.
    """
    at = np.ones(3)
    at[feature] = 0.0
    moved = at.copy()
    step = 1e-7
    moved[feature] = step
    groups = GROUPINGS[grouping]
    rise = norm_of(norm, moved[None], groups)[0] - norm_of(norm, at[None], groups)[0]
    return float(rise / step)


def weight_name(feature: int) -> str:
    return f"w{'₁₂₃'[feature]}"


def sharp_features(norm: str, grouping: str) -> list[int]:
    """The features whose weight this norm can hold at exactly 0 while the others are not."""
    return [i for i in range(3) if kink(norm, grouping, i) > 1e-3]


def ball_title(norm: str, grouping: str) -> str:
    sharp = sharp_features(norm, grouping)
    label = NORM_LABELS[norm]
    if not sharp:
        return f"{label}: round where a single weight is 0"
    where = listed(f"{weight_name(i)} = 0" for i in sharp) if len(sharp) < 3 else "every weight = 0"
    return f"{label}: sharp edges at {where}"


def equal_norms(grouping: str, plane: tuple[int, int]) -> list[list[str]]:
    """Which norms coincide on a coordinate plane, as classes in the order of `NORMS`."""
    classes: list[list[str]] = []
    outlines = {norm: np.stack(section(norm, grouping, plane)) for norm in NORMS}
    for norm in NORMS:
        for group in classes:
            if np.allclose(outlines[norm], outlines[group[0]], atol=1e-12):
                group.append(norm)
                break
        else:
            classes.append([norm])
    return classes


def competing_pairs(grouping: str) -> list[tuple[int, int]]:
    """Pairs for which ℓe is ℓ1 on their plane: they compete for one place."""
    return [
        plane
        for plane in PLANES
        if any({"l1", "le"} <= set(group) for group in equal_norms(grouping, plane))
    ]


def answer(grouping: str) -> str:
    """What the grouping does to ℓe, in one sentence with its numbers."""
    competing = len(competing_pairs(grouping))
    single = {norm: len(sharp_features(norm, grouping)) for norm in NORMS}
    others = (f"{single[norm] or 'none'} under {NORM_LABELS[norm]}" for norm in ("l21", "l1", "l2"))
    edges = listed([f"{single['le'] or 'none'} can be exactly 0 alone under ℓe", *others])
    return (
        f"With groups {grouping}, ℓe is ℓ1 on {competing or 'none'} of 3 coordinate planes. Of the "
        f"3 weights, {edges}."
    )


def coinciding(grouping: str, plane: tuple[int, int]) -> str:
    """Which norms are one on a coordinate plane, so that their lines lie on each other, and why."""
    same = [
        listed(NORM_LABELS[norm] for norm in group)
        for group in equal_norms(grouping, plane)
        if len(group) > 1
    ]
    said = listed(
        f"{names} are {which}" for names, which in zip(same, ("one norm", "another"), strict=False)
    )
    groups = GROUPINGS[grouping]
    first, second = map(weight_name, plane)
    owners = [{g for g, members in enumerate(groups) if i in members} for i in plane]
    if any(len(mine) > 1 for mine in owners):
        return f"In this plane {said}."
    place = "one group" if owners[0] == owners[1] else "different groups"
    said = f"In this plane {said}, because {first} and {second} are in {place}"
    if len(groups) == 1 or max(map(len, groups)) == 1:
        return f"{said}."
    if owners[0] == owners[1]:
        return f"{said}; of weights in different groups ℓe is ℓ2 and ℓ2,1 is ℓ1."
    return f"{said}; of weights in one group ℓe is ℓ1 and ℓ2,1 is ℓ2."


def table(grouping: str, per_quarter: int = 45) -> dict[str, np.ndarray]:
    """The outlines of all norms on all three coordinate planes, one row per point."""
    columns: dict[str, list] = {"norm": [], "plane": [], "x": [], "y": []}
    for plane in PLANES:
        for norm in NORMS:
            x, y = section(norm, grouping, plane, per_quarter)
            columns["norm"] += [norm] * x.size
            columns["plane"] += [f"w{plane[0] + 1}, w{plane[1] + 1}"] * x.size
            columns["x"].append(x)
            columns["y"].append(y)
    return {
        "norm": np.array(columns["norm"]),
        "plane": np.array(columns["plane"]),
        "x": np.concatenate(columns["x"]),
        "y": np.concatenate(columns["y"]),
    }
