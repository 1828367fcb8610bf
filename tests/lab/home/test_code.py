"""The home page's code prints what the home page says."""

import pytest

from lab.home import shrinkage
from lab.home.code import snippet
from tests.lab.code_runner import printed_by


@pytest.mark.parametrize("zeta", [0.02, 1.0])
def test_code_reproduces_the_view(zeta):
    c, groups = shrinkage.example_input()
    exclusive = shrinkage.shrink_exclusive(c, groups, zeta)
    lasso = shrinkage.shrink_l1(c, groups, exclusive.nonzeros)
    whole = shrinkage.shrink_group_lasso(c, groups, exclusive.nonzeros)
    assert printed_by(snippet(zeta)).splitlines() == [
        f"exclusive norm: {exclusive.nonzeros} weights, {exclusive.n_empty} groups empty",
        f"l1: {lasso.nonzeros} weights, {lasso.n_empty} groups empty",
        f"group lasso: {whole.nonzeros} weights, {whole.n_empty} groups empty",
    ]
