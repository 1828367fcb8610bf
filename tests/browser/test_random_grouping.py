"""The random grouping page in a real browser."""

import re
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import expect

from lab import ui
from lab.balance import draws, settings, words
from lab.balance.law import Setting
from solvers import grouping
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    assert_words_cover_nothing,
    each_tab,
    wait_until_idle,
)

PATH = "/Random_grouping"
ANSWER = "At most 22 random groups share s = 500 true features"
QUESTION = next(page.question for page in ui.PAGES if page.key == "random_grouping")
LEAST_HEIGHT = 420
AT = Setting(5040, 500, 0.5)


def exact(m: int, at: Setting = AT) -> str:
    return words.chance(at, m, grouping.balance_probability(at.n, at.s, m, at.t))


def caption(page):
    return page.locator("figure.live:visible figcaption")


def open_tab(visit, tab: str, query: str = "", **options):
    page = visit(f"{PATH}?rg_tab={quote(tab)}{query}", **options)
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    return wait_until_idle(page)


def bars(page) -> list[str]:
    return page.locator("figure.live:visible rect.bar").evaluate_all(
        "all => all.map(bar => bar.getAttribute('height'))"
    )


def test_first_screen_holds_the_answer_and_a_draw_and_another_falls(visit):
    page = open_tab(visit, settings.DRAW)
    found = draws.draw(5040, 500, 20, 0)
    expect(caption(page)).to_have_text(words.one_draw(found, 0.5, 1))
    slider = page.get_by_role("slider", name="Draws so far")
    picture = page.locator("figure.live:visible svg")
    assert_on_first_screen(page, page.get_by_text(ANSWER), picture, slider)
    assert picture.bounding_box()["height"] >= LEAST_HEIGHT
    expect(picture.get_by_text(f"fullest: {found.largest[0]}")).to_be_visible()
    expect(picture.get_by_text(f"emptiest: {found.smallest[0]}")).to_be_visible()

    page.get_by_role("button", name="Draw again").click()
    expect(picture.get_by_text(f"emptiest: {found.smallest[1]}")).to_be_visible()
    expect(caption(page)).to_have_text(words.draw_title(found, 0.5, 2, exact(20)))
    expect(page).to_have_url(re.compile(r"[?&]rg_draws=2\b"))

    page.get_by_role("button", name="1,000 draws").click()
    share = found.so_far(1000, 0.5)
    expect(caption(page)).to_contain_text(f"{share.hits} of 1,000 draws so far balanced")
    expect(caption(page)).to_contain_text("95 % interval")
    expect(page).to_have_url(re.compile(r"[?&]rg_draws=1000\b"))
    assert page.problems == []


def test_dragging_adds_draws_to_the_histogram_before_release(visit):
    page = open_tab(visit, settings.DRAW)
    box = page.get_by_role("slider", name="Draws so far").bounding_box()
    before, y = bars(page), box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, y, steps=8)
    expect(caption(page)).to_contain_text("of 1,000 draws so far")
    assert bars(page) != before
    # The server knows nothing yet, and nothing that it said is untrue of what is seen.
    expect(page.get_by_text("One draw says little, 1,000 draws say more")).to_be_visible()
    assert "rg_draws=1000" not in page.url
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"[?&]rg_draws=1000\b"))
    assert page.problems == []


def test_the_marker_is_dragged_along_the_curve_and_the_words_follow_on_release(visit):
    page = open_tab(visit, settings.GROUPS)
    expect(caption(page)).to_contain_text(f"m = 20: balanced with probability {exact(20)}")
    grip = page.locator("figure.live:visible circle.grip")
    start, axis = grip.bounding_box(), page.locator("figure.live:visible line.axis").bounding_box()
    assert start["y"] + start["height"] < axis["y"] - 100  # it rides on the curve, not the axis
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y, steps=8)
    expect(caption(page)).not_to_contain_text("m = 20:")
    assert grip.bounding_box()["y"] > start["y"] + 100  # down with the curve, while the hand is on
    shown = int(re.match(r"m = ([\d,]+)", caption(page).text_content())[1].replace(",", ""))
    expect(caption(page)).to_contain_text(exact(shown))
    expect(page.get_by_text("At m = 20 a fair share")).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text(f"At m = {shown} a fair share")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"[?&]rg_m={shown}\b"))

    slider = page.get_by_role("slider", name="Number of groups m")
    slider.press("End")
    expect(caption(page)).to_contain_text("m = 500:")  # never beyond s
    assert_on_first_screen(
        page, page.get_by_text(ANSWER), page.locator("figure.live:visible svg"), slider
    )

    page.get_by_role("tab", name=settings.PHASES).click()
    expect(caption(page)).to_contain_text("s = 500, m = 500:")
    grip = page.locator("figure.live:visible circle.grip")
    start = grip.bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 120, steps=8)  # down the column of s = 500
    expect(caption(page)).not_to_contain_text("m = 500:")
    assert grip.bounding_box()["y"] > start["y"] + 90
    expect(page).to_have_url(re.compile(r"[?&]rg_m=500\b"))
    page.mouse.up()
    expect(page).not_to_have_url(re.compile(r"[?&]rg_m=500\b"))
    assert page.problems == []


