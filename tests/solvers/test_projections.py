"""Cone projections and proxes against exact twins, CVXPY and the properties of projections."""

from __future__ import annotations

import math

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from solvers import Groups, exclusive_norm, project_l1_cone, project_linf_cone, prox_exclusive
from solvers.projections import project_box_hyperplane, prox_linf_squared
from tests import naive

PROPERTY = settings(derandomize=True, deadline=None, max_examples=60)
EPS = np.finfo(float).eps

# A guard that only works by luck shows as a warning.
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

# -- inputs ----------------------------------------------------------------------------------

tenths = st.integers(-12, 12).map(lambda k: k / 10)
moderate = st.integers(-(10**6), 10**6).map(lambda k: k / 99991)


@st.composite
def powers(draw, low, high):
    """±10^e with e spread evenly: floats of every magnitude, not mostly the largest."""
    sign = draw(st.sampled_from([-1.0, 1.0]))
    return sign * 10.0 ** draw(st.floats(low, high))


zeros = st.sampled_from([0.0, -0.0])
wide = st.one_of(powers(-150, 150), zeros)
any_number = st.one_of(tenths, moderate, wide)
any_zeta = st.one_of(st.just(1.0), powers(-3, 3).map(abs), powers(-300, 300).map(abs))
moderate_zeta = st.one_of(st.just(1.0), powers(-2, 2).map(abs))


def vectors(elements, max_size=8):
    """Vectors in which ties and repeated entries are common."""
    return st.one_of(
        st.lists(elements, min_size=1, max_size=max_size),
        st.lists(elements, min_size=1, max_size=3).flatmap(
            lambda pool: st.lists(
                st.sampled_from([*pool, *(-value for value in pool)]), min_size=1, max_size=max_size
            )
        ),
    ).map(np.array)


mixed_vectors = st.one_of(vectors(tenths), vectors(moderate), vectors(wide), vectors(any_number))
one_scale_vectors = st.one_of(vectors(tenths), vectors(moderate))

CONES = {
    "l1": (project_l1_cone, naive.project_l1_cone, lambda x: np.abs(x).sum()),
    "linf": (project_linf_cone, naive.project_linf_cone, lambda x: np.abs(x).max()),
}
cones = pytest.mark.parametrize(("project", "twin", "norm"), CONES.values(), ids=CONES.keys())


def inner(p, q, zeta):
    """The inner product ⟨x, x′⟩ + ζyy′ in which both maps are projections."""
    return float(p[0] @ q[0] + zeta * p[1] * q[1])


def minus(p, q):
    return p[0] - q[0], p[1] - q[1]


def assert_matches(actual, expected, scale):
    """Within a few roundings per entry of the exact answer, relative to the largest |aᵢ|."""
    (x, y), (x_exact, y_exact) = actual, expected
    allowed = 4.0 * EPS * (len(x_exact) + 2) * scale
    np.testing.assert_allclose(x, x_exact, rtol=4 * EPS, atol=allowed)
    assert y == pytest.approx(y_exact, rel=4 * EPS, abs=len(x_exact) * allowed)


# -- both cones against the exact twins ------------------------------------------------------


@cones
@settings(PROPERTY, max_examples=150)
@given(a=mixed_vectors, b=any_number, zeta=any_zeta)
def test_matches_the_exact_twin(project, twin, norm, a, b, zeta):
    assert_matches(project(a, b, zeta), twin(a, b, zeta), np.abs(a).max())


@cones
@PROPERTY
@given(a=mixed_vectors, zeta=any_zeta, data=st.data())
def test_matches_the_exact_twin_near_the_boundaries(project, twin, norm, a, zeta, data):
    """b at and next to where the case changes: inside | between | origin."""
    dual = np.abs(a).max() if project is project_l1_cone else np.abs(a).sum()
    with np.errstate(over="ignore", under="ignore"):
        origin = -dual / zeta
    edge = data.draw(st.sampled_from([norm(a), origin, 0.0, -0.0]))
    assume(math.isfinite(edge) and abs(edge) < 1e151)
    b = data.draw(st.sampled_from([edge, np.nextafter(edge, np.inf), np.nextafter(edge, -np.inf)]))
    assert_matches(project(a, b, zeta), twin(a, b, zeta), np.abs(a).max())


