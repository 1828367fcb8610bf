"""Generators against what the paper states and what probability theory says; readers of files."""

import sys
from dataclasses import FrozenInstanceError
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
from scipy import io, sparse, stats

from lab.data import datasets
from lab.data.datasets import (
    BUNDLED,
    DATA_FOLDER_VARIABLE,
    MAT_FILES,
    BundledSpec,
    CorrelatedSpec,
    ELassoSpec,
    ESVMSpec,
    MatSpec,
    OpenMLSpec,
    TwinsSpec,
    data_folder,
    load,
    read_mat,
)
from lab.data.paper_numbers import row_of

SMALL = [
    ELassoSpec(n_samples=30, n_features=60, n_groups=6),
    ELassoSpec.overlapped(n_samples=30, n_features=60, n_groups=6, extras=9),
    ESVMSpec(n_features=60, n_groups=10),
    CorrelatedSpec(n_samples=30, n_features=40, n_groups=4),
    TwinsSpec(),
    BundledSpec("iris"),
]


# -- specs and the cache ---------------------------------------------------------------------


@pytest.mark.parametrize("spec", SMALL, ids=repr)
def test_a_spec_always_gives_the_same_data(spec):
    first = load(spec)
    assert load(spec) is first
    datasets._cached.cache_clear()
    second = load(spec)
    assert second is not first
    assert np.array_equal(first.X, second.X)
    assert np.array_equal(first.y, second.y)
    assert first.groups == second.groups


@pytest.mark.parametrize("spec", SMALL, ids=repr)
def test_specs_are_frozen_and_data_read_only(spec):
    field = next(iter(spec.__dataclass_fields__))
    with pytest.raises(FrozenInstanceError):
        setattr(spec, field, 1)
    data = load(spec)
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        data.y[0] = 1.0


def test_seeds_differ():
    one, two = (load(ELassoSpec(n_samples=5, n_features=40, n_groups=4, seed=k)) for k in (0, 1))
    assert not np.array_equal(one.X, two.X)
    assert not np.array_equal(one.true_weights, two.true_weights)


# -- E-LASSO ---------------------------------------------------------------------------------


def test_e_lasso_is_the_papers():
    data = load(ELassoSpec())
    assert data.X.shape == (400, 4000)
    assert data.groups.n_groups == 100
    assert (data.groups.sizes == 40).all()
    assert not data.groups.overlapping
    w = data.true_weights
    assert (data.groups.sum((w != 0).astype(float)) == 4).all()
    assert data.paper_lam == pytest.approx(0.4 / np.abs(w).sum())
    assert data.lam == 2 * data.paper_lam
    noise = (data.y - data.X @ w) / 0.01
    # 400 normal numbers: five standard errors.
    assert abs(noise.mean()) < 5 / 20
    assert abs(noise.std() - 1) < 5 / np.sqrt(800)
    assert stats.kstest(w[w != 0], "norm").pvalue > 1e-4
    assert stats.kstest(data.X[:, :50].ravel(), "norm").pvalue > 1e-4


def test_overlapped_e_lasso_is_a_partition_and_extras():
    data = load(ELassoSpec.overlapped())
    plain = load(ELassoSpec())
    groups = data.groups
    assert groups.n_groups == 100
    assert (groups.sizes == 140).all()
    assert groups.overlapping
    blocks = plain.groups.lists()
    assert all(
        set(block) <= set(group) for block, group in zip(blocks, groups.lists(), strict=True)
    )
    # Everything else is drawn in the same manner.
    assert np.array_equal(data.X, plain.X)
    assert np.array_equal(data.true_weights, plain.true_weights)
    # Each feature is an extra in each of 99 groups with chance 100/3960.
    extras = groups.overlap_counts - 1
    assert extras.mean() == pytest.approx(99 * 100 / 3960)
    assert extras.var() == pytest.approx(99 * (100 / 3960) * (1 - 100 / 3960), rel=0.15)


