"""The page that classifies a table in a real browser: upload, train, read, download, reload."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score

from lab.own_table.samples import SAMPLES
from lab.tables import read_table
from lab.words import percent
from tests.browser.looks import (
    assert_accessible,
    assert_no_sideways_scroll,
    assert_on_first_screen,
    file_of,
    wait_until_settled,
)
from tests.lab.own_table.tables import case_of, run

ROOT = Path(__file__).resolve().parents[2]
PATH = "/Classify_CSV"


# What only this tab says, below its figures: once it is there, the tab is drawn.
MARKS = {
    "Data": "Next: under Groups say which",
    "Groups": "Next: Fit and compare shows",
    "Fit and compare": "Next: See shows where",
    "See": "Next: Take home has",
    "Take home": "Predict another table",
}


def table(n_rows: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((n_rows, 5)).round(3)
    frame = pd.DataFrame(X, columns=["age", "dose", "mass", "pulse", "heat"])
    frame["ward"] = np.where(rng.random(n_rows) < 0.4, "north", "south")
    frame.loc[::9, "dose"] = np.nan
    healthy = X[:, 0] - X[:, 3] + 0.4 * rng.standard_normal(n_rows) > 0
    frame["state"] = np.where(healthy, "well", "ill")
    return frame


TABLE, SECOND, SAVED = "Your table", "A second table", "An analysis saved by this page"


def upload(page, name: str, content: str | bytes, *, to: str = TABLE) -> None:
    """Give a file to the uploader that is called so: others come and go with the tabs."""
    data = content.encode() if isinstance(content, str) else content
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    place = page.get_by_test_id("stFileUploader").filter(has_text=to)
    place.locator("input[type=file]").set_input_files(file)


def open_tab(page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute(
        "aria-selected", "true"
    )


def downloaded(page, label: str) -> bytes:
    """What a button of the app at rest gives: that of a run before would give what was on show."""
    button = page.get_by_test_id("stDownloadButton").filter(has_text=label).first
    expect(button).to_be_visible()
    return file_of(button.get_by_role("button"))


def in_a_fresh_process(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_upload_label_train_read_scores_download_and_reload_the_model(visit, tmp_path):
    text = table().to_csv(index=False)
    page = visit(f"{PATH}?csv_data=Your+file&csv_tab=Data")
    upload(page, "patients.csv", text)
    expect(page.get_by_text(re.compile("patients.csv: 40 rows, 7 columns"))).to_be_visible()

    # The guess is "ward" or "state"; the label is set whatever was guessed.
    label = page.get_by_role("combobox", name=re.compile("Label column"))
    label.click()
    label.fill("state")
    label.press("Enter")
    answer = page.get_by_text(re.compile("of held-out rows correctly"))
    expect(answer).to_contain_text("guessing the training majority gets")
    expect(answer).to_contain_text("in 19 draws")

    open_tab(page, "Fit and compare")
    page.get_by_role("button", name="Run the comparison").click()
    expect(page.get_by_text("All models have done all folds.")).to_be_visible()
    rows = {
        row["model"]: row
        for row in csv.DictReader(io.StringIO(downloaded(page, "Scores (CSV)").decode()))
    }
    assert list(rows) == [
        "E-SVM(R)",
        "exclusive logistic",
        "SVM",
        "S-SVM",
        "Kong",
        "ℓ1 logistic",
        "random forest",
        "majority class",
    ]
    plain = read_table(text.encode(), "patients.csv")
    case = case_of(plain, label="state")
    prepared = case.prepared
    ours = [run(case, "esvm_r", fold).metrics["accuracy"] for fold in range(5)]
    assert float(rows["E-SVM(R)"]["accuracy"]) == np.mean(ours)
    majority = cross_val_score(
        DummyClassifier(strategy="most_frequent"),
        prepared.X,
        prepared.y,
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
    )
    assert float(rows["majority class"]["accuracy"]) == majority.mean()
    expect(answer).to_contain_text(f"classifies {percent(np.mean(ours))} of held-out rows")

    open_tab(page, "See")
    n_wrong = round(sum((1 - score) * 8 for score in ours))
    wrong = page.get_by_text(re.compile(f"{n_wrong} held-out predictions? of 40 (is|are) on the"))
    expect(wrong).to_be_visible()

    open_tab(page, "Take home")
    (tmp_path / "model.json").write_bytes(downloaded(page, "Model (JSON)"))
    (tmp_path / "table.csv").write_text(text)
    predicted = list(csv.DictReader(io.StringIO(downloaded(page, "Predictions (CSV)").decode())))
    code = f"""
import json
from pathlib import Path

from lab.tables import read_table
from solvers import load_model

