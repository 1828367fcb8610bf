"""The accuracy page as Streamlit runs it: its numbers, a sweep from start to end, its address."""

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.accuracy import QUANTITIES, WhenSpec, charts, found, run_trial, settings
from lab.accuracy.paper_runs import fig2d_spec
from lab.data.datasets import MAT_FILES
from lab.data.paper_numbers import FIG2D_MS
from lab.results import OWN_FOLDER_VARIABLE, Store, latest
from lab.results import shipped as shipped_store
from lab.running import jobs
from lab.ui.address import texts_of
from tests import queues
from tests.driver import figure, numbers, ran, title_on, visited
from tests.queues import ended

PAGE = ui.frame.page_of("esvm_accuracy")
TINY = {"acc_ms": "8, 12", "acc_features": "40", "acc_repeats": "2", "acc_show": "accuracy"}
# Still under way when somebody looks, also where the worker has imported everything already.
LONG = {**TINY, "acc_repeats": "30", "acc_features": "1008"}


@pytest.fixture(autouse=True)
def own_server(tmp_path, monkeypatch, own_queue):
    """A results folder and a queue for this test alone."""
    monkeypatch.setenv(OWN_FOLDER_VARIABLE, str(tmp_path))


def opened(**query) -> AppTest:
    return visited(PAGE.file, query)


def lines(at: AppTest) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure(at)["data"]}


def said_on(at: AppTest) -> str:
    return " ".join(text.value for text in [*at.markdown, *at.caption])


def shipped() -> dict:
    rows = shipped_store().load(settings.spec_of(settings.DEFAULTS))
    return {trial: row["accuracy"] for trial, row in rows.items()}


def leads_in(rows, places, draws: int) -> dict[str, dict[int, tuple[float, float, float]]]:
    """Each form of E-SVM minus the best other by place: the mean, half of its interval, and how far
    chance reaches by Holm's correction for all the others at all places."""
    values = {
        (at, key): np.array([rows[(at, r, key)] for r in range(draws)])
        for at in places
        for key in ("svm", "sparse_svm", "kong", "esvm", "esvm_r")
    }
    differences = {
        (own, at, other): values[at, own] - values[at, other]
        for own in ("esvm", "esvm_r")
        for at in places
        for other in ("svm", "sparse_svm", "kong")
    }
    p_values = np.sort([stats.ttest_1samp(each, 0.0).pvalue for each in differences.values()])
    left = p_values.size
    while left > 1 and p_values[-left] < 0.05 / left:
        left -= 1
    found: dict[str, dict[int, tuple[float, float, float]]] = {"esvm": {}, "esvm_r": {}}
    for own, leads in found.items():
        for at in places:
            others = (differences[own, at, other] for other in ("svm", "sparse_svm", "kong"))
            lead = min(others, key=np.mean)
            half, chance = (
                float(stats.t.ppf(1 - 0.025 / looks, draws - 1) * stats.sem(lead))
                for looks in (1, left)
            )
            leads[at] = (float(lead.mean()), half, chance)
    return found


def answer_in_full(at: AppTest) -> str:
    """What is said under the figure; over it stands the same in short."""
    said = (text.value.replace("\u00a0", " ") for text in at.caption)
    return next(text for text in said if text.startswith("With independent noise E-SVM (groups"))


