"""Groups of which a share is wrong."""

import numpy as np
import pytest

from lab.data.wrong_groups import with_wrong_groups
from solvers import Groups

GROUPS = Groups.random(120, 7, 3)


def labels(groups: Groups) -> np.ndarray:
    found = np.empty(groups.n_features, dtype=int)
    for group, members in enumerate(groups.lists()):
        found[list(members)] = group
    return found


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_sizes_stay_and_at_most_the_share_of_features_moves(share):
    wrong = with_wrong_groups(GROUPS, share, 1)
    assert wrong.sizes.tolist() == GROUPS.sizes.tolist()
    moved = np.count_nonzero(labels(wrong) != labels(GROUPS))
    # A shuffled feature meets its own group again with probability of about one in seven.
    assert 0.6 * share * 120 <= moved <= share * 120
    assert labels(with_wrong_groups(GROUPS, share, 1)).tolist() == labels(wrong).tolist()


def test_what_cannot_be_is_said():
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.5"):
        with_wrong_groups(GROUPS, 1.5, 0)
    with pytest.raises(ValueError, match="only disjoint groups"):
        with_wrong_groups(Groups.from_lists([[0, 1], [1, 2]], 3), 0.5, 0)
