"""The page of the paper against the measurements as Streamlit runs it: its numbers, its tabs."""

import base64
import json
import re
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.accuracy import mixture_results, mixtures
from lab.data.datasets import MAT_FILES
from lab.data.paper_numbers import TABLE_1
from lab.paper import claims, completeness, errata, figures, measured, race_figures
from lab.paper.view import common
from lab.races.panels import PANELS
from lab.results import SHIPPED_FOLDER_VARIABLE, shipped, shipped_folder
from solvers import grouping
from tests import driver
from tests.driver import charts
from tests.lab.paper import paper_results

PAGE = next(page for page in ui.PAGES if page.key == "paper_vs_measured")
RACES, ACCURACY, THEOREM, TABLE = "Fig. 2(a)–(c)", "Fig. 2(d)", "Theorem 5", "Table 1"


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """A folder with made-up races and accuracies beside the committed small checks."""
    committed = shipped_folder()
    for name in ("theory", "theorem5", "prox", "compare"):
        (tmp_path / f"{name}.json").write_text((committed / f"{name}.json").read_text())
    (tmp_path / "figure2.json").write_text(json.dumps(paper_results.figure2()))
    paper_results.keep(tmp_path, paper_results.figure2d(), paper_results.table1())
    monkeypatch.setenv(SHIPPED_FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


def values(column) -> np.ndarray:
    """A column of a figure, which Plotly ships as a typed array."""
    if isinstance(column, dict):
        return np.frombuffer(base64.b64decode(column["bdata"]), dtype=column["dtype"])
    return np.array(column, dtype=float)


def page(**query) -> AppTest:
    return driver.opened(PAGE.key, **query)


def answer(at: AppTest) -> str:
    return next(text.value for text in at.markdown if text.value.startswith("Of "))


title = driver.title_on


def lines(at: AppTest) -> list[str]:
    """The keys of the claims whose lines are in the list."""
    opening = "paper_open_"
    return [b.key.removeprefix(opening) for b in at.button if (b.key or "").startswith(opening)]


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
    in_order = sorted(rows, key=lambda row: claims.TOPICS.index(row.claim.topic))
    assert lines(at) == [row.claim.key for row in in_order]


def test_filters_keep_topic_and_verdict(made_up):
    rows = claims.judged(measured.read())
    at = page(verdict=claims.HOLDS, topic="Speed")
    wanted = [r for r in rows if r.verdict == claims.HOLDS and r.claim.topic == "Speed"]
    assert lines(at) == [row.claim.key for row in wanted] and wanted
    assert any(c.value == f"{len(wanted)} of {len(rows)} claims" for c in at.caption)
    (chart,) = charts(at)
    bold = sum(o == 1.0 for trace in drawn(chart) for o in trace["marker"]["opacity"])
    assert bold == len(wanted)
    at.selectbox(key="paper_topic").set_value("Grouping").run()
    grouped = [r for r in rows if r.verdict == claims.HOLDS and r.claim.topic == "Grouping"]
    assert lines(at) == [row.claim.key for row in grouped]


def test_a_line_opens_its_claim_and_the_steps_lead_on(made_up):
    at = page()
    at.button(key="paper_open_locp_rate").click().run()
    assert not at.exception and lines(at) == []
    row = next(r for r in claims.judged(measured.read()) if r.claim.key == "locp_rate")
    assert at.subheader[0].value == row.claim.title
    texts = [re.sub(r"\\\\(.)", r"\1", text.value) for text in at.markdown]
    assert f"“{row.claim.quote}”" in texts
    assert any(text.startswith("> ") and "optimal convergence rate" in text for text in texts)
    for name in ("Strength of evidence", "What would change the verdict", "Measured"):
        assert any(text.startswith(f"**{name}.**") for text in texts)
    (evidence,) = at.get("plotly_chart")
    assert evidence.proto.alt.startswith(f"{row.claim.title}: {row.verdict}. ")
    at.button(key="paper_step_Next").click().run()
    keys = [claim.key for claim in claims.CLAIMS]
    following = claims.BY_KEY[keys[keys.index("locp_rate") + 1]]
    assert at.subheader[0].value == following.title
    at.button(key="paper_step_All claims").click().run()
    assert len(lines(at)) == len(claims.CLAIMS)


def test_a_claim_has_an_address_and_an_entry_of_its_own():
    at = page(claim="theorem_5")
    assert at.subheader[0].value == claims.BY_KEY["theorem_5"].title
    codes = [code.value for code in at.code]
    (entry,) = (text for text in codes if text.startswith("@misc{exclusive-sparsity-theorem-5"))
    assert any(text.endswith("?paper_claim=theorem_5") and text in entry for text in codes)
    (link,) = run_again(at)
    assert "rg_n=" in link.proto.query_string and "rg_s=" in link.proto.query_string


def test_an_address_is_whole_where_the_server_knows_its_own(monkeypatch):
    base = "https://lab.example/sparse/Paper_vs_measured"
    monkeypatch.setattr(common, "base_address", lambda: base)
    codes = [code.value for code in page(claim="theorem_5").code]
    assert f"{base}?paper_claim=theorem_5" in codes
    assert any(f"url          = {{{base}?paper_claim=theorem_5}}" in code for code in codes)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ({"tab": RACES, "seed": "1"}, "figure-2a-seed-1"),
        ({"tab": ACCURACY, "noise": "shared"}, "figure-2d-shared"),
        ({"tab": THEOREM, "m": "14"}, "theorem-5-n-5040-m-14-t-0-5"),
        ({"tab": TABLE, "protocol": "ordinary"}, "table-1-ordinary-standardise-weakest"),
        ({"tab": "Errata", "erratum": "captions"}, "erratum-captions"),
    ],
)
def test_every_view_has_an_address_that_opens_it_again(query, name):
    """Its figure's title, or its finding, is the same again."""
    first = page(**query)
    (entry,) = (c.value for c in first.code if c.value.startswith("@misc{exclusive-sparsity-"))
    assert entry.startswith(f"@misc{{exclusive-sparsity-{name},")
    (address,) = (c.value for c in first.code if c.value.startswith("?paper_tab="))
    assert address in entry
    again = page(**{k.removeprefix("paper_"): v for k, v in parse_qsl(address[1:])})
    # The link to copy names defaults too where they were asked for.
    shown = [[c.value for c in at.code if not c.value.startswith("None?")] for at in (first, again)]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("panel", race_figures.PANELS)
