"""One screen, one spec, in every state of a table's analysis: before a run, during, cancelled,
complete, and with other data loaded before and after.

The queue is one that the test moves itself, a call at a time, so each state is looked at.
"""

import json
from collections import Counter

import numpy as np
import pytest

from lab import exports, ui
from lab.own_table import fits, setup
from lab.own_table.view import examined, runs, shelf
from lab.running import jobs
from lab.ui.keeping import KEEP
from lab.words import percent
from tests.lab.sentences import faults
from tests.pages.test_classify_csv import charts, csv_of, opened, page, plain, ran, small_frame

FILE, BEFORE, AFTER = "table.csv", "Breast cancer", "Wine"
OWN = f"kind in {FILE}"


class Job:
    """A job of the queue whose calls are made when the test says so."""

    id = "by hand"

    def __init__(self, function, calls, options):
        self.function, self.calls, self.options = function, calls, options
        self.state, self.results = "running", ()
        self.keep_running = options["keep_running"]

    def step(self, done: int) -> None:
        for index in range(len(self.results), done):
            self.results += ((index, self.function(*self.calls[index])),)
        if done == len(self.calls):
            self.state = "done"

    def snapshot(self) -> jobs.Snapshot:
        done = len(self.results)
        return jobs.Snapshot(
            *(self.state, 0, 0.0, done, len(self.calls), 10.0 * done, None, self.results, "")
        )

    def cancel(self) -> None:
        self.state = "cancelled"

    def touch(self) -> None:
        pass


@pytest.fixture
def bench(monkeypatch):
    """The file on the page after a sample, too large to be fitted at once; what was offered."""
    submitted, offered = [], []

    class Queue:
        def submit(self, title, function, calls, **options):
            submitted.append(Job(function, calls, options))
            return submitted[-1]

    offer = ui.ExportRow.offer
    monkeypatch.setattr(
        ui.ExportRow, "offer", lambda row, export: (offered.append(export), offer(row, export))[1]
    )
    monkeypatch.setattr(fits, "compared_keys", lambda spec: ("esvm_r", "svm", "majority"))
    monkeypatch.setattr(runs, "shared_queue", Queue)
    at = page(folds="3")
    assert said(at)[0].startswith(f"**{BEFORE}**")
    monkeypatch.setattr(fits, "AT_ONCE", 0)
    at.segmented_control(key="csv_data").set_value("Your file")
    ran(at)
    at.file_uploader(key="csv_uploader").upload(FILE, csv_of(small_frame(40)).encode(), "text/csv")
    ran(at)
    opened(at, "Fit and compare")
    offered.clear()
    return at, submitted, offered


def said(at) -> list[str]:
    """Every sentence of the page but the explanation that is the same for all tables."""
    words = [plain(text.value) for text in [*at.markdown, *at.caption, *at.warning]]
    titles = [
        chart["layout"]["title"]["text"].replace("<br>", " ") for chart in charts(at).values()
    ]
    alts = [element.proto.alt for element in at.get("plotly_chart")]
    found = [*words, *titles, *alts]
    assert not faults(found)
    return [text for text in found if "**The verdict.**" not in text]


def only_of(at, name: str) -> str:
    """All that is said, of one table and of no other."""
    every = said(at)
    text = "\n".join(every)
    assert any(each.startswith(f"**{name}**") for each in every)
    for other in {OWN, BEFORE, AFTER} - {name}:
        assert f"**{other}**" not in text
    return text


def used(outcome) -> int:
    size = np.abs(outcome.coef[0])
    return int(np.count_nonzero(size > 1e-3 * size.max()))


def title(at, of: str) -> str:
    return charts(at)[of]["layout"]["title"]["text"].replace("<br>", " ")


def scored(results, metric="accuracy") -> float:
    """The mean over the folds that are done of our own model."""
    return np.mean([each.metrics[metric] for _, each in results if each.fold is not None])


def test_before_a_run_nothing_is_claimed_and_nothing_offered(bench):
    at, _, offered = bench
    text = only_of(at, OWN)
    assert "40 rows, 5 features, 2 classes; fit it to see" in text
    assert not charts(at) and not offered
    for word in ("decide", "leads", "certified", "held-out rows"):
        assert word not in text.replace("which features decide", "")


def test_during_a_run_our_own_result_is_there_first_and_says_so_far(bench):
    at, submitted, offered = bench
    ran(at.button(key="csv_run").click())
    (job,) = submitted
    assert "fit it to see" in only_of(at, OWN)

    job.step(1)
    text = only_of(ran(at), OWN)
    many = used(job.results[0][1])
    assert f"**{OWN}**, so far: E-SVM(R) on all rows uses {many} of 5 features" in text
    assert "none of its 3 folds is done" in text and "certified" in text
    assert title(at, "Weights of the features").endswith("used, no fold is done yet")
    assert "Scores" not in charts(at) and "pale bars" not in text

    job.step(3)
    text = only_of(ran(at), OWN)
    mean = f"{percent(scored(job.results[1:]))}"
    assert f"2 of 3 folds have been done: E-SVM(R) classifies {mean} of held-out" in text
    assert "There is no verdict before all are." in text
    assert title(at, "Weights of the features").endswith("in all 2 folds so far")
    assert title(at, "Scores").endswith(f"{mean} so far")
    for word in ("leads", "no evidence", "a hint", " decide,"):
        assert word not in text
    assert not offered, "what is not finished is not taken home"
    for tab in ("See", "Take home"):
        assert "Not all folds are done yet" in only_of(opened(at, tab), OWN)
    opened(at, "Fit and compare")

    # All of ours; then shuffled labels, and a rival in one fold.
    job.step(4)
    assert "shuffled labels are still to be tried" in only_of(ran(at), OWN)
    job.step(8)
    text = only_of(ran(at), OWN)
    assert "in 19 draws (p = " in text and "cannot win or lose" not in text
    assert list(at.dataframe[-1].value["folds"]) == ["3", "1 of 3"]
    assert "leads" not in title(at, "Scores")
    check_offered(at, offered)


