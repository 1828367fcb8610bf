"""Unit balls: on the norms of `solvers`, closed, of the right volume, sharp where they should."""

from collections import Counter
from math import pi, sqrt

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import balls
from lab.charts import balls as charts
from solvers import Groups, exclusive_norm
from solvers.norms import group_norm, l1_norm, l2_norm

DIRECTIONS = balls.sphere_directions(12)
OVERLAPPING = "{1,2}, {2,3}"
numbers = st.floats(-10, 10, allow_nan=False).map(lambda x: round(x, 3))


def by_solvers(norm, w, grouping) -> float:
    groups = Groups.from_lists([list(g) for g in balls.GROUPINGS[grouping]], 3)
    return {
        "l2": lambda: l2_norm(w),
        "l1": lambda: l1_norm(w),
        "l21": lambda: group_norm(w, groups),
        "le": lambda: exclusive_norm(w, groups),
    }[norm]()


def latent_by_cvxpy(w) -> float:
    first, second = cp.Variable(2), cp.Variable(2)
    rules = [first[0] == w[0], first[1] + second[0] == w[1], second[1] == w[2]]
    return cp.Problem(cp.Minimize(cp.norm2(first) + cp.norm2(second)), rules).solve(
        solver=cp.CLARABEL
    )


@pytest.mark.parametrize("grouping", balls.GROUPINGS)
@pytest.mark.parametrize("norm", balls.NORMS)
def test_every_corner_of_the_mesh_lies_on_the_ball(norm, grouping):
    points = balls.ball(norm, grouping, DIRECTIONS).points
    if norm == "l21" and grouping == OVERLAPPING:
        lengths = [latent_by_cvxpy(w) for w in points[::97]]
        np.testing.assert_allclose(lengths, 1.0, atol=1e-6)
    else:
        lengths = [by_solvers(norm, w, grouping) for w in points]
        np.testing.assert_allclose(lengths, 1.0, rtol=1e-12)


@given(w=st.tuples(numbers, numbers, numbers), v=st.tuples(numbers, numbers, numbers))
def test_latent_norm_is_a_norm_between_its_bounds(w, v):
    groups = balls.GROUPINGS[OVERLAPPING]
    w, v = np.array(w), np.array(v)

    def latent(x):
        return float(balls.norm_of("l21", x[None], groups)[0])

    assert latent(w + v) <= latent(w) + latent(v) + 1e-9
    assert latent(-2.0 * w) == pytest.approx(2.0 * latent(w))
    # Any split is an upper bound; here the shared weight goes to one group.
    assert latent(w) <= np.hypot(w[0], w[1]) + abs(w[2]) + 1e-9
    # The dual norm is max_g ‖·‖₂, so this v, scaled, is a lower bound.
    scale = max(np.hypot(v[0], v[1]), np.hypot(v[1], v[2]))
    if scale > 0:
        assert float(v @ w) / scale <= latent(w) + 1e-9


def test_mesh_is_closed_turned_outwards_and_never_crosses_a_coordinate_plane():
    mesh = DIRECTIONS
    sides = Counter()
    for a, b, c in mesh.triangles.tolist():
        sides.update([(a, b), (b, c), (c, a)])
    assert set(sides.values()) == {1}
    assert all((b, a) in sides for a, b in sides)
    corners = mesh.points[mesh.triangles]
    assert not ((corners.max(axis=1) > 0) & (corners.min(axis=1) < 0)).any()
    outwards = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.sum(outwards * corners.mean(axis=1), axis=1) > 0).all()


@pytest.mark.parametrize(
    ("norm", "grouping", "volume", "rtol"),
    [
        ("l1", "{1,2,3}", 4 / 3, 1e-12),
        ("le", "{1,2,3}", 4 / 3, 1e-12),
        ("l2", "{1,2,3}", 4 * pi / 3, 5e-3),
        ("le", "{1}, {2}, {3}", 4 * pi / 3, 5e-3),
        ("l21", "{1,2}, {3}", 2 * pi / 3, 5e-3),
        # Cuts at height z are diamonds of area 2(1 − z²).
        ("le", "{1,2}, {3}", 8 / 3, 5e-3),
        # Cuts at w₂ are diamonds of area 2(1 − w₂²): the same body turned.
        ("l21", "{1,2}, {2,3}", 8 / 3, 5e-3),
    ],
)
def test_volumes_are_those_of_the_bodies(norm, grouping, volume, rtol):
    mesh = balls.ball(norm, grouping, balls.sphere_directions(24))
    assert balls.volume(mesh) == pytest.approx(volume, rel=rtol)


