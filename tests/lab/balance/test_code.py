"""The code of each tab prints what the tab says."""

import pytest

from lab.balance import code, draws, law, over_n, phase
from lab.balance.law import Setting
from tests.lab.code_runner import printed_by

SETTINGS = [(Setting(5040, 500, 0.5), 20, 0), (Setting(5040, 504, 0.2, 0.9, 0.25), 81, 3)]


@pytest.mark.parametrize(("at", "m", "seed"), SETTINGS)
def test_code_of_draws_curve_and_bounds(at, m, seed):
    curve, proven = law.curve(at), law.bounds(at).at(m)
    found = draws.draw(at.n, at.s, m, seed)
    exact = curve.by_m[m]
    assert printed_by(code.draws(at, m, seed, 44)).splitlines() == [
        f"draw 44: fullest {found.largest[43]}, emptiest {found.smallest[43]}",
        f"balanced so far: {found.so_far(44, at.t).hits} of 44",
        f"exact: {exact:.10g}",
    ]
    assert printed_by(code.curve(at, m)).splitlines() == [
        f"m = {m}: {exact:.10g}",
        f"largest m: {curve.largest}, {curve.at_largest:.10g}",
        f"paper's m: {at.paper}, {curve.at_paper:.10g}",
    ]
    assert printed_by(code.bounds(at, m)).splitlines() == [
        f"exact: {exact:.10g}",
        *(f"{k}: {'says nothing' if v <= 0 else format(v, '.10g')}" for k, v in proven.items()),
    ]


def test_code_of_phases_and_sizes():
    at = Setting(200, 50, 0.5)
    found = phase.phase(at.n, at.t, at.target)
    lines = printed_by(code.phase(at, found.s.tolist(), found.m.tolist())).splitlines()
    for line, s, largest, column in zip(
        lines, found.s, found.largest, found.probability.T, strict=True
    ):
        law_of_s = [f"{p:.6g}" for p in column if p == p]
        assert line.split() == [str(s), str(largest), *law_of_s]
    sizes = over_n.over_n(at.s, 4, at.t)
    lines = printed_by(code.over_n(at, 4, sizes.n.tolist())).splitlines()
    shown = zip(sizes.n, sizes.exact, sizes.union, strict=True)
    largest = over_n.largest_over_n(at.s, at.t, at.target)
    assert lines == [
        *(f"{n} {p:.10g} {union:.10g}" for n, p, union in shown),
        *(f"{n} {m}" for n, m in largest.items()),
    ]
