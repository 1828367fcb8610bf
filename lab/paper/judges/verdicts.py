"""A verdict on a claim, and the words that verdicts share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from lab.paper.evidence import Bar, Evidence
from lab.paper.wording import power_of_ten
from lab.words import counted

HOLDS = "holds"
CONDITION = "holds with a condition"
FAILS = "does not hold here"
UNDECIDED = "within chance"
UNCHECKABLE = "not checkable"
PENDING = "not yet measured"
VERDICTS = (HOLDS, CONDITION, FAILS, UNDECIDED, UNCHECKABLE, PENDING)
DECIDED = (HOLDS, CONDITION, FAILS)
# A sign carries the verdict for those who cannot see the hue.
SIGNS = MappingProxyType(dict(zip(VERDICTS, ("✓", "≈", "✗", "∼", "?", "…"), strict=True)))


@dataclass(frozen=True)
class Judgement:
    """A verdict, what was measured, and why the two belong together.

    `strength` says how much evidence there is (draws, intervals), `changes` what would
    change the verdict, `evidence` the numbers for a small chart.
    """

    verdict: str
    measured: str
    why: str = ""
    strength: str = ""
    changes: str = ""
    evidence: Evidence | None = None

    def because(self, why: str) -> Judgement:
        return replace(self, why=why)

    def turned(self, verdict: str, why: str) -> Judgement:
        return replace(self, verdict=verdict, why=why)

    def with_strength(self, strength: str, changes: str, evidence: Evidence | None) -> Judgement:
        return replace(self, strength=strength, changes=changes, evidence=evidence)


def exact(error: float, tried: str, what: str, allowed: float = 1e-9) -> Judgement:
    """A statement that is exact: it holds if nothing tried is off by more than rounding."""
    # Nothing can be drawn at zero on a logarithmic axis.
    shown = max(error, 1e-17)
    return Judgement(
        HOLDS if error <= allowed else FAILS,
        f"largest {what}: {power_of_ten(error)}",
        "",
        f"{tried[0].upper()}{tried[1:]}; exact apart from rounding.",
        f"A single case that is off by more than {allowed:.0e}.",
        Evidence(
            "largest error",
            (Bar("found", shown, own=True), Bar("rounding of one number", 2.2e-16)),
            allowed,
            "allowed",
            log=True,
        ),
    )


def unanswerable(why: str, changes: str = "Nothing that this software could measure."):
    """A judge for statements that no measurement of ours can reach."""

    def judge(_: Any) -> Judgement:
        return Judgement(UNCHECKABLE, "", why, "None: it is not measured.", changes)

    return judge


def missing(what: str) -> Judgement:
    return Judgement(
        PENDING,
        "nothing yet",
        f"The results hold no {what} so far.",
        "None so far.",
        "The measurement.",
    )


def resting_on(verdicts: Mapping[str, str], titles: Mapping[str, str]) -> Judgement:
    """A summary is as good as the weakest of what it sums up."""
    order = (FAILS, PENDING, UNDECIDED, UNCHECKABLE, CONDITION, HOLDS)
    worst = min(verdicts.values(), key=order.index)
    text = "; ".join(f"{titles[key]}: {verdict}" for key, verdict in verdicts.items())
    counts = {verdict: list(verdicts.values()).count(verdict) for verdict in VERDICTS}
    return Judgement(
        worst,
        text,
        "A summary: it has the verdict of the weakest claim that it sums up.",
        f"That of the {len(verdicts)} claims it rests on.",
        "Another verdict on the weakest of them.",
        Evidence(
            "claims",
            tuple(Bar(verdict, count) for verdict, count in counts.items() if count),
        ),
    )


def draws(panel: dict) -> str:
    return counted(len(panel["runs"]), "draw")


def draws_each(cells: Mapping[int, Mapping[str, np.ndarray]]) -> str:
    """How many draws of Fig. 2(d) there are at each m."""
    sizes = {len(next(iter(accuracy.values()))) for accuracy in cells.values()}
    low, high = min(sizes), max(sizes)
    return counted(low, "draw") if low == high else f"{low} to {high} draws"


Judge = Callable[[Any], Judgement]
