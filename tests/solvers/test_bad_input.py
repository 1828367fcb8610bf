"""Bad input is refused in one clear sentence; degenerate input is solved exactly."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from solvers import ExclusiveLasso, ExclusiveSVC, Groups, solve_lasso, solve_logistic, solve_svm
from solvers.problems import SmoothProblem
from tests.oracles import METHODS

rng = np.random.default_rng(0)
X = rng.standard_normal((6, 4))
LABELS = np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0])
TARGET = rng.standard_normal(6)
GROUPS = Groups.contiguous(4, 2)

LASSO, LOGISTIC, SVM = "lasso", "logistic", "svm"
KINDS = (LASSO, LOGISTIC, SVM)
each_kind = pytest.mark.parametrize("kind", KINDS)
each_intercept = pytest.mark.parametrize("fit_intercept", [False, True], ids=["plain", "intercept"])


def solve(kind, X=X, y=None, groups=GROUPS, strengths=None, **options):
    if y is None:
        n_samples = np.shape(X)[0] if np.ndim(X) == 2 else 6
        y = (TARGET if kind == LASSO else LABELS)[:n_samples]
    if kind == SVM:
        return solve_svm(X, y, groups, *(strengths or (1.0, 1.0)), **options)
    solver = solve_lasso if kind == LASSO else solve_logistic
    return solver(X, y, groups, *(strengths or (1.0,)), **options)


def refused(match, kind, **options):
    """Refused with a ValueError of one sentence or two that says this."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=match) as caught:
            solve(kind, **options)
    message = str(caught.value)
    assert len(message) < 250
    assert "\n" not in message
    assert message.endswith(".")


# -- X --------------------------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("storage", ["C", "Fortran", "csr", "csc", "coo", "frame", "float32"])
def test_the_entry_of_x_that_is_not_finite_is_named(kind, value, storage):
    bad = X.copy()
    bad[4, 2] = value
    convert = {
        "C": np.ascontiguousarray,
        "Fortran": np.asfortranarray,
        "csr": sparse.csr_array,
        "csc": sparse.csc_matrix,
        "coo": sparse.coo_array,
        "frame": pd.DataFrame,
        "float32": lambda X: X.astype(np.float32),
    }[storage]
    refused(rf"X\[4, 2\] is {value}; every entry must be finite", kind, X=convert(bad))


@each_kind
def test_the_first_bad_entry_is_named_in_sparse_data_with_duplicates(kind):
    data, rows, columns = [1.0, np.nan, 2.0], [0, 3, 5], [0, 1, 2]
    refused(r"X\[3, 1\] is nan", kind, X=sparse.coo_array((data, (rows, columns)), shape=(6, 4)))


@each_kind
@pytest.mark.parametrize(
    ("bad", "match"),
    [
        (np.ones(6), r"X must be a matrix of samples × features, got shape \(6,\)"),
        (np.ones((6, 4, 1)), r"X must be a matrix .* got shape \(6, 4, 1\)"),
        (np.empty((6, 0)), r"at least one sample and one feature, got shape \(6, 0\)"),
        (np.full((6, 4), "a"), r"X must hold numbers only .*'a'"),
        (np.array([["a", 1, 2, 3]] * 6, dtype=object), r"X must hold numbers only .*'a'"),
        (X + 1j, r"X holds complex numbers"),
        (sparse.csr_array(X + 1j), r"X holds complex numbers"),
        (np.full((6, 4), np.datetime64("2020-01-01")), r"X must hold numbers only"),
        ([[1.0, 2.0], [3.0]], r"X must hold numbers only"),
        (None, r"X must"),
        ("data.csv", r"X must"),
        (1e200 * X, r"X\[0, 0\] is .* overflows"),
        (pd.DataFrame({"a": ["x"] * 6, "b": range(6)}), r"X must hold numbers only .*'x'"),
    ],
    ids=[
        "vector",
        "cube",
        "no-features",
        "text",
        "mixed",
        "complex",
        "sparse-complex",
        "dates",
        "ragged",
        "none",
        "path",
        "huge",
        "frame-with-text",
    ],
)
def test_bad_x(kind, bad, match):
    refused(match, kind, X=bad, y=LABELS)


@each_kind
def test_no_samples(kind):
    refused(r"at least one sample .* got shape \(0, 4\)", kind, X=np.empty((0, 4)), y=[])
    empty = sparse.csr_array((0, 4))
    refused(r"at least one sample .* got shape \(0, 4\)", kind, X=empty, y=[])


