"""Figure 1: its data, its certified paths against CVXPY, the matching, and what the prose says."""

import re
import subprocess
import sys
from functools import lru_cache

import cvxpy as cp
import numpy as np
import pytest

from lab import charts, pattern_start, patterns, theme
from lab.charts import patterns as path_charts
from lab.patterns import PatternSpec

SMALL = PatternSpec(n_groups=4, group_size=5, n_samples=30, noise=0.4, rho=0.3)
OVERLAPPING = PatternSpec(n_groups=4, group_size=5, n_samples=30, overlap=2, together=False)


@lru_cache(maxsize=8)
def solved(spec: PatternSpec) -> patterns.Paths:
    return patterns.solve_paths(spec)


def penalty_of(norm, w, lists, copies):
    """The penalty of each norm, written out group by group for CVXPY."""
    if norm == "l2":
        return 0.5 * cp.sum_squares(w)
    if norm == "l1":
        return cp.norm1(w)
    if norm == "le":
        return 0.5 * sum(cp.square(cp.norm1(w[members])) for members in lists)
    return sum(cp.norm2(copy) for copy in copies)


def objective_by_cvxpy(norm, data, lam):
    lists = data.groups.lists()
    w = cp.Variable(data.X.shape[1])
    copies = [cp.Variable(len(members)) for members in lists]
    rules = []
    if norm == "l21":
        total = sum(
            np.eye(data.X.shape[1])[:, members] @ copy
            for members, copy in zip(lists, copies, strict=True)
        )
        rules = [w == total]
    loss = 0.5 * cp.sum_squares(data.X @ w - data.y)
    problem = cp.Problem(cp.Minimize(loss + lam * penalty_of(norm, w, lists, copies)), rules)
    return problem.solve(solver=cp.CLARABEL), w.value


def test_paths_kept_for_the_first_visit_are_those_solved_now():
    kept, fresh = pattern_start.stored(), solved(pattern_start.SPEC)
    data = patterns.make_data(pattern_start.SPEC)
    assert kept.spec == PatternSpec() and kept.oracle_error == fresh.oracle_error
    for norm, path in fresh.by_norm.items():
        again = kept.by_norm[norm]
        assert again.gaps.max() <= patterns.TOLERANCE
        np.testing.assert_allclose(again.lams, path.lams, rtol=1e-9)
        # Two fits within a relative gap of 1e-6 can be this far apart where they predict.
        apart = np.linalg.norm((again.coefs - path.coefs) @ data.X.T, axis=1)
        assert apart.max() <= 2 * np.sqrt(patterns.TOLERANCE) * np.linalg.norm(data.y)
        np.testing.assert_allclose(again.errors, path.errors, atol=2e-3)


