"""The norm patterns page in a real browser: dragged, and read before the hand lets go."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from lab import ui
from lab.norms import balls, shown, start, touch, twins, words
from lab.norms import paths as norm_paths
from lab.norms.spec import PatternSpec
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    assert_words_cover_nothing,
    redraws_after,
    wait_until_idle,
)

PAGE = ui.frame.page_of("norm_patterns")
PATH = "/Norm_patterns"
KEPT = start.stored_paths()
LEAST_HEIGHT = 420


def tab(name: str) -> str:
    return f"{PATH}?np_tab={quote(name)}"


def fits(share: str, matched: bool = True) -> dict:
    return shown.look_up(KEPT, float(share), matched)


def wait_for(page, sentence: str):
    expect(page.get_by_text(sentence).first).to_be_visible()
    return wait_until_idle(page)


def title(page):
    return page.locator("figure.live:visible figcaption")


def picture(page):
    return page.locator("figure.live:visible svg")


def slider(page, name: str):
    return page.get_by_role("slider", name=name)


def tiles(page) -> list[str]:
    return page.locator("figure.live:visible rect.tile").evaluate_all(
        "all => all.map(tile => tile.getAttribute('class') + tile.getAttribute('fill-opacity'))"
    )


def drag_to_the_end(page, handle, meanwhile) -> None:
    """Drag a slider to its right end; `meanwhile` looks at the page before the release."""
    box = handle.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, y, steps=8)
    meanwhile()
    page.mouse.up()


def test_the_first_screen_is_figure_one_and_dragging_redraws_it_before_release(visit):
    first = words.answer(fits(norm_paths.DEFAULT_SHARE))
    page = wait_for(visit(PATH), first)
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGE.question)
    strength = slider(page, "Strength λ")
    assert_on_first_screen(page, page.get_by_text(first).first, picture(page), strength)
    assert picture(page).bounding_box()["height"] >= LEAST_HEIGHT
    expect(page.locator("figure.live:visible .claim.seen")).to_have_count(4)
    expect(picture(page).get_by_text("20 of 20 draws")).to_have_count(4)
    expect(page.get_by_text("certified (all four): relative gap")).to_have_count(1)

    before, last = tiles(page), norm_paths.SHARES[-1]

    def look():
        expect(title(page)).to_have_text(words.frame_title(fits(last), last))
        assert tiles(page) != before
        expect(picture(page).get_by_text("18 of 20 draws")).to_have_count(1)
        expect(page.get_by_text(first).first).to_be_visible()
        expect(page).not_to_have_url(re.compile("np_share="))

    drag_to_the_end(page, strength, look)
    wait_for(page, words.answer(fits(last)))
    expect(page).to_have_url(re.compile(rf"[?&]np_share={last}$"))

    page.get_by_text("Match sparsity across norms").click()
    wait_for(page, words.answer(fits(last, matched=False)))
    expect(page).to_have_url(re.compile(r"[?&]np_match=false"))
    assert page.problems == []


def test_a_tile_is_marked_in_all_four_panels_and_says_its_weights(visit):
    page = wait_for(visit(PATH), words.answer(fits(norm_paths.DEFAULT_SHARE)))
    feature = int(KEPT.support.argmax())
    page.locator(f"figure.live:visible rect.tile[data-key='{feature}']").first.hover()
    expect(page.locator("figure.live:visible rect.tile.marked")).to_have_count(4)
    said = page.locator("figure.live:visible .tooltip")
    for part in (f"feature {feature + 1}, group 1, true", "ℓ2", "ℓ1", "ℓ2,1", "ℓe"):
        expect(said).to_contain_text(part)


def test_preset_and_deep_link_on_a_phone_show_the_same_view(visit):
    page = wait_for(visit(PATH), words.answer(fits(norm_paths.DEFAULT_SHARE)))
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("button", name="Whole groups true").click()
    expect(page).to_have_url(re.compile(r"np_active=30"))
    spec = PatternSpec(active_percent=30, nonzeros_per_group=6, noise=0.3, seed=start.SPEC.seed)
    found = shown.look_up(norm_paths.solve_paths(spec), 0.24, matched=True)
    wait_for(page, words.answer(found))
    again = visit(PATH + page.evaluate("location.search"), width=390, height=844)
    wait_for(again, words.answer(found))
    box, below = picture(again).bounding_box(), slider(again, "Strength λ").bounding_box()
    assert box["y"] < 844 and below["y"] + below["height"] - box["y"] <= 844
    assert_no_sideways_scroll(again)
    assert page.problems == again.problems == []


@pytest.mark.parametrize("name", ["Figure 1", "Paths in λ", "Correlated twins", "Unit balls"])
def test_a_phones_first_screen_holds_the_figure_and_its_slider(visit, name):
    page = wait_until_idle(visit(tab(name), width=390, height=844))
    first = page.locator("figure.live:visible input[type=range]").first
    assert_on_first_screen(page, title(page), picture(page), first)
    assert page.problems == []


def test_the_marker_of_the_paths_is_dragged_on_their_axis(visit):
    at = fits(norm_paths.DEFAULT_SHARE)["le"]
    page = wait_for(visit(tab("Paths in λ")), words.path_answer(KEPT, at))
    assert picture(page).bounding_box()["height"] >= LEAST_HEIGHT
    page.locator("figure.live:visible path.touch").last.hover(force=True)
    expect(page.locator("figure.live:visible .tooltip")).to_contain_text(
        re.compile(r"feature \d+, group")
    )
    grip, box = page.locator("figure.live:visible .grip"), picture(page).bounding_box()
    hand = grip.bounding_box()
    y = hand["y"] + hand["height"] / 2
    page.mouse.move(hand["x"] + hand["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 4, y, steps=8)
    last = fits(norm_paths.SHARES[-1])["le"]
    expect(title(page)).to_have_text(words.path_title(KEPT, last))
    expect(page.get_by_text(words.path_answer(KEPT, at)).first).to_be_visible()
    page.mouse.up()
    wait_for(page, words.path_answer(KEPT, last))
    page.get_by_role("radio", name="test error").click()
    numbers = shown.look_up(KEPT, 10.0, matched=False)
    wait_for(page, words.metric_answer(numbers, "10", shown.ERROR))
    assert page.problems == []


def test_twins_are_dragged_along_their_correlation(visit):
    curve = twins.sweep(start.TwinsSpec(), 0.1, "correlation", twins.AXES["correlation"])
    said = "Of two features with correlation 0.95, ℓ2 picks both"
    page = wait_for(visit(tab("Correlated twins")), said)
    at = twins.CORRELATIONS.index(twins.DEFAULT_CORRELATION)
    expect(title(page)).to_have_text(twins.chart_title(curve[at][0]))
    assert_accessible(page)
    drag_to_the_end(
        page,
        slider(page, "Correlation of the twins"),
        lambda: expect(title(page)).to_have_text(twins.chart_title(curve[-1][0])),
    )
    expect(page).to_have_url(re.compile(r"[?&]np_twin_rho=0.99"))
    page.get_by_role("radio", name="busy load").click()
    expect(slider(page, "Busy group's load")).to_be_visible()
    assert page.problems == []


def test_the_optimum_is_dragged_and_the_ellipses_follow_before_release(visit):
    def found(x, y):
        return touch.touches(balls.DEFAULT_GROUPING, touch.DEFAULT_PAIR, touch.DEFAULT_TILT, (x, y))

    first = found(*(float(part) for part in touch.DEFAULT_OPTIMUM.split(",")))
    page = wait_for(visit(tab("Unit balls")), touch.answer(first))
    expect(title(page)).to_have_text(touch.finding(first, touch.DEFAULT_PAIR))
    assert picture(page).bounding_box()["height"] >= LEAST_HEIGHT
    expect(page.locator("figure.live:visible circle.dot")).to_have_count(2)
    grip = page.locator("figure.live:visible .grip")
    hand = grip.bounding_box()
    x, y = hand["x"] + hand["width"] / 2, hand["y"] + hand["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 160, y + 100, steps=8)
    expect(title(page)).not_to_have_text(touch.finding(first, touch.DEFAULT_PAIR))
    during = title(page).text_content()
    expect(page.get_by_text(touch.answer(first)).first).to_be_visible()
    page.mouse.up()
    expect(page).to_have_url(re.compile("np_optimum="))
    text = re.search(r"np_optimum=([^&]+)", page.url)[1].replace("%2C", ",")
    after = found(*(float(part) for part in text.split(",")))
    assert during == touch.finding(after, touch.DEFAULT_PAIR)
    wait_for(page, touch.answer(after))
    # The ellipse grows from the optimum; where motion is not wanted it is there at once.
    expect(page.locator("figure.live:visible circle.dot")).to_have_count(2)
    button = page.get_by_role("button", name="Watch the loss grow")
    ellipses = "svg => svg.querySelectorAll('polygon.dashed').length"
    growing = redraws_after(button, picture(page), ellipses)
    assert growing == sorted(growing) and growing[0] < growing[-1]
    page.emulate_media(reduced_motion="reduce")
    assert redraws_after(button, picture(page), ellipses) == growing[-1:]
    page.emulate_media(reduced_motion="null")
    assert page.problems == []


def test_balls_are_drawn_in_space_and_turn_with_the_groups(visit):
    page = visit(f"{tab('Unit balls')}&np_shape={quote('in space')}")
    expect(page.get_by_text(balls.answer(balls.DEFAULT_GROUPING))).to_be_visible()
    expect(page.locator(".js-plotly-plot .gl-container canvas")).to_have_count(4)
    page.get_by_role("radio", name="{1,2,3}").click()
    expect(page.get_by_text(balls.answer("{1,2,3}"))).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle").last).to_have_text(
        balls.ball_title("le", "{1,2,3}")
    )
    assert page.problems == []


@pytest.mark.parametrize(("scheme", "width"), [("dark", 390), ("light", 1920)])
def test_every_tab_fits_and_axe_finds_nothing_serious(visit, scheme, width):
    page = visit(PATH, width=width, height=844, scheme=scheme)
    for name in ("Figure 1", "Paths in λ", "Correlated twins", "Unit balls"):
        page.get_by_role("tab", name=name).click()
        panel = page.get_by_role("tabpanel", name=name)
        expect(panel.get_by_text("The Python code that reproduces this view")).to_be_visible()
        expect(panel.locator("figure.live:visible svg")).to_have_count(1)
        wait_until_idle(page)
        assert_no_sideways_scroll(page)
        assert_accessible(page)
    assert page.problems == []


def test_names_of_many_groups_keep_apart_in_a_low_window(visit):
    page = wait_until_idle(visit(f"{PATH}?np_groups=16&np_size=20", width=1280, height=500))
    names = page.locator("figure.live:visible svg text").filter(has_text="group")
    assert 4 <= names.count() < 16
    assert_words_cover_nothing(page.locator("figure.live:visible svg"))