@each_kind
def test_other_kinds_of_numbers_are_fine(kind):
    whole = np.round(3 * X)
    expected = solve(kind, X=whole).objective
    for same in (
        whole.astype(int),
        whole.astype(np.float16),
        whole.astype(object),
        whole.tolist(),
        sparse.csr_array(whole.astype(int)),
        *(getattr(sparse, f"{form}_array")(whole) for form in ("lil", "dok", "coo", "csc", "dia")),
        pd.DataFrame(whole),
        pd.DataFrame(whole, columns=list("abcd")).astype(int),
        np.array(whole, order="F")[:, :],
        np.repeat(whole, 2, axis=0)[::2],
    ):
        assert solve(kind, X=same).objective == pytest.approx(expected, rel=2e-6)
    assert solve(kind, X=whole > 0).converged


# -- y --------------------------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_the_entry_of_y_that_is_not_finite_is_named(kind, value):
    y = LABELS.copy()
    y[3] = value
    refused(rf"y\[3\] is {value}; every entry of y must be finite", kind, y=y)


@each_kind
@pytest.mark.parametrize(
    ("y", "match"),
    [
        (LABELS[:5], r"X has 6 rows, y has shape \(5,\)"),
        (np.ones((6, 2)), r"X has 6 rows, y has shape \(6, 2\)"),
        (np.ones((1, 6)), r"X has 6 rows, y has shape \(1, 6\)"),
        (1.0, r"X has 6 rows, y has shape \(\)"),
        ([], r"X has 6 rows, y has shape \(0,\)"),
        (["cat", "dog"] * 3, r"y must hold numbers? .*'cat'"),
        (LABELS + 1j, r"y holds complex numbers"),
    ],
    ids=["short", "two-columns", "a-row", "a-number", "empty", "text", "complex"],
)
def test_bad_y(kind, y, match):
    refused(match, kind, y=y)


@each_kind
def test_y_of_nothing(kind):
    solver = {LASSO: solve_lasso, LOGISTIC: solve_logistic, SVM: solve_svm}[kind]
    strengths = (1.0, 1.0) if kind == SVM else (1.0,)
    with pytest.raises(ValueError, match="y must hold"):
        solver(X, None, GROUPS, *strengths)


@each_kind
def test_y_as_column_series_or_list(kind):
    y = TARGET if kind == LASSO else LABELS
    expected = solve(kind).objective
    for same in (y[:, None], y.tolist(), pd.Series(y, index=list("uvwxyz")), y.astype(object)):
        assert solve(kind, y=same).objective == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize("kind", [LOGISTIC, SVM])
@pytest.mark.parametrize(
    ("y", "match"),
    [
        ([1, 0, 1, 1, 0, 0], r"y\[1\] is 0; labels must be −1 or \+1"),
        ([1, -1, 2, 1, -1, 1], r"y\[2\] is 2; labels must be −1 or \+1"),
        ([True, False] * 3, r"y\[1\] is 0; labels must be −1 or \+1"),
        ([0.5, -1, 1, 1, -1, 1], r"y\[0\] is 0.5; labels must be −1 or \+1"),
    ],
    ids=["zero-one", "three", "truth", "halves"],
)
def test_labels_are_plus_and_minus_one(kind, y, match):
    refused(match, kind, y=y)


# -- strengths, exponent, weights, starts, limits -------------------------------------------------


BAD_STRENGTHS = [0, 0.0, -1.0, np.nan, np.inf, -np.inf, "large", "1", None, [1.0], 1j, True]


@pytest.mark.parametrize("value", BAD_STRENGTHS, ids=repr)
def test_bad_strengths(value):
    for kind in (LASSO, LOGISTIC):
        refused("lam must be a", kind, strengths=(value,))
    refused("alpha must be a", SVM, strengths=(value, 1.0))
    refused("beta must be a", SVM, strengths=(1.0, value))


def test_strengths_of_other_number_types_are_fine():
    expected = solve(LASSO, strengths=(2.0,)).objective
    for same in (2, np.float32(2.0), np.int64(2), np.array(2.0)):
        assert solve(LASSO, strengths=(same,)).objective == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize("value", [0.5, 0.0, -2.0, np.nan, np.inf, "two", None], ids=repr)
def test_bad_exponents(value):
    for kind in (LASSO, LOGISTIC):
        refused("exponent must be a", kind, exponent=value)


def test_the_hinge_has_no_exponent():
    refused("has no option 'exponent'", SVM, exponent=3.0)


