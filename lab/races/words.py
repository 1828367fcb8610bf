"""A race in words: the answer, the titles, the podium's cells, where it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from lab.races import outlook
from lab.races.lanes import Runner
from lab.races.race import Race
from lab.races.specs import RaceSpec
from lab.races.standings import LEVELS, Place, Standing, certified_places, true_places
from lab.words import clock, counted, duration, listed, plain_number
from solvers.result import History


def answer(race: Race, standings: Sequence[Standing]) -> str:
    """Who won, in one sentence with its numbers; true at any moment of a race."""
    tol = race.spec.tol
    if not standings:
        return "no measurement yet"
    first, rest = standings[0], standings[1:]
    time_to = first.seconds_to[tol]
    at_once = [one for one in standings if one.iterations_to[tol] == 0]
    if len(at_once) > 1:
        return (
            f"{_named([one.label for one in at_once])} have a certificate of {tol:.0e} where they "
            "start, without an iteration: this problem is too easy to tell who is faster"
        )
    few = _in_few_draws(standings, race.spec)
    if not np.isfinite(time_to):
        return _nobody(standings, race.spec, few)
    sentence = f"{first.label} is certified to {tol:.0e} after {duration(time_to)}"
    reached = np.isfinite(first.each_seconds_to[tol])
    if not reached.all():
        sentence += f" in {_how_often(first.each_seconds_to[tol])} {_kind(race.spec)}s"
    if not rest:
        return sentence
    second = rest[0]
    if np.isfinite(second.seconds_to[tol]):
        sentence += f", {_lead(first, second, race.spec)}"
        rest = rest[1:]
    late = [one.label for one in rest if not np.isfinite(one.each_seconds_to[tol]).any()]
    if few:
        sentence += f"; {listed(few)} only"
    if late and race.finished and not race.cancelled:
        sentence += f"; {_named(late)} did not get there in {race.spec.budget:g} s"
    elif late:
        sentence += f"; {_named(late)} not yet"
    return sentence


def _nobody(standings: Sequence[Standing], spec: RaceSpec, few: Sequence[str]) -> str:
    """Who is nearest, or was there in too few draws for a median."""
    tol = spec.tol
    if few:
        share = f"in more than half of the {_kind(spec)}s"
        return f"nobody has a certificate of {tol:.0e} {share}: {listed(few)}"
    best = min(standings, key=lambda standing: standing.gap)
    return (
        f"nobody has a certificate of {tol:.0e} after {duration(best.seconds)} of solver "
        f"time; {best.label} is closest with {best.gap:.0e}"
    )


def _in_few_draws(standings: Sequence[Standing], spec: RaceSpec) -> list[str]:
    """The lanes that some draws certify, but too few for a median, and in how many."""
    return [
        f"{_named([one.label])} in {_how_often(each)} {_kind(spec)}s"
        for one in standings
        if np.isfinite(each := one.each_seconds_to[spec.tol]).any()
        and not np.isfinite(np.median(each))
    ]


def _how_often(seconds: Sequence[float]) -> str:
    return f"{np.count_nonzero(np.isfinite(seconds))} of {len(seconds)}"


def _named(labels: Sequence[str]) -> str:
    """A list of methods, of which some have a comma in their name."""
    return listed(label.replace(", ", " ") for label in labels)


def _kind(spec: RaceSpec) -> str:
    return "repeat" if spec.source == "own" else "draw"


def _lead(first: Standing, second: Standing, spec: RaceSpec) -> str:
    """How much faster the first was, draw by draw, and how often."""
    tol, kind = spec.tol, _kind(spec)
    pairs = list(zip(first.each_seconds_to[tol], second.each_seconds_to[tol], strict=False))
    # A draw in which neither got there says nothing of who is faster.
    known = [(a, b) for a, b in pairs if a > 0.0 and (np.isfinite(a) or np.isfinite(b))]
    if not known:
        return f"before {second.label}"
    if len(pairs) == 1:
        return f"{second.label} after {duration(second.seconds_to[tol])}, in one {kind}"
    ratios = np.array([b / a for a, b in known])
    middle = _faster(float(np.median(ratios)), second.label)
    low, high = float(ratios.min()), float(ratios.max())
    if low <= 1.0:
        ahead = int(np.count_nonzero(ratios > 1.0))
        return f"ahead of {second.label} in {ahead} of {len(known)} {kind}s, which settles nothing"
    least, upto = _factor(low), _factor(high)
    if not np.isfinite(high):
        there = _how_often(second.each_seconds_to[tol])
        over = counted(len(known), kind)
        return f"{middle} (at least {least} over {over}; {second.label} was there in {there})"
    if least == upto:
        return f"{middle} ({least} in each of {counted(len(known), kind)})"
    return f"{middle} ({least} to {upto} over {counted(len(known), kind)})"


def _factor(ratio: float) -> str:
    """A ratio above 1 to two digits: what is above 1 is not told as 1."""
    text = plain_number(ratio, 2)
    return "just over 1" if text == "1" else text


def headline(race: Race, standings: Sequence[Standing], *, example: bool) -> str:
    """The page's answer: the finding, and of which race it is."""
    finding = answer(race, standings)
    if not race.finished:
        return f"So far: {finding} ({race.spec.description})."
    finding = finding[0].upper() + finding[1:]
    if example:
        return f"{finding}: a small example, {race.spec.description}."
    if race.cancelled:
        return f"{finding}, when the race was cancelled{_so_far(race)} ({race.spec.description})."
    return f"{finding} ({race.spec.description})."


