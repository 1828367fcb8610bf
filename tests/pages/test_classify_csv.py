"""The page that classifies a table, as Streamlit runs it: its numbers, its sentences, its files."""

import base64
import html
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from streamlit.testing.v1 import AppTest

from lab import ui
from solvers import ExclusiveSVC, Groups
from solvers.estimators import default_n_groups

ROOT = Path(__file__).resolve().parents[2]
PAGE = next(page for page in ui.PAGES if page.key == "classify_csv")


def page(**query) -> AppTest:
    at = AppTest.from_file(str(ROOT / ui.HOME.file), default_timeout=120)
    at.switch_page(PAGE.file)
    for name, value in query.items():
        at.query_params[f"csv_{name}"] = value
    return ran(at)


def ran(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception
    return at


def uploaded(data: bytes | str, name: str = "table.csv", **query) -> AppTest:
    at = page(data="Your file", **query)
    data = data.encode() if isinstance(data, str) else data
    at.file_uploader(key="csv_uploader").upload(name, data, "text/csv")
    return ran(at)


def plain(text: str) -> str:
    """Markdown as its reader sees it."""
    return html.unescape(re.sub(r"\\(.)", r"\1", text)).replace("\u2060", "")


def answer(at: AppTest) -> str:
    return plain(next(text.value for text in at.markdown if "held-out rows" in text.value))


def errors(at: AppTest) -> list[str]:
    return [plain(error.value) for error in at.error]


def charts(at: AppTest) -> dict[str, dict]:
    return {
        element.proto.alt.split(".")[0]: json.loads(element.proto.spec)
        for element in at.get("plotly_chart")
    }


def values(column) -> np.ndarray:
    if isinstance(column, dict):
        flat = np.frombuffer(base64.b64decode(column["bdata"]), dtype=column["dtype"])
        shape = column.get("shape")
        return flat.reshape([int(n) for n in shape.split(",")]) if shape else flat
    return np.array(column)


def csv_of(frame: pd.DataFrame) -> str:
    return frame.to_csv(index=False)


def small_frame(n_rows=24, seed=1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 3))
    frame = pd.DataFrame(X.round(3), columns=["left", "middle", "right"])
    frame["colour"] = np.where(rng.random(n_rows) < 0.5, "red", "blue")
    frame["kind"] = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, "up", "down")
    return frame


# -- the sample that greets ------------------------------------------------------------------


def fitted_by_hand(alpha: float, beta: float, groups=None):
    """Breast cancer by scikit-learn's tools and `solvers` alone."""
    X, y = load_breast_cancer(return_X_y=True)
    y = 1 - y
    groups = groups or Groups.random(30, default_n_groups(30, 569), 0)
    model = make_pipeline(StandardScaler(), ExclusiveSVC(alpha, beta, groups=groups, tol=1e-6))
    scores, wrong = [], 0
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        right = model.fit(X[train], y[train]).predict(X[test]) == y[test]
        scores.append(right.mean())
        wrong += np.count_nonzero(~right)
    weights = np.abs(model.fit(X, y)[-1].coef_[0])
    return np.mean(scores), int(np.count_nonzero(weights > 1e-3 * weights.max())), wrong


def test_page_opens_with_its_question_and_a_computed_answer():
    at = page()
    accuracy, used, _ = fitted_by_hand(1.0, 10.0)
    assert at.title[0].value == PAGE.question
    assert answer(at) == (
        f"**Breast cancer**: {used} of 30 features decide, in both groups; with them E-SVM(R) "
        f"classifies {accuracy:.1%} of held-out rows correctly, where always guessing the largest "
        "class gets 62.7%."
    )
    bars = charts(at)["Weights of the features"]
    assert bars["layout"]["title"]["text"].startswith(f"{used} features used")
    assert values(bars["data"][0]["x"]).size == used
    assert "certified: relative gap" in " ".join(text.value for text in at.markdown)


def test_sliders_and_the_confusion_matrix_follow_the_strengths_of_the_address():
    accuracy, used, wrong = fitted_by_hand(0.1, 100.0)
    at = page(alpha="0.1", beta="100", tab="See")
    assert f"{used} of 30 features" in answer(at) and f"{accuracy:.1%}" in answer(at)
    matrix = charts(at)["Confusion matrix"]
    assert matrix["layout"]["title"]["text"] == f"{wrong} of 569 held-out predictions are wrong"
    counts = values(matrix["data"][0]["text"]).astype(int)
    assert counts.sum() == 569 and counts.sum() - np.trace(counts) == wrong


