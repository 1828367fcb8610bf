"""The solver race in a real browser: start, watch, pause, cancel, leave, queue, download."""

import csv
import json
import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from lab import races, ui
from lab.ui.address import texts_of
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    downloaded_by,
    wait_until_idle,
    wait_until_settled,
)

PATH = "/Solver_race"
# Hard and with time to spare, so that it is still on when somebody looks.
LONG = f"{PATH}?race_lam=paper&race_tol=1e-8&race_budget=60.0"

FIGURE = "figure.live:visible"
# The slider of the figure, in its shadow root.
SLIDER = """[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map(place => place.shadowRoot.querySelector('input[type=range]')).find(Boolean)"""
LINES = """() => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .flatMap(place => [...place.shadowRoot.querySelectorAll('path.curve')])
    .map(line => line.getAttribute('d')).join(' ')"""


def ready(page):
    """Until answer, figure and podium stand."""
    expect(page.get_by_test_id("stTable")).to_be_visible()
    page.wait_for_function(f"() => ({LINES})().length > 0")
    return wait_until_settled(page)


def title(page):
    return page.locator(f"{FIGURE} figcaption")


def moment(page) -> float:
    """The seconds at which the title says that the race is."""
    number, unit = re.match(r"After ([\d.e+-]+) (ms|s):", title(page).inner_text()).groups()
    return float(number) * {"ms": 1e-3, "s": 1.0}[unit]


def names_on_axes(page):
    return page.locator(f"{FIGURE} svg")


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def press(page, name):
    button(page, name).click()


def started(page):
    press(ready(page), "Start")
    expect(page.get_by_text("Racing:")).to_be_visible()
    return page


def progress(page) -> str:
    return page.get_by_test_id("stProgress").inner_text()


