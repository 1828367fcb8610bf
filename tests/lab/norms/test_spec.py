"""The data of Figure 1."""

import numpy as np
import pytest

from lab.norms.spec import TEST_SAMPLES, PatternSpec, make_data
from tests.lab.norms.small import SMALL


def test_data_are_one_draw_split_into_training_and_test_rows():
    data = make_data(SMALL)
    assert data.X.shape == (30, 20) and data.X_test.shape == (TEST_SAMPLES, 20)
    X, y = np.vstack([data.X, data.X_test]), np.append(data.y, data.y_test)
    signal = X @ data.true_weights
    assert np.std(y - signal) == pytest.approx(SMALL.noise * np.std(signal), rel=0.1)
    np.testing.assert_array_equal(
        np.count_nonzero(data.true_weights[data.cells], axis=1), np.ones(4)
    )
    again = make_data(SMALL)
    np.testing.assert_array_equal(data.y, again.y)


def test_no_noise_means_none():
    data = make_data(PatternSpec(n_groups=4, group_size=5, n_samples=30, noise=0.0))
    np.testing.assert_allclose(data.X @ data.true_weights, data.y, atol=1e-12)


@pytest.mark.parametrize("together", [True, False])
def test_groups_share_the_first_features_of_the_next(together):
    spec = PatternSpec(n_groups=3, group_size=4, overlap=2, together=together)
    data = make_data(spec)
    for group, row in enumerate(data.cells):
        following = data.cells[(group + 1) % 3]
        np.testing.assert_array_equal(row[4:], following[:2])
        assert sorted(row) == data.groups.lists()[group]
    neighbours_share_a_group = data.cells[0, :2].tolist() == [0, 1]
    assert neighbours_share_a_group == together


def test_few_active_groups_hold_all_true_features_at_the_same_noise():
    spec = PatternSpec(active_percent=30, nonzeros_per_group=3, noise=0.5)
    data = make_data(spec)
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
        make_data(spec)
