"""What holds on every page: no errors, no sideways scroll, legible, worked by the keyboard."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lab import ui
from lab.drawing import theme
from lab.ui import lecture
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    assert_words_cover_nothing,
    contrast,
    each_tab,
    rgb,
    wait_until_idle,
    wait_until_settled,
)

PAGES = [ui.HOME, *ui.existing_pages()]
EXPLAINS = "Understand"  # what home does too
every_page = pytest.mark.parametrize("info", PAGES, ids=lambda info: info.key)
explaining_page = pytest.mark.parametrize(
    "info",
    [page for page in PAGES if page is ui.HOME or page.section == EXPLAINS],
    ids=lambda info: info.key,
)

FIGURE_ABOVE = """limit => [
    ...document.querySelectorAll('.js-plotly-plot, [data-testid=stBidiComponentIsolated]')]
    .some(figure => figure.getBoundingClientRect().top < limit)"""
# Marks what gets the focus, and remembers whether the focus has left the content.
FOLLOW_FOCUS = """() => document.addEventListener('focusin', ({target}) => {
    target.setAttribute('data-reached', '');
    window.leftContent ||= !document.querySelector('[data-testid=stMain]').contains(target);
})"""
NOT_REACHED = """() => [...document.querySelectorAll(
    '[data-testid=stMain] :is(input[type=range], [data-testid^=stBaseButton], summary)')]
    .filter(control => control.checkVisibility() && !control.disabled
        && !control.closest('[role=radiogroup], [role=group], [role=tablist]')
        && !control.hasAttribute('data-reached'))
    .map(control => control.getAttribute('aria-label') || control.textContent)
    .concat([...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
        .filter(figure => figure.checkVisibility() && !figure.hasAttribute('data-reached'))
        .map(() => 'a live figure'))"""

FOLLOW_LINKS = """labels => labels.forEach(label =>
    [...document.querySelectorAll('[data-testid=stSidebar] a')]
        .find(link => link.textContent.trim() === label).click())"""

CONTROLS = """() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .flatMap(figure => [...figure.shadowRoot.querySelectorAll('input[type=range]')])
    .concat([...document.querySelectorAll(
        '[data-testid=stMain] :is(input[type=range], [role=radio])')])
    .map(control => control.getAttribute('aria-valuetext') ?? control.ariaChecked)"""
CONTROLS_ARE = f"expected => JSON.stringify(({CONTROLS})()) === JSON.stringify(expected)"


# Titles of figures that reach beyond the window: letters that nobody can read.
CLIPPED = """() => [...document.querySelectorAll('.js-plotly-plot .gtitle')]
    .concat([...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
        .flatMap(figure => [...figure.shadowRoot.querySelectorAll('figcaption')]))
    .filter(title => title.checkVisibility())
    .filter(title => title.getBoundingClientRect().right > window.innerWidth + 1
        || title.scrollWidth > title.clientWidth + 1 && title.tagName === 'FIGCAPTION')
    .map(title => title.textContent)"""
# Letters of live figures that reach beyond the window, at either side.
BEYOND = """() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .flatMap(figure => [...figure.shadowRoot.querySelectorAll('svg text')])
    .filter(text => text.textContent && text.checkVisibility())
    .filter(text => { const box = text.getBoundingClientRect();
        return box.left < -1 || box.right > window.innerWidth + 1; })
    .map(text => text.textContent)"""
LEAST_HEIGHT = 420  # of a figure that explains, on a desktop
# What a window of 1400 × 800 is to who has zoomed to 200 %.
AT_TWICE_THE_SIZE = {"width": 700, "height": 400}


def address_of(info: ui.Page) -> str:
    return "/" if info is ui.HOME else "/" + Path(info.file).stem.split("_", 1)[1]


def move_main_control(page) -> None:
    """By the keyboard: the first slider, or where there is none, the second of other choices.

    The first other table of *Classify a CSV* is too large to be fitted, and drawn, at once.
    """
    before = page.url
    slider = page.locator("[data-testid=stMain] input[type=range]").first
    if slider.is_visible():
        slider.press("ArrowRight")
    else:
        page.get_by_test_id("stMain").get_by_role("radio", checked=False).nth(1).press("Enter")
    expect(page).not_to_have_url(before)
    wait_until_idle(page)


def assert_legible(page, scheme: str) -> None:
    background = page.evaluate(
        "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    )
    assert background == rgb(theme.palette(scheme).background)
    fills = page.locator(".js-plotly-plot .gtitle").evaluate_all(
        "titles => titles.map(title => getComputedStyle(title).fill)"
    )
    unreadable = [fill for fill in fills if contrast(fill, background) < 4.5]
    assert unreadable == [], f"titles of figures on {background}"


def assert_keyboard_reaches_every_control(page) -> None:
    page.locator("h1").click()
    page.evaluate(FOLLOW_FOCUS)
    for _ in range(30):
        for _ in range(5):
            page.keyboard.press("Tab")
        if page.evaluate("window.leftContent"):
            break
    assert page.evaluate(NOT_REACHED) == [], "controls that Tab does not reach"


@every_page
def test_light_screen_opens_without_errors_is_accessible_and_obeys_the_keyboard(visit, info):
    page = wait_until_idle(visit(address_of(info)))
    expect(page.get_by_role("heading", level=1)).to_have_text(info.question)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert_legible(page, "light")
    assert_accessible(page)
    assert_keyboard_reaches_every_control(page)
    before = page.evaluate(CONTROLS)
    move_main_control(page)
    assert page.evaluate(CONTROLS) != before, "the control itself shows no move"
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.problems == []


@every_page
def test_dark_phone_shows_title_answer_and_figure_and_a_dark_screen_is_accessible(visit, info):
    page = wait_until_idle(visit(address_of(info), width=390, height=844, scheme="dark"))
    assert_no_sideways_scroll(page)
    page.wait_for_function(FIGURE_ABOVE, arg=844 - 100)
    for text in ("Notation", "Cite"):
        page.get_by_text(text, exact=True).click()
    expect(page.get_by_text("number of features (columns of")).to_be_visible()
    assert_no_sideways_scroll(page)
    # The same session on a wide screen: with the navigation, and the two open panels.
    page.set_viewport_size({"width": 1400, "height": 800})
    expect(page.get_by_test_id("stSidebar").get_by_role("link", name="Home")).to_be_visible()
    assert_legible(page, "dark")
    assert_accessible(page)
    assert page.problems == []


def open_all_expanders(page) -> None:
    closed = page.locator("details:not([open]) > summary:visible")
    while closed.count():
        closed.first.click()
    wait_until_settled(page)


@every_page
def test_every_tab_and_expander_shows_its_mathematics_and_is_kept_by_back_and_reload(visit, info):
    page = wait_until_idle(visit(address_of(info)))
    move_main_control(page)
    tabs = page.get_by_test_id("stMain").get_by_role("tab")
    addresses = []
    for tab in tabs.all() or [None]:
        if tab is not None:
            before, is_open = page.url, tab.get_attribute("aria-selected") == "true"
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true")
            if not is_open:
                expect(page).not_to_have_url(before)
            wait_until_settled(page)
        open_all_expanders(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.locator(".katex-error").all_inner_texts() == []
        if info is ui.HOME or info.section == EXPLAINS:
            for figure in page.locator("figure.live:visible svg").all():
                assert figure.bounding_box()["height"] >= LEAST_HEIGHT, page.url
        addresses.append(page.url)
        size = page.viewport_size
        page.set_viewport_size(AT_TWICE_THE_SIZE)
        page.wait_for_function(f"() => ({CLIPPED})().length === 0")  # figures follow the window
        page.set_viewport_size(size)
    if tabs.count() > 1:
        page.go_back()
        expect(tabs.nth(-2)).to_have_attribute("aria-selected", "true")
        expect(page).to_have_url(addresses[-2])
        wait_until_settled(page).reload()
        expect(tabs.nth(-2)).to_have_attribute("aria-selected", "true")
        expect(page).to_have_url(addresses[-2])
    assert page.problems == []


@explaining_page
def test_on_a_phone_every_figure_shares_the_screen_with_its_slider_and_all_letters_fit(visit, info):
    page = wait_until_idle(visit(address_of(info), width=390, height=844))
    for _ in each_tab(page):
        figure = page.locator("figure.live:visible").first
        top = figure.locator("svg").bounding_box()
        below = figure.get_by_role("slider").first.bounding_box()
        assert 0 < below["y"] + below["height"] - top["y"] <= 844, page.url
        assert page.evaluate(BEYOND) == [], page.url
        assert_words_cover_nothing(figure.locator("svg"))
    assert page.problems == []


@explaining_page
def test_in_a_lecture_hall_figures_have_the_whole_width(visit, info):
    page = visit(f"{address_of(info)}?lecture=true", width=1920, height=1080)
    for _ in each_tab(page):
        figure = page.locator("figure.live:visible").first
        page.wait_for_function(
            "figure => figure.getBoundingClientRect().width >= 0.85 * innerWidth",
            arg=figure.element_handle(),
        )
        assert_no_sideways_scroll(page)
    assert page.problems == []


@explaining_page
def test_a_small_projector_holds_figure_and_slider_on_its_first_screen(visit, info):
    page = wait_until_idle(visit(f"{address_of(info)}?lecture=true", width=1280, height=720))
    figure = page.locator("figure.live:visible").first
    assert_on_first_screen(page, page.locator("h1"), figure.locator("svg"))
    assert_on_first_screen(page, figure.get_by_role("slider").first)
    assert_words_cover_nothing(figure.locator("svg"))
    # Larger than without the mode, and as large as it gets on a large screen.
    size = "() => Number(document.documentElement.style.zoom)"
    assert page.evaluate(size) == lecture.LEAST_ENLARGED
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(f"({size})() === {lecture.ENLARGED}")


# Paragraphs with lines that are tiring to read.
LONG_LINES = """() => [...document.querySelectorAll('[data-testid=stMain] :is(p, li)')]
    .filter(each => each.clientWidth > 1056).map(each => each.textContent)"""


@explaining_page
def test_on_a_large_screen_figures_are_large_and_lines_of_prose_are_not_long(visit, info):
    page = wait_until_idle(visit(address_of(info), width=1920, height=1080))
    for _ in each_tab(page):
        figure = page.locator("figure.live:visible").first
        picture = figure.locator("svg").bounding_box()
        assert picture["width"] >= 0.5 * 1920 and picture["height"] >= 0.5 * 1080, page.url
        slider = figure.get_by_role("slider").first.bounding_box()
        assert slider["y"] + slider["height"] <= 1080, page.url
        assert_words_cover_nothing(figure.locator("svg"))
        assert page.evaluate(LONG_LINES) == [], page.url
    assert page.problems == []


class Walk:
    """Visits of pages in one tab, each left with its address and controls as they were then."""

    def __init__(self, page):
        self.page, self.visits = page, []

    def visit(self, info):
        """Arrive, by the navigation if there was a page before, and move a control."""
        if self.visits:
            self.page.get_by_test_id("stSidebar").get_by_role(
                "link", name=info.label, exact=True
            ).click()
        self._expect_page(info)
        move_main_control(self.page)
        expect(self.page).to_have_url(re.compile(rf"[?&]{info.prefix}\w+="))
        self.visits.append((info, self.page.url, self.page.evaluate(CONTROLS)))

    def expect_as_left(self, number):
        info, address, controls = self.visits[number]
        self._expect_page(info)
        expect(self.page).to_have_url(address)
        self.page.wait_for_function(CONTROLS_ARE, arg=controls)

    def _expect_page(self, info):
        expect(self.page.get_by_role("heading", level=1)).to_have_text(info.question)
        wait_until_idle(self.page)


def test_back_and_forward_return_to_every_visit_as_it_was_left(visit):
    """One press a visit: all pages and home again, all the way back, all the way forward."""
    page = visit("/")
    walk = Walk(page)
    for info in [*PAGES, ui.HOME]:
        walk.visit(info)
    for number in reversed(range(len(PAGES))):
        page.go_back()
        walk.expect_as_left(number)
    for number in range(1, len(PAGES) + 1):
        page.go_forward()
        walk.expect_as_left(number)
    assert page.problems == []


def test_a_hurried_visitor_sees_the_page_of_the_address_and_goes_back_in_one_press(visit):
    page = visit("/")
    walk = Walk(page)
    walk.visit(ui.HOME)
    # Links faster than any page is drawn.
    page.evaluate(FOLLOW_LINKS, ["Norm patterns", "Cone projections", "Random grouping"] * 2)
    expect(page).to_have_url(re.compile("/Random_grouping"))
    there = ui.frame.page_of("random_grouping")
    expect(page.get_by_role("heading", level=1)).to_have_text(there.question)
    wait_until_idle(page)
    page.go_back()
    walk.expect_as_left(0)
    assert page.problems == []
