"""What the live figure computes in the browser, run in node, against Python."""

import numpy as np
import pytest

from lab.cones import projections, searches, words
from solvers import project_l1_cone


def test_the_cone_projection_is_the_solvers_one(maths):
    random = np.random.default_rng(0)
    given = [
        dict(
            a=(random.standard_normal(d) * 2).tolist(),
            b=float(random.standard_normal() * 3),
            zeta=float(random.uniform(0.2, 5)),
        )
        for d in (1, 2, 3, 8)
        for _ in range(50)
    ]
    for case, found in zip(given, maths("project_l1_cone", given), strict=True):
        x, y = project_l1_cone(np.array(case["a"]), case["b"], case["zeta"])
        assert found["x"] == pytest.approx(x, abs=1e-12)
        assert found["y"] == pytest.approx(y, abs=1e-12)


def test_a_step_of_a_group_is_the_solvers_one_and_is_said_as_python_says_it(maths):
    random = np.random.default_rng(3)
    given = [
        dict(a=random.uniform(-3, 3, 2).round(2).tolist(), zeta=float(zeta))
        for zeta in (0.1, 0.45, 1, 10)
        for _ in range(20)
    ] + [dict(a=[0, 0], zeta=1), dict(a=[1.5, 0], zeta=2)]
    for case, found in zip(given, maths("group_step", given), strict=True):
        p = projections.project("ℓ1", case["a"], 0.0, case["zeta"])
        delta = searches.corrected_search("ℓ1", case["a"], 0.0, case["zeta"]).level
        assert found["x"] == pytest.approx(p.x, abs=1e-12)
        assert found["settled"] == pytest.approx(delta, abs=1e-12)
        assert found["title"] == words.group_title(p, delta)
    low, high = maths("group_step", [dict(a=[1.6, 0.5], zeta=1, level=at) for at in (0.2, 1.2)])
    assert "is 1.7: the line must rise" in low["title"]
    assert "is 0.4: the line must sink" in high["title"]


@pytest.mark.parametrize("decomposed", [False, True])
def test_the_cone_in_the_plane_is_said_as_python_says_it(maths, decomposed):
    random = np.random.default_rng(4)
    given = [
        dict(
            point=[*random.uniform([-3, -2], [3, 2]).round(2).tolist(), zeta],
            decomposed=decomposed,
            stretched=decomposed,
            edge=3.1,
            floor=-2.3,
        )
        for zeta in (0.1, 1.0, 10.0)
        for _ in range(20)
    ]
    title = words.moreau_title if decomposed else words.plane_title
    for case, found in zip(given, maths("cone_plane", given), strict=True):
        a, b, zeta = case["point"]
        p = projections.project("ℓ1", [a], b, zeta)
        assert found["stretch"] == pytest.approx(np.sqrt(zeta) if decomposed else 1)
        assert [found["x"], found["y"]] == pytest.approx([p.x[0], p.y], abs=1e-12)
        assert found["title"] == title(p)


@pytest.mark.parametrize(("key", "cone"), [("l1", "ℓ1"), ("linf", "ℓ∞")])
def test_the_cone_in_space_is_projected_and_said_as_python_does(maths, key, cone):
    random = np.random.default_rng(5)
    given = [
        dict(point=[*random.uniform([-3, -3, -2], [3, 3, 2]).round(2).tolist(), zeta], cone=key)
        for zeta in (0.1, 1.0, 10.0)
        for _ in range(25)
    ]
    titles = set()
    for case, found in zip(given, maths("cone_space", given), strict=True):
        *a, b, zeta = case["point"]
        p = projections.project(cone, a, b, zeta)
        assert [*found["x"], found["y"]] == pytest.approx([*p.x, p.y], abs=1e-12)
        assert found["title"] == words.space_title(p)
        assert words.point_text(p.x, p.y) in found["alt"]
        titles.add(found["title"].split(":")[0])
    assert titles == {"Inside the cone", "In the polar cone", "On an edge", "On a face"}


@pytest.mark.parametrize(("key", "cone"), [("l1", "ℓ1"), ("linf", "ℓ∞")])
def test_the_view_of_space_holds_the_point_its_projection_and_the_cone_around_them(
    maths, key, cone
):
    random = np.random.default_rng(6)
    raised, width, height = np.deg2rad(22), 900, 420
    given = []
    for zeta in (0.1, 1.0, 10.0):
        for point in [*random.uniform([-3, -3, -2], [3, 3, 2], (25, 3)), [3, 3, 2], [0, 0, 0]]:
            p = projections.project(cone, point[:2], point[2], zeta)
            given.append(
                dict(
                    point=list(map(float, point)),
                    projection=[*p.x.tolist(), p.y],
                    zeta=zeta,
                    cone=key,
                    polar=bool(len(given) % 2),
                    width=width,
                    height=height,
                )
            )
    for case, found in zip(given, maths("spaceView", given), strict=True):
        assert found["high"] >= max(case["projection"][2], case["point"][2])
        for x1, x2, z in (case["point"], case["projection"], [0, found["high"], found["high"]]):
            far = np.hypot(x1, x2)  # seen from any side
            assert found["unit"] * far <= width / 2
            for depth in (-far, far):
                rise = z * np.cos(raised) + depth * np.sin(raised)
                assert 0 <= found["origin"] - found["unit"] * rise <= height


