"""The solver race as Streamlit runs it. One `.run()` of the test is one tick of the race."""

import os
import re
import signal
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import races, ui
from lab.data.datasets import Dataset
from lab.races import recorded
from lab.races.lines import SMALLEST
from solvers import Groups
from tests import driver
from tests.driver import figure as chart
from tests.driver import numbers as values
from tests.driver import ran

PAGE = ui.frame.page_of("solver_race")
TICKS = 200


def opened(**controls) -> AppTest:
    return driver.opened("solver_race", **controls)


def press(at: AppTest, name: str) -> AppTest:
    at.button(key=f"race_{name}").click()
    return ran(at)


def race_of(at: AppTest) -> races.Race:
    return at.session_state["_race"]


def to_the_end(at: AppTest) -> AppTest:
    """A tick of the page, the rest of the race without drawing, and the page that shows its end."""
    race = race_of(ran(at))
    while not race.finished:
        race.advance()
    assert not race.trouble
    return ran(at)


def ran_until(at: AppTest, condition) -> None:
    """Ticks until it holds: on a busy machine one may pass before anything is measured."""
    for _ in range(TICKS):
        if condition():
            return
        ran(at)
    raise AssertionError(f"it did not come true in {TICKS} ticks")


def answer(at: AppTest) -> str:
    said = (text.value.replace("\u00a0", " ") for text in at.markdown)
    return next(text for text in said if "certif" in text)


def says(at: AppTest, words: str) -> bool:
    return any(words in text.value for text in at.markdown)


def line(figure: dict, name: str) -> dict:
    return next(trace for trace in figure["data"] if trace.get("name") == name)


def podium(at: AppTest) -> dict[str, list[str]]:
    """The rows of the podium by name, one text for each lane."""
    table = at.table[0].value.map(lambda text: text.replace("\u2011", "-"))
    rows = table.set_index("method")
    return {"method": list(rows.columns), **{name: list(row) for name, row in rows.iterrows()}}


@pytest.fixture(scope="module")
def example():
    return opened()


def test_page_opens_with_a_finished_race_and_its_winner(example):
    assert example.title[0].value == PAGE.question
    found = re.match(r"(.+?) is certified to 1e-06 after .*: a small example", answer(example))
    first = podium(example)["method"][0]
    assert found.group(1) == first
    figure = chart(example)
    names = {trace["name"] for trace in figure["data"] if "name" in trace}
    assert names == {"Interior point", "PCP", "LOCP", "Kong"}
    assert figure["layout"]["yaxis"]["type"] == "log"
    title = driver.title_of(figure)
    assert re.match(f"({first} is first|Who is first) with a certificate of 1e-06", title)
    assert figure["layout"]["xaxis"]["type"] == "log"
    assert [note["text"] for note in figure["layout"]["annotations"] if note.get("name")] == [
        "finish: 1e-06"
    ]
    assert not says(example, "Settings changed")


def test_start_runs_a_race_in_ticks_to_certified_numbers():
    at = press(
        opened(samples=40, features=120, groups=8, tol="1e-8", budget=0.5, repeats=1), "start"
    )
    assert race_of(at).spec.n_features == 120
    to_the_end(at)
    problem = race_of(at).spec.build()
    table = podium(at)
    for runner in race_of(at).heats[0].runners:
        row = table["method"].index(runner.label)
        result = runner.result
        # The stated objective and certificate, from the weights alone.
        assert problem.objective(result.w) == pytest.approx(result.objective, rel=1e-12)
        assert table["nonzeros"][row] == f"{np.count_nonzero(result.w):,}"
        assert table["status"][row] == result.message
        shown = table["final certificate"][row]
        assert shown == "below 1e-15" or float(shown) == pytest.approx(result.gap, rel=0.06)
        drawn = values(line(chart(at), runner.label)["y"])
        # A gap of exactly zero, as some processors' rounding gives, has no place on a log axis.
        assert drawn[-1] == max(races.certified_gaps(runner.history)[-1], SMALLEST)
    assert "1e-08" in answer(at)


