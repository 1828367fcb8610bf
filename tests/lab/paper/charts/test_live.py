"""The live figure of Theorem 5 is of the committed grid."""

import numpy as np
import pytest

from lab.paper import bounds, charts, measured
from solvers import grouping


@pytest.mark.parametrize(("n", "t"), [(1008, 0.5), (100_800, 0.2)])
def test_every_frame_has_the_exact_law_and_the_bounds_that_say_something(n, t):
    views = bounds.bound_views(measured.read().theorem5, n, t)
    figure = charts.live_bounds(views)
    xs = figure.content["xs"]
    exact, *others = figure.content["curves"]
    assert [m for m in views] == list(figure.control.texts) and len(views) == 12
    for frame, (m, view) in enumerate(views.items()):
        shown = {s: p for s, p in zip(xs, exact["ys"][frame], strict=True) if p is not None}
        assert list(shown) == pytest.approx(view.s)
        s = int(view.s[0])
        wanted = grouping.balance_probability(n, s, int(m), t)
        assert shown[float(s)] == pytest.approx(wanted, abs=1e-5)
        for curve in others:
            bound = view.bounds[curve["name"]]
            said = [value for value in curve["ys"][frame] if value is not None]
            np.testing.assert_allclose(said, bound[bound > 0], atol=1e-5)
        assert figure.titles[frame] == view.title and view.title in figure.alts[frame]
