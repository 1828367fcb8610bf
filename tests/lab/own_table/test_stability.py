"""Stability selection and what a group is worth, against twins that refit everything by hand."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from lab.own_table import group_words, stability
from lab.own_table.splits import folds
from lab.own_table.stability import Partner, Stability, half_sample, partners
from solvers import Groups, solve_lasso
from tests.lab.own_table.tables import (
    case_of,
    fitted_case,
    mixed_table,
    number_table,
    subjects_table,
)

LASSO = dict(target="quantity", method="lasso", n_folds=3)


@pytest.fixture
def exact(monkeypatch):
    """To a tolerance at which two solvers select the same features."""
    monkeypatch.setattr(stability, "_TOLERANCE", 1e-10)


@pytest.mark.parametrize("grouping", ["random", "prefix"])
def test_probabilities_are_those_of_a_twin_that_refits_each_half(exact, grouping):
    case = case_of(number_table(40), grouping=grouping, n_groups=2, **LASSO)
    prepared, spec = case.prepared, case.spec
    got = Stability(
        stability.selection_draws(prepared, spec, case.groupings, {"lam": 60.0}, range(6))
    )
    times = np.zeros(6)
    for draw in range(6):
        random = np.random.default_rng([spec.seed, 1_000_003, draw])
        rows = np.sort(random.permutation(40)[:20])
        groups = case.grouped.groups
        if grouping == "random":
            groups = Groups.random(6, 2, random)  # each draw has groups of its own
        X = StandardScaler().fit_transform(prepared.X[rows])
        w = solve_lasso(X, prepared.y[rows], groups, 30.0, fit_intercept=True, tol=1e-10).w
        times += np.abs(w) > 1e-3 * np.abs(w).max()
    assert got.probability == pytest.approx(times / 6)
    assert ((times > 0) & (times < 6)).any(), "or nothing was told apart"


def test_the_bound_is_that_of_meinshausen_and_buehlmann():
    draws = np.zeros((4, 10), dtype=bool)
    draws[:, 0] = draws[0, 1:4] = draws[1, 5] = True
    found = Stability(draws)
    # 4, 2, 1 and 1 features are selected, 2 on average.
    assert found.expected_false == pytest.approx(2.0**2 / (0.2 * 10))
    assert found.stable.tolist() == [True] + [False] * 9


def test_covariates_are_no_candidates_of_the_bound():
    draws = np.zeros((4, 10), dtype=bool)
    draws[:, :3] = True
    held = np.arange(10) < 2
    rest = Stability(draws).without(held)
    assert rest.expected_false == pytest.approx(1.0**2 / (0.2 * 8))
    assert rest.stable.tolist() == [False, False, True] + [False] * 7
    weights = (("a_one", 0.0), ("b_two", 0.0))
    case = fitted_case(number_table(), feature_weights=weights, grouping="source", **LASSO)
    drawn = np.tile([[True, True, False, True, False, False]], (50, 1))
    said = group_words.stability_sentence(case.knowing(stability=Stability(drawn)))
    # Of the 4 that compete 1 is selected in every draw: 1/(0.2·4) = 1.25, more than it itself.
    assert said.startswith("1 feature in 1 group is selected")
    assert "bound on false ones says nothing" in said and "at most" not in said


@pytest.mark.parametrize("target", ["classes", "quantity"])
def test_half_samples_are_half_of_each_class(target):
    case = case_of(mixed_table(50)) if target == "classes" else case_of(number_table(50), **LASSO)
    prepared, seen = case.prepared, set()
    for draw in range(5):
        rows = half_sample(prepared, np.random.default_rng(draw))
        assert np.unique(rows).size == rows.size
        seen.add(tuple(rows))
        if target == "quantity":
            assert rows.size == 25
        else:
            counts = np.bincount(prepared.y[rows])
            assert counts.tolist() == (prepared.class_counts // 2).tolist()
    assert len(seen) == 5


def test_half_samples_keep_subjects_together():
    case = case_of(subjects_table(), subjects="patient", features=("a", "b"))
    subjects, y = case.prepared.subjects, case.prepared.y
    for draw in range(20):
        rows = half_sample(case.prepared, np.random.default_rng(draw))
        kept = np.unique(subjects[rows])
        assert kept.size == 10 and np.array_equal(rows, np.flatnonzero(np.isin(subjects, kept)))
        assert np.unique(y[rows]).size == 2


def test_a_partner_is_alike_in_the_same_group_and_there_when_the_feature_is_not():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    X[:, 1] = -X[:, 0] + 0.2 * rng.standard_normal(40)  # alike, the other way round
    X[:, 4] = X[:, 0] + 0.01 * rng.standard_normal(40)  # alike, in another group
    groups = Groups.from_labels([0, 0, 0, 1, 1, 1])
    draws = np.zeros((10, 6), dtype=bool)
    draws[:6, 0] = draws[6:, 1] = draws[6:, 2] = draws[:, 3] = draws[6:, 4] = True
    draws[9, 1] = False
    found = partners(X, groups, Stability(draws), range(6))
    correlation = np.corrcoef(X[:, 0], X[:, 1])[0, 1]
    assert found == [
        Partner(0, 1, pytest.approx(correlation), 0.75),
        Partner(1, 0, pytest.approx(correlation), pytest.approx(6 / 7)),
    ], "2 is there instead but not alike, 3 is always there, 4 has nobody like it in its group"
    assert group_words.partner_words(found[0], "abcdef") == (
        f"b (correlation {correlation:.2f}; in 75 % of the draws without it)"
    )


def test_what_is_lost_without_a_group_is_what_a_refit_without_it_loses(exact):
    case = case_of(number_table(40), grouping="prefix", **LASSO)
    prepared, spec, lams = case.prepared, case.spec, (1.0, 3.0, 10.0)
    assert case.grouped.names == ("a", "b", "c")
    points = [{"lam": lam} for lam in lams]
    everyone = np.arange(6)
    without = {0: everyone[2:], 2: everyone[:4]}
    for group, left in without.items():
        lost = []
        for (train, test), lam in zip(folds(prepared, spec), lams, strict=True):
            scaler = StandardScaler().fit(prepared.X[train])
            A, B = scaler.transform(prepared.X[train]), scaler.transform(prepared.X[test])
            y, scores = prepared.y, []
            for kept in (everyone, left):
                groups = Groups.from_labels(kept // 2 - kept[0] // 2)
                options = dict(fit_intercept=True, tol=1e-10)
                r = solve_lasso(A[:, kept], y[train], groups, lam, **options)
                residual = y[test] - B[:, kept] @ r.w - r.intercept
                spread = y[test] - y[train].mean()
                scores.append(1.0 - residual @ residual / (spread @ spread))
            lost.append(scores[0] - scores[1])
        got = stability.loss_without(prepared, spec, case.groupings, points, group)
        assert got == pytest.approx(lost, abs=1e-6)
        assert (np.mean(lost) > 0.3) == (group == 0), "a_one makes the number, c nothing of it"


def test_without_its_only_group_nothing_is_left_to_score():
    case = case_of(number_table(40), n_groups=1, **LASSO)
    points = [{"lam": 1.0}] * 3
    lost = stability.loss_without(case.prepared, case.spec, case.groupings, points, 0)
    assert np.isnan(lost).all()
