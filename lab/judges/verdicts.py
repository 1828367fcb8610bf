"""A verdict on a claim, and the words that verdicts share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

HOLDS = "holds"
CONDITION = "holds with a condition"
FAILS = "does not hold here"
UNCHECKABLE = "not checkable"
PENDING = "not yet measured"
VERDICTS = (HOLDS, CONDITION, FAILS, UNCHECKABLE, PENDING)


@dataclass(frozen=True)
class Judgement:
    """A verdict, what was measured, and why the two belong together."""

    verdict: str
    measured: str
    why: str = ""


def unanswerable(why: str) -> Callable[[Any], Judgement]:
    return lambda _: Judgement(UNCHECKABLE, "", why)


def missing(what: str) -> Judgement:
    return Judgement(PENDING, "nothing yet", f"The results hold no {what} so far.")


def by_share(wrong: int, tried: int) -> str:
    if not wrong:
        return HOLDS
    return CONDITION if wrong <= tried / 2 else FAILS


def duration(value: float) -> str:
    if not math.isfinite(value):
        return "never"
    return f"{1e3 * value:.2g} ms" if value < 0.095 else f"{value:.2g} s"


def seeds(panel: dict) -> str:
    count = len(panel["runs"])
    return "1 seed" if count == 1 else f"{count} seeds"


def repeats(cells: Mapping[int, Mapping[str, np.ndarray]]) -> str:
    sizes = {len(next(iter(accuracy.values()))) for accuracy in cells.values()}
    low, high = min(sizes), max(sizes)
    return f"{low} repeats" if low == high else f"{low} to {high} repeats"


def listed(names: Sequence[str]) -> str:
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