def test_a_races_link_is_made_from_its_panel_with_the_draws_of_its_medians(panel):
    (link,) = run_again(page(tab=RACES, panel=panel, seed="2"))
    said = dict(parse_qsl(link.proto.query_string))
    spec = PANELS[race_figures.PANELS[panel]].spec
    assert said["race_seed"] == "0" and said["race_repeats"] == "3"
    assert said["race_alpha"] == f"{spec.alpha:g}" and said["race_budget"] == "15.0"
    assert {k for k in said if k.startswith("race_m_") and said[k] == "true"} == {
        f"race_m_{method}" for method in spec.methods
    }


def test_a_tables_link_is_made_from_its_settings():
    query = dict(tab=TABLE, protocol="ordinary", preprocessing="none", ties="strongest")
    at = page(**query)
    (link,) = run_again(at)
    said = dict(parse_qsl(link.proto.query_string))
    assert (said["acc_kind"], said["acc_scaling"], said["acc_ties"]) == (
        "ordinary",
        "none",
        "strongest",
    )
    # The first row on show, with as many folds as the paper has for it.
    first = next(row for row in TABLE_1 if row.title == at.dataframe[0].value["data"].iloc[0])
    assert said["acc_data"] == MAT_FILES[first.data].title
    assert said["acc_folds"] == str(first.folds)
    # The figure has seven sets, and the link one of them.
    assert link.proto.label.startswith("Run one row again")
    assert any(caption.value.startswith(f"{first.title} only;") for caption in at.caption)


def run_again(at: AppTest) -> list:
    labels = ("Run it again", "Run one row again", "Watch it in a race", "Look at")
    return [link for link in at.get("page_link") if link.proto.label.startswith(labels)]


def test_a_claim_without_a_page_names_the_command_and_a_summary_its_parts():
    told = [caption.value for caption in page(claim="lemma_1_steps").caption]
    command = "python -m benchmarks.statements --only lemma_1_steps"
    assert f"No page shows it. This command measures it again: `{command}`" in told
    at = page(claim="all_rates")
    opened = {
        dict(parse_qsl(link.proto.query_string)).get("paper_claim") for link in at.get("page_link")
    }
    assert set(claims.BY_KEY["all_rates"].rests_on) <= opened


def test_the_list_is_folded_by_topic_where_it_is_long():
    at = page()
    labels = [expander.label for expander in at.expander]
    for topic in claims.TOPICS:
        assert sum(label.startswith(f"{topic}: ") for label in labels) == 1
    assert len(lines(at)) == len(claims.CLAIMS)
    one = page(topic="Overall")
    assert not any(expander.label.startswith("Overall: ") for expander in one.expander)
    assert len(lines(one)) == sum(claim.topic == "Overall" for claim in claims.CLAIMS)


def test_an_unknown_claim_is_the_whole_list():
    assert len(lines(page(claim="no_such_claim"))) == len(claims.CLAIMS)


