"""Real sets as problems: their shape, standardised features, two classes, groups of the seed."""

import numpy as np
import pytest

from lab.data.bundled_problems import SHAPES, BundledProblemSpec


@pytest.mark.parametrize("name", SHAPES)
def test_a_real_set_is_standardised_and_grouped(name):
    data = BundledProblemSpec(name, 6, seed=1).make()
    assert data.X.shape == SHAPES[name] and set(data.y) == {-1.0, 1.0}
    np.testing.assert_allclose(data.X.mean(axis=0), 0.0, atol=1e-12)
    spread = data.X.std(axis=0)
    np.testing.assert_allclose(spread[spread > 0.0], 1.0)  # some pixels are always white
    assert data.groups.n_groups == 6
    again, other = BundledProblemSpec(name, 6, seed=1).make(), BundledProblemSpec(name, 6, 2).make()
    np.testing.assert_array_equal(again.groups.indices, data.groups.indices)
    assert not np.array_equal(other.groups.indices, data.groups.indices)


def test_an_unknown_set_is_refused():
    with pytest.raises(ValueError, match="choose one of: digits, breast_cancer"):
        BundledProblemSpec("iris").make()
