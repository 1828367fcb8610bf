"""The command line: one file in, one model file out, in memory and in passes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from solvers import Groups, load_model, solve_lasso, solve_svm
from solvers.fit import main

NAMES = [f"f{i}" for i in range(30)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fit")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 30))
    y = X[:, 0] - X[:, 20] + 3.0
    frame = pd.DataFrame(X, columns=NAMES).assign(y=y)
    frame.to_parquet(folder / "data.parquet")
    frame.to_csv(folder / "data.csv", index=False)
    frame.assign(y=np.where(y > 3.0, "high", "low")).to_parquet(folder / "classes.parquet")
    np.save(folder / "X.npy", X)
    np.save(folder / "F.npy", np.asfortranarray(X))
    np.save(folder / "y.npy", y)
    lines = ["feature,group", *(f"{name},g{i // 10}" for i, name in enumerate(NAMES))]
    (folder / "groups.csv").write_text("\n".join(lines) + "\n")
    return folder


def fit(folder, data, *more, target="y", groups=True, expect=0):
    output = folder / "model.json"
    output.unlink(missing_ok=True)
    given = ["--groups", str(folder / "groups.csv")] if groups else []
    code = main([str(folder / data), "--target", target, *given, "--output", str(output), *more])
    assert code == expect
    return load_model(output) if expect < 2 else None


@pytest.mark.parametrize("more", [(), ("--dask",)], ids=["memory", "passes"])
@pytest.mark.parametrize("data", ["data.parquet", "data.csv"])
def test_a_table_becomes_a_model(folder, data, more, capsys):
    model = fit(folder, data, "--lam", "1", "--tol", "1e-8", *more)
    frame = pd.read_parquet(folder / "data.parquet")
    X, y = frame[NAMES].to_numpy(), frame["y"].to_numpy()
    here = solve_lasso(X, y, Groups.contiguous(30, 3), 1.0, tol=1e-10, fit_intercept=True)
    np.testing.assert_allclose(model.predict(frame), X @ here.w + here.intercept, atol=1e-4)
    said = capsys.readouterr()
    assert "certified gap" in said.out and "gap" in said.err and "[###" in said.err
    assert ("passes over the data" in said.out) == bool(more)
    assert model.about["status"] == "converged" and model.about["gap"] <= 1e-8


@pytest.mark.parametrize("more", [(), ("--dask",)], ids=["memory", "passes"])
def test_classes_keep_their_names(folder, more):
    model = fit(folder, "classes.parquet", "--loss", "svm", "--alpha", "2", "--tol", "1e-6", *more)
    frame = pd.read_parquet(folder / "classes.parquet")
    X, y = frame[NAMES].to_numpy(), np.where(frame["y"] == "low", 1.0, -1.0)
    here = solve_svm(X, y, Groups.contiguous(30, 3), 2.0, 1.0, tol=1e-6, fit_intercept=True)
    told = np.where(X @ here.w + here.intercept > 0.0, "low", "high")
    assert model.classes == ("high", "low") and model.predict(frame).tolist() == told.tolist()


@pytest.mark.parametrize("data", ["X.npy", "F.npy"])
def test_a_matrix_is_read_block_by_block(folder, data):
    options = ("--n-groups", "3", "--seed", "1", "--tol", "1e-8", "--quiet")
    target = str(folder / "y.npy")
    here = fit(folder, data, *options, target=target, groups=False)
    there = fit(folder, data, *options, "--dask", target=target, groups=False)
    X = pd.DataFrame(np.load(folder / "X.npy"), columns=[f"x{i}" for i in range(30)])
    np.testing.assert_allclose(there.predict(X), here.predict(X), atol=1e-3)


def test_a_stop_before_the_tolerance_is_told_by_the_exit_code(folder, capsys):
    fit(folder, "data.parquet", "--max-seconds", "0", "--tol", "1e-12", expect=1)
    assert "time budget" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "more", "words"),
    [
        ("none.parquet", (), "there is no file"),
        ("groups.csv", (), "has no column 'y'"),
        ("classes.parquet", ("--target", "f1"), "numbers only"),
        ("data.parquet", ("--groups", "none.csv"), "cannot be read"),
        ("data.parquet", ("--lam", "-1"), "lam must be a positive"),
        ("data.parquet", ("--loss", "svm"), "two classes, and has 40"),
        ("X.npy", (), "there is no y"),
    ],
)
def test_bad_input_gets_one_sentence(folder, data, more, words, capsys):
    fit(folder, data, *more, expect=2)
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1 and "Traceback" not in said


def test_a_cluster_that_is_not_there_is_one_sentence(folder, monkeypatch, capsys):
    import distributed

    def refuse(address, timeout):
        raise OSError("Timed out trying to connect")

    monkeypatch.setattr(distributed, "Client", refuse)
    fit(folder, "data.parquet", "--dask", "tcp://127.0.0.1:1", expect=2)
    assert "there is no Dask cluster at tcp://127.0.0.1:1" in capsys.readouterr().err
