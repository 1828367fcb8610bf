"""The code of the norm patterns page prints what its tabs show, to the last digit shown."""

import re

import numpy as np
import pytest

from lab.data.datasets import TwinsSpec
from lab.norms import balls, shown, touch, twins
from lab.norms import code as snippets
from lab.norms.paths import FITTED_AS, TOLERANCE, shares_grid
from lab.norms.spec import PatternSpec
from lab.words import percent
from solvers.comparisons import NORMS
from tests.lab.code_runner import printed_by
from tests.lab.norms.small import solved

SPEC = PatternSpec(
    n_groups=5, group_size=6, nonzeros_per_group=2, n_samples=40, overlap=2, active_percent=60
)
PATH_SPEC = PatternSpec(n_groups=5, group_size=6, n_samples=40, noise=0.0)
TWINS_SPEC = TwinsSpec(busy_load=4, seed=2)
GROUPINGS = ("{1,2}, {3}", "{1,2}, {2,3}")
PAIR, TILT, OPTIMUM = "w1 and w2", 0.4, (0.2, 1.4)


@pytest.fixture(scope="module")
def fits():
    return shown.look_up(solved(SPEC), 0.24, matched=True)


@pytest.fixture(scope="module")
def printed(fits):
    """What each script prints: one fresh process, since imports cost most, a namespace for each."""
    scripts = {
        "figure_one": snippets.figure_one(SPEC, {norm: fit.share for norm, fit in fits.items()}),
        **{norm: snippets.path(PATH_SPEC, norm) for norm in FITTED_AS},
        "numbers": snippets.numbers(PATH_SPEC),
        "twins": snippets.twins(TWINS_SPEC, 0.1),
        **{grouping: snippets.balls(grouping) for grouping in GROUPINGS},
        **{
            f"touch {grouping}": snippets.touching(
                grouping, PAIR, TILT, OPTIMUM, touch.touches(grouping, PAIR, TILT, OPTIMUM)
            )
            for grouping in GROUPINGS
        },
    }
    code = "".join(
        f"print('=== {name}')\nexec({script!r}, {{'__name__': '__main__'}})\n"
        for name, script in scripts.items()
    )
    parts = printed_by(code).split("=== ")[1:]
    return {part.splitlines()[0]: part.splitlines()[1:] for part in parts}


def test_figure_one(printed, fits):
    for line, fit in zip(printed["figure_one"], fits.values(), strict=True):
        said, gap = line.rsplit(", certified gap ", 1)
        assert said == (
            f"{NORMS[FITTED_AS[fit.norm]].label}: {fit.pattern.nonzeros} weights, "
            f"{fit.pattern.n_empty} groups empty, F1 {fit.f1:.4f}, "
            f"test error {percent(fit.error, 0)}"
        )
        assert float(gap) <= TOLERANCE


def numbers_of(norm: str) -> list[str]:
    path = solved(PATH_SPEC).by_norm[norm]
    columns = zip(path.shares, path.nonzeros, path.f1, path.errors, strict=True)
    return [
        f"{share:.2g}: {kept} weights, F1 {f1:.4f}, test error {percent(error, 0)}"
        for share, kept, f1, error in columns
    ]


@pytest.mark.parametrize("norm", FITTED_AS)
def test_path_is_on_the_pages_own_grid_and_has_its_numbers(printed, norm):
    label, *lines = printed[norm]
    assert label == NORMS[FITTED_AS[norm]].label and len(lines) == shares_grid(norm).size
    assert [line.rsplit(", gap ", 1)[0] for line in lines] == numbers_of(norm)
    assert max(float(line.rsplit(" ", 1)[1]) for line in lines) <= TOLERANCE


def test_numbers_of_all_paths(printed):
    said = [line.rsplit(", gap ", 1)[0] for line in printed["numbers"]]
    wanted = []
    for norm, key in FITTED_AS.items():
        wanted += [NORMS[key].label, *numbers_of(norm)]
    assert said == wanted


def test_twins(printed):
    fits = twins.fit_twins(TWINS_SPEC, 0.1)
    for line, fit in zip(printed["twins"], fits.values(), strict=True):
        assert line == (
            f"{NORMS[FITTED_AS[fit.norm]].label}: busy twin {fit.busy:.2f}, quiet twin "
            f"{fit.quiet:.2f}, {100 * fit.quiet_share:.0f} % to the quiet one"
        )


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_touching(printed, grouping):
    found = touch.touches(grouping, PAIR, TILT, OPTIMUM)
    for line, (norm, at) in zip(printed[f"touch {grouping}"], found.items(), strict=True):
        assert line == (
            f"{NORMS[FITTED_AS[norm]].label}: ({touch.two_digits(at.w[0])}, "
            f"{touch.two_digits(at.w[1])}), {len(at.zeros)} exactly 0"
        )


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
