"""The page on cone projections as Streamlit runs it: its numbers, tables, presets, address."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab import ui
from lab.cones import charts as drawings
from lab.cones import descent, tables, words
from lab.cones.projections import project, shrink_pair
from lab.cones.view.controls import DEFAULTS, LIMITS, PRESETS, TABS
from tests import driver, naive
from tests.driver import charts, ran
from tests.driver import numbers as values
from tests.lab.code_runner import printed_by

PAGE = ui.frame.page_of("cone_projections")
OPENING = "One step projects each group onto a cone: here (a; b) = "

NAIVE = {"ℓ1": naive.project_l1_cone, "ℓ∞": naive.project_linf_cone}


def opened(**query) -> AppTest:
    return driver.opened(PAGE.key, **query)


def answer(at: AppTest) -> str:
    return next(text.value for text in at.markdown if text.value.startswith(OPENING))


def point(text: str) -> list[float]:
    """The numbers of a point such as (1, −0.5; 2)."""
    return [float(word) for word in re.findall(r"-?\d[\d.e+-]*", text.replace("−", "-"))]


def projected(at: AppTest) -> list[float]:
    """(x; y) in the sentence."""
    return point(re.search(r" to (\([^)]*\))", answer(at)).group(1))


def table(at: AppTest, number: int) -> dict[str, list]:
    return at.table[number].value.to_dict("list")


def returned(at: AppTest) -> tuple[list[float], list[float]]:
    """What the corrected and the printed algorithm return, as the page says."""
    said = [text.value for text in at.markdown if text.value.startswith("Returns ")]
    ours, printed = (point(re.match(r"Returns (\([^)]*\))", text).group(1)) for text in said)
    return ours, printed


def test_opens_with_its_question_a_computed_answer_and_a_figure():
    at = opened()
    assert at.title[0].value == PAGE.question
    assert any("of (1.6, 0.5) it leaves (0.8, 0); one vanishes" in m.value for m in at.markdown)
    [figure] = charts(at)
    assert figure["layout"]["title"]["text"].startswith("The line settles at δ = 0.8")
    assert any("certified: relative gap" in text.value for text in at.markdown)
    assert [tab.label for tab in at.tabs][-1] == "Errata"  # last, after what is right


@pytest.mark.parametrize("text", ["1,0.9,1", "-2.5,0.3,0.5", "2,-2,10", "0,0,1"])
def test_a_group_is_shrunk_as_by_the_twin_and_bad_text_is_not_taken(text):
    at = opened(group=text)
    first, second, zeta = map(float, text.split(","))
    x, _ = naive.project_l1_cone([first, second], 0.0, zeta)
    bars = {trace["name"]: values(trace["y"]) for trace in charts(at)[0]["data"][:2]}
    np.testing.assert_allclose(bars["stands out"], np.abs(x), atol=1e-12)
    assert opened(group="1,2").session_state["cp_group"] == "1.6,0.5,1"


@pytest.mark.parametrize("method", descent.METHODS)
def test_a_method_is_played_step_by_step(method):
    at = opened(tab="Play", method=method, step="0.5")
    run = descent.descent(method)
    assert charts(at)[0]["layout"]["title"]["text"].startswith(f"{method}, step 1: go down")
    at.select_slider(key="cp_step").set_value("4")
    ran(at)
    said = next(m.value for m in at.markdown if m.value.startswith("It goes down the gradient"))
    assert said == words.descent_answer(run, 4)
    assert f"{run.objective[4]:.3g}".lstrip("-") in charts(at)[0]["layout"]["title"]["text"]


@pytest.mark.parametrize(
    ("a", "b", "zeta"), [(-2.35, 0.3, "5"), (0.7, 1.2, "1"), (1.0, -1.5, "2"), (3.0, -2.0, "0.1")]
)
def test_the_point_moves_the_projection_in_the_plane(a, b, zeta):
    at = opened(tab="In the plane")
    at.text_input(key="cp_point").set_value(f"{a},{b},{zeta}")
    ran(at)
    (x,), y = naive.project_l1_cone([a], b, float(zeta))
    drawn = {trace.get("name"): trace for trace in charts(at)[0]["data"]}
    for name, place in (("point", [a, b]), ("projection", [x, y])):
        assert [*values(drawn[name]["x"]), *values(drawn[name]["y"])] == pytest.approx(place)
    if (x, y) == (a, b):
        assert "lies inside" in answer(at)
    elif y == 0.0:
        assert "to the origin: the one entry is exactly zero" in answer(at)
    else:
        assert projected(at) == pytest.approx([x, y], rel=5e-3)
    assert all(text.startswith("holds") for text in table(at, 0)["residual"])


@pytest.mark.parametrize("cone", ["ℓ1", "ℓ∞"])
def test_space_projects_two_weights(cone):
    at = opened(tab="In space", cone=cone, place="1.6,1.2,0.3,2,45")
    x, y = NAIVE[cone]([1.6, 1.2], 0.3, 2.0)
    assert projected(at) == pytest.approx([*x, y], rel=5e-3)
    assert sum(trace["type"] == "mesh3d" for trace in charts(at)[0]["data"]) == 1
    at.toggle(key="cp_polar").set_value(True)
    ran(at)
    assert sum(trace["type"] == "mesh3d" for trace in charts(at)[0]["data"]) == 2
    at.segmented_control(key="cp_cone").set_value("ℓ∞" if cone == "ℓ1" else "ℓ1")
    ran(at)
    x, y = NAIVE["ℓ∞" if cone == "ℓ1" else "ℓ1"]([1.6, 1.2], 0.3, 2.0)
    assert projected(at) == pytest.approx([*x, y], rel=5e-3)


@pytest.mark.parametrize(
    ("label", "cone", "a", "b", "cause"),
    [
        ("Alg. 2 misses the origin", "ℓ1", [1.0, 0.5], -3.0, "origin is missing"),
        ("Alg. 2 misses a tie", "ℓ1", [0.1, 0.3], 0.1, "missed by rounding"),
        ("Alg. 3 has the wrong x", "ℓ∞", [3.0, 1.0], 1.0, "should read sgn(a)⊙min(|a|, y)"),
        ("Alg. 3 ends below 0", "ℓ∞", [1.0, 0.5], -3.0, "negative y"),
        ("Alg. 3 misses a tie", "ℓ∞", [0.4, 0.2], 0.0, "missed by rounding"),
    ],
)
def test_presets_show_the_print_failing_and_the_correction_right(label, cone, a, b, cause):
    at = opened(tab="Errata")
    at.button(key=f"cp_preset_{label}").click()
    ran(at)
    x, y = NAIVE[cone](a, b, 1.0)
    print_of = naive.printed_project_l1_cone if cone == "ℓ1" else naive.printed_project_linf_cone
    x_printed, y_printed = print_of(a, b, 1.0)
    ours, printed = returned(at)
    assert ours == pytest.approx([*x, y], abs=5e-4)
    assert printed == pytest.approx([*x_printed, y_printed], abs=5e-4)
    assert printed != pytest.approx(ours, abs=5e-4)
    wrong = next(text.value for text in at.markdown if "which is **wrong**" in text.value)
    assert cause in wrong
    certificate = table(at, 2)
    assert all(text.startswith("holds") for text in certificate["corrected"])
    assert any(text.startswith("fails") for text in certificate["as printed"])
    assert "x, as printed" in [trace.get("name") for trace in charts(at)[0]["data"]]


def test_search_shows_every_turn_where_the_print_is_right():
    at = opened(tab="Errata", vector="1, 0.7, -0.4, 0.1")
    assert projected(at) == pytest.approx([0.433, 0.133, 0, 0, 0.567])
    assert "2 of 4 entries become exactly zero" in answer(at)
    corrected, printed = table(at, 0), table(at, 1)
    assert corrected["δⱼ"] == ["0", "0", "0.5", "0.5667", "0.525", "0.44"]
    assert corrected["largest?"] == ["", "", "", "yes: δ = 0.5667", "", ""]
    assert printed == {
        "j": ["1", "2"],
        "t": ["1", "1.7"],
        "δ": ["0.5", "0.5667"],
        "window": ["[0.7, 1]", "[0.4, 0.7]"],
        "inside?": ["no", "yes: return"],
    }
    ours, as_printed = returned(at)
    assert ours == as_printed
    assert "x, as printed" not in [trace.get("name") for trace in charts(at)[0]["data"]]
    at.select_slider(key="cp_zeta").set_value("10")
    ran(at)
    x, y = naive.project_l1_cone([1.0, 0.7, -0.4, 0.1], 0.0, 10.0)
    assert projected(at) == pytest.approx([*x, y], abs=5e-4)


def test_bad_vector_is_one_sentence_and_mends_itself():
    at = opened(tab="The search", vector="1, **x**")
    assert [error.value for error in at.error] == [
        "Entry 2 of a is not a number; write numbers separated by commas, such as 1, 0.5, -0.2."
    ]
    assert not at.get("plotly_chart")
    at.text_input(key="cp_vector").set_value("2, 1, -1")
    ran(at)
    assert not at.error
    x, y = naive.project_l1_cone([2.0, 1.0, -1.0], 0.0, 1.0)
    assert projected(at) == pytest.approx([*x, y], abs=5e-3)


def test_moreau_adds_up():
    at = opened(tab="Moreau", point="1.6,0,2", vector="1, 0.7, -0.4, 0.1")
    plane, stack = charts(at)
    assert plane["layout"]["title"]["text"] == words.moreau_title(project("ℓ1", [1.6], 0.0, 2.0))
    names = [trace.get("name", "") for trace in stack["data"]]
    assert [name.split(":")[0] for name in names] == [
        "prox of ζ/2 ‖·‖∞²",
        "prox of 1/(2ζ) ‖·‖₁²",
        "a",
    ]
    prose = next(text.value for text in at.markdown if "At ζ = 2 the ℓ∞" in text.value)
    cut, left_over = (point(part) for part in re.findall(r"\([^)]*\)", prose))
    np.testing.assert_allclose(np.add(cut, left_over), [1, 0.7, -0.4, 0.1], atol=1e-3)
    assert cut == pytest.approx(naive.prox_linf_squared([[1, 0.7, -0.4, 0.1]], 2.0)[0], abs=1e-3)


def test_what_moreau_exports_is_both_pictures_and_their_numbers():
    p, d = project("ℓ1", [1.6], -0.5, 2.0), np.array([1.0, 0.7, -0.4])
    parts = shrink_pair(d, 2.0)
    plane = drawings.plane(
        (1.6, -0.5), (p.x[0], p.y), 2.0, title="upper", mode="light", decomposed=True
    )
    stack = drawings.two_proxes(d, parts, title="lower", mode="light")
    before = plane.to_json()
    both = drawings.moreau(plane, stack, "light")
    assert plane.to_json() == before  # visitors share it
    assert len(both.data) == len(plane.data) + len(stack.data)
    said = [note.text for note in both.layout.annotations]
    assert {"upper", "lower", "cone", "polar cone"} <= set(said)
    table = tables.moreau_table(p, d, parts)
    np.testing.assert_allclose(table["first part"] + table["second part"], table["whole"])
    np.testing.assert_allclose(table["whole"], [1.6, -0.5, *d])


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_describes_its_figures_and_offers_its_code(tab):
    at = opened(tab=tab, zeta="2")
    for element, chart in zip(at.get("plotly_chart"), charts(at), strict=True):
        assert chart["layout"]["title"]["text"].replace("<br>", " ") in element.proto.alt
        assert len(element.proto.alt) > 30
    code = next(block.value for block in at.code if "\nimport numpy" in block.value)
    out = printed_by(code)
    if tab in ("Play", "Moreau"):
        assert out.count("\n") >= 3
        return
    made = next(line for line in out.splitlines() if line.startswith("projection:"))
    if tab == "A group":
        assert point(made) == pytest.approx([0.8, 0, 0.8], abs=5e-4)
    else:
        assert point(made) == pytest.approx(projected(at), abs=5e-4)


def test_the_search_goes_through_its_candidates():
    at = opened(tab="The search", vector="1, 0.7, -0.4", turn_j="2")
    assert "the largest of all, and the answer" in charts(at)[0]["layout"]["title"]["text"]
    at.select_slider(key="cp_turn_j").set_value("3")
    ran(at)
    assert "no larger than the one before" in charts(at)[0]["layout"]["title"]["text"]


@pytest.mark.parametrize("tab", ["The search", "Moreau", "Errata"])
def test_a_bad_vector_leaves_every_control_to_mend_it(tab):
    at = opened(tab=tab, vector="x", zeta="2")
    assert at.error and not at.exception
    assert at.text_input(key="cp_vector")
    if tab == "Moreau":  # whose ζ is one of the numbers of its plane
        assert at.text_input(key="cp_point").value == "1.6,0,1"
    else:
        assert at.select_slider(key="cp_zeta").value == "2"
        assert at.number_input(key="cp_height") and at.segmented_control(key="cp_cone")


def test_reset_brings_everything_back():
    at = opened(tab="The search", zeta="5", vector="2, 1")
    at.button(key="cp_export_reset").click()
    ran(at)
    assert at.session_state["cp_tab"] == "The search"
    assert projected(at) == pytest.approx([0.433, 0.133, 0, 0.567], abs=5e-4)


def test_reset_on_one_tab_keeps_what_a_link_says_of_the_others():
    at = opened(group="2,1,3", vector="2, 1, 0.5, 0.1", turn_j="3", method="PCP")
    ran(at.button(key="cp_export_reset").click())
    assert at.text_input(key="cp_group").value == DEFAULTS["group"]
    at.session_state["cp_tab"] = "The search"
    ran(at)
    assert at.text_input(key="cp_vector").value == "2, 1, 0.5, 0.1"
    assert at.select_slider(key="cp_turn_j").value == "3"
    assert at.query_params["cp_method"] in ("PCP", ["PCP"])


def test_every_control_has_limits_that_hold_its_default_and_its_presets():
    assert set(LIMITS) == set(DEFAULTS)
    for changes in (DEFAULTS, *PRESETS.values()):
        for name, value in changes.items():
            assert value in LIMITS[name], (name, value)