@pytest.mark.parametrize("key", ["fig_2a", "lelr_rate"])
def test_claims_link_to_the_race_that_was_measured(key):
    (link,) = run_again(page(claim=key))
    for lane in ("locp", "pcp", "lelr", "pls_dn", "subgradient"):
        assert f"race_m_{lane}=true" in link.proto.query_string


def test_missing_results_name_their_command(tmp_path, monkeypatch):
    monkeypatch.setenv(SHIPPED_FOLDER_VARIABLE, str(tmp_path))
    for tab, name in ((RACES, "figure2"), (ACCURACY, "figure2d"), (TABLE, "table1")):
        at = page(tab=tab)
        assert measured.COMMANDS[name] in [code.value for code in at.code]
        assert "are not yet measured" in answer(at)


def test_race_shows_lines_and_medians(made_up):
    at = page(tab=RACES)
    assert title(at) == (
        "OURS (ours) is at a true error of 1e-06 after 0.3 s; LOCP at 1e-02 after 1 s "
        "(medians and ranges of 3 draws)"
    )
    (chart,) = charts(at)
    assert len(chart["data"]) == len(paper_results.lasso_lanes())
    (table,) = at.dataframe
    first = table.value.iloc[0]
    assert (first["method"], first["true error 1e-02"]) == ("OURS (ours)", "0.1 s")
    # What a user of the method alone can know stands beside the true error, and both are named.
    certified = [name for name in table.value.columns if name.startswith("certified ")]
    assert certified == ["certified 1e-02", "certified 1e-04", "certified 1e-06"]
    assert any(
        "by certificate and by true error; the claims go by the" in c.value for c in at.caption
    )
    locp = next(trace for trace in chart["data"] if trace["name"] == "LOCP")
    k = np.unique(np.geomspace(1, 10_000, 60).astype(int))
    assert values(locp["y"]) == pytest.approx(0.5 / k**2.0, rel=1e-6)


def test_a_race_against_iterations_is_told_in_iterations():
    at = page(tab=RACES, against="iterations")
    locp = next(trace for trace in charts(at)[0]["data"] if trace["name"] == "LOCP")
    there = values(locp["x"])[values(locp["y"]) <= 1e-2]
    panel = measured.panels(measured.read().figure2)["2a"]
    each = [one.iterations for one in measured.crossings(panel, "locp", 1e-2, "suboptimality")]
    assert each[0] <= there[0] <= 1.1 * each[0]  # between two of the rows that were kept
    assert f"LOCP at 1e-02 after {np.median(each):,.0f} iterations (" in title(at)


def test_race_refuses_what_was_not_recorded(made_up):
    at = page(tab=RACES, measure="change of w")
    assert "Fig. 2(c) only" in at.error[0].value
    at = page(tab=RACES, panel="2(c) overlapped, α = 1, β = 10", measure="change of w")
    assert not at.error
    assert {trace["name"] for trace in charts(at)[0]["data"]} == {"LICP", "LICP, block", "ADMM"}
    assert "is at a change of w of 1e-06 after" in title(at)
    assert "a certified gap of 1e-06" in title(page(tab=RACES, measure="certified gap"))
    at = page(tab=RACES, seed="77")
    assert "choose one of: 0, 1, 2" in at.error[0].value


def test_accuracy_shows_means_and_paired_differences(made_up):
    at = page(tab=ACCURACY)
    said = "So far, beyond chance E-SVM is ahead of SVM at 4 of 4 values of m (by "
    assert title(at).startswith(said)
    (table,) = at.dataframe
    row = table.value.iloc[0]
    trials = measured.trials(paper_results.figure2d(), "independent")[112]
    gain = 100 * (trials["esvm"].mean() - trials["svm"].mean())
    assert row["E-SVM − SVM, 95 %"].startswith(f"{gain:+.1f} (")
    assert any("16 of 80 draws over all values of m" in caption.value for caption in at.caption)
    assert any("largest gap is 1.0e-05" in caption.value for caption in at.caption)


def test_theorem_shows_the_exact_law_and_bounds():
    at = page(tab=THEOREM, n="5040", m="14", t="0.8")
    exact = next(trace for trace in charts(at)[0]["data"] if trace["name"] == "exact")
    for s, p in zip(values(exact["x"]), values(exact["y"]), strict=True):
        assert p == pytest.approx(grouping.balance_probability(5040, int(s), 14, 0.8), abs=1e-9)
    at.select_slider(key="paper_m").set_value("2").run()
    assert not at.exception and "m = 2" in title(at)


