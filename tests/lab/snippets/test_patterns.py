"""The code of the norm patterns page prints what its four tabs show."""

import re

import numpy as np
import pytest

from lab import balls, patterns, twins
from lab.datasets import TwinsSpec
from lab.patterns import PatternSpec
from lab.snippets import patterns as snippets
from solvers.baselines import NORMS
from tests.lab.snippets.runner import printed_by

SPEC = PatternSpec(
    n_groups=5, group_size=6, nonzeros_per_group=2, n_samples=40, overlap=2, active_percent=60
)
PATH_SPEC = PatternSpec(n_groups=5, group_size=6, n_samples=40, noise=0.0)
TWINS_SPEC = TwinsSpec(busy_load=4, seed=2)
GROUPINGS = ("{1,2}, {3}", "{1,2}, {2,3}")


@pytest.fixture(scope="module")
def shown():
    return patterns.look_up(patterns.solve_paths(SPEC), 0.24, matched=True)


@pytest.fixture(scope="module")
def printed(shown):
    """What each script prints: one fresh process, since imports cost most, a namespace for each."""
    scripts = {
        "figure_one": snippets.figure_one(SPEC, {norm: fit.share for norm, fit in shown.items()}),
        "l1": snippets.path(PATH_SPEC, "l1", 0.01, 10.0),
        "le": snippets.path(PATH_SPEC, "le", 0.01, 10.0),
        "twins": snippets.twins(TWINS_SPEC, 0.1),
        **{grouping: snippets.balls(grouping) for grouping in GROUPINGS},
    }
    code = "".join(
        f"print('=== {name}')\nexec({script!r}, {{'__name__': '__main__'}})\n"
        for name, script in scripts.items()
    )
    parts = printed_by(code).split("=== ")[1:]
    return {part.splitlines()[0]: part.splitlines()[1:] for part in parts}


def test_figure_one(printed, shown):
    lines = printed["figure_one"]
    for line, fit in zip(lines, shown.values(), strict=True):
        label, weights, empty, f1, error, gap = re.fullmatch(
            r"([\w ]+): (\d+) weights, (\d+) groups empty, F1 (\S+), test error (\S+), "
            r"certified gap (\S+)",
            line,
        ).groups()
        assert label == NORMS[patterns.FITTED_AS[fit.norm]].label
        assert (int(weights), int(empty)) == (fit.pattern.nonzeros, fit.pattern.n_empty)
        assert float(f1) == pytest.approx(fit.f1, abs=5e-4)
        assert float(error) == pytest.approx(fit.error, abs=2e-3)
        assert float(gap) <= patterns.TOLERANCE


@pytest.mark.parametrize("norm", ["l1", "le"])
def test_path(printed, norm):
    path = patterns.solve_paths(PATH_SPEC).by_norm[norm]
    lines = printed[norm]
    assert len(lines) == 25
    for line in (lines[8], lines[16], lines[24]):
        share, weights, largest = re.match(r"(\S+): (\d+) weights, largest (\S+),", line).groups()
        at = path.index(float(share))
        assert int(weights) == path.nonzeros[at]
        assert float(largest) == pytest.approx(np.abs(path.coefs[at]).max(), abs=2e-3)


def test_twins(printed):
    fits = twins.fit_twins(TWINS_SPEC, 0.1)
    for line, fit in zip(printed["twins"], fits.values(), strict=True):
        busy, quiet = re.search(r"busy twin (\S+), quiet twin (\S+)", line).groups()
        assert float(busy) == pytest.approx(fit.busy, abs=2e-3)
        assert float(quiet) == pytest.approx(fit.quiet, abs=2e-3)


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_balls(printed, grouping):
    lines = printed[grouping]
    assert len(lines) == 4
    for line in lines:
        direction = np.array([float(digit) for digit in re.findall(r"\d", line.split("]")[0])])
        radii = dict(re.findall(r"(l\w+) (\d\.\d+)", line))
        assert set(radii) == set(balls.NORMS)
        for norm, radius in radii.items():
            length = balls.norm_of(norm, direction[None], balls.GROUPINGS[grouping])[0]
            assert float(radius) == pytest.approx(1 / length, abs=1e-6)
