"""The random grouping page's code prints what the page says."""

import pytest

from lab import balance, balance_draw
from lab.snippets.balance import snippet
from solvers import grouping
from tests.lab.snippets.runner import printed_by


@pytest.mark.parametrize(
    ("n", "s", "m", "t", "trials", "seed", "c", "target"),
    [(5040, 500, 20, 0.5, 1000, 0, 1.0, 0.95), (5040, 504, 81, 0.2, 500, 3, 0.25, 0.9)],
)
def test_code_reproduces_the_view(n, s, m, t, trials, seed, c, target):
    curve = balance.curve(n, s, t, target, c)
    share = balance.balanced_share(*balance.extremes(n, s, m, trials, seed), t)
    bounds = balance.bounds(n, s, m, t)
    draw = balance_draw.draw(n, s, m, seed)

    def text(bound):
        return "vacuous" if bound <= 0 else f"{bound:.10g}"

    low, high = share.interval
    code = snippet(n, s, m, t, trials=trials, seed=seed, c=c, target=target)
    assert printed_by(code).splitlines() == [
        f"exact: {grouping.balance_probability(n, s, m, t):.10g}",
        f"union bound: {text(bounds.union)}",
        f"closed bound: {text(bounds.closed)}",
        f"theorem bound: {text(bounds.theorem)}",
        f"simulated: {share.hits} of {share.trials}, {low:.10g} to {high:.10g}",
        f"largest m: {curve.largest}",
        f"paper's m: {curve.paper}, exact: {curve.at_paper:.10g}",
        f"one draw: {draw.counts.min()} to {draw.counts.max()} true features a group",
    ]
