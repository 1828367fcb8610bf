"""The page that classifies a table, as Streamlit runs it: its numbers, its sentences, its files."""

import base64
import html
import json
import re
import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.own_table import fits, results, setup, work
from lab.own_table.case import Case, make_groupings
from lab.own_table.spec import TableSpec
from lab.own_table.view import runs, shelf
from lab.own_table.view.desk import Desk
from lab.running import jobs
from lab.tables import read_table
from lab.ui.uploads import Upload
from lab.words import percent
from solvers import ExclusiveSVC, Groups
from solvers.scales import default_n_groups
from tests import driver
from tests.driver import ran
from tests.lab.own_table.tables import default_columns
from tests.queues import ended

pytestmark = pytest.mark.usefixtures("few_draws")

PAGE = next(page for page in ui.PAGES if page.key == "classify_csv")


def page(**query) -> AppTest:
    return driver.opened(PAGE.key, **query)


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
    scores, wrong, always = [], 0, np.ones(30, dtype=bool)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        right = model.fit(X[train], y[train]).predict(X[test]) == y[test]
        scores.append(right.mean())
        wrong += np.count_nonzero(~right)
        weights = np.abs(model[-1].coef_[0])
        always &= weights > 1e-3 * weights.max()
    weights = np.abs(model.fit(X, y)[-1].coef_[0])
    used = weights > 1e-3 * weights.max()
    return np.mean(scores), np.count_nonzero(used), np.count_nonzero(used & always), wrong


HAND = {"tuning": "By hand"}


def test_page_opens_with_its_question_and_a_computed_verdict():
    at = page(**HAND)
    accuracy, used, always, _ = fitted_by_hand(1.0, 10.0)
    assert at.title[0].value == PAGE.question
    said = answer(at)
    assert said.startswith(
        f"**Breast cancer**: {used} of 30 features decide, {always} of them in every fold, in both "
        f"groups. E-SVM(R) classifies {percent(accuracy)} of held-out rows correctly "
        "(95 % interval "
    )
    assert ", where guessing the training majority gets 62.7 % and shuffled labels at best" in said
    assert said.endswith("in 19 draws (p = 0.05).")
    bars = charts(at)["Weights of the features"]
    assert bars["layout"]["title"]["text"].startswith(f"{used} features used")
    assert values(bars["data"][0]["x"]).size == used
    text = " ".join(text.value for text in at.markdown)
    assert "certified: relative gap" in text
    assert "**The page about accuracy** may order the methods otherwise for this table" in text


def test_the_first_visit_waits_for_nothing(monkeypatch):
    monkeypatch.setattr(work, "perform", lambda *_: pytest.fail("all of it is shipped"))
    at = page()
    assert answer(at).endswith("in 19 draws (p = 0.05).")
    assert list(at.dataframe[-1].value["folds"]) == ["5"] * 8
    assert not any(button.key == "csv_run" for button in at.button)
    captions = [plain(text.value) for text in at.caption]
    assert any("within one standard error of the best" in text for text in captions)
    opened(at, "Groups")
    assert any("half-samples" in text.value for text in ran(at).markdown)


def test_strengths_are_chosen_automatically_unless_one_asks():
    at = page()
    assert at.segmented_control(key="csv_tuning").value == "Automatic"
    captions = [plain(text.value) for text in at.caption]
    assert any("within one standard error of the best" in text for text in captions)
    assert not at.select_slider