@pytest.mark.parametrize(
    ("norm", "grouping", "slopes"),
    [
        ("l2", "{1,2}, {3}", [0, 0, 0]),
        ("l1", "{1,2}, {3}", [1, 1, 1]),
        ("l21", "{1,2}, {3}", [0, 0, 1]),
        ("le", "{1,2}, {3}", [1 / sqrt(2), 1 / sqrt(2), 0]),
        ("le", "{1,2}, {2,3}", [1 / sqrt(5), 2 / sqrt(2), 1 / sqrt(5)]),
        ("l21", "{1,2}, {2,3}", [1 / sqrt(2), 0, 1 / sqrt(2)]),
    ],
)
def test_slopes_at_zero_are_the_derivatives_by_hand(norm, grouping, slopes):
    found = [balls.kink(norm, grouping, i) for i in range(3)]
    # ℓe with overlaps at w₁ = 0: √((w₁+1)² + 2²) has slope 1/√5; at w₂ = 0: √2·(1+w₂)… slope √2.
    assert found == pytest.approx(slopes, abs=1e-6)
    assert balls.sharp_features(norm, grouping) == [i for i in range(3) if slopes[i] > 0]


def test_sections_have_their_corners_on_the_axes():
    x, y = balls.section("l1", "{1,2}, {3}", (0, 1))
    np.testing.assert_allclose(np.abs(x) + np.abs(y), 1.0, rtol=1e-12)
    assert {(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)} <= set(
        zip(x.tolist(), y.tolist(), strict=True)
    )


def test_within_a_group_le_is_l1_and_across_groups_it_is_l2():
    assert balls.equal_norms("{1,2}, {3}", (0, 1)) == [["l2", "l21"], ["l1", "le"]]
    assert balls.equal_norms("{1,2}, {3}", (0, 2)) == [["l2", "le"], ["l1", "l21"]]
    assert balls.section_title("{1,2}, {3}", (0, 2)) == "w1 and w3: ℓ2 = ℓe, ℓ1 = ℓ2,1"
    assert "ℓe is ℓ1 on 3 of 3" in balls.answer("{1,2,3}")


def test_unknown_norms_and_too_many_overlaps_are_refused():
    with pytest.raises(ValueError, match="there is no norm 'l3'"):
        balls.norm_of("l3", np.ones((1, 3)), ((0, 1, 2),))
    with pytest.raises(ValueError, match="two overlapping groups only"):
        balls.norm_of("l21", np.ones((1, 3)), ((0, 1), (1, 2), (0, 2)))


def test_surface_repeats_corners_between_octants_and_draws_the_same_triangles():
    mesh = balls.ball("le", "{1,2}, {3}", DIRECTIONS)
    figure = charts.surface(mesh.points, mesh.triangles, norm="le", title="x", mode="light")
    drawn, rings = figure.data
    corners = np.column_stack([drawn.x, drawn.y, drawn.z])
    cells = np.column_stack([drawn.i, drawn.j, drawn.k])
    np.testing.assert_allclose(corners[cells], mesh.points[mesh.triangles], atol=1e-6)
    for octant in range(8):
        sign = [1 if octant & bit else -1 for bit in (1, 2, 4)]
        own = np.unique(cells[(corners[cells].mean(axis=1) * sign > 0).all(axis=1)])
        others = np.unique(cells[~(corners[cells].mean(axis=1) * sign > 0).all(axis=1)])
        assert not np.intersect1d(own, others).size
    assert np.nanmax(np.abs(rings.x)) == pytest.approx(1.0, abs=1e-2)


def test_outlines_carry_colour_and_dash():
    curves = {norm: balls.section(norm, "{1,2}, {3}", (0, 1)) for norm in balls.NORMS}
    figure = charts.outlines(curves, axes=("w1", "w2"), title="x", mode="dark")
    assert len({(line.line.color, line.line.dash) for line in figure.data}) == 4
    assert len({line.line.dash for line in figure.data}) == 4


def test_table_holds_every_outline():
    columns = balls.table("{1,2}, {3}", per_quarter=10)
    assert {len(column) for column in columns.values()} == {3 * 4 * 41}
