"""Where a loss touches a ball: CVXPY's optimum, exact zeros, and the browser's own function."""

import cvxpy as cp
import numpy as np
import pytest

from lab.drawing.theme import NORM_LABELS
from lab.norms import balls, touch
from lab.norms.charts import balls as charts

GRID = [
    (grouping, pair, tilt, c)
    for grouping in balls.GROUPINGS
    for pair in touch.PAIRS
    for tilt, c in ((0.4, (0.2, 1.4)), (-0.7, (1.9, 1.2)), (0.0, (-2.1, 0.3)), (0.9, (0.1, -0.2)))
]


def by_cvxpy(norm, grouping, pair, tilt, c):
    w, full = cp.Variable(2), [0.0] * 3
    for place, at in zip(touch.PAIRS[pair], (0, 1), strict=True):
        full[place] = w[at]
    lists = balls.GROUPINGS[grouping]
    rules = []
    if norm == "l21":
        copies = [cp.Variable(len(group)) for group in lists]
        length = sum(cp.norm2(copy) for copy in copies)
        for i in range(3):
            parts = [
                copy[list(group).index(i)]
                for group, copy in zip(lists, copies, strict=True)
                if i in group
            ]
            rules.append(sum(parts) == full[i])
    elif norm == "le":
        sums = [sum(cp.abs(full[i]) for i in group) for group in lists]
        length = cp.norm2(cp.hstack(sums))
    else:
        length = cp.norm1(w) if norm == "l1" else cp.norm2(w)
    loss = cp.quad_form(w - np.array(c), touch.hessian(tilt))
    cp.Problem(cp.Minimize(loss), [length <= 1, *rules]).solve(solver=cp.CLARABEL)
    return w.value


@pytest.mark.parametrize("norm", balls.NORMS)
@pytest.mark.parametrize("grouping", ["{1,2}, {3}", "{1,2}, {2,3}"])
@pytest.mark.parametrize("pair", touch.PAIRS)
def test_the_point_of_touch_is_the_optimum_of_cvxpy(norm, grouping, pair):
    for tilt, c in ((0.4, (0.2, 1.4)), (-0.7, (1.9, 1.2))):
        found = touch.touches(grouping, pair, tilt, c)[norm]
        assert found.w == pytest.approx(by_cvxpy(norm, grouping, pair, tilt, c), abs=1e-4)


@pytest.mark.parametrize(("grouping", "pair", "tilt", "c"), GRID)
def test_the_touched_point_is_on_the_ball_and_on_the_ellipse(grouping, pair, tilt, c):
    H = touch.hessian(tilt)
    for norm, at in touch.touches(grouping, pair, tilt, c).items():
        full = np.zeros((1, 3))
        full[0, list(touch.PAIRS[pair])] = at.w
        length = balls.norm_of(norm, full, balls.GROUPINGS[grouping])[0]
        if at.inside:
            assert length <= 1 + 1e-12 and at.w == pytest.approx(c)
            continue
        assert length == pytest.approx(1.0, abs=1e-9)
        apart = at.w - np.array(c)
        assert at.radius**2 == pytest.approx(apart @ H @ apart)
        # The multiplier: the loss's slope along the ball's outward direction at w is −λ‖w‖² = −λ.
        assert at.w @ H @ apart == pytest.approx(-at.lam, abs=1e-7)


def test_forms_give_the_norms_at_any_point():
    random = np.random.default_rng(0)
    for grouping in balls.GROUPINGS:
        for pair, places in touch.PAIRS.items():
            w = np.zeros((20, 3))
            w[:, list(places)] = random.standard_normal((20, 2))
            size = np.abs(w[:, list(places)])
            for norm in balls.NORMS:
                Q = touch.form(norm, grouping, pair)
                np.testing.assert_allclose(
                    np.einsum("ki,ij,kj->k", size, Q, size),
                    balls.norm_of(norm, w, balls.GROUPINGS[grouping]) ** 2,
                )


