"""The live pictures say in Python what the browser computes, and always hold the answer."""

import numpy as np
import pytest

from lab.cones import charts, descent, projections, searches, words


@pytest.mark.parametrize("decomposed", [False, True])
@pytest.mark.parametrize("zeta", [0.1, 1.0, 10.0])
def test_the_plane_holds_every_point_and_all_that_is_drawn_of_it(zeta, decomposed):
    figure = charts.live.plane(stretched=False, decomposed=decomposed)
    low, high = charts.live.POINT.low, charts.live.POINT.high
    ranges = figure.content["x"]["range"], figure.content["y"]["range"]
    for a in np.linspace(low[0], high[0], 13):
        for b in np.linspace(low[1], high[1], 9):
            p = projections.project("ℓ1", [a], b, zeta)
            polar = (a - p.x[0], b - p.y)
            for place in ((a, b), (p.x[0], p.y), *([polar] if decomposed else [])):
                for value, (least, most) in zip(place, ranges, strict=True):
                    assert least <= value <= most


@pytest.mark.parametrize(
    ("a", "says"),
    [((1.6, 0.5), "one vanishes"), ((1.0, 0.9), "neither vanishes"), ((0.0, 0.0), "neither")],
)
def test_the_answer_of_a_group_has_its_numbers(a, says):
    p = projections.project("ℓ1", a, 0.0, 1.0)
    delta = searches.corrected_search("ℓ1", a, 0.0, 1.0).level
    sentence = words.group_answer(p, delta)
    assert says in sentence
    assert words.vector_text(p.x) in sentence and words.shown(delta) in sentence
    assert delta == pytest.approx(p.zeta * np.maximum(np.abs(a) - delta, 0).sum())
    still = charts.group(p, delta, title="t", mode="dark")
    np.testing.assert_allclose(still.data[1].y, np.abs(p.x))


@pytest.mark.parametrize("cone", projections.CONES)
@pytest.mark.parametrize("b", [-3.0, 0.0, 0.3, 9.0])
def test_the_search_shows_every_candidate_and_its_view_holds_them(cone, b):
    a = [1.0, 0.7, -0.4]
    p, search = projections.project(cone, a, b, 2.0), searches.corrected_search(cone, a, b, 2.0)
    figure = charts.live.search(p, search)
    assert len(figure.titles) == len(a) + 1
    for alt, candidate in zip(figure.alts, search.candidates, strict=True):
        assert words.shown(candidate.value) in alt
    low, high = figure.content["y"]["range"]
    assert all(low <= level <= high for level in figure.content["levels"])
    if search.j is not None:
        assert "the answer" in figure.titles[search.j]
    assert sum("the answer" in title for title in figure.titles) == (search.j is not None)


@pytest.mark.parametrize("cone", projections.CONES)
@pytest.mark.parametrize(("a", "b"), [((1.0, 0.5), -3.0), ((3.0, -1.0), 1.0), ((1.0, 0.7), 0.0)])
def test_the_errata_cross_out_what_the_print_returns_and_hold_it_in_sight(cone, a, b):
    figure = charts.live.errata(cone, np.array(a), b)
    low, high = figure.content["y"]["range"]
    for k, text in enumerate(projections.ZETAS):
        p = projections.project(cone, a, b, float(text))
        found = searches.corrected_search(cone, a, b, float(text))
        assert words.entries_title(p, found) in figure.alts[k]
        printed = searches.printed_search(cone, a, b, float(text)).result
        level, crosses = figure.content["levels"][k], figure.content["crosses"][k]
        sizes = np.abs(a)
        left = np.maximum(sizes - level, 0) if cone == "ℓ1" else np.minimum(sizes, level)
        assert left == pytest.approx(np.abs(p.x), abs=1e-4)
        assert ("the printed search agrees" in figure.titles[k]) == printed.is_projection
        if printed.is_projection:
            assert crosses == [None, None]
        else:
            assert crosses == pytest.approx(np.sign(a) * printed.x, abs=1e-4)
            assert all(low <= cross <= high for cross in crosses)
            assert words.point_text(printed.x, printed.y) in figure.titles[k]
        assert low <= level <= high


@pytest.mark.parametrize("method", descent.METHODS)
def test_the_words_for_who_does_not_see_the_steps_have_their_numbers(method):
    run = descent.descent(method)
    figure = charts.live.steps(run)
    for k, alt in enumerate(figure.alts):
        place = run.gradient[k // 2] if k % 2 else run.iterates[k // 2]
        assert words.vector_text(place) in alt