def test_sliders_and_the_confusion_matrix_follow_the_strengths_of_the_address():
    accuracy, used, _, wrong = fitted_by_hand(0.1, 100.0)
    at = page(alpha="0.1", beta="100", tab="See", **HAND)
    assert f"{used} of 30 features" in answer(at) and f"{percent(accuracy)}" in answer(at)
    rows = next(text.value for text in at.markdown if "on the wrong side" in text.value)
    assert rows.startswith(f"{wrong} held-out predictions of 569 are on the wrong side")
    matrix = charts(at)["Confusion matrix"]
    counts = values(matrix["data"][0]["text"]).astype(int)
    title = matrix["layout"]["title"]["text"].replace("<br>", " ")
    assert counts.sum() == 569
    assert title.startswith(f"{counts.sum() - np.trace(counts)} of 569 held-out predictions are")
    # A lower line calls more rows positive, and the matrix follows.
    at.slider(key="csv_threshold").set_value(2)
    lower = values(charts(ran(at))["Confusion matrix"]["data"][0]["text"]).astype(int)
    assert lower[:, 1].sum() > counts[:, 1].sum()
    # Errors are counted at the price of the slider.
    at.select_slider(key="csv_price").set_value("10")
    costs = 10 * lower[1, 0] + lower[0, 1]
    said = [plain(each.value) for each in ran(at).caption]
    assert any(f"Its errors cost as much as {costs:,} false alarm" in text for text in said)


def test_moving_beta_recomputes_the_answer():
    at = page(**HAND)
    at.select_slider(key="csv_beta").set_value("100")
    accuracy, used, *_ = fitted_by_hand(1.0, 100.0)
    assert f"{used} of 30 features" in answer(ran(at)) and f"{percent(accuracy)}" in answer(at)


def test_a_link_sets_controls_of_closed_tabs_too():
    at = page(grouping="First word of the name", beta="30", **HAND)
    labels = [0] * 10 + [1] * 10 + [2] * 10
    accuracy, used, *_ = fitted_by_hand(1.0, 30.0, Groups.from_labels(labels))
    (weights,) = (chart for name, chart in charts(at).items() if name.startswith("Weights of"))
    assert weights["layout"]["title"]["text"].startswith(f"{used} features used")
    assert f". E-SVM classifies {percent(accuracy)}" in answer(at)
    assert page(grouping="nonsense", beta="nine").title[0].value == PAGE.question


@pytest.mark.parametrize(
    ("sample", "tab"),
    [
        *(("Wine", tab) for tab in ("Data", "Groups", "See", "Take home")),
        ("Known groups", "Fit and compare"),
    ],
)
def test_every_tab_and_small_sample_opens(sample, tab):
    at = page(data=sample, tab=tab, folds="3", **HAND)
    assert answer(at).startswith(f"**{sample}**") and not at.error


def test_a_large_sample_waits_for_a_button():
    at = page(data="Digits")
    assert at.button(key="csv_fit").label == "Fit only"
    text = " ".join(plain(each.value) for each in at.markdown)
    assert "1,797 rows, 61 features, 10 classes; fit it to see" in text
    assert not any("held-out rows" in each.value for each in at.markdown)


def test_the_path_is_that_of_the_class_chosen():
    at = page(data="Wine", tab="See", folds="3", **HAND)
    titles = []
    for place in (0, 2):
        box = next(box for box in at.selectbox if box.label == "Path of the class")
        box.set_value(box.options[place])
        path = charts(ran(at))["Weights over the strength"]
        titles.append(path["layout"]["title"]["text"].replace("<br>", " "))
        assert re.fullmatch(
            rf"At β = 10, \d+ of 13 features are used for {box.options[place]}", titles[-1]
        )
    assert titles[0] != titles[1]
    assert any("Weights by class" in text.value for text in at.markdown)
    weights = next(each.value for each in at.dataframe if "weight for class_2" in each.value)
    assert list(weights)[2:] == [f"weight for class_{k}" for k in range(3)]


def test_the_path_of_a_large_table_is_a_job(monkeypatch, own_queue):
    small = charts(page(tab="See", **HAND))["Weights over the strength"]
    monkeypatch.setattr(results, "PATH_AT_ONCE", 0)
    at = page(tab="See", **HAND)
    assert "Weights over the strength" not in charts(at)
    at.button(key="csv_path").click()
    ran(at)
    (job,) = jobs.shared_queue().jobs()
    assert at.button(key="csv_path_cancel").label == "Cancel"
    assert ended(job).state == "done" and not ran(at).error
    large = charts(at)["Weights over the strength"]
    assert large["layout"]["title"] == small["layout"]["title"]
    for one, other in zip(large["data"], small["data"], strict=True):
        assert one["x"] == other["x"] and one.get("name") == other.get("name")


