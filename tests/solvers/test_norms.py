"""Norms against exact loops, the axioms of a norm, and duality."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import (
    Groups,
    dual_exclusive_norm,
    exclusive_norm,
    group_norm,
    l1_norm,
    l2_norm,
)
from tests import naive

PROPERTY = settings(derandomize=True, deadline=None, max_examples=30)
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

DISJOINT = Groups.from_lists([[4, 0], [1, 5, 2], [3]], 6)
OVERLAPPING = Groups.from_lists([[0, 1, 2], [2, 3], [3, 4, 5, 0]], 6)
CONTIGUOUS = Groups.contiguous(6, 2)
STRUCTURES = {"disjoint": DISJOINT, "overlapping": OVERLAPPING, "contiguous": CONTIGUOUS}

# name: (norm of (w, groups), its loop twin, whether it takes overlapping groups)
NORMS = {
    "l2": (lambda w, g: l2_norm(w), lambda w, lists: naive.l2_norm(w), True),
    "l1": (lambda w, g: l1_norm(w), lambda w, lists: naive.l1_norm(w), True),
    "l21": (group_norm, naive.group_norm, True),
    "exclusive": (exclusive_norm, naive.exclusive_norm, True),
    "dual": (dual_exclusive_norm, naive.dual_exclusive_norm, False),
}
CASES = [
    pytest.param(norm, twin, groups, id=f"{name}-{structure}")
    for name, (norm, twin, overlaps) in NORMS.items()
    for structure, groups in STRUCTURES.items()
    if overlaps or not groups.overlapping
]
all_norms = pytest.mark.parametrize(("norm", "twin", "groups"), CASES)


@st.composite
def powers(draw, low, high):
    return draw(st.sampled_from([-1.0, 1.0])) * 10.0 ** draw(st.floats(low, high))


moderate = st.integers(-(10**6), 10**6).map(lambda k: k / 99991)
extreme = st.one_of(powers(-300, 300), st.sampled_from([0.0, -0.0]), moderate)


def six(elements):
    return st.lists(elements, min_size=6, max_size=6).map(np.array)


@all_norms
@PROPERTY
@given(w=six(st.one_of(moderate, extreme)))
def test_matches_the_loop_at_every_scale(norm, twin, groups, w):
    value = norm(w, groups)
    assert isinstance(value, float)
    assert value == pytest.approx(twin(w, groups.lists()), rel=1e-14, abs=0.0)


@all_norms
@PROPERTY
@given(w=six(moderate), v=six(moderate), c=moderate)
def test_norm_axioms(norm, twin, groups, w, v, c):
    assert norm(w + v, groups) <= (norm(w, groups) + norm(v, groups)) * (1 + 1e-14) + 1e-300
    assert norm(c * w, groups) == pytest.approx(abs(c) * norm(w, groups), rel=1e-14)
    assert norm(-w, groups) == norm(w, groups)
    # Definite: zero only at zero, which needs every feature to be covered.
    assert (norm(w, groups) == 0.0) == (not w.any())


@all_norms
@PROPERTY
@given(w=six(moderate), exponent=st.integers(-900, 900))
def test_scaling_by_a_power_of_two_is_exact(norm, twin, groups, w, exponent):
    assert norm(np.ldexp(w, exponent), groups) == math.ldexp(norm(w, groups), exponent)


@all_norms
@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_squares_neither_overflow_nor_underflow(norm, twin, groups, scale):
    w = np.array([3.0, -1.0, 2.0, 0.0, 0.5, 4.0])
    assert norm(scale * w, groups) == pytest.approx(scale * norm(w, groups), rel=1e-14)


@all_norms
def test_infinities_and_nans_pass_through(norm, twin, groups):
    w = np.ones(6)
    w[3] = np.inf
    assert norm(w, groups) == math.inf
    w[3] = -np.inf
    assert norm(w, groups) == math.inf
    w[3] = np.nan
    assert math.isnan(norm(w, groups))


def test_closed_forms():
    w = np.array([3.0, -1.0, 2.0, 0.0, -4.0, 1.0])
    lists = DISJOINT.lists()
    assert lists == [[0, 4], [1, 2, 5], [3]]
    assert exclusive_norm(w, DISJOINT) == pytest.approx(math.sqrt(7.0**2 + 4.0**2 + 0.0))
    assert group_norm(w, DISJOINT) == pytest.approx(5.0 + math.sqrt(6.0))
    assert dual_exclusive_norm(w, DISJOINT) == pytest.approx(math.sqrt(4.0**2 + 2.0**2))
    assert exclusive_norm(w, OVERLAPPING) == pytest.approx(math.sqrt(6.0**2 + 2.0**2 + 8.0**2))
    # One group is ℓ1; groups of one are ℓ2.
    assert exclusive_norm(w, Groups.contiguous(6, 1)) == pytest.approx(l1_norm(w))
    assert exclusive_norm(w, Groups.contiguous(6, 6)) == pytest.approx(l2_norm(w))


@pytest.mark.parametrize("groups", STRUCTURES.values(), ids=STRUCTURES.keys())
def test_the_exclusive_norm_is_the_norm_of_the_incidence_product(groups):
    w = np.random.default_rng(0).standard_normal(6)
    expected = np.linalg.norm(groups.incidence.toarray() @ np.abs(w))
    assert exclusive_norm(w, groups) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("groups", [DISJOINT, CONTIGUOUS], ids=["disjoint", "contiguous"])
@PROPERTY
@given(w=six(moderate), v=six(moderate))
def test_dual_norm_inequality(groups, w, v):
    product = dual_exclusive_norm(v, groups) * exclusive_norm(w, groups)
    assert abs(v @ w) <= product * (1 + 1e-14) + 1e-300


@pytest.mark.parametrize("groups", [DISJOINT, CONTIGUOUS], ids=["disjoint", "contiguous"])
@PROPERTY
@given(v=six(moderate))
def test_dual_norm_is_attained(groups, v):
    """At w with each group's largest |v| alone: vᵀw = ‖v‖_e*·‖w‖_e."""
    w = np.zeros(6)
    for members in groups.lists():
        top = max(members, key=lambda i: abs(v[i]))
        w[top] = v[top]
    assert v @ w == pytest.approx(dual_exclusive_norm(v, groups) * exclusive_norm(w, groups))


@pytest.mark.parametrize("groups", [DISJOINT, CONTIGUOUS], ids=["disjoint", "contiguous"])
@PROPERTY
@given(w=six(moderate))
def test_the_dual_of_the_dual_is_the_norm(groups, w):
    """Attained the other way round, at v = ‖w_g‖₁·sign(w)."""
    totals = groups.sum(np.abs(w))[groups.labels]
    v = totals * np.where(w < 0, -1.0, 1.0)
    assert v @ w == pytest.approx(dual_exclusive_norm(v, groups) * exclusive_norm(w, groups))


def test_bad_input_is_named():
    with pytest.raises(ValueError, match=r"w must be a vector, got shape \(2, 2\)"):
        l2_norm(np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"5 entries.*over 6"):
        exclusive_norm(np.ones(5), DISJOINT)
    with pytest.raises(ValueError, match=r"5 entries.*over 6"):
        group_norm(np.ones(5), DISJOINT)
    with pytest.raises(ValueError, match="disjoint groups only; these groups overlap"):
        dual_exclusive_norm(np.ones(6), OVERLAPPING)


def test_empty_vectors_have_norm_zero():
    assert l2_norm([]) == 0.0
    assert l1_norm([]) == 0.0