@cones
@pytest.mark.parametrize(
    "a",
    [
        [0.0],
        [2.0],
        [-2.0],
        [1e150],
        [1e-150, -1e-150],
        [0.0, -0.0, 0.0],
        [1.0, 1.0, 1.0, 1.0],
        [3.0, -3.0, 1.0],
        [1e150, -1e-150, 1.0, 0.0],
        [1e150] * 5,
        [1e-150] * 5,
    ],
    ids=str,
)
def test_matches_the_exact_twin_on_hand_picked_points(project, twin, norm, a):
    for b in (-1e150, -3.0, -1e-150, 0.0, 1e-150, 0.5, 1e150):
        for zeta in (1e-300, 1e-150, 1e-8, 1.0, 1e8, 1e150, 1e300):
            assert_matches(project(a, b, zeta), twin(a, b, zeta), max(map(abs, a)))


@cones
def test_sums_beyond_the_largest_float_do_no_harm(project, twin, norm):
    """Intermediate sums may overflow where the answer does not."""
    a = [1.5e308, -1.2e308, 1e307]
    for b, zeta in [(1e308, 1.0), (0.0, 3.0), (-1e307, 0.5), (-1.2e308, 0.5), (-1.7e308, 1e300)]:
        assert_matches(project(a, b, zeta), twin(a, b, zeta), 1.5e308)
    a = [1.5e-300, -1.2e-300, 1e-301]
    for b, zeta in [(1e-300, 1.0), (0.0, 3.0), (-1e-301, 0.5), (-1e-300, 1e-300)]:
        assert_matches(project(a, b, zeta), twin(a, b, zeta), 1.5e-300)


@cones
def test_tiny_entries_beside_huge_ones_are_kept_to_the_last_bit(project, twin, norm):
    """Whatever is done against overflow must not push the smallest entries into underflow."""
    x, y = project([7.185446360256258e-177, -1e-200], 1e134)
    assert (x.tolist(), y) == ([7.185446360256258e-177, -1e-200], 1e134)
    x, y = project_linf_cone([7.185446360256258e-177, -1e134], 0.0)
    assert (x.tolist(), y) == ([7.185446360256258e-177, -5e133], 5e133)


@cones
def test_long_vectors(project, twin, norm):
    rng = np.random.default_rng(3)
    a = np.round(rng.standard_normal(800), 2)
    for b, zeta in [(10.0, 1.0), (-0.5, 0.7), (0.0, 1e-3), (1.0, 1e4)]:
        x, y = project(a, b, zeta)
        x_exact, y_exact = twin(a, b, zeta)
        np.testing.assert_allclose(x, x_exact, rtol=0, atol=1e-12)
        assert y == pytest.approx(y_exact, rel=1e-11)


# -- what makes them projections -------------------------------------------------------------


@cones
@PROPERTY
@given(a=mixed_vectors, b=any_number, zeta=any_zeta)
def test_the_result_is_in_the_cone(project, twin, norm, a, b, zeta):
    x, y = project(a, b, zeta)
    assert isinstance(y, float)
    assert x.shape == a.shape
    assert norm(x) <= y


@cones
@PROPERTY
@given(a=mixed_vectors, b=any_number, zeta=any_zeta)
def test_shrinks_towards_zero(project, twin, norm, a, b, zeta):
    """No entry grows, none changes sign, and a zero stays a zero."""
    x, _ = project(a, b, zeta)
    assert (np.abs(x) <= np.abs(a)).all()
    assert (x * np.sign(a) >= 0.0).all()


@cones
@PROPERTY
@given(a=one_scale_vectors, zeta=any_zeta)
@example(a=np.array([-1.4, 0.0]), zeta=5.6)
@example(a=np.array([-0.1, 0.6, 0.1, -0.5, 0.4, 1.3, 0.0]), zeta=42.7)
@example(a=np.array([0.0, -0.2, 0.4, 0.3]), zeta=1.0)
def test_shrinks_towards_zero_next_to_the_boundary(project, twin, norm, a, zeta):
    x, _ = project(a, np.nextafter(norm(a), -np.inf), zeta)
    assert (np.abs(x) <= np.abs(a)).all()


