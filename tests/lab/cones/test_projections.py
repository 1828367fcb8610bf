"""Cone projections: certificates against Clarabel and exact twins, searches against the print."""

import itertools
import math

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.cones import charts, searches, tables, vectors, words
from lab.cones import projections as cones
from lab.drawing import theme
from tests import naive

NAIVE = {"ℓ1": naive.project_l1_cone, "ℓ∞": naive.project_linf_cone}


def naive_printed(cone, a, b, zeta):
    """The twin of the print; it takes sgn(0) for 1, and the paper's sgn(0) is 0."""
    project = naive.printed_project_l1_cone if cone == "ℓ1" else naive.printed_project_linf_cone
    x, y = project(a, b, zeta)
    return np.where(np.equal(a, 0.0), 0.0, x), y


entry = st.floats(-50, 50).filter(lambda value: value == 0 or abs(value) > 1e-3)
groups = st.lists(entry, min_size=1, max_size=6)
zetas = st.floats(0.05, 20)
which = st.sampled_from(cones.CONES)

# Where the printed algorithms fail, as (cone, a, b), all at ζ = 1.
ERRATA = {
    "Alg. 2, origin": ("ℓ1", [1.0, 0.5], -3.0),
    "Alg. 2, tie": ("ℓ1", [0.1, 0.3], 0.1),
    "Alg. 3, x": ("ℓ∞", [3.0, 1.0], 1.0),
    "Alg. 3, y": ("ℓ∞", [1.0, 0.5], -3.0),
    "Alg. 3, tie": ("ℓ∞", [0.4, 0.2], 0.0),
}


def searched(cone, a, b, zeta=1.0):
    return cones.project(cone, a, b, zeta), searches.printed_search(cone, a, b, zeta)


def one_decimal_points():
    values = [k / 10 for k in range(-5, 6)]
    return itertools.product(itertools.combinations_with_replacement(values, 2), values)


# -- projections and their certificate -------------------------------------------------------------


