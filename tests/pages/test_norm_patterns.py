"""The norm patterns page as Streamlit runs it: its numbers, tabs, presets and address."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import balls, pattern_start, patterns, twins, ui
from lab.datasets import TwinsSpec
from lab.snippets import patterns as snippets
from solvers import Groups
from solvers.baselines import fit_norm

ROOT = Path(__file__).resolve().parents[2]
PAGE = ui.frame.page_of("norm_patterns")


def opened(**query) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.switch_page(PAGE.file)
    for key, value in query.items():
        at.query_params[f"np_{key}"] = value
    return ran(at)


def ran(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception
    return at


def titles(at: AppTest) -> list[str]:
    specs = [json.loads(element.proto.spec) for element in at.get("plotly_chart")]
    return [
        spec["layout"]["title"]["text"].split("<br><span")[0].replace("<br>", " ") for spec in specs
    ]


def says(at: AppTest, words: str) -> str:
    return next(text.value for text in at.markdown if words in text.value)


def offers(at: AppTest, script: str) -> bool:
    return script.strip() in [code.value.strip() for code in at.code]


def press(at: AppTest, label: str) -> AppTest:
    at.button(key=f"np_preset_{label}").click()
    return ran(at)


def kept_by_hand(spec: patterns.PatternSpec, share: float) -> list[tuple[int, int]]:
    """(nonzeros, empty groups) of the four norms, fitted once each rather than along a path."""
    data = patterns.make_data(spec)
    groups = Groups.contiguous(spec.n_features, spec.n_groups)
    counts = []
    for norm, key in patterns.FITTED_AS.items():
        lam = share * patterns.own_scale(norm, data.X, data.y, groups)
        w = fit_norm(key, data.X, data.y, groups, lam, tol=1e-8).w
        grid = (np.abs(w) > 1e-6 * np.abs(w).max()).reshape(spec.n_groups, -1)
        counts.append((int(grid.sum()), int((~grid.any(axis=1)).sum())))
    return counts


def test_opens_with_its_question_the_answer_and_four_certified_panels():
    at = opened()
    assert at.title[0].value == PAGE.question
    paths = pattern_start.paths_of(patterns.PatternSpec())
    shown = patterns.look_up(paths, float(patterns.DEFAULT_SHARE), matched=True)
    assert at.markdown[0].value == patterns.answer(shown, matched=True)
    assert titles(at) == [fit.title for fit in shown.values()]
    shares = {norm: fit.share for norm, fit in shown.items()}
    assert offers(at, snippets.figure_one(patterns.PatternSpec(), shares))
    largest = max(fit.gap for fit in shown.values())
    badge = f"certified (all four): relative gap {largest:.0e}"
    assert largest <= 1e-6 and any(badge in text.value for text in at.markdown)
    gaps = " | ".join(f"{fit.gap:.0e}" if fit.gap else "< 1e-15" for fit in shown.values())
    assert any(f"| relative gap, certified | {gaps} |" in text.value for text in at.markdown)


def test_unmatched_panels_show_what_four_separate_fits_keep():
    at = opened(match="false", share="0.24")
    found = [(int(re.search(r"(\d+) weights", title).group(1)), title) for title in titles(at)]
    by_hand = kept_by_hand(patterns.PatternSpec(), 0.24)
    assert [count for count, _ in found] == [kept for kept, _ in by_hand]
    for (_, title), (_, empty) in zip(found, by_hand, strict=True):
        assert ("all 10 groups" in title) == (empty == 0)


def test_strength_slider_is_a_look_up_that_changes_the_numbers():
    at = opened()
    before = at.markdown[0].value
    at.select_slider(key="np_share").set_value("0.1")
    ran(at)
    shown = patterns.look_up(pattern_start.paths_of(patterns.PatternSpec()), 0.1, matched=True)
    assert at.markdown[0].value == patterns.answer(shown, matched=True) != before
    columns = patterns.numbers_table(shown)
    (table,) = [text.value for text in at.markdown if text.value.startswith("| numbers")]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()]
    assert rows[0] == list(columns) and rows[2:] == [
        list(row) for row in zip(*columns.values(), strict=True)
    ]
    assert columns["ℓ1"][2] == str(np.count_nonzero(shown["l1"].pattern.weights))


@pytest.mark.parametrize("matched", [True, False])
def test_scrubber_holds_the_look_up_of_every_stop_and_opens_at_the_slider(matched):
    at = opened(drag="true", share="0.1", match=str(matched).lower())
    (chart,) = [found for found in at.get("plotly_chart") if "slider" in found.proto.alt]
    assert len(chart.proto.spec) < 300_000
    figure = json.loads(chart.proto.spec)
    paths = patterns.solve_paths(patterns.PatternSpec())
    (slider,) = figure["layout"]["sliders"]
    assert [step["args"][0] for step in slider["steps"]] == [[share] for share in patterns.SHARES]
    assert patterns.SHARES[slider["active"]] == "0.1"
    for share, frame in zip(patterns.SHARES, figure["frames"], strict=True):
        shown = patterns.look_up(paths, float(share), matched).values()
        z = np.array(frame["data"][0]["z"], dtype=float)
        seen = z[~np.isnan(z).all(axis=1)][:, ~np.isnan(z).all(axis=0)]
        # Two panels beside two panels, each as strong as its own largest weight allows.
        wanted = [fit.grid / (np.abs(fit.grid).max() or 1.0) for fit in shown]
        wanted = np.block([wanted[:2], wanted[2:]])
        np.testing.assert_array_equal(np.sign(seen), np.sign(wanted))
        strength = np.where(wanted == 0, 0, (np.abs(seen) - 0.1) / 0.9)
        np.testing.assert_allclose(strength, np.abs(wanted), atol=1e-3)
        titles = [note["text"] for note in frame["layout"]["annotations"]]
        assert titles == [fit.short_title for fit in shown]
        assert frame["name"] == share
    now = figure["frames"][slider["active"]]
    assert figure["data"][0]["z"] == now["data"][0]["z"]
    assert figure["layout"]["annotations"] == now["layout"]["annotations"]


def test_charts_describe_themselves_to_screen_readers():
    at = opened()
    for element, title in zip(at.get("plotly_chart"), titles(at), strict=True):
        assert title in element.proto.alt and "nonzeros per group" in element.proto.alt


def test_impossible_settings_give_one_sentence_and_keep_the_controls():
    at = opened(true="8", size="4")
    assert [error.value for error in at.error] == [
        patterns.PatternSpec(nonzeros_per_group=8, group_size=4).problem()
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
    assert at.markdown[0].value == balls.answer("{1,2}, {2,3}")


def test_path_tab_shows_the_chosen_norm_where_the_slider_stands():
    at = opened(tab="Paths in λ", norm="ℓ1", match="false", share="0.32")
    paths = patterns.solve_paths(patterns.PatternSpec())
    fit = patterns.look_up(paths, 0.32, matched=False)["l1"]
    assert at.markdown[0].value == patterns.path_answer(paths, fit)
    assert titles(at)[0] == patterns.path_title(paths, fit)
    spec = json.loads(at.get("plotly_chart")[0].proto.spec)
    assert spec["layout"]["shapes"][0]["x0"] == pytest.approx(0.32)
    at.selectbox(key="np_only").set_value("group 12")
    assert any("There are 10 groups here" in caption.value for caption in ran(at).caption)


def test_twins_tab_checks_the_four_claims_with_their_numbers():
    at = opened(tab="Correlated twins")
    fits = twins.fit_twins(TwinsSpec(), 0.1)
    assert offers(at, snippets.twins(TwinsSpec(), 0.1))
    table = says(at, "| the paper says |")
    assert table.count("**holds**") == 4
    assert f"{fits['le'].busy:.2f} (busy) and {fits['le'].quiet:.2f} (quiet)" in table
    at.slider(key="np_busy").set_value(0)
    at.select_slider(key="np_twin_rho").set_value("0.4")
    even = twins.fit_twins(TwinsSpec(busy_load=0, correlation=0.4), 0.1)
    assert says(ran(at), "Of two similar features").startswith(
        f"Of two similar features ℓ2 picks {even['l2'].pick}, ℓ1 picks {even['l1'].pick}"
    )
    assert "**undecided**" in says(at, "| the paper says |")


def test_twins_over_many_draws():
    at = opened(tab="Correlated twins", draws="true")
    said = says(at, "Over 20 draws")
    assert [int(count) for count in re.findall(r"in (\d+) of 20", said)] == [20, 20, 20, 20]


def test_balls_tab_draws_four_bodies_or_three_cuts():
    at = opened(tab="Unit balls", grouping="{1,2}, {2,3}")
    assert at.markdown[0].value == balls.answer("{1,2}, {2,3}")
    assert titles(at) == [balls.ball_title(norm, "{1,2}, {2,3}") for norm in balls.NORMS]
    assert offers(at, snippets.balls("{1,2}, {2,3}"))
    at.segmented_control(key="np_shape").set_value("in the plane")
    assert titles(ran(at)) == [balls.section_title("{1,2}, {2,3}", plane) for plane in balls.PLANES]
