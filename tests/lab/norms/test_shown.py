"""What is shown for one λ: at equal sparsity, at equal shares, and in tables."""

import numpy as np
import pytest

from lab.norms import shown as looks
from tests.lab.norms.small import OVERLAPPING, SMALL, solved


@pytest.mark.parametrize("share", [0.013, 0.1, 1.0, 10.0])
def test_matching_takes_the_nearest_count_and_never_an_empty_fit(share):
    paths = solved(SMALL)
    shown = looks.look_up(paths, share, matched=True)
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
    shown = looks.look_up(solved(SMALL), 0.24, matched=False)
    assert {fit.share for fit in shown.values()} == {0.24}


def test_panels_count_nonzeros_per_group_shared_features_included():
    paths = solved(OVERLAPPING)
    fit = looks.look_up(paths, 0.1, matched=False)["l1"]
    assert fit.grid.shape == (4, 7)
    np.testing.assert_array_equal(fit.counts, np.count_nonzero(fit.grid, axis=1))
    np.testing.assert_array_equal(
        paths.owners[paths.cells[:, :5]], np.repeat(np.arange(4), 5).reshape(4, 5)
    )


def test_tables_have_a_row_for_each_feature_and_each_lam():
    paths = solved(SMALL)
    shown = looks.look_up(paths, 0.24, matched=True)
    columns = looks.table(shown, paths)
    assert {len(column) for column in columns.values()} == {20}
    np.testing.assert_array_equal(columns["le"], shown["le"].pattern.weights)
    path = paths.by_norm["l1"]
    assert {len(column) for column in looks.path_table(path).values()} == {path.shares.size}


def test_the_numbers_of_all_paths_are_one_table():
    paths = solved(SMALL)
    columns = looks.numbers_along(paths)
    total = sum(path.shares.size for path in paths.by_norm.values())
    assert {len(column) for column in columns.values()} == {total}
    group = columns["norm"] == "l21"
    np.testing.assert_array_equal(columns["f1"][group], paths.by_norm["l21"].f1)
