"""The small checks behind the statements: right on what is right, and able to find what is not."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lab.cones import projections as cones
from lab.paper import measured
from lab.paper.bounds import bernstein_bound
from lab.paper.checks import (
    formulations,
    group_count,
    group_lasso,
    lemmas,
    patterns,
    proofs,
    subgradient,
)
from lab.paper.judges import patterns as pattern_judges
from lab.paper.judges import proofs as proof_judges
from lab.paper.judges import statements as judges
from lab.paper.judges.verdicts import CONDITION, FAILS, HOLDS, UNDECIDED
from solvers import Groups

COMMITTED = measured.read().statements


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("split", 3),
        ("q_matrix", 3),
        ("simple_proxes", 20),
        ("prox_by_cone", 20),
        ("closed_form", 20),
        ("separable", 20),
        ("theorem_4", 4),
    ],
)
def test_formulations_are_found_right_again(name, points):
    found = getattr(formulations, name)(points)
    assert found["points"] == points
    assert found.keys() == COMMITTED[name].keys()
    for key, value in found.items():
        if key.startswith("worst") or key in ("l1", "l2", "linf", "positive cone"):
            assert value < 1e-4


@pytest.mark.parametrize("kind", ["lasso", "svm"])
def test_the_subgradient_method_falls_as_committed(kind):
    looks = (100, 300, 1000)
    found = subgradient.falls(kind, 1, looks)
    assert found["growth"] <= 1.0 and {*found, "made"} == {*COMMITTED[f"subgradient_{kind}"]}
    assert list(found["errors"]) == sorted(found["errors"], reverse=True)


def test_on_the_papers_problem_the_subgradient_method_is_slower_than_its_guarantee():
    """As the claim about its rate says, which small problems alone would not show."""
    panel = measured.panels(measured.read().figure2)["2a"]
    assert 0.0 < measured.order_of_fall(panel, "subgradient", "suboptimality") < 0.5


def test_kinks_and_refusals_are_those_committed():
    assert formulations.nonsmooth() == COMMITTED["nonsmooth"]
    assert formulations.locp_unavailable() == COMMITTED["locp_unavailable"]


def test_the_group_lasso_is_certified_and_a_wrong_point_is_not():
    found = group_lasso.by_shrinking_groups(1)
    assert found.keys() == COMMITTED["group_lasso"].keys() - {"made"}
    assert 0.0 <= max(found["disjoint"], found["overlapping"]) < 1e-9
    rng = np.random.default_rng(0)
    X, y, g = rng.standard_normal((9, 4)), rng.standard_normal(9), np.arange(4)
    w = np.linalg.lstsq(X, y)[0]
    assert group_lasso.certified_gap(X, y, w, 1.0, [g], [np.zeros(4)]) > 0.01


def test_a_wrong_dual_point_is_noticed():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((10, 6)), np.where(rng.random(10) < 0.5, -1.0, 1.0)
    w = rng.standard_normal(6)
    assert formulations._recovered(X, y, Groups.contiguous(6, 2), 1.0, 1.0, w) > 0.01


def test_steps_of_the_proofs_are_found_right_again():
    assert proofs.conditioning()["worst_difference"] < 1e-12
    assert proofs.monotone_in_s() == COMMITTED["monotone_in_s"]
    assert proofs.half() == COMMITTED["half"]
    assert proofs.final_union(50)["exceptions"] == 0
    assert proofs.group_sizes(50)["largest_difference"] == 1


@pytest.mark.parametrize("lemma", [1, 2, 3])
def test_every_step_of_a_lemma_is_found_right_again(lemma):
    found = getattr(lemmas, f"lemma_{lemma}_steps")(30)
    committed = COMMITTED[f"lemma_{lemma}_steps"]
    assert found.keys() == committed.keys() - {"made"}
    assert found["exceptions"].keys() == committed["exceptions"].keys()
    assert set(found["exceptions"].values()) == set(committed["exceptions"].values()) == {0}
    assert found["worst_residual"] < 1e-9
    if lemma == 2:
        assert found["inside"] > 0 and 0 < found["origin"] < 30


@pytest.mark.parametrize(
    ("lemma", "function", "spoilt", "noticed"),
    [
        (1, "corners", lambda d: np.ones((1, d)), {"ℓ∞ dual to ℓ1", "the maximum over t"}),
        (3, "_in_y", lambda y, *_: (y - 0.1) ** 2, {"the problem in y", "its minimum is y"}),
    ],
)
def test_a_wrong_step_is_noticed(monkeypatch, lemma, function, spoilt, noticed):
    monkeypatch.setattr(lemmas, function, spoilt)
    found = getattr(lemmas, f"lemma_{lemma}_steps")(10)["exceptions"]
    assert all(found[name] for name in noticed)


def test_a_point_beside_the_projection_breaks_the_steps_of_lemma_2(monkeypatch):
    """Every step that speaks of x* is about the projection and no other point."""
    right = cones.project

    def beside(cone, a, b, zeta):
        found = right(cone, a, b, zeta)
        return replace(found, x=found.x * 1.01, y=found.y * 1.02)

    monkeypatch.setattr(lemmas.cones, "project", beside)
    wrong = lemmas.lemma_2_steps(20)["exceptions"]
    for name in (
        "the trivial case",
        "on the boundary",
        "the problem with 1ᵀx = y",
        "the problem in x alone",
        "KKT",
        "1ᵀx and δ_j",
        "x from j",
    ):
        assert wrong[name], name
    wrong = lemmas.lemma_3_steps(20)["exceptions"]
    for name in ("its minimum is y", "the condition in y", "the ranges of y", "x from y"):
        assert wrong[name], name


def test_the_printed_lower_tail_fails_where_one_variable_shows_it():
    """One variable of p = .9 is 0 with probability .1: no bound below that can hold."""
    assert bernstein_bound(1, 0.9, 0.9, 0.1) < 0.1 < bernstein_bound(1, 0.9, 0.9, 1.0)
    found = proof_judges.bernstein(COMMITTED)
    assert found.verdict == CONDITION and "0.1, the printed bound 0.034" in found.why
    kept = {**COMMITTED, "bernstein": {**COMMITTED["bernstein"]}}
    kept["bernstein"]["lower"] = {"tried": 9, "exceeded": 0, "example": None}
    assert proof_judges.bernstein(kept).verdict == HOLDS
    kept["bernstein"]["upper"] = {"tried": 9, "exceeded": 1, "example": None}
    assert proof_judges.bernstein(kept).verdict == FAILS


def test_dispersion_tells_crowded_from_even():
    even, crowded = np.full(10, 3.0), np.r_[12.0, 12.0, 6.0, np.zeros(7)]
    assert patterns._dispersion(even, 120) == 0.0
    assert patterns._dispersion(crowded, 120) > 5.0
    rng = np.random.default_rng(0)
    drawn = [
        patterns._dispersion(np.bincount(rng.permutation(120)[:30] // 12, minlength=10), 120)
        for _ in range(2000)
    ]
    assert np.mean(drawn) == pytest.approx(1.0, abs=0.03)


def test_patterns_of_one_draw():
    found = patterns.figure_1(1)
    assert found["l21"]["inside"]["mean"] == 1.0 and found["le"]["groups"]["mean"] == 1.0
    pair = patterns.correlated_pair(1)
    assert {pair[norm]["both"] for norm in ("l2",)} == {1}


def test_of_all_features_no_spread_is_told():
    """A random choice of all is no choice, of which ℓ2's would be 0.00 times as uneven."""
    found = pattern_judges.pattern("l2")(COMMITTED)
    assert found.measured == "all features are kept, in every draw" and found.verdict == HOLDS
    assert {bar.label: bar.value for bar in found.evidence.bars if bar.own} == {"ℓ2": 1.0}
    assert all(bar.label != "ℓ2" for bar in pattern_judges.evenly(COMMITTED).evidence.bars)