def path_by_a_job(monkeypatch):
    """The page with a path that a job has found, before the page has looked; and the job."""
    monkeypatch.setattr(results, "PATH_AT_ONCE", 0)
    at = page(tab="See", **HAND)
    at.button(key="csv_path").click()
    ran(at)
    (job,) = jobs.shared_queue().jobs()
    assert ended(job).state == "done"
    return at, job


def test_a_path_that_ended_early_goes_on_where_it_was(monkeypatch, own_queue):
    at, job = path_by_a_job(monkeypatch)
    found = [value for _, value in job.snapshot().results]
    ran(at)
    paths = at.session_state["_csv_desk"].paths
    (key,) = paths
    paths[key] = dict(job.snapshot().results[:2])
    ran(at).button(key="csv_path").click()
    ran(at)
    again = jobs.shared_queue().jobs()[-1]
    assert [value for _, value in again.snapshot().results[:2]] == found[:2]
    assert ended(again).state == "done"


def test_a_finished_job_that_the_queue_has_forgotten_is_still_there(monkeypatch, own_queue):
    at, _ = path_by_a_job(monkeypatch)
    jobs.shared_queue()._jobs.clear()
    assert "Weights over the strength" in charts(ran(at))


@pytest.fixture
def small_comparison(monkeypatch, own_queue):
    """A page whose comparison is of two rivals, and its job, ended after some calls."""
    monkeypatch.setattr(fits, "compared_keys", lambda spec: ("esvm_r", "svm", "majority"))

    def started():
        at = uploaded(csv_of(small_frame(40)), tab="Fit and compare", folds="3")
        opened(at, "Fit and compare").button(key="csv_run").click()
        ran(at)
        (job,) = jobs.shared_queue().jobs()
        return at, job

    return started


def test_a_comparison_runs_to_its_end_and_rivals_stay_when_our_strength_changes(small_comparison):
    at, job = small_comparison()
    assert ended(job).state == "done" and not ran(at).error
    rows = at.dataframe[-1].value
    assert list(rows["model"]) == ["E-SVM(R)", "SVM", "majority class"]
    assert list(rows["folds"]) == ["3", "3", "3"]
    title = charts(at)["Scores"]["layout"]["title"]["text"]
    assert "leads in accuracy" in title and "So far" not in title
    at.query_params["csv_tuning"] = "By hand"
    at.session_state["csv_tuning"] = "By hand"
    assert list(ran(at).dataframe[-1].value["model"]) == ["E-SVM(R)", "SVM", "majority class"]
    ours = rows["accuracy"][0]
    at.select_slider(key="csv_beta").set_value("1000")
    moved = ran(at).dataframe[-1].value["accuracy"]
    assert moved[0] != ours and list(moved[1:]) == list(rows["accuracy"][1:])
    assert len(jobs.shared_queue().jobs()) == 1, "nothing ran again"
    # Whoever wins, or any other, can be taken home; it is fitted on all rows when asked for.
    opened(at, "Take home")
    assert any(text.value == "Another model of the comparison" for text in at.subheader)
    assert at.selectbox(key="csv_other").options == ["SVM"]
    assert "Model of SVM (JSON)" in {each.proto.label for each in at.get("download_button")}
    assert any(plain(each.value).startswith("Fitted on all rows (α = ") for each in at.caption)


def test_a_comparison_that_ended_early_never_poses_as_finished(small_comparison):
    at, job = small_comparison()
    assert ended(job).state == "done"
    ran(at)
    found = at.session_state["_csv_desk"].ledger._found
    for place in [place for place, value in found.items() if getattr(value, "key", "") == "svm"][
        1:
    ]:
        del found[place]
    ran(at)
    rows = at.dataframe[-1].value
    assert list(rows["folds"]) == ["3", "1 of 3", "3"]
    assert any("Ended early: SVM has not done all folds" in text.value for text in at.caption)
    assert "SVM" not in charts(at)["Scores"]["layout"]["title"]["text"].replace("E-SVM", "")
    assert at.button(key="csv_run").label == "Go on with the comparison"