def test_the_page_opens_with_all_of_fig_2d_and_says_what_it_says():
    at = opened()
    assert at.title[0].value == PAGE.question
    rows, drawn = shipped(), lines(at)
    answer = answer_in_full(at)
    mine, other = answer.split("; with shared noise ")
    assert "beyond chance by Holm's correction at each noise for 48 looks" in other
    every = leads_in(rows, FIG2D_MS, 10)
    said = {"E-SVM": mine.split("E-SVM(R)")[0], "E-SVM(R)": "E-SVM(R)" + mine.split("E-SVM(R)")[1]}
    for key, label in (("esvm", "E-SVM"), ("esvm_r", "E-SVM(R)")):
        leads = every[key]
        trace, band = drawn[label], drawn[f"no difference, {label}"]
        assert numbers(trace["y"]) == pytest.approx([100 * mean for mean, _, _ in leads.values()])
        chance = [100 * far for _, _, far in leads.values()]
        chance += [-far for far in reversed(chance)]
        assert numbers(band["y"]) == pytest.approx(chance)
        ahead = [m for m, (mean, _, far) in leads.items() if mean > far]
        assert not [m for m, (mean, _, far) in leads.items() if mean < -far]
        assert ahead and f"at m = {' and '.join(f'{m:,}' for m in ahead)} (by" in said[label]
        filled = [
            m for m, s in zip(leads, trace["marker"]["symbol"], strict=True) if "open" not in s
        ]
        assert filled == ahead
    brief = at.markdown[0].value.replace("\u00a0", " ")
    assert brief.startswith(
        "With independent noise, over 10 draws, E-SVM beats the best of SVM, S-SVM and Kong at "
        "m = 1,008 (by "
    )
    shared = shipped_store().load(fig2d_spec("shared"))
    every = leads_in({trial: row["accuracy"] for trial, row in shared.items()}, FIG2D_MS, 10)
    for key, label in (("esvm", "E-SVM"), ("esvm_r", "E-SVM(R)")):
        behind = [m for m, (mean, _, far) in every[key].items() if mean < -far]
        # The second does as the first, of as many.
        verb, of_all = (" trails", " of 8 values of m") if label == "E-SVM" else ("", "")
        assert (
            f"{label}{verb} at {len(behind)}{of_all} (by" in brief.split("; with shared noise ")[1]
        )
        assert f"{label}{verb} at " in other and behind
        named = other.split(f"{label}{verb} at ")[1].split(" (by")[0]
        if named.startswith("every m but"):
            assert [m for m in FIG2D_MS if m not in behind] == [int(named.split()[-1])]
        else:
            listed = named.removeprefix("m = ").replace(",", "").replace(" and", "").split()
            assert [int(part) for part in listed] == behind
    made = next(iter(shipped_store().load(fig2d_spec("independent")).values()))["made"]
    assert f"Run on {made['date']} on {made['processor']} and shipped with the app" in said_on(at)
    assert at.button(key="acc_run").label == "All trials are done"


def test_the_answer_in_full_says_for_which_strengths_it_helps():
    at = opened()
    _, said = answer_in_full(at).split("; with β set by hand ")
    assert said.startswith(
        "(independent noise, m = 48 of 1,008 features; 20 draws, 30 looks) E-SVM "
    )
    spec = WhenSpec(quantity="strength", values=QUANTITIES["strength"].values)
    rows = {trial: row["accuracy"] for trial, row in shipped_store().load(spec).items()}
    parts, leads = said.split("E-SVM(R)"), leads_in(rows, spec.values, 20)
    for key, text in (("esvm", parts[0]), ("esvm_r", parts[1])):
        assert all(mean > -far for mean, _, far in leads[key].values())
        helps = [value for value, (mean, _, far) in leads[key].items() if mean > far]
        named = re.search(r" at (.*?) of its scale", text)[1]
        left = [value for value in spec.values if value not in helps]
        every = f"every value tried but β of {left[0]} %"
        some = f"β of {' and '.join(map(str, helps))} %"
        assert named == (every if len(left) == 1 else some)


def test_accuracies_have_their_intervals_the_oracle_and_the_largest_class_as_lines():
    at = opened(acc_show="accuracy")
    rows, drawn = shipped(), lines(at)
    for place, m in enumerate(FIG2D_MS):
        for key, label in (("svm", "SVM"), ("esvm", "E-SVM")):
            values = np.array([rows[(m, r, key)] for r in range(10)])
            half = stats.t.ppf(0.975, 9) * stats.sem(values)
            assert numbers(drawn[label]["y"])[place] == pytest.approx(100 * values.mean())
            assert numbers(drawn[label]["error_y"]["array"])[place] == pytest.approx(100 * half)
    assert drawn["oracle"]["mode"] == "lines"
    assert numbers(drawn["largest class"]["y"]).tolist() == [50.0, 50.0]


def test_differences_and_table_are_the_same_numbers():
    at = opened()
    rows = shipped()
    mean = np.mean([rows[(1008, r, "esvm")] - rows[(1008, r, "svm")] for r in range(10)])
    table = at.dataframe[0].value
    row = table[(table["m"] == 1008) & (table["method"] == "E-SVM")].iloc[0]
    assert row["minus SVM, points"].startswith(f"+{100 * mean:.1f} ± ")
    lead, half, _ = leads_in(rows, FIG2D_MS, 10)["esvm"][1008]
    said = row["minus the best other, points"]
    assert said == f"+{100 * lead:.1f} ± {100 * half:.1f} (Kong)"
    # It has an entry to cite it by, with the day and the commit of its latest trials.
    (entry,) = [code.value for code in at.code if code.value.startswith("@misc{")]
    spec = settings.spec_of(settings.DEFAULTS)
    made = latest([each["made"] for each in shipped_store().load(spec).values()])
    assert entry.startswith(f"@misc{{exclusive-sparsity-sweep-{spec.id},")
    assert f"measured {made['date']} at commit {made['commit']}" in entry
    assert title_on(at) in entry


