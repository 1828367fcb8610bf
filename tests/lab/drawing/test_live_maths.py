"""What the live figure computes in the browser, run in node, against Python."""

from itertools import pairwise

import numpy as np
import pytest

from lab.cones import projections, searches, words
from lab.drawing import live
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
        assert words.shown(delta) in found["alt"] and words.vector_text(p.x) in found["alt"]
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
        assert words.point_text(p.x, p.y) in found["alt"]


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
        low, high = found["upright"]
        assert low <= 0 < high and (low < 0) == case["polar"]
        for end in (low, high):
            assert 0 <= found["origin"] - found["unit"] * end * np.cos(raised) <= height


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


def test_numbers_of_an_axis_have_room_and_the_powers_of_ten_stay(maths):
    """A phone's logarithmic axis from 0.01 to 1, its 2s and 5s as near as 20 pixels to the next."""
    values = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
    for pixels in (90.0, 200.0, 600.0):
        places = [pixels * (np.log10(value) + 2) / 2 for value in values]
        widths = [6.5 * len(f"{value:g}") for value in values]
        powers = [value in (0.01, 0.1, 1.0) for value in values]
        [kept] = maths(
            "fitting", [dict(places=places, widths=widths, round=list(map(int, powers)))]
        )
        assert {0, 3, 6} <= set(kept)
        ends = [(places[i] - widths[i] / 2, places[i] + widths[i] / 2) for i in kept]
        assert all(one[1] < two[0] for one, two in pairwise(ends))
    assert kept == list(range(7))  # nothing is left out where there is room


def test_names_of_rates_cover_neither_a_line_nor_each_other(maths):
    """Three rates as a linear axis shows them: all fall at once, and run side by side."""
    box = dict(left=40, right=240, top=28, bottom=290)
    across = np.linspace(40, 240, 60)

    def falling(steep):
        return [[x, 290 - 260 / (1 + steep * (x - 40) / 20)] for x in across.tolist()]

    rates = [falling(steep) for steep in (0.5, 2.0, 8.0)]
    form = dict(width=48.0, rows=1, texts=["O(1/k)"])
    lines = [falling(4.0), *rates]
    curves = [dict(places=places, form=form) for places in rates]
    [put] = maths("alongCurve", [dict(lines=lines, curves=curves, box=box)])
    boxes = [(at["x"], at["x"] + 48, at["y"] - 12, at["y"] + 4) for at in put]
    for k, (left, right, top, bottom) in enumerate(boxes):
        assert box["left"] <= left and right <= box["right"]
        for x, y in (place for line in lines for place in line):
            assert not (left < x < right and top < y < bottom)
        for other in boxes[k + 1 :]:
            assert right < other[0] or other[1] < left or bottom < other[2] or other[3] < top


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


BOX = dict(left=40, right=450, top=28, bottom=320)
# A line that falls from the upper left to the lower right, as the probability of balance does.
FALL = [[40, 35], [200, 40], [240, 80], [290, 290], [320, 318], [450, 320]]


def covered(name, lines) -> bool:
    """Whether a name lies over one of the lines, looked at pixel by pixel."""
    low, high = name["y"] - 12, name["y"] + 4 + 15 * (name.get("rows", 1) - 1)
    for line in lines:
        across, up = np.array(line).T
        along = np.linspace(0, len(line) - 1, 3000)
        xs, ys = (np.interp(along, np.arange(len(line)), values) for values in (across, up))
        within = (name["x"] <= xs) & (xs <= name["x"] + name["width"]) & (low <= ys) & (ys <= high)
        if within.any():
            return True
    return False


def away(name, end) -> float:
    """From a name's outline to the end of a line."""
    across = max(name["x"] - end["x"], 0, end["x"] - name["x"] - name["width"])
    up = max(name["y"] - 12 - end["y"], 0, end["y"] - name["y"] - 4)
    return float(np.hypot(across, up))


def test_names_at_the_ends_of_lines_cover_no_line_and_no_other_name(maths):
    lines = [FALL, [[40, 40], [150, 60], [200, 318]], [[40, 40], [190, 60], [245, 318]]]
    ends = [dict(x=line[-1][0], y=line[-1][1], width=80) for line in lines[1:]]
    [placed] = maths("aroundEnds", [dict(ends=ends, box=BOX, lines=lines)])
    for i, name in enumerate(placed):
        assert BOX["left"] <= name["x"] and name["x"] + name["width"] <= BOX["right"]
        assert not covered(name, lines)
        far = [away(name, end) for end in ends]
        assert far[i] == min(far) and far[1 - i] >= 20  # no other end could be meant
        for other in placed[:i]:
            beside = abs(name["x"] - other["x"]) >= 80
            assert beside or abs(name["y"] - other["y"]) >= 16
    free = dict(x=100, y=200, width=30)
    [[near]] = maths("aroundEnds", [dict(ends=[free], box=BOX, lines=[[[40, 200], [100, 200]]])])
    assert near["far"] <= 8


