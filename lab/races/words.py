"""A race in words: the answer, the titles, the podium's cells, where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lab.races import outlook
from lab.races.race import Race
from lab.races.specs import RaceSpec
from lab.races.standings import LEVELS, Standing, certified_places, true_places
from lab.words import clock, counted, duration, listed


def answer(race: Race, standings: Sequence[Standing]) -> str:
    """Who won, in one sentence with its numbers; true at any moment of a race."""
    tol = race.spec.tol
    if not standings:
        return "no measurement yet"
    first, rest = standings[0], standings[1:]
    time_to = first.seconds_to[tol]
    if not np.isfinite(time_to):
        best = min(standings, key=lambda standing: standing.gap)
        return (
            f"nobody has a certificate of {tol:.0e} after {duration(best.seconds)} of solver "
            f"time; {best.label} is closest with {best.gap:.0e}"
        )
    sentence = f"{first.label} is certified to {tol:.0e} after {duration(time_to)}"
    reached = np.isfinite(first.each_seconds_to[tol])
    if not reached.all():
        sentence += f" in {np.count_nonzero(reached)} of {reached.size} {_kind(race.spec)}s"
    if not rest:
        return sentence
    second = rest[0]
    if np.isfinite(second.seconds_to[tol]):
        sentence += f", {_lead(first, second, race.spec)}"
        rest = rest[1:]
    late = [standing.label for standing in rest if not np.isfinite(standing.seconds_to[tol])]
    if late and race.finished and not race.cancelled:
        sentence += f"; {_named(late)} did not get there in {race.spec.budget:g} s"
    elif late:
        sentence += f"; {_named(late)} not yet"
    return sentence


def _named(labels: Sequence[str]) -> str:
    """A list of methods, of which some have a comma in their name."""
    return listed(label.replace(", ", " ") for label in labels)


def _kind(spec: RaceSpec) -> str:
    return "run" if spec.source == "own" else "draw"


def _lead(first: Standing, second: Standing, spec: RaceSpec) -> str:
    """How much faster the first was, draw by draw, and how often."""
    tol, kind = spec.tol, _kind(spec)
    pairs = list(zip(first.each_seconds_to[tol], second.each_seconds_to[tol], strict=False))
    # A draw in which neither got there says nothing of who is faster.
    known = [(a, b) for a, b in pairs if a > 0.0 and (np.isfinite(a) or np.isfinite(b))]
    if not known:
        return f"before {second.label}"
    ratios = np.array([b / a for a, b in known])
    middle = f"{_times(float(np.median(ratios)))} as fast as {second.label}"
    if len(pairs) == 1:
        return f"{middle} in this one {kind}"
    low, high = float(ratios.min()), float(ratios.max())
    if low <= 1.0:
        ahead = int(np.count_nonzero(ratios > 1.0))
        return f"ahead of {second.label} in {ahead} of {len(known)} {kind}s, which settles nothing"
    upto = "without end" if not np.isfinite(high) else f"{high:.2g}"
    return f"{middle} ({low:.2g} to {upto} over {counted(len(known), kind)})"


def headline(race: Race, standings: Sequence[Standing], *, example: bool) -> str:
    """The page's answer: the finding, and of which race it is."""
    finding = answer(race, standings)
    if not race.finished:
        return f"So far: {finding} ({race.spec.description})."
    finding = finding[0].upper() + finding[1:]
    if example:
        return f"{finding}: a small example, {race.spec.description}."
    if race.cancelled:
        return f"{finding}, when the race was cancelled ({race.spec.description})."
    return f"{finding} ({race.spec.description})."


NEVER = "—"
MEDALS = {1: "1st, gold", 2: "2nd, silver", 3: "3rd, bronze"}


def podium_table(standings: Sequence[Standing], tol: float) -> dict[str, list[str]]:
    """The podium as columns of text: one for each contestant, the first one first.

    Contestants are columns because they are few: a phone shows the table without scrolling.
    """

    def reach(standing, level) -> str:
        seconds, iterations = standing.seconds_to[level], standing.iterations_to[level]
        return f"{duration(seconds)} · {iterations:,.0f}" if np.isfinite(seconds) else NEVER

    def truly(standing, level) -> str:
        return duration(standing.true_seconds_to[level], NEVER)

    def ranks(places) -> list[str]:
        found = [places[standing.key] for standing in standings]
        return ["not there" if at is None else MEDALS.get(at, ordinal(at)) for at in found]

    rows = {
        f"place by certificate of {tol:.0e}": ranks(certified_places(standings, tol)),
        f"place by true error of {tol:.0e}": ranks(true_places(standings, tol)),
        **{
            f"certified to {level:.0e}": [reach(standing, level) for standing in standings]
            for level in LEVELS
        },
        **{
            f"true error {level:.0e}": [truly(standing, level) for standing in standings]
            for level in LEVELS
        },
        "final certificate": [_size(standing.gap) for standing in standings],
        "above best bound": [_size(standing.suboptimality) for standing in standings],
        "iterations/s": [f"{standing.iterations_per_second:,.0f}" for standing in standings],
        "nonzeros": [f"{standing.nonzeros:,.0f}" for standing in standings],
        "status": [standing.status for standing in standings],
    }
    columns = {"method": list(rows)}
    for place, standing in enumerate(standings):
        columns[standing.label] = [row[place] for row in rows.values()]
    # A number is not to be broken at its minus sign.
    return {
        name: [text.replace("e-", "e\u2011") for text in column] for name, column in columns.items()
    }


