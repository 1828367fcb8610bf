"""The twins: fits against closed forms and CVXPY, and each claim's three possible verdicts."""

from dataclasses import replace

import cvxpy as cp
import numpy as np
import pytest

from lab.data.datasets import TwinsSpec
from lab.drawing import live
from lab.norms import twins
from lab.norms.charts import twins as charts
from lab.norms.twins import TwinFit

SPEC = TwinsSpec()


@pytest.fixture(scope="module")
def fits():
    return twins.fit_twins(SPEC, 0.1)


def made_up(norm, busy, quiet, busy_others=6, quiet_others=1) -> TwinFit:
    return TwinFit(norm, 1.0, 0.0, busy, quiet, busy_others, quiet_others)


def test_ridge_is_the_linear_system(fits):
    data, fit = SPEC.make(), fits["l2"]
    gram = data.X.T @ data.X + fit.lam * np.eye(data.n_features)
    w = np.linalg.solve(gram, data.X.T @ data.y)
    assert [fit.busy, fit.quiet] == pytest.approx(w[list(SPEC.twins)].tolist(), rel=1e-9)


def test_exclusive_fit_is_that_of_cvxpy(fits):
    data, fit = SPEC.make(), fits["le"]
    w = cp.Variable(data.n_features)
    penalty = sum(cp.square(cp.norm1(w[members])) for members in data.groups.lists())
    loss = 0.5 * cp.sum_squares(data.X @ w - data.y)
    cp.Problem(cp.Minimize(loss + 0.5 * fit.lam * penalty)).solve(solver=cp.CLARABEL)
    assert [fit.busy, fit.quiet] == pytest.approx(w.value[list(SPEC.twins)].tolist(), abs=1e-4)
    others = np.abs(w.value.reshape(-1, 12)[:2, 1:]) > 1e-5
    assert [fit.busy_others, fit.quiet_others] == others.sum(axis=1).tolist()


def test_fits_are_certified(fits):
    assert all(fit.gap <= 1e-6 for fit in fits.values())


def test_all_four_claims_hold_where_the_paper_means_them(fits):
    verdicts = twins.check_claims(fits, twins.one_twin_objectives(SPEC, 0.1))
    assert [verdict.word for verdict in verdicts] == ["holds"] * 4
    assert "all four of the paper's claims hold in this draw" in twins.answer(
        0.95, fits, verdicts, None
    )
    assert twins.check(SPEC, 0.1)[1] == verdicts


def test_exclusive_norm_turns_to_the_other_twin_when_the_load_does():
    turned = twins.fit_twins(replace(SPEC, busy_load=0, quiet_load=6), 0.1)
    assert turned["le"].quiet_share < 0.5 < turned["l21"].quiet_share


@pytest.mark.parametrize(
    ("busy", "quiet", "pick"),
    [
        (0.5, 0.5, "both"),
        (0.5, -0.5, "both"),
        (0.4, 0.2, "both"),
        (0.4, 0.19, "the busy twin"),
        (0.1, 0.9, "the quiet twin"),
        (0.0, 0.0, "neither"),
    ],
)
def test_pick(busy, quiet, pick):
    assert made_up("l1", busy, quiet).pick == pick


@pytest.mark.parametrize(
    ("l2", "l1", "l21", "le", "words"),
    [
        ((0.4, 0.5), (0.2, 0.6), (0.8, 0.0), (0.0, 0.8), ["holds"] * 4),
        ((0.1, 0.9), (0.6, 0.2), (0.0, 0.8), (0.8, 0.0), ["does not hold"] * 4),
        ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.3, 0.3), ["undecided"] * 4),
    ],
)
def test_verdicts_on_made_up_fits(l2, l1, l21, le, words):
    made = {
        norm: made_up(norm, *weights)
        for norm, weights in (("l2", l2), ("l1", l1), ("l21", l21), ("le", le))
    }
    # With the quiet twin alone the objective is lower, and the busy group has more selected.
    verdicts = twins.check_claims(made, (10.0, 9.0))
    assert [verdict.word for verdict in verdicts] == words
    table = twins.claims_table(verdicts).splitlines()
    for word, row in zip(words, table[2:], strict=True):
        assert f"**{word}**" in row


def test_as_many_members_selected_leaves_the_group_claims_undecided():
    made = {norm: made_up(norm, 0.2, 0.8, 3, 3) for norm in twins.CLAIMS}
    verdicts = {verdict.norm: verdict for verdict in twins.check_claims(made, (1.0, 2.0))}
    assert verdicts["l21"].holds is None and verdicts["le"].holds is None
    assert verdicts["l1"].holds is False


def test_lower_objective_is_that_of_the_lasso_without_the_other_twin():
    data, lam = SPEC.make(), twins.fit_twins(SPEC, 0.1)["l1"].lam
    for removed, objective in zip(
        reversed(SPEC.twins), twins.one_twin_objectives(SPEC, 0.1), strict=True
    ):
        X = np.delete(data.X, removed, axis=1)
        w = cp.Variable(X.shape[1])
        loss = 0.5 * cp.sum_squares(X @ w - data.y)
        best = cp.Problem(cp.Minimize(loss + lam * cp.norm1(w))).solve(solver=cp.CLARABEL)
        assert objective == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("busy_load", [0, 6])