@pytest.mark.parametrize("cone", cones.CONES)
def test_projection_agrees_with_clarabel(cone):
    rng = np.random.default_rng(0)
    a, root_zeta, scaled_b = cp.Parameter(4), cp.Parameter(nonneg=True), cp.Parameter()
    x, y = cp.Variable(4), cp.Variable()
    distance = 0.5 * cp.sum_squares(x - a) + 0.5 * cp.square(root_zeta * y - scaled_b)
    problem = cp.Problem(cp.Minimize(distance), [cp.norm(x, 1 if cone == "ℓ1" else "inf") <= y])
    for zeta in (0.1, 1.0, 7.0):
        for height in (-1.5, 0.0, 0.8):
            a.value, root_zeta.value = rng.standard_normal(4), math.sqrt(zeta)
            scaled_b.value = root_zeta.value * height
            problem.solve(solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
            p = cones.project(cone, a.value, height, zeta)
            np.testing.assert_allclose(p.x, x.value, atol=1e-5)
            assert p.y == pytest.approx(float(y.value), abs=1e-5)
            assert 0.5 * p.distance**2 == pytest.approx(problem.value, rel=1e-7, abs=1e-9)
            assert p.is_projection and p.gap <= 1e-14


@given(which, groups, entry, zetas)
def test_projection_is_certified_and_equals_the_exact_twin(cone, a, b, zeta):
    p = cones.project(cone, a, b, zeta)
    x, y = NAIVE[cone](a, b, zeta)
    np.testing.assert_allclose(p.x, x, atol=1e-11)
    assert p.y == pytest.approx(y, abs=1e-11)
    assert p.is_projection
    assert p.gap <= 1e-13


@given(which, groups, entry, zetas, st.integers(0, 2**32 - 1))
def test_certificate_bounds_the_suboptimality_of_any_point_of_the_cone(cone, a, b, zeta, seed):
    rng = np.random.default_rng(seed)
    a = np.array(a)
    best = cones.project(cone, a, b, zeta)
    x = best.x + rng.standard_normal(a.size)
    candidate = cones.Projection(
        cone, a, b, zeta, x, cones.norm(cone, x) + rng.exponential() * rng.integers(0, 2)
    )
    excess = 0.5 * candidate.distance**2 - 0.5 * best.distance**2
    bound = candidate.gap * 0.5 * candidate.size**2
    assert bound >= excess - 1e-9 * candidate.size**2
    assert not candidate.is_projection


@pytest.mark.parametrize("cone", cones.CONES)
def test_each_condition_can_fail_alone(cone):
    a = np.array([3.0, 1.0])
    p = cones.project(cone, a, 0.5, 1.0)

    def failing(x, y):
        made = cones.Projection(cone, a, 0.5, 1.0, np.asarray(x, dtype=float), y)
        return {name for name, (_, holds) in made.conditions.items() if not holds}, made.gap

    assert failing(p.x, p.y) == (set(), pytest.approx(0.0, abs=1e-15))
    assert failing(0.5 * p.x, 0.5 * p.y)[0] == {"orthogonal", "rest in the polar cone"}
    assert failing(p.x, p.y + 1.0)[0] == {"orthogonal"}
    assert failing(a, 0.5) == ({"in the cone"}, math.inf)


@given(groups, st.sampled_from([float(text) for text in cones.ZETAS]))
def test_two_proxes_minimise_and_add_up(d, zeta):
    cut, left_over = cones.shrink_pair(d, zeta)
    scale = max(np.abs(d).max(), 1e-300)
    np.testing.assert_allclose(cut + left_over, d, atol=1e-13 * scale)
    exact_cut = naive.prox_linf_squared([d], zeta)[0]
    exact_left_over = naive.prox_exclusive(d, [list(range(len(d)))], 1.0 / zeta)
    np.testing.assert_allclose(cut, exact_cut, atol=1e-12 * scale)
    np.testing.assert_allclose(left_over, exact_left_over, atol=1e-12 * scale)


@given(which, groups, entry, zetas)
def test_the_rest_is_the_projection_onto_the_polar_cone(cone, a, b, zeta):
    """The polar cone is the other norm's cone upside down, with its height over ζ."""
    p = cones.project(cone, a, b, zeta)
    other = cones.CONES[1 - cones.CONES.index(cone)]
    u, v = NAIVE[other](a, -zeta * b, 1.0 / zeta)
    np.testing.assert_allclose(p.residual[0], u, atol=1e-10)
    assert p.residual[1] == pytest.approx(-v / zeta, abs=1e-10)


# -- the searches ----------------------------------------------------------------------------------


@given(which, groups, entry, zetas)
def test_printed_search_is_the_paper_to_the_letter(cone, a, b, zeta):
    printed = searches.printed_search(cone, a, b, zeta).result
    x, y = naive_printed(cone, a, b, zeta)
    np.testing.assert_allclose(printed.x, x, atol=0)
    assert printed.y == pytest.approx(y, rel=1e-15, abs=0)


@pytest.mark.parametrize("cone", cones.CONES)
def test_printed_search_errs_like_the_paper_at_every_tie_of_a_grid(cone):
    missed = 0
    for a, b in one_decimal_points():
        p, search = searched(cone, a, b)
        x, y = naive_printed(cone, a, b, 1.0)
        assert (search.result.x.tolist(), search.result.y) == (x.tolist(), y)
        missed += search.missed_by_rounding is not None and p.place == "between"
        right = np.abs(search.result.x - p.x).max() < 1e-9 and abs(search.result.y - p.y) < 1e-9
        assert (words.verdict(search, p) == []) == right
    assert missed > 0


@given(which, groups, entry, zetas)
def test_corrected_search_finds_the_level_of_the_projection(cone, a, b, zeta):
    a = np.array(a)
    level = searches.corrected_search(cone, a, b, zeta).level
    x, y = NAIVE[cone](a, b, zeta)
    if cone == "ℓ1":
        mine, height = np.sign(a) * np.maximum(np.abs(a) - level, 0.0), b + level / zeta
    else:
        mine, height = np.clip(a, -level, level), level
    np.testing.assert_allclose(mine, x, atol=1e-10)
    assert height == pytest.approx(y, abs=1e-10)


@given(which, groups, entry, zetas)
def test_candidates_rise_then_fall_and_the_table_names_the_largest(cone, a, b, zeta):
    search = searches.corrected_search(cone, a, b, zeta)
    values = [candidate.value for candidate in search.candidates]
    peak = int(np.argmax(values))
    noise = 1e-12 * (1.0 + max(map(abs, values)))
    assert all(values[j + 1] >= values[j] - noise for j in range(peak))
    assert all(values[j + 1] <= values[j] + noise for j in range(peak, len(values) - 1))
    assert search.level == max(0.0, *values)
    table = tables.corrected_table(cones.project(cone, a, b, zeta), search)
    chosen = [row for row, text in enumerate(table["largest?"]) if text]
    assert chosen == [0 if search.j is None else search.j + 1]


@pytest.mark.parametrize(
    ("name", "says"),
    {
        "Alg. 2, origin": [
            "The case of the origin is missing: −ζb = 3 is at least ‖a‖∞ = 1, no window holds, "
            "and the input comes back.",
            "It returns a negative y = −3.",
            "It returns x = (1, 0.5) where (0, 0) is right.",
        ],
        "Alg. 2, tie": [
            "A tie is missed by rounding: at j = 1 the candidate δ is 1e−17 outside its window, "
            "no other window holds, and the input comes back.",
            "Its output is infeasible: ‖x‖₁ = 0.4 exceeds y = 0.1.",
            "It returns x = (0.1, 0.3) where (0, 0.2) is right.",
        ],
        "Alg. 3, x": [
            "The window holds and y = 2 is right, but the line printed for x, "
            "sgn(a)⊙min(|a| − y, 0), should read sgn(a)⊙min(|a|, y).",
            "It returns x = (0, −1) where (2, 1) is right.",
        ],
        "Alg. 3, y": [
            "The case of the origin is missing: ζb + ‖a‖₁ = −1.5 is not positive, no window "
            "holds, and y keeps its last candidate.",
            "It returns a negative y = −0.5.",
        ],
        "Alg. 3, tie": [
            "A tie is missed by rounding: at j = 0 the candidate y is 3e−17 outside its window, "
            "no other window holds, and x stays 0.",
            "It returns x = (0, 0) where (0.2, 0.2) is right.",
        ],
    }.items(),
)
def test_each_erratum_is_named(name, says):
    p, search = searched(*ERRATA[name])
    assert p.is_projection and not search.result.is_projection
    assert words.verdict(search, p) == says


def test_tables_show_the_turns():
    _, search = searched("ℓ1", [0.1, 0.3], 0.1)
    assert tables.printed_table(search) == {
        "j": ["1", "2"],
        "t": ["0.3", "0.4"],
        "δ": ["0.09999999999999999", "0.10000000000000002"],
        "window": ["[0.1, 0.3]", "[0, 0.1]"],
        "inside?": ["no, by 1e−17", "no, by 1e−17"],
    }
    p, search = searched("ℓ∞", [3.0, 1.0], 1.0)
    assert tables.printed_table(search) == {
        "j": ["1"],
        "t": ["3"],
        "y": ["2"],
        "window": ["(1, 3]"],
        "inside?": ["yes: return"],
    }
    assert tables.corrected_table(p, searches.corrected_search("ℓ∞", p.a, p.b, 1.0)) == {
        "j": ["–", "0", "1", "2"],
        "tⱼ": ["–", "0", "3", "4"],
        "yⱼ": ["0", "1", "2", "1.667"],
        "next magnitude": ["–", "3", "1", "none"],
        "larger?": ["–", "yes: go on", "no", "no"],
        "largest?": ["", "", "yes: y = 2", ""],
    }
    assert tables.certificate_table({"corrected": p, "as printed": search.result}) == {
        "condition": ["in the cone", "orthogonal", "rest in the polar cone"],
        "corrected": ["holds (0)", "holds (0)", "holds (0)"],
        "as printed": ["holds (0)", "fails (4)", "fails (4)"],
    }


# -- text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["1, 0.5, -0.2", "1 0.5 −0.2", " 1;0.5;-.2 ", "1,,0.5\t-2e-1,", "1.0\n.5\n-0.2"]
)
def test_vectors_are_read(text):
    np.testing.assert_array_equal(vectors.parse_vector(text), [1.0, 0.5, -0.2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (" , ;", "is empty"),
        ("1, foo", "Entry 2 of a is not a number"),
        ("1, **0.5**", "Entry 2 of a is not a number"),
        ("nan, 1", "Entry 1 of a is not a number"),
        ("1, 2, inf", "Entry 3 of a is not a number"),
        ("1e7", "Entry 1 of a is not a number between"),
        ("1," * 13, "has 13 entries; write at most 12"),
    ],
)
def test_bad_vectors_get_one_clear_sentence_without_their_own_text(text, message):
    with pytest.raises(vectors.BadVector, match=message) as caught:
        vectors.parse_vector(text)
    said = str(caught.value)
    assert said.endswith(".") and said.count(". ") == 0
    assert "foo" not in said and "**" not in said