def test_half_axes_span_the_level_set():
    axes = touch.half_axes(0.6)
    for angle in np.linspace(0, 6, 7):
        w = axes @ [np.cos(angle), np.sin(angle)]
        assert w @ touch.hessian(0.6) @ w == pytest.approx(1.0)


def test_competing_weights_are_zero_under_l1_and_le_and_sharing_ones_under_l1_and_l21():
    c = (0.2, 1.4)
    together = touch.touches("{1,2}, {3}", "w1 and w2", 0.4, c)
    assert [norm for norm, at in together.items() if at.zeros] == ["l1", "le"]
    apart = touch.touches("{1,2}, {3}", "w1 and w3", 0.4, c)
    assert [norm for norm, at in apart.items() if at.zeros] == ["l1", "l21"]
    assert "2 of 4 norms make a weight exactly 0: ℓ1 and ℓe." in touch.answer(together)
    assert "none of the 4 norms" in touch.answer(
        touch.touches("{1,2}, {3}", "w1 and w2", 0.0, (1.5, 1.5))
    )
    inside = touch.touches("{1,2}, {3}", "w1 and w2", 0.4, (0.0, 0.0))
    assert touch.answer(inside).startswith("The optimum is inside all 4 balls")


def test_the_browser_touches_where_python_does_and_says_the_same(maths):
    given, wanted = [], []
    for grouping, pair, tilt, c in GRID:
        figure = charts.live_plane(grouping, pair, tilt)
        given.append(dict(point=list(c), **figure.content["numbers"]))
        wanted.append(touch.touches(grouping, pair, tilt, c))
    for case, answer, found in zip(GRID, maths("touching", given), wanted, strict=True):
        assert answer["title"] == touch.finding(found, case[1])
        assert answer["title"] in answer["alt"]
        dots = [shape["at"] for shape in answer["shapes"] if shape["type"] == "dot"]
        outside = [same for same in touch.together(found) if not found[same[0]].inside]
        for dot, same in zip(dots, outside, strict=True):
            assert dot == pytest.approx(found[same[0]].w, abs=1e-9)
            assert [k for k in (0, 1) if dot[k] == 0] == list(found[same[0]].zeros)
        named = [[each["name"] for each in note["names"]] for note in answer["notes"]]
        equal = balls.equal_norms(case[0], touch.PAIRS[case[1]])
        assert named == [[NORM_LABELS[norm] for norm in same] for same in equal]
        ellipses = [shape for shape in answer["shapes"] if shape["type"] == "ellipse"]
        assert len(ellipses) == 3 * len(dots)


def test_the_growing_ellipse_shows_the_balls_it_has_reached(maths):
    grouping, pair, tilt, c = "{1,2}, {3}", "w1 and w2", 0.4, (0.2, 1.4)
    numbers = charts.live_plane(grouping, pair, tilt).content["numbers"]
    radii = sorted({round(at.radius, 9) for at in touch.touches(grouping, pair, tilt, c).values()})
    shares = [0.5 * radii[0] / radii[-1], 0.5 * (radii[0] / radii[-1] + 1), 1]
    growing = [dict(point=list(c), grown=share, **numbers) for share in shares]
    early, later, end = maths("touching", growing)
    for found, dots, ellipses in ((early, 0, 1), (later, 1, 2), (end, 2, 6)):
        kinds = [shape["type"] for shape in found["shapes"]]
        assert (kinds.count("dot"), kinds.count("ellipse")) == (dots, ellipses)
        assert found["title"] == end["title"]
    size = np.linalg.norm(early["shapes"][0]["axes"])
    assert size == pytest.approx(shares[0] * radii[-1] * np.linalg.norm(numbers["axes"]))


def test_table_has_a_row_a_norm():
    found = touch.touches("{1,2}, {3}", "w1 and w3", 0.4, (0.2, 1.4))
    columns = touch.table(found, "w1 and w3")
    assert columns["norm"] == list(balls.NORMS) and {"w1", "w3"} <= set(columns)
    assert columns["w3"] == [at.w[1] for at in found.values()]
