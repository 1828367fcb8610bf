"""The peers' generator: covariance, true weights and classes as its authors describe them."""

import numpy as np
import pytest

from lab.data.peers import ACROSS, INSIDE, PeersSpec


def test_features_are_correlated_as_described():
    spec = PeersSpec(n_samples=4000, n_features=15, n_groups=3, nonzeros_per_group=2)
    labels = np.arange(15) // 5
    X = spec._correlated(np.random.default_rng(0), labels)
    apart = np.abs(np.subtract.outer(np.arange(15), np.arange(15)))
    same = np.equal.outer(labels, labels)
    expected = np.where(same, INSIDE**apart, ACROSS**apart)
    # Two correlations differ by 1/√4000 each way; four of these are certain not to be chance.
    assert np.abs(np.cov(X.T) - expected).max() < 4 * 2 / np.sqrt(4000)


def test_true_weights_groups_and_signs():
    spec = PeersSpec(n_samples=60, n_features=100, n_groups=5, nonzeros_per_group=3, seed=4)
    data = spec.make()
    assert data.X.shape == (60, 100) and data.groups.n_groups == 5
    for members in data.groups.lists():
        weights = data.true_weights[list(members)]
        assert np.count_nonzero(weights) == 3 and weights.min() >= 0.0 and weights.max() <= 10.0
    residual = data.y - data.X @ data.true_weights
    assert 0.5 < residual.std() < 1.5
    signs = PeersSpec(60, 100, 5, 3, task="classification", seed=4).make()
    np.testing.assert_array_equal(signs.y, np.where(data.y >= 0.0, 1.0, -1.0))
    np.testing.assert_array_equal(signs.X, data.X)


def test_the_banded_kind_has_columns_of_norm_one():
    data = PeersSpec(40, 2000, 4, banded=True).make()
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=0), 1.0)
    assert np.count_nonzero(data.true_weights) == 4 * 2


def test_unequal_groups_are_refused():
    with pytest.raises(ValueError, match="do not make 3 equal groups"):
        PeersSpec(10, 100, 3).make()
    with pytest.raises(ValueError, match="take groups of at least 5"):
        PeersSpec(10, 100, 25).make()