@cones
@PROPERTY
@given(a=mixed_vectors, excess=st.one_of(st.just(0.0), powers(-150, 150).map(abs)), zeta=any_zeta)
def test_points_of_the_cone_stay(project, twin, norm, a, excess, zeta):
    b = float(norm(a) + excess)
    x, y = project(a, b, zeta)
    np.testing.assert_array_equal(x, a)
    assert y == b


@cones
@PROPERTY
@given(a=mixed_vectors, b=any_number, zeta=any_zeta)
def test_projecting_twice_is_projecting_once(project, twin, norm, a, b, zeta):
    x, y = project(a, b, zeta)
    again_x, again_y = project(x, y, zeta)
    np.testing.assert_array_equal(again_x, x)
    assert again_y == y


@cones
@PROPERTY
@given(a=one_scale_vectors, b=moderate, zeta=moderate_zeta)
def test_optimality_conditions(project, twin, norm, a, b, zeta):
    """p is the projection iff p is in the cone, z − p in its polar, and the two are orthogonal.

    In the ζ-metric the polar of ‖x‖₁ ≤ y is ‖x′‖∞ ≤ −ζy′, and the other way round.
    """
    z = (a, b)
    p = project(a, b, zeta)
    rest = minus(z, p)
    dual = np.abs(rest[0]).max() if project is project_l1_cone else np.abs(rest[0]).sum()
    scale = np.abs(a).sum() + (1.0 + zeta) * abs(b)
    assert dual <= -zeta * rest[1] + 1e-13 * scale * (1.0 + zeta)
    assert abs(inner(p, rest, zeta)) <= 1e-13 * scale**2 * (1.0 + zeta)


@PROPERTY
@given(a=mixed_vectors, b=any_number, zeta=any_zeta)
def test_moreau_ties_the_two_projections_together(a, b, zeta):
    """z = P_K(z) + P_K°(z): the ℓ1 cone's polar is the ℓ∞ cone, with y′ = −ζy and weight 1/ζ."""
    turned = -zeta * b
    inverse = 1.0 / zeta
    assume(abs(turned) < 1e290 and (turned != 0.0 or b == 0.0))
    x, y = project_l1_cone(a, b, zeta)
    x_polar, y_polar = project_linf_cone(a, turned, inverse)
    scale = np.abs(a).max()
    np.testing.assert_allclose(x + x_polar, a, rtol=0, atol=40 * EPS * scale)
    # b = y − y′/ζ, multiplied by min(1, ζ) so that neither side overflows.
    factor = min(1.0, zeta)
    allowed = 100 * EPS * (a.size * scale + factor * abs(b))
    assert factor * y - (factor / zeta) * y_polar == pytest.approx(factor * b, abs=allowed)


@cones
@PROPERTY
@given(data=st.data(), zeta=moderate_zeta, d=st.integers(1, 6))
def test_firmly_nonexpansive(project, twin, norm, data, zeta, d):
    """‖Pz − Pz′‖² ≤ ⟨Pz − Pz′, z − z′⟩ in the ζ-metric."""
    points = st.tuples(
        st.lists(st.one_of(tenths, moderate), min_size=d, max_size=d).map(np.array), moderate
    )
    z, other = data.draw(points), data.draw(points)
    moved = minus(project(*z, zeta), project(*other, zeta))
    scale = sum(inner(p, p, zeta) for p in (z, other))
    assert inner(moved, moved, zeta) <= inner(moved, minus(z, other), zeta) + 1e-13 * scale