# -- a file of one's own ---------------------------------------------------------------------


def test_an_uploaded_table_is_guessed_and_can_be_overridden():
    frame = small_frame()
    at = uploaded(csv_of(frame), tab="Data", folds="3")
    assert answer(at).startswith("**kind in table.csv**: ")
    label = next(box for box in at.selectbox if box.label == "Label column")
    assert label.value == "kind"
    label.set_value("colour")
    ran(at)
    said = answer(at)
    assert "no evidence that any feature decides" in said and "the training majority gets" in said
    left_out = next(box for box in at.multiselect if box.label == "Columns left out")
    left_out.set_value(["left", "middle"])
    ran(at)
    # One number and two indicators of the categorical column are left.
    assert "3 features" in " ".join(text.value for text in opened(at, "Groups").markdown)


def test_looking_at_the_data_does_not_undo_a_fit():
    data = wide_file(2_000)
    at = uploaded(data, "wide.csv")
    know(at, data)
    before = answer(ran(at))
    opened(at, "Data")
    assert answer(ran(at)) == before
    positive = next(box for box in at.selectbox if box.label == "Class that counts as positive")
    assert positive.value == "down", "the rarer one"
    positive.set_value("up")
    assert not any("held-out rows" in text.value for text in ran(at).markdown)


def test_after_an_upload_one_lands_on_label_and_columns():
    at = uploaded(csv_of(small_frame()))
    assert any(box.label == "Label column" for box in at.selectbox)
    assert any(text.value.startswith("Next: ") for text in at.caption)
    opened(at, "See")
    assert any(text.value.startswith("Next: *Take home*") for text in ran(at).caption)


def test_the_upload_survives_a_visit_to_another_page():
    at = uploaded(csv_of(small_frame()))
    before = answer(at)
    at.switch_page(ui.HOME.file)
    ran(at)
    at.switch_page(PAGE.file)
    at.query_params["csv_data"] = "Your file"
    assert answer(ran(at)) == before


def test_a_first_result_is_on_show_before_folds_that_one_would_wait_for(monkeypatch):
    """What is sent and what is fitted, in the order in which it happens."""
    happened, send, perform = [], ForwardMsgQueue.enqueue, runs._perform

    def enqueue(queue, message):
        element = message.delta.new_element
        happened.append(plain(element.markdown.body) or element.plotly_chart.alt)
        happened.append(element.button.label)
        send(queue, message)

    def performed(case, task, strengths):
        happened.append(task)
        return perform(case, task, strengths)

    def fits_of(part):
        return [each.part for each in part if getattr(each, "kind", "") == "fit"]

    monkeypatch.setattr(ForwardMsgQueue, "enqueue", enqueue)
    monkeypatch.setattr(runs, "_perform", performed)
    monkeypatch.setattr(fits, "IN_ONE_STEP", 0)
    at = uploaded(csv_of(small_frame()), folds="3", tab="Groups")
    for tab, first in (
        ("Groups", "so far: E-SVM(R) on all rows uses"),
        ("Fit and compare", "used, no fold"),
    ):
        if tab != "Groups":
            happened.clear()
            at.session_state["csv_seed"] = 1
            opened(at, tab)
        seen = next(k for k, each in enumerate(happened) if first in str(each))
        assert fits_of(happened[:seen]) == [None] and fits_of(happened[seen:]) == [0, 1, 2]
        folds = next(k for k, each in enumerate(happened) if getattr(each, "part", None) == 0)
        assert "Run the comparison" not in happened[:folds]
        assert "held-out rows" in answer(at) and "so far" not in answer(at)


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
    "few rows": ("x,y\n1,a\n2,b\n3,a\n", r"only 3 labelled rows, and at least 5 are needed"),
    "constant": (
        "x,y\n" + "1,a\n1,b\n" * 6,
        r"Nothing is left to learn from.*'x': Its only value is 1\)",
    ),
    "infinite": (
        "x,y\n" + "1,a\n2,b\ninf,a\n4,b\n" * 3,
        r"Nothing is left to learn from.*'x': 3 values of it are infinite",
    ),
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
    at = uploaded("a b;c d;y\n" + "1;2;u\n3;5;v\n4;4;u\n2;9;v\n" * 5, tab="Data", folds="3")
    next(box for box in at.selectbox if box.label == "Delimiter").set_value(",")
    ran(at)
    assert at.error
    next(box for box in at.selectbox if box.label == "Delimiter").set_value(";")
    ran(at)
    assert not at.error and "classifies" in answer(at)


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


