"""Products with a Dask array, against the same with an array in memory; and how many passes."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from dask.sizeof import sizeof
from scipy import sparse

from solvers.design import design_of
from solvers.large.arrays import is_dask
from solvers.large.passes import Sums, added
from solvers.second_order.columns import Columns

SHAPE = (17, 40)
CHUNKS = [(5, 40), (17, 7), (4, 9)]


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    return 2.0 + rng.standard_normal(SHAPE) * (rng.random(SHAPE) < 0.4)


@pytest.fixture(scope="module")
def weight():
    return np.random.default_rng(1).uniform(0.5, 2.0, SHAPE[0])


def chunked(X, chunks, as_sparse=False, dtype=float):
    array = da.from_array(X.astype(dtype), chunks=chunks)
    return array.map_blocks(sparse.csr_array) if as_sparse else array


def exact(matrix, weight) -> float:
    return np.linalg.norm(np.sqrt(weight)[:, None] * matrix, 2) ** 2


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_products_are_those_of_the_matrix(X, weight, chunks, centred, as_sparse):
    rng = np.random.default_rng(2)
    design = design_of(chunked(X, chunks, as_sparse), weight if centred else None)
    matrix = X - weight @ X / weight.sum() if centred else X
    theta, w = rng.standard_normal(SHAPE[0]), rng.standard_normal(SHAPE[1])
    few = np.where(np.arange(SHAPE[1]) % 11 == 0, w, 0.0)
    features = np.array([39, 3, 8, 4])
    np.testing.assert_allclose(design.matvec(few), matrix @ few, atol=1e-12)
    np.testing.assert_allclose(design.rmatvec(theta), theta @ matrix, atol=1e-12)
    np.testing.assert_allclose(design.matvec(w), matrix @ w, atol=1e-12)
    np.testing.assert_allclose(design.columns(features), matrix[:, features], atol=1e-12)
    np.testing.assert_allclose(design.column_squares(weight), weight @ matrix**2, rtol=1e-10)
    assert exact(matrix, weight) <= design.largest_eigenvalue(weight) <= weight @ (matrix**2).sum(1)


@pytest.mark.parametrize("dtype", [np.float32, np.int16, bool])
def test_other_kinds_of_numbers_count_as_doubles(X, dtype):
    design = design_of(chunked(X, (5, 40), dtype=dtype))
    w = np.random.default_rng(3).standard_normal(SHAPE[1])
    np.testing.assert_allclose(
        design.matvec(w), X.astype(dtype).astype(float) @ w, rtol=1e-13, atol=1e-13
    )


def test_every_product_is_one_pass_and_the_first_one_finds_the_means(X, weight):
    design = design_of(chunked(X, (5, 40)), weight)
    assert design.passes == 0.0
    theta = np.random.default_rng(4).standard_normal(SHAPE[0])
    design.rmatvec(theta)
    assert design.means is not None and design.passes == 1.0
    design.matvec(np.ones(SHAPE[1]))
    assert design.passes == 2.0
    design.columns(np.array([1, 2]))
    assert design.passes == 3.0


def test_the_largest_eigenvalue_is_bounded_in_one_pass(X, weight):
    whole = design_of(chunked(X, SHAPE), weight)
    centred = X - weight @ X / weight.sum()
    whole.rmatvec(np.ones(SHAPE[0]))
    assert whole.largest_eigenvalue(weight) == pytest.approx(exact(centred, weight), rel=1e-8)
    assert whole.passes == 2.0
    # Blocks of many more rows than columns are nearly alike, and so is what they amount to.
    rng = np.random.default_rng(8)
    tall = rng.standard_normal((2000, 3))
    ones = np.ones(2000)
    design = design_of(da.from_array(tall, chunks=(400, 3)))
    bound, largest = design.largest_eigenvalue(ones), exact(tall, ones)
    assert design.passes == 1.0
    assert largest <= bound <= 1.1 * largest
    assert design_of(da.zeros((9, 4), chunks=3)).largest_eigenvalue(np.ones(9)) == 0.0


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_products_of_columns_are_those_of_the_matrix(X, weight, chunks, centred, as_sparse):
    design = design_of(chunked(X, chunks, as_sparse), weight if centred else None)
    design.rmatvec(np.ones(SHAPE[0]))
    before = design.passes
    matrix = X - weight @ X / weight.sum() if centred else X
    features = np.array([3, 4, 20, 39])
    columns = np.column_stack([matrix[:, features], np.ones(SHAPE[0])])
    curvature = np.random.default_rng(9).random(SHAPE[0])
    found = design.gram(features, curvature)
    np.testing.assert_allclose(found, columns.T @ (curvature[:, None] * columns), atol=1e-12)
    assert design.passes <= before + 1.0


def test_where_few_blocks_are_read_the_pass_is_a_part_of_one(X):
    design = design_of(chunked(X, (17, 10)))
    design.rmatvec(np.ones(SHAPE[0]))
    design.columns(np.array([12, 15]))
    assert design.passes == 1.25
    design.matvec(np.eye(SHAPE[1])[39])
    assert design.passes == 1.5


def test_combinations_of_known_products_take_no_pass(X):
    design = design_of(chunked(X, (5, 40)))
    a, b = np.random.default_rng(5).standard_normal((2, SHAPE[0]))
    design.rmatvec(a), design.rmatvec(b)
    np.testing.assert_allclose(design.rmatvec(3.0 * a - 0.25 * b), (3.0 * a - 0.25 * b) @ X)
    np.testing.assert_array_equal(design.rmatvec(np.zeros(SHAPE[0])), 0.0)
    assert design.passes == 2.0
    c = a.copy()
    c[0] += 1e-6
    np.testing.assert_allclose(design.rmatvec(c), c @ X, rtol=1e-13)
    assert design.passes == 3.0


def test_combinations_of_combinations_are_made_afresh_in_time(X):
    design = design_of(chunked(X, (5, 40)))
    rng = np.random.default_rng(6)
    theta, step = rng.standard_normal((2, SHAPE[0]))
    design.rmatvec(theta), design.rmatvec(step)
    for _ in range(60):
        theta = theta + 0.1 * step
        design.rmatvec(theta)
    assert 2.0 < design.passes <= 6.0


def test_products_with_gathered_columns_take_no_pass(X, weight):
    design = design_of(chunked(X, (5, 40)), weight)
    columns = Columns(design)
    columns.add(np.array([3, 7, 11]))
    before = design.passes
    w = np.zeros(SHAPE[1])
    w[[3, 11]] = 1.0, -2.0
    centred = X - weight @ X / weight.sum()
    np.testing.assert_allclose(design.matvec(w), centred @ w, atol=1e-12)
    np.testing.assert_allclose(design.columns(np.array([7])), centred[:, [7]], atol=1e-12)
    assert design.passes == before
    del columns
    np.testing.assert_allclose(design.matvec(w), centred @ w, atol=1e-12)
    assert design.passes == before + 1.0


def test_adding_up_leaves_the_parts_as_they_were():
    parts = [Sums({0: np.ones(2)}, {}, {}), Sums({0: np.ones(2), 1: np.ones(3)}, {}, {})]
    total = added(parts)
    assert total.left[0].tolist() == [2.0, 2.0] and total.left[1].tolist() == [1.0, 1.0, 1.0]
    assert parts[0].left[0].tolist() == [1.0, 1.0] and set(parts[0].left) == {0}
    assert sizeof(total) >= total.left[0].nbytes + total.left[1].nbytes


def test_what_is_in_memory_is_no_dask_array(X):
    assert not any(map(is_dask, (X, X.tolist(), sparse.csr_array(X), None)))
    assert is_dask(chunked(X, (5, 40)))
