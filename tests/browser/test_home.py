"""The home page in a real browser."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from lab import ui
from lab.home import shrinkage
from lab.home.view import gap
from tests.browser.looks import assert_on_first_screen, wait_until_idle

LEAST_HEIGHT = 420


def finding(zeta_text: str) -> str:
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, float(zeta_text))
    kept = exclusive.nonzeros
    return shrinkage.answer(
        exclusive,
        shrinkage.shrink_l1(c, groups, kept),
        shrinkage.shrink_group_lasso(c, groups, kept),
    )


def wait_for_view(page, zeta_text: str):
    """Until the sentence and the slider say what this ζ computes, and the figure is drawn."""
    expect(page.get_by_text(f"Yes: {finding(zeta_text)}")).to_be_visible()
    expect(slider(page)).to_have_attribute("aria-valuetext", f"ζ = {zeta_text}")
    return wait_until_idle(page)


def slider(page):
    return page.get_by_role("slider", name="Strength ζ")


def tiles(page) -> list[str]:
    return page.locator("figure.live:visible rect.tile").evaluate_all(
        """all => all.map(tile =>
            `${tile.getAttribute('class')} ${tile.getAttribute('fill-opacity')}`)"""
    )


def test_first_screen_holds_the_answer_and_a_tall_figure_and_an_arrow_key_moves_all(visit):
    page = wait_for_view(visit("/"), shrinkage.DEFAULT_ZETA)
    expect(page).to_have_title(ui.PRODUCT)
    answer, figure = page.get_by_text(finding(shrinkage.DEFAULT_ZETA)), page.get_by_role("img")
    picture = figure.filter(has=page.locator("rect.tile")).first
    assert_on_first_screen(page, answer, picture, slider(page))
    assert picture.bounding_box()["height"] >= LEAST_HEIGHT
    expect(page.get_by_text("times as loud").first).to_be_visible()
    expect(page.get_by_text("certified: relative gap")).to_be_visible()

    # One colour scale for the data and what is left of them: the strongest number is the data's.
    before = tiles(page)
    largest = np.abs(shrinkage.example_input()[0]).max()
    left = shrinkage.shrink_exclusive(*shrinkage.example_input(), float(shrinkage.DEFAULT_ZETA))
    for number, strongest in ((0, 1.0), (1, np.abs(left.weights).max() / largest)):
        panel = before[96 * number : 96 * (number + 1)]
        shades = [float(tile.split()[-1]) for tile in panel if "tive" in tile]
        assert max(shades) == pytest.approx(0.14 + 0.86 * strongest, abs=0.01)

    following = shrinkage.ZETAS[shrinkage.ZETAS.index(shrinkage.DEFAULT_ZETA) + 1]
    slider(page).press("ArrowRight")
    wait_for_view(page, following)
    expect(page).to_have_url(re.compile(rf"[?&]zeta={re.escape(following)}$"))
    assert tiles(page) != before

    slider(page).press("ArrowLeft")
    wait_for_view(page, shrinkage.DEFAULT_ZETA)
    expect(page).not_to_have_url(re.compile("zeta="))
    assert page.problems == []


def test_dragging_changes_the_picture_before_release_and_the_answer_after(visit):
    page = wait_for_view(visit("/"), shrinkage.DEFAULT_ZETA)
    before, box = tiles(page), slider(page).bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, y, steps=8)
    expect(page.locator("figure.live:visible figcaption")).to_contain_text("At ζ = 100")
    assert tiles(page) != before
    expect(page.get_by_text(finding(shrinkage.DEFAULT_ZETA)).first).to_be_visible()
    page.mouse.up()
    wait_for_view(page, "100")
    expect(page).to_have_url(re.compile(r"[?&]zeta=100$"))
    # Badge, pictures of the steps and code follow the hand too.
    expect(page.get_by_text("The loudest group at ζ = 100: of 12 weights")).to_be_visible()
    expect(page.get_by_alt_text("The sums of the 8 groups at ζ = 100")).to_be_visible()
    badge = page.get_by_text("certified: relative gap").first
    expect(badge).to_contain_text("below 1e-15" if gap("100") < 1e-15 else f"{gap('100'):.0e}")
    page.get_by_text("The Python code that reproduces this view").click()
    expect(page.get_by_text("zeta=100.0")).to_be_visible()
    assert page.problems == []


def test_a_tile_is_marked_in_all_four_pictures(visit):
    page = wait_for_view(visit("/"), shrinkage.DEFAULT_ZETA)
    page.locator("figure.live:visible rect.tile").nth(90).hover()
    expect(page.locator("figure.live:visible rect.tile.marked")).to_have_count(4)
    tooltip = page.locator("figure.live:visible .tooltip")
    for name in ("group 8, feature 7", "data", "ℓe", "ℓ1", "group lasso"):
        expect(tooltip).to_contain_text(name)


def test_reset_and_a_visit_elsewhere_reach_the_figure(visit):
    page = wait_for_view(visit("/?zeta=10"), "10")
    links = page.get_by_test_id("stSidebar")
    links.get_by_role("link", name="Cone projections").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        ui.frame.page_of("cone_projections").question
    )
    links.get_by_role("link", name="Home").click()
    wait_for_view(page, "10")
    page.get_by_role("button", name="Reset").click()
    wait_for_view(page, shrinkage.DEFAULT_ZETA)
    expect(page).not_to_have_url(re.compile("zeta="))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_address_with_an_unknown_value_shows_the_default_on_a_phones_first_screen(visit, scheme):
    page = visit("/?zeta=plenty", width=390, height=844, scheme=scheme)
    wait_for_view(page, shrinkage.DEFAULT_ZETA)
    answer = page.get_by_text(f"Yes: {finding(shrinkage.DEFAULT_ZETA)}")
    picture = page.locator("figure.live:visible svg")
    assert_on_first_screen(page, answer, picture, slider(page))


# A link is clicked, and before the page has gone its figure has something to tell.
LEAVE_AND_TELL = """() => {
    const place = document.querySelector('[data-testid=stBidiComponentIsolated]');
    const slider = place.shadowRoot.querySelector('input[type=range]');
    document.querySelector('[data-testid=stPageLink-NavLink][href^=Random_g]').click();
    slider.value = slider.max;
    for (const name of ['input', 'change']) slider.dispatchEvent(new Event(name));
}"""


def test_what_a_figure_tells_of_a_page_that_is_being_left_does_not_call_it_back(visit):
    page = wait_for_view(visit("/"), shrinkage.DEFAULT_ZETA)
    asked = []

    def on_message(data):
        message = BackMsg.FromString(data)
        if message.HasField("rerun_script"):
            asked.append(message.rerun_script.page_script_hash)

    page.on("websocket", lambda socket: socket.on("framesent", on_message))
    page.reload()
    wait_for_view(page, shrinkage.DEFAULT_ZETA)
    page.evaluate(LEAVE_AND_TELL)
    question = ui.frame.page_of("random_grouping").question
    expect(page.get_by_role("heading", level=1)).to_have_text(question)
    wait_until_idle(page)
    assert len(asked) == 2 and asked[0] != asked[1]
    page.get_by_test_id("stSidebar").get_by_role("link", name="Home").click()
    wait_for_view(page, shrinkage.DEFAULT_ZETA)
    slider(page).press("End")
    wait_for_view(page, shrinkage.ZETAS[-1])