def test_first_visit_loads_no_scikit_learn():
    loaded = (
        "import sys, lab.balls, lab.twins, lab.snippets.patterns; from lab import pattern_start; "
        "pattern_start.paths_of(pattern_start.SPEC); print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.parametrize("norm", patterns.FITTED_AS)
@pytest.mark.parametrize("spec", [SMALL, OVERLAPPING], ids=["disjoint", "overlapping"])
def test_paths_are_certified_and_agree_with_cvxpy(spec, norm):
    path, data = solved(spec).by_norm[norm], patterns.make_data(spec)
    assert path.gaps.max() <= patterns.TOLERANCE
    at = path.index(0.13)
    optimum, w = objective_by_cvxpy(norm, data, path.lams[at])
    fitted = path.coefs[at]
    # The loss is 1-strongly convex in Xw, so a relative gap of 1e-6 leaves √(2e-6 P) of it.
    reach = np.sqrt(2 * patterns.TOLERANCE * optimum) + 1e-4
    assert np.linalg.norm(data.X @ (fitted - w)) <= reach
    if norm != "l21" or not data.groups.overlapping:
        value = penalty_of(
            norm,
            cp.Constant(fitted),
            data.groups.lists(),
            [cp.Constant(fitted[members]) for members in data.groups.lists()],
        ).value
        loss = 0.5 * np.sum((data.X @ fitted - data.y) ** 2)
        assert loss + path.lams[at] * value == pytest.approx(optimum, rel=2e-6)


def test_one_is_where_l1_and_group_lasso_vanish_and_where_ridge_halves():
    paths = solved(SMALL)
    for norm in ("l1", "l21"):
        path = paths.by_norm[norm]
        assert not path.coefs[path.shares >= 1.0].any()
        assert path.coefs[path.shares < 0.99].any(axis=1).all()
    data = patterns.make_data(SMALL)
    assert patterns.own_scale("l2", data.X, data.y, data.groups) == pytest.approx(
        np.linalg.norm(data.X, 2) ** 2, rel=1e-6
    )
    assert (paths.by_norm["le"].nonzeros >= SMALL.n_groups).all()


def test_data_are_one_draw_split_into_training_and_test_rows():
    data = patterns.make_data(SMALL)
    assert data.X.shape == (30, 20) and data.X_test.shape == (patterns.TEST_SAMPLES, 20)
    X, y = np.vstack([data.X, data.X_test]), np.append(data.y, data.y_test)
    signal = X @ data.true_weights
    assert np.std(y - signal) == pytest.approx(SMALL.noise * np.std(signal), rel=0.1)
    np.testing.assert_array_equal(
        np.count_nonzero(data.true_weights[data.cells], axis=1), np.ones(4)
    )
    again = patterns.make_data(SMALL)
    np.testing.assert_array_equal(data.y, again.y)


def test_no_noise_means_none():
    data = patterns.make_data(PatternSpec(n_groups=4, group_size=5, n_samples=30, noise=0.0))
    np.testing.assert_allclose(data.X @ data.true_weights, data.y, atol=1e-12)


@pytest.mark.parametrize("together", [True, False])
def test_groups_share_the_first_features_of_the_next(together):
    spec = PatternSpec(n_groups=3, group_size=4, overlap=2, together=together)
    data = patterns.make_data(spec)
    for group, row in enumerate(data.cells):
        following = data.cells[(group + 1) % 3]
        np.testing.assert_array_equal(row[4:], following[:2])
        assert sorted(row) == data.groups.lists()[group]
    neighbours_share_a_group = data.cells[0, :2].tolist() == [0, 1]
    assert neighbours_share_a_group == together


def test_few_active_groups_hold_all_true_features_at_the_same_noise():
    spec = PatternSpec(active_percent=30, nonzeros_per_group=3, noise=0.5)
    data = patterns.make_data(spec)
    held = np.count_nonzero(data.true_weights[data.cells], axis=1)
    assert sorted(held) == [0] * 7 + [3] * 3
    X, y = np.vstack([data.X, data.X_test]), np.append(data.y, data.y_test)
    signal = X @ data.true_weights
    assert np.std(y - signal) == pytest.approx(0.5 * np.std(signal), rel=0.1)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (PatternSpec(group_size=3, nonzeros_per_group=4), "cannot hold 4 true"),
        (PatternSpec(group_size=3, overlap=3), "cannot share 3 features"),
    ],
)
def test_impossible_settings_are_explained(spec, words):
    assert words in spec.problem()
    with pytest.raises(ValueError, match=words):
        patterns.make_data(spec)


def test_numbers_of_a_path_are_those_of_their_definitions():
    paths, data = solved(SMALL), patterns.make_data(SMALL)
    true = set(np.flatnonzero(data.true_weights))
    for path in paths.by_norm.values():
        for at in (0, 20, path.shares.size - 1):
            w = path.coefs[at]
            found = set(np.flatnonzero(w))
            precision = len(found & true) / max(len(found), 1)
            recall = len(found & true) / len(true)
            expected = 2 * precision * recall / ((precision + recall) or 1)
            assert path.f1[at] == pytest.approx(expected)
            assert path.nonzeros[at] == len(found)
            missed = data.X_test @ w - data.y_test
            assert path.errors[at] == pytest.approx(
                np.mean(missed**2) / np.mean(data.y_test**2), rel=1e-9
            )