@each_kind
@pytest.mark.parametrize(
    ("weight", "match"),
    [
        ([1, 1, np.nan, 1, 1, 1], r"sample_weight\[2\] is nan"),
        ([1, 1, np.inf, 1, 1, 1], r"sample_weight\[2\] is inf"),
        ([1, -0.5, 1, 1, 1, 1], r"sample_weight\[1\] is -0.5"),
        (np.ones(5), r"sample_weight must hold one number per sample \(6\), got shape \(5,\)"),
        (np.ones((6, 1)), r"sample_weight must hold one number per sample"),
        (2.0, r"sample_weight must hold one number per sample"),
        (np.zeros(6), r"all sample weights are 0"),
        (["a"] * 6, r"sample_weight must hold numbers"),
    ],
    ids=["nan", "inf", "negative", "short", "column", "number", "zeros", "text"],
)
def test_bad_weights(kind, weight, match):
    refused(match, kind, sample_weight=weight)


@each_kind
@pytest.mark.parametrize(
    ("w0", "match"),
    [
        ([0, 0, np.nan, 0], r"w0\[2\] is not a finite number"),
        ([0, np.inf, 0, 0], r"w0\[1\] is not a finite number"),
        (np.zeros(3), r"w0 must hold one number per feature \(4\), got shape \(3,\)"),
        (np.zeros((4, 1)), r"w0 must hold one number per feature \(4\), got shape \(4, 1\)"),
        (0.0, r"w0 must hold one number per feature"),
        (["a"] * 4, r"w0 must hold numbers"),
    ],
    ids=["nan", "inf", "short", "column", "number", "text"],
)
def test_bad_starts(kind, w0, match):
    refused(match, kind, w0=w0)


@each_kind
@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"tol": -1e-3}, "tol must be at least 0"),
        ({"tol": np.nan}, "tol must be at least 0"),
        ({"tol": "small"}, "tol must be a number, got 'small'"),
        ({"tol": None}, "tol must be a number"),
        ({"max_iter": -1}, "max_iter must be at least 0"),
        ({"max_iter": 2.5}, "max_iter must be a whole number"),
        ({"max_iter": "many"}, "max_iter must be a number, got 'many'"),
        ({"max_seconds": -0.1}, "max_seconds must be at least 0"),
        ({"max_seconds": np.nan}, "max_seconds must be at least 0"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_bad_limits(kind, options, match):
    refused(match, kind, **options)


@each_kind
def test_a_callback_must_be_callable(kind):
    with pytest.raises((ValueError, TypeError), match=r"callback|callable"):
        solve(kind, callback=3)


# -- methods and options --------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("method", ["newton-raphson", "LOCP", "", None, 3, ["locp"]], ids=repr)
def test_an_unknown_method_lists_the_choices(kind, method):
    refused("there is no method .* choose one of: auto, ", kind, method=method)
    with pytest.raises(ValueError) as caught:
        solve(kind, method=method)
    for key in METHODS[kind]:
        assert key in str(caught.value)


@each_kind
def test_an_unknown_option_lists_the_options(kind):
    refused(r"has no option 'max_iters'; its options are: ", kind, max_iters=10)


def test_methods_of_other_problems_are_unknown():
    refused("there is no method 'licp'", LASSO, method="licp")
    refused("there is no method 'locp'", SVM, method="locp")


# -- groups ---------------------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize(
    ("groups", "match"),
    [
        (Groups.contiguous(5, 2), "groups are over 5 features, but X has 4 columns"),
        ([0, 1, 0], "groups are over 3 features, but X has 4 columns"),
        ([[0, 1], [2]], "feature 3 is in no group"),
        ([[0, 1], [2, 3, 4]], "group 1 holds index 4, outside 0 … 3"),
        ([[0, 1], [], [2, 3]], "group 1 is empty"),
        ([[0, 1, 1], [2, 3]], "group 0 holds feature 1 more than once"),
        (5, "nobody knows afterwards; pass Groups.random"),
        (0, "nobody knows afterwards"),
        ([["a", "b"], ["c", "d"]], "groups name columns, but X has no column names"),
        (None, "labels|groups"),
        ("ab", "labels|groups"),
        ([], "labels|groups"),
        ([0, 1, np.nan, 1], "feature 2 has no label"),
    ],
    ids=str,
)
def test_bad_groups(kind, groups, match):
    refused(match, kind, groups=groups)


