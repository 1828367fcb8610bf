"""The page on cone projections in a real browser."""

import re
from urllib.parse import quote

from playwright.sync_api import expect

from lab import cones, theme, ui
from lab.charts import cones as charts
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    rgb,
    wait_until_idle,
)

PAGE = ui.frame.page_of("cone_projections")
PATH = "/Cone_projections"
SEARCH = f"{PATH}?cp_tab={quote('The search')}"


def in_the_plane(a: float, b: float, zeta: float = 1.0) -> str:
    return cones.answer(cones.project("ℓ1", [a], b, zeta))


def wait_for(page, sentence: str, figures: int = 1):
    """Until the sentence stands and every figure is painted."""
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle:visible")).to_have_count(figures)
    return page


def slider(page, label: str):
    return page.locator(f"input[type=range][aria-label='{label}']")


def test_first_screen_holds_the_answer_and_arrow_keys_move_point_figure_and_address(visit):
    page = wait_for(visit(PATH), in_the_plane(1.6, -0.4))
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGE.question)
    answer, figure = page.get_by_text(in_the_plane(1.6, -0.4)), page.locator(".nsewdrag").first
    assert_on_first_screen(page, answer, figure, page.locator("input[type=range]").first)
    title = page.locator(".js-plotly-plot .gtitle")
    slider(page, "a").press("ArrowRight")
    wait_for(page, in_the_plane(1.65, -0.4))
    expect(title).to_have_text(cones.plane_title(cones.project("ℓ1", [1.65], -0.4, 1.0)))
    expect(page).to_have_url(re.compile(r"[?&]cp_a=1\.65"))
    page.locator("input[type=range]").first.press("ArrowRight")
    wait_for(page, in_the_plane(1.65, -0.4, 2.0))
    expect(page).to_have_url(re.compile(r"[?&]cp_zeta=2"))

    # The view survives a visit to another page.
    page.get_by_test_id("stSidebar").get_by_role("link", name="Home").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(ui.HOME.question)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Cone projections").click()
    wait_for(page, in_the_plane(1.65, -0.4, 2.0))
    expect(page).to_have_url(re.compile(r"cp_a=1\.65"))
    assert page.problems == []


def test_click_moves_the_point_and_the_address_and_can_be_repeated(visit):
    page = wait_for(visit(PATH), in_the_plane(1.6, -0.4))

    def click_at(a: float, b: float):
        """Where (a, b) is on the screen, from the axes of the figure on show."""
        page.locator(".js-plotly-plot .scatterlayer .textpoint").first.wait_for()
        x, y = wait_until_idle(page).evaluate(
            """([a, b]) => {
                const plot = document.querySelector('.js-plotly-plot'), layout = plot._fullLayout;
                const box = plot.getBoundingClientRect();
                return [box.x + layout.xaxis._offset + layout.xaxis.l2p(a),
                        box.y + layout.yaxis._offset + layout.yaxis.l2p(b)];
            }""",
            [a, b],
        )
        page.mouse.move(x + 3, y - 3)
        page.mouse.click(x + 3, y - 3)

    for a, b in ((-1.5, 0.5), (2.0, -1.0), (-1.5, 0.5)):
        assert a in charts.CLICK_X and b in charts.CLICK_Y
        click_at(a, b)
        wait_for(page, in_the_plane(a, b))
        expect(page).to_have_url(re.compile(rf"[?&]cp_a={a:g}&cp_b={b:g}"))
    slider(page, "a").press("ArrowRight")
    wait_for(page, in_the_plane(-1.45, 0.5))
    assert page.problems == []


def test_preset_opens_the_search_and_shows_the_print_failing(visit):
    page = wait_for(visit(PATH), in_the_plane(1.6, -0.4))
    page.get_by_role("button", name="Alg. 2 misses a tie").click()
    wait_for(page, cones.answer(cones.project("ℓ1", [0.1, 0.3], 0.1, 1.0)))
    expect(page.get_by_role("tab", name="The search")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("A tie is missed by rounding")).to_be_visible()
    expect(page.get_by_role("cell", name="0.09999999999999999")).to_be_visible()
    expect(page.get_by_role("cell", name="no, by 1e−17").first).to_be_visible()
    # The controls it set were not on show before; they are in the address all the same.
    expect(page).to_have_url(re.compile(r"cp_vector=0\.1.*cp_height=0\.1"))
    page.get_by_role("button", name="Alg. 3 misses a tie").click()
    wait_for(page, cones.answer(cones.project("ℓ∞", [0.4, 0.2], 0.0, 1.0)))
    expect(page).to_have_url(re.compile(r"cp_vector=0\.4"))
    expect(page).not_to_have_url(re.compile("cp_height"))
    assert page.problems == []


def test_deep_link_restores_the_search_and_typing_recomputes(visit):
    link = f"{SEARCH}&cp_cone={quote('ℓ∞')}&cp_vector=3,1&cp_height=1"
    page = wait_for(visit(link), cones.answer(cones.project("ℓ∞", [3.0, 1.0], 1.0, 1.0)))
    expect(page.get_by_text("should read sgn(a)⊙min(|a|, y)")).to_be_visible()
    assert_accessible(wait_until_idle(page))
    box = page.get_by_role("textbox", name="a, the weights of the group")
    box.fill("3, <b>1</b>")
    box.press("Enter")
    expect(page.get_by_text("Entry 2 of a is not a number")).to_be_visible()
    box.fill("2, -2, 1")
    box.press("Enter")
    wait_for(page, cones.answer(cones.project("ℓ∞", [2.0, -2.0, 1.0], 1.0, 1.0)))
    assert page.problems == []


def test_space_is_drawn_and_follows_the_cone(visit):
    page = visit(f"{PATH}?cp_tab={quote('In space')}&cp_polar=true")
    wait_for(page, cones.answer(cones.project("ℓ1", [1.6, 0.5], -0.4, 1.0)))
    expect(page.locator(".js-plotly-plot .gl-container canvas").first).to_be_visible()
    page.get_by_role("radio", name="ℓ∞").click()
    wait_for(page, cones.answer(cones.project("ℓ∞", [1.6, 0.5], -0.4, 1.0)))
    assert page.problems == []


def test_every_tab_fits_a_phone_wears_the_dark_theme_and_satisfies_axe(visit):
    page = wait_for(visit(PATH, width=390, height=844, scheme="dark"), in_the_plane(1.6, -0.4))
    answer = page.get_by_text(in_the_plane(1.6, -0.4))
    assert_on_first_screen(page, answer, page.locator(".nsewdrag").first)
    for tab, figures in (("In the plane", 1), ("The search", 1), ("Moreau", 2)):
        page.get_by_role("tab", name=tab).click()
        wait_for(page, "One step projects each group", figures)
        wait_until_idle(page)
        assert_no_sideways_scroll(page)
        for title in page.locator(".js-plotly-plot .gtitle:visible").all():
            fill = title.evaluate("e => getComputedStyle(e).fill")
            assert fill == rgb(theme.palette("dark").text)
            # A title that runs out of its figure is cut off on a phone.
            box = title.bounding_box()
            assert box["x"] + box["width"] <= 390, f"{title.inner_text()} is too wide"
        assert_accessible(page)
    assert page.problems == []
