"""The home page in a real browser."""

import re

from playwright.sync_api import expect

from lab import shrinkage, ui
from tests.browser.looks import assert_on_first_screen


def finding(zeta_text: str) -> str:
    zeta = float(zeta_text)
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, zeta)
    return shrinkage.answer(exclusive, shrinkage.shrink_l1(c, groups, exclusive.nonzeros))


# Plotly paints the tiles of a figure as one image.
TILES = """() => [...document.querySelectorAll('.js-plotly-plot .heatmaplayer image')]
    .map(image => image.href.baseVal)"""


def wait_for_view(page, zeta_text: str):
    """Until the sentence says what this ζ computes, and both figures are painted."""
    expect(page.get_by_text(finding(zeta_text))).to_be_visible()
    page.wait_for_function(
        f"() => {{ const t = ({TILES})(); return t.length === 2 && t.every(Boolean); }}"
    )
    return page


def figure_titles(page) -> list[str]:
    return page.locator(".js-plotly-plot .gtitle").all_text_contents()


def test_first_screen_holds_the_answer_and_an_arrow_key_moves_figures_and_address(visit):
    page = wait_for_view(visit("/"), shrinkage.DEFAULT_ZETA)
    slider = page.locator("input[type=range]")
    expect(page).to_have_title(ui.PRODUCT)
    answer, figure = page.get_by_text(finding(shrinkage.DEFAULT_ZETA)), page.locator(".nsewdrag")
    assert_on_first_screen(page, answer, figure.first, slider)
    titles, tiles = figure_titles(page), page.evaluate(TILES)
    assert re.fullmatch(r"ℓe: \d+ weights, all 8 groups", titles[0])
    assert re.fullmatch(r"ℓ1: \d+ weights, \d+ groups empty", titles[1])
    expect(page.get_by_text("certified: relative gap")).to_be_visible()

    following = shrinkage.ZETAS[shrinkage.ZETAS.index(shrinkage.DEFAULT_ZETA) + 1]
    slider.press("ArrowRight")
    wait_for_view(page, following)
    expect(page).to_have_url(re.compile(rf"[?&]zeta={re.escape(following)}$"))
    expect(page.locator(".js-plotly-plot .gtitle").first).not_to_have_text(titles[0])
    page.wait_for_function(
        f"before => {{ const t = ({TILES})(); return t[0] !== before[0] && t[1] !== before[1]; }}",
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


def test_address_with_an_unknown_value_shows_the_default_on_a_phones_first_screen(visit):
    page = visit("/?zeta=plenty", width=390, height=844)
    wait_for_view(page, shrinkage.DEFAULT_ZETA)
    answer = page.get_by_text(finding(shrinkage.DEFAULT_ZETA))
    assert_on_first_screen(page, answer, page.locator(".nsewdrag").first)
