"""The live figure in a real browser: the hand moves, the picture follows, then the server."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lab.drawing import live, theme
from lab.ui import lecture
from tests.browser.app_server import running_app
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    rgb,
    wait_until_settled,
)

PAGE = Path(__file__).resolve().parent / "live_page.py"
# Text below this is not readable on a phone.
SMALLEST_TEXT = 12


SAYS = re.compile(r"^(tiles|lines|uneven|bars|plane) says ")
DRAWN_AS_WIDE_AS_THEIR_PLACE = """() =>
    [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')].every(host => {
        const svg = host.shadowRoot.querySelector('svg');
        return svg.viewBox.baseVal.width === Math.floor(svg.parentElement.clientWidth);
    })"""


@pytest.fixture(scope="module")
def live_server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    with running_app(folder / "streamlit.log", script=PAGE) as app:
        yield app.address


@pytest.fixture
def opened(live_server, browser):
    """opened(query, ...) is the page in a context of its own, since these differ in what it is."""
    contexts = []

    def open_page(query="", *, width=1400, height=900, before=None, clock=False, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.messages, page.answers = [], []

        def listen(socket):
            socket.on("framesent", lambda frame: page.messages.append(frame))
            socket.on("framereceived", lambda frame: page.answers.append(len(frame)))

        page.on("websocket", listen)
        if clock:
            page.clock.install()
        if before:
            page.add_init_script(before)
        page.goto(f"{live_server}/?{query}")
        return page

    yield open_page
    for context in contexts:
        context.close()


def settled(page, text="tiles says 10"):
    """Until all figures are drawn, and the server rests."""
    expect(page.get_by_text(text, exact=True)).to_be_visible()
    page.wait_for_function(
        """() => {
            const roots = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')];
            return roots.length >= 5
                && roots.every(host => host.shadowRoot?.querySelector('svg[aria-label]'));
        }"""
    )
    expect(page.get_by_text(SAYS)).to_have_count(5)  # what comes later would move what is dragged
    return wait_until_settled(page)


def figure(page, title="Strength of tiles"):
    return page.locator("figure.live").filter(has=page.get_by_label(title, exact=True))


def slider(page, label="Strength of tiles"):
    return page.get_by_role("slider", name=label)


def opacities(page) -> list[str]:
    return (
        figure(page)
        .locator("rect.tile")
        .evaluate_all(
            "all => all.map(tile => tile.getAttribute('class') + tile.getAttribute('fill-opacity'))"
        )
    )


def press_and_drag(page, target, shares, *, up=0.5):
    """The mouse down on a slider's middle and moved to shares of its width, not released."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    y = box["y"] + box["height"] * up
    page.mouse.move(box["x"] + box["width"] * 0.5, y)
    page.mouse.down()
    for share in shares:
        page.mouse.move(box["x"] + box["width"] * share, y, steps=6)


def middle_of(target) -> tuple[float, float]:
    box = target.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull_with_a_finger(page, start, by) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        spots = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    touch("touchStart", start)
    for share in (0.25, 0.5, 0.75, 1.0):
        touch("touchMove", (start[0] + share * by[0], start[1] + share * by[1]))
    touch("touchEnd")
    drawn_frames(page)


def drawn_frames(page):
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def test_the_server_is_told_nothing_until_somebody_touches_the_page(opened):
    page = opened(clock=True)
    settled(page)
    page.clock.run_for(60_000)
    settled(page)
    assert len(page.messages) == 1  # what opens the page


# Presses a button as soon as a figure has been drawn.
PRESS_AT_THE_FIRST_PICTURE = """
    const press = () => document.querySelector('.st-key-preset_Ends button').click();
    const look = () => {
        const drawn = [...document.querySelectorAll('.stBidiComponent *')].some(
            place => place.shadowRoot?.querySelector('svg[aria-label]'));
        if (drawn) press(); else requestAnimationFrame(look);
    };
    look();
"""