@pytest.mark.parametrize(
    ("cone", "a", "b", "says"),
    [
        ("ℓ1", [1.0, 0.7, -0.4, 0.1], 0.0, "moves by 1.06 to (0.433, 0.133, 0, 0; 0.567), and 2 of "
         "4 entries become exactly zero."),
        ("ℓ1", [1.6, 0.5], -0.4, "and one of the two entries becomes exactly zero."),
        ("ℓ1", [1.0, 1.0], 0.5, "and neither entry becomes exactly zero."),
        ("ℓ1", [1.0, 1.0, 1.0], 0.5, "and no entry becomes exactly zero."),
        ("ℓ∞", [3.0, 1.0], 1.0, "and one of the two entries is cut to y = 2."),
        ("ℓ∞", [1.0, -1.0], 0.5, "and both entries are cut to the same size y = 0.833."),
        ("ℓ1", [1.0, 0.5], 2.0, "lies inside the ℓ1 cone and stays where it is."),
        ("ℓ1", [1.0, 0.5], -3.0, "to the origin: both entries are exactly zero."),
        ("ℓ1", [0.5], -1.0, "to the origin: the one entry is exactly zero."),
        ("ℓ1", [1.6], -0.4, "moves by 1.41 to (0.6; 0.6), in the metric of ζ = 1."),
    ],
)  # fmt: skip
def test_answer_says_what_happens(cone, a, b, says):
    said = words.answer(cones.project(cone, a, b, 1.0))
    assert said.startswith("One step projects each group onto a cone: here (a; b) = ")
    assert said.endswith(says)