def test_another_number_of_features_is_dragged_along_its_curve(visit):
    page = open_tab(visit, settings.OVER_N)
    opening = "With n = 1,000,000 features instead of 5,040, 20 random groups are balanced"
    expect(caption(page)).to_contain_text(opening)
    slider = page.get_by_role("slider", name="If there were n features")
    picture = page.locator("figure.live:visible svg")
    assert_on_first_screen(page, page.get_by_text(ANSWER), picture, slider)
    assert picture.bounding_box()["height"] >= LEAST_HEIGHT
    grip = page.locator("figure.live:visible circle.grip")
    start = grip.bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 600, y, steps=8)
    expect(caption(page)).not_to_contain_text(opening)
    shown = re.match(r"With n = ([\d,]+) features", caption(page).text_content())[1]
    n = int(shown.replace(",", ""))
    expect(caption(page)).to_contain_text(exact(20, Setting(n, AT.s, AT.t)))
    assert "rg_instead" not in page.url  # the server knows nothing yet
    page.mouse.up()
    expect(page).to_have_url(re.compile(rf"[?&]rg_instead={n}\b"))
    assert page.problems == []


def test_settings_stay_from_tab_to_tab_and_on_a_visit_elsewhere(visit):
    page = open_tab(visit, settings.DRAW)
    page.get_by_role("button", name="The same, t = 0.8").click()
    at = Setting(5040, 504, 0.8)
    expect(caption(page)).to_contain_text(f"m = 81: balanced with probability {exact(81, at)}")
    for tab, finding in (
        (settings.BOUNDS, f"m = 81: exact chance {exact(81, at)}"),
        (settings.PHASES, "Among n = 5,040 features, s = 2,520 true ones fill"),
        (settings.OVER_N, "With n = 1,000,000 features instead of 5,040, 81 random groups"),
    ):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_text(finding).first).to_be_visible()
        for setting in ("rg_s=504", "rg_m=81", "rg_t=0.8"):
            expect(page).to_have_url(re.compile(setting))
    wait_until_idle(page)  # a page that is left while a script of it loads complains
    page.reload()
    expect(caption(page)).to_contain_text("81 random groups are balanced")
    wait_until_idle(page)
    links = page.get_by_test_id("stSidebar")
    links.get_by_role("link", name="Home", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(ui.HOME.question)
    wait_until_idle(page)  # the first live figure of a visit tells the server that it lives
    links.get_by_role("link", name="Random grouping", exact=True).click()
    expect(caption(page)).to_contain_text("81 random groups are balanced")
    page.get_by_role("tab", name=settings.GROUPS).click()
    expect(caption(page)).to_contain_text(f"m = 81: balanced with probability {exact(81, at)}")
    assert page.problems == []


def test_impossible_settings_leave_the_page_usable(visit):
    page = visit(f"{PATH}?rg_n=320")
    expect(page.get_by_text("There cannot be s = 500 true features among n = 320")).to_be_visible()
    expect(page.get_by_role("slider", name="True features s")).to_be_visible()
    page.get_by_role("button", name="Lower s to 315").click()
    expect(page.get_by_text("share s = 315 true features among n = 320")).to_be_visible()
    assert page.problems == []


@pytest.mark.parametrize("tab", [settings.DRAW, settings.BOUNDS])
def test_dark_phone_shows_answer_figure_and_slider(visit, tab):
    page = open_tab(visit, tab, width=390, height=844, scheme="dark")
    slider = page.locator("figure.live:visible input[type=range]")
    picture = page.locator("figure.live:visible svg")
    assert_on_first_screen(page, page.get_by_text(ANSWER), picture, slider)
    assert_no_sideways_scroll(page)
    assert_accessible(page)
    assert page.problems == []


LITTLE = {"n = 20": {"n": 20, "s": settings.TRUE_STEPS[0], "m": "1"}}


@pytest.mark.parametrize("preset", [*settings.PRESETS, *LITTLE])
def test_names_on_a_phone_cover_neither_a_curve_nor_each_other(visit, preset):
    """Whatever comes near: the paper's rule, the largest m, the wanted probability."""
    changes = (settings.PRESETS | LITTLE)[preset]
    query = urlencode({f"rg_{name}": value for name, value in changes.items() if name != "tab"})
    page = wait_until_idle(visit(f"{PATH}?{query}", width=390, height=844))
    for _ in each_tab(page):
        assert_words_cover_nothing(page.locator("figure.live:visible svg"))


@pytest.mark.parametrize(("motion", "falling"), [("no-preference", 20), ("reduce", 0)])
def test_features_fall_only_where_motion_is_welcome(visit, motion, falling):
    page = open_tab(visit, settings.DRAW)
    page.emulate_media(reduced_motion=motion)
    moving = page.locator("figure.live").evaluate(
        """figure => {
            const again = [...figure.querySelectorAll('button')]
                .find(button => button.textContent === 'Draw again');
            again.click();
            return [...figure.querySelectorAll('.falling')]
                .filter(bucket => bucket.getAnimations().length).length;
        }"""
    )
    page.emulate_media(reduced_motion="null")
    assert moving == falling
    expect(caption(page)).to_contain_text("Both draws so far")