def test_pause_freezes_resume_goes_on_cancel_ends():
    at = press(opened(lam="0.001", tol="1e-8", budget=60.0), "start")
    assert any("Racing:" in element.proto.text for element in at.get("progress"))
    press(at, "pause")
    version, figure = race_of(at).version, chart(at)
    ran(at)
    assert race_of(at).version == version and chart(at) == figure
    paused = "Paused, its place given up:"
    assert any(paused in element.proto.text for element in at.get("progress"))
    press(at, "resume")
    ran_until(at, lambda: race_of(at).version != version)
    press(at, "cancel")
    assert race_of(at).cancelled and says(at, "when the race was cancelled")
    assert set(podium(at)["status"]) <= {
        "was cancelled",
        "the certified gap reached the tolerance",
    }
    assert not at.get("progress")
    assert at.button(key="race_cancel").disabled


def test_leaving_pauses_and_coming_back_offers_to_resume():
    at = press(opened(lam="0.001", tol="1e-8", budget=60.0), "start")
    race = race_of(at)
    at.switch_page("app.py")
    ran(at)
    at.switch_page(PAGE.file)
    ran(at)
    version = race.version
    assert race_of(ran(at)) is race and race.paused and race.version == version
    assert says(at, "The race waited while you were away")
    press(at, "resume")
    assert race.advancing
    ran_until(at, lambda: race.version != version)
    assert not says(at, "The race waited while you were away")
    press(at, "cancel")


def test_chart_options_never_restart_a_race():
    at = to_the_end(press(opened(samples=40, features=120, groups=8), "start"))
    race, version = race_of(at), race_of(at).version
    seen = set()
    for label in races.MEASURES.values():
        at.selectbox(key="race_measure").select(label)
        for against in ("seconds", "iterations"):
            at.segmented_control(key="race_against").set_value(against)
            ran(at)
            figure = chart(at)
            seen.add(
                (
                    figure["layout"]["yaxis"]["title"]["text"],
                    figure["layout"]["xaxis"]["title"]["text"],
                )
            )
    assert len(seen) == 8
    at.toggle(key="race_guides").set_value(True)
    at.segmented_control(key="race_xscale").set_value("linear")
    ran(at)
    assert {trace.get("name") for trace in chart(at)["data"]} >= set(races.RATES)
    assert chart(at)["layout"]["xaxis"]["type"] == "linear"
    at.segmented_control(key="race_scale").set_value("linear")
    ran(at)
    assert chart(at)["layout"]["yaxis"]["type"] == "linear"
    assert race_of(at) is race and race.version == version
    assert not says(at, "Settings changed")


def test_a_race_survives_a_reload_and_its_link_reopens_it():
    settings = dict(samples=40, features=120, groups=8, budget=0.5, repeats=2)
    at = to_the_end(press(opened(**settings), "start"))
    assert address(at)["run"] == race_of(at).ticket
    again = opened(**address(at))
    assert podium(again) == podium(at) and chart(again)["data"] == chart(at)["data"]
    assert answer(again) == answer(at)
    assert any("Raced on" in caption.value for caption in again.caption)
    # Each has an entry of its own with its address; the one that is begun anew has none yet.
    assert entry(again) == entry(at) and f"race-{race_of(at).ticket}," in entry(at)
    assert f"race_run={race_of(at).ticket}" in entry(at) and "commit" in entry(at)
    # What is a default today too.
    assert "race_rho=0&" in entry(at) and "race_m_kong=true" in entry(at)
    press(again, "start")
    assert address(again)["run"] == race_of(again).ticket != race_of(at).ticket
    assert race_of(again).finished or not entry(again)
    press(again, "cancel")


def test_a_race_that_is_on_survives_a_reload_and_a_cancelled_one_too():
    at = press(opened(lam="0.001", tol="1e-8", budget=60.0), "start")
    ran_until(at, lambda: podium_is_there(at))
    again = opened(**address(at))
    assert race_of(again) is race_of(at) and race_of(at).advancing
    # Who but watches it begins one of the own and ends none.
    other = press(opened(**address(at)), "start")
    assert race_of(other) is not race_of(at) and race_of(at).advancing
    press(other, "cancel")
    press(again, "cancel")
    assert race_of(ran(at)).cancelled
    assert says(at, "when the race was cancelled")
    later = opened(**address(at))
    assert isinstance(race_of(later), recorded.RecordedRace)
    assert answer(later) == answer(at) and podium(later) == podium(at)
    assert driver.title_of(chart(later)).startswith("When cancelled: ")


