"""The phase diagram is of one n: tiles, boundary and words."""

import numpy as np
import pytest

from lab.balance import charts, law, phase, words
from lab.balance.law import Setting
from solvers import grouping


@pytest.mark.parametrize(("n", "t"), [(200, 0.5), (5, 0.1)])
def test_tiles_and_boundary_are_of_the_n_on_show(n, t):
    found = phase.phase(n, t, 0.9)
    assert found.s[-1] <= max(n // 2, 2)
    for row, m in enumerate(found.m.tolist()):
        for column, s in enumerate(found.s.tolist()):
            stated = found.probability[row, column]
            if m > s:
                assert np.isnan(stated)
            else:
                assert stated == grouping.balance_probability(n, s, m, t)
    for s, m in zip(found.s.tolist(), found.largest.tolist(), strict=True):
        assert m == grouping.recommend_n_groups(n, s, t, 0.9)
    assert found.m[0] == 1 and (found.probability[0] == 1).all()
    at = Setting(n, int(found.s[-1]), t, target=0.9)
    assert f"n = {n:,}" in words.phase_prose(at, found)
    table = phase.table(found)
    assert len(table["s"]) == found.probability.size
    tile = (table["s"] == found.s[0]) & (table["m"] == found.m[0])
    assert table["P exact"][tile][0] == found.probability[0, 0]


def test_the_condition_of_the_theorem_stays_in_the_picture():
    found = phase.phase(200, 0.5, 0.9)
    s, m = phase.rule_curve(0.5, found)
    np.testing.assert_allclose(s, 4 * m * np.log(m))
    assert s.min() >= found.s[0] and s.max() <= found.s[-1] and m.max() <= found.m[-1]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_figure_marks_where_the_reader_is(mode):
    found = phase.phase(200, 0.5, 0.9)
    figure = charts.phase_diagram(found, 0.5, target=0.9, here=(50, 4), title="finding", mode=mode)
    here = next(trace for trace in figure.data if trace.name == "s = 50, m = 4")
    assert (10 ** here.x[0], 10 ** here.y[0]) == pytest.approx((50, 4))


def test_the_live_figure_has_the_s_on_show_and_says_each_m():
    at = Setting(200, 50, 0.5, target=0.9)
    found, curve = phase.phase(at.n, at.t, at.target), law.curve(at)
    figure = charts.live_phase(at, found, curve)
    assert figure.content["at"] == at.s
    assert figure.content["y"]["range"][0] < 1 / np.sqrt(2)  # half of the way from 2 to 1, below 1
    assert figure.control.texts == tuple(str(m) for m in curve.m.tolist())
    for m in (1, 4, 50):
        assert figure.title(str(m)) == f"s = 50, {words.curve_title(at, m, curve.by_m[m])}"
        assert "n = 200" in figure.alt(str(m)) and figure.title(str(m)) in figure.alt(str(m))
    boundary = next(line for line in figure.content["lines"] if "largest" in line["name"])
    assert boundary["points"] == [[s, m] for s, m in zip(found.s, found.largest, strict=True)]
