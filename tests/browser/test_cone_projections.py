"""The page on cone projections in a real browser."""

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import expect

from lab import ui
from lab.cones import descent, searches, words
from lab.cones import projections as cones
from lab.drawing import theme
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    redraws_after,
    rgb,
    wait_until_idle,
)

PAGE = ui.frame.page_of("cone_projections")
PATH = "/Cone_projections"
OPENINGS = {"A group": "It takes the same δ", "Play": "It goes down the gradient"}
ERRATA = f"{PATH}?cp_tab=Errata"


def in_the_plane(a: float, b: float, zeta: float = 1.0) -> str:
    return words.answer(cones.project("ℓ1", [a], b, zeta))


def of_group(a: float, b: float, zeta: float = 1.0) -> str:
    delta = searches.corrected_search("ℓ1", [a, b], 0.0, zeta).level
    return words.group_answer(cones.project("ℓ1", [a, b], 0.0, zeta), delta)


def wait_for_live(page, sentence: str, figures: int = 0):
    """Until the sentence stands, the live figure is drawn and every figure of plotly is painted."""
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.locator("figure.live:visible svg[data-draws]")).to_be_visible()
    expect(page.locator(".js-plotly-plot .gtitle:visible")).to_have_count(figures)
    return wait_until_idle(page)


def title(page):
    return page.locator("figure.live:visible figcaption")


def drag(page, target, by: tuple[float, float], release: bool = True) -> None:
    box = target.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=8)
    if release:
        page.mouse.up()


def test_first_screen_holds_the_answer_a_tall_figure_and_its_sliders(visit):
    page = wait_for_live(visit(PATH), of_group(1.6, 0.5))
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGE.question)
    picture = page.locator("figure.live:visible svg")
    zeta = page.get_by_role("slider", name="ζ, the price of the norm")
    assert_on_first_screen(page, page.get_by_text(of_group(1.6, 0.5)), picture, zeta)
    assert picture.bounding_box()["height"] >= 420
    zeta.press("ArrowRight")
    wait_for_live(page, of_group(1.6, 0.5, 1.05))
    expect(page).to_have_url(re.compile(r"[?&]cp_group=1\.6%2C0\.5%2C1\.05"))
    page.get_by_role("button", name="Reset").click()
    wait_for_live(page, of_group(1.6, 0.5))
    assert page.problems == []


def test_the_water_line_is_dragged_and_settles_and_nothing_is_told(visit):
    page = wait_for_live(visit(PATH), of_group(1.6, 0.5))
    line, kept = page.locator("figure.live:visible line.guide"), page.locator("rect.bar.kept").first
    rest, height = line.get_attribute("y1"), kept.get_attribute("height")
    drag(page, page.locator("figure.live:visible circle.level"), (0, 60), release=False)
    expect(title(page)).to_contain_text("the line must rise")
    assert float(line.get_attribute("y1")) > float(rest) + 40
    assert float(kept.get_attribute("height")) > float(height) + 40
    page.mouse.up()
    expect(title(page)).to_contain_text("The line settles at δ = 0.8")
    expect(line).to_have_attribute("y1", rest)
    expect(page).not_to_have_url(re.compile("cp_group"))
    # For who has no mouse: from the ground up, by a button.
    button = page.get_by_role("button", name="Watch the line settle")
    picture = page.locator("figure.live:visible svg")
    said = redraws_after(button, picture, "svg => svg.getAttribute('aria-label')")
    assert "the line must rise" in said[0] and "The line settles at δ = 0.8" in said[-1]
    expect(title(page)).to_contain_text("The line settles at δ = 0.8")
    # Where motion is not wanted it is there at once.
    page.emulate_media(reduced_motion="reduce")
    (said,) = redraws_after(button, picture, "svg => svg.getAttribute('aria-label')")
    assert "The line settles at δ = 0.8" in said
    page.emulate_media(reduced_motion="null")
    assert page.problems == []


