"""Every sentence of the page, at presets and extremes."""

import itertools

import numpy as np
import pytest

from lab.cones import descent, projections, searches, words
from lab.cones.view.controls import PRESETS
from tests.lab.sentences import faults

VECTORS = ([1.0], [0.0], [-2.5], [1.0, 1.0], [0.0, 0.0, 0.0], [1e-9, 1.0], [3, -1, 0.2, 0.2, 5])


def all_said(cone: str, a, b: float, zeta: float) -> list[str]:
    p = projections.project(cone, a, b, zeta)
    printed = searches.printed_search(cone, a, b, zeta)
    corrected = searches.corrected_search(cone, a, b, zeta)
    said = [words.answer(p), words.entries_title(p, corrected), *words.search_titles(p, corrected)]
    said += words.verdict(printed, p)
    d = np.array(a, dtype=float)
    said.append(words.identity_title(d, projections.shrink_pair(d, zeta)))
    if len(a) == 1:
        said += [words.plane_title(p), words.plane_prose(p)]
        said += [words.moreau_title(p), words.moreau_prose(p)]
    if len(a) == 2:
        said += [words.space_title(p), words.space_prose(p)]
        if cone == "ℓ1" and b == 0:
            said += [words.group_answer(p, corrected.level), words.group_title(p, corrected.level)]
    return said


@pytest.mark.parametrize("cone", projections.CONES)
def test_extremes_read_well(cone):
    for a, b, zeta in itertools.product(VECTORS, (-10.0, 0.0, 0.3, 10.0), (0.1, 1.0, 10.0)):
        said = all_said(cone, a, b, zeta)
        assert all(said) and not faults(said), (a, b, zeta)


def test_two_proxes_add_up_exactly_or_to_within_what_is_told():
    a = np.array([1.0, 0.7, -0.4])
    half = a / 2
    assert words.identity_title(a, (half, half)) == "The two proxes add up to exactly a"
    off = words.identity_title(a, (half, half + 1e-9))
    assert off == "The two proxes add up to a, to within 1e−09"


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_read_well(preset):
    setting = PRESETS[preset]
    a = [float(part) for part in setting["vector"].split(",")]
    said = all_said(setting["cone"], a, setting["height"], 1.0)
    assert not faults(said)


@pytest.mark.parametrize("method", descent.METHODS)
def test_every_step_of_every_method_reads_well(method):
    run = descent.descent(method)
    said = words.step_titles(run) + [words.descent_answer(run, k) for k in range(descent.STEPS + 1)]
    assert all(said) and not faults(said)


@pytest.mark.parametrize("cone", projections.CONES)
def test_what_is_said_of_each_candidate_of_a_search_is_true(cone):
    """Also where b is not 0 and no candidate is above 0, as in the cone and in its polar."""
    random = np.random.default_rng(0)
    for _ in range(150):
        a = random.normal(scale=2, size=random.integers(1, 6)).round(1)
        b, zeta = float(random.normal(scale=2)), float(random.choice([0.1, 1.0, 5.0]))
        p = projections.project(cone, a, b, zeta)
        search = searches.corrected_search(cone, a, b, zeta)
        values, before = [candidate.value for candidate in search.candidates], -np.inf
        for value, title in zip(values, words.search_titles(p, search), strict=True):
            assert ("the answer" not in title) or value == search.level == max(values)
            assert ("than the one before" not in title) or value <= before
            assert ("not above 0" not in title) or value <= 0
            before = value