# -- a wide file -----------------------------------------------------------------------------


def wide_file(n_features: int) -> bytes:
    """200 rows of digits, made by bytes: formatting numbers would take longer than reading them."""
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 10, (200, n_features), dtype=np.uint8)
    lines = np.full((200, 2 * n_features), ord(","), dtype=np.uint8)
    lines[:, ::2] = cells + ord("0")
    header = ",".join(f"gene{j}" for j in range(n_features)) + ",kind\n"
    labels = np.where(cells[:, 3] > 4, b"up", b"down")
    rows = b"\n".join(bytes(line) + label for line, label in zip(lines, labels, strict=True))
    return header.encode() + rows


def know(at: AppTest, data: bytes) -> None:
    """Put an analysis on the desk as a job leaves it, with weights nobody had to solve for."""
    table = read_table(data, "wide.csv")
    spec = TableSpec("kind", default_columns(table, "kind")[0])
    prepared = setup.prepare(table, spec)
    weights = np.zeros((1, prepared.n_features))
    weights[0, ::97] = 1.0
    ours = dict(key="esvm_r", coef=weights, gap=1e-7, strengths={"beta": 10.0, "alpha": 1.0})
    case = Case("wide.csv", table, spec, prepared, make_groupings(prepared, spec))
    final = fits.run(prepared, spec, case.groupings, "majority", None)
    # Most rows right, so that the interval leaves out guessing.
    right = np.where(prepared.y == 1, 1.0, -1.0)
    ledger = at.session_state["_csv_desk"].ledger
    for task in work.fit_tasks(spec, fits.own_work(spec)):
        test = np.arange(200) if task.part is None else np.arange(task.part, 200, 5)
        metrics = dict.fromkeys(final.metrics, 0.9 + 0.01 * (task.part or 0))
        changes = dict(fold=task.part, test=test, decision=right[test], metrics=metrics)
        ledger.put(case.table_key, task, replace(final, **ours, **changes))
    for task in work.chance_tasks(spec):
        ledger.put(case.table_key, task, np.full(19, 0.5))


def opened(at: AppTest, tab: str) -> AppTest:
    at.query_params["csv_tab"] = at.session_state["csv_tab"] = tab
    return ran(at)


class Counts:
    """What one run of a page sends and how many functions it calls."""

    def __init__(self, monkeypatch):
        self.bytes = self.calls = 0
        send = ForwardMsgQueue.enqueue

        def enqueue(queue, message):
            self.bytes += message.ByteSize()
            send(queue, message)

        monkeypatch.setattr(ForwardMsgQueue, "enqueue", enqueue)

    def of_a_rerun(self, at: AppTest) -> tuple[int, int]:
        ran(at)  # what is remembered from run to run is remembered now
        self.bytes = self.calls = 0
        threading.setprofile(self._count)
        try:
            ran(at)
        finally:
            threading.setprofile(None)
        return self.bytes, self.calls

    def _count(self, frame, event, argument):
        self.calls += event in ("call", "c_call")


def test_a_rerun_with_200_rows_of_20000_columns_costs_what_one_of_2000_does(monkeypatch):
    counts, found = Counts(monkeypatch), {}
    for n_features in (2_000, 20_000):
        data = wide_file(n_features)
        at = uploaded(data, "wide.csv", tab="Data")
        know(at, data)
        for tab in ("Data", "Groups", "Fit and compare", "See", "Take home"):
            opened(at, tab)
            assert f"of {n_features:,} features decide" in answer(at)
            assert not at.multiselect and not at.error
            assert all(len(table.value.columns) <= 20 for table in at.dataframe)
            assert all(len(box.options) <= 201 for box in at.selectbox)
            found[tab, n_features] = counts.of_a_rerun(at)
    for (tab, n_features), (sent, calls) in found.items():
        _, calls_of_few = found[tab, 2_000]
        assert sent < 100_000, tab
        # Far less than one call for each of the columns that one table has and the other has not.
        assert calls <= calls_of_few + 0.25 * (n_features - 2_000), tab