def _size(value: float) -> str:
    if not np.isfinite(value):
        return "none"
    return "below 1e-15" if value < 1e-15 else f"{value:.1e}"


def title(race: Race, standings: Sequence[Standing], measure: str) -> str:
    """A chart title: where the contestants stand by the measure on show."""
    if not standings:
        return "The race has not begun"
    if race.cancelled:
        return f"When cancelled: {_leader(race, standings, measure)}"
    return f"{'' if race.finished else 'So far: '}{_leader(race, standings, measure)}"


def _leader(race: Race, standings: Sequence[Standing], measure: str) -> str:
    tol, begun = race.spec.tol, [standing.key for standing in standings]
    if measure == "objective":
        lowest = min((float(np.median(_ends(race, key))), race.labels[key]) for key in begun)
        return f"{lowest[1]} has the lowest objective, {lowest[0]:.6g}"
    if measure == "change":
        moves = [
            (float(np.median(ends)), label)
            for key, label in race.labels.items()
            if (ends := _last_changes(race, key))
        ]
        if not moves:
            return "nobody has taken a second step"
        least = min(moves)
        return f"{least[1]} moves least in its last step, by {least[0]:.0e} of w"
    if measure == "error":
        first = min(standings, key=lambda one: one.true_seconds_to[tol])
        time_to = first.true_seconds_to[tol]
        if np.isfinite(time_to):
            return (
                f"{first.label} is the first within {tol:.0e} of the optimum: {duration(time_to)}"
            )
        return (
            f"{first.label} is closest to the optimum, at most {first.suboptimality:.0e} above it"
        )
    first = standings[0]
    time_to = first.seconds_to[tol]
    if np.isfinite(time_to):
        return f"{first.label} is the first with a certificate of {tol:.0e}: {duration(time_to)}"
    best = min(standings, key=lambda standing: standing.gap)
    return f"{best.label} leads with a certified gap of {best.gap:.0e}"


def _ends(race: Race, key: str) -> list[float]:
    runners = [runner for heat in race.heats for runner in heat.begun if runner.key == key]
    return [runner.result.objective for runner in runners]


def _last_changes(race: Race, key: str) -> list[float]:
    found = []
    for heat in race.heats:
        for runner in heat.begun:
            changes = runner.history["change"]
            if runner.key == key and np.isfinite(changes).any():
                found.append(float(changes[np.isfinite(changes)][-1]))
    return found


def ordinal(place: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{place}{'th' if place % 100 in (11, 12, 13) else ends.get(place % 10, 'th')}"


def _times(ratio: float) -> str:
    return f"{ratio:.1f} times" if ratio < 10.0 else f"{ratio:.0f} times"


def origin(made: Mapping) -> str:
    """When and on what a race was run that was not run just now."""
    machine = made.get("processor") or "an unknown processor"
    day = made.get("date") or "an earlier day"
    commit = f", commit {made['commit']}" if made.get("commit") else ""
    return f"Raced on {day} on {machine}{commit}; **Start** races it here and now."


def progress_line(race: Race) -> str:
    """Where a race is, in words."""
    spec = race.spec
    if not race.heats:
        return f"about to draw the data of {spec.description}"
    heat = race.heats[-1]
    ended = sum(not runner.running for runner in heat.runners)
    solver_time = max(runner.seconds for runner in heat.runners)
    words = [
        f"{ended} of {counted(len(heat.runners), 'lane')} {'has' if ended == 1 else 'have'} ended",
        f"{duration(solver_time)} of at most {spec.budget:g} s solver time a lane",
        f"at most {_rough(outlook.seconds_left(race))} to go",
    ]
    if spec.repeats > 1:
        words.insert(0, f"repeat {len(race.heats)} of {spec.repeats}")
    return ", ".join(words)


def expectation(spec: RaceSpec, like: Race | None, waiting: int, wait: float) -> str:
    """How long a race would take here, and who is before it."""
    known = outlook.seconds_taken(like) if like is not None and like.spec == spec else None
    if known is None:
        takes = f"at most {_rough(outlook.most_seconds(spec))}"
    else:
        takes = f"about {_rough(known)}"
    return f"**Start** takes {takes} if this machine is idle; {queue(waiting, wait)}."


def queue(waiting: int, wait: float) -> str:
    """Who races before one, and for how long."""
    if not waiting:
        return "no race is before it"
    races = "1 race is" if waiting == 1 else f"{waiting} races are"
    return f"{races} before it, for at most {_rough(wait)}"


def _rough(seconds: float) -> str:
    return clock(max(seconds, 1.0))