def test_titles_and_prose_state_the_numbers():
    p = cones.project("ℓ1", [1.6], -0.4, 2.0)
    assert words.plane_title(p) == "Nearest in the cone: (0.267; 0.267), 1.63 away"
    product = words.residual_text(p.inner_product)
    assert f"at ζ = 2: 0.267·1.33 + 2·0.267·(−0.667) = {product}. " in words.plane_prose(p)
    assert words.moreau_title(p) == "A sum of two parts, 0.462 and 1.63 long"
    assert "0.213 + 2.67 = 2.88" in words.moreau_prose(p)
    inside, polar = cones.project("ℓ1", [0.5], 1.0, 1.0), cones.project("ℓ1", [0.5], -1.0, 2.0)
    assert words.plane_title(inside).startswith("Inside") and "0.5 is at most y = 1" in (
        words.plane_prose(inside)
    )
    assert "polar" in words.plane_title(polar) and "−ζb = 2" in words.plane_prose(polar)
    # Of lines that are not drawn nothing is said.
    assert ["dashed" in words.plane_prose(each) for each in (p, inside, polar)] == [1, 0, 1]
    assert ["orange" in words.space_prose(each) for each in (p, inside, polar)] == [1, 0, 1]
    assert ["blue" in words.space_prose(each) for each in (p, inside, polar)] == [1, 0, 0]
    titles = {
        ("ℓ1", 1.6, 0.5): "On an edge: one entry is exactly zero",
        ("ℓ1", 1.6, 1.5): "On a face: none is zero",
        ("ℓ∞", 1.6, 1.5): "On an edge: both entries are cut to y",
        ("ℓ∞", 1.6, 0.5): "On a face: only the larger entry is cut",
    }
    for (cone, a1, a2), title in titles.items():
        assert words.space_title(cones.project(cone, [a1, a2], 0.0, 1.0)) == title


# -- charts ----------------------------------------------------------------------------------------


def traces(figure) -> dict:
    return {trace.name: trace for trace in figure.data if trace.name}


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("zeta", [0.5, 2.0])
def test_plane_shows_the_point_its_projection_and_a_touching_ellipse(mode, zeta):
    p = cones.project("ℓ1", [1.6], -0.4, zeta)
    figure = charts.plane((1.6, -0.4), (p.x[0], p.y), zeta, title="t", mode=mode)
    named = traces(figure)
    assert (named["point"].x[0], named["point"].y[0]) == (1.6, -0.4)
    assert (named["projection"].x[0], named["projection"].y[0]) == (p.x[0], p.y)
    assert named["projection"].marker.color == theme.palette(mode).accent
    ellipse = next(trace for trace in figure.data if len(trace.x) > 100)
    lengths = (ellipse.x - 1.6) ** 2 + zeta * (ellipse.y + 0.4) ** 2
    np.testing.assert_allclose(lengths, p.distance**2)
    assert (np.abs(ellipse.x) - ellipse.y).min() > -1e-9  # nothing of the cone is nearer
    polar = named["polar cone: |x| ≤ −ζy"]
    np.testing.assert_allclose(np.abs(polar.x), -zeta * polar.y)