# -- groups from a file, and another table to predict ----------------------------------------


def test_groups_from_a_file():
    at = uploaded(csv_of(small_frame()), tab="Groups", grouping="A file", folds="3")
    assert "There is no group file yet" in errors(at)[0]
    text = "feature,group\nleft,one\nmiddle,one\nmiddle,two\ncolour,two\n"
    at.file_uploader(key="csv_groups_uploader").upload("groups.csv", text.encode(), "text/csv")
    ran(at)
    assert not at.error
    said = [text.value for text in at.markdown]
    assert any(text.startswith("3 overlapping groups of 1 to 3 features.") for text in said)
    assert any(plain(text) == "In force: **groups.csv**, 2 sets." for text in said)
    assert any("1 feature in no set" in text.value for text in at.caption)


def test_groups_from_a_second_row_of_names():
    at = uploaded(csv_of(small_frame()), tab="Groups", grouping="Second header")
    assert "The table has no second row of names" in errors(at)[0]
    names, *rows = csv_of(small_frame()).splitlines()
    columns = names.split(",")
    numbers = {
        name: f"set {k // 2}" for k, name in enumerate(small_frame().select_dtypes("number"))
    }
    groups = ",".join(numbers.get(name, "") for name in columns)
    at = uploaded("\n".join([names, groups, *rows]), tab="Groups", folds="3")
    assert any("The table tells groups" in text.value for text in at.caption)
    told = dict(grouping="Second header", folds="3")
    at = uploaded("\n".join([names, groups, *rows]), tab="Groups", **told)
    assert not at.error
    assert any("set 0" in str(frame.value) for frame in at.dataframe)


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
    assert table.shape == (9, 5) and set(table["predicted"]) <= {"up", "down"}


def test_a_near_name_once_accepted_is_no_problem_any_more():
    frame = small_frame()
    at = uploaded(csv_of(frame), tab="Take home")
    other = small_frame(9, seed=5).rename(columns={"left": "Left"})
    other.insert(0, "sample", [f"S{k}" for k in range(9)])
    second = at.file_uploader(key="csv_second_uploader")
    second.upload("new.csv", csv_of(other.assign(extra=1)).encode(), "text/csv")
    assert "The table lacks left" in errors(ran(at))[0]
    at.toggle(key="csv_rename").set_value(True)
    assert not errors(ran(at))
    notes = [plain(text.value) for text in at.caption]
    # The label is not unused: it scores.
    assert "Carried along, for they name rows: sample." in notes and "Not used: extra." in notes
    assert any("External validation" in plain(text.value) for text in at.markdown)


def test_a_second_table_has_reading_options_of_its_own():
    frame = small_frame()
    at = uploaded(csv_of(frame), tab="Take home")
    other = small_frame(9, seed=5).drop(columns="kind")
    other["left"] = other["left"].astype(object).where(other.index != 2, "gone")
    text = csv_of(other).replace(",", "|")

    def upload(data: str) -> None:
        at.file_uploader(key="csv_second_uploader").upload("new.csv", data.encode(), "text/csv")
        ran(at)

    def choose(kind, label, value):
        next(box for box in kind if box.label == label).set_value(value)
        ran(at)

    upload(text)
    assert any("separated by pipe" in plain(note.value) for note in at.caption)
    # A word among numbers makes the column text, which the model cannot take.
    assert "left" in errors(at)[0]
    choose(at.text_input, "Missing values", "gone")
    assert not at.error and at.dataframe[-1].value.shape == (9, 5)
    choose(at.selectbox, "Delimiter", ",")
    assert "The table lacks" in errors(at)[0]
    choose(at.selectbox, "Delimiter", "auto")
    assert not at.error
    upload("")
    assert "is empty" in errors(at)[0]
    assert {box.label for box in at.selectbox} >= {"Delimiter", "Encoding", "Format"}


