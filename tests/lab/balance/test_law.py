"""P(balanced) over m and its bounds against exact integers."""

from fractions import Fraction

import numpy as np
import pytest

from lab.balance import law
from lab.balance.law import Setting
from solvers import grouping
from tests.solvers.test_grouping import integer_probability


@pytest.mark.parametrize(("n", "s", "t"), [(60, 20, 0.5), (61, 30, 0.2), (5040, 30, 0.8)])
def test_the_curve_is_the_exact_law_at_every_m_on_offer(n, s, t):
    exact = {m: float(integer_probability(n, s, m, Fraction(str(t)))) for m in range(1, s + 1)}
    at = Setting(n, s, t, target=0.6)
    found = law.curve(at)
    assert found.m.tolist() == list(exact)
    np.testing.assert_allclose(found.exact, list(exact.values()), rtol=1e-9)
    assert found.largest == max(m for m, p in exact.items() if p >= 0.6)
    assert found.at_largest == pytest.approx(exact[found.largest], rel=1e-9)
    assert found.at_paper == pytest.approx(exact[at.paper], rel=1e-9)


def test_curve_where_every_feature_is_true():
    found = law.curve(Setting(300, 300, 0.9))
    assert found.largest == 300 == found.m[-1]  # one feature a group
    assert (found.exact[300 % found.m == 0] == 1).all()
    assert law.is_certain(300, 300, 7) and law.is_certain(300, 20, 1)
    assert not law.is_certain(300, 20, 2)


@pytest.mark.parametrize(("n", "s", "t"), [(5040, 504, 0.5), (500, 30, 0.1)])
def test_bounds_are_the_solvers_and_end_where_they_turn_vacuous(n, s, t):
    found = law.bounds(Setting(n, s, t))
    laws = {
        "union": lambda m: grouping.union_bound(n, s, m, t),
        "closed": lambda m: grouping.chernoff_bound(s, m, t),
        "theorem": lambda m: grouping.theorem_bound(s, m, t),
    }
    for name, bound in laws.items():
        values = getattr(found, name)
        assert values.tolist() == [bound(m) for m in found.m.tolist()]
        assert found.at(12)[name] == bound(12)
        says = found.m[values > 0].tolist()
        assert found.reach(name) == (says[-1] if says else None)
        line = law.drawn(values)
        assert not (line < 0).any()
        shown = np.isfinite(line)
        if says:
            # Positive where it says something, one zero to end on, nothing after.
            assert found.m[shown].tolist()[-2] == says[-1] and line[shown][-1] == 0
        else:
            assert not shown.any()


def test_a_bound_that_never_turns_vacuous_ends_with_the_axis():
    line = law.drawn(np.array([0.9, 0.5, 0.2]))
    assert line.tolist() == [0.9, 0.5, 0.2]


def test_tables_repeat_curve_and_bounds():
    at = Setting(5040, 112, 0.5)
    found, proven = law.curve(at), law.bounds(at)
    table = law.bounds_table(found, proven)
    assert {len(column) for column in table.values()} == {len(found.m)}
    assert table["P exact"] is found.exact
    for name in law.BOUNDS:
        stated, values = table[f"{name} bound"], getattr(proven, name)
        assert (np.isnan(stated) == (values <= 0)).all()
        assert (stated[values > 0] == values[values > 0]).all()