@each_kind
def test_frames_with_groups_by_column_name(kind):
    frame = pd.DataFrame(X, columns=["north", "east", "south", "west"])
    disjoint = solve(kind, groups=[[0, 2], [1, 3]]).objective
    for groups in (
        [["north", "south"], ["east", "west"]],
        {"meridian": ["north", "south"], "parallel": ["east", "west"]},
        {"north": "m", "south": "m", "east": "p", "west": "p"},
        pd.Series({"west": 1, "south": 0, "east": 1, "north": 0}),
        [[0, 2], [1, 3]],
        [0, 1, 0, 1],
    ):
        result = solve(kind, X=frame, groups=groups)
        assert result.converged
        assert result.objective == pytest.approx(disjoint, rel=2e-6)
    overlapping = solve(kind, groups=[[0, 1, 2], [2, 3]]).objective
    named = solve(kind, X=frame, groups=[["north", "east", "south"], ["south", "west"]])
    assert named.objective == pytest.approx(overlapping, rel=2e-6)
    refused(
        "names 'up', which is not a column",
        kind,
        X=frame,
        groups=[["north", "south", "east"], ["up", "west"]],
    )
    refused("'west' is in no group", kind, X=frame, groups=[["north", "south"], ["east"]])


# -- degenerate, but right ------------------------------------------------------------------------


def exact(result, objective):
    """Solved to the last digit, at once."""
    assert result.converged
    assert result.gap == 0.0
    assert result.objective == objective
    assert result.bound == objective


@each_intercept
@pytest.mark.parametrize("key", METHODS[LASSO])
def test_y_of_zeros_has_the_solution_zero(key, fit_intercept):
    result = solve(LASSO, y=np.zeros(6), method=key, fit_intercept=fit_intercept)
    exact(result, 0.0)
    np.testing.assert_array_equal(result.w, np.zeros(4))
    assert result.intercept == 0.0


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("key", METHODS[LASSO])
@pytest.mark.parametrize("constant", [1.0, 0.1, 1 / 3, -7.3, 1e6 + 0.1, 3.3e-7, 1e100, 1e-100])
def test_a_constant_y_is_all_intercept(constant, key, storage):
    weights = np.random.default_rng(1).uniform(0.1, 3.0, (3, 6))
    for weight in (None, *weights):
        result = solve(
            LASSO,
            X=storage(X),
            y=np.full(6, constant),
            fit_intercept=True,
            method=key,
            sample_weight=weight,
        )
        exact(result, 0.0)
        np.testing.assert_array_equal(result.w, np.zeros(4))
        assert result.intercept == pytest.approx(constant, rel=1e-14)


def test_a_constant_y_from_a_warm_start():
    result = solve(LASSO, y=np.full(6, 0.1), fit_intercept=True, w0=np.ones(4))
    exact(result, 0.0)


@each_intercept
@each_kind
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_x_of_zeros(kind, fit_intercept, storage):
    y = TARGET if kind == LASSO else LABELS
    for key in METHODS[kind]:
        result = solve(kind, X=storage(np.zeros((6, 4))), fit_intercept=fit_intercept, method=key)
        assert result.converged
        np.testing.assert_allclose(result.w, np.zeros(4), atol=1e-12)
        if kind == LASSO:
            losses = 0.5 * (result.intercept - y) ** 2
        elif kind == LOGISTIC:
            losses = np.log1p(np.exp(-y * result.intercept))
        else:
            losses = np.maximum(0.0, 1.0 - y * result.intercept)
        assert result.objective == pytest.approx(losses.sum(), rel=1e-12)


@each_intercept
@each_kind
def test_a_single_feature(kind, fit_intercept):
    result = solve(kind, X=X[:, :1], groups=[0], fit_intercept=fit_intercept, tol=1e-8)
    assert result.converged
    assert result.w.shape == (1,)


@each_intercept
def test_a_single_feature_is_ridge(fit_intercept):
    x = X[:, 0]
    centred = x - x.mean() if fit_intercept else x
    expected = centred @ TARGET / (centred @ centred + 0.7)
    result = solve(
        LASSO, X=X[:, :1], groups=[0], strengths=(0.7,), fit_intercept=fit_intercept, tol=1e-12
    )
    assert result.w[0] == pytest.approx(expected, rel=1e-5)


def test_a_single_sample():
    result = solve(LASSO, X=X[:1], groups=GROUPS, tol=1e-9)
    assert result.converged
    exact(solve(LASSO, X=X[:1], fit_intercept=True), 0.0)
    assert solve(LOGISTIC, X=X[:1]).converged
    assert solve(SVM, X=X[:1]).converged
    one = solve(SVM, X=X[:1], fit_intercept=True)
    exact(one, 0.0)
    np.testing.assert_array_equal(one.w, np.zeros(4))


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_one_class(label):
    y = np.full(6, label)
    for key in METHODS[SVM]:
        result = solve(SVM, y=y, fit_intercept=True, method=key)
        exact(result, 0.0)
        np.testing.assert_array_equal(result.w, np.zeros(4))
        assert label * result.intercept >= 1.0
        assert solve(SVM, y=y, method=key, tol=1e-4).converged
    assert solve(LOGISTIC, y=y).converged
    refused(
        "all labels are [+-]1, .* intercept has no minimiser", LOGISTIC, y=y, fit_intercept=True
    )