def test_stretched_plane_turns_the_ellipse_into_a_circle_and_the_angle_right():
    zeta = 4.0
    p = cones.project("ℓ1", [1.6], -0.4, zeta)
    figure = charts.plane((1.6, -0.4), (p.x[0], p.y), zeta, title="t", mode="light", stretched=True)
    named = traces(figure)
    point = np.array([named["point"].x[0], named["point"].y[0]])
    foot = np.array([named["projection"].x[0], named["projection"].y[0]])
    assert foot @ (point - foot) == pytest.approx(0.0, abs=1e-12)
    ellipse = next(trace for trace in figure.data if len(trace.x) > 100)
    np.testing.assert_allclose(
        np.hypot(ellipse.x - point[0], ellipse.y - point[1]), p.distance, rtol=1e-12
    )


def test_decomposed_plane_is_a_parallelogram_from_the_origin_to_the_point():
    p = cones.project("ℓ1", [1.6], -0.4, 2.0)
    figure = charts.plane((1.6, -0.4), (p.x[0], p.y), 2.0, title="t", mode="light", decomposed=True)
    lines = [trace for trace in figure.data if trace.mode == "lines" and trace.fill is None]
    vectors_drawn = [np.array([line.x[1] - line.x[0], line.y[1] - line.y[0]]) for line in lines]
    np.testing.assert_allclose(vectors_drawn[0], vectors_drawn[1])
    np.testing.assert_allclose(vectors_drawn[2], vectors_drawn[3])
    np.testing.assert_allclose(vectors_drawn[0] + vectors_drawn[2], [1.6, -0.4])


@pytest.mark.parametrize("cone", cones.CONES)
@pytest.mark.parametrize("zeta", [0.5, 4.0])
def test_space_draws_the_border_of_the_cone_and_of_its_polar(cone, zeta):
    p = cones.project(cone, [1.6, 0.5], -0.4, zeta)
    figure = charts.space(
        cone, (1.6, 0.5, -0.4), (*p.x, p.y), zeta, title="t", mode="light", polar=True
    )
    up, down = (trace for trace in figure.data if trace.type == "mesh3d")
    for x1, x2, y in zip(up.x, up.y, up.z, strict=True):
        assert cones.norm(cone, [x1, x2]) == pytest.approx(y)
    for u1, u2, v in zip(down.x, down.y, down.z, strict=True):
        assert cones.dual_norm(cone, [u1, u2]) == pytest.approx(-zeta * v)
    named = traces(figure)
    assert [named["projection"][axis][0] for axis in "xyz"] == [*p.x, p.y]


def test_bars_show_before_after_and_the_print_only_where_it_fails():
    p, search = searched("ℓ∞", [3.0, 1.0], 1.0)
    options = dict(level_name="y", title="t", mode="light")
    named = traces(charts.entries(p.a, p.x, search.result.x, 2.0, **options))
    np.testing.assert_array_equal(named["a, before"].y, [3.0, 1.0])
    np.testing.assert_array_equal(named["x, projected"].y, [2.0, 1.0])
    np.testing.assert_array_equal(named["x, as printed"].y, [0.0, -1.0])
    assert "x, as printed" not in traces(charts.entries(p.a, p.x, None, 2.0, **options))
    charts.entries(np.zeros(1), np.zeros(1), None, 0.0, **options)


def test_stacked_bars_reach_d():
    d = np.array([1.0, 0.7, -0.4])
    figure = charts.two_proxes(d, cones.shrink_pair(d, 2.0), title="t", mode="dark")
    cut, left_over, whole = figure.data
    np.testing.assert_allclose(np.add(cut.y, left_over.y), whole.y)


def test_exported_table_adds_up():
    p, search = searched("ℓ∞", [3.0, 1.0], 1.0)
    table = tables.entries_table(p, search.result)
    assert table["coordinate"].tolist() == ["x1", "x2", "y"]
    np.testing.assert_allclose(table["projection"] + table["polar part"], table["point"])
    assert table["as printed"].tolist() == [0.0, -1.0, 2.0]