@pytest.mark.parametrize("at", [100, 225, 265, 300, 360, 445])
@pytest.mark.parametrize("after", [False, True])
def test_the_name_of_an_upright_line_covers_no_curve_where_there_is_room(maths, at, after):
    forms = [dict(width=150, rows=1), dict(width=70, rows=2)]
    given = dict(at=at, forms=forms, box=BOX, width=500, after=after, lines=[FALL])
    [name] = maths("besideUpright", [given])
    assert not covered(name, [FALL])
    assert name["x"] >= BOX["left"] and name["x"] + name["width"] <= 500
    assert name["x"] >= at + 5 or name["x"] + name["width"] <= at - 5


def test_a_sliders_steps_stand_where_their_marks_do(maths):
    log = dict(range=[1, 100], scale="log", ticks=None)
    even, uneven, turned = maths(
        "sharesAlong",
        [
            dict(axis=log, marks=np.geomspace(1, 100, 5).tolist()),
            dict(axis=dict(log, scale="linear"), marks=[1, 2, 10.9, 100]),
            dict(axis=log, marks=[1, 10, 5]),
        ],
    )
    assert even == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    assert uneven == pytest.approx([0, 1 / 99, 0.1, 1])
    assert turned is None  # where the marker goes to and fro, the steps are even


def test_keys_lead_from_step_to_step_and_stop_at_the_ends(maths):
    keys = ["ArrowRight", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Tab"]
    assert maths("stepByKey", [dict(key=key, at=3, last=40) for key in keys]) == [
        *(4, 2, 7, 0, 0, 40),
        None,
    ]
    ends = [dict(key="ArrowLeft", at=0, last=2), dict(key="PageUp", at=2, last=2)]
    assert maths("stepByKey", ends) == [0, 2]


@pytest.mark.parametrize("log", [True, False])
def test_a_moment_of_a_race_stays_while_the_race_goes_on(maths, log):
    def race(reach, low=1e-3, high=61.2, label="seconds"):
        x = live.Axis(label, low if log else 0.0, high, log=log)
        return dict(x=x.spec(), reach=reach, frames=161), live.head_places(x, reach, 161)

    (before, places), (after, later) = race(2.0), race(9.0)
    finished, last = race(9.4, low=2e-3, high=9.6)
    frames = range(20, 160, 20)
    found = maths("sameMoment", [dict(before=before, after=after, at=k) for k in frames])
    for k, now in zip(frames, found, strict=True):
        assert now["place"] == pytest.approx(places[k])
        assert now["at"] == np.argmin(abs(later - places[k]))
    # Again and again it is the first moment that is meant, not the frame nearest to it.
    given = [dict(before=after, after=finished, at=now["at"], held=now["place"]) for now in found]
    for k, now, earlier in zip(frames, maths("sameMoment", given), found, strict=True):
        assert now == dict(at=np.argmin(abs(last - places[k])), place=earlier["place"])
    # The last frame is where the race is, and another axis knows nothing of seconds.
    other, _ = race(500.0, high=510.0, label="iterations")
    given = [dict(before=before, after=after, at=160), dict(before=before, after=other, at=80)]
    assert [now["at"] for now in maths("sameMoment", given)] == [160, 80]
    (gone,) = maths("sameMoment", [dict(before=after, after=before, at=159)])
    assert gone["at"] == 160  # another race, which never came so far


def test_pictures_are_larger_where_the_screen_has_room_and_smaller_where_it_has_little(maths):
    phone, laptop, large, column, lecture, low = maths(
        "enlargement",
        [
            dict(width=358, screen=1200),
            dict(width=940, screen=800),
            dict(width=1440, screen=1080),
            dict(width=600, screen=1080),
            dict(width=950, screen=620),
            dict(width=1440, screen=300),
        ],
    )
    assert (phone, laptop) == (1, 1)
    assert 430 * lecture + 335 <= 620  # title, answer, tabs and slider have room beside it
    assert low == 0.6  # words still keep apart
    assert 1.5 < large < 2  # all of it and its slider are on the screen
    assert column == 1  # no higher than its width bears