def test_a_preset_pressed_in_the_first_moment_keeps_its_settings(opened):
    page = opened(before=PRESS_AT_THE_FIRST_PICTURE, clock=True)
    settled(page, "tiles says 20")
    page.clock.run_for(60_000)  # nothing that is still to come undoes it
    settled(page, "tiles says 20")
    expect(slider(page)).to_have_attribute("aria-valuetext", "20")
    expect(page.get_by_text("plane says 0,0", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]tiles=20\b.*plane=0"))


def test_dragging_redraws_at_once_and_tells_the_server_on_release(opened):
    page = settled(opened())
    before, sent = opacities(page), len(page.messages)
    press_and_drag(page, slider(page), [0.6, 0.9, 0.25])
    expect(figure(page).locator("figcaption")).to_have_text("Frame 5")
    assert opacities(page) != before
    assert len(page.messages) == sent
    expect(page.get_by_text("tiles says 10", exact=True)).to_be_visible()
    expect(figure(page).get_by_role("img")).to_have_attribute("aria-label", "What frame 5 shows")
    # The same hand goes on after a release: the figure was not mounted anew.
    figure(page).evaluate("made => { made.dataset.known = 'yes'; }")
    page.answers.clear()
    page.mouse.up()
    expect(page.get_by_text("tiles says 5", exact=True)).to_be_visible()
    # The browser has the frames and the scripts, so neither is sent again.
    assert 0 < sum(page.answers) < len(live.javascript()) / 4
    expect(page).to_have_url(re.compile(r"[?&]tiles=5\b"))
    expect(slider(page)).to_be_focused()
    assert figure(page).get_attribute("data-known") == "yes"
    press_and_drag(page, slider(page), [0.0])
    page.mouse.up()
    expect(page.get_by_text("tiles says 0", exact=True)).to_be_visible()
    expect(figure(page).locator("figcaption")).to_have_text("Frame 0")


def test_reset_presets_links_and_nonsense_reach_the_figure(opened):
    page = settled(opened("tiles=3&plane=9,9"), "tiles says 3")
    expect(slider(page)).to_have_attribute("aria-valuetext", "3")
    expect(page.get_by_text("plane says 1.5,0.5", exact=True)).to_be_visible()
    page.get_by_role("button", name="Ends").click()
    expect(page.get_by_text("tiles says 20", exact=True)).to_be_visible()
    expect(slider(page)).to_have_attribute("aria-valuetext", "20")
    expect(slider(page, "across")).to_have_attribute("aria-valuetext", "0")
    expect(page).to_have_url(re.compile(r"[?&]tiles=20\b"))
    page.get_by_role("button", name="Reset").click()
    expect(slider(page)).to_have_attribute("aria-valuetext", "10")
    expect(page).not_to_have_url(re.compile("tiles="))


THUMB_AND_MARKER = """figure => {
    const input = figure.querySelector('input'), box = input.getBoundingClientRect();
    const share = (input.value - input.min) / (input.max - input.min);
    const marker = figure.querySelector('.grip').getBoundingClientRect();
    return [box.left + 10 + share * (box.width - 20), marker.left + marker.width / 2];
}"""


def test_the_slider_of_uneven_steps_stands_under_the_marker_and_obeys_hand_and_keys(opened):
    page = settled(opened())
    uneven = figure(page, "Uneven place")

    def thumb_is_under_the_marker():
        thumb, marker = uneven.evaluate(THUMB_AND_MARKER)
        assert thumb == pytest.approx(marker, abs=1.5)

    thumb_is_under_the_marker()
    sent = len(page.messages)
    press_and_drag(page, slider(page, "Uneven place"), [0.97])
    expect(uneven.locator("figcaption")).to_have_text("Frame 20")
    assert len(page.messages) == sent
    page.mouse.up()
    expect(page.get_by_text("uneven says 20", exact=True)).to_be_visible()
    for key, frame in (("ArrowLeft", 19), ("PageDown", 17), ("Home", 0), ("ArrowUp", 1)):
        slider(page, "Uneven place").press(key)
        expect(page.get_by_text(f"uneven says {frame}", exact=True)).to_be_visible()
        thumb_is_under_the_marker()
    # A screen reader asks for a little more, or less, than there is.
    for by, frame in ((1, 2), (-1, 1)):
        uneven.get_by_role("slider").evaluate(
            """(input, by) => {
                input.value = Number(input.value) + by;
                input.dispatchEvent(new Event('input'));
                input.dispatchEvent(new Event('change'));
            }""",
            by,
        )
        expect(page.get_by_text(f"uneven says {frame}", exact=True)).to_be_visible()


def test_keys_move_it_and_a_key_held_down_is_one_message(opened):
    page = settled(opened())
    slider(page).focus()
    sent = len(page.messages)
    for _ in range(4):
        page.keyboard.down("ArrowRight")
    expect(figure(page).locator("figcaption")).to_have_text("Frame 14")
    assert len(page.messages) == sent
    page.keyboard.up("ArrowRight")
    expect(page.get_by_text("tiles says 14", exact=True)).to_be_visible()
    assert len(page.messages) == sent + 1
    slider(page).press("Home")
    expect(page.get_by_text("tiles says 0", exact=True)).to_be_visible()


def test_a_marker_a_water_line_and_a_point_are_dragged_on_the_figure(opened):
    page = settled(opened())
    lines = figure(page, "Place on the axis")
    press_and_drag(page, lines.locator("rect.surface"), [0.9])
    expect(lines.locator("figcaption")).to_have_text("Frame 18")
    expect(page.get_by_text("lines says 10", exact=True)).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text("lines says 18", exact=True)).to_be_visible()

    bars = figure(page, "Water line")
    grip = bars.locator("circle.grip")
    grip.scroll_into_view_if_needed()
    box, surface = grip.bounding_box(), bars.locator("rect.surface").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"], surface["y"] + surface["height"] - 1, steps=5)
    expect(bars.locator("figcaption")).to_have_text("Frame 0")
    page.mouse.up()
    expect(page.get_by_text("bars says 0", exact=True)).to_be_visible()

    plane = figure(page, "across")
    grip = plane.locator("circle.grip")
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] - 60, middle[1] + 30, steps=5)
    drawn_frames(page)
    assert grip.bounding_box()["x"] == pytest.approx(box["x"] - 60, abs=1.5)
    expect(page.get_by_text("plane says 1.5,0.5", exact=True)).to_be_visible()
    page.mouse.up()
    expect(page.get_by_text("plane says 1.5,0.5", exact=True)).to_have_count(0)


