"""The random grouping page as Streamlit runs it: its numbers against exact integers."""

import json
import re
from fractions import Fraction

import pytest
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.balance import draws, settings, words
from lab.balance.law import Setting
from solvers import grouping
from tests import driver
from tests.driver import figure
from tests.solvers.test_grouping import convolved_probability

PAGE = next(page for page in ui.PAGES if page.key == "random_grouping")


def page(**query) -> AppTest:
    return driver.opened(PAGE.key, **query)


def said(at: AppTest) -> str:
    return "\n".join(text.value for text in at.markdown)


def title(at: AppTest) -> str:
    return driver.title_of(figure(at))


def shown_code(at: AppTest) -> str:
    return next(code.value for code in at.code if "from solvers" in code.value)


def test_page_opens_with_its_question_the_answer_and_a_draw():
    at = page()
    assert at.title[0].value == PAGE.question
    exact = [float(convolved_probability(5040, 500, m, Fraction(1, 2))) for m in (20, 22, 23)]
    assert exact[1] >= 0.95 > exact[2]
    assert "**At most 22**" in said(at)
    assert "s/log s = 80 groups do so with a chance of one in about 110,000." in said(at)
    found = draws.draw(5040, 500, 20, 0)
    assert title(at) == words.one_draw(found, 0.5, 1)
    assert f"a probability of {exact[0]:.3f}" in said(at)
    assert "simulate_balance" in shown_code(at)


def test_more_draws_and_another_seed():
    at = page(draws="1000")
    share = draws.draw(5040, 500, 20, 0).so_far(1000, 0.5)
    assert title(at).startswith(f"{share.hits} of 1,000 draws so far balanced")
    at.number_input(key="rg_seed").set_value(5).run()
    share = draws.draw(5040, 500, 20, 5).so_far(1000, 0.5)
    assert title(at).startswith(f"{share.hits} of 1,000 draws so far balanced")
    at.select_slider(key="rg_m").set_value("24").run()
    at.select_slider(key="rg_draws").set_value("40").run()
    assert not at.exception
    exact = f"{grouping.balance_probability(5040, 500, 24, 0.5):.3f}"
    found = draws.draw(5040, 500, 24, 5)
    assert title(at) == words.draw_title(found, 0.5, 40, exact)


@pytest.mark.parametrize("preset", settings.PRESETS)
def test_presets_show_the_numbers_of_their_settings(preset):
    at = page()
    at.button(key=f"rg_preset_{preset}").click().run()
    assert not at.exception
    merged = {**settings.DEFAULTS, **settings.PRESETS[preset]}
    n, s, m, t = merged["n"], int(merged["s"]), int(merged["m"]), float(merged["t"])
    target = settings.target_of(merged["target"])
    largest = grouping.recommend_n_groups(n, s, t, target)
    assert (
        f"**At most {largest:,}** random groups share s = {s:,} true features among n = {n:,}"
        in said(at)
    )
    exact = words.chance(Setting(n, s, t, target), m, grouping.balance_probability(n, s, m, t))
    assert exact in title(at) + said(at)
    if merged["tab"] == settings.BOUNDS:
        assert words.bound_text(grouping.theorem_bound(s, m, t)) in said(at)


@pytest.mark.parametrize("tab", settings.TABS)
def test_every_tab_speaks_of_the_settings_in_the_address_and_exports_its_own_code(tab):
    query = dict(n="600", s="112", m="24", t="0.8", target="90%", c="0.25", seed="3", draws="40")
    at = page(tab=tab, **query)
    largest = grouping.recommend_n_groups(600, 112, 0.8, 0.9)
    assert f"**At most {largest}** random groups share s = 112 true features among n = 600" in said(
        at
    )
    assert "0.25·s/log s = 6 groups do so" in said(at)
    # Settings that this tab does not draw are still in its address, so that a reload keeps them.
    address = at.query_params
    for name, value in (*query.items(), ("tab", tab)):
        if value != str(settings.DEFAULTS[name]):
            assert address[f"rg_{name}"] in (value, [value])
    expected = {
        settings.DRAW: "simulate_balance(n, s, m, 1000, np.random.default_rng([3, m]))",
        settings.GROUPS: "recommend_n_groups(n, s, t, 0.9)",
        settings.BOUNDS: "theorem_bound(s, m, t)",
        settings.PHASES: "n, t = 600, 0.8",
        settings.OVER_N: "s, m, t = 112, 24, 0.8",
    }[tab]
    assert expected in shown_code(at)


def test_another_n_is_looked_at_beside_the_n_on_show():
    at = page(tab=settings.OVER_N)
    assert "With n = 1,000,000 features instead of 5,040, 20 random groups" in title(at)
    at.select_slider(key="rg_instead").set_value("640").run()
    p = grouping.balance_probability(640, 500, 20, 0.5)
    assert title(at) == words.over_n_title(
        Setting(5040, 500, 0.5), 20, grouping.balance_probability(5040, 500, 20, 0.5), 640, p
    )
    at.select_slider(key="rg_s").set_value("1008").run()  # more true ones than there were features
    assert not at.exception and at.select_slider(key="rg_instead").value == "1008"
    assert "With n = 1,008 features instead of 5,040" in title(at)


def test_the_phase_diagram_is_of_the_n_on_show():
    at = page(tab=settings.PHASES, n="600", s="112")
    assert "n = 600" in said(at) and "1,000,000" not in said(at)
    chart = figure(at)
    assert "largest m with P ≥ 95 %" in [trace.get("name") for trace in chart["data"]]


def test_m_moves_every_number_and_never_beyond_s():
    at = page(tab=settings.GROUPS)
    slider = at.select_slider(key="rg_m")
    assert slider.options[-1] == "500"
    slider.set_value("80").run()
    assert "one in about 110,000" in title(at) and "At **m = 80**" in said(at)
    at.select_slider(key="rg_s").set_value("30").run()
    assert not at.exception and not at.error
    assert at.select_slider(key="rg_m").value == "30"
    assert at.select_slider(key="rg_m").options[-1] == "30"
    assert "m = 30" in title(at)
    at.select_slider(key="rg_s").set_value("5").run()  # fewer than the page's own m
    assert not at.exception and at.select_slider(key="rg_m").value == "5"


def test_a_link_to_more_groups_than_true_features_shows_as_many_as_can_be():
    at = page(s="100", m="138")
    assert not at.error and at.select_slider(key="rg_m").value == "100"
    assert "100 random groups" in json.dumps(figure(at), ensure_ascii=False)


@pytest.mark.parametrize(
    ("way", "n", "s"),
    [("rg_mend_n", 500, "500"), ("rg_mend_s", 320, "315"), ("rg_reset", 5040, "500")],
)
def test_more_true_features_than_features_get_one_sentence_and_every_way_back(way, n, s):
    at = page(n="320")
    assert len(at.error) == 1
    assert "There cannot be s = 500 true features among n = 320" in at.error[0].value
    assert at.number_input(key="rg_n").value == 320
    assert at.select_slider(key="rg_s").value == "500"
    at.button(key=way).click().run()
    assert not at.exception and not at.error
    assert (at.number_input(key="rg_n").value, at.select_slider(key="rg_s").value) == (n, s)
    assert re.search(rf"share s = {s} true features among n = {n:,}", said(at))
