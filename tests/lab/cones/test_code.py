"""The code of the page on cone projections prints what the page shows."""

import numpy as np
import pytest

from lab.cones import code as snippets
from lab.cones import projections as cones
from lab.cones import searches
from tests.lab.code_runner import printed_by


def numbers(line: str) -> list[float]:
    return [float(word) for word in line.split(":" if ":" in line else "=")[1].split()]


@pytest.mark.parametrize(
    ("cone", "a", "b", "zeta"),
    [("ℓ1", [1.0, 0.7, -0.4, 0.1], 0.0, 2.0), ("ℓ∞", [0.4, 0.2], 0.0, 1.0)],
)
def test_code_reproduces_the_projection(cone, a, b, zeta):
    level, made, rest, moved, *residuals = printed_by(
        snippets.projection(cone, np.array(a), b, zeta)
    ).splitlines()
    p = cones.project(cone, a, b, zeta)
    assert level.startswith("delta = " if cone == "ℓ1" else "y = ")
    assert numbers(level) == [
        pytest.approx(searches.corrected_search(cone, a, b, zeta).level, 1e-5)
    ]
    assert numbers(made) == pytest.approx([*p.x, p.y], rel=1e-5)
    assert numbers(rest) == pytest.approx([*p.residual[0], p.residual[1]], rel=1e-5)
    assert numbers(moved) == [pytest.approx(p.distance, rel=1e-5)]
    assert "-0" not in made.split() + rest.split()  # the page writes 0
    assert len(residuals) == 3
    assert all(abs(numbers(line)[0]) < 1e-15 for line in residuals)


def test_code_reproduces_both_decompositions():
    d, zeta = np.array([1.0, 0.7, -0.4, 0.1]), 2.0
    script = snippets.moreau(1.6, -0.5, d, zeta)
    made, rest, lengths, cut, left_over, difference = printed_by(script).splitlines()
    p = cones.project("ℓ1", [1.6], -0.5, zeta)
    assert numbers(made) == pytest.approx([*p.x, p.y], rel=1e-5)
    assert numbers(rest) == pytest.approx([*p.residual[0], p.residual[1]], rel=1e-5)
    assert numbers(lengths)[1] == pytest.approx(p.distance, rel=1e-5)
    expected = cones.shrink_pair(d, zeta)
    assert numbers(cut) == pytest.approx(expected[0].tolist(), rel=1e-5)
    assert numbers(left_over) == pytest.approx(expected[1].tolist(), rel=1e-5)
    assert "-0" not in left_over.split()
    assert abs(numbers(difference)[0]) < 1e-15