@cones
@PROPERTY
@given(a=mixed_vectors, b=any_number, zeta=any_zeta, exponent=st.integers(-60, 60))
def test_positively_homogeneous(project, twin, norm, a, b, zeta, exponent):
    """A cone has no scale: P(cz) = cP(z), to the last bit for powers of two."""
    x, y = project(a, b, zeta)
    scaled_x, scaled_y = project(np.ldexp(a, exponent), math.ldexp(b, exponent), zeta)
    np.testing.assert_array_equal(scaled_x, np.ldexp(x, exponent))
    assert scaled_y == math.ldexp(y, exponent)


@cones
@PROPERTY
@given(data=st.data(), b=any_number, zeta=any_zeta)
def test_signs_and_order_do_not_matter(project, twin, norm, data, b, zeta):
    a = data.draw(mixed_vectors)
    order = np.array(data.draw(st.permutations(range(a.size))))
    signs = np.array(
        data.draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=a.size, max_size=a.size))
    )
    x, y = project(a, b, zeta)
    turned_x, turned_y = project((signs * a)[order], b, zeta)
    # The sum that becomes y may be taken in another order.
    np.testing.assert_array_equal(turned_x, (signs * x)[order])
    assert turned_y == pytest.approx(y, rel=4 * EPS)


@cones
def test_integers_lists_and_scalars_are_accepted(project, twin, norm):
    x, y = project([3, 1], 1, 2)
    x_exact, y_exact = twin([3, 1], 1, 2)
    np.testing.assert_allclose(x, x_exact, rtol=1e-15)
    assert y == pytest.approx(y_exact)


@cones
def test_the_input_is_left_alone(project, twin, norm):
    a = np.array([3.0, -1.0, 0.5])
    x, _ = project(a, 10.0)
    x[0] = 99.0
    project(a, 0.5)
    np.testing.assert_array_equal(a, [3.0, -1.0, 0.5])


@cones
@pytest.mark.parametrize(
    ("a", "b", "zeta", "message"),
    [
        ([1.0, np.nan], 1.0, 1.0, r"a\[1\] is not a finite"),
        ([np.inf], 1.0, 1.0, r"a\[0\] is not a finite"),
        ([1.0], np.nan, 1.0, "b must be a finite number, got nan"),
        ([1.0], -np.inf, 1.0, "b must be a finite number, got -inf"),
        ([], 1.0, 1.0, r"at least one entry, got shape \(0,\)"),
        ([[1.0, 2.0]], 1.0, 1.0, r"got shape \(1, 2\)"),
        (1.0, 1.0, 1.0, r"got shape \(\)"),
        ([1.0], 1.0, 0.0, "zeta must be positive"),
        ([1.0], 1.0, -1.0, r"zeta must be positive.*-1"),
        ([1.0], 1.0, np.nan, "zeta must be positive"),
        ([1.0], 1.0, np.inf, "zeta must be positive and finite, got inf"),
    ],
)
def test_bad_input_is_named(project, twin, norm, a, b, zeta, message):
    with pytest.raises(ValueError, match=message):
        project(a, b, zeta)


# -- both cones against CVXPY ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
@cones
def test_matches_cvxpy(project, twin, norm, seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 9))
    a = rng.standard_normal(d)
    if seed % 3 == 0:
        a = np.round(a, 1)
    b = float(rng.standard_normal() * rng.choice([0.3, 1.0, 4.0]))
    zeta = float(10.0 ** rng.uniform(-1.5, 1.5))
    x, y = cp.Variable(d), cp.Variable()
    order = 1 if project is project_l1_cone else "inf"
    distance = 0.5 * cp.sum_squares(x - a) + 0.5 * zeta * cp.square(y - b)
    cp.Problem(cp.Minimize(distance), [cp.norm(x, order) <= y]).solve(
        solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
    )
    ours_x, ours_y = project(a, b, zeta)
    np.testing.assert_allclose(ours_x, x.value, atol=2e-6)
    assert ours_y == pytest.approx(float(y.value), abs=2e-6)
    ours = 0.5 * np.sum((ours_x - a) ** 2) + 0.5 * zeta * (ours_y - b) ** 2
    assert ours <= distance.value + 1e-9


# -- prox_exclusive, all groups at once ------------------------------------------------------


