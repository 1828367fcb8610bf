"""The page of the paper against the measurements in a real browser."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from lab.paper import claims, errata, measured
from tests.browser.looks import (
    BETWEEN_LOOKS,
    LOOKS,
    assert_on_first_screen,
    downloaded_by,
    wait_until_idle,
)

PATH = "/Paper_vs_measured"
DOUBLE_TAP_MILLISECONDS = 300  # plotly's
SQUARES = ".st-key-squares .scatterlayer path.point"
PHONE = {"width": 390, "height": 844}

# Letters of a claim's figure, once it is as narrow as the window, that reach beyond its picture,
# where they are cut off; null until then.
CUT_OFF = """() => {
    const texts = [...document.querySelectorAll('.js-plotly-plot .main-svg text')]
        .filter(text => text.textContent && text.checkVisibility());
    const pictures = texts.map(text => text.closest('svg').getBoundingClientRect());
    if (!texts.length || pictures.some(picture => picture.width > window.innerWidth)) return null;
    return texts.filter((text, i) => {
        const all = pictures[i], own = text.getBoundingClientRect();
        return own.left < all.left - 1 || own.right > all.right + 1
            || own.bottom > all.bottom + 1;
    }).map(text => text.textContent);
}"""


def rows() -> list[claims.Row]:
    """Read anew: a benchmark may be adding to its results meanwhile."""
    return claims.judged(measured.read())


def wait_for_page(page):
    """Until the sentence counts the verdicts and the squares are painted."""
    expect(page.get_by_text(claims.answer(rows()))).to_be_visible()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    return page


def unfold(page, topic: str) -> None:
    page.get_by_test_id("stExpander").filter(has_text=f"{topic}: ").locator("summary").click()


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


def with_the_least_room(every: list[claims.Row]) -> set[str]:
    """Of claims whose figures have axes named alike, that with the longest labels."""
    widest: dict[str, tuple[int, str]] = {}
    for row in every:
        evidence = row.judgement.evidence
        if evidence is not None:
            longest = max(len(bar.label) for bar in evidence.bars)
            known = widest.get(evidence.axis, (0, ""))
            widest[evidence.axis] = max(known, (longest, row.claim.key))
    # Short names have room anywhere.
    return {key for axis, (labels, key) in widest.items() if not (len(axis) < 24 or labels < 15)}


def assert_figure_is_read_whole_on_a_phone(page) -> None:
    """Figures follow the window, in a few steps."""
    size = page.viewport_size
    page.set_viewport_size(PHONE)
    for _ in range(LOOKS):
        cut_off = page.evaluate(CUT_OFF)
        if cut_off == []:
            break
        page.wait_for_timeout(BETWEEN_LOOKS)
    assert cut_off == [], page.url
    page.set_viewport_size(size)


@pytest.mark.parametrize("verdict", claims.VERDICTS)
def test_every_claim_opens_from_its_square_and_its_figure_fits_a_phone(visit, verdict):
    page = wait_for_page(visit(PATH))
    every = in_the_order_of_squares(rows())
    narrow = with_the_least_room(every)
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
        assert page.locator(".katex-error").count() == 0, row.claim.key
        if row.claim.key in narrow:
            assert_figure_is_read_whole_on_a_phone(page)
        page.get_by_role("button", name="All claims").click()
    assert page.problems == []


def test_the_last_line_of_the_list_opens_a_claim_in_sight(visit):
    page = wait_for_page(visit(PATH))
    last = claims.CLAIMS[-1]
    unfold(page, last.topic)
    line = page.get_by_role("button", name=last.title)
    line.scroll_into_view_if_needed()
    line.click()
    expect(page.get_by_role("heading", name=last.title, exact=True)).to_be_in_viewport()
    assert page.problems == []


def test_a_line_of_the_list_opens_its_claim_by_keyboard_and_the_link_leads_on(visit):
    page = wait_for_page(visit(PATH))
    claim = claims.BY_KEY["fig_2c"]
    unfold(page, claim.topic)
    line = page.get_by_role("button", name=claim.title)
    line.focus()
    line.press("Enter")
    expect(page.get_by_role("heading", name=claim.title, exact=True)).to_be_visible()
    expect(page.get_by_text("What would change the verdict")).to_be_visible()
    page.get_by_role("link", name="Run it again: Solver race").click()
    expect(page).to_have_url(re.compile("race_extras=7"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Do the paper's claims hold up?")
    assert page.problems == []


def test_the_second_tap_on_a_square_opens_its_claim_on_a_phone(browser, server):
    """The first says which it is: squares are small, and stand close together."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{server}{PATH}")
    wait_for_page(page)
    claim = in_the_order_of_squares(rows())[0].claim
    square = page.locator(SQUARES).first
    expect(square).to_be_visible()
    wait_until_idle(page)
    square.scroll_into_view_if_needed()
    box = square.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(*middle)
    expect(page.locator(".st-key-squares .hoverlayer")).to_contain_text(claim.where)
    heading = page.get_by_role("heading", name=claim.title, exact=True)
    for _ in range(20):  # two taps at once are a double tap, which opens nothing
        page.wait_for_timeout(2 * DOUBLE_TAP_MILLISECONDS)
        if heading.is_visible():
            break
        page.touchscreen.tap(*middle)
    expect(heading).to_be_in_viewport()
    expect(page).to_have_url(re.compile(rf"paper_claim={claim.key}\b"))
    context.close()