def test_start_watch_pause_resume_cancel_and_download(visit):
    page = started(visit(LONG))
    expect(page.get_by_text("So far:").first).to_be_visible()
    # Live: the chart is redrawn by itself while the race goes on.
    page.wait_for_function(
        f"before => ({LINES})().length > 0 && ({LINES})() !== before", arg=page.evaluate(LINES)
    )
    # An earlier moment stays the one on show, however far the race is by then.
    slider = page.get_by_role("slider", name="Replay")
    slider.focus()
    for _ in range(3):
        slider.press("PageDown")
    page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))")
    held, far = moment(page), int(slider.input_value())
    page.wait_for_function(f"far => Number(({SLIDER}).value) < far", arg=far)
    assert moment(page) == pytest.approx(held, rel=0.05)
    slider.press("End")
    expect(page).not_to_have_url(re.compile("race_at="))

    press(page, "Pause")
    expect(page.get_by_text("Paused, its place given up:")).to_be_visible()
    wait_until_settled(page)
    frozen, stood = page.evaluate(LINES), progress(page)

    # A chart option redraws what was measured; the race stays where it was.
    page.get_by_role("radio", name="iterations").click()
    expect(names_on_axes(page).get_by_text("iterations", exact=True)).to_be_visible()
    assert progress(page) == stood
    page.get_by_role("radio", name="seconds").click()
    expect(names_on_axes(page).get_by_text("solver time (seconds)", exact=True)).to_be_visible()
    page.wait_for_function(f"before => ({LINES})() === before", arg=frozen)

    press(page, "Resume")
    expect(page.get_by_text("Racing:")).to_be_visible()
    press(page, "Cancel")
    expect(page.get_by_text("when the race was cancelled")).to_be_visible()
    expect(page.get_by_text("was cancelled", exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_enabled()

    rows = list(csv.DictReader(downloaded_by(button(page, "Data (CSV)")).splitlines()))
    assert {row["method"] for row in rows} == {"newton", "pcp", "locp", "kong"}
    assert {row["setting: budget"] for row in rows} == {"60.0"}
    document = json.loads(downloaded_by(button(page, "Histories (JSON)")))
    assert document["spec"]["lam"] is None and document["cancelled"]
    assert sum(len(run["history"]["gap"]) for run in document["runs"]) == len(rows)
    saved = downloaded_by(button(page, "Figure (HTML)"))
    assert "Interior point" in saved and "&quot;budget&quot;: 60.0" in saved
    assert page.problems == []


def test_one_press_runs_a_preset_to_its_podium_and_it_is_replayed(visit):
    page = ready(visit(f"{PATH}?race_repeats=1"))
    press(page, "Quick E-LASSO")
    # It has an address from its start on, and at its end its places.
    expect(page).to_have_url(re.compile("race_run=[0-9a-f]{12}"))
    wait_until_settled(page)
    expect(button(page, "Cancel")).to_be_disabled()
    expect(page.get_by_text("Address and citation of this result")).to_be_visible()
    expect(page.get_by_test_id("stTable").get_by_text("1st, gold").first).to_be_visible()
    wait_until_settled(page)

    slider = page.get_by_role("slider", name="Replay")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + box["height"] / 2, steps=6)
    # Before the hand lets go: the picture and its words are those of an earlier moment.
    expect(title(page)).to_have_text(re.compile("^After .* ms: "))
    expect(page.locator(f"{FIGURE} g.medal:visible")).to_have_count(0)
    assert "race_at" not in page.url
    page.mouse.up()
    expect(page).to_have_url(re.compile("race_at="))

    # Played slowly and paused, it stands still; played fast, it comes to its end.
    play = page.locator(FIGURE).get_by_role("button", name="Play", exact=True)
    page.locator(FIGURE).get_by_label("Speed").select_option("0.5")
    play.click()
    page.locator(FIGURE).get_by_role("button", name="Pause", exact=True).click()
    expect(play).to_be_visible()
    wait_until_settled(page)
    stood = slider.input_value(), title(page).inner_text()
    page.wait_for_timeout(300)  # several frames of a replay that would go on
    assert (slider.input_value(), title(page).inner_text()) == stood
    assert stood[1].startswith("After ")
    page.locator(FIGURE).get_by_label("Speed").select_option("4")
    play.click()
    expect(title(page)).to_have_text(re.compile("is first with a certificate of 1e-06"))
    expect(page.locator(f"{FIGURE} g.medal.place1")).to_be_visible()
    expect(page).not_to_have_url(re.compile("race_at="))
    assert page.problems == []


def test_a_quick_race_runs_to_its_end_and_stale_results_say_so(visit):
    page = ready(visit(f"{PATH}?race_samples=40&race_features=120&race_groups=8"))
    expect(page.get_by_text("Settings changed")).to_be_visible()
    press(page, "Start")
    expect(page.get_by_text("(E-LASSO, 40 × 120, 8 groups, λ = 100, 3 draws).")).to_be_visible()
    expect(page.get_by_text("Racing:")).to_have_count(0)
    expect(page.get_by_text("Settings changed")).to_have_count(0)
    slider = page.get_by_role("slider", name=re.compile("λ, the exclusive norm"))
    slider.focus()
    slider.press("ArrowRight")
    expect(page.get_by_text("these are the results of the old settings")).to_be_visible()
    expect(page).to_have_url(re.compile("race_lam=300"))
    assert page.problems == []


def test_leaving_pauses_and_coming_back_offers_to_resume(visit):
    page = started(visit(LONG))
    page.get_by_test_id("stSidebar").get_by_role("link", name=ui.HOME.label).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(ui.HOME.question)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Solver race").click()
    expect(page.get_by_text("The race waited while you were away")).to_be_visible()
    expect(page.get_by_text("Paused, its place given up:")).to_be_visible()
    press(page, "Resume")
    expect(page.get_by_text("Racing:")).to_be_visible()
    press(page, "Cancel")
    expect(page.get_by_text("when the race was cancelled")).to_be_visible()
    assert page.problems == []


# Rings every timer of the page in the moments after a link is clicked.
REMEMBER_TIMERS = """
    const every = window.setInterval, acts = [];
    window.setInterval = (act, ...rest) => { acts.push(act); return every(act, ...rest); };
    window.leaveAndRing = () => {
        document.querySelector('[data-testid=stPageLink-NavLink][href^=Random_g]').click();
        for (const wait of [0, 10, 20, 40]) setTimeout(() => acts.forEach(act => act()), wait);
    };
"""


def test_a_race_under_way_does_not_call_its_page_back_when_it_is_left(browser, server):
    context = browser.new_context()
    try:
        context.add_init_script(REMEMBER_TIMERS)
        page = context.new_page()
        page.goto(server + LONG)
        started(page)
        page.evaluate("() => window.leaveAndRing()")
        answer = page.get_by_text(re.compile("At most .* random groups share"))
        expect(answer).to_be_visible()
        wait_until_idle(page)
        expect(answer).to_be_visible()
    finally:
        context.close()


def test_others_wait_in_a_queue_until_a_closed_tab_frees_the_turn(visit):
    first = started(visit(LONG))
    second = ready(visit(LONG))
    press(second, "Start")
    expect(second.get_by_text("Waiting: 1 race is before it, for at most")).to_be_visible()
    first.close()
    expect(second.get_by_text("Racing:")).to_be_visible()
    press(second, "Cancel")
    expect(second.get_by_role("button", name="Cancel", exact=True)).to_be_disabled()
    assert second.problems == []


def test_a_link_shows_problem_contestants_and_chart(visit):
    page = ready(
        visit(
            f"{PATH}?race_problem=E-LASSO+overlapped&race_measure=Objective&race_guides=true"
            "&race_against=iterations&race_scale=linear"
        )
    )
    expect(
        page.get_by_text("Not here: it needs disjoint groups, and these overlap.")
    ).to_be_visible()
    expect(names_on_axes(page).get_by_text("objective", exact=True)).to_be_visible()
    expect(title(page)).to_contain_text("has the lowest objective")
    # What is taken home is what is on show, also where only a part of the page was drawn anew.
    page.get_by_role("radio", name="seconds").click()
    expect(names_on_axes(page).get_by_text("solver time (seconds)", exact=True)).to_be_visible()
    assert "solver time (seconds)" in downloaded_by(button(page, "Figure (HTML)"))
    assert page.problems == []


def answer_and_figure(page):
    return page.get_by_text("is certified to 1e-06").first, page.locator(f"{FIGURE} svg")


def numbers_of_axes(page) -> int:
    """The words on the picture that are numbers."""
    texts = page.locator(f"{FIGURE} svg text:visible").all_text_contents()
    return sum(bool(re.fullmatch("[\\d.,eµ−⁻⁰¹²³⁴⁵⁶⁷⁸⁹-]+", text.strip())) for text in texts)


def test_phones_first_screen_holds_answer_figure_and_what_a_race_would_take(visit):
    page = ready(visit(PATH, width=390, height=844))
    takes = page.get_by_text("if this machine is idle; ")  # another visitor may be racing
    assert_on_first_screen(page, *answer_and_figure(page), takes)
    assert numbers_of_axes(page) >= 4 + len(races.QUICK.methods)  # places are numbers, too


# Pairs of words in the picture whose boxes share a pixel or more.
COVERED = """svg => {
    const words = [...svg.querySelectorAll('text')].filter(
        text => text.textContent.trim() && text.checkVisibility());
    const boxes = words.map(text => text.getBoundingClientRect());
    return words.flatMap((word, i) => words.slice(i + 1).filter((_, k) => {
        const one = boxes[i], other = boxes[i + 1 + k];
        return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;
    }).map(other => [word.textContent, other.textContent]));
}"""


@pytest.mark.parametrize(
    ("width", "scheme", "changes"),
    [
        (390, "light", dict(against="iterations")),
        (390, "dark", dict(scale="linear", xscale="linear")),
        (1400, "light", dict(xscale="linear")),
    ],
)
def test_no_word_of_the_picture_covers_another(visit, width, scheme, changes):
    """Numbers of a narrow axis, names of eight lanes, of the rates and of the finish."""
    settings = {**races.controls_of(races.PAPER["Paper Fig. 2(a)"]), "guides": True, **changes}
    told = {f"race_{name}": texts_of(value)[0] for name, value in settings.items()}
    page = ready(visit(f"{PATH}?{urlencode(told)}", width=width, height=844, scheme=scheme))
    expect(page.get_by_text("Raced on")).to_be_visible()
    picture = page.locator(f"{FIGURE} svg").first
    assert picture.get_by_text("O(1/k)", exact=True).count() == 1
    assert picture.evaluate(COVERED) == []


def test_phone_in_the_dark_while_racing(visit):
    page = started(visit(LONG, width=390, height=844, scheme="dark"))
    assert_no_sideways_scroll(page)
    # What is still to go, and in the queue the place, without scrolling.
    assert_on_first_screen(page, page.get_by_text(re.compile("Racing: .* to go")))
    second = ready(visit(LONG, width=390, height=844))
    press(second, "Start")
    waits = second.get_by_text("Waiting: 1 race is before it, for at most")
    expect(waits).to_be_visible()
    assert_on_first_screen(second, waits)
    press(second, "Cancel")
    press(page, "Pause")
    expect(page.get_by_text("Paused, its place given up:")).to_be_visible()
    assert_accessible(page)
    press(page, "Cancel")
    expect(page.get_by_text("when the race was cancelled")).to_be_visible()


def test_first_screen_holds_start_and_each_paper_preset_shows_its_contestants(visit):
    page = ready(visit(PATH))
    start = page.get_by_role("button", name="Start", exact=True)
    assert_on_first_screen(page, *answer_and_figure(page), start)
    for label, spec in races.PAPER.items():
        press(page, label)
        expect(page.get_by_text("Raced on")).to_be_visible()
        for key in spec.methods:
            name = races.METHODS[spec.problem][key].label
            expect(page.get_by_test_id("stTable").get_by_text(name, exact=True)).to_be_visible()
    press(page, "Start")
    press(page, "Cancel")
    expect(page.get_by_text("when the race was cancelled")).to_be_visible()
    assert page.problems == []
