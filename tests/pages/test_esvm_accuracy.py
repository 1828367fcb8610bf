"""The accuracy page as Streamlit runs it: its numbers, a sweep from start to end, its address."""

import numpy as np
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.accuracy import settings
from lab.accuracy.paper_runs import fig2d_spec
from lab.data.datasets import MAT_FILES
from lab.results import OWN_FOLDER_VARIABLE, Store
from lab.results import shipped as shipped_store
from lab.running import jobs
from tests import driver
from tests.driver import figure, numbers, ran
from tests.lab.running.test_jobs import ended

PAGE = ui.frame.page_of("esvm_accuracy")
TINY = {"acc_ms": "8, 12", "acc_features": "40", "acc_repeats": "2"}


@pytest.fixture(autouse=True)
def own_server(tmp_path, monkeypatch):
    """A results folder and a queue for this test alone."""
    monkeypatch.setenv(OWN_FOLDER_VARIABLE, str(tmp_path))
    jobs.shared_queue.cache_clear()
    yield
    jobs.shared_queue().close()
    jobs.shared_queue.cache_clear()


def opened(**query) -> AppTest:
    return driver.visited(PAGE.file, query)


def lines(at: AppTest) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure(at)["data"]}


def said(at: AppTest) -> str:
    return " ".join(text.value for text in [*at.markdown, *at.caption])


def shipped() -> dict:
    rows = shipped_store().load(settings.spec_of(settings.DEFAULTS))
    return {trial: row["accuracy"] for trial, row in rows.items()}


def test_the_page_opens_with_the_shipped_results_and_says_what_they_say():
    at = opened()
    assert at.title[0].value == PAGE.question
    rows = shipped()
    drawn = lines(at)
    for m_place, m in enumerate((48, 96, 192)):
        values = np.array([[rows[(m, r, key)] for r in range(8)] for key in ("svm", "esvm")])
        for label, accuracies in zip(("SVM", "E-SVM"), values, strict=True):
            half = stats.t.ppf(0.975, 7) * accuracies.std(ddof=1) / np.sqrt(8)
            trace = drawn[label]
            assert numbers(trace["y"])[m_place] == pytest.approx(100 * accuracies.mean())
            assert numbers(trace["error_y"]["array"])[m_place] == pytest.approx(100 * half)
    answer = next(text.value for text in at.markdown).replace("\u00a0", " ")
    others = [key for key in ("svm", "sparse_svm", "kong", "esvm_r") if (48, 0, key) in rows]
    clear = []
    for m in (48, 96, 192):
        means = {key: np.mean([rows[(m, r, key)] for r in range(8)]) for key in others[:-1]}
        best = max(means, key=means.get)
        tested = stats.ttest_rel(
            [rows[(m, r, "esvm")] for r in range(8)], [rows[(m, r, best)] for r in range(8)]
        )
        clear.append((tested.pvalue, m, tested.statistic > 0))
    # Holm: the smallest of three p values below 0.05/3, and so on.
    sure = []
    for place, (p, m, positive) in enumerate(sorted(clear)):
        if p >= 0.05 / (3 - place):
            break
        sure.append((m, positive))
    ahead = [str(m) for m, positive in sorted(sure) if positive]
    if ahead:
        where = "at every m" if len(ahead) == 3 else f"at m = {' and '.join(ahead)}"
        assert f"beats the best of the others {where}" in answer
    else:
        assert answer.startswith("Not ")
    assert "shipped with the app" in said(at)
    assert at.button(key="acc_run").label == "All trials are done"


def test_differences_and_table_are_the_same_numbers():
    at = opened(acc_show="minus SVM")
    rows = shipped()
    mean = np.mean([rows[(96, r, "esvm")] - rows[(96, r, "svm")] for r in range(8)])
    assert numbers(lines(at)["E-SVM"]["y"])[1] == pytest.approx(100 * mean)
    table = at.dataframe[0].value
    row = table[(table["m"] == 96) & (table["method"] == "E-SVM")].iloc[0]
    assert row["minus SVM, points"].startswith(f"+{100 * mean:.1f} ± ")


def test_a_sweep_runs_shows_its_own_numbers_and_is_found_again():
    at = opened(**TINY)
    assert "have not been run" in said(at)
    ran(at.button(key="acc_run").click())
    spec = settings.spec_of({**settings.DEFAULTS, "ms": "8, 12", "features": 40, "repeats": 2})
    job = jobs.shared_queue().get(spec.id)
    assert ended(job).state == "done"
    ran(at)
    kept = Store().load(spec)
    assert set(kept) == set(spec.trials())
    mean = 100 * np.mean([kept[(12, r, "esvm")]["accuracy"] for r in (0, 1)])
    assert numbers(lines(at)["E-SVM"]["y"])[1] == pytest.approx(mean)
    assert at.button(key="acc_run").disabled
    assert at.query_params["acc_sweep"] in (spec.id, [spec.id])

    # Another visit, after a restart of the server, with nothing but the id.
    jobs.shared_queue().close()
    jobs.shared_queue.cache_clear()
    again = opened(acc_sweep=spec.id)
    assert again.text_input(key="acc_ms").value == "8, 12"
    assert numbers(lines(again)["E-SVM"]["y"])[1] == pytest.approx(mean)
    assert again.button(key="acc_run").label == "All trials are done"
    more = ran(again.slider(key="acc_repeats").set_value(3))
    assert more.button(key="acc_run").label == "Resume (20 of 30 done)"


