"""Mixtures of spectra: every candidate a group of shifted copies, some of them in the mixture."""

import numpy as np
import pytest
from scipy import sparse

from lab.data.datasets import DATA_FOLDER_VARIABLE, data_folder, load
from lab.data.mixtures import LIBRARY, MixtureSpec, shifted

AT_HAND = (data_folder() / LIBRARY).is_file()


def made_library(folder, n_spectra=8, n_points=300, seed=0):
    """Two peaks a spectrum, written as the real library is."""
    rng = np.random.default_rng(seed)
    points = np.arange(n_points)[:, None]
    centres = rng.uniform(20, n_points - 20, (2, n_spectra))
    heights = sum(np.exp(-0.5 * ((points - centre) / 1.5) ** 2) for centre in centres)
    heights[heights < 1e-3] = 0.0
    spectra = sparse.csc_array(40.0 * heights)
    np.savez(
        folder / LIBRARY,
        data=spectra.data.astype("float32"),
        indices=spectra.indices,
        indptr=spectra.indptr,
        shape=np.array(spectra.shape),
        names=np.array([f"m{i}" for i in range(n_spectra)]),
    )
    return heights / np.linalg.norm(heights, axis=0)


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    return made_library(tmp_path)


def test_a_mixture_is_its_weights_times_its_copies_plus_noise(library):
    spec = MixtureSpec(candidates=5, present=3, noise=0.0, copies=5, step=2, seed=4)
    data = load(spec)
    assert data.X.shape == (300, 25) and data.groups.sizes.tolist() == [5] * 5
    assert np.allclose(data.X @ data.true_weights, data.y)
    assert np.array_equal(data.y, data.test.y)
    there = data.true_weights.reshape(5, 5) > 0
    assert there.sum() == 3 and there.any(axis=1).sum() == 3  # one copy each
    # By hand: the copies of the first candidate are that column moved by −4 to 4 points.
    own = library[:, int(data.group_names[0][1:])]
    for place, by in enumerate((-4, -2, 0, 2, 4)):
        assert np.allclose(data.X[:, [place]].toarray()[:, 0], np.roll(own, by), atol=1e-6)
    assert data.names[0] == f"{data.group_names[0]}, -4 points"
    noisy = load(MixtureSpec(candidates=5, present=3, noise=0.5, copies=5, step=2, seed=4))
    assert np.std(noisy.y - noisy.test.y) == pytest.approx(0.5, rel=0.15)
    assert np.array_equal(noisy.true_weights, data.true_weights)


def test_a_shift_between_copies_counts_for_the_nearest(library):
    settings = dict(candidates=6, present=6, noise=0.0, copies=3, step=5, seed=1)
    on, between = load(MixtureSpec(**settings)), load(MixtureSpec(**settings, between=True))
    assert np.array_equal(on.true_weights, between.true_weights)
    assert np.linalg.norm(on.y - between.y) > 0.1 * np.linalg.norm(on.y)


def test_what_leaves_the_range_is_lost_and_does_not_come_back_at_the_other_end():
    column = sparse.csc_array(np.array([[1.0], [0.0], [2.0]]))
    assert shifted(column, 1).toarray()[:, 0].tolist() == [0.0, 1.0, 0.0]
    assert shifted(column, -2).toarray()[:, 0].tolist() == [2.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (dict(candidates=9, present=2), "of the 8 spectra 9 cannot be candidates and 2"),
        (dict(candidates=2, present=3), "of the 8 spectra 2 cannot be candidates and 3"),
        (dict(candidates=2, present=2, copies=4), "copies must be odd"),
        (dict(candidates=0, present=0), "candidates must be a whole number of at least 1"),
        (dict(candidates=2, present=1, noise=-1.0), "noise must be a finite number"),
    ],
)
def test_an_impossible_mixture_is_refused_in_one_sentence(library, settings, told):
    with pytest.raises(ValueError, match=told):
        load(MixtureSpec(**settings))


def test_a_missing_library_says_where_it_belongs(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=rf"{LIBRARY} is not in .*; put it there"):
        load(MixtureSpec())


@pytest.mark.skipif(not AT_HAND, reason="the library is not on this machine")
def test_the_real_library_is_read():
    data = load(MixtureSpec(candidates=3, present=2, seed=7))
    assert data.X.shape == (31_087, 33) and "2 of 3 candidates" in data.description
    assert np.allclose(np.sqrt(data.X.multiply(data.X).sum(axis=0)), 1.0, atol=1e-3)