def test_what_is_said_to_be_picked_and_the_claims_agree(busy_load):
    """Who takes both prefers one of them still, and that one is named where a claim is."""
    fits, verdicts = twins.check(replace(SPEC, busy_load=busy_load), 0.1)
    said = twins.answer(0.95, fits, verdicts, None)
    for norm, fit in fits.items():
        if norm != "l2" and fit.pick == "both":
            preferred = "quiet" if fit.quiet > fit.busy else "busy"
            assert f"{twins.NORM_LABELS[norm]} both (rather the {preferred} one)" in said
    assert busy_load or "ℓ1 both (rather the" in said  # the preset of equal load
    assert made_up("l2", 0.4, 0.3).told == made_up("l1", 0.4, -0.4).told == "both"
    assert made_up("l1", 0.4, 0.3).told == "both (rather the busy one)"
    assert made_up("le", 0.0, 0.3).told == "the quiet twin"


def test_tally_counts_every_draw_once():
    tallies = twins.claims_over_draws(SPEC, 0.1, "correlation", (0.2, 0.95), draws=2)
    assert len(tallies) == 2
    for tally in tallies:
        assert all(sum(counts.values()) == 2 for counts in tally.values())
    assert twins.draws_finding(tallies[1]) == "Over 2 draws all four hold in every one."
    said = twins.draws_finding(tallies[0])
    assert "ℓ2's claim holds in 2, " in said and "ℓ2,1's in 0 (2 undecided)" in said


def test_one_claim_holds_in_the_singular(fits):
    verdicts = [twins.Verdict("l2", "a", True, ""), twins.Verdict("l1", "b", None, "")]
    assert "one of the paper's four claims holds in this draw" in twins.answer(
        0.95, fits, verdicts, None
    )


def test_sweep_ends_where_the_single_fit_is(fits):
    spec = twins.without(SPEC, "correlation")
    curve = [found for found, _ in twins.sweep(spec, 0.1, "correlation", (0.0, 0.95))]
    shares = twins.quiet_shares(curve)
    assert {norm: column[1] for norm, column in shares.items()} == pytest.approx(
        {norm: fit.quiet_share for norm, fit in fits.items()}, abs=1e-6
    )
    columns = twins.table((0.0, 0.95), curve, "correlation")
    assert {len(column) for column in columns.values()} == {8}


SHARES = {
    "l2": np.array([0.5, 0.5, 0.5]),
    "l1": np.array([0.2, np.nan, 0.9]),
    "l21": np.array([0.0, 0.1, 0.2]),
    "le": np.array([1.0, 1.0, 0.9]),
}


def test_the_live_axis_is_in_correlations_and_a_dropped_pair_is_a_gap():
    figure = charts.live_twins(
        (0.0, 0.9, 0.99),
        SHARES,
        live.Steps("Correlation", ("0", "0.9", "0.99")),
        axis="correlation of the twins",
        titles=["a", "b", "c"],
        alts=["a", "b", "c"],
    )
    content = figure.content
    # Places are the numbers themselves, not their order: 0.9 and 0.99 are near each other.
    assert content["xs"] == content["marker"] == [0.0, 0.9, 0.99]
    assert content["x"]["range"] == [0.0, 1.0]
    assert [words for _, words in content["x"]["ticks"]] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert content["y"]["ticks"][0] == [0.0, "0 %"] and content["y"]["ticks"][-1] == [1.0, "100 %"]
    curves = {curve["name"]: curve for curve in content["curves"]}
    assert curves["ℓ1"]["y"] == [0.2, None, 0.9] and curves["ℓe"]["thick"]
    band = content["curves"][0]
    assert band["low"][0] == pytest.approx(1 / 3, abs=1e-4) and "both twins" in band["tip"]


def test_the_still_chart_has_the_same_axes_and_a_gap():
    figure = charts.still_twins(
        (0.0, 0.9, 0.99), SHARES, current=0.9, axis="correlation", title="x", mode="light"
    )
    lines = {line.name: line for line in figure.data}
    assert np.isnan(lines["ℓ1"].y[1])
    assert list(lines["ℓ2"].x) == [0.0, 0.9, 0.99]
    assert lines["ℓ2"].marker.size[1] > lines["ℓ2"].marker.size[0]
    assert figure.layout.shapes[1].x0 == 0.9


def test_a_key_without_a_setting_does_not_depend_on_it():
    one, two = replace(SPEC, seed=3), replace(SPEC, seed=7)
    assert one != two and twins.without(one, "seed") == twins.without(two, "seed")


def test_the_answer_says_how_similar_the_twins_on_show_are():
    """At correlation 0 they are twins by name only."""
    for correlation in (0.0, 0.95):
        fits, verdicts = twins.sweep(TwinsSpec(n_samples=40), 0.1, "correlation", [correlation])[0]
        said = twins.answer(correlation, fits, verdicts, None)
        assert said.startswith(f"Of two features with correlation {correlation:g}, ℓ2 picks")
