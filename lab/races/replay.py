"""A race as it was at any moment: where each stood, who had crossed the line, in what words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lab.drawing.live import Axis
from lab.races.lines import MEASURES, RateLine, Trace, curves, guides, why_not_log
from lab.races.race import Race
from lab.races.standings import Place, Standing, certified_places, true_places
from lab.races.words import in_places
from lab.words import counted, duration, listed

AXES = {"seconds": "solver time (seconds)", "iterations": "iterations"}
COLUMNS = {"seconds": "seconds", "iterations": "iteration"}
HEIGHTS = {
    "gap": "certified relative gap",
    "error": "true relative error: objective above the best bound of all",
    "objective": "objective",
    "change": "‖w⁺ − w‖ / ‖w‖ of one step",
}
# Further to the left there is nothing to see: before it, nobody has done a step worth the name.
MOST_DECADES = 5
# A race ends at its line, so that what lies further behind it needs no room.
BEHIND_THE_LINE = 0.1
MOST_TICKS = 8
Ticks = tuple[tuple[float, str], ...]  # places on an axis and what is written there


@dataclass(frozen=True)
class Finish:
    """A lane behind the line: its place, where on the axis it crossed, and that in words."""

    place: Place
    at: float
    told: str

    @property
    def medal(self) -> str:
        """Its place, or the first and the last of those that it may be."""
        return f"{self.place.first}" + ("" if self.place.settled else f"–{self.place.last}")


@dataclass(frozen=True)
class Moment:
    """What is said of one place of the axis."""

    words: str
    title: str
    alt: str


@dataclass(frozen=True, eq=False)
class Replay:
    """Curves of a measure with their axes, the line that is to be crossed, and who has crossed it.

    `line` is None where the measure has none; `not_log` says why the values are not drawn on a
    logarithmic scale although that was asked for.
    """

    measure: str
    against: str
    curves: Sequence[Trace]
    rates: Sequence[RateLine]
    x: Axis
    y: Axis
    reach: float
    line: float | None
    finishes: Mapping[str, Finish]
    final: str
    not_log: str | None

    @property
    def line_name(self) -> str:
        return "" if self.line is None else f"finish: {self.line:.0e}"

    def place_words(self, place: float) -> str:
        if self.against == "iterations":
            return counted(round(place), "iteration")
        return duration(place, digits=3)

    def at(self, place: float) -> Moment:
        """What the head at that place of the axis has seen."""
        words = self.place_words(place)
        over = place >= self.reach * (1 - 1e-9) or not self.curves
        title = self.final if over else self._title(place, words)
        alt = (
            f"{title}. {HEIGHTS[self.measure]} of {counted(len(self.curves), 'lane')} "
            f"against {AXES[self.against]}, drawn up to {words}."
        )
        return Moment(words, title, alt)

    def until(self, place: float) -> list[Trace]:
        """The curves up to a place of the axis."""
        found = []
        for curve in self.curves:
            there = curve.x <= place * (1 + 1e-9)
            if not there.any():
                continue
            band = (None if side is None else side[there] for side in (curve.low, curve.high))
            found.append(Trace(curve.key, curve.label, curve.x[there], curve.y[there], *band))
        return found

    def _title(self, place: float, words: str) -> str:
        values = [
            (float(curve.y[max(np.searchsorted(curve.x, place, side="right") - 1, 0)]), curve.label)
            for curve in self.curves
            if curve.x[0] <= place
        ]
        if not values:
            return f"After {words}: nobody has taken a step yet"
        best, label = min(values)
        behind = sorted(
            (finish.at, curve.label)
            for curve in self.curves
            if (finish := self.finishes.get(curve.key)) is not None and finish.at <= place
        )
        if behind:
            return f"After {words}: {_crossed([label for _, label in behind])}"
        if self.measure == "objective":
            return f"After {words}: {label} has the lowest objective, {best:.6g}"
        if self.measure == "change":
            return f"After {words}: {label} moves least in a step, by {best:.0e} of w"
        noun = "certified gap" if self.measure == "gap" else "true error"
        return f"After {words}: {label} leads with a {noun} of {best:.0e}"


def _crossed(labels: Sequence[str]) -> str:
    names = listed(label.replace(", ", " ") for label in labels)
    return f"{names} {'has' if len(labels) == 1 else 'have'} crossed the line"


def replay(
    race: Race,
    standings: Sequence[Standing],
    final: str,
    *,
    measure: str,
    against: str,
    log_x: bool,
    log_y: bool,
    rates: bool,
) -> Replay:
    """The race as the chosen chart shows it; `final` is the title of its end."""
    lines = [
        curve for curve in curves(race, measure, COLUMNS[against]) if not log_x or curve.x[-1] > 0.0
    ]
    refused = why_not_log(lines, measure) if log_y else None
    log_y = log_y and refused is None
    line = race.spec.tol if measure in ("gap", "error") else None
    reach = max((float(curve.x[-1]) for curve in lines), default=1.0) or 1.0
    ahead = race.spec.budget if against == "seconds" and not race.finished else reach
    return Replay(
        measure,
        against,
        lines,
        guides(lines) if rates else (),
        _x_axis(lines, AXES[against], max(reach, ahead), log_x),
        _y_axis(lines, HEIGHTS[measure], line, log_y),
        reach,
        line,
        _finishes(standings, race.spec.tol, measure, against),
        final,
        refused,
    )


def _finishes(standings, tol: float, measure: str, against: str) -> dict[str, Finish]:
    """Places are by solver time, on whatever axis the crossing is shown."""
    if measure not in ("gap", "error"):
        return {}
    certified = measure == "gap"
    places = certified_places(standings, tol) if certified else true_places(standings, tol)
    found = {}
    for standing in standings:
        place = places[standing.key]
        seconds = standing.seconds_to if certified else standing.true_seconds_to
        counts = standing.iterations_to if certified else standing.true_iterations_to
        if place is not None:
            at = seconds[tol] if against == "seconds" else counts[tol]
            how = "certified to" if certified else "within"
            told = f"{in_places(place)}: {how} {tol:.0e} after {duration(seconds[tol])}"
            found[standing.key] = Finish(place, float(at), told)
    return found


def _x_axis(lines: Sequence[Trace], label: str, high: float, log: bool) -> Axis:
    if not log:
        return Axis(label, 0.0, 1.02 * high, ticks=_round_numbers(0.0, 1.02 * high))
    firsts = [float(curve.x[curve.x > 0.0][0]) for curve in lines]
    low = max(min(firsts, default=0.1 * high), high * 10.0**-MOST_DECADES)
    low, high = min(low, 0.5 * high), 1.02 * high
    return Axis(label, low, high, log=True, ticks=_where_the_usual_are_few(low, high))


def _y_axis(lines: Sequence[Trace], label: str, line: float | None, log: bool) -> Axis:
    sides = [
        side for curve in lines for side in (curve.y, curve.low, curve.high) if side is not None
    ]
    values = np.concatenate([*sides, [] if line is None else [line]])
    values = values[np.isfinite(values) & ((values > 0.0) | (not log))]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.1, 1.0)
    if log and line is not None:
        low = max(low, BEHIND_THE_LINE * line)
    if log:
        low, high = low / 2.0, 2.0 * high
        ticks = _powers(low, high) or _where_the_usual_are_few(low, high)
        return Axis(label, low, high, log=True, ticks=ticks)
    room = 0.04 * (high - low) or 0.5 * abs(high) or 0.5
    low, high = low - room, high + room
    return Axis(label, low, high, ticks=_round_numbers(low, high))


def _powers(low: float, high: float) -> Ticks | None:
    """Ticks at powers of ten; None where there are too few of them."""
    first, last = int(np.ceil(np.log10(low))), int(np.floor(np.log10(high)))
    if last - first < 2:
        return None
    powers = range(last, first - 1, -max(1, -(-(last - first + 1) // MOST_TICKS)))
    raised = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return tuple(
        (10.0**k, {0: "1", 1: "10"}.get(k, "10" + str(k).translate(raised))) for k in powers
    )


def _where_the_usual_are_few(low: float, high: float) -> Ticks | None:
    """Ticks of a logarithmic axis that has not two of 1, 2 and 5 times a power of ten on it."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    usual = [lead * 10.0**power for power in powers for lead in (1, 2, 5)]
    enough = sum(low <= at <= high for at in usual) > 1
    return None if enough else _round_numbers(low, high)


def _round_numbers(low: float, high: float) -> Ticks:
    """Two to six round numbers on an axis, however narrow the picture."""
    rough = (high - low) / 5.0
    power = 10.0 ** np.floor(np.log10(rough))
    step = float(next(lead * power for lead in (1, 2, 5, 10) if lead * power >= rough * (1 - 1e-9)))
    digits = max(6, int(np.ceil(np.log10(max(abs(low), abs(high)) / step))) + 1)
    first, last = int(np.ceil(low / step)), int(np.floor(high / step))
    return tuple((k * step, f"{k * step:.{digits}g}") for k in range(first, last + 1))


def measure_called(label: str) -> str:
    return next(key for key, name in MEASURES.items() if name == label)
