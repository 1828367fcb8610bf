"""The paper's four sentences: ticked by what is seen, on panels made up for the purpose."""

import numpy as np
import pytest

from lab.norms import claims
from lab.norms.shown import Shown
from lab.pattern import Pattern
from solvers import Groups

THREE = Groups.contiguous(12, 3)


def fit(norm: str, rows, groups=THREE) -> Shown:
    weights = np.array(rows, dtype=float).ravel()
    return Shown(norm, 1.0, 1.0, Pattern(weights, groups), np.array(rows), 0.0, 0.0, 0.0)


FULL, NONE = [1, -1, 2, 1], [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("norm", "rows", "seen", "numbers"),
    [
        ("l2", [FULL, FULL, FULL], True, "no weight is 0"),
        ("l2", [FULL, FULL, [1, 1, 1, 0]], False, "1 weight at 0"),
        ("l1", [[1, 1, 1, 0], NONE, [0, 0, 1, 0]], True, "0 to 3 weights a group"),
        ("l1", [[1, 0, 0, 0], [0, 1, 0, 0], NONE], False, "0 to 1 weight a group"),
        ("l1", [FULL, NONE, NONE], False, "0 to 4 weights a group"),
        ("l1", [[1, 1, 1, 0], [1, 1, 1, 0], [1, 0, 0, 0]], False, "1 to 3 weights a group"),
        ("l1", [NONE, NONE, NONE], False, "0 weights in every group"),
        ("l21", [FULL, NONE, NONE], True, "1 group whole, 2 empty"),
        ("l21", [FULL, FULL, FULL], False, "3 groups whole, 0 empty"),
        ("l21", [FULL, [1, 0, 0, 0], NONE], False, "1 group whole, 1 empty"),
        ("l21", [NONE, NONE, NONE], False, "0 groups whole, 3 empty"),
        ("le", [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]], True, "1 to 2 weights a group"),
        ("le", [[1, 0, 0, 0], [0, 1, 0, 0], NONE], False, "0 to 1 weight a group"),
        ("le", [FULL, [1, 1, 0, 0], [1, 0, 0, 0]], False, "1 to 4 weights a group"),
    ],
)
def test_a_sentence_is_ticked_where_its_panel_shows_it(norm, rows, seen, numbers):
    panel = fit(norm, rows)
    assert claims.is_seen(panel) is seen
    assert claims.evidence(panel) == numbers


def test_a_union_of_overlapping_groups_is_concentrated_and_half_a_group_is_not():
    groups = Groups.from_lists([[0, 1, 2], [2, 3, 4], [4, 5, 0]], 6)
    rows = np.array([1, 1, 1, 0, 0, 0])
    cells = np.array(groups.lists())
    whole = Shown("l21", 1.0, 1.0, Pattern(rows, groups), rows[cells], 0.0, 0.0, 0.0)
    assert claims.is_seen(whole)
    rows = np.array([1, 1, 1, 1, 0, 0])
    half = Shown("l21", 1.0, 1.0, Pattern(rows, groups), rows[cells], 0.0, 0.0, 0.0)
    assert not claims.is_seen(half)


def test_the_papers_words_are_quoted_whole():
    source = claims.RULES.replace("\n", " ")
    for words in ("does not enforce sparsity", "no any structural pattern", "inside of groups"):
        assert words in source