def podium_is_there(at) -> bool:
    return bool(at.table) and set(podium(at)["method"]) == set(race_of(at).labels.values())


def address(at: AppTest) -> dict[str, str]:
    """What the address says, as `opened` takes it."""
    return {
        name.removeprefix("race_"): texts[0] if isinstance(texts, list) else texts
        for name, texts in dict(at.query_params).items()
    }


def entry(at: AppTest) -> str:
    """The BibTeX entry of the race on show, "" where there is none."""
    found = [code.value for code in at.code if code.value.startswith("@misc{exclusive-sparsity-")]
    return found[0] if found else ""


def test_a_link_to_a_race_that_is_gone_says_so_and_keeps_its_settings():
    at = opened(run="0123456789ab", groups="8")
    assert "a small example" in answer(at) and not entry(at)
    assert says(at, f"no longer kept here, where the latest {recorded.MOST_KEPT} are")
    assert at.number_input(key="race_groups").value == 8
    press(at, "start")
    assert not says(at, "no longer kept here")
    press(at, "cancel")


def test_log_is_refused_with_a_reason_where_values_reach_zero():
    """A step may change nothing: a change of exactly 0."""
    at = to_the_end(press(opened(samples=20, features=20, groups=2, lam="1000"), "start"))
    for runner in race_of(at).heats[0].runners:
        last = runner.history[-1]
        runner.history.append(last._replace(change=0.0))
    at.selectbox(key="race_measure").select(races.MEASURES["change"])
    ran(at)
    assert chart(at)["layout"]["yaxis"]["type"] == "linear"
    assert any("Drawn on a linear scale" in caption.value for caption in at.caption)


def test_changing_the_problem_says_whose_results_these_are():
    at = to_the_end(press(opened(samples=40, features=120, groups=8), "start"))
    old = race_of(at)
    at.number_input(key="race_samples").set_value(50)
    ran(at)
    assert race_of(at) is old
    assert says(at, "these are the results of the old settings (E-LASSO, 40 × 120")
    at.number_input(key="race_samples").set_value(40)
    ran(at)
    assert not says(at, "Settings changed")


def test_methods_that_refuse_are_greyed_with_the_reason():
    at = opened(problem="E-LASSO overlapped")
    locp = at.toggle(key="race_refused_overlapped_locp")
    assert locp.disabled and not locp.value
    assert "Not here: it needs disjoint groups, and these overlap." in [
        caption.value for caption in at.caption
    ]
    press(at, "start")
    assert "locp" not in race_of(at).spec.methods and "newton" in race_of(at).spec.methods
    press(at, "cancel")


@pytest.mark.parametrize("kind", ["logistic", "svm"])
def test_other_problems_race_too(kind):
    at = opened(
        problem=races.PROBLEMS[kind], samples=40, features=120, groups=8, lam="1", budget=0.3
    )
    to_the_end(press(at, "start"))
    labels = podium(at)["method"]
    assert 2 < len(labels) <= 4
    assert podium(at)["status"][0] == "the certified gap reached the tolerance"


def test_a_race_whose_process_dies_says_so_and_another_can_start():
    at = press(opened(lam="0.001", tol="1e-8", budget=60.0), "start")
    os.kill(races.the_host().process_id, signal.SIGKILL)
    ran(at)
    assert "Start races again" in at.error[0].value
    assert race_of(at).finished and not at.get("progress")
    press(at, "start")
    assert not at.error and race_of(at).advancing
    press(at, "cancel")


def test_too_large_a_race_is_refused_in_a_sentence():
    at = opened(samples=2000, features=10_000)
    assert at.error[0].value == (
        "This race cannot start: 2,000 samples × 10,000 features are 20.0 million numbers, and a "
        "race here has at most 4 million: lower either one."
    )
    assert at.button(key="race_start").disabled


def test_no_lane_no_race():
    off = {f"m_{key}": "false" for key in ("newton", "pcp", "locp", "kong")}
    at = opened(**off)
    assert "switch on at least one method" in at.error[0].value


