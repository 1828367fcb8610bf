"""The reader of sentences finds what it is for, and lets right ones pass."""

import re
from pathlib import Path

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
        "right on 100.0 % of the samples",
        "support F1 is 1.00 for ℓe",
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
        "right on 100 %, or 99.97 %, of the samples",
        "support F1 is 1 for ℓe, 0.996 for ℓ1",
    ],
)
def test_right_sentences_pass(said):
    assert faults([said]) == []


ROOMS = ("accuracy", "balance", "cones", "home", "norms")
LAB = Path(__file__).resolve().parents[2] / "lab"
# What follows a number with a per cent sign and no space; plotly's templates have their own.
CLOSED_UP = re.compile(r"(?<=\d)%(?! *[(\w{])|:\.\d%\}")


@pytest.mark.parametrize("room", ROOMS)
def test_per_cent_is_spelt_in_one_way(room):
    """10 %, as everywhere; a preset's value in the address has no room for the space."""
    for path in (LAB / room).rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            code = line.strip()
            if code.startswith(("TARGET_STEPS", '"target":', '"""The probability a text')):
                continue
            assert not CLOSED_UP.search(re.sub(r'"target": "\d+%"', "", line)), f"{path}: {line}"
