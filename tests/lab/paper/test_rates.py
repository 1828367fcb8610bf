"""Rates of the accelerated loop, against the solvers' own and the theorem."""

import itertools

import numpy as np
import pytest

from lab.paper import rates
from solvers.first_order.fista import fista
from solvers.first_order.formulations import LOCP, PCP
from tests import naive


def test_corrected_loop_is_the_solvers_own():
    posed = LOCP(rates.lasso_problem())
    ours = itertools.islice(fista(posed, posed.start(None)), 40)
    here = itertools.islice(rates.algorithm_1(posed, rates.corrected_momentum), 40)
    for (x, average), (x_here, average_here) in zip(ours, here, strict=True):
        np.testing.assert_allclose(x_here, x, atol=1e-12)
        if average is not None:
            np.testing.assert_allclose(average_here, average, atol=1e-10)


def test_printed_momentum_is_the_naive_twins():
    assert rates.printed_momentum(1.7) == naive.printed_momentum(1.7)
    posed = PCP(rates.lasso_problem(rates.OVERLAPPED))
    right = naive.accelerated_gradient(posed, posed.start(None), naive.printed_momentum)
    here = rates.algorithm_1(posed, rates.printed_momentum)
    for x, (x_here, _) in itertools.islice(zip(right, here, strict=False), 30):
        np.testing.assert_array_equal(x_here, x)


@pytest.mark.parametrize("method", ["pcp", "locp"])
def test_the_theorem_holds_corrected_and_fails_as_printed(method):
    corrected, printed = (rates.lasso_curve(method, flag) for flag in (False, True))
    assert np.all(corrected.errors > 0.0)
    assert corrected.share_of_bound <= 1.0 < printed.share_of_bound
    assert corrected.growth < 2.0 < printed.growth


def test_a_line_search_keeps_the_rate_without_knowing_l(monkeypatch):
    found = rates.line_search_curve(300)
    assert found.share_of_bound <= 1.0 and np.all(found.errors > 0.0)
    # Without the search, steps of 64/L blow up.
    monkeypatch.setattr(rates, "fista", lambda posed, x, **_: fista(posed, x))
    with np.errstate(all="ignore"):
        wild = rates.line_search_curve.__wrapped__(20)
    assert not wild.share_of_bound <= 1.0


def test_licp_keeps_the_rate_in_the_dual_and_on_average_only():
    curves = rates.licp_curves()
    assert np.all(curves.dual.errors >= -1e-9)
    # Weak duality: every primal value lies above minus every dual one.
    assert np.all(curves.last.errors > 0.0) and np.all(curves.averaged.errors > 0.0)
    assert max(curves.dual.share_of_bound, curves.averaged.share_of_bound) <= 1.0
    assert curves.last.share_of_bound > 1.0
