"""The race's code solves the race's problems, each to its own certificate."""

import re
from dataclasses import replace

import pytest

from lab import races
from lab.races.code import snippet
from tests.lab.code_runner import printed_by

SMALL = races.RaceSpec(n_samples=30, n_features=60, n_groups=6, lam=30.0, tol=1e-8, budget=20.0)
SPECS = [
    replace(SMALL, methods=("newton", "locp"), repeats=2, seed=3),
    replace(SMALL, problem="overlapped", extras=4, lam=None, rho=0.5, methods=("newton", "pls_dn")),
    replace(SMALL, problem="logistic", methods=("newton", "pcp")),
    replace(SMALL, problem="svm", alpha=0.1, beta=1.0, methods=("newton", "admm")),
]
LINE = re.compile(r"seed (\d+), (\w+): objective (\S+), gap (\S+), (\d+) nonzeros, .*, (\w+)$")


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.problem)
def test_code_reproduces_the_race(spec):
    race = races.Race(spec)
    race.advance()
    expected = {
        (spec.seed + repeat, runner.key): runner.result
        for repeat, heat in enumerate(race.heats)
        for runner in heat.runners
    }
    printed = [LINE.match(line).groups() for line in printed_by(snippet(spec)).splitlines()]
    assert [(int(seed), key) for seed, key, *_ in printed] == list(expected)
    for seed, key, objective, gap, nonzeros, status in printed:
        result = expected[int(seed), key]
        assert status == result.status == "converged"
        assert float(gap) <= spec.tol
        assert float(objective) == pytest.approx(result.objective, rel=2 * spec.tol)
        if races.METHODS[spec.problem][key].few_iterations:
            assert float(objective) == result.objective
            assert int(nonzeros) == (result.w != 0).sum()
