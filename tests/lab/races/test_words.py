"""What is said of a race reads well at its extremes: one lane, one draw, nobody there, no time."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from lab import races
from lab.races import recorded
from lab.races.race import Race
from tests.lab.sentences import faults

SPEC = races.RaceSpec(
    n_samples=20, n_features=40, n_groups=4, lam=30.0, methods=("newton", "pcp", "locp")
)
TIMES = [
    *((0.5, 1.0, 2.0), (1.0, 1.0, 1.0), (np.inf, np.inf, np.inf), (1.0, np.inf, np.inf)),
    *((1.01, 1.02, 1.04), (150.0, 250.0, 900.0)),
]


def standing(key, times):
    levels = {*races.LEVELS, SPEC.tol}
    each = dict.fromkeys(levels, times)
    middle = dict.fromkeys(levels, float(np.median(times)))
    rest = (1e-7, 1e-9, 1.0, 1.0, 1, ("converged",) * len(times), 1e-7)
    return races.Standing(
        key, races.METHODS["lasso"][key].label, middle, middle, middle, middle, each, each, *rest
    )


@pytest.mark.parametrize("draws", [1, 2, 3])
@pytest.mark.parametrize("state", ["on", "cancelled", "over"])
def test_every_sentence_of_a_race_reads_well(draws, state):
    race = recorded.RecordedRace if state == "over" else lambda spec, *_: Race(spec)
    race = race(replace(SPEC, repeats=draws), [], {})
    race.cancelled = state == "cancelled"
    lanes = [("newton",), ("newton", "pcp"), ("newton", "pcp", "locp")]
    for keys in lanes:
        for times in product(TIMES, repeat=len(keys)):
            given = zip(keys, times, strict=True)
            standings = [standing(key, each[:draws]) for key, each in given]
            said = [races.answer(race, standings), races.headline(race, standings, example=True)]
            said += [races.title(race, standings, measure) for measure in ("gap", "error")]
            for column in races.podium_table(standings, SPEC.tol).values():
                said += column
            assert faults(said) == []


def test_a_factor_of_almost_one_is_not_one_and_a_large_one_has_no_exponent():
    race = recorded.RecordedRace(replace(SPEC, repeats=3), [], {})
    first, close, far = (standing(k, TIMES[i]) for k, i in (("newton", 1), ("pcp", 4), ("locp", 5)))
    said = races.answer(race, [first, close])
    assert "hardly faster than PCP (just over 1 in each of 3 draws)" in said
    assert "250 times as fast as LOCP (150 to 900 over 3 draws)" in races.answer(race, [first, far])


def test_what_is_expected_reads_well():
    for waiting, wait in product((0, 1, 2), (0.0, 1.0, 200.0)):
        assert faults([races.expectation(SPEC, None, waiting, wait)]) == []
    race = Race(SPEC)
    assert faults([races.progress_line(race)]) == []
    race.advance()
    assert faults([races.progress_line(race), races.expectation(SPEC, race, 1, 1.0)]) == []
    assert (
        faults(
            [races.origin({}), races.origin(recorded.shipped(races.PAPER["Paper Fig. 2(a)"]).made)]
        )
        == []
    )