model = load_model({str(tmp_path / "model.json")!r})
table = read_table(Path({str(tmp_path / "table.csv")!r}).read_bytes(), "table.csv")
scores, classes = model.decision_function(table.frame), model.predict(table.frame)
print(json.dumps([scores.tolist(), classes.tolist(), model.about["data"]["sha256"]]))
"""
    scores, classes, digest = json.loads(in_a_fresh_process(code))
    assert [float(row["score"]) for row in predicted] == scores
    assert [row["predicted"] for row in predicted] == classes
    assert digest == plain.digest
    card = downloaded(page, "Model card (Markdown)").decode()
    assert plain.digest in card and "| ℓ1 logistic |" in card

    other = table().drop(columns="state").iloc[:6]
    upload(page, "more.csv", other.to_csv(index=False), to=SECOND)
    told = list(csv.DictReader(io.StringIO(downloaded(page, "Predictions of this table").decode())))
    assert [row["score"] for row in told] == [row["score"] for row in predicted[:6]]

    script = downloaded(page, "Code (Python)").decode()
    path = str(tmp_path / "table.csv")
    printed = in_a_fresh_process(script.replace("FILE = 'patients.csv'", f"FILE = {path!r}"))
    assert printed.splitlines()[0] == f"held-out accuracy: {float(np.mean(ours))!r}"
    assert page.problems == []


def test_a_comparison_shows_progress_and_can_be_cancelled(visit):
    page = visit(f"{PATH}?csv_data=Digits")
    page.get_by_role("button", name="Fit only").click()
    expect(page.get_by_text(re.compile(r"\d+ of \d+ fits|Waiting: number"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Fit only")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    assert page.problems == []


PAYLOAD = '<img src=x onerror="window.hacked=1">'
NAMES = [
    PAYLOAD,
    "<script>window.hacked=2</script>",
    "[x](javascript:window.hacked=3)",
    "$\\alpha$",
]


def test_scripts_in_names_are_words(visit, tmp_path):
    frame = table().drop(columns="ward")
    frame.columns = [*NAMES, "heat", "<b>state</b>"]
    frame["<b>state</b>"] = frame["<b>state</b>"].map({"well": PAYLOAD, "ill": "=1+1"})
    page = visit(
        f"{PATH}?csv_data=Your+file&csv_tab=Data&csv_grouping=Source+column&csv_tuning=By+hand"
    )
    upload(page, f"{PAYLOAD}.csv", frame.to_csv(index=False))
    expect(page.get_by_text(re.compile("of held-out rows correctly"))).to_be_visible()
    for tab in ("Groups", "Fit and compare", "See", "Take home"):
        open_tab(page, tab)
        expect(page.get_by_text(MARKS[tab])).to_be_visible()
        wait_until_settled(page)
        if tab == "Fit and compare":
            ticks = page.locator(".js-plotly-plot .ytick")
            expect(ticks.filter(has_text=re.compile("^<img src=x"))).not_to_have_count(0)
        assert page.evaluate("window.hacked") is None
        assert page.locator("img[src=x], a[href^='javascript']").count() == 0
        assert page.locator("[data-testid=stMain] b").count() == 0
    page.get_by_text("Model card", exact=True).click()
    expect(page.get_by_text("Model card: E-SVM for")).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x], a[href^='javascript']").count() == 0
    held_out = downloaded(page, "Held-out rows (CSV)").decode()
    assert "'=1+1" in held_out and ",=1+1" not in held_out
    open_tab(page, "Fit and compare")
    figure = tmp_path / "figure.html"
    figure.write_bytes(downloaded(page, "Figure (HTML)"))
    assert page.problems == []
    alone = page.context.new_page()
    alone.goto(figure.as_uri())
    expect(alone.locator(".ytick").filter(has_text="<img src=x")).not_to_have_count(0)
    assert alone.evaluate("window.hacked") is None
    assert alone.locator("img[src=x]").count() == 0
    alone.close()


def test_arrow_key_moves_the_figure_and_the_address(visit):
    sample = SAMPLES["breast_cancer"]
    data = sample.table()
    page = visit(f"{PATH}?csv_tuning=By+hand")
    counts = []
    for beta in (10.0, 30.0):
        final = run(case_of(data, tuning="hand", beta=beta), "esvm_r", None)
        counts.append(np.count_nonzero(final.selected))
    title = page.locator(".js-plotly-plot .gtitle").first
    expect(title).to_have_text(re.compile(f"^{counts[0]} features used"))
    slider = page.get_by_role("slider", name=re.compile("Strength β"))
    assert_on_first_screen(page, slider)
    slider.focus()
    slider.press("ArrowRight")
    expect(title).to_have_text(re.compile(f"^{counts[1]} features used"))
    expect(page).to_have_url(re.compile(r"[?&]csv_beta=30\b"))
    assert page.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_tabs_fit_a_phone_and_are_accessible(visit, scheme):
    page = visit(f"{PATH}?csv_tab=Data", width=390, height=844, scheme=scheme)
    expect(page.get_by_text("20 of 31 columns")).to_be_visible()
    for tab in ("Data", "Groups", "See", "Take home"):
        open_tab(page, tab)
        expect(page.get_by_text(MARKS[tab])).to_be_visible()
        wait_until_settled(page)
        assert_no_sideways_scroll(page)
        assert_accessible(page)
    page.get_by_text("Model card", exact=True).click()
    tables = page.locator("[data-testid=stExpander] table:visible")
    expect(tables).to_have_count(2)
    for each in tables.all():
        assert each.evaluate("table => table.getBoundingClientRect().right") <= 390
    assert page.problems == []