def test_a_sweep_runs_shows_its_own_numbers_and_is_found_again():
    at = opened(**TINY)
    assert "have not been run" in said_on(at)
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
    queues.restart()
    again = ran(opened(acc_sweep=spec.id).segmented_control(key="acc_show").set_value("accuracy"))
    assert again.text_input(key="acc_ms").value == "8, 12"
    assert numbers(lines(again)["E-SVM"]["y"])[1] == pytest.approx(mean)
    assert again.button(key="acc_run").label == "All trials are done"
    more = ran(again.slider(key="acc_repeats").set_value(3))
    assert more.button(key="acc_run").label == "Resume (24 of 36 done)"


def test_the_papers_own_trials_are_found_by_their_settings():
    """All 960 of Fig. 2(d), and those of Table 1, wherever they were run; nothing is to be run."""
    at = opened(acc_show="accuracy")
    for preset, noise in (("Paper's Fig. 2(d)", "independent"), ("with shared noise", "shared")):
        ran(at.button(key=f"acc_preset_{preset}").click())
        ran(at.segmented_control(key="acc_show").set_value("accuracy"))
        assert at.button(key="acc_run").label == "All trials are done"
        assert "480 of 480 trials" in said_on(at) and "shipped with the app" in said_on(at)
        rows = shipped_store().load(fig2d_spec(noise)).items()
        mean = 100 * np.mean([row["accuracy"] for t, row in rows if t[::2] == (504, "esvm")])
        assert numbers(lines(at)["E-SVM"]["y"])[2] == pytest.approx(mean)
    options = dict(acc_tab=settings.REAL, acc_folds="5", acc_kind="inverted")
    leu = opened(acc_data=MAT_FILES["leu"].title, **options)
    assert "25 of 25 trials" in said_on(leu) and "have not been run" not in said_on(leu)


def test_the_address_that_is_cited_names_all_that_the_sweep_hangs_on():
    """Also what is a default today: an address that says nothing would follow the defaults."""
    for tab in (settings.GENERATED, settings.WHEN, settings.REAL):
        at = opened(acc_tab=tab)
        (entry,) = [code.value for code in at.code if code.value.startswith("@misc{")]
        (url,) = re.findall(r"url += \{(.*)\}", entry)
        said = parse_qs(urlsplit(url).query, keep_blank_values=True)
        spec = settings.spec_of({**settings.DEFAULTS, "tab": tab})
        wanted = {**settings.values_of(spec), "show": settings.LEAD}
        assert said == {f"acc_{name}": texts_of(value) for name, value in wanted.items()}
        again = visited(PAGE.file, said)
        assert entry in [code.value for code in again.code]
        assert again.dataframe[0].value.equals(at.dataframe[0].value)


def test_few_results_of_a_visitor_do_not_hide_all_that_came_with_the_app():
    spec = settings.spec_of(settings.DEFAULTS)
    trial = spec.trials()[0]
    row = shipped_store().load(spec)[trial]
    Store().add(spec, {**row, "accuracy": 0.0})
    at = opened()
    assert f"{len(spec.trials())} of {len(spec.trials())} trials" in said_on(at)
    assert min(shipped().values()) > 0.4
    assert "E-SVM (groups known) beats the best of SVM" in said_on(at)


def test_cancelling_keeps_what_is_done():
    at = opened(**LONG)
    ran(at.button(key="acc_run").click())
    ran(at.button(key="acc_cancel").click())
    (job,) = jobs.shared_queue().jobs()
    snapshot = ended(job)
    assert snapshot.state == "cancelled" and snapshot.done < snapshot.total
    ran(at)
    assert "cancelled after" in said_on(at)
    assert not at.button(key="acc_run").disabled