def test_a_job_under_way_is_found_after_a_reload_and_may_outlive_the_visit(bench, monkeypatch):
    at, submitted, _ = bench
    monkeypatch.setattr(shelf, "browser_token", lambda: "c" * 32)
    ran(at.toggle(key="csv_keep").set_value(True))
    ran(at.button(key="csv_run").click())
    (job,) = submitted
    assert job.keep_running is True
    job.step(2)
    again = page(data="Your file", tab="Fit and compare", folds="3")
    # As on the page about accuracy the choice is still open while it runs.
    (keep,) = (toggle for toggle in again.toggle if toggle.label == KEEP)
    assert keep.value is True
    ran(keep.set_value(False))
    assert job.keep_running is False and "csv_keep" not in again.query_params
    assert "1 of 3 folds has been done" in only_of(again, OWN)
    assert again.button(key="csv_comparison_cancel").label == "Cancel"
    job.step(len(job.calls))
    assert "of held-out rows correctly" in only_of(ran(again), OWN) and len(submitted) == 1
    shelf._shelf.clear()


def test_what_was_cancelled_stays_so_far(bench):
    at, submitted, offered = bench
    ran(at.button(key="csv_run").click())
    (job,) = submitted
    job.step(2)
    ran(at)
    ran(at.button(key="csv_comparison_cancel").click())
    text = only_of(at, OWN)
    assert "1 of 3 folds has been done" in text and "There is no verdict" in text
    assert "Ended early: E-SVM(R) has not done all folds" in text
    assert title(at, "Weights of the features").endswith("in the one fold so far")
    assert not offered and at.button(key="csv_run").label == "Run the comparison"
    # It goes on with what is missing.
    ran(at.button(key="csv_run").click())
    assert len(submitted[1].calls) == len(job.calls) - 2


def check_offered(at, offered) -> None:
    """What is offered last is the figure, the numbers and the code of what is on show."""
    export = offered[-1]
    shown, taken = charts(at)["Weights of the features"], json.loads(export.figure().to_json())
    assert taken["layout"]["title"]["text"] == shown["layout"]["title"]["text"]
    columns = export.data()
    assert f"{np.count_nonzero(columns['selected'])} feature" in title(
        at, "Weights of the features"
    )
    assert exports.script(export.code).strip() in [code.value.strip() for code in at.code]
    assert FILE in exports.script(export.code)


def test_a_complete_analysis_and_other_data_after_it(bench):
    at, submitted, offered = bench
    ran(at.button(key="csv_run").click())
    (job,) = submitted
    job.step(len(job.calls))
    text = only_of(ran(at), OWN)
    own = job.results[1:4]
    assert f"E-SVM(R) classifies {percent(scored(own))} of held-out rows correctly" in text
    assert "so far" not in text.lower() and "Ended early" not in text
    assert "leads in accuracy with" in title(at, "Scores")
    check_offered(at, offered)
    for tab in ("Data", "Groups", "See", "Take home"):
        only_of(opened(at, tab), OWN)

    # Other settings: what was found for the first ones is not shown for them.
    at.session_state["csv_folds"] = 4
    text = only_of(opened(at, "Fit and compare"), OWN)
    assert "fit it to see" in text and not charts(at)

    at.segmented_control(key="csv_data").set_value(AFTER)
    text = only_of(ran(at), AFTER)
    assert "178 rows" in text and not charts(at)


def test_a_slider_moved_to_and_fro_makes_nothing_anew(bench, monkeypatch):
    """What does not depend on the slider is there already, the rest is made once a place."""
    (at, *_), made = bench, Counter()

    def counted(module, name):
        make = getattr(module, name)

        def counting(*arguments, **options):
            made[name] += 1
            return make(*arguments, **options)

        monkeypatch.setattr(module, name, counting)

    for module, name in (
        *((examined, "survey"), (examined, "health_of"), (examined, "target_problem")),
        *((setup, "prepare"), (examined, "make_groupings")),
    ):
        counted(module, name)
    places = range(2, 11)
    for folds in (*places, *places):
        at.slider(key="csv_folds").set_value(folds)
        ran(at)
    others = len(places) - 1  # it was at one of them
    assert made == dict.fromkeys(("target_problem", "make_groupings"), others)


def test_the_link_to_copy_is_that_of_what_is_on_show():
    """A control says in the address what it was moved to, and the link comes after it."""
    at = page(folds="3")
    at.slider(key="csv_folds").set_value(4)
    ran(at)
    (link,) = (each.value for each in at.code if "csv_folds" in each.value)
    assert link.endswith("csv_folds=4")
