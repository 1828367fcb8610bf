"""The norm patterns page as Streamlit runs it: its numbers, tabs, presets and address."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import exports, ui
from lab.data.datasets import TwinsSpec
from lab.norms import balls, draws, shown, start, touch, twins, words
from lab.norms import code as snippets
from lab.norms import paths as norm_paths
from lab.norms.spec import PatternSpec, make_data
from lab.norms.view import figure_one
from lab.norms.view.controls import DEFAULTS, LIMITS, PRESETS, TABS
from solvers import Groups
from solvers.comparisons import fit_norm
from tests import driver
from tests.driver import ran
from tests.lab.norms.small import solved

PAGE = ui.frame.page_of("norm_patterns")
KEPT = start.stored_paths()


def opened(**query) -> AppTest:
    return driver.opened(PAGE.key, **query)


def titles(at: AppTest) -> list[str]:
    return [
        chart["layout"]["title"]["text"].split("<br><span")[0].replace("<br>", " ")
        for chart in driver.charts(at)
    ]


def says(at: AppTest, part: str) -> str:
    return next(text.value for text in at.markdown if part in text.value)


def offers(at: AppTest, script: str) -> bool:
    return exports.script(script).strip() in [code.value.strip() for code in at.code]


def press(at: AppTest, label: str) -> AppTest:
    at.button(key=f"np_preset_{label}").click()
    return ran(at)


def kept_by_hand(spec: PatternSpec, share: float) -> dict[str, tuple[int, int]]:
    """(nonzeros, empty groups) of the four norms, fitted once each rather than along a path."""
    data = make_data(spec)
    groups = Groups.contiguous(spec.n_features, spec.n_groups)
    counts = {}
    for norm, key in norm_paths.FITTED_AS.items():
        lam = share * norm_paths.own_scale(norm, data.X, data.y, groups)
        w = fit_norm(key, data.X, data.y, groups, lam, tol=1e-8).w
        grid = (np.abs(w) > 1e-6 * np.abs(w).max()).reshape(spec.n_groups, -1)
        counts[norm] = (int(grid.sum()), int((~grid.any(axis=1)).sum()))
    return counts


def answer(fits, share: str, matched: bool) -> str:
    many = start.stored_draws()
    return f"{words.answer(fits)} {words.empties_over_draws(many, share, matched)}"


def test_opens_with_its_question_the_answer_and_one_certified_figure():
    at = opened()
    assert at.title[0].value == PAGE.question
    fits = shown.look_up(KEPT, float(norm_paths.DEFAULT_SHARE), matched=True)
    assert at.markdown[0].value == answer(fits, "1", True)
    assert titles(at) == [words.frame_title(fits, "1")]
    assert at.get("plotly_chart")[0].proto.alt == words.frame_alt(fits, "1")
    shares = {norm: fit.share for norm, fit in fits.items()}
    assert offers(at, snippets.figure_one(start.SPEC, shares))
    largest = max(fit.gap for fit in fits.values())
    badge = f"certified (all four): relative gap {largest:.0e}"
    assert largest <= 1e-6 and any(badge in text.value for text in at.markdown)
    below = says(at, "**This draw.**")
    gaps = " | ".join(f"{fit.gap:.0e}" if fit.gap >= 1e-15 else "< 1e-15" for fit in fits.values())
    assert f"| relative gap, certified | {gaps} |" in below
    assert words.usual_finding(start.stored_draws()) in below


def test_unmatched_panels_show_what_four_separate_fits_keep():
    at = opened(match="false", share="0.24")
    by_hand = kept_by_hand(start.SPEC, 0.24)
    said = at.markdown[0].value
    assert f"ℓe keeps {by_hand['le'][0]} of 120 weights" in said
    for norm, label, none in (("l1", "ℓ1", "no group"), ("l21", "ℓ2,1", "none")):
        kept, empty = by_hand[norm]
        count = "all 120" if kept == 120 else kept
        assert f"{label} with {count} leaves {empty or none}" in said


def test_strength_slider_is_a_look_up_that_changes_the_numbers():
    at = opened()
    before = at.markdown[0].value
    at.select_slider(key="np_share").set_value("0.1")
    ran(at)
    fits = shown.look_up(KEPT, 0.1, matched=True)
    assert at.markdown[0].value == answer(fits, "0.1", True) != before
    columns = words.numbers_table(fits)
    table = says(at, "**This draw.**")
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:1] == "|"]
    assert rows[0] == list(columns) and rows[2:] == [
        list(row) for row in zip(*columns.values(), strict=True)
    ]
    assert columns["ℓ1"][2] == str(np.count_nonzero(fits["l1"].pattern.weights))


def test_other_data_are_drawn_again_only_when_asked(monkeypatch):
    for module in (draws, words):
        monkeypatch.setattr(module, "SEEDS", (0, 1, 2))
    # However fast the machine: the time for one press is over when it begins.
    monkeypatch.setattr(figure_one, "SECONDS_OF_DRAWS", -1.0)
    at = opened(groups="3", size="4", samples="20", seed="0")
    assert not any("draws" in text.value for text in at.markdown[:1])
    at.toggle(key="np_many").set_value(True)
    assert "Over 2 draws, so far 2 of 3, ℓe leaves" in ran(at).markdown[0].value
    # However long a busy machine takes for all of them.
    monkeypatch.setattr(figure_one, "SECONDS_OF_DRAWS", float("inf"))
    assert at.button(key="np_more_draws").label == "Go on: 2 of 3 draws so far"
    said = ran(at.button(key="np_more_draws").click()).markdown[0].value
    spec = PatternSpec(n_groups=3, group_size=4, n_samples=20)
    fits = shown.look_up(solved(spec), 1.0, matched=True)
    assert said.startswith(words.answer(fits)) and "Over 3 draws ℓe leaves" in said
    assert "**Over 3 draws of such data**" in says(at, "**This draw.**")


def test_impossible_settings_give_one_sentence_and_keep_the_controls():
    at = opened(true="8", size="4")
    assert [error.value for error in at.error] == [
        PatternSpec(nonzeros_per_group=8, group_size=4).problem()
    ]
    at.slider(key="np_size").set_value(12)
    assert not ran(at).error


def test_presets_set_the_data_and_the_first_puts_them_back():
    at = opened()
    first = at.markdown[0].value
    press(at, "Overlapping groups")
    assert at.slider(key="np_overlap").value == 4
    assert any("shared with the next row" in caption.value for caption in at.caption)
    press(at, "Whole groups true")
    assert at.slider(key="np_overlap").value == 0
    assert at.slider(key="np_active").value == 30
    press(at, "Paper Figure 1")
    assert at.markdown[0].value == first
    press(at, "Overlapping balls")
    assert at.segmented_control(key="np_grouping").value == "{1,2}, {2,3}"


def test_every_control_has_limits_that_hold_its_default_and_its_presets():
    assert set(LIMITS) == set(DEFAULTS)
    for changes in (DEFAULTS, *PRESETS.values()):
        for name, value in changes.items():
            assert value in LIMITS[name], (name, value)


@pytest.mark.parametrize("tab", TABS)
def test_what_another_tab_sets_counts_here_after_a_reload(tab):
    at = opened(tab=tab, groups="4", size="3", samples="20", optimum="1.5,0.5", busy="3")
    values = {"np_tab": tab, "np_groups": "4", "np_busy": "3", "np_optimum": "1.5,0.5"}
    for key, value in values.items():
        if key != "np_tab" or tab != TABS[0]:
            assert at.query_params[key] in (value, [value])
    if tab == "Paths in λ":
        assert any("4 groups of 3" in caption.value for caption in at.caption)


def test_path_tab_shows_the_chosen_norm_where_the_slider_stands():
    at = opened(tab="Paths in λ", norm="ℓ1", match="false", share="0.32")
    fit = shown.look_up(KEPT, 0.32, matched=False)["l1"]
    assert at.markdown[0].value == words.path_answer(KEPT, fit)
    assert titles(at) == [words.path_title(KEPT, fit)]
    (chart,) = at.get("plotly_chart")
    assert json.loads(chart.proto.spec)["layout"]["shapes"][0]["x0"] == pytest.approx(0.32)
    assert chart.proto.alt == words.path_alt(KEPT, fit)
    assert offers(at, snippets.path(start.SPEC, "l1"))
    at.selectbox(key="np_only").set_value("group 12")
    assert any("There are 10 groups here" in caption.value for caption in ran(at).caption)


@pytest.mark.parametrize("drawn", [shown.F1, shown.ERROR])
def test_path_tab_shows_what_the_fits_of_all_norms_are_worth(drawn):
    at = opened(tab="Paths in λ", drawn=drawn, share="0.32")
    fits = shown.look_up(KEPT, 0.32, matched=False)
    assert at.markdown[0].value == words.metric_answer(fits, "0.32", drawn)
    assert titles(at) == [words.metric_title(fits, "0.32", drawn)]
    assert offers(at, snippets.numbers(start.SPEC))
    assert any(words.best_of_each(KEPT, drawn) in caption.value for caption in at.caption)
    assert words.usual_finding(start.stored_draws()) in [text.value for text in at.markdown]


def test_twins_tab_checks_the_four_claims_with_their_numbers():
    at = opened(tab="Correlated twins")
    fits = twins.fit_twins(TwinsSpec(), 0.1)
    assert offers(at, snippets.twins(TwinsSpec(), 0.1))
    table = says(at, "| the paper says |")
    assert table.count("**holds**") == 4
    assert f"{fits['le'].busy:.2f} (busy) and {fits['le'].quiet:.2f} (quiet)" in table
    assert "Over 20 draws all four hold in every one." in at.markdown[0].value
    at.select_slider(key="np_busy").set_value("0")
    at.select_slider(key="np_twin_rho").set_value("0.4")
    even = twins.fit_twins(TwinsSpec(busy_load=0, correlation=0.4), 0.1)
    assert says(ran(at), "Of two features with correlation").startswith(
        f"Of two features with correlation 0.4, ℓ2 picks {even['l2'].pick}, ℓ1 {even['l1'].pick}"
    )
    assert "**undecided**" in says(at, "| the paper says |")
    assert "Over 20 draws" not in at.markdown[0].value


def test_twins_over_many_draws_where_they_are_asked_for():
    at = opened(tab="Correlated twins", draws="true", twin_share="0.2", vary="busy load")
    said = at.markdown[0].value
    [tally] = twins.claims_over_draws(TwinsSpec(), 0.2, "busy_load", (6,))
    assert said.endswith(twins.draws_finding(tally))
    assert "other true features in the busy group" in at.get("plotly_chart")[0].proto.alt


def test_balls_tab_touches_four_balls_and_draws_four_bodies():
    at = opened(tab="Unit balls", grouping="{1,2}, {2,3}", optimum="0.2,1.4", pair="w1 and w2")
    found = touch.touches("{1,2}, {2,3}", "w1 and w2", 0.4, (0.2, 1.4))
    assert at.markdown[0].value == touch.answer(found)
    assert titles(at) == [touch.finding(found, "w1 and w2")]
    assert offers(at, snippets.touching("{1,2}, {2,3}", "w1 and w2", 0.4, (0.2, 1.4), found))
    at.text_input(key="np_optimum").set_value("1.9,-0.4")
    moved = touch.touches("{1,2}, {2,3}", "w1 and w2", 0.4, (1.9, -0.4))
    assert titles(ran(at)) == [touch.finding(moved, "w1 and w2")]
    at.segmented_control(key="np_shape").set_value("in space")
    assert titles(ran(at)) == [balls.ball_title(norm, "{1,2}, {2,3}") for norm in balls.NORMS]
    assert at.markdown[0].value == balls.answer("{1,2}, {2,3}")
    assert offers(at, snippets.balls("{1,2}, {2,3}"))
