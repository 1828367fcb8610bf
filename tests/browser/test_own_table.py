"""Whole analyses in a real browser: numbers, subjects, a second table, save and restore."""

import json
import re

import numpy as np
import pandas as pd
from playwright.sync_api import expect

from tests.browser.looks import wait_until_settled
from tests.browser.test_classify_csv import (
    MARKS,
    PATH,
    SAVED,
    SECOND,
    downloaded,
    open_tab,
    table,
    upload,
)
from tests.clocks import PATIENCE
from tests.pages.test_classify_csv import csv_of
from tests.pages.test_own_table_verdicts import sideways


def verdict(page):
    """The headline once shuffled labels have been tried."""
    said = page.get_by_text(re.compile(r"in 19 draws \(p = "))
    expect(said.first).to_be_visible()
    return said.first


def test_a_number_is_recognised_and_predicted(visit):
    rng = np.random.default_rng(5)
    X = rng.standard_normal((60, 4)).round(3)
    frame = pd.DataFrame(X, columns=["age", "dose", "mass", "heat"])
    frame["pressure"] = (120 + 9 * X[:, 1] + 2 * rng.standard_normal(60)).round(2)
    page = visit(f"{PATH}?csv_data=Your+file")
    upload(page, "pressure.csv", frame.to_csv(index=False))
    said = verdict(page)
    expect(said).to_contain_text("Exclusive lasso explains")
    expect(said).to_contain_text("of the variance of held-out rows")
    # After an upload one lands on label and columns.
    expect(page.get_by_role("tab", name="Data", exact=True)).to_have_attribute(
        "aria-selected", "true"
    )
    open_tab(page, "See")
    expect(page.get_by_text(re.compile("Half of the held-out rows"))).to_be_visible()
    assert page.problems == []


def test_rows_of_one_patient_are_kept_together_by_one_click(visit):
    rng = np.random.default_rng(6)
    who = np.repeat(np.arange(16), 4)
    X = rng.standard_normal((16, 12))[who] + 0.05 * rng.standard_normal((64, 12))
    frame = pd.DataFrame(X.round(3), columns=[f"f{j}" for j in range(12)])
    frame["patient"] = [f"P{i:02d}" for i in who]
    frame["state"] = rng.permutation(np.repeat(["ill", "well"], 8))[who]
    page = visit(f"{PATH}?csv_data=Your+file")
    upload(page, "visits.csv", frame.to_csv(index=False))
    before = verdict(page).text_content()
    page.get_by_role("button", name="Keep together in folds", exact=True).click()
    after = page.get_by_text(re.compile("no evidence that any feature decides"))
    expect(after.first).to_be_visible()
    assert "no evidence" not in before
    assert page.problems == []


def test_a_table_on_its_side_is_turned_and_every_tab_opens(visit):
    page = visit(f"{PATH}?csv_data=Your+file")
    upload(page, "genes.csv", csv_of(sideways()))
    page.get_by_role("button", name="Turn the table", exact=True).click()
    verdict(page)
    for tab in ("Groups", "Fit and compare", "See", "Take home"):
        open_tab(page, tab)
        expect(page.get_by_text(MARKS[tab])).to_be_visible()
    # The race it is sent to has its own address, which a link and a reload need.
    page.get_by_role("button", name="Race the solvers on this table").click()
    expect(page).to_have_url(re.compile(r"/Solver_race\?.*race_data=My\+table"))
    page.go_back()
    expect(page).to_have_url(re.compile("/Classify_CSV"))
    assert page.problems == []


def test_a_labelled_second_table_is_scored(visit):
    frame = table(60)
    page = visit(f"{PATH}?csv_data=Your+file&csv_tab=Take+home&csv_tuning=By+hand")
    upload(page, "first.csv", frame.to_csv(index=False))
    other = table(90).iloc[60:].rename(columns={"age": "Age"})
    other = other.assign(pulse=1000 * other["pulse"])
    upload(page, "more.csv", other.to_csv(index=False), to=SECOND)
    expect(page.get_by_text(re.compile("The table lacks age"))).to_be_visible()
    page.get_by_text("Take Age for age").click()
    expect(page.get_by_text(re.compile("30 labelled rows"))).to_be_visible()
    expect(page.get_by_text(re.compile("The table lacks"))).to_have_count(0)
    expect(page.get_by_text(re.compile("drifted; most of all"))).to_be_visible()
    assert page.problems == []


def test_an_analysis_is_saved_and_restored(visit):
    page = visit(f"{PATH}?csv_data=Your+file")
    upload(page, "patients.csv", table().to_csv(index=False))
    said = verdict(page).text_content()
    open_tab(page, "Take home")
    page.get_by_text("With the table", exact=True).click()
    saved = downloaded(page, "Analysis with the table (JSON)")
    assert json.loads(saved)["data"] is not None
    fresh = page.context.browser.new_context()
    fresh.set_default_timeout(1000 * PATIENCE)
    other = fresh.new_page()
    other.goto(page.url.split("?")[0] + "?csv_data=Your+file")
    other.get_by_text("Restore an analysis").click()
    upload(other, "analysis.json", saved, to=SAVED)
    assert verdict(other).text_content() == said
    fresh.close()
    # The same browser finds its analysis after a reload, without any file.
    page.reload()
    assert verdict(page).text_content() == said
    assert page.problems == []


def test_the_path_is_read_by_dragging_and_the_model_stays(visit):
    page = visit(f"{PATH}?csv_tab=See")
    figure = page.locator("figure.live:visible")
    said, grip = figure.locator("figcaption"), figure.locator(".grip")
    expect(said).to_have_text(re.compile(r"^At β = 10, \d+ of 30 features are used$"))
    before = page.get_by_text(re.compile("of held-out rows correctly")).first.text_content()
    figure.scroll_into_view_if_needed()
    wait_until_settled(page)
    hand, box = grip.bounding_box(), figure.locator("svg").first.bounding_box()
    y = hand["y"] + hand["height"] / 2
    page.mouse.move(hand["x"] + hand["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 4, y, steps=8)
    expect(said).to_have_text(re.compile(r"^At β = 1000, \d+ of 30 features"))
    assert "csv_path_at" not in page.url, "it is told on release"
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"[?&]csv_path_at=1000\b"))
    wait_until_settled(page)
    after = page.get_by_text(re.compile("of held-out rows correctly")).first.text_content()
    assert after == before
    assert page.problems == []
