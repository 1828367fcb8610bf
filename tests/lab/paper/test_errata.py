"""The errata: each demonstration shows a difference, and the numbers in it are right."""

import itertools
import re

import cvxpy as cp
import numpy as np
import pytest

from lab import ui
from lab.paper import errata
from lab.paper.errata import algorithms, balance, formulations
from solvers import Groups, dual_exclusive_norm
from tests import naive


@pytest.mark.parametrize("erratum", errata.ERRATA, ids=lambda erratum: erratum.key)
def test_every_demonstration_tells_printed_from_right(erratum):
    shown = erratum.demonstrate()
    assert shown.differs
    assert re.search(r"\d", shown.finding)
    assert len({len(column) for column in shown.table.values()}) == 1
    assert erratum.printed and erratum.right and erratum.where
    if erratum.link is not None:
        assert erratum.link.page in {page.key for page in ui.PAGES}
    if shown.curves is not None:
        for line in shown.curves.lines.values():
            assert line.shape == shown.curves.x.shape


def test_titles_are_the_names_of_a_control():
    titles = [erratum.title for erratum in errata.ERRATA]
    assert len(set(titles)) == len(titles) == len(errata.BY_KEY)


def test_projections_are_those_of_the_naive_twins():
    for demonstrate, project, printed, a, b in (
        (
            algorithms.l1_origin,
            naive.project_l1_cone,
            naive.printed_project_l1_cone,
            (1.0, 0.5),
            -3.0,
        ),
        (
            algorithms.linf_formula,
            naive.project_linf_cone,
            naive.printed_project_linf_cone,
            (3.0, 1.0),
            1.0,
        ),
        (
            algorithms.linf_negative,
            naive.project_linf_cone,
            naive.printed_project_linf_cone,
            (1.0, 0.5),
            -3.0,
        ),
    ):
        y = demonstrate().table["y"]
        heights = [float(text.replace("−", "-")) for text in y]
        assert heights == pytest.approx([printed(a, b)[1], float(project(a, b, 1.0)[1])])


def test_windows_missed_are_counted_like_the_naive_twins():
    values = [k / 10 for k in range(-5, 6)]
    missed = 0
    for a in itertools.combinations_with_replacement(values, 2):
        for b in (value for value in values if value >= 0.0):
            x, y = naive.printed_project_l1_cone(a, b)
            missed += sum(map(abs, x)) > y + 1e-9
    assert algorithms.windows().table["wrong as printed"][0].startswith(f"{missed} ")
    assert missed > 0


@pytest.mark.parametrize("share", [0.1, 0.6, 0.99, 1.1])
def test_prox_of_the_norm_against_cvxpy(share):
    rng = np.random.default_rng(5)
    groups = Groups.from_labels(np.arange(8) % 3)
    c = rng.standard_normal(8)
    phi = share * dual_exclusive_norm(c, groups)
    w, evaluations = formulations.prox_of_norm(c, groups, phi)
    assert formulations.norm_prox_residual(c, w, groups, phi) < 1e-12
    assert evaluations < 100 and w.any() == (share < 1.0)
    v = cp.Variable(8)
    totals = cp.hstack([cp.norm1(v[members]) for members in groups.lists()])
    objective = 0.5 * cp.sum_squares(v - c) + phi * cp.norm2(totals)
    tight = dict(tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11)
    cp.Problem(cp.Minimize(objective)).solve(solver="CLARABEL", **tight)
    np.testing.assert_allclose(w, v.value, atol=1e-5)


def test_residual_sees_a_wrong_prox():
    groups, c = Groups.contiguous(4, 2), np.array([3.0, 1.0, -2.0, 0.5])
    w, _ = formulations.prox_of_norm(c, groups, 1.0)
    assert formulations.norm_prox_residual(c, 1.01 * w, groups, 1.0) > 1e-3


def test_constants_of_the_proof_at_one():
    """At t = 1, ε = .1: .81/(2.2 + .6), .81/(1.8 + .6) and .01/(2(1 + .4/3))."""
    assert balance.available_constants(1.0) == pytest.approx(
        (0.81 / 2.8, 0.81 / 2.4, 0.01 / (2 * (1 + 0.4 / 3)))
    )