@pytest.mark.parametrize("share", [0.013, 0.1, 1.0, 10.0])
def test_matching_takes_the_nearest_count_and_never_an_empty_fit(share):
    paths = solved(SMALL)
    shown = patterns.look_up(paths, share, matched=True)
    wanted = shown["le"].pattern.nonzeros
    assert shown["le"].share == pytest.approx(share)
    for norm in ("l1", "l21"):
        possible = [count for count in paths.by_norm[norm].nonzeros if count > 0]
        nearest = min(abs(count - wanted) for count in possible)
        assert abs(shown[norm].pattern.nonzeros - wanted) == nearest
        assert shown[norm].pattern.nonzeros > 0
    losses = paths.by_norm["l2"].losses
    reached = losses[paths.by_norm["l2"].index(shown["l2"].share)]
    leader = paths.by_norm["le"]
    assert abs(reached - leader.losses[leader.index(share)]) == pytest.approx(
        np.abs(losses - leader.losses[leader.index(share)]).min()
    )


def test_unmatched_norms_stand_at_the_same_share():
    shown = patterns.look_up(solved(SMALL), 0.24, matched=False)
    assert {fit.share for fit in shown.values()} == {0.24}


def test_every_stop_of_the_slider_is_on_every_path():
    for norm in patterns.FITTED_AS:
        grid = patterns.shares_grid(norm)
        assert (np.diff(grid) > 0).all()
        assert {float(text) for text in patterns.SHARES} <= set(grid)


@pytest.mark.parametrize("matched", [True, False])
@pytest.mark.parametrize("share", [0.1, 1.0])
def test_answer_says_what_was_kept(share, matched):
    shown = patterns.look_up(solved(SMALL), share, matched)
    said = re.findall(r"(ℓ[e12,]+) keeps (?:all )?(\d+)", patterns.answer(shown, matched))
    assert said == [
        (shown[norm].label, str(np.count_nonzero(shown[norm].pattern.weights)))
        for norm in ("le", "l1", "l21", "l2")
    ]
    emptied = {norm: 4 - np.count_nonzero(fit.grid.any(axis=1)) for norm, fit in shown.items()}
    assert [fit.pattern.n_empty for fit in shown.values()] == list(emptied.values())


def test_panels_count_nonzeros_per_group_shared_features_included():
    paths = solved(OVERLAPPING)
    fit = patterns.look_up(paths, 0.1, matched=False)["l1"]
    assert fit.grid.shape == (4, 7)
    np.testing.assert_array_equal(fit.counts, np.count_nonzero(fit.grid, axis=1))
    np.testing.assert_array_equal(
        paths.owners[paths.cells[:, :5]], np.repeat(np.arange(4), 5).reshape(4, 5)
    )


def test_prose_names_the_winners():
    paths = solved(SMALL)
    shown = patterns.look_up(paths, 0.24, matched=True)
    best = max(shown.values(), key=lambda fit: fit.f1)
    assert f"{best.label} finds them best (F1 {best.f1:.2f})" in patterns.support_finding(
        shown, paths
    )
    lowest = min(path.errors.min() for path in paths.by_norm.values())
    assert f"{lowest:.0%}" in patterns.error_title(paths)
    highest = max(path.f1.max() for path in paths.by_norm.values())
    assert f"{highest:.2f}" in patterns.f1_title(paths)


def test_groups_enter_in_the_order_of_their_largest_lam():
    path, owners = solved(SMALL).by_norm["l21"], solved(SMALL).owners
    correlations = [
        path.shares[np.flatnonzero(path.coefs[:, owners == group].any(axis=1))].max()
        for group in range(4)
    ]
    order = patterns.entry_order(path, owners)
    assert [correlations[group] for group in order] == sorted(correlations, reverse=True)