def test_the_theorems_title_says_no_more_than_the_s_on_show(made_up):
    """With more true features than are shown the theorem may well know it."""
    at = page(tab=THEOREM, n="100800", m="8", t="0.2")
    last = values(charts(at)[0]["data"][0]["x"])[-1]
    assert grouping.theorem_bound(int(last), 8, 0.2) < 0.9 < grouping.theorem_bound(90_000, 8, 0.2)
    assert title(at).endswith(f"the theorem shows it for no s up to {last:,.0f}")
    assert "P is below 0.9 up to s = " in title(page(tab=THEOREM, n="100800", m="112", t="0.2"))


def test_what_a_link_says_of_other_tabs_outlives_a_reset_here():
    link = {"noise": "shared", "protocol": "ordinary", "seed": "1", "n": "1008", "m": "14"}
    at = page(tab=TABLE, **link)
    driver.ran(at.button(key="paper_export_reset").click())
    kept = {f"paper_{name}": value for name, value in link.items() if name != "protocol"}
    assert dict(at.query_params) == {"paper_tab": TABLE, **kept}


def test_table_sets_ours_beside_the_papers(made_up):
    content = paper_results.table1(strongest={"isolet": {"svm": 80.0}})
    paper_results.keep(made_up, paper_results.figure2d(), content)
    at = page(tab=TABLE)
    table, rules = at.dataframe
    row = table.value.set_index("data").loc["ISOLET"]
    assert row["SVM"].startswith("69.6 ±") and row["SVM, paper"] == "69.59"
    assert "ahead of SVM on 7 of 7 sets and behind on 0" in title(at)
    row = rules.value.set_index("data").loc["ISOLET"]
    assert row["E-SVM(R) − SVM, ties to the weakest"].startswith("+0.3 ±")
    assert row["E-SVM(R) − SVM, ties to the strongest"].startswith("−10.2 ±")
    assert (row["highest mean, ties to the strongest"], row["highest by both"]) == ("SVM", "–")
    assert any("2,360 of 7,080 trials" in c.value for c in at.caption)
    other = page(tab=TABLE, ties="strongest")
    assert other.dataframe[0].value.set_index("data").loc["ISOLET"]["SVM"].startswith("80.0 ±")
    assert any("Colorectal" in caption.value for caption in at.caption)
    told = " ".join(re.sub(r"\\(.)", r"\1", caption.value) for caption in at.caption)
    assert figures.assumed_rows() in told and "These 885 documents are not the paper's" in told
    assert completeness.sentence(measured.read().table1) in told
    at = page(tab=TABLE, protocol="ordinary")
    assert at.dataframe[0].value.set_index("data").loc["ISOLET"]["SVM"].startswith("84.6 ±")


def test_sets_with_groups_of_their_own_and_mixtures_say_what_their_results_say(made_up):
    at = page(tab=TABLE)
    commands = [code.value for code in at.code]
    assert "python -m benchmarks.natural --sets nmr" in commands  # nothing measured in this folder
    spec = replace(mixtures.specs()[0], repeats=5)
    store = shipped(made_up)
    for repeat, _, method in spec.trials():
        found = 1.0 if method == "exclusive" else 0.7 + 0.01 * repeat
        score = {"found": found, "named_absent": None, "right_shift": 0.5, "copies": 40}
        score["refit_error"] = 0.1 + 0.01 * repeat
        ways = dict.fromkeys(mixtures.WAYS, score)
        store.add(spec, {"trial": [repeat, 0, method], "accuracy": found, **ways}, {})
    at = page(tab=TABLE)
    rows = mixture_results.results(shipped(made_up))
    texts = [re.sub(r"\\(.)", r"\1", text.value) for text in at.markdown]
    assert mixture_results.answer(rows) in texts
    assert list(at.dataframe[-1].value["mixture"]) == ["40 of 40 present, noise 0.02"] * 3
    told = [re.sub(r"\\(.)", r"\1", caption.value) for caption in at.caption]
    assert any(
        text.startswith("So far: 40 of 40 present, noise 0.02 (5 of 20 draws)") for text in told
    )


@pytest.mark.parametrize("key", ["momentum", "l1_origin", "rule_of_thumb"])
def test_errata_are_computed_live(key):
    erratum = errata.BY_KEY[key]
    at = page(tab="Errata", erratum=erratum.key)
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
    paper_results.keep(made_up, paper_results.figure2d(), content)
    for protocol in ("inverted", "ordinary"):
        at = page(tab=TABLE, protocol=protocol)
        assert title(at).startswith(f"So far: {protocol} folds, standardised: ")
        table, _ = at.dataframe
        assert table.value.set_index("data").loc["ISOLET"]["folds"] == "1 of 41"
