"""What a sweep over one quantity varies: its values, its unit, and how it is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lab.words import listed

MOST_VALUES = 20


@dataclass(frozen=True)
class Quantity:
    """Values are whole numbers: `unit` of them make 1 of the quantity itself

    `usual` is what it is while another one is varied (None: chosen by cross-validation). `at` says
    where something was found, `tick` how a value is written.
    """

    title: str
    axis: str
    at: str
    values: tuple[int, ...]
    least: int
    most: int
    unit: int
    usual: float | None
    tick: str = "{:g}"
    log: bool = False

    def of(self, value: int) -> float:
        return value if self.unit == 1 else value / self.unit

    def said(self, value: int) -> str:
        return self.tick.format(self.of(value) if self.tick == "{:g}" else value)

    def where(self, values: Iterable[int]) -> str:
        return self.at.format(listed([self.said(value) for value in values]))

    def parse(self, text: str) -> tuple[int, ...]:
        """Values as they are written on the axis, each once, in increasing order."""
        factor = self.unit if self.tick == "{:g}" else 1
        found = set()
        for part in re.split(r"[\s,;]+", text.strip()):
            if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", part):
                raise ValueError(f"The list of values holds {part[:20]!r}; write numbers.")
            found.add(round(float(part) * factor))
        if len(found) > MOST_VALUES:
            raise ValueError(f"The list holds {len(found)} values; {MOST_VALUES} are the most.")
        return tuple(sorted(found))

    def check(self, value: int) -> None:
        if not self.least <= value <= self.most:
            raise ValueError(
                f"{self.title} must lie between {self.said(self.least)} and "
                f"{self.said(self.most)}, got {self.said(value)}."
            )


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "error": Quantity(
            "Bayes error",
            "error of the true classifier, %",
            "a Bayes error of {} %",
            (1, 5, 10, 20, 30, 40),
            1,
            49,
            100,
            0.1,
            "{}",
        ),
        "correlation": Quantity(
            "Correlation",
            "correlation between neighbouring features",
            "a correlation of {}",
            (0, 30, 50, 70, 80, 90),
            0,
            99,
            100,
            0.0,
        ),
        "per_group": Quantity(
            "True features per group",
            "true features per group",
            "{} true features per group",
            (1, 2, 4, 8, 16),
            1,
            1000,
            1,
            1,
            log=True,
        ),
        "wrong": Quantity(
            "Wrong groups",
            "features in a wrong group, %",
            "{} % of the features in a wrong group",
            (0, 10, 25, 50, 75, 100),
            0,
            100,
            100,
            0.0,
            "{}",
        ),
        "strength": Quantity(
            "Strength β",
            "strength of the exclusive norm, % of its scale",
            "β of {} % of its scale",
            (1, 3, 10, 30, 100),
            1,
            1000,
            100,
            None,
            "{}",
            log=True,
        ),
    }
)
