"""The random grouping page in a real browser."""

import re

from playwright.sync_api import expect

from lab import balance, theme, ui
from solvers import grouping
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    rgb,
)

PATH = "/Random_grouping"
ANSWER = "m = 22 is the largest number of random groups"
QUESTION = next(page.question for page in ui.PAGES if page.key == "random_grouping")


def row(m: int, *, n: int = 5040, s: int = 500, t: float = 0.5) -> str:
    """The exact number the page must state at these settings."""
    return balance.probability_text(grouping.balance_probability(n, s, m, t))


def wait_for_view(page, m: int, *, figures: int = 3, **setting):
    """Until the table states P(balanced) at this m and the figures are painted."""
    expect(page.get_by_role("columnheader", name=f"P(balanced) at m = {m}")).to_be_visible()
    exact = page.get_by_role("row", name="exact law").get_by_role("cell").nth(1)
    expect(exact).to_have_text(row(m, **setting))
    expect(page.locator(".js-plotly-plot .gtitle")).to_have_count(figures)
    expect(
        page.locator(".js-plotly-plot").first.get_by_text(f"m = {m}", exact=True)
    ).to_be_visible()
    return page


def slider_of_groups(page):
    return page.get_by_role("slider", name="Number of groups m")


def test_first_screen_holds_the_answer_and_the_keyboard_moves_the_number_of_groups(visit):
    page = wait_for_view(visit(PATH), 20)
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    slider, figure = slider_of_groups(page), page.locator(".js-plotly-plot .nsewdrag").first
    assert_on_first_screen(page, page.get_by_text(ANSWER), figure, slider)
    slider.press("ArrowRight")
    wait_for_view(page, 21)
    expect(page).to_have_url(re.compile(r"[?&]rg_m=21$"))
    slider.press("ArrowLeft")
    wait_for_view(page, 20)
    expect(page).not_to_have_url(re.compile("rg_m="))

    tolerance = page.get_by_role("slider", name="Tolerance t")
    tolerance.focus()
    tolerance.press("ArrowRight")
    wait_for_view(page, 20, t=0.6)
    assert page.problems == []


def test_presets_tabs_and_another_page_keep_the_view(visit):
    page = wait_for_view(visit(PATH), 20)
    page.get_by_role("button", name="The same, t = 0.8").click()
    wait_for_view(page, 81, s=504, t=0.8)
    for tab, finding in (
        ("The ratio max/min", "max/min ≤ 9 has probability 0.400"),
        ("Phase diagram", "P ≥ 95% at s = 2,520"),
        ("Does n matter?", "P(balanced) moves by"),
    ):
        page.get_by_role("tab", name=tab).click()
        title = page.locator(".js-plotly-plot .gtitle").nth(1)
        expect(title).to_contain_text(finding)
    expect(page).to_have_url(re.compile("rg_tab=Does"))
    page.get_by_role("link", name="Home", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(ui.HOME.question)
    page.get_by_role("link", name="Random grouping", exact=True).first.click()
    wait_for_view(page, 81, s=504, t=0.8, figures=2)
    assert page.problems == []


def test_deep_link_restores_the_view(visit):
    page = wait_for_view(visit(f"{PATH}?rg_s=112&rg_m=24&rg_seed=5"), 24, s=112)
    assert slider_of_groups(page).get_attribute("aria-valuetext") == "24"
    expect(page.get_by_role("spinbutton", name="Seed")).to_have_value("5")
    assert page.problems == []


def test_impossible_settings_leave_the_page_usable(visit):
    page = visit(f"{PATH}?rg_s=100&rg_m=138")
    expect(page.get_by_text("m = 138 groups cannot all hold one of s = 100")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    wait_for_view(page, 20)
    assert page.problems == []


def test_dark_phone_shows_answer_and_figure_and_typesets_the_mathematics(visit):
    page = wait_for_view(visit(PATH, width=390, height=844, scheme="dark"), 20)
    figure = page.locator(".js-plotly-plot .nsewdrag").first
    assert_on_first_screen(page, page.get_by_text(ANSWER), figure)
    page.get_by_text("The mathematics", exact=True).click()
    expect(page.get_by_text("Hypergeometric tails lie below binomial ones")).to_be_visible()
    expect(page.locator(".katex-error")).to_have_count(0)
    assert_no_sideways_scroll(page)
    title = page.locator(".js-plotly-plot .gtitle").first
    assert title.evaluate("e => getComputedStyle(e).fill") == rgb(theme.palette("dark").text)
    assert_accessible(page)
    assert page.problems == []