def test_a_second_table_is_read_as_the_first_was_told_to_be():
    frame = small_frame()
    frame["left"] = frame["left"].astype(object).where(frame.index % 7 != 2, "gone")
    at = uploaded(csv_of(frame), tab="Data", folds="3")
    next(box for box in at.text_input if box.label == "Missing values").set_value("gone")
    opened(ran(at), "Take home")
    other = csv_of(frame.drop(columns="kind")).encode()
    at.file_uploader(key="csv_second_uploader").upload("new.csv", other, "text/csv")
    ran(at)
    assert not at.error and at.dataframe[-1].value.shape[0] == len(frame)
    boxes = [box for box in at.text_input if box.label == "Missing values"]
    assert [box.value for box in boxes] == ["gone"]


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


# -- reload and second tab -------------------------------------------------------------------


@pytest.fixture
def one_browser(monkeypatch):
    """All pages of a test come from one browser; another one is told by its own token."""
    shelf._shelf.clear()
    who = {"token": "a" * 32}
    monkeypatch.setattr(shelf, "browser_token", lambda: who["token"])
    yield who
    shelf._shelf.clear()


def test_a_reload_and_a_second_tab_find_the_analysis_and_another_browser_does_not(
    one_browser, monkeypatch
):
    at = uploaded(csv_of(small_frame(40)), folds="3", tab="Data")
    at.selectbox(key="csv_target").set_value("Classes")
    said = answer(ran(at))
    monkeypatch.setattr(fits, "run", lambda *_: pytest.fail("nothing is fitted again"))
    again = page(data="Your file", folds="3", tab="Data", target="Classes")
    assert answer(again) == said and not again.error
    one_browser["token"] = "b" * 32
    assert "Nothing to analyse yet." in [text.value for text in page(data="Your file").markdown]


def test_what_a_tab_removes_is_gone_and_what_it_never_saw_stays(one_browser):
    first = page(data="Your file")
    second = uploaded(csv_of(small_frame(24)), folds="3", tab="Data")
    ran(first)  # knows nothing of the file, and takes nothing away
    assert answer(page(data="Your file", folds="3", tab="Data")) == answer(second)
    del second.session_state["_upload:csv"]
    ran(second)
    assert "Nothing to analyse yet." in [text.value for text in page(data="Your file").markdown]


def test_the_browsers_token_is_read_from_its_cookie_and_only_if_it_is_one(monkeypatch):
    token, mask = bytes(range(16)), bytes.fromhex("47aac8c1")
    masked = bytes(byte ^ mask[k % 4] for k, byte in enumerate(token))
    cookies = {"_streamlit_xsrf": f"2|{mask.hex()}|{masked.hex()}|1794968572"}
    monkeypatch.setattr(shelf.st, "context", SimpleNamespace(cookies=cookies))
    assert shelf.browser_token() == token.hex()
    for odd in ("", "2|zz|zz|1", "2||00|1", "1|2"):
        cookies["_streamlit_xsrf"] = odd
        assert shelf.browser_token() is None


def test_the_shelf_keeps_few_visits_and_not_for_long():
    held = shelf.Shelf()
    for k in range(shelf.MOST_VISITS + 3):
        held.put(str(k), shelf.Visit(Desk()), float(k))
    assert held.get("0", 20.0) is None and held.get(str(shelf.MOST_VISITS), 20.0) is not None
    assert held.get(str(shelf.MOST_VISITS), 1e6) is None
    large = Upload("t.csv", bytes(shelf.MOST_BYTES), "")
    held.put("large", shelf.Visit(Desk(), {"csv": large}), 21.0)
    assert held.get("14", 21.0) is not None
    held.put("larger", shelf.Visit(Desk(), {"csv": large}), 22.0)
    assert held.get("large", 22.0) is None and held.get("larger", 22.0) is not None