def test_a_second_sweep_waits_in_a_visible_line():
    first = opened(**LONG)
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
    queues.restart()
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
        (
            {"acc_ms": "8, 5000", "acc_features": "1008"},
            "Each m must lie between 4 and the number of features, 1,008; got 5,000.",
        ),
        ({"acc_ms": " "}, "The list of m is empty; give at least one."),
        (
            {"acc_tab": settings.WHEN, "acc_known": "5000"},
            "5,000 groups of 1,008 features have no room for 1 true feature each",
        ),
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
    at = opened(acc_tab=settings.REAL, acc_show="accuracy")
    spec = settings.spec_of({**settings.DEFAULTS, "tab": settings.REAL})
    rows = list(shipped_store().load(spec).values())
    accuracies = np.array([row["accuracy"] for row in rows if row["trial"][2] == "esvm_r"])
    share = np.mean([row["n_test"] / row["n_train"] for row in rows])
    half = stats.t.ppf(0.975, 9) * accuracies.std(ddof=1) * np.sqrt(1 / 10 + share)
    trace = next(trace for trace in figure(at)["data"] if trace["y"] == ["E-SVM(R)"])
    assert trace["x"] == pytest.approx([100 * accuracies.mean()])
    assert trace["error_x"]["array"] == pytest.approx([100 * half], rel=1e-3)
    assert "Nadeau and Bengio" in said_on(at)


def at_tab(at: AppTest, tab: str) -> AppTest:
    at.session_state["acc_tab"] = tab
    return ran(at)


def test_what_a_link_says_of_other_tabs_outlives_visits_and_a_reset_here():
    """Reset on one tab stays there, also of tabs that were not opened since the link was."""
    link = {"acc_repeats": "7", "acc_bayes": "20", "acc_draws": "30", "acc_folds": "5"}
    at = opened(acc_tab=settings.REAL, acc_kind="inverted", **link)
    ran(at.button(key="acc_export_reset").click())
    left = {name: link[name] for name in ("acc_repeats", "acc_bayes", "acc_draws")}
    assert dict(at.query_params) == {"acc_tab": settings.REAL, **left}
    assert at_tab(at, settings.WHEN).slider(key="acc_draws").value == 30
    ran(at.slider(key="acc_draws").set_value(31))
    at_tab(at, settings.GENERATED)
    assert (at.slider(key="acc_repeats").value, at.slider(key="acc_bayes").value) == (7, 20)
    assert dict(at.query_params) == {**left, "acc_draws": "31"}
    again = at_tab(opened(**dict(at.query_params)), settings.WHEN)
    assert again.slider(key="acc_draws").value == 31


def test_what_is_known_is_summed_up_and_drawn_once(monkeypatch):
    """However often a control is moved to and fro; and anew as soon as there is more of it."""
    at = opened(**TINY)
    work = []
    for name in ("leads", "against"):
        drawn = getattr(charts, name)
        monkeypatch.setattr(charts, name, lambda *a, d=drawn, **k: work.append(1) or d(*a, **k))
    summed = found.summarise
    monkeypatch.setattr(found, "summarise", lambda *a: work.append(1) or summed(*a))
    for repeats in (3, 2, 3, 2):
        ran(at.slider(key="acc_repeats").set_value(repeats))
    assert len(work) == 2  # the sum and the figure of three repeats; those of two were there
    spec = settings.spec_of({**settings.DEFAULTS, "ms": "8, 12", "features": 40, "repeats": 2})
    Store().add(spec, run_trial(spec, (8, 0, "svm")))
    ran(at)
    assert "So far, 1 of 24 trials" in title_on(at)


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
    assert "2 of 2 trials" in said_on(at)
    assert "acc_sweep" not in at.query_params
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_every_sweep_over_a_quantity_is_there_and_said_as_it_is_drawn():
    """The default ones are shipped; marks that are filled are the places the sentence names."""
    at = opened(acc_tab=settings.WHEN)
    for quantity in QUANTITIES.values():
        ran(at.segmented_control(key="acc_quantity").set_value(quantity.title))
        spec = settings.spec_of(
            {**settings.DEFAULTS, "tab": settings.WHEN, "quantity": quantity.title}
        )
        assert f"{len(spec.trials())} of {len(spec.trials())} trials" in said_on(at)
        answer = next(text.value.replace("\u00a0", " ") for text in at.markdown)
        drawn = lines(at)
        for label in ("E-SVM", "E-SVM(R)"):
            trace, half = drawn[label], numbers(drawn[f"no difference, {label}"]["y"])
            mean = numbers(trace["y"])
            ahead = np.flatnonzero(mean > half[: mean.size])
            filled = [k for k, s in enumerate(trace["marker"]["symbol"]) if "open" not in s]
            assert filled == np.flatnonzero(np.abs(mean) > half[: mean.size]).tolist()
            if 0 < ahead.size < len(spec.values) - 1:
                named = quantity.where([spec.values[k] for k in ahead])
                own = answer.split("E-SVM(R)")[label == "E-SVM(R)"]
                assert "beats the best of SVM, S-SVM and Kong at" in answer
                assert f" at {named} (by" in own
