"""The reader of sentences finds what it is for, and lets right ones pass."""

import pytest

from tests.lab.sentences import faults


@pytest.mark.parametrize(
    "said",
    [
        "1 groups at most",
        "It keeps 1 weights.",
        "3 draw so far",
        "1 of 1 trials",
        "an error of nan",
        "ahead of the :",
        "probability 1.000",
        "two  spaces",
        "cancelled by the caller",
    ],
)
def test_faults_are_found(said):
    assert faults([said])


@pytest.mark.parametrize(
    "said",
    [
        "1 group is empty, 2 groups are not",
        "λ = 1 groups them",
        "0.1 weights on average",
        "12 of 120 trials",
        "probability 0.9995 or more",
        "11 weights, 21 draws",
        "a 3 step of 4",
    ],
)
def test_right_sentences_pass(said):
    assert faults([said]) == []