def test_an_address_opens_its_claim_on_a_phone(visit):
    page = visit(f"{PATH}?paper_claim=theorem_5", width=390, height=844)
    claim = claims.BY_KEY["theorem_5"]
    expect(page.get_by_role("heading", name=claim.title, exact=True)).to_be_visible()
    page.get_by_text("Address and citation of this result").click()
    expect(page.get_by_text("@misc{exclusive-sparsity-theorem-5")).to_be_visible()
    # The whole address, as it is to be followed, alone and in the entry.
    base = page.url.split("?")[0]
    assert base.startswith("http") and base.endswith(PATH)
    shown = page.get_by_text(f"{base}?paper_claim=theorem_5")
    expect(shown).to_have_count(2)
    main = "document.querySelector('[data-testid=stMain]')"
    assert page.evaluate(f"{main}.scrollWidth <= {main}.clientWidth")
    assert page.problems == []


def test_the_report_is_one_file_to_take_along(visit):
    page = wait_for_page(visit(PATH))
    content = downloaded_by(page.get_by_role("button", name="Printable report (HTML)"))
    assert content.count("<article id=") == len(claims.CLAIMS)
    assert page.problems == []


def test_the_list_is_short_on_a_phone(visit):
    """Folded by topic: a screen or two, where a line per claim took many."""
    page = wait_for_page(visit(PATH, width=390, height=844))
    main = "document.querySelector('[data-testid=stMain]')"
    assert page.evaluate(f"{main}.scrollHeight") < 3000
    assert page.evaluate(f"{main}.scrollWidth <= {main}.clientWidth")
    unfold(page, "Overall")
    expect(page.get_by_role("button", name=claims.CLAIMS[-1].title)).to_be_visible()
    assert page.problems == []


def test_every_erratum_shows_both_sides_without_broken_formulas(visit):
    """One visit: the select goes from erratum to erratum by its keyboard."""
    page = visit(f"{PATH}?paper_tab=Errata")
    chosen = page.get_by_role("combobox", name="Erratum")
    for number, erratum in enumerate(errata.ERRATA):
        if number:
            chosen.click()
            chosen.fill(erratum.title)
            chosen.press("Enter")
        expect(page.get_by_text(f"Printed ({erratum.where})")).to_be_visible()
        expect(page.get_by_text("Right", exact=True)).to_be_visible()
        expect(page).to_have_url(re.compile(rf"paper_erratum={erratum.key}\b" if number else "."))
        assert page.locator(".katex-error").count() == 0, erratum.key
    assert page.problems == []


def test_deep_link_opens_an_erratum_with_its_demonstration(visit):
    erratum = errata.BY_KEY["momentum"]
    page = visit(f"{PATH}?paper_tab=Errata&paper_erratum={erratum.key}")
    found = erratum.demonstrate().finding
    expect(page.get_by_text(found[:60])).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle").first).to_have_text(erratum.title)
    assert page.problems == []


def test_dragging_moves_the_theorems_curves_before_release_and_the_rest_after(visit):
    page = wait_until_idle(visit(f"{PATH}?paper_tab={quote('Theorem 5')}"))
    title = page.locator("figure.live:visible figcaption")
    expect(title).to_contain_text("m = 8,")
    curve = page.locator("figure.live:visible path.thick")
    before, sent = curve.get_attribute("d"), page.url
    box = page.get_by_role("slider", name="Groups m").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 4, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, y, steps=5)
    expect(title).to_contain_text("m = 112,")
    assert curve.get_attribute("d") != before and page.url == sent
    expect(page.get_by_text("Theorem 5: says nothing")).to_be_visible()
    page.mouse.up()
    expect(page).to_have_url(re.compile("paper_m=112"))
    page.get_by_text("Address and citation of this result").click()
    expect(page.get_by_text("theorem-5-n-5040-m-112-t-0-5")).to_be_visible()
    assert page.problems == []
