"""The norm patterns page in a real browser."""

import re
from functools import lru_cache
from urllib.parse import quote

from playwright.sync_api import expect

from lab import balls, patterns, twins, ui
from lab.datasets import TwinsSpec
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    wait_until_idle,
)

PAGE = ui.frame.page_of("norm_patterns")
PATH = "/Norm_patterns"
TWINS = f"{PATH}?np_tab={quote('Correlated twins')}"
PATHS_AND_FLAT_BALLS = f"{PATH}?np_tab={quote('Paths in λ')}&np_shape={quote('in the plane')}"


@lru_cache(maxsize=2)
def paths() -> patterns.Paths:
    return patterns.solve_paths(patterns.PatternSpec())


def finding(share: str, matched: bool = True) -> str:
    return patterns.answer(patterns.look_up(paths(), float(share), matched), matched)


def wait_for(page, sentence: str, figures: int):
    """Until the sentence stands and every figure is painted."""
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle:visible")).to_have_count(figures)
    return page


def strength(page):
    return page.locator("input[type=range][aria-label^='Strength λ']")


def test_first_screen_holds_four_panels_and_arrow_keys_move_panels_prose_and_address(visit):
    page = wait_for(visit(PATH), finding(patterns.DEFAULT_SHARE), 4)
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGE.question)
    panels = page.locator(".nsewdrag")
    assert_on_first_screen(page, *(panels.nth(k) for k in range(4)), strength(page))
    expect(page.get_by_text("certified (all four): relative gap")).to_have_count(1)

    following = patterns.SHARES[patterns.SHARES.index(patterns.DEFAULT_SHARE) + 1]
    strength(page).press("ArrowRight")
    wait_for(page, finding(following), 4)
    expect(page).to_have_url(re.compile(rf"[?&]np_share={re.escape(following)}"))
    shown = patterns.look_up(paths(), float(following), matched=True)
    for panel, fit in enumerate(shown.values()):
        expect(page.locator(".js-plotly-plot .gtitle").nth(panel)).to_contain_text(fit.title)

    page.get_by_text("Match sparsity across norms").click()
    wait_for(page, finding(following, matched=False), 4)
    expect(page).to_have_url(re.compile(r"[?&]np_match=false"))
    assert page.problems == []


def test_dragging_inside_the_figure_follows_the_handle_and_leaves_the_slider(visit):
    page = wait_for(visit(f"{PATH}?np_drag=true"), finding(patterns.DEFAULT_SHARE), 5)
    rail = wait_until_idle(page).locator(".slider-rail-touch-rect")
    rail.scroll_into_view_if_needed()
    box = rail.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    weakest = patterns.look_up(paths(), float(patterns.SHARES[0]), matched=True)
    for fit in weakest.values():
        expect(page.locator(".annotation-text").get_by_text(fit.short_title)).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text(finding(patterns.DEFAULT_SHARE))).to_be_visible()
    assert page.problems == []


def test_preset_and_deep_link_on_a_phone_show_the_same_view(visit):
    page = wait_for(visit(PATH), finding(patterns.DEFAULT_SHARE), 4)
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("button", name="Whole groups true").click()
    expect(page).to_have_url(re.compile(r"np_active=30"))
    spec = patterns.PatternSpec(active_percent=30, nonzeros_per_group=6, noise=0.3)
    shown = patterns.look_up(patterns.solve_paths(spec), 0.24, matched=True)
    wait_for(page, patterns.answer(shown, matched=True), 4)
    again = visit(PATH + wait_until_idle(page).evaluate("location.search"), width=390, height=844)
    wait_for(again, patterns.answer(shown, matched=True), 4)
    assert_on_first_screen(again, again.locator(".nsewdrag").first)
    assert_no_sideways_scroll(again)
    assert page.problems == again.problems == []


def test_twins_follow_their_correlation(visit):
    def said(rho: float) -> str:
        spec = TwinsSpec(correlation=rho)
        fits = twins.fit_twins(spec, float(twins.DEFAULT_SHARE))
        only = twins.one_twin_objectives(spec, float(twins.DEFAULT_SHARE))
        return twins.answer(fits, twins.check_claims(fits, only))

    page = wait_for(visit(TWINS), said(0.95), 1)
    assert_accessible(page)
    page.locator("input[type=range][aria-label='Correlation of the twins']").press("Home")
    wait_for(page, said(0.0), 1)
    expect(page).to_have_url(re.compile(r"[?&]np_twin_rho=0(&|$)"))
    expect(page.get_by_role("cell", name="undecided").first).to_be_visible()
    assert page.problems == []


def test_tabs_lead_to_paths_and_back_with_the_same_strength(visit):
    page = wait_for(visit(PATH + "?np_share=0.1"), finding("0.1"), 4)
    page.get_by_role("tab", name="Paths in λ").click()
    fit = patterns.look_up(paths(), 0.1, matched=True)["le"]
    wait_for(page, patterns.path_answer(paths(), fit), 3)
    expect(strength(page)).to_have_attribute("aria-valuetext", "0.1")
    page.get_by_role("tab", name="Figure 1").click()
    wait_for(page, finding("0.1"), 4)
    assert page.problems == []


def test_balls_are_drawn_in_space_and_turn_with_the_groups(visit):
    page = visit(f"{PATH}?np_tab={quote('Unit balls')}")
    expect(page.get_by_text(balls.answer(balls.DEFAULT_GROUPING))).to_be_visible()
    expect(page.locator(".js-plotly-plot .gl-container canvas")).to_have_count(4)
    page.get_by_role("radio", name="{1,2,3}").click()
    expect(page.get_by_text(balls.answer("{1,2,3}"))).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle").last).to_have_text(
        balls.ball_title("le", "{1,2,3}")
    )
    assert page.problems == []


def test_other_tabs_fit_a_dark_phone_and_axe_finds_nothing_serious(visit):
    page = visit(PATHS_AND_FLAT_BALLS, width=390, height=844, scheme="dark")
    for tab, figures in (("Paths in λ", 3), ("Correlated twins", 1), ("Unit balls", 3)):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator(".js-plotly-plot .gtitle:visible")).to_have_count(figures)
        expect(page.get_by_text("The Python code that reproduces this view")).to_be_visible()
        wait_until_idle(page)
        assert_no_sideways_scroll(page)
        assert_accessible(page)
    assert page.problems == []
