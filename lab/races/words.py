"""A race in words: the answer, the titles, the podium's cells, where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lab.races.race import Race
from lab.races.standings import LEVELS, Standing
from lab.words import duration, listed


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
    if not rest:
        return sentence
    second = rest[0]
    if np.isfinite(second.seconds_to[tol]):
        sentence += f", {_lead(first, second, tol)}"
        rest = rest[1:]
    late = [standing.label for standing in rest if not np.isfinite(standing.seconds_to[tol])]
    if late and race.finished and not race.cancelled:
        allowed = duration(race.spec.budget)
        sentence += f"; {listed(late)} did not get there in {allowed}"
    elif late:
        sentence += f"; {listed(late)} not yet"
    return sentence


def _lead(first: Standing, second: Standing, tol: float) -> str:
    """How much faster the first was, draw by draw, and how often."""
    pairs = list(zip(first.each_seconds_to[tol], second.each_seconds_to[tol], strict=False))
    known = [(a, b) for a, b in pairs if np.isfinite(a) and a > 0.0]
    if not known:
        return f"before {second.label}"
    ratios = np.array([b / a for a, b in known])
    middle = f"{_times(float(np.median(ratios)))} as fast as {second.label}"
    if len(pairs) == 1:
        return f"{middle} in this one draw"
    low, high = float(ratios.min()), float(ratios.max())
    if low <= 1.0:
        ahead = int(np.count_nonzero(ratios > 1.0))
        return f"ahead of {second.label} in {ahead} of {len(pairs)} draws, which settles nothing"
    upto = "without end" if not np.isfinite(high) else f"{high:.2g}"
    return f"{middle} ({low:.2g} to {upto} over {len(pairs)} draws)"


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


def podium_table(standings: Sequence[Standing]) -> dict[str, list[str]]:
    """The podium as columns of text: one for each contestant, the first one first.

    Contestants are columns because they are few: a phone shows the table without scrolling.
    """

    def reach(standing, level) -> str:
        seconds, iterations = standing.seconds_to[level], standing.iterations_to[level]
        return f"{duration(seconds)} · {iterations:,.0f}" if np.isfinite(seconds) else "—"

    def truly(standing, level) -> str:
        seconds = standing.true_seconds_to[level]
        return duration(seconds) if np.isfinite(seconds) else "—"

    rows = {
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
    """A chart title: where the contestants stand by this measure."""
    if not standings:
        return "The race has not begun"
    first = standings[0]
    time_to = first.seconds_to[race.spec.tol]
    if measure == "objective":
        last = next(heat for heat in reversed(race.heats) if heat.begun)
        lowest = min((runner.result.objective, runner.label) for runner in last.begun)
        return f"{lowest[1]} has the lowest objective, {lowest[0]:.6g}"
    if np.isfinite(time_to):
        return f"{first.label} is first at {race.spec.tol:.0e}: {duration(time_to)}"
    best = min(standings, key=lambda standing: standing.gap)
    return f"{best.label} leads with a certified gap of {best.gap:.0e}"


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
        f"{ended} of {len(heat.runners)} lanes have ended",
        f"{duration(solver_time)} of at most {duration(spec.budget)} solver time a lane",
        "one BLAS thread",
    ]
    if spec.repeats > 1:
        words.insert(0, f"repeat {len(race.heats)} of {spec.repeats}")
    return ", ".join(words)
