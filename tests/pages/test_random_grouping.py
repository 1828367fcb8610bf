"""The random grouping page as Streamlit runs it: its numbers against exact integers."""

import base64
import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import balance, ui
from solvers import grouping
from tests.solvers.test_grouping import convolved_probability, integer_probability

ROOT = Path(__file__).resolve().parents[2]
PAGE = next(page for page in ui.PAGES if page.key == "random_grouping")


def page(**query) -> AppTest:
    at = AppTest.from_file(str(ROOT / ui.HOME.file), default_timeout=60)
    at.switch_page(PAGE.file)
    for name, value in query.items():
        at.query_params[f"rg_{name}"] = value
    at.run()
    assert not at.exception
    return at


def answer(at: AppTest) -> str:
    return next(text.value for text in at.markdown if text.value.startswith("With s = "))


def table(at: AppTest) -> dict[str, str]:
    text = next(t.value for t in at.markdown if t.value.startswith("| P(balanced) at m"))
    rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in text.splitlines()[2:]]
    return dict(rows)


def charts(at: AppTest) -> list[dict]:
    return [json.loads(element.proto.spec) for element in at.get("plotly_chart")]


def trace(chart: dict, name: str) -> dict:
    return next(t for t in chart["data"] if t.get("name", "").startswith(name))


def values(column) -> np.ndarray:
    """A column of a figure, which Plotly ships as a typed array."""
    if isinstance(column, dict):
        return np.frombuffer(base64.b64decode(column["bdata"]), dtype=column["dtype"])
    return np.array(column, dtype=float)


def test_page_opens_with_its_question_the_answer_and_the_exact_probability():
    at = page()
    assert at.title[0].value == PAGE.question
    law = [float(convolved_probability(5040, 500, m, Fraction(1, 2))) for m in (20, 22, 23)]
    assert law[1] >= 0.95 > law[2]
    assert "**m = 22** is the largest number of random groups" in answer(at)
    assert "m = s/log s = 80 does so with probability 9.1e-6." in answer(at)
    shown = table(at)
    assert shown["exact law"] == f"{law[0]:.3f}"
    assert shown["union bound on exact tails"] == "≥ 0.863"
    assert shown["closed bound (Chernoff)"] == shown["Theorem 3's bound"] == "vacuous"
    curve = charts(at)[0]
    here = trace(curve, "m = 20")
    assert values(here["y"])[0] == pytest.approx(law[0], rel=1e-9)
    exact = trace(curve, "exact")
    np.testing.assert_allclose(
        values(exact["y"]),
        grouping.balance_curve(5040, 500, values(exact["x"]).astype(int).tolist(), 0.5),
    )


def test_simulated_number_carries_its_interval():
    share = re.fullmatch(
        r"(\d\.\d+) \((\d\.\d+) to (\d\.\d+)\)", table(page())["simulated, 1,000 splits"]
    )
    value, low, high = map(float, share.groups())
    assert low <= 0.9813 <= high and low < value < high


@pytest.mark.parametrize(
    ("preset", "exact", "largest"),
    [
        ("Paper 5.2, s = 112", "0.007", 7),
        ("s/log s fails, s = 504", "8.1e-6", 22),
        ("The same, t = 0.8", "0.400", 55),
        ("s = 1008 at 90%", None, 47),
        ("Theorem 3 regime", "1", None),
    ],
)
def test_presets_show_the_numbers_they_promise(preset, exact, largest):
    at = page()
    at.button(key=f"rg_preset_{preset}").click().run()
    assert not at.exception
    n, s = at.number_input(key="rg_n").value, int(at.select_slider(key="rg_s").value)
    t = float(at.select_slider(key="rg_t").value)
    target = balance.target_of(at.selectbox(key="rg_target").value)
    found = int(re.search(r"\*\*m = ([\d,]+)\*\*", answer(at)).group(1).replace(",", ""))
    assert found == grouping.recommend_n_groups(n, s, t, target)
    assert largest in (None, found)
    if exact is not None:
        assert table(at)["exact law"] == exact
    if preset == "Theorem 3 regime":
        stated = table(at)["Theorem 3's bound"]
        assert stated == f"≥ {1 - 60 * math.exp(-5) - math.exp(-1.25):.3f}"


