"""What is on disk stays there: Zarr, Parquet through Dask, memory-mapped .npy; block by block."""

from __future__ import annotations

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from solvers import Groups, solve_lasso
from solvers.large.reading import from_npy, read

SHAPE = (60, 40)
NAMES = [f"x{i}" for i in range(SHAPE[1])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(0)
    X = rng.standard_normal(SHAPE)
    y = X[:, 0] - X[:, 20] + 3.0
    np.save(folder / "y.npy", y)
    np.save(folder / "rows.npy", X)
    np.save(folder / "columns.npy", np.asfortranarray(X))
    da.from_array(X, chunks=(25, 40)).to_zarr(str(folder / "rows.zarr"))
    da.from_array(X, chunks=(60, 7)).to_zarr(str(folder / "columns.zarr"))
    frame = pd.DataFrame(X, columns=NAMES).assign(y=y)
    frame.to_parquet(folder / "one.parquet", row_group_size=20)
    dd.from_pandas(frame, npartitions=3).to_parquet(folder / "parts.parquet")
    frame.assign(x0=frame["x0"] > 0.0, x1=np.arange(SHAPE[0])).to_parquet(folder / "mixed.parquet")
    return folder


FILES = {
    "rows.npy": (1, 1),
    "columns.npy": (1, 1),
    "rows.zarr": (3, 1),
    "columns.zarr": (1, 6),
    "one.parquet": (1, 1),
    "parts.parquet": (2, 1),  # Dask reads small files together
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_on_disk_is_solved_as_in_memory(folder, name):
    target = "y" if name.endswith("parquet") else str(folder / "y.npy")
    there = read(folder / name, target, with_dask=True)
    here = read(folder / name, target, with_dask=False)
    assert isinstance(there.X, da.Array) and there.X.numblocks == FILES[name]
    assert isinstance(here.X, np.ndarray) and there.names == here.names == tuple(NAMES)
    np.testing.assert_array_equal(here.X, np.load(folder / "rows.npy"))
    np.testing.assert_array_equal(here.y, np.load(folder / "y.npy"))
    options = dict(tol=1e-10, fit_intercept=True)
    groups = Groups.contiguous(SHAPE[1], 4)
    far, near = (solve_lasso(each.X, each.y, groups, 1.0, **options) for each in (there, here))
    assert far.converged and far.n_passes >= 1.0
    np.testing.assert_allclose(far.w, near.w, atol=1e-8)
    np.testing.assert_allclose(far.objective, near.objective, rtol=1e-8)


@pytest.mark.parametrize(("name", "blocks"), [("rows.npy", (9, 1)), ("columns.npy", (1, 14))])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
def test_every_block_of_a_npy_file_maps_its_own_part(folder, tmp_path, name, blocks, dtype):
    X = (10.0 * np.load(folder / name)).astype(dtype)
    np.save(tmp_path / "X.npy", X)
    line = X.itemsize * (SHAPE[1] if X.flags.c_contiguous else SHAPE[0])
    step = 7 if X.flags.c_contiguous else 3
    array = from_npy(tmp_path / "X.npy", block_bytes=step * line)
    assert array.numblocks == blocks and array.dtype == dtype
    np.testing.assert_array_equal(array.compute(), X)


def test_columns_of_several_kinds_are_numbers(folder):
    there, here = (read(folder / "mixed.parquet", "y", with_dask=each).X for each in (True, False))
    assert there.dtype == here.dtype == float
    np.testing.assert_array_equal(there.compute(), here)


def test_a_file_that_holds_no_matrix_is_one_sentence(folder):
    with pytest.raises(ValueError, match="must hold a matrix, and holds 1 dimensions"):
        from_npy(folder / "y.npy")
