"""The page of the paper against the measurements in a real browser."""

import re
from urllib.parse import quote

from playwright.sync_api import expect

from lab import claims, errata, measured
from tests.browser.looks import assert_on_first_screen

PATH = "/Paper_vs_measured"


def rows() -> list[claims.Row]:
    """Read anew: a benchmark may be adding to its results meanwhile."""
    return claims.judged(measured.read())


def wait_for_page(page):
    """Until the sentence counts the verdicts and the squares are painted."""
    expect(page.get_by_text(claims.answer(rows()))).to_be_visible()
    page.locator(".js-plotly-plot .gtitle").first.wait_for()
    return page


def test_first_screen_holds_the_squares_and_the_keyboard_chooses_a_verdict(visit):
    page = wait_for_page(visit(PATH))
    every = rows()
    expect(page.locator(".js-plotly-plot .scatterlayer path.point")).to_have_count(len(every))
    assert_on_first_screen(page, page.get_by_text("Show the claims whose verdict is"))
    failing = [row for row in every if row.verdict == claims.FAILS]
    button = page.get_by_role("radio", name=claims.FAILS).or_(
        page.get_by_role("button", name=claims.FAILS, exact=True)
    )
    button.first.focus()
    button.first.press("Enter")
    expect(page.get_by_text(f"{len(failing)} of {len(every)} claims")).to_be_visible()
    expect(page).to_have_url(re.compile("paper_verdict=does"))
    assert page.problems == []


def test_deep_link_opens_an_erratum_with_its_demonstration(visit):
    erratum = errata.BY_KEY["momentum"]
    page = visit(f"{PATH}?paper_tab=Errata&paper_erratum={quote(erratum.title)}")
    found = erratum.demonstrate().finding
    expect(page.get_by_text(found[:60])).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle").first).to_have_text(erratum.title)
    assert page.problems == []


def test_slider_moves_the_theorems_figure(visit):
    page = visit(f"{PATH}?paper_tab={quote('Theorem 3')}")
    title = page.locator(".js-plotly-plot .gtitle").first
    expect(title).to_contain_text("m = 8")
    slider = page.locator("input[type=range]").first
    slider.focus()
    slider.press("ArrowRight")
    expect(title).to_contain_text("m = 14")
    expect(page).to_have_url(re.compile("paper_m=14"))
    assert page.problems == []
