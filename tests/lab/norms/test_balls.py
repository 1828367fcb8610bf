"""Unit balls: on the norms of `solvers`, closed, of the right volume, sharp where they should."""

from collections import Counter
from math import pi, sqrt

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.drawing.theme import NORM_LABELS
from lab.norms import balls, touch
from lab.norms.charts import balls as charts
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
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    determinants = np.sum(np.cross(a, b) * c)
    assert abs(determinants) / 6 == pytest.approx(volume, rel=rtol)


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
    assert "ℓe is ℓ1 on 3 of 3" in balls.answer("{1,2,3}")


def test_unknown_norms_and_too_many_overlaps_are_refused():
    with pytest.raises(ValueError, match="there is no norm 'l3'"):
        balls.norm_of("l3", np.ones((1, 3)), ((0, 1, 2),))
    with pytest.raises(ValueError, match="two overlapping groups only"):
        balls.norm_of("l21", np.ones((1, 3)), ((0, 1), (1, 2), (0, 2)))


def surface(norm: str, grouping: str = "{1,2}, {3}") -> charts.Surface:
    mesh = balls.ball(norm, grouping, DIRECTIONS)
    sharp = balls.sharp_features(norm, grouping)
    return charts.Surface(norm, mesh.points, mesh.triangles, sharp, f"the {norm} ball")


@pytest.mark.parametrize("grouping", balls.GROUPINGS)
@pytest.mark.parametrize("norm", balls.NORMS)
def test_a_surface_has_lines_on_the_planes_where_it_is_sharp_and_nowhere_else(norm, grouping):
    ball = surface(norm, grouping)
    drawn, *lines, axes = charts.surface(ball, "light").data
    assert axes.mode == "lines+text"
    corners = np.column_stack([drawn.x, drawn.y, drawn.z])
    cells = np.column_stack([drawn.i, drawn.j, drawn.k])
    np.testing.assert_allclose(corners[cells], ball.points[ball.triangles], atol=1e-6)
    if not ball.sharp:
        assert not lines and len(corners) == len(ball.points)
        return
    (edges,) = lines
    rings = np.column_stack([edges.x, edges.y, edges.z])
    breaks = np.flatnonzero(np.isnan(rings[:, 0]))
    for ring, feature in zip(np.split(rings, breaks + 1)[:-1], ball.sharp, strict=True):
        assert not ring[:-1, feature].any()
        assert np.abs(ring[:-1]).max() == pytest.approx(np.abs(ball.points).max(), abs=1e-2)
    for feature in ball.sharp:
        # A corner on a sharp plane belongs to triangles of one side only, so it is shaded so.
        side = np.sign(corners[cells].mean(axis=1)[:, feature])
        for corner in np.unique(cells[np.abs(corners[cells][:, :, feature]).min(axis=1) == 0]):
            assert len({*side[(cells == corner).any(axis=1)]}) == 1


def test_four_surfaces_in_one_figure_are_the_four_on_show():
    shown = [surface(norm) for norm in balls.NORMS]
    figure = charts.surfaces(shown, "light")
    meshes = [trace for trace in figure.data if trace.type == "mesh3d"]
    assert [mesh.scene for mesh in meshes] == ["scene", "scene2", "scene3", "scene4"]
    named = [trace.text for trace in figure.data if trace.type == "scatter3d" and trace.text]
    assert [[name for name in names if name] for names in named] == [["w₁", "w₂", "w₃"]] * 4
    assert [note.text for note in figure.layout.annotations] == [ball.title for ball in shown]


def test_the_plane_draws_four_balls_and_what_follows_the_optimum():
    figure = charts.live_plane("{1,2}, {3}", "w1 and w3", 0.4)
    names = [shape["name"] for shape in figure.content["shapes"]]
    assert sorted(names) == sorted(f"the {label} ball" for label in NORM_LABELS.values())
    for shape in figure.content["shapes"]:
        full = np.zeros((len(shape["points"]), 3))
        full[:, [0, 2]] = shape["points"]
        lengths = balls.norm_of(shape["color"], full, balls.GROUPINGS["{1,2}, {3}"])
        np.testing.assert_allclose(lengths, 1.0, atol=2e-4)
    assert figure.content["notes"] == 2 and "groups {1,2}, {3}" in figure.alts[0]
    assert charts.OPTIMUM.accepts(touch.DEFAULT_OPTIMUM)


def test_at_first_every_ellipse_that_touches_a_ball_is_whole_in_the_picture():
    c = np.array(charts.OPTIMUM.places(touch.DEFAULT_OPTIMUM))
    reach = np.sqrt(np.diag(np.linalg.inv(touch.hessian(touch.DEFAULT_TILT))))
    found = touch.touches(balls.DEFAULT_GROUPING, touch.DEFAULT_PAIR, touch.DEFAULT_TILT, tuple(c))
    for at in found.values():
        assert (c + at.radius * reach <= touch.HIGH).all()
        assert (c - at.radius * reach >= touch.LOW).all()
    assert found["l1"].zeros == (0,) and found["l2"].zeros == ()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_still_plane_is_the_same_picture(mode):
    c = (0.2, 1.4)
    found = touch.touches("{1,2}, {3}", "w1 and w2", 0.4, c)
    figure = charts.still_plane("{1,2}, {3}", "w1 and w2", 0.4, c, found, mode)
    assert len({line.line.dash for line in figure.data[:4]}) == 4
    dots = [trace for trace in figure.data[4:-1] if trace.mode == "markers"]
    for dot, at in zip(dots, found.values(), strict=True):
        assert (dot.x[0], dot.y[0]) == tuple(at.w)
    ellipse = figure.data[4]
    apart = np.stack([np.array(ellipse.x) - c[0], np.array(ellipse.y) - c[1]])
    level = np.einsum("ik,ij,jk->k", apart, touch.hessian(0.4), apart)
    np.testing.assert_allclose(level, found["l2"].radius ** 2)


@pytest.mark.parametrize(
    ("grouping", "plane", "sentence"),
    [
        (
            "{1,2}, {3}",
            (0, 1),
            "In this plane ℓ2 and ℓ2,1 are one norm and ℓ1 and ℓe are another, because w₁ and w₂ "
            "are in one group; of weights in different groups ℓe is ℓ2 and ℓ2,1 is ℓ1.",
        ),
        (
            "{1,2}, {3}",
            (0, 2),
            "In this plane ℓ2 and ℓe are one norm and ℓ1 and ℓ2,1 are another, because w₁ and w₃ "
            "are in different groups; of weights in one group ℓe is ℓ1 and ℓ2,1 is ℓ2.",
        ),
        ("{1,2}, {2,3}", (0, 1), "In this plane ℓ2 and ℓ2,1 are one norm."),
    ],
)
def test_norms_that_are_one_in_a_plane_are_named(grouping, plane, sentence):
    assert balls.coinciding(grouping, plane) == sentence


@pytest.mark.parametrize("grouping", balls.GROUPINGS)
def test_what_is_said_of_a_plane_and_of_space_is_well_formed(grouping):
    said = [balls.coinciding(grouping, plane) for plane in balls.PLANES]
    said += [balls.answer(grouping), *(balls.ball_title(norm, grouping) for norm in balls.NORMS)]
    for sentence in said:
        assert "  " not in sentence and " 0 under" not in sentence and "plane ." not in sentence


def test_table_holds_every_outline():
    columns = balls.table("{1,2}, {3}", per_quarter=10)
    assert {len(column) for column in columns.values()} == {3 * 4 * 41}