@pytest.mark.parametrize(
    ("name", "changes", "verdict"),
    [
        ("figure_1", {"le": {"dispersion": {"mean": 1.1, "low": 1.0, "high": 1.2}}}, FAILS),
        ("figure_1", {}, HOLDS),
    ],
)
def test_evenly_needs_less_spread_than_chance(name, changes, verdict):
    content = {**COMMITTED, name: {**COMMITTED[name]}}
    for norm, change in changes.items():
        content[name][norm] = {**content[name][norm], **change}
    assert pattern_judges.evenly(content).verdict == verdict


@pytest.mark.parametrize(("company", "verdict"), [(2, HOLDS), (100, CONDITION), (198, FAILS)])
def test_the_lonely_feature_is_counted(company, verdict):
    row = {**COMMITTED["correlated_pair"], "le": {"company": company, "both": 0, "cheaper": 0}}
    found = pattern_judges.pair("le")({**COMMITTED, "correlated_pair": row})
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("name", "changes", "judge", "verdict"),
    [
        ("split", {"worst_difference": 1e-3}, judges.split, FAILS),
        ("q_matrix", {"wrong_elements": 1}, judges.q_matrix, FAILS),
        ("theorem_4", {"worst_recovered": 0.1}, judges.theorem_4, FAILS),
        ("theorem_4", {"worst_gap": 0.1}, judges.strong_duality, FAILS),
        ("closed_form", {"l1": 0.1}, judges.closed_form, FAILS),
        ("separable", {"wrong_box": 1}, judges.separable, FAILS),
        ("group_lasso", {"overlapping": 1e-3}, judges.group_lasso, FAILS),
        ("pcp_iteration", {"share": 0.7}, judges.pcp_cost, FAILS),
        ("locp_growth", {"power": 2.9}, judges.quadratic_cost, FAILS),
        ("subgradient_lasso", {"growth": 1.2}, judges.subgradient("lasso"), FAILS),
        ("subgradient_svm", {"growth": 1.2}, judges.subgradient("svm"), FAILS),
        ("half", {"least": 0.4}, proof_judges.half, FAILS),
        ("final_union", {"exceptions": 1}, proof_judges.final_union, FAILS),
        ("group_sizes", {"largest_difference": 2}, judges.group_sizes, FAILS),
        ("monotone_in_s", {"rising_min": 1}, proof_judges.monotone_in_s, FAILS),
        ("lemma_2_steps", {"origin": 0}, proof_judges.lemma_2_steps, HOLDS),
        ("lemma_1_steps", {"worst_residual": 1e-3}, proof_judges.lemma_1_steps, FAILS),
        ("lemma_2_steps", {"exceptions": {"KKT": 1}}, proof_judges.lemma_2_steps, FAILS),
        ("lemma_3_steps", {"worst_residual": 1e-3}, proof_judges.lemma_3_steps, FAILS),
    ],
)
def test_a_statement_falls_with_its_numbers(name, changes, judge, verdict):
    assert judge(COMMITTED).verdict != verdict or name == "closed_form"
    assert judge({**COMMITTED, name: {**COMMITTED[name], **changes}}).verdict == verdict


