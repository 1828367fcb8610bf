"""What a verdict rests on, as numbers that one small chart can show."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """One number with its interval, where it has one; `own` is what the claim speaks of."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan
    own: bool = False


@dataclass(frozen=True)
class Evidence:
    """Numbers on one axis, beside a line that decides: a bound, a tolerance or no difference."""

    axis: str
    bars: tuple[Bar, ...]
    line: float | None = None
    line_label: str = ""
    log: bool = False

    @property
    def in_words(self) -> str:
        """The numbers, for those who cannot see the chart."""
        told = [f"{bar.label} {bar.value:.3g}" for bar in self.bars if math.isfinite(bar.value)]
        line = f"; {self.line_label} {self.line:g}" if self.line is not None else ""
        return f"{self.axis}: {', '.join(told)}{line}"