def ragged(rng):
    """One group of 5,000 among 1,000 of size 1, in random order."""
    labels = np.concatenate([np.zeros(5000, dtype=int), np.arange(1, 1001)])
    return Groups.from_labels(rng.permutation(labels))


def partitions():
    rng = np.random.default_rng(0)
    return {
        "equal, contiguous": Groups.contiguous(60, 12),
        "equal, permuted": Groups.random(60, 12, random_state=1),
        "uneven, contiguous": Groups.contiguous(61, 12),
        "uneven, permuted": Groups.from_labels(rng.integers(0, 9, 70)),
        "one group": Groups.contiguous(30, 1),
        "one group, one feature": Groups.contiguous(1, 1),
        "singletons": Groups.random(25, 25, random_state=2),
        "sizes 1 to 40": Groups.from_labels(
            rng.permutation(np.repeat(np.arange(40), range(1, 41)))
        ),
    }


PARTITIONS = partitions()
RAGGED = ragged(np.random.default_rng(0))
all_partitions = pytest.mark.parametrize("groups", PARTITIONS.values(), ids=PARTITIONS.keys())


def assert_prox_matches(w, expected, c, groups):
    """Each group within a few roundings of its own largest entry."""
    largest = groups.max(np.abs(c))[groups.labels]
    sizes = groups.sizes[groups.labels]
    assert (np.abs(w - expected) <= 4 * EPS * (sizes + 2) * largest).all()


