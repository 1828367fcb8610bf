"""The home page's computation, against bisection, scikit-free twins and its own certificate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.home import charts, shrinkage
from lab.pattern import Pattern
from solvers import Groups
from tests.lab.sentences import faults


def naive_exclusive(c, groups, zeta):
    """Per group: w = sgn(c)·(|c| − δ)₊ where δ = ζ‖w‖₁, the root found by bisection."""
    w = np.zeros_like(c)
    for members in groups.lists():
        magnitudes = np.abs(c[members])
        low, high = 0.0, float(magnitudes.max())
        for _ in range(200):
            delta = (low + high) / 2
            if delta < zeta * np.maximum(magnitudes - delta, 0).sum():
                low = delta
            else:
                high = delta
        w[members] = np.sign(c[members]) * np.maximum(magnitudes - high, 0)
    return w


@pytest.mark.parametrize("zeta_text", shrinkage.ZETAS)
def test_exclusive_weights_agree_with_bisection_and_are_certified(zeta_text):
    zeta = float(zeta_text)
    c, groups = shrinkage.example_input()
    pattern = shrinkage.shrink_exclusive(c, groups, zeta)
    np.testing.assert_allclose(
        pattern.weights, naive_exclusive(c, groups, zeta), rtol=1e-9, atol=1e-12
    )
    assert pattern.n_alive == groups.n_groups
    assert shrinkage.certified_gap(c, pattern, zeta) <= 1e-13


@pytest.mark.parametrize("zeta_text", shrinkage.ZETAS)
def test_l1_keeps_as_many_weights_and_they_are_the_largest(zeta_text):
    c, groups = shrinkage.example_input()
    kept = shrinkage.shrink_exclusive(c, groups, float(zeta_text)).nonzeros
    pattern = shrinkage.shrink_l1(c, groups, kept)
    assert pattern.nonzeros == kept
    support = np.flatnonzero(pattern.weights)
    assert set(support) == set(np.argsort(-np.abs(c))[:kept])
    shrinks = np.abs(c[support]) - np.abs(pattern.weights[support])
    np.testing.assert_allclose(shrinks, shrinks[0])


@pytest.mark.parametrize("zeta_text", shrinkage.ZETAS[::6])
def test_group_lasso_keeps_whole_groups_and_meets_its_optimality_conditions(zeta_text):
    c, groups = shrinkage.example_input()
    kept = shrinkage.shrink_exclusive(c, groups, float(zeta_text)).nonzeros
    pattern = shrinkage.shrink_group_lasso(c, groups, kept)
    assert pattern.nonzeros == shrinkage.GROUP_SIZE * pattern.n_alive
    assert pattern.n_alive == max(1, kept // shrinkage.GROUP_SIZE)
    # c − w is τ times the unit vector of a group that is kept, and no longer than τ elsewhere.
    moved = np.sqrt(groups.sum((c - pattern.weights) ** 2))
    assert np.ptp(moved[pattern.alive]) <= 1e-12
    assert np.all(moved[~pattern.alive] <= moved[pattern.alive].max() + 1e-12)
    for members in groups.lists():
        along = c[members] @ pattern.weights[members]
        lengths = np.linalg.norm(c[members]) * np.linalg.norm(pattern.weights[members])
        assert along == pytest.approx(lengths)


def test_default_view_shows_the_difference():
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, float(shrinkage.DEFAULT_ZETA))
    lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
    assert shrinkage.DEFAULT_ZETA in shrinkage.ZETAS
    assert exclusive.nonzeros < groups.n_features / 2
    assert exclusive.n_empty == 0 < lasso.n_empty


@given(
    st.lists(
        st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-3), min_size=6, max_size=6
    ),
    st.floats(1e-2, 1e2),
    st.lists(st.floats(-2, 2), min_size=6, max_size=6),
)
def test_gap_bounds_the_distance_to_the_optimum_of_any_candidate(c, zeta, candidate):
    c, groups = np.array(c), Groups.contiguous(6, 2)

    def objective(w):
        return 0.5 * np.sum((w - c) ** 2) + 0.5 * zeta * np.sum(groups.sum(np.abs(w)) ** 2)

    w = np.array(candidate)
    best = objective(naive_exclusive(c, groups, zeta))
    gap = shrinkage.certified_gap(c, Pattern(w, groups), zeta)
    assert 0.0 <= gap <= 1.0
    assert objective(w) * gap >= (objective(w) - best) - 1e-9 * max(objective(w), 1e-300)


def test_soft_threshold_with_ties_or_room_to_spare():
    groups = Groups.contiguous(4, 2)
    c = np.array([3.0, -2.0, 2.0, 1.0])
    np.testing.assert_array_equal(shrinkage.shrink_l1(c, groups, 4).weights, c)
    assert shrinkage.shrink_l1(c, groups, 2).nonzeros == 1  # the tie at 2 goes as a whole
    assert shrinkage.shrink_l1(c, groups, 0).nonzeros == 0


def pattern(*weights):
    return Pattern(np.array(weights, dtype=float), Groups.contiguous(4, 2))


def test_sentences_count_what_is_there():
    full, half, none = pattern(1, 0, 0, -2), pattern(3, 1, 0, 0), pattern(0, 0, 0, 0)
    assert shrinkage.answer(full, half) == (
        "the exclusive norm ℓe keeps 2 of 4 weights and all 2 groups; "
        "ℓ1 with as many weights leaves 1 group empty"
    )
    assert shrinkage.answer(half, full).endswith(
        "in 1 of 2 groups; ℓ1 with as many weights keeps all 2 groups too"
    )
    assert shrinkage.answer(full, half, none).endswith("the group lasso leaves 2 groups empty")
    assert shrinkage.answer(full, full, full).endswith("the group lasso keeps all 2")
    assert shrinkage.caption(full) == "2 weights, all 2 groups"
    assert shrinkage.caption(half) == "2 weights, 1 group empty"


def test_grid_has_a_row_per_group():
    np.testing.assert_array_equal(pattern(1, 2, 3, 4).grid, [[1, 2], [3, 4]])


def test_every_sentence_at_every_strength_reads_well():
    c, groups = shrinkage.example_input()
    for zeta in shrinkage.ZETAS:
        exclusive = shrinkage.shrink_exclusive(c, groups, float(zeta))
        lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
        whole = shrinkage.shrink_group_lasso(c, groups, exclusive.nonzeros)
        said = [shrinkage.answer(exclusive, lasso, whole)]
        said += [shrinkage.caption(pattern) for pattern in (exclusive, lasso, whole)]
        assert not faults(said), zeta


def test_how_loud_the_groups_are_is_said_of_the_numbers_on_show():
    c, groups = shrinkage.example_input()
    data = Pattern(c, groups)
    loud = [float(np.sqrt(np.mean(c[members] ** 2))) for members in groups.lists()]
    np.testing.assert_allclose(shrinkage.loudness(data), loud)
    assert f"is {loud[-1] / loud[0]:.0f} times as loud" in shrinkage.unequal(data)
    names = charts.row_names(data)
    assert names[int(np.argmin(loud))] == "quietest group"
    assert names[int(np.argmax(loud))] == "loudest group"
    figure = charts.live_shrinkage(data, {"1": dict.fromkeys(("le", "l1", "l21"), data)})
    assert shrinkage.unequal(data) in figure.alt("1")