def test_tables_have_a_row_for_each_feature_and_each_lam():
    paths = solved(SMALL)
    shown = patterns.look_up(paths, 0.24, matched=True)
    columns = patterns.table(shown, paths)
    assert {len(column) for column in columns.values()} == {20}
    np.testing.assert_array_equal(columns["le"], shown["le"].pattern.weights)
    path = paths.by_norm["l1"]
    assert {len(column) for column in patterns.path_table(path).values()} == {path.shares.size}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_panel_outlines_the_truth_and_counts_its_rows(mode):
    weights = np.array([[0.0, 2.0, -1.0], [0.0, 0.0, 0.0]])
    support = np.array([[True, True, False], [False, False, True]])
    figure = charts.weight_grid(
        weights,
        title="ℓe",
        mode=mode,
        support=support,
        counts=True,
        shared=1,
        subtitle="F1",
        compact=True,
    )
    _, outlines, numbers = figure.data
    corners = outlines.x.reshape(-1, 6), outlines.y.reshape(-1, 6)
    centres = np.array([column[:, :4].mean(axis=1) for column in corners]).T
    np.testing.assert_allclose(centres, [[1, 1], [2, 1], [3, 2]])
    assert outlines.line.color == theme.palette(mode).text
    assert list(numbers.text) == ["2", "0"]
    np.testing.assert_array_equal(numbers.customdata, [1, 0])
    assert figure.layout.annotations == ()
    assert figure.layout.shapes[0].x0 == 2.5
    assert figure.layout.title.text.startswith("ℓe<br>")
    assert figure.layout.xaxis.visible is False


def test_path_chart_has_a_style_per_group_and_thick_true_features():
    paths = solved(SMALL)
    path = paths.by_norm["le"]
    options = dict(current=0.24, title="x", mode="light")
    figure = path_charts.weight_paths(
        path.shares, path.coefs, paths.owners, paths.support, **options
    )
    drawn = sum(np.isnan(line.x).sum() for line in figure.data)
    assert drawn == np.count_nonzero(path.coefs.any(axis=0))
    for line in figure.data:
        group = int(re.match(r"group (\d+)", line.name).group(1)) - 1
        style = path_charts.group_style(group, "light")
        assert (line.line.color, line.line.dash) == (style["color"], style["dash"])
        feature = line.customdata[0] - 1
        assert (line.line.width > 2) == bool(paths.support[feature])
        np.testing.assert_array_equal(line.y[: path.shares.size], path.coefs[:, feature])
    assert figure.layout.shapes[0].x0 == 0.24

    one = path_charts.weight_paths(
        path.shares, path.coefs, paths.owners, paths.support, only_group=2, **options
    )
    coloured = {line.name for line in one.data if line.line.color != theme.LIGHT.border}
    assert coloured == {"group 3", "group 3, true"}
    assert one.data[-1].name in coloured


def test_twenty_groups_get_twenty_styles():
    styles = [tuple(path_charts.group_style(group, "dark").values()) for group in range(20)]
    assert len(set(styles)) == 20


def test_metric_chart_marks_the_best_and_the_current_point():
    paths = solved(SMALL)
    shares = {norm: path.shares for norm, path in paths.by_norm.items()}
    errors = {norm: path.errors for norm, path in paths.by_norm.items()}
    figure = path_charts.metric_lines(
        shares,
        errors,
        current=dict.fromkeys(shares, 0.24),
        best="min",
        axis="test error",
        title="x",
        mode="light",
        floor=("truth", paths.oracle_error),
    )
    for marks, norm in zip(figure.data[1::2], errors, strict=True):
        assert marks.y[0] == errors[norm].min()
        assert marks.x[1] == pytest.approx(0.24)