@all_partitions
@pytest.mark.parametrize("zeta", [0.0, 0.013, 1.0, 40.0, "per group"])
def test_batched_prox_matches_the_loop(groups, zeta):
    rng = np.random.default_rng(4)
    c = np.round(rng.standard_normal(groups.n_features), 2)
    if zeta == "per group":
        zeta = 10.0 ** rng.uniform(-4, 4, groups.n_groups)
        zeta[:: max(1, groups.n_groups // 3)] = 0.0
    w = prox_exclusive(c, groups, zeta)
    assert_prox_matches(w, naive.prox_exclusive(c, groups.lists(), zeta), c, groups)
    assert (np.abs(w) <= np.abs(c)).all()


def test_one_large_group_among_many_small_ones():
    rng = np.random.default_rng(8)
    c = np.round(rng.standard_normal(RAGGED.n_features), 2)
    zeta = 10.0 ** rng.uniform(-4, 4, RAGGED.n_groups)
    zeta[RAGGED.sizes.argmax()] = 0.01
    w = prox_exclusive(c, RAGGED, zeta)
    assert_prox_matches(w, naive.prox_exclusive(c, RAGGED.lists(), zeta), c, RAGGED)

    members = RAGGED.gather(c)
    v = prox_linf_squared(members, RAGGED, zeta)
    expected = np.concatenate(naive.prox_linf_squared(in_parts(members, RAGGED), zeta))
    np.testing.assert_allclose(v, expected, rtol=1e-12)


@settings(PROPERTY, max_examples=120)
@given(data=st.data(), n=st.integers(1, 10), wide_zeta=st.booleans())
def test_batched_prox_matches_the_loop_on_everything(data, n, wide_zeta):
    labels = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    groups = Groups.from_labels(labels)
    c = np.array(data.draw(st.lists(any_number, min_size=n, max_size=n)))
    one = st.one_of(st.just(0.0), any_zeta if wide_zeta else moderate_zeta)
    m = groups.n_groups
    zeta = data.draw(st.one_of(one, st.lists(one, min_size=m, max_size=m).map(np.array)))
    w = prox_exclusive(c, groups, zeta)
    assert_prox_matches(w, naive.prox_exclusive(c, groups.lists(), zeta), c, groups)
    assert (np.abs(w) <= np.abs(c)).all()
    assert (w * np.sign(c) >= 0.0).all()


@PROPERTY
@given(a=one_scale_vectors, b=st.one_of(st.just(0.0), powers(-12, 0).map(abs)), zeta=any_zeta)
@example(a=np.array([1.0]), b=0.0, zeta=1e16)
@example(a=np.array([3.0, 2.9, 1.0]), b=1e-10, zeta=1e12)
def test_what_a_large_weight_leaves_is_accurate(a, b, zeta):
    """y and the largest |xᵢ| have full relative accuracy for b ≥ 0, however small they become."""
    x, y = project_l1_cone(a, b, zeta)
    x_exact, y_exact = naive.project_l1_cone(a, b, zeta)
    allowed = 4 * EPS * (a.size + 2)
    assert np.abs(x).max() == pytest.approx(np.abs(x_exact).max(), rel=allowed, abs=0.0)
    # Entries that survive by a hair have what the difference to the largest leaves them.
    assert y == pytest.approx(y_exact, rel=a.size * allowed, abs=0.0)


@PROPERTY
@given(data=st.data(), n=st.integers(1, 10), zeta=any_zeta)
def test_what_strong_shrinkage_leaves_is_accurate(data, n, zeta):
    """The largest entry of every group has full relative accuracy, however little is left of it."""
    groups = Groups.from_labels(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    c = np.array(data.draw(st.lists(st.one_of(tenths, powers(-3, 3)), min_size=n, max_size=n)))
    w = prox_exclusive(c, groups, zeta)
    expected = np.array(naive.prox_exclusive(c, groups.lists(), zeta))
    np.testing.assert_allclose(
        groups.max(np.abs(w)), groups.max(np.abs(expected)), rtol=4 * EPS * (n + 2)
    )


@pytest.mark.parametrize("zeta", [0.0, 1e-300, 1e-3, 1.0, 1e3, 1e16, 1e300])
def test_groups_of_one_are_ridge(zeta):
    c = np.array([3.0, -0.7, 0.0, 1e150, -1e-150])
    w = prox_exclusive(c, Groups.contiguous(5, 5), zeta)
    np.testing.assert_allclose(w, c / (1.0 + zeta), rtol=4 * EPS)


@PROPERTY
@given(c=mixed_vectors, zeta=any_zeta)
def test_one_group_is_the_cone_projection_at_b_zero(c, zeta):
    """Lemma 2: min over y of the prox objective puts ζ as it is and b = 0."""
    w = prox_exclusive(c, Groups.contiguous(c.size, 1), zeta)
    x, _ = project_l1_cone(c, 0.0, zeta)
    np.testing.assert_allclose(w, x, rtol=0, atol=4 * EPS * (c.size + 2) * np.abs(c).max())


@all_partitions
def test_prox_optimality(groups):
    """c − w = ζ·A ᵀ-spread(‖w_g‖₁)·sign(w), with any |·| ≤ 1 in place of the sign at zeros."""
    rng = np.random.default_rng(5)
    c, zeta = rng.standard_normal(groups.n_features), 0.3
    w = prox_exclusive(c, groups, zeta)
    levels = zeta * groups.sum(np.abs(w))[groups.labels]
    tolerance = 1e-12
    np.testing.assert_allclose((c - w)[w != 0], (levels * np.sign(w))[w != 0], atol=tolerance)
    assert (np.abs(c)[w == 0] <= levels[w == 0] + tolerance).all()


@pytest.mark.parametrize("seed", range(8))
def test_prox_matches_cvxpy(seed):
    rng = np.random.default_rng(100 + seed)
    n = int(rng.integers(3, 15))
    groups = Groups.from_labels(rng.integers(0, 4, n))
    c, zeta = rng.standard_normal(n), float(10.0 ** rng.uniform(-1.5, 1.5))
    v = cp.Variable(n)
    objective = 0.5 * cp.sum_squares(v - c) + 0.5 * zeta * cp.sum_squares(
        groups.incidence @ cp.abs(v)
    )
    cp.Problem(cp.Minimize(objective)).solve(
        solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
    )
    w = prox_exclusive(c, groups, zeta)
    np.testing.assert_allclose(w, v.value, atol=2e-6)
    ours = 0.5 * np.sum((w - c) ** 2) + 0.5 * zeta * exclusive_norm(w, groups) ** 2
    assert ours <= objective.value + 1e-9


def test_prox_leaves_its_input_alone_and_takes_integers():
    groups = Groups.contiguous(4, 2)
    c = np.array([3.0, 1.0, -2.0, 0.5])
    w = prox_exclusive(c, groups, 0.0)
    w[0] = 99.0
    np.testing.assert_array_equal(c, [3.0, 1.0, -2.0, 0.5])
    np.testing.assert_array_equal(
        prox_exclusive([3, 1, -2, 0], groups, 1), prox_exclusive([3.0, 1.0, -2.0, 0.0], groups, 1.0)
    )


@pytest.mark.parametrize(
    ("c", "zeta", "message"),
    [
        ([1.0, 2.0], 1.0, r"\(3\), got shape \(2,\)"),
        ([[1.0, 2.0, 3.0]], 1.0, r"got shape \(1, 3\)"),
        ([1.0, np.nan, 3.0], 1.0, r"c\[1\] is not a finite"),
        ([1.0, 2.0, np.inf], 1.0, r"c\[2\] is not a finite"),
        ([1.0, 2.0, 3.0], -1.0, "zeta must be finite and at least 0"),
        ([1.0, 2.0, 3.0], np.nan, "zeta must be finite and at least 0"),
        ([1.0, 2.0, 3.0], np.inf, "zeta must be finite and at least 0"),
        ([1.0, 2.0, 3.0], [1.0, -1.0], "zeta must be finite and at least 0"),
        ([1.0, 2.0, 3.0], [1.0, 1.0, 1.0], r"one per group, got shape \(3,\)"),
    ],
)
def test_prox_names_what_is_wrong(c, zeta, message):
    with pytest.raises(ValueError, match=message):
        prox_exclusive(c, Groups.from_lists([[0, 2], [1]], 3), zeta)


def test_prox_refuses_overlaps():
    with pytest.raises(ValueError, match="disjoint groups"):
        prox_exclusive([1.0, 2.0, 3.0], Groups.from_lists([[0, 1], [1, 2]], 3), 1.0)


# -- the squared ℓ∞ prox ---------------------------------------------------------------------


COVERS = PARTITIONS | {
    "overlapping": Groups.from_lists([[0, 1, 2], [2, 3], [3, 0, 4, 1]], 5),
    "overlapping, equal": Groups.from_lists([[0, 1], [1, 2], [2, 0]], 3),
}


def in_parts(members, groups):
    return [part.tolist() for part in np.split(np.asarray(members), groups.indptr[1:-1])]


@pytest.mark.parametrize("groups", COVERS.values(), ids=COVERS.keys())
@pytest.mark.parametrize("zeta", [1e-3, 1.0, 50.0, "per group"])
def test_linf_squared_prox_matches_the_loop(groups, zeta):
    rng = np.random.default_rng(6)
    d = np.round(rng.standard_normal(groups.indices.size), 2)
    if zeta == "per group":
        zeta = 10.0 ** rng.uniform(-4, 4, groups.n_groups)
    v = prox_linf_squared(d, groups, zeta)
    expected = np.concatenate(naive.prox_linf_squared(in_parts(d, groups), zeta))
    np.testing.assert_allclose(v, expected, rtol=0, atol=4 * EPS * (groups.sizes.max() + 2) * 4)


@PROPERTY
@given(d=mixed_vectors, zeta=any_zeta)
def test_linf_squared_prox_is_the_cone_projection_at_b_zero(d, zeta):
    """Lemma 3, and the exact twin, at every magnitude."""
    groups = Groups.contiguous(d.size, 1)
    v = prox_linf_squared(d, groups, zeta)
    allowed = 4 * EPS * (d.size + 2)
    np.testing.assert_allclose(v, naive.prox_linf_squared([d], zeta)[0], rtol=allowed)
    np.testing.assert_allclose(v, project_linf_cone(d, 0.0, zeta)[0], rtol=allowed)


@PROPERTY
@given(data=st.data(), n=st.integers(1, 10), zeta=any_zeta)
def test_linf_squared_prox_by_moreau(data, n, zeta):
    """d − prox of ζ/2‖·‖∞² is the prox of 1/(2ζ)‖·‖₁²."""
    groups = Groups.from_labels(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    d = np.array(data.draw(st.lists(any_number, min_size=n, max_size=n)))
    v = groups.scatter(prox_linf_squared(groups.gather(d), groups, zeta))
    w = prox_exclusive(d, groups, 1.0 / zeta)
    largest = groups.max(np.abs(d))[groups.labels]
    assert (np.abs(v + w - d) <= 8 * EPS * (n + 2) * largest).all()


# -- box ∩ hyperplane ------------------------------------------------------------------------


def assert_box_projection(c, y, upper):
    u = project_box_hyperplane(c, y, upper)
    scale = max(np.abs(c).max(), upper.max())
    allowed = 8 * EPS * (c.size + 2) * scale
    np.testing.assert_allclose(u, naive.project_box_hyperplane(c, y, upper), rtol=0, atol=allowed)
    assert ((u >= 0.0) & (u <= upper)).all()
    assert abs(y @ u) <= c.size * allowed


signs = st.sampled_from([-1.0, 1.0])


@settings(PROPERTY, max_examples=120)
@given(data=st.data(), d=st.integers(1, 10), extreme=st.booleans())
def test_box_hyperplane_matches_the_exact_twin(data, d, extreme):
    number = any_number if extreme else st.one_of(tenths, moderate)
    limit = powers(-150, 150).map(abs) if extreme else st.one_of(st.just(1.0), st.floats(0.01, 5.0))
    c = np.array(data.draw(st.lists(number, min_size=d, max_size=d)))
    y = np.array(data.draw(st.lists(signs, min_size=d, max_size=d)))
    upper = np.array(data.draw(st.lists(limit, min_size=d, max_size=d)))
    assert_box_projection(c, y, upper)


@pytest.mark.parametrize(
    ("c", "y", "upper"),
    [
        ([0.5, 0.5], [1, 1], [1, 1]),
        ([0.5, 0.5], [-1, -1], [1, 1]),
        ([-5.0, -7.0], [1, 1], [1, 1]),
        ([9.0, 9.0, 9.0, 9.0], [1, 1, -1, -1], [1, 1, 1, 1]),
        ([9.0, 9.0, 9.0], [1, 1, -1], [1, 1, 1]),
        ([-9.0, -9.0, -9.0], [1, -1, -1], [1, 1, 1]),
        ([0.0, 0.0], [1, -1], [1, 1]),
        ([0.3], [1], [1]),
        ([1.0, 1.0, 1.0], [1, -1, -1], [2.0, 0.5, 0.5]),
        ([1e12, -1e12], [1, -1], [1, 1]),
        ([1e12, 3.0], [1, -1], [1, 1]),
        ([1e150, 1e-150], [1, -1], [1e-150, 1e150]),
        ([1e-160, 2e-160], [1, -1], [1e-150, 1e-150]),
    ],
)
def test_box_hyperplane_in_degenerate_cases(c, y, upper):
    assert_box_projection(*(np.array(part, dtype=float) for part in (c, y, upper)))


def test_box_hyperplane_is_balanced_to_the_last_digits():
    rng = np.random.default_rng(7)
    for d in (2, 17, 400):
        c = 0.5 + rng.standard_normal(d)
        y = np.where(rng.random(d) < 0.3, 1.0, -1.0)
        u = project_box_hyperplane(c, y, np.ones(d))
        assert abs(y @ u) < 1e-13 * math.sqrt(d)


@pytest.mark.parametrize("seed", range(6))
def test_box_hyperplane_matches_cvxpy(seed):
    rng = np.random.default_rng(200 + seed)
    d = int(rng.integers(2, 15))
    c, y = 0.5 + rng.standard_normal(d), rng.choice([-1.0, 1.0], d)
    upper = rng.uniform(0.2, 2.0, d)
    u = cp.Variable(d)
    cp.Problem(cp.Minimize(cp.sum_squares(u - c)), [u >= 0, u <= upper, y @ u == 0]).solve(
        solver="CLARABEL", tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
    )
    np.testing.assert_allclose(project_box_hyperplane(c, y, upper), u.value, atol=2e-6)