def test_sliders_recompute_every_number():
    at = page()
    at.select_slider(key="rg_m").set_value("24").run()
    at.select_slider(key="rg_s").set_value("112").run()
    p = float(integer_probability(5040, 112, 24, Fraction(1, 2)))
    assert table(at)["exact law"] == f"{p:.3f}" == "0.007"
    at.select_slider(key="rg_t").set_value("0.8").run()
    assert table(at)["exact law"] == "0.610"
    at.select_slider(key="rg_trials").set_value("200").run()
    assert "simulated, 200 splits" in table(at)
    before = table(at)["simulated, 200 splits"]
    at.number_input(key="rg_seed").set_value(5).run()
    assert not at.exception
    assert table(at)["simulated, 200 splits"] != before
    assert table(at)["exact law"] == "0.610"


def test_wanted_probability_and_constant_change_the_answer():
    at = page(s="112", m="8")
    at.selectbox(key="rg_target").set_value("90%").run()
    at.select_slider(key="rg_c").set_value("0.25").run()
    assert "**m = 8** is the largest" in answer(at) and "probability ≥ 90%" in answer(at)
    assert "m = 0.25·s/log s = 6 does so" in answer(at)


def test_address_sets_the_view():
    at = page(s="504", m="81", n="5040", t="0.8", seed="7")
    assert at.select_slider(key="rg_m").value == "81"
    assert at.number_input(key="rg_seed").value == 7
    assert table(at)["exact law"] == "0.400"


def test_no_bound_is_ever_drawn_below_zero():
    for query in ({}, {"t": "0.1"}, {"s": "5", "m": "3"}):
        for line in charts(page(**query))[0]["data"]:
            assert (values(line["y"]) >= 0).all()
    names = [line.get("name") for line in charts(page(t="0.1", s="112", m="5"))[0]["data"]]
    assert "Theorem 3's bound (vacuous)" in names


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"s": "100", "m": "138"}, "m = 138 groups cannot all hold one of s = 100 true features"),
        ({"n": "300"}, "There cannot be s = 500 true features among n = 300"),
    ],
)
def test_impossible_settings_get_one_sentence_and_a_way_back(query, words):
    at = page(**query)
    assert len(at.error) == 1 and words in at.error[0].value
    reset = next(button for button in at.button if button.label == "Reset")
    reset.click().run()
    assert not at.exception and not at.error
    assert "**m = 22**" in answer(at)


def test_draw_is_the_one_of_the_seed():
    at = page(seed="3")
    counts = np.bincount(grouping.random_labels(5040, 20, 3)[:500], minlength=20)
    bars = charts(at)[2]
    shown = np.zeros(20, int)
    for line in bars["data"]:
        shown[values(line["x"]).astype(int) - 1] = values(line["y"])
    np.testing.assert_array_equal(shown, counts)
    ratio = counts.max() / counts.min()
    assert f"the largest is {ratio:.2f} ≤ 3" in bars["layout"]["title"]["text"].replace("<br>", " ")
    tiles = charts(at)[1]["data"][0]["z"]
    assert (values(tiles) >= 2).sum() == 500


def test_tab_of_the_ratio_shows_the_exact_law():
    at = page(tab="The ratio max/min", s="112", m="7")
    law = trace(charts(at)[1], "exact")
    np.testing.assert_allclose(
        values(law["y"]), grouping.ratio_cdf(5040, 112, 7, values(law["x"])), rtol=1e-9
    )
    assert values(trace(charts(at)[1], "balanced up to here")["x"])[0] == 3.0


def test_tab_of_the_phases_shows_the_condition_and_the_boundary():
    at = page(tab="Phase diagram")
    chart = charts(at)[1]
    rule = trace(chart, "s = (m log m)/t²")
    m = 10 ** values(rule["y"])
    np.testing.assert_allclose(10 ** values(rule["x"]), 4 * m * np.log(m))
    border = trace(chart, "P = 95% at n = 5,040")
    s, largest = 10 ** values(border["x"])[-1], 10 ** values(border["y"])[-1]
    assert round(largest) == grouping.recommend_n_groups(5040, round(s), 0.5, 0.95)
    probability = values(chart["data"][0]["z"])
    assert np.nanmin(probability) >= 0 and np.nanmax(probability) <= 1


def test_tab_of_n_shows_that_the_law_settles():
    at = page(tab="Does n matter?")
    line = trace(charts(at)[1], "exact")
    n, p = values(line["x"]).astype(int), values(line["y"])
    assert n[0] == 500 and p[0] == 1
    late = p[n >= 5000]
    assert np.ptp(late) < 0.02
    title = charts(at)[1]["layout"]["title"]["text"].replace("<br>", " ")
    assert f"moves by {np.ptp(late):.3f}" in title


def test_charts_describe_themselves_to_screen_readers():
    at = page()
    for element in at.get("plotly_chart"):
        assert len(element.proto.alt) > 40
