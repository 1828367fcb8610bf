"""The data matrix as an operator, against plain NumPy, in every storage it may come in."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from solvers.design import Design
from solvers.validation import as_data_matrix

STORAGES = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "strided": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "float32": lambda X: X.astype(np.float32),
    "integer": lambda X: X.astype(np.int64),
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "csr matrix": sparse.csr_matrix,
    "csr float32": lambda X: sparse.csr_array(X.astype(np.float32)),
}
SHAPES = {"wide": (7, 23), "tall": (23, 7)}
DEGENERATE_SHAPES = {"one row": (1, 6), "one column": (6, 1)}
FORMS = [
    *((shape, storage) for shape in SHAPES for storage in STORAGES),
    *((shape, storage) for shape in DEGENERATE_SHAPES for storage in ("C", "csr")),
]


def whole_numbers(shape, seed=0):
    """Small whole numbers survive float32 and integers, so that every storage holds the same X."""
    rng = np.random.default_rng(seed)
    X = np.round(2.0 * rng.standard_normal(shape))
    X[rng.random(shape) < 0.3] = 0.0
    X.flat[0] = 3.0
    return X


@pytest.fixture(params=FORMS, ids="-".join)
def form(request):
    shape, storage = request.param
    return (SHAPES | DEGENERATE_SHAPES)[shape], STORAGES[storage]


@pytest.fixture(params=["plain", "centred", "weighted centring"])
def case(request, form):
    """(design, the matrix it stands for, row weights)"""
    shape, store = form
    X = whole_numbers(shape)
    rng = np.random.default_rng(1)
    weights = rng.uniform(0.5, 2.0, shape[0])
    means = None
    if request.param == "centred":
        means = X.mean(axis=0)
    elif request.param == "weighted centring":
        means = weights @ X / weights.sum()
    design = Design(as_data_matrix(store(X)), means)
    return design, (X if means is None else X - means), weights


def test_products(case):
    design, X, _ = case
    rng = np.random.default_rng(2)
    w, theta = rng.standard_normal(X.shape[1]), rng.standard_normal(X.shape[0])
    np.testing.assert_allclose(design.matvec(w), X @ w, atol=1e-12)
    np.testing.assert_allclose(design.rmatvec(theta), X.T @ theta, atol=1e-12)
    assert theta @ design.matvec(w) == pytest.approx(design.rmatvec(theta) @ w, abs=1e-11)
    assert design.shape == X.shape


def test_columns(case):
    design, X, _ = case
    n = X.shape[1]
    for indices in ([0], [n - 1, 0], list(range(n)), []):
        columns = design.columns(np.array(indices, dtype=int))
        np.testing.assert_allclose(columns, X[:, indices], atol=1e-13)
        assert isinstance(columns, np.ndarray)
        assert columns.flags.f_contiguous
        assert columns.dtype == np.float64


def test_columns_are_a_copy(case):
    design, X, _ = case
    design.columns(np.array([0]))[:] = 99.0
    np.testing.assert_allclose(design.columns(np.array([0])), X[:, [0]], atol=1e-13)


def test_weighted_gram(case):
    design, X, _ = case
    rng = np.random.default_rng(3)
    d = rng.uniform(0.0, 2.0, X.shape[1])
    d[0] = 0.0
    expected = X @ np.diag(d) @ X.T
    gram = design.weighted_gram(d)
    assert isinstance(gram, np.ndarray)
    np.testing.assert_allclose(gram, expected, atol=1e-12 * max(1.0, np.abs(expected).max()))


def test_largest_eigenvalue_is_a_tight_upper_bound(case):
    design, X, weights = case
    for row_weights in (np.ones(X.shape[0]), weights, weights / 4.0):
        exact = np.linalg.norm(np.sqrt(row_weights)[:, None] * X, 2) ** 2
        assert exact * (1 - 1e-12) <= design.largest_eigenvalue(row_weights) <= 1.05 * exact + 1e-25


def test_the_dense_matrix_is_offered_as_it_is(case):
    design, X, _ = case
    if design.is_sparse:
        assert design.dense is None
    else:
        np.testing.assert_allclose(design.dense, X, atol=1e-13)


def test_sparse_data_stay_sparse():
    X = sparse.random_array((200, 3000), density=0.01, rng=np.random.default_rng(0), format="csr")
    means = np.asarray(X.mean(axis=0)).ravel()
    design = Design(as_data_matrix(X), means)
    assert design.is_sparse
    assert sparse.issparse(design.matrix)
    assert design.matrix.nnz == X.nnz


@pytest.mark.parametrize("order", ["C", "F"])
def test_double_precision_data_are_not_copied(order):
    X = np.array(whole_numbers((5, 4)), order=order)
    assert np.shares_memory(Design(as_data_matrix(X)).dense, X)


def test_the_data_are_left_alone():
    X = whole_numbers((5, 4))
    before = X.copy()
    design = Design(as_data_matrix(X), X.mean(axis=0))
    design.weighted_gram(np.ones(4))
    design.largest_eigenvalue(np.ones(5))
    design.columns(np.array([1]))[:] = 7.0
    np.testing.assert_array_equal(X, before)


# -- the largest eigenvalue, where the Gram matrix is too large -------------------------------


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
def test_a_zero_matrix_has_eigenvalue_zero(storage):
    design = Design(as_data_matrix(storage(np.zeros((4, 6)))))
    assert design.largest_eigenvalue(np.ones(4)) == 0.0


def test_a_large_zero_matrix_has_eigenvalue_zero():
    assert Design(sparse.csr_array((1500, 1600))).largest_eigenvalue(np.ones(1500)) == 0.0


def orthonormal_blocks(rng, spectrum):
    """A sparse matrix with the given singular values: rotated 8 × 8 blocks on the diagonal."""
    blocks = []
    for values in np.split(rng.permutation(spectrum), len(spectrum) // 8):
        left = np.linalg.qr(rng.standard_normal((8, 8)))[0]
        right = np.linalg.qr(rng.standard_normal((8, 8)))[0]
        blocks.append((left * values) @ right)
    return sparse.block_diag(blocks, format="csr")


@pytest.mark.parametrize("top", [1.0, 1.02, 1.05, 1.2, 3.0])
@pytest.mark.parametrize("spread", [0.0, 1e-4, 0.05, 1.0])
def test_the_top_is_not_missed_among_many(top, spread):
    """One singular value may stand out a little or a lot from a bulk of any width."""
    size = 2000
    for seed in range(2):
        rng = np.random.default_rng(seed)
        spectrum = 1.0 - spread * rng.random(size)
        spectrum[0] = top
        exact = spectrum.max() ** 2
        value = Design(orthonormal_blocks(rng, spectrum)).largest_eigenvalue(np.ones(size))
        assert exact <= value <= 1.05 * exact


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("centred", [False, True])
def test_large_random_sparse_designs(seed, centred):
    rng = np.random.default_rng(seed)
    shape = (1010 + 10 * seed, 1200)
    X = sparse.random_array(shape, density=0.02, rng=rng, format="csr")
    if seed % 2:
        X.data[:] = rng.standard_normal(X.data.size)
    means = np.asarray(X.mean(axis=0)).ravel() if centred else None
    dense = X.toarray() if means is None else X.toarray() - means
    weights = rng.uniform(0.2, 3.0, shape[0])
    scaled = np.sqrt(weights)[:, None] * dense
    exact = np.linalg.eigvalsh(scaled @ scaled.T)[-1]
    assert exact <= Design(X, means).largest_eigenvalue(weights) <= 1.05 * exact


def test_a_large_dense_design():
    X = np.random.default_rng(0).standard_normal((1050, 1100))
    exact = np.linalg.eigvalsh(X @ X.T)[-1]
    assert exact <= Design(X).largest_eigenvalue(np.ones(1050)) <= 1.05 * exact


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
def test_clustered_spectra(seed, storage):
    """Several singular values near the top, of which a few Lanczos steps may see only one."""
    rng = np.random.default_rng(seed)
    N, n = rng.integers(20, 300, 2)
    rank, k = min(N, n), rng.integers(1, 6)
    tops = 1.0 + rng.random(k) * rng.choice([1e-3, 0.05, 0.3])
    spectrum = np.concatenate([tops, rng.random(rank - k)])
    left = np.linalg.qr(rng.standard_normal((N, rank)))[0]
    right = np.linalg.qr(rng.standard_normal((n, rank)))[0]
    exact = spectrum.max() ** 2
    value = Design(storage((left * spectrum) @ right.T)).largest_eigenvalue(np.ones(N))
    assert exact <= value <= 1.05 * exact
