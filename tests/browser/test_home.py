"""The home page in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from lab import shrinkage, ui


def finding(zeta_text: str) -> str:
    zeta = float(zeta_text)
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, zeta)
    return shrinkage.answer(exclusive, shrinkage.shrink_l1(c, groups, exclusive.nonzeros))


# Plotly paints the tiles of a figure as one image, over an image of blank tiles.
TILES = """() => [...document.querySelectorAll('.js-plotly-plot .heatmaplayer image')]
    .map(image => image.href.baseVal)"""


def wait_for_view(page, zeta_text: str):
    """Until the sentence says what this ζ computes, and two layers of two figures are painted."""
    expect(page.get_by_text(finding(zeta_text))).to_be_visible()
    page.wait_for_function(
        f"() => {{ const t = ({TILES})(); return t.length === 4 && t.every(Boolean); }}"
    )
    return page


def figure_titles(page) -> list[str]:
    return page.locator(".js-plotly-plot .gtitle").all_text_contents()


def test_home_opens_with_a_figure_and_without_errors(visit):
    page = wait_for_view(visit("/"), shrinkage.DEFAULT_ZETA)
    expect(page).to_have_title(ui.PRODUCT)
    expect(page.get_by_role("heading", level=1)).to_have_text(ui.HOME.question)
    left, right = figure_titles(page)
    assert re.fullmatch(r"ℓe: \d+ weights, all 8 groups", left)
    assert re.fullmatch(r"ℓ1: \d+ weights, \d+ groups empty", right)
    expect(page.get_by_text("certified: relative gap")).to_be_visible()
    assert page.problems == []


def test_arrow_key_moves_figure_and_address(visit):
    page = wait_for_view(visit("/"), shrinkage.DEFAULT_ZETA)
    titles, tiles = figure_titles(page), page.evaluate(TILES)
    following = shrinkage.ZETAS[shrinkage.ZETAS.index(shrinkage.DEFAULT_ZETA) + 1]

    slider = page.locator("input[type=range]")
    slider.focus()
    slider.press("ArrowRight")
    wait_for_view(page, following)
    expect(page).to_have_url(re.compile(rf"[?&]zeta={re.escape(following)}$"))
    expect(page.locator(".js-plotly-plot .gtitle").first).not_to_have_text(titles[0])
    page.wait_for_function(
        f"before => {{ const t = ({TILES})(); return t[1] !== before[1] && t[3] !== before[3]; }}",
        arg=tiles,
    )

    slider.press("ArrowLeft")
    wait_for_view(page, shrinkage.DEFAULT_ZETA)
    expect(page).not_to_have_url(re.compile("zeta="))
    assert page.problems == []


def test_deep_link_restores_the_view(visit):
    page = wait_for_view(visit("/?zeta=10"), "10")
    slider = page.locator("input[type=range]")
    assert slider.get_attribute("aria-valuetext") == "10"
    assert page.problems == []


def test_address_with_an_unknown_value_shows_the_default(visit):
    wait_for_view(visit("/?zeta=plenty"), shrinkage.DEFAULT_ZETA)


@pytest.mark.parametrize(("width", "height"), [(1400, 800), (390, 844)])
def test_first_screen_holds_answer_and_figure(visit, width, height):
    page = wait_for_view(visit("/", width=width, height=height), shrinkage.DEFAULT_ZETA)
    must_show = [page.get_by_text(finding(shrinkage.DEFAULT_ZETA)), page.locator(".nsewdrag").first]
    if width > 1000:
        must_show.append(page.locator("input[type=range]"))
    for element in must_show:
        box = element.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