def _so_far(race: Race) -> str:
    """How many of its draws a cancelled race had begun, where there were to be several."""
    if race.spec.repeats == 1:
        return ""
    return f" in {_kind(race.spec)} {max(len(race.heats), 1)} of {race.spec.repeats}"


NEVER = "—"
MEDALS = {1: "1st, gold", 2: "2nd, silver", 3: "3rd, bronze"}


def in_places(place: Place) -> str:
    """A medal where all draws agree on the place, else the places that it may be."""
    if place.settled:
        return MEDALS.get(place.first, ordinal(place.first))
    joined = "or" if place.last == place.first + 1 else "to"
    return f"{ordinal(place.first)} {joined} {ordinal(place.last)}"


def podium_table(standings: Sequence[Standing], tol: float) -> dict[str, list[str]]:
    """The podium as columns of text: one for each lane, the first one first.

    Lanes are columns because they are few: a phone shows the table without scrolling.
    """

    def reach(standing, level) -> str:
        seconds, iterations = standing.seconds_to[level], standing.iterations_to[level]
        return (
            f"{duration(seconds)} · {iterations:,.0f}"
            if np.isfinite(seconds)
            else seldom(standing.each_seconds_to[level], NEVER)
        )

    def truly(standing, level) -> str:
        never = seldom(standing.each_true_seconds_to[level], NEVER)
        return duration(standing.true_seconds_to[level], never)

    def seldom(seconds, never: str) -> str:
        """Where the median of the draws is not there, but some of them may be."""
        return f"in {_how_often(seconds)}" if np.isfinite(seconds).any() else never

    def ranks(places, each) -> list[str]:
        found = [(places[one.key], each(one)[tol]) for one in standings]
        return [seldom(of, "not there") if at is None else in_places(at) for at, of in found]

    rows = {
        f"place by certificate of {tol:.0e}": ranks(
            certified_places(standings, tol), lambda one: one.each_seconds_to
        ),
        f"place by true error of {tol:.0e}": ranks(
            true_places(standings, tol), lambda one: one.each_true_seconds_to
        ),
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
    """A chart title: where the lanes stand by the measure on show."""
    if not standings:
        return "The race has not begun"
    said = _leader(race, standings, measure)
    if race.cancelled:
        return f"When cancelled: {said}"
    return f"{said[0].upper()}{said[1:]}" if race.finished else f"So far: {said}"


def _leader(race: Race, standings: Sequence[Standing], measure: str) -> str:
    tol = race.spec.tol
    if measure == "objective":
        label, least, often = _least(race, lambda runner: runner.result.objective)
        return f"{label} has the lowest objective{often}, {least:.6g}"
    if measure == "change":
        label, least, often = _least(race, lambda runner: _last_change(runner.history))
        if not np.isfinite(least):
            stepped = any(runner.result.n_iter > 1 for heat in race.heats for runner in heat.begun)
            unknown = "the change of w was not recorded in this race"
            return unknown if stepped else "nobody has taken a second step"
        return f"{label} moves least in its last step{often}, by {least:.0e} of w"
    places, goal = certified_places(standings, tol), f"with a certificate of {tol:.0e}"
    times = {one.key: one.each_seconds_to[tol] for one in standings}
    if measure == "error":
        places, goal = true_places(standings, tol), f"within {tol:.0e} of the optimum"
        times = {one.key: one.each_true_seconds_to[tol] for one in standings}
    firsts = [(times[key], race.labels[key]) for key, at in places.items() if at and at.first == 1]
    if len(firsts) > 1:
        ranked = sorted((float(np.median(each)), label) for each, label in firsts)
        told = (f"{label.replace(', ', ' ')} {duration(time)}" for time, label in ranked)
        return f"who is first {goal} is not settled: {listed(told)}"
    if firsts:
        ((each, label),) = firsts
        return f"{label} is first {goal}: {_over_draws(each, race.spec)}"
    medians = _of_draws(race.spec, len(next(iter(times.values()))))
    if measure == "error":
        best = min(standings, key=lambda one: one.suboptimality)
        least = f"{best.suboptimality:.0e}"
        return f"{best.label} is closest to the optimum, at most {least} above it{medians}"
    best = min(standings, key=lambda one: one.gap)
    return f"{best.label} leads with a certified gap of {best.gap:.0e}{medians}"


def _of_draws(spec: RaceSpec, count: int) -> str:
    return f" (median of {count} {_kind(spec)}s)" if count > 1 else f" in one {_kind(spec)}"


def _over_draws(seconds: Sequence[float], spec: RaceSpec) -> str:
    """The median time of a lane that was first in every draw, and from which to which."""
    there, kind = [each for each in seconds if np.isfinite(each)], _kind(spec)
    middle = duration(float(np.median(seconds)))
    if len(seconds) == 1:
        return f"{middle} in one {kind}"
    ends = [duration(end) for end in (min(there), max(there))]
    span = f"{ends[0]} to {ends[1]}, " if ends[0] != ends[1] else ""
    return f"{middle} ({span}{len(there)} of {len(seconds)} {kind}s)"


def _least(race: Race, value: Callable[[Runner], float]) -> tuple[str, float, str]:
    """Whose value is lowest by the median, that value, and in how many draws it is."""
    draws = [{one.key: value(one) for one in heat.begun} for heat in race.heats if heat.begun]
    medians = {
        key: float(np.median([draw[key] for draw in draws if key in draw]))
        for key in dict.fromkeys(key for draw in draws for key in draw)
    }
    key = min(medians, key=lambda each: medians[each])
    wins = sum(min(draw, key=lambda each: draw[each]) == key for draw in draws)
    kind = _kind(race.spec)
    often = f" in {wins} of {len(draws)} {kind}s" if len(draws) > 1 else f" in one {kind}"
    return race.labels[key], medians[key], often


def _last_change(history: History) -> float:
    """The last step that was observed, infinite if none was."""
    known = history["change"][np.isfinite(history["change"])]
    return float(known[-1]) if known.size else np.inf


def ordinal(place: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{place}{'th' if place % 100 in (11, 12, 13) else ends.get(place % 10, 'th')}"


def _faster(ratio: float, label: str) -> str:
    if ratio < 1.05:
        return f"hardly faster than {label}"
    times = f"{ratio:.1f}" if ratio < 10.0 else f"{ratio:,.0f}"
    return f"{times} times as fast as {label}"


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
        words.insert(0, f"{_kind(spec)} {len(race.heats)} of {spec.repeats}")
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
