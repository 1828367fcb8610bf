"""How long a race takes, before it and on the way."""

from __future__ import annotations

from lab.races.race import Race
from lab.races.specs import RaceSpec

# A lane is measured when it has worked as long as its last measurement took: on the wall a race
# takes at most twice its solver time.
MEASURING = 2.0


def most_seconds(spec: RaceSpec) -> float:
    """The wall time after which every lane is out of its budget."""
    return MEASURING * len(spec.methods) * spec.repeats * spec.budget


def seconds_taken(race: Race) -> float | None:
    """The wall time that a race took, about; None where it did not come to its end."""
    if race.cancelled or not race.finished:
        return None
    return MEASURING * sum(runner.seconds for heat in race.heats for runner in heat.runners)


def seconds_left(race: Race) -> float:
    """The wall time that is still needed at most, if later repeats are like those that ended."""
    if race.finished:
        return 0.0
    budget, lanes = race.spec.budget, len(race.spec.methods)
    ended = [
        sum(runner.seconds for runner in heat.runners) for heat in race.heats if not heat.running
    ]
    usual = max(ended) if ended else lanes * budget
    now = sum(
        max(budget - runner.seconds, 0.0)
        for heat in race.heats
        for runner in heat.runners
        if runner.running
    )
    return MEASURING * (now + (race.spec.repeats - len(race.heats)) * usual)