# -- E-SVM -----------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [112, 315, 504])
def test_e_svm_is_the_papers(m):
    data = load(ESVMSpec(n_groups=m))
    for part in (data, data.test):
        assert part.X.shape == (m, 5040)
        assert np.sum(part.y == 1) == (m + 1) // 2
        assert np.sum(part.y == -1) == m // 2
    assert (data.groups.sizes == 5040 // m).all()
    assert (data.groups.sum((data.true_weights != 0).astype(float)) == 1).all()
    assert not data.groups.is_contiguous
    assert not np.array_equal(data.X, data.test.X)


def test_odd_numbers_of_samples_split_158_157():
    y = load(ESVMSpec(n_groups=315)).y
    assert (np.sum(y > 0), np.sum(y < 0)) == (158, 157)


@pytest.mark.parametrize("error", [0.05, 0.1, 0.25])
@pytest.mark.parametrize("shared", [False, True])
def test_the_true_classifier_errs_as_often_as_asked(error, shared):
    spec = ESVMSpec(
        n_features=40, n_groups=8, n_samples=20_000, bayes_error=error, shared_noise=shared, seed=3
    )
    data = load(spec)
    for part in (data, data.test):
        wrong = np.mean(part.y * (part.X @ data.true_weights) <= 0)
        # Shared noise halves the independent draws.
        assert abs(wrong - error) < 5 * np.sqrt(2 * error * (1 - error) / 20_000)
    mean = (data.X * data.y[:, None]).mean(0)
    distance = stats.norm.isf(error) / np.linalg.norm(data.true_weights)
    assert mean == pytest.approx(distance * data.true_weights, abs=6 / np.sqrt(20_000))


def test_shared_noise_makes_pairs_that_differ_by_the_truth_alone():
    data = load(ESVMSpec(n_features=60, n_groups=11, shared_noise=True))
    positive, negative = data.X[data.y > 0], data.X[data.y < 0]
    assert (len(positive), len(negative)) == (6, 5)
    difference = positive[:5] - negative
    assert difference == pytest.approx(np.tile(difference[0], (5, 1)))
    w = data.true_weights
    assert difference[0] / np.linalg.norm(difference[0]) == pytest.approx(w / np.linalg.norm(w))
    apart = load(ESVMSpec(n_features=60, n_groups=11))
    pairs = apart.X[apart.y > 0][:5] - apart.X[apart.y < 0]
    assert np.abs(pairs - pairs[0]).max() > 0.5


def test_groups_need_not_divide_the_features():
    data = load(ESVMSpec(n_features=50, n_groups=8))
    assert sorted(set(data.groups.sizes.tolist())) == [6, 7]
    assert (data.groups.sum((data.true_weights != 0).astype(float)) == 1).all()
    overlapped = load(ESVMSpec(n_features=50, n_groups=8, extras=5))
    assert sorted(set(overlapped.groups.sizes.tolist())) == [11, 12]


# -- designs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "rho"), [("ar1", 0.8), ("ar1", -0.5), ("equal", 0.4), ("equal", -0.1), ("block", 0.6)]
)
def test_correlated_designs_have_the_stated_correlations(kind, rho):
    spec = CorrelatedSpec(
        n_samples=40_000, n_features=10, n_groups=2, correlation=kind, rho=rho, block_size=4
    )
    found = np.corrcoef(load(spec).X.T)
    i, j = np.indices((10, 10))
    if kind == "ar1":
        expected = np.sign(rho) ** np.abs(i - j) * np.abs(rho) ** np.abs(i - j)
    else:
        together = (i // 4 == j // 4) if kind == "block" else np.ones((10, 10), bool)
        expected = np.where(i == j, 1.0, np.where(together, rho, 0.0))
    assert found == pytest.approx(expected, abs=6 / np.sqrt(40_000))
    assert load(spec).X.std(0) == pytest.approx(np.ones(10), abs=0.03)


def test_signal_to_noise_and_tasks():
    spec = CorrelatedSpec(n_samples=20_000, n_features=8, n_groups=2, snr=4.0, nonzeros_per_group=2)
    data = load(spec)
    signal = data.X @ data.true_weights
    assert np.var(data.y - signal) == pytest.approx(np.var(signal) / 4, rel=0.05)
    signs = load(CorrelatedSpec(task="classification"))
    assert set(np.unique(signs.y)) == {-1.0, 1.0}
    assert np.array_equal(signs.signs, signs.y)
    with pytest.raises(ValueError, match="two classes"):
        _ = data.signs


def test_groupings_of_correlated_designs():
    contiguous, interleaved, shuffled = (
        load(CorrelatedSpec(n_features=12, n_groups=3, grouping=kind)).groups
        for kind in ("contiguous", "interleaved", "random")
    )
    assert contiguous.labels.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert interleaved.labels.tolist() == [0, 1, 2] * 4
    assert sorted(shuffled.labels.tolist()) == contiguous.labels.tolist()
    assert shuffled not in (contiguous, interleaved)


def test_twins_are_alike_and_apart():
    spec = TwinsSpec(n_samples=20_000, correlation=0.9, busy_load=3, quiet_load=1, group_size=6)
    data = load(spec)
    busy, quiet = spec.twins
    assert data.groups.labels[busy] != data.groups.labels[quiet]
    correlations = np.corrcoef(data.X.T)
    assert correlations[busy, quiet] == pytest.approx(0.9, abs=0.01)
    others = correlations - np.eye(data.n_features)
    others[busy, quiet] = others[quiet, busy] = 0.0
    assert np.abs(others).max() < 0.04
    assert data.X[:, quiet].std() == pytest.approx(1.0, abs=0.03)
    in_group = data.groups.sum((data.true_weights != 0).astype(float))
    assert in_group.tolist() == [4, 2, 0, 0]
    assert (data.names[busy], data.names[quiet]) == ("busy twin", "quiet twin")
    assert len(set(data.names)) == data.n_features


# -- real data -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("breast_cancer", (569, 30), 2),
        ("digits", (1797, 64), 10),
        ("wine", (178, 13), 3),
        ("iris", (150, 4), 3),
    ],
)
def test_bundled_sets(name, shape, classes):
    data = load(BundledSpec(name))
    assert data.X.shape == shape
    assert len(data.names) == shape[1]
    assert len(data.class_names) == np.unique(data.y).size == classes
    assert data.groups is None
    assert data.task == "classification"
    assert set(BUNDLED) == {"breast_cancer", "digits", "wine", "iris", "diabetes"}