def test_dragging_the_point_moves_bars_and_line_before_release_and_the_answer_after(visit):
    page = wait_for_live(visit(PATH), of_group(1.6, 0.5))
    before = page.locator("rect.bar.kept").first.get_attribute("height")
    drag(page, page.locator("figure.live:visible circle.point"), (-60, -40), release=False)
    expect(page.locator("rect.bar.kept").first).not_to_have_attribute("height", before)
    expect(page.get_by_text(of_group(1.6, 0.5))).to_be_visible()
    page.mouse.up()
    expect(page).to_have_url(re.compile("cp_group="))
    first, second, zeta = parse_qs(urlsplit(page.url).query)["cp_group"][0].split(",")
    wait_for_live(page, of_group(float(first), float(second), float(zeta)))
    assert float(first) < 1.6 and float(second) > 0.5
    assert page.problems == []


def test_the_point_is_dragged_in_the_cones_plane(visit):
    page = wait_for_live(visit(f"{PATH}?cp_tab={quote('In the plane')}"), in_the_plane(1.6, 0))
    assert page.locator("figure.live:visible svg").bounding_box()["height"] >= 420
    said = title(page).inner_text()
    drag(page, page.locator("figure.live:visible circle.grip"), (-50, 40), release=False)
    expect(title(page)).not_to_have_text(said)
    expect(page.get_by_text(in_the_plane(1.6, 0))).to_be_visible()
    page.mouse.up()
    expect(page).to_have_url(re.compile("cp_point="))
    a, b, _ = map(float, parse_qs(urlsplit(page.url).query)["cp_point"][0].split(","))
    wait_for_live(page, in_the_plane(a, b))
    expect(title(page)).to_have_text(words.plane_title(cones.project("ℓ1", [a], b, 1.0)))
    # ζ is the third number of the same figure: it moves the polar cone under the hand.
    polar = page.locator("figure.live:visible [data-name^='the polar cone']")
    before = polar.get_attribute("points")
    slider_ = page.get_by_role("slider", name="ζ, what a unit of height counts")
    drag(page, slider_, (40, 0), release=False)
    expect(polar).not_to_have_attribute("points", before)
    expect(page.get_by_text(in_the_plane(a, b))).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text(in_the_plane(a, b))).to_have_count(0)
    assert page.problems == []


def test_the_steps_are_scrubbed_and_played(visit):
    run = descent.descent("LICP")
    path = f"{PATH}?cp_tab=Play&cp_method=LICP"
    page = wait_for_live(visit(path), words.descent_answer(run, 2))
    titles = words.step_titles(run)
    expect(title(page)).to_have_text(titles[4])
    slider_ = page.get_by_role("slider", name="Step")
    box = slider_.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 4 / len(titles), y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, y, steps=8)
    expect(title(page)).to_have_text(titles[-1])
    expect(page.get_by_text(words.descent_answer(run, 2))).to_be_visible()
    page.mouse.up()
    wait_for_live(page, words.descent_answer(run, descent.STEPS))
    page.get_by_role("button", name="Play").click()
    expect(title(page)).to_have_text(titles[1])
    page.get_by_role("button", name="Pause").click()
    expect(page).to_have_url(re.compile(r"cp_step="))
    page.get_by_role("radio", name="LOCP").click()
    expect(title(page)).to_contain_text("LOCP, step")
    assert page.problems == []


def test_preset_shows_the_print_failing(visit):
    page = visit(f"{PATH}?cp_tab=Errata")
    page.get_by_role("button", name="Alg. 2 misses a tie").click()
    wait_for_live(page, words.answer(cones.project("ℓ1", [0.1, 0.3], 0.1, 1.0)))
    expect(page.get_by_role("tab", name="Errata")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("A tie is missed by rounding")).to_be_visible()
    expect(page.get_by_role("cell", name="0.09999999999999999")).to_be_visible()
    expect(page.get_by_role("cell", name="no, by 1e−17").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"cp_vector=0\.1.*cp_height=0\.1"))
    expect(page.locator("figure.live:visible path.cross[d^=M]")).to_have_count(2)
    page.get_by_role("button", name="Alg. 3 misses a tie").click()
    wait_for_live(page, words.answer(cones.project("ℓ∞", [0.4, 0.2], 0.0, 1.0)))
    expect(page).to_have_url(re.compile(r"cp_vector=0\.4"))
    expect(page).not_to_have_url(re.compile("cp_height"))
    assert page.problems == []