def test_repeats_draw_a_median_and_a_band():
    at = opened(samples=40, features=120, groups=8, repeats=2, m_kong="false", m_pcp="false")
    to_the_end(press(at, "start"))
    assert len(race_of(at).heats) == 2
    bands = [trace for trace in chart(at)["data"] if trace.get("fill") == "tonexty"]
    assert len(bands) == 2


def test_a_second_visitor_waits_in_a_visible_queue():
    first = press(opened(lam="0.001", tol="1e-8", budget=60.0), "start")
    second = press(opened(lam="0.001", tol="1e-8", budget=60.0), "start")
    assert race_of(second).heats == []
    (element,) = second.get("progress")
    assert re.fullmatch("Waiting: 1 race is before it, for at most .*", element.proto.text)
    press(first, "cancel")
    ran(second)
    assert len(race_of(second).heats) == 1
    press(second, "cancel")


@pytest.mark.parametrize("label", races.PAPER)
def test_paper_presets_run_to_the_end(label):
    at = opened()
    press(at, f"preset_{label}")
    # The benchmark's own race of these settings is shown at once, with its day and processor.
    assert race_of(at).spec == races.PAPER[label] and race_of(at).finished
    assert "race_budget=15" in entry(at)  # its settings are its address
    assert any("Raced on" in caption.value for caption in at.caption)
    assert not says(at, "Settings changed")
    assert at.number_input(key="race_budget").value == 15.0
    at.number_input(key="race_budget").set_value(0.4)
    at.number_input(key="race_repeats").set_value(1)
    ran(at)
    assert says(at, "Settings changed")
    press(at, "start")
    spec = race_of(at).spec
    assert spec == replace(races.PAPER[label], budget=0.4, repeats=1)
    to_the_end(at)
    for runner in race_of(at).heats[0].runners:
        result = runner.result
        assert result.status in ("converged", "time_budget")
        assert result.converged == (result.gap <= 1e-6)
        assert result.converged or result.seconds >= 0.4
        assert result.objective >= race_of(at).heats[0].bound * (1 - 1e-12)
    assert len(podium(at)["method"]) == len(spec.methods)


def test_one_press_starts_a_preset_from_elsewhere():
    at = opened()
    press(at, "preset_Digits")
    race = race_of(at)
    assert race.spec == races.ELSEWHERE["Digits"] and race.advancing
    assert at.selectbox(key="race_data").value == "Handwritten digits"
    assert not [box for box in at.number_input if box.key == "race_samples"]
    assert not says(at, "Settings changed")
    press(at, "cancel")


def test_a_table_that_was_sent_is_set_up_and_raced_and_leaves_no_trace():
    at = opened()
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 12))
    y = X[:, 0] + 0.1 * rng.standard_normal(40)
    table = Dataset(X, y, "regression", "mine", groups=Groups.contiguous(12, 3))
    at.session_state["_sent_table"] = table
    at.session_state["_sent_table_is_new"] = True
    ran(at)
    assert at.selectbox(key="race_data").value == "My table"
    assert at.selectbox(key="race_problem").options == [races.PROBLEMS["lasso"]]
    to_the_end(press(at, "start"))
    assert race_of(at).spec.source == "own" and "on your table, 40 × 12" in answer(at)
    assert "race_run" not in at.query_params
    assert podium(at)["method"]


def test_the_table_page_sends_its_numbers_here():
    at = driver.opened("classify_csv", tab="Take home")
    ran(at.button(key="csv_race").click())
    assert at.title[0].value == PAGE.question
    assert at.selectbox(key="race_data").value == "My table"
    at.switch_page(PAGE.file)  # the app went there by itself; now its driver does, too
    sent = at.session_state["_sent_table"]
    press(at, "start")
    assert race_of(at).table is sent and race_of(at).spec.n_features == sent.X.shape[1]
    assert "race_run" not in at.query_params and not entry(at)
    press(at, "cancel")


def test_presets_may_follow_each_other():
    at = opened()
    for label, spec in races.PAPER.items():
        press(at, f"preset_{label}")
        press(at, "start")
        assert race_of(at).spec == spec
        press(at, "cancel")