def test_one_class_among_the_samples_that_count():
    weight = (LABELS > 0).astype(float)
    result = solve(SVM, fit_intercept=True, sample_weight=weight)
    exact(result, 0.0)
    refused("all labels are", LOGISTIC, fit_intercept=True, sample_weight=weight)


@each_kind
def test_constant_columns_with_an_intercept(kind):
    """They can do nothing that the intercept does not do for free."""
    constant = X.copy()
    constant[:, 1] = 0.1
    kept = [0, 2, 3]
    for storage in (np.asarray, sparse.csr_array):
        result = solve(kind, X=storage(constant), fit_intercept=True, tol=1e-8)
        without = solve(
            kind, X=storage(constant[:, kept]), groups=[0, 1, 1], fit_intercept=True, tol=1e-8
        )
        assert result.converged and without.converged
        assert result.objective == pytest.approx(without.objective, rel=3e-8)
        assert abs(result.w[1]) <= 1e-6
    all_constant = solve(kind, X=np.full((6, 4), 0.1), fit_intercept=True)
    assert all_constant.converged
    np.testing.assert_allclose(all_constant.w, np.zeros(4), atol=1e-8)


@each_intercept
def test_a_perfect_fit_is_solved(fit_intercept):
    """y in the span of X: the optimum is small but not zero, and the gap is relative to it."""
    y = X @ np.array([1.0, 0.0, -2.0, 0.0]) + (3.0 if fit_intercept else 0.0)
    result = solve(LASSO, y=y, strengths=(1e-6,), fit_intercept=fit_intercept)
    assert result.converged
    assert 0.0 < result.objective < 1e-4


@each_kind
def test_no_warnings_on_the_way(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for storage in (np.asarray, sparse.csr_array):
            assert solve(kind, X=storage(X), fit_intercept=True).converged
            solve(kind, X=storage(np.zeros((6, 4))), fit_intercept=True)
            solve(kind, X=storage(1e100 * X), max_iter=20)
            solve(kind, X=storage(1e-100 * X), max_iter=20)


@each_kind
def test_huge_and_tiny_data_end_in_an_honest_status(kind):
    """Up to the largest entries that are accepted, nothing raises and nothing is miscertified."""
    for power in (-150, -100, 100, 140):
        result = solve(kind, X=X * 10.0**power, max_iter=50, fit_intercept=True)
        assert not result.objective < result.bound * (1 - 1e-9)
        assert result.status in ("converged", "max_iter", "stalled", "diverged")


def test_a_general_loss_refuses_the_same():
    with pytest.raises(ValueError, match="lam must be a positive finite number"):
        SmoothProblem(X, TARGET, GROUPS, -1.0)
    with pytest.raises(ValueError, match="exponent must be at least 1"):
        SmoothProblem(X, TARGET, GROUPS, 1.0, exponent=0.9)


def test_masked_entries_are_refused():
    """numpy would hand over what the mask hides."""
    X, y = np.arange(6.0).reshape(3, 2) + 1.0, np.array([1.0, -1.0, 1.0])
    hidden = np.ma.masked_array(X, mask=[[0, 0], [0, 1], [0, 0]])
    target = np.ma.masked_array(y, mask=[0, 0, 1])
    for solver in (partial(solve_lasso, lam=1.0), partial(solve_svm, alpha=1.0, beta=1.0)):
        with pytest.raises(ValueError, match=r"X\[1, 1\] is masked; impute or drop"):
            solver(hidden, y, [0, 1])
        with pytest.raises(ValueError, match=r"y\[2\] is masked"):
            solver(X, target, [0, 1])
        with pytest.raises(ValueError, match=r"sample_weight\[2\] is masked"):
            solver(X, y, [0, 1], sample_weight=np.abs(target))
    for model in (ExclusiveLasso(groups=2), ExclusiveSVC(groups=2)):
        with pytest.raises(ValueError, match=r"X\[1, 1\] is masked"):
            model.fit(hidden, y)
        with pytest.raises(ValueError, match=r"y\[2\] is masked"):
            model.fit(X, target)
    # A mask that hides nothing is no obstacle.
    whole = np.ma.masked_array(X, mask=False)
    assert np.array_equal(solve_lasso(whole, y, [0, 1], 1.0).w, solve_lasso(X, y, [0, 1], 1.0).w)