def test_deep_link_restores_the_errata_and_typing_recomputes(visit):
    link = f"{ERRATA}&cp_cone={quote('ℓ∞')}&cp_vector=3,1&cp_height=1"
    page = wait_for_live(visit(link), words.answer(cones.project("ℓ∞", [3.0, 1.0], 1.0, 1.0)))
    expect(page.get_by_text("should read sgn(a)⊙min(|a|, y)")).to_be_visible()
    # Bars stand on 0, also where the axis goes lower: of (3, 1) are left 2 and 1.
    first, second = page.locator("figure.live:visible rect.bar.kept").evaluate_all(
        "bars => bars.map(bar => Number(bar.getAttribute('height')))"
    )
    assert first == pytest.approx(2 * second, abs=0.1)  # pixels
    assert_accessible(page)
    slider = page.get_by_role("slider", name="ζ: how much")
    heading, answer = title(page).inner_text(), page.get_by_text("One step projects")
    said = answer.inner_text()
    drag(page, slider, (slider.bounding_box()["width"] / 4, 0), release=False)
    expect(title(page)).not_to_have_text(heading)
    expect(answer).to_have_text(said)
    page.mouse.up()
    expect(page).to_have_url(re.compile("cp_zeta="))
    page.get_by_role("button", name="Reset").click()
    wait_for_live(page, "One step projects")
    page.goto(page.url.split("?")[0] + link.removeprefix(PATH))
    box = page.get_by_role("textbox", name="a, the weights of the group")
    box.fill("3, <b>1</b>")
    box.press("Enter")
    expect(page.get_by_text("Entry 2 of a is not a number")).to_be_visible()
    box.fill("2, -2, 1")
    box.press("Enter")
    wait_for_live(page, words.answer(cones.project("ℓ∞", [2.0, -2.0, 1.0], 1.0, 1.0)))
    assert page.problems == []


def test_space_is_turned_and_its_point_dragged_and_follows_the_cone(visit):
    page = visit(f"{PATH}?cp_tab={quote('In space')}&cp_polar=true")
    at_rest = words.answer(cones.project("ℓ1", [1.6, 0.5], 0.0, 1.0))
    wait_for_live(page, at_rest)
    picture = page.locator("figure.live:visible svg")
    assert_on_first_screen(page, picture)
    assert picture.bounding_box()["height"] >= 420
    grip = page.locator("figure.live:visible circle.grip")
    alt, start = picture.get_attribute("aria-label"), grip.bounding_box()
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 30, steps=8)  # turned: the same, seen elsewhere
    expect(picture).to_have_attribute("aria-label", alt)
    assert abs(grip.bounding_box()["x"] - start["x"]) > 10
    page.mouse.up()
    expect(page).to_have_url(re.compile("cp_place="))
    drag(page, grip, (-40, -20), release=False)
    expect(picture).not_to_have_attribute("aria-label", alt)
    expect(page.get_by_text(at_rest)).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text(at_rest)).to_have_count(0)
    first, second, b, zeta, _ = parse_qs(urlsplit(page.url).query)["cp_place"][0].split(",")
    page.get_by_role("radio", name="ℓ∞").click()
    p = cones.project("ℓ∞", [float(first), float(second)], float(b), float(zeta))
    wait_for_live(page, words.answer(p))
    expect(title(page)).to_have_text(words.space_title(p))
    assert page.problems == []


def test_every_tab_fits_a_phone_wears_the_dark_theme_and_satisfies_axe(visit):
    page = wait_for_live(visit(PATH, width=390, height=844, scheme="dark"), of_group(1.6, 0.5))
    answer = page.get_by_text(of_group(1.6, 0.5))
    assert_on_first_screen(page, answer, page.locator("figure.live:visible svg"))
    for tab, plots in (("A group", 0), ("In the plane", 0), ("Play", 0), ("Moreau", 1)):
        page.get_by_role("tab", name=tab).click()
        wait_for_live(page, OPENINGS.get(tab, "One step projects each group"), plots)
        assert_no_sideways_scroll(page)
        expect(title(page)).to_have_css("color", rgb(theme.palette("dark").text))
        box = title(page).bounding_box()
        assert box["x"] + box["width"] <= 390
        assert_accessible(page)
    page.get_by_role("tab", name="Errata").click()
    wait_for_live(page, "One step projects each group")
    assert_no_sideways_scroll(page)
    assert_accessible(page)
    assert page.problems == []