def test_on_an_enlarged_page_what_is_dragged_stays_under_the_hand_and_tips_at_their_tile(opened):
    page = settled(opened("lecture=true", width=1920, height=1080))
    page.evaluate("zoom => { document.documentElement.style.zoom = zoom; }", lecture.ENLARGED)
    page.wait_for_function(DRAWN_AS_WIDE_AS_THEIR_PLACE)
    for label, by, told in (
        ("across", (-120, 60), "plane says 1.5,0.5"),
        ("Place on the axis", (200, 0), "lines says 10"),
    ):
        grip = figure(page, label).locator("circle.grip")
        grip.scroll_into_view_if_needed()
        drawn_frames(page)
        start = middle_of(grip)
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] + by[0], start[1] + by[1], steps=5)
        drawn_frames(page)
        near = 45 if by[1] == 0 else 3  # a marker stands at the nearest of its places
        assert middle_of(grip) == pytest.approx((start[0] + by[0], start[1] + by[1]), abs=near)
        page.mouse.up()
        expect(page.get_by_text(told, exact=True)).to_have_count(0)
    tile = figure(page).locator("rect.tile").nth(6)
    tile.hover()
    said = figure(page).locator(".tooltip")
    expect(said).to_contain_text("group 2, feature 3")
    box = said.bounding_box()
    assert middle_of(said)[0] == pytest.approx(middle_of(tile)[0], abs=2)
    assert box["y"] + box["height"] == pytest.approx(tile.bounding_box()["y"], abs=12)


def test_pointing_at_a_tile_marks_it_everywhere_and_says_its_numbers(opened):
    page = settled(opened())
    tiles = figure(page).locator("rect.tile")
    tiles.nth(6).hover()
    expect(figure(page).locator("rect.tile.marked")).to_have_count(2)
    expect(figure(page).locator(".tooltip")).to_contain_text("group 2, feature 3")
    page.mouse.move(0, 0)
    expect(figure(page).locator("rect.tile.marked")).to_have_count(0)


def test_play_runs_through_the_frames_and_reduced_motion_jumps_to_the_last(opened):
    page = settled(opened())
    lines = figure(page, "Place on the axis")
    before = int(lines.locator("svg").get_attribute("data-draws"))
    lines.get_by_role("button", name="Play").click()
    expect(page.get_by_text("lines says 20", exact=True)).to_be_visible()
    assert int(lines.locator("svg").get_attribute("data-draws")) >= before + 5
    expect(lines.get_by_role("button", name="Play")).to_be_visible()

    page = settled(opened(reduced_motion="reduce"))
    lines = figure(page, "Place on the axis")
    before = int(lines.locator("svg").get_attribute("data-draws"))
    lines.get_by_role("button", name="Play").click()
    expect(lines.locator("figcaption")).to_have_text("Frame 20")
    assert int(lines.locator("svg").get_attribute("data-draws")) <= before + 2


