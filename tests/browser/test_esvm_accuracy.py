"""The accuracy page in a real browser: start, watch, cancel, reload, download."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from lab import ui
from tests.browser.looks import (
    assert_no_sideways_scroll,
    assert_on_first_screen,
    downloaded_by,
    wait_until_settled,
)

PAGE = ui.frame.page_of("esvm_accuracy")
# Small trials, many of them, that no other test asks for.
LONG = "/ESVM_accuracy?acc_features=60&acc_ms=8%2C+12&acc_repeats=30&acc_seed=1234"
# The m of filled marks by method, read off the figure itself.
FILLED = """() => Object.fromEntries(
    document.querySelector('.js-plotly-plot').data
        .filter(trace => Array.isArray(trace.marker?.symbol))
        .map(trace => [trace.name, trace.customdata.map(row => row[0]).filter(
            (_, place) => !trace.marker.symbol[place].includes('open'))]))"""


def painted(page):
    page.wait_for_function("() => document.querySelector('.js-plotly-plot .main-svg')")
    return page


def button(page, name):
    return page.get_by_test_id("stMain").get_by_role("button", name=name)


def test_a_sweep_is_started_watched_cancelled_and_found_after_a_reload(visit):
    page = painted(visit(LONG))
    expect(page.get_by_text("These settings have not been run")).to_be_visible()
    button(page, re.compile("^Run")).click()
    progress = page.get_by_test_id("stProgress")
    expect(progress).to_contain_text(re.compile("running: [1-9]"))
    seen = progress.inner_text()
    expect(progress).not_to_have_text(seen)
    sweep = parse_qs(urlsplit(page.url).query)["acc_sweep"][0]
    assert re.fullmatch("[0-9a-f]{10}-[0-9a-f]{6}", sweep)

    button(page, "Cancel").click()
    expect(page.get_by_text("The last run was cancelled")).to_be_visible()
    before = button(wait_until_settled(page), re.compile("^Resume")).inner_text()
    assert re.match(r"Resume \([1-9]\d* of 360 done\)", before)
    assert page.problems == []
    page.reload()
    expect(painted(page).get_by_test_id("stMain")).to_contain_text(before)
    page.problems.clear()  # a reload breaks off requests that were under way

    table = downloaded_by(page.get_by_role("button", name="Data (CSV)")).splitlines()
    assert table[0].startswith("m,repeat,method,accuracy,nonzeros,seconds,gap,alpha,beta,lam")
    assert len(table) - 1 == int(re.search(r"\d+", before).group())
    assert page.problems == []


def test_first_screen_holds_the_figure_and_keyboard_and_segments_change_it(visit):
    page = painted(visit("/ESVM_accuracy"))
    title = page.get_by_test_id("stMain").get_by_role("heading", level=3).first
    expect(title).to_contain_text("Beyond chance: E-SVM ahead at 1 of 8 values of m, behind")
    repeats = page.locator("input[type=range]").first
    assert_on_first_screen(page, page.locator(".nsewdrag").first, repeats)
    # What the sentence names is what the figure fills in.
    main = page.get_by_test_id("stMain")
    answer = main.get_by_text(re.compile("^With independent noise, over 10 draws, E-SVM beats"))
    expect(answer).to_contain_text("; with shared noise E-SVM trails at")
    expect(main.get_by_text("all else is within chance")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_have_css("height", "420px")
    filled = page.evaluate(FILLED)
    words = answer.inner_text().replace("\u00a0", " ").split("; with shared noise")[0]
    for name, places in filled.items():
        assert places and f"at m = {' and '.join(f'{m:,}' for m in places)} (by" in words, name
    page.get_by_role("radio", name="accuracy", exact=True).click()
    expect(title).to_contain_text(re.compile("^Highest mean at m\\s=\\s2,520, 10 draws: "))
    expect(page).to_have_url(re.compile("acc_show=accuracy"))
    repeats.press("ArrowLeft")
    expect(page.get_by_text("432 of 432 trials").first).to_be_visible()
    expect(page).to_have_url(re.compile("acc_repeats=9"))
    assert page.problems == []


def test_a_tab_of_real_data_opens_by_its_address(visit):
    page = painted(visit("/ESVM_accuracy?acc_tab=Real+data%2C+Table+1", width=390, height=844))
    title = page.get_by_test_id("stMain").get_by_role("heading", level=3).first
    expect(title).to_contain_text("E-SVM(R) is beyond chance")
    expect(page.get_by_text("On Breast cancer, E-SVM(R) is right on")).to_be_visible()
    assert_no_sideways_scroll(page)
    assert page.problems == []