def test_the_papers_own_trials_are_found_by_their_settings():
    """All 960 of Fig. 2(d), and those of Table 1, wherever they were run; nothing is to be run."""
    at = opened()
    for preset, noise in (("Paper's Fig. 2(d)", "independent"), ("with shared noise", "shared")):
        ran(at.button(key=f"acc_preset_{preset}").click())
        assert at.button(key="acc_run").label == "All trials are done"
        assert "480 of 480 trials" in said(at) and "shipped with the app" in said(at)
        rows = shipped_store().load(fig2d_spec(noise)).items()
        mean = 100 * np.mean([row["accuracy"] for t, row in rows if t[::2] == (504, "esvm")])
        assert numbers(lines(at)["E-SVM"]["y"])[2] == pytest.approx(mean)
    options = dict(acc_tab=settings.REAL, acc_folds="5", acc_kind="inverted")
    leu = opened(acc_data=MAT_FILES["leu"].title, **options)
    assert "25 of 25 trials" in said(leu) and "have not been run" not in said(leu)


def test_few_results_of_a_visitor_do_not_hide_all_that_came_with_the_app():
    spec = settings.spec_of(settings.DEFAULTS)
    trial = spec.trials()[0]
    row = shipped_store().load(spec)[trial]
    Store().add(spec, {**row, "accuracy": 0.0})
    at = opened()
    assert f"{len(spec.trials())} of {len(spec.trials())} trials" in said(at)
    assert min(numbers(lines(at)["SVM"]["y"])) > 50


def test_cancelling_keeps_what_is_done():
    at = opened(**{**TINY, "acc_repeats": "30"})
    ran(at.button(key="acc_run").click())
    ran(at.button(key="acc_cancel").click())
    (job,) = jobs.shared_queue().jobs()
    snapshot = ended(job)
    assert snapshot.state == "cancelled" and snapshot.done < snapshot.total
    ran(at)
    assert "cancelled after" in said(at)
    assert not at.button(key="acc_run").disabled


def test_a_second_sweep_waits_in_a_visible_line():
    first = opened(**{**TINY, "acc_repeats": "30"})
    ran(first.button(key="acc_run").click())
    second = opened(**{**TINY, "acc_seed": "7"})
    ran(second.button(key="acc_run").click())
    (progress,) = second.get("progress")
    assert progress.proto.text.startswith("waiting: number 1 in the line, about ")
    assert sum("running: " in line.value for line in second.markdown) == 1
    ran(second.button(key="acc_cancel").click())
    ran(first.button(key="acc_cancel").click())
    assert {ended(job).state for job in jobs.shared_queue().jobs()} == {"cancelled"}


def test_a_set_that_openml_cannot_deliver_is_one_sentence(monkeypatch):
    """No network: whatever is asked for goes to a port where nobody listens."""
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    at = opened(acc_tab=settings.REAL, acc_data=settings.BY_NAME, acc_openml="iris", acc_folds="2")
    ran(at.button(key="acc_run").click())
    (job,) = jobs.shared_queue().jobs()
    assert ended(job).state == "failed"
    ran(at)
    assert "OpenML could not be reached for 'iris'" in at.error[0].value.replace("\\", "")
    assert len(at.error) == 1 and not at.button(key="acc_run").disabled


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"acc_ms": "8, many"}, "The list of m holds 'many'"),
        ({"acc_ms": "8, 5000"}, "each m must lie between 4 and the number of features, 1008"),
        ({"acc_ms": " "}, "the list of m is empty"),
        ({"acc_ms": "![](//e.co)"}, "The list of m holds '![](//e.co)'"),
        (
            {"acc_ms": "20000", "acc_features": "20000"},
            "makes data of 800 million numbers, and the limit here is 30 million",
        ),
    ],
)
def test_impossible_settings_are_one_sentence(query, sentence):
    at = opened(**query)
    assert sentence in at.error[0].value.replace("\\", "")  # signs that Markdown knows are escaped


def test_real_data_show_intervals_by_method_and_the_papers_row_where_there_is_one():
    at = opened(acc_tab=settings.REAL)
    spec = settings.spec_of({**settings.DEFAULTS, "tab": settings.REAL})
    rows = list(shipped_store().load(spec).values())
    accuracies = np.array([row["accuracy"] for row in rows if row["trial"][2] == "esvm_r"])
    share = np.mean([row["n_test"] / row["n_train"] for row in rows])
    half = stats.t.ppf(0.975, 9) * accuracies.std(ddof=1) * np.sqrt(1 / 10 + share)
    trace = next(trace for trace in figure(at)["data"] if trace["y"] == ["E-SVM(R)"])
    assert trace["x"] == pytest.approx([100 * accuracies.mean()])
    assert trace["error_x"]["array"] == pytest.approx([100 * half], rel=1e-3)
    assert "Nadeau and Bengio" in said(at)


def test_uploads_are_compared_and_never_written(tmp_path):
    at = opened(acc_tab=settings.REAL, acc_data=settings.OWN_FILE, acc_folds="2", acc_rivals="SVM")
    assert "Choose a file to upload" in at.error[0].value
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{'pq'[int(a > 0)]}" for a, b in rng.standard_normal((24, 2))]
    content = "\n".join(["first,second,class", *rows]).encode()
    ran(at.file_uploader(key="acc_uploader").upload("mine.csv", content, "text/csv"))
    ran(at.button(key="acc_run").click())
    (job,) = jobs.shared_queue().jobs()
    assert ended(job).state == "done"
    assert "mine" not in job.title
    ran(at)
    assert "2 of 2 trials" in said(at)
    assert "acc_sweep" not in at.query_params
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
