"""The page of the paper against the measurements as Streamlit runs it: its numbers, its tabs."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import claims, errata, measured, ui
from solvers import grouping
from tests.lab import paper_results
from tests.pages.test_random_grouping import values

ROOT = Path(__file__).resolve().parents[2]
PAGE = next(page for page in ui.PAGES if page.key == "paper_vs_measured")
RACES, ACCURACY, THEOREM, TABLE = "Fig. 2(a)–(c)", "Fig. 2(d)", "Theorem 3", "Table 1"


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """A folder with made-up races and accuracies beside the committed small checks."""
    committed = measured.results_folder()
    for name in ("theory", "theorem3", "prox", "compare"):
        (tmp_path / f"{name}.json").write_text((committed / f"{name}.json").read_text())
    for name in ("figure2", "figure2d", "table1"):
        content = getattr(paper_results, name)()
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    monkeypatch.setenv(measured.RESULTS_FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


def page(**query) -> AppTest:
    at = AppTest.from_file(str(ROOT / ui.HOME.file), default_timeout=60)
    at.switch_page(PAGE.file)
    for name, value in query.items():
        at.query_params[f"paper_{name}"] = value
    at.run()
    assert not at.exception
    return at


def answer(at: AppTest) -> str:
    return next(text.value for text in at.markdown if text.value.startswith("Of "))


def charts(at: AppTest) -> list[dict]:
    return [json.loads(element.proto.spec) for element in at.get("plotly_chart")]


def title(at: AppTest) -> str:
    return charts(at)[0]["layout"]["title"]["text"].replace("<br>", " ")


def shown_claims(at: AppTest) -> list[str]:
    return [text.value for text in at.markdown if text.value.startswith("“")]


def drawn(chart: dict) -> list[dict]:
    """The traces of squares, without those that only make the legend."""
    return [trace for trace in chart["data"] if trace.get("showlegend") is False]


def test_page_opens_with_its_question_the_counts_and_a_square_per_claim():
    at = page()
    rows = claims.judged(measured.read())
    assert at.title[0].value == PAGE.question
    assert answer(at) == claims.answer(rows)
    (chart,) = charts(at)
    squares = {trace["name"]: len(values(trace["x"])) for trace in drawn(chart)}
    assert squares == {name: n for name, n in claims.counts(rows).items() if n}
    assert len(shown_claims(at)) == len(rows)


def test_filters_keep_topic_and_verdict(made_up):
    rows = claims.judged(measured.read())
    at = page(verdict=claims.HOLDS, topic="Speed")
    wanted = [r for r in rows if r.verdict == claims.HOLDS and r.claim.topic == "Speed"]
    assert len(shown_claims(at)) == len(wanted) > 0
    assert any(c.value == f"{len(wanted)} of {len(rows)} claims" for c in at.caption)
    (chart,) = charts(at)
    bold = sum(o == 1.0 for trace in drawn(chart) for o in trace["marker"]["opacity"])
    assert bold == len(wanted)
    at.selectbox(key="paper_topic").set_value("Grouping").run()
    grouped = [r for r in rows if r.verdict == claims.HOLDS and r.claim.topic == "Grouping"]
    assert len(shown_claims(at)) == len(grouped)


def test_claims_link_to_the_page_and_settings_that_run_them_again(made_up):
    at = page(topic="Speed")
    links = [link for link in at.get("page_link") if link.proto.label.startswith("Run it again")]
    assert links
    for link in links:
        assert "race_problem=" in link.proto.query_string


def test_missing_results_name_their_command(tmp_path, monkeypatch):
    monkeypatch.setenv(measured.RESULTS_FOLDER_VARIABLE, str(tmp_path))
    for tab, name in ((RACES, "figure2"), (ACCURACY, "figure2d"), (TABLE, "table1")):
        at = page(tab=tab)
        assert measured.COMMANDS[name] in [code.value for code in at.code]
        assert "are not yet measured" in answer(at)


def test_race_shows_lines_and_medians(made_up):
    at = page(tab=RACES)
    assert title(at) == (
        "OURS (ours) is certified to 1e-6 after 0.3 s; LOCP needs 1 s for a certified 1e-2"
    )
    (chart,) = charts(at)
    assert len(chart["data"]) == len(paper_results.lasso_lanes())
    (table,) = at.dataframe
    first = table.value.iloc[0]
    assert (first["method"], first["true error 1e-02"]) == ("OURS (ours)", "0.1 s")
    locp = next(trace for trace in chart["data"] if trace["name"] == "LOCP")
    k = np.unique(np.geomspace(1, 10_000, 60).astype(int))
    assert values(locp["y"]) == pytest.approx(0.5 / k**2.0, rel=1e-6)


def test_race_refuses_what_was_not_recorded(made_up):
    at = page(tab=RACES, measure="change of w")
    assert "Fig. 2(c) only" in at.error[0].value
    at = page(tab=RACES, panel="2(c) overlapped, α = 1, β = 10", measure="change of w")
    assert not at.error
    assert {trace["name"] for trace in charts(at)[0]["data"]} == {"LICP", "LICP, block", "ADMM"}
    at = page(tab=RACES, seed="77")
    assert "choose one of: 0, 1, 2" in at.error[0].value


def test_accuracy_shows_means_and_paired_differences(made_up):
    at = page(tab=ACCURACY)
    assert title(at).startswith("E-SVM is first at 4 of 4 m; against SVM it gains ")
    (table,) = at.dataframe
    row = table.value.iloc[0]
    trials = measured.trials(paper_results.figure2d(), "independent")[112]
    gain = 100 * (trials["esvm"].mean() - trials["svm"].mean())
    assert row["E-SVM − SVM, 95 %"].startswith(f"{gain:+.1f} (")
    assert any("16 of 80 repeats" in caption.value for caption in at.caption)
    assert any("largest gap is 1.0e-05" in caption.value for caption in at.caption)


def test_theorem_shows_the_exact_law_and_bounds():
    at = page(tab=THEOREM, n="5040", m="14", t="0.8")
    exact = next(trace for trace in charts(at)[0]["data"] if trace["name"] == "exact")
    for s, p in zip(values(exact["x"]), values(exact["y"]), strict=True):
        assert p == pytest.approx(grouping.balance_probability(5040, int(s), 14, 0.8), abs=1e-9)
    at.select_slider(key="paper_m").set_value("2").run()
    assert not at.exception and "m = 2" in title(at)


def test_theorem_says_when_m_does_not_divide_n():
    missing = [
        (n, m)
        for n in (1008, 5040, 20160, 100_800)
        for m in (2, 4, 7, 8, 14, 16, 24, 28, 42, 56, 84, 112)
        if n % m
    ]
    for n, m in missing[:1]:
        at = page(tab=THEOREM, n=str(n), m=str(m))
        assert f"m = {m} does not divide n = {n}" in at.error[0].value


def test_table_sets_ours_beside_the_papers(made_up):
    content = paper_results.table1(strongest={"isolet": {"svm": 80.0}})
    (made_up / "table1.json").write_text(json.dumps(content))
    at = page(tab=TABLE)
    table, rules = at.dataframe
    row = table.value.set_index("data").loc["ISOLET"]
    assert row["SVM"].startswith("69.6 ±") and row["SVM, paper"] == "69.59"
    assert "ahead of SVM on 6 of 7 sets, behind on 0, and first of the four on 6" in title(at)
    row = rules.value.set_index("data").loc["ISOLET"]
    assert row["E-SVM(R) − SVM, ties to the weakest"].startswith("+0.3 ±")
    assert row["E-SVM(R) − SVM, ties to the strongest"].startswith("-10.2 ±")
    assert (row["first, ties to the strongest"], row["first by both"]) == ("SVM", "–")
    assert any("2,360 of 7,080 trials" in c.value for c in at.caption)
    other = page(tab=TABLE, ties="strongest")
    assert other.dataframe[0].value.set_index("data").loc["ISOLET"]["SVM"].startswith("80.0 ±")
    assert any("Colorectal" in caption.value for caption in at.caption)
    at = page(tab=TABLE, protocol="ordinary")
    assert at.dataframe[0].value.set_index("data").loc["ISOLET"]["SVM"].startswith("84.6 ±")


@pytest.mark.parametrize("key", ["momentum", "l1_origin", "rule_of_thumb"])
def test_errata_are_computed_live(key):
    erratum = errata.BY_KEY[key]
    at = page(tab="Errata", erratum=erratum.title)
    finding = re.sub(r"\s+", " ", erratum.demonstrate().finding)
    texts = [re.sub(r"\\(.)", r"\1", text.value) for text in at.markdown]
    assert finding in texts
    assert len(charts(at)) == (erratum.demonstrate().curves is not None)


def test_charts_describe_themselves_to_screen_readers(made_up):
    for tab in ("Claims", RACES, ACCURACY, THEOREM, TABLE):
        at = page(tab=tab)
        (element,) = at.get("plotly_chart")
        assert title(at) in element.proto.alt


def test_presets_open_their_tabs(made_up):
    at = page()
    button = next(b for b in at.button if b.label == "Ordinary folds")
    button.click().run()
    assert not at.exception
    assert "Ordinary folds" in title(at)


def test_partial_folds_are_shown_as_partial(made_up):
    content = paper_results.table1()
    for cell in content["cells"]:
        for name in ("number", "accuracy"):
            cell[name] = cell[name][:1]
    (made_up / "table1.json").write_text(json.dumps(content))
    for protocol in ("inverted", "ordinary"):
        table, _ = page(tab=TABLE, protocol=protocol).dataframe
        assert table.value.set_index("data").loc["ISOLET"]["folds"] == "1 of 41"