def test_the_bundled_regression():
    data = load(BundledSpec("diabetes"))
    assert data.X.shape == (442, 10)
    assert (data.task, data.class_names, data.groups) == ("regression", None, None)
    assert data.y.dtype == float and np.unique(data.y).size > 200
    assert data.names[:3] == ("age", "sex", "bmi")
    assert "442 × 10, from scikit-learn" in data.description


@pytest.fixture(autouse=True)
def sizes_not_asked(monkeypatch):
    """These tests are of what comes after OpenML was asked for the size, and ask nobody."""
    monkeypatch.setattr("lab.data.openml.announced_size", lambda *_: None)


def test_openml_offline_says_so(monkeypatch):
    def unreachable(*args, **kwargs):
        raise URLError("no route to host")

    # scikit-learn's own download code runs; only the network is missing.
    from sklearn.datasets import fetch_openml

    monkeypatch.setattr(sys.modules[fetch_openml.__module__], "urlopen", unreachable)
    with pytest.raises(ConnectionError, match=r"OpenML could not be reached for 'nothing-there'"):
        load(OpenMLSpec("nothing-there"))


def test_openml_keeps_numbers_and_says_what_it_left_out(monkeypatch):
    frame = pd.DataFrame({"a": [1.0, 2.0, np.nan, 4.0], "b": [1, 2, 3, 4], "c": list("wxyz")})
    target = pd.Series(["no", "yes", "yes", "no"], dtype="category")
    asked = {}

    def fetch(name, **options):
        asked.update(options, name=name)
        return type("Bunch", (), {"data": frame, "target": target})

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    datasets._cached.cache_clear()
    data = load(OpenMLSpec("made-up", version=3))
    assert (asked["name"], asked["version"]) == ("made-up", 3)
    assert data.X.tolist() == [[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]
    assert data.y.tolist() == ["no", "yes", "no"]
    assert data.signs.tolist() == [-1.0, 1.0, -1.0]
    assert data.names == ("a", "b")
    assert "1 columns that are not numeric left out" in data.description
    assert "1 incomplete samples left out" in data.description
    target = pd.Series(np.arange(40) / 3.0)
    frame = pd.DataFrame({"a": np.arange(40.0)})
    assert load(OpenMLSpec("quantities")).task == "regression"


def faked_openml(monkeypatch, **content):
    """fetch_openml as scikit-learn's documentation describes it, without the network."""

    def fetch(name, *, as_frame, **options):
        if sparse.issparse(content["data"]) and as_frame is True:
            raise ValueError("Sparse ARFF datasets cannot be loaded with as_frame=True.")
        return type("Bunch", (), content)

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    datasets._cached.cache_clear()


def test_sparse_openml_sets_stay_sparse(monkeypatch):
    X = sparse.csr_matrix([[0.0, 2.0, 0.0], [np.nan, 0.0, 1.0], [0.0, 0.0, 0.0], [5.0, 0.0, 6.0]])
    labels = np.array(["no", "yes", "yes", "no"], dtype=object)
    faked_openml(monkeypatch, data=X, target=labels, feature_names=["a", "b", "c"])
    data = load(OpenMLSpec("sparse"))
    assert isinstance(data.X, sparse.csr_array)
    assert data.X.toarray().tolist() == [[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [5.0, 0.0, 6.0]]
    assert data.y.tolist() == ["no", "yes", "no"]
    assert (data.task, data.class_names) == ("classification", ("no", "yes"))
    assert data.names == ("a", "b", "c")
    assert data.description == "sparse, 3 × 3, from OpenML, 1 incomplete samples left out"

    X = sparse.csr_matrix(np.eye(40))
    faked_openml(
        monkeypatch, data=X, target=np.arange(40) / 3.0, feature_names=[f"f{k}" for k in range(40)]
    )
    data = load(OpenMLSpec("sparse"))
    assert (data.task, data.X.shape, data.y[3]) == ("regression", (40, 40), 1.0)


@pytest.mark.parametrize("storage", ["frame", "sparse"])
def test_openml_sets_without_a_complete_sample_are_named(monkeypatch, storage):
    values = np.array([[1.0, np.nan], [np.nan, 2.0]])
    if storage == "frame":
        data, target = pd.DataFrame(values, columns=["a", "b"]), pd.Series(["x", "y"])
    else:
        data, target = sparse.csr_matrix(values), np.array(["x", "y"], dtype=object)
    faked_openml(monkeypatch, data=data, target=target, feature_names=["a", "b"])
    sentence = (
        r"^'gaps' has no sample without missing values \(2 samples, 2 numeric columns\); .*\.$"
    )
    with pytest.raises(ValueError, match=sentence):
        load(OpenMLSpec("gaps"))


def test_openml_sets_with_many_targets_or_none_are_named(monkeypatch):
    frame = pd.DataFrame({"a": [1.0, 2.0]})
    faked_openml(monkeypatch, data=frame, target=pd.DataFrame({"y": [1, 2], "z": [3, 4]}))
    with pytest.raises(ValueError, match="'several' has 2 target columns on OpenML"):
        load(OpenMLSpec("several"))
    faked_openml(monkeypatch, data=frame, target=None)
    with pytest.raises(ValueError, match="'none' has no target column"):
        load(OpenMLSpec("none"))


def test_mat_files_are_read_from_the_chosen_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    assert data_folder() == tmp_path
    with pytest.raises(FileNotFoundError, match=r"Isolet.mat is not in .* set EXCLUSIVE_SPARSITY"):
        load(MatSpec("isolet"))
    letters = np.arange(1, 27, dtype=np.uint8)[:, None]
    io.savemat(tmp_path / "Isolet.mat", {"X": np.eye(26, dtype=np.uint8), "Y": letters})
    data = load(MatSpec("isolet"))
    assert data.X.dtype == float
    assert data.y.tolist() == [-1.0] * 13 + [1.0] * 13
    assert np.unique(load(MatSpec("isolet", all_classes=True)).y).size == 26
    other = tmp_path / "other"
    other.mkdir()
    io.savemat(other / "Isolet.mat", {"X": np.ones((26, 2)), "Y": letters})
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(other))
    assert load(MatSpec("isolet")).X.shape == (26, 2)
    monkeypatch.delenv(DATA_FOLDER_VARIABLE)
    assert data_folder().parts[-2:] == ("shared", "data")


def test_mat_reader_takes_both_spellings_and_keeps_sparse(tmp_path):
    X = sparse.random_array((5, 4), density=0.5, format="csc", rng=np.random.default_rng(0))
    io.savemat(tmp_path / "a.mat", {"fea": sparse.csc_matrix(X), "gnd": [[4], [4], [22], [4], [4]]})
    read, labels = read_mat(tmp_path / "a.mat")
    assert isinstance(read, sparse.csr_array)
    assert np.array_equal(read.toarray(), X.toarray())
    assert labels.tolist() == [4, 4, 22, 4, 4]
    io.savemat(tmp_path / "b.mat", {"data": np.eye(2)})
    with pytest.raises(ValueError, match="must hold X and Y, or fea and gnd; it holds data"):
        read_mat(tmp_path / "b.mat")
    io.savemat(tmp_path / "c.mat", {"X": np.eye(2), "Y": [[1], [2], [3]]})
    with pytest.raises(ValueError, match="2 samples but 3 labels"):
        read_mat(tmp_path / "c.mat")


@pytest.mark.skipif(
    not all((data_folder() / file.path).is_file() for file in MAT_FILES.values()),
    reason="the real data sets are not on this machine",
)
@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("isolet", (1560, 617), {-1: 780, 1: 780}),
        ("pcmac", (1943, 3289), {-1: 982, 1: 961}),
        ("allaml", (72, 7129), {-1: 47, 1: 25}),
        ("prostate_ge", (102, 5966), {-1: 50, 1: 52}),
        ("leu", (72, 3571), {-1: 47, 1: 25}),
        ("mnist_138", (3119, 784), {1: 1135, 3: 1010, 8: 974}),
        ("tdt2", (885, 36771), {-1: 811, 1: 74}),
    ],
)
def test_real_sets_have_their_published_sizes(name, shape, classes):
    data = load(MatSpec(name))
    assert data.X.shape == shape
    assert dict(zip(*np.unique(data.y, return_counts=True), strict=True)) == classes
    assert sorted(row_of(name).classes) == sorted(classes.values())
    assert sparse.issparse(data.X) == (name == "tdt2")
    values = data.X.data if sparse.issparse(data.X) else data.X
    assert np.isfinite(values).all()