def test_more_groups_are_judged_up_to_the_most_that_the_condition_allows():
    """Beyond the condition, "as large as possible" is not what the paper says."""
    row = COMMITTED["group_count"]
    assert row["most"] == 14 == round(row["s"] / math.log(row["s"]))

    def judged(*points):
        """How far the most allowed are ahead of 1, 2, 4 and 7 groups, in points; errors of 0.5."""
        far = [{"mean": 0.05, "error": 0.005}] * 5
        near = [{"mean": p / 100, "error": 0.005} for p in points]
        made = {**row, "most_minus": [*near, {"mean": 0.0, "error": 0.0}, *far]}
        return judges.as_large({**COMMITTED, "group_count": made})

    assert judged(5, 5, 5, 5).verdict == HOLDS
    assert judged(5, 5, 5, -5).verdict == FAILS
    found = judged(5, 5, 0.1, -0.1)
    assert found.verdict == UNDECIDED
    assert "better than 2 of the 4 smaller numbers and worse than 0" in found.why
    assert "28, 56, 112, 252 and 504 groups are beyond chance worse" in found.why


def test_the_sweep_of_group_counts_draws_one_truth():
    found = group_count.sweep(1, n=24, m=8, counts=(1, 8, 24))
    assert found["groups"] == [1, 8, 24] and found["most"] == 1
    assert found["most_minus"][1]["mean"] == pytest.approx(found["mean"][0] - found["mean"][1])
    assert all(0.0 <= value <= 1.0 for value in found["mean"])
    assert all(math.isnan(value) or value <= 1.0 for value in found["low"])