def test_on_a_phone_a_finger_moves_it_and_all_text_is_readable(opened):
    page = settled(opened(width=390, height=844, has_touch=True, is_mobile=True))
    assert_no_sideways_scroll(page)
    target = slider(page)
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    expect(figure(page).locator("figcaption")).not_to_have_text("Frame 10")
    for label, by in (("across", (-60, 30)), ("Place on the axis", (70, 0))):
        grip = figure(page, label).locator("circle.grip")
        grip.scroll_into_view_if_needed()
        start = middle_of(grip)
        pull_with_a_finger(page, start, by)
        steps = 20 if by[1] == 0 else 3
        assert middle_of(grip) == pytest.approx((start[0] + by[0], start[1] + by[1]), abs=steps)
    expect(page.get_by_text("plane says 1.5,0.5", exact=True)).to_have_count(0)
    expect(page.get_by_text("lines says 10", exact=True)).to_have_count(0)
    sizes = page.locator("figure.live svg text").evaluate_all(
        """texts => texts.filter(text => text.textContent).map(text => {
            const svg = text.ownerSVGElement;
            const zoom = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            return parseFloat(getComputedStyle(text).fontSize) * zoom;
        })"""
    )
    assert len(sizes) > 30 and min(sizes) >= SMALLEST_TEXT


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_wears_the_pages_colours_and_everybody_can_use_it(opened, scheme):
    page = settled(opened(color_scheme=scheme))
    colors = theme.palette(scheme)
    caption = figure(page).locator("figcaption")
    assert caption.evaluate("made => getComputedStyle(made).color") == rgb(colors.text)
    positive = figure(page).locator("rect.tile.positive").first
    assert positive.evaluate("made => getComputedStyle(made).fill") == rgb(colors.positive)
    assert_accessible(page)


def test_in_print_it_is_a_still_picture(opened):
    page = settled(opened())
    page.emulate_media(media="print")
    expect(slider(page)).to_have_count(0)
    expect(figure(page).get_by_role("img")).to_be_visible()
    expect(figure(page).locator("output")).to_have_text("10")


def test_where_a_figure_fails_a_still_one_with_a_server_slider_takes_its_place(opened):
    page = opened("with_broken=1")
    expect(page.get_by_text("Still at 10")).to_be_visible()
    settled(page)
    server_slider = slider(page, "Broken")
    server_slider.press("ArrowRight")
    expect(page.get_by_text("broken says 11", exact=True)).to_be_visible()
    expect(page.get_by_text("Still at 11")).to_be_visible()
    expect(figure(page)).to_have_count(1)  # the others go on


REFUSE_OUR_SCRIPTS = """
    const make = URL.createObjectURL;
    URL.createObjectURL = made => made.type === 'text/javascript'
        ? 'data:text/javascript,broken(' : make.call(URL, made);
"""


def test_where_no_script_of_ours_loads_all_figures_are_still(opened):
    page = opened(before=REFUSE_OUR_SCRIPTS)
    expect(page.get_by_text("Still at 10")).to_have_count(4)
    slider(page).press("ArrowLeft")
    expect(page.get_by_text("tiles says 9", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]tiles=9\b"))


def test_where_not_even_the_watch_runs_a_button_makes_them_still(opened):
    page = opened(before=f"{REFUSE_OUR_SCRIPTS} window.watchForScripts = true;")
    expect(page.get_by_text("BidiComponent Error").first).to_be_visible()
    page.get_by_role("button", name="No figures here?").click()
    expect(page.get_by_text("Still at 10")).to_have_count(4)


def test_scripts_that_come_late_bring_the_figures_to_life(opened):
    hold = """
        const make = URL.createObjectURL;
        const held = 'await (window.held ||= new Promise(done => { window.letGo = done; }));';
        URL.createObjectURL = made => make.call(URL, made.type === 'text/javascript'
            ? new Blob([held, made], {type: made.type}) : made);
    """
    page = opened(before=hold)
    expect(page.get_by_text("Still at 10")).to_have_count(4)
    page.evaluate("() => window.letGo()")
    expect(page.get_by_text("Still at 10")).to_have_count(0)
    settled(page)
    slider(page).press("ArrowLeft")
    expect(page.get_by_text("tiles says 9", exact=True)).to_be_visible()
