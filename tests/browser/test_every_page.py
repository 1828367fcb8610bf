"""What holds on every page: no errors, no sideways scroll, legible, reached by the keyboard."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from lab import theme, ui
from tests.browser.looks import contrast, rgb

PAGES = [ui.HOME, *ui.existing_pages()]
every_page = pytest.mark.parametrize("info", PAGES, ids=lambda info: info.key)

# The row that ends every page is there, and in every place of a figure there is one.
PAINTED = """() => {
    const main = document.querySelector('[data-testid=stMain]');
    const places = [...main.querySelectorAll('[data-testid=stPlotlyChart]')];
    return document.querySelector('[class*=export_row]') !== null
        && places.length > 0 && places.every(place => place.querySelector('.main-svg'));
}"""
FIGURE_ABOVE = """limit => [...document.querySelectorAll('.js-plotly-plot')]
    .some(figure => figure.getBoundingClientRect().top < limit)"""
SIDEWAYS = """() => ['html', '[data-testid=stMain]'].map(selector => {
    const box = document.querySelector(selector);
    return box.scrollWidth - box.clientWidth;
})"""
# Marks what has the focus, and says whether the focus is still in the content.
MARK_FOCUS = """() => {
    document.activeElement.setAttribute('data-reached', '');
    return document.querySelector('[data-testid=stMain]').contains(document.activeElement);
}"""
NOT_REACHED = """() => [...document.querySelectorAll(
    '[data-testid=stMain] :is(input[type=range], [data-testid^=stBaseButton], summary)')]
    .filter(control => control.checkVisibility() && !control.disabled
        && !control.closest('[role=radiogroup], [role=group], [role=tablist]')
        && !control.hasAttribute('data-reached'))
    .map(control => control.getAttribute('aria-label') || control.textContent)"""


def address_of(info: ui.Page) -> str:
    return "/" if info is ui.HOME else "/" + Path(info.file).stem.split("_", 1)[1]


def wait_until_idle(page):
    """Until the script has ended and every figure is painted."""
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    page.wait_for_function(PAINTED)
    return page


@every_page
def test_opens_without_errors_and_the_keyboard_reaches_every_control(visit, info):
    page = wait_until_idle(visit(address_of(info)))
    expect(page.get_by_role("heading", level=1)).to_have_text(info.question)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.locator("h1").click()
    for _ in range(150):
        page.keyboard.press("Tab")
        if not page.evaluate(MARK_FOCUS):
            break
    assert page.evaluate(NOT_REACHED) == []
    assert page.problems == []


@every_page
def test_phone_shows_title_answer_and_figure_without_sideways_scroll(visit, info):
    page = wait_until_idle(visit(address_of(info), width=390, height=844))
    assert page.evaluate(SIDEWAYS) == [0, 0]
    page.wait_for_function(FIGURE_ABOVE, arg=844 - 100)
    for text in ("Notation", "Cite"):
        page.get_by_text(text, exact=True).click()
    expect(page.get_by_text("number of features (columns of")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == [0, 0]


@every_page
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_legible_and_without_serious_accessibility_violations(visit, info, scheme):
    page = wait_until_idle(visit(address_of(info), scheme=scheme))
    colors = theme.palette(scheme)
    background = page.evaluate(
        "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    )
    assert background == rgb(colors.background)
    fills = page.locator(".js-plotly-plot .gtitle").evaluate_all(
        "titles => titles.map(title => getComputedStyle(title).fill)"
    )
    assert all(contrast(fill, background) >= 4.5 for fill in fills)
    found = Axe().run(page).response["violations"]
    grave = [
        (item["id"], [node["target"] for node in item["nodes"]][:3])
        for item in found
        if item["impact"] in ("serious", "critical")
    ]
    assert grave == []


def test_back_and_forward_return_to_pages_as_they_were_left(visit):
    """Set a control, leave by the navigation, come back by the browser, and by the navigation."""
    page = wait_until_idle(visit("/"))
    slider = page.locator("[data-testid=stMain] input[type=range]").first
    slider.focus()
    slider.press("ArrowRight")
    expect(page).to_have_url(re.compile("zeta="))
    left_at = slider.get_attribute("aria-valuetext")

    elsewhere = ui.existing_pages()[0]
    navigation = page.get_by_test_id("stSidebar")
    navigation.get_by_role("link", name=elsewhere.label).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(elsewhere.question)

    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(ui.HOME.question)
    slider = page.locator("[data-testid=stMain] input[type=range]").first
    expect(slider).to_have_attribute("aria-valuetext", left_at)
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text(elsewhere.question)
    navigation.get_by_role("link", name=ui.HOME.label).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(ui.HOME.question)
    expect(slider).to_have_attribute("aria-valuetext", left_at)
    assert page.problems == []