# -- words when something is wrong -----------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (ELassoSpec(n_samples=0), "n_samples must be a whole number of at least 1"),
        (ELassoSpec(n_features=10, n_groups=5), "between 1 and 2 nonzeros"),
        (ELassoSpec(n_features=100, n_groups=5, extras=81), "extras must be between 0 and 80"),
        (ELassoSpec(nonzeros_per_group=1.5), "nonzeros_per_group must be a whole number of at le"),
        (ELassoSpec(extras=2.5), "extras must be a whole number of at least 0, got 2.5"),
        (ELassoSpec(extras=-1), "extras must be a whole number of at least 0, got -1"),
        (ELassoSpec(noise=-0.1), "noise must be a finite number of at least 0, got -0.1"),
        (ELassoSpec(n_samples=float("inf")), "n_samples must be a whole number of at least 1"),
        (ELassoSpec(seed=-1), "seed must be a whole number of at least 0, got -1"),
        (ESVMSpec(n_samples=20.5), "n_samples must be a whole number of at least 1, got 20.5"),
        (ESVMSpec(n_samples=-3), "n_samples must be a whole number of at least 1, got -3"),
        (ESVMSpec(n_samples=1), "two classes need at least 2 samples"),
        (ESVMSpec(extras=0.5), "extras must be a whole number of at least 0"),
        (CorrelatedSpec(nonzeros_per_group=0), "nonzeros_per_group must be a whole number of at"),
        (TwinsSpec(other_groups=-1), "other_groups must be a whole number of at least 0, got -1"),
        (TwinsSpec(noise=float("nan")), "noise must be a finite number of at least 0, got nan"),
        (TwinsSpec(quiet_load=0.5), "quiet_load must be a whole number of at least 0, got 0.5"),
        (ESVMSpec(bayes_error=0.5), "bayes_error must lie between 0 and ½"),
        (ESVMSpec(n_features=10, n_groups=1), "two classes need at least 2 samples"),
        (CorrelatedSpec(correlation="magic"), "no correlation 'magic'.*ar1, equal, block"),
        (CorrelatedSpec(rho=1.0), "rho must lie strictly between"),
        (CorrelatedSpec(correlation="equal", rho=-0.5), "can share a correlation of"),
        (CorrelatedSpec(grouping="magic"), "no grouping 'magic'"),
        (CorrelatedSpec(snr=0.0), "snr must be positive"),
        (TwinsSpec(correlation=1.0), "correlation must lie between"),
        (TwinsSpec(busy_load=12), "busy_load must leave room for the twin"),
        (BundledSpec("boston"), "no name 'boston'; choose one of: breast_cancer"),
        (MatSpec("colorectal"), "no name 'colorectal'; choose one of: isolet"),
    ],
)
def test_bad_specs_are_named(spec, sentence):
    with pytest.raises(ValueError, match=sentence):
        load(spec)


@pytest.mark.parametrize("kind", [ELassoSpec, ESVMSpec, CorrelatedSpec, TwinsSpec])
def test_a_seed_is_needed_because_a_spec_promises_the_same_data(kind):
    with pytest.raises(ValueError, match=r"^seed must be a number, not None, because .*\.$"):
        load(kind(seed=None))


def test_no_noise_and_counts_of_numpy_are_fine():
    spec = ELassoSpec(n_samples=np.int64(5), n_features=40, n_groups=4, noise=0.0)
    data = load(spec)
    assert data.y == pytest.approx(data.X @ data.true_weights)