def test_moving_beta_recomputes_the_answer():
    at = page()
    at.select_slider(key="csv_beta").set_value("100")
    accuracy, used, _ = fitted_by_hand(1.0, 100.0)
    assert f"{used} of 30 features" in answer(ran(at)) and f"{accuracy:.1%}" in answer(at)


def test_a_link_sets_controls_of_closed_tabs_too():
    at = page(grouping="First word of the name", beta="30")
    labels = [0] * 10 + [1] * 10 + [2] * 10
    accuracy, used, _ = fitted_by_hand(1.0, 30.0, Groups.from_labels(labels))
    assert f"{used} of 30 features decide, in all 3 groups; with them E-SVM " in answer(at)
    assert f"{accuracy:.1%}" in answer(at)
    assert page(grouping="nonsense", beta="nine").title[0].value == PAGE.question


@pytest.mark.parametrize(
    ("sample", "tab"),
    [
        *(("Wine", tab) for tab in ("Data", "Groups", "See", "Take home")),
        ("Known groups", "Fit and compare"),
    ],
)
def test_every_tab_and_small_sample_opens(sample, tab):
    at = page(data=sample, tab=tab)
    assert answer(at).startswith(f"**{sample}**") and not at.error


def test_a_large_sample_waits_for_a_button():
    at = page(data="Digits")
    assert at.button(key="csv_fit").label == "Fit only"
    text = " ".join(plain(each.value) for each in at.markdown)
    assert "1,797 rows, 61 features, 10 classes; fit it to see" in text
    assert not any("held-out rows" in each.value for each in at.markdown)


# -- a file of one's own ---------------------------------------------------------------------


def test_an_uploaded_table_is_guessed_and_can_be_overridden():
    frame = small_frame()
    at = uploaded(csv_of(frame), tab="Data")
    assert answer(at).startswith("**table.csv**: ")
    label = next(box for box in at.selectbox if box.label == "Label column")
    assert label.value == "kind"
    label.set_value("colour")
    ran(at)
    share = frame["colour"].value_counts(normalize=True).max()
    assert answer(at).endswith(f"gets {share:.1%}.")
    left_out = next(box for box in at.multiselect if box.label == "Columns left out")
    left_out.set_value(["left", "middle"])
    ran(at)
    # One number and two indicators of the categorical column are left.
    assert re.search(r"\d of 3 features decide", answer(at))


def test_the_upload_survives_a_visit_to_another_page():
    at = uploaded(csv_of(small_frame()))
    before = answer(at)
    at.switch_page(ui.HOME.file)
    ran(at)
    at.switch_page(PAGE.file)
    at.query_params["csv_data"] = "Your file"
    assert answer(ran(at)) == before


def test_an_upload_belongs_to_its_session_alone():
    uploaded(csv_of(small_frame()))
    at = page(data="Your file")
    assert any(text.value.startswith("Upload a table above") for text in at.markdown)


SENTENCES = {
    "one class": (
        "x,y\n" + "".join(f"{i}.5,a\n" for i in range(10)),
        r"'y' has one class only \('a' in all 10 rows\)",
    ),
    "one member": ("x,y\n" + "1,a\n2,a\n" * 5 + "3,b\n", r"Class 'b' of 'y' has one member only"),
    "few members": ("x,y\n" + "1,a\n2,a\n" * 5 + "3,b\n4,b\n", r"at most 2 folds"),
    "quantity": (
        "x,y\n" + "".join(f"{i}.5,{i * 1.37 + 0.1:.3f}\n" for i in range(40)),
        r"looks like a quantity and not like classes",
    ),
    "few rows": ("x,y\n1,a\n2,b\n3,a\n", r"only 3 labelled rows, and at least 5 are needed"),
    "constant": ("x,y\n" + "1,a\n1,b\n" * 6, r"there is no column to learn from"),
    "empty": ("", r"is empty"),
    "image": (b"\x89PNG\r\n\x1a\n" + bytes(200), r"PNG"),
}