def test_labels_are_spread_without_overlap_and_as_near_as_they_can_be(maths):
    random = np.random.default_rng(1)
    given = [
        dict(places=random.uniform(-20, 320, n).tolist(), gap=16, low=0, high=300)
        for n in (1, 2, 5, 9)
        for _ in range(20)
    ]
    for case, found in zip(given, maths("spread", given), strict=True):
        order = np.argsort(case["places"], kind="stable")
        placed = np.array(found)[order]
        assert np.all(np.diff(placed) >= 16 - 1e-9)
        assert placed.min() >= -1e-9 and placed.max() <= 300 + 1e-9
    [apart] = maths("spread", [dict(places=[200, 10, 100], gap=16, low=0, high=300)])
    assert apart == [200, 10, 100]


@pytest.mark.parametrize(
    ("low", "high", "scale", "pixels", "texts"),
    [
        (0, 3.2, "linear", 240, ["0", "1", "2", "3"]),
        (0.02, 100, "log", 600, ["0.1", "1", "10", "100"]),
        (1, 30, "log", 600, ["1", "2", "5", "10", "20"]),
        (0, 1, "linear", 130, ["0", "0.5", "1"]),
    ],
)
def test_ticks_are_round_numbers_within_the_axis(maths, low, high, scale, pixels, texts):
    axis = dict(range=[low, high], scale=scale, ticks=None)
    [ticks] = maths("ticks", [dict(axis=axis, pixels=pixels)])
    assert [words for _, words in ticks] == texts


def test_the_histogram_counts_the_draws_so_far(maths):
    random = np.random.default_rng(2)
    falls = random.integers(0, 7, 100).tolist()
    law = [0.1, 0.2, 0.3, 0.1, 0.1, 0.1, 0.1]
    given = [dict(falls=falls, law=law, draws=draws) for draws in (1, 40, 100)]
    for case, found in zip(given, maths("histogram", given), strict=True):
        assert found["seen"] == np.bincount(falls[: case["draws"]], minlength=7).tolist()
        assert found["expected"] == pytest.approx([share * case["draws"] for share in law])


def test_the_fullest_bucket_fits(maths):
    given = [
        dict(most=most, width=width, height=height)
        for most in (1, 38, 2600)
        for width in (3.4, 24, 270)
        for height in (90, 320)
    ]
    for case, found in zip(given, maths("bucketGrid", given), strict=True):
        rows = -(-case["most"] // found["columns"])
        assert rows * found["tall"] <= case["height"] + 1e-9
        assert found["columns"] * found["side"] == pytest.approx(case["width"])


def test_buckets_have_room_for_the_mark_that_none_may_pass_unless_it_is_far_above(maths):
    near, far = (dict(counts=[[17, 34, 25], [12, 40, 20]], ratio=ratio) for ratio in (3, 19))
    empty = dict(counts=[[0, 4], [0, 3]], ratio=3)
    assert maths("bucketRoom", [near, far, empty]) == [51, 40, 4]


def test_a_head_is_on_its_line(maths):
    xs, ys = [10.0, 20.0, 50.0], [5.0, 9.0, 1.0]
    places = [list(place) for place in zip(xs, ys, strict=True)]
    given = [dict(places=places, at=at) for at in (0, 10, 14, 20, 37.5, 50, 80)]
    for case, (across, up) in zip(given, maths("headAt", given), strict=True):
        at = min(max(case["at"], xs[0]), xs[-1])
        assert (across, up) == pytest.approx((at, np.interp(at, xs, ys)))


def test_names_inside_the_picture_do_not_cover_each_other(maths):
    ends = [dict(x=x, y=300, width=80) for x in (20, 60, 90, 400)]
    [placed] = maths("insideNames", [dict(ends=ends, right=450, gap=17)])
    for i, one in enumerate(placed):
        assert one["x"] + one["width"] <= 450
        for other in placed[:i]:
            apart = abs(one["y"] - other["y"]) >= 17
            beside = one["x"] >= other["x"] + 80 or other["x"] >= one["x"] + 80
            assert apart or beside
