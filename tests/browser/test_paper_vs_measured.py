"""The page of the paper against the measurements in a real browser."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from lab.paper import claims, errata, measured
from tests.browser.looks import assert_on_first_screen, downloaded_by

PATH = "/Paper_vs_measured"
SQUARES = ".st-key-squares .scatterlayer path.point"


def rows() -> list[claims.Row]:
    """Read anew: a benchmark may be adding to its results meanwhile."""
    return claims.judged(measured.read())


def wait_for_page(page):
    """Until the sentence counts the verdicts and the squares are painted."""
    expect(page.get_by_text(claims.answer(rows()))).to_be_visible()
    page.locator(".js-plotly-plot .gtitle").first.wait_for()
    return page


def in_the_order_of_squares(every: list[claims.Row]) -> list[claims.Row]:
    """Verdict by verdict, as the squares are drawn."""
    return [row for verdict in claims.VERDICTS for row in every if row.verdict == verdict]


def test_first_screen_holds_the_squares_and_the_list_is_short(visit):
    page = wait_for_page(visit(PATH))
    every = rows()
    expect(page.locator(SQUARES)).to_have_count(len(every))
    assert_on_first_screen(page, page.get_by_text("Open a claim", exact=True))
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    assert height < 4000
    expect(page.get_by_text(f"{len(every)} of {len(every)} claims")).to_be_visible()
    assert page.problems == []


@pytest.mark.parametrize("verdict", claims.VERDICTS)
def test_every_claim_opens_from_its_square(visit, verdict):
    page = wait_for_page(visit(PATH))
    every = in_the_order_of_squares(rows())
    squares = page.locator(SQUARES)
    for place, row in enumerate(every):
        if row.verdict != verdict:
            continue
        expect(squares).to_have_count(len(every))
        # The figure's layer for dragging lies above the squares.
        box = squares.nth(place).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        heading = page.get_by_role("heading", name=row.claim.title, exact=True)
        assert_on_first_screen(page, heading)
        expect(page).to_have_url(re.compile(rf"paper_claim={row.claim.key}\b"))
        expect(page.get_by_text("Address and citation of this result")).to_be_visible()
        page.get_by_role("button", name="All claims").click()
    assert page.locator(".katex-error").count() == 0
    assert page.problems == []


def test_the_last_line_of_the_list_opens_a_claim_in_sight(visit):
    page = wait_for_page(visit(PATH))
    last = claims.CLAIMS[-1]
    line = page.get_by_role("button", name=last.title)
    line.scroll_into_view_if_needed()
    line.click()
    expect(page.get_by_role("heading", name=last.title, exact=True)).to_be_in_viewport()
    assert page.problems == []


def test_a_line_of_the_list_opens_its_claim_by_keyboard_and_the_link_leads_on(visit):
    page = wait_for_page(visit(PATH))
    claim = claims.BY_KEY["fig_2c"]
    line = page.get_by_role("button", name=claim.title)
    line.focus()
    line.press("Enter")
    expect(page.get_by_role("heading", name=claim.title, exact=True)).to_be_visible()
    expect(page.get_by_text("What would change the verdict")).to_be_visible()
    page.get_by_role("link", name="Run it again: Solver race").click()
    expect(page).to_have_url(re.compile("race_extras=7"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Do the paper's claims hold up?")
    assert page.problems == []


def test_an_address_opens_its_claim_on_a_phone(visit):
    page = visit(f"{PATH}?paper_claim=theorem_5", width=390, height=844)
    claim = claims.BY_KEY["theorem_5"]
    expect(page.get_by_role("heading", name=claim.title, exact=True)).to_be_visible()
    page.get_by_text("Address and citation of this result").click()
    expect(page.get_by_text("@misc{exclusive-sparsity-theorem-5")).to_be_visible()
    main = "document.querySelector('[data-testid=stMain]')"
    assert page.evaluate(f"{main}.scrollWidth <= {main}.clientWidth")
    assert page.problems == []


def test_the_report_is_one_file_to_take_along(visit):
    page = wait_for_page(visit(PATH))
    content = downloaded_by(page.get_by_role("button", name="Printable report (HTML)"))
    assert content.count("<article id=") == len(claims.CLAIMS)
    assert page.problems == []


def test_deep_link_opens_an_erratum_with_its_demonstration(visit):
    erratum = errata.BY_KEY["momentum"]
    page = visit(f"{PATH}?paper_tab=Errata&paper_erratum={erratum.key}")
    found = erratum.demonstrate().finding
    expect(page.get_by_text(found[:60])).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle").first).to_have_text(erratum.title)
    assert page.problems == []


def test_slider_moves_the_theorems_figure(visit):
    page = visit(f"{PATH}?paper_tab={quote('Theorem 5')}")
    title = page.locator(".js-plotly-plot .gtitle").first
    expect(title).to_contain_text("m = 8")
    slider = page.locator("input[type=range]").first
    slider.focus()
    slider.press("ArrowRight")
    expect(title).to_contain_text("m = 14")
    expect(page).to_have_url(re.compile("paper_m=14"))
    assert page.problems == []
