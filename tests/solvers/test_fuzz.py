"""Odd problems: every method gives a certified answer or an honest status, and no wrong bound.

`python -m benchmarks.fuzz` puts thousands of them.
"""

import pytest

from tests.fuzzing import answer, odd_options, odd_problem
from tests.oracles import METHODS

FOUND_BY_LONG_RUNS = (1212, 1488)
# Bounds made of rounding where y is in the span of unpenalised columns or fits closely; a step that
# was not a number.
FOUND_WITH_OPTIONS = (61, 78, 159, 880)


@pytest.mark.parametrize("seed", [*range(60), *FOUND_BY_LONG_RUNS])
def test_no_complaint_about_any_method(seed):
    odd = odd_problem(seed)
    for key in METHODS[odd.plain.kind]:
        assert answer(odd, key, max_iter=300).complaints == [], key


@pytest.mark.parametrize("seed", range(60))
def test_automatic_choice_certifies_or_says_why_not(seed):
    assert answer(odd_problem(seed), "auto").status in ("converged", "refused", "stalled")


@pytest.mark.parametrize("seed", [*range(60), *FOUND_WITH_OPTIONS])
def test_no_complaint_about_any_method_with_signs_and_weights(seed):
    odd = odd_options(seed)
    for key in METHODS[odd.plain.kind]:
        assert answer(odd, key, max_iter=300).complaints == [], key
    assert answer(odd, "auto").status in ("converged", "refused", "stalled")
