"""The small pictures of the three steps: they are of the numbers above them, and say so."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest

from lab.home import pictures, shrinkage
from lab.home.view import frames

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_step_has_a_picture_of_what_is_left(mode):
    data, found = frames()
    patterns = found[shrinkage.DEFAULT_ZETA]
    inside, across, others = pictures.of_steps(data, patterns, shrinkage.DEFAULT_ZETA, mode)
    bars = [float(rect.get("height")) for rect in xml.fromstring(inside.svg).iter(f"{SVG}rect")]
    kept = np.count_nonzero(patterns["le"].grid[-1])
    assert np.count_nonzero(bars[1::2]) == kept and f"{kept} are left" in inside.words
    sums = [float(rect.get("height")) for rect in xml.fromstring(across.svg).iter(f"{SVG}rect")]
    assert min(sums[1::2]) > 0  # no group is silenced
    assert sums[-1] / sums[-2] == pytest.approx(
        np.abs(patterns["le"].grid[-1]).sum() / np.abs(data.grid[-1]).sum(), abs=0.01
    )
    counts = [text.text for text in xml.fromstring(others.svg).iter(f"{SVG}text")]
    assert counts[0] == "ℓe" and "0" not in counts[1:9]
    for key, row in (("l1", counts[10:18]), ("l21", counts[19:27])):
        assert row.count("0") == patterns[key].n_empty
        assert f"{pictures.ROWS[key]} {patterns[key].n_empty}" in others.words
    assert "ℓe leaves no group empty" in others.words


def test_the_words_are_right_where_all_are_left_and_where_one_is():
    data, found = frames()
    first, last = shrinkage.ZETAS[0], shrinkage.ZETAS[-1]
    inside, _, others = pictures.of_steps(data, found[first], first, "light")
    assert "of 12 weights (outlined) all are left" in inside.words
    assert "ℓ1 none and the group lasso 1." in others.words
    inside, _, _ = pictures.of_steps(data, found[last], last, "light")
    assert "of 12 weights (outlined) 1 is left" in inside.words