@pytest.mark.parametrize("case", list(SENTENCES))
def test_what_is_wrong_is_said_in_a_sentence_and_the_options_stay(case):
    data, sentence = SENTENCES[case]
    at = uploaded(data, tab="Data")
    assert len(at.error) == 1
    assert re.search(sentence, errors(at)[0])
    assert {box.label for box in at.selectbox} >= {"Delimiter", "Encoding", "Format"}


def test_a_wrong_delimiter_is_mended_by_the_option_that_stays():
    at = uploaded("a b;c d;y\n" + "1;2;u\n3;5;v\n4;4;u\n2;9;v\n" * 5, tab="Data")
    next(box for box in at.selectbox if box.label == "Delimiter").set_value(",")
    ran(at)
    assert at.error
    next(box for box in at.selectbox if box.label == "Delimiter").set_value(";")
    ran(at)
    assert not at.error and "of 2 features decide" in answer(at)


HOSTILE = "<img src=x onerror=alert(1)>"
PAYLOADS = [
    HOSTILE,
    "**bold** $x$ :red[r]",
    "[l](javascript:alert(1))",
    "</script><script>alert(1)",
]


@pytest.mark.parametrize("tab", ["Data", "Groups", "Fit and compare", "See", "Take home"])
def test_hostile_names_are_words_on_every_tab(tab):
    frame = small_frame().drop(columns="colour")
    frame.columns = [*PAYLOADS[:3], PAYLOADS[3]]
    frame[PAYLOADS[3]] = frame[PAYLOADS[3]].map({"up": HOSTILE, "down": "=1+1"})
    at = uploaded(csv_of(frame), f"{HOSTILE}.csv", tab=tab, grouping="Source column")
    shown = [text.value for text in (*at.markdown, *at.caption, *at.error)]
    for text in shown:
        assert "<img" not in text and "<script" not in text
        assert "](javascript" not in text and ":red[" not in text and "**bold**" not in text
    for element in at.get("plotly_chart"):
        assert "<img" not in element.proto.spec and "<script" not in element.proto.spec


def test_a_wide_table_sends_twenty_columns_and_no_list_of_names():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 1500)).round(2)
    frame = pd.DataFrame(X, columns=[f"gene{j}" for j in range(1500)])
    frame["kind"] = np.where(X[:, 3] > 0, "up", "down")
    at = uploaded(csv_of(frame), tab="Data")
    assert all(len(table.value.columns) <= 20 for table in at.dataframe)
    assert not at.multiselect
    label = next(box for box in at.selectbox if box.label == "Label column")
    assert label.value == "kind" and len(label.options) <= 201


# -- groups from a file, and another table to predict ----------------------------------------


def test_groups_from_a_file():
    at = uploaded(csv_of(small_frame()), tab="Groups", grouping="A file")
    assert "there is no group file yet" in errors(at)[0]
    text = "feature,group\nleft,one\nmiddle,one\nmiddle,two\ncolour,two\n"
    at.file_uploader(key="csv_groups_uploader").upload("groups.csv", text.encode(), "text/csv")
    ran(at)
    assert not at.error
    said = [text.value for text in at.markdown]
    assert any(text.startswith("3 overlapping groups of 1 to 3 features.") for text in said)


def test_a_second_table_is_predicted_by_the_saved_model_or_told_what_it_lacks():
    frame = small_frame()
    at = uploaded(csv_of(frame), tab="Take home")
    other = small_frame(9, seed=5).drop(columns="kind").assign(extra=1)
    second = at.file_uploader(key="csv_second_uploader")
    second.upload("new.csv", csv_of(other.drop(columns="left")).encode(), "text/csv")
    ran(at)
    assert "The table lacks left, which the model needs" in errors(at)[0]
    second = at.file_uploader(key="csv_second_uploader")
    second.upload("new.csv", csv_of(other).encode(), "text/csv")
    ran(at)
    assert not at.error
    assert any(plain(text.value) == "Not used: extra." for text in at.caption)
    table = at.dataframe[-1].value
    assert table.shape == (9, 3) and set(table["predicted"]) <= {"up", "down"}


def test_downloads_are_a_model_a_card_and_tables():
    at = uploaded(csv_of(small_frame()), tab="Take home")
    labels = {button.proto.label for button in at.get("download_button")}
    assert labels >= {
        "Model (JSON)",
        "Model card (Markdown)",
        "Predictions (CSV)",
        "Held-out rows (CSV)",
        "Data (CSV)",
        "Code (Python)",
    }
