"""What is chosen about a table's columns is in the address, by place and never by name."""

import json

import numpy as np
import pandas as pd
import pytest

from lab.ui import history
from tests.pages.test_addresses import screen
from tests.pages.test_classify_csv import answer, csv_of, opened, page, plain, ran, uploaded

pytestmark = pytest.mark.usefixtures("few_draws")


def frame(n_rows=36, seed=3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 4))
    made = pd.DataFrame(X.round(3), columns=["secret_a", "secret_b", "secret_c", "secret_d"])
    made["code"] = rng.integers(1, 4, n_rows)
    made["ward"] = np.resize(["aleph", "beth", "gimel", "dalet", "vav", "zayin"], n_rows)
    made["other"] = np.where(X[:, 2] > 0.1, "plus", "minus")
    made["state"] = np.where(X[:, 0] - X[:, 1] > 0, "ill", "well")
    return made


DATA = csv_of(frame())


def chosen(at) -> dict:
    said = at.query_params["csv_choices"]
    return json.loads(said[0] if isinstance(said, list) else said)


def box(at, label: str):
    every = [*at.selectbox, *at.multiselect, *at.checkbox, *at.text_area, *at.text_input]
    return next(widget for widget in every if widget.label == label)


MOVES = {
    "Label column": "other",
    "Keep together in folds": "ward",
    "Columns left out": ["secret_b", "ward"],
    "Numbers that are categories": ["code"],
    "Covariates, never left out": ["secret_c"],
    "Weight at least 0": ["secret_a"],
    "Weight at most 0": ["secret_b"],
    "Class that counts as positive": "well",
    "Features are rows": True,
    "Missing values": "gone lost",
}


@pytest.mark.parametrize(
    "labels",
    [[label] for label in MOVES]
    + [
        ["Label column", "Keep together in folds", "Columns left out"],
        ["Numbers that are categories", "Weight at most 0", "Class that counts as positive"],
    ],
    ids=lambda labels: ", ".join(labels),
)
def test_whoever_opens_the_link_with_the_file_sees_the_same_screen(labels):
    at = uploaded(DATA, tab="Data", folds="3")
    for label in labels:
        ran(box(at, label).set_value(MOVES[label]))
    address = dict(at.query_params)
    assert not any(name in json.dumps(address) for name in (*frame(), *("well", "plus", "aleph")))

    again = page(**{name.removeprefix("csv_"): value for name, value in address.items()})
    text = " ".join(plain(each.value) for each in again.markdown)
    assert f"the file whose SHA-256 begins with {chosen(at)['of']}" in text
    again.file_uploader(key="csv_uploader").upload("table.csv", DATA.encode(), "text/csv")
    ran(again)
    assert screen(again, "csv_") == screen(at, "csv_")
    assert dict(again.query_params) == address
    for label in labels:
        assert box(again, label).value == MOVES[label]


def test_another_file_than_the_links_is_told_apart_and_read_as_usual():
    at = uploaded(DATA, tab="Data", folds="3")
    ran(box(at, "Label column").set_value("other"))
    again = page(**{name.removeprefix("csv_"): v for name, v in at.query_params.items()})
    other = csv_of(frame(seed=4)).encode()
    ran(again.file_uploader(key="csv_uploader").upload("table.csv", other, "text/csv"))
    assert any("this is another; its choice of columns" in each.value for each in again.caption)
    assert box(again, "Label column").value != "other"


def test_a_samples_choices_are_in_the_address_and_reset_takes_them_out():
    at = page(data="Breast cancer", tab="Data", tuning="By hand")
    assert "csv_choices" not in at.query_params
    plain_answer = answer(at)
    ran(box(at, "Class that counts as positive").set_value("benign"))
    left = box(at, "Columns left out").options[:20]
    ran(box(at, "Columns left out").set_value(left))
    assert chosen(at) == {
        "of": "breast_cance",
        "left_out": list(range(1, 21)),
        "positive": 0,
    }
    again = page(**{name.removeprefix("csv_"): v for name, v in at.query_params.items()})
    assert screen(again, "csv_") == screen(at, "csv_") and answer(again) != plain_answer
    # It counts in tabs where its controls are not drawn.
    assert answer(opened(again, "Fit and compare")) == answer(at)
    ran(next(b for b in opened(again, "Data").button if b.label == "Reset").click())
    assert "csv_choices" not in again.query_params and answer(again) == plain_answer


def test_a_samples_other_columns_can_be_predicted_and_the_headline_says_which():
    at = page(data="Wine", tab="Data", tuning="By hand", folds="3")
    assert answer(at).startswith("**Wine**: ")
    ran(box(at, "Label column").set_value("proline"))
    assert answer(at).startswith("**proline in Wine**: ") and "of the variance" in answer(at)
    for tab in ("Groups", "Fit and compare", "See", "Take home"):
        assert not opened(at, tab).exception


def test_back_to_an_address_without_choices_takes_them_back(monkeypatch):
    at = uploaded(DATA, tab="Data", folds="3")
    assert box(at, "Label column").value == "state"
    first = dict(at.query_params)
    ran(box(at, "Label column").set_value("other"))
    monkeypatch.setattr(history, "is_followed", lambda: True)
    at.query_params["csv_choices"] = first["csv_choices"]
    assert box(ran(at), "Label column").value == "state"


@pytest.mark.parametrize(
    "text",
    [
        *("no json", "[]", "7", "null", '{"of": 3}', '{"of": "wine"}'),
        '{"of":"wine","label":99,"left_out":[-1,"x",4000],"positive":"1","subjects":null}',
        '{"of":"wine","left_out":7,"logs":{"a":1},"distinct":"yes","read":[1]}',
    ],
)
def test_an_address_that_means_nothing_is_passed_over(text):
    at = page(data="Wine", tab="Data", tuning="By hand", folds="3", choices=text)
    assert not at.error and answer(at).startswith("**Wine**")
